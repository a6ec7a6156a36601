//! What a picture costs where most of the level is out of sight: the same camera in a row of rooms and in one of ten
//! times as many; and how long the flood through portals takes in levels shot to pieces. `cargo bench
//! --no-default-features --bench view`; with `--features render`, or the default ones, upload and recording too, without
//! what the graphics card does.
#[path = "../tests/brush/mod.rs"]
mod brush;

use breach::geom::rng::Rng;
use breach::sim::{Settings, Sim, soak_command};
use breach::timing::Silent;
#[cfg(feature = "render")]
use breach::timing::{Marker, Stage};
use breach::view::{
    Camera, Overlays, Snapshot, VisibilityCache, snapshot_seen_from, visible_windows,
};
use brush::brush;
use glam::DVec3;
use std::time::Instant;

const ROOMS: usize = 12;
const ROUNDS: usize = 300;
/// Length of a room with its wall, and where the row begins, `.map` units.
const PITCH: i32 = 256;
const START: i32 = -15_000;

/// A row of rooms with doors on alternating sides, so that a look ends after a few.
fn row(rooms: usize) -> String {
    let mut text = String::from("{\n\"classname\" \"worldspawn\"\n");
    let mut block = |low: [i32; 3], high: [i32; 3]| {
        text += &brush(low.map(f64::from), high.map(f64::from), "brick");
    };
    let end = START + rooms as i32 * PITCH;
    block([START - 32, -160, -32], [end, 160, 0]);
    block([START - 32, -160, 160], [end, 160, 192]);
    block([START - 32, -160, 0], [end, -128, 160]);
    block([START - 32, 128, 0], [end, 160, 160]);
    block([START - 32, -128, 0], [START, 128, 160]);
    for i in 0..rooms as i32 {
        let (wall, pillar) = (START + (i + 1) * PITCH, START + i * PITCH + 100);
        let door = if i % 2 == 0 { 40 } else { -104 };
        let last = i + 1 == rooms as i32;
        if last {
            block([wall - 32, -128, 0], [wall, 128, 160]);
        } else {
            block([wall - 32, -128, 0], [wall, door, 160]);
            block([wall - 32, door + 64, 0], [wall, 128, 160]);
            block([wall - 32, door, 100], [wall, door + 64, 160]);
        }
        block([pillar, -20, 0], [pillar + 24, 20, 160]);
    }
    text += "}\n";
    let start = START + 64;
    text += &format!("{{\n\"classname\" \"info_player_start\"\n\"origin\" \"{start} 60 40\"\n}}\n");
    for i in 0..rooms as i32 {
        let x = START + i * PITCH + 60;
        text += &format!("{{\n\"classname\" \"light\"\n\"origin\" \"{x} 0 120\"\n}}\n");
    }
    text
}

struct Level {
    sim: Sim,
    cache: VisibilityCache,
    least_us: f64,
    seen: usize,
}

fn open(rooms: usize) -> Level {
    let desc = breach::level::read_map(row(rooms).as_bytes()).expect("a level");
    Level {
        sim: Sim::new(desc, 1, Settings::default(), &mut Silent).expect("a world"),
        cache: VisibilityCache::default(),
        least_us: f64::INFINITY,
        seen: 0,
    }
}

fn look(level: &mut Level) -> Snapshot {
    let eye = DVec3::new(f64::from(START + 64) / 32.0, 2.0, -60.0 / 32.0);
    let camera = Camera {
        eye,
        yaw: -std::f64::consts::FRAC_PI_2,
        pitch: 0.0,
        fov_y: 1.2,
        aspect: 16.0 / 9.0,
    };
    let plain = Overlays::default();
    snapshot_seen_from(&level.sim, camera, camera, plain, 1.0, &mut level.cache)
}

/// What the processor does for a picture: upload and recording, µs.
#[cfg(feature = "render")]
fn draw_us(studio: &mut breach::render::OffscreenRenderer, snapshot: &Snapshot) -> f64 {
    #[derive(Default)]
    struct Clock {
        since: Option<Instant>,
        secs: f64,
    }
    impl Marker for Clock {
        fn begin(&mut self, _: Stage) {
            self.since = Some(Instant::now());
        }
        fn end(&mut self, _: Stage) {
            self.secs += self
                .since
                .take()
                .map_or(0.0, |at| at.elapsed().as_secs_f64());
        }
    }
    let mut clock = Clock::default();
    studio.timed(snapshot, &mut clock).expect("a picture");
    clock.secs * 1e6
}

fn main() {
    let mut levels = [open(ROOMS), open(10 * ROOMS)];
    #[cfg(feature = "render")]
    let mut studios =
        [0, 1].map(|_| breach::render::OffscreenRenderer::new([64, 36]).expect("an adapter"));
    // In turns, so that what else the machine does falls on both.
    for _ in 0..ROUNDS {
        for (which, level) in levels.iter_mut().enumerate() {
            let begin = Instant::now();
            let seen = look(level);
            let us = begin.elapsed().as_secs_f64() * 1e6;
            #[cfg(feature = "render")]
            let us = us + draw_us(&mut studios[which], &seen);
            let _ = which;
            level.least_us = level.least_us.min(us);
            level.seen = seen.rooms.len();
        }
    }
    for level in &levels {
        let all = level.sim.world.room_count();
        println!(
            "{} of {all} rooms seen: {:.1} µs",
            level.seen, level.least_us
        );
    }
    println!("ratio {:.3}", levels[1].least_us / levels[0].least_us);
    for name in ["bunker", "bridge", "caves"] {
        flood_in(name);
    }
}

/// The flood through portals in a level that was shot to pieces, from places anywhere in its air.
fn flood_in(name: &str) {
    const ROCKETS: usize = 300;
    const CAMERAS: usize = 200;
    let path = format!("{}/levels/{name}.map", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).unwrap_or_else(|why| panic!("{path}: {why}"));
    let desc = breach::level::read_map(&bytes).expect("a level");
    let mut sim = Sim::new(desc, 1, Settings::default(), &mut Silent).expect("a world");
    let mut rng = Rng::new(5);
    for _ in 0..ROCKETS {
        let command = soak_command(&sim, &mut rng);
        sim.step(&command, &mut Silent);
        sim.forget_history();
    }
    let bounds = sim.world.bounds();
    let mut us = Vec::new();
    let (mut seen, mut cache) = (0, VisibilityCache::default());
    while us.len() < CAMERAS {
        let at = [0, 1, 2].map(|k| rng.range(bounds.min[k], bounds.max[k]));
        let camera = Camera {
            eye: DVec3::from_array(at),
            yaw: rng.range(0.0, 6.3),
            pitch: rng.range(-1.4, 1.4),
            fov_y: 1.2,
            aspect: 16.0 / 9.0,
        };
        if sim.world.locate(camera.eye).is_none() {
            continue;
        }
        let begin = Instant::now();
        seen += visible_windows(&sim.world, &camera, &mut cache).len();
        us.push(begin.elapsed().as_secs_f64() * 1e6);
    }
    us.sort_by(f64::total_cmp);
    println!(
        "{name} after {ROCKETS} rockets, {} rooms, {} portals: {} rooms seen in the mean, p50 {:.0}, p99 {:.0}, max {:.0} µs",
        sim.world.room_count(),
        sim.world.portals().len(),
        seen / CAMERAS,
        us[CAMERAS / 2],
        us[CAMERAS * 99 / 100],
        us[CAMERAS - 1]
    );
}
