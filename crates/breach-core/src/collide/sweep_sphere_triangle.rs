//! When does a moving sphere first touch a triangle: face, edges or vertices?
//!
//! The earliest hit of its parts. Ericson, Real-Time Collision Detection, 5.5.6. The tree does not call this (it tests
//! a shared edge once and flat edges never); it is for a single triangle, and the oracle of the tree's tests.
//!
//! Conventions. As for the parts: start in contact with any of them, moving inwards: fraction 0. The face from the
//! front only, edges and vertices from all sides. A triangle without area has edges and vertices only.
use super::{SphereSweep, SweepHit, sweep_sphere_edge, sweep_sphere_face, sweep_sphere_vertex};
use crate::geom::unit_or_zero;
use glam::DVec3;

/// `corners` counter-clockwise seen from the front.
pub fn sweep_sphere_triangle(sweep: &SphereSweep, corners: &[DVec3; 3]) -> Option<SweepHit> {
    let [a, b, c] = *corners;
    let normal = unit_or_zero((b - a).cross(c - a));
    let mut first = sweep_sphere_face(sweep, corners, normal, 1.0);
    let mut take = |hit: Option<SweepHit>| {
        if let Some(hit) = hit
            && first.is_none_or(|f| hit.fraction < f.fraction)
        {
            first = Some(hit);
        }
    };
    for (p, q) in [(a, b), (b, c), (c, a)] {
        take(sweep_sphere_edge(sweep, p, q, 1.0));
        take(sweep_sphere_vertex(sweep, p, 1.0));
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::testing::{random_triangle, sampled_sphere_triangle};
    use crate::geom::rng::Rng;

    /// Against sampled distances, which share no formula with the sweeps.
    #[test]
    fn the_fraction_is_where_dense_samples_first_touch() {
        let mut rng = Rng::new(11);
        let (mut hits, mut checked) = (0, 0);
        for _ in 0..4000 {
            let corners = random_triangle(&mut rng);
            let from = rng.unit_vector() * 3.0;
            let to =
                corners[0] * rng.unit_f64() + corners[1] * rng.unit_f64() - from * rng.unit_f64();
            let sweep = SphereSweep::new(from, to, rng.range(0.05, 0.8)).unwrap();
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            if normal.dot(from - corners[0]) < 0.0 {
                continue;
            }
            checked += 1;
            match (
                sweep_sphere_triangle(&sweep, &corners),
                sampled_sphere_triangle(&sweep, &corners),
            ) {
                (Some(hit), Some(sampled)) => {
                    hits += 1;
                    assert!(
                        (hit.fraction - sampled).abs() < 1e-6,
                        "{sweep:?} {corners:?}: {hit:?} {sampled}"
                    );
                    let centre = sweep.at(hit.fraction);
                    if hit.fraction > 0.0 {
                        assert!(((centre - hit.point).length() - sweep.radius).abs() < 1e-9);
                        assert!((hit.point + hit.normal * sweep.radius - centre).length() < 1e-9);
                    }
                }
                (None, None) => {}
                other => panic!("{sweep:?} {corners:?}: {other:?}"),
            }
        }
        assert!(hits > 500 && checked > 1500, "{hits} of {checked}");
    }

    #[test]
    fn the_order_of_corners_does_not_matter() {
        let mut rng = Rng::new(12);
        for _ in 0..500 {
            let [a, b, c] = random_triangle(&mut rng);
            let from = rng.unit_vector() * 3.0;
            let sweep = SphereSweep::new(from, from * -1.0, 0.3).unwrap();
            let all = [[a, b, c], [b, c, a], [c, a, b]].map(|t| sweep_sphere_triangle(&sweep, &t));
            for other in &all[1..] {
                match (all[0], other) {
                    (Some(x), Some(y)) => assert!((x.fraction - y.fraction).abs() < 1e-9),
                    (x, y) => assert_eq!(x.is_some(), y.is_some()),
                }
            }
        }
    }
}
