//! An operation in progress: its changes so far, and the data of its current phase.
use super::delta::Delta;
use super::geometry::Geometry;
use super::islands::IslandSearch;
use super::mesh::PreparedRoom;
use super::report::Island;
use super::restore::take_back;
use super::room::{Room, RoomId};
use super::touched::Touched;
use super::work_budget::RESTORE;
use crate::carve::Op;
use crate::carve::conform::ConformBox;
use crate::carve::polytope::Polytope;
use glam::DVec3;

/// An operation in progress.
#[derive(Clone, Debug)]
pub(super) struct PendingOperation {
    pub change: Change,
    pub phase: Phase,
    /// Estimated progress, 0..=1; never decreases.
    pub part_done: f64,
}

/// The operation, and the faces that it has touched so far.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub op: Op,
    pub polytopes: Vec<Polytope>,
    /// The box of all solids, steps.
    pub lo: DVec3,
    pub hi: DVec3,
    pub before: GeometryTotals,
    pub touched: Touched,
    /// Solid that became air, without loose pieces; known once clipping is done.
    pub volume_m3: f64,
}

/// Totals of the geometry as of the last commit.
#[derive(Clone, Debug)]
pub(super) struct GeometryTotals {
    pub air: i128,
    pub bytes: usize,
    /// Edges without an opposite.
    pub unmatched: usize,
}

/// The phases, in order.
#[derive(Clone, Debug)]
pub(super) enum Phase {
    Clip(Clip),
    Conform(Conform),
    Islands(Box<IslandSearch>),
    Draw(Draw),
}

/// Clips solids in cells.
#[derive(Clone, Debug)]
pub(super) struct Clip {
    /// Pairs of solid and cell, in order.
    pub stamps: Vec<(u32, RoomId)>,
    pub next: usize,
}

/// Makes faces share their corners.
#[derive(Clone, Debug)]
pub(super) struct Conform {
    /// The cells that touch the box of all solids.
    pub near: Vec<RoomId>,
    /// Boxes still to be processed, the next one last.
    pub boxes: Vec<ConformBox>,
    /// Corners are shared in the whole box, not only where cells meet.
    pub is_everywhere: bool,
}

/// The faces are final. Rooms are prepared beside the visible ones if the commit cannot draw them all at once.
#[derive(Clone, Debug)]
pub(super) struct Draw {
    /// Pieces that have left the world.
    pub islands: Vec<Island>,
    /// Rooms still to be drawn, the next one last, each with its changed faces. None until it is decided whether they
    /// are drawn ahead of the commit.
    pub left: Option<Vec<(RoomId, Vec<u32>)>>,
    pub drawn: Vec<PreparedRoom>,
}

impl Draw {
    pub fn new(islands: Vec<Island>) -> Draw {
        Draw {
            islands,
            left: None,
            drawn: Vec::new(),
        }
    }
}

impl PendingOperation {
    /// Reverts the faces to the last commit. Returns the units that it took.
    pub fn take_back(self, geometry: &mut Geometry) -> u64 {
        let fallen = self.fallen().len() as u64;
        let delta = Delta::new(self.change.touched.log, fallen);
        let units = delta.corners(geometry) * RESTORE;
        take_back(geometry, delta);
        units
    }

    /// Pieces that have fallen so far.
    pub fn fallen(&self) -> &[Island] {
        match &self.phase {
            Phase::Clip(_) | Phase::Conform(_) => &[],
            Phase::Islands(search) => &search.fallen,
            Phase::Draw(draw) => &draw.islands,
        }
    }

    /// Rooms that are prepared but not visible yet.
    pub fn drawn_rooms(&mut self) -> impl Iterator<Item = &mut Room> {
        let drawn: &mut [PreparedRoom] = match &mut self.phase {
            Phase::Clip(_) | Phase::Conform(_) | Phase::Islands(_) => &mut [],
            Phase::Draw(draw) => &mut draw.drawn,
        };
        drawn.iter_mut().map(|beside| &mut beside.room)
    }

    /// Estimated progress, 0..=1.
    pub fn guess(&self) -> f64 {
        match &self.phase {
            Phase::Clip(clip) => 0.5 * clip.next as f64 / clip.stamps.len().max(1) as f64,
            Phase::Conform(conform) => 0.7 - 0.2 * (conform.boxes.len() as f64 / 8.0).min(1.0),
            Phase::Islands(_) => 0.7,
            Phase::Draw(draw) => {
                let all = draw.left.as_ref().map_or(1, Vec::len) + draw.drawn.len();
                0.75 + 0.25 * draw.drawn.len() as f64 / all.max(1) as f64
            }
        }
    }
}
