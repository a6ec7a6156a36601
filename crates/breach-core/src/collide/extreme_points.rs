//! Which points of a set are extreme along a direction?
//!
//! The points with the least and the greatest `point · direction` (support points). Ericson, Real-Time Collision
//! Detection, 4.3.2.
//!
//! Conventions. No points: None. Of equal extremes the first. With a zero direction all are equal; NaN is neither less
//! nor greater.
use glam::DVec3;

/// Indices of the points least and furthest along a direction, which need not be unit.
pub fn extreme_points(points: &[DVec3], direction: DVec3) -> Option<[usize; 2]> {
    let mut found = [0, 0];
    for (i, point) in points.iter().enumerate() {
        let at = point.dot(direction);
        if at < points[found[0]].dot(direction) {
            found[0] = i;
        }
        if at > points[found[1]].dot(direction) {
            found[1] = i;
        }
    }
    (!points.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Aabb;
    use crate::geom::rng::Rng;

    #[test]
    fn conventions() {
        let cube = Aabb::from_corners(DVec3::ZERO, DVec3::ONE).corners();
        assert_eq!(extreme_points(&[], DVec3::X), None);
        assert_eq!(extreme_points(&cube, DVec3::ONE), Some([0, 7]));
        assert_eq!(extreme_points(&cube, DVec3::X), Some([0, 1]), "the first");
        assert_eq!(extreme_points(&cube, DVec3::ZERO), Some([0, 0]));
        assert_eq!(extreme_points(&cube, DVec3::NAN), Some([0, 0]));
    }

    #[test]
    fn agrees_with_sorting_in_any_order() {
        let mut rng = Rng::new(6);
        for _ in 0..300 {
            let direction = rng.unit_vector() * rng.range(0.1, 9.0);
            let mut points: Vec<DVec3> =
                (0..1 + rng.below(40)).map(|_| rng.unit_vector()).collect();
            let mut far: Vec<f64> = points.iter().map(|p| p.dot(direction)).collect();
            far.sort_by(f64::total_cmp);
            for _ in 0..4 {
                let by = 1.min(points.len() - 1);
                points.rotate_left(by);
                let [least, most] = extreme_points(&points, direction).expect("points");
                assert_eq!(Some(&points[least].dot(direction)), far.first());
                assert_eq!(Some(&points[most].dot(direction)), far.last());
            }
        }
    }
}
