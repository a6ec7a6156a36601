//! The contacts of the last step, from whose impulses the next one starts.
use super::contact::{ContactConstraint, ContactConstraints};

/// Two contacts are the same if the cosine between their normals is greater than this.
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
    /// Copies the impulses of the same contact of the last step, if there is one. `bodies` are the indices of the
    /// constraint's bodies in that step.
    #[inline]
    pub fn restore(&self, c: &mut ContactConstraint, bodies: [u32; 2]) {
        let [first, second] = bodies;
        let Some(&(from, to)) = self.ranges.get(first as usize) else {
            return;
        };
        let is_same = |old: &&ContactConstraint| {
            old.bodies[1] == second
                && old.features == c.features
                && old.normal.dot(c.normal) > SAME_NORMAL
        };
        let mut held = self.contacts.list[from as usize..to as usize].iter();
        if let Some(old) = held.find(is_same) {
            c.normal_impulse = old.normal_impulse;
            c.tangent_impulse = old.tangent_impulse - c.normal * old.tangent_impulse.dot(c.normal);
            c.rolling_impulse = old.rolling_impulse;
        }
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
