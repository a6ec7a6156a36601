//! The command line: `breach [FILE]` opens the window, every subcommand runs without one.
//!
//! What may be typed is in `args`, one file for each subcommand, `run` loads a level and drives it tick by tick,
//! `report` says what came out. Exit codes: 0 done, 1 bad input or a failed check, 2 wrong usage. Results go to
//! stdout, complaints (`FILE:LINE:COLUMN: what is wrong`) and progress to stderr. No input makes it panic; a fault in Breach
//! itself ends in 101 (`fault`).

mod args;
mod bench;
mod check;
#[cfg(feature = "render")]
mod clip;
mod compare;
mod export;
pub(crate) mod fault;
mod files;
mod query;
mod replay;
mod report;
mod run;
#[cfg(feature = "render")]
mod shot;
mod soak;
mod window;

use args::{Cli, Task};
use clap::Parser;
use std::process::ExitCode;

/// Runs the program; exit code 0 done, 1 bad input or failed check, 2 wrong usage, 101 a failed assertion.
pub fn main() -> ExitCode {
    let faults = fault::Faults::watch();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come this way too, with exit code 0. A closed pipe is no reason to complain.
            let _ = error.print();
            return ExitCode::from(error.exit_code().clamp(0, 2) as u8);
        }
    };
    let result = match cli.command {
        None => window::run(cli.file, faults),
        Some(Task::Bench(args)) => bench::run(&args, faults),
        Some(task) => fault::guarded(task.recording(), || run(&task)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(message) = failure.message() {
                files::complain(&message);
            }
            ExitCode::from(failure.code())
        }
    }
}

fn run(task: &Task) -> Result<(), files::Failure> {
    match task {
        #[cfg(feature = "render")]
        Task::Shot(args) => shot::run(args),
        #[cfg(feature = "render")]
        Task::Clip(args) => clip::run(args),
        #[cfg(not(feature = "render"))]
        Task::Shot(_) | Task::Clip(_) => Err(files::Failure::Other(
            "this build cannot draw (build it with the feature `render`)".into(),
        )),
        Task::Soak(args) => soak::run(args),
        Task::Replay(args) => replay::run(args),
        Task::Check(args) => check::run(args),
        Task::Compare(args) => compare::run(args),
        Task::Query(args) => query::run(args),
        Task::Export(args) => export::run(args),
        Task::Bench(_) => unreachable!("a window watches faults by itself"),
    }
}
