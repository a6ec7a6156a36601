//! The tree itself and the one way to walk it: nearest bin first, cut off by the best hit so far.
use super::QueryStats;
use crate::geom::Aabb;
use glam::DVec3;

/// A box with what is in it. Two of them fill a cache line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bin {
    /// Not above any corner inside.
    pub min: [f32; 3],
    /// Leaf: the first of its faces in leaf order; else an index into [`Tree::nodes`].
    pub first: u32,
    /// Not below any corner inside.
    pub max: [f32; 3],
    /// Faces of a leaf; 0 for a bin that is divided.
    pub count: u32,
}

impl Bin {
    #[inline]
    pub fn min(&self) -> DVec3 {
        DVec3::new(self.min[0].into(), self.min[1].into(), self.min[2].into())
    }
    #[inline]
    pub fn max(&self) -> DVec3 {
        DVec3::new(self.max[0].into(), self.max[1].into(), self.max[2].into())
    }
    pub fn bounds(&self) -> Aabb {
        Aabb {
            min: self.min(),
            max: self.max(),
        }
    }
}

/// A binary tree of boxes over a list of faces.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// Everything; count and first are 0 in the empty tree, which has no nodes.
    pub root: Bin,
    /// The two halves of each divided bin; parents before children.
    pub nodes: Vec<[Bin; 2]>,
    /// Deepest level.
    pub depth: u32,
}

/// Deepest stack of a walk: one waiting bin a level, and levels end at 32.
const STACK: usize = 34;

impl Tree {
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.root.count == 0
    }

    /// Visits the leaves that `enter` lets pass. `enter(bin)` is where the query comes into the bin, or None; bins
    /// entered beyond the limit are left out. `leaf(first..end of its faces)` returns the new limit, never greater.
    #[inline]
    pub fn walk(
        &self,
        mut limit: f64,
        stats: &mut QueryStats,
        enter: impl Fn(&Bin) -> Option<f64>,
        mut leaf: impl FnMut(std::ops::Range<usize>) -> f64,
    ) {
        if self.is_empty() || enter(&self.root).is_none_or(|at| at > limit) {
            return;
        }
        let mut waiting = [(0.0f64, 0u32, 0u32); STACK];
        let mut len = 0;
        let mut bin = (self.root.first, self.root.count);
        loop {
            stats.bins += 1;
            let (first, count) = bin;
            let mut next = None;
            if count > 0 {
                stats.faces += u64::from(count);
                limit = leaf(first as usize..(first + count) as usize);
            } else {
                let [a, b] = &self.nodes[first as usize];
                let at_a = enter(a).filter(|&at| at <= limit);
                let at_b = enter(b).filter(|&at| at <= limit);
                next = match (at_a, at_b) {
                    (Some(x), Some(y)) => {
                        let (near, far, at) = if y < x { (b, a, x) } else { (a, b, y) };
                        waiting[len] = (at, far.first, far.count);
                        len += 1;
                        Some((near.first, near.count))
                    }
                    (Some(_), None) => Some((a.first, a.count)),
                    (None, Some(_)) => Some((b.first, b.count)),
                    (None, None) => None,
                };
            }
            bin = match next {
                Some(bin) => bin,
                None => loop {
                    if len == 0 {
                        return;
                    }
                    len -= 1;
                    let (at, first, count) = waiting[len];
                    if at <= limit {
                        break (first, count);
                    }
                },
            };
        }
    }

    /// Every bin as (level, box, is a leaf), parents before children.
    pub fn bins(&self) -> Vec<(u32, Aabb, bool)> {
        let mut all = Vec::with_capacity(2 * self.nodes.len() + 1);
        let mut todo = vec![(0, self.root)];
        while let Some((level, bin)) = todo.pop() {
            if self.is_empty() {
                break;
            }
            all.push((level, bin.bounds(), bin.count > 0));
            if bin.count == 0 {
                let [a, b] = self.nodes[bin.first as usize];
                todo.extend([(level + 1, b), (level + 1, a)]);
            }
        }
        all
    }
}
