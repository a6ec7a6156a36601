//! The plane under the level: what falls through it is gone, and a player who does is back at the start.
//!
//! Nothing should ever come here, as the air ends at rock; a level that leaks, or a hole in our arithmetic, must not let
//! things fall for ever. Newcastle, Physics: Raycasting.
use super::state::StepReport;
use super::{Sim, player};
use crate::geom::Plane;
use glam::DVec3;

/// How far below the level's lowest point, metres.
const BELOW: f64 = 8.0;

/// The plane; its front is above.
pub fn kill_plane(sim: &Sim) -> Plane {
    Plane {
        normal: DVec3::Y,
        offset: sim.world.bounds().min.y - BELOW,
    }
}

/// Takes away what is below.
pub(super) fn kill_below(sim: &mut Sim, report: &mut StepReport) {
    let plane = kill_plane(sim);
    let is_above = |p: DVec3| plane.distance(p) > 0.0;
    if !sim.bodies.iter().all(|body| is_above(body.position)) {
        sim.bodies
            .change(|bodies| bodies.retain(|body| is_above(body.position)));
    }
    sim.rockets.retain(|rocket| is_above(rocket.position));
    sim.grenades.retain(|grenade| is_above(grenade.position));
    if !sim.player.no_clip && !is_above(sim.player.eye) {
        report.notices.push("fell out of the level".into());
        let home = sim
            .level
            .starts
            .first()
            .map_or(sim.player.last_air, |start| start.0);
        sim.player.velocity = DVec3::ZERO;
        player::teleport(sim, home, report);
    }
}
