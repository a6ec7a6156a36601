//! Triggers: volumes that feel the player.
use super::outbox::{send, ticks};
use crate::level::{Movers, TriggerDesc, TriggerEffect};
use crate::sim::mover_states::{NEVER, Sender};
use crate::sim::moving_sphere;
use crate::sim::player::Player;
use crate::sim::player_actions;
use crate::sim::report::StepReport;
use crate::sim::simulation::Sim;
use glam::DVec3;

/// Sets off the triggers that the player is in.
pub(super) fn feel_player(sim: &mut Sim, level: &Movers, report: &mut StepReport) {
    for (index, desc) in level.triggers.iter().enumerate() {
        let is_ready = sim.movers.triggers[index] <= sim.tick;
        if !is_ready || desc.signalled_only || !is_in(&sim.player, desc) {
            continue;
        }
        set_off(sim, level, index, report);
    }
}

/// A signal sets a trigger off: one that only signals set off works on who is in it.
pub(super) fn signalled(sim: &mut Sim, level: &Movers, index: usize, report: &mut StepReport) {
    let desc = &level.triggers[index];
    let is_ready = sim.movers.triggers[index] <= sim.tick;
    let works = matches!(desc.effect, TriggerEffect::Send(_)) || is_in(&sim.player, desc);
    if is_ready && works {
        set_off(sim, level, index, report);
    }
}

fn set_off(sim: &mut Sim, level: &Movers, index: usize, report: &mut StepReport) {
    let desc = &level.triggers[index];
    sim.movers.triggers[index] = match desc.wait {
        Some(wait) => sim.tick + u64::from(ticks(wait)).max(1),
        None => NEVER,
    };
    match &desc.effect {
        TriggerEffect::Send(_) => send(sim, level, Sender::Trigger(index)),
        TriggerEffect::Teleport { eye, yaw } => {
            player_actions::teleport(sim, *eye, report);
            sim.player.yaw = *yaw;
        }
        TriggerEffect::Push(velocity) => {
            sim.player.velocity = *velocity;
            sim.player.on_ground &= velocity.y <= 0.0;
        }
    }
}

fn is_in(player: &Player, desc: &TriggerDesc) -> bool {
    let mut spheres = moving_sphere::of_player(player);
    spheres.any(|sphere| {
        let touches = |centre: DVec3| {
            let volumes = desc.volumes.iter();
            volumes
                .into_iter()
                .any(|v| v.touches(centre, sphere.radius))
        };
        touches(sphere.centre)
    })
}
