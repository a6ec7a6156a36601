//! The only thing that advances the world: [`Sim::step`]. Same level, seed and commands: the same state, bit for bit.
//!
//! `step` is the table of contents of a tick. What it reads is a [`Command`] ([`command`], [`settings`]) and its own
//! state ([`state`]); what it does lies in a file a phase: the actions and the carves they ask for (`carves`), the
//! player ([`player`], on the sweeps of [`slide`]), the rockets (`rocket`), the crumbs ([`crate::debris`]).
//! [`recording`] writes commands down and [`replay`] plays them again; [`soak`] makes them up.
use crate::geom::rng::Rng;
use crate::level::LevelDesc;
use crate::timing::Marker;
use crate::world::{RoomId, World, WorldError};
use glam::DVec3;

mod carves;
pub mod command;
mod hash;
pub mod player;
pub mod recording;
pub mod replay;
mod rocket;
pub mod settings;
pub mod slide;
pub mod soak;
mod start;
pub mod state;
mod step;

#[cfg(test)]
mod tests;

pub use crate::debris::Body;
pub use command::{Action, Command, ToolShape};
pub use settings::Settings;
pub use soak::soak_command;
pub use state::{CarveEvent, Explosion, Player, Probe, Rocket, StepReport};

/// A tick, seconds.
pub const TICK_SECS: f64 = 1.0 / 60.0;

<<<<<<< HEAD
/// Everything that can be tuned and that the simulation reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Radius of a rocket's blast, metres, 0.02..=20.
    pub blast_radius: f64,
    /// Look of the blast: "rock", "concrete" or "metal".
    pub blast_shape: String,
    /// How room trees are built.
    pub tree: BuildParams,
    /// Gap kept before a surface, metres, 0..=0.2.
    pub buffer_distance: f64,
    /// Crumbs thrown by carves.
    pub debris: bool,
    /// At most this many bodies.
    pub max_bodies: u32,
    /// Metres a second squared, downwards.
    pub gravity: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            blast_radius: 1.0, blast_shape: "rock".into(), tree: BuildParams::default(), buffer_distance: 0.02,
            debris: true, max_bodies: 2000, gravity: 9.81,
        }
    }
}

/// Everything the simulation reads in one tick.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Command {
    /// Wish to move: x right, y up (fly only), z forward; each -1..=1.
    pub walk: [f32; 3],
    /// Look direction: yaw to the left from -Z and pitch up, radians, absolute.
    pub yaw: f64,
    #[allow(missing_docs)]
    pub pitch: f64,
    /// Jump is held.
    pub jump: bool,
    /// Faster flight.
    pub fast: bool,
    /// What else happens in this tick, in order.
    pub actions: Vec<Action>,
}

/// A brush of the Carve and Fill tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum ToolShape {
    /// A cube turned to the surface.
    #[default]
    Box,
    /// A faceted ball.
    Ball,
}

/// One thing done in a tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A rocket from the eye along the look direction.
    Fire,
    /// A rocket from anywhere (soak): explodes at the first hit within this tick.
    FireAlong {
        /// Start, metres.
        from: [f64; 3],
        /// Unit direction.
        dir: [f64; 3],
    },
    /// Carve or fill a shape at the face under the crosshair.
    Tool {
        /// Fill instead of carve.
        fill: bool,
        /// Which shape.
        shape: ToolShape,
        /// Edge length or diameter, metres.
        size: f64,
        /// How deep it reaches into the surface, metres.
        depth: f64,
    },
    /// New settings.
    Set(Box<Settings>),
    /// Walk (true) or fly.
    Walk(bool),
    /// Fly through walls.
    NoClip(bool),
    /// Put the player here, eye position in metres.
    Teleport([f64; 3]),
    /// Removes all bodies.
    ClearDebris,
}

/// A flying rocket.
#[derive(Clone, Debug, PartialEq)]
pub struct Rocket {
    /// Where it is, metres.
    pub position: DVec3,
    /// Where it was a tick ago.
    pub previous: DVec3,
    /// Metres a second.
    pub velocity: DVec3,
    /// Ticks since launch.
    pub age: u32,
}

/// An explosion that is still to be seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Explosion {
    /// Centre, metres.
    pub position: DVec3,
    /// Metres.
    pub radius: f64,
    /// Tick of the blast.
    pub tick: u64,
}

/// The player or the flying camera.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    /// Eye, metres.
    pub eye: DVec3,
    /// Eye a tick ago, for interpolation.
    pub previous_eye: DVec3,
    /// Metres a second.
    pub velocity: DVec3,
    /// Radians; see [`Command::yaw`].
    pub yaw: f64,
    /// Radians, up is positive.
    pub pitch: f64,
    /// Walks with gravity instead of flying.
    pub walking: bool,
    /// Flies through walls.
    pub no_clip: bool,
    /// Stands on something.
    pub on_ground: bool,
}

/// A ray or sweep of this tick, for the debug lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// Start, metres.
    pub from: DVec3,
    /// End asked for, metres.
    pub to: DVec3,
    /// 0 is a ray.
    pub radius: f64,
    /// What it met.
    pub hit: Option<CastHit>,
    /// Tick it was cast.
    pub tick: u64,
}

/// What a carve of this tick came to.
#[derive(Clone, Debug)]
pub struct CarveEvent {
    /// Where, metres.
    pub position: DVec3,
    /// Brush radius, metres.
    pub radius: f64,
    /// What the world says, or why it refused.
    pub result: Result<CarveReport, WorldError>,
}

/// What happened in a tick; counts only, no clock.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// Carves and fills, in order.
    pub carves: Vec<CarveEvent>,
    /// Cost of all queries of the tick.
    pub queries: QueryStats,
    /// Bodies awake after the tick.
    pub awake: u32,
    /// Bodies spawned in the tick.
    pub spawned: u32,
}

/// A crumb.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Centre, metres.
    pub position: DVec3,
    /// Centre a tick ago.
    pub previous: DVec3,
    /// Orientation.
    pub rotation: DQuat,
    /// Metres a second.
    pub velocity: DVec3,
    /// Radians a second.
    pub spin: DVec3,
    /// Metres.
    pub radius: f64,
    /// Rests and costs nothing.
    pub asleep: bool,
    /// What it is made of.
    pub material: u32,
}

=======
>>>>>>> h-B
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
    /// Crumbs, the oldest first.
    pub bodies: Vec<Body>,
    /// The last two seconds' explosions.
    pub explosions: Vec<Explosion>,
    /// The last two seconds' rays and sweeps, newest last, at most 256.
    pub probes: Vec<Probe>,
    /// Ticks done.
    pub tick: u64,
    /// Room of the eye; None in rock.
    pub eye_room: Option<RoomId>,
    /// The only source of chance.
    rng: Rng,
}

impl Sim {
<<<<<<< HEAD
    /// Opens a level. Warnings and errors of the level come from [`crate::level`].
    pub fn new(level: LevelDesc, seed: u64, settings: Settings, marker: &mut dyn Marker) -> Result<Sim, WorldError> {
        Err(WorldError::EmptyBrush)
    }
    /// Advances one tick.
    pub fn step(&mut self, command: &Command, marker: &mut dyn Marker) -> StepReport {
        StepReport::default()
    }
    /// Hash over everything that the next tick depends on.
    pub fn state_hash(&self) -> u64 {
        0
=======
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
            bodies: Vec::new(),
            explosions: Vec::new(),
            probes: Vec::new(),
            tick: 0,
            eye_room,
            rng: Rng::new(seed),
        })
>>>>>>> h-B
    }

    /// Bodies whose centre is in rock or outside the bounds.
    pub fn escaped(&self) -> u64 {
        let lost = |body: &&Body| self.world.locate(body.position).is_none();
        self.bodies.iter().filter(lost).count() as u64
    }

    /// The command that asks for nothing and keeps the look as it is.
    pub fn idle(&self) -> Command {
        Command {
            yaw: self.player.yaw,
            pitch: self.player.pitch,
            ..Command::default()
        }
    }

    /// Unit vector the player looks along.
    pub fn look_dir(&self) -> DVec3 {
        command::look_dir(self.player.yaw, self.player.pitch)
    }
}
