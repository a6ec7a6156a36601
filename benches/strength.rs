//! How long does a check of strength take? `cargo bench --no-default-features --bench strength -- [LEVEL] [--rockets=N]
//! [--seed=N] [--radius=R]` fires seeded rockets at a level and checks its strength after each carve, in slices as the
//! game does; nothing breaks. It prints the structures' sizes, the time to a verdict, and the longest slice.
use breach::geom::rng::Rng;
use breach::level;
use breach::sim::{Settings, Sim, add_new_materials, soak_command};
use breach::timing::{Percentiles, Silent};
use glam::DVec3;
use std::time::Instant;

/// Units of a slice, as in the game.
const UNITS: u64 = 4_000_000;
const GRAVITY: DVec3 = DVec3::new(0.0, -9.81, 0.0);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let flag = |name: &str| args.iter().find_map(|arg| arg.strip_prefix(name));
    let path = args.iter().find(|arg| !arg.starts_with("--"));
    let path = path.map_or("levels/bunker.map", String::as_str);
    let rockets: usize = flag("--rockets=").map_or(200, |n| n.parse().expect("a number"));
    let seed: u64 = flag("--seed=").map_or(1, |n| n.parse().expect("a number"));
    let radius: f64 = flag("--radius=").map_or(1.0, |n| n.parse().expect("a number"));
    let map = std::fs::read(path).expect("a level");
    let settings = Settings {
        debris: false,
        blast_radius: radius,
        ..Settings::default()
    };
    let desc = level::read_map(&map).expect("a level");
    let mut sim = Sim::new(desc, seed, settings, &mut Silent).expect("a world");
    let mut strength = sim.strength_to_look().expect("it was opened");
    let mut rng = Rng::new(seed);
    let ms = |from: Instant| (from.elapsed().as_secs_f64() * 1e3) as f32;
    let (mut checks, mut slices, mut blocks, mut calls) = (vec![], vec![], vec![], vec![]);
    let mut failures = 0;
    for _ in 0..rockets {
        let command = soak_command(&sim, &mut rng);
        let mut carves = sim.step(&command, &mut Silent).carves;
        while sim.carving().is_some() {
            let idle = sim.idle();
            carves.extend(sim.step(&idle, &mut Silent).carves);
        }
        let done = carves.iter().filter_map(|carve| carve.result.as_ref().ok());
        for bounds in done.filter_map(|carved| carved.bounds.as_ref()) {
            strength.note_change(bounds);
        }
        add_new_materials(&mut strength, &sim.world);
        if strength.changed().is_empty() {
            continue;
        }
        let whole = Instant::now();
        let mut count = 0;
        let verdict = loop {
            let from = Instant::now();
            let verdict = strength.advance(&sim.world, GRAVITY, 1.0, UNITS);
            slices.push(ms(from));
            count += 1;
            if let Some(verdict) = verdict {
                break verdict;
            }
        };
        checks.push(ms(whole));
        blocks.push(verdict.blocks as f32);
        calls.push(count as f32);
        failures += verdict.breaks.len();
    }
    let show = |what: &str, samples: &[f32], unit: &str| {
        let p = Percentiles::from_samples(samples.iter().copied());
        let mean = samples.iter().sum::<f32>() / samples.len().max(1) as f32;
        println!(
            "{what:<8} mean {mean:9.3}  p50 {:9.3}  p99 {:9.3}  max {:9.3} {unit}",
            p.p50_ms, p.p99_ms, p.max_ms
        );
    };
    println!(
        "{path}: {} checks, {failures} bonds would break",
        checks.len()
    );
    show("blocks", &blocks, "");
    show("ticks", &calls, "to a verdict");
    show("check", &checks, "ms");
    show("slice", &slices, "ms");
}
