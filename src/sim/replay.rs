//! Recordings played again, and compared with what was recorded.
use super::recording::Recording;
use super::{Command, Sim, StepReport};
use crate::level::rules::RULES;
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
    /// Ticks done when it was found.
    pub tick: u64,
    /// The last tick that was compared and is the same: all those between it and [`Difference::tick`] have no hash.
    pub same: u64,
    /// As recorded: of a tick or, where it has none, of the state.
    pub recorded: u64,
    /// As played.
    pub played: u64,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Self {
            tick,
            same,
            recorded,
            played,
        } = self;
        write!(
            f,
            "differs at tick {tick}: recorded {recorded:08x}, played {played:08x}"
        )?;
        if same + 1 < *tick {
            write!(
                f,
                " (tick {same} is the same; the ticks between were recorded without a hash)"
            )?;
        }
        Ok(())
    }
}

/// Holds a run against a recording, tick by tick.
#[derive(Clone, Debug)]
pub struct Verifier<'a> {
    states: &'a [(u64, u64)],
    ticks: &'a [(u64, u32)],
    same: u64,
}

impl<'a> Verifier<'a> {
    /// Against all hashes of a recording; against none where it was made by other rules, and its hashes are those of
    /// other results.
    pub fn new(recording: &'a Recording) -> Self {
        let is_comparable = recording.rules == RULES;
        Self {
            states: if is_comparable {
                &recording.hashes
            } else {
                &[]
            },
            ticks: if is_comparable {
                &recording.tick_hashes
            } else {
                &[]
            },
            same: 0,
        }
    }

    /// Compares what the recording knows of the tick that `sim` has reached; asked after each, in order.
    pub fn check(&mut self, sim: &Sim) -> Option<Difference> {
        let tick =
            next_at(&mut self.ticks, sim.tick).map(|hash| (hash.into(), sim.tick_hash().into()));
        let state = next_at(&mut self.states, sim.tick).map(|hash| (hash, sim.state_hash()));
        let known = [tick, state].into_iter().flatten();
        let differs = known.clone().find(|(recorded, played)| recorded != played);
        let same = self.same;
        if known.count() > 0 {
            self.same = sim.tick;
        }
        differs.map(|(recorded, played)| Difference {
            tick: sim.tick,
            same,
            recorded,
            played,
        })
    }
}

/// The hash of this tick, if the next one is that.
fn next_at<T: Copy>(hashes: &mut &[(u64, T)], tick: u64) -> Option<T> {
    let passed = hashes.iter().take_while(|(at, _)| *at < tick).count();
    *hashes = &hashes[passed..];
    let (&(at, hash), rest) = hashes.split_first()?;
    (at == tick).then(|| {
        *hashes = rest;
        hash
    })
}

/// Plays a whole recording on a fresh [`Sim`] of its level, seed and settings. `watch` sees every tick and ends the
/// replay by returning false. The first tick that differs comes back; playing goes on behind it.
pub fn play(
    recording: &Recording,
    sim: &mut Sim,
    marker: &mut dyn Marker,
    watch: &mut dyn FnMut(&Sim, &StepReport) -> bool,
) -> Option<Difference> {
    let mut verifier = Verifier::new(recording);
    let mut first = verifier.check(sim);
    for command in commands(recording, recording.ticks) {
        let report = sim.step(&command, marker);
        if first.is_none() {
            first = verifier.check(sim);
        }
        if !watch(sim, &report) {
            break;
        }
    }
    first
}
