//! A hash table in many small parts: when one grows, only that part is moved, so that no single insertion is slow.
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// How many parts.
const PARTS: usize = 64;

/// What can say which part it belongs to.
pub trait Spread {
    /// Bits of which equal keys have the same; the better they are mixed, the evener the parts.
    fn spread(&self) -> u64;
}

/// A [`FxHashMap`] in parts.
#[derive(Clone, Debug)]
pub struct Shards<K, V> {
    parts: Vec<FxHashMap<K, V>>,
}

impl<K, V> Default for Shards<K, V> {
    fn default() -> Self {
        let parts = std::iter::repeat_with(FxHashMap::default).take(PARTS);
        Self {
            parts: parts.collect(),
        }
    }
}

impl<K: Spread + Hash + Eq, V> Shards<K, V> {
    /// The part that a key belongs to.
    pub fn part(&self, key: &K) -> &FxHashMap<K, V> {
        &self.parts[index(key)]
    }

    /// The same, to be changed.
    pub fn part_mut(&mut self, key: &K) -> &mut FxHashMap<K, V> {
        &mut self.parts[index(key)]
    }

    /// All entries, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.parts.iter().flatten()
    }
}

/// The upper bits of a product depend on all bits below.
fn index(key: &impl Spread) -> usize {
    (key.spread().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - PARTS.trailing_zeros())) as usize
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
        let mut shards = Shards::default();
        for k in 0..10_000u64 {
            shards.part_mut(&k).insert(k, k * 3);
        }
        assert!((0..10_000).all(|k| shards.part(&k).get(&k) == Some(&(k * 3))));
        assert_eq!(shards.iter().count(), 10_000);
        let largest = shards.parts.iter().map(|p| p.len()).max();
        assert!(largest < Some(2 * 10_000 / PARTS), "{largest:?}");
        assert_eq!(shards.part_mut(&7).remove(&7), Some(21));
        assert_eq!(shards.part(&7).get(&7), None);
    }
}
