//! What the Carve and Fill tools make of the face that they are aimed at.
use super::{
    BLAST_DEPTH, Cut, STANDS_THERE, blast_centre, buries, material_id, material_of, stuff_of,
};
use crate::bvh::QueryStats;
use crate::carve::blast;
use crate::carve::shape::{self, Placement, Shape, ShapeError};
use crate::geom::Aabb;
use crate::level::SavedOperation;
use crate::sim::{Sim, StepReport, Tool, ToolShape};
use crate::world::{BrushDesc, CastHit, GRID, MaterialId, Op, Operation, WorkBudget, WorldError};
use glam::{DVec3, I64Vec3};

/// Units of work for a point of a hull that a tool makes.
const HULL_POINT: u64 = 8;
/// How far a tool reaches, metres.
const TOOL_REACH: f64 = 100.0;

/// From where to where a tool looks for its face: where it was aimed, or along the crosshair. None from within rock.
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
    units: &mut WorkBudget,
    report: &mut StepReport,
) -> Option<Cut> {
    if tool.shape == ToolShape::Hull {
        units.spend(tool.points.len() as u64 * HULL_POINT);
    }
    let Some([from, to]) = tool_ray(sim, tool) else {
        report
            .misses
            .push("tools need the camera to be in air, but it is inside rock");
        return None;
    };
    let hit = sim.world.cast_ray(from, to, &mut report.queries);
    sim.remember(from, to, 0.0, hit);
    let Some(hit) = hit else {
        report.misses.push("no face within 100 m");
        return None;
    };
    let seed = tool.shape.blast().map_or(0, |_| sim.rng.next_u64());
    let stuff = stuff_of(&sim.world, Some(material_of(&sim.world, &hit)));
    let inner = material_id(sim, stuff.laid_open());
    // A fill is painted like the face; it can be broken even where the face cannot.
    let material = match fill {
        true => material_id(sim, stuff.filled_in()),
        false => inner,
    };
    let aimed = aim(fill, tool, &hit, seed, material);
    if fill
        && let Ok(aimed) = &aimed
        && aimed.brushes.iter().any(|b| buries(b, &sim.player))
    {
        report.misses.push(STANDS_THERE);
        return None;
    }
    let (centre, radius) = match &aimed {
        Ok(aimed) => aimed.ball(),
        Err(_) => (hit.point, 0.0),
    };
    let op = if fill { Op::Fill } else { Op::Carve };
    let brushes = aimed.as_ref().map_or(Vec::new(), |a| a.brushes.clone());
    let operation = Operation { op, brushes };
    let saved = match (&aimed, tool.shape.blast()) {
        (Ok(aimed), Some(shape)) if !fill => {
            stuff.saved_blast(aimed.centre, aimed.radius, shape, seed)
        }
        _ => SavedOperation::Brushes(operation.clone()),
    };
    Some(Cut {
        operation: aimed.map(|_| operation).map_err(WorldError::from),
        saved,
        centre,
        radius,
        reach: radius * 2.0 + 0.5,
        mouth: from + (to - from) * (hit.fraction * 0.999),
        normal: hit.normal,
        material: inner,
        explodes: false,
        bore: None,
    })
}

/// What a tool would do at the crosshair now, for a look at it beforehand: the brushes of the next [`tool`], whatever
/// material they show. None where there is no face within reach.
pub(in crate::sim) fn aimed(
    sim: &Sim,
    fill: bool,
    tool: &Tool,
) -> Option<Result<Operation, WorldError>> {
    let [from, to] = tool_ray(sim, tool)?;
    let hit = sim.world.cast_ray(from, to, &mut QueryStats::default())?;
    let seed = tool.shape.blast().map_or(0, |_| sim.rng.clone().next_u64());
    let op = if fill { Op::Fill } else { Op::Carve };
    let aim = aim(fill, tool, &hit, seed, material_of(&sim.world, &hit));
    Some(aim.map_err(WorldError::from).map(|aim| Operation {
        op,
        brushes: aim.brushes,
    }))
}

/// The brushes of a tool at a face.
struct Aim {
    brushes: Vec<BrushDesc>,
    /// Of a blast: grid steps.
    centre: I64Vec3,
    /// Of a blast: metres.
    radius: f64,
}

impl Aim {
    /// A ball around the brushes: middle and radius, metres.
    fn ball(&self) -> (DVec3, f64) {
        let sides = self.brushes.iter().flat_map(|brush| &brush.sides);
        let points = sides.flat_map(|side| side.points.map(|p| p.as_dvec3() / GRID));
        let Some(bounds) = Aabb::from_points(points) else {
            return (self.centre.as_dvec3() / GRID, self.radius);
        };
        (bounds.centre(), (bounds.max - bounds.min).length() * 0.5)
    }
}

/// A carve goes into the face, a fill out of it; both stand a little on its other side.
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
    let shape = match tool.shape {
        ToolShape::Box => Shape::Box,
        ToolShape::Ball => Shape::Ball,
        ToolShape::Cylinder => Shape::Cylinder,
        ToolShape::Cone => Shape::Cone,
        ToolShape::Wedge => Shape::Wedge,
        ToolShape::Slab => Shape::Slab,
        ToolShape::Hull => {
            if tool.points.len() > shape::MOST_POINTS {
                return Err(ShapeError::TooManyPoints(tool.points.len()));
            }
            let points = tool.points.iter().map(|p| shape::point(DVec3::from(*p)));
            let points = points.collect::<Result<Vec<_>, _>>()?;
            let brushes = vec![shape::hull(&points, material)?];
            return Ok(Aim {
                brushes,
                centre,
                radius,
            });
        }
        ToolShape::Rock | ToolShape::Concrete | ToolShape::Metal => {
            let look = tool.shape.blast().expect("these are blasts");
            let brushes = blast::blast(centre, radius, look, seed, material);
            if brushes.is_empty() {
                return Err(ShapeError::BeyondGrid);
            }
            return Ok(Aim {
                brushes,
                centre,
                radius,
            });
        }
    };
    Ok(Aim {
        brushes: vec![shape::brush(shape, &placement, material)?],
        centre,
        radius,
    })
}
