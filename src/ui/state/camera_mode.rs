//! How the camera moves.

/// How the camera moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CameraMode {
    /// Gravity, steps, jumps.
    #[default]
    Walk,
    /// Free flight, stopped by walls.
    Fly,
    /// Fly freely through walls.
    NoClip,
}
