//! `breach replay FILE.breach`: replays a recording; `--verify` stops at the first tick that differs, and names it.
use super::args::ReplayArgs;
use super::failure::Failure;
use super::files;
use super::run::{Progress, Run, recorder, refused, write_timings};
use crate::builtin::{self, BuiltinLevel};
use crate::level::rules::RULES;
use crate::sim::recording::{LevelSource, Recording};
use crate::sim::replay::{self, Difference, Verifier};
use std::path::{Path, PathBuf};

pub(super) fn run(args: &ReplayArgs) -> Result<(), Failure> {
    let fail = |failure| refused(failure, &args.file, args.reports.json);
    let recording = read(&args.file).map_err(fail)?;
    if args.verify && recording.rules != RULES {
        let rules = recording.rules;
        let why = format!(
            "made by rules {rules}: cannot be verified, as this program plays by rules {RULES}"
        );
        return Err(fail(Failure::file(&args.file, why)));
    }
    let (name, level) = level(&args.file, &recording.level).map_err(fail)?;
    let mut clock = recorder(&args.reports);
    let mut run = Run::open_recorded(
        &name,
        &level,
        &recording,
        recording.settings.clone(),
        &mut clock,
    )
    .map_err(fail)?;
    let difference = play(&mut run, &recording, args.verify);
    run.rename(&args.file);
    let result = run.finish(run.played(), &args.reports);
    write_timings(&clock, &args.reports)?;
    match difference {
        Some(difference) => Err(Failure::file(&args.file, difference)),
        None => result,
    }
}

pub(super) fn read(path: &Path) -> Result<Recording, Failure> {
    let recording =
        Recording::read(&files::read(path)?).map_err(|error| Failure::file(path, error))?;
    for warning in &recording.warnings {
        files::complain(&format!("{}: warning: {warning}", path.display()));
    }
    Ok(recording)
}

/// The recorded level's bytes, and the path for its error messages.
pub(super) fn level(recording: &Path, source: &LevelSource) -> Result<(PathBuf, Vec<u8>), Failure> {
    let path = match source {
        LevelSource::Text { text, .. } => {
            return Ok((recording.to_path_buf(), LevelSource::decode(text)));
        }
        // Beside the recording, otherwise relative to the working directory.
        LevelSource::Path { path, .. } => match recording.with_file_name(path) {
            beside if beside.exists() => beside,
            _ => PathBuf::from(path),
        },
    };
    // A built-in level that was recorded by path is found from every folder.
    if !path.exists()
        && let Some(builtin_bytes) = builtin::with_file_name_of(&path).map(BuiltinLevel::bytes)
        && source.matches(&builtin_bytes)
    {
        return Ok((path, builtin_bytes));
    }
    let bytes = files::read(&path)?;
    if source.matches(&bytes) {
        Ok((path, bytes))
    } else {
        Err(Failure::file(
            &path,
            format!(
                "is not the level that {} was recorded in",
                recording.display()
            ),
        ))
    }
}

/// Plays every tick, or up to the first one that differs.
fn play(run: &mut Run, recording: &Recording, verify: bool) -> Option<Difference> {
    let mut progress = Progress::new();
    let mut verifier = verify.then(|| Verifier::new(recording));
    let mut differs = |run: &Run| verifier.as_mut()?.check(&run.sim);
    let mut difference = differs(run);
    let mut commands = replay::commands(recording, recording.ticks);
    while let Some(command) = commands.next().filter(|_| difference.is_none()) {
        run.step(&command);
        difference = differs(run);
        run.show(&mut progress, "tick", recording.ticks);
    }
    difference
}
