//! A failed assertion in the window. The level may be half changed, so it is closed; the recording up to the failing
//! command becomes a bug report, which is offered before the program ends.
use super::play::Play;
use super::recording::write_recording;
use std::path::{Path, PathBuf};

/// A failed assertion and its bug report.
pub struct Fault {
    /// The message, with its source location.
    pub what: String,
    /// The recording, or why there is none.
    pub report: Result<PathBuf, String>,
}

/// Writes the bug report. The recording's own file keeps the ticks before the fault, and the next start offers to
/// continue from there.
pub(super) fn report(play: &Play, folder: &Path) -> Result<PathBuf, String> {
    let recording = play.timeline.recording();
    match &play.under_way {
        Some(command) => write_recording(&recording.with_tick(command), folder, "bug"),
        None => write_recording(recording, folder, "bug"),
    }
}
