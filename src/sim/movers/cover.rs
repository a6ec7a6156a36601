//! Whether convex solids together cover a convex polygon: what each of them covers is cut out, and nothing may be left.
use crate::geom::{Aabb, ring};
use glam::DVec3;

/// A plane of a convex solid: its unit normal, outwards, and n·p of its points, metres.
pub(super) type Plane = (DVec3, f64);

/// A gap that is no wider counts as none, metres: far above rounding, and too narrow to see through.
const GAP_M: f64 = 1e-3;
/// With more parts left than this the answer is no, which keeps the work small.
const MOST_PARTS: usize = 64;

/// Whether a convex polygon, corners in order, lies in the union of convex solids. A polygon in the plane of a solid's
/// side is not in it; one that is nowhere wider than a gap is covered by nothing at all.
pub(super) fn covers(polygon: &[DVec3], solids: &[&[Plane]]) -> bool {
    let mut left = vec![polygon.to_vec()];
    left.retain(|part| is_wide(part));
    for solid in solids.iter().filter(|solid| !solid.is_empty()) {
        let mut next = Vec::new();
        for part in left {
            cut_out(part, solid, &mut next);
        }
        left = next;
        if MOST_PARTS < left.len() {
            return false;
        }
    }
    left.is_empty()
}

/// Adds what of a part lies outside of a solid.
fn cut_out(part: Vec<DVec3>, solid: &[Plane], left: &mut Vec<Vec<DVec3>>) {
    let first = left.len();
    let mut inside = part.clone();
    for &plane in solid {
        let [within, beyond] = split(&inside, plane);
        inside = within;
        if !is_wide(&inside) {
            // The solid covers nothing of it: the part stays whole, or each solid beside it would double the parts.
            left.truncate(first);
            left.push(part);
            return;
        }
        if is_wide(&beyond) {
            left.push(beyond);
        }
    }
}

/// The parts of a convex polygon below and above a plane.
fn split(polygon: &[DVec3], (normal, at): Plane) -> [Vec<DVec3>; 2] {
    let [mut below, mut above] = [Vec::new(), Vec::new()];
    for (&a, &b) in ring::pairs(polygon) {
        let (height_a, height_b) = (normal.dot(a) - at, normal.dot(b) - at);
        if height_a <= 0.0 {
            below.push(a);
        }
        if height_a >= 0.0 {
            above.push(a);
        }
        if height_a * height_b < 0.0 {
            let crossing = a.lerp(b, height_a / (height_a - height_b));
            below.push(crossing);
            above.push(crossing);
        }
    }
    [below, above]
}

/// Whether a convex polygon is wider than a gap. It is least wide across one of its edges.
fn is_wide(polygon: &[DVec3]) -> bool {
    let bounds = Aabb::from_points(polygon.iter().copied());
    let is_point = bounds.is_none_or(|bounds| bounds.diagonal() <= GAP_M);
    let is_wide_across = |from: DVec3, to: DVec3| {
        // Two corners in one place make no edge.
        (to - from).try_normalize().is_none_or(|along| {
            let mut corners = polygon.iter();
            corners.any(|&corner| (corner - from).cross(along).length() > GAP_M)
        })
    };
    !is_point && ring::pairs(polygon).all(|(&from, &to)| is_wide_across(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use glam::DQuat;

    /// A block that is then turned about the origin.
    fn block(low: DVec3, high: DVec3, turn: DQuat) -> Vec<Plane> {
        let sides = DVec3::AXES.map(|axis| {
            [
                (turn * axis, axis.dot(high)),
                (turn * -axis, -axis.dot(low)),
            ]
        });
        sides.into_iter().flatten().collect()
    }

    fn is_covered(polygon: &[DVec3], solids: &[Vec<Plane>]) -> bool {
        let solids: Vec<&[Plane]> = solids.iter().map(Vec::as_slice).collect();
        covers(polygon, &solids)
    }

    fn square(size: f64) -> [DVec3; 4] {
        [(0.0, 0.0), (size, 0.0), (size, size), (0.0, size)].map(|(x, y)| DVec3::new(x, y, 0.0))
    }

    #[test]
    fn nine_tiles_cover_a_square_and_eight_do_not() {
        let tile = |i: usize, gap: f64| {
            let low = DVec3::new((i % 3) as f64, (i / 3) as f64, -0.1);
            block(low, low + DVec3::new(1.0 - gap, 1.0, 0.2), DQuat::IDENTITY)
        };
        let all: Vec<Vec<Plane>> = (0..9).map(|i| tile(i, 0.0)).collect();
        assert!(is_covered(&square(3.0), &all));
        for missing in 0..9 {
            let mut some = all.clone();
            some.remove(missing);
            assert!(!is_covered(&square(3.0), &some), "without {missing}");
            some.push(tile(missing, 0.0005));
            assert!(
                is_covered(&square(3.0), &some),
                "with a hair beside {missing}"
            );
            some.pop();
            some.push(tile(missing, 0.002));
            assert!(
                !is_covered(&square(3.0), &some),
                "with a slit beside {missing}"
            );
        }
        assert!(!is_covered(&square(3.0), &[]));
        assert!(is_covered(&square(0.0005), &[]), "no wider than a gap");
        assert!(
            !is_covered(&square(3.0), &[Vec::new()]),
            "a solid without sides is none"
        );
    }

    #[test]
    fn a_polygon_in_the_plane_of_a_side_is_not_covered() {
        let below = block(
            DVec3::splat(-1.0),
            DVec3::new(4.0, 4.0, 0.0),
            DQuat::IDENTITY,
        );
        assert!(!is_covered(&square(3.0), &[below]));
    }

    #[test]
    fn random_points_agree() {
        let mut rng = Rng::new(11);
        let (mut covered, mut open, mut found) = (0, 0, 0);
        for _ in 0..400 {
            // A triangle or a quadrilateral in a plane that is turned with the solids.
            let count = 3 + rng.below(2) as usize;
            let first = rng.range(0.0, std::f64::consts::TAU);
            let step = std::f64::consts::TAU / count as f64;
            let corner = |i: usize| {
                let (sin, cos) = libm::sincos(first + step * i as f64);
                DVec3::new(cos, sin, 0.0) * 0.8
            };
            let polygon: Vec<DVec3> = (0..count).map(corner).collect();
            let solids: Vec<Vec<Plane>> = (0..1 + rng.below(5))
                .map(|_| {
                    let (sin, cos) = libm::sincos(rng.range(-0.5, 0.5));
                    let turn = DQuat::from_xyzw(0.0, 0.0, sin, cos);
                    let centre = DVec3::new(rng.range(-0.5, 0.5), rng.range(-0.5, 0.5), 0.0);
                    let half = DVec3::new(rng.range(0.3, 1.1), rng.range(0.3, 1.1), 0.5);
                    block(centre - half, centre + half, turn)
                })
                .collect();
            // Weighted means of the corners, as many near the rim as within.
            let mut points = (0..2000).map(|_| {
                let weights: Vec<f64> =
                    (0..count).map(|_| libm::pow(rng.unit_f64(), 3.0)).collect();
                let sum: f64 = weights.iter().sum();
                let weighted = polygon.iter().zip(&weights).map(|(&p, &w)| p * w);
                weighted.sum::<DVec3>() / sum.max(1e-12)
            });
            // What a sliver that was dropped may leave.
            let is_outside = |p: DVec3| {
                let is_in =
                    |solid: &Vec<Plane>| solid.iter().all(|&(n, at)| n.dot(p) <= at + 0.005);
                !solids.iter().any(is_in)
            };
            let outside = points.any(is_outside);
            if is_covered(&polygon, &solids) {
                covered += 1;
                assert!(!outside, "{polygon:?} among {solids:?}");
            } else {
                open += 1;
                found += u32::from(outside);
            }
        }
        assert!(20 < covered && 20 < open, "{covered} covered, {open} open");
        // A random point misses the smallest gaps.
        assert!(open * 9 <= found * 10, "{found} of {open}");
    }
}
