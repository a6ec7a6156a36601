//! The work budget of a tick: steps of an operation are counted in units, never timed, so that the same carve takes the
//! same ticks everywhere.
use super::description::Operation;

/// Work that may be done, say in a tick. The cost of a step is known before it is done, from the corners of the faces that
/// it looks at; a unit is some 0.13 microseconds of a machine of 2024.
#[derive(Clone, Copy, Debug)]
pub struct WorkBudget {
    left: u64,
    is_untouched: bool,
}

impl WorkBudget {
    /// So many.
    pub fn new(units: u64) -> WorkBudget {
        WorkBudget {
            left: units,
            is_untouched: true,
        }
    }

    /// Units that are left; used to tell what was done.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Counts work that is done already, whether it fits or not.
    pub fn spend(&mut self, work: u64) {
        self.left = self.left.saturating_sub(work);
        self.is_untouched = false;
    }

    /// Whether a step may be done, which then counts: it fits, or nothing has been done yet. So every tick does something.
    pub fn try_spend(&mut self, work: u64) -> bool {
        let fits = self.is_untouched || work <= self.left;
        if fits {
            self.spend(work);
        }
        fits
    }
}

impl Operation {
    /// WorkBudget that [`super::World::begin`] takes: it looks whether each brush's sides bound a solid.
    pub fn units(&self) -> u64 {
        let sides = self.brushes.iter().map(|brush| brush.sides.len());
        sides.sum::<usize>() as u64 * SIDE
    }
}

/// For a corner to be clipped.
pub(super) const CLIP: u64 = 4;
/// For a corner to be conformed.
pub(super) const CONFORM: u64 = 3;
/// For a corner to be redrawn.
pub(super) const DRAW: u64 = 2;
/// For a corner to be put back.
pub(super) const RESTORE: u64 = 1;
/// For a corner to be moved to another cell.
pub(super) const MOVE: u64 = 8;
/// For a face to be flooded.
pub(super) const FLOOD: u64 = 1;
/// For a side of a brush to be looked at.
const SIDE: u64 = 16;
