//! What moves and what is remembered: plain data, owned by [`super::Sim`].
use crate::bvh::QueryStats;
use crate::carve::MaterialId;
use crate::world::{CarveReport, CastHit, Revision, WorldError};
use glam::DVec3;

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
    /// Of its blast, metres; None: what the settings say when it goes off.
    pub blast_radius: Option<f64>,
}

/// A grenade on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Grenade {
    /// Where it is, metres.
    pub position: DVec3,
    /// Where it was a tick ago.
    pub previous: DVec3,
    /// Metres a second.
    pub velocity: DVec3,
    /// Ticks since it was thrown.
    pub age: u32,
    /// How far it has come, metres: it tumbles by that.
    pub path: f64,
    /// Of its blast, metres; None: what the settings say when it goes off.
    pub blast_radius: Option<f64>,
}

/// A hole that was just drilled, for the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Drilled {
    /// Where the drill came from, metres.
    pub eye: DVec3,
    /// Where the hole begins.
    pub from: DVec3,
    /// Where it ends.
    pub to: DVec3,
    /// Metres.
    pub radius: f64,
    /// What it went into.
    pub material: Option<MaterialId>,
    /// Tick of the shot.
    pub tick: u64,
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
    /// Revision of the world after it.
    pub revision: Revision,
    /// What it cut; None where nothing was cut.
    pub material: Option<MaterialId>,
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
    /// Radians; see [`super::Command::yaw`].
    pub yaw: f64,
    /// Radians, up is positive.
    pub pitch: f64,
    /// Walks with gravity instead of flying.
    pub walking: bool,
    /// Flies through walls.
    pub no_clip: bool,
    /// Stands on something.
    pub on_ground: bool,
    /// Walks bent: lower, until there is room to stand up.
    pub crouched: bool,
    /// Soles of a walking player, metres; the eye is above them, but for [`Player::eye_lag`].
    pub feet: DVec3,
    /// How far the eye is above (below: negative) its place over the feet, metres: steps reach it a little later.
    pub eye_lag: f64,
    /// Where the eye was last in the air: leaving no-clip inside rock leads back here.
    pub last_air: DVec3,
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
    /// Who made it.
    pub by: CarvedBy,
    /// Where, metres.
    pub position: DVec3,
    /// Brush radius, metres.
    pub radius: f64,
    /// What the world says, or why it refused.
    pub result: Result<CarveReport, WorldError>,
}

/// What makes changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarvedBy {
    /// Something that explodes.
    Blast,
    /// A drill.
    Drill,
    /// The brush tool, taking away.
    Carve,
    /// The brush tool, adding.
    Fill,
}

/// What happened in a tick; counts only, no clock.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// Carves and fills, in order.
    pub carves: Vec<CarveEvent>,
    /// Changes taken back and done again, in order.
    pub reverted: Vec<super::Reverted>,
    /// Cost of all queries of the tick.
    pub queries: QueryStats,
    /// Bodies awake after the tick.
    pub awake: u32,
    /// Bodies spawned in the tick.
    pub spawned: u32,
    /// Moves of the tick that went through a wall: only other solvers than the swept one do that.
    pub tunnelled: u32,
    /// Of these, chunks.
    pub chunks: u32,
    /// What was asked for and could not be done, in words for the panel.
    pub notices: Vec<String>,
    /// Why a shot or a tool did nothing, in words for the crosshair; changes that the world refuses or that have no effect
    /// are among [`StepReport::carves`].
    pub misses: Vec<&'static str>,
}
