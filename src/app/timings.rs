//! Timings as files, and the worst frame.
use super::App;
use crate::files::{self, write_atomic};
use crate::render;
use crate::timing::{Recorder, StageColours, graph};
use crate::ui::{Does, NoticeKind, Worst};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

impl App {
    /// Starts or stops keeping every frame; stopping writes the files.
    pub(super) fn record_timings(&mut self, on: bool) {
        if on == self.recorder.is_recording() {
            return;
        }
        self.recorder.record(on);
        let seconds = u64::from(self.panels.timing.seconds);
        self.timings_until =
            (on && seconds > 0).then(|| Instant::now() + Duration::from_secs(seconds));
        if on {
            let lines = &self.key_lines;
            let line = lines.iter().find(|line| line.does == Does::RecordTimings);
            let key = line.map_or("the button", |line| line.key.as_str());
            let text = match seconds {
                0 => format!("Recording timings: press {key} again to save them."),
                _ => format!("Recording timings for {seconds} s; press {key} to stop early."),
            };
            return self.notify(NoticeKind::Info, text);
        }
        let name = stem(&self.panels.timing.name);
        match write(&self.recorder, &self.places.data.join("timings"), &name) {
            Ok(path) => self.notify(
                NoticeKind::Info,
                format!("Timings: {} and .json", path.display()),
            ),
            Err(why) => self.notify(NoticeKind::Error, format!("Timings not saved: {why}")),
        }
    }

    /// Writes the graph as a picture.
    pub(super) fn picture_timings(&mut self) {
        let name = stem(&self.panels.timing.name);
        let folder = self.places.data.join("timings");
        let colours = self.preferences.palette.stages();
        match picture(&self.recorder, &folder, &name, &colours) {
            Ok(path) => self.notify(NoticeKind::Info, format!("Timings: {}", path.display())),
            Err(why) => self.notify(NoticeKind::Error, format!("Timings not saved: {why}")),
        }
    }

    /// A frame has ended: is it the worst, is it the last to be recorded?
    pub(super) fn look_at_frame(&mut self) {
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
        let is_worse = |known: &Worst| frame.whole_ms > known.frame.whole_ms;
        if *held && worst.as_ref().is_none_or(is_worse) {
            *worst = Some(Worst {
                frame: frame.clone(),
                tick: play.sim.tick,
                counts: self.counts,
            });
        }
    }
}

/// What was typed as the start of a file's name.
fn stem(typed: &str) -> String {
    let sound = |c: char| {
        if c.is_alphanumeric() || c == '-' {
            c
        } else {
            '_'
        }
    };
    match typed.trim() {
        "" => "timings".into(),
        typed => typed.chars().take(64).map(sound).collect(),
    }
}

/// CSV and trace, under one name.
fn write(recorder: &Recorder, folder: &Path, name: &str) -> Result<PathBuf, String> {
    let csv = files::unused(folder, name, "csv")?;
    let failed = |e: std::io::Error| files::refused(&csv, &e);
    let mut bytes = Vec::new();
    recorder.write_csv(&mut bytes).map_err(failed)?;
    write_atomic(&csv, &bytes).map_err(failed)?;
    bytes.clear();
    recorder.write_trace(&mut bytes).map_err(failed)?;
    write_atomic(&csv.with_extension("json"), &bytes).map_err(failed)?;
    Ok(csv)
}

fn picture(
    recorder: &Recorder,
    folder: &Path,
    name: &str,
    colours: &StageColours,
) -> Result<PathBuf, String> {
    let path = files::unused(folder, name, "png")?;
    let (pixels, size) = graph::overlay(recorder, colours);
    let png = render::png(&pixels, size)?;
    write_atomic(&path, &png).map_err(|e| files::refused(&path, &e))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::Stage;

    const COLOURS: StageColours = [[90; 3]; Stage::COUNT];

    fn recorder() -> Recorder {
        let mut recorder = Recorder::new();
        recorder.record(true);
        for _ in 0..3 {
            recorder.begin_frame();
            recorder.end_frame();
        }
        recorder
    }

    #[test]
    fn timings_are_called_what_was_typed_and_nothing_leaves_the_folder() {
        let folder = tempfile::tempdir().expect("temporary folder");
        for (typed, name) in [
            ("", "timings-0001.csv"),
            (" depth 8 ", "depth_8-0001.csv"),
            ("../../x", "______x-0001.csv"),
        ] {
            let path = write(&recorder(), folder.path(), &stem(typed)).expect("written");
            assert_eq!(path, folder.path().join(name));
            assert_eq!(
                std::fs::read_to_string(&path)
                    .expect("there")
                    .lines()
                    .count(),
                4
            );
            assert!(path.with_extension("json").is_file());
        }
        let png = picture(&recorder(), folder.path(), "graph", &COLOURS).expect("written");
        assert!(std::fs::read(png).expect("there").starts_with(b"\x89PNG"));
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let file = folder.path().join("file");
        std::fs::write(&file, b"").expect("written");
        let inside = file.join("timings");
        let why = write(&recorder(), &inside, "x").expect_err("not a folder");
        assert!(why.starts_with(&inside.display().to_string()), "{why}");
        assert!(picture(&recorder(), &inside, "x", &COLOURS).is_err());
    }
}
