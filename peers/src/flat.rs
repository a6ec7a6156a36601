//! What play costs in levels of any size: each cost should be the same in a level of a thousand times the brushes.
use crate::clock::{summary, timed};
use breach::geom::rng::Rng;
use breach::level;
use breach::sim::{Action, Command, Settings, Sim, soak_command};
use breach::timing::Silent;
use breach::view::{Camera, Overlays, VisibilityCache, snapshot_seen_from};
use std::path::{Path, PathBuf};

/// Options of `peers flat`.
#[derive(clap::Args)]
pub struct Args {
    /// Levels, .map files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Rockets, one a tick
    #[arg(long, default_value_t = 300)]
    rockets: u32,
}

/// Prints the table; false where a level does not open.
pub fn run(args: &Args) -> bool {
    println!(
        "Milliseconds of one thread, median / 99 %\n\n| level | brushes | rooms | tick with a carve | idle tick | undo | keyframe | hash | save | frame |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut is_good = true;
    for file in &args.files {
        match row(file, args.rockets) {
            Ok(row) => println!("{row}"),
            Err(why) => {
                eprintln!("{}: {why}", file.display());
                is_good = false;
            }
        }
    }
    is_good
}

fn row(file: &Path, rockets: u32) -> Result<String, Box<dyn std::error::Error>> {
    let desc = level::read_map(&std::fs::read(file)?)?;
    let settings = Settings {
        debris: false,
        ..Settings::default()
    };
    let mut sim = Sim::new(desc, 1, settings, &mut Silent)?;
    let mut rng = Rng::new(3);
    let step = |sim: &mut Sim, command: &Command| timed(|| sim.step(command, &mut Silent)).1;
    let carves = (0..rockets).map(|_| {
        let command = soak_command(&sim, &mut rng);
        step(&mut sim, &command)
    });
    let carves: Vec<f64> = carves.collect();
    // The last rockets arrive meanwhile.
    let idle: Vec<f64> = (0..600)
        .map(|_| {
            let command = sim.idle();
            step(&mut sim, &command)
        })
        .collect();
    // A keyframe, while the one before goes, after a change each.
    let mut before = sim.clone();
    let mut keyframes = vec![];
    for _ in 0..20 {
        let command = soak_command(&sim, &mut rng);
        step(&mut sim, &command);
        keyframes.push(timed(|| before = sim.clone()).1);
    }
    drop(before);
    let hashes: Vec<f64> = (0..100).map(|_| timed(|| sim.state_hash()).1).collect();
    let saves: Vec<f64> = (0..5)
        .map(|_| timed(|| level::write_map(&sim.level)).1)
        .collect();
    let cache = &mut VisibilityCache::default();
    let frames = (0..200).map(|i| {
        let camera = Camera {
            eye: sim.player.eye,
            yaw: f64::from(i) * 0.0314,
            pitch: 0.0,
            fov_y: 1.2,
            aspect: 1.6,
        };
        timed(|| snapshot_seen_from(&sim, camera, camera, Overlays::default(), 1.0, cache)).1
    });
    let frames: Vec<f64> = frames.collect();
    let undone: Vec<f64> = (0..50)
        .map(|_| {
            let command = Command {
                actions: vec![Action::Undo],
                ..sim.idle()
            };
            step(&mut sim, &command)
        })
        .collect();
    let times = [carves, idle, undone, keyframes, hashes, saves, frames].map(|ms| {
        let of = summary(&ms);
        format!("{:.4} / {:.4}", of.p50, of.p99)
    });
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let (brushes, rooms) = (sim.level.brushes, sim.world.room_count());
    Ok(format!(
        "| {name} | {brushes} | {rooms} | {} |",
        times.join(" | ")
    ))
}
