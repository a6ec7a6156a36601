//! Which point of a segment is nearest to a point?
//!
//! `s = (point - from)·d / d²`, clamped to 0..=1. Ericson, Real-Time Collision Detection, 5.1.2.
//!
//! Conventions. A segment without length is its start, at fraction 0. Both ends belong to the segment.
use crate::geom::Segment;
use glam::DVec3;

/// The nearest point and its fraction, 0..=1.
pub fn closest_point_segment(point: DVec3, segment: &Segment) -> (DVec3, f64) {
    let d = segment.displacement();
    let length_squared = d.length_squared();
    if length_squared == 0.0 {
        return (segment.from, 0.0);
    }
    let fraction = ((point - segment.from).dot(d) / length_squared).clamp(0.0, 1.0);
    (segment.at(fraction), fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_beyond_and_without_length() {
        let segment = Segment {
            from: DVec3::ZERO,
            to: DVec3::X * 4.0,
        };
        let at = |x: f64| closest_point_segment(DVec3::new(x, 7.0, -2.0), &segment);
        assert_eq!(at(1.0), (DVec3::X, 0.25));
        assert_eq!(at(-1.0), (DVec3::ZERO, 0.0));
        assert_eq!(at(5.0), (DVec3::X * 4.0, 1.0));
        let dot = Segment {
            from: DVec3::Y,
            to: DVec3::Y,
        };
        assert_eq!(closest_point_segment(DVec3::X, &dot), (DVec3::Y, 0.0));
    }
}
