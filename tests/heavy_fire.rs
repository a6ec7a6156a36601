//! Ten blasts of 20 m in every tick of a minute, with everything under its full load: nothing is lost.
//!
//! `cargo test --release --no-default-features --test heavy_fire -- --ignored --nocapture` prints the milliseconds of ticks;
//! what they may be depends on the machine and is not asserted.
use breach::bvh::QueryStats;
use breach::geom::rng::Rng;
use breach::level::read_map;
use breach::sim::{Action, CarvedBy, Settings, Sim, StepReport, soak_command};
use breach::timing::{Frame, Percentiles, Recorder, Silent, Stage};
use glam::DVec3;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Ticks of a minute.
const TICKS: u32 = 3_600;
const BLASTS: u32 = 10;
/// Ticks whose stages are printed.
const LONGEST: usize = 8;
/// Ticks after which all that waits should be done.
const PATIENCE: u32 = 2_000_000;

/// What became of the blasts.
#[derive(Default)]
struct Count {
    fired: u32,
    done: u32,
    refused: u32,
    failures: u32,
    reasons: std::collections::BTreeMap<String, u32>,
    checks: u32,
    recorder: Recorder,
    ticks: Vec<Frame>,
}

impl Count {
    fn step(&mut self, sim: &mut Sim, actions: Vec<Action>) {
        let command = breach::sim::Command {
            actions,
            ..sim.idle()
        };
        self.recorder.begin_frame();
        let report: StepReport = sim.step(&command, &mut self.recorder);
        self.recorder.end_frame();
        self.ticks.extend(self.recorder.frames().back().cloned());
        self.checks += u32::from(report.check.is_some());
        for carve in &report.carves {
            match (carve.by, &carve.result) {
                (CarvedBy::Blast, Ok(_)) => self.done += 1,
                (CarvedBy::Blast, Err(why)) => {
                    self.refused += 1;
                    *self.reasons.entry(why.to_string()).or_default() += 1;
                }
                _ => self.failures += 1,
            }
        }
    }
}

/// Whether a rocket from here meets anything.
fn hits(sim: &Sim, from: DVec3, dir: DVec3) -> bool {
    let size = sim.world.bounds().size().length();
    let mut stats = QueryStats::default();
    let hit = sim.world.cast_ray(from, from + dir * size, &mut stats);
    hit.is_some()
}

/// Prints the stages in the mean and of the longest ticks.
fn print_stages(ticks: &[Frame]) {
    print!("  in the mean:");
    for stage in Stage::ALL {
        let sum: f32 = ticks.iter().map(|tick| tick.own_ms[stage.index()]).sum();
        let mean = sum / ticks.len().max(1) as f32;
        if mean >= 0.1 {
            print!(" {} {mean:.1}", stage.name());
        }
    }
    println!(" ms");
    let mut longest: Vec<&Frame> = ticks.iter().collect();
    longest.sort_by(|a, b| b.whole_ms.total_cmp(&a.whole_ms));
    for tick in longest.iter().take(LONGEST) {
        print!("  tick {}: {:.1} ms:", tick.number, tick.whole_ms);
        for (stage, ms) in Stage::ALL.iter().zip(tick.own_ms) {
            if ms >= 0.5 {
                print!(" {} {ms:.1}", stage.name());
            }
        }
        println!();
    }
}

fn fire(name: &str, ticks: u32, radius: f64) {
    let path = format!("{}/levels/{name}.map", env!("CARGO_MANIFEST_DIR"));
    let desc = read_map(&std::fs::read(&path).expect(&path)).expect(&path);
    let settings = Settings {
        strength: 1.0,
        blast_radius: radius,
        ..Settings::default()
    };
    let mut sim = Sim::new(desc, 1, settings, &mut Silent).expect("a world");
    let mut rng = Rng::new(1);
    let mut count = Count::default();
    for _ in 0..ticks {
        let mut actions = Vec::new();
        for _ in 0..BLASTS {
            for action in soak_command(&sim, &mut rng).actions {
                if let Action::FireAlong { from, dir } = &action {
                    count.fired += u32::from(hits(&sim, DVec3::from(*from), DVec3::from(*dir)));
                }
                actions.push(action);
            }
        }
        count.step(&mut sim, actions);
    }
    let in_fire = count.ticks.len();
    let waiting = count.fired - count.done - count.refused;
    while (sim.carving().is_some() || sim.is_checking()) && (count.ticks.len() as u32) < PATIENCE {
        count.step(&mut sim, Vec::new());
    }
    for (what, ticks) in [
        ("under fire", &count.ticks[..in_fire]),
        ("after it", &count.ticks[in_fire..]),
    ] {
        let p = Percentiles::from_samples(ticks.iter().map(|tick| tick.whole_ms));
        println!(
            "{name}, {what}: {} ticks, p50 {:.2}, p99 {:.2}, max {:.2} ms; {} above 16 ms",
            ticks.len(),
            p.p50_ms,
            p.p99_ms,
            p.max_ms,
            ticks.iter().filter(|tick| tick.whole_ms > 16.0).count()
        );
        print_stages(ticks);
    }
    println!(
        "{name}: {} blasts, {waiting} waiting when the fire ends; {} done, {} refused {:?}, {} other carves, {} checks; {:?}",
        count.fired,
        count.done,
        count.refused,
        count.reasons,
        count.failures,
        count.checks,
        sim.world.census()
    );
    assert!(sim.carving().is_none() && !sim.is_checking(), "{name}");
    // Each blast was carved, or refused in words.
    assert_eq!(count.fired, count.done + count.refused, "{name}");
    assert_eq!(sim.world.validate(), Ok(()), "{name}");
    assert_eq!(sim.escaped(), 0, "{name}");
}

#[test]
fn three_ticks_of_ten_blasts_of_20_m_lose_nothing() {
    fire("pillars", 3, 20.0);
}

#[test]
#[ignore = "minutes, in release"]
fn a_minute_of_ten_blasts_of_20_m_a_tick_loses_nothing() {
    let only = std::env::var("LEVEL").ok();
    for name in ["bridge", "pillars", "tower", "bunker"] {
        if only.as_ref().is_none_or(|only| only == name) {
            fire(name, TICKS, 20.0);
        }
    }
}
