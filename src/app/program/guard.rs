//! Catches failed assertions: the level is closed, the bug report written.
use super::App;
use crate::app::fault::{Fault, report};
use crate::app::play::Play;
use crate::timing::Recorder;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

impl App {
    /// Runs `work` and catches a failed assertion, after which only the report is offered. False if that is impossible:
    /// there is no window yet, or the panels themselves fail.
    pub(in crate::app) fn guarded(&mut self, work: impl FnOnce(&mut Self)) -> bool {
        // Only state that cannot be half changed is used afterwards: panels, window, files.
        if catch_unwind(AssertUnwindSafe(|| work(self))).is_ok() {
            return true;
        }
        if self.fault.is_some() {
            return false;
        }
        let what = self.faults.take().unwrap_or_default();
        self.loading = None;
        self.confirmation = None;
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
        if let Some(thread) = play.thumbnails.close() {
            self.background.keep(thread);
        }
        let folder = self.folders.recordings();
        let written = catch_unwind(AssertUnwindSafe(|| report(&play, &folder)));
        written.unwrap_or_else(|_| Err("another internal error while saving it".into()))
    }
}
