//! Movers: doors, plats, buttons, trains and rotating things, and the triggers and relays that start them.
//!
//! A tick of them ([`advance`]) comes before the player's: what the player, shots and signals start begins to move
//! (`triggers`, `signals` from the `outbox`, `machine`); each mover tries its move, carries and pushes the player, and stays where something is
//! in its way (`push`); what moves then is swept against them, both moving (`queries`). Bodies meet them as kinematic solids
//! in the step of the debris. A blast carves a mover as it carves chunks ([`super::carves`]). They are no part of the world;
//! `closed` says which portals shut doors close (`cover`: what it takes).
//!
//! The way that Quake moves them (`SV_PushMove`) is the model: a move is whole or it is not made.
mod closed;
mod cover;
mod machine;
mod outbox;
mod push;
mod queries;
mod signals;
mod triggers;

pub use closed::ClosedPortals;
pub(super) use queries::{SolidHit, first_hit, push_player_out};

use super::report::StepReport;
use super::simulation::Sim;
use crate::timing::{Marker, Stage};

/// A tick of all movers.
pub(super) fn advance(sim: &mut Sim, report: &mut StepReport, marker: &mut dyn Marker) {
    let level = sim.level.movers.clone();
    if level.is_empty() {
        return;
    }
    marker.begin(Stage::Movers);
    triggers::feel_player(sim, &level, report);
    machine::start_touched(sim, &level);
    signals::deliver(sim, &level, report);
    machine::end_waits(sim, &level);
    machine::move_all(sim, &level, report);
    marker.end(Stage::Movers);
}
