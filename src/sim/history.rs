//! Undo and redo: every change of the world, with what takes it back.
//!
//! A step keeps the faces, portals and subtrees that its change took away ([`Delta`]), so its memory follows what
//! changed, and the stack has no bound. The bodies that a change made bear its number: undo puts them away, redo brings
//! them back as they were put away; chunks that it broke are whole again in between. What is in rock then moves to the nearest air that fits; a crumb that finds none is
//! gone. The list of operations that a save writes follows.
use super::state::StepReport;
use super::{Sim, player};
use crate::debris::{Body, clearance, retire, sleep};
use crate::geom::Aabb;
use crate::geom::hash::Hash64;
use crate::geom::shared::Shared;
use crate::level::SavedOperation;
use crate::timing::Marker;
use crate::world::{CarveReport, Delta};
use std::sync::Arc;

/// What taking changes back may take of a tick: a third of what carving may, as nothing else goes on meanwhile.
const UNITS_IN_A_TICK: u64 = super::CARVE_UNITS / 3;

/// What can be taken back and done again.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: Vec<Shared<Step>>,
    undone: Vec<Shared<Undone>>,
    /// Number of the last change; never given twice.
    last: u64,
}

/// One change of the world.
#[derive(Clone, Debug)]
struct Step {
    number: u64,
    /// Tick of the change.
    tick: u64,
    /// Takes it back; of a step that was undone: does it again.
    delta: Delta,
    /// Units of work that this takes.
    units: u64,
    /// Where bodies feel it, metres.
    near: Aabb,
    /// Chunks that it broke, as they were just before.
    broken: Vec<Body>,
}

/// A change that is taken back, and what it takes along.
#[derive(Clone, Debug)]
struct Undone {
    step: Step,
    saved: SavedOperation,
    bodies: Vec<Body>,
}

/// A change that can be taken back or done again.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// Never given twice in a run.
    pub number: u64,
    /// Tick in which it was done.
    pub tick: u64,
    /// It is taken back now.
    pub is_undone: bool,
    /// What it was.
    pub saved: &'a SavedOperation,
}

/// What an undo or a redo did.
#[derive(Clone, Debug)]
pub struct Reverted {
    /// Done again, not taken back.
    pub redo: bool,
    /// What became of the world; [`CarveReport::delta`] is kept by the history.
    pub report: CarveReport,
}

impl History {
    /// Changes that can be taken back.
    pub fn undo_steps(&self) -> usize {
        self.done.len()
    }

    /// Changes that can be done again.
    pub fn redo_steps(&self) -> usize {
        self.undone.len()
    }

    /// How many changes can be taken back (`redo`: done again) in one tick without a pause that people feel; at least
    /// one, if there is one.
    pub fn steps_in_a_tick(&self, redo: bool) -> usize {
        let mut units = UNITS_IN_A_TICK;
        let mut fits = |step: &Step| {
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

    /// Bytes kept.
    pub fn bytes(&self) -> usize {
        let step = |step: &Step| size_of::<Step>() + step.delta.bytes();
        let away = |undone: &Undone| {
            let bodies = undone.bodies.capacity() * size_of::<Body>();
            size_of::<Undone>() + undone.step.delta.bytes() + bodies
        };
        let done = self.done.iter().map(|done| step(done)).sum::<usize>();
        done + self.undone.iter().map(|undone| away(undone)).sum::<usize>()
    }

    /// Every change in order, those that were undone last. `since` is [`crate::level::LevelDesc::since`].
    pub fn changes<'a>(&'a self, since: &'a [SavedOperation]) -> Vec<Change<'a>> {
        // Of what was done before the first step nothing can be taken back any more.
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

    /// Number of the last change that was made; 0 without one.
    pub fn last_number(&self) -> u64 {
        self.last
    }

    /// Whether all that is done here is done there too, and in the same order: this is an earlier state of that run, or
    /// the same, and only what can be taken back lies between.
    pub(super) fn is_before(&self, later: &History) -> bool {
        // A stack: what lies below the same step is the same.
        match self.done.last() {
            Some(last) => later
                .done
                .get(self.done.len() - 1)
                .is_some_and(|step| step.number == last.number),
            None => true,
        }
    }

    /// Changes done there and not here, if [`History::is_before`] holds.
    pub(super) fn steps_to(&self, later: &History) -> usize {
        debug_assert!(self.is_before(later));
        later.done.len() - self.done.len()
    }

    /// What takes the changes back down to the earlier one, the last first.
    pub(super) fn deltas_down_to(&self, earlier: &History) -> impl Iterator<Item = Delta> {
        let steps = self.done[earlier.done.len()..].iter().rev();
        steps.map(|step| step.delta.clone())
    }

    /// The steps that were done, as a later state has them: what they keep goes with its world.
    pub(super) fn take_steps_of(&mut self, later: &History) {
        let count = self.done.len();
        self.done = later.done[..count].to_vec();
    }

    /// What the next ticks depend on.
    pub(super) fn hash(&self, hash: &mut Hash64) {
        hash.u64(self.last);
        hash.u64(self.undone.len() as u64);
        for undone in &self.undone {
            hash.u64(undone.step.number);
        }
    }
}

/// Forgets all steps: nothing can be taken back any more.
pub(super) fn forget(sim: &mut Sim) {
    let History { done, undone, .. } = &mut sim.history;
    for step in done.drain(..) {
        sim.world.forget(&step.delta);
    }
    for undone in undone.drain(..) {
        sim.world.forget(&undone.step.delta);
    }
}

/// A change was committed: what was undone cannot be done again any more. Returns its number for the bodies it makes.
pub(super) fn record(sim: &mut Sim, delta: Delta, near: Aabb, saved: SavedOperation) -> u64 {
    let history = &mut sim.history;
    for undone in history.undone.drain(..) {
        sim.world.forget(&undone.step.delta);
    }
    history.last += 1;
    let number = history.last;
    history.done.push(Shared::new(Step {
        number,
        tick: sim.tick,
        units: sim.world.units_to_revert(&delta),
        delta,
        near,
        broken: Vec::new(),
    }));
    sim.level.since.push(saved);
    number
}

/// The change of this number, the last one, broke these chunks. Where the world itself stayed as it was there is no change,
/// and the number is 0: that chunks broke is not taken back.
pub(super) fn broke(sim: &mut Sim, number: u64, chunks: Vec<Body>) {
    if number == 0 {
        return;
    }
    let last = sim.history.done.last_mut().expect("it was just recorded");
    assert_eq!(last.number, number, "nothing came in between");
    last.broken = chunks;
}

fn is_same_chunk(a: &Body, b: &Body) -> bool {
    let shapes = a.chunk.as_ref().zip(b.chunk.as_ref());
    shapes.is_some_and(|(a, b)| Arc::ptr_eq(a, b))
}

/// Takes the last change back that stands.
pub(super) fn undo(sim: &mut Sim, report: &mut StepReport, marker: &mut dyn Marker) {
    let Some(step) = sim.history.done.pop() else {
        report.notices.push("there is nothing to undo".into());
        return;
    };
    let saved = sim.level.since.pop().expect("every change is saved");
    let mut step = step.take();
    let number = step.number;
    let bodies = sim.bodies.change(|all| {
        let (bodies, rest) = std::mem::take(all)
            .into_iter()
            .partition(|body| body.operation == number);
        *all = rest;
        all.extend(step.broken.iter().cloned());
        bodies
    });
    step = revert(sim, step, false, report, marker);
    sim.history.undone.push(Shared::new(Undone {
        step,
        saved,
        bodies,
    }));
}

/// Does the last change again that was undone.
pub(super) fn redo(sim: &mut Sim, report: &mut StepReport, marker: &mut dyn Marker) {
    let Some(undone) = sim.history.undone.pop().map(Shared::take) else {
        report.notices.push("there is nothing to redo".into());
        return;
    };
    let step = revert(sim, undone.step, true, report, marker);
    sim.level.since.push(undone.saved);
    // The world is as it was when they were put away.
    let (limit, viewer) = (sim.settings.max_bodies as usize, sim.viewer());
    sim.bodies.change(|bodies| {
        bodies.retain(|body| !step.broken.iter().any(|one| is_same_chunk(one, body)));
        bodies.extend(undone.bodies);
        retire::retire(bodies, limit, &viewer);
    });
    sim.history.done.push(Shared::new(step));
}

/// The world's part, and what moves feels it.
fn revert(
    sim: &mut Sim,
    mut step: Step,
    redo: bool,
    report: &mut StepReport,
    marker: &mut dyn Marker,
) -> Step {
    let mut done = sim.world.revert(step.delta, marker);
    step.delta = std::mem::take(&mut done.delta);
    free_bodies(sim, &step.near, report);
    player::free(sim, report);
    report.reverted.push(Reverted { redo, report: done });
    step
}

/// Bodies wake; those in rock move to the nearest air that fits or are gone, those that stick in a wall are eased out.
fn free_bodies(sim: &mut Sim, near: &Aabb, report: &mut StepReport) {
    let (world, stats) = (&sim.world, &mut report.queries);
    sim.bodies.change(|bodies| {
        sleep::wake_in_box(bodies, near);
        bodies.retain_mut(|body| {
            let is_near = near.grow(body.radius).contains(body.position);
            !is_near || clearance::free(body, world, (near.max - near.min).length(), stats)
        });
    });
}
