//! Shapes and numbers that everything else stands on: metres, seconds, radians, Y up, f64.
use glam::DVec3;

/// An axis-aligned box, `min <= max` on each axis. Metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Lowest corner.
    pub min: DVec3,
    /// Highest corner.
    pub max: DVec3,
}
