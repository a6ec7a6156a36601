//! How long does it take to show any tick of ten minutes? `cargo bench --no-default-features --bench timeline -- [LEVEL]
//! [--ticks=N] [--seeks=N] [--write=FILE.breach]` records 36,000 ticks with a rocket every half second, then goes to a
//! thousand seeded ticks, and at last back over all changes. What was recorded can be kept: benches/minute.breach is the
//! first 3,600 ticks.
use breach::geom::rng::Rng;
use breach::level;
use breach::sim::recording::LevelSource;
use breach::sim::{Action, Command, Settings, Sim, Timeline, soak_command};
use breach::timing::{Percentiles, Silent};
use std::time::Instant;

const ROCKET_EVERY: u64 = 30;
const SEEKS: u64 = 1000;
/// Of a timeline that has room for it.
const KEYFRAME_EVERY: u64 = 120;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let flag = |name: &str| args.iter().find_map(|arg| arg.strip_prefix(name));
    let path = args.iter().find(|arg| !arg.starts_with("--"));
    let path = path.map_or("levels/bunker.map", String::as_str);
    let ticks: u64 = flag("--ticks=").map_or(36_000, |n| n.parse().expect("a number"));
    let seeks_wanted: u64 = flag("--seeks=").map_or(SEEKS, |n| n.parse().expect("a number"));
    let map = std::fs::read(path).expect("a level");
    let settings = Settings::default();
    let desc = level::read_map(&map).expect("a level");
    let mut sim = Sim::new(desc, 1, settings.clone(), &mut Silent).expect("a world");
    let mut timeline = Timeline::new(LevelSource::embed(&map), 1, &settings, &sim);
    let mut rng = Rng::new(1);
    let ms = |from: Instant| (from.elapsed().as_secs_f64() * 1e3) as f32;
    let (mut steps, mut keeps) = (Vec::new(), Vec::new());
    for tick in 0..ticks {
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
    if let Some(file) = flag("--write=") {
        let mut bytes = Vec::new();
        let written = timeline.recording().write(&mut bytes);
        written
            .and_then(|()| std::fs::write(file, bytes))
            .expect("written");
    }
    let show = |what: &str, samples: &[f32]| {
        let p = Percentiles::from_samples(samples.iter().copied());
        let mean = samples.iter().sum::<f32>() / samples.len().max(1) as f32;
        println!(
            "{what:<10} mean {mean:8.3}  p50 {:8.3}  p99 {:8.3}  max {:8.3} ms",
            p.p50_ms, p.p99_ms, p.max_ms
        );
    };
    let census = sim.world.census();
    let changes = sim.history.undo_steps();
    println!(
        "{path}: {ticks} ticks, {} faces, {changes} carves",
        census.faces
    );
    let [keyframes, whole] = timeline.keyframes();
    println!(
        "{keyframes} keyframes, {whole} of them whole, some {} MB",
        timeline.bytes() >> 20
    );
    show("tick", &steps);
    show("keep", &keeps);
    // Any tick, and ticks of keyframes alone: what comes on top is ticks played again.
    for (what, grid) in [("seek", 1), ("keyframe", KEYFRAME_EVERY)] {
        let mut seeks = Vec::new();
        for _ in 0..seeks_wanted {
            let to = rng.next_u64() % (ticks / grid + 1) * grid;
            let from = Instant::now();
            timeline.seek(&mut sim, to, &mut Silent);
            seeks.push(ms(from));
        }
        show(what, &seeks);
    }
    // From the end back to the start over all changes, as the list of changes does.
    timeline.seek(&mut sim, ticks, &mut Silent);
    let mut back = Vec::new();
    while sim.history.undo_steps() > 0 {
        let actions = vec![Action::Undo; sim.history.steps_in_a_tick(false)];
        let command = Command {
            actions,
            ..sim.idle()
        };
        let from = Instant::now();
        sim.step(&command, &mut Silent);
        back.push(ms(from));
    }
    println!("{} changes gone back over in {} ticks", changes, back.len());
    show("back", &back);
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        status
            .lines()
            .filter(|l| l.starts_with("VmHWM"))
            .for_each(|l| println!("{l}"));
    }
}
