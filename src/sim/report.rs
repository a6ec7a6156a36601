//! The report of a tick: counts and events.
use crate::bvh::QueryStats;
use crate::structure::{Mode, StructuralMaterial};
use crate::world::{CarveReport, WorldError};
use glam::DVec3;

/// The report of a tick; counts only, no clock.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// Carves and fills, in order.
    pub carves: Vec<CarveEvent>,
    /// Undone and redone changes, in order.
    pub reverted: Vec<Reverted>,
    /// Cost of all queries of the tick.
    pub queries: QueryStats,
    /// Bodies awake after the tick.
    pub awake: u32,
    /// Bodies spawned in the tick.
    pub spawned: u32,
    /// Moves that went through a wall in this tick: always 0 with the swept solver.
    pub tunnelled: u32,
    /// Chunks among the spawned bodies.
    pub chunks: u32,
    /// What the check of strength found that ended in this tick.
    pub check: Option<CheckReport>,
    /// Sections that break in this tick, as their creaking has ended.
    pub broken: Vec<BrokenSection>,
    /// Requests that could not be carried out, in words for the panel.
    pub notices: Vec<String>,
    /// What triggers say to the player, as the level has it.
    pub messages: Vec<String>,
    /// Why a shot or a tool did nothing, in words for the crosshair. Changes that the world refuses, or that have no
    /// effect, are in [`StepReport::carves`].
    pub misses: Vec<&'static str>,
}

/// What a check of strength found.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckReport {
    /// Blocks of the structures around the change.
    pub blocks: usize,
    /// Their bonds.
    pub bonds: usize,
    /// The greatest utilisation; 0 without bonds.
    pub utilisation: f64,
    /// Bonds that are too weak for their load: of those in one member one breaks at a time, and so many at most.
    pub overloaded: usize,
    /// Some structure was too large to check.
    pub is_too_large: bool,
}

impl StepReport {
    /// Of structures: blocks and bonds checked, and bonds that break.
    pub fn structure_counts(&self) -> [usize; 3] {
        let check = self.check.as_ref();
        let [blocks, bonds] = check.map_or([0; 2], |check| [check.blocks, check.bonds]);
        [blocks, bonds, self.broken.len()]
    }
}

/// A section that breaks under its load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrokenSection {
    /// Its centroid, metres.
    pub centre: DVec3,
    /// m².
    pub area_m2: f64,
    /// Of the weaker side.
    pub material: Option<StructuralMaterial>,
    /// The stress that breaks it.
    pub mode: Mode,
    /// That stress by the strength against it, above 1.
    pub utilisation: f64,
}

/// The outcome of a carve or a fill.
#[derive(Clone, Debug)]
pub struct CarveEvent {
    /// Its cause.
    pub by: CarvedBy,
    /// Centre, metres.
    pub position: DVec3,
    /// Brush radius, metres.
    pub radius: f64,
    /// The world's report, or why it refused.
    pub result: Result<CarveReport, WorldError>,
    /// Number of its change in the history; 0 if it changed neither the world nor a mover.
    pub change: u64,
    /// Number of movers that it carved, and cubic metres that it took out of them.
    pub movers: (u32, f64),
    /// Number of chunks that it broke.
    pub broken: u32,
}

/// The cause of a carve or a fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarvedBy {
    /// An explosion.
    Blast,
    /// A drill.
    Drill,
    /// The Carve tool.
    Carve,
    /// The Fill tool.
    Fill,
    /// A failure under load.
    Failure,
}

impl CarvedBy {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            CarvedBy::Blast => "blast",
            CarvedBy::Drill => "drill",
            CarvedBy::Carve => "carve",
            CarvedBy::Fill => "fill",
            CarvedBy::Failure => "failure",
        }
    }
}

impl CarveEvent {
    /// Whether it changed the world, a mover or a chunk.
    pub fn has_effect(&self) -> bool {
        let world = self.result.as_ref();
        world.is_ok_and(|done| done.no_effect.is_none()) || self.movers.0 > 0 || self.broken > 0
    }

    /// Whether it is a failure whose section had already fallen away: nothing changed, and the player asked for nothing.
    pub fn is_moot_failure(&self) -> bool {
        let nothing = self
            .result
            .as_ref()
            .is_ok_and(|done| done.no_effect.is_some());
        self.by == CarvedBy::Failure && nothing
    }
}

/// The outcome of an undo or a redo.
#[derive(Clone, Debug)]
pub struct Reverted {
    /// A redo; otherwise an undo.
    pub redo: bool,
    /// The world's report; [`CarveReport::delta`] stays in the history.
    pub report: CarveReport,
}
