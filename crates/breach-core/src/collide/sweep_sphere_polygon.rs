//! When does a moving sphere first touch a convex polygon: face, edges or corners?
//!
//! The plane first; a contact within all sides is on the face. Else the edges and corners, each limiting the next.
//! Schroeder (2001); Ericson, Real-Time Collision Detection, 5.5.6.
//!
//! Conventions. As for the parts: a start in contact with any of them, moving inwards, is fraction 0; the face from the
//! front only (counter-clockwise), edges and corners from all sides; moving away or along is no hit. A polygon without
//! area has edges and corners only; one without corners is never hit.
use super::{SphereSweep, SweepHit, sweep_sphere_edge, sweep_sphere_plane, sweep_sphere_vertex};
use crate::geom::{Plane, unit_or_zero};
use glam::DVec3;

/// `corners` in order.
pub fn sweep_sphere_polygon(sweep: &SphereSweep, corners: &[DVec3]) -> Option<SweepHit> {
    let anchor = *corners.first()?;
    let sides = || corners.iter().zip(corners.iter().cycle().skip(1));
    let area: DVec3 = sides().map(|(p, q)| (*p - anchor).cross(*q - anchor)).sum();
    let normal = unit_or_zero(area);
    let mut first = None;
    if normal != DVec3::ZERO {
        let hit = sweep_sphere_plane(sweep, &Plane::from_point(normal, anchor));
        first = hit
            .filter(|hit| sides().all(|(p, q)| (*q - *p).cross(hit.point - *p).dot(normal) >= 0.0));
    }
    let mut limit = first.map_or(1.0, |hit: SweepHit| hit.fraction);
    for (p, q) in sides() {
        for hit in [
            sweep_sphere_edge(sweep, *p, *q, limit),
            sweep_sphere_vertex(sweep, *p, limit),
        ] {
            if let Some(hit) = hit
                && (first.is_none() || hit.fraction < limit)
            {
                limit = hit.fraction;
                first = Some(hit);
            }
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::sweep_sphere_triangle;
    use crate::collide::testing::SQUARE;
    use crate::geom::rng::Rng;

    fn cast(from: [f64; 3], to: [f64; 3]) -> Option<SweepHit> {
        let sweep = SphereSweep::new(from.into(), to.into(), 1.0).unwrap();
        sweep_sphere_polygon(&sweep, &SQUARE)
    }

    #[test]
    fn conventions() {
        let fraction = |from, to| cast(from, to).map(|h| h.fraction);
        assert_eq!(
            fraction([1.0, 3.0, 1.0], [1.0, -1.0, 1.0]),
            Some(0.5),
            "face"
        );
        let edge = cast([5.0, 0.0, 1.0], [1.0, 0.0, 1.0]).unwrap();
        assert_eq!((edge.fraction, edge.normal), (0.5, DVec3::X), "edge");
        let corner = cast([2.0, 5.0, 2.0], [2.0, -3.0, 2.0]).unwrap();
        assert_eq!(corner.fraction, 0.5, "over a corner");
        let small = SphereSweep::new(DVec3::new(1.0, -3.0, 1.0), DVec3::new(1.0, 3.0, 1.0), 0.5);
        assert_eq!(
            sweep_sphere_polygon(&small.unwrap(), &SQUARE),
            None,
            "from behind"
        );
        assert_eq!(
            fraction([1.0, 0.5, 1.0], [1.0, 0.0, 1.0]),
            Some(0.0),
            "in contact"
        );
        assert_eq!(fraction([1.0, 0.5, 1.0], [1.0, 3.0, 1.0]), None, "away");
        assert_eq!(
            fraction([1.0, 3.0, 1.0], [1.0, 2.5, 1.0]),
            None,
            "stops short"
        );
        let sweep = SphereSweep::new(DVec3::Y * 3.0, DVec3::ZERO, 1.0).unwrap();
        assert_eq!(sweep_sphere_polygon(&sweep, &[]), None);
        let dot = sweep_sphere_polygon(&sweep, &[DVec3::ZERO]).unwrap();
        assert!((dot.fraction - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn agrees_with_its_triangles() {
        let mut rng = Rng::new(31);
        let mut hits = 0;
        for _ in 0..3000 {
            let from = DVec3::new(1.0, 0.0, 1.0) + rng.unit_vector() * 4.0;
            if from.y < 0.0 {
                continue;
            }
            let to = DVec3::new(
                rng.range(-1.0, 3.0),
                rng.range(-2.0, 1.0),
                rng.range(-1.0, 3.0),
            );
            let sweep = SphereSweep::new(from, to, rng.range(0.1, 1.0)).unwrap();
            // The diagonal is no edge of the square, but a sphere that hits it has hit a face before.
            let by_triangles = [[0, 1, 2], [0, 2, 3]]
                .into_iter()
                .filter_map(|t| sweep_sphere_triangle(&sweep, &t.map(|i: usize| SQUARE[i])))
                .map(|hit| hit.fraction)
                .min_by(f64::total_cmp);
            let whole = sweep_sphere_polygon(&sweep, &SQUARE).map(|hit| hit.fraction);
            assert_eq!(whole.is_some(), by_triangles.is_some(), "{sweep:?}");
            if let (Some(a), Some(b)) = (whole, by_triangles) {
                hits += 1;
                assert!((a - b).abs() < 1e-9, "{sweep:?}: {a} {b}");
            }
        }
        assert!(hits > 500);
    }
}
