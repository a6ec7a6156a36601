//! Carves and fills: what a hit turns into, and what follows when the world has committed it.
use super::player::{FLYER, WALKER};
use super::state::{CarveEvent, Explosion, StepReport};
use super::{Player, Sim, ToolShape};
use crate::carve::blast;
use crate::debris::clearance::push_out;
use crate::debris::{sleep, spawn};
use crate::geom::Aabb;
use crate::level::{self, SavedOperation};
use crate::timing::{Marker, Stage};
use crate::world::{
    BrushDesc, CarveReport, CastHit, GRID, MaterialId, Op, Operation, World, WorldError,
};
use glam::{DVec3, I64Vec3};

/// A change of the world that waits for its phase.
pub(super) struct Cut {
    operation: Operation,
    saved: SavedOperation,
    /// Middle of the change, metres.
    centre: DVec3,
    /// Metres.
    radius: f64,
    /// How far from the middle bodies wake, metres.
    reach: f64,
    /// A point of the air before it, and the wall's normal: crumbs fly from here.
    mouth: DVec3,
    normal: DVec3,
    /// What the crumbs are made of.
    material: MaterialId,
    /// A rocket, not a tool.
    explodes: bool,
}

/// How far into the wall a blast's centre lies, as a part of its radius.
const BLAST_DEPTH: f64 = 0.1;
/// Blast centres lie on multiples of this many grid steps, 1/1024 m, as the level file writes them.
const CENTRE_STEP: i64 = 16;
/// How far a tool reaches, metres.
const TOOL_REACH: f64 = 100.0;
/// Limits of a tool's size and depth, metres.
const TOOL_SIZE: [f64; 2] = [0.01, 40.0];
/// Bodies within this many radii feel a blast.
const BLAST_WIND: f64 = 2.5;

/// The blast of a rocket that met `hit`; `mouth` is a point of the air just before it.
pub(super) fn blast(sim: &mut Sim, hit: &CastHit, mouth: DVec3) -> Cut {
    let radius = sim.settings.blast_radius;
    let shape = sim.settings.blast_shape.clone();
    let seed = sim.rng.next_u64();
    let texture = texture_of(&sim.world, hit);
    let material = inner_material(sim, &texture);
    let centre = (hit.point - hit.normal * (radius * BLAST_DEPTH)) * (GRID / CENTRE_STEP as f64);
    let centre = centre.round().as_i64vec3() * CENTRE_STEP;
    let brushes = blast::blast(centre, radius, &shape, seed, material);
    Cut {
        operation: Operation {
            op: Op::Carve,
            brushes,
        },
        saved: SavedOperation::Blast {
            centre,
            radius,
            shape,
            seed,
            material: texture,
        },
        centre: centre.as_dvec3() / GRID,
        radius,
        reach: radius * BLAST_WIND + 0.5,
        mouth,
        normal: hit.normal,
        material,
        explodes: true,
    }
}

/// The box or ball of a tool at the face under the crosshair; None where there is no face within reach.
pub(super) fn tool(
    sim: &mut Sim,
    fill: bool,
    shape: ToolShape,
    size: f64,
    depth: f64,
    report: &mut StepReport,
) -> Option<Cut> {
    let size = size.clamp(TOOL_SIZE[0], TOOL_SIZE[1]);
    let depth = depth.clamp(TOOL_SIZE[0], TOOL_SIZE[1]);
    let from = sim.player.eye;
    sim.world.locate(from)?;
    let to = from + sim.look_dir() * TOOL_REACH;
    let hit = sim.world.cast_ray(from, to, &mut report.queries);
    sim.remember(from, to, 0.0, hit);
    let Some(hit) = hit else {
        report
            .notices
            .push("no face within 100 m under the crosshair".into());
        return None;
    };
    let texture = texture_of(&sim.world, &hit);
    let inner = inner_material(sim, &texture);
    // A fill is the same brush on the other side of the face, painted like the face.
    let (inwards, material) = match fill {
        true => (hit.normal, material_of(&sim.world, &hit).unwrap_or(inner)),
        false => (-hit.normal, inner),
    };
    let (brush, middle) = match shape {
        ToolShape::Box => (
            blast::box_brush(hit.point, -inwards, size, depth, material),
            depth * 0.5,
        ),
        ToolShape::Ball => {
            // The ball reaches `depth` deep and always meets the face.
            let middle = depth.min(size) - size * 0.5;
            (
                blast::ball_brush(hit.point + inwards * middle, size, material),
                middle,
            )
        }
    };
    let op = if fill { Op::Fill } else { Op::Carve };
    let operation = Operation {
        op,
        brushes: brush.into_iter().collect(),
    };
    if fill
        && operation
            .brushes
            .iter()
            .any(|brush| buries(brush, &sim.player))
    {
        report
            .notices
            .push("the player stands where the fill would be".into());
        return None;
    }
    Some(Cut {
        saved: SavedOperation::Brushes(operation.clone()),
        operation,
        centre: hit.point + inwards * middle,
        radius: size * 0.5,
        reach: size + depth + 0.5,
        mouth: from + (to - from) * (hit.fraction * 0.999),
        normal: hit.normal,
        material: inner,
        explodes: false,
    })
}

/// Applies a change and lets everything that moves feel it.
pub(super) fn commit(sim: &mut Sim, cut: Cut, report: &mut StepReport, marker: &mut dyn Marker) {
    marker.begin(Stage::Carve);
    let result = match cut.operation.brushes.is_empty() {
        true => Err(WorldError::EmptyBrush),
        false => sim.world.apply(&cut.operation, marker),
    };
    marker.end(Stage::Carve);
    if cut.explodes {
        sim.explosions.push(Explosion {
            position: cut.mouth,
            radius: cut.radius,
            tick: sim.tick,
        });
    }
    if let Ok(carved) = &result {
        sim.level.since.push(cut.saved.clone());
        marker.begin(Stage::Debris);
        disturb(sim, &cut, carved, report);
        marker.end(Stage::Debris);
    }
    report.carves.push(CarveEvent {
        position: cut.centre,
        radius: cut.radius,
        result,
    });
}

/// Bodies wake, are blown away, crushed or born.
fn disturb(sim: &mut Sim, cut: &Cut, carved: &CarveReport, report: &mut StepReport) {
    let near = Aabb {
        min: cut.centre - DVec3::splat(cut.reach),
        max: cut.centre + DVec3::splat(cut.reach),
    };
    let touched = |p: DVec3| near.min.cmple(p).all() && p.cmple(near.max).all();
    sleep::wake_in_box(&mut sim.bodies, &near);
    for island in &carved.islands {
        let margin = DVec3::splat(0.1);
        sleep::wake_in_box(
            &mut sim.bodies,
            &Aabb {
                min: island.bounds.min - margin,
                max: island.bounds.max + margin,
            },
        );
    }
    if cut.operation.op == Op::Fill {
        let world = &sim.world;
        sim.bodies
            .retain(|body| !touched(body.position) || world.locate(body.position).is_some());
        for body in sim.bodies.iter_mut().filter(|body| touched(body.position)) {
            body.position = push_out(world, body.position, body.radius, &mut report.queries);
        }
    }
    if cut.explodes {
        blow(sim, cut);
    }
    if sim.settings.debris {
        report.spawned += throw(sim, cut, carved, report);
        sleep::retire(&mut sim.bodies, sim.settings.max_bodies as usize);
    }
}

/// The blast pushes what lies about, the nearer the harder.
fn blow(sim: &mut Sim, cut: &Cut) {
    let reach = cut.radius * BLAST_WIND;
    for body in &mut sim.bodies {
        let away = body.position - cut.centre;
        let distance = away.length();
        if 0.0 < distance && distance < reach {
            body.wake();
            body.velocity += away * (6.0 * (1.0 - distance / reach) / distance);
        }
    }
}

/// Crumbs of the hole and of the pieces that were cut free.
fn throw(sim: &mut Sim, cut: &Cut, carved: &CarveReport, report: &mut StepReport) -> u32 {
    let (world, rng, stats) = (&sim.world, &mut sim.rng, &mut report.queries);
    let burst = spawn::Burst {
        from: cut.mouth,
        normal: cut.normal,
        radius: cut.radius,
        volume_m3: carved.volume_m3,
        material: cut.material,
    };
    let mut spawned = spawn::burst(&mut sim.bodies, world, rng, &burst, stats);
    for island in &carved.islands {
        spawned += spawn::crumble(&mut sim.bodies, world, rng, island, stats);
    }
    spawned
}

/// Whether a brush reaches into the player's body. Near its corners it may say yes too early, never no too late.
fn buries(brush: &BrushDesc, player: &Player) -> bool {
    if player.no_clip {
        return false;
    }
    let (shape, origin) = if player.walking {
        (WALKER, player.feet)
    } else {
        (FLYER, player.eye)
    };
    shape.heights.iter().any(|&height| {
        let centre = origin + DVec3::Y * height;
        brush.sides.iter().all(|side| {
            let [a, b, c] = side.points.map(|p: I64Vec3| p.as_dvec3() / GRID);
            let outwards = (b - a).cross(c - a).normalize_or_zero();
            (centre - a).dot(outwards) < shape.radius
        })
    })
}

fn material_of(world: &World, hit: &CastHit) -> Option<MaterialId> {
    let room = world.room(hit.room);
    let triangle = room.mesh.triangles.get(hit.triangle as usize)?;
    room.faces
        .get(triangle.face as usize)
        .map(|face| face.material)
}

fn texture_of(world: &World, hit: &CastHit) -> String {
    let material = material_of(world, hit).and_then(|id| world.materials.get(id as usize));
    material.map_or_else(|| "rock".into(), |material| material.texture.clone())
}

/// The inside of a texture's stuff as a material of the world; made on first use, as loading the saved level makes it.
fn inner_material(sim: &mut Sim, texture: &str) -> MaterialId {
    let wanted = level::material::inner(texture);
    let materials = &mut sim.world.materials;
    let known = materials.iter().position(|material| *material == wanted);
    let id = known.unwrap_or_else(|| {
        materials.push(wanted);
        materials.len() - 1
    });
    // A save looks materials up in the level.
    let kept = &mut sim.level.world.materials;
    kept.extend(materials.iter().skip(kept.len()).cloned());
    id as MaterialId
}
