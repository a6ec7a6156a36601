//! A list in blocks that clones share until one of them changes a block: a keyframe of a level of ten thousand rooms copies
//! some hundred counters, and the first change of a room after it copies one block.
use super::shared::Shared;
use std::ops::{Index, IndexMut};

/// Items of a block.
const BLOCK: usize = 64;

/// A `Vec` in shared blocks; all but the last are full.
#[derive(Clone, Debug)]
pub struct SharedVec<T> {
    blocks: Vec<Shared<Vec<T>>>,
    len: usize,
}

impl<T> Default for SharedVec<T> {
    fn default() -> Self {
        SharedVec {
            blocks: Vec::new(),
            len: 0,
        }
    }
}

impl<T> SharedVec<T> {
    /// Number of items.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The item with an index, if there are so many.
    pub fn get(&self, index: usize) -> Option<&T> {
        self.blocks.get(index / BLOCK)?.get(index % BLOCK)
    }

    /// The last item.
    pub fn last(&self) -> Option<&T> {
        self.blocks.last()?.last()
    }

    /// All items, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &T> + DoubleEndedIterator + Clone {
        (0..self.len).map(|index| &self[index])
    }

    /// Whether both have the same block in memory where an item is.
    pub fn shares(&self, other: &Self, index: usize) -> bool {
        let [one, two] = [self, other].map(|list| list.blocks.get(index / BLOCK));
        one.zip(two).is_some_and(|(one, two)| one.is(two))
    }
}

impl<T: Clone> SharedVec<T> {
    /// All items, in order, for changes; copies every shared block.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.blocks.iter_mut().flat_map(|block| block.iter_mut())
    }

    /// The item with an index, for changes.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        self.blocks.get_mut(index / BLOCK)?.get_mut(index % BLOCK)
    }

    /// Two different items, for changes.
    pub fn pair_mut(&mut self, pair: [usize; 2]) -> Option<[&mut T; 2]> {
        let [[a, i], [b, k]] = pair.map(|index| [index / BLOCK, index % BLOCK]);
        if a == b {
            return self.blocks.get_mut(a)?.get_disjoint_mut([i, k]).ok();
        }
        let [one, two] = self.blocks.get_disjoint_mut([a, b]).ok()?;
        Some([one.get_mut(i)?, two.get_mut(k)?])
    }

    /// Appends an item.
    pub fn push(&mut self, item: T) {
        if self.len.is_multiple_of(BLOCK) {
            self.blocks.push(Shared::new(Vec::with_capacity(BLOCK)));
        }
        let last = self.blocks.last_mut().expect("a block with space");
        last.push(item);
        self.len += 1;
    }

    /// Removes the last item.
    pub fn pop(&mut self) -> Option<T> {
        let last = self.blocks.last_mut()?;
        let item = last.pop()?;
        if last.is_empty() {
            self.blocks.pop();
        }
        self.len -= 1;
        Some(item)
    }
}

impl<T> Index<usize> for SharedVec<T> {
    type Output = T;
    fn index(&self, index: usize) -> &T {
        &self.blocks[index / BLOCK][index % BLOCK]
    }
}

impl<T: Clone> IndexMut<usize> for SharedVec<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.blocks[index / BLOCK][index % BLOCK]
    }
}

impl<T: Clone> FromIterator<T> for SharedVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut list = SharedVec::default();
        items.into_iter().for_each(|item| list.push(item));
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    #[test]
    fn it_holds_what_a_vec_holds_and_clones_keep_what_they_had() {
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let (mut list, mut plain) = (SharedVec::default(), Vec::new());
            let mut kept: Vec<(SharedVec<u64>, Vec<u64>)> = vec![];
            for round in 0..2000u64 {
                match rng.below(20) {
                    0..8 => {
                        list.push(round);
                        plain.push(round);
                    }
                    8..14 => assert_eq!(list.pop(), plain.pop()),
                    14..19 if !plain.is_empty() => {
                        let at = rng.below(plain.len() as u64) as usize;
                        (list[at], plain[at]) = (round, round);
                    }
                    _ if round % 10 == 0 => kept.push((list.clone(), plain.clone())),
                    _ => (),
                }
                assert_eq!((list.len(), list.last()), (plain.len(), plain.last()));
            }
            for (list, plain) in kept.iter().chain([&(list, plain)]) {
                assert!(list.iter().eq(plain));
                assert_eq!(list.get(plain.len()), None);
            }
        }
    }

    #[test]
    fn two_items_are_changed_at_once_in_one_block_or_two() {
        let mut list: SharedVec<usize> = (0..1000).collect();
        for pair in [[3, 4], [4, 3], [3, 900], [900, 3]] {
            let [one, two] = list.pair_mut(pair).expect("two items");
            std::mem::swap(one, two);
        }
        assert!(list.iter().copied().eq(0..1000));
        assert!(
            [[3, 3], [3, 1000], [1000, 3]]
                .iter()
                .all(|&pair| list.pair_mut(pair).is_none())
        );
    }

    #[test]
    fn a_change_copies_one_block() {
        let one: SharedVec<usize> = (0..1000).collect();
        let mut other = one.clone();
        other[100] = 0;
        let own: Vec<usize> = (0..1000).filter(|&i| !one.shares(&other, i)).collect();
        assert_eq!(own, (BLOCK..2 * BLOCK).collect::<Vec<_>>());
        assert_eq!((one[100], other[100]), (100, 0));
    }
}
