//! Bodies and chunks, interpolated between two ticks.
use super::snapshot::{BodyShape, BodyView, ChunkView, Rest};
use super::visibility_cache::VisibilityCache;
use super::visible_set::VisibleSet;
use crate::debris::retire::FADE_TICKS;
use crate::debris::{self, Body, Kinematic};
use crate::sim::{Drilled, Grenade, Sim, TICK_SECS};
use crate::world::Revision;
use glam::{DQuat, DVec3};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// Radius of a drawn rocket, metres.
const ROCKET_RADIUS_M: f64 = 0.09;
/// Radius of a drawn grenade, metres.
pub(super) const GRENADE_RADIUS_M: f64 = 0.075;
/// A drill's bit is visible for this long, seconds.
pub(super) const DRILL_SECS: f64 = 0.3;

/// Visible bodies: crumbs and iron balls, then rockets, grenades, and the bits of drills at work.
pub(super) fn bodies(
    sim: &Sim,
    alpha: f64,
    visible_set: &VisibleSet,
    cache: &mut VisibilityCache,
) -> Vec<BodyView> {
    let crumbs = sim.bodies.iter().enumerate();
    let crumbs = crumbs.filter(|(_, body)| body.chunk.is_none());
    // Culled first: there may be thousands, most of them hidden.
    let crumbs = crumbs.filter(|(number, body)| {
        let centre = body.previous.lerp(body.position, alpha);
        visible_set.sees_body(*number, cache, centre, body.radius)
    });
    let seen: Vec<(usize, &Body)> = crumbs.collect();
    cache.grounds.trim(sim.bodies.len());
    let crumbs = seen.into_iter().map(|(number, body)| BodyView {
        position: body.previous.lerp(body.position, alpha),
        rotation: body.previous_rotation.lerp(body.rotation, alpha),
        radius: body.radius,
        scale: match body.fading {
            0 => 1.0,
            left => (f64::from(left) - alpha).max(0.0) / f64::from(FADE_TICKS),
        },
        shape: match body.material {
            debris::IRON => BodyShape::IronBall,
            material => BodyShape::Crumb(material),
        },
        seed: seed_of(body),
        rest: rest_of(sim, body, number, cache),
        asleep: body.asleep,
    });
    let rockets = sim.rockets.iter().map(|rocket| BodyView {
        position: rocket.previous.lerp(rocket.position, alpha),
        rotation: DQuat::from_rotation_arc(
            DVec3::NEG_Z,
            rocket.velocity.normalize_or(DVec3::NEG_Z),
        ),
        radius: ROCKET_RADIUS_M,
        scale: 1.0,
        shape: BodyShape::Rocket,
        seed: 0,
        rest: None,
        asleep: false,
    });
    let grenades = sim
        .grenades
        .iter()
        .map(|grenade| grenade_view(grenade, alpha));
    let now = sim.tick as f64 + alpha;
    let drills = sim.drilled.iter().filter_map(|hole| drill_bit(hole, now));
    let shots = rockets.chain(grenades).chain(drills);
    let shots = shots.filter(|body| visible_set.sees_ball(body.position, body.radius));
    crumbs.chain(shots).collect()
}

/// Of the id, which no other body ever has, and which stays when others retire.
fn seed_of(body: &Body) -> u32 {
    let hash = FxBuildHasher.hash_one(body.id());
    (hash ^ hash >> 32) as u32
}

fn rest_of(sim: &Sim, body: &Body, number: usize, cache: &mut VisibilityCache) -> Option<Rest> {
    if body.material == debris::IRON {
        return None;
    }
    let room = cache.body_rooms.get(number).copied();
    let room = room.filter(|&id| (id as usize) < sim.world.room_count());
    let revision = room.map_or(Revision::default(), |id| sim.world.room(id).revision);
    let grounds = &mut cache.grounds;
    grounds.rest_of(&sim.world, body, revision, seed_of(body))
}

/// A grenade tumbles with the distance flown, about an axis across its velocity.
fn grenade_view(grenade: &Grenade, alpha: f64) -> BodyView {
    let across = grenade.velocity.cross(DVec3::Y);
    let axis = across.normalize_or(DVec3::X);
    let turn = -(grenade.path + grenade.previous.distance(grenade.position) * (alpha - 1.0));
    let (sin, cos) = libm::sincos(turn * 0.5 / GRENADE_RADIUS_M * 0.4);
    BodyView {
        position: grenade.previous.lerp(grenade.position, alpha),
        rotation: DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos),
        radius: GRENADE_RADIUS_M,
        scale: 1.0,
        shape: BodyShape::Grenade,
        seed: 0,
        rest: None,
        asleep: false,
    }
}

/// The bit moves through its hole for [`DRILL_SECS`].
fn drill_bit(hole: &Drilled, now: f64) -> Option<BodyView> {
    let done = (now - hole.tick as f64) * TICK_SECS / DRILL_SECS;
    let dir = (hole.to - hole.from).try_normalize()?;
    (0.0..1.0).contains(&done).then(|| BodyView {
        position: hole.from.lerp(hole.to, done),
        rotation: DQuat::from_rotation_arc(DVec3::NEG_Z, dir),
        radius: hole.radius * 0.8,
        scale: 1.0,
        shape: BodyShape::DrillBit,
        seed: 0,
        rest: None,
        asleep: false,
    })
}

/// A multiple of the period of baked materials, metres: an origin on it keeps the texture alignment of the wall.
const PERIOD: f64 = 4.0;

/// A mover this near to the eye is drawn though it is out of sight, metres: its shadow may be in sight.
const SHADOW_REACH: f64 = 24.0;

/// All chunks, then the movers.
pub(super) fn chunks(
    sim: &Sim,
    eye: DVec3,
    alpha: f64,
    visible_set: &VisibleSet,
) -> Vec<ChunkView> {
    let view = |body: &Body| {
        let shape = body.chunk.as_ref()?;
        let centre = body.previous.lerp(body.position, alpha);
        let rotation = body.previous_rotation.lerp(body.rotation, alpha);
        let (at, rotation) = shape.world_from_home((centre, rotation));
        let origin = (shape.home.0 / PERIOD).round() * PERIOD;
        Some(ChunkView {
            centre,
            radius: shape.radius + shape.uncovered,
            position: at + rotation * origin,
            rotation,
            origin,
            mesh: shape.mesh.clone(),
            faces: shape.faces.clone(),
            asleep: body.asleep,
        })
    };
    let movers = sim.movers.kinematics().iter();
    let movers = movers.map(|mover| mover_view(mover, alpha));
    let is_near = |mover: &ChunkView| mover.centre.distance(eye) < mover.radius + SHADOW_REACH;
    let movers = movers.filter(|m| is_near(m) || visible_set.sees_ball(m.centre, m.radius));
    let chunks = sim.bodies.iter().filter_map(view);
    chunks.chain(movers).collect()
}

fn mover_view(mover: &Kinematic, alpha: f64) -> ChunkView {
    let (solid, frame) = (&mover.solid, mover.frame_at(alpha));
    let middle = solid.bounds.centre();
    let origin = (middle / PERIOD).round() * PERIOD;
    ChunkView {
        centre: frame.to_world(middle),
        radius: solid.bounds.half_size().length(),
        position: frame.to_world(origin),
        rotation: frame.turn,
        origin,
        mesh: solid.mesh.clone(),
        faces: solid.faces.clone(),
        asleep: false,
    }
}
