//! What the player sees.
use super::camera::Camera;
use super::camera_shake::camera_shake;
use crate::sim::Sim;

/// The player's camera with this vertical field of view, radians, for a picture of this size, pixels.
pub fn player_camera(sim: &Sim, fov_y: f64, [width, height]: [u32; 2]) -> Camera {
    let [yaw, pitch] = camera_shake(sim, sim.player.eye, 1.0);
    Camera {
        eye: sim.player.eye,
        yaw: sim.player.yaw + yaw,
        pitch: sim.player.pitch + pitch,
        fov_y,
        aspect: f64::from(width) / f64::from(height),
    }
}
