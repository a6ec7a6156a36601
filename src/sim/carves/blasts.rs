//! Blasts of rockets and grenades and bores of drills, as operations for the queue.
use super::materials::{
    Substance, material_id, material_of_body, material_of_face, material_of_mover, substance_of,
};
use crate::bvh::QueryStats;
use crate::carve::blast;
use crate::debris::clearance;
use crate::level::SavedOperation;
use crate::sim::bore::Bore;
use crate::sim::movers::SolidHit;
use crate::sim::queued_operation::{Cause, QueuedOperation};
use crate::sim::report::StepReport;
use crate::sim::simulation::Sim;
use crate::sim::sweep_moving::MovingHit;
use crate::world::{BrushDesc, CastHit, GRID, MaterialId, Op, Operation, World, WorldError};
use glam::{DVec3, I64Vec3};

/// Depth of a blast's centre in the wall, as a part of its radius.
pub(super) const BLAST_DEPTH: f64 = 0.1;
/// Bodies within this many radii feel a blast.
pub(super) const BLAST_WIND: f64 = 2.5;
/// Blast centres lie on multiples of this many grid steps, 1/1024 m, as the level file writes them.
const CENTRE_STEP: i64 = 16;

/// The blast of a rocket that hit a wall; `mouth` is a point of the air just in front of it. The face's hardness divides
/// the radius of the hole (the rocket's own radius or that of the settings), but not the explosion's.
pub(in crate::sim) fn blast_wall(
    sim: &mut Sim,
    hit: &CastHit,
    mouth: DVec3,
    radius: Option<f64>,
) -> QueuedOperation {
    let substance = substance_of(&sim.world, Some(material_of_face(&sim.world, hit)));
    detonate(sim, substance, hit.point, hit.normal, mouth, radius)
}

/// The blast of a rocket that hit a body; see [`beside`].
pub(in crate::sim) fn blast_body(
    sim: &mut Sim,
    hit: &MovingHit,
    mouth: DVec3,
    radius: Option<f64>,
    stats: &mut QueryStats,
) -> QueuedOperation {
    let material = material_of_body(sim, hit);
    let substance = beside(sim, (mouth, material), radius, stats);
    detonate(sim, substance, hit.point, hit.normal, mouth, radius)
}

/// The blast of a rocket that hit a mover; see [`beside`].
pub(in crate::sim) fn blast_mover(
    sim: &mut Sim,
    hit: &SolidHit,
    mouth: DVec3,
    radius: Option<f64>,
    stats: &mut QueryStats,
) -> QueuedOperation {
    let material = material_of_mover(sim, hit);
    let substance = beside(sim, (mouth, material), radius, stats);
    detonate(sim, substance, hit.point, hit.normal, mouth, radius)
}

/// The substance of the walls around a blast that hit something else: that of the nearest face within its radius. Without
/// such a face, or where it is unbreakable, the substance of what was hit.
fn beside(
    sim: &Sim,
    (mouth, hit): (DVec3, Option<MaterialId>),
    radius: Option<f64>,
    stats: &mut QueryStats,
) -> Substance {
    let reach = radius.unwrap_or(sim.settings.blast_radius);
    let wall = nearest_face(&sim.world, mouth, reach, stats);
    let wall = wall.map(|wall| substance_of(&sim.world, Some(material_of_face(&sim.world, &wall))));
    let wall = wall.filter(|wall| wall.hardness.is_finite());
    wall.unwrap_or_else(|| substance_of(&sim.world, hit))
}

/// The face nearest to a point of the air, if one is within `reach` metres.
fn nearest_face(world: &World, at: DVec3, reach: f64, stats: &mut QueryStats) -> Option<CastHit> {
    let near = clearance::nearest_surface(world, at, reach, stats)?;
    // A little past the face, so that the ray meets it.
    world.cast_ray(at, at + (near.point - at) * 1.001, stats)
}

/// The blast of a grenade: it carves as if it had hit the nearest face, if one is within its radius.
pub(in crate::sim) fn blast_at(
    sim: &mut Sim,
    at: DVec3,
    radius: Option<f64>,
    report: &mut StepReport,
) -> QueuedOperation {
    let (world, stats) = (&sim.world, &mut report.queries);
    let reach = radius.unwrap_or(sim.settings.blast_radius);
    let face = nearest_face(world, at, reach, stats);
    let substance = substance_of(world, face.map(|face| material_of_face(world, &face)));
    let normal = face.map_or(DVec3::Y, |face| face.normal);
    detonate(sim, substance, at, normal, at, radius)
}

/// The carve of a drill that hit this material; its hardness divides the depth. In walls it exposes what the first one on its
/// way is made of. `mouth` is a point of the air in front.
pub(in crate::sim) fn bore(
    sim: &mut Sim,
    material: Option<MaterialId>,
    bore: Bore,
    mouth: DVec3,
    stats: &mut QueryStats,
) -> QueuedOperation {
    let substance = substance_of(&sim.world, material);
    let depth = bore.depth / substance.hardness;
    let bore = Bore { depth, ..bore };
    let wall = sim.world.cast_ray(bore.from, bore.to(), stats);
    let wall = wall.map(|wall| material_of_face(&sim.world, &wall));
    let exposed = substance_of(&sim.world, wall.or(material)).exposed();
    let exposed = material_id(sim, exposed);
    let brushes = bore.brushes(exposed).map_err(WorldError::from);
    let op = Op::Carve;
    let saved = Operation {
        op,
        brushes: brushes.clone().unwrap_or_default(),
    };
    QueuedOperation {
        operation: match substance.hardness.is_infinite() {
            true => Err(WorldError::Unbreakable),
            false => brushes.map(|brushes| Operation { op, brushes }),
        },
        saved: SavedOperation::Brushes(saved),
        centre: mouth,
        radius: bore.radius,
        reach: bore.radius,
        mouth,
        normal: -bore.dir,
        material: exposed,
        cause: Cause::Drill(bore),
    }
}

fn detonate(
    sim: &mut Sim,
    substance: Substance,
    point: DVec3,
    normal: DVec3,
    mouth: DVec3,
    radius: Option<f64>,
) -> QueuedOperation {
    let radius = radius.unwrap_or(sim.settings.blast_radius);
    let shape = sim.settings.blast_shape;
    let seed = sim.rng.next_u64();
    let material = material_id(sim, substance.exposed());
    let hole = radius / substance.hardness;
    let centre = blast_centre(point - normal * (hole * BLAST_DEPTH));
    let brushes = blast::blast(centre, hole, shape, seed, material);
    QueuedOperation {
        operation: match substance.hardness.is_infinite() {
            true => Err(WorldError::Unbreakable),
            false => carve_of(brushes),
        },
        saved: substance.saved_blast(centre, hole, shape, seed),
        centre: centre.as_dvec3() / GRID,
        radius,
        reach: radius * BLAST_WIND + 0.5,
        mouth,
        normal,
        material,
        cause: Cause::Blast,
    }
}

/// The nearest point at which a blast can be saved, grid steps.
pub(super) fn blast_centre(p: DVec3) -> I64Vec3 {
    (p * (GRID / CENTRE_STEP as f64)).round().as_i64vec3() * CENTRE_STEP
}

/// No brushes mean that a corner of the blast lies beyond the grid.
fn carve_of(brushes: Vec<BrushDesc>) -> Result<Operation, WorldError> {
    match brushes.is_empty() {
        true => Err(WorldError::BeyondGrid),
        false => Ok(Operation {
            op: Op::Carve,
            brushes,
        }),
    }
}
