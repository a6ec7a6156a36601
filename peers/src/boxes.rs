//! The table of boxes: 500 and 1,000 boxes fall into the room of 20k triangles and pile up, as chunks in Breach and as
//! cuboids in rapier3d, in one run.
//!
//! One thread, CPU time of each step, a few steps of either engine in turn. Same room, same boxes at the same places,
//! density, friction 0.5, restitution 0.3, 60 steps a second, everything else as each comes: in both, bodies may fall
//! asleep. How deep boxes overlap is asked of no engine: the true boxes are compared where each engine has them.
use crate::clock::{summary, timed};
use crate::debris::{self, COUNTED, rapier_material, rapier_room, rapier_vector};
use crate::rooms::Room;
use breach::bvh::QueryStats;
use breach::debris::{Body, DENSITY, Debris, Forces};
use breach::geom::Obb;
use breach::world::World;
use glam::{DMat3, DQuat, DVec3};
use rapier3d::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle};

/// How much is measured.
#[derive(clap::Args)]
pub struct Args {
    /// Boxes, at most 1,053; without this 500, then 1,000.
    #[arg(long)]
    boxes: Option<usize>,
    /// The room.
    #[arg(long, default_value = debris::ROOM)]
    room: String,
    /// Breach alone.
    #[arg(long)]
    ours: bool,
    /// Every tenth step too: milliseconds and bodies awake.
    #[arg(long)]
    steps: bool,
}

/// Five seconds.
const TICKS: usize = COUNTED.end;
/// Steps of one engine before it is the other's turn: so many that each finds its own data in the caches.
const TURN: usize = 10;
/// Ticks from one look at the overlaps to the next.
const LOOK: usize = 60;
/// What [`debris::boxes`] has room for under the ceiling.
const MOST: usize = 9 * 9 * 13;
/// Breach's p50 to rapier's.
const GOAL: f64 = 1.0;
/// Sine of the angle up to which two edges are parallel: they give no axis. Costs about 1 µm at most.
const PARALLEL: f64 = 1e-6;

/// Prints the table; false where a goal was missed.
pub fn run(args: &Args) -> bool {
    let Some(room) = debris::upright(&args.room) else {
        println!("there is no room {}", args.room);
        return false;
    };
    let counts = args.boxes.map_or(vec![500, 1000], |count| vec![count]);
    if let Some(count) = counts.iter().find(|&&n| n == 0 || n > MOST) {
        println!("{count} boxes: 1 to {MOST} fit into a room");
        return false;
    }
    let world = debris::world(&room);
    let mut table = Vec::new();
    for &count in &counts {
        let starts = debris::boxes(count);
        let mut engines: Vec<Box<dyn Engine + '_>> = vec![Box::new(Chunks::new(&world, &starts))];
        if !args.ours {
            engines.push(Box::new(Cuboids::new(&room, &starts)));
        }
        let runs = fall(&mut engines, &world);
        if args.steps {
            runs.iter().for_each(|run| run.print_steps(count));
        }
        table.push((count, runs));
    }
    println!(
        "boxes in {}, {} triangles; {TICKS} ticks; overlaps every {LOOK} ticks",
        room.name,
        room.triangles.len()
    );
    println!(
        "| engine | boxes | p50 ms | mean | p99 | max | p50 of ticks {COUNTED:?} | awake at the end | escaped | pairs that overlap | deepest overlap, mm | p99 | mean | deepest in the floor, mm |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    let is_flat = room.name.starts_with("flat");
    for (count, runs) in &table {
        runs.iter().for_each(|run| run.print_row(*count, is_flat));
    }
    let mut is_good = true;
    for (count, runs) in &table {
        is_good &= runs[0].escaped == 0;
        if let [ours, theirs] = runs.as_slice() {
            let p50 = |ms: &[f64]| summary(ms).p50;
            let all = p50(&ours.ms) / p50(&theirs.ms);
            let counted = p50(&ours.ms[COUNTED]) / p50(&theirs.ms[COUNTED]);
            println!(
                "{count} boxes: Breach's p50 is {all:.3} times rapier's (goal {GOAL:.1}), of ticks {COUNTED:?} {counted:.3} times"
            );
            is_good &= all <= GOAL;
        }
    }
    is_good
}

/// Boxes that fall.
trait Engine {
    fn name(&self) -> &'static str;
    /// A tick.
    fn step(&mut self);
    /// Number of boxes awake.
    fn awake(&self) -> usize;
    /// Where they are, in the order of [`debris::boxes`].
    fn boxes(&self) -> Vec<Obb>;
}

/// What was measured of one engine.
#[derive(Default)]
struct Run {
    name: &'static str,
    /// Milliseconds of each step.
    ms: Vec<f64>,
    /// Boxes awake after each step.
    awake: Vec<usize>,
    /// Of all looks: millimetres by which two boxes overlap, of those that do.
    overlaps: Vec<f64>,
    /// Of all looks: millimetres from the lowest corner up to y = 0, where a flat floor is.
    below: f64,
    /// Boxes whose centre is in rock at the end.
    escaped: usize,
}

/// Lets all fall for [`TICKS`].
fn fall(engines: &mut [Box<dyn Engine + '_>], world: &World) -> Vec<Run> {
    let names = engines.iter().map(|engine| engine.name());
    let start = |name| Run {
        name,
        ..Run::default()
    };
    let mut runs: Vec<Run> = names.map(start).collect();
    for _ in 0..TICKS / TURN {
        for (engine, run) in engines.iter_mut().zip(&mut runs) {
            for _ in 0..TURN {
                run.ms.push(timed(|| engine.step()).1);
                run.awake.push(engine.awake());
            }
            if run.ms.len().is_multiple_of(LOOK) {
                run.look(&engine.boxes());
            }
        }
    }
    for (engine, run) in engines.iter().zip(&mut runs) {
        let boxes = engine.boxes();
        let is_lost = |one: &&Obb| world.locate(one.centre).is_none();
        run.escaped = boxes.iter().filter(is_lost).count();
    }
    runs
}

impl Run {
    fn look(&mut self, boxes: &[Obb]) {
        for (i, a) in boxes.iter().enumerate() {
            let others = boxes[i + 1..].iter().filter(|b| is_near(a, b));
            let depths = others.filter_map(|b| depth(a, b));
            self.overlaps.extend(depths.map(|metres| metres * 1e3));
        }
        let corners = boxes.iter().flat_map(Obb::corners);
        self.below = corners.map(|p| p.y * -1e3).fold(self.below, f64::max);
    }

    fn print_steps(&self, count: usize) {
        let steps = self.ms.iter().zip(&self.awake).enumerate().step_by(10);
        steps.for_each(|(tick, (ms, awake))| {
            println!(
                "{}, {count} boxes, {tick}: {ms:.2} ms, {awake} awake",
                self.name
            );
        });
    }

    fn print_row(&self, count: usize, is_flat: bool) {
        let ms = summary(&self.ms);
        // The same figures of millimetres.
        let overlaps = summary(&self.overlaps);
        let below = match is_flat {
            true => format!("{:.1}", self.below),
            false => "-".into(),
        };
        println!(
            "| {} | {count} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {} | {} | {} | {:.1} | {:.1} | {:.2} | {below} |",
            self.name,
            ms.p50,
            ms.mean,
            ms.p99,
            ms.max,
            summary(&self.ms[COUNTED]).p50,
            self.awake.last().copied().unwrap_or(0),
            self.escaped,
            self.overlaps.len() / (TICKS / LOOK),
            overlaps.max,
            overlaps.p99,
            overlaps.mean
        );
    }
}

/// Whether their bounding spheres overlap.
fn is_near(a: &Obb, b: &Obb) -> bool {
    a.centre.distance(b.centre) < a.half_size.length() + b.half_size.length()
}

/// Metres by which one box must be moved to part it from the other; `None` if they are apart or touch.
///
/// Solve: least over the axes n of `reach of a + reach of b - |centres · n|`. A face of the boxes' Minkowski difference
/// has the normal of a face of either, or of an edge of each: 3 + 3 + 9 axes. Gottschalk, Lin and Manocha, OBBTree
/// (1996).
fn depth(a: &Obb, b: &Obb) -> Option<f64> {
    let centres = b.centre - a.centre;
    let along = |axis: DVec3| {
        let reach = |obb: &Obb| (obb.axes.transpose() * axis).abs().dot(obb.half_size);
        reach(a) + reach(b) - centres.dot(axis).abs()
    };
    let [of_a, of_b] = [a, b].map(|obb| [obb.axes.x_axis, obb.axes.y_axis, obb.axes.z_axis]);
    let crossed = of_a.iter().flat_map(|&p| of_b.map(|q| p.cross(q)));
    let edges = crossed.filter(|axis| axis.length() > PARALLEL);
    let axes = of_a
        .into_iter()
        .chain(of_b)
        .chain(edges.map(DVec3::normalize));
    let least = axes.map(along).fold(f64::INFINITY, f64::min);
    (least > 0.0).then_some(least)
}

/// Breach's side.
struct Chunks<'a> {
    world: &'a World,
    debris: Debris,
    forces: Forces,
    starts: &'a [[DVec3; 2]],
}

impl<'a> Chunks<'a> {
    fn new(world: &'a World, starts: &'a [[DVec3; 2]]) -> Self {
        let mut debris = Debris::default();
        debris.change(|list| *list = debris::blocks(starts.len()));
        Self {
            world,
            debris,
            forces: debris::forces(true),
            starts,
        }
    }
}

impl Engine for Chunks<'_> {
    fn name(&self) -> &'static str {
        "Breach"
    }

    fn step(&mut self) {
        let mut stats = QueryStats::default();
        self.debris.step(self.world, &self.forces, &mut stats);
    }

    fn awake(&self) -> usize {
        self.debris.awake()
    }

    fn boxes(&self) -> Vec<Obb> {
        assert_eq!(self.debris.len(), self.starts.len());
        let bodies = self.debris.iter().zip(self.starts);
        bodies.map(|(body, &start)| box_of(body, start)).collect()
    }
}

/// Where the box is from which a body was made. The body's own axes are those of inertia; the home frame is the one in
/// which the box was unturned.
fn box_of(body: &Body, [at, half_size]: [DVec3; 2]) -> Obb {
    let chunk = body.chunk.as_ref().expect("a block is a chunk");
    let (origin, turn) = chunk.world_from_home(body.pose());
    Obb {
        centre: origin + turn * at,
        half_size,
        axes: DMat3::from_quat(turn.normalize()),
    }
}

/// Rapier's side.
struct Cuboids<'a> {
    physics: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
    starts: &'a [[DVec3; 2]],
}

impl<'a> Cuboids<'a> {
    fn new(room: &Room, starts: &'a [[DVec3; 2]]) -> Self {
        let mut physics = rapier_room(room);
        let bodies = starts
            .iter()
            .map(|&[at, half]| {
                let body = RigidBodyBuilder::dynamic().translation(rapier_vector(at));
                let half = rapier_vector(half);
                let cuboid = ColliderBuilder::cuboid(half.x, half.y, half.z);
                let cuboid = rapier_material(cuboid).density(DENSITY as f32);
                physics.insert(body, cuboid).0
            })
            .collect();
        Self {
            physics,
            bodies,
            starts,
        }
    }
}

impl Engine for Cuboids<'_> {
    fn name(&self) -> &'static str {
        "rapier3d 0.36"
    }

    fn step(&mut self) {
        self.physics.step();
    }

    fn awake(&self) -> usize {
        let is_awake = |&&body: &&RigidBodyHandle| !self.physics.bodies[body].is_sleeping();
        self.bodies.iter().filter(is_awake).count()
    }

    fn boxes(&self) -> Vec<Obb> {
        let place = |(&body, &[_, half_size]): (&RigidBodyHandle, &[DVec3; 2])| {
            let body = &self.physics.bodies[body];
            let (at, turn) = (body.translation(), body.rotation());
            let [x, y, z, w] = [turn.x, turn.y, turn.z, turn.w].map(f64::from);
            Obb {
                centre: DVec3::new(at.x.into(), at.y.into(), at.z.into()),
                half_size,
                axes: DMat3::from_quat(DQuat::from_xyzw(x, y, z, w).normalize()),
            }
        };
        self.bodies.iter().zip(self.starts).map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use breach::geom::rng::Rng;
    use std::f64::consts::FRAC_1_SQRT_2;

    fn turn(rng: &mut Rng) -> DQuat {
        let [x, y, z, w] = [0; 4].map(|_| rng.range(-1.0, 1.0));
        DQuat::from_xyzw(x, y, z, w).normalize()
    }

    fn check(a: &Obb, b: &Obb, expected: Option<f64>) {
        for (a, b) in [(a, b), (b, a)] {
            match (depth(a, b), expected) {
                (None, None) => {}
                (Some(found), Some(expected)) => {
                    assert!((found - expected).abs() < 1e-9, "{found} m, not {expected}");
                }
                (found, _) => panic!("{found:?}, not {expected:?}: {a:?} {b:?}"),
            }
        }
    }

    #[test]
    fn overlaps_of_faces_and_edges_are_those_by_hand() {
        let cube = |centre: DVec3, turned: DVec3| Obb {
            centre,
            half_size: DVec3::splat(0.5),
            axes: DMat3::from_quat(DQuat::from_rotation_arc(DVec3::X, turned)),
        };
        let plain = cube(DVec3::ZERO, DVec3::X);
        check(&plain, &cube(DVec3::X * 0.9, DVec3::X), Some(0.1));
        check(&plain, &cube(DVec3::X * 1.1, DVec3::X), None);
        // An edge of the one in a face of the other.
        let turned = DVec3::new(FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2);
        let by_an_edge = Some(0.5 + FRAC_1_SQRT_2 - 1.0);
        check(&plain, &cube(DVec3::X, turned), by_an_edge);
        // An edge along z, up, and above it one along x, down.
        let low = cube(DVec3::ZERO, (DVec3::X + DVec3::Y).normalize());
        let axes = [DVec3::X, DVec3::Y + DVec3::Z, DVec3::Z - DVec3::Y];
        let [x, y, z] = axes.map(DVec3::normalize);
        let high = Obb {
            centre: DVec3::Y * 1.3,
            half_size: DVec3::splat(0.5),
            axes: DMat3::from_cols(x, y, z),
        };
        check(&low, &high, Some(2.0 * FRAC_1_SQRT_2 - 1.3));
    }

    /// From the hull of all differences of corners: any three with none outside their plane are of a face.
    fn depth_by_corners(a: &Obb, b: &Obb) -> Option<f64> {
        let of_b = b.corners();
        let corners = a.corners();
        let points = corners.iter().flat_map(|&p| of_b.map(|q| q - p));
        let points: Vec<DVec3> = points.collect();
        let mut least = f64::INFINITY;
        for (i, &p) in points.iter().enumerate() {
            for (j, &q) in points[..i].iter().enumerate() {
                for &r in &points[..j] {
                    let normal = (q - p).cross(r - p);
                    if normal.length() < 1e-9 {
                        continue;
                    }
                    for normal in [normal.normalize(), -normal.normalize()] {
                        if points.iter().all(|&o| normal.dot(o - p) <= 1e-9) {
                            least = least.min(normal.dot(p));
                        }
                    }
                }
            }
        }
        (least > 0.0).then_some(least)
    }

    #[test]
    fn overlaps_are_those_of_the_hull_of_all_differences() {
        let (mut rng, mut overlapping) = (Rng::new(1), 0);
        let count = 40;
        for i in 0..count {
            let [mut a, mut b] = [0; 2].map(|_| Obb {
                centre: rng.unit_vector() * rng.range(0.0, 2.5),
                half_size: DVec3::from_array([0; 3].map(|_| rng.range(0.1, 1.0))),
                axes: DMat3::from_quat(turn(&mut rng)),
            });
            match i % 4 {
                0 => a.axes = b.axes,
                1 => b.axes = a.axes * DMat3::from_rotation_z(0.3),
                _ => {}
            }
            let expected = depth_by_corners(&a, &b);
            overlapping += usize::from(expected.is_some());
            check(&a, &b, expected);
        }
        assert!(0 < overlapping, "none overlap");
        assert!(overlapping < count, "all overlap");
    }

    #[test]
    fn the_box_of_a_body_has_the_corners_of_its_faces() {
        let mut rng = Rng::new(2);
        for (mut body, start) in debris::blocks(20).into_iter().zip(debris::boxes(20)) {
            body.position += rng.unit_vector();
            body.rotation = turn(&mut rng) * body.rotation;
            let chunk = body.chunk.clone().expect("a chunk");
            let (home, axes) = chunk.home;
            let corners = box_of(&body, start).corners();
            for &p in &chunk.mesh.positions {
                let p = body.position + body.rotation * (axes.conjugate() * (p - home));
                let is_there = corners.iter().any(|c| c.distance(p) < 1e-9);
                assert!(is_there, "{p} is no corner of {corners:?}");
            }
        }
    }
}
