//! Recordings, `.breach`: a run as JSON lines, written tick by tick so that the file is complete after a crash.
//!
//! ```text
//! {"breach":1,"rules":3,"level":{"text":".."},"seed":1,"settings":{..}}      or "level":{"path":"..","hash":"16 hex"}
//! {"tick":0,"command":{..}}                                         the command of tick 0
//! {"tick":60,"state_hash":"16 hex","tick_hashes":"60 x 8 hex"}      after 60 ticks
//! {"tick":90,"end":true}                                            after 90 ticks
//! ```
//!
//! A tick without a line repeats the command before it without its actions ([`crate::sim::Command::held`]), so a run of
//! equal ticks takes one line and plays back exactly. `tick_hashes` are the last ticks' [`crate::sim::Sim::tick_hash`]es up
//! to this one, so that a replay names the tick at which it differs and not only the second; they may be missing. In JSON
//! each byte of a level is the character U+0000 to U+00FF. A head without `rules` was made by the first ones
//! ([`crate::level::rules`]); hashes are compared only under the rules that they were made by.
//! Nothing here opens files: lines go to a writer, recordings come from bytes.
mod lines;
mod read;
mod recorded;
mod recorder;
mod source;

pub use lines::{HASH_TICKS, MOST_SILENT_TICKS};
pub use read::RecordingError;
pub use recorded::Recording;
pub use recorder::Recorder;
pub use source::{LevelSource, level_hash};
