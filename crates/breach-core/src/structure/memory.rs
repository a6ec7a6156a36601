//! What the next solve may use again.
use super::dense::SIX;
use super::key::Key;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Bytes beyond which nothing is kept from one solve to the next.
const MOST_BYTES: usize = 1 << 28;

/// At least this many times what waits for use again is in use.
const POOL_PART: usize = 4;

/// The memory of a solve: what the next one has in common with it need not be done again, nor the system asked for pages. It
/// changes no result.
///
/// It has the fronts of the last solve, found by what they are made of, wherever they lie: 200 MB for a wall of 10,000 blocks,
/// 30 MB for a frame of 3,000, and at most a quarter more in lists that wait. Between solves it has no more than 256 MiB, in the
/// middle of one where all has changed the old and the new.
#[derive(Default)]
pub struct Memory {
    /// The fronts of the last solve and of the one in work, by what they are made of.
    fronts: FxHashMap<Key, Made>,
    /// The solves so far.
    solves: u32,
    /// How many fronts they have made.
    #[cfg(test)]
    made: usize,
    /// Doubles in the lists of the fronts.
    kept: usize,
    /// Lists to use again, by their capacities.
    pool: BTreeMap<usize, Vec<Vec<f64>>>,
    /// Doubles in them.
    pooled: usize,
    pub(super) packed: Vec<f64>,
}

/// A front that is done. It is a function of its key.
#[derive(Default)]
pub(super) struct Made {
    /// Columns of Cholesky's factor, and L⁻¹ f in the last row.
    pub panel: Vec<f64>,
    /// L⁻¹ f once more, side by side.
    pub forward: Vec<[f64; SIX]>,
    /// What it hands to its parent.
    pub rest: Vec<f64>,
    /// The last solve that used it.
    solve: u32,
}

impl Made {
    fn size(&self) -> usize {
        self.panel.capacity() + self.rest.capacity()
    }
}

impl Memory {
    /// Bytes that it holds, but for short lists.
    pub fn size(&self) -> usize {
        (self.kept + self.pooled + self.packed.capacity()) * size_of::<f64>()
    }

    /// Whether it has the front of this key, which the solve in work uses.
    pub(super) fn has(&mut self, key: Key) -> bool {
        let made = self.fronts.get_mut(&key);
        made.map(|made| made.solve = self.solves).is_some()
    }

    /// The front of a key.
    pub(super) fn front(&self, key: Key) -> &Made {
        &self.fronts[&key]
    }

    /// Keeps a front.
    pub(super) fn keep(&mut self, key: Key, made: Made) {
        #[cfg(test)]
        {
            self.made += 1;
        }
        self.kept += made.size();
        let solve = self.solves;
        if let Some(old) = self.fronts.insert(key, Made { solve, ..made }) {
            self.forget(old);
        }
    }

    /// How many fronts its solves have made.
    #[cfg(test)]
    pub(super) fn made(&self) -> usize {
        self.made
    }

    /// Room for a front: two empty lists.
    pub(super) fn room(&mut self, panel: usize, rest: usize) -> Made {
        Made {
            panel: self.list(panel),
            rest: self.list(rest),
            ..Made::default()
        }
    }

    /// Takes a list that is of no more use.
    pub(super) fn give_up(&mut self, list: Vec<f64>) {
        if 0 < list.capacity() {
            self.pooled += list.capacity();
            self.pool.entry(list.capacity()).or_default().push(list);
        }
    }

    fn forget(&mut self, made: Made) {
        self.kept -= made.size();
        self.give_up(made.panel);
        self.give_up(made.rest);
    }

    /// Forgets the fronts that the solve that is done did not use. Their lists are for the next one, which needs about as many
    /// of that size.
    pub(super) fn end_solve(&mut self) {
        let unused = self.fronts.extract_if(|_, made| made.solve != self.solves);
        let unused: Vec<Made> = unused.map(|(_, made)| made).collect();
        unused.into_iter().for_each(|made| self.forget(made));
        self.solves += 1;
        while self.kept < POOL_PART * self.pooled
            && let Some((capacity, lists)) = self.pool.pop_first()
        {
            self.pooled -= capacity * lists.len();
        }
        self.bound();
    }

    /// Forgets all if that is much.
    pub(super) fn bound(&mut self) {
        if MOST_BYTES < self.size() {
            *self = Memory::default();
        }
    }

    /// A list with room for `size`, not much more.
    fn list(&mut self, size: usize) -> Vec<f64> {
        // Few different ones: an eighth apart.
        let grain = (size / 8).max(1).next_power_of_two();
        let size = size.next_multiple_of(grain);
        let fits = self.pool.range_mut(size..=2 * size).next();
        let Some((&capacity, lists)) = fits else {
            return Vec::with_capacity(size);
        };
        let mut list = lists.pop().unwrap_or_default();
        list.clear();
        self.pooled -= capacity;
        if lists.is_empty() {
            self.pool.remove(&capacity);
        }
        list
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        out.debug_struct("Memory")
            .field("bytes", &self.size())
            .finish()
    }
}
