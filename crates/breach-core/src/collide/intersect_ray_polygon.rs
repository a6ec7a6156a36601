//! Where does a ray meet the front of a convex polygon?
//!
//! The plane first, then the hit point against each side: `(q - p) × (point - p) · normal >= 0`. Ericson, Real-Time
//! Collision Detection, 5.3.6 has the same for solids.
//!
//! Conventions. Front faces only (counter-clockwise). Sides and corners belong to the polygon. A start on it is t = 0.
//! Fewer than three corners, collinear corners, or a ray along the plane: no hit.
use super::intersect_ray_plane;
use crate::geom::{Plane, Ray, unit_or_zero};
use glam::DVec3;

/// The smallest `t >= 0`. `corners` in order; the normal is Newell's, from all corners, so that no three of them have
/// to be well placed.
pub fn intersect_ray_polygon(ray: &Ray, corners: &[DVec3]) -> Option<f64> {
    let first = *corners.first()?;
    let sides = || corners.iter().zip(corners.iter().cycle().skip(1));
    let area: DVec3 = sides().map(|(p, q)| (*p - first).cross(*q - first)).sum();
    let normal = unit_or_zero(area);
    if normal.dot(ray.dir) >= 0.0 {
        return None;
    }
    let t = intersect_ray_plane(ray, &Plane::from_point(normal, first))?;
    let point = ray.at(t);
    sides()
        .all(|(p, q)| (*q - *p).cross(point - *p).dot(normal) >= 0.0)
        .then_some(t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::testing::SQUARE;
    use crate::collide::{ShearedRay, intersect_ray_triangle};
    use crate::geom::rng::Rng;

    #[test]
    fn conventions() {
        let cast = |origin: [f64; 3], dir: DVec3| {
            let origin = origin.into();
            intersect_ray_polygon(&Ray { origin, dir }, &SQUARE)
        };
        assert_eq!(cast([1.0, 3.0, 1.0], -DVec3::Y), Some(3.0));
        assert_eq!(cast([2.0, 3.0, 2.0], -DVec3::Y), Some(3.0), "a corner");
        assert_eq!(cast([2.1, 3.0, 2.0], -DVec3::Y), None, "beside");
        assert_eq!(cast([1.0, -3.0, 1.0], DVec3::Y), None, "from behind");
        assert_eq!(cast([1.0, 0.0, 1.0], -DVec3::Y), Some(0.0), "on it");
        assert_eq!(cast([-1.0, 0.0, 1.0], DVec3::X), None, "along");
        assert_eq!(cast([1.0, 3.0, 1.0], DVec3::ZERO), None, "no direction");
        let ray = Ray {
            origin: DVec3::Y,
            dir: -DVec3::Y,
        };
        assert_eq!(intersect_ray_polygon(&ray, &[]), None);
        assert_eq!(intersect_ray_polygon(&ray, &SQUARE[..2]), None);
        assert_eq!(
            intersect_ray_polygon(&ray, &[DVec3::ZERO, DVec3::X, DVec3::X * 2.0]),
            None
        );
    }

    #[test]
    fn agrees_with_its_triangles_from_any_first_corner() {
        let mut rng = Rng::new(8);
        let mut hits = 0;
        for _ in 0..2000 {
            let n = 3 + rng.below(6) as usize;
            let corners: Vec<DVec3> = (0..n)
                .map(|i| {
                    let (sin, cos) = libm::sincos(std::f64::consts::TAU * i as f64 / n as f64);
                    DVec3::new(cos, 0.3 * cos, -sin)
                })
                .collect();
            let origin = DVec3::new(rng.range(-2.0, 2.0), 3.0, rng.range(-2.0, 2.0));
            let dir = DVec3::new(rng.range(-1.0, 1.0), -2.0, rng.range(-1.0, 1.0));
            let ray = Ray { origin, dir };
            let sheared = ShearedRay::new(origin, dir).unwrap();
            let fan = (1..n - 1).find_map(|i| {
                intersect_ray_triangle(&sheared, &[corners[0], corners[i], corners[i + 1]])
            });
            for turn in 0..n {
                let mut turned = corners.clone();
                turned.rotate_left(turn);
                let t = intersect_ray_polygon(&ray, &turned);
                assert_eq!(t.is_some(), fan.is_some());
                if let (Some(t), Some(hit)) = (t, fan) {
                    assert!((t - hit.t).abs() < 1e-12);
                }
            }
            hits += usize::from(fan.is_some());
        }
        assert!(hits > 100);
    }
}
