//! A recording played to its end, with keyframes, so that people go on from it or watch it.
use crate::files;
use crate::level;
use crate::ours::{self, OwnLevel};
use crate::sim::recording::{LevelSource, Recording};
use crate::sim::replay::{self, Verifier};
use crate::sim::{Sim, StepReport, Timeline};
use crate::timing::Marker;
use std::path::Path;

/// A recording that was played to its end.
pub struct Played {
    /// As it is after the last tick.
    pub sim: Sim,
    /// With keyframes all along.
    pub timeline: Timeline,
    /// What people should know, such as a recording that played differently.
    pub warnings: Vec<String>,
}

/// Plays a recording up to its last tick, keeping keyframes, so that every tick of it is within reach. `watch` is told
/// each tick and how many there are, and ends it by returning false: then what was played so far comes back.
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
    let level =
        level::read_map(&map).map_err(|e| format!("{}: its level at {e}", path.display()))?;
    let (seed, settings) = (recording.seed, recording.settings.clone());
    let mut sim = Sim::new(level, seed, settings.clone(), marker)
        .map_err(|e| format!("{}: {e}", path.display()))?;
    // The level goes into what is recorded from now on, so that the file stands alone.
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

/// The level that a recording was made in: inside it, or a file beside.
fn level_of(path: &Path, level: &LevelSource) -> Result<Vec<u8>, String> {
    let beside = match level {
        LevelSource::Text { text } => return Ok(LevelSource::bytes_of(text)),
        LevelSource::Path { path, .. } => path,
    };
    let beside = path.parent().unwrap_or(Path::new("")).join(beside);
    // One of ours, recorded by its path, is found in every folder.
    if !beside.exists()
        && let Some(ours) = ours::named_like(&beside).map(OwnLevel::bytes)
        && level.is(&ours)
    {
        return Ok(ours);
    }
    let map = files::read(&beside).map_err(|e| {
        format!(
            "{}: its level {}",
            path.display(),
            files::refused(&beside, &e)
        )
    })?;
    if level.is(&map) {
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
        // One of ours is in the program, and asked for where there is no such file.
        let mut head = Vec::new();
        let source = LevelSource::refer("levels/bunker.map", map);
        Recorder::start(&mut head, &source, 1, &Settings::default()).expect("a Vec takes all");
        assert!(open(&head).is_ok());
    }
}
