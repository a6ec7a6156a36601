//! The camera's axes, as the renderer needs them.
use crate::view::Snapshot;
use glam::{DMat4, DVec3, DVec4};

/// Position and axes of the camera.
pub(super) struct ViewAxes {
    pub eye: DVec3,
    /// The axes are unit.
    pub right: DVec3,
    pub up: DVec3,
    pub forward: DVec3,
    /// Half the width and height of the view frustum at one metre.
    pub half_extent: [f64; 2],
}

impl ViewAxes {
    /// From the matrix of a snapshot.
    pub fn new(snapshot: &Snapshot) -> Self {
        let eye = snapshot.camera.eye;
        let clip_from_eye = snapshot.clip_from_world * DMat4::from_translation(eye);
        // Rows of the matrix: x / half width, y / half height, forward.
        let axis = |row: DVec4| {
            (
                row.truncate().normalize_or(DVec3::X),
                1.0 / row.truncate().length().max(1e-9),
            )
        };
        let (right, half_x) = axis(clip_from_eye.row(0));
        let (up, half_y) = axis(clip_from_eye.row(1));
        let (forward, _) = axis(clip_from_eye.row(3));
        Self {
            eye,
            right,
            up,
            forward,
            half_extent: [half_x, half_y],
        }
    }
}
