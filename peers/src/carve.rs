//! The table of carving.
use crate::clock::summary;
use crate::{ours, rooms};
use breach::timing::Stage;

/// How much is measured.
#[derive(clap::Args)]
pub struct Args {
    /// Rooms, as flat_2k or flat_20k_x100; all six if not given.
    #[arg(long)]
    room: Vec<String>,
    /// Carves in each.
    #[arg(long, default_value_t = 1000)]
    carves: usize,
    /// How often the same sequence runs: each carve's smallest time counts.
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Seed of the brushes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Breach alone.
    #[arg(long)]
    ours: bool,
}

/// Prints the table.
pub fn run(args: &Args) {
    let names: Vec<String> = match args.room.is_empty() {
        true => rooms::names().map(String::from).collect(),
        false => args.room.clone(),
    };
    let Some(first) = rooms::room("flat_2k") else {
        return;
    };
    let brushes = ours::sequence(ours::world(&first), args.carves, args.seed);
    for name in names {
        let Some(room) = rooms::room(&name) else {
            eprintln!("there is no room {name}");
            std::process::exit(2);
        };
        let world = ours::world(&room);
        let run = ours::measure(&world, &brushes, args.repeat);
        let s = summary(&run.ms);
        println!(
            "{name:12} {:8} triangles  mean {:.3} p50 {:.3} p99 {:.3} max {:.3} first {:.3} last {:.3} ms",
            room.triangles.len(),
            s.mean,
            s.p50,
            s.p99,
            s.max,
            s.first,
            s.last
        );
        println!("{:?}", run.census);
        for stage in Stage::PHASES {
            print!("{} {:.3}  ", stage.name(), run.phases[stage.index()]);
        }
        println!("valid: {:?}", run.world.validate());
    }
}
