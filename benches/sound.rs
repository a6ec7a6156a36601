//! The sound of a tick: 256 sources in the tower, with a listener who walks.
use breach::geom::rng::Rng;
use breach::level::read_map;
use breach::sim::{Settings, Sim};
use breach::sound::events::SoundEvent;
use breach::sound::kind::Size;
use breach::sound::{Bank, Ear, Levels, Mixer, Replacements, Sound};
use breach::timing::Silent;
use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;

fn sounds(c: &mut Criterion) {
    let levels = [
        ("bunker", &include_bytes!("../levels/bunker.map")[..]),
        ("tower", include_bytes!("../levels/tower.map")),
        ("caves", include_bytes!("../levels/caves.map")),
    ];
    for (name, bytes) in levels {
        let level = read_map(bytes).expect("our own level");
        let mut sim = Sim::new(level, 1, Settings::default(), &mut Silent).expect("a world");
        let sources = sources(&sim);
        let mut ear = Ear::default();
        ear.begin(&sim, &sources);
        let (start, yaw) = (sim.player.eye, sim.player.yaw);
        let mut tick = 0u64;
        ear.listen(&sim);
        c.bench_function(&format!("sound_paths_256_{name}"), |b| {
            b.iter(|| {
                tick += 1;
                // 3 m/s to and fro.
                let away = 0.05 * ((tick % 80) as f64 - 40.0).abs();
                sim.player.eye = start + DVec3::X * away;
                sim.eye_room = sim.world.locate(sim.player.eye);
                sim.player.yaw = yaw + away;
                ear.propagate(&sim.world, sim.player.eye, sim.eye_room, tick);
            })
        });
        let mut mixer = Mixer::new(Bank::new(Replacements::default()), Levels::default());
        let mut ear = Ear::default();
        let mut block = [[0.0; 2]; breach::sound::FRAMES];
        let mut heard = ear.listen(&sim);
        let mut left = 0;
        c.bench_function(&format!("sound_mix_256_{name}"), |b| {
            b.iter(|| {
                if left == 0 {
                    ear = Ear::default();
                    ear.begin(&sim, &sources);
                    heard = ear.listen(&sim);
                    mixer.mix(&heard, &mut block);
                    heard.started.clear();
                    left = 60;
                }
                left -= 1;
                mixer.mix(&heard, &mut block);
            })
        });
    }
}

/// Blasts, which last longest, all over the level.
fn sources(sim: &Sim) -> Vec<SoundEvent> {
    let mut rng = Rng::new(5);
    let mut sources = Vec::new();
    while sources.len() < 256 {
        let at = rng.in_box(&sim.world.bounds());
        if sim.world.locate(at).is_some() {
            sources.push(SoundEvent {
                sound: Sound::Blast(Size::Large),
                variant: (sources.len() % 4) as u8,
                at,
                gain: 5.0,
            });
        }
    }
    sources
}

criterion_group!(benches, sounds);
criterion_main!(benches);
