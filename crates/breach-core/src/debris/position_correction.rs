//! Position correction: separates overlapping bodies by pseudo-velocities, which move them in this tick and are then
//! dropped. They add no momentum (Bullet's split impulse).
use super::contact::{ContactConstraint, ContactConstraints};
use super::forces::Forces;
use super::solver_body::{SolverBodies, SolverBody};
use glam::DVec3;

/// Iterations in a tick, an even number.
const ITERATIONS: usize = 4;
/// Part of an overlap that is corrected in a tick (Baumgarte's factor).
const SHARE: f64 = 0.2;
/// Largest speed of separation, metres a second.
const MOST_SPEED: f64 = 1.0;
/// Overlap that is left alone, as a part of the smaller ball's radius, so that touching bodies stay in contact.
const SLOP: f64 = 0.01;
/// The same for two hulls, metres.
const HULL_SLOP: f64 = 0.001;

/// A contact that overlaps, or that must hold while others are corrected.
struct PositionConstraint {
    solver_bodies: [u32; 2],
    normal: DVec3,
    effective_mass: f64,
    /// Least normal pseudo-velocity.
    least_normal_velocity: f64,
    /// Accumulated impulse.
    impulse: f64,
    /// Index of the contact, if it has lever arms.
    with_arms: Option<u32>,
}

/// Pseudo-velocities of all solver bodies; `None` if nothing overlaps.
pub(super) fn pseudo_velocities(
    bodies: &mut SolverBodies,
    contacts: &ContactConstraints,
    forces: &Forces,
) -> Option<Vec<SolverBody>> {
    let mut is_needed = false;
    let mut constraints: Vec<PositionConstraint> = Vec::with_capacity(contacts.list.len());
    for (c, index) in contacts.list.iter().zip(0u32..) {
        let slop = match c.rolling_radius() {
            0.0 => HULL_SLOP,
            radius => SLOP * radius,
        };
        let overlap = -c.gap - slop;
        is_needed |= overlap > 0.0;
        // Contacts that touch hold against the corrections of their neighbours.
        if c.normal_impulse > 0.0 || c.gap < slop {
            let least_normal_velocity = if overlap > 0.0 {
                (overlap * SHARE / forces.secs).min(MOST_SPEED)
            } else if c.normal_impulse > 0.0 {
                // The velocity has already closed the gap.
                0.0
            } else {
                overlap / forces.secs
            };
            constraints.push(PositionConstraint {
                solver_bodies: c.solver_bodies,
                normal: c.normal,
                effective_mass: c.effective_mass.normal,
                least_normal_velocity,
                impulse: 0.0,
                with_arms: (c.arms != ContactConstraint::NO_ARMS).then_some(index),
            });
        }
    }
    if !is_needed {
        return None;
    }
    let still = |body: &SolverBody| SolverBody {
        velocity: DVec3::ZERO,
        spin: DVec3::ZERO,
        ..*body
    };
    let pseudo: Vec<SolverBody> = bodies.list.iter().map(still).collect();
    // The solver bodies hold the pseudo-velocities meanwhile.
    let real = std::mem::replace(&mut bodies.list, pseudo);
    let mut correct = |constraint: &mut PositionConstraint| {
        let [i, j] = constraint.solver_bodies.map(|i| i as usize);
        let normal_velocity = match constraint.with_arms {
            Some(index) => {
                let c = &contacts.list[index as usize];
                bodies.normal_velocity(c, contacts.arms_of(c))
            }
            None => (bodies.list[i].velocity - bodies.list[j].velocity).dot(constraint.normal),
        };
        let lacking = constraint.least_normal_velocity - normal_velocity;
        let impulse = (constraint.impulse + lacking * constraint.effective_mass).max(0.0);
        let change = constraint.normal * (impulse - constraint.impulse);
        if impulse == constraint.impulse {
            return;
        }
        constraint.impulse = impulse;
        if let Some(index) = constraint.with_arms {
            let c = &contacts.list[index as usize];
            bodies.apply_impulse(c, contacts.arms_of(c), change);
            return;
        }
        let [mine, theirs] = [i, j].map(|k| bodies.list[k].inverse_mass);
        bodies.list[i].velocity += change * mine;
        bodies.list[j].velocity -= change * theirs;
    };
    // To and fro, as velocities are solved.
    for _ in 0..ITERATIONS / 2 {
        constraints.iter_mut().for_each(&mut correct);
        constraints.iter_mut().rev().for_each(&mut correct);
    }
    Some(std::mem::replace(&mut bodies.list, real))
}
