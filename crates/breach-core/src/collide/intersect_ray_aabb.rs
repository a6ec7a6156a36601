//! Where does a ray meet a box?
//!
//! Per axis `t = (wall - origin) / dir` for both walls; hit if the latest entry is not after the earliest exit. Slabs:
//! Kay and Kajiya, Ray Tracing Complex Scenes (1986).
//!
//! Conventions. A start inside is t = 0. Touching a wall, edge or corner counts. A ray without direction hits if it
//! starts inside. Zero components of the direction get a huge finite inverse, so that 0 × ∞ never occurs.
use crate::geom::{Aabb, Ray};
use glam::DVec3;

/// A ray with its inverse direction, for many boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InvDir {
    /// The ray's origin.
    pub origin: DVec3,
    /// 1 / direction; ±1e300 for zero.
    pub inv: DVec3,
}

impl InvDir {
    /// Prepares a ray, or a segment's start and displacement.
    pub fn new(origin: DVec3, dir: DVec3) -> Self {
        let one_over = |d: f64| {
            if d.abs() < 1e-300 {
                1e300f64.copysign(d)
            } else {
                1.0 / d
            }
        };
        Self {
            origin,
            inv: DVec3::new(one_over(dir.x), one_over(dir.y), one_over(dir.z)),
        }
    }

    /// Entry, at least 0, and exit of the box; the box is hit if they are in order. A ray exactly within a wall may
    /// miss: callers that cull grow the box.
    #[inline]
    pub fn span(&self, min: DVec3, max: DVec3) -> (f64, f64) {
        // Comparisons that compile to one instruction; no operand is NaN for finite boxes.
        let lower = |a: f64, b: f64| if a < b { a } else { b };
        let upper = |a: f64, b: f64| if a > b { a } else { b };
        let (a, b) = (
            (min - self.origin) * self.inv,
            (max - self.origin) * self.inv,
        );
        let enter = upper(
            upper(lower(a.x, b.x), lower(a.y, b.y)),
            upper(lower(a.z, b.z), 0.0),
        );
        let leave = lower(lower(upper(a.x, b.x), upper(a.y, b.y)), upper(a.z, b.z));
        (enter, leave)
    }
}

/// The smallest `t >= 0`.
pub fn intersect_ray_aabb(ray: &Ray, bounds: &Aabb) -> Option<f64> {
    let bounds = without_parallel_walls(ray.origin, ray.dir, bounds);
    let (enter, leave) = InvDir::new(ray.origin, ray.dir).span(bounds.min, bounds.max);
    (enter <= leave).then_some(enter)
}

/// The box without the walls that the ray runs between or in, so that only the other walls decide.
pub(super) fn without_parallel_walls(origin: DVec3, dir: DVec3, bounds: &Aabb) -> Aabb {
    let between = bounds.min.cmple(origin) & origin.cmple(bounds.max) & dir.cmpeq(DVec3::ZERO);
    let (below, above) = (origin - 1.0, origin + 1.0);
    Aabb {
        min: DVec3::select(between, bounds.min.min(below), bounds.min),
        max: DVec3::select(between, bounds.max.max(above), bounds.max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cast(origin: [f64; 3], dir: [f64; 3]) -> Option<f64> {
        let bounds = Aabb {
            min: DVec3::ZERO,
            max: DVec3::ONE,
        };
        intersect_ray_aabb(
            &Ray {
                origin: origin.into(),
                dir: dir.into(),
            },
            &bounds,
        )
    }

    #[test]
    fn conventions() {
        assert_eq!(cast([-1.0, 0.5, 0.5], [2.0, 0.0, 0.0]), Some(0.5));
        assert_eq!(cast([0.5, 0.5, 0.5], [2.0, 0.0, 0.0]), Some(0.0), "inside");
        assert_eq!(cast([3.0, 0.5, 0.5], [2.0, 0.0, 0.0]), None, "behind");
        assert_eq!(
            cast([-1.0, 1.0, 0.0], [1.0, 0.0, -0.0]),
            Some(1.0),
            "in the walls' planes"
        );
        assert_eq!(cast([-1.0, 1.5, 0.5], [1.0, 0.0, 0.0]), None, "beside");
        assert_eq!(
            cast([2.0, 2.0, 2.0], [-1.0, -1.0, -1.0]),
            Some(1.0),
            "the corner"
        );
        assert_eq!(
            cast([0.5, 0.5, 0.5], [0.0; 3]),
            Some(0.0),
            "no direction, inside"
        );
        assert_eq!(
            cast([1.5, 0.5, 0.5], [0.0; 3]),
            None,
            "no direction, outside"
        );
    }
}
