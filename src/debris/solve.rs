//! The impulses that keep apart what touches, with friction and rolling resistance; and the pushes that part what
//! overlaps, which are no momentum.
use super::contact::{Contact, Motion, Motions};
use super::step::{Forces, Law};
use glam::DVec3;

/// Rounds of impulses in a tick; each starts from what the last tick came to.
const ROUNDS: usize = 6;
/// Rounds of pushes in a tick.
const PUSH_ROUNDS: usize = 3;
/// Part of an overlap that is pushed apart in a tick.
const PUSH_SHARE: f64 = 0.2;
/// Nothing is pushed apart faster, metres a second.
const PUSH_SPEED: f64 = 1.0;
/// Overlap that is left alone, as a part of the smaller sphere's radius: touching contacts stay touching.
const SLOP: f64 = 0.01;

/// Starts from the impulses that the contacts bring along.
pub(super) fn warm_up(motions: &mut Motions, contacts: &[Contact]) {
    for c in contacts {
        if c.push > 0.0 {
            motions.strike(c, c.normal * c.push + c.drag);
            motions.twist(c, c.twist);
        }
    }
}

/// Finds the impulses, round by round.
pub(super) fn solve(motions: &mut Motions, contacts: &mut [Contact], law: &Law) {
    for _ in 0..ROUNDS {
        for c in contacts.iter_mut() {
            if let Some(reach) = c.central {
                solve_balls(motions, c, reach, law);
                continue;
            }
            press(motions, c);
            if c.push > 0.0 || c.drag != DVec3::ZERO {
                grip(motions, c, law.friction * c.push);
                resist(motions, c, law.rolling * c.roll_radius * c.push);
            }
        }
    }
}

/// All three impulses of two balls at once: they are most of what there is, and nothing but the spin sees the arms.
#[inline(always)]
fn solve_balls(motions: &mut Motions, c: &mut Contact, [la, lb]: [f64; 2], law: &Law) {
    let [i, j] = c.bodies.map(|body| motions.place(body));
    let (mut a, mut b) = (motions.list[i], motions.list[j]);
    let parting = (a.velocity - b.velocity).dot(c.normal);
    let push = (c.push + (c.least - parting) * c.masses[0]).max(0.0);
    if push == 0.0 && c.push == 0.0 && c.drag == DVec3::ZERO {
        return;
    }
    let along = c.normal * (push - c.push);
    c.push = push;
    a.velocity += along * a.lightness;
    b.velocity -= along * b.lightness;
    let slip = a.velocity - b.velocity - (a.spin * la + b.spin * lb).cross(c.normal);
    let across = slip - c.normal * slip.dot(c.normal);
    let most = law.friction * push;
    let drag = (c.drag - across * c.masses[1]).clamp_length_max(most);
    let change = drag - c.drag;
    c.drag = drag;
    a.velocity += change * a.lightness;
    b.velocity -= change * b.lightness;
    let about = c.normal.cross(change);
    a.spin -= about * (la * a.ease);
    b.spin -= about * (lb * b.ease);
    let most = law.rolling * c.roll_radius * push;
    let twist = (c.twist - (a.spin - b.spin) * c.masses[2]).clamp_length_max(most);
    let change = twist - c.twist;
    c.twist = twist;
    a.spin += change * a.ease;
    b.spin -= change * b.ease;
    (motions.list[i].velocity, motions.list[i].spin) = (a.velocity, a.spin);
    (motions.list[j].velocity, motions.list[j].spin) = (b.velocity, b.spin);
}

/// Along the normal: no nearer than touching, and never pulled.
#[inline(always)]
fn press(motions: &mut Motions, c: &mut Contact) {
    let lacking = c.least - motions.parting(c);
    let push = (c.push + lacking * c.masses[0]).max(0.0);
    let change = push - c.push;
    if change != 0.0 {
        c.push = push;
        motions.strike(c, c.normal * change);
    }
}

/// Across the normal: ends the slip as far as Coulomb allows.
#[inline(always)]
fn grip(motions: &mut Motions, c: &mut Contact, most: f64) {
    let slip = motions.slip(c);
    let across = slip - c.normal * slip.dot(c.normal);
    let drag = (c.drag - across * c.masses[1]).clamp_length_max(most);
    let change = drag - c.drag;
    c.drag = drag;
    motions.strike(c, change);
}

/// Rolling resistance: a torque against what turns one on the other.
#[inline(always)]
fn resist(motions: &mut Motions, c: &mut Contact, most: f64) {
    let [a, b] = c.bodies.map(|body| motions.list[motions.place(body)].spin);
    let twist = (c.twist - (a - b) * c.masses[2]).clamp_length_max(most);
    let change = twist - c.twist;
    c.twist = twist;
    motions.twist(c, change);
}

/// Velocities, for this tick's move only, at which overlaps shrink: linear, and of chunks angular.
pub(super) fn push_apart(
    motions: &Motions,
    contacts: &[Contact],
    forces: &Forces,
) -> Option<Motions> {
    let slop = |c: &Contact| SLOP * c.roll_radius;
    if contacts.iter().all(|c| c.gap >= -slop(c)) {
        return None;
    }
    let still = |m: &Motion| Motion {
        velocity: DVec3::ZERO,
        spin: DVec3::ZERO,
        ..*m
    };
    let mut pushes = Motions {
        list: motions.list.iter().map(still).collect(),
        tensors: motions.tensors.clone(),
    };
    // Contacts that touch hold against the pushes of their neighbours.
    let pressing: Vec<(&Contact, f64)> = contacts
        .iter()
        .filter(|c| c.push > 0.0 || c.gap < slop(c))
        .map(|c| {
            let overlap = -c.gap - slop(c);
            let speed = if overlap > 0.0 {
                (overlap * PUSH_SHARE / forces.secs).min(PUSH_SPEED)
            } else if c.push > 0.0 {
                // The velocity has used the gap up.
                0.0
            } else {
                overlap / forces.secs
            };
            (c, speed)
        })
        .collect();
    let mut given = vec![0.0; pressing.len()];
    for _ in 0..PUSH_ROUNDS {
        for ((c, speed), given) in pressing.iter().zip(&mut given) {
            let wanted = (*given + (speed - pushes.parting(c)) * c.masses[0]).max(0.0);
            let change = wanted - *given;
            if change != 0.0 {
                *given = wanted;
                pushes.strike(c, c.normal * change);
            }
        }
    }
    Some(pushes)
}
