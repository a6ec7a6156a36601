//! The kill plane under the level: bodies that fall below it are removed, a player returns to the start.
//!
//! The air ends at rock, so nothing should ever get here; but in a level that leaks, or after a bug, nothing may fall for
//! ever. Newcastle University, Physics: Raycasting.
use super::player_actions;
use super::report::StepReport;
use super::simulation::Sim;
use crate::geom::Plane;
use glam::DVec3;

/// Distance below the level's lowest point, metres.
const BELOW: f64 = 8.0;

/// The plane; its front is above.
pub fn kill_plane(sim: &Sim) -> Plane {
    Plane {
        normal: DVec3::Y,
        offset: sim.world.bounds().min.y - BELOW,
    }
}

/// Removes what is below the plane.
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
        player_actions::teleport(sim, home, report);
    }
}
