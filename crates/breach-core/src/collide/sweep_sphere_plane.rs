//! When does a moving sphere first touch a plane?
//!
//! Solve `normal · (from + f·displacement) - offset = radius` for f. Gomez 1999, "Simple Intersection Tests for Games".
//!
//! Conventions. Start in contact, moving inwards: fraction 0, wherever the centre is in front. Centre behind the plane:
//! no hit. Moving away or along ([`ALONG`]): no hit. Touching at the very end counts.
use super::{SphereSweep, SweepHit};
use crate::geom::{Plane, tolerance::ALONG};

/// Sweeps against the front of `plane`, whose normal is unit.
pub fn sweep_sphere_plane(sweep: &SphereSweep, plane: &Plane) -> Option<SweepHit> {
    let start = plane.distance(sweep.from);
    let closing = -plane.normal.dot(sweep.displacement);
    if start < 0.0 || closing <= ALONG * sweep.length {
        return None;
    }
    let fraction = ((start - sweep.radius) / closing).max(0.0);
    (fraction <= 1.0).then(|| SweepHit {
        fraction,
        point: plane.project(sweep.at(fraction)),
        normal: plane.normal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn cast(from: f64, to: f64, radius: f64) -> Option<f64> {
        let (from, to) = (DVec3::new(0.0, from, 0.0), DVec3::new(4.0, to, 0.0));
        let floor = Plane {
            normal: DVec3::Y,
            offset: 1.0,
        };
        sweep_sphere_plane(&SphereSweep::new(from, to, radius).unwrap(), &floor).map(|h| h.fraction)
    }

    #[test]
    fn conventions() {
        assert_eq!(cast(4.0, 0.0, 1.0), Some(0.5));
        assert_eq!(cast(4.0, 2.0, 1.0), Some(1.0), "touching at the end");
        assert_eq!(cast(4.0, 2.5, 1.0), None, "stops short");
        assert_eq!(cast(1.5, 0.0, 1.0), Some(0.0), "starts in contact, inwards");
        assert_eq!(cast(1.5, 1.5, 1.0), None, "along");
        assert_eq!(cast(1.5, 3.0, 1.0), None, "away");
        assert_eq!(cast(0.5, -3.0, 1.0), None, "from behind");
        assert_eq!(cast(3.0, -1.0, 0.0), Some(0.5), "a point");
    }
}
