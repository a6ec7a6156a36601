//! A hash table in many small parts: when one grows, only that part is moved, so that no single insertion is slow; and
//! clones share the parts that neither has changed since.
use super::shared::Shared;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// How many groups of parts, and parts in a group: a tree of two levels (after Bagwell, Ideal Hash Trees, 2001), so that
/// a clone counts up this many counters, and the first change of a part copies so many more.
const GROUPS: usize = 64;

/// What can say which part it belongs to.
pub trait Spread {
    /// Bits of which equal keys have the same; the better they are mixed, the evener the parts.
    fn spread(&self) -> u64;
}

type Part<K, V> = Shared<FxHashMap<K, V>>;

/// A [`FxHashMap`] in parts.
#[derive(Clone, Debug)]
pub struct Shards<K, V> {
    groups: Vec<Shared<Vec<Part<K, V>>>>,
}

impl<K, V> Default for Shards<K, V> {
    fn default() -> Self {
        // An empty table costs two allocations: all its parts are one.
        let group = Shared::new(vec![Shared::new(FxHashMap::default()); GROUPS]);
        Self {
            groups: vec![group; GROUPS],
        }
    }
}

impl<K: Spread + Hash + Eq, V> Shards<K, V> {
    /// The part that a key belongs to.
    pub fn part(&self, key: &K) -> &FxHashMap<K, V> {
        let [group, part] = place(key);
        &self.groups[group][part]
    }

    /// All entries, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.groups
            .iter()
            .flat_map(|group| group.iter())
            .flat_map(|part| part.iter())
    }
}

impl<K: Spread + Hash + Eq + Clone, V: Clone> Shards<K, V> {
    /// [`Shards::part`], to be changed.
    pub fn part_mut(&mut self, key: &K) -> &mut FxHashMap<K, V> {
        self.at_mut(place(key))
    }

    /// Calls `change` for each of some keys with the part it belongs to: keys of one part that follow each other find it
    /// once.
    pub fn each_mut<T>(
        &mut self,
        keys: impl Iterator<Item = (K, T)>,
        mut change: impl FnMut(&mut FxHashMap<K, V>, K, T),
    ) {
        let mut keys = keys.map(|(key, t)| (place(&key), key, t));
        let mut next = keys.next();
        while let Some((at, mut key, mut t)) = next {
            let part = self.at_mut(at);
            next = loop {
                change(part, key, t);
                match keys.next() {
                    Some((place, k, more)) if place == at => (key, t) = (k, more),
                    other => break other,
                }
            };
        }
    }

    fn at_mut(&mut self, [group, part]: Place) -> &mut FxHashMap<K, V> {
        &mut self.groups[group][part]
    }
}

/// A group, and a part in it.
type Place = [usize; 2];

/// Where a key belongs. The upper bits of a product depend on all bits below.
fn place(key: &impl Spread) -> Place {
    let bits =
        key.spread().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - 2 * GROUPS.trailing_zeros());
    [bits as usize / GROUPS, bits as usize % GROUPS]
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Spread for u64 {
        fn spread(&self) -> u64 {
            *self
        }
    }

    #[test]
    fn what_is_put_in_is_found_and_goes_and_no_part_holds_much() {
        const N: u64 = 400_000;
        let mut shards = Shards::default();
        for k in 0..N {
            shards.part_mut(&k).insert(k, k * 3);
        }
        assert!((0..N).all(|k| shards.part(&k).get(&k) == Some(&(k * 3))));
        assert_eq!(shards.iter().count(), N as usize);
        let parts = shards.groups.iter().flat_map(|group| group.iter());
        let largest = parts.map(|p| p.len()).max();
        assert!(
            largest < Some(2 * N as usize / GROUPS / GROUPS),
            "{largest:?}"
        );
        assert_eq!(shards.part_mut(&7).remove(&7), Some(21));
        assert_eq!(shards.part(&7).get(&7), None);
    }

    #[test]
    fn keys_that_follow_each_other_all_come_to_their_parts() {
        let (mut one, mut other) = (Shards::default(), Shards::default());
        // Some twice in a row, some again later.
        let keys: Vec<u64> = (0..3000u64).flat_map(|k| [k / 3, k / 3, k % 500]).collect();
        for &k in &keys {
            *one.part_mut(&k).entry(k).or_insert(0) += k;
        }
        other.each_mut(keys.iter().map(|&k| (k, k)), |part, k, more| {
            *part.entry(k).or_insert(0) += more;
        });
        assert_eq!(one.iter().count(), 1000);
        assert!(one.iter().all(|(k, sum)| other.part(k).get(k) == Some(sum)));
    }

    #[test]
    fn a_clone_is_another_table_that_shares_what_neither_changes() {
        let mut one = Shards::default();
        for k in 0..10_000u64 {
            one.part_mut(&k).insert(k, k);
        }
        let mut other = one.clone();
        other.part_mut(&5).insert(5, 0);
        one.part_mut(&6).remove(&6);
        assert_eq!(
            (one.part(&5).get(&5), one.part(&6).get(&6)),
            (Some(&5), None)
        );
        assert_eq!(
            (other.part(&5).get(&5), other.part(&6).get(&6)),
            (Some(&0), Some(&6))
        );
        let parts = |of: &Shards<u64, u64>| -> Vec<Part<u64, u64>> {
            of.groups
                .iter()
                .flat_map(|group| group.iter().cloned())
                .collect()
        };
        let (one, other) = (parts(&one), parts(&other));
        let own = one.iter().zip(&other).filter(|(a, b)| !a.is(b)).count();
        assert!(own <= 2, "{own}");
    }
}
