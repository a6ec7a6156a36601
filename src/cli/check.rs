//! `breach check FILE...`: loads and validates, one report a file.
use super::args::CheckArgs;
use super::files::{Failure, complain, save};
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
    let mut way_out = Vec::new();
    for path in &args.files {
        // One bad file does not hide the next.
        match check(path, args, &mut clock, &mut way_out) {
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
        if way_out.is_empty() {
            complain(&format!(
                "{}: not written, as nothing leaks",
                path.display()
            ));
        } else {
            save(path, &point_file(&way_out))?;
        }
    }
    if all_well { Ok(()) } else { Err(Failure::Said) }
}

/// Checks one level; the first of several that leaks gives its way out.
fn check(
    path: &Path,
    args: &CheckArgs,
    clock: &mut Recorder,
    way_out: &mut Vec<DVec3>,
) -> Result<(), Failure> {
    let run = Run::open(path, 1, Settings::default(), clock)
        .map_err(|failure| refused(failure, path, args.reports.json))?;
    if way_out.is_empty() {
        way_out.clone_from(&run.sim.world.leak);
    }
    run.finish(run.loaded(), &args.reports)
}
