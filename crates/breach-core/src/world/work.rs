//! Changes the world phase by phase: clip in every cell, share corners, let loose pieces fall, draw the rooms, commit.
//!
//! A small change is made at once. A large one may stop after any step and continue later, so that no tick takes long.
//! Each step changes the geometry and reads the visible half, which stays as of the last commit. Rooms are prepared
//! beside the visible ones if needed, and [`commit`] swaps them in.
use super::commit::commit;
use super::delta::Delta;
use super::description::Operation;
use super::error::WorldError;
use super::pending_operation::{Change, Clip, GeometryTotals, PendingOperation, Phase};
use super::phases::{self, Step};
use super::report::CarveReport;
use super::stamp;
use super::touched::Touched;
use super::work_budget::{DRAW, RESTORE, WorkBudget};
use super::world::World;
use crate::geom::hash::Hash64;
use crate::stage::Marker;
use glam::DVec3;

impl World {
    /// Applies one operation to every room it touches, or to none.
    pub fn apply(
        &mut self,
        operation: &Operation,
        marker: &mut dyn Marker,
    ) -> Result<CarveReport, WorldError> {
        self.begin(operation)?;
        loop {
            if let Some(result) = self.advance(&mut WorkBudget::new(u64::MAX), marker) {
                return result;
            }
        }
    }
    /// Begins an operation that [`World::advance`] will carry out. Until it is done, queries, drawing and
    /// [`World::hash`] are unaffected; [`World::apply`] and [`World::preview`] refuse.
    pub fn begin(&mut self, operation: &Operation) -> Result<(), WorldError> {
        if self.pending.is_some() {
            return Err(WorldError::Busy);
        }
        self.geometry.release_dropped();
        let work = PendingOperation::new(self, operation)?;
        self.pending = Some(Box::new(work));
        Ok(())
    }
    /// Advances the operation in progress until it is done or the budget is too small for its next step. The result
    /// equals [`World::apply`]'s to the bit. None while it is not done, or if there is none.
    pub fn advance(
        &mut self,
        units: &mut WorkBudget,
        marker: &mut dyn Marker,
    ) -> Option<Result<CarveReport, WorldError>> {
        let mut work = self.pending.take()?;
        let (geometry, visible) = (&mut self.geometry, &mut self.visible);
        let mut step = Step {
            geometry,
            visible,
            units,
            marker,
        };
        if work.advance_faces(&mut step) && work.advance_rooms(&mut step) {
            let done = commit(geometry, visible, *work, self.budget_bytes, marker);
            geometry.planes.remove_unused();
            return Some(done);
        }
        work.part_done = work.part_done.max(work.guess());
        self.pending = Some(work);
        None
    }
    /// Drops the operation in progress without a trace.
    pub fn abandon(&mut self) {
        if let Some(work) = self.pending.take() {
            work.take_back(&mut self.geometry);
        }
    }
    /// Estimated progress of the operation, 0..=1; never decreases. None if there is none.
    pub fn part_done(&self) -> Option<f64> {
        self.pending.as_ref().map(|work| work.part_done)
    }
    /// 64-bit hash over the current faces of the operation in progress, which are not visible yet.
    pub fn work_hash(&self) -> Option<u64> {
        let work = self.pending.as_ref()?;
        let mut hash = Hash64::new();
        hash.u64(self.geometry.face_hash);
        hash.f64(work.part_done);
        Some(hash.finish())
    }
    /// Units of work that undoing or redoing this change will take; call it right after the change.
    pub fn units_to_revert(&self, delta: &Delta) -> u64 {
        delta.corners(&self.geometry) * (RESTORE + DRAW)
    }
}

impl PendingOperation {
    /// Checks the whole operation; nothing has changed yet.
    pub fn new(world: &mut World, operation: &Operation) -> Result<PendingOperation, WorldError> {
        stamp::check_materials(&operation.brushes, &world.materials)?;
        let geometry = &mut world.geometry;
        let polytopes = stamp::polytopes(geometry, operation)
            .and_then(|solids| stamp::without_unbreakable(geometry, operation.op, solids))
            .inspect_err(|_| geometry.planes.remove_unused())?;
        geometry.hash_materials(&world.materials);
        let (mut lo, mut hi) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let mut stamps = Vec::new();
        for (i, p) in (0..).zip(&polytopes) {
            let (a, b) = p.bounds();
            (lo, hi) = (lo.min(a), hi.max(b));
            let cells = geometry.cells_at(&world.visible.tree, a, b);
            stamps.extend(cells.into_iter().map(|c| (i, c)));
        }
        Ok(PendingOperation {
            change: Change {
                op: operation.op,
                polytopes,
                lo,
                hi,
                before: GeometryTotals {
                    air: geometry.air(),
                    bytes: geometry.bytes(),
                    unmatched: geometry.edges.unmatched,
                },
                touched: Touched::default(),
                volume_m3: 0.0,
            },
            phase: Phase::Clip(Clip { stamps, next: 0 }),
            part_done: 0.0,
        })
    }

    /// Runs the phases that change faces; true once all are done, false if the budget is used up.
    pub fn advance_faces(&mut self, step: &mut Step) -> bool {
        let change = &mut self.change;
        loop {
            let next = match &mut self.phase {
                Phase::Clip(clip) => clip.advance(change, step),
                Phase::Conform(conform) => conform.advance(change, step),
                Phase::Islands(search) => phases::advance_search(search, change, step),
                Phase::Draw(_) => return true,
            };
            match next {
                Some(phase) => self.phase = phase,
                None => return false,
            }
        }
    }

    /// Prepares rooms beside the visible ones if there is more to draw than the budget allows at once; true when the
    /// commit can do the rest.
    fn advance_rooms(&mut self, step: &mut Step) -> bool {
        match &mut self.phase {
            Phase::Draw(draw) => draw.advance(&self.change, step),
            Phase::Clip(_) | Phase::Conform(_) | Phase::Islands(_) => false,
        }
    }
}
