//! Integrates velocities and positions. No ball gets into rock or a solid, whatever the solver says: its core is swept
//! along.
use super::active_body::{Motion, MovingBall, add_balls};
use super::body::{Body, world_tensor};
use super::chunk::Chunk;
use super::forces::Forces;
use super::kinematic::Kinematic;
use super::oriented_bounds::OrientedBounds;
use super::solid_sweeps::{CorePath, near_solids, pushed};
use super::solver_body::{SolverBodies, SolverBody};
use crate::bvh::QueryStats;
use crate::world::World;
use glam::{DMat3, DQuat, DVec3};

/// Radius of the core that is swept, as a part of the ball's. Contacts keep balls on the surface; where they fail, the core
/// stays out of rock.
const CORE: f64 = 0.5;
/// Most surfaces that a core slides along in a tick.
const SLIDES: usize = 3;
/// Shorter moves are ignored, metres.
const SHORTEST_MOVE: f64 = 1e-9;
/// Most times that a crumb is pushed by solids and then stopped by walls in a tick.
const ROUNDS: usize = 8;
/// A chunk whose balls would hit a wall tries its whole move, then half, then a quarter.
const TRIES: usize = 3;
/// Largest Runge-Kutta step of a tumbling chunk, radians.
const MOST_TURN: f64 = 0.05;
/// Most such steps in a tick.
const MOST_TURN_STEPS: f64 = 16.0;

/// The change of velocity in a tick by gravity, metres a second.
pub(super) fn gravity_velocity(forces: &Forces) -> DVec3 {
    DVec3::NEG_Y * (forces.gravity * forces.secs)
}

/// Adds the gravity of a tick to a velocity.
pub(super) fn apply_gravity(body: &mut SolverBody, forces: &Forces) {
    body.velocity += gravity_velocity(forces);
    limit(body);
}

/// Pose and angular velocity of a body after a tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pose {
    pub position: DVec3,
    pub rotation: DQuat,
    pub spin: DVec3,
}

/// Moves a body by `path` and turns it for a tick with `spin`. `pseudo_spin` is the angular velocity of the position
/// correction; `clearance` says how far the surface is from its centre at least, metres, where its balls are not there.
/// Solids that move push it along.
pub(super) fn integrate(
    body: &Body,
    path: DVec3,
    (spin, pseudo_spin): (DVec3, DVec3),
    (balls, clearance): (&[MovingBall], f64),
    secs: f64,
    (world, solids): (&World, &[Kinematic]),
    stats: &mut QueryStats,
) -> Pose {
    let near = near_solids(solids, body, path);
    let (position, rotation) = (body.position, body.rotation);
    let Some(chunk) = &body.chunk else {
        let core = body.radius * CORE;
        let is_free = balls.iter().all(|b| path.length() + core <= b.clearance);
        let position = if !near.is_empty() {
            slide_among((world, &near), position, path, core, stats)
        } else if is_free {
            position + path
        } else {
            slide(world, position, path, core, stats)
        };
        let rotation = rotated(rotation, spin * secs);
        return Pose {
            position,
            rotation,
            spin,
        };
    };
    let moments = chunk.moments;
    let momentum = world_tensor(rotation, moments) * spin;
    // Without torque a body turns faster at most as its energy allows: E = ½ I ω².
    let fastest = spin.length() * (moments.max_element() / moments.min_element()).sqrt();
    let turn = (fastest + pseudo_spin.length()) * secs;
    let is_clear = near.is_empty() && body.radius * (1.0 + turn) + path.length() <= clearance;
    let mut made = Vec::new();
    let balls = if balls.is_empty() && !is_clear {
        let bounds = OrientedBounds::from_body(body);
        add_balls(
            &mut made,
            body,
            bounds.as_ref(),
            Motion::default(),
            clearance,
        );
        &made
    } else {
        balls
    };
    let mut share = 1.0;
    // Among solids it does not help to stay: they may come. At last it tries to be pushed by them alone.
    let tries = if near.is_empty() { TRIES } else { TRIES + 1 };
    for i in 0..tries {
        if i == TRIES {
            share = 0.0;
        }
        let mut position = position + path * share;
        let turned = tumble(rotation, momentum, moments, secs * share);
        let rotation = rotated(turned, pseudo_spin * (secs * share));
        if !near.is_empty() {
            let paths: Vec<CorePath> = core_paths((position, rotation), chunk, balls).collect();
            position += pushed(&near, &paths, stats);
        }
        if is_clear || is_free((position, rotation), chunk, balls, (world, &near), stats) {
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

/// The ways of the cores of a chunk's balls, on straight lines to their places at a pose.
fn core_paths<'a>(
    (position, rotation): (DVec3, DQuat),
    chunk: &'a Chunk,
    balls: &'a [MovingBall],
) -> impl Iterator<Item = CorePath> + 'a {
    let axes = DMat3::from_quat(rotation);
    chunk
        .balls
        .iter()
        .zip(balls)
        .map(move |(ball, moving)| CorePath {
            from: moving.ball.centre,
            to: position + axes * ball.centre,
            radius: ball.radius * CORE,
        })
}

/// Whether the cores of all balls of a chunk can move on straight lines to their places at a pose.
fn is_free(
    pose: (DVec3, DQuat),
    chunk: &Chunk,
    balls: &[MovingBall],
    (world, near): (&World, &[&Kinematic]),
    stats: &mut QueryStats,
) -> bool {
    let mut paths = core_paths(pose, chunk, balls).zip(balls);
    paths.all(|(path, moving)| {
        let CorePath { from, to, radius } = path;
        let misses_walls = from.distance(to) + radius <= moving.clearance
            || world.sweep_sphere(from, to, radius, stats).is_none();
        misses_walls && path.is_free_of(near, stats)
    })
}

/// Sweeps a core along `path` among walls and solids, and slides it along those that it hits. Returns its end.
pub(super) fn slide_among(
    (world, near): (&World, &[&Kinematic]),
    from: DVec3,
    path: DVec3,
    radius: f64,
    stats: &mut QueryStats,
) -> DVec3 {
    let mut to = from + path;
    for _ in 0..ROUNDS {
        let push = pushed(near, &[CorePath { from, to, radius }], stats);
        to = slide(world, from, to + push - from, radius, stats);
        // Walls may have turned it back into the way of a solid.
        if (CorePath { from, to, radius }).is_free_of(near, stats) {
            break;
        }
    }
    to
}

/// Sweeps a core along `path`, and slides it along the surfaces that it hits. Returns its end.
fn slide(world: &World, from: DVec3, path: DVec3, core: f64, stats: &mut QueryStats) -> DVec3 {
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

/// Rotates by a small rotation vector: q' = q + ω q dt/2, normalised. Without sines, every machine gets the same bits.
fn rotated(rotation: DQuat, turn: DVec3) -> DQuat {
    let half = turn * 0.5;
    let turned = rotation + DQuat::from_xyzw(half.x, half.y, half.z, 0.0) * rotation;
    if turned.length_squared() > 0.0 && turned.is_finite() {
        turned.normalize()
    } else {
        rotation
    }
}

/// Angular velocity of a body with angular momentum L: ω = R I⁻¹ Rᵀ L.
fn spin_of(rotation: DQuat, momentum: DVec3, moments: DVec3) -> DVec3 {
    rotation * ((rotation.conjugate() * momentum) / moments)
}

/// Torque-free rotation: angular momentum is conserved, and q' = ½ ω(q) q is integrated with fourth-order Runge-Kutta.
pub(super) fn tumble(rotation: DQuat, momentum: DVec3, moments: DVec3, secs: f64) -> DQuat {
    let rate = |q: DQuat| {
        let half = spin_of(q, momentum, moments) * 0.5;
        DQuat::from_xyzw(half.x, half.y, half.z, 0.0) * q
    };
    let turn = spin_of(rotation, momentum, moments).length() * secs;
    let steps = (turn / MOST_TURN).ceil().clamp(1.0, MOST_TURN_STEPS);
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

/// Limits velocity and spin. A chunk turns no faster than a tick can follow.
fn limit(body: &mut SolverBody) {
    /// Metres a second.
    const SPEED: f64 = 1000.0;
    /// Radians a second.
    const CRUMB_SPIN: f64 = 1000.0;
    const CHUNK_SPIN: f64 = 50.0;
    let spin = if body.tensor == SolverBody::NO_TENSOR {
        CRUMB_SPIN
    } else {
        CHUNK_SPIN
    };
    let limited = |v: DVec3, most: f64| {
        if v.is_finite() {
            v.clamp_length_max(most)
        } else {
            DVec3::ZERO
        }
    };
    body.velocity = limited(body.velocity, SPEED);
    body.spin = limited(body.spin, spin);
}

/// Limits the velocities and spins of all bodies that impulses move.
pub(super) fn limit_all(bodies: &mut SolverBodies) {
    let movable = bodies.movable();
    bodies.list[..movable].iter_mut().for_each(limit);
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let (first, before) = (world_tensor(q, moments) * spin, energy(q, spin));
        let mut least: f64 = 1.0;
        for _ in 0..600 {
            let momentum = world_tensor(q, moments) * spin;
            q = tumble(q, momentum, moments, 1.0 / 60.0);
            spin = spin_of(q, momentum, moments);
            least = least.min((q.conjugate() * spin).y / 8.0);
        }
        let after = world_tensor(q, moments) * spin;
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
