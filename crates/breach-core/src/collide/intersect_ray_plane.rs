//! Where does a ray meet a plane?
//!
//! `t = (offset - normal·origin) / (normal·dir)`. Ericson, Real-Time Collision Detection, 5.3.1.
//!
//! Conventions. Both sides count. A start on the plane is t = 0. A ray along the plane, or without direction, misses,
//! even if it lies in it.
use crate::geom::{Plane, Ray};

/// The smallest `t >= 0`.
pub fn intersect_ray_plane(ray: &Ray, plane: &Plane) -> Option<f64> {
    let speed = plane.normal.dot(ray.dir);
    let t = -plane.distance(ray.origin) / speed;
    (speed != 0.0 && t.is_finite() && t >= 0.0).then_some(t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn both_sides_along_and_behind() {
        let plane = Plane {
            normal: DVec3::Y,
            offset: 2.0,
        };
        let cast = |y: f64, dir: DVec3| {
            intersect_ray_plane(
                &Ray {
                    origin: DVec3::Y * y,
                    dir,
                },
                &plane,
            )
        };
        assert_eq!(cast(6.0, DVec3::new(1.0, -2.0, 0.0)), Some(2.0));
        assert_eq!(cast(0.0, DVec3::Y), Some(2.0));
        assert_eq!(cast(2.0, DVec3::Y), Some(0.0));
        assert_eq!(cast(6.0, DVec3::Y), None);
        assert_eq!(cast(2.0, DVec3::X), None);
        assert_eq!(cast(0.0, DVec3::ZERO), None);
    }
}
