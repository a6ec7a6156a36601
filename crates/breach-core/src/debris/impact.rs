//! Collisions that bounce, at the time within the tick at which they happen.
//!
//! A body falls from where it is to the contact, turns round there, and flies on for the rest of the tick: its velocity
//! changes by J/m, and its place at the end by J/m times what was left of the tick. Since a body's move is its last
//! velocity times the whole tick, the difference, -J/m times the time before the collision, is kept as an offset. So a
//! ball that falls from h bounces to e² h whatever the tick.
use super::contact::{Contact, Contacts, Lever, Motions};
use super::step::Forces;
use glam::DVec3;

/// Slower than this, metres a second, nothing bounces: it stays down.
pub const BOUNCE_SPEED: f64 = 0.5;
/// Rounds of collisions in a tick: a cradle of as many balls hands its blow on within one tick.
const ROUNDS: usize = 8;

/// Answers all collisions; `offsets` are added to the moves of the bodies.
pub(super) fn collide(
    motions: &mut Motions,
    contacts: &Contacts,
    offsets: &mut [DVec3],
    forces: &Forces,
) {
    // The world, the last one, is never struck.
    let movers = offsets.len() - 1;
    let ends: Vec<[u32; 2]> = contacts.list.iter().map(|c| c.places).collect();
    let mut is_struck = vec![true; offsets.len()];
    for _ in 0..ROUNDS {
        // What was struck in the last round may strike others.
        let mut next = vec![false; offsets.len()];
        let mut again = false;
        for (places, c) in ends.iter().zip(&contacts.list) {
            let concerned = places.iter().any(|&place| is_struck[place as usize]);
            if concerned && bounce(motions, (c, contacts.lever(c)), offsets, forces) {
                places.iter().for_each(|&place| next[place as usize] = true);
                again = true;
            }
        }
        if !again {
            return;
        }
        next[movers] = false;
        is_struck = next;
    }
}

/// One collision; whether there was one.
fn bounce(
    motions: &mut Motions,
    (c, lever): (&Contact, Option<&Lever>),
    offsets: &mut [DVec3],
    forces: &Forces,
) -> bool {
    let end = motions.parting(c, lever);
    if end >= -BOUNCE_SPEED {
        return false;
    }
    let Some((time, speed)) = meeting(motions, c, end, offsets, forces) else {
        return false;
    };
    if speed <= BOUNCE_SPEED {
        return false;
    }
    let push = (1.0 + forces.law.restitution) * speed * c.masses[0];
    let slip = motions.slip(c, lever);
    let across = slip - c.normal * slip.dot(c.normal);
    let drag = (across * -c.masses[1]).clamp_length_max(forces.law.friction * push);
    let impulse = c.normal * push + drag;
    motions.strike(c, lever, impulse);
    for (place, sign) in c.places.into_iter().zip([-1.0, 1.0]) {
        let lightness = motions.list[place as usize].lightness;
        offsets[place as usize] += impulse * (sign * lightness * time);
    }
    true
}

/// When they meet within the tick, seconds, and how fast: gap + s t + g t²/2 = 0, s the speed of parting at the start
/// and g what gravity adds to it each second.
fn meeting(
    motions: &Motions,
    c: &Contact,
    end: f64,
    offsets: &[DVec3],
    forces: &Forces,
) -> Option<(f64, f64)> {
    let [a, b] = c
        .places
        .map(|place| motions.list[place as usize].lightness > 0.0);
    let pull = match (a, b) {
        (true, false) => -forces.gravity * c.normal.y,
        (false, true) => forces.gravity * c.normal.y,
        _ => 0.0,
    };
    let [mine, theirs] = c.places.map(|place| offsets[place as usize]);
    let gap = c.gap + (mine - theirs).dot(c.normal);
    let start = end - pull * forces.secs;
    if gap <= 0.0 {
        return (start < 0.0).then_some((0.0, -start));
    }
    let square = start * start - 2.0 * pull * gap;
    let root = square.max(0.0).sqrt();
    if square < 0.0 || root - start <= 0.0 {
        return None;
    }
    let time = 2.0 * gap / (root - start);
    (time <= forces.secs).then_some((time, root))
}
