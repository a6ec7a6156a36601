//! The camera, its axes and its matrices; with libm, so that all machines compute the same bits.
use glam::{DMat4, DVec3, DVec4};

/// Distance of the near plane, metres.
pub const NEAR_M: f64 = 0.02;

/// The viewpoint of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Eye, metres.
    pub eye: DVec3,
    /// Radians; see `Command::yaw`.
    pub yaw: f64,
    /// Radians, up is positive.
    pub pitch: f64,
    /// Vertical field of view, radians.
    pub fov_y: f64,
    /// Width / height.
    pub aspect: f64,
}

#[cfg(test)]
impl Camera {
    /// Looks along -Z, with a square picture.
    pub fn ahead(eye: DVec3) -> Self {
        Self {
            eye,
            yaw: 0.0,
            pitch: 0.0,
            fov_y: 1.0,
            aspect: 1.0,
        }
    }
}

/// The camera's axes in world space: right, up, back (against the view direction); unit.
pub(super) fn axes(camera: &Camera) -> [DVec3; 3] {
    let (sin_yaw, cos_yaw) = (libm::sin(camera.yaw), libm::cos(camera.yaw));
    let (sin_pitch, cos_pitch) = (libm::sin(camera.pitch), libm::cos(camera.pitch));
    let forward = DVec3::new(-sin_yaw * cos_pitch, sin_pitch, -cos_yaw * cos_pitch);
    let right = DVec3::new(cos_yaw, 0.0, -sin_yaw);
    [right, right.cross(forward), -forward]
}

/// Half the width and height of the view frustum at a distance of one metre.
pub(super) fn half_extent(camera: &Camera) -> [f64; 2] {
    // The camera comes from outside: a field of view of 0 or half a turn has no frustum.
    let fov = if camera.fov_y.is_finite() {
        camera.fov_y.clamp(0.01, 3.1)
    } else {
        1.2
    };
    let aspect = if camera.aspect.is_finite() {
        camera.aspect.clamp(0.01, 100.0)
    } else {
        1.0
    };
    let y = libm::tan(fov * 0.5);
    [y * aspect, y]
}

/// View matrix, from world to eye space: x right, y up, z back. Rigid.
pub fn eye_from_world(camera: &Camera) -> DMat4 {
    let rows = axes(camera).map(|axis| axis.extend(-axis.dot(camera.eye)));
    DMat4::from_cols(rows[0], rows[1], rows[2], DVec4::W).transpose()
}

/// Projection matrix, from eye to clip space: the other half of [`clip_from_world`].
pub fn clip_from_eye(camera: &Camera) -> DMat4 {
    let [half_x, half_y] = half_extent(camera);
    DMat4::from_cols(
        DVec4::X / half_x,
        DVec4::Y / half_y,
        DVec4::NEG_W,
        DVec4::Z * NEAR_M,
    )
}

/// From world to clip space, with reversed depth and an infinite far plane: depth = near / distance.
pub fn clip_from_world(camera: &Camera) -> DMat4 {
    let [right, up, back] = axes(camera);
    let [half_x, half_y] = half_extent(camera);
    let eye = camera.eye;
    let row = |axis: DVec3, scale: f64| DVec4::new(axis.x, axis.y, axis.z, -axis.dot(eye)) * scale;
    let rows = [
        row(right, 1.0 / half_x),
        row(up, 1.0 / half_y),
        DVec4::new(0.0, 0.0, 0.0, NEAR_M),
        row(back, -1.0),
    ];
    DMat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAMERA: Camera = Camera {
        eye: DVec3::new(3.0, 1.0, -2.0),
        yaw: 0.0,
        pitch: 0.0,
        fov_y: 1.2,
        aspect: 1.5,
    };

    #[test]
    fn looks_along_minus_z_with_near_at_depth_one() {
        let matrix = clip_from_world(&CAMERA);
        let near = matrix * (CAMERA.eye + DVec3::NEG_Z * NEAR_M).extend(1.0);
        assert!((near.z / near.w - 1.0).abs() < 1e-12);
        assert!(near.x.abs() < 1e-12 && near.y.abs() < 1e-12);
        let right = matrix * (CAMERA.eye + DVec3::new(1.0, 0.5, -4.0)).extend(1.0);
        assert!(right.x > 0.0 && right.y > 0.0 && right.w > 0.0);
    }

    #[test]
    fn both_halves_make_the_whole() {
        let camera = Camera {
            yaw: 0.4,
            pitch: -0.9,
            ..CAMERA
        };
        let halves = clip_from_eye(&camera) * eye_from_world(&camera);
        assert!(halves.abs_diff_eq(clip_from_world(&camera), 1e-12));
    }

    #[test]
    fn yaw_turns_left_and_pitch_looks_up() {
        let left = axes(&Camera { yaw: 0.5, ..CAMERA });
        assert!(left[2].x > 0.0, "a look to the left points to -x");
        let up = axes(&Camera {
            pitch: 0.5,
            ..CAMERA
        });
        assert!(-up[2].y > 0.0);
        for [a, b, c] in [left, up] {
            assert!(a.dot(b).abs() < 1e-12 && a.cross(b).distance(c) < 1e-12);
        }
    }
}
