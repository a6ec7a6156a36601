//! When does a moving sphere first touch a point?
//!
//! `|start + f·displacement|² = radius²`, solved around the closest approach f₀ = -(start·d)/d², at distance w; the
//! contact is √(radius² - w²)/|d| earlier. Ericson, Real-Time Collision Detection, 5.3.2 (a ray against the sphere
//! around the point); this form keeps its precision when the start is far away.
//!
//! Conventions. Start in contact, moving inwards: fraction 0. Moving away or along: no hit. A grazing touch counts.
use super::{SphereSweep, SweepHit};
use crate::geom::tolerance::PARALLEL;
use crate::geom::unit_or_zero;
use glam::DVec3;

/// Sweeps against the point `vertex`. Hits beyond `limit` are not reported.
#[inline]
pub fn sweep_sphere_vertex(sweep: &SphereSweep, vertex: DVec3, limit: f64) -> Option<SweepHit> {
    let start = sweep.from - vertex;
    let closing = -start.dot(sweep.displacement);
    if closing <= 0.0 {
        return None;
    }
    let length_squared = sweep.length * sweep.length;
    let pass = closing / length_squared;
    let miss_squared = (start + sweep.displacement * pass).length_squared();
    let radius_squared = sweep.radius * sweep.radius;
    if miss_squared > radius_squared {
        return None;
    }
    let fraction = pass - (radius_squared - miss_squared).sqrt() / sweep.length;
    if fraction > limit {
        return None;
    }
    if fraction < 0.0 && closing <= PARALLEL * sweep.length * start.length() {
        return None;
    }
    let fraction = fraction.max(0.0);
    let mut normal = unit_or_zero(start + sweep.displacement * fraction);
    if normal == DVec3::ZERO {
        normal = -sweep.displacement / sweep.length;
    }
    Some(SweepHit {
        fraction,
        point: vertex,
        normal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cast(from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        let sweep = SphereSweep::new(from.into(), to.into(), radius).unwrap();
        sweep_sphere_vertex(&sweep, DVec3::ZERO, 1.0).map(|h| h.fraction)
    }

    #[test]
    fn conventions() {
        assert_eq!(cast([3.0, 0.0, 0.0], [-1.0, 0.0, 0.0], 1.0), Some(0.5));
        assert_eq!(
            cast([3.0, 1.0, 0.0], [-1.0, 1.0, 0.0], 1.0),
            Some(0.75),
            "grazing touches"
        );
        assert_eq!(
            cast([3.0, 1.1, 0.0], [-1.0, 1.1, 0.0], 1.0),
            None,
            "passes by"
        );
        assert_eq!(
            cast([0.5, 0.0, 0.0], [-1.0, 0.0, 0.0], 1.0),
            Some(0.0),
            "starts in contact"
        );
        assert_eq!(cast([0.5, 0.0, 0.0], [2.0, 0.0, 0.0], 1.0), None, "away");
        assert_eq!(cast([0.5, 0.0, 0.0], [0.5, 2.0, 0.0], 1.0), None, "along");
        assert_eq!(
            cast([3.0, 0.0, 0.0], [1.5, 0.0, 0.0], 1.0),
            None,
            "stops short"
        );
    }

    #[test]
    fn a_start_a_million_metres_away_keeps_its_digits() {
        let far = 1e6;
        let fraction = cast([far, 0.6, 0.0], [-far, 0.6, 0.0], 1.0).unwrap();
        assert!((far - 2.0 * far * fraction - 0.8).abs() < 1e-9);
    }
}
