//! All bodies, and what a step leaves to the next.
use super::body::{Body, BodyId};
use super::broad_phase::SleepingBodies;
use super::contact::{Contact, ContactConstraint};
use super::contact_cache::ContactCache;
use super::surface_cache::SurfaceCache;
use crate::geom::hash::Hash64;
use std::ops::Deref;

/// All bodies, in the order in which they were added. Reads as a slice of [`Body`].
///
/// The index of a body changes when an earlier one is removed; [`Body::id`] never does.
#[derive(Clone, Debug, Default)]
pub struct Debris {
    pub(super) bodies: Vec<Body>,
    /// The last id given.
    last_id: u32,
    /// Indices of the bodies awake, rising.
    pub(super) awake: Vec<u32>,
    pub(super) contact_cache: ContactCache,
    /// Since the last step bodies were added, removed or changed. Until the next one `contact_cache` has their old indices,
    /// and `sleeping` is out of date.
    pub(super) is_changed: bool,
    /// Some bodies fade.
    pub(super) is_fading: bool,
    pub(super) sleeping: SleepingBodies,
}

impl Deref for Debris {
    type Target = [Body];
    fn deref(&self) -> &[Body] {
        &self.bodies
    }
}

/// Equal if the next steps are: ids and caches do not count.
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
    /// All bodies.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Index of a body, which may change when bodies are removed. A linear search.
    pub fn index_of(&self, id: BodyId) -> Option<usize> {
        self.bodies.iter().position(|body| body.id == id)
    }

    /// Adds a body, which gets an id of its own.
    pub fn spawn(&mut self, mut body: Body) -> BodyId {
        body.id = BodyId::UNSET;
        self.change(|bodies| bodies.push(body));
        BodyId(self.last_id)
    }

    /// Number of bodies awake.
    pub fn awake(&self) -> usize {
        self.awake.len()
    }

    /// Indices of the bodies awake, rising.
    pub fn awake_indices(&self) -> &[u32] {
        &self.awake
    }

    /// Whether nothing moves or fades.
    pub fn is_still(&self) -> bool {
        self.awake.is_empty() && !self.is_fading
    }

    /// Contacts of the last step; none if bodies were changed since.
    pub fn contacts(&self) -> impl Iterator<Item = Contact> + '_ {
        let constraints = &self.contact_cache.contacts;
        let valid = match self.is_changed {
            true => &[],
            false => constraints.list.as_slice(),
        };
        valid.iter().map(|c: &ContactConstraint| Contact {
            bodies: c.bodies,
            point: self.bodies[c.bodies[0] as usize].previous + constraints.first_arm(c),
            normal: c.normal,
            gap: c.gap,
            impulse: c.normal * c.normal_impulse + c.tangent_impulse,
        })
    }

    /// Adds, removes or changes bodies between two steps, in any way. Added bodies get an id, unless they have one: a clone
    /// of a body that is no longer among these keeps its id. Costs time for every body, so make many changes at once.
    pub fn change<R>(&mut self, change: impl FnOnce(&mut Vec<Body>) -> R) -> R {
        let result = change(&mut self.bodies);
        self.awake.clear();
        self.is_fading = false;
        let mut added = Vec::new();
        for (index, body) in (0u32..).zip(&self.bodies) {
            self.last_id = self.last_id.max(body.id.0);
            self.is_fading |= body.fading > 0;
            if body.id == BodyId::UNSET {
                added.push(index);
            }
            if !body.asleep {
                self.awake.push(index);
            }
        }
        for index in added {
            self.last_id += 1;
            self.bodies[index as usize].id = BodyId(self.last_id);
        }
        self.is_changed = true;
        result
    }

    /// Frees the memory of what bodies know of the walls around them. They ask the world again when they are stepped.
    pub fn drop_surface_caches(&mut self) {
        for body in &mut self.bodies {
            body.surface = SurfaceCache::default();
        }
    }

    /// Hashes everything that the next step depends on.
    pub fn hash_into(&self, hash: &mut Hash64) {
        hash.u64(self.bodies.len() as u64);
        for body in &self.bodies {
            body.hash_motion(hash);
            for ball in body.chunk.iter().flat_map(|chunk| &chunk.balls) {
                hash.vec3(ball.centre);
                hash.f64(ball.radius);
            }
        }
        for contact in &self.contact_cache.contacts.list {
            hash.f64(contact.normal_impulse);
        }
    }

    /// Hashes what a step changes: the bodies awake, the positions of all, and the contacts.
    pub fn hash_moving_into(&self, hash: &mut Hash64) {
        hash.u64(self.bodies.len() as u64);
        for &index in &self.awake {
            hash.u64(u64::from(index));
            self.bodies[index as usize].hash_motion(hash);
        }
        // A sum of independent hashes, which do not wait for each other as the words of one hash do.
        let mut positions = 0u64;
        for (index, body) in (0u64..).zip(&self.bodies) {
            let mut position = Hash64::new();
            position.u64(index);
            position.vec3(body.position);
            positions = positions.wrapping_add(position.finish());
        }
        hash.u64(positions);
        for contact in &self.contact_cache.contacts.list {
            hash.f64(contact.normal_impulse);
        }
    }
}
