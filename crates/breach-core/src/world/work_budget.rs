//! The work budget of a tick. Steps of an operation are counted in units, never timed, so that the same carve takes the
//! same ticks on every machine.
use super::description::Operation;

/// Work allowed, for example in a tick. The cost of a step is known before it runs, from the corners of the faces that
/// it visits; a unit is about 0.13 microseconds on a machine of 2024.
#[derive(Clone, Copy, Debug)]
pub struct WorkBudget {
    left: u64,
    is_untouched: bool,
}

impl WorkBudget {
    /// A budget of this many units.
    pub fn new(units: u64) -> WorkBudget {
        WorkBudget {
            left: units,
            is_untouched: true,
        }
    }

    /// Units that are left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Counts work already done, even beyond the budget.
    pub fn spend(&mut self, work: u64) {
        self.left = self.left.saturating_sub(work);
        self.is_untouched = false;
    }

    /// Counts a step's work and returns true if the step may run: it fits, or nothing has been spent yet, so that every
    /// tick makes progress.
    pub fn try_spend(&mut self, work: u64) -> bool {
        let fits = self.is_untouched || work <= self.left;
        if fits {
            self.spend(work);
        }
        fits
    }
}

impl Operation {
    /// Units that [`super::World::begin`] takes: it checks that each brush's sides bound a solid.
    pub fn units(&self) -> u64 {
        let sides = self.brushes.iter().map(|brush| brush.sides.len());
        sides.sum::<usize>() as u64 * SIDE
    }
}

/// To clip a corner.
pub(super) const CLIP: u64 = 4;
/// To conform a corner.
pub(super) const CONFORM: u64 = 3;
/// To redraw a corner.
pub(super) const DRAW: u64 = 2;
/// To copy a triangle of a room, with its part of the tree and of the tables, to redraw the copy.
pub(super) const COPY: u64 = 8;
/// To restore a corner.
pub(super) const RESTORE: u64 = 1;
/// To move a corner to another cell.
pub(super) const MOVE: u64 = 8;
/// To flood a face. In a long flood most of it is waiting for memory.
pub(super) const FLOOD: u64 = 16;
/// To check a side of a brush.
const SIDE: u64 = 16;
