//! Liquids and what moves: bodies float or sink by their densities, projectiles lose speed, surfaces ripple.
use super::simulation::Sim;
use super::state::{Grenade, Ripple, Rocket};
use super::tick::TICK_SECS;
use crate::debris::fracture::material_near;
use crate::debris::{Body, IRON};
use crate::level::{LiquidKind, material};
use glam::{DMat3, DVec3};

/// Greatest number of ripples kept.
const RIPPLES: usize = 64;
/// A body that enters or leaves a liquid slower than this, metres a second, makes no ripple.
const RIPPLING_SPEED: f64 = 0.8;
/// Bodies that make ripples in a tick.
const RIPPLING_BODIES: usize = 4;
/// Coefficient of the drag of a rough sphere.
const SPHERE_DRAG: f64 = 0.47;
/// Ticks at rest after which a floating body sleeps: more than half a period of its bobbing, at whose ends it is still.
const TICKS_TO_FLOAT: u16 = 60;
/// How many times as fast as a swimmer's the speed of a body falls: besides drag it makes waves.
const BODY_DAMPING: f64 = 1.5;
/// Slowest that a rocket gets in a liquid, metres a second: its motor burns on.
const SLOWEST_ROCKET: f64 = 8.0;
/// How many times as fast as a swimmer's the speed of a rocket falls.
const ROCKET_DAMPING: f64 = 3.0;
/// Kilograms a cubic metre of a grenade.
const GRENADE_DENSITY: f64 = 4000.0;

/// Before a step of the bodies: buoyancy (Archimedes) and drag change the velocities of those awake in a liquid. Each of a
/// chunk's balls counts for its part of the volume, so that a plank that floats upright falls over.
pub(super) fn carry_bodies(sim: &mut Sim) {
    if sim.liquids.is_empty() {
        return;
    }
    let mut densities = Vec::new();
    let mut changes: Vec<(usize, DVec3, DVec3)> = Vec::new();
    let mut ripples: Vec<(DVec3, f64, f64)> = Vec::new();
    for &index in sim.bodies.awake_indices() {
        let body = &sim.bodies[index as usize];
        let Some(wet) = wet(sim, body) else { continue };
        let density = density(sim, body, &mut densities);
        let (velocity, spin) = carried(body, &wet, density, sim.settings.gravity);
        changes.push((index as usize, velocity, spin));
        let crosses = 0.05 < wet.part && wet.part < 0.95;
        let speed = body.velocity.y.abs();
        if crosses && speed > RIPPLING_SPEED && ripples.len() < RIPPLING_BODIES {
            let strength = (speed / 6.0).min(1.0) * (body.radius * 2.0).min(1.0);
            ripples.push((body.position, body.radius, strength));
        }
    }
    for (at, reach, strength) in ripples {
        ripple(sim, at, reach, strength);
    }
    if changes.is_empty() {
        return;
    }
    sim.bodies.change(|bodies| {
        for (index, velocity, spin) in changes {
            let body = &mut bodies[index];
            (body.velocity, body.spin) = (velocity, spin);
            // Nothing that it touches puts a floating body to sleep.
            body.asleep |= body.still >= TICKS_TO_FLOAT;
        }
    });
}

/// The part of a body in a liquid.
struct Wet {
    kind: LiquidKind,
    /// Of its volume, 0..=1.
    part: f64,
    /// From the centre of mass to the centre of that part, times the part, metres.
    arm: DVec3,
}

fn wet(sim: &Sim, body: &Body) -> Option<Wet> {
    if !sim.liquids.may_touch(body.position, body.radius) {
        return None;
    }
    let (mut volume, mut under, mut arm, mut first) = (0.0, 0.0, DVec3::ZERO, None);
    for ball in body.balls() {
        let share = ball.radius * ball.radius * ball.radius;
        volume += share;
        if let Some((kind, part)) = sim.liquids.around(ball.centre, ball.radius) {
            first = first.or(Some(kind));
            under += share * part;
            arm += (ball.centre - body.position) * (share * part);
        }
    }
    let kind = first?;
    Some(Wet {
        kind,
        part: under / volume,
        arm: arm / volume,
    })
}

/// Kilograms a cubic metre of a body's material: the solver takes all debris as stone.
fn density(sim: &Sim, body: &Body, known: &mut Vec<(u32, f64)>) -> f64 {
    if body.material == IRON {
        return body.density;
    }
    let id = main_material(body);
    if let Some((_, density)) = known.iter().find(|row| row.0 == id) {
        return *density;
    }
    let material = sim.world.materials.get(id as usize);
    let density = material.map_or(body.density, |material| {
        material::structural(&material.texture).law().density
    });
    known.push((id, density));
    density
}

/// The material that most of a body is of: a chunk's around its largest ball, as a crate may hang on a steel rod.
fn main_material(body: &Body) -> u32 {
    let near = body.chunk.as_ref().and_then(|chunk| {
        let balls = chunk.balls.iter();
        let largest = balls.max_by(|a, b| a.radius.total_cmp(&b.radius))?;
        material_near(chunk, chunk.home.0 + chunk.home.1 * largest.centre)
    });
    near.unwrap_or(body.material)
}

/// Velocity and spin after a tick of buoyancy and drag. Drag is implicit, so that it only ever slows.
fn carried(body: &Body, wet: &Wet, density: f64, gravity: f64) -> (DVec3, DVec3) {
    let ratio = wet.kind.density() / density;
    let lift = DVec3::Y * (gravity * ratio * TICK_SECS);
    let velocity = body.velocity + lift * wet.part;
    // Torque over the mass: the tensor is that of stone, as the solver's mass is.
    let tensor = body.inertia() * (1.0 / body.mass());
    let turn = match body.chunk {
        Some(_) => invert(tensor) * wet.arm.cross(lift),
        None => DVec3::ZERO,
    };
    let quadratic = 0.375 * SPHERE_DRAG * ratio * velocity.length() / body.radius;
    let slow = 1.0
        + (quadratic + wet.kind.damping() * ratio.min(1.0) * BODY_DAMPING) * wet.part * TICK_SECS;
    let still = 1.0 + wet.kind.damping() * wet.part * TICK_SECS;
    (velocity / slow, (body.spin + turn) / still)
}

fn invert(tensor: DMat3) -> DMat3 {
    if tensor.determinant() > 0.0 {
        tensor.inverse()
    } else {
        DMat3::ZERO
    }
}

/// The velocity of a rocket after a tick's drag.
pub(super) fn slow_rocket(sim: &Sim, rocket: &Rocket) -> DVec3 {
    let speed = rocket.velocity.length();
    let kind = sim.liquids.at(rocket.position);
    let Some(kind) = kind.filter(|_| speed > SLOWEST_ROCKET) else {
        return rocket.velocity;
    };
    let slowed = speed / (1.0 + kind.damping() * ROCKET_DAMPING * TICK_SECS);
    rocket.velocity * (slowed.max(SLOWEST_ROCKET) / speed)
}

/// The part of gravity that a grenade feels, after its drag.
pub(super) fn slow_grenade(sim: &Sim, grenade: &mut Grenade) -> f64 {
    let Some(kind) = sim.liquids.at(grenade.position) else {
        return 1.0;
    };
    grenade.velocity /= 1.0 + kind.damping() * TICK_SECS;
    1.0 - kind.density() / GRENADE_DENSITY
}

/// A ripple where a projectile has gone into a liquid or out of it.
pub(super) fn note_crossing(sim: &mut Sim, [from, to]: [DVec3; 2]) {
    if sim.liquids.at(from) != sim.liquids.at(to) {
        let strength = (from.distance(to) * 4.0).min(1.0);
        ripple(sim, to, from.distance(to), strength);
    }
}

/// Notes a ripple at the surface within `reach` of a point, above or below; none where there is no surface.
pub(super) fn ripple(sim: &mut Sim, at: DVec3, reach: f64, strength: f64) {
    let reach = DVec3::Y * reach.max(0.05);
    let Some(position) = sim.liquids.surface_between(at - reach, at + reach) else {
        return;
    };
    sim.ripples.push(Ripple {
        position,
        strength,
        tick: sim.tick,
    });
    let more = sim.ripples.len().saturating_sub(RIPPLES);
    sim.ripples.drain(..more);
}
