//! The contacts of the last step, from whose impulses the next one starts.
use super::body::{Body, NEW};
use super::contact::{Contact, ContactConstraint, ContactConstraints, is_body};
use super::manifold::SAME_PLACE;
use glam::DVec3;
use std::ops::Range;

/// Contacts are of the same side if the cosine between their normals is greater than this.
const SAME_NORMAL: f64 = 0.9;

/// The contacts of the last step, found by their first body. Bodies have the indices of that step.
#[derive(Clone, Debug, Default)]
pub(super) struct ContactCache {
    pub contacts: ContactConstraints,
    /// By body: the range of `contacts` that has it as first body.
    ranges: Vec<(u32, u32)>,
    /// Bodies whose range is not empty.
    holders: Vec<u32>,
}

impl ContactCache {
    /// The contacts that have a body as their first.
    fn held_by(&self, body: u32) -> &[ContactConstraint] {
        let (from, to) = self.ranges.get(body as usize).copied().unwrap_or((0, 0));
        &self.contacts.list[from as usize..to as usize]
    }

    pub fn clear(&mut self) {
        self.contacts = ContactConstraints::default();
        for body in self.holders.drain(..) {
            // A body of a longer list has no range any more.
            if let Some(range) = self.ranges.get_mut(body as usize) {
                *range = (0, 0);
            }
        }
    }

    /// Makes room for this many bodies, which have other indices than before.
    pub fn resize(&mut self, bodies: usize) {
        self.ranges.clear();
        self.ranges.resize(bodies, (0, 0));
    }

    /// Replaces the contacts.
    pub fn store(&mut self, contacts: ContactConstraints) {
        self.clear();
        let mut from = 0u32;
        for own in contacts.list.chunk_by(|x, y| x.bodies[0] == y.bodies[0]) {
            let to = from + own.len() as u32;
            let holder = own[0].bodies[0];
            self.ranges[holder as usize] = (from, to);
            self.holders.push(holder);
            from = to;
        }
        self.contacts = contacts;
    }
}

/// The last step, seen from this one: it takes and gives the indices of this step.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastStep<'a> {
    pub cache: &'a ContactCache,
    pub bodies: &'a [Body],
    /// Whether the bodies had other indices in the last step.
    pub is_changed: bool,
}

impl LastStep<'_> {
    /// The number in the last step of a body, a solid or the world; `None` of a body that is new.
    fn number(&self, number: u32) -> Option<u32> {
        if !self.is_changed || !is_body(number) {
            return Some(number);
        }
        let slot = self.bodies[number as usize].slot;
        (slot != NEW).then_some(slot)
    }

    /// The contacts of two bodies, or of a body with a solid or the world.
    fn between(&self, [first, second]: [u32; 2]) -> impl Iterator<Item = &ContactConstraint> {
        let numbers = self.number(first).zip(self.number(second));
        let held = numbers.map(|(first, second)| (self.cache.held_by(first), second));
        let (held, second) = held.unwrap_or((&[], 0));
        held.iter().filter(move |c| c.bodies[1] == second)
    }

    /// The normal between two bodies, if they touched.
    pub fn normal_between(&self, bodies: [u32; 2]) -> Option<DVec3> {
        self.between(bodies).next().map(|c| c.normal)
    }

    /// The arms of a body's contacts with walls that held.
    pub fn arms_on_walls(&self, body: u32) -> impl Iterator<Item = DVec3> {
        let held = self.between([body, Contact::WORLD]);
        let held = held.filter(|c| c.normal_impulse > 0.0);
        held.map(|c| self.cache.contacts.first_arm(c))
    }

    /// Gives contacts, grouped by their bodies, the impulses of the last step.
    ///
    /// Each goes to the nearest contact of the same bodies and the same side: what touches may change from step to step, as
    /// where a box lies flush on another.
    pub fn restore_impulses(&self, contacts: &mut ContactConstraints) {
        let mut from = 0;
        while let Some(c) = contacts.list.get(from) {
            let bodies = c.bodies;
            let rest = contacts.list[from..].iter();
            let to = from + rest.take_while(|c| c.bodies == bodies).count();
            for old in self.between(bodies).filter(|c| c.normal_impulse > 0.0) {
                if let Some(i) = self.nearest(old, contacts, from..to) {
                    let c = &mut contacts.list[i];
                    let across = old.tangent_impulse;
                    c.normal_impulse += old.normal_impulse;
                    c.tangent_impulse += across - c.normal * across.dot(c.normal);
                    c.rolling_impulse += old.rolling_impulse;
                }
            }
            from = to;
        }
    }

    /// The nearest of some contacts to one of the last step.
    #[inline]
    fn nearest(
        &self,
        old: &ContactConstraint,
        contacts: &ContactConstraints,
        group: Range<usize>,
    ) -> Option<usize> {
        let arm = self.cache.contacts.first_arm(old);
        let mut nearest = None;
        let mut least = SAME_PLACE * SAME_PLACE;
        for i in group {
            let c = &contacts.list[i];
            let apart = contacts.first_arm(c).distance_squared(arm);
            if apart < least && old.normal.dot(c.normal) > SAME_NORMAL {
                least = apart;
                nearest = Some(i);
            }
        }
        nearest
    }
}
