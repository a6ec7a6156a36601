//! Parses the command line and runs its command.
use super::args::{Cli, CliCommand};
use super::failure::Failure;
#[cfg(feature = "render")]
use super::shot;
use super::{bench, check, clip, compare, export, fault, files, query, replay, soak, window};
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
        Some(CliCommand::Bench(args)) => bench::run(&args, faults),
        Some(command) => fault::guarded(command.recording(), || run(&command)),
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

fn run(command: &CliCommand) -> Result<(), Failure> {
    match command {
        #[cfg(feature = "render")]
        CliCommand::Shot(args) => shot::run(args),
        #[cfg(not(feature = "render"))]
        CliCommand::Shot(_) => Err(Failure::Other(
            "this build cannot draw (build it with the feature `render`)".into(),
        )),
        CliCommand::Clip(args) => clip::run(args),
        CliCommand::Soak(args) => soak::run(args),
        CliCommand::Replay(args) => replay::run(args),
        CliCommand::Check(args) => check::run(args),
        CliCommand::Compare(args) => compare::run(args),
        CliCommand::Query(args) => query::run(args),
        CliCommand::Export(args) => export::run(args),
        CliCommand::Bench(_) => unreachable!("a window watches faults by itself"),
    }
}
