//! Actions on the player: walk or fly, no-clip, teleport, and getting out of rock that came back by an undo.
use super::fit_player::{fit_around_eye, is_free, room_to_stand};
use super::player::{FARTHEST_EYE, FLYING};
use super::report::StepReport;
use super::simulation::Sim;
use crate::debris::clearance::air_near;
use glam::DVec3;

/// Positions tried for a player that is in rock.
const POSITIONS: usize = 32;

/// Starts or ends walking. Where the body does not fit, the player goes on flying.
pub(super) fn set_walking(sim: &mut Sim, walk: bool, report: &mut StepReport) {
    sim.player.walking = walk;
    if walk && !sim.player.no_clip {
        fit(sim, report);
    }
}

/// Starts or ends no-clip. Ended inside rock, the player returns to its last position in the air.
pub(super) fn set_no_clip(sim: &mut Sim, no_clip: bool, report: &mut StepReport) {
    if sim.player.no_clip == no_clip {
        return;
    }
    sim.player.no_clip = no_clip;
    sim.player.velocity = DVec3::ZERO;
    if !no_clip {
        if sim.world.locate(sim.player.eye).is_none() {
            // That position may have been filled since.
            if sim.world.locate(sim.player.last_air).is_none() {
                sim.player.no_clip = true;
                report
                    .notices
                    .push("there is no air to return to: fly into some first".into());
                return;
            }
            sim.player.eye = sim.player.last_air;
        }
        fit(sim, report);
    }
}

/// Puts the eye at `to`; refused in rock, except with no-clip.
pub(super) fn teleport(sim: &mut Sim, to: DVec3, report: &mut StepReport) {
    if !sim.player.no_clip && sim.world.locate(to).is_none() {
        report.notices.push("there is no air there".into());
        return;
    }
    sim.player.eye = to.clamp(DVec3::splat(-FARTHEST_EYE), DVec3::splat(FARTHEST_EYE));
    sim.player.velocity = DVec3::ZERO;
    if !sim.player.no_clip {
        fit(sim, report);
    }
    sim.player.previous_eye = sim.player.eye;
}

/// Moves a player whose body is in rock, after an undo or a fill, to the nearest air that it fits into: where it can stand,
/// if it walks and there is such a position.
pub(super) fn free_player(sim: &mut Sim, report: &mut StepReport) {
    if sim.player.no_clip || is_free(&sim.player, &sim.world, &mut report.queries) {
        return;
    }
    let (world, stats) = (&sim.world, &mut report.queries);
    let buffer = sim.settings.buffer_distance;
    sim.player.velocity = DVec3::ZERO;
    let bounds = world.bounds();
    let reach = (bounds.max - bounds.min).length();
    let mut positions = air_near(
        world,
        sim.player.eye,
        FLYING.radius,
        reach,
        POSITIONS,
        stats,
    );
    if world.locate(sim.player.eye).is_some() {
        positions.insert(0, sim.player.eye);
    }
    let is_standable = |eye: &&DVec3| room_to_stand(world, **eye, buffer, stats).is_some();
    let standing = positions
        .iter()
        .find(is_standable)
        .filter(|_| sim.player.walking);
    let Some(&eye) = standing.or(positions.first()) else {
        // The world has no air left.
        sim.player.no_clip = true;
        return;
    };
    sim.player.eye = eye;
    fit(sim, report);
    sim.player.previous_eye = sim.player.eye;
}

/// Fits the body in around the eye after it was moved.
fn fit(sim: &mut Sim, report: &mut StepReport) {
    let wished = sim.player.walking;
    fit_around_eye(
        &mut sim.player,
        &sim.world,
        sim.settings.buffer_distance,
        &mut report.queries,
    );
    if wished && !sim.player.walking {
        report
            .notices
            .push("there is no room to stand here: flying instead".into());
    }
}
