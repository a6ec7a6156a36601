//! Where does a ray meet a sphere?
//!
//! `|origin + t·dir - centre|² = radius²`, solved around the point of closest approach. Ericson, Real-Time Collision
//! Detection, 5.3.2.
//!
//! Conventions. A start inside or on the sphere is t = 0 in any direction. A grazing touch counts. Without direction
//! only the start can hit.
use crate::geom::Ray;
use glam::DVec3;

/// The smallest `t >= 0`.
pub fn intersect_ray_sphere(ray: &Ray, centre: DVec3, radius: f64) -> Option<f64> {
    let start = ray.origin - centre;
    let radius_squared = radius * radius;
    if start.length_squared() <= radius_squared {
        return Some(0.0);
    }
    let dir_squared = ray.dir.length_squared();
    let closing = -start.dot(ray.dir);
    if closing <= 0.0 || dir_squared == 0.0 {
        return None;
    }
    let pass = closing / dir_squared;
    let miss_squared = (start + ray.dir * pass).length_squared();
    (miss_squared <= radius_squared)
        .then(|| (pass - ((radius_squared - miss_squared) / dir_squared).sqrt()).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_inside_grazing_behind() {
        let cast = |x: f64, y: f64, dx: f64| {
            intersect_ray_sphere(
                &Ray {
                    origin: DVec3::new(x, y, 0.0),
                    dir: DVec3::X * dx,
                },
                DVec3::ZERO,
                1.0,
            )
        };
        assert_eq!(cast(-3.0, 0.0, 2.0), Some(1.0));
        assert_eq!(cast(-3.0, 1.0, 1.0), Some(3.0));
        assert_eq!(cast(-3.0, 1.1, 1.0), None);
        assert_eq!(cast(0.5, 0.0, 1.0), Some(0.0));
        assert_eq!(cast(3.0, 0.0, 1.0), None);
        assert_eq!(cast(-3.0, 0.0, 0.0), None);
    }
}
