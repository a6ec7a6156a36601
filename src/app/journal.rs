//! The window's recording: written as one plays, whole after a crash, offered at the next start.
use crate::sim::{Command, Settings, Sim};
use crate::timing::Marker;
use std::path::Path;

/// How a recording starts.
pub struct Start {
    /// First lines.
    pub head: Vec<u8>,
}

impl Start {
    /// A recording from the level's first tick.
    pub fn fresh(_path: &Path, _bytes: &[u8], _seed: u64, _settings: &Settings) -> Self {
        Self { head: Vec::new() }
    }
}

/// Plays a recording up to its last tick.
pub fn resume(path: &Path, _bytes: &[u8], _marker: &mut dyn Marker) -> Result<(Sim, Start), String> {
    Err(format!("{}: recordings are not read yet", path.display()))
}

/// A recording in progress.
pub struct Journal {}
impl Journal {
    /// Notes a tick.
    pub fn tick(&mut self, _tick: u64, _command: &Command, _sim: &Sim) {}
}
