//! Light sources of a level, for drawing.
use glam::DVec3;

/// A point light.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Metres.
    pub position: DVec3,
    /// Brightness as in the file (Quake: 300 by default; reaches about that many units).
    pub intensity: f64,
    /// Linear RGB, 0..=1.
    pub colour: [f32; 3],
}

/// The sun: parallel light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sun {
    /// Unit vector towards it.
    pub toward: DVec3,
    /// Brightness as in the file, on the scale of [`Light::intensity`].
    pub intensity: f64,
    /// Linear RGB, 0..=1.
    pub colour: [f32; 3],
}
