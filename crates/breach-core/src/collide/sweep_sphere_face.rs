//! When does a moving sphere first touch the interior of a triangle?
//!
//! As [`super::sweep_sphere_plane`], then the contact must lie in the triangle: `(q - p) × (contact - p) · normal >= 0`
//! for each side. Gomez 1999; Ericson, Real-Time Collision Detection, 5.5.6. Edges and vertices are queries of their
//! own.
//!
//! Conventions. Start in contact, moving inwards: fraction 0. A sphere that reaches the plane beside the triangle hits
//! when its centre's projection enters the triangle, if the centre is still in front then (only a sphere that started
//! in contact with something else gets so far). From behind: no hit. Moving away or along: no hit. The border belongs
//! to the triangle, with the slack of [`SphereSweep`] around it.
use super::{SphereSweep, SweepHit, closest_point_segment};
use crate::geom::Segment;
use crate::geom::tolerance::{ALONG, DEPTH, ROUNDING};
use glam::DVec3;

/// `corners` counter-clockwise seen along `-normal`, which is unit (zero: no hit). Hits beyond `limit` are not reported.
#[inline(always)]
pub fn sweep_sphere_face(
    sweep: &SphereSweep,
    corners: &[DVec3; 3],
    normal: DVec3,
    limit: f64,
) -> Option<SweepHit> {
    let start = sweep.from - corners[0];
    let height = normal.dot(start);
    let closing = -normal.dot(sweep.displacement);
    if closing <= ALONG * sweep.length {
        return None;
    }
    let scale = start.abs().max_element();
    // A centre on the plane may be behind it by rounding.
    if height < -16.0 * ROUNDING * (scale + corners[0].abs().max_element()) {
        return None;
    }
    let fraction = (height - sweep.radius) / closing;
    if fraction > limit {
        return None;
    }
    let touch = fraction.max(0.0);
    let sides = [0, 1, 2].map(|i| Side::new(sweep, corners, normal, i));
    let fraction = if sides.iter().all(|side| side.at(touch) >= 0.0) {
        touch
    } else {
        // Upper bound of the slack, squared.
        let most = 2.0 * sweep.radius * DEPTH;
        if sides
            .iter()
            .any(|side| side.stays_out([touch, limit], most))
        {
            return None;
        }
        let slack = sweep.slack(scale, closing / sweep.length);
        let fraction = arrival(&sides, slack, touch)?;
        let foot = sweep.at(fraction) - normal * (height - closing * fraction);
        let is_sound = fraction <= limit && height >= closing * fraction;
        (is_sound && is_within(corners, &sides, foot, fraction, slack)).then_some(fraction)?
    };
    let height = height - closing * fraction;
    Some(SweepHit {
        fraction,
        point: sweep.at(fraction) - normal * height,
        normal,
    })
}

/// How far the centre's projection is inside one side of the triangle, in lengths of that side; linear in the fraction.
struct Side {
    start: f64,
    speed: f64,
    length_squared: f64,
}

impl Side {
    #[inline(always)]
    fn new(sweep: &SphereSweep, corners: &[DVec3; 3], normal: DVec3, i: usize) -> Self {
        let (p, q) = (corners[i], corners[(i + 1) % 3]);
        let inwards = normal.cross(q - p);
        Self {
            start: inwards.dot(sweep.from - p),
            speed: inwards.dot(sweep.displacement),
            length_squared: (q - p).length_squared(),
        }
    }

    #[inline(always)]
    fn at(&self, fraction: f64) -> f64 {
        self.start + self.speed * fraction
    }

    /// Whether the projection stays outside between two fractions, by more than the root of `most`, metres.
    #[inline(always)]
    fn stays_out(&self, between: [f64; 2], most: f64) -> bool {
        let nearest = self.at(between[0]).max(self.at(between[1]));
        nearest < 0.0 && nearest * nearest > most * self.length_squared
    }
}

/// Whether the projection, which is at most `slack` outside of each side, is that near to the triangle: beyond a sharp
/// corner it may be far.
#[inline]
fn is_within(
    corners: &[DVec3; 3],
    sides: &[Side; 3],
    foot: DVec3,
    fraction: f64,
    slack: f64,
) -> bool {
    sides.iter().all(|side| side.at(fraction) >= 0.0)
        || is_near_border(corners, foot, slack * (1.0 + 1e-3))
}

/// Whether a point is at most `most` metres away from one of the triangle's sides.
#[inline]
pub fn is_near_border(corners: &[DVec3; 3], point: DVec3, most: f64) -> bool {
    (0..3).any(|i| {
        let (from, to) = (corners[i], corners[(i + 1) % 3]);
        let (near, _) = closest_point_segment(point, &Segment { from, to });
        near.distance_squared(point) <= most * most
    })
}

/// The fraction from `touch` on at which the projection is on the triangle grown by `slack`: the latest entry into the
/// three half planes, unless it has left one by then.
#[inline]
fn arrival(sides: &[Side; 3], slack: f64, touch: f64) -> Option<f64> {
    let (mut enter, mut leave) = (touch, 1.0f64);
    for side in sides {
        let start = side.start + slack * side.length_squared.sqrt();
        let at = |fraction: f64| start + side.speed * fraction;
        if at(enter) < 0.0 {
            if at(leave) < 0.0 {
                return None;
            }
            enter = -start / side.speed;
        } else if at(leave) < 0.0 {
            leave = -start / side.speed;
        }
    }
    (enter <= leave).then_some(enter)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: [DVec3; 3] = [
        DVec3::ZERO,
        DVec3::new(0.0, 0.0, 4.0),
        DVec3::new(4.0, 0.0, 0.0),
    ];

    fn cast(from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        let sweep = SphereSweep::new(from.into(), to.into(), radius).unwrap();
        (0..3)
            .map(|turn| {
                let corners = std::array::from_fn(|i| FLOOR[(i + turn) % 3]);
                sweep_sphere_face(&sweep, &corners, DVec3::Y, 1.0).map(|h| h.fraction)
            })
            .reduce(|a, b| {
                assert_eq!(a.is_some(), b.is_some(), "the first corner must not matter");
                assert!((a.unwrap_or(0.0) - b.unwrap_or(0.0)).abs() < 1e-12);
                a
            })
            .unwrap()
    }

    #[test]
    fn conventions() {
        assert_eq!(cast([1.0, 3.0, 1.0], [1.0, -1.0, 1.0], 1.0), Some(0.5));
        assert_eq!(
            cast([2.0, 3.0, 2.0], [2.0, -1.0, 2.0], 1.0),
            Some(0.5),
            "the border counts"
        );
        assert_eq!(cast([2.1, 3.0, 2.0], [2.1, -1.0, 2.0], 1.0), None, "beside");
        assert_eq!(
            cast([1.0, 0.5, 1.0], [1.0, 0.0, 1.0], 1.0),
            Some(0.0),
            "starts in contact"
        );
        assert_eq!(cast([1.0, 0.5, 1.0], [3.0, 0.5, 1.0], 1.0), None, "along");
        assert_eq!(cast([1.0, 0.5, 1.0], [1.0, 1.5, 1.0], 1.0), None, "away");
        assert_eq!(
            cast([1.0, -3.0, 1.0], [1.0, 3.0, 1.0], 1.0),
            None,
            "from behind"
        );
        let late = cast([-2.0, 0.75, 1.0], [2.0, 0.25, 1.0], 1.0).unwrap();
        assert!(
            (late - 0.5).abs() < 1e-7,
            "comes onto the face from beside: {late}"
        );
    }
}
