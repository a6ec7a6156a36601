//! A hash table split into many small shards. Growing moves one shard only, so that no single insertion is slow. Clones
//! share the shards that neither has changed since.
use super::shared::Shared;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Number of groups, and of shards per group: a tree of two levels (after Bagwell, Ideal Hash Trees, 2001), so that a
/// clone increments this many counters, and the first change of a shard copies as many.
const GROUPS: usize = 64;

/// A key that can be assigned to a shard.
pub trait ShardHash {
    /// A hash for the choice of the shard; equal keys have equal hashes. The better it is mixed, the more even the
    /// shards.
    fn shard_hash(&self) -> u64;
}

type Shard<K, V> = Shared<FxHashMap<K, V>>;

/// An [`FxHashMap`] in shards.
#[derive(Clone, Debug)]
pub struct Shards<K, V> {
    groups: Vec<Shared<Vec<Shard<K, V>>>>,
}

impl<K, V> Default for Shards<K, V> {
    fn default() -> Self {
        // An empty table costs two allocations: all its shards are one.
        let group = Shared::new(vec![Shared::new(FxHashMap::default()); GROUPS]);
        Self {
            groups: vec![group; GROUPS],
        }
    }
}

impl<K: ShardHash + Hash + Eq, V> Shards<K, V> {
    /// The shard of a key.
    pub fn shard(&self, key: &K) -> &FxHashMap<K, V> {
        let [group, shard] = locate(key);
        &self.groups[group][shard]
    }

    /// All entries, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.groups
            .iter()
            .flat_map(|group| group.iter())
            .flat_map(|shard| shard.iter())
    }
}

impl<K: ShardHash + Hash + Eq + Clone, V: Clone> Shards<K, V> {
    /// The shard of a key, for changes.
    pub fn shard_mut(&mut self, key: &K) -> &mut FxHashMap<K, V> {
        self.at_mut(locate(key))
    }

    /// Calls `change` for each key with its shard; consecutive keys of one shard look it up once.
    pub fn each_mut<T>(
        &mut self,
        keys: impl Iterator<Item = (K, T)>,
        mut change: impl FnMut(&mut FxHashMap<K, V>, K, T),
    ) {
        let mut keys = keys.map(|(key, t)| (locate(&key), key, t));
        let mut next = keys.next();
        while let Some((at, mut key, mut t)) = next {
            let shard = self.at_mut(at);
            next = loop {
                change(shard, key, t);
                match keys.next() {
                    Some((place, k, more)) if place == at => (key, t) = (k, more),
                    other => break other,
                }
            };
        }
    }

    fn at_mut(&mut self, [group, shard]: Location) -> &mut FxHashMap<K, V> {
        &mut self.groups[group][shard]
    }
}

/// Group, and shard in it.
type Location = [usize; 2];

/// The group and shard of a key. The upper bits of a product depend on all bits below.
fn locate(key: &impl ShardHash) -> Location {
    let bits =
        key.shard_hash().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - 2 * GROUPS.trailing_zeros());
    [bits as usize / GROUPS, bits as usize % GROUPS]
}

#[cfg(test)]
mod tests {
    use super::*;

    impl ShardHash for u64 {
        fn shard_hash(&self) -> u64 {
            *self
        }
    }

    #[test]
    fn what_is_put_in_is_found_and_goes_and_no_part_holds_much() {
        const N: u64 = 400_000;
        let mut shards = Shards::default();
        for k in 0..N {
            shards.shard_mut(&k).insert(k, k * 3);
        }
        assert!((0..N).all(|k| shards.shard(&k).get(&k) == Some(&(k * 3))));
        assert_eq!(shards.iter().count(), N as usize);
        let parts = shards.groups.iter().flat_map(|group| group.iter());
        let largest = parts.map(|p| p.len()).max();
        assert!(
            largest < Some(2 * N as usize / GROUPS / GROUPS),
            "{largest:?}"
        );
        assert_eq!(shards.shard_mut(&7).remove(&7), Some(21));
        assert_eq!(shards.shard(&7).get(&7), None);
    }

    #[test]
    fn keys_that_follow_each_other_all_come_to_their_parts() {
        let (mut one, mut other) = (Shards::default(), Shards::default());
        // Some twice in a row, some again later.
        let keys: Vec<u64> = (0..3000u64).flat_map(|k| [k / 3, k / 3, k % 500]).collect();
        for &k in &keys {
            *one.shard_mut(&k).entry(k).or_insert(0) += k;
        }
        other.each_mut(keys.iter().map(|&k| (k, k)), |shard, k, more| {
            *shard.entry(k).or_insert(0) += more;
        });
        assert_eq!(one.iter().count(), 1000);
        assert!(
            one.iter()
                .all(|(k, sum)| other.shard(k).get(k) == Some(sum))
        );
    }

    #[test]
    fn a_clone_is_another_table_that_shares_what_neither_changes() {
        let mut one = Shards::default();
        for k in 0..10_000u64 {
            one.shard_mut(&k).insert(k, k);
        }
        let mut other = one.clone();
        other.shard_mut(&5).insert(5, 0);
        one.shard_mut(&6).remove(&6);
        assert_eq!(
            (one.shard(&5).get(&5), one.shard(&6).get(&6)),
            (Some(&5), None)
        );
        assert_eq!(
            (other.shard(&5).get(&5), other.shard(&6).get(&6)),
            (Some(&0), Some(&6))
        );
        let parts = |of: &Shards<u64, u64>| -> Vec<Shard<u64, u64>> {
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
