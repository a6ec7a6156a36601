//! When do two moving spheres first touch?
//!
//! Relative to the second, the first moves by the difference of the displacements against a fixed sphere of the summed
//! radius: [`super::sweep_sphere_vertex`]. Gomez 1999, "Simple Intersection Tests for Games".
//!
//! Conventions. Start in contact, approaching: fraction 0. Separating or at constant distance (equal velocities
//! included): no hit. A grazing touch counts. The point lies on the second sphere's surface.
use super::{SphereSweep, SweepHit, sweep_sphere_vertex};
use glam::DVec3;

/// `centre`, `radius` and `displacement` are the second sphere's; the fraction is of both displacements.
pub fn sweep_sphere_sphere(
    sweep: &SphereSweep,
    centre: DVec3,
    displacement: DVec3,
    radius: f64,
) -> Option<SweepHit> {
    let relative = sweep.displacement - displacement;
    let seen = SphereSweep::new(sweep.from, sweep.from + relative, sweep.radius + radius)?;
    let hit = sweep_sphere_vertex(&seen, centre, 1.0)?;
    let point = centre + displacement * hit.fraction + hit.normal * radius;
    Some(SweepHit { point, ..hit })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cast(to: [f64; 3], other_to: [f64; 3]) -> Option<f64> {
        let sweep = SphereSweep::new(DVec3::ZERO, to.into(), 1.0).unwrap();
        let other = DVec3::new(10.0, 0.0, 0.0);
        let hit = sweep_sphere_sphere(&sweep, other, DVec3::from(other_to) - other, 1.0);
        if let Some(hit) = hit {
            let centre = sweep.at(hit.fraction);
            assert!(((centre - hit.point).length() - 1.0).abs() < 1e-12);
            assert!((hit.point + hit.normal - centre).length() < 1e-12);
        }
        hit.map(|h| h.fraction)
    }

    #[test]
    fn conventions() {
        assert_eq!(cast([8.0, 0.0, 0.0], [2.0, 0.0, 0.0]), Some(0.5), "head on");
        assert_eq!(
            cast([16.0, 0.0, 0.0], [10.0, 0.0, 0.0]),
            Some(0.5),
            "the other stands"
        );
        assert_eq!(
            cast([5.0, 0.0, 0.0], [15.0, 0.0, 0.0]),
            None,
            "equal velocities"
        );
        assert_eq!(cast([-5.0, 0.0, 0.0], [15.0, 0.0, 0.0]), None, "parting");
        assert_eq!(
            cast([1.0, 0.0, 0.0], [9.5, 0.0, 0.0]),
            None,
            "too slow to meet"
        );
    }
}
