//! Which ray belongs to a view matrix, or to a point of the picture?
//!
//! The projection maps `(x, y, z, 1)` to `(a x, b y, c z + d, -z)`, so a point of the picture (-1..=1 in both axes)
//! lies in the direction `(x / a, y / b, -1)` in eye space, and the inverse of a rigid view is its transpose: no matrix
//! is inverted. Newcastle, Physics: Raycasting, adapted to wgpu's depth of 0..=1; depth `n` lies at `z = -d / (n + c)`,
//! for reversed depth too.
//!
//! Conventions. Right-handed, the eye looks along -Z. Directions are unit. A projection of another kind (`a` or `b`
//! zero, or no perspective) gives None.
use crate::geom::Ray;
use glam::{DMat4, DVec2, DVec3};

/// The ray from a camera, or any other posed thing, along its -Z; `world_from_eye` is rigid.
pub fn ray_from_matrix(world_from_eye: &DMat4) -> Option<Ray> {
    let dir = (-world_from_eye.z_axis.truncate()).try_normalize()?;
    let origin = world_from_eye.w_axis.truncate();
    origin.is_finite().then_some(Ray { origin, dir })
}

/// The ray through a point of the picture: `at` is -1..=1 to the right and up; `eye_from_world` is rigid.
pub fn ray_from_picture(at: DVec2, eye_from_world: &DMat4, clip_from_eye: &DMat4) -> Option<Ray> {
    let in_eye = direction_in_eye(at, clip_from_eye)?;
    let (turn, shift) = rigid(eye_from_world);
    let dir = (turn.transpose() * in_eye).try_normalize()?;
    let origin = turn.transpose() * -shift;
    origin.is_finite().then_some(Ray { origin, dir })
}

/// Unprojects a point of the picture with its depth (0..=1, near to far or reversed).
pub fn point_from_picture(
    at: DVec2,
    depth: f64,
    eye_from_world: &DMat4,
    clip_from_eye: &DMat4,
) -> Option<DVec3> {
    let dir = direction_in_eye(at, clip_from_eye)?;
    let (c, d) = (clip_from_eye.z_axis.z, clip_from_eye.w_axis.z);
    let away = d / (depth + c);
    let (turn, shift) = rigid(eye_from_world);
    let place = turn.transpose() * (dir * away - shift);
    (away > 0.0 && place.is_finite()).then_some(place)
}

/// Converts pixels, from the upper left corner of a picture of `size`, for [`ray_from_picture`].
pub fn picture_from_pixel(pixel: DVec2, size: DVec2) -> DVec2 {
    let at = pixel / size * 2.0 - 1.0;
    DVec2::new(at.x, -at.y)
}

/// With z = -1.
fn direction_in_eye(at: DVec2, clip_from_eye: &DMat4) -> Option<DVec3> {
    let (a, b) = (clip_from_eye.x_axis.x, clip_from_eye.y_axis.y);
    let is_perspective = clip_from_eye.z_axis.w == -1.0 && clip_from_eye.w_axis.w == 0.0;
    let dir = DVec3::new(at.x / a, at.y / b, -1.0);
    (is_perspective && dir.is_finite()).then_some(dir)
}

fn rigid(eye_from_world: &DMat4) -> (glam::DMat3, DVec3) {
    let turn = glam::DMat3::from_mat4(*eye_from_world);
    (turn, eye_from_world.w_axis.truncate())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use glam::{DQuat, DVec4};

    fn camera(rng: &mut Rng) -> DMat4 {
        let turn = DQuat::from_axis_angle(rng.unit_vector(), rng.range(0.0, 3.0));
        DMat4::from_rotation_translation(turn, rng.unit_vector() * 100.0)
    }

    /// wgpu's: depth 0 at `near`, 1 at `far`, which may be swapped.
    fn perspective(angle: f64, aspect: f64, near: f64, far: f64) -> DMat4 {
        let b = 1.0 / libm::tan(angle * 0.5);
        let c = far / (near - far);
        DMat4::from_cols(
            DVec4::X * (b / aspect),
            DVec4::Y * b,
            DVec4::new(0.0, 0.0, c, -1.0),
            DVec4::Z * (c * near),
        )
    }

    #[test]
    fn the_middle_of_the_picture_is_where_the_camera_looks() {
        let mut rng = Rng::new(2);
        let world_from_eye = camera(&mut rng);
        let clip = perspective(1.2, 1.6, 0.1, 500.0);
        let straight = ray_from_matrix(&world_from_eye).unwrap();
        let middle = ray_from_picture(DVec2::ZERO, &world_from_eye.inverse(), &clip).unwrap();
        assert!(straight.dir.distance(middle.dir) < 1e-12);
        assert!(straight.origin.distance(middle.origin) < 1e-9);
        let plain = ray_from_matrix(&DMat4::IDENTITY).unwrap();
        assert_eq!((plain.origin, plain.dir), (DVec3::ZERO, -DVec3::Z));
        let size = DVec2::new(800.0, 600.0);
        assert_eq!(picture_from_pixel(DVec2::ZERO, size), DVec2::new(-1.0, 1.0));
        assert_eq!(picture_from_pixel(size, size), DVec2::new(1.0, -1.0));
        assert_eq!(
            ray_from_picture(DVec2::ZERO, &world_from_eye, &DMat4::IDENTITY),
            None
        );
        assert_eq!(ray_from_matrix(&DMat4::ZERO), None);
    }

    #[test]
    fn equals_the_full_inverse_for_both_ways_of_depth() {
        let mut rng = Rng::new(7);
        for i in 0..2000 {
            let eye_from_world = camera(&mut rng).inverse();
            let (angle, aspect) = (rng.range(0.3, 2.2), rng.range(0.5, 2.5));
            let clip = if i % 2 == 0 {
                perspective(angle, aspect, 0.1, 500.0)
            } else {
                perspective(angle, aspect, 500.0, 0.1)
            };
            let at = DVec2::new(rng.range(-1.0, 1.0), rng.range(-1.0, 1.0));
            let inverse = (clip * eye_from_world).inverse();
            let full = |depth: f64| {
                let p = inverse * DVec4::new(at.x, at.y, depth, 1.0);
                p.truncate() / p.w
            };
            let depth = rng.range(0.05, 0.95);
            let place = point_from_picture(at, depth, &eye_from_world, &clip).unwrap();
            let expected = full(depth);
            let eye = ray_from_picture(at, &eye_from_world, &clip).unwrap();
            let scale = 1.0 + expected.distance(eye.origin);
            assert!(
                place.distance(expected) < 1e-6 * scale,
                "{place} {expected}"
            );
            let (near, far) = (full(0.2), full(0.8));
            let sign = if near.distance(eye.origin) < far.distance(eye.origin) {
                1.0
            } else {
                -1.0
            };
            let dir = (far - near).normalize() * sign;
            assert!(eye.dir.distance(dir) < 1e-6, "{} {dir}", eye.dir);
        }
    }
}
