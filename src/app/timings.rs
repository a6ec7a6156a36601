//! Timings as files: CSV, Chrome trace, PNG.
use crate::files::{self, write_atomic};
use crate::render;
use crate::timing::{Recorder, StageColours, graph};
use std::path::{Path, PathBuf};

/// The stem of a file name, from the typed text.
pub(super) fn stem(typed: &str) -> String {
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

/// Writes CSV and trace under one name.
pub(super) fn write(recorder: &Recorder, folder: &Path, name: &str) -> Result<PathBuf, String> {
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

pub(super) fn picture(
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
