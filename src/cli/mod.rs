//! The command line: `breach [FILE]` opens the window, every subcommand runs without one.
//!
//! `args` declares subcommands and options, `dispatch` runs them, with a file for each subcommand; `run` loads a level and
//! steps it, `report` prints the results. Exit codes (`failure`): 0 done, 1 bad input or a failed check, 2 wrong usage.
//! Results go to stdout, errors (`FILE:LINE:COLUMN: what is wrong`) and progress to stderr. No input makes it panic; a fault
//! in Breach itself ends in 101 (`fault`).
mod args;
mod bench;
mod check;
mod clip;
mod compare;
mod dispatch;
mod export;
mod failure;
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

pub use dispatch::main;
