//! Where does a segment meet a box?
//!
//! By slabs: [`super::intersect_ray_aabb`] with the exit clamped to the segment's end. By outcodes (Cohen and
//! Sutherland): each end is classified against each wall; both beyond one wall is a miss without a division, one inside
//! is a hit, and only the rest is clipped wall by wall: `fraction = (wall - from) / (to - from)`. Schroeder (2001)
//! grows the box by the radius, so that the segment is the path of a sphere.
//!
//! Conventions. A start inside is fraction 0. Touching counts, also at the end. A segment without length is its point.
//! A grown box keeps sharp corners: it is for culling, and accepts some spheres that pass a corner.
use super::InvDir;
use super::intersect_ray_aabb::without_parallel_walls;
use crate::geom::{Aabb, Segment};
use glam::DVec3;

/// The side of each wall on which a point lies: bits 0 to 2 below x, y, z, bits 3 to 5 above; 0 inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcode(pub u8);

impl Outcode {
    /// Classifies a point; on a wall is inside.
    #[inline]
    pub fn new(point: DVec3, bounds: &Aabb) -> Self {
        let below = point.cmplt(bounds.min).bitmask();
        let above = point.cmpgt(bounds.max).bitmask();
        Self((below | above << 3) as u8)
    }

    /// Whether both points lie beyond one wall, so that the segment between them is outside.
    pub fn share_a_side(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the point is inside.
    pub fn is_inside(self) -> bool {
        self.0 == 0
    }
}

/// The smallest fraction, 0..=1, at which the segment is in the box grown by `radius` on all sides.
pub fn intersect_segment_grown_aabb(segment: &Segment, bounds: &Aabb, radius: f64) -> Option<f64> {
    let bounds = bounds.grow(radius);
    if bounds.is_empty() {
        return None;
    }
    let (from, to) = (
        Outcode::new(segment.from, &bounds),
        Outcode::new(segment.to, &bounds),
    );
    if from.is_inside() {
        return Some(0.0);
    }
    if from.share_a_side(to) {
        return None;
    }
    // Of the walls that the start is beyond, the last one reached is the entry, if that point is in the box.
    let displacement = segment.displacement();
    let mut enter = (0.0, 0);
    for axis in 0..3 {
        let wall = match (from.0 >> axis & 1, from.0 >> (axis + 3) & 1) {
            (1, _) => bounds.min[axis],
            (_, 1) => bounds.max[axis],
            _ => continue,
        };
        let fraction = (wall - segment.from[axis]) / displacement[axis];
        if fraction > enter.0 {
            enter = (fraction, axis);
        }
    }
    let at = segment.from + displacement * enter.0;
    let is_in = |axis: usize| {
        axis == enter.1 || bounds.min[axis] <= at[axis] && at[axis] <= bounds.max[axis]
    };
    (enter.0 <= 1.0 && (0..3).all(is_in)).then_some(enter.0)
}

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

    #[test]
    fn outcodes_by_hand_and_against_slabs() {
        let bounds = Aabb {
            min: DVec3::ZERO,
            max: DVec3::ONE,
        };
        let code = |x: f64, y: f64, z: f64| Outcode::new(DVec3::new(x, y, z), &bounds).0;
        assert_eq!(code(0.5, 0.0, 1.0), 0, "on the walls is inside");
        assert_eq!((code(-1.0, 0.5, 0.5), code(0.5, 2.0, 0.5)), (1, 16));
        assert_eq!(code(2.0, -1.0, 2.0), 2 | 8 | 32);
        let mut rng = Rng::new(14);
        let mut hits = 0;
        for i in 0..5000 {
            let mut some = || {
                let p = rng.unit_vector() * rng.range(0.2, 2.5);
                // Often on an axis or a wall.
                if i % 4 == 0 { p.round() * 0.5 } else { p }
            };
            let segment = Segment {
                from: some(),
                to: some(),
            };
            let radius = [0.0, 0.25][i % 2];
            let (by_code, by_slabs) = (
                intersect_segment_grown_aabb(&segment, &bounds, radius),
                intersect_segment_aabb(&segment, &bounds.grow(radius)),
            );
            assert_eq!(
                by_code.is_some(),
                by_slabs.is_some(),
                "{segment:?} {radius}"
            );
            if let (Some(a), Some(b)) = (by_code, by_slabs) {
                hits += 1;
                assert!((a - b).abs() < 1e-12);
            }
        }
        assert!(hits > 500);
        let dot = Segment {
            from: DVec3::ONE,
            to: DVec3::ONE,
        };
        assert_eq!(intersect_segment_grown_aabb(&dot, &bounds, 0.0), Some(0.0));
    }
}
