//! The lines of a recording's file, as JSON.
use super::source::LevelSource;
use crate::level::rules;
use crate::sim::command::Command;
use crate::sim::settings::Settings;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// Ticks between two state hashes.
pub const HASH_TICKS: u64 = 60;
/// Greatest number of ticks without a line, an hour: a recorder writes one every [`HASH_TICKS`]. It bounds the time to play
/// a recording by the size of its file, whatever tick its last line claims.
pub const MOST_SILENT_TICKS: u64 = 60 * 60 * 60;

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    pub breach: u32,
    #[serde(default = "first_rules")]
    pub rules: u32,
    pub level: LevelSource,
    pub seed: u64,
    #[serde(default = "Settings::implied")]
    pub settings: Settings,
}

fn first_rules() -> u32 {
    rules::FIRST
}

/// Every other line.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub tick: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Command>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_hash: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tick_hashes: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub end: bool,
}

pub(super) fn write_line(out: &mut dyn Write, line: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_string(line).map_err(io::Error::other)?;
    text.push('\n');
    out.write_all(text.as_bytes())
}
