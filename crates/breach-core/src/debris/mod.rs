//! Debris: rigid bodies of spheres that fall, tumble, pile up and come to rest.
//!
//! What a carve takes out of the wall flies off as crumbs, one sphere each ([`spawn`]); what it cuts free falls as a
//! chunk, up to 64 spheres inside its real faces ([`chunk`]). A tick ([`step`]) finds who may touch whom and what
//! before it ends (`find`, on the [`grid`]), answers collisions at their time (`impact`), finds the impulses that keep
//! everything else apart, with friction and rolling resistance (`solve`), and moves the bodies, each sphere stopped by
//! its own sweep (`advance`): a centre that starts in the air stays in the air. What rests falls asleep and costs
//! nothing until something touches it ([`sleep`]).
//!
//! Sequential impulses with what they came to in the last tick as a start (Catto, "Iterative Dynamics with Temporal
//! Coherence", 2005), and contacts that are seen before they happen. The order of everything is fixed; threads only
//! look. Metres, seconds, kilograms.
use crate::collide::Layer;
use crate::geom::hash::Hash64;
use glam::{DMat3, DQuat, DVec3};
use std::ops::Deref;
use std::sync::Arc;

mod advance;
pub mod chunk;
pub mod clearance;
mod contact;
mod find;
pub mod fracture;
pub mod grid;
mod impact;
mod pairs;
pub mod placement;
pub mod retire;
pub mod sleep;
mod solve;
pub mod spawn;
mod step;
#[cfg(test)]
mod tests;
mod walls;

pub use advance::buffered;
pub use chunk::Chunk;
use contact::Contacts;
pub use contact::{Contact, ContactView};
pub use find::WAKING_SPEED;
pub use step::{Forces, Law, step};

/// Kilograms a cubic metre: stone.
pub const DENSITY: f64 = 2500.0;

/// [`Body::material`] of an iron ball: nothing that a level is made of.
pub const IRON: u32 = u32::MAX;

/// A rigid body: a crumb, or a chunk of several spheres.
#[derive(Clone, Debug)]
pub struct Body {
    /// Centre of mass, metres.
    pub position: DVec3,
    /// Centre a tick ago.
    pub previous: DVec3,
    /// Orientation; of a chunk: world from its own axes.
    pub rotation: DQuat,
    /// Orientation a tick ago.
    pub previous_rotation: DQuat,
    /// Metres a second.
    pub velocity: DVec3,
    /// Radians a second, axes as the world's.
    pub spin: DVec3,
    /// Metres; of a chunk: around the centre, so that all its spheres are within.
    pub radius: f64,
    /// Rests and costs nothing.
    pub asleep: bool,
    /// What it is made of, or [`IRON`].
    pub material: u32,
    /// Kilograms a cubic metre; of a chunk its shape says what it weighs.
    pub density: f64,
    /// Number of the change that made it; 0 is none. Undo takes it away.
    pub operation: u64,
    /// Ticks for which it has stayed near `anchor`; see [`sleep`].
    pub still: u16,
    /// Ticks until it is gone; 0 stays. See [`retire`].
    pub fading: u16,
    /// Where it was when it last moved on, metres.
    pub anchor: DVec3,
    /// Its shape, if it is more than one sphere.
    pub chunk: Option<Arc<Chunk>>,
    /// Its place among the bodies of the last step; [`NEW`] before its first.
    slot: u32,
    /// What it has learnt of the surface around it, for speed alone.
    surroundings: walls::Surroundings,
}

/// [`Body::slot`] of a body that no step has seen.
const NEW: u32 = u32::MAX;

/// A sphere of a body in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Metres.
    pub centre: DVec3,
    /// Metres.
    pub radius: f64,
}

impl Body {
    /// A crumb at rest in the air, awake.
    pub fn new(position: DVec3, radius: f64, material: u32) -> Self {
        Self {
            position,
            previous: position,
            rotation: DQuat::IDENTITY,
            previous_rotation: DQuat::IDENTITY,
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            radius,
            asleep: false,
            material,
            density: DENSITY,
            operation: 0,
            still: 0,
            fading: 0,
            anchor: position,
            chunk: None,
            slot: NEW,
            surroundings: walls::Surroundings::default(),
        }
    }

    /// An iron ball of this mass in kilograms, at rest, awake.
    pub fn iron(position: DVec3, radius: f64, mass: f64) -> Self {
        Self {
            density: mass / (4.0 / 3.0 * std::f64::consts::PI * radius.powi(3)),
            ..Self::new(position, radius, IRON)
        }
    }

    /// A chunk at rest where it was cut out.
    pub fn of_chunk(position: DVec3, rotation: DQuat, chunk: Arc<Chunk>, material: u32) -> Self {
        Self {
            rotation,
            previous_rotation: rotation,
            chunk: Some(chunk.clone()),
            ..Self::new(position, chunk.radius, material)
        }
    }

    /// Kilograms.
    pub fn mass(&self) -> f64 {
        match &self.chunk {
            Some(chunk) => chunk.mass,
            // In this order, so that bits stay as they were.
            None => self.density * 4.0 / 3.0 * std::f64::consts::PI * self.radius.powi(3),
        }
    }

    /// Moments of inertia about its own axes, kg m².
    pub fn moments(&self) -> DVec3 {
        match &self.chunk {
            Some(chunk) => chunk.moments,
            None => DVec3::splat(0.4 * self.mass() * self.radius * self.radius),
        }
    }

    /// Moments of inertia, axes as the world's, kg m².
    pub fn inertia(&self) -> DMat3 {
        turned(self.rotation, self.moments())
    }

    /// Its kind.
    fn layer(&self) -> Layer {
        match self.chunk {
            Some(_) => Layer::Chunk,
            None => Layer::Debris,
        }
    }

    /// Number of spheres.
    pub fn ball_count(&self) -> usize {
        self.chunk.as_ref().map_or(1, |chunk| chunk.balls.len())
    }

    /// Its spheres, in a fixed order.
    pub fn balls(&self) -> impl Iterator<Item = Ball> + '_ {
        let own = Ball {
            centre: self.position,
            radius: self.radius,
        };
        let (crumb, parts) = match &self.chunk {
            Some(chunk) => (None, chunk.balls.as_slice()),
            None => (Some(own), [].as_slice()),
        };
        let parts = parts.iter().map(|ball| Ball {
            centre: self.position + self.rotation * ball.centre,
            radius: ball.radius,
        });
        crumb.into_iter().chain(parts)
    }

    /// All but its shape.
    fn hash_motion(&self, hash: &mut Hash64) {
        [self.position, self.velocity, self.spin, self.anchor]
            .iter()
            .for_each(|&v| hash.vec3(v));
        self.rotation.to_array().iter().for_each(|&x| hash.f64(x));
        hash.f64(self.radius);
        hash.u64(self.operation);
        hash.u64(
            u64::from(self.asleep) << 63 | u64::from(self.still) << 32 | u64::from(self.material),
        );
        if self.fading > 0 {
            hash.u64(u64::from(self.fading));
        }
        if self.density != DENSITY {
            hash.f64(self.density);
        }
    }

    /// Whether it is somewhere, turned some way and moves somehow.
    fn is_sound(&self) -> bool {
        let vectors = [self.position, self.velocity, self.spin];
        vectors.iter().all(|v| v.is_finite()) && self.rotation.is_normalized()
    }

    /// Wakes it, if it sleeps.
    pub fn wake(&mut self) {
        self.asleep = false;
        self.still = 0;
    }

    /// Moves it to another place, as if it had always been there.
    pub fn place(&mut self, position: DVec3) {
        (self.position, self.previous, self.anchor) = (position, position, position);
    }
}

/// A diagonal matrix seen from the world.
fn turned(rotation: DQuat, diagonal: DVec3) -> DMat3 {
    let axes = DMat3::from_quat(rotation);
    axes * DMat3::from_diagonal(diagonal) * axes.transpose()
}

/// All bodies, and what a tick leaves to the next.
#[derive(Clone, Debug, Default)]
pub struct Debris {
    bodies: Vec<Body>,
    /// Indices of those awake, rising.
    awake: Vec<u32>,
    /// Of the last step, by its places; those of a body stand together.
    contacts: Contacts,
    /// By a body's place in the last step: its part of `contacts`.
    held: Vec<(u32, u32)>,
    /// Whose part is not empty.
    holders: Vec<u32>,
    /// Bodies came or went, or were moved by others, since the last step: they have other places in it, and `places` knows
    /// nothing of it.
    is_changed: bool,
    /// Some bodies fade.
    is_fading: bool,
    places: find::Places,
}

impl Deref for Debris {
    type Target = [Body];
    fn deref(&self) -> &[Body] {
        &self.bodies
    }
}

/// The same bodies, whatever else is remembered.
impl PartialEq for Debris {
    fn eq(&self, other: &Self) -> bool {
        let bits = |debris: &Debris| {
            let mut hash = Hash64::new();
            debris.hash_into(&mut hash);
            hash.finish()
        };
        self.len() == other.len() && bits(self) == bits(other)
    }
}

impl Debris {
    /// Bodies awake.
    pub fn awake(&self) -> usize {
        self.awake.len()
    }

    /// Nothing moves or fades.
    pub fn is_still(&self) -> bool {
        self.awake.is_empty() && !self.is_fading
    }

    /// Contacts of the last step: bodies by their places, [`Contact::WORLD`] for the walls.
    pub fn contacts(&self) -> &[Contact] {
        if self.is_changed {
            return &[];
        }
        &self.contacts.list
    }

    /// [`Debris::contacts`] as they lie in the world; none where bodies came or went since.
    pub fn contact_views(&self) -> impl Iterator<Item = ContactView> + '_ {
        let view = |c: &Contact| ContactView {
            bodies: c.bodies,
            point: self.bodies[c.bodies[0] as usize].previous + self.contacts.arm(c),
            normal: c.normal,
            gap: c.gap,
            impulse: c.normal * c.push + c.drag,
        };
        self.contacts().iter().map(view)
    }

    /// Changes the list of bodies or what they do in any way between two steps.
    pub fn change<R>(&mut self, change: impl FnOnce(&mut Vec<Body>) -> R) -> R {
        let result = change(&mut self.bodies);
        let bodies = (0u32..).zip(&self.bodies);
        self.awake = bodies.filter(|(_, b)| !b.asleep).map(|(i, _)| i).collect();
        self.is_fading = self.bodies.iter().any(|body| body.fading > 0);
        self.is_changed = true;
        result
    }

    /// What bodies have learnt of the walls around them is forgotten: it takes room, and they learn it again.
    pub fn forget_walls(&mut self) {
        for body in &mut self.bodies {
            body.surroundings = walls::Surroundings::default();
        }
    }

    /// Counts a tick of fading; who has faded is gone.
    pub fn fade(&mut self) {
        if !self.is_fading {
            return;
        }
        let fading = self.bodies.iter().filter(|body| body.fading > 0);
        if fading.clone().any(|body| body.fading == 1) {
            self.change(retire::bury);
        }
        for body in self.bodies.iter_mut().filter(|body| body.fading > 1) {
            body.fading -= 1;
        }
    }

    /// Everything that the next tick depends on.
    pub fn hash_into(&self, hash: &mut Hash64) {
        hash.u64(self.bodies.len() as u64);
        for body in &self.bodies {
            body.hash_motion(hash);
            for ball in body.chunk.iter().flat_map(|chunk| &chunk.balls) {
                hash.vec3(ball.centre);
                hash.f64(ball.radius);
            }
        }
        for contact in &self.contacts.list {
            hash.f64(contact.push);
        }
    }

    /// What a tick changes: those awake, where all others lie, and the contacts.
    pub fn hash_moving_into(&self, hash: &mut Hash64) {
        hash.u64(self.bodies.len() as u64);
        for &index in &self.awake {
            hash.u64(u64::from(index));
            self.bodies[index as usize].hash_motion(hash);
        }
        // A sum of fingerprints, which do not wait for each other as the words of one do.
        let mut places = 0u64;
        for (index, body) in (0u64..).zip(&self.bodies) {
            let mut place = Hash64::new();
            place.u64(index);
            place.vec3(body.position);
            places = places.wrapping_add(place.finish());
        }
        hash.u64(places);
        for contact in &self.contacts.list {
            hash.f64(contact.push);
        }
    }
}
