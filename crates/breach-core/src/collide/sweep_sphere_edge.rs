//! When does a moving sphere first touch the interior of an edge?
//!
//! Without their components along the edge, start and displacement are a point moving past a circle: `|start + f·move|²
//! = radius²`. The closest approach is f₀ = -(start·move)/move², at distance w; the contact is √(radius² - w²)/|move|
//! earlier. Ericson, Real-Time Collision Detection, 5.3.7; solved around the closest approach instead of by the
//! coefficients of the quadratic, so that a distant start costs no precision.
//!
//! Conventions. Start in contact, moving inwards: fraction 0. Moving away or along: no hit. The ends belong to the edge
//! (with the slack of [`SphereSweep`]) but have no cap: a start within the radius of the edge's line and beyond its
//! ends hits a vertex first, see [`super::sweep_sphere_vertex`].
use super::{SphereSweep, SweepHit};
use crate::geom::tolerance::PARALLEL;
use crate::geom::unit_or_zero;
use glam::DVec3;

/// Sweeps against the edge from `a` to `b`; an edge without length is never hit. Hits beyond `limit` are not reported.
#[inline]
pub fn sweep_sphere_edge(sweep: &SphereSweep, a: DVec3, b: DVec3, limit: f64) -> Option<SweepHit> {
    let edge = b - a;
    let start = sweep.from - a;
    let edge_squared = edge.length_squared();
    if edge_squared == 0.0 {
        return None;
    }
    // Parameters along the edge, 0..=1 from a to b, at the start and per displacement.
    let along = start.dot(edge) / edge_squared;
    let along_rate = sweep.displacement.dot(edge) / edge_squared;
    let across = start - edge * along;
    let motion = sweep.displacement - edge * along_rate;
    let motion_squared = motion.length_squared();
    let closing = -across.dot(motion);
    let radius_squared = sweep.radius * sweep.radius;
    let closing_least = PARALLEL * sweep.length;
    if closing <= 0.0 || motion_squared <= closing_least * closing_least {
        return None;
    }
    let pass = closing / motion_squared;
    let miss_squared = (across + motion * pass).length_squared();
    if miss_squared > radius_squared {
        return None;
    }
    let fraction = pass - ((radius_squared - miss_squared) / motion_squared).sqrt();
    if fraction > limit {
        return None;
    }
    let scale = start.abs().max_element();
    let slack = sweep.slack(scale, motion_squared.sqrt() / sweep.length);
    let slack = slack / edge_squared.sqrt();
    let fraction = fraction.max(0.0);
    let at = along + along_rate * fraction;
    if at < -slack || at > 1.0 + slack {
        return None;
    }
    let point = a + edge * (along + along_rate * fraction).clamp(0.0, 1.0);
    // The perpendicular component is the exact direction; a centre on the edge itself has none.
    let mut normal = unit_or_zero(across + motion * fraction);
    if normal == DVec3::ZERO {
        normal = unit_or_zero(-motion);
    }
    Some(SweepHit {
        fraction,
        point,
        normal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cast(from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        let sweep = SphereSweep::new(from.into(), to.into(), radius).unwrap();
        let (a, b) = (DVec3::new(-1.0, 0.0, 0.0), DVec3::new(1.0, 0.0, 0.0));
        let hit = sweep_sphere_edge(&sweep, a, b, 1.0);
        let back = sweep_sphere_edge(&sweep, b, a, 1.0);
        assert_eq!(hit.is_some(), back.is_some());
        if let (Some(hit), Some(back)) = (hit, back) {
            assert!((hit.fraction - back.fraction).abs() < 1e-12);
            let distance = (sweep.at(hit.fraction) - hit.point).length();
            let started_inside = (from[1] * from[1] + from[2] * from[2]).sqrt() < radius;
            assert!(started_inside || (distance - radius).abs() < 1e-14 * (1.0 + sweep.length));
        }
        hit.map(|h| h.fraction)
    }

    #[test]
    fn conventions() {
        assert_eq!(cast([0.0, 3.0, 0.0], [0.0, -1.0, 0.0], 1.0), Some(0.5));
        assert_eq!(
            cast([-1.0, 3.0, 0.0], [-1.0, -1.0, 0.0], 1.0),
            Some(0.5),
            "the end counts"
        );
        assert_eq!(
            cast([-1.1, 3.0, 0.0], [-1.1, -1.0, 0.0], 1.0),
            None,
            "beyond the end"
        );
        assert_eq!(
            cast([0.0, 3.0, 1.0], [0.0, -1.0, 1.0], 1.0),
            Some(0.75),
            "grazing touches"
        );
        assert_eq!(
            cast([0.0, 3.0, 1.1], [0.0, -1.0, 1.1], 1.0),
            None,
            "passes by"
        );
        assert_eq!(
            cast([0.0, 0.5, 0.0], [0.0, -1.0, 0.0], 1.0),
            Some(0.0),
            "starts in contact"
        );
        assert_eq!(cast([0.0, 0.5, 0.0], [0.0, 2.0, 0.0], 1.0), None, "away");
        assert_eq!(cast([-3.0, 0.5, 0.0], [3.0, 0.5, 0.0], 1.0), None, "along");
        assert_eq!(
            cast([-2.0, 0.5, 0.0], [0.0, 0.1, 0.0], 1.0),
            None,
            "comes level inside: the end is met first"
        );
    }

    #[test]
    fn slow_and_long_sweeps_lose_no_hit() {
        for step in [1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6] {
            let hit = cast(
                [0.1, 1.0 + step * 0.25, 0.0],
                [0.1, 1.0 - step * 0.75, 0.0],
                1.0,
            )
            .unwrap();
            assert!((hit - 0.25).abs() * step < 1e-9, "step {step}: {hit}");
        }
    }
}
