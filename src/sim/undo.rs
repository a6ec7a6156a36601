//! Undo and redo.
//!
//! The bodies that a change spawned carry its number: undo puts them away, redo brings them back unchanged; chunks that
//! it broke are whole again in between. Bodies that are in rock afterwards move to the nearest air that fits; a crumb
//! that finds none is removed. The list of operations that a save writes follows.
use super::giving_way::GivingWay;
use super::history::{BrokenChunk, History, RedoStep, UndoStep};
use super::loads::Loads;
use super::mover_states::DamagedMover;
use super::movers;
use super::player_actions;
use super::report::{Reverted, StepReport};
use super::simulation::Sim;
use super::tick::REVERT_UNITS;
use crate::debris::{Body, clearance, retire, sleep};
use crate::geom::Aabb;
use crate::geom::shared::Shared;
use crate::level::SavedOperation;
use crate::timing::Marker;
use crate::world::Delta;
use std::sync::Arc;

impl Sim {
    /// Forgets all undo and redo steps, so that a long run without undo does not keep them.
    pub fn forget_history(&mut self) {
        let History { done, undone, .. } = &mut self.history;
        for step in done.drain(..) {
            self.world.forget(&step.delta);
        }
        for undone in undone.drain(..) {
            self.world.forget(&undone.step.delta);
        }
    }
}

/// Records a committed change and discards the undone ones. Returns its number, for the bodies that it spawns.
pub(super) fn record(
    sim: &mut Sim,
    delta: Delta,
    bounds: Aabb,
    saved: SavedOperation,
    is_consequence: bool,
) -> u64 {
    let history = &mut sim.history;
    for undone in history.undone.drain(..) {
        sim.world.forget(&undone.step.delta);
    }
    history.last += 1;
    let number = history.last;
    history.done.push(Shared::new(UndoStep {
        number,
        tick: sim.tick,
        units: sim.world.units_to_revert(&delta),
        delta,
        bounds,
        broken: Vec::new(),
        movers: Vec::new(),
        is_consequence,
    }));
    sim.level.since.push(saved);
    number
}

/// Records the chunks that the last change, of this number, broke. Number 0 means that the world itself did not change:
/// then the chunks stay broken.
pub(super) fn record_broken(sim: &mut Sim, number: u64, chunks: Vec<Body>) {
    if number == 0 {
        return;
    }
    let last = sim.history.done.last_mut().expect("it was just recorded");
    assert_eq!(last.number, number, "nothing came in between");
    last.broken = chunks.into_iter().map(BrokenChunk::new).collect();
    if last.broken.iter().any(BrokenChunk::is_rebuilt) {
        last.units = last.units.max(REVERT_UNITS);
    }
}

/// Notes that a chunk broke by itself: what redo would break is now its parts.
pub(super) fn note_broken_up(sim: &mut Sim, chunk: &Body, parts: &[Body]) {
    for undone in &mut sim.history.undone {
        let broken = &mut undone.broken;
        let Some(at) = broken.iter().position(|one| is_same_chunk(one, chunk)) else {
            continue;
        };
        broken.splice(at..=at, parts.iter().cloned());
    }
}

/// Records the movers that the last change, of this number, carved.
pub(super) fn record_movers(sim: &mut Sim, number: u64, damaged: Vec<DamagedMover>) {
    let last = sim.history.done.last_mut();
    if let Some(last) = last.filter(|last| last.number == number) {
        if !damaged.is_empty() {
            // Their shapes are rebuilt, which takes a tick of its own.
            last.units = last.units.max(REVERT_UNITS);
        }
        last.movers = damaged;
    }
}

fn is_same_chunk(a: &Body, b: &Body) -> bool {
    let shapes = a.chunk.as_ref().zip(b.chunk.as_ref());
    shapes.is_some_and(|(a, b)| Arc::ptr_eq(a, b))
}

/// Undoes the last change, with what follows from it.
pub(super) fn undo(sim: &mut Sim, report: &mut StepReport, marker: &mut dyn Marker) {
    if sim.history.done.is_empty() {
        report.notices.push("there is nothing to undo".into());
    }
    while let Some(step) = sim.history.done.pop() {
        let is_cause = !step.is_consequence;
        undo_step(sim, step, report, marker);
        if is_cause {
            return;
        }
    }
}

fn undo_step(
    sim: &mut Sim,
    step: Shared<UndoStep>,
    report: &mut StepReport,
    marker: &mut dyn Marker,
) {
    let saved = sim.level.since.pop().expect("every change is saved");
    let mut step = step.take();
    let number = step.number;
    let broken = std::mem::take(&mut step.broken).into_iter();
    let broken: Vec<Body> = broken.map(BrokenChunk::whole).collect();
    let bodies = sim.bodies.change(|all| {
        let (bodies, rest) = std::mem::take(all)
            .into_iter()
            .partition(|body| body.operation == number);
        *all = rest;
        all.extend(broken.iter().cloned());
        bodies
    });
    step = revert(sim, step, false, report, marker);
    sim.history.undone.push(Shared::new(RedoStep {
        step,
        saved,
        bodies,
        broken,
    }));
}

/// Redoes the last undone change, with what follows from it.
pub(super) fn redo(sim: &mut Sim, report: &mut StepReport, marker: &mut dyn Marker) {
    let Some(undone) = sim.history.undone.pop() else {
        report.notices.push("there is nothing to redo".into());
        return;
    };
    redo_step(sim, undone.take(), report, marker);
    let follows = |undone: &mut Shared<RedoStep>| undone.step.is_consequence;
    while let Some(undone) = sim.history.undone.pop_if(follows) {
        redo_step(sim, undone.take(), report, marker);
    }
}

fn redo_step(sim: &mut Sim, undone: RedoStep, report: &mut StepReport, marker: &mut dyn Marker) {
    let mut step = revert(sim, undone.step, true, report, marker);
    sim.level.since.push(undone.saved);
    // The world is the same as when these bodies were put away.
    let (limit, viewer) = (sim.settings.max_bodies as usize, sim.viewer());
    sim.bodies.change(|bodies| {
        bodies.retain(|body| !undone.broken.iter().any(|one| is_same_chunk(one, body)));
        bodies.extend(undone.bodies);
        retire::retire(bodies, limit, &viewer);
    });
    step.broken = undone.broken.into_iter().map(BrokenChunk::new).collect();
    sim.history.done.push(Shared::new(step));
}

/// Reverts the world, then frees bodies and the player.
fn revert(
    sim: &mut Sim,
    mut step: UndoStep,
    redo: bool,
    report: &mut StepReport,
    marker: &mut dyn Marker,
) -> UndoStep {
    let mut done = sim.world.revert(step.delta, marker);
    step.delta = std::mem::take(&mut done.delta);
    if let Some(strength) = &mut sim.strength {
        match redo {
            // It may have been undone before its check was over.
            true => strength.note_change(&step.bounds),
            false => strength.note_undo(&step.bounds),
        }
    }
    let level = sim.level.movers.clone();
    sim.movers.swap(&mut step.movers, &level);
    sim.loads = Loads::default();
    sim.giving_way = GivingWay::default();
    free_bodies(sim, &step.bounds, report);
    player_actions::free_player(sim, report);
    movers::push_player_out(sim);
    report.reverted.push(Reverted { redo, report: done });
    step
}

/// Wakes the bodies near a change; those in rock move to the nearest air that fits or are removed, those that stick in a
/// wall are pushed out.
fn free_bodies(sim: &mut Sim, bounds: &Aabb, report: &mut StepReport) {
    let (world, stats) = (&sim.world, &mut report.queries);
    sim.bodies.change(|bodies| {
        sleep::wake_in_box(bodies, bounds);
        bodies.retain_mut(|body| {
            let is_near = bounds.grow(body.radius).contains(body.position);
            !is_near || clearance::free(body, world, (bounds.max - bounds.min).length(), stats)
        });
    });
}
