//! What bodies feel of a change: they wake, are blown away, break, are crushed or born.
use super::{Cut, blast_centre, stuff_at, stuff_of};
use crate::bvh::QueryStats;
use crate::carve::blast::{self, BlastShape};
use crate::collide::{Layer, overlap_sphere_aabb};
use crate::debris::{Ball, Body, clearance, fracture, retire, sleep, spawn};
use crate::geom::Aabb;
use crate::geom::rng::Rng;
use crate::sim::{Sim, StepReport, history, meet};
use crate::world::{CarveReport, Op, World};

/// Bodies within this many radii feel a blast.
pub(super) const BLAST_WIND: f64 = 2.5;

/// Where bodies feel a change: near it, and where pieces fell.
pub(super) fn reached(cut: &Cut, carved: &CarveReport) -> Aabb {
    let islands = carved.islands.iter().map(|island| island.bounds.grow(0.1));
    islands.fold(cut.near(), |all, one| all.union(&one))
}

/// Bodies wake, are blown away, crushed or born.
pub(super) fn disturb(
    sim: &mut Sim,
    cut: &Cut,
    carved: &CarveReport,
    number: u64,
    report: &mut StepReport,
) {
    let near = cut.near();
    let is_fill = cut.operation.as_ref().is_ok_and(|o| o.op == Op::Fill);
    let viewer = sim.viewer();
    let (world, rng, stats) = (&sim.world, &mut sim.rng, &mut report.queries);
    let settings = &sim.settings;
    let shape = BlastShape::from_name(&settings.blast_shape).unwrap_or_default();
    let (spawned, chunks, broken) = sim.bodies.change(|bodies| {
        sleep::wake_in_box(bodies, &near);
        for island in &carved.islands {
            sleep::wake_in_box(bodies, &island.bounds.grow(0.1));
        }
        if is_fill {
            let touched = |body: &Body| near.grow(body.radius).contains(body.position);
            bodies.retain_mut(|body| {
                !touched(body) || clearance::free(body, world, cut.reach, stats)
            });
        }
        let mut broken = Vec::new();
        let mut pieces = Vec::new();
        let meets = settings.layers.meet(Layer::Rocket, Layer::Chunk);
        if cut.explodes || (cut.bore.is_some() && meets) {
            (broken, pieces) = shatter(bodies, world, cut, shape, rng);
            // A corner of the whole chunk may have stuck in a wall, and be a piece of its own now.
            pieces.retain_mut(|piece| clearance::free(piece, world, cut.radius, stats));
        }
        let before = bodies.len();
        let mut spawned = pieces.len() as u32;
        bodies.extend(pieces);
        if cut.explodes {
            blow(bodies, cut);
        }
        if settings.debris {
            spawned += throw(bodies, cut, carved, world, rng, stats);
        }
        for body in &mut bodies[before..] {
            if number != 0 {
                body.operation = number;
            }
        }
        let is_chunk = |body: &&Body| body.chunk.is_some();
        let chunks = bodies[before..].iter().filter(is_chunk).count() as u32;
        retire::retire(bodies, settings.max_bodies as usize, &viewer);
        (spawned, chunks, broken)
    });
    report.spawned += spawned;
    report.chunks += chunks;
    history::broke(sim, number, broken);
}

/// Chunks within a blast or on the way of a drill break: those that were whole, and what is left of them. As on a wall,
/// the hardness of the face that is hit divides how far it goes in.
fn shatter(
    bodies: &mut Vec<Body>,
    world: &World,
    cut: &Cut,
    look: BlastShape,
    rng: &mut Rng,
) -> (Vec<Body>, Vec<Body>) {
    let (mut broken, mut pieces) = (Vec::new(), Vec::new());
    bodies.retain(|body| {
        let reached = |ball: Ball| match &cut.bore {
            Some(bore) => bore.reaches(ball),
            None => ball.centre.distance(cut.mouth) < ball.radius + cut.radius,
        };
        let Some(shape) = body.chunk.as_ref().filter(|_| body.balls().any(reached)) else {
            return true;
        };
        let mouth = shape.home_from_world(body.pose(), cut.mouth);
        let brushes = match &cut.bore {
            Some(bore) => bore.seen_from(body, shape).brushes(fracture::OPENED).ok(),
            None => {
                let seed = rng.next_u64();
                let hardness = stuff_of(world, Some(stuff_at(body, cut.mouth))).hardness;
                let hole = cut.radius / hardness;
                let centre = blast_centre(mouth);
                let opened = fracture::OPENED;
                (hole > 0.0).then(|| blast::blast(centre, hole, look, seed, opened))
            }
        };
        let left = brushes.and_then(|b| fracture::pieces(body, shape, b, cut.material));
        let Some(left) = left else {
            return true;
        };
        broken.push(body.clone());
        pieces.extend(left);
        false
    });
    (broken, pieces)
}

/// The blast pushes what it reaches, the nearer the harder. Whom it reaches, Arvo's test says.
fn blow(bodies: &mut [Body], cut: &Cut) {
    let reach = cut.radius * BLAST_WIND;
    for body in bodies {
        let bounds = meet::bounds_of(body);
        if !overlap_sphere_aabb(cut.centre, reach, &bounds) {
            continue;
        }
        let distance = bounds.closest_point(cut.centre).distance(cut.centre);
        let away = (body.position - cut.centre).normalize_or_zero();
        body.wake();
        body.velocity += away * (6.0 * (1.0 - distance / reach));
    }
}

/// Crumbs of the hole, and the pieces that were cut free: chunks, or crumbs of what is too small.
fn throw(
    bodies: &mut Vec<Body>,
    cut: &Cut,
    carved: &CarveReport,
    world: &World,
    rng: &mut Rng,
    stats: &mut QueryStats,
) -> u32 {
    let burst = spawn::Burst {
        from: cut.mouth,
        normal: cut.normal,
        radius: cut.radius,
        volume_m3: carved.volume_m3,
        material: cut.material,
    };
    let mut spawned = spawn::burst(bodies, world, rng, &burst, stats);
    for island in &carved.islands {
        match Body::from_island(island) {
            Some(body) => {
                bodies.push(body);
                spawned += 1;
            }
            None => spawned += spawn::crumble(bodies, world, rng, island, stats),
        }
    }
    spawned
}
