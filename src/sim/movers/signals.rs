//! Signals: what triggers, buttons, relays and stops send to each other.
use super::machine;
use super::outbox::{send, signals_of};
use super::triggers;
use crate::level::{Movers, Receiver};
use crate::sim::mover_states::{NEVER, Sender};
use crate::sim::report::StepReport;
use crate::sim::simulation::Sim;

/// Signals delivered in a tick. Relays may send in a circle: the rest waits for the next tick.
const MOST: usize = 256;

/// Delivers the signals whose tick has come, in the order in which they were sent.
pub(super) fn deliver(sim: &mut Sim, level: &Movers, report: &mut StepReport) {
    for _ in 0..MOST {
        let now = sim.tick;
        let due = sim.movers.pending.iter().position(|one| one.tick <= now);
        let Some(one) = due.and_then(|at| sim.movers.pending.remove(at)) else {
            return;
        };
        let signals = signals_of(level, one.from);
        report.messages.extend(signals.message.clone());
        for &killed in &signals.kills {
            kill(sim, killed);
        }
        for &target in &signals.targets {
            match target {
                Receiver::Mover(index) => machine::signalled(sim, level, index),
                Receiver::Trigger(index) => triggers::signalled(sim, level, index, report),
                Receiver::Relay(index) => pass_on(sim, level, index),
            }
        }
    }
}

fn pass_on(sim: &mut Sim, level: &Movers, index: usize) {
    let (desc, relay) = (&level.relays[index], &mut sim.movers.relays[index]);
    if relay.is_dead {
        return;
    }
    relay.taken += 1;
    if desc.count <= relay.taken {
        relay.taken = 0;
        relay.is_dead = desc.once;
        send(sim, level, Sender::Relay(index));
    }
}

fn kill(sim: &mut Sim, receiver: Receiver) {
    match receiver {
        Receiver::Mover(index) => sim.movers.list[index].solid = None,
        Receiver::Trigger(index) => sim.movers.triggers[index] = NEVER,
        Receiver::Relay(index) => sim.movers.relays[index].is_dead = true,
    }
}
