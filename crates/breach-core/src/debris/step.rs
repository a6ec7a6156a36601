//! One tick of all bodies.
use super::advance::{Pose, advance, limit, limit_all};
use super::contact::{Contact, Contacts, Motion, Motions};
use super::find::{self, Found, Mover, NOBODY};
use super::walls::Surroundings;
use super::{Debris, NEW, impact, sleep, solve};
use crate::bvh::QueryStats;
use crate::collide::Layers;
use crate::geom::parallel;
use crate::world::World;
use glam::DVec3;

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
    /// Which of crumbs and chunks meet.
    pub layers: Layers,
    /// Whether what rests falls asleep. It does in play; who measures beside what never sleeps says no.
    pub sleeps: bool,
}

impl Forces {
    fn check(&self) {
        let Law {
            restitution,
            friction,
            rolling,
        } = self.law;
        assert!(self.secs.is_finite() && self.secs > 0.0);
        assert!(self.gravity.is_finite() && self.buffer >= 0.0);
        assert!((0.0..=1.0).contains(&restitution) && friction >= 0.0 && rolling >= 0.0);
    }
}

/// Old and new contacts are the same if their normals turned by no more than this cosine.
const SAME_NORMAL: f64 = 0.9;

/// Advances every waking body by one tick.
///
/// # Panics
/// Where the forces are no such numbers as [`Forces`] and [`Law`] say.
pub fn step(debris: &mut Debris, world: &World, forces: &Forces, stats: &mut QueryStats) {
    forces.check();
    if debris.awake.is_empty() {
        // Nothing presses on anything that will be asked about.
        forget(debris);
        return;
    }
    if debris.is_changed {
        debris.places.of(&debris.bodies);
    }
    let fall = DVec3::NEG_Y * (forces.gravity * forces.secs);
    let start = |motion: &mut Motion| {
        motion.velocity += fall;
        limit(motion);
    };
    let mut motions = Motions::default();
    let mut awake = std::mem::take(&mut debris.awake);
    let Found {
        mut contacts,
        movers,
        parts,
        surroundings,
    } = find::find(
        &debris.bodies,
        &mut awake,
        &mut debris.places,
        world,
        forces,
        (&mut motions, &start),
        stats,
    );
    for (body, learnt) in surroundings {
        debris.bodies[body as usize].surroundings = learnt;
    }
    let step = fall * forces.secs;
    let mut is_held = vec![false; motions.list.len()];
    for c in &mut contacts.list {
        c.places = motions.places(c, &debris.places.movers);
        motions.weigh(c, &mut contacts.levers);
        remember(debris, c);
        if c.gap <= step.length() {
            c.places.iter().for_each(|&i| is_held[i as usize] = true);
        }
    }
    let mut offsets = vec![DVec3::ZERO; motions.list.len()];
    impact::collide(&mut motions, &contacts, &mut offsets, forces);
    fly(&is_held, &mut offsets, step);
    solve::warm_up(&mut motions, &mut contacts, &offsets, forces.secs);
    solve::solve(&mut motions, &mut contacts, &forces.law);
    limit_all(&mut motions);
    let pushes = solve::push_apart(&mut motions, &contacts, forces);
    let tick = |(place, mover): (usize, &Mover)| {
        let mut stats = QueryStats::default();
        let motion = &motions.list[place];
        let push = pushes.as_ref().map(|p| p[place]);
        let (shift, turn) = push.map_or((DVec3::ZERO, DVec3::ZERO), |p| (p.velocity, p.spin));
        let path = (motion.velocity + shift) * forces.secs + offsets[place];
        let body = &debris.bodies[mover.body as usize];
        let parts = mover.parts(&parts);
        let turns = (motion.spin, turn);
        let pose = advance(body, path, turns, parts, forces.secs, world, &mut stats);
        (pose, stats)
    };
    let poses: Vec<(Pose, QueryStats)> =
        parallel::map(movers.len(), 64, |number| tick((number, &movers[number])));
    for ((mover, motion), (pose, cost)) in movers.iter().zip(&motions.list).zip(poses) {
        let body = &mut debris.bodies[mover.body as usize];
        (body.previous, body.previous_rotation) = (body.position, body.rotation);
        (body.position, body.rotation) = (pose.position, pose.rotation);
        (body.velocity, body.spin) = (motion.velocity, pose.spin);
        debug_assert!(body.is_sound(), "{body:?}");
        stats.bins += cost.bins;
        stats.faces += cost.faces;
    }
    settle(debris, awake, &movers, contacts, forces.sleeps);
}

/// A contact goes on from what the same one came to in the last tick.
#[inline]
fn remember(debris: &Debris, c: &mut Contact) {
    let slot = |body: u32| match body {
        Contact::WORLD => Contact::WORLD,
        body if debris.is_changed => debris.bodies[body as usize].slot,
        body => body,
    };
    let [me, other] = c.bodies.map(slot);
    if me == NEW || (other == NEW && c.bodies[1] != Contact::WORLD) {
        return;
    }
    let Some(&(from, to)) = debris.held.get(me as usize) else {
        return;
    };
    let is_same = |old: &&Contact| {
        old.bodies[1] == other && old.parts == c.parts && old.normal.dot(c.normal) > SAME_NORMAL
    };
    let mut held = debris.contacts.list[from as usize..to as usize].iter();
    if let Some(old) = held.find(is_same) {
        c.push = old.push;
        c.drag = old.drag - c.normal * old.drag.dot(c.normal);
        c.twist = old.twist;
    }
}

/// What nothing holds flies along its parabola: x = v t + a t²/2 with v before the tick, so half a tick's fall less than
/// the last velocity says. `fall` is a tick's fall in metres, from rest, twice.
fn fly(is_held: &[bool], offsets: &mut [DVec3], fall: DVec3) {
    let movers = offsets.len() - 1;
    for (offset, is_held) in offsets[..movers].iter_mut().zip(is_held) {
        if !is_held {
            *offset -= fall * 0.5;
        }
    }
}

/// Who rests falls asleep, who was hit wakes, and who leaned on something that moved off wakes too.
fn settle(
    debris: &mut Debris,
    mut awake: Vec<u32>,
    movers: &[Mover],
    contacts: Contacts,
    sleeps: bool,
) {
    // The last one is the world.
    let mut is_touching = vec![false; movers.len() + 1];
    // Of two bodies: who they are, their places, and how far the normal rises.
    let mut leaning = Vec::with_capacity(contacts.list.len());
    for c in &contacts.list {
        if c.push > 0.0 {
            let touch = |&place: &u32| is_touching[place as usize] = true;
            c.places.iter().for_each(touch);
        }
        if c.bodies[1] != Contact::WORLD && c.normal.y.abs() > sleep::LEANS {
            leaning.push((c.bodies, c.places, c.normal.y));
        }
    }
    let mut has_left = vec![false; movers.len() + 1];
    for &index in &awake {
        let body = &mut debris.bodies[index as usize];
        if body.asleep {
            body.wake();
            body.anchor = body.previous;
        }
    }
    for (place, mover) in movers.iter().enumerate() {
        let body = &mut debris.bodies[mover.body as usize];
        has_left[place] = sleep::rest(body, sleeps && is_touching[place]);
        if body.asleep {
            body.surroundings = Surroundings::default();
            debris.places.rest(mover.body);
        }
        debris.places.movers[mover.body as usize] = NOBODY;
    }
    for (both, places, rise) in leaning {
        // What lies on somebody is held by him: its normal from him points upwards.
        let (holds, lies) = if rise > 0.0 { (1, 0) } else { (0, 1) };
        let body = &mut debris.bodies[both[lies] as usize];
        if has_left[places[holds] as usize] && body.asleep {
            body.wake();
            awake.push(both[lies]);
        }
    }
    let bodies = &debris.bodies;
    awake.retain(|&i| !bodies[i as usize].asleep);
    awake.sort_unstable();
    awake.dedup();
    debug_assert!(
        (0u32..)
            .zip(bodies)
            .all(|(i, body)| body.asleep != awake.binary_search(&i).is_ok()),
        "all that do not sleep are awake"
    );
    debris.awake = awake;
    keep(debris, contacts);
}

/// Lets the contacts of the last tick go.
fn forget(debris: &mut Debris) {
    debris.contacts = Contacts::default();
    for body in debris.holders.drain(..) {
        // Those of a tick with more bodies are gone with their places.
        if let Some(held) = debris.held.get_mut(body as usize) {
            *held = (0, 0);
        }
    }
}

/// The contacts stay for the next tick, by the places that bodies have now.
fn keep(debris: &mut Debris, contacts: Contacts) {
    if std::mem::take(&mut debris.is_changed) {
        for (i, body) in (0u32..).zip(&mut debris.bodies) {
            body.slot = i;
        }
        debris.held.clear();
        debris.held.resize(debris.bodies.len(), (0, 0));
    }
    forget(debris);
    let mut at = 0u32;
    for own in contacts.list.chunk_by(|x, y| x.bodies[0] == y.bodies[0]) {
        let end = at + own.len() as u32;
        let holder = own[0].bodies[0];
        debris.held[holder as usize] = (at, end);
        debris.holders.push(holder);
        at = end;
    }
    debris.contacts = contacts;
}
