//! A box against the view frustum.
use crate::geom::Aabb;
use glam::{DMat4, DVec3};

/// Whether the box may meet the view frustum: no side plane of the frustum separates it. Conservative.
pub(super) fn box_in_frustum(bounds: &Aabb, clip: &DMat4) -> bool {
    let [x, y, w] = [clip.row(0), clip.row(1), clip.row(3)];
    [w, w + x, w - x, w + y, w - y].iter().all(|plane| {
        let normal = plane.truncate();
        let farthest = DVec3::select(normal.cmpge(DVec3::ZERO), bounds.max, bounds.min);
        normal.dot(farthest) + plane.w >= 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::camera::{Camera, clip_from_world};

    #[test]
    fn a_box_behind_the_camera_is_not_in_the_frustum() {
        let camera = Camera {
            eye: DVec3::ZERO,
            yaw: 0.0,
            pitch: 0.0,
            fov_y: 1.2,
            aspect: 1.0,
        };
        let clip = clip_from_world(&camera);
        let at = |p: DVec3| Aabb {
            min: p - 1.0,
            max: p + 1.0,
        };
        assert!(box_in_frustum(&at(DVec3::new(0.0, 0.0, -5.0)), &clip));
        assert!(box_in_frustum(&at(DVec3::ZERO), &clip));
        assert!(!box_in_frustum(&at(DVec3::new(0.0, 0.0, 5.0)), &clip));
        assert!(!box_in_frustum(&at(DVec3::new(50.0, 0.0, -5.0)), &clip));
    }
}
