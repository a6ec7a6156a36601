//! What is the smallest sphere around some points?
//!
//! Smallest enclosing ball: at most four points on its surface determine it, `2 w · (centre - p) = w²` for each other
//! point `q = p + w` of them. Welzl, Smallest Enclosing Disks (1991), with his move-to-front heuristic. (The box is
//! `Aabb::from_points`.)
//!
//! Conventions. No points, or a point that is not finite: None. All points are inside the sphere up to rounding (1e-9
//! of its radius). Coincident points give radius 0.
use crate::geom::Aabb;
use glam::DVec3;

/// Centre and radius of the smallest sphere around points.
pub fn bounding_sphere(points: &[DVec3]) -> Option<(DVec3, f64)> {
    let bounds = Aabb::from_points(points.iter().copied())?;
    if !bounds.diagonal().is_finite() {
        return None;
    }
    // Relative to their centre, so that large coordinates cost no precision.
    let middle = bounds.centre();
    let mut points: Vec<DVec3> = points.iter().map(|p| *p - middle).collect();
    let (centre, radius) = enclose(&mut points, &mut Vec::new());
    Some((centre + middle, radius))
}

/// The smallest sphere around `points` with all of `rim` on its surface.
fn enclose(points: &mut [DVec3], rim: &mut Vec<DVec3>) -> (DVec3, f64) {
    let mut sphere = through(rim);
    if rim.len() == 4 {
        return sphere;
    }
    for i in 0..points.len() {
        let point = points[i];
        if point.distance(sphere.0) > sphere.1 * (1.0 + 1e-12) + f64::MIN_POSITIVE {
            rim.push(point);
            sphere = enclose(&mut points[..i], rim);
            rim.pop();
            // A point that was outside is likely to be outside again.
            points[..=i].rotate_right(1);
        }
    }
    sphere
}

/// The smallest sphere through these points. Its centre is `p + a u + b v + ..`, one unknown per other point, at the
/// same distance from all: `2 w · (centre - p) = w²`.
fn through(rim: &[DVec3]) -> (DVec3, f64) {
    let Some((&first, others)) = rim.split_first() else {
        return (DVec3::ZERO, -1.0);
    };
    let to: Vec<DVec3> = others.iter().map(|p| *p - first).collect();
    let offset = match to[..] {
        [] => DVec3::ZERO,
        [u] => u * 0.5,
        [u, v] => {
            let normal = u.cross(v);
            let square = 2.0 * normal.length_squared();
            (normal.cross(u) * v.length_squared() + v.cross(normal) * u.length_squared()) / square
        }
        [u, v, w, ..] => {
            let volume = 2.0 * u.dot(v.cross(w));
            (v.cross(w) * u.length_squared()
                + w.cross(u) * v.length_squared()
                + u.cross(v) * w.length_squared())
                / volume
        }
    };
    // Collinear points, or four in a plane: use the two furthest apart.
    if !offset.is_finite() {
        let pairs = rim.iter().flat_map(|p| rim.iter().map(move |q| (*p, *q)));
        let far = |a: &(DVec3, DVec3)| a.0.distance_squared(a.1);
        let (p, q) = pairs
            .max_by(|a, b| far(a).total_cmp(&far(b)))
            .unwrap_or((first, first));
        return ((p + q) * 0.5, p.distance(q) * 0.5);
    }
    (first + offset, offset.length())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    fn holds_all((centre, radius): (DVec3, f64), points: &[DVec3]) -> bool {
        points
            .iter()
            .all(|p| p.distance(centre) <= radius * (1.0 + 1e-9) + 1e-300)
    }

    #[test]
    fn by_hand() {
        assert_eq!(bounding_sphere(&[]), None);
        assert_eq!(bounding_sphere(&[DVec3::X; 5]), Some((DVec3::X, 0.0)));
        let two = bounding_sphere(&[DVec3::ZERO, DVec3::X * 4.0]).unwrap();
        assert_eq!(two, (DVec3::X * 2.0, 2.0));
        let line: Vec<DVec3> = (0..9).map(|i| DVec3::Y * f64::from(i)).collect();
        assert_eq!(bounding_sphere(&line), Some((DVec3::Y * 4.0, 4.0)));
        let cube = Aabb::from_corners(DVec3::ZERO, DVec3::ONE).corners();
        let (centre, radius) = bounding_sphere(&cube).unwrap();
        assert!(centre.distance(DVec3::splat(0.5)) < 1e-12);
        assert!((radius - 0.75f64.sqrt()).abs() < 1e-12);
        assert_eq!(bounding_sphere(&[DVec3::NAN, DVec3::INFINITY]), None);
    }

    #[test]
    fn no_sphere_around_random_points_is_smaller() {
        let mut rng = Rng::new(17);
        for round in 0..300 {
            let count = 1 + rng.below(60) as usize;
            let far = rng.unit_vector() * 1e4;
            let points: Vec<DVec3> = (0..count)
                .map(|i| {
                    let p = far + rng.unit_vector() * rng.range(0.0, 2.0);
                    // Some coplanar, some duplicate.
                    if round % 3 == 0 {
                        p.with_y(far.y)
                    } else if i % 5 == 4 {
                        far
                    } else {
                        p
                    }
                })
                .collect();
            let best = bounding_sphere(&points).unwrap();
            assert!(holds_all(best, &points), "{points:?}");
            // Any smaller sphere must lose a point, wherever its centre: shrink towards a local minimum of the radius.
            let around = |c: DVec3| points.iter().map(|p| p.distance(c)).fold(0.0, f64::max);
            let (mut centre, mut step) = (far, 2.0);
            while step > 1e-9 {
                let tries = (0..20).map(|_| centre + rng.unit_vector() * step);
                let next = tries.min_by(|a, b| around(*a).total_cmp(&around(*b)));
                match next.filter(|c| around(*c) < around(centre)) {
                    Some(next) => centre = next,
                    None => step *= 0.7,
                }
            }
            assert!(
                best.1 <= around(centre) + 1e-6,
                "{} {}",
                best.1,
                around(centre)
            );
        }
    }
}
