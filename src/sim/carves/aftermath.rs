//! The effect of a committed change on bodies: they wake, are blown away, break, get out of fills, or are spawned.
use super::blasts::{BLAST_WIND, blast_centre};
use super::materials::{material_at, material_id, substance_of};
use super::movers::Loose;
use crate::bvh::QueryStats;
use crate::carve::blast::{self, BlastShape};
use crate::collide::{Layer, overlap_sphere_aabb};
use crate::debris::{Ball, Body, clearance, fracture, retire, sleep, spawn};
use crate::geom::Aabb;
use crate::geom::rng::Rng;
use crate::sim::queued_operation::QueuedOperation;
use crate::sim::report::StepReport;
use crate::sim::simulation::Sim;
use crate::sim::undo;
use crate::world::{CarveReport, MaterialId, World};
use glam::{DMat3, DVec3};

/// Time that a section that breaks holds a piece as a hinge, seconds.
const HINGE_SECS: f64 = 0.35;
/// Greatest spin of a piece that tips, radians a second.
const MOST_TIP: f64 = 1.5;

/// The box in which bodies feel a change: around it, and around the pieces that it cut free.
pub(super) fn bounds(done: &QueuedOperation, carved: &CarveReport) -> Aabb {
    let islands = carved.islands.iter().map(|island| island.bounds.grow(0.1));
    islands.fold(done.bounds(), |all, one| all.union(&one))
}

/// Wakes, blows away, breaks and spawns bodies after a change; `number` is that of its undo step, 0 without one. `loose` is what
/// comes off movers. Returns the number of chunks that it broke.
pub(super) fn disturb(
    sim: &mut Sim,
    done: &QueuedOperation,
    carved: &CarveReport,
    (number, loose): (u64, Loose),
    report: &mut StepReport,
) -> u32 {
    let is_any_reached = add_inner_materials(sim, done);
    let near = done.bounds();
    let is_fill = done.fills();
    let viewer = sim.viewer();
    let (world, rng, stats) = (&sim.world, &mut sim.rng, &mut report.queries);
    let settings = &sim.settings;
    let shape = settings.blast_shape;
    let (spawned, chunks, broken) = sim.bodies.change(|bodies| {
        sleep::wake_in_box(bodies, &near);
        for island in &carved.islands {
            sleep::wake_in_box(bodies, &island.bounds.grow(0.1));
        }
        if is_fill {
            let touched = |body: &Body| near.grow(body.radius).contains(body.position);
            bodies.retain_mut(|body| {
                !touched(body) || clearance::free(body, world, done.reach, stats)
            });
        }
        let mut broken = Vec::new();
        let mut pieces = Vec::new();
        let meets = settings.layers.meet(Layer::Rocket, Layer::Chunk);
        if is_any_reached && (done.explodes() || meets) {
            (broken, pieces) = shatter(bodies, world, done, shape, rng);
            // A corner of the whole chunk that stuck in a wall may be a piece of its own now.
            pieces.retain_mut(|piece| clearance::free(piece, world, done.radius, stats));
        }
        // A mover may reach into walls, where nothing can fall.
        pieces.extend(loose.pieces.into_iter().filter_map(|mut piece| {
            let reach = done.radius + piece.radius;
            clearance::free(&mut piece, world, reach, stats).then_some(piece)
        }));
        let before = bodies.len();
        let mut spawned = pieces.len() as u32;
        bodies.extend(pieces);
        if done.explodes() {
            blow(bodies, done);
        }
        if settings.debris {
            spawned += throw(bodies, done, (carved, &loose.carved), world, rng, stats);
        }
        for body in &mut bodies[before..] {
            if done.is_consequence() && body.chunk.is_some() {
                tip(body, done.centre, settings.gravity);
            }
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
    let count = broken.len() as u32;
    undo::record_broken(sim, number, broken);
    count
}

/// Whether a body is a chunk within a blast or on the way of a drill.
fn shatters(body: &Body, done: &QueuedOperation) -> bool {
    let reached = |ball: Ball| match done.bore() {
        Some(bore) => bore.reaches(ball),
        None => ball.centre.distance(done.mouth) < ball.radius + done.radius,
    };
    let is_far = || match done.bore() {
        Some(_) => false,
        // Its balls lie within its radius, but for rounding.
        None => body.position.distance(done.mouth) > body.radius * 1.01 + done.radius,
    };
    body.chunk.is_some() && !is_far() && body.balls().any(reached)
}

/// The material that a chunk shows where it breaks, if the world has it.
fn inner_material(world: &World, body: &Body, mouth: DVec3) -> Option<MaterialId> {
    let wanted = substance_of(world, Some(material_at(body, mouth))).exposed();
    let known = world
        .materials
        .iter()
        .position(|material| *material == wanted);
    known.map(|id| id as MaterialId)
}

/// Adds the materials to the world that the chunks show which a change breaks. Whether there are any such chunks.
fn add_inner_materials(sim: &mut Sim, done: &QueuedOperation) -> bool {
    if !done.explodes() && done.bore().is_none() {
        return false;
    }
    let broken = sim.bodies.iter().filter(|body| shatters(body, done));
    let of_body = |body: &Body| material_at(body, done.mouth);
    let mut materials: Vec<MaterialId> = broken.map(of_body).collect();
    let is_any = !materials.is_empty();
    materials.dedup();
    for material in materials {
        let exposed = substance_of(&sim.world, Some(material)).exposed();
        material_id(sim, exposed);
    }
    is_any
}

/// Breaks the chunks within a blast or on the way of a drill; returns the broken chunks and their pieces. As on a wall, the
/// hardness of the face that is hit divides the radius, and the pieces show what that face is made of.
fn shatter(
    bodies: &mut Vec<Body>,
    world: &World,
    done: &QueuedOperation,
    blast_shape: BlastShape,
    rng: &mut Rng,
) -> (Vec<Body>, Vec<Body>) {
    let (mut broken, mut pieces) = (Vec::new(), Vec::new());
    bodies.retain(|body| {
        let Some(shape) = body.chunk.as_ref().filter(|_| shatters(body, done)) else {
            return true;
        };
        let mouth = shape.home_from_world(body.pose(), done.mouth);
        let brushes = match done.bore() {
            Some(bore) => bore
                .in_chunk_frame(body, shape)
                .brushes(fracture::OPENED)
                .ok(),
            None => {
                let seed = rng.next_u64();
                let hardness = substance_of(world, Some(material_at(body, done.mouth))).hardness;
                let hole = done.radius / hardness;
                let centre = blast_centre(mouth);
                let opened = fracture::OPENED;
                (hole > 0.0).then(|| blast::blast(centre, hole, blast_shape, seed, opened))
            }
        };
        let inner = inner_material(world, body, done.mouth).unwrap_or(done.material);
        let left = brushes.and_then(|brushes| fracture::pieces(body, shape, brushes, inner));
        let Some(left) = left else {
            return true;
        };
        broken.push(body.clone());
        pieces.extend(left);
        false
    });
    (broken, pieces)
}

/// Pushes the bodies that a blast reaches (Arvo's box-sphere test), the nearer the harder.
fn blow(bodies: &mut [Body], done: &QueuedOperation) {
    let reach = done.radius * BLAST_WIND;
    for body in bodies {
        // No corner of its box is farther from it than the square root of three times its radius.
        if body.position.distance(done.centre) > reach + body.radius * 1.74 {
            continue;
        }
        let bounds = bounds_of(body);
        if !overlap_sphere_aabb(done.centre, reach, &bounds) {
            continue;
        }
        let distance = bounds.closest_point(done.centre).distance(done.centre);
        let away = (body.position - done.centre).normalize_or_zero();
        body.wake();
        body.velocity += away * (6.0 * (1.0 - distance / reach));
    }
}

/// Gives a piece the motion that it has after it has turned about the section that broke last, which still held it a while.
/// Without it pieces would drop straight down, since a section breaks all at once.
fn tip(body: &mut Body, hinge: DVec3, gravity: f64) {
    let arm = body.position - hinge;
    let mass = body.mass();
    // About the hinge: Steiner's theorem.
    let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
    let steiner = (DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer) * mass;
    let inertia = body.inertia() + steiner;
    let torque = arm.cross(DVec3::NEG_Y * (gravity * mass));
    let spin = inertia.inverse() * torque * HINGE_SECS;
    if spin.is_finite() {
        body.spin = spin.clamp_length_max(MOST_TIP);
        body.velocity = body.spin.cross(arm);
    }
}

/// Spawns crumbs for the holes, and the pieces that were cut free as chunks, or as crumbs where they are too small.
fn throw(
    bodies: &mut Vec<Body>,
    done: &QueuedOperation,
    (carved, movers): (&CarveReport, &[(MaterialId, f64)]),
    world: &World,
    rng: &mut Rng,
    stats: &mut QueryStats,
) -> u32 {
    let mut spawned = 0;
    let walls = [(done.material, carved.volume_m3)];
    for &(material, volume_m3) in walls.iter().chain(movers) {
        let burst = spawn::Burst {
            from: done.mouth,
            normal: done.normal,
            radius: done.radius,
            volume_m3,
            material,
        };
        spawned += spawn::burst(bodies, world, rng, &burst, stats);
    }
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

fn bounds_of(body: &Body) -> Aabb {
    let around = |bounds: Aabb, ball: Ball| {
        bounds.union(&Aabb::from_centre(ball.centre, DVec3::splat(ball.radius)))
    };
    body.balls().fold(Aabb::EMPTY, around)
}
