//! Replays of recordings, and their verification against the recorded hashes.
use super::command::Command;
use super::recording::Recording;
use super::report::StepReport;
use super::simulation::Sim;
use crate::level::rules::RULES;
use crate::timing::Marker;

/// The command of every tick from 0 to `ticks`: that of its own line, or what the line before holds.
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

/// The first tick at which a replay differs from its recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Ticks done when the difference was found.
    pub tick: u64,
    /// The last tick that agreed; the ticks between it and [`Difference::tick`] have no hash.
    pub same: u64,
    /// The recorded hash: the tick's or, without one, the state's.
    pub recorded: u64,
    /// The replay's hash.
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

/// Compares a run with a recording, tick by tick.
#[derive(Clone, Debug)]
pub struct Verifier<'a> {
    states: &'a [(u64, u64)],
    ticks: &'a [(u64, u32)],
    same: u64,
}

impl<'a> Verifier<'a> {
    /// Compares with all hashes of a recording; with none where other rules made it, as its results differ.
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

    /// Compares the state after a tick with the hashes recorded for it; to be called after every tick, in order.
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

/// Takes the hash of this tick, if there is one.
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
/// replay by returning false. Returns the first difference, but plays on after it.
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
