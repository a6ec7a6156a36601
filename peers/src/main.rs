//! Breach beside what others offer: the same work, in one run.
use clap::{Parser, Subcommand};

mod brushes;
mod carve;
mod clock;
mod ours;
mod rooms;

/// Breach beside what others offer: the same work, in one run.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Seeded brushes carved out of the six rooms: milliseconds, triangles, volumes.
    Carve(carve::Args),
}

fn main() {
    match Args::parse().command {
        Command::Carve(args) => carve::run(&args),
    }
}
