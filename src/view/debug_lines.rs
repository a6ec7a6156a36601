//! Debug drawings of the world as lines: portals, frusta, normals, tree bins, probes. The number of lines is limited, so
//! that the drawings stay fast.
use super::body_lines;
use super::camera::{Camera, axes, half_extent};
use super::colours::{depth_colour, room_colour};
use super::line::{Line, box_lines};
use super::overlays::{BinLevels, Overlays};
use super::palette::{Inks, with_alpha};
use super::visibility::seen_windows;
use super::visibility_cache::VisibilityCache;
use crate::bvh::QueryStats;
use crate::geom::Aabb;
use crate::sim::{Probe, Sim, TICK_SECS};
use crate::world::{Portal, Revision, RoomId, World};
use glam::DVec3;

/// Most rooms whose trees are drawn, the nearest ones.
const BIN_ROOMS: usize = 6;
/// Most tree boxes in all.
const BIN_BOXES: usize = 6000;
/// Probes are drawn for this long, ticks.
const PROBE_TICKS: u64 = 120;
/// A portal opened by a blast flashes for this long, seconds.
const FLASH_SECS: f64 = 1.2;
/// Spacing of a portal's hatching, metres.
const HATCH_M: f64 = 0.22;
/// Most hatching lines of a portal.
const MOST_HATCHES: f64 = 40.0;
/// Greatest length of a frustum, metres.
const FRUSTUM_MOST_M: f64 = 22.0;
/// Normals are drawn within this distance of the camera, metres.
const NORMALS_NEAR_M: f64 = 7.0;
/// Most normals.
const MOST_NORMALS: usize = 6000;
/// Length of a hit's normal, metres.
const NORMAL_M: f64 = 0.35;
/// Arm of a hit's cross, metres.
const CROSS_M: f64 = 0.06;

// Opacities.
const PORTAL_ALPHA: f32 = 0.9;
const RAY_ALPHA: f32 = 0.9;
const SWEEP_ALPHA: f32 = 0.8;
/// The rest of a ray behind its hit.
const BEHIND_HIT_ALPHA: f32 = 0.6;

/// The drawings that are switched on; `seer` is the camera of the visibility.
pub(super) fn lines(
    sim: &Sim,
    camera: &Camera,
    seer: &Camera,
    overlays: Overlays,
    visible: &[RoomId],
    alpha: f64,
) -> Vec<Line> {
    let mut lines = Vec::new();
    let inks = overlays.palette.inks();
    if overlays.portals {
        portals(sim, visible, alpha, &inks, &mut lines);
    }
    if overlays.frozen {
        frusta(sim, seer, &mut lines);
    }
    if overlays.normals {
        normals(&sim.world, camera, visible, &inks, &mut lines);
    }
    body_lines::lines(sim, camera, overlays, &mut lines);
    let recent = |probe: &&Probe| sim.tick.saturating_sub(probe.tick) < PROBE_TICKS;
    if overlays.rays {
        sim.probes.iter().filter(recent).for_each(|probe| {
            probe_lines(
                probe,
                sim.tick,
                camera,
                sim.settings.buffer_distance,
                &inks,
                &mut lines,
            )
        });
    }
    if overlays.hits {
        sim.probes
            .iter()
            .filter(recent)
            .for_each(|probe| hit_lines(probe, sim.tick, &inks, &mut lines));
    }
    if overlays.leak {
        let steps = sim.world.leak.windows(2);
        lines.extend(steps.map(|w| Line {
            from: w[0],
            to: w[1],
            colour: with_alpha(inks.hit, 1.0),
        }));
    }
    lines
}

/// Portals as hatched outlines. Portals opened by a carve are highlighted and flash at first.
fn portals(sim: &Sim, visible: &[RoomId], alpha: f64, inks: &Inks, lines: &mut Vec<Line>) {
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
        let colour = if let Some(born) = portal.born {
            let flash = flash(sim, born, alpha);
            with_alpha(inks.fresh.map(|part| part + flash), 1.0)
        } else {
            with_alpha(inks.open, PORTAL_ALPHA)
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
        hatch(portal, colour, lines);
    }
}

/// Extra brightness of a portal opened by a recent blast: three fading pulses.
fn flash(sim: &Sim, born: Revision, alpha: f64) -> f32 {
    let blast = sim.explosions.iter().find(|blast| blast.revision == born);
    let age = blast.map_or(f64::INFINITY, |blast| {
        (sim.tick as f64 + alpha - blast.tick as f64) * TICK_SECS
    });
    if !(0.0..FLASH_SECS).contains(&age) {
        return 0.0;
    }
    let pulse = 0.5 + 0.5 * libm::cos(age * std::f64::consts::TAU * 3.0);
    (2.5 * pulse * (1.0 - age / FLASH_SECS)) as f32
}

/// Diagonal hatching of a portal, clipped to its outlines by the even-odd rule.
fn hatch(portal: &Portal, [r, g, b, a]: [f32; 4], lines: &mut Vec<Line>) {
    let axis = portal.axis.min(2);
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    // For each line u + v = c its crossings with the outlines.
    let level = |p: DVec3| p[u] + p[v];
    let points = || portal.loops.iter().flatten().copied();
    let low = points().map(level).fold(f64::INFINITY, f64::min);
    let high = points().map(level).fold(f64::NEG_INFINITY, f64::max);
    let gap = ((high - low) / MOST_HATCHES).max(HATCH_M);
    let mut at = low + gap * 0.5;
    let mut crossings: Vec<DVec3> = Vec::new();
    while at < high {
        crossings.clear();
        for outline in &portal.loops {
            for (i, &p) in outline.iter().enumerate() {
                let q = outline[(i + 1) % outline.len()];
                let (dp, dq) = (level(p) - at, level(q) - at);
                if (dp < 0.0) != (dq < 0.0) {
                    crossings.push(p.lerp(q, dp / (dp - dq)));
                }
            }
        }
        crossings.sort_by(|p, q| p[u].total_cmp(&q[u]));
        lines.extend(crossings.chunks_exact(2).map(|pair| Line {
            from: pair[0],
            to: pair[1],
            colour: [r, g, b, a * 0.35],
        }));
        at += gap;
    }
}

/// The frustum of each visible room: the view frustum clipped to the room's window, between the nearest and the farthest
/// corner of its cell.
fn frusta(sim: &Sim, seer: &Camera, lines: &mut Vec<Line>) {
    let [right, up, back] = axes(seer);
    let [half_x, half_y] = half_extent(seer);
    for (id, window) in seen_windows(sim, seer, &mut VisibilityCache::default()) {
        let cell = &sim.world.room(id).cell;
        let corner = |x: f64, y: f64| right * (x * half_x) + up * (y * half_y) - back;
        let rays: Vec<DVec3> = window.corners().iter().map(|p| corner(p.x, p.y)).collect();
        let depth = |pick_far: bool| {
            let toward = back.cmplt(DVec3::ZERO);
            let far = DVec3::select(toward, cell.max, cell.min);
            let near = DVec3::select(toward, cell.min, cell.max);
            let p = if pick_far { far } else { near };
            -(p - seer.eye).dot(back)
        };
        let (near, far) = (
            depth(false).max(0.05),
            depth(true).clamp(0.1, FRUSTUM_MOST_M),
        );
        let colour = room_colour(id);
        for i in 0..rays.len() {
            let next = rays[(i + 1) % rays.len()];
            for (from, to) in [
                (rays[i] * near, rays[i] * far),
                (rays[i] * near, next * near),
                (rays[i] * far, next * far),
            ] {
                lines.push(Line {
                    from: seer.eye + from,
                    to: seer.eye + to,
                    colour,
                });
            }
        }
        let [r, g, b, _] = colour;
        box_lines(cell, [r, g, b, 0.3], lines);
    }
}

/// Normals of the triangles near the camera, from their centroids.
fn normals(world: &World, camera: &Camera, visible: &[RoomId], inks: &Inks, lines: &mut Vec<Line>) {
    let near = Aabb {
        min: camera.eye - NORMALS_NEAR_M,
        max: camera.eye + NORMALS_NEAR_M,
    };
    let first = lines.len();
    world.each_triangle_in_box(&near, &mut QueryStats::default(), &mut |id, index| {
        let room = world.room(id);
        let Some(triangle) = room.mesh.triangles.get(index as usize) else {
            return;
        };
        let Some(face) = room.faces.get(triangle.face as usize) else {
            return;
        };
        if lines.len() - first >= MOST_NORMALS || !visible.contains(&id) {
            return;
        }
        let [a, b, c] = triangle.corners.map(|i| room.mesh.positions[i as usize]);
        let middle = (a + b + c) / 3.0;
        let inner = world
            .materials
            .get(face.material as usize)
            .is_some_and(|material| material.inner);
        lines.push(Line {
            from: middle,
            to: middle + face.normal * 0.22,
            colour: with_alpha(if inner { inks.fresh } else { inks.normal }, 1.0),
        });
    });
}

/// Boxes of the tree of the seer's room, or of the nearest visible rooms. `visible` is sorted, nearest first.
pub(super) fn bins(
    world: &World,
    seer: &Camera,
    overlays: Overlays,
    visible: &[RoomId],
) -> Vec<Line> {
    let mut lines = Vec::new();
    if !overlays.bins {
        return lines;
    }
    // In rock there is no room: the nearest visible one instead.
    let own = world.locate(seer.eye).or(visible.first().copied());
    let rooms = match overlays.bins_of_all {
        true => &visible[..visible.len().min(BIN_ROOMS)],
        false => own.as_slice(),
    };
    let mut boxes = 0;
    for &id in rooms {
        let all = world.room(id).tree.bins();
        let deepest = deepest_distinct(&all);
        for (depth, bounds, leaf) in all {
            let is_wanted = match overlays.bin_levels {
                // Leaves of shorter branches count as deepest.
                BinLevels::Deepest => leaf || deepest.contains(&Some(depth)),
                BinLevels::All => true,
                BinLevels::One(level) => level == depth,
            };
            if !is_wanted {
                continue;
            }
            boxes += 1;
            if boxes > BIN_BOXES {
                return lines;
            }
            let mut colour = depth_colour(depth, overlays.palette);
            colour[3] = if leaf { 1.0 } else { 0.6 };
            box_lines(&bounds, colour, &mut lines);
        }
    }
    lines
}

/// The deepest level of a tree, and the deepest level above it with a different box.
fn deepest_distinct(bins: &[(u32, Aabb, bool)]) -> [Option<u32>; 2] {
    let boxes = |level: u32| {
        let own = bins.iter().filter(move |bin| bin.0 == level);
        own.map(|bin| bin.1)
    };
    let lowest = bins.iter().map(|bin| bin.0).max();
    let above = lowest.and_then(|lowest| {
        let differs = |level: &u32| boxes(*level).any(|a| boxes(lowest).all(|b| b != a));
        (0..lowest).rev().find(differs)
    });
    [lowest, above]
}

/// A ray as a line, bright up to its hit. A sweep as a capsule: rings, sides, round ends, and at its hit the contact
/// buffer.
fn probe_lines(
    probe: &Probe,
    tick: u64,
    camera: &Camera,
    buffer: f64,
    inks: &Inks,
    lines: &mut Vec<Line>,
) {
    let fade = fading(probe, tick);
    let end = probe
        .hit
        .map_or(probe.to, |hit| probe.from.lerp(probe.to, hit.fraction));
    let colour = fade(match probe.radius > 0.0 {
        true => with_alpha(inks.moving, SWEEP_ALPHA),
        false => with_alpha(inks.asked, RAY_ALPHA),
    });
    // A ray from the eye projects to a point: it is drawn from a little lower.
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
            colour: fade(with_alpha(inks.idle, BEHIND_HIT_ALPHA)),
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
    // Half circles at the ends, in two planes through the axis.
    for (centre, out) in [(probe.from, -dir), (end, dir)] {
        for across in [side, up] {
            let arc = |i: usize| {
                let turn = i as f64 / STEPS as f64 * std::f64::consts::PI;
                centre + across * libm::cos(turn) + out * (probe.radius * libm::sin(turn))
            };
            lines.extend((0..STEPS).map(|i| Line {
                from: arc(i),
                to: arc(i + 1),
                colour,
            }));
        }
    }
    if let Some(hit) = probe.hit {
        // The sweep stops at a distance of the buffer from the surface.
        let stop = hit.point + hit.normal * (probe.radius + buffer);
        let a = hit.normal.any_orthonormal_vector();
        let b = hit.normal.cross(a);
        let colour = fade(with_alpha(inks.open, 1.0));
        let rim = |i: usize| {
            let turn = i as f64 / STEPS as f64 * std::f64::consts::TAU;
            hit.point
                + hit.normal * buffer
                + (a * libm::cos(turn) + b * libm::sin(turn)) * (probe.radius * 0.5)
        };
        lines.extend((0..STEPS).map(|i| Line {
            from: rim(i),
            to: rim(i + 1),
            colour,
        }));
        lines.push(Line {
            from: hit.point,
            to: stop,
            colour,
        });
    }
}

/// A cross and the normal at the contact point.
fn hit_lines(probe: &Probe, tick: u64, inks: &Inks, lines: &mut Vec<Line>) {
    let Some(hit) = probe.hit else { return };
    let fade = fading(probe, tick);
    for axis in DVec3::AXES {
        lines.push(Line {
            from: hit.point - axis * CROSS_M,
            to: hit.point + axis * CROSS_M,
            colour: fade(with_alpha(inks.hit, 1.0)),
        });
    }
    lines.push(Line {
        from: hit.point,
        to: hit.point + hit.normal * NORMAL_M,
        colour: fade(with_alpha(inks.normal, 1.0)),
    });
}

/// Fades a colour with the age of the probe.
fn fading(probe: &Probe, tick: u64) -> impl Fn([f32; 4]) -> [f32; 4] {
    let left = 1.0 - tick.saturating_sub(probe.tick) as f32 / PROBE_TICKS as f32;
    move |[r, g, b, a]| [r, g, b, a * (0.15 + 0.85 * left)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Palette;

    /// A cube of this edge at the origin, as a bin.
    fn bin(level: u32, edge: f64) -> (u32, Aabb, bool) {
        let bounds = Aabb {
            min: DVec3::ZERO,
            max: DVec3::splat(edge),
        };
        (level, bounds, true)
    }

    #[test]
    fn the_deepest_levels_are_two_that_have_other_boxes() {
        let check = |bins: &[(u32, Aabb, bool)], wanted| {
            assert_eq!(deepest_distinct(bins), wanted, "{bins:?}");
        };
        check(&[], [None, None]);
        check(&[bin(0, 4.0)], [Some(0), None]);
        check(&[bin(0, 4.0), bin(1, 2.0), bin(2, 1.0)], [Some(2), Some(1)]);
        // A level that repeats the boxes below it shows nothing new.
        let repeats = [bin(0, 4.0), bin(1, 1.0), bin(2, 1.0), bin(2, 2.0)];
        check(&repeats, [Some(2), Some(0)]);
        check(&[bin(0, 1.0), bin(1, 1.0)], [Some(1), None]);
    }

    #[test]
    fn bins_are_those_of_the_eye_s_room_until_more_are_asked_for() {
        let map = include_bytes!("../../levels/bunker.map");
        let level = crate::level::read_map(map).expect("our own level");
        let sim = Sim::new(level, 1, Default::default(), &mut crate::timing::Silent);
        let sim = sim.expect("a world");
        let camera = Camera {
            eye: sim.player.eye,
            yaw: sim.player.yaw,
            pitch: 0.0,
            fov_y: 1.2,
            aspect: 1.6,
        };
        let windows = seen_windows(&sim, &camera, &mut VisibilityCache::default());
        let visible: Vec<RoomId> = windows.into_iter().map(|window| window.0).collect();
        let drawn = |overlays: Overlays| bins(&sim.world, &camera, overlays, &visible);
        assert!(drawn(Overlays::default()).is_empty());
        let on = Overlays {
            bins: true,
            ..Overlays::default()
        };
        let own = sim.world.locate(camera.eye).expect("in the air");
        let all = sim.world.room(own).tree.bins();
        let deepest = all.iter().map(|bin| bin.0).max().expect("bins");
        let count = |levels: &[u32]| {
            let counted = all.iter().filter(|bin| levels.contains(&bin.0));
            12 * counted.count()
        };
        let by_default = drawn(on);
        assert!(deepest > 2 && visible.len() > 1);
        let smallest = |bin: &&(u32, Aabb, bool)| bin.2 || bin.0 + 1 >= deepest;
        assert_eq!(by_default.len(), 12 * all.iter().filter(smallest).count());
        let root = all.iter().find(|bin| bin.0 == 0).expect("a root").1;
        for line in &by_default {
            for p in [line.from, line.to] {
                assert!((root.min - 1e-6).cmple(p).all() && p.cmple(root.max + 1e-6).all());
            }
        }
        let bin_levels = BinLevels::One(1);
        assert_eq!(drawn(Overlays { bin_levels, ..on }).len(), count(&[1]));
        let bin_levels = BinLevels::All;
        let all_levels = drawn(Overlays { bin_levels, ..on });
        assert_eq!(all_levels.len(), 12 * all.len());
        let bins_of_all = true;
        let all_rooms = drawn(Overlays {
            bin_levels,
            bins_of_all,
            ..on
        });
        assert!(all_rooms.len() > all_levels.len());
        // In rock: the nearest visible room.
        let eye = camera.eye - DVec3::Y * 900.0;
        let in_rock = bins(&sim.world, &Camera { eye, ..camera }, on, &visible[..1]);
        assert!(!in_rock.is_empty());
    }

    #[test]
    fn hatching_stays_inside_the_outline_and_out_of_its_hole() {
        let square = |r: f64| {
            [(-r, -r), (r, -r), (r, r), (-r, r)]
                .map(|(y, z)| DVec3::new(2.0, y, z))
                .to_vec()
        };
        let portal = Portal {
            rooms: [0, 1],
            axis: 0,
            loops: vec![square(2.0), square(1.0)],
            area_m2: 12.0,
            born: None,
        };
        let mut lines = Vec::new();
        hatch(&portal, [1.0; 4], &mut lines);
        assert!(lines.len() > 10);
        for line in lines {
            let middle = (line.from + line.to) * 0.5;
            let far = middle.y.abs().max(middle.z.abs());
            assert!(
                middle.x == 2.0 && (1.0 - 1e-9..=2.0).contains(&far),
                "{middle}"
            );
        }
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
        let inks = Palette::Standard.inks();
        probe_lines(&probe, 0, &camera, 0.01, &inks, &mut lines);
        assert_eq!(lines.len(), 1);
        assert!(lines.iter().all(|l| l.from.is_finite() && l.to.is_finite()));
    }
}
