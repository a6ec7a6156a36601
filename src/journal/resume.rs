//! Plays a recording to its end with keyframes, to resume or to watch it.
use crate::builtin::{self, BuiltinLevel};
use crate::files;
use crate::sim::recording::{LevelSource, Recording};
use crate::sim::replay::{self, Verifier};
use crate::sim::{Sim, StepReport, Timeline};
use crate::timing::Marker;
use std::path::Path;

/// The result of playing a recording.
pub struct Played {
    /// State after the last tick.
    pub sim: Sim,
    /// Timeline with keyframes.
    pub timeline: Timeline,
    /// Warnings, such as a replay that differs.
    pub warnings: Vec<String>,
}

/// Plays a recording to its last tick and keeps keyframes, so that every tick can be sought. `watch` gets each tick and the
/// number of ticks, and ends the replay by returning false: then the result is what was played so far.
///
/// # Errors
/// Why it was refused, with the file and, where there is one, line and column.
pub fn resume(
    path: &Path,
    bytes: &[u8],
    marker: &mut dyn Marker,
    watch: &mut dyn FnMut(&Sim, &StepReport, u64) -> bool,
) -> Result<Played, String> {
    let recording = Recording::read(bytes).map_err(|e| format!("{}:{e}", path.display()))?;
    let map = level_of(path, &recording.level)?;
    let level = recording
        .level
        .read(&map)
        .map_err(|e| format!("{}: its level at {e}", path.display()))?;
    let (seed, settings) = (recording.seed, recording.settings.clone());
    let mut sim = Sim::new(level, seed, settings.clone(), marker)
        .map_err(|e| format!("{}: {e}", path.display()))?;
    // Further recording embeds the level, so that the file stands alone.
    let mut timeline = Timeline::new(LevelSource::embed(&map), seed, &settings, &sim);
    let mut warnings = Vec::new();
    let mut verifier = Verifier::new(&recording);
    for command in replay::commands(&recording, recording.ticks) {
        let report = sim.step(&command, marker);
        timeline.stepped(&command, &sim);
        if warnings.is_empty()
            && let Some(difference) = verifier.check(&sim)
        {
            warnings.push(format!("{}: {difference}", path.display()));
        }
        if !watch(&sim, &report, recording.ticks) {
            break;
        }
    }
    warnings.extend(recording.warnings);
    Ok(Played {
        sim,
        timeline,
        warnings,
    })
}

/// The level of a recording: embedded, or a file beside it.
fn level_of(path: &Path, level: &LevelSource) -> Result<Vec<u8>, String> {
    let beside = match level {
        LevelSource::Text { text, .. } => return Ok(LevelSource::decode(text)),
        LevelSource::Path { path, .. } => path,
    };
    let beside = path.parent().unwrap_or(Path::new("")).join(beside);
    // A built-in level that was recorded by path is found from every folder.
    if !beside.exists()
        && let Some(builtin_bytes) = builtin::with_file_name_of(&beside).map(BuiltinLevel::bytes)
        && level.matches(&builtin_bytes)
    {
        return Ok(builtin_bytes);
    }
    let map = files::read(&beside).map_err(|e| {
        format!(
            "{}: its level {}",
            path.display(),
            files::refused(&beside, &e)
        )
    })?;
    if level.matches(&map) {
        return Ok(map);
    }
    Err(format!(
        "{}: {} is not the level that was recorded",
        path.display(),
        beside.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Settings;
    use crate::sim::recording::Recorder;
    use crate::timing::Silent;

    #[test]
    fn what_is_no_recording_is_refused_with_its_place() {
        for (bytes, why) in [
            (
                &b"{\"breach\":9,\"level\":{\"text\":\"\"},\"seed\":1}"[..],
                "x.breach:1:1: a recording of version 9",
            ),
            (b"{\"breach\":9}", "x.breach:1:"),
            (
                b"// a map\n{\n\"classname\" \"worldspawn\"\n}\n",
                "x.breach:1:",
            ),
            (b"", "x.breach:1:1: the recording is empty"),
            (
                b"{\"breach\":1,\"level\":{\"text\":\"{\"},\"seed\":1}",
                "x.breach: its level at 1:",
            ),
        ] {
            let refused = resume(Path::new("x.breach"), bytes, &mut Silent, &mut |_, _, _| {
                true
            });
            let error = refused.err().expect("refused");
            assert!(error.starts_with(why), "{error}");
        }
    }

    #[test]
    fn a_level_beside_that_changed_or_is_gone_is_refused_by_name() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let map = include_bytes!("../../levels/bunker.map");
        let path = folder.path().join("x.breach");
        let mut head = Vec::new();
        let source = LevelSource::refer("a.map", map);
        Recorder::start(&mut head, &source, 1, &Settings::default()).expect("a Vec takes all");
        let open = |bytes: &[u8]| resume(&path, bytes, &mut Silent, &mut |_, _, _| true);
        let gone = open(&head).err().expect("refused");
        assert!(gone.contains("a.map: "), "{gone}");
        std::fs::write(folder.path().join("a.map"), &map[..map.len() - 1]).expect("written");
        let changed = open(&head).err().expect("refused");
        assert!(
            changed.ends_with("a.map is not the level that was recorded"),
            "{changed}"
        );
        std::fs::write(folder.path().join("a.map"), map).expect("written");
        assert!(open(&head).is_ok());
        // One of builtin_bytes is in the program, and asked for where there is no such file.
        let mut head = Vec::new();
        let source = LevelSource::refer("levels/bunker.map", map);
        Recorder::start(&mut head, &source, 1, &Settings::default()).expect("a Vec takes all");
        assert!(open(&head).is_ok());
    }
}
