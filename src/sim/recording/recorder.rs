//! A recording written line by line while it is played.
use super::{HASH_TICKS, Head, LevelSource, Line, write_line};
use crate::level::rules::RULES;
use crate::sim::{Command, Settings, Sim};
use std::io::{self, Write};

/// Writes a recording; holds only what the next line depends on.
#[derive(Clone, Debug)]
pub struct Recorder {
    held: Command,
    /// Tick hashes that no line has yet: of the ticks up to `noted`.
    waiting: Vec<u32>,
    noted: u64,
}

impl Recorder {
    /// Writes the first line.
    pub fn start(
        out: &mut dyn Write,
        level: &LevelSource,
        seed: u64,
        settings: &Settings,
    ) -> io::Result<Self> {
        Self::start_with(
            out,
            &Head {
                breach: 1,
                rules: RULES,
                level: level.clone(),
                seed,
                settings: settings.within_limits(),
            },
        )
    }

    pub(super) fn start_with(out: &mut dyn Write, head: &Head) -> io::Result<Self> {
        write_line(out, head)?;
        Ok(Self {
            held: Command::default(),
            waiting: Vec::new(),
            noted: 0,
        })
    }

    /// Writes the command of tick `tick` (`sim.tick` before the step), unless it only goes on with what is held.
    pub fn command(&mut self, out: &mut dyn Write, tick: u64, command: &Command) -> io::Result<()> {
        let command = command.tame();
        if command == self.held {
            return Ok(());
        }
        self.held = command.held();
        write_line(
            out,
            &Line {
                tick,
                command: Some(command),
                ..Line::default()
            },
        )
    }

    /// After each step: notes the tick's hash, and writes them with the state hash every [`HASH_TICKS`] ticks.
    pub fn stepped(&mut self, out: &mut dyn Write, sim: &Sim) -> io::Result<()> {
        self.note(sim.tick, sim.tick_hash());
        if !sim.tick.is_multiple_of(HASH_TICKS) {
            return Ok(());
        }
        self.write_hash(out, sim.tick, sim.state_hash())
    }

    /// Writes the end after so many ticks.
    pub fn end_at(mut self, out: &mut dyn Write, ticks: u64) -> io::Result<()> {
        write_line(
            out,
            &Line {
                tick: ticks,
                tick_hashes: self.take_waiting(ticks),
                end: true,
                ..Line::default()
            },
        )?;
        out.flush()
    }

    /// Writes the last state hash and the end.
    pub fn end(mut self, out: &mut dyn Write, sim: &Sim) -> io::Result<()> {
        if !sim.tick.is_multiple_of(HASH_TICKS) {
            self.write_hash(out, sim.tick, sim.state_hash())?;
        }
        self.end_at(out, sim.tick)
    }

    /// Hashes stand for ticks without a gap: what lies before one is forgotten.
    pub(super) fn note(&mut self, tick: u64, hash: u32) {
        if self.noted + 1 != tick {
            self.waiting.clear();
        }
        self.waiting.push(hash);
        self.noted = tick;
    }

    pub(super) fn write_hash(
        &mut self,
        out: &mut dyn Write,
        tick: u64,
        hash: u64,
    ) -> io::Result<()> {
        write_line(
            out,
            &Line {
                tick,
                state_hash: Some(format!("{hash:016x}")),
                tick_hashes: self.take_waiting(tick),
                ..Line::default()
            },
        )
    }

    /// As a line after this tick has them.
    fn take_waiting(&mut self, tick: u64) -> Option<String> {
        let waiting = std::mem::take(&mut self.waiting);
        let is_due = self.noted == tick && !waiting.is_empty();
        is_due.then(|| waiting.iter().map(|hash| format!("{hash:08x}")).collect())
    }
}
