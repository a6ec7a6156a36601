//! Moves bodies, never through anything: whatever the impulses say, a sphere's centre goes only where a sweep of its
//! core has been.
use super::contact::{Motion, Motions};
use super::find::Part;
use super::{Body, Chunk, turned};
use crate::bvh::QueryStats;
use crate::world::World;
use glam::{DMat3, DQuat, DVec3};

/// Radius of the core that is swept, as a part of the sphere's. Contacts keep spheres on the surface; the core is what
/// must not get into rock where they come too late.
const CORE: f64 = 0.5;
/// Surfaces that a core slides along in a tick.
const SLIDES: usize = 3;
/// A move shorter than this, metres, is none.
const SHORTEST_MOVE: f64 = 1e-9;
/// Tries with half the move where a chunk's sphere is in the way of the whole.
const TRIES: usize = 3;
/// A tumbling chunk turns through a tick in steps of no more than this, radians,
const TURN: f64 = 0.05;
/// but no more of them.
const TURNS: f64 = 16.0;

/// The fraction at which `buffer` metres are left to the contact plane; never below zero.
pub fn buffered(fraction: f64, path: DVec3, normal: DVec3, buffer: f64) -> f64 {
    let approach = -path.dot(normal);
    if approach <= 0.0 {
        return 0.0;
    }
    (fraction - buffer / approach).max(0.0)
}

/// Where a body is after a tick, and how it turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    pub position: DVec3,
    pub rotation: DQuat,
    pub spin: DVec3,
}

/// Moves a body by `path` and turns it for a tick with `spin`. `pushed` is the pseudo spin that parts what overlaps.
pub(super) fn advance(
    body: &Body,
    path: DVec3,
    (spin, pushed): (DVec3, DVec3),
    parts: &[Part],
    secs: f64,
    world: &World,
    stats: &mut QueryStats,
) -> Pose {
    let (position, rotation) = (body.position, body.rotation);
    let Some(chunk) = &body.chunk else {
        let core = body.radius * CORE;
        let is_free = parts.iter().all(|p| path.length() + core <= p.safe);
        let position = if is_free {
            position + path
        } else {
            glide(world, position, path, core, stats)
        };
        let rotation = spun(rotation, spin * secs);
        return Pose {
            position,
            rotation,
            spin,
        };
    };
    let moments = chunk.moments;
    let momentum = turned(rotation, moments) * spin;
    let mut share = 1.0;
    for _ in 0..TRIES {
        let position = position + path * share;
        let turned = tumble(rotation, momentum, moments, secs * share);
        let rotation = spun(turned, pushed * (secs * share));
        if is_free((position, rotation), chunk, parts, world, stats) {
            return Pose {
                position,
                rotation,
                spin: spin_of(rotation, momentum, moments),
            };
        }
        share *= 0.5;
    }
    Pose {
        position,
        rotation,
        spin,
    }
}

/// Whether all spheres of a chunk can go straight from where they are to where they would be then.
fn is_free(
    (position, rotation): (DVec3, DQuat),
    chunk: &Chunk,
    parts: &[Part],
    world: &World,
    stats: &mut QueryStats,
) -> bool {
    let axes = DMat3::from_quat(rotation);
    chunk.balls.iter().zip(parts).all(|(ball, part)| {
        let (from, to) = (part.ball.centre, position + axes * ball.centre);
        let core = ball.radius * CORE;
        from.distance(to) + core <= part.safe || world.sweep_sphere(from, to, core, stats).is_none()
    })
}

/// As far as a core gets, sliding along what it meets.
fn glide(world: &World, from: DVec3, path: DVec3, core: f64, stats: &mut QueryStats) -> DVec3 {
    let (mut at, mut left) = (from, path);
    for _ in 0..SLIDES {
        if left.length_squared() < SHORTEST_MOVE * SHORTEST_MOVE {
            break;
        }
        let Some(hit) = world.sweep_sphere(at, at + left, core, stats) else {
            return at + left;
        };
        at += left * hit.fraction;
        left *= 1.0 - hit.fraction;
        left -= hit.normal * left.dot(hit.normal).min(0.0);
    }
    at
}

/// Turned by a small rotation vector: q' = q + ω q dt/2, normalised. No sine, so every machine agrees.
fn spun(rotation: DQuat, turn: DVec3) -> DQuat {
    let half = turn * 0.5;
    let turned = rotation + DQuat::from_xyzw(half.x, half.y, half.z, 0.0) * rotation;
    if turned.length_squared() > 0.0 && turned.is_finite() {
        turned.normalize()
    } else {
        rotation
    }
}

/// The spin of a body that has this angular momentum: ω = R I⁻¹ Rᵀ L.
fn spin_of(rotation: DQuat, momentum: DVec3, moments: DVec3) -> DVec3 {
    rotation * ((rotation.conjugate() * momentum) / moments)
}

/// How a body turns that nothing touches: its angular momentum stays, and q' = ½ ω(q) q follows by Runge and Kutta's
/// fourth order.
pub(super) fn tumble(rotation: DQuat, momentum: DVec3, moments: DVec3, secs: f64) -> DQuat {
    let rate = |q: DQuat| {
        let half = spin_of(q, momentum, moments) * 0.5;
        DQuat::from_xyzw(half.x, half.y, half.z, 0.0) * q
    };
    let turn = spin_of(rotation, momentum, moments).length() * secs;
    let steps = (turn / TURN).ceil().clamp(1.0, TURNS);
    let step = secs / steps;
    let mut q = rotation;
    for _ in 0..steps as usize {
        let a = rate(q);
        let b = rate(q + a * (step * 0.5));
        let c = rate(q + b * (step * 0.5));
        let d = rate(q + c * step);
        let next = q + (a + b * 2.0 + c * 2.0 + d) * (step / 6.0);
        if !(next.length_squared() > 0.0 && next.is_finite()) {
            return q;
        }
        q = next.normalize();
    }
    q
}

/// What a body's motion may be at most: metres and radians a second. A chunk turns no faster than a tick can follow.
pub(super) fn limit(motion: &mut Motion) {
    const SPEED: f64 = 1000.0;
    const CRUMB_SPIN: f64 = 1000.0;
    const CHUNK_SPIN: f64 = 50.0;
    let spin = if motion.tensor == Motion::BALL {
        CRUMB_SPIN
    } else {
        CHUNK_SPIN
    };
    let tame = |v: DVec3, most: f64| {
        if v.is_finite() {
            v.clamp_length_max(most)
        } else {
            DVec3::ZERO
        }
    };
    motion.velocity = tame(motion.velocity, SPEED);
    motion.spin = tame(motion.spin, spin);
}

/// [`limit`] for everybody.
pub(super) fn limit_all(motions: &mut Motions) {
    motions.list.iter_mut().for_each(limit);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_buffer_is_measured_from_the_contact_plane() {
        let path = DVec3::new(3.0, -4.0, 0.0);
        let fraction = buffered(0.5, path, DVec3::Y, 0.2);
        // At 0.5 the plane is touched; 0.2 above it the path is 0.05 earlier.
        assert!((fraction - 0.45).abs() < 1e-12);
        assert_eq!(buffered(0.01, path, DVec3::Y, 0.2), 0.0);
        assert_eq!(buffered(0.5, path, DVec3::NEG_Y, 0.2), 0.0);
    }

    #[test]
    fn a_slab_that_nothing_touches_keeps_its_angular_momentum_and_its_energy() {
        let moments = DVec3::new(1.0, 2.0, 2.9);
        let mut q = DQuat::from_xyzw(0.1, 0.7, -0.3, 0.4).normalize();
        // About the middle axis, nearly: it turns over and over.
        let mut spin = q * DVec3::new(0.01, 8.0, 0.02);
        let energy = |q: DQuat, spin: DVec3| {
            let w = q.conjugate() * spin;
            0.5 * (w * w).dot(moments)
        };
        let (first, before) = (turned(q, moments) * spin, energy(q, spin));
        let mut least: f64 = 1.0;
        for _ in 0..600 {
            let momentum = turned(q, moments) * spin;
            q = tumble(q, momentum, moments, 1.0 / 60.0);
            spin = spin_of(q, momentum, moments);
            least = least.min((q.conjugate() * spin).y / 8.0);
        }
        let after = turned(q, moments) * spin;
        assert!((after - first).length() < 1e-9 * first.length(), "{after}");
        assert!((energy(q, spin) / before - 1.0).abs() < 1e-5);
        assert!(least < -0.9, "it never turned over: {least}");
    }

    #[test]
    fn a_symmetric_top_precesses_as_euler_says() {
        // About the momentum at |L| / I₁, whatever the tilt.
        let moments = DVec3::new(2.0, 2.0, 3.0);
        let q = DQuat::IDENTITY;
        let momentum = moments * DVec3::new(1.0, 0.0, 2.0);
        let secs = std::f64::consts::TAU / (momentum.length() / 2.0);
        let mut turned = q;
        for _ in 0..200 {
            turned = tumble(turned, momentum, moments, secs / 200.0);
        }
        let axis = turned * DVec3::Z;
        assert!((axis - DVec3::Z).length() < 1e-5, "{axis}");
    }
}
