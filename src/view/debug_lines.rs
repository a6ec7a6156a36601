//! The debug drawings as plain lines. What is drawn is bounded, so that switching it on keeps the window usable.
use super::{Camera, Line, Overlays};
use crate::geom::Aabb;
use crate::sim::{Probe, Sim};
use crate::world::RoomId;
use glam::DVec3;

/// Trees of this many of the nearest visible rooms are drawn, and this many boxes in all.
const BIN_ROOMS: usize = 6;
const BIN_BOXES: usize = 6000;
/// Rays and hits stay for this long, ticks.
const PROBE_TICKS: u64 = 120;
/// Length of a hit's normal, metres, and arm of its cross.
const NORMAL_M: f64 = 0.35;
const CROSS_M: f64 = 0.06;

const PORTAL: [f32; 4] = [0.1, 0.75, 1.0, 0.9];
const PORTAL_BY_CARVE: [f32; 4] = [1.0, 0.42, 0.05, 1.0];
const RAY: [f32; 4] = [1.0, 0.85, 0.2, 0.9];
const SWEEP: [f32; 4] = [0.35, 1.0, 0.35, 0.8];
const MISSED: [f32; 4] = [0.5, 0.55, 0.65, 0.6];
const HIT: [f32; 4] = [1.0, 0.1, 0.1, 1.0];
const NORMAL: [f32; 4] = [0.95, 0.3, 1.0, 1.0];
const LEAK: [f32; 4] = [1.0, 0.05, 0.05, 1.0];

/// All lines that the switches ask for.
pub(super) fn lines(
    sim: &Sim,
    camera: &Camera,
    overlays: Overlays,
    visible: &[RoomId],
) -> Vec<Line> {
    let mut lines = Vec::new();
    if overlays.portals {
        portals(sim, visible, &mut lines);
    }
    if overlays.bins {
        bins(sim, overlays.bins_level, visible, &mut lines);
    }
    let recent = |probe: &&Probe| sim.tick.saturating_sub(probe.tick) < PROBE_TICKS;
    if overlays.rays {
        sim.probes
            .iter()
            .filter(recent)
            .for_each(|probe| probe_lines(probe, sim.tick, camera, &mut lines));
    }
    if overlays.hits {
        sim.probes
            .iter()
            .filter(recent)
            .for_each(|probe| hit_lines(probe, sim.tick, &mut lines));
    }
    if overlays.leak {
        let steps = sim.world.leak.windows(2);
        lines.extend(steps.map(|w| Line {
            from: w[0],
            to: w[1],
            colour: LEAK,
        }));
    }
    lines
}

fn portals(sim: &Sim, visible: &[RoomId], lines: &mut Vec<Line>) {
    let mut seen: Vec<u32> = visible
        .iter()
        .flat_map(|&id| sim.world.room(id).portals.iter().copied())
        .collect();
    seen.sort_unstable();
    seen.dedup();
    for portal in seen
        .iter()
        .filter_map(|&index| sim.world.portals().get(index as usize))
    {
        let colour = if portal.born > 0 {
            PORTAL_BY_CARVE
        } else {
            PORTAL
        };
        for outline in &portal.loops {
            for (i, &from) in outline.iter().enumerate() {
                lines.push(Line {
                    from,
                    to: outline[(i + 1) % outline.len()],
                    colour,
                });
            }
        }
    }
}

fn bins(sim: &Sim, level: Option<u32>, visible: &[RoomId], lines: &mut Vec<Line>) {
    let mut boxes = 0;
    for &id in visible.iter().take(BIN_ROOMS) {
        for (depth, bounds, leaf) in sim.world.room(id).tree.bins() {
            if level.is_some_and(|level| level != depth) {
                continue;
            }
            boxes += 1;
            if boxes > BIN_BOXES {
                return;
            }
            let mut colour = depth_colour(depth);
            colour[3] = if leaf { 0.75 } else { 0.4 };
            box_lines(&bounds, colour, lines);
        }
    }
}

/// A hue for each level of the tree, neighbours well apart.
pub fn depth_colour(depth: u32) -> [f32; 4] {
    const HUES: [[f32; 3]; 8] = [
        [1.0, 0.15, 0.1],
        [1.0, 0.55, 0.05],
        [0.95, 0.95, 0.1],
        [0.25, 0.95, 0.15],
        [0.05, 0.9, 0.75],
        [0.1, 0.5, 1.0],
        [0.45, 0.25, 1.0],
        [1.0, 0.25, 0.85],
    ];
    let [r, g, b] = HUES[depth as usize % HUES.len()];
    [r, g, b, 1.0]
}

fn box_lines(bounds: &Aabb, colour: [f32; 4], lines: &mut Vec<Line>) {
    let corner = |i: usize| {
        DVec3::new(
            if i & 1 == 0 {
                bounds.min.x
            } else {
                bounds.max.x
            },
            if i & 2 == 0 {
                bounds.min.y
            } else {
                bounds.max.y
            },
            if i & 4 == 0 {
                bounds.min.z
            } else {
                bounds.max.z
            },
        )
    };
    for i in 0..8 {
        for bit in [1, 2, 4] {
            if i & bit == 0 {
                lines.push(Line {
                    from: corner(i),
                    to: corner(i | bit),
                    colour,
                });
            }
        }
    }
}

/// A ray as one line, bright up to its hit; a sweep as a capsule of four lines and two rings.
fn probe_lines(probe: &Probe, tick: u64, camera: &Camera, lines: &mut Vec<Line>) {
    let fade = faded(probe, tick);
    let end = probe
        .hit
        .map_or(probe.to, |hit| probe.from.lerp(probe.to, hit.fraction));
    let colour = fade(if probe.radius > 0.0 { SWEEP } else { RAY });
    // A ray out of the eye is a point on the screen: start it a little lower.
    let from = if probe.from.distance_squared(camera.eye) < 1e-4 {
        probe.from - DVec3::Y * 0.15
    } else {
        probe.from
    };
    lines.push(Line {
        from,
        to: end,
        colour,
    });
    if probe.hit.is_some() {
        lines.push(Line {
            from: end,
            to: probe.to,
            colour: fade(MISSED),
        });
    }
    let Some(dir) = (end - probe.from)
        .try_normalize()
        .filter(|_| probe.radius > 0.0)
    else {
        return;
    };
    let side = dir.any_orthonormal_vector() * probe.radius;
    let up = dir.cross(side);
    const STEPS: usize = 16;
    let ring = |centre: DVec3, i: usize| {
        let turn = i as f64 / STEPS as f64 * std::f64::consts::TAU;
        centre + side * libm::cos(turn) + up * libm::sin(turn)
    };
    for i in 0..STEPS {
        for centre in [probe.from, end] {
            lines.push(Line {
                from: ring(centre, i),
                to: ring(centre, i + 1),
                colour,
            });
        }
        if i % (STEPS / 4) == 0 {
            lines.push(Line {
                from: ring(probe.from, i),
                to: ring(end, i),
                colour,
            });
        }
    }
}

/// A cross at the point of contact and the normal there.
fn hit_lines(probe: &Probe, tick: u64, lines: &mut Vec<Line>) {
    let Some(hit) = probe.hit else { return };
    let fade = faded(probe, tick);
    for axis in DVec3::AXES {
        lines.push(Line {
            from: hit.point - axis * CROSS_M,
            to: hit.point + axis * CROSS_M,
            colour: fade(HIT),
        });
    }
    lines.push(Line {
        from: hit.point,
        to: hit.point + hit.normal * NORMAL_M,
        colour: fade(NORMAL),
    });
}

fn faded(probe: &Probe, tick: u64) -> impl Fn([f32; 4]) -> [f32; 4] {
    let left = 1.0 - tick.saturating_sub(probe.tick) as f32 / PROBE_TICKS as f32;
    move |[r, g, b, a]| [r, g, b, a * (0.15 + 0.85 * left)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_twelve_edges_each_along_an_axis() {
        let mut lines = Vec::new();
        let bounds = Aabb {
            min: DVec3::ZERO,
            max: DVec3::new(1.0, 2.0, 3.0),
        };
        box_lines(&bounds, [1.0; 4], &mut lines);
        assert_eq!(lines.len(), 12);
        let total: f64 = lines.iter().map(|l| l.from.distance(l.to)).sum();
        assert_eq!(total, 4.0 * (1.0 + 2.0 + 3.0));
    }

    #[test]
    fn a_sweep_of_no_length_is_drawn_without_rings() {
        let probe = Probe {
            from: DVec3::X,
            to: DVec3::X,
            radius: 0.5,
            hit: None,
            tick: 0,
        };
        let camera = Camera {
            eye: DVec3::ZERO,
            yaw: 0.0,
            pitch: 0.0,
            fov_y: 1.0,
            aspect: 1.0,
        };
        let mut lines = Vec::new();
        probe_lines(&probe, 0, &camera, &mut lines);
        assert_eq!(lines.len(), 1);
        assert!(lines.iter().all(|l| l.from.is_finite() && l.to.is_finite()));
    }
}
