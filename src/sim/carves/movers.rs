//! Carving movers: exactly, as chunks are carved. What is left of more than half of a mover goes on moving; other pieces fall.
use super::blasts::blast_centre;
use super::materials::{material_id, substance_of};
use crate::carve::blast::{self, BlastShape};
use crate::debris::{Body, Frame, Kinematic, Remains, Solid, fracture};
use crate::geom::Aabb;
use crate::sim::mover_states::DamagedMover;
use crate::sim::queued_operation::QueuedOperation;
use crate::sim::simulation::Sim;
use crate::sim::tick::TICK_SECS;
use crate::world::{BrushDesc, MaterialId};
use glam::DVec3;
use std::sync::Arc;

/// A mover of which less than this part is left falls.
const FALLS: f64 = 0.5;

/// What a change does to movers.
#[derive(Debug, Default)]
pub(super) struct Damage {
    /// Their shapes from before.
    pub damaged: Vec<DamagedMover>,
    pub loose: Loose,
}

/// What comes off movers.
#[derive(Debug, Default)]
pub(super) struct Loose {
    /// What falls off.
    pub pieces: Vec<Body>,
    /// What was carved out of each mover: the material that it shows there, and cubic metres.
    pub carved: Vec<(MaterialId, f64)>,
}

/// Carves the movers within a blast or on the way of a drill. As on a wall, the hardness of the face divides the radius.
pub(super) fn damage(sim: &mut Sim, done: &QueuedOperation) -> Damage {
    let mut damage = Damage::default();
    if !done.explodes() && done.bore().is_none() {
        return damage;
    }
    let reached: Vec<(usize, Kinematic)> = sim
        .movers
        .solids()
        .filter(|(_, solid)| reaches(done, solid))
        .map(|(index, solid)| (index, solid.clone()))
        .collect();
    let shape = sim.settings.blast_shape;
    for (index, solid) in reached {
        sim.movers.list[index].is_hit = true;
        let mouth = solid.after.to_home(done.mouth);
        let substance = substance_of(&sim.world, solid.solid.material_near(mouth));
        let inner = material_id(sim, substance.exposed());
        let brushes = brushes(sim, done, &solid, (mouth, substance.hardness), shape);
        let Some(left) = brushes.and_then(|brushes| solid.solid.carve(brushes, inner)) else {
            continue;
        };
        let Remains { rest, mut pieces } = left;
        let volume = |rest: &Option<Solid>| rest.as_ref().map_or(0.0, |rest| rest.volume_m3);
        let loose: f64 = pieces.iter().map(|piece| piece.volume_m3).sum();
        let gone = (solid.solid.volume_m3 - loose - volume(&rest)).max(0.0);
        damage.loose.carved.push((inner, gone));
        let mover = &mut sim.movers.list[index];
        damage.damaged.push(DamagedMover {
            index,
            solid: mover.solid.take().and_then(|solid| solid.recipe()),
        });
        match volume(&rest) >= mover.whole_m3 * FALLS {
            true => mover.solid = rest.map(Arc::new),
            false => pieces.extend(rest.and_then(|rest| rest.island())),
        }
        mover.carves += 1;
        let frame = solid.after;
        damage
            .loose
            .pieces
            .extend(pieces.iter().filter_map(|piece| {
                let mut piece = Body::from_island(piece)?;
                place(&mut piece, &frame, &solid);
                Some(piece)
            }));
    }
    if !damage.damaged.is_empty() {
        let level = sim.level.movers.clone();
        sim.movers.refresh(&level);
    }
    damage
}

/// Puts a piece that is still in the home frame where it is in the world, moving as the mover does.
fn place(piece: &mut Body, frame: &Frame, solid: &Kinematic) {
    let velocity = solid.displacement(frame.to_world(piece.position)) / TICK_SECS;
    piece.teleport(frame.to_world(piece.position));
    piece.rotation = (frame.turn * piece.rotation).normalize();
    piece.previous_rotation = piece.rotation;
    piece.velocity = velocity;
}

fn reaches(done: &QueuedOperation, solid: &Kinematic) -> bool {
    let reach = match done.bore() {
        Some(bore) => Aabb::from_corners(bore.from, bore.to()).grow(bore.radius),
        None => Aabb::from_centre(done.mouth, DVec3::splat(done.radius)),
    };
    solid.bounds().overlaps(&reach)
}

/// What a change cuts out of a mover, in its home frame; `mouth` is that of the change, there.
fn brushes(
    sim: &mut Sim,
    done: &QueuedOperation,
    solid: &Kinematic,
    (mouth, hardness): (DVec3, f64),
    shape: BlastShape,
) -> Option<Vec<BrushDesc>> {
    if let Some(bore) = done.bore() {
        return bore.in_frame(&solid.after).brushes(fracture::OPENED).ok();
    }
    let seed = sim.rng.next_u64();
    let hole = done.radius / hardness;
    let centre = blast_centre(mouth);
    (hole > 0.0).then(|| blast::blast(centre, hole, shape, seed, fracture::OPENED))
}
