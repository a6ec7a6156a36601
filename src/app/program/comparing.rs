//! The comparison of two settings: started, stopped, written to a file.
use super::App;
use crate::app::comparer::write;
use crate::ui::{CompareCommand, NoticeKind};

impl App {
    /// Carries out a command of the Compare panel.
    pub(in crate::app) fn compare(&mut self, command: CompareCommand) {
        match command {
            CompareCommand::Start(typed, passes) => {
                if let Some(play) = &self.play {
                    let recording = play.timeline.recording().clone();
                    self.comparer
                        .start(recording, typed, passes, self.wake.clone());
                }
            }
            CompareCommand::Stop => self.comparer.stop(),
            CompareCommand::Write { picture } => {
                let Some(found) = self.comparer.done() else {
                    return;
                };
                match write(found, &self.folders.data.join("timings"), picture) {
                    Ok(path) => {
                        self.notify(NoticeKind::Info, format!("Comparison: {}", path.display()))
                    }
                    Err(why) => {
                        self.notify(NoticeKind::Error, format!("Comparison not saved: {why}"))
                    }
                }
            }
        }
    }
}
