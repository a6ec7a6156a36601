//! The Carve and Fill tools: the brushes that they make at the face they are aimed at.
use super::blasts::{BLAST_DEPTH, blast_centre};
use super::materials::{material_id, material_of_face, substance_of};
use super::queue::PLAYER_IN_THE_WAY;
use crate::bvh::QueryStats;
use crate::carve::blast::{self, BlastShape};
use crate::carve::shape::{self, Placement, Shape, ShapeError};
use crate::geom::Aabb;
use crate::geom::rng::Rng;
use crate::level::SavedOperation;
use crate::sim::command::{Tool, ToolShape};
use crate::sim::movers;
use crate::sim::queued_operation::{Cause, QueuedOperation, overlaps_player};
use crate::sim::report::StepReport;
use crate::sim::simulation::Sim;
use crate::world::{
    BrushDesc, CastHit, GRID, MaterialId, Op, Operation, Preview, WorkBudget, WorldError,
};
use glam::{DVec3, I64Vec3};

/// WorkBudget of work for each point of a hull.
const HULL_POINT: u64 = 8;
/// Range of a tool, metres.
const TOOL_REACH: f64 = 100.0;

/// Why a tool does nothing at a mover.
const ONLY_WALLS: &str = "tools work on walls: shoot what moves";

/// Whether a mover is in front of the face that a tool is aimed at.
fn is_behind_mover(
    sim: &Sim,
    ray: [DVec3; 2],
    hit: Option<&CastHit>,
    stats: &mut QueryStats,
) -> bool {
    let mover = movers::first_hit(sim, ray, 0.0, stats);
    mover.is_some_and(|mover| hit.is_none_or(|hit| mover.fraction < hit.fraction))
}

/// The segment along which a tool looks for its face: as it was aimed, or along the crosshair. None from within rock.
pub fn tool_ray(sim: &Sim, tool: &Tool) -> Option<[DVec3; 2]> {
    let (from, dir) = match tool.aimed {
        Some([from, dir]) => (DVec3::from(from), DVec3::from(dir).try_normalize()?),
        None => (sim.player.eye, sim.look_dir()),
    };
    sim.world.locate(from)?;
    Some([from, from + dir * TOOL_REACH])
}

/// The change that a tool makes at the face under the crosshair; None where there is no face within reach.
pub(in crate::sim) fn tool(
    sim: &mut Sim,
    fill: bool,
    tool: &Tool,
    budget: &mut WorkBudget,
    report: &mut StepReport,
) -> Option<QueuedOperation> {
    if tool.shape == ToolShape::Hull {
        budget.spend(tool.points.len() as u64 * HULL_POINT);
    }
    let Some([from, to]) = tool_ray(sim, tool) else {
        report
            .misses
            .push("tools need the camera to be in air, but it is inside rock");
        return None;
    };
    let hit = sim.world.cast_ray(from, to, &mut report.queries);
    sim.remember(from, to, 0.0, hit);
    if is_behind_mover(sim, [from, to], hit.as_ref(), &mut report.queries) {
        report.misses.push(ONLY_WALLS);
        return None;
    }
    let Some(hit) = hit else {
        report.misses.push("no face within 100 m");
        return None;
    };
    let seed = blast_seed(tool, &mut sim.rng);
    let substance = substance_of(&sim.world, Some(material_of_face(&sim.world, &hit)));
    let exposed = material_id(sim, substance.exposed());
    // A fill has the material of the face, but can be broken even where the face cannot.
    let material = match fill {
        true => material_id(sim, substance.filled()),
        false => exposed,
    };
    let aimed = aim(fill, tool, &hit, seed, material);
    if fill
        && let Ok(aimed) = &aimed
        && aimed
            .brushes
            .iter()
            .any(|b| overlaps_player(b, &sim.player))
    {
        report.misses.push(PLAYER_IN_THE_WAY);
        return None;
    }
    let (centre, radius) = match &aimed {
        Ok(aimed) => aimed.sphere(),
        Err(_) => (hit.point, 0.0),
    };
    let op = if fill { Op::Fill } else { Op::Carve };
    let brushes = aimed.as_ref().map_or(Vec::new(), |a| a.brushes.clone());
    let operation = Operation { op, brushes };
    let saved = match (&aimed, tool.shape.blast()) {
        (Ok(aimed), Some(shape)) if !fill => {
            substance.saved_blast(aimed.centre, aimed.radius, shape, seed)
        }
        (Ok(_), _) | (Err(_), _) => SavedOperation::Brushes(operation.clone()),
    };
    Some(QueuedOperation {
        operation: aimed.map(|_| operation).map_err(WorldError::from),
        saved,
        centre,
        radius,
        reach: radius * 2.0 + 0.5,
        mouth: from + (to - from) * (hit.fraction * 0.999),
        normal: hit.normal,
        material: exposed,
        cause: Cause::Tool,
    })
}

/// The operation of the next [`tool`], for a preview: with the right brushes, whatever their material. None where there is
/// no face within reach.
fn aimed(sim: &Sim, fill: bool, tool: &Tool) -> Option<Result<Operation, WorldError>> {
    let [from, to] = tool_ray(sim, tool)?;
    let stats = &mut QueryStats::default();
    let hit = sim.world.cast_ray(from, to, stats)?;
    if is_behind_mover(sim, [from, to], Some(&hit), stats) {
        return None;
    }
    let seed = blast_seed(tool, &mut sim.rng.clone());
    let op = if fill { Op::Fill } else { Op::Carve };
    let aim = aim(fill, tool, &hit, seed, material_of_face(&sim.world, &hit));
    Some(aim.map_err(WorldError::from).map(|aim| Operation {
        op,
        brushes: aim.brushes,
    }))
}

/// The seed of a tool's blast; other shapes draw no random number.
fn blast_seed(tool: &Tool, rng: &mut Rng) -> u64 {
    match tool.shape.blast() {
        Some(_) => rng.next_u64(),
        None => 0,
    }
}

/// The brushes of a tool at a face.
struct Aim {
    brushes: Vec<BrushDesc>,
    /// Centre of a blast, grid steps.
    centre: I64Vec3,
    /// Radius of a blast, metres.
    radius: f64,
}

impl Aim {
    /// A sphere around the brushes: centre and radius, metres.
    fn sphere(&self) -> (DVec3, f64) {
        let sides = self.brushes.iter().flat_map(|brush| &brush.sides);
        let points = sides.flat_map(|side| side.points.map(|p| p.as_dvec3() / GRID));
        let Some(bounds) = Aabb::from_points(points) else {
            return (self.centre.as_dvec3() / GRID, self.radius);
        };
        (bounds.centre(), (bounds.max - bounds.min).length() * 0.5)
    }
}

/// Places the shape: a carve goes into the face, a fill comes out of it, and both reach a little past it.
fn aim(
    fill: bool,
    tool: &Tool,
    hit: &CastHit,
    seed: u64,
    material: MaterialId,
) -> Result<Aim, ShapeError> {
    let [least, most] = shape::SIZE_M;
    let size = tool.size.clamp(least, most);
    let depth = tool.depth.clamp(least, most);
    let inwards = if fill { hit.normal } else { -hit.normal };
    let placement = Placement {
        at: hit.point,
        axes: shape::axes(inwards, tool.rotation)?,
        size,
        depth,
    };
    let (centre, radius) = (
        blast_centre(hit.point + inwards * (size * 0.5 * BLAST_DEPTH)),
        size * 0.5,
    );
    let aim = |brushes: Vec<BrushDesc>| Aim {
        brushes,
        centre,
        radius,
    };
    let solid = |shape: Shape| Ok(aim(vec![shape::brush(shape, &placement, material)?]));
    let blast = |shape: BlastShape| {
        let brushes = blast::blast(centre, radius, shape, seed, material);
        match brushes.is_empty() {
            true => Err(ShapeError::BeyondGrid),
            false => Ok(aim(brushes)),
        }
    };
    match tool.shape {
        ToolShape::Box => solid(Shape::Box),
        ToolShape::Ball => solid(Shape::Ball),
        ToolShape::Cylinder => solid(Shape::Cylinder),
        ToolShape::Cone => solid(Shape::Cone),
        ToolShape::Wedge => solid(Shape::Wedge),
        ToolShape::Slab => solid(Shape::Slab),
        ToolShape::Hull => {
            if tool.points.len() > shape::MOST_POINTS {
                return Err(ShapeError::TooManyPoints(tool.points.len()));
            }
            let points = tool.points.iter().map(|p| shape::point(DVec3::from(*p)));
            let points = points.collect::<Result<Vec<_>, _>>()?;
            Ok(aim(vec![shape::hull(&points, material)?]))
        }
        ToolShape::Rock => blast(BlastShape::Rock),
        ToolShape::Concrete => blast(BlastShape::Concrete),
        ToolShape::Metal => blast(BlastShape::Metal),
    }
}

impl Sim {
    /// What a tool would do at the crosshair now; None where there is no face within reach. Leaves the state as it is;
    /// [`WorldError::Busy`] while a change is under way.
    pub fn preview(&mut self, fill: bool, tool: &Tool) -> Option<Result<Preview, WorldError>> {
        let operation = aimed(self, fill, tool)?;
        Some(operation.and_then(|operation| self.world.preview(&operation)))
    }
}
