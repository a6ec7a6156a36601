//! When does a moving sphere first touch the inside of a triangle?
//!
//! As [`super::sweep_sphere_plane`], then the contact must lie in the triangle: `(q - p) × (contact - p) · normal >= 0`
//! on each side. Gomez 1999; Ericson, Real-Time Collision Detection, 5.5.6. Edges and vertices are other files'.
//!
//! Conventions. Start in contact, moving inwards: fraction 0. A sphere that comes within the plane's reach beside the
//! triangle: the moment when the centre's foot comes onto the triangle, if it is still in front then (only a sphere that
//! started in contact with something else gets so far). From behind: no hit. Moving away or along: no hit. The border
//! belongs to the triangle, with the slack of [`SphereSweep`] around it.
use super::{SphereSweep, SweepHit};
use crate::geom::tolerance::{ALONG, ROUNDING};
use glam::DVec3;

/// `corners` counter-clockwise seen along `-normal`, which is unit (zero: no hit). Hits beyond `limit` are not reported.
#[inline]
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
    // A centre on the plane may be rounded to behind it.
    if height < -16.0 * ROUNDING * (scale + corners[0].abs().max_element()) {
        return None;
    }
    let fraction = (height - sweep.radius) / closing;
    if fraction > limit {
        return None;
    }
    let slack = sweep.slack(scale, closing / sweep.length);
    let touch = fraction.max(0.0);
    let foot = sweep.at(touch) - normal * (height - closing * touch);
    let fraction = if inside(corners, normal, foot, slack) {
        touch
    } else {
        let fraction = arrival(sweep, corners, normal, slack, touch)?;
        (fraction <= limit && height >= closing * fraction).then_some(fraction)?
    };
    let height = height - closing * fraction;
    Some(SweepHit {
        fraction,
        point: sweep.at(fraction) - normal * height,
        normal,
    })
}

/// Whether a point of the plane is at most `slack` metres outside.
#[inline]
fn inside(corners: &[DVec3; 3], normal: DVec3, point: DVec3, slack: f64) -> bool {
    (0..3).all(|i| {
        let (p, q) = (corners[i], corners[(i + 1) % 3]);
        let side = (q - p).cross(point - p).dot(normal);
        side >= 0.0 || side * side <= slack * slack * (q - p).length_squared()
    })
}

/// The fraction at which the centre's foot, outside the triangle at `touch`, comes onto it: the latest entry into the
/// three half planes, unless it has left one by then.
#[inline]
fn arrival(
    sweep: &SphereSweep,
    corners: &[DVec3; 3],
    normal: DVec3,
    slack: f64,
    touch: f64,
) -> Option<f64> {
    let (mut enter, mut leave) = (touch, 1.0f64);
    for i in 0..3 {
        let (p, q) = (corners[i], corners[(i + 1) % 3]);
        // Not unit: as long as the side.
        let inwards = normal.cross(q - p);
        let at = inwards.dot(sweep.from - p) + slack * (q - p).length();
        let speed = inwards.dot(sweep.displacement);
        if at + speed * enter < 0.0 {
            if at + speed * leave < 0.0 {
                return None;
            }
            enter = -at / speed;
        } else if at + speed * leave < 0.0 {
            leave = -at / speed;
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
