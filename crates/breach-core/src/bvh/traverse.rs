//! Traversal of the tree: nearest bin first, cut off at the closest hit so far; or in any order.
//!
//! A short sweep is culled by the box around it, a long one by slabs on boxes grown by the margin; both also by the
//! planes of the faces. Coordinates are rounded to f32; the margins cover that.
use super::cull_query::{CullQuery, OverlapQuery};
use super::f32x8::{F32x8, Scalar};
use super::index::{DEEPEST, LEAF, NONE, WIDTH};
use super::tree::Tree;

/// Cost of queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryStats {
    /// Bins visited.
    pub bins: u64,
    /// Triangles tested.
    pub faces: u64,
}

/// Visits all faces of a tree that f32 cannot cull. Outlined, to keep the hot path small.
#[cold]
#[inline(never)]
pub(super) fn visit_all(
    tree: &Tree,
    stats: &mut QueryStats,
    visit: &mut dyn FnMut(u32) -> Option<f64>,
) {
    tree.traverse(Scalar, OverlapQuery::everywhere(), stats, visit);
}

/// Position of a traversal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Descent {
    node: u32,
    /// Lanes of the node still to be visited; 0 at the end.
    pub mask: u32,
    /// Bins visited so far.
    pub bins: u64,
}

/// Stack entries before it spills to the heap: enough for seven per level of usual trees.
const STACK: usize = 64;

/// Moves the stack to the heap. Rare, hence outlined.
#[cold]
#[inline(never)]
fn spill(spilled: &mut Vec<u64>, waiting: &[u64]) {
    spilled.extend_from_slice(waiting);
}

/// Returns the child in `mask`, at least one, that is entered first. The others are pushed in falling order, so that
/// the nearest is popped first. `children` are encoded as stack entries.
#[inline(always)]
fn nearest_child(
    children: &[u64; WIDTH],
    mask: u32,
    waiting: &mut [u64; STACK],
    spilled: &mut Vec<u64>,
    len: &mut usize,
) -> u32 {
    let child = |mask: u32| children[mask.trailing_zeros() as usize & 7];
    let mut rest = mask & (mask - 1);
    let mut nearest = child(mask);
    if rest == 0 {
        return nearest as u32;
    }
    if *len + WIDTH > STACK {
        spill(spilled, &waiting[..*len]);
        *len = 0;
    }
    let first = *len;
    while rest != 0 {
        let other = child(rest);
        rest &= rest - 1;
        let further = nearest.max(other);
        nearest = nearest.min(other);
        let mut at = *len;
        while at > first && waiting[(at - 1) % STACK] < further {
            waiting[at % STACK] = waiting[(at - 1) % STACK];
            at -= 1;
        }
        waiting[at % STACK] = further;
        *len += 1;
    }
    nearest as u32
}

impl Tree {
    /// Calls `visit(face)` for all faces that the query may hit. `visit` returns the new limit, a part of the
    /// displacement, or None if it is unchanged.
    #[inline(always)]
    pub fn traverse<S: F32x8, P: CullQuery>(
        &self,
        simd: S,
        query: P,
        stats: &mut QueryStats,
        visit: impl FnMut(u32) -> Option<f64>,
    ) {
        if self.nodes.is_empty() {
            return;
        }
        if P::SORTED {
            self.traverse_nearest_first(simd, query, stats, visit);
        } else {
            let descent = self.descend_single(simd, &query);
            self.traverse_from(simd, descent, query, stats, visit);
        }
    }

    /// Descends from the root while the query hits at most one lane, which needs no stack. Small queries far from the
    /// surface end here.
    #[inline(always)]
    pub fn descend_single<S: F32x8, P: CullQuery>(&self, simd: S, query: &P) -> Descent {
        let mut descent = Descent::default();
        let mut at_lanes = [[0.0; WIDTH]; 2];
        while let Some(node) = self.nodes.get(descent.node as usize) {
            descent.bins += 1;
            descent.mask = query.boxes(simd, &node.boxes, 1.0, &mut at_lanes);
            if descent.mask == 0 || descent.mask & (descent.mask - 1) != 0 {
                break;
            }
            let child = node.child[descent.mask.trailing_zeros() as usize & 7];
            if child & LEAF != 0 {
                break;
            }
            descent.node = child;
        }
        descent
    }

    #[inline(always)]
    fn traverse_nearest_first<S: F32x8, P: CullQuery>(
        &self,
        simd: S,
        mut query: P,
        stats: &mut QueryStats,
        mut visit: impl FnMut(u32) -> Option<f64>,
    ) {
        // Entry in the upper half, child in the lower. Entries are not negative, so that the integers are in the same
        // order. Spilled entries are in any order.
        let mut waiting = [0u64; STACK];
        let mut spilled = Vec::new();
        let mut len = 0;
        let (mut bins, mut faces) = (0, 0);
        let mut limit = 1.0f32;
        let mut next = 0u32;
        loop {
            bins += 1;
            if next & LEAF != 0 {
                let first = next & !LEAF;
                self.visit_leaf(simd, &mut query, first, &mut limit, &mut faces, &mut visit);
            } else {
                let node = &self.nodes[next as usize];
                let mut at = [[0.0; WIDTH]; 2];
                let mask = query.boxes(simd, &node.boxes, limit, &mut at);
                // All at once, so that their cache line loads while the boxes are tested.
                let children = simd.paired(&at[0], &node.child);
                if mask != 0 {
                    next = nearest_child(&children, mask, &mut waiting, &mut spilled, &mut len);
                    continue;
                }
            }
            loop {
                if len == 0 {
                    let Some(entry) = spilled.pop() else {
                        stats.bins += bins;
                        stats.faces += faces;
                        return;
                    };
                    (waiting[0], len) = (entry, 1);
                }
                len -= 1;
                let entry = waiting[len % STACK];
                if f32::from_bits((entry >> 32) as u32) <= limit {
                    next = entry as u32;
                    break;
                }
            }
        }
    }

    /// Traverses the rest of the tree in no particular order.
    #[inline(always)]
    pub fn traverse_from<S: F32x8, P: CullQuery>(
        &self,
        simd: S,
        descent: Descent,
        mut query: P,
        stats: &mut QueryStats,
        mut visit: impl FnMut(u32) -> Option<f64>,
    ) {
        // Nodes with their lanes still to be visited; at most one per level.
        let mut waiting = [(0u32, 0u32); DEEPEST + 2];
        let mut len = 0;
        let mut faces = 0;
        let mut at_lanes = [[0.0; WIDTH]; 2];
        let mut limit = 1.0f32;
        let Descent {
            node: mut at,
            mut mask,
            mut bins,
        } = descent;
        loop {
            if mask == 0 {
                if len == 0 {
                    break;
                }
                len -= 1;
                (at, mask) = waiting[len];
            }
            let lane = mask.trailing_zeros() as usize & 7;
            mask &= mask - 1;
            let child = self.nodes[at as usize].child[lane];
            bins += 1;
            if child & LEAF != 0 {
                let first = child & !LEAF;
                self.visit_leaf(simd, &mut query, first, &mut limit, &mut faces, &mut visit);
                continue;
            }
            if mask != 0 {
                waiting[len] = (at, mask);
                len += 1;
            }
            at = child;
            let boxes = &self.nodes[at as usize].boxes;
            mask = query.boxes(simd, boxes, limit, &mut at_lanes);
        }
        stats.bins += bins;
        stats.faces += faces;
    }

    #[inline(always)]
    fn visit_leaf<S: F32x8, P: CullQuery>(
        &self,
        simd: S,
        query: &mut P,
        first: u32,
        limit: &mut f32,
        faces: &mut u64,
        visit: &mut impl FnMut(u32) -> Option<f64>,
    ) {
        let mut at = first;
        while at != NONE {
            let block = &self.blocks[at as usize];
            at = self.block_infos[at as usize].next;
            let mut within = [[0.0; WIDTH]; 2];
            let mut mask = query.faces(simd, block, *limit, &mut within);
            while mask != 0 {
                let lane = mask.trailing_zeros() as usize & 7;
                mask &= mask - 1;
                if P::SORTED && within[0][lane] > *limit {
                    continue;
                }
                *faces += 1;
                if let Some(new) = visit(block.face[lane]) {
                    // Rounded up.
                    *limit = new as f32 * (1.0 + 4.0 * f32::EPSILON);
                    query.shorten(new);
                }
            }
        }
    }
}
