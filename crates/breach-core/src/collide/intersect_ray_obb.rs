//! Where does a ray meet an oriented box?
//!
//! The ray is transformed into the frame of the box; the axes are orthonormal, so `t` is unchanged. Then slabs as in
//! [`super::intersect_ray_aabb`]. Kay and Kajiya (1986).
//!
//! Conventions. As for the axis-aligned box: a start inside is t = 0, touching counts, a ray without direction hits if
//! it starts inside.
use super::intersect_ray_aabb;
use crate::geom::{Aabb, Obb, Ray};

/// The smallest `t >= 0`.
pub fn intersect_ray_obb(ray: &Ray, obb: &Obb) -> Option<f64> {
    let in_box = Ray {
        origin: obb.to_box(ray.origin),
        dir: obb.axes.transpose() * ray.dir,
    };
    let bounds = Aabb {
        min: -obb.half_size,
        max: obb.half_size,
    };
    intersect_ray_aabb(&in_box, &bounds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use glam::{DMat3, DQuat, DVec3};

    #[test]
    fn conventions() {
        // A cube of 2 m on its edge: its corner points along x, √2 m away.
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let obb = Obb {
            centre: DVec3::ZERO,
            half_size: DVec3::ONE,
            axes: DMat3::from_cols(
                DVec3::new(half, half, 0.0),
                DVec3::new(-half, half, 0.0),
                DVec3::Z,
            ),
        };
        let cast = |origin: DVec3, dir: DVec3| intersect_ray_obb(&Ray { origin, dir }, &obb);
        let t = cast(DVec3::X * 5.0, -DVec3::X).expect("the corner's edge");
        assert!((t - (5.0 - 2f64.sqrt())).abs() < 1e-12);
        assert_eq!(cast(DVec3::ZERO, DVec3::X), Some(0.0), "inside");
        assert_eq!(cast(DVec3::X * 5.0, DVec3::X), None, "behind");
        assert_eq!(cast(DVec3::new(5.0, 1.5, 0.0), -DVec3::X), None, "beside");
        assert_eq!(cast(DVec3::ZERO, DVec3::ZERO), Some(0.0), "no direction");
        assert_eq!(cast(DVec3::X * 5.0, DVec3::ZERO), None, "no direction");
    }

    #[test]
    fn agrees_with_samples_along_the_ray() {
        let mut rng = Rng::new(3);
        let mut hits = 0;
        for _ in 0..500 {
            let [x, y, z, w] = [0; 4].map(|_| rng.range(-1.0, 1.0));
            let obb = Obb {
                centre: rng.unit_vector(),
                half_size: DVec3::new(
                    rng.range(0.1, 1.0),
                    rng.range(0.1, 1.0),
                    rng.range(0.1, 1.0),
                ),
                axes: DMat3::from_quat(DQuat::from_xyzw(x, y, z, w).normalize()),
            };
            let origin = rng.unit_vector() * 4.0;
            let ray = Ray {
                origin,
                dir: rng.unit_vector() - origin,
            };
            let sampled = (0..=4000)
                .map(|i| f64::from(i) * 1e-3)
                .find(|&t| obb.contains(ray.at(t)));
            let t = intersect_ray_obb(&ray, &obb);
            if let Some(sampled) = sampled {
                hits += 1;
                let t = t.expect("a sample is inside");
                assert!(
                    t <= sampled + 1e-12 && sampled - t < 1.1e-3,
                    "{t} {sampled}"
                );
            }
        }
        assert!(hits > 100);
    }
}
