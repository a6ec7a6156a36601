//! The table of debris: ten thousand spheres fall into the room of 20k triangles, in Breach and in rapier3d, in one run.
//!
//! One thread, CPU time of each step. Same room, same spheres at the same places, friction 0.5, restitution 0.3, 60
//! steps a second, everything else as each comes. A heap of rapier's never falls asleep, so Breach's is stepped twice: as
//! in play, and kept awake. What the worst step is to the usual one is asked of the latter: beside steps of a heap that
//! sleeps everything is long.
use crate::clock::timed;
use crate::rooms::{self, Room};
use breach::bvh::{BuildParams, Mesh, QueryStats, Triangle};
use breach::collide::Layers;
use breach::debris::{Ball, Body, Debris, Forces, Law};
use breach::geom::rng::Rng;
use breach::geom::{Aabb, mass};
use breach::timing::Silent;
use breach::world::{GRID, Island, World};
use glam::{DVec3, I64Vec3};
use rapier3d::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, Vector};

/// Spheres, unless others are asked for.
pub const BALLS: usize = 10_000;
/// The room, unless another is asked for.
pub const ROOM: &str = "rough_20k";

/// How much is measured.
#[derive(clap::Args)]
pub struct Args {
    /// Spheres.
    #[arg(long, default_value_t = BALLS)]
    balls: usize,
    /// Ticks.
    #[arg(long, default_value_t = 600)]
    ticks: usize,
    /// The room.
    #[arg(long, default_value = ROOM)]
    room: String,
    /// Breach alone.
    #[arg(long)]
    ours: bool,
    /// Every tenth step too: milliseconds and bodies awake.
    #[arg(long)]
    steps: bool,
}

/// Of the spheres, metres.
pub const RADIUS: f64 = 0.1;
/// Ticks whose times count, while everything falls and piles up.
pub const COUNTED: std::ops::Range<usize> = 60..300;
/// Rapier's p50 on the machine on which the goal for chunks was set, ms.
const WHERE_GOALS_WERE_SET: f64 = 72.0;
/// Everything sleeps after so many ticks.
const ASLEEP_BY: usize = 360;

/// Milliseconds of the steps of one side, and how it ended.
struct Run {
    ms: Vec<f64>,
    awake: Vec<usize>,
    escaped: usize,
    /// Metres by which two spheres, or a sphere and a wall, overlap most after each step; of Breach.
    overlaps: Vec<f64>,
}

/// Prints the table; false where a goal was missed.
pub fn run(args: &Args) -> bool {
    let Some(room) = upright(&args.room) else {
        println!("there is no room {}", args.room);
        return false;
    };
    let world = world(&room);
    let starts = starts(args.balls);
    println!(
        "{} spheres of {RADIUS} m in {}, {} triangles; ms a step over ticks {COUNTED:?}",
        starts.len(),
        room.name,
        room.triangles.len()
    );
    println!(
        "| engine | p50 | max | max / p50 | awake at {ASLEEP_BY} | asleep p50 | escaped | deepest overlap, p50 mm |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let ours = self::ours(&world, balls(&starts), args.ticks, true);
    let [p50, _, asleep] = ours.line("Breach");
    if args.steps {
        let steps = ours.ms.iter().zip(&ours.awake).enumerate().step_by(10);
        steps.for_each(|(tick, (ms, awake))| println!("{tick}: {ms:.2} ms, {awake} awake"));
    }
    let kept = self::ours(&world, balls(&starts), args.ticks.min(COUNTED.end), false);
    let [awake, worst, _] = kept.line("Breach, kept awake");
    let mut is_good = asleep <= 0.02 && ours.escaped + kept.escaped == 0;
    is_good &= worst <= 2.0 * awake;
    is_good &= ours.awake.get(ASLEEP_BY).is_none_or(|&awake| awake == 0);
    let blocks = blocks(500);
    let counts = blocks.iter().map(Body::ball_count);
    println!(
        "{} chunks of {} to {} spheres:",
        blocks.len(),
        counts.clone().min().unwrap_or(0),
        counts.max().unwrap_or(0)
    );
    let chunks = self::ours(&world, blocks, args.ticks, true);
    let [of_chunks, ..] = chunks.line("Breach, chunks");
    is_good &= of_chunks <= 4.0 && chunks.escaped == 0;
    if !args.ours {
        let theirs = rapier(&room, &world, &starts, args.ticks.min(COUNTED.end));
        let [peer, ..] = theirs.line("rapier3d 0.36");
        let [played, awake] = [p50, awake].map(|ms| ms / peer);
        println!(
            "Breach's p50 is {played:.3} times rapier's, kept awake {awake:.3} times (goal 0.25)"
        );
        let slower = peer / WHERE_GOALS_WERE_SET;
        println!(
            "rapier takes {slower:.2} times as long here as where the goal of 4 ms was set; chunks there, by that: {:.2} ms",
            of_chunks / slower
        );
        is_good &= played.max(awake) <= 0.25;
    }
    is_good
}

/// A room turned so that y is up: carving measures them with z up.
pub fn upright(name: &str) -> Option<Room> {
    let mut room = rooms::room(name)?;
    for p in &mut room.points {
        *p = I64Vec3::new(p.x, p.z, -p.y);
    }
    let (low, high) = room.bounds.into();
    room.bounds = [
        I64Vec3::new(low.x, low.z, -high.y),
        I64Vec3::new(high.x, high.z, -low.y),
    ];
    Some(room)
}

/// That room as a world.
pub fn world(room: &Room) -> World {
    match World::from_surface(&room.surface(), &BuildParams::default(), &mut Silent) {
        Ok(world) => world,
        Err(e) => panic!("{}: {e}", room.name),
    }
}

/// A loose block of spheres above the floor, clear of the pillars.
pub fn starts(count: usize) -> Vec<DVec3> {
    let mut rng = Rng::new(1);
    (0..count)
        .map(|i| {
            let (x, z, y) = (i % 25, i / 25 % 25, i / 625);
            let at = DVec3::new(x as f64, y as f64, z as f64) * 0.25;
            DVec3::new(7.0, 1.0, -13.1) + at + rng.unit_vector() * 0.01
        })
        .collect()
}

/// Spheres that start there.
pub fn balls(starts: &[DVec3]) -> Vec<Body> {
    let ball = |&at: &DVec3| Body::new(at, RADIUS, 0);
    starts.iter().map(ball).collect()
}

/// Boxes of many shapes in a loose heap, clear of the pillars: centres and halves of the sides, metres, unturned.
pub fn boxes(count: usize) -> Vec<[DVec3; 2]> {
    let mut rng = Rng::new(2);
    // Thirteen layers fit under the ceiling.
    let (side, first) = match count {
        0..=637 => (7, DVec3::new(7.0, 1.0, -12.9)),
        _ => (9, DVec3::new(6.1, 1.0, -13.8)),
    };
    let one = |i: usize| {
        let (x, z, y) = (i % side, i / side % side, i / (side * side));
        let at = DVec3::new(x as f64, y as f64 * 0.8, z as f64) * 0.9 + first;
        let half = DVec3::new(
            rng.range(0.1, 0.2),
            rng.range(0.1, 0.2),
            rng.range(0.2, 0.4),
        );
        [at, half]
    };
    (0..count).map(one).collect()
}

/// Those boxes as blocks of stone.
pub fn blocks(count: usize) -> Vec<Body> {
    let block = |[at, half]: [DVec3; 2]| {
        let corner = |i: u32| {
            let sign = |k: u32| f64::from(i >> k & 1) * 2.0 - 1.0;
            at + half * DVec3::new(sign(0), sign(1), sign(2))
        };
        let quads = [
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let square = |(&[a, b, c, d], face): (&[u32; 4], u32)| {
            [[a, b, c], [a, c, d]].map(|corners| Triangle {
                corners,
                face,
                key: u64::from(face),
            })
        };
        let mesh = Mesh {
            positions: (0..8).map(corner).collect(),
            triangles: quads.iter().zip(0..).flat_map(square).collect(),
        };
        let corners = |t: &Triangle| t.corners.map(|i| mesh.positions[i as usize]);
        let mass = mass::mass_properties(at, mesh.triangles.iter().map(corners));
        Body::from_island(&Island {
            volume_m3: mass.volume,
            centre: mass.centre,
            inertia: mass.inertia,
            bounds: Aabb::from_centre(at, half),
            mesh,
            materials: vec![0; 6],
        })
    };
    boxes(count).into_iter().filter_map(block).collect()
}

/// What acts on the bodies.
pub fn forces(allow_sleeping: bool) -> Forces {
    Forces {
        secs: 1.0 / 60.0,
        gravity: 9.81,
        buffer: 0.0,
        law: Law::default(),
        layers: Layers::default(),
        allow_sleeping,
    }
}

/// Breach's milliseconds of the ticks that count.
pub fn our_ms(world: &World, bodies: Vec<Body>, allow_sleeping: bool) -> Vec<f64> {
    let mut run = ours(world, bodies, COUNTED.end, allow_sleeping);
    run.ms.split_off(COUNTED.start)
}

fn ours(world: &World, bodies: Vec<Body>, ticks: usize, allow_sleeping: bool) -> Run {
    let mut debris = Debris::default();
    debris.change(|list| *list = bodies);
    let forces = forces(allow_sleeping);
    let (mut ms, mut awake, mut overlaps) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ticks {
        let mut stats = QueryStats::default();
        let step = || debris.step(world, &forces, &mut stats);
        ms.push(timed(step).1);
        awake.push(debris.awake());
        let gaps = debris.contacts().map(|c| -c.gap);
        overlaps.push(gaps.fold(0.0, f64::max));
    }
    let is_out = |ball: Ball| world.locate(ball.centre).is_none();
    let is_lost = |body: &&Body| body.balls().any(is_out);
    Run {
        ms,
        awake,
        escaped: debris.iter().filter(is_lost).count(),
        overlaps,
    }
}

/// A room's walls in rapier.
pub fn rapier_room(room: &Room) -> PhysicsWorld {
    let mut physics = PhysicsWorld::default();
    let points = room
        .points
        .iter()
        .map(|&p| rapier_vector(p.as_dvec3() / GRID));
    let walls = ColliderBuilder::trimesh(points.collect(), room.triangles.clone());
    let walls = rapier_material(walls.expect("a mesh that rapier takes"));
    physics.insert(RigidBodyBuilder::fixed(), walls);
    physics
}

/// A vector of rapier's.
pub fn rapier_vector(p: DVec3) -> Vector {
    Vector::new(p.x as f32, p.y as f32, p.z as f32)
}

/// A collider with the friction and restitution that Breach has.
pub fn rapier_material(collider: ColliderBuilder) -> ColliderBuilder {
    collider.friction(0.5).restitution(0.3)
}

fn rapier(room: &Room, world: &World, starts: &[DVec3], ticks: usize) -> Run {
    let mut physics = rapier_room(room);
    let bodies: Vec<RigidBodyHandle> = starts
        .iter()
        .map(|&at| {
            let body = RigidBodyBuilder::dynamic().translation(rapier_vector(at));
            let ball = ColliderBuilder::ball(RADIUS as f32);
            physics.insert(body, rapier_material(ball)).0
        })
        .collect();
    let (mut ms, mut awake) = (Vec::new(), Vec::new());
    for _ in 0..ticks {
        ms.push(timed(|| physics.step()).1);
        let asleep = bodies.iter().filter(|&&b| physics.bodies[b].is_sleeping());
        awake.push(bodies.len() - asleep.count());
    }
    let is_lost = |b: &&RigidBodyHandle| {
        let at = physics.bodies[**b].translation();
        let at = DVec3::new(at.x.into(), at.y.into(), at.z.into());
        world.locate(at).is_none()
    };
    let escaped = bodies.iter().filter(is_lost).count();
    let overlaps = Vec::new();
    Run {
        ms,
        awake,
        escaped,
        overlaps,
    }
}

impl Run {
    /// Prints a row; p50, max, and p50 of the last steps if all sleep then.
    fn line(&self, name: &str) -> [f64; 3] {
        let median = |list: &[f64]| {
            let mut list = list.to_vec();
            list.sort_by(f64::total_cmp);
            list.get(list.len() / 2).copied().unwrap_or(0.0)
        };
        let end = COUNTED.end.min(self.ms.len());
        let counted = &self.ms[COUNTED.start.min(end)..end];
        let (p50, max) = (median(counted), counted.iter().copied().fold(0.0, f64::max));
        let rest = self.awake.iter().rposition(|&n| n > 0).map_or(0, |i| i + 2);
        let asleep = self.ms.get(rest..).filter(|list| !list.is_empty());
        let overlaps = self.overlaps.get(COUNTED.start.min(end)..end);
        let overlaps = overlaps.filter(|list| !list.is_empty());
        let shown =
            |x: Option<f64>, digits: usize| x.map_or("-".into(), |x| format!("{x:.digits$}"));
        println!(
            "| {name} | {p50:.2} | {max:.2} | {:.2} | {} | {} | {} | {} |",
            max / p50,
            self.awake
                .get(ASLEEP_BY)
                .map_or("-".into(), |n| n.to_string()),
            shown(asleep.map(median), 4),
            self.escaped,
            shown(overlaps.map(|list| median(list) * 1e3), 1)
        );
        [p50, max, asleep.map_or(0.0, median)]
    }
}
