//! Carves too large for a tick, and their undo: milliseconds of each tick, and in which stage the worst one was.
use crate::clock::Phases;
use breach::geom::rng::Rng;
use breach::level::read_map;
use breach::sim::{Action, Command, Settings, Sim, Tool, ToolShape, soak_command};
use breach::timing::{Marker, Silent, Stage};
use std::path::PathBuf;

/// What is carved where.
#[derive(clap::Args)]
pub struct Args {
    /// A level file.
    #[arg(long, default_value = "../shared/levels/lq_e2m4.map")]
    level: PathBuf,
    /// Rockets before.
    #[arg(long, default_value_t = 0)]
    rockets: u32,
    /// Places.
    #[arg(long, default_value_t = 4)]
    places: usize,
    /// How often each is done from the same state: each tick's median counts.
    #[arg(long, default_value_t = 5)]
    repeat: usize,
    /// The world's part of a tick should stay below, milliseconds.
    #[arg(long, default_value_t = 8.0)]
    most_ms: f64,
}

/// What a tick may have to do.
const KINDS: [&str; 5] = [
    "ball 20 m",
    "box 20 m",
    "blast r 20 m",
    "hull of 1,000 points",
    "hull of 10,000 points",
];

/// Places that are tried before a kind counts as refused everywhere.
const TRIES: usize = 100;

/// A tick by stage, milliseconds.
type Tick = [f64; Stage::COUNT];

/// Prints the table; whether no tick took too long.
pub fn run(args: &Args) -> bool {
    let bytes = match std::fs::read(&args.level) {
        Ok(bytes) => bytes,
        Err(e) => {
            eprintln!("{}: {e}", args.level.display());
            return false;
        }
    };
    let level = match read_map(&bytes) {
        Ok(level) => level,
        Err(e) => {
            eprintln!("{}: {e}", args.level.display());
            return false;
        }
    };
    let settings = Settings {
        debris: false,
        ..Settings::default()
    };
    let mut sim = match Sim::new(level, 1, settings, &mut Silent) {
        Ok(sim) => sim,
        Err(e) => {
            eprintln!("{e}");
            return false;
        }
    };
    let mut rng = Rng::new(7);
    for _ in 0..args.rockets {
        let command = soak_command(&sim, &mut rng);
        sim.step(&command, &mut Silent);
        finish(&mut sim, &mut Silent);
        sim.forget_history();
    }
    println!(
        "{}, {} rockets before, {} places, each the median of {} times; ms without debris\n",
        args.level.display(),
        args.rockets,
        args.places,
        args.repeat
    );
    println!(
        "| what | ticks | worst tick | of it: clip / conform / islands / portals / bins / rest |"
    );
    println!("|---|---|---|---|");
    let mut is_good = true;
    for (number, kind) in KINDS.iter().enumerate() {
        let mut rng = Rng::new(11);
        let mut worst = [(0.0, [0.0; Stage::COUNT], 0); 3];
        for _ in 0..args.places {
            let Some((placed, command)) = aimed(&sim, number, &mut rng) else {
                println!("| {kind} | refused at {TRIES} places | | |");
                is_good = false;
                break;
            };
            let undo = acting(&placed, Action::Undo);
            let redo = acting(&placed, Action::Redo);
            let mut runs: Vec<[Vec<Tick>; 3]> = Vec::new();
            for _ in 0..args.repeat.max(1) {
                let mut sim = placed.clone();
                runs.push([&command, &undo, &redo].map(|c| ticks(&mut sim, c)));
            }
            for (what, worst) in worst.iter_mut().enumerate() {
                let count = runs[0][what].len();
                for t in 0..count {
                    let same: Vec<&Tick> = runs.iter().map(|r| &r[what][t]).collect();
                    let tick: Tick =
                        std::array::from_fn(|s| median(same.iter().map(|x| x[s]).collect()));
                    let world = median(same.iter().map(|x| of_world(x)).collect());
                    if world > worst.0 {
                        (worst.0, worst.1) = (world, tick);
                    }
                }
                worst.2 = worst.2.max(count);
            }
        }
        for (what, (ms, tick, count)) in ["", ", undone", ", redone"].iter().zip(worst) {
            let stages = [
                Stage::Clip,
                Stage::Conform,
                Stage::Islands,
                Stage::Portals,
                Stage::Bins,
            ];
            let part = stages.map(|s| tick[s.index()]);
            let rest = ms - part.iter().sum::<f64>();
            let part: Vec<String> = part
                .iter()
                .chain([&rest])
                .map(|ms| format!("{ms:.2}"))
                .collect();
            println!(
                "| {kind}{what} | {count} | {ms:.2} | {} |",
                part.join(" / ")
            );
            is_good &= ms < args.most_ms;
        }
    }
    is_good
}

/// The part of a tick that is not debris.
fn of_world(tick: &Tick) -> f64 {
    tick[Stage::Step.index()] - tick[Stage::Debris.index()]
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list[list.len() / 2]
}

/// The state before, at a place in the air, and the command that carves there; None if it is refused wherever it is tried.
fn aimed(sim: &Sim, kind: usize, rng: &mut Rng) -> Option<(Sim, Command)> {
    for _ in 0..TRIES {
        let shot = soak_command(sim, rng);
        let Some(Action::FireAlong { from, dir }) = shot.actions.first() else {
            continue;
        };
        let mut placed = sim.clone();
        let yaw = libm::atan2(-dir[0], -dir[2]);
        let look = Command {
            yaw,
            pitch: 0.0,
            ..Command::default()
        };
        let settings = Settings {
            blast_radius: 20.0,
            ..sim.settings.clone()
        };
        let start = vec![
            Action::Set(Box::new(settings)),
            Action::Walk(false),
            Action::Teleport(*from),
        ];
        placed.step(
            &Command {
                actions: start,
                ..look.clone()
            },
            &mut Silent,
        );
        let tool = |shape, points| Action::Tool {
            fill: false,
            tool: Tool {
                shape,
                size: 20.0,
                depth: 10.0,
                points,
                ..Tool::default()
            },
        };
        let middle = placed.player.eye;
        let mut around = |count| {
            (0..count)
                .map(|_| (middle + rng.unit_vector() * 10.0).to_array())
                .collect()
        };
        let action = match kind {
            0 => tool(ToolShape::Ball, vec![]),
            1 => tool(ToolShape::Box, vec![]),
            2 => shot.actions[0].clone(),
            3 => tool(ToolShape::Hull, around(1_000)),
            _ => tool(ToolShape::Hull, around(10_000)),
        };
        let command = Command {
            actions: vec![action],
            ..look
        };
        let mut trial = placed.clone();
        trial.step(&command, &mut Silent);
        finish(&mut trial, &mut Silent);
        if trial.history.undo_steps() > placed.history.undo_steps() {
            return Some((placed, command));
        }
    }
    None
}

fn acting(sim: &Sim, action: Action) -> Command {
    Command {
        actions: vec![action],
        ..sim.idle()
    }
}

/// A command, and the ticks until all is done.
fn ticks(sim: &mut Sim, command: &Command) -> Vec<Tick> {
    let mut phases = Phases::default();
    sim.step(command, &mut phases);
    let mut list = vec![phases.ms];
    while sim.carving().is_some() {
        let mut phases = Phases::default();
        let idle = sim.idle();
        sim.step(&idle, &mut phases);
        list.push(phases.ms);
    }
    list
}

fn finish(sim: &mut Sim, marker: &mut dyn Marker) {
    while sim.carving().is_some() {
        let idle = sim.idle();
        sim.step(&idle, marker);
    }
}
