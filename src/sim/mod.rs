//! The simulation: [`Sim::step`] is the only thing that advances the world. Same level, seed and commands: the same state,
//! bit for bit.
//!
//! `step` is the table of contents of a tick. It reads a [`Command`] ([`command`], [`settings`]) and the state
//! (`simulation`, `player`, `state`), and runs phase by phase: actions and the carves they queue (`carves`), movers (`movers`),
//! the player (`movement` on the sweeps of [`slide`]), projectiles ([`shot`], `shoot`, `rocket`, `grenade`), bodies
//! ([`crate::debris`]; `pour` spawns crumbs without a carve).
//! [`recording`] writes commands, [`replay`] plays them, [`timeline`] seeks any tick of them; [`soak`] makes random ones.
mod bore;
mod carves;
mod check;
mod checked;
pub mod command;
mod fit_player;
mod forecast;
mod giving_way;
mod grab;
mod grenade;
mod hash;
pub mod history;
mod impacts;
pub mod kill_plane;
pub(crate) mod liquids;
mod loads;
mod movement;
mod mover_states;
pub(crate) mod movers;
pub mod moving_sphere;
pub mod player;
mod player_actions;
mod pour;
mod queued_operation;
pub mod recording;
pub mod replay;
pub mod report;
mod rocket;
pub mod settings;
mod shoot;
pub mod shot;
mod shove;
mod simulation;
pub mod slide;
pub mod soak;
mod start;
pub mod state;
mod step;
mod sweep_moving;
mod swim;
mod tick;
pub mod timeline;
mod tunnelling;
mod undo;

#[cfg(test)]
pub(crate) mod tests;

pub use crate::debris::Body;
pub use carves::{add_new_materials, tool_ray};
pub use command::{Action, Command, Tool, ToolShape};
pub use forecast::{Forecast, Foreseen};
pub use giving_way::Creaking;
pub use history::{Change, History};
pub use mover_states::{Mover, MoverStates, Phase};
pub use movers::ClosedPortals;
pub use player::Player;
pub use report::{BrokenSection, CarveEvent, CarvedBy, CheckReport, Reverted, StepReport};
pub use settings::{BLAST_RADII, BREAKS, MOST_CREAK, MOST_STRENGTH, Settings};
pub use shot::{Shot, ShotSettings};
pub use simulation::Sim;
pub use soak::soak_command;
pub use state::{Drilled, Dust, Explosion, Grenade, Probe, Ripple, Rocket};
pub use tick::TICK_SECS;
pub use timeline::Timeline;
