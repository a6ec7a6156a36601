//! `breach check FILE...`: loads and validates, one report a file.
use super::args::CheckArgs;
use super::files::{Failure, complain};
use super::run::{Run, recorder, refused, write_timings};
use crate::sim::Settings;
use crate::timing::Recorder;
use std::path::Path;

pub(super) fn run(args: &CheckArgs) -> Result<(), Failure> {
    if args.reports.save.is_some() && args.files.len() > 1 {
        return Err(Failure::Usage("--save takes one FILE".into()));
    }
    let mut clock = recorder(&args.reports);
    let mut all_well = true;
    for path in &args.files {
        // One bad file does not hide the next.
        match check(path, args, &mut clock) {
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
    if all_well { Ok(()) } else { Err(Failure::Said) }
}

fn check(path: &Path, args: &CheckArgs, clock: &mut Recorder) -> Result<(), Failure> {
    let run = Run::open(path, 1, Settings::default(), clock)
        .map_err(|failure| refused(failure, path, args.reports.json))?;
    run.finish(run.loaded(), &args.reports)
}
