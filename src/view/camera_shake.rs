//! Camera shake near an explosion.
use super::scatter::scatter;
use crate::sim::{Sim, TICK_SECS};
use glam::DVec3;

/// Duration of the shake, seconds.
const SHAKE_SECS: f64 = 0.35;

/// The turn of the camera by explosions that are going on: yaw and pitch, radians.
pub fn camera_shake(sim: &Sim, eye: DVec3, alpha: f64) -> [f64; 2] {
    let now = sim.tick as f64 + alpha;
    let mut shake = [0.0; 2];
    for explosion in &sim.explosions {
        let age = (now - explosion.tick as f64) * TICK_SECS;
        let near = 1.0 - explosion.position.distance(eye) / (6.0 + 6.0 * explosion.radius);
        if near <= 0.0 || !(0.0..SHAKE_SECS).contains(&age) {
            continue;
        }
        let left = 1.0 - age / SHAKE_SECS;
        let push = 0.022 * near * left * left * libm::sin(age * 38.0);
        let side = scatter(explosion.tick as u32);
        shake[0] += push * side.x;
        shake[1] += push * (0.6 + 0.4 * side.y);
    }
    shake.map(|turn| turn.clamp(-0.05, 0.05))
}
