//! Carves and fills: what a hit turns into (blasts, bores; `tools`), the queue that carries it out in slices, and what bodies
//! feel of it once the world has committed it (`aftermath`).
use super::meet::Meeting;
use super::player;
use super::state::{CarveEvent, CarvedBy, Explosion, StepReport};
use super::{Player, Sim, history};
use crate::carve::blast::{self, BlastShape};
use crate::carve::shape::{self, Placement, Shape, ShapeError};
use crate::collide::{Layer, closest_point_segment};
use crate::debris::{Ball, Body, Chunk, clearance, fracture};
use crate::geom::hash::Hash64;
use crate::geom::{Aabb, Segment};
use crate::level::{self, SavedOperation};
use crate::timing::{Marker, Stage};
use crate::world::{
    BrushDesc, CarveReport, CastHit, GRID, Material, MaterialId, Op, Operation, WorkBudget, World,
    WorldError,
};
use glam::{DVec3, I64Vec3};
use std::sync::Arc;

mod aftermath;
mod tools;

pub use tools::tool_ray;
pub(super) use tools::{aimed, tool};

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
/// A bore is a row of cylinders, none longer than this, metres.
const BORE_PIECE: f64 = 2.0;

/// The blast of a rocket that met `hit`; `mouth` is a point of the air just before it. The face's hardness divides the
/// radius, which is the rocket's own or that of the settings; the explosion itself is as large as ever.
pub(super) fn blast(sim: &mut Sim, hit: &CastHit, mouth: DVec3, radius: Option<f64>) -> Cut {
    let stuff = stuff_of(&sim.world, Some(material_of(&sim.world, hit)));
    detonate(sim, stuff, hit.point, hit.normal, mouth, radius)
}

/// The blast of a rocket that met something in flight: it carves what is within its radius, as if it were the body's
/// stuff; of a chunk, that of the face which was hit.
pub(super) fn blast_in_air(sim: &mut Sim, met: &Meeting, mouth: DVec3, radius: Option<f64>) -> Cut {
    let stuff = stuff_of(&sim.world, material_met(sim, met));
    detonate(sim, stuff, met.point, met.normal, mouth, radius)
}

/// The blast of a charge that goes off where it lies, in front of the nearest face, if one is within its radius.
pub(super) fn blast_at(
    sim: &mut Sim,
    at: DVec3,
    radius: Option<f64>,
    report: &mut StepReport,
) -> Cut {
    let (world, stats) = (&sim.world, &mut report.queries);
    let reach = radius.unwrap_or(sim.settings.blast_radius);
    let near = clearance::nearest_surface(world, at, reach, stats);
    // A little past the face, so that the ray meets it.
    let face = near.and_then(|near| world.cast_ray(at, at + (near.point - at) * 1.001, stats));
    let stuff = stuff_of(world, face.map(|face| material_of(world, &face)));
    let normal = face.map_or(DVec3::Y, |face| face.normal);
    detonate(sim, stuff, at, normal, at, radius)
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
        let home = |p: DVec3| chunk.home_from_world(body.pose(), p);
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
        let home = chunk.home_from_world(body.pose(), at);
        fracture::material_near(chunk, home)
    });
    face.unwrap_or(body.material)
}

fn detonate(
    sim: &mut Sim,
    stuff: Stuff,
    point: DVec3,
    normal: DVec3,
    mouth: DVec3,
    radius: Option<f64>,
) -> Cut {
    let radius = radius.unwrap_or(sim.settings.blast_radius);
    let shape = BlastShape::from_name(&sim.settings.blast_shape).unwrap_or_default();
    let seed = sim.rng.next_u64();
    let material = material_id(sim, stuff.laid_open());
    let hole = radius / stuff.hardness;
    let centre = blast_centre(point - normal * (hole * BLAST_DEPTH));
    let brushes = blast::blast(centre, hole, shape, seed, material);
    Cut {
        operation: match stuff.hardness.is_infinite() {
            true => Err(WorldError::Unbreakable),
            false => carve_of(brushes),
        },
        saved: stuff.saved_blast(centre, hole, shape, seed),
        centre: centre.as_dvec3() / GRID,
        radius,
        reach: radius * aftermath::BLAST_WIND + 0.5,
        mouth,
        normal,
        material,
        explodes: true,
        bore: None,
    }
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
    units: &mut WorkBudget,
    report: &mut StepReport,
    marker: &mut dyn Marker,
) {
    while let Some(cut) = sim.cuts.front() {
        if cut.buries(&sim.player) {
            report.misses.push(STANDS_THERE);
            take_back(sim, 0, report, marker);
            continue;
        }
        let done = match &cut.operation {
            Err(why) => Some(Err(why.clone())),
            Ok(operation) => {
                // It waits for a tick that can take it on.
                if sim.world.part_done().is_none() && !units.try_spend(operation.units()) {
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
        let Some(result) = done else { return };
        let cut = sim.cuts.pop_front().expect("it is the first");
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
    let cut = sim.cuts.remove(place).expect("it is in the queue");
    if place == 0 && sim.world.part_done().is_some() {
        marker.begin(Stage::Carve);
        sim.world.abandon();
        marker.end(Stage::Carve);
    }
    report.carves.push(CarveEvent {
        by: cut.by(),
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
            false => history::record(
                sim,
                delta,
                aftermath::reached(cut, carved),
                cut.saved.clone(),
            ),
        };
        marker.begin(Stage::Debris);
        aftermath::disturb(sim, cut, carved, number, report);
        marker.end(Stage::Debris);
    }
    report.carves.push(CarveEvent {
        by: cut.by(),
        position: cut.centre,
        radius: cut.radius,
        result,
    });
}

impl Cut {
    fn by(&self) -> CarvedBy {
        match &self.saved {
            _ if self.explodes => CarvedBy::Blast,
            _ if self.bore.is_some() => CarvedBy::Drill,
            SavedOperation::Brushes(operation) if operation.op == Op::Fill => CarvedBy::Fill,
            _ => CarvedBy::Carve,
        }
    }

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

/// What the face shows that was hit just now.
pub(super) fn material_of(world: &World, hit: &CastHit) -> MaterialId {
    let room = world.room(hit.room);
    let triangle = &room.mesh.triangles[hit.triangle as usize];
    room.faces[triangle.face as usize].material
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

    fn saved_blast(
        &self,
        centre: I64Vec3,
        radius: f64,
        shape: BlastShape,
        seed: u64,
    ) -> SavedOperation {
        SavedOperation::Blast {
            centre,
            radius,
            shape: shape.name().into(),
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
