//! One tick of all bodies.
use super::advance::{advance, limit, limit_all};
use super::contact::{Contact, Motion, Motions};
use super::find::{self, Part, Sleepers};
use super::{Body, Debris, NEW, impact, sleep, solve};
use crate::bvh::QueryStats;
use crate::world::World;
use glam::DVec3;
use rayon::prelude::*;

/// How bodies answer contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// Part of the approach speed that a bounce keeps, 0..=1.
    pub restitution: f64,
    /// Coulomb's μ.
    pub friction: f64,
    /// Rolling resistance as a lever arm in radii.
    pub rolling: f64,
}

impl Default for Law {
    /// Stone on stone.
    fn default() -> Self {
        Self {
            restitution: 0.3,
            friction: 0.5,
            // Crumbs are rough.
            rolling: 0.2,
        }
    }
}

/// What acts on bodies in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forces {
    /// Length of the tick, seconds.
    pub secs: f64,
    /// Metres a second squared, downwards.
    pub gravity: f64,
    /// Gap kept before a surface, metres; a sphere keeps at most a tenth of its radius.
    pub buffer: f64,
    /// How they answer contacts.
    pub law: Law,
}

/// Old and new contacts are the same if their normals turned by no more than this cosine.
const SAME_NORMAL: f64 = 0.9;

/// Advances every waking body by one tick.
pub fn step(debris: &mut Debris, world: &World, forces: &Forces, stats: &mut QueryStats) {
    if debris.awake.is_empty() {
        // Nothing presses on anything that will be asked about.
        debris.contacts.clear();
        return;
    }
    if std::mem::take(&mut debris.is_stale) {
        debris.sleepers = Sleepers::of(&debris.bodies);
    }
    let fall = DVec3::NEG_Y * (forces.gravity * forces.secs);
    let mut motions = Motions {
        list: vec![Motion::FIXED; debris.bodies.len() + 1],
        tensors: Vec::new(),
    };
    let mut awake = std::mem::take(&mut debris.awake);
    let before = awake.len();
    let found = {
        let (bodies, sleepers) = (&debris.bodies, &debris.sleepers);
        let mut start = |body: u32| {
            motions.admit(body, &bodies[body as usize]);
            let motion = &mut motions.list[body as usize];
            motion.velocity += fall;
            limit(motion);
            *motion
        };
        find::find(
            bodies,
            &mut awake,
            (sleepers, &mut debris.clear),
            world,
            forces,
            &mut start,
            stats,
        )
    };
    let mut contacts = found.contacts;
    for c in &mut contacts {
        motions.weigh(c);
    }
    remember(debris, &mut contacts);
    let mut offsets = vec![DVec3::ZERO; debris.bodies.len()];
    impact::collide(&mut motions, &contacts, &mut offsets, forces);
    fly(&contacts, &awake, &mut offsets, fall * forces.secs);
    aim(&mut contacts, &offsets, forces.secs);
    solve::warm_up(&mut motions, &contacts);
    solve::solve(&mut motions, &mut contacts, &forces.law);
    limit_all(&mut motions);
    let pushes = solve::push_apart(&motions, &contacts, forces);
    if std::mem::take(&mut debris.is_renumbered) {
        for (i, body) in (0u32..).zip(&mut debris.bodies) {
            body.slot = i;
        }
    }
    // By body: its parts, if it moves.
    let mut parts: Vec<&[Part]> = vec![&[]; debris.bodies.len()];
    for own in found.parts.chunk_by(|a, b| a.body == b.body) {
        parts[own[0].body as usize] = own;
    }
    let tick = |(index, (body, parts)): (usize, (&mut Body, &&[Part]))| {
        let mut stats = QueryStats::default();
        if parts.is_empty() {
            return stats;
        }
        let motion = &motions.list[index];
        let push = pushes.as_ref().map(|p| p.list[index]);
        let (shift, turn) = push.map_or((DVec3::ZERO, DVec3::ZERO), |p| (p.velocity, p.spin));
        (body.previous, body.previous_rotation) = (body.position, body.rotation);
        (body.velocity, body.spin) = (motion.velocity, motion.spin);
        let path = (motion.velocity + shift) * forces.secs + offsets[index];
        advance(body, path, turn, parts, forces.secs, world, &mut stats);
        stats
    };
    let bodies = debris.bodies.par_iter_mut().with_min_len(256);
    let cost = bodies.zip(&parts).enumerate().map(tick);
    let none = QueryStats::default;
    let cost = cost.reduce(none, |a, b| QueryStats {
        bins: a.bins + b.bins,
        faces: a.faces + b.faces,
    });
    stats.bins += cost.bins;
    stats.faces += cost.faces;
    settle(debris, awake, before, contacts);
}

/// Contacts go on from what the same ones came to in the last tick.
fn remember(debris: &Debris, contacts: &mut [Contact]) {
    if debris.contacts.is_empty() {
        return;
    }
    let slot = |body: u32| match body {
        Contact::WORLD => Contact::WORLD,
        body if debris.is_renumbered => debris.bodies[body as usize].slot,
        body => body,
    };
    for c in contacts {
        let me = slot(c.bodies[0]);
        let other = slot(c.bodies[1]);
        if me == NEW || (other == NEW && c.bodies[1] != Contact::WORLD) {
            continue;
        }
        let Some(&(from, to)) = debris.held.get(me as usize) else {
            continue;
        };
        let held = &debris.contacts[from as usize..to as usize];
        let is_same = |old: &&Contact| {
            old.bodies[1] == other && old.parts == c.parts && old.normal.dot(c.normal) > SAME_NORMAL
        };
        if let Some(old) = held.iter().find(is_same) {
            c.push = old.push;
            c.drag = old.drag - c.normal * old.drag.dot(c.normal);
            c.twist = old.twist;
        }
    }
}

/// What nothing holds flies along its parabola: x = v t + a t²/2 with v before the tick, so half a tick's fall less than
/// the last velocity says. `fall` is a tick's fall in metres, from rest, twice.
fn fly(contacts: &[Contact], awake: &[u32], offsets: &mut [DVec3], fall: DVec3) {
    let near = fall.length();
    let mut is_held = vec![false; offsets.len()];
    for c in contacts.iter().filter(|c| c.gap <= near) {
        for body in c.bodies.into_iter().filter(|&b| b != Contact::WORLD) {
            is_held[body as usize] = true;
        }
    }
    for &body in awake.iter().filter(|&&body| !is_held[body as usize]) {
        offsets[body as usize] -= fall * 0.5;
    }
}

/// The least speed of each contact: the gap may be closed within the tick, and no more.
fn aim(contacts: &mut [Contact], offsets: &[DVec3], secs: f64) {
    let of = |body: u32| match body {
        Contact::WORLD => DVec3::ZERO,
        body => offsets[body as usize],
    };
    for c in contacts {
        let gap = c.gap + (of(c.bodies[0]) - of(c.bodies[1])).dot(c.normal);
        c.least = -gap.max(0.0) / secs;
    }
}

/// Bodies return to their places; who rests falls asleep, and who leaned on something that moved off wakes.
fn settle(debris: &mut Debris, mut awake: Vec<u32>, before: usize, contacts: Vec<Contact>) {
    let count = debris.bodies.len();
    let mut is_touching = vec![false; count];
    for c in contacts.iter().filter(|c| c.push > 0.0) {
        for body in c.bodies.into_iter().filter(|&b| b != Contact::WORLD) {
            is_touching[body as usize] = true;
        }
    }
    let mut has_left = vec![false; count];
    let woken = &awake[before..];
    debris.is_stale |= !woken.is_empty();
    for &index in &awake {
        let index = index as usize;
        let body = &mut debris.bodies[index];
        if body.asleep {
            body.wake();
            body.anchor = body.previous;
        }
        has_left[index] = sleep::rest(body, is_touching[index]);
        debris.is_stale |= body.asleep;
    }
    awake.sort_unstable();
    for c in contacts.iter().filter(|c| c.bodies[1] != Contact::WORLD) {
        let [a, b] = c.bodies;
        // What lies on somebody is held by him: its normal from him points upwards.
        for (from, other, up) in [(a, b, -c.normal.y), (b, a, c.normal.y)] {
            let body = &mut debris.bodies[other as usize];
            if has_left[from as usize] && body.asleep && up > sleep::LEANS {
                body.wake();
                awake.push(other);
                debris.is_stale = true;
            }
        }
    }
    let bodies = &debris.bodies;
    awake.retain(|&i| !bodies[i as usize].asleep);
    awake.sort_unstable();
    awake.dedup();
    debris.awake = awake;
    debris.held.clear();
    debris.held.resize(count, (0, 0));
    let mut at = 0u32;
    for own in contacts.chunk_by(|x, y| x.bodies[0] == y.bodies[0]) {
        let end = at + own.len() as u32;
        debris.held[own[0].bodies[0] as usize] = (at, end);
        at = end;
    }
    debris.contacts = contacts;
}
