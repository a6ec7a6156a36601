//! Ray and segment.
use super::Aabb;
use glam::DVec3;

/// A half line: the points `origin + t * dir`, `t >= 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts, metres.
    pub origin: DVec3,
    /// Where it goes; need not be unit: `t` counts in its lengths.
    pub dir: DVec3,
}

impl Ray {
    /// The point at `t`.
    pub fn at(&self, t: f64) -> DVec3 {
        self.origin + self.dir * t
    }
}

/// The points from `from` to `to`; a position on it is its fraction, 0..=1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Start, metres.
    pub from: DVec3,
    /// End, metres.
    pub to: DVec3,
}

impl Segment {
    /// The point at `fraction`; exact at 0 and 1.
    pub fn at(&self, fraction: f64) -> DVec3 {
        self.from * (1.0 - fraction) + self.to * fraction
    }
    /// From start to end.
    pub fn displacement(&self) -> DVec3 {
        self.to - self.from
    }
    /// The smallest box around it.
    pub fn bounds(&self) -> Aabb {
        Aabb::from_corners(self.from, self.to)
    }
}
