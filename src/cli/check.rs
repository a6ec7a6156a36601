//! `breach check FILE...`: loads and validates levels, one report a file.
use super::args::CheckArgs;
use super::failure::Failure;
use super::files::{complain, save};
use super::run::{Run, recorder, refused, write_timings};
use crate::level::point_file;
use crate::sim::Settings;
use crate::timing::Recorder;
use glam::DVec3;
use std::path::Path;

pub(super) fn run(args: &CheckArgs) -> Result<(), Failure> {
    if args.reports.save.is_some() && args.files.len() > 1 {
        return Err(Failure::Usage("--save takes one FILE".into()));
    }
    let mut clock = recorder(&args.reports);
    let mut all_well = true;
    let mut leak_path = Vec::new();
    for path in &args.files {
        // A bad file does not keep the next from being checked.
        match check(path, args, &mut clock, &mut leak_path) {
            Ok(()) => {}
            Err(Failure::Closed) => return Err(Failure::Closed),
            Err(failure) => {
                all_well = false;
                if let Some(message) = failure.message() {
                    complain(&message);
                }
            }
        }
    }
    write_timings(&clock, &args.reports)?;
    if let Some(path) = &args.points {
        if leak_path.is_empty() {
            complain(&format!(
                "{}: not written, as nothing leaks",
                path.display()
            ));
        } else {
            save(path, &point_file(&leak_path))?;
        }
    }
    if all_well { Ok(()) } else { Err(Failure::Said) }
}

/// Checks one level; `leak_path` gets the path of the first one that leaks.
fn check(
    path: &Path,
    args: &CheckArgs,
    clock: &mut Recorder,
    leak_path: &mut Vec<DVec3>,
) -> Result<(), Failure> {
    let run = Run::open(path, 1, Settings::default(), clock)
        .map_err(|failure| refused(failure, path, args.reports.json))?;
    if leak_path.is_empty() {
        leak_path.clone_from(&run.sim.world.leak);
    }
    run.finish(run.loaded(), &args.reports)
}
