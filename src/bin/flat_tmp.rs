//! Temporary.
use breach::geom::rng::Rng;
use breach::sim::{Action, Command, Settings, Sim, soak_command};
use breach::timing::Silent;
use breach::view::{Camera, Overlays, VisibilityCache, snapshot_seen_from};
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn ms<T>(f: impl FnOnce() -> T) -> (T, f64) {
    let since = Instant::now();
    let r = f();
    (r, since.elapsed().as_secs_f64() * 1e3)
}
fn p(mut list: Vec<f64>) -> String {
    list.sort_by(f64::total_cmp);
    let n = list.len();
    format!("{:.4}/{:.4}", list[n / 2], list[n * 99 / 100])
}

fn main() {
    for file in std::env::args().skip(1) {
        let bytes = std::fs::read(&file).unwrap();
        let desc = breach::level::read_map(&bytes).unwrap();
        let settings = Settings { debris: false, ..Settings::default() };
        let mut sim = Sim::new(desc, 1, settings, &mut Silent).unwrap();
        let mut rng = Rng::new(3);
        let (mut carve, mut idle) = (vec![], vec![]);
        for _ in 0..300 {
            let command = soak_command(&sim, &mut rng);
            carve.push(ms(|| sim.step(&command, &mut Silent)).1);
        }
        for _ in 0..200 {
            let command = sim.idle();
            idle.push(ms(|| sim.step(&command, &mut Silent)).1);
        }
        let (mut key, mut hash, mut tick, mut save, mut frame, mut undo) = (vec![], vec![], vec![], vec![], vec![], vec![]);
        let mut last = None;
        for i in 0..10 {
            let command = soak_command(&sim, &mut rng);
            sim.step(&command, &mut Silent);
            let t = ms(|| sim.clone());
            let d = ms(|| drop(last.replace(t.0))).1;
            if i > 0 { key.push(t.1 + d); }
        }
        for _ in 0..20 {
            hash.push(ms(|| sim.state_hash()).1);
            tick.push(ms(|| sim.tick_hash()).1);
        }
        for _ in 0..5 { save.push(ms(|| breach::level::write_map(&sim.level).len()).1); }
        let cache = &mut VisibilityCache::default();
        for i in 0..100 {
            let camera = Camera { eye: sim.player.eye, yaw: i as f64 * 0.063, pitch: 0.0, fov_y: 1.2, aspect: 1.6 };
            frame.push(ms(|| snapshot_seen_from(&sim, camera, camera, Overlays::default(), 1.0, cache).rooms.len()).1);
        }
        for _ in 0..50 {
            let command = Command { actions: vec![Action::Undo], ..sim.idle() };
            undo.push(ms(|| sim.step(&command, &mut Silent)).1);
        }
        println!("{file}: rooms {} carve {} idle {} undo {} key {} hash {} tickhash {} save {} frame {}", sim.world.room_count(), p(carve), p(idle), p(undo), p(key), p(hash), p(tick), p(save), p(frame));
    }
}
