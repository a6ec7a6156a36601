//! Do two triangles overlap?
//!
//! Separating axes: for triangles the two normals, the nine cross products of sides and, for coplanar or nearly
//! coplanar triangles, where all nine are rounding error, the six normals of the sides within the planes. Möller, A
//! Fast Triangle-Triangle Intersection Test (1997), compares intervals on the common line of the planes and treats the
//! coplanar case apart; here one loop does all.
//!
//! Conventions. Touching counts, also at corners and sides. Both sides are equal. A triangle without area is a segment
//! or a point. A gap smaller than rounding (1e-14 of the triangles' size) may count as touching.
use crate::geom::tolerance::ROUNDING;
use glam::DVec3;

/// Whether the closed triangles share a point.
pub fn overlap_triangle_triangle(a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
    let sides = |t: &[DVec3; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (of_a, of_b) = (sides(a), sides(b));
    let (normal_a, normal_b) = (of_a[0].cross(of_a[1]), of_b[0].cross(of_b[1]));
    // Relative to a corner of one of them, so that large coordinates cost no precision.
    let (from, to) = (a.map(|p| p - a[0]), b.map(|p| p - a[0]));
    let size = from
        .iter()
        .chain(&to)
        .fold(0.0, |m: f64, p| m.max(p.length()));
    let parts = |axis: DVec3| {
        let span = |t: &[DVec3; 3]| {
            let at = t.map(|p| p.dot(axis));
            let (low, high) = (at[0].min(at[1]), at[0].max(at[1]));
            (low.min(at[2]), high.max(at[2]))
        };
        let ((low_a, high_a), (low_b, high_b)) = (span(&from), span(&to));
        let slack = 64.0 * ROUNDING * size * axis.length();
        low_a > high_b + slack || low_b > high_a + slack
    };
    let crossed = of_a.iter().flat_map(|p| of_b.map(|q| p.cross(q)));
    let in_plane = (of_a.map(|p| normal_a.cross(p)).into_iter())
        .chain(of_b.map(|q| normal_b.cross(q)))
        // Triangles without area: the line between them, and the direction perpendicular to it in their plane.
        .chain(of_a.map(|p| p.cross(p.cross(to[0]))))
        .chain(of_b.map(|q| q.cross(q.cross(to[0]))))
        .chain(of_a)
        .chain(of_b)
        .chain([to[0]]);
    !([normal_a, normal_b].into_iter())
        .chain(crossed)
        .chain(in_plane)
        .any(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::testing::random_triangle;
    use crate::collide::{closest_point_segment, closest_point_triangle};
    use crate::geom::Segment;
    use crate::geom::rng::Rng;

    /// Least distance between sides, and between corners and triangles; 0 where a side crosses the other triangle: an
    /// independent method.
    fn distance(a: &[DVec3; 3], b: &[DVec3; 3]) -> f64 {
        let mut least = f64::INFINITY;
        for (one, two) in [(a, b), (b, a)] {
            for k in 0..3 {
                let side = Segment {
                    from: one[k],
                    to: one[(k + 1) % 3],
                };
                // The distance to a convex set is a convex function along the side.
                let at = |f: f64| {
                    let p = side.at(f);
                    closest_point_triangle(p, two).distance(p)
                };
                let (mut low, mut high) = (0.0, 1.0);
                for _ in 0..100 {
                    let (p, q) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                    if at(p) <= at(q) { high = q } else { low = p }
                }
                least = least.min(at((low + high) * 0.5));
                let (near, _) = closest_point_segment(two[0], &side);
                least = least.min(near.distance(two[0]));
            }
        }
        least
    }

    fn check_all_orders(a: &[DVec3; 3], b: &[DVec3; 3], expected: bool) {
        for turn in 0..3 {
            let turned = [0, 1, 2].map(|i| b[(i + turn) % 3]);
            let flipped = [turned[0], turned[2], turned[1]];
            for other in [turned, flipped] {
                assert_eq!(
                    overlap_triangle_triangle(a, &other),
                    expected,
                    "{a:?} {other:?}"
                );
                assert_eq!(
                    overlap_triangle_triangle(&other, a),
                    expected,
                    "{other:?} {a:?}"
                );
            }
        }
    }

    const FLOOR: [DVec3; 3] = [
        DVec3::ZERO,
        DVec3::new(0.0, 0.0, 4.0),
        DVec3::new(4.0, 0.0, 0.0),
    ];

    #[test]
    fn by_hand() {
        let at = |corners: [[f64; 3]; 3]| corners.map(DVec3::from);
        let through = at([[1.0, -1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 2.0]]);
        check_all_orders(&FLOOR, &through, true);
        let above = at([[1.0, 0.1, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 2.0]]);
        check_all_orders(&FLOOR, &above, false);
        let corner_on_it = at([[1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 2.0]]);
        check_all_orders(&FLOOR, &corner_on_it, true);
        let beside = at([[5.0, -1.0, 5.0], [5.0, 1.0, 5.0], [6.0, 1.0, 5.0]]);
        check_all_orders(&FLOOR, &beside, false);
        // Coplanar: inside, crossing, sharing a corner, apart.
        let inside = at([[0.5, 0.0, 0.5], [1.0, 0.0, 0.5], [0.5, 0.0, 1.0]]);
        check_all_orders(&FLOOR, &inside, true);
        let crossing = at([[-1.0, 0.0, 1.0], [9.0, 0.0, 1.0], [9.0, 0.0, 1.1]]);
        check_all_orders(&FLOOR, &crossing, true);
        let corner = at([[4.0, 0.0, 0.0], [5.0, 0.0, 0.0], [5.0, 0.0, 1.0]]);
        check_all_orders(&FLOOR, &corner, true);
        let apart = at([[4.1, 0.0, 0.0], [5.0, 0.0, 0.0], [5.0, 0.0, 1.0]]);
        check_all_orders(&FLOOR, &apart, false);
        // Without area.
        let needle = at([[1.0, -1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0]]);
        check_all_orders(&FLOOR, &needle, true);
        let off = at([[5.0, -1.0, 5.0], [5.0, 0.0, 5.0], [5.0, 1.0, 5.0]]);
        check_all_orders(&FLOOR, &off, false);
    }

    #[test]
    fn agrees_with_distances_near_and_far_parallel_and_not() {
        let mut rng = Rng::new(4);
        let (mut together, mut apart) = (0, 0);
        for i in 0..3000 {
            let a = random_triangle(&mut rng);
            let mut b = random_triangle(&mut rng);
            if i % 3 == 0 {
                // Nearly coplanar.
                let normal = (a[1] - a[0]).cross(a[2] - a[0]).normalize();
                let tilt = [0.0, 1e-12, 1e-6][rng.below(3) as usize];
                b = b.map(|p| p - normal * (normal.dot(p - a[0]) * (1.0 - tilt)));
            }
            let shift = rng.unit_vector() * rng.range(0.0, 1.0);
            let b = b.map(|p| p + if i % 3 == 0 { DVec3::ZERO } else { shift });
            let distance = distance(&a, &b);
            let answer = overlap_triangle_triangle(&a, &b);
            if distance > 1e-6 {
                apart += 1;
                assert!(!answer, "{a:?} {b:?} {distance}");
            } else if distance < 1e-14 {
                together += 1;
                assert!(answer, "{a:?} {b:?} {distance}");
            }
        }
        assert!(together > 300 && apart > 300, "{together} {apart}");
    }
}
