//! Do two axis-aligned boxes overlap?
//!
//! They are disjoint if and only if an axis separates them: `a.max < b.min` or `b.max < a.min` along one of the three.
//! Gomez 1999, "Simple Intersection Tests for Games"; Ericson, Real-Time Collision Detection, 4.2.1.
//!
//! Conventions. Touching counts, also at corners; a box inside the other overlaps. A box without size is a point. The
//! empty box, and one with a NaN, overlaps nothing.
use crate::geom::Aabb;

/// Whether the closed boxes share a point.
#[inline]
pub fn overlap_aabb_aabb(a: &Aabb, b: &Aabb) -> bool {
    a.overlaps(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use glam::DVec3;

    #[test]
    fn conventions() {
        let unit = Aabb::from_corners(DVec3::ZERO, DVec3::ONE);
        let check = |min: DVec3, size: f64, expected: bool| {
            let other = Aabb {
                min,
                max: min + size,
            };
            assert_eq!(overlap_aabb_aabb(&unit, &other), expected, "{min}");
            assert_eq!(overlap_aabb_aabb(&other, &unit), expected, "{min}");
        };
        check(DVec3::splat(0.25), 0.5, true);
        check(DVec3::X, 1.0, true);
        check(DVec3::ONE, 1.0, true);
        check(DVec3::splat(0.5), 0.0, true);
        for axis in DVec3::AXES {
            check(axis * 1.001, 1.0, false);
            check(axis * -1.001, 1.0, false);
        }
        check(DVec3::NAN, 1.0, false);
        assert!(!overlap_aabb_aabb(&unit, &Aabb::EMPTY));
    }

    /// Boxes with integer corners share a point if and only if they share an integer one.
    #[test]
    fn agrees_with_counting_shared_points() {
        let mut rng = Rng::new(3);
        let mut shared = 0;
        for _ in 0..2000 {
            let mut some = || {
                let mut at = || DVec3::from([0; 3].map(|_| rng.range(0.0, 6.0).floor()));
                Aabb::from_corners(at(), at())
            };
            let (a, b) = (some(), some());
            let points = (0..216).map(|i| DVec3::from([i % 6, i / 6 % 6, i / 36].map(f64::from)));
            let expected = points.into_iter().any(|p| a.contains(p) && b.contains(p));
            assert_eq!(overlap_aabb_aabb(&a, &b), expected, "{a:?} {b:?}");
            shared += usize::from(expected);
        }
        assert!(200 < shared && shared < 1800);
    }
}
