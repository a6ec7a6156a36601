//! Breach's side.
use crate::brushes::{Brush, Sampler, lump};
use crate::clock::{Phases, timed};
use crate::rooms::Room;
use breach::bvh::BuildParams;
use breach::carve::Op;
use breach::geom::rng::Rng;
use breach::timing::{Marker, Silent, Stage};
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
    /// Mean of all carves of all repeats, hiccups of the machine included.
    pub mean_ms: f64,
    /// Means per carve by [`Stage::index`], of one repeat.
    pub phases: [f64; Stage::COUNT],
    /// The world after the last carve.
    pub world: World,
    /// Its counts.
    pub census: Census,
}

/// The same sequence `repeats` times; each carve's smallest time counts, as the machine's hiccups are not ours.
/// (Each begins with a world of its own: a copy would share meshes with the first, and be slow to come apart.)
pub fn measure(room: &Room, brushes: &[Brush], repeats: usize) -> Run {
    measure_in_turns(room, brushes, repeats, |_| {})
}

/// [`measure`], with `peer(done)` after each repeat, which does as large a part of its own sequence: what slows the
/// machine for a while slows both. A repeat is not cut up, as a peer fills the caches that carves in a row keep warm.
/// One more run before them does not count.
pub fn measure_in_turns(
    room: &Room,
    brushes: &[Brush],
    repeats: usize,
    mut peer: impl FnMut(usize),
) -> Run {
    // A run that does not count: memory that no program has used since the machine started has to be cleared first, which
    // a virtual machine may take 6 ms for, two megabytes at a time. From then on it is there.
    Times::new(brushes.len()).run(&mut world(room), brushes, &mut Silent);
    let mut times = Times::new(brushes.len());
    for repeat in 1..repeats {
        times.run(&mut world(room), brushes, &mut Silent);
        peer(brushes.len() * repeat / repeats);
    }
    let mut last = world(room);
    let mut phases = Phases::default();
    times.run(&mut last, brushes, &mut phases);
    peer(brushes.len());
    times.of(last, &phases)
}

/// The least time of each carve so far, and of all.
struct Times {
    ms: Vec<f64>,
    sum: f64,
    count: usize,
}

impl Times {
    fn new(carves: usize) -> Self {
        Self {
            ms: vec![f64::INFINITY; carves],
            sum: 0.0,
            count: 0,
        }
    }

    fn run(&mut self, world: &mut World, brushes: &[Brush], marker: &mut dyn Marker) {
        for (brush, ms) in brushes.iter().zip(&mut self.ms) {
            let operation = carve(brush);
            let (result, took) = timed(|| world.apply(&operation, marker));
            match result {
                Ok(report) => world.forget(&report.delta),
                Err(e) => panic!("a brush was refused: {e}"),
            }
            *ms = ms.min(took);
            self.sum += took;
            self.count += 1;
        }
    }

    /// `phases` were measured in one run of the whole sequence, which left `world`.
    fn of(self, world: World, phases: &Phases) -> Run {
        Run {
            phases: phases.ms.map(|ms| ms / self.ms.len().max(1) as f64),
            mean_ms: self.sum / self.count.max(1) as f64,
            ms: self.ms,
            census: world.census(),
            world,
        }
    }
}
