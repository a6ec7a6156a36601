//! The undo and redo stacks: every change of the world, with the delta that reverts it.
//!
//! A step keeps the faces, portals and subtrees that its change removed ([`Delta`]), so its memory follows the size of the
//! change, and the stack has no bound.
use super::mover_states::DamagedMover;
use super::tick::REVERT_UNITS;
use crate::debris::{Body, Recipe, fracture};
use crate::geom::Aabb;
use crate::geom::hash::Hash64;
use crate::geom::shared::Shared;
use crate::level::SavedOperation;
use crate::world::Delta;

/// Changes that can be undone and redone.
#[derive(Clone, Debug, Default)]
pub struct History {
    pub(super) done: Vec<Shared<UndoStep>>,
    pub(super) undone: Vec<Shared<RedoStep>>,
    /// Number of the last change; no number is given twice.
    pub(super) last: u64,
}

/// One change of the world.
#[derive(Clone, Debug)]
pub(super) struct UndoStep {
    pub number: u64,
    /// Tick of the change.
    pub tick: u64,
    /// Undoes it; of an undone step, redoes it.
    pub delta: Delta,
    /// Units of work of an undo or a redo.
    pub units: u64,
    /// The box in which bodies feel it, metres.
    pub bounds: Aabb,
    /// Chunks that it broke, in their state just before; none while it is undone.
    pub broken: Vec<BrokenChunk>,
    /// Movers that it carved, with their shapes from before; of an undone step, from after.
    pub movers: Vec<DamagedMover>,
    /// It follows from an earlier change, and is undone and redone with it.
    pub is_consequence: bool,
}

/// An undone change, with the saved operation and the bodies that it removed.
#[derive(Clone, Debug)]
pub(super) struct RedoStep {
    pub step: UndoStep,
    pub saved: SavedOperation,
    pub bodies: Vec<Body>,
    /// The chunks that it breaks.
    pub broken: Vec<Body>,
}

/// A chunk that a change broke. One that had been carved before is without its shape.
#[derive(Clone, Debug)]
pub(super) struct BrokenChunk {
    body: Body,
    recipe: Option<Recipe>,
}

impl BrokenChunk {
    pub fn new(mut body: Body) -> Self {
        let recipe = body.chunk.as_ref().and_then(|chunk| chunk.recipe());
        if recipe.is_some() {
            body.chunk = None;
        }
        Self { body, recipe }
    }

    /// Whether an undo rebuilds its shape.
    pub fn is_rebuilt(&self) -> bool {
        self.recipe.is_some()
    }

    /// The chunk with its shape.
    pub fn whole(self) -> Body {
        let Self { mut body, recipe } = self;
        if let Some(recipe) = recipe {
            body.chunk = fracture::chunk_from_recipe(&recipe);
        }
        body
    }

    fn bytes(&self) -> usize {
        self.body.bytes() + self.recipe.as_ref().map_or(0, Recipe::bytes)
    }
}

/// A change in the history, for display.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// Unique in a run.
    pub number: u64,
    /// Tick of the change.
    pub tick: u64,
    /// It is undone now.
    pub is_undone: bool,
    /// The operation.
    pub saved: &'a SavedOperation,
}

impl History {
    /// Whether the change at this place, undone ones last, follows from an earlier one.
    fn is_consequence(&self, place: usize) -> bool {
        let step = match self.done.get(place) {
            Some(step) => Some(&**step),
            None => {
                let place = place - self.done.len();
                let from_top = self.undone.len().checked_sub(place + 1);
                from_top.map(|place| &self.undone[place].step)
            }
        };
        step.is_some_and(|step| step.is_consequence)
    }

    /// The number of changes, at least `count`, that leaves no change without what follows from it.
    pub fn whole_steps(&self, mut count: usize) -> usize {
        while self.is_consequence(count) {
            count += 1;
        }
        count
    }

    /// How many of the changes from one place to another do not follow from an earlier one: an undo or a redo each.
    pub fn causes(&self, places: std::ops::Range<usize>) -> usize {
        places.filter(|&place| !self.is_consequence(place)).count()
    }

    /// Number of changes that can be undone.
    pub fn undo_steps(&self) -> usize {
        self.done.len()
    }

    /// Number of changes that can be redone.
    pub fn redo_steps(&self) -> usize {
        self.undone.len()
    }

    /// How many changes can be undone (`redo`: redone) in one tick without a noticeable pause; at least one, if there is
    /// one.
    pub fn steps_in_a_tick(&self, redo: bool) -> usize {
        let mut units = REVERT_UNITS;
        let mut fits = |step: &UndoStep| {
            let is_left = units > 0;
            units = units.saturating_sub(step.units);
            is_left
        };
        match redo {
            true => self
                .undone
                .iter()
                .rev()
                .take_while(|u| fits(&u.step))
                .count(),
            false => self.done.iter().rev().take_while(|s| fits(s)).count(),
        }
    }

    /// Memory in use, bytes.
    pub fn bytes(&self) -> usize {
        let bodies = |all: &[Body]| all.iter().map(Body::bytes).sum::<usize>();
        let undo = |step: &UndoStep| {
            let shapes = step.movers.iter().filter_map(|mover| mover.solid.as_ref());
            let shapes = shapes.map(Recipe::bytes).sum::<usize>();
            let broken: usize = step.broken.iter().map(BrokenChunk::bytes).sum();
            size_of::<UndoStep>() + step.delta.bytes() + broken + shapes
        };
        let redo = |undone: &RedoStep| {
            let bodies = bodies(&undone.bodies) + bodies(&undone.broken);
            size_of::<RedoStep>() + undo(&undone.step) + bodies
        };
        let done = self.done.iter().map(|done| undo(done)).sum::<usize>();
        done + self.undone.iter().map(|undone| redo(undone)).sum::<usize>()
    }

    /// Every change in order, undone ones last. `since` is [`crate::level::LevelDesc::since`].
    pub fn changes<'a>(&'a self, since: &'a [SavedOperation]) -> Vec<Change<'a>> {
        // Operations before the first step can no longer be undone.
        assert!(self.done.len() <= since.len(), "every change is saved");
        let saved = since.len() - self.done.len();
        let done = self
            .done
            .iter()
            .zip(&since[saved..])
            .map(|(step, saved)| Change {
                number: step.number,
                tick: step.tick,
                is_undone: false,
                saved,
            });
        let undone = self.undone.iter().rev().map(|undone| Change {
            number: undone.step.number,
            tick: undone.step.tick,
            is_undone: true,
            saved: &undone.saved,
        });
        done.chain(undone).collect()
    }

    /// Number of the last change; 0 without one.
    pub fn last_number(&self) -> u64 {
        self.last
    }

    /// Whether the changes done here are the first of those done in `later`: then `later` leads back here by undoing.
    pub(super) fn is_before(&self, later: &History) -> bool {
        // The same last step means the same steps below it.
        match self.done.last() {
            Some(last) => later
                .done
                .get(self.done.len() - 1)
                .is_some_and(|step| step.number == last.number),
            None => true,
        }
    }

    /// Number of changes done in `later` and not here; [`History::is_before`] must hold.
    pub(super) fn steps_to(&self, later: &History) -> usize {
        debug_assert!(self.is_before(later));
        later.done.len() - self.done.len()
    }

    /// The boxes, metres, in which the world differs from that of another state of the same run.
    pub(super) fn boxes_between<'a>(&'a self, other: &'a History) -> impl Iterator<Item = Aabb> {
        let steps = self.done.iter().zip(&other.done);
        let common = steps.take_while(|(a, b)| a.number == b.number).count();
        let differ = self.done[common..].iter().chain(&other.done[common..]);
        differ.map(|step| step.bounds)
    }

    /// The deltas that lead back to `earlier`, the last first.
    pub(super) fn deltas_down_to(&self, earlier: &History) -> impl Iterator<Item = Delta> {
        let steps = self.done[earlier.done.len()..].iter().rev();
        steps.map(|step| step.delta.clone())
    }

    /// Takes over the done steps as `later` has them: their deltas belong to its world.
    pub(super) fn adopt_steps(&mut self, later: &History) {
        let count = self.done.len();
        self.done = later.done[..count].to_vec();
    }

    /// Hashes all that the next ticks depend on.
    pub(super) fn hash(&self, hash: &mut Hash64) {
        hash.u64(self.last);
        hash.u64(self.undone.len() as u64);
        for undone in &self.undone {
            hash.u64(undone.step.number);
        }
    }
}
