//! How long does it take to show any tick of ten minutes? `cargo bench --no-default-features --bench timeline [LEVEL]`
//! records 36,000 ticks with a rocket every half second, then goes to a thousand seeded ticks.
use breach::geom::rng::Rng;
use breach::level;
use breach::sim::recording::LevelSource;
use breach::sim::{Settings, Sim, Timeline, soak_command};
use breach::timing::{Percentiles, Silent};
use std::time::Instant;

const TICKS: u64 = 36_000;
const ROCKET_EVERY: u64 = 30;
const SEEKS: u64 = 1000;

fn main() {
    let arg = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let path = arg.unwrap_or_else(|| "levels/bunker.map".into());
    let map = std::fs::read(&path).expect("a level");
    let settings = Settings::default();
    let desc = level::read_map(&map).expect("a level");
    let mut sim = Sim::new(desc, 1, settings.clone(), &mut Silent).expect("a world");
    let mut timeline = Timeline::new(LevelSource::embed(&map), 1, &settings, &sim);
    let mut rng = Rng::new(1);
    let ms = |from: Instant| (from.elapsed().as_secs_f64() * 1e3) as f32;
    let (mut steps, mut keeps) = (Vec::new(), Vec::new());
    for tick in 0..TICKS {
        let command = match tick % ROCKET_EVERY {
            0 => soak_command(&sim, &mut rng),
            _ => sim.idle(),
        };
        let from = Instant::now();
        sim.step(&command, &mut Silent);
        steps.push(ms(from));
        let from = Instant::now();
        timeline.stepped(&command, &sim);
        keeps.push(ms(from));
    }
    let show = |what: &str, samples: &[f32]| {
        let p = Percentiles::of(samples.iter().copied());
        let mean = samples.iter().sum::<f32>() / samples.len().max(1) as f32;
        println!(
            "{what:<10} mean {mean:8.3}  p50 {:8.3}  p99 {:8.3}  max {:8.3} ms",
            p.p50_ms, p.p99_ms, p.max_ms
        );
    };
    let census = sim.world.census();
    println!(
        "{path}: {TICKS} ticks, {} faces, {} carves",
        census.faces,
        sim.history.undo_steps()
    );
    println!(
        "{} keyframes, some {} MB",
        timeline.keyframes(),
        timeline.bytes() >> 20
    );
    show("tick", &steps);
    show("keep", &keeps);
    let mut seeks = Vec::new();
    for _ in 0..SEEKS {
        let to = rng.next_u64() % (TICKS + 1);
        let from = Instant::now();
        timeline.seek(&mut sim, to, &mut Silent);
        seeks.push(ms(from));
    }
    show("seek", &seeks);
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        status
            .lines()
            .filter(|l| l.starts_with("VmHWM"))
            .for_each(|l| println!("{l}"));
    }
}
