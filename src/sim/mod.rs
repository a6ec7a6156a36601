//! The only thing that advances the world: [`Sim::step`]. Same level, seed and commands: the same state, bit for bit.
//!
//! `step` is the table of contents of a tick. What it reads is a [`Command`] ([`command`], [`settings`]) and its own
//! state ([`state`]); what it does lies in a file a phase: the actions and the carves they ask for (`carves`), the
//! player ([`player`], on the sweeps of [`slide`]), what is shot ([`shot`]: `rocket`, `grenade`, drills and balls), the
//! crumbs ([`crate::debris`]; `pour` for those that no carve threw).
//! [`recording`] writes commands down, [`replay`] plays them again, [`timeline`] goes to any tick of them; [`soak`] makes
//! them up.
use crate::debris::retire::Viewer;
use crate::debris::{Ball, Debris};
use crate::geom::rng::Rng;
use crate::level::LevelDesc;
use crate::timing::Marker;
use crate::world::{Preview, RoomId, World, WorldError};
use glam::DVec3;
use std::collections::VecDeque;

mod carves;
mod check;
pub mod command;
mod grab;
mod grenade;
mod hash;
pub mod history;
pub mod kill_plane;
pub mod meet;
mod passing;
pub mod player;
mod pour;
pub mod recording;
pub mod replay;
mod rocket;
pub mod settings;
pub mod shot;
pub mod slide;
pub mod soak;
mod start;
pub mod state;
mod step;
pub mod timeline;

#[cfg(test)]
mod tests;

pub use crate::debris::Body;
pub use carves::tool_ray;
pub use command::{Action, Command, Tool, ToolShape};
pub use history::{Change, History, Reverted};
pub use settings::{BLAST_RADII, Settings};
pub use shot::{Shot, ShotSettings};
pub use soak::soak_command;
pub use state::{
    CarveEvent, CarvedBy, Drilled, Explosion, Grenade, Player, Probe, Rocket, StepReport,
};
pub use timeline::Timeline;

/// A tick, seconds.
pub const TICK_SECS: f64 = 1.0 / 60.0;

/// Units of carving work in a tick: 4 to 9 ms. A carve that takes more goes on in the next tick.
const CARVE_UNITS: u64 = 48_000;

/// The simulation: owner of the world and of all that moves.
#[derive(Clone, Debug)]
pub struct Sim {
    /// The level as loaded, with every operation since (what a save writes).
    pub level: LevelDesc,
    /// The rooms.
    pub world: World,
    /// In force now.
    pub settings: Settings,
    /// The player.
    pub player: Player,
    /// In flight.
    pub rockets: Vec<Rocket>,
    /// In flight, or lying about until their fuses end.
    pub grenades: Vec<Grenade>,
    /// The last two seconds' drillings.
    pub drilled: Vec<Drilled>,
    /// Chunks and crumbs, the oldest first.
    pub bodies: Debris,
    /// The last two seconds' explosions.
    pub explosions: Vec<Explosion>,
    /// The last two seconds' rays and sweeps, newest last, at most 256.
    pub probes: Vec<Probe>,
    /// What can be taken back.
    pub history: History,
    /// Changes asked for and not done, in order; the first is under way in the world.
    cuts: VecDeque<carves::Cut>,
    /// [`CARVE_UNITS`], but for tests.
    carve_units: u64,
    /// Ticks done.
    pub tick: u64,
    /// Room of the eye; None in rock.
    pub eye_room: Option<RoomId>,
    /// The only source of chance.
    rng: Rng,
}

impl Sim {
    /// Opens a level. Warnings and errors of the level come from [`crate::level`]; a start in solid adds one.
    pub fn new(
        mut level: LevelDesc,
        seed: u64,
        settings: Settings,
        marker: &mut dyn Marker,
    ) -> Result<Sim, WorldError> {
        let settings = settings.within_limits();
        let world = World::build(&level.world, &settings.tree, marker)?;
        let player = start::place_player(&world, &mut level, settings.buffer_distance);
        let eye_room = world.locate(player.eye);
        Ok(Sim {
            level,
            world,
            settings,
            player,
            rockets: Vec::new(),
            grenades: Vec::new(),
            drilled: Vec::new(),
            bodies: Debris::default(),
            explosions: Vec::new(),
            probes: Vec::new(),
            history: History::default(),
            cuts: VecDeque::new(),
            carve_units: CARVE_UNITS,
            tick: 0,
            eye_room,
            rng: Rng::new(seed),
        })
    }

    /// Bodies of which a sphere has its centre in rock or outside the bounds.
    pub fn escaped(&self) -> u64 {
        let is_lost = |ball: Ball| self.world.locate(ball.centre).is_none();
        let lost = self.bodies.iter().filter(|body| body.balls().any(is_lost));
        lost.count() as u64
    }

    /// Forgets what could be undone and redone, so that a long run without undo does not keep it.
    pub fn forget_history(&mut self) {
        history::forget(self);
    }

    /// How much of the carve is done that is under way, 0..=1, a guess; None when all that was asked for is done.
    pub fn carving(&self) -> Option<f64> {
        let waits = (!self.cuts.is_empty()).then_some(0.0);
        self.world.part_done().or(waits)
    }

    /// What a tool would do at the crosshair now; None where there is no face within reach. The state stays as it is.
    /// While a carve is under way: [`WorldError::Busy`].
    pub fn preview(&mut self, fill: bool, tool: &Tool) -> Option<Result<Preview, WorldError>> {
        let operation = carves::aimed(self, fill, tool)?;
        Some(operation.and_then(|operation| self.world.preview(&operation)))
    }

    /// The command that asks for nothing and keeps the look as it is.
    pub fn idle(&self) -> Command {
        Command {
            yaw: self.player.yaw,
            pitch: self.player.pitch,
            ..Command::default()
        }
    }

    /// A tick without a command changes nothing that is seen.
    pub fn is_still(&self) -> bool {
        let player = &self.player;
        self.rockets.is_empty()
            && self.grenades.is_empty()
            && self.explosions.is_empty()
            && self.drilled.is_empty()
            && self.probes.is_empty()
            && self.bodies.is_still()
            && self.carving().is_none()
            && player.eye == player.previous_eye
            && player.eye_lag == 0.0
    }

    /// Who must not see chunks vanish.
    fn viewer(&self) -> Viewer {
        Viewer {
            eye: self.player.eye,
            look: self.look_dir(),
        }
    }

    /// Unit vector the player looks along.
    pub fn look_dir(&self) -> DVec3 {
        command::look_dir(self.player.yaw, self.player.pitch)
    }
}
