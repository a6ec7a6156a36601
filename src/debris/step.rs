//! One tick of all crumbs.
use super::contact::{ROLLING, bounce};
use super::{Body, pairs, sleep};
use crate::bvh::QueryStats;
use crate::world::World;
use glam::{DQuat, DVec3};

/// What acts on crumbs in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forces {
    /// Length of the tick, seconds.
    pub secs: f64,
    /// Metres a second squared, downwards.
    pub gravity: f64,
    /// Gap kept before a surface, metres; a crumb keeps at most a tenth of its radius.
    pub buffer: f64,
}

/// Contacts that a crumb may answer in one tick; what is left of the move then waits for the next.
const CONTACTS: usize = 4;
/// A move shorter than this, metres, is none.
const SHORTEST_MOVE: f64 = 1e-7;
/// Nothing flies faster, metres a second.
const SPEED_LIMIT: f64 = 100.0;
/// Nothing turns faster, radians a second.
const SPIN_LIMIT: f64 = 50.0;

/// Advances every waking crumb by one tick.
pub fn step(bodies: &mut [Body], world: &World, forces: &Forces, stats: &mut QueryStats) {
    let mut touching = vec![false; bodies.len()];
    bodies
        .iter_mut()
        .for_each(|body| body.previous = body.position);
    let mut nudge = vec![DVec3::ZERO; bodies.len()];
    pairs::separate(bodies, &mut touching, &mut nudge);
    for ((body, touching), nudge) in bodies.iter_mut().zip(touching).zip(nudge) {
        if !body.asleep {
            ease(body, nudge * forces.secs, world, stats);
            let met = fly(body, world, forces, stats);
            turn(body, forces.secs);
            sleep::rest(body, touching || met);
        }
    }
}

/// Moves a crumb aside, as far as the walls allow.
fn ease(body: &mut Body, path: DVec3, world: &World, stats: &mut QueryStats) {
    if path.length_squared() < SHORTEST_MOVE * SHORTEST_MOVE {
        return;
    }
    let to = body.position + path;
    let hit = world.sweep_sphere(body.position, to, body.radius, stats);
    body.position += path * hit.map_or(1.0, |hit| hit.fraction);
}

/// Moves a crumb along its parabola, from contact to contact; whether it met a surface.
fn fly(body: &mut Body, world: &World, forces: &Forces, stats: &mut QueryStats) -> bool {
    let fall = DVec3::NEG_Y * forces.gravity * forces.secs;
    let buffer = forces.buffer.min(body.radius * 0.1);
    // x = v t + a t²/2: exact for a constant acceleration, whatever the tick.
    let mut mean = body.velocity + fall * 0.5;
    body.velocity += fall;
    let from = body.position;
    let mut left = forces.secs;
    let mut met = false;
    let mut stuck = true;
    for _ in 0..CONTACTS {
        let path = mean * left;
        if path.length_squared() < SHORTEST_MOVE * SHORTEST_MOVE {
            stuck = false;
            break;
        }
        let Some(hit) = world.sweep_sphere(body.position, body.position + path, body.radius, stats)
        else {
            body.position += path;
            stuck = false;
            break;
        };
        met = true;
        let fraction = buffered(hit.fraction, path, hit.normal, buffer);
        body.position += path * fraction;
        left *= 1.0 - fraction;
        (body.velocity, body.spin) =
            bounce(body.velocity, body.spin, body.radius, hit.normal, ROLLING);
        // The rest of the tick goes on from the bounce, straight: its curvature is below a millimetre.
        mean = body.velocity;
    }
    let limit = if stuck {
        // Wedged between walls: what could not move has no speed, or gravity would heap it up tick by tick.
        body.spin *= 0.5;
        body.position.distance(from) / forces.secs
    } else {
        SPEED_LIMIT
    };
    body.velocity = body.velocity.clamp_length_max(limit);
    met
}

/// The fraction at which `buffer` metres are left to the contact plane; never below zero.
pub fn buffered(fraction: f64, path: DVec3, normal: DVec3, buffer: f64) -> f64 {
    let approach = -path.dot(normal);
    if approach <= 0.0 {
        return 0.0;
    }
    (fraction - buffer / approach).max(0.0)
}

/// Turns by the spin: q' = q + ω q dt/2, normalised. No sine, so every machine agrees.
fn turn(body: &mut Body, secs: f64) {
    body.spin = body.spin.clamp_length_max(SPIN_LIMIT);
    let half = body.spin * (0.5 * secs);
    let turned = body.rotation + DQuat::from_xyzw(half.x, half.y, half.z, 0.0) * body.rotation;
    if turned.length_squared() > 0.0 {
        body.rotation = turned.normalize();
    }
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
    fn a_turn_keeps_the_rotation_unit_and_follows_the_spin() {
        let mut body = Body::new(DVec3::ZERO, 0.1, 0);
        body.spin = DVec3::Y * std::f64::consts::PI;
        for _ in 0..60 {
            turn(&mut body, 1.0 / 60.0);
        }
        assert!((body.rotation.length() - 1.0).abs() < 1e-12);
        assert!((body.rotation * DVec3::X - DVec3::NEG_X).length() < 0.01);
    }
}
