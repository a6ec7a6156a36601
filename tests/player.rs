//! Random walks through levels that are shot to pieces meanwhile: no part of the player ever leaves the air.
use breach::bvh::QueryStats;
use breach::debris::clearance::nearest_surface;
use breach::geom::rng::Rng;
use breach::level;
use breach::sim::{Action, Command, Settings, Sim, player, soak_command};
use breach::timing::Silent;
use glam::DVec3;

const LEVELS: [&str; 6] = ["bunker", "bridge", "pillars", "range", "caves", "tower"];

/// What was met on the way, so that a walk that went nowhere is seen.
#[derive(Debug, Default)]
struct Walked {
    metres: f64,
    crouched: u32,
    in_the_air: u32,
    chunks: u32,
}

/// Walks through a level for so many random inputs.
fn wander(name: &str, inputs: u32, seed: u64) -> Walked {
    let path = format!("{}/levels/{name}.map", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).expect(&path);
    let level = level::read_map(&bytes).expect("a sound level");
    let settings = Settings {
        blast_radius: 1.5,
        max_bodies: 400,
        ..Settings::default()
    };
    let mut sim = Sim::new(level, seed, settings, &mut Silent).expect("a sound world");
    let mut rng = Rng::new(seed);
    let mut walked = Walked::default();
    let mut held = Command::default();
    let mut until = 0;
    for tick in 0..inputs {
        if tick >= until {
            until = tick + 1 + rng.below(40) as u32;
            held = Command {
                walk: [
                    rng.range(-1.0, 1.0) as f32,
                    rng.range(-1.0, 1.0) as f32,
                    rng.range(-0.5, 1.0).signum() as f32,
                ],
                yaw: held.yaw + rng.range(-1.6, 1.6),
                pitch: rng.range(-1.5, 1.5),
                jump: rng.below(4) == 0,
                fast: rng.below(2) == 0,
                crouch: rng.below(4) == 0,
                actions: Vec::new(),
            };
        }
        let mut command = held.clone();
        if tick % 150 == 0 && tick < 6000 {
            command.actions = soak_command(&sim, &mut rng).actions;
        }
        if tick % 1500 == 1499 {
            let bounds = sim.world.bounds();
            let to = (0..1000)
                .map(|_| rng.in_box(&bounds))
                .find(|&p| sim.world.locate(p).is_some());
            command
                .actions
                .extend(to.map(|to| Action::Teleport(to.into())));
            command.actions.push(Action::Walk(true));
        }
        let before = sim.player.eye;
        let report = sim.step(&command, &mut Silent);
        walked.chunks += report.chunks;
        walked.metres += sim.player.eye.distance(before).min(1.0);
        walked.crouched += u32::from(sim.player.crouched);
        walked.in_the_air += u32::from(sim.player.walking && !sim.player.on_ground);
        let here = || format!("{name}, seed {seed}, input {tick}: {:?}", sim.player);
        assert!(sim.eye_room.is_some(), "{}", here());
        let (shape, origin) = player::body(&sim.player);
        for height in shape.heights {
            let centre = origin + DVec3::Y * *height;
            assert!(sim.world.locate(centre).is_some(), "{}", here());
            if tick % 7 == 0 && sim.player.walking {
                let stats = &mut QueryStats::default();
                let near = nearest_surface(&sim.world, centre, shape.radius, stats);
                let gap = near.map_or(0.0, |near| near.distance - shape.radius);
                assert!(gap > -0.05, "{gap} m in a wall: {}", here());
            }
        }
    }
    walked
}

fn wander_everywhere(inputs: u32) {
    for (seed, level) in (1..).zip(LEVELS) {
        let walked = wander(level, inputs / LEVELS.len() as u32, seed);
        println!("{level}: {walked:?}");
        assert!(walked.metres > 20.0, "{level}: {walked:?}");
        assert!(
            walked.crouched > 100 && walked.in_the_air > 20,
            "{walked:?}"
        );
    }
}

#[test]
fn twenty_thousand_random_inputs_keep_the_player_in_the_air() {
    wander_everywhere(20_000);
}

#[test]
#[ignore = "minutes"]
fn a_million_random_inputs_keep_the_player_in_the_air() {
    wander_everywhere(1_000_000);
}
