//! Breach's side.
use crate::brushes::{Brush, Sampler, lump};
use crate::clock::{Phases, timed};
use crate::rooms::Room;
use breach::bvh::BuildParams;
use breach::carve::Op;
use breach::geom::rng::Rng;
use breach::timing::{Silent, Stage};
use breach::world::{Census, Operation, World};

/// A room as a world.
pub fn world(room: &Room) -> World {
    let world = match World::from_surface(&room.surface(), &BuildParams::default(), &mut Silent) {
        Ok(world) => world,
        Err(e) => panic!("{}: {e}", room.name),
    };
    let (air, expected) = (world.census().air_volume_m3, room.volume_m3());
    assert!((air - expected).abs() < 1e-11 * expected, "{}", room.name);
    world
}

/// Carves one brush.
pub fn carve(brush: &Brush) -> Operation {
    Operation {
        op: Op::Carve,
        brushes: vec![brush.desc.clone()],
    }
}

/// Carves `count` seeded brushes out of a world, each around a place on the surface as the ones before left it.
pub fn sequence(mut world: World, count: usize, seed: u64) -> Vec<Brush> {
    let mut rng = Rng::new(seed);
    let mut sampler = Sampler::default();
    let mut list = Vec::with_capacity(count);
    for _ in 0..count {
        let centre = sampler.pick(&world, &mut rng);
        let brush = lump(&mut rng, centre);
        match world.apply(&carve(&brush), &mut Silent) {
            Ok(report) => world.forget(&report.delta),
            Err(e) => panic!("a brush was refused: {e}"),
        }
        list.push(brush);
    }
    list
}

/// What a sequence of carves took and left.
pub struct Run {
    /// Of each carve, the least of all repeats.
    pub ms: Vec<f64>,
    /// Means per carve by [`Stage::index`], of the first repeat.
    pub phases: [f64; Stage::COUNT],
    /// The world after the last carve.
    pub world: World,
    /// Its counts.
    pub census: Census,
}

/// The same sequence `repeats` times; each carve's smallest time counts, as the machine's hiccups are not ours.
/// (Each begins with a world of its own: a copy would share meshes with the first, and be slow to come apart.)
pub fn measure(room: &Room, brushes: &[Brush], repeats: usize) -> Run {
    let mut ms = vec![f64::INFINITY; brushes.len()];
    let mut phases = Phases::default();
    let mut repeat = 0;
    let world = loop {
        let mut world = world(room);
        for (brush, ms) in brushes.iter().zip(&mut ms) {
            let operation = carve(brush);
            let (result, took) = match repeat {
                0 => timed(|| world.apply(&operation, &mut phases)),
                _ => timed(|| world.apply(&operation, &mut Silent)),
            };
            match result {
                Ok(report) => world.forget(&report.delta),
                Err(e) => panic!("a brush was refused: {e}"),
            }
            *ms = ms.min(took);
        }
        repeat += 1;
        if repeat >= repeats {
            break world;
        }
    };
    Run {
        ms,
        phases: phases.ms.map(|ms| ms / brushes.len().max(1) as f64),
        census: world.census(),
        world,
    }
}
