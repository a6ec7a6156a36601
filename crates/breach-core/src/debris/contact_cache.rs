//! The contacts of the last step, from whose impulses the next one starts.
use super::contact::{Contact, ContactConstraint, ContactConstraints, is_body};
use glam::DVec3;
use std::ops::Range;

/// Contacts are of the same side if the cosine between their normals is greater than this.
const SAME_NORMAL: f64 = 0.9;

/// And if they are nearer to each other than this, metres: an impulse that went farther would turn the body.
const SAME_PLACE: f64 = 0.1;

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
    /// Gives the contacts of two bodies the impulses that they had in the last step. `group` are their contacts among `all`,
    /// and `bodies` their indices in that step.
    ///
    /// Each impulse goes to the nearest contact of the same side. What touches may change from step to step, as where a box
    /// lies flush on another: then the whole is carried on all the same.
    #[inline]
    pub fn restore(&self, all: &mut ContactConstraints, group: Range<usize>, bodies: [u32; 2]) {
        let [first, second] = bodies;
        let old = self.held_by(first).iter();
        for old in old.filter(|old| old.bodies[1] == second) {
            if old.normal_impulse == 0.0 {
                continue;
            }
            let arm = self.contacts.first_arm(old);
            let mut nearest = None;
            let mut least = SAME_PLACE * SAME_PLACE;
            for i in group.clone() {
                let c = &all.list[i];
                if old.normal.dot(c.normal) > SAME_NORMAL {
                    let apart = all.first_arm(c).distance_squared(arm);
                    if apart < least {
                        least = apart;
                        nearest = Some(i);
                    }
                }
            }
            if let Some(i) = nearest {
                let c = &mut all.list[i];
                c.normal_impulse += old.normal_impulse;
                c.tangent_impulse +=
                    old.tangent_impulse - c.normal * old.tangent_impulse.dot(c.normal);
                c.rolling_impulse += old.rolling_impulse;
            }
        }
    }

    /// The normal between two bodies that touched in the last step, by their indices in that step.
    pub fn normal_between(&self, [first, second]: [u32; 2]) -> Option<DVec3> {
        let held = self.held_by(first).iter();
        let mut held = held.filter(|c| is_body(second) && c.bodies[1] == second);
        held.next().map(|c| c.normal)
    }

    /// The contacts of the last step that have a body as their first, by its index in that step.
    fn held_by(&self, body: u32) -> &[ContactConstraint] {
        let (from, to) = self.ranges.get(body as usize).copied().unwrap_or((0, 0));
        &self.contacts.list[from as usize..to as usize]
    }

    /// The arms of a body's contacts with walls in the last step that held; `body` is its index in that step.
    pub fn arms_on_walls(&self, body: u32) -> impl Iterator<Item = DVec3> + '_ {
        let held = self
            .held_by(body)
            .iter()
            .filter(|c| c.bodies[1] == Contact::WORLD && c.normal_impulse > 0.0);
        held.map(|c| self.contacts.first_arm(c))
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
