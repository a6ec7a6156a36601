//! Bounces, at their time of impact within the tick.
//!
//! A body falls to the contact, bounces there, and flies on for the rest of the tick. Its velocity changes by J/m, and its
//! displacement by J/m times the time left after the impact. The integrator moves a body by its last velocity times the
//! whole tick, so the difference, −J/m times the time before the impact, is kept as an offset. A ball dropped from h thus
//! bounces to e² h for any tick length.
use super::contact::{ContactConstraint, ContactConstraints, LeverArms};
use super::forces::Forces;
use super::solver_body::SolverBodies;
use glam::DVec3;

/// Slower impacts do not bounce, metres a second.
const BOUNCE_SPEED: f64 = 0.5;
/// Rounds of impacts in a tick: a cradle passes its impulse on through as many balls in one tick.
const ROUNDS: usize = 8;

/// Resolves all impacts; adds to `offsets`, the displacements that bodies make besides their velocities.
pub(super) fn resolve_impacts(
    bodies: &mut SolverBodies,
    contacts: &ContactConstraints,
    offsets: &mut [DVec3],
    forces: &Forces,
) {
    let pairs: Vec<[u32; 2]> = contacts.list.iter().map(|c| c.solver_bodies).collect();
    let mut is_struck = vec![true; offsets.len()];
    for _ in 0..ROUNDS {
        // Bodies struck in the last round may strike others.
        let mut next = vec![false; offsets.len()];
        let mut again = false;
        for (pair, c) in pairs.iter().zip(&contacts.list) {
            let is_concerned = pair.iter().any(|&i| is_struck[i as usize]);
            if is_concerned && resolve_impact(bodies, (c, contacts.arms_of(c)), offsets, forces) {
                pair.iter().for_each(|&i| next[i as usize] = true);
                again = true;
            }
        }
        if !again {
            return;
        }
        next[bodies.movable()..].fill(false);
        is_struck = next;
    }
}

/// Resolves the impact of a contact; false if there is none.
fn resolve_impact(
    bodies: &mut SolverBodies,
    (c, arms): (&ContactConstraint, Option<&LeverArms>),
    offsets: &mut [DVec3],
    forces: &Forces,
) -> bool {
    let end_velocity = bodies.normal_velocity(c, arms);
    if end_velocity >= -BOUNCE_SPEED {
        return false;
    }
    let Some((time, speed)) = time_of_impact(bodies, c, end_velocity, offsets, forces) else {
        return false;
    };
    if speed <= BOUNCE_SPEED {
        return false;
    }
    let normal_impulse = (1.0 + forces.law.restitution) * speed * c.effective_mass.normal;
    let slip = bodies.relative_velocity(c, arms);
    let tangent_velocity = slip - c.normal * slip.dot(c.normal);
    let tangent_impulse = (tangent_velocity * -c.effective_mass.tangent)
        .clamp_length_max(forces.law.friction * normal_impulse);
    let impulse = c.normal * normal_impulse + tangent_impulse;
    bodies.apply_impulse(c, arms, impulse);
    for (i, sign) in c.solver_bodies.into_iter().zip([-1.0, 1.0]) {
        let inverse_mass = bodies.list[i as usize].inverse_mass;
        offsets[i as usize] += impulse * (sign * inverse_mass * time);
    }
    true
}

/// When within the tick the bodies meet, seconds, and how fast, metres a second: gap + s t + g t²/2 = 0, with s the normal
/// velocity at the start and g the relative gravity along the normal. `end_velocity` is the normal velocity at the end.
fn time_of_impact(
    bodies: &SolverBodies,
    c: &ContactConstraint,
    end_velocity: f64,
    offsets: &[DVec3],
    forces: &Forces,
) -> Option<(f64, f64)> {
    let [a, b] = c
        .solver_bodies
        .map(|i| bodies.list[i as usize].inverse_mass > 0.0);
    let gravity = match (a, b) {
        (true, false) => -forces.gravity * c.normal.y,
        (false, true) => forces.gravity * c.normal.y,
        (true, true) | (false, false) => 0.0,
    };
    let [mine, theirs] = c.solver_bodies.map(|i| offsets[i as usize]);
    let gap = c.gap + (mine - theirs).dot(c.normal);
    let start_velocity = end_velocity - gravity * forces.secs;
    if gap <= 0.0 {
        return (start_velocity < 0.0).then_some((0.0, -start_velocity));
    }
    let square = start_velocity * start_velocity - 2.0 * gravity * gap;
    let root = square.max(0.0).sqrt();
    if square < 0.0 || root - start_velocity <= 0.0 {
        return None;
    }
    let time = 2.0 * gap / (root - start_velocity);
    (time <= forces.secs).then_some((time, root))
}
