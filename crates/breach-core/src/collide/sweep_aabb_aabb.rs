//! When do two moving boxes first touch?
//!
//! Relative to the second, the first moves by the difference of the displacements. Along each axis they overlap between
//! `(gap to the near wall) / speed` and `(gap to the far wall) / speed`; they touch at the latest of the three entries,
//! if that is not after the earliest exit. Gomez 1999, "Simple Intersection Tests for Games"; Ericson, Real-Time
//! Collision Detection, 5.5.8. (The listing of 1999 answers yes for boxes that are apart along an axis without motion.)
//!
//! Conventions. Boxes that touch or overlap at the start: fraction 0, in any direction. Touching at the very end
//! counts, in passing too. No relative motion: only the start counts. An empty box hits nothing.
use crate::geom::Aabb;
use glam::DVec3;

/// Fraction of both displacements.
pub fn sweep_aabb_aabb(
    a: &Aabb,
    a_displacement: DVec3,
    b: &Aabb,
    b_displacement: DVec3,
) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let motion = a_displacement - b_displacement;
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for axis in 0..3 {
        // Until a's upper side reaches b's lower side, and until a's lower side leaves b's upper side.
        let (reach, pass) = (b.min[axis] - a.max[axis], b.max[axis] - a.min[axis]);
        let speed = motion[axis];
        if speed == 0.0 {
            if reach > 0.0 || pass < 0.0 {
                return None;
            }
            continue;
        }
        let (first, last) = if speed > 0.0 {
            (reach / speed, pass / speed)
        } else {
            (pass / speed, reach / speed)
        };
        enter = enter.max(first);
        leave = leave.min(last);
    }
    (enter <= leave).then_some(enter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    fn unit_at(x: f64, y: f64) -> Aabb {
        let min = DVec3::new(x, y, 0.0);
        Aabb {
            min,
            max: min + 1.0,
        }
    }

    #[test]
    fn conventions() {
        let cast = |x: f64, y: f64, to: DVec3, other: DVec3| {
            sweep_aabb_aabb(&unit_at(0.0, 0.0), to, &unit_at(x, y), other)
        };
        let x = DVec3::X;
        assert_eq!(cast(3.0, 0.0, x * 4.0, DVec3::ZERO), Some(0.5));
        assert_eq!(
            cast(3.0, 0.0, x * 2.0, x * -2.0),
            Some(0.5),
            "towards each other"
        );
        assert_eq!(
            cast(3.0, 0.0, x * 2.0, DVec3::ZERO),
            Some(1.0),
            "at the end"
        );
        assert_eq!(cast(3.0, 0.0, x * 1.9, DVec3::ZERO), None, "stops short");
        assert_eq!(cast(3.0, 0.0, x * -4.0, DVec3::ZERO), None, "parting");
        assert_eq!(cast(3.0, 0.0, x * 5.0, x * 5.0), None, "side by side");
        assert_eq!(cast(3.0, 2.0, x * 9.0, DVec3::ZERO), None, "apart along y");
        assert_eq!(
            cast(3.0, 1.0, x * 4.0, DVec3::ZERO),
            Some(0.5),
            "sides touch"
        );
        assert_eq!(
            cast(1.0, 0.0, -x, DVec3::ZERO),
            Some(0.0),
            "touching at the start"
        );
        assert_eq!(
            cast(0.5, 0.0, DVec3::ZERO, DVec3::ZERO),
            Some(0.0),
            "no motion"
        );
        assert_eq!(
            sweep_aabb_aabb(&Aabb::EMPTY, x, &unit_at(0.0, 0.0), x),
            None
        );
    }

    #[test]
    fn agrees_with_samples_and_does_not_care_who_moves() {
        let mut rng = Rng::new(6);
        let mut hits = 0;
        for _ in 0..2000 {
            let mut some = || {
                let centre = rng.unit_vector() * rng.range(0.0, 3.0);
                let half = DVec3::new(
                    rng.range(0.1, 1.0),
                    rng.range(0.1, 1.0),
                    rng.range(0.1, 1.0),
                );
                (
                    Aabb::from_centre(centre, half),
                    rng.unit_vector() * rng.range(0.0, 4.0),
                )
            };
            let ((a, by_a), (b, by_b)) = (some(), some());
            let at = |f: f64| {
                let moved = |c: &Aabb, by: DVec3| Aabb {
                    min: c.min + by * f,
                    max: c.max + by * f,
                };
                moved(&a, by_a).overlaps(&moved(&b, by_b))
            };
            let sampled = (0..=1000).map(|i| f64::from(i) * 1e-3).find(|&f| at(f));
            let fraction = sweep_aabb_aabb(&a, by_a, &b, by_b);
            let back = sweep_aabb_aabb(&b, by_b, &a, by_a);
            assert_eq!(fraction.is_some(), back.is_some());
            if let Some(sampled) = sampled {
                hits += 1;
                let fraction = fraction.expect("a sample overlaps");
                assert!(fraction <= sampled + 1e-12 && sampled - fraction < 1.1e-3);
                assert!((fraction - back.unwrap()).abs() < 1e-12);
            }
        }
        assert!(hits > 200);
    }
}
