//! Nothing that falls, flies or breaks off leaves the air: bodies in whole levels.
use breach::debris::Body;
use breach::geom::rng::Rng;
use breach::level;
use breach::sim::{Action, Command, Settings, Sim, soak_command};
use breach::timing::Silent;
use glam::DVec3;

fn open(name: &str, seed: u64, settings: Settings) -> Sim {
    let path = format!("{}/levels/{name}.map", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).expect(&path);
    let level = level::read_map(&bytes).expect("a sound level");
    Sim::new(level, seed, settings, &mut Silent).expect("a sound world")
}

/// A point of the air.
fn air_point(sim: &Sim, rng: &mut Rng) -> DVec3 {
    let bounds = sim.world.bounds();
    (0..100_000)
        .map(|_| rng.in_box(&bounds))
        .find(|&p| sim.world.locate(p).is_some())
        .expect("air")
}

/// Points to aim at: corners, edges and middles of all triangles, so that walls are met head on, grazing and in corners.
fn targets(sim: &Sim) -> Vec<DVec3> {
    let mut list = Vec::new();
    for room in (0..sim.world.room_count() as u32).map(|id| sim.world.room(id)) {
        for t in room.mesh.triangles.iter().filter(|t| t.is_live()) {
            let [a, b, c] = t.corners.map(|i| room.mesh.positions[i as usize]);
            list.extend([a, (a + b) * 0.5, (a + b + c) / 3.0]);
        }
    }
    list
}

#[test]
fn a_thousand_spheres_at_500_metres_a_second_stay_in_the_air_of_range() {
    for buffer in [0.0, 0.05] {
        let settings = Settings {
            buffer_distance: buffer,
            ..Settings::default()
        };
        let mut sim = open("range", 1, settings);
        let mut rng = Rng::new(7);
        let targets = targets(&sim);
        let bodies: Vec<Body> = (0..1000)
            .map(|_| {
                let from = air_point(&sim, &mut rng);
                let to = targets[rng.below(targets.len() as u64) as usize];
                let mut body = Body::new(from, rng.range(0.02, 0.3), 0);
                body.velocity = (to - from).normalize_or(DVec3::X) * 500.0;
                body
            })
            .collect();
        sim.bodies.change(|list| *list = bodies);
        let idle = sim.idle();
        for tick in 0..90 {
            sim.step(&idle, &mut Silent);
            assert_eq!(sim.escaped(), 0, "buffer {buffer}, tick {tick}");
        }
    }
}

#[test]
fn chunks_and_crumbs_stay_in_the_air_while_the_bridge_is_shot_to_pieces() {
    let mut sim = open("bridge", 1, Settings::default());
    let mut rng = Rng::new(3);
    let mut chunks = 0;
    for _ in 0..60 {
        let command = soak_command(&sim, &mut rng);
        for tick in 0..6 {
            let report = match tick {
                0 => sim.step(&command, &mut Silent),
                _ => sim.step(&sim.idle(), &mut Silent),
            };
            chunks += report.chunks;
            assert_eq!(sim.escaped(), 0);
        }
    }
    // What a change made goes with it, and what it broke is whole again.
    let before = sim.bodies.len();
    let undo = |action: Action| Command {
        actions: vec![action],
        ..Command::default()
    };
    for _ in 0..30 {
        sim.step(&undo(Action::Undo), &mut Silent);
        assert_eq!(sim.escaped(), 0);
    }
    for _ in 0..30 {
        sim.step(&undo(Action::Redo), &mut Silent);
        assert_eq!(sim.escaped(), 0);
    }
    assert!(sim.bodies.len() <= before);
    assert!(chunks > 0 || before > 0);
}
