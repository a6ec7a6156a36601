//! Cracks around sections that are about to break, as lines on the surface.
//!
//! A crack runs where the section's plane meets the surface, jagged, with branches. All follows from the section and the
//! part of its time that is over, so that a paused or replayed picture is the same.
use super::line::Line;
use super::scatter::scatter;
use super::visible_set::VisibleSet;
use crate::bvh::QueryStats;
use crate::geom::Aabb;
use crate::sim::Sim;
use crate::structure::Section;
use crate::world::World;
use glam::DVec3;

/// A crack reaches so far beyond its section, metres.
const BEYOND_M: f64 = 0.05;
/// Length of its straight pieces, metres.
const PIECE_M: f64 = 0.09;
/// How far it strays from the plane, metres.
const STRAY_M: f64 = 0.045;
/// Longest branch, metres.
const BRANCH_M: f64 = 0.35;
/// Lines lie this far before the surface, metres.
const LIFT_M: f64 = 0.004;
/// Most lines of one section.
const MOST_LINES: usize = 400;

/// Adds the cracks of what creaks; they grow until it breaks.
pub(super) fn add_cracks(sim: &Sim, visible_set: &VisibleSet, alpha: f64, lines: &mut Vec<Line>) {
    let creaking = sim.creaking();
    let whole = (creaking.until as f64 - creaking.since as f64).max(1.0);
    let done = ((sim.tick as f64 + alpha - creaking.since as f64) / whole).clamp(0.0, 1.0);
    for broken in creaking.sections {
        let section = &broken.section;
        let reach = (section.high - section.low).length() / 2.0 + BRANCH_M;
        if visible_set.sees_ball(section.centre, reach) {
            crack(&sim.world, section, done, lines);
        }
    }
}

/// The crack of a section, of which so much has grown, 0..=1.
fn crack(world: &World, section: &Section, done: f64, lines: &mut Vec<Line>) {
    let bounds = section.bounds().grow(BEYOND_M);
    let before = lines.len();
    let mut edges = Vec::new();
    world.each_triangle_in_box(
        &bounds,
        &mut QueryStats::default(),
        &mut |room, triangle| {
            let mesh = &world.room(room).mesh;
            let corners = mesh.triangles[triangle as usize].corners;
            let corners = corners.map(|corner| mesh.positions[corner as usize]);
            edges.extend(cut(corners, section, &bounds));
        },
    );
    for (from, to, normal) in edges {
        if MOST_LINES <= lines.len() - before {
            return;
        }
        let along = to - from;
        let across = normal.cross(along).normalize_or_zero();
        let count = (along.length() / PIECE_M).ceil().max(1.0);
        let point = |step: f64| {
            let at = from + along * (step / count);
            at + across * (scatter(seed(at)).x * STRAY_M) + normal * LIFT_M
        };
        for step in 0..count as u32 {
            let (a, b) = (point(f64::from(step)), point(f64::from(step + 1)));
            // Each piece shows from another moment on.
            let own = scatter(seed(a) ^ 0x2f31);
            if (own.y + 1.0) / 2.0 > 0.15 + done {
                continue;
            }
            lines.push(dark(a, b, 0.95));
            if own.z > 0.45 {
                let way = across * own.x.signum() + along.normalize_or_zero() * own.y;
                let tip = a + way * (BRANCH_M * done * own.x.abs());
                let middle = a.lerp(tip, 0.5) + along.normalize_or_zero() * (0.02 * own.z);
                lines.push(dark(a, middle, 0.9));
                lines.push(dark(middle, tip, 0.6));
            }
        }
    }
}

fn dark(from: DVec3, to: DVec3, alpha: f32) -> Line {
    Line {
        from,
        to,
        colour: [0.012, 0.011, 0.010, alpha],
    }
}

/// Where a triangle meets the plane of a section, within a box; with the triangle's normal.
fn cut(corners: [DVec3; 3], section: &Section, bounds: &Aabb) -> Option<(DVec3, DVec3, DVec3)> {
    let away = corners.map(|corner| corner[section.axis] - section.centre[section.axis]);
    let mut ends = Vec::new();
    for (i, k) in [(0, 1), (1, 2), (2, 0)] {
        if (away[i] < 0.0) != (away[k] < 0.0) {
            ends.push(corners[i].lerp(corners[k], away[i] / (away[i] - away[k])));
        }
    }
    let &[from, to] = ends.as_slice() else {
        return None;
    };
    // Liang and Barsky.
    let (along, mut low, mut high) = (to - from, 0.0f64, 1.0f64);
    for axis in 0..3 {
        let sides = [bounds.min[axis] - from[axis], bounds.max[axis] - from[axis]];
        if along[axis].abs() < 1e-12 {
            if sides[0] > 0.0 || sides[1] < 0.0 {
                return None;
            }
            continue;
        }
        let [a, b] = sides.map(|side| side / along[axis]);
        (low, high) = (low.max(a.min(b)), high.min(a.max(b)));
    }
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    (low < high).then(|| {
        let at = |part: f64| from + along * part;
        (at(low), at(high), normal.normalize_or_zero())
    })
}

/// The same for places of the same millimetre.
fn seed(at: DVec3) -> u32 {
    let [x, y, z] = (at * 1000.0).round().to_array().map(|x| x as i64 as u32);
    x.wrapping_mul(73_856_093) ^ y.wrapping_mul(19_349_663) ^ z.wrapping_mul(83_492_791)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec2, dvec3};

    #[test]
    fn a_triangle_is_cut_along_the_plane_within_the_section() {
        let section = Section {
            area: 1.0,
            centre: dvec3(0.0, 2.0, 0.0),
            axis: 1,
            second_moments: [0.0; 3],
            low: DVec2::splat(-0.5),
            high: DVec2::splat(0.5),
        };
        let bounds = section.bounds().grow(BEYOND_M);
        let wall = |x: f64| [dvec3(x, 0.0, -3.0), dvec3(x, 4.0, -3.0), dvec3(x, 2.0, 9.0)];
        let (from, to, normal) = cut(wall(0.5), &section, &bounds).expect("it is cut");
        assert!((from - dvec3(0.5, 2.0, from.z)).length() < 1e-12);
        assert!((from.z - to.z).abs() - (1.0 + 2.0 * BEYOND_M) < 1e-9);
        assert!(normal.x.abs() > 0.999);
        assert!(cut(wall(0.7), &section, &bounds).is_none());
        let above = wall(0.5).map(|corner| corner + DVec3::Y * 5.0);
        assert!(cut(above, &section, &bounds).is_none());
    }
}
