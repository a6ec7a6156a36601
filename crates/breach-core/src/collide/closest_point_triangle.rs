//! Which point of a triangle is nearest to a point?
//!
//! The projection onto the plane if it is inside, else the nearest point of the three edges. Ericson, Real-Time
//! Collision Detection, 5.1.5, classifies Voronoi regions in one pass; this form takes one more dot product and is
//! robust for slivers.
//!
//! Conventions. Both sides are equal. A triangle without area is its three edges.
use super::closest_point_segment;
use crate::geom::Segment;
use glam::DVec3;

/// The nearest point.
pub fn closest_point_triangle(point: DVec3, corners: &[DVec3; 3]) -> DVec3 {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - a);
    let sides = [(a, b), (b, c), (c, a)];
    if normal != DVec3::ZERO
        && sides
            .iter()
            .all(|(p, q)| (*q - *p).cross(point - *p).dot(normal) >= 0.0)
    {
        return point - normal * (normal.dot(point - a) / normal.length_squared());
    }
    let mut best = a;
    for (from, to) in sides {
        let (near, _) = closest_point_segment(point, &Segment { from, to });
        if near.distance_squared(point) < best.distance_squared(point) {
            best = near;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::testing::random_triangle;
    use crate::geom::rng::Rng;

    #[test]
    fn no_sampled_point_of_the_triangle_is_nearer() {
        let mut rng = Rng::new(5);
        for _ in 0..200 {
            let corners @ [a, b, c] = random_triangle(&mut rng);
            let point = rng.unit_vector() * rng.range(0.0, 3.0);
            let nearest = closest_point_triangle(point, &corners).distance(point);
            for _ in 0..200 {
                let (u, v) = (rng.unit_f64(), rng.unit_f64());
                let (u, v) = if u + v > 1.0 {
                    (1.0 - u, 1.0 - v)
                } else {
                    (u, v)
                };
                let other = a + (b - a) * u + (c - a) * v;
                assert!(nearest <= other.distance(point) + 1e-12);
            }
        }
    }

    #[test]
    fn a_triangle_without_area_is_its_edges() {
        let line = [DVec3::ZERO, DVec3::X, DVec3::X * 2.0];
        assert_eq!(
            closest_point_triangle(DVec3::new(1.5, 1.0, 0.0), &line),
            DVec3::X * 1.5
        );
    }

    #[test]
    fn faces_edges_and_corners_answer_in_their_regions() {
        let (a, b, c) = (DVec3::ZERO, DVec3::X, DVec3::Y);
        for (p, expected) in [
            (DVec3::new(0.25, 0.25, 3.0), DVec3::new(0.25, 0.25, 0.0)),
            (DVec3::new(0.5, -2.0, 1.0), DVec3::new(0.5, 0.0, 0.0)),
            (DVec3::new(-1.0, -1.0, 0.0), a),
            (DVec3::new(5.0, 0.0, 1.0), b),
            (DVec3::new(0.0, 5.0, -1.0), c),
            (DVec3::new(1.0, 1.0, 0.0), DVec3::new(0.5, 0.5, 0.0)),
        ] {
            for (a, b, c) in [(a, b, c), (b, c, a), (c, a, b), (a, c, b)] {
                assert!((closest_point_triangle(p, &[a, b, c]) - expected).length() < 1e-12);
            }
        }
    }
}
