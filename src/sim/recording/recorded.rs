//! A recording in memory.
use super::lines::{HASH_TICKS, Head};
use super::recorder::Recorder;
use super::source::LevelSource;
use crate::sim::command::Command;
use crate::sim::settings::Settings;
use crate::sim::simulation::Sim;
use std::io::{self, Write};

/// The warning of a recording that a crash left.
pub(super) const NO_END: &str = "the recording has no end marker: it stops at its last line";

/// A run: its level, seed, settings and commands, with the hashes to verify a replay.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Number of the [`rules`](crate::level::rules) that it was made by.
    pub rules: u32,
    /// The level.
    pub level: LevelSource,
    /// Seed of [`Sim::new`].
    pub seed: u64,
    /// Settings of [`Sim::new`].
    pub settings: Settings,
    /// Ticks with input and their commands, ascending.
    pub commands: Vec<(u64, Command)>,
    /// State hashes: ticks done and hash, ascending.
    pub hashes: Vec<(u64, u64)>,
    /// [`Sim::tick_hash`]es, which may be missing: ticks done and hash, ascending.
    pub tick_hashes: Vec<(u64, u32)>,
    /// Number of ticks.
    pub ticks: u64,
    /// Repairs made while reading, such as a dropped last line.
    pub warnings: Vec<String>,
}

impl Recording {
    /// The command of a tick: that of its own line, or what the line before holds.
    pub fn command(&self, tick: u64) -> Command {
        let after = self.commands.partition_point(|(at, _)| *at <= tick);
        match after.checked_sub(1).map(|i| &self.commands[i]) {
            Some((at, command)) if *at == tick => command.clone(),
            Some((_, command)) => command.held(),
            None => Command::default(),
        }
    }

    /// Appends a tick that was stepped with this command, as [`Recorder`] would write it. `held` is the held part of the
    /// command before.
    pub(in crate::sim) fn append_tick(&mut self, held: &mut Command, command: &Command, sim: &Sim) {
        assert_eq!(sim.tick, self.ticks + 1, "ticks are noted one by one");
        let command = command.tame();
        if command != *held {
            *held = command.held();
            self.commands.push((sim.tick - 1, command));
        }
        self.tick_hashes.push((sim.tick, sim.tick_hash()));
        if sim.tick.is_multiple_of(HASH_TICKS) {
            self.hashes.push((sim.tick, sim.state_hash()));
        }
        self.ticks = sim.tick;
    }

    /// The hash of a tick, if it was recorded.
    pub(in crate::sim) fn tick_hash(&self, tick: u64) -> Option<u32> {
        let at = self.tick_hashes.binary_search_by_key(&tick, |line| line.0);
        at.ok().map(|at| self.tick_hashes[at].1)
    }

    /// A copy with one more tick, of which only the command is known.
    #[must_use]
    pub fn with_tick(&self, command: &Command) -> Self {
        let mut recording = self.clone();
        let (tick, command) = (self.ticks, command.tame());
        if command != self.command(tick) {
            recording.commands.push((tick, command));
        }
        recording.ticks += 1;
        recording
    }

    /// Removes the ticks from this one on.
    pub(in crate::sim) fn truncate(&mut self, tick: u64) {
        assert!(tick <= self.ticks, "there are no {tick} ticks yet");
        self.commands.retain(|(at, _)| *at < tick);
        self.hashes.retain(|(at, _)| *at <= tick);
        self.tick_hashes.retain(|(at, _)| *at <= tick);
        self.ticks = tick;
    }

    /// Writes the whole recording; reading it gives an equal one.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_open(out)?.end_at(out, self.ticks)
    }

    /// Whether it has its end marker: a crash leaves a recording without.
    pub fn is_ended(&self) -> bool {
        !self.warnings.iter().any(|warning| warning == NO_END)
    }

    /// Writes all but the end marker; the returned recorder appends to it.
    pub fn write_open(&self, out: &mut dyn Write) -> io::Result<Recorder> {
        let head = Head {
            breach: 1,
            rules: self.rules,
            level: self.level.clone(),
            seed: self.seed,
            settings: self.settings.within_limits(),
        };
        let mut recorder = Recorder::start_with(out, &head)?;
        let mut hashes = self.hashes.iter().peekable();
        let mut tick_hashes = self.tick_hashes.iter().peekable();
        let mut write_hashes = |recorder: &mut Recorder, out: &mut dyn Write, up_to: u64| {
            while let Some((tick, hash)) = hashes.next_if(|(at, _)| *at <= up_to) {
                while let Some((at, hash)) = tick_hashes.next_if(|(at, _)| at <= tick) {
                    recorder.add_tick_hash(*at, *hash);
                }
                recorder.write_hash(out, *tick, *hash)?;
            }
            Ok::<(), io::Error>(())
        };
        for (tick, command) in &self.commands {
            write_hashes(&mut recorder, out, *tick)?;
            recorder.command(out, *tick, command)?;
        }
        write_hashes(&mut recorder, out, u64::MAX)?;
        for (at, hash) in tick_hashes {
            recorder.add_tick_hash(*at, *hash);
        }
        Ok(recorder)
    }
}
