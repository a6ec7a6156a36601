//! The impulses that keep apart what touches, with friction and rolling resistance; and the pushes that part what
//! overlaps, which are no momentum.
use super::contact::{Contact, Contacts, Lever, Motion, Motions};
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

/// Starts from the impulses that the contacts bring along. The gap of each may be closed within the tick, and no more.
pub(super) fn warm_up(
    motions: &mut Motions,
    contacts: &mut Contacts,
    offsets: &[DVec3],
    secs: f64,
) {
    let Contacts { list, levers } = contacts;
    for c in list {
        let [mine, theirs] = c.places.map(|place| offsets[place as usize]);
        let gap = c.gap + (mine - theirs).dot(c.normal);
        c.least = -gap.max(0.0) / secs;
        if c.push > 0.0 {
            let lever = levers.get(c.lever as usize);
            motions.strike(c, lever, c.normal * c.push + c.drag);
            motions.twist(c, c.twist);
        }
    }
}

/// Finds the impulses, round by round.
pub(super) fn solve(motions: &mut Motions, contacts: &mut Contacts, law: &Law) {
    let Contacts { list, levers } = contacts;
    for _ in 0..ROUNDS {
        for c in list.iter_mut() {
            match levers.get(c.lever as usize) {
                None => solve_balls(motions, c, law),
                Some(lever) => solve_chunks(motions, (c, lever), law),
            }
        }
    }
}

/// All three impulses of two balls at once: they are most of what there is, and nothing but the spin sees the arms.
#[inline(always)]
fn solve_balls(motions: &mut Motions, c: &mut Contact, law: &Law) {
    let [la, lb] = c.reach;
    let [i, j] = c.places.map(|place| place as usize);
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
    let most = law.rolling * c.roll_radius() * push;
    let twist = (c.twist - (a.spin - b.spin) * c.masses[2]).clamp_length_max(most);
    let change = twist - c.twist;
    c.twist = twist;
    a.spin += change * a.ease;
    b.spin -= change * b.ease;
    (motions.list[i].velocity, motions.list[i].spin) = (a.velocity, a.spin);
    (motions.list[j].velocity, motions.list[j].spin) = (b.velocity, b.spin);
}

/// The same of anything else: along the normal no nearer than touching, and never pulled; across it the slip ends as far as
/// Coulomb allows; about it, rolling resistance, a torque against what turns one on the other.
#[inline(always)]
fn solve_chunks(motions: &mut Motions, (c, lever): (&mut Contact, &Lever), law: &Law) {
    let [i, j] = c.places.map(|place| place as usize);
    let (mut a, mut b) = (motions.list[i], motions.list[j]);
    let [arm, other_arm] = lever.arms;
    let slip = |a: &Motion, b: &Motion| {
        a.velocity - b.velocity + a.spin.cross(arm) - b.spin.cross(other_arm)
    };
    let lacking = c.least - slip(&a, &b).dot(c.normal);
    let push = (c.push + lacking * c.masses[0]).max(0.0);
    if push == 0.0 && c.push == 0.0 && c.drag == DVec3::ZERO {
        return;
    }
    let change = push - c.push;
    c.push = push;
    a.velocity += c.normal * (change * a.lightness);
    b.velocity -= c.normal * (change * b.lightness);
    a.spin += lever.spins[0] * change;
    b.spin -= lever.spins[1] * change;
    // Both as the push has left them.
    let slip = slip(&a, &b);
    let across = slip - c.normal * slip.dot(c.normal);
    let drag = (c.drag - across * c.masses[1]).clamp_length_max(law.friction * push);
    let most = law.rolling * c.roll_radius() * push;
    let twist = (c.twist - (a.spin - b.spin) * c.masses[2]).clamp_length_max(most);
    let (pull, turn) = (drag - c.drag, twist - c.twist);
    (c.drag, c.twist) = (drag, twist);
    a.velocity += pull * a.lightness;
    b.velocity -= pull * b.lightness;
    a.spin += motions.turn(&a, arm.cross(pull) + turn);
    b.spin -= motions.turn(&b, other_arm.cross(pull) + turn);
    (motions.list[i].velocity, motions.list[i].spin) = (a.velocity, a.spin);
    (motions.list[j].velocity, motions.list[j].spin) = (b.velocity, b.spin);
}

/// A contact that holds while overlaps are pushed apart.
struct Press {
    places: [u32; 2],
    normal: DVec3,
    /// One over what a unit push changes.
    mass: f64,
    /// At which it must part at least.
    speed: f64,
    given: f64,
    /// Its number, if its arms matter.
    turns: Option<u32>,
}

/// Velocities, for this tick's move only, at which overlaps shrink: linear, and of chunks angular.
pub(super) fn push_apart(
    motions: &mut Motions,
    contacts: &Contacts,
    forces: &Forces,
) -> Option<Vec<Motion>> {
    let mut is_needed = false;
    let mut pressing: Vec<Press> = Vec::with_capacity(contacts.list.len());
    for (c, number) in contacts.list.iter().zip(0u32..) {
        let slop = SLOP * c.roll_radius();
        let overlap = -c.gap - slop;
        is_needed |= overlap > 0.0;
        // Contacts that touch hold against the pushes of their neighbours.
        if c.push > 0.0 || c.gap < slop {
            let speed = if overlap > 0.0 {
                (overlap * PUSH_SHARE / forces.secs).min(PUSH_SPEED)
            } else if c.push > 0.0 {
                // The velocity has used the gap up.
                0.0
            } else {
                overlap / forces.secs
            };
            pressing.push(Press {
                places: c.places,
                normal: c.normal,
                mass: c.masses[0],
                speed,
                given: 0.0,
                turns: (c.lever != Contact::CENTRAL).then_some(number),
            });
        }
    }
    if !is_needed {
        return None;
    }
    let still = |m: &Motion| Motion {
        velocity: DVec3::ZERO,
        spin: DVec3::ZERO,
        ..*m
    };
    let pushes: Vec<Motion> = motions.list.iter().map(still).collect();
    // They are found in the place of the real ones.
    let real = std::mem::replace(&mut motions.list, pushes);
    for _ in 0..PUSH_ROUNDS {
        for press in &mut pressing {
            let [i, j] = press.places.map(|place| place as usize);
            let parting = match press.turns {
                Some(number) => {
                    let c = &contacts.list[number as usize];
                    motions.parting(c, contacts.lever(c))
                }
                None => (motions.list[i].velocity - motions.list[j].velocity).dot(press.normal),
            };
            let given = (press.given + (press.speed - parting) * press.mass).max(0.0);
            let change = press.normal * (given - press.given);
            if given == press.given {
                continue;
            }
            press.given = given;
            if let Some(number) = press.turns {
                let c = &contacts.list[number as usize];
                motions.strike(c, contacts.lever(c), change);
                continue;
            }
            let [light, other] = [i, j].map(|k| motions.list[k].lightness);
            motions.list[i].velocity += change * light;
            motions.list[j].velocity -= change * other;
        }
    }
    Some(std::mem::replace(&mut motions.list, real))
}
