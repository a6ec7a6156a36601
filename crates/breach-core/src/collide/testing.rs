//! Slow reference answers for tests.
use super::{SphereSweep, closest_point_triangle};
use crate::geom::rng::Rng;
use glam::DVec3;

/// 2 by 2 on the floor, seen from above.
pub const SQUARE: [DVec3; 4] = [
    DVec3::ZERO,
    DVec3::new(0.0, 0.0, 2.0),
    DVec3::new(2.0, 0.0, 2.0),
    DVec3::new(2.0, 0.0, 0.0),
];

/// Corners in the cube of ±1, never a sliver.
pub fn random_triangle(rng: &mut Rng) -> [DVec3; 3] {
    loop {
        let corners = [0; 3].map(|_| {
            DVec3::new(
                rng.range(-1.0, 1.0),
                rng.range(-1.0, 1.0),
                rng.range(-1.0, 1.0),
            )
        });
        if (corners[1] - corners[0])
            .cross(corners[2] - corners[0])
            .length()
            > 0.2
        {
            return corners;
        }
    }
}

/// Smallest fraction at which the triangle is nearer than the radius, by sampling 2,000 positions and bisection; None
/// if it is never nearer by 1e-7 m or more. A start in contact counts only if the distance shrinks.
pub fn sampled_sphere_triangle(sweep: &SphereSweep, corners: &[DVec3; 3]) -> Option<f64> {
    let gap = |f: f64| {
        let centre = sweep.at(f);
        (centre - closest_point_triangle(centre, corners)).length() - sweep.radius
    };
    if gap(0.0) <= 0.0 {
        return (gap(1e-7) < gap(0.0)).then_some(0.0);
    }
    let steps = 2000;
    let inside = (1..=steps)
        .map(|i| i as f64 / steps as f64)
        .find(|&f| gap(f) <= 0.0)?;
    let (mut low, mut high) = (inside - 1.0 / steps as f64, inside);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if gap(middle) <= 0.0 {
            high = middle
        } else {
            low = middle
        }
    }
    Some(high)
}
