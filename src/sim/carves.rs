//! Carves and fills: what a hit turns into, and what follows when the world has committed it.
use super::meet::{self, Meeting};
use super::player;
use super::state::{CarveEvent, Explosion, StepReport};
use super::{Player, Sim, Tool, ToolShape, history};
use crate::bvh::QueryStats;
use crate::carve::blast;
use crate::carve::shape::{self, Placement, Shape, ShapeError};
use crate::collide::{Layer, closest_point_segment, overlap_sphere_aabb};
use crate::debris::{Ball, Body, Chunk, chunk, clearance, fracture, retire, sleep, spawn};
use crate::geom::hash::Hash64;
use crate::geom::rng::Rng;
use crate::geom::{Aabb, Segment};
use crate::level::{self, SavedOperation};
use crate::timing::{Marker, Stage};
use crate::world::{
    BrushDesc, CarveReport, CastHit, GRID, Material, MaterialId, Op, Operation, Units, World,
    WorldError,
};
use glam::{DVec3, I64Vec3};
use std::sync::Arc;

/// A change of the world that waits for its turn, or is under way.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// What to do, or why it cannot be done.
    operation: Result<Operation, WorldError>,
    saved: SavedOperation,
    /// Middle of the change, metres.
    pub(super) centre: DVec3,
    /// Metres.
    radius: f64,
    /// How far from the middle bodies wake, metres.
    reach: f64,
    /// A point of the air before it, and the wall's normal: crumbs fly from here.
    mouth: DVec3,
    normal: DVec3,
    /// What the crumbs are made of.
    material: MaterialId,
    /// A blast, not a tool.
    explodes: bool,
    /// A drill's hole.
    bore: Option<Bore>,
}

/// A straight round hole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bore {
    /// Where it begins, metres.
    pub from: DVec3,
    /// Unit.
    pub dir: DVec3,
    /// Metres.
    pub radius: f64,
    /// Metres.
    pub depth: f64,
}

/// How far into the wall a blast's centre lies, as a part of its radius.
const BLAST_DEPTH: f64 = 0.1;
/// Blast centres lie on multiples of this many grid steps, 1/1024 m, as the level file writes them.
const CENTRE_STEP: i64 = 16;
/// Why a fill is refused.
const STANDS_THERE: &str = "the player stands where the fill would be";
/// Units of work for a point of a hull that a tool makes.
const HULL_POINT: u64 = 8;
/// How far a tool reaches, metres.
const TOOL_REACH: f64 = 100.0;
/// A bore is a row of cylinders, none longer than this, metres.
const BORE_PIECE: f64 = 2.0;
/// Bodies within this many radii feel a blast.
const BLAST_WIND: f64 = 2.5;

/// The blast of a rocket that met `hit`; `mouth` is a point of the air just before it. The face's hardness divides the
/// radius; the explosion itself is as large as ever.
pub(super) fn blast(sim: &mut Sim, hit: &CastHit, mouth: DVec3) -> Cut {
    let stuff = stuff_of(&sim.world, material_of(&sim.world, hit));
    detonate(sim, stuff, hit.point, hit.normal, mouth)
}

/// The blast of a rocket that met something in flight: it carves what is within its radius, as if it were the body's
/// stuff; of a chunk, that of the face which was hit.
pub(super) fn blast_in_air(sim: &mut Sim, met: &Meeting, mouth: DVec3) -> Cut {
    let stuff = stuff_of(&sim.world, material_met(sim, met));
    detonate(sim, stuff, met.point, met.normal, mouth)
}

/// The blast of a charge that goes off where it lies, in front of the nearest face, if one is within its radius.
pub(super) fn blast_at(sim: &mut Sim, at: DVec3, report: &mut StepReport) -> Cut {
    let (world, stats) = (&sim.world, &mut report.queries);
    let near = clearance::nearest_surface(world, at, sim.settings.blast_radius, stats);
    // A little past the face, so that the ray meets it.
    let face = near.and_then(|near| world.cast_ray(at, at + (near.point - at) * 1.001, stats));
    let stuff = stuff_of(world, face.and_then(|face| material_of(world, &face)));
    let normal = face.map_or(DVec3::Y, |face| face.normal);
    detonate(sim, stuff, at, normal, at)
}

/// What a drill of the settings makes of a face or a body that it meets at `point`; `mouth` is in the air before it.
pub(super) fn bore(sim: &mut Sim, material: Option<MaterialId>, bore: Bore, mouth: DVec3) -> Cut {
    let stuff = stuff_of(&sim.world, material);
    let inner = material_id(sim, stuff.laid_open());
    let depth = bore.depth / stuff.hardness;
    let bore = Bore { depth, ..bore };
    let brushes = bore.brushes(inner).map_err(WorldError::from);
    let op = Op::Carve;
    let saved = Operation {
        op,
        brushes: brushes.clone().unwrap_or_default(),
    };
    Cut {
        operation: match stuff.hardness.is_infinite() {
            true => Err(WorldError::Unbreakable),
            false => brushes.map(|brushes| Operation { op, brushes }),
        },
        saved: SavedOperation::Brushes(saved),
        centre: mouth,
        radius: bore.radius,
        reach: bore.radius,
        mouth,
        normal: -bore.dir,
        material: inner,
        explodes: false,
        bore: Some(bore),
    }
}

impl Bore {
    /// Where it ends, metres.
    pub(super) fn to(&self) -> DVec3 {
        self.from + self.dir * self.depth
    }

    /// A row of cylinders that overlap a little, so that nothing is left between them.
    fn brushes(&self, material: MaterialId) -> Result<Vec<BrushDesc>, ShapeError> {
        let pieces = (self.depth / BORE_PIECE).ceil().clamp(1.0, 64.0);
        let depth = (self.depth / pieces).max(shape::SIZE_M[0]);
        let axes = shape::axes(self.dir, [0.0; 3])?;
        let piece = |i: u32| {
            let placement = Placement {
                at: self.from + self.dir * (depth * f64::from(i)),
                axes,
                size: self.radius * 2.0,
                depth,
            };
            shape::brush(Shape::Cylinder, &placement, material)
        };
        (0..pieces as u32).map(piece).collect()
    }

    /// The same in the frame of a chunk's faces.
    fn seen_from(&self, body: &Body, chunk: &Chunk) -> Bore {
        let home = |p: DVec3| fracture::home_from_world(body, chunk, p);
        Bore {
            from: home(self.from),
            dir: home(self.from + self.dir) - home(self.from),
            ..*self
        }
    }

    /// Whether it comes within its radius of a ball.
    fn reaches(&self, ball: Ball) -> bool {
        let axis = Segment {
            from: self.from,
            to: self.to(),
        };
        let (nearest, _) = closest_point_segment(ball.centre, &axis);
        nearest.distance(ball.centre) < ball.radius + self.radius
    }
}

/// The stuff of what was met in flight.
pub(super) fn material_met(sim: &Sim, met: &Meeting) -> Option<MaterialId> {
    let is_body = matches!(met.thing.layer, Layer::Debris | Layer::Chunk);
    let body = sim.bodies.get(met.thing.index).filter(|_| is_body)?;
    Some(stuff_at(body, met.point))
}

/// What a body is made of at a place of its surface.
fn stuff_at(body: &Body, at: DVec3) -> MaterialId {
    let face = body.chunk.as_ref().and_then(|chunk| {
        let home = fracture::home_from_world(body, chunk, at);
        fracture::material_near(chunk, home)
    });
    face.unwrap_or(body.material)
}

fn detonate(sim: &mut Sim, stuff: Stuff, point: DVec3, normal: DVec3, mouth: DVec3) -> Cut {
    let radius = sim.settings.blast_radius;
    let shape = sim.settings.blast_shape.clone();
    let seed = sim.rng.next_u64();
    let material = material_id(sim, stuff.laid_open());
    let hole = radius / stuff.hardness;
    let centre = blast_centre(point - normal * (hole * BLAST_DEPTH));
    let brushes = blast::blast(centre, hole, &shape, seed, material);
    Cut {
        operation: match stuff.hardness.is_infinite() {
            true => Err(WorldError::Unbreakable),
            false => carve_of(brushes),
        },
        saved: stuff.saved_blast(centre, hole, &shape, seed),
        centre: centre.as_dvec3() / GRID,
        radius,
        reach: radius * BLAST_WIND + 0.5,
        mouth,
        normal,
        material,
        explodes: true,
        bore: None,
    }
}

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
pub(super) fn tool(
    sim: &mut Sim,
    fill: bool,
    tool: &Tool,
    units: &mut Units,
    report: &mut StepReport,
) -> Option<Cut> {
    if tool.shape == ToolShape::Hull {
        units.spend(tool.points.len() as u64 * HULL_POINT);
    }
    let [from, to] = tool_ray(sim, tool)?;
    let hit = sim.world.cast_ray(from, to, &mut report.queries);
    sim.remember(from, to, 0.0, hit);
    let Some(hit) = hit else {
        report
            .notices
            .push("no face within 100 m under the crosshair".into());
        return None;
    };
    let seed = tool.shape.blast().map_or(0, |_| sim.rng.next_u64());
    let stuff = stuff_of(&sim.world, material_of(&sim.world, &hit));
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
        report.notices.push(STANDS_THERE.into());
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
pub(super) fn aimed(sim: &Sim, fill: bool, tool: &Tool) -> Option<Result<Operation, WorldError>> {
    let [from, to] = tool_ray(sim, tool)?;
    let hit = sim.world.cast_ray(from, to, &mut QueryStats::default())?;
    let seed = tool.shape.blast().map_or(0, |_| sim.rng.clone().next_u64());
    let op = if fill { Op::Fill } else { Op::Carve };
    let aim = aim(fill, tool, &hit, seed, material_of(&sim.world, &hit)?);
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
            let look = tool.shape.blast().unwrap_or_default();
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

fn blast_centre(p: DVec3) -> I64Vec3 {
    (p * (GRID / CENTRE_STEP as f64)).round().as_i64vec3() * CENTRE_STEP
}

/// A blast without brushes has a corner beyond the grid.
fn carve_of(brushes: Vec<BrushDesc>) -> Result<Operation, WorldError> {
    match brushes.is_empty() {
        true => Err(WorldError::BeyondGrid),
        false => Ok(Operation {
            op: Op::Carve,
            brushes,
        }),
    }
}

/// Goes on with the changes in the queue, one after the other in the order in which they came, as long as the tick's
/// units of work last. What is not done then goes on in the next tick; until it is done the world is as before.
pub(super) fn go_on(
    sim: &mut Sim,
    units: &mut Units,
    report: &mut StepReport,
    marker: &mut dyn Marker,
) {
    while let Some(cut) = sim.cuts.front() {
        if cut.buries(&sim.player) {
            report.notices.push(STANDS_THERE.into());
            take_back(sim, 0, report, marker);
            continue;
        }
        let done = match &cut.operation {
            Err(why) => Some(Err(why.clone())),
            Ok(operation) => {
                // It waits for a tick that can take it on.
                if sim.world.part_done().is_none() && !units.take(operation.units()) {
                    return;
                }
                marker.begin(Stage::Carve);
                let begun = match sim.world.part_done() {
                    Some(_) => Ok(()),
                    None => sim.world.begin(operation),
                };
                let done = match begun {
                    Err(why) => Some(Err(why)),
                    Ok(()) => sim.world.advance(units, marker),
                };
                match done {
                    Some(_) => marker.end(Stage::Carve),
                    None => marker.pause(Stage::Carve),
                }
                done
            }
        };
        let Some((result, cut)) = done.and_then(|done| Some((done, sim.cuts.pop_front()?))) else {
            return;
        };
        done_with(sim, &cut, result, report, marker);
    }
}

/// Takes a change out of the queue, by its place; what of it is done already is undone.
pub(super) fn take_back(
    sim: &mut Sim,
    place: usize,
    report: &mut StepReport,
    marker: &mut dyn Marker,
) {
    let Some(cut) = sim.cuts.remove(place) else {
        return;
    };
    if place == 0 && sim.world.part_done().is_some() {
        marker.begin(Stage::Carve);
        sim.world.abandon();
        marker.end(Stage::Carve);
    }
    report.carves.push(CarveEvent {
        position: cut.centre,
        radius: cut.radius,
        result: Err(WorldError::Dropped),
    });
}

/// Everything that moves feels a change that the world has committed.
fn done_with(
    sim: &mut Sim,
    cut: &Cut,
    mut result: Result<CarveReport, WorldError>,
    report: &mut StepReport,
    marker: &mut dyn Marker,
) {
    if cut.explodes {
        sim.explosions.push(Explosion {
            position: cut.mouth,
            radius: cut.radius,
            tick: sim.tick,
            revision: sim.world.revision(),
            material: result.as_ref().ok().and_then(|carved| carved.material),
        });
    }
    if let Ok(carved) = &mut result {
        let delta = std::mem::take(&mut carved.delta);
        let number = match delta.is_empty() {
            true => 0,
            false => history::record(sim, delta, reached(cut, carved), cut.saved.clone()),
        };
        marker.begin(Stage::Debris);
        disturb(sim, cut, carved, number, report);
        marker.end(Stage::Debris);
    }
    report.carves.push(CarveEvent {
        position: cut.centre,
        radius: cut.radius,
        result,
    });
}

impl Cut {
    /// Whether it is a fill where the player stands now.
    fn buries(&self, player: &Player) -> bool {
        let fill = self.operation.as_ref().ok().filter(|o| o.op == Op::Fill);
        fill.is_some_and(|o| o.brushes.iter().any(|b| buries(b, player)))
    }

    /// Where bodies feel it.
    fn near(&self) -> Aabb {
        match &self.bore {
            Some(bore) => {
                let grown = |p: DVec3| Aabb::from_centre(p, DVec3::splat(bore.radius + 0.05));
                grown(bore.from).union(&grown(bore.to()))
            }
            None => Aabb::from_centre(self.centre, DVec3::splat(self.reach)),
        }
    }

    /// What the next ticks depend on.
    pub(super) fn hash(&self, hash: &mut Hash64) {
        for v in [self.centre, self.mouth, self.normal] {
            hash.vec3(v);
        }
        hash.f64(self.radius);
        hash.f64(self.reach);
        hash.u64(u64::from(self.explodes) << 32 | u64::from(self.material));
        if let Some(bore) = &self.bore {
            hash.vec3(bore.from);
            hash.vec3(bore.to());
        }
        let sides = self.operation.iter().flat_map(|o| &o.brushes);
        for point in sides.flat_map(|b| &b.sides).flat_map(|s| s.points) {
            hash.vec3(point.as_dvec3());
        }
    }
}

/// Where bodies feel a change: near it, and where pieces fell.
fn reached(cut: &Cut, carved: &CarveReport) -> Aabb {
    let islands = carved.islands.iter().map(|island| island.bounds.grow(0.1));
    islands.fold(cut.near(), |all, one| all.union(&one))
}

/// Bodies wake, are blown away, crushed or born.
fn disturb(sim: &mut Sim, cut: &Cut, carved: &CarveReport, number: u64, report: &mut StepReport) {
    let near = cut.near();
    let is_fill = cut.operation.as_ref().is_ok_and(|o| o.op == Op::Fill);
    let viewer = sim.viewer();
    let (world, rng, stats) = (&sim.world, &mut sim.rng, &mut report.queries);
    let settings = &sim.settings;
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
            (broken, pieces) = shatter(bodies, world, cut, &settings.blast_shape, rng);
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
    look: &str,
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
        let mouth = fracture::home_from_world(body, shape, cut.mouth);
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
        match chunk::body_of(island) {
            Some(body) => {
                bodies.push(body);
                spawned += 1;
            }
            None => spawned += spawn::crumble(bodies, world, rng, island, stats),
        }
    }
    spawned
}

/// Whether a brush reaches into the player's body. Near its corners it may say yes too early, never no too late.
fn buries(brush: &BrushDesc, player: &Player) -> bool {
    if player.no_clip {
        return false;
    }
    let (shape, origin) = player::body(player);
    shape.heights.iter().any(|&height| {
        let centre = origin + DVec3::Y * height;
        brush.sides.iter().all(|side| {
            let [a, b, c] = side.points.map(|p: I64Vec3| p.as_dvec3() / GRID);
            let outwards = (b - a).cross(c - a).normalize_or_zero();
            (centre - a).dot(outwards) < shape.radius
        })
    })
}

pub(super) fn material_of(world: &World, hit: &CastHit) -> Option<MaterialId> {
    let room = world.room(hit.room);
    let triangle = room.mesh.triangles.get(hit.triangle as usize)?;
    room.faces
        .get(triangle.face as usize)
        .map(|face| face.material)
}

/// What a face is made of.
struct Stuff {
    /// The face's own.
    painted: Option<Material>,
    texture: String,
    hardness: f64,
}

impl Stuff {
    /// What a carve lays open here, as loading the saved level makes it.
    fn laid_open(&self) -> Material {
        Material {
            hardness: self.breakable(),
            ..level::material::inner(&self.texture)
        }
    }

    /// What a fill here is made of.
    fn filled_in(&self) -> Material {
        let painted = self.painted.clone();
        Material {
            hardness: self.breakable(),
            ..painted.unwrap_or_else(|| level::material::inner(&self.texture))
        }
    }

    /// Nothing becomes unbreakable in play: only the level's own brushes are.
    fn breakable(&self) -> f64 {
        if self.hardness.is_finite() {
            self.hardness
        } else {
            1.0
        }
    }

    fn saved_blast(&self, centre: I64Vec3, radius: f64, shape: &str, seed: u64) -> SavedOperation {
        SavedOperation::Blast {
            centre,
            radius,
            shape: shape.into(),
            seed,
            material: self.texture.clone(),
            hardness: self.breakable(),
        }
    }
}

fn stuff_of(world: &World, material: Option<MaterialId>) -> Stuff {
    let material = material.and_then(|id| world.materials.get(id as usize));
    Stuff {
        texture: material.map_or_else(|| "rock".into(), |m| m.texture.clone()),
        hardness: material.map_or(1.0, |m| m.hardness),
        painted: material.cloned(),
    }
}

/// A material of the world; made on first use.
fn material_id(sim: &mut Sim, wanted: Material) -> MaterialId {
    let materials = &mut sim.world.materials;
    let known = materials.iter().position(|material| *material == wanted);
    let id = known.unwrap_or_else(|| {
        let materials = Arc::make_mut(materials);
        materials.push(wanted);
        materials.len() - 1
    });
    // A save looks materials up in the level.
    let kept = sim.level.world.materials.len();
    if kept < materials.len() {
        let new = materials.iter().skip(kept).cloned();
        sim.level.world.materials.extend(new);
    }
    id as MaterialId
}
