//! Writes a recording line by line while it is played.
use super::lines::{HASH_TICKS, Head, Line, write_line};
use super::source::LevelSource;
use crate::level::rules::RULES;
use crate::sim::command::Command;
use crate::sim::settings::Settings;
use crate::sim::simulation::Sim;
use std::io::{self, Write};

/// Writes a recording; keeps only the state that the next line depends on.
#[derive(Clone, Debug)]
pub struct Recorder {
    held: Command,
    /// Tick hashes not yet written, up to that of `last_tick`.
    waiting: Vec<u32>,
    last_tick: u64,
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
            last_tick: 0,
        })
    }

    /// Writes the command of tick `tick` (`sim.tick` before the step), unless it equals the held one.
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

    /// To be called after each step: keeps the tick's hash, and every [`HASH_TICKS`] ticks writes them with the state hash.
    pub fn stepped(&mut self, out: &mut dyn Write, sim: &Sim) -> io::Result<()> {
        self.add_tick_hash(sim.tick, sim.tick_hash());
        if !sim.tick.is_multiple_of(HASH_TICKS) {
            return Ok(());
        }
        self.write_hash(out, sim.tick, sim.state_hash())
    }

    /// Writes the end marker after this many ticks.
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

    /// Writes the last state hash and the end marker.
    pub fn end(mut self, out: &mut dyn Write, sim: &Sim) -> io::Result<()> {
        if !sim.tick.is_multiple_of(HASH_TICKS) {
            self.write_hash(out, sim.tick, sim.state_hash())?;
        }
        self.end_at(out, sim.tick)
    }

    /// Keeps a tick's hash for the next line. A line's hashes are of consecutive ticks: a gap drops those before it.
    pub(super) fn add_tick_hash(&mut self, tick: u64, hash: u32) {
        if self.last_tick + 1 != tick {
            self.waiting.clear();
        }
        self.waiting.push(hash);
        self.last_tick = tick;
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

    /// The waiting hashes as text, for a line after this tick.
    fn take_waiting(&mut self, tick: u64) -> Option<String> {
        let waiting = std::mem::take(&mut self.waiting);
        let is_due = self.last_tick == tick && !waiting.is_empty();
        is_due.then(|| waiting.iter().map(|hash| format!("{hash:08x}")).collect())
    }
}
