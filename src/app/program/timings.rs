//! Timings as files, and the worst frame.
use super::App;
use crate::app::timings::{picture, stem, write};
use crate::ui::{KeyCommand, NoticeKind, WorstFrame};
use std::time::{Duration, Instant};

impl App {
    /// Starts or stops recording timings; stopping writes the files.
    pub(in crate::app) fn record_timings(&mut self, on: bool) {
        if on == self.recorder.is_recording() {
            return;
        }
        self.recorder.record(on);
        let seconds = u64::from(self.panels.timing.seconds);
        self.timings_until =
            (on && seconds > 0).then(|| Instant::now() + Duration::from_secs(seconds));
        if on {
            let lines = &self.key_lines;
            let line = lines
                .iter()
                .find(|line| line.command == KeyCommand::RecordTimings);
            let key = line.map_or("the button", |line| line.key.as_str());
            let text = match seconds {
                0 => format!("Recording timings: press {key} again to save them."),
                _ => format!("Recording timings for {seconds} s; press {key} to stop early."),
            };
            return self.notify(NoticeKind::Info, text);
        }
        let name = stem(&self.panels.timing.name);
        match write(&self.recorder, &self.folders.data.join("timings"), &name) {
            Ok(path) => self.notify(
                NoticeKind::Info,
                format!("Timings: {} and .json", path.display()),
            ),
            Err(why) => self.notify(NoticeKind::Error, format!("Timings not saved: {why}")),
        }
    }

    /// Saves the graph as an image.
    pub(in crate::app) fn picture_timings(&mut self) {
        let name = stem(&self.panels.timing.name);
        let folder = self.folders.data.join("timings");
        let colours = self.preferences.palette.stages();
        match picture(&self.recorder, &folder, &name, &colours) {
            Ok(path) => self.notify(NoticeKind::Info, format!("Timings: {}", path.display())),
            Err(why) => self.notify(NoticeKind::Error, format!("Timings not saved: {why}")),
        }
    }

    /// Takes in a frame: keeps the worst, ends a recording that is due.
    pub(in crate::app) fn look_at_frame(&mut self) {
        if self
            .timings_until
            .is_some_and(|until| Instant::now() >= until)
        {
            self.record_timings(false);
        }
        let (held, worst) = &mut self.worst;
        let (Some(frame), Some(play)) = (self.recorder.frames().back(), &self.play) else {
            return;
        };
        let is_worse = |known: &WorstFrame| frame.whole_ms > known.frame.whole_ms;
        if *held && worst.as_ref().is_none_or(is_worse) {
            *worst = Some(WorstFrame {
                frame: frame.clone(),
                tick: play.sim.tick,
                counts: self.counts,
            });
        }
    }
}
