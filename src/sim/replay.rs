//! Recordings played again, and compared with what was recorded.
use super::recording::Recording;
use super::{Command, Sim, StepReport};
use crate::timing::Marker;

/// The command of every tick from 0 to `ticks`: the line of the tick, or what the line before it holds.
pub fn commands(recording: &Recording, ticks: u64) -> impl Iterator<Item = Command> + '_ {
    let mut lines = recording.commands.iter().peekable();
    let mut held = Command::default();
    (0..ticks).map(move |tick| match lines.next_if(|(at, _)| *at == tick) {
        Some((_, command)) => {
            held = command.held();
            command.clone()
        }
        None => held.clone(),
    })
}

/// Where a replay and its recording part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Ticks done when the hashes were compared.
    pub tick: u64,
    /// As recorded.
    pub recorded: u64,
    /// As played.
    pub played: u64,
}

/// Plays a whole recording on a fresh [`Sim`] of its level, seed and settings. `watch` sees every tick and ends the
/// replay by returning false. The first state hash that differs comes back; playing goes on behind it.
pub fn play(
    recording: &Recording,
    sim: &mut Sim,
    marker: &mut dyn Marker,
    watch: &mut dyn FnMut(&Sim, &StepReport) -> bool,
) -> Option<Difference> {
    let mut hashes = recording.hashes.iter().peekable();
    let mut first = None;
    let mut compare = |sim: &Sim| {
        if let Some(&(tick, recorded)) = hashes.next_if(|(tick, _)| *tick == sim.tick) {
            let played = sim.state_hash();
            if played != recorded && first.is_none() {
                first = Some(Difference {
                    tick,
                    recorded,
                    played,
                });
            }
        }
    };
    compare(sim);
    for command in commands(recording, recording.ticks) {
        let report = sim.step(&command, marker);
        compare(sim);
        if !watch(sim, &report) {
            break;
        }
    }
    first
}
