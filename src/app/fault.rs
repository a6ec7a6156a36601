//! A failed assertion in the window. The level may be half changed, so it is closed; what was played up to there, with the
//! command that led to it, becomes a bug report, which is offered before the program ends.
use super::App;
use super::play::Play;
use super::tape::write_recording;
use crate::timing::Recorder;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// What failed, and what shows it.
pub struct Fault {
    /// In words, with the place in the source.
    pub what: String,
    /// The recording, or why there is none.
    pub report: Result<PathBuf, String>,
}

impl App {
    /// Does it. Where an assertion fails on the way there is only the report left to offer; false where that cannot be
    /// offered either, as there is no window yet, or it is the panels that fail.
    pub(super) fn guarded(&mut self, work: impl FnOnce(&mut Self)) -> bool {
        // Of what the work had in hand only what cannot be half changed is used again: panels, window, files.
        if catch_unwind(AssertUnwindSafe(|| work(self))).is_ok() {
            return true;
        }
        if self.fault.is_some() {
            return false;
        }
        let what = self.faults.take().unwrap_or_default();
        self.loading = None;
        self.question = None;
        self.recover = None;
        self.recorder = Recorder::new();
        self.release();
        let report = match self.play.take() {
            Some(play) => self.report(play),
            None => Err("nothing had been played yet".into()),
        };
        self.fault = Some(Fault { what, report });
        self.shell.is_some()
    }

    fn report(&mut self, mut play: Play) -> Result<PathBuf, String> {
        if let Some(thread) = play.album.close() {
            self.background.keep(thread);
        }
        let folder = self.places.recordings();
        let written = catch_unwind(AssertUnwindSafe(|| report(&play, &folder)));
        written.unwrap_or_else(|_| Err("another internal error while saving it".into()))
    }
}

/// The recording itself stays open beside it, up to the last tick that was done: the next start offers to go on from there.
fn report(play: &Play, folder: &Path) -> Result<PathBuf, String> {
    let recording = play.timeline.recording();
    match &play.under_way {
        Some(command) => write_recording(&recording.with_tick(command), folder, "bug"),
        None => write_recording(recording, folder, "bug"),
    }
}
