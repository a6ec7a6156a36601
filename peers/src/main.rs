//! Breach beside what others offer: the same work, in one run.
use clap::{Parser, Subcommand};

mod boxes;
mod brushes;
mod carve;
mod clock;
mod collide;
mod debris;
mod exchange;
mod flags;
mod flat;
mod fuzz;
mod joined;
mod level;
mod long;
mod ours;
mod preview;
mod rooms;
mod slices;
#[cfg(feature = "blast")]
mod stress;
mod theirs;
mod undo;

/// Breach beside what others offer: the same work, in one run.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Boxes that fall and pile up: rapier3d beside Breach, milliseconds a step and how deep they overlap.
    Boxes(boxes::Args),
    /// Seeded brushes carved out of the six rooms: milliseconds, triangles, volumes.
    Carve(carve::Args),
    /// Sweeps, rays, builds and edits of trees: parry3d, obvhs and bvh beside Breach, millions a second.
    Collide(collide::Args),
    /// Ten thousand spheres that fall and pile up, and chunks: rapier3d beside Breach, milliseconds a step.
    Debris(debris::Args),
    /// Write the rooms, queries, scenes and brushes as text, for engines that no package registry has: peers/FORMAT.md.
    Export(exchange::export::Args),
    /// Seeded inputs of every kind, each judged in a process of its own; faults are made small and written down.
    Fuzz(fuzz::Args),
    /// What carves, undo, keyframes, hashes, saves and frames cost in levels of any size: milliseconds, which should not grow.
    Flat(flat::Args),
    /// Figures that harnesses of such engines wrote, beside Breach's in the same run.
    ImportResults(exchange::import::Args),
    /// Write a level of many brushes: grid, towers, caves or terrain. `breach check FILE` says how long it takes to open.
    Level(level::Args),
    /// One long run in a block of rock, with everything checked at every thousandth carve (hours for the whole).
    Long(long::Args),
    /// Carves too large for a tick, and their undo: milliseconds of each tick.
    Slices(slices::Args),
    /// Structures hit in each tick, and one left alone for ten minutes: blast-stress-solver beside Breach.
    #[cfg(feature = "blast")]
    Stress(stress::Args),
}

impl Command {
    /// Whether it measures Breach beside others.
    fn compares(&self) -> bool {
        match self {
            Command::Boxes(_) | Command::Carve(_) | Command::Collide(_) => true,
            Command::Debris(_) | Command::ImportResults(_) | Command::Long(_) => true,
            #[cfg(feature = "blast")]
            Command::Stress(_) => true,
            Command::Export(_) | Command::Fuzz(_) | Command::Flat(_) => false,
            Command::Level(_) | Command::Slices(_) => false,
        }
    }
}

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    if std::env::var_os(fuzz::child::AS_BREACH).is_some() {
        return breach::cli::main();
    }
    // One thread does all, so that its time is all the time.
    let pool = rayon::ThreadPoolBuilder::new();
    if let Err(e) = pool.num_threads(1).use_current_thread().build_global() {
        eprintln!("{e}");
    }
    let command = Args::parse().command;
    if command.compares() {
        println!("peers built for: {}", flags::built_for());
    }
    let is_good = match command {
        Command::Boxes(args) => boxes::run(&args),
        Command::Carve(args) => carve::run(&args),
        Command::Collide(args) => collide::run(&args),
        Command::Debris(args) => debris::run(&args),
        Command::Export(args) => exchange::export::run(&args),
        Command::Fuzz(args) => fuzz::run(&args),
        Command::Flat(args) => flat::run(&args),
        Command::ImportResults(args) => exchange::import::run(&args),
        Command::Level(args) => level::run(&args),
        Command::Long(args) => long::run(&args),
        Command::Slices(args) => slices::run(&args),
        #[cfg(feature = "blast")]
        Command::Stress(args) => stress::run(&args),
    };
    std::process::ExitCode::from(u8::from(!is_good))
}
