//! Convex polygons in space.
use super::ring;
use glam::DVec3;

/// Whether two convex polygons, seen along a unit normal, overlap by more than `within`, in the unit of their
/// coordinates: no side of either separates them (separating axes, Gottschalk, Lin and Manocha, 1996, in a plane).
/// Touching is no overlap.
pub fn overlap(a: &[DVec3], b: &[DVec3], normal: DVec3, within: f64) -> bool {
    let is_parted_by_an_edge_of = |edges: &[DVec3]| {
        ring::pairs(edges).any(|(p, q)| {
            let across = (*q - *p).cross(normal).normalize_or_zero();
            let span = |list: &[DVec3]| {
                let along = list.iter().map(|r| across.dot(*r - *p));
                along.fold([f64::MAX, f64::MIN], |[low, high], x| {
                    [low.min(x), high.max(x)]
                })
            };
            let ([low, high], [other_low, other_high]) = (span(a), span(b));
            other_low >= high - within || other_high <= low + within
        })
    };
    !is_parted_by_an_edge_of(a) && !is_parted_by_an_edge_of(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64) -> [DVec3; 4] {
        [[0., 0.], [2., 0.], [2., 2.], [0., 2.]].map(|[u, v]| DVec3::new(x + u, y + v, x * 0.01))
    }

    #[test]
    fn squares_overlap_by_more_than_what_is_asked_for_or_not() {
        for (x, y, depth) in [
            (1.5, 0.0, 0.5),
            (-1.5, 1.9, 0.1),
            (0.0, -1.0, 1.0),
            (0.3, 0.2, 1.7),
        ] {
            let (a, b) = (square(0.0, 0.0), square(x, y));
            for turned in 0..4 {
                let mut c = b;
                c.rotate_left(turned);
                assert!(overlap(&a, &c, DVec3::Z, depth - 1e-9), "{x} {y}");
                assert!(!overlap(&c, &a, DVec3::Z, depth + 1e-9), "{x} {y}");
            }
        }
        assert!(!overlap(
            &square(0.0, 0.0),
            &square(2.0, 0.0),
            DVec3::Z,
            0.0
        ));
        // Their boxes overlap, the polygons do not.
        let triangle = [[3., 1.], [3., 3.], [1., 3.]].map(|[x, y]| DVec3::new(x, y, 0.0));
        assert!(!overlap(&triangle, &square(0.0, 0.0), DVec3::Z, 0.0));
    }
}
