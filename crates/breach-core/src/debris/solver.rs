//! The velocity solver: sequential impulses with warm start (Catto, "Iterative Dynamics with Temporal Coherence", 2005),
//! Coulomb friction and rolling resistance.
use super::contact::{ContactConstraint, ContactConstraints, LeverArms};
use super::forces::Law;
use super::solver_body::{SolverBodies, SolverBody};
use glam::DVec3;

/// Iterations in a tick, an even number. A warm start makes few of them enough.
const ITERATIONS: usize = 6;

/// Applies the impulses of the last tick, and lets each contact close its gap within the tick but no more. `offsets` are
/// displacements that bodies make besides their velocities.
pub(super) fn warm_start(
    bodies: &mut SolverBodies,
    contacts: &mut ContactConstraints,
    offsets: &[DVec3],
    secs: f64,
) {
    let ContactConstraints { list, arms } = contacts;
    for c in list {
        let [mine, theirs] = c.solver_bodies.map(|i| offsets[i as usize]);
        let gap = c.gap + (mine - theirs).dot(c.normal);
        c.least_normal_velocity = -gap.max(0.0) / secs;
        if c.normal_impulse > 0.0 {
            let arms = arms.get(c.arms as usize);
            bodies.apply_impulse(c, arms, c.normal * c.normal_impulse + c.tangent_impulse);
            bodies.apply_angular_impulse(c, c.rolling_impulse);
        }
    }
}

/// Iterates over all contacts.
pub(super) fn solve_velocities(
    bodies: &mut SolverBodies,
    contacts: &mut ContactConstraints,
    law: &Law,
) {
    let ContactConstraints { list, arms } = contacts;
    let mut solve = |c: &mut ContactConstraint| match arms.get(c.arms as usize) {
        None => solve_central(bodies, c, law),
        Some(arms) => solve_with_arms(bodies, (c, arms), law),
    };
    // To and fro: what lies on top of a stack is felt below in one iteration, whichever way the list runs.
    for _ in 0..ITERATIONS / 2 {
        list.iter_mut().for_each(&mut solve);
        list.iter_mut().rev().for_each(&mut solve);
    }
}

/// Solves a contact of crumbs, which most contacts are. The normal impulse goes through the centres and changes no spin, so
/// all three impulses are solved with one read and one write of the bodies.
#[inline(always)]
fn solve_central(bodies: &mut SolverBodies, c: &mut ContactConstraint, law: &Law) {
    let [ra, rb] = c.radii;
    let [i, j] = c.solver_bodies.map(|i| i as usize);
    let (mut a, mut b) = (bodies.list[i], bodies.list[j]);
    let normal_velocity = (a.velocity - b.velocity).dot(c.normal);
    let lacking = c.least_normal_velocity - normal_velocity;
    let normal_impulse = (c.normal_impulse + lacking * c.effective_mass.normal).max(0.0);
    if normal_impulse == 0.0 && c.normal_impulse == 0.0 && c.tangent_impulse == DVec3::ZERO {
        return;
    }
    let change = c.normal * (normal_impulse - c.normal_impulse);
    c.normal_impulse = normal_impulse;
    a.velocity += change * a.inverse_mass;
    b.velocity -= change * b.inverse_mass;
    let slip = a.velocity - b.velocity - (a.spin * ra + b.spin * rb).cross(c.normal);
    let tangent_velocity = slip - c.normal * slip.dot(c.normal);
    let most = law.friction * normal_impulse;
    let tangent_impulse = c.tangent_impulse - tangent_velocity * c.effective_mass.tangent;
    let tangent_impulse = tangent_impulse.clamp_length_max(most);
    let change = tangent_impulse - c.tangent_impulse;
    c.tangent_impulse = tangent_impulse;
    a.velocity += change * a.inverse_mass;
    b.velocity -= change * b.inverse_mass;
    let torque = c.normal.cross(change);
    a.spin -= torque * (ra * a.inverse_inertia);
    b.spin -= torque * (rb * b.inverse_inertia);
    let most = law.rolling * c.rolling_radius() * normal_impulse;
    let rolling_impulse = c.rolling_impulse - (a.spin - b.spin) * c.effective_mass.rolling;
    let rolling_impulse = rolling_impulse.clamp_length_max(most);
    let change = rolling_impulse - c.rolling_impulse;
    c.rolling_impulse = rolling_impulse;
    a.spin += change * a.inverse_inertia;
    b.spin -= change * b.inverse_inertia;
    (bodies.list[i].velocity, bodies.list[i].spin) = (a.velocity, a.spin);
    (bodies.list[j].velocity, bodies.list[j].spin) = (b.velocity, b.spin);
}

/// Solves a contact of a chunk: the normal impulse, then friction and rolling resistance together.
#[inline(always)]
fn solve_with_arms(
    bodies: &mut SolverBodies,
    (c, lever): (&mut ContactConstraint, &LeverArms),
    law: &Law,
) {
    let [i, j] = c.solver_bodies.map(|i| i as usize);
    let (mut a, mut b) = (bodies.list[i], bodies.list[j]);
    let [arm, other_arm] = lever.arms;
    let relative_velocity = |a: &SolverBody, b: &SolverBody| {
        a.velocity - b.velocity + a.spin.cross(arm) - b.spin.cross(other_arm)
    };
    let lacking = c.least_normal_velocity - relative_velocity(&a, &b).dot(c.normal);
    let normal_impulse = (c.normal_impulse + lacking * c.effective_mass.normal).max(0.0);
    if normal_impulse == 0.0 && c.normal_impulse == 0.0 && c.tangent_impulse == DVec3::ZERO {
        return;
    }
    let change = normal_impulse - c.normal_impulse;
    c.normal_impulse = normal_impulse;
    a.velocity += c.normal * (change * a.inverse_mass);
    b.velocity -= c.normal * (change * b.inverse_mass);
    a.spin += lever.spins[0] * change;
    b.spin -= lever.spins[1] * change;
    // Both see the velocities after the normal impulse.
    let slip = relative_velocity(&a, &b);
    let tangent_velocity = slip - c.normal * slip.dot(c.normal);
    let tangent_impulse = c.tangent_impulse - tangent_velocity * c.effective_mass.tangent;
    let tangent_impulse = tangent_impulse.clamp_length_max(law.friction * normal_impulse);
    let most = law.rolling * c.rolling_radius() * normal_impulse;
    let rolling_impulse = c.rolling_impulse - (a.spin - b.spin) * c.effective_mass.rolling;
    let rolling_impulse = rolling_impulse.clamp_length_max(most);
    let tangent_change = tangent_impulse - c.tangent_impulse;
    let rolling_change = rolling_impulse - c.rolling_impulse;
    (c.tangent_impulse, c.rolling_impulse) = (tangent_impulse, rolling_impulse);
    a.velocity += tangent_change * a.inverse_mass;
    b.velocity -= tangent_change * b.inverse_mass;
    a.spin += bodies.spin_change(&a, arm.cross(tangent_change) + rolling_change);
    b.spin -= bodies.spin_change(&b, other_arm.cross(tangent_change) + rolling_change);
    (bodies.list[i].velocity, bodies.list[i].spin) = (a.velocity, a.spin);
    (bodies.list[j].velocity, bodies.list[j].spin) = (b.velocity, b.spin);
}
