//! Carries out the queue of changes, in slices of work, one change after the other.
use super::{aftermath, movers};
use crate::level::SavedOperation;
use crate::sim::queued_operation::QueuedOperation;
use crate::sim::report::{CarveEvent, StepReport};
use crate::sim::simulation::Sim;
use crate::sim::state::{Dust, Explosion};
use crate::sim::{liquids, undo};
use crate::timing::{Marker, Stage};
use crate::world::{CarveReport, WorkBudget, WorldError};

/// Why a fill is refused.
pub(super) const PLAYER_IN_THE_WAY: &str = "the player stands where the fill would be";

/// Works on the queue, first in, first out, until the tick's units of work are spent. A change that is not done then goes
/// on in the next tick; until it is committed the world stays as it was.
pub(in crate::sim) fn advance(
    sim: &mut Sim,
    budget: &mut WorkBudget,
    report: &mut StepReport,
    marker: &mut dyn Marker,
) {
    while let Some(first) = sim.queue.front() {
        if first.buries(&sim.player) {
            report.misses.push(PLAYER_IN_THE_WAY);
            cancel(sim, 0, report, marker);
            continue;
        }
        let done = match &first.operation {
            Err(why) => Some(Err(why.clone())),
            Ok(operation) => {
                // A new change starts only in a tick with enough units left.
                if sim.world.part_done().is_none() && !budget.try_spend(operation.units()) {
                    return;
                }
                marker.begin(Stage::Carve);
                let begun = match sim.world.part_done() {
                    Some(_) => Ok(()),
                    None => sim.world.begin(operation),
                };
                let done = match begun {
                    Err(why) => Some(Err(why)),
                    Ok(()) => sim.world.advance(budget, marker),
                };
                match done {
                    Some(_) => marker.end(Stage::Carve),
                    None => marker.pause(Stage::Carve),
                }
                done
            }
        };
        let Some(result) = done else { return };
        let done = sim.queue.pop_front().expect("it is the first");
        finish(sim, &done, result, report, marker);
    }
}

/// Removes a change from the queue by index, and abandons the work done on it.
pub(in crate::sim) fn cancel(
    sim: &mut Sim,
    index: usize,
    report: &mut StepReport,
    marker: &mut dyn Marker,
) {
    let cancelled = sim.queue.remove(index).expect("it is in the queue");
    if index == 0 && sim.world.part_done().is_some() {
        marker.begin(Stage::Carve);
        sim.world.abandon();
        marker.end(Stage::Carve);
    }
    report.carves.push(CarveEvent {
        by: cancelled.by(),
        position: cancelled.centre,
        radius: cancelled.radius,
        result: Err(WorldError::Dropped),
        change: 0,
        movers: (0, 0.0),
        broken: 0,
    });
}

/// Records a change that the world has committed or refused, and lets bodies feel it.
fn finish(
    sim: &mut Sim,
    done: &QueuedOperation,
    mut result: Result<CarveReport, WorldError>,
    report: &mut StepReport,
    marker: &mut dyn Marker,
) {
    if done.explodes() {
        liquids::ripple(sim, done.mouth, done.radius * 2.0, 1.0);
        sim.explosions.push(Explosion {
            position: done.mouth,
            radius: done.radius,
            tick: sim.tick,
            revision: sim.world.revision(),
            material: result.as_ref().ok().and_then(|carved| carved.material),
        });
    }
    // A blast is felt where the world refuses it too: in front of an unbreakable wall, say.
    let (mut refused, is_refused) = (CarveReport::default(), result.is_err());
    let carved = match &mut result {
        Ok(carved) => Some(carved),
        Err(_) => done.explodes().then_some(&mut refused),
    };
    let (mut change, mut movers, mut broken) = (0, (0, 0.0), 0);
    if let Some(carved) = carved {
        if done.is_consequence() {
            sim.dust.push(Dust {
                position: done.centre,
                radius: done.radius,
                tick: sim.tick,
                material: carved.material,
            });
        }
        let delta = std::mem::take(&mut carved.delta);
        let damage = movers::damage(sim, done);
        let saved = match is_refused {
            true => SavedOperation::MoversOnly,
            false => done.saved.clone(),
        };
        let number = match delta.is_empty() && damage.damaged.is_empty() {
            true => 0,
            false => undo::record(
                sim,
                delta,
                aftermath::bounds(done, carved),
                saved,
                done.is_consequence(),
            ),
        };
        change = number;
        let carved_m3 = damage.loose.carved.iter().map(|(_, m3)| m3).sum();
        movers = (damage.damaged.len() as u32, carved_m3);
        undo::record_movers(sim, number, damage.damaged);
        if let (Some(strength), Some(changed)) = (&mut sim.strength, &carved.bounds) {
            match done.fills() {
                true => strength.note_change(changed),
                false => strength.note_carve(changed),
            }
        }
        marker.begin(Stage::Debris);
        broken = aftermath::disturb(sim, done, carved, (number, damage.loose), report);
        marker.end(Stage::Debris);
    }
    report.carves.push(CarveEvent {
        by: done.by(),
        position: done.centre,
        radius: done.radius,
        result,
        change,
        movers,
        broken,
    });
}
