//! How a crumb at rest lies: on a side of its mesh, down on the ground. Its collision sphere keeps the mesh above it, turned
//! anyhow.
use crate::view::Rest;
use glam::{DQuat, DVec3};

/// Lies this far in the ground, in half its thickness: no mesh is flat all over.
const SUNK: f64 = 0.08;

/// The pose of a mesh with this half box, in metres, at rest. `is_bulky`: any side will do; otherwise Y is down or up.
pub(super) fn lie(
    (position, rotation): (DVec3, DQuat),
    rest: &Rest,
    half: DVec3,
    is_bulky: bool,
) -> (DVec3, DQuat) {
    let axes: &[DVec3] = match is_bulky {
        true => &[DVec3::X, DVec3::Y, DVec3::Z],
        false => &[DVec3::Y],
    };
    let rise = |axis: DVec3| (rotation * axis).dot(rest.normal);
    let steeper = |a: &&DVec3, b: &&DVec3| rise(**a).abs().total_cmp(&rise(**b).abs());
    let axis = *axes.iter().max_by(steeper).expect("there is an axis");
    let up = rotation * axis * rise(axis).signum();
    let turn = DQuat::from_rotation_arc(up.normalize(), rest.normal);
    let turned = DQuat::IDENTITY.slerp(turn, rest.share) * rotation;
    let thick = axis.dot(half) * (1.0 - SUNK);
    let lower = (rest.height - thick) * rest.share;
    (position - rest.normal * lower, turned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: DVec3 = DVec3::new(0.9, 0.1, 0.4);

    fn rest(share: f64) -> Rest {
        Rest {
            share,
            normal: DVec3::new(0.2, 1.0, 0.1).normalize(),
            height: 1.0,
            on_level: true,
        }
    }

    #[test]
    fn a_thin_thing_at_rest_lies_flat_and_touches_the_ground() {
        for i in 0..50 {
            let turn = DQuat::from_euler(glam::EulerRot::XYZ, f64::from(i), 0.7, f64::from(i * i));
            let rest = rest(1.0);
            let (at, rotation) = lie((DVec3::ONE, turn), &rest, HALF, false);
            let normal = rotation * DVec3::Y;
            assert!((normal.dot(rest.normal).abs() - 1.0).abs() < 1e-9);
            let ground = DVec3::ONE - rest.normal;
            let height = (at - ground).dot(rest.normal);
            assert!((height - 0.1 * (1.0 - SUNK)).abs() < 1e-9, "{height}");
        }
    }

    #[test]
    fn a_bulky_thing_turns_no_farther_than_to_its_nearest_side() {
        for i in 0..50 {
            let turn = DQuat::from_euler(glam::EulerRot::XYZ, f64::from(i), 0.4, f64::from(i * i));
            let (_, rotation) = lie((DVec3::ZERO, turn), &rest(1.0), HALF, true);
            // From a corner of a cube to the middle of a side.
            assert!(turn.angle_between(rotation) < 0.956);
        }
    }

    #[test]
    fn a_thing_in_flight_keeps_its_pose() {
        let pose = (DVec3::ONE, DQuat::from_rotation_x(1.0));
        let (at, rotation) = lie(pose, &rest(0.0), HALF, false);
        assert_eq!(at, pose.0);
        assert!(rotation.angle_between(pose.1) < 1e-9);
    }
}
