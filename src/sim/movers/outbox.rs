//! Signals that were sent and wait for their tick.
use crate::level::{Motion, Movers, Signals, TriggerEffect};
use crate::sim::mover_states::{Pending, Sender};
use crate::sim::simulation::Sim;
use crate::sim::tick::TICK_SECS;

/// The longest delay, ticks.
const LONGEST: f64 = 1e9;

/// Ticks in some seconds, rounded.
pub(super) fn ticks(secs: f64) -> u32 {
    (secs / TICK_SECS).round().clamp(0.0, LONGEST) as u32
}

/// Puts the signals of a sender among those that wait.
pub(super) fn send(sim: &mut Sim, level: &Movers, from: Sender) {
    let signals = signals_of(level, from);
    let is_empty =
        signals.targets.is_empty() && signals.kills.is_empty() && signals.message.is_none();
    if !is_empty {
        let tick = sim.tick + u64::from(ticks(signals.delay));
        sim.movers.pending.push_back(Pending { tick, from });
    }
}

/// The signals of a sender.
pub(super) fn signals_of(level: &Movers, from: Sender) -> &Signals {
    static NONE: Signals = Signals {
        delay: 0.0,
        targets: Vec::new(),
        kills: Vec::new(),
        message: None,
    };
    match from {
        Sender::Mover(index) => &level.movers[index].signals,
        Sender::Relay(index) => &level.relays[index].signals,
        Sender::Trigger(index) => match &level.triggers[index].effect {
            TriggerEffect::Send(signals) => signals,
            TriggerEffect::Teleport { .. } | TriggerEffect::Push(_) => &NONE,
        },
        Sender::Stop(index, stop) => match &level.movers[index].motion {
            Motion::Path { stops, .. } => &stops[stop].signals,
            Motion::Between { .. } | Motion::Spin { .. } => &NONE,
        },
    }
}
