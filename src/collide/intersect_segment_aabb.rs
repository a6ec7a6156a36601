//! Where does a segment meet a box?
//!
//! [`super::intersect_ray_aabb`] with the exit cut at the segment's end.
//!
//! Conventions. A start inside is fraction 0. Touching counts, at the end too. A segment without length is its point.
use super::InvDir;
use super::intersect_ray_aabb::without_parallel_walls;
use crate::geom::{Aabb, Segment};

/// The smallest fraction, 0..=1.
pub fn intersect_segment_aabb(segment: &Segment, bounds: &Aabb) -> Option<f64> {
    let dir = segment.displacement();
    let bounds = without_parallel_walls(segment.from, dir, bounds);
    let (enter, leave) = InvDir::new(segment.from, dir).span(bounds.min, bounds.max);
    (enter <= leave && enter <= 1.0).then_some(enter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use glam::DVec3;

    #[test]
    fn ends_count() {
        let bounds = Aabb {
            min: DVec3::ZERO,
            max: DVec3::ONE,
        };
        let cast = |from: f64, to: f64| {
            let at = |x: f64| DVec3::new(x, 0.5, 0.5);
            intersect_segment_aabb(
                &Segment {
                    from: at(from),
                    to: at(to),
                },
                &bounds,
            )
        };
        assert_eq!(cast(-1.0, 1.0), Some(0.5));
        assert_eq!(cast(-1.0, 0.0), Some(1.0));
        assert_eq!(cast(-1.0, -0.1), None);
        assert_eq!(cast(0.5, 0.5), Some(0.0));
        assert_eq!(cast(2.0, 2.0), None);
    }

    #[test]
    fn agrees_with_samples_along_the_segment() {
        let bounds = Aabb {
            min: DVec3::splat(-0.5),
            max: DVec3::splat(0.5),
        };
        let mut rng = Rng::new(4);
        for _ in 0..2000 {
            let segment = Segment {
                from: rng.unit_vector() * 1.5,
                to: rng.unit_vector() * 1.5,
            };
            let sampled = (0..=1000)
                .map(|i| i as f64 / 1000.0)
                .find(|&f| bounds.contains(segment.at(f)));
            let fraction = intersect_segment_aabb(&segment, &bounds);
            if let Some(sampled) = sampled {
                let fraction = fraction.expect("a sample is inside");
                assert!(fraction <= sampled && sampled - fraction < 0.002);
            }
            if let Some(fraction) = fraction {
                assert!(bounds.grow(1e-12).contains(segment.at(fraction)));
            }
        }
    }
}
