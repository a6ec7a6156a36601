//! Updates: faces that a carve removed leave their blocks, new faces are inserted from the root down.
//!
//! New faces come in blocks of neighbours. At each node a block goes to the lane whose box grows least. A subtree that
//! is small or would be mostly new is rebuilt from all its blocks ([`super::blocks`]). So the cost is proportional to
//! the change: only nodes on the way down and subtrees of the change's own size are touched.
use super::bounds::Bounds;
use super::builder::{Builder, Growth, Limits, PrimKind};
use super::f32x8::{BoxProbe, F32x8, F32x8Kernel, dispatch};
use super::index::{LEAF, NONE, WIDTH};
use super::lanes::Lanes;
use super::morton::Centroid;
use super::node::Node;
use super::params::BuildParams;
use super::prim_ref::PrimRef;
use super::surface::Surface;
use super::tree::Tree;

/// A subtree is rebuilt when at least this many times its faces are inserted.
const REBUILD_RATIO: u32 = 4;

/// A subtree is rebuilt when it has no more faces than this.
const REBUILD_BELOW: u32 = 64;

/// Refits the boxes after removals and inserts the new faces listed in `scratch`. Returns the bounds.
pub(super) fn refit_and_insert(
    tree: &mut Tree,
    surface: &Surface,
    params: &BuildParams,
    scratch: &mut TreeScratch,
) -> Bounds {
    let TreeScratch {
        new,
        left,
        boxes,
        sorting,
        grafted,
        growth,
    } = scratch;
    for block in left.drain(..) {
        compact_block(tree, block);
    }
    (growth.limits, growth.prim_kind) = (Limits::new(params), PrimKind::Blocks);
    let mut editor = Updater {
        builder: Builder::new(tree, surface, growth),
        sorting,
        grafted,
    };
    editor.builder.fill_blocks(new, boxes);
    new.clear();
    let bounds = editor.refit(0, boxes).0;
    boxes.clear();
    bounds
}

/// Marks a face as removed and lists its block in `left`; [`refit_and_insert`] does the rest.
pub(super) fn remove_face(tree: &mut Tree, triangle: u32, left: &mut Vec<u32>) {
    let place = match tree.face_lanes.get_mut(triangle as usize) {
        Some(place) if *place != NONE => std::mem::replace(place, NONE),
        _ => return,
    };
    let (block, lane) = (place / WIDTH as u32, place % WIDTH as u32);
    let at = &mut tree.block_infos[block as usize];
    if at.gone == 0 {
        left.push(block);
    }
    at.gone |= 1 << lane;
}

/// Closes the gaps that removed faces left in a block.
fn compact_block(tree: &mut Tree, block: u32) {
    let info = &mut tree.block_infos[block as usize];
    let mut gone = std::mem::take(&mut info.gone);
    let (count, mut all) = (gone.count_ones(), info.count);
    info.count -= count;
    if info.count == 0 {
        // The whole block is freed.
        gone = 0;
    }
    // The last face moves into each gap, from the last gap on, so that it is never a gap itself.
    while gone != 0 {
        let lane = gone.ilog2();
        gone &= !(1 << lane);
        all -= 1;
        let moved = tree.blocks[block as usize].remove(lane as usize, all as usize);
        if moved != NONE {
            tree.face_lanes[moved as usize] = block * WIDTH as u32 + lane;
        }
    }
    mark_dirty(tree, block, count);
}

/// Marks the ancestors of a block as dirty and subtracts `count` from their counts.
fn mark_dirty(tree: &mut Tree, block: u32, count: u32) {
    let mut at = tree.block_infos[block as usize].parent;
    while at != NONE {
        let (node, lane) = ((at / WIDTH as u32) as usize, at as usize % WIDTH);
        // The cost is updated when the lane is rewritten.
        tree.nodes[node].count[lane] -= count;
        tree.node_infos[node].dirty |= 1 << lane;
        at = tree.node_infos[node].parent;
    }
}

/// Working memory of an update; empty in between.
#[derive(Debug, Default)]
pub(super) struct TreeScratch {
    /// Centroids of the new faces.
    pub new: Vec<Centroid>,
    /// Blocks with removed faces.
    pub left: Vec<u32>,
    /// Blocks of the new faces.
    boxes: Vec<PrimRef>,
    sorting: LaneSort,
    /// Blocks of a subtree that is rebuilt.
    grafted: Vec<PrimRef>,
    growth: Growth,
}

/// The lane of each primitive, and the primitives sorted by lane.
#[derive(Debug, Default)]
struct LaneSort {
    lanes: Vec<u8>,
    sorted: Vec<PrimRef>,
}

struct Updater<'a> {
    builder: Builder<'a>,
    sorting: &'a mut LaneSort,
    grafted: &'a mut Vec<PrimRef>,
}

impl Updater<'_> {
    /// Refits a node and inserts primitives below it. Returns its bounds and count.
    fn refit(&mut self, node: u32, prims: &mut [PrimRef]) -> (Bounds, u32) {
        let info = self.builder.tree.node_infos[node as usize];
        let starts = self.sort_by_lane(node, prims);
        let levels = info.levels();
        for lane in 0..WIDTH {
            let part = &mut prims[starts[lane]..starts[lane + 1]];
            if !part.is_empty() || info.dirty & (1 << lane) != 0 {
                self.refit_lane(node, lane, levels[lane].into(), part);
            }
        }
        self.builder.tree.node_infos[node as usize].dirty = 0;
        let node = &self.builder.tree.nodes[node as usize];
        (node.boxes.union(), node.count.iter().sum())
    }

    fn refit_lane(&mut self, node: u32, lane: usize, level: u32, prims: &mut [PrimRef]) {
        let tree = &mut *self.builder.tree;
        let at = &tree.nodes[node as usize];
        let (child, count) = (at.child[lane], at.count[lane]);
        let is_leaf = child & LEAF != 0;
        let new: u32 = prims.iter().map(PrimRef::faces).sum();
        let fits = (count + new) as usize <= self.builder.growth.limits.faces_per_bin;
        if new == 0 && is_leaf && count > 0 {
            let bounds = self.free_empty_blocks(node, lane, child & !LEAF);
            let tree = &mut *self.builder.tree;
            let child = tree.nodes[node as usize].child[lane];
            tree.set_lane(node, lane, &bounds, child, count);
        } else if is_leaf
            || fits
            || new > 0 && count + new <= REBUILD_BELOW
            || new >= REBUILD_RATIO * count
        {
            tree.dismantle(node, lane, self.grafted);
            self.grafted.extend_from_slice(prims);
            if !self.grafted.is_empty() {
                self.builder.fill_lane(node, lane, level, self.grafted);
                self.grafted.clear();
            }
        } else {
            let (bounds, count) = self.refit(child, prims);
            self.builder
                .tree
                .set_lane(node, lane, &bounds, child, count);
        }
    }

    /// Frees a leaf's empty blocks. Returns the bounds of the others, at least one.
    fn free_empty_blocks(&mut self, node: u32, lane: usize, first: u32) -> Bounds {
        let tree = &mut *self.builder.tree;
        let mut bounds = Bounds::EMPTY;
        let (mut kept, mut at) = (NONE, first);
        while at != NONE {
            let info = &mut tree.block_infos[at as usize];
            let next = info.next;
            if info.count == 0 {
                tree.free_block(at);
            } else {
                bounds.extend(&tree.blocks[at as usize].union());
                info.next = kept;
                kept = at;
            }
            at = next;
        }
        tree.nodes[node as usize].child[lane] = kept | LEAF;
        bounds
    }

    /// Sorts the primitives by the lane whose box grows least. Returns where each lane starts.
    fn sort_by_lane(&mut self, node: u32, prims: &mut [PrimRef]) -> [usize; WIDTH + 1] {
        let mut starts = [0; WIDTH + 1];
        if prims.is_empty() {
            return starts;
        }
        let node = &self.builder.tree.nodes[node as usize];
        let LaneSort { lanes, sorted } = &mut *self.sorting;
        lanes.clear();
        dispatch(ChooseLane { node, prims, lanes });
        for &lane in lanes.iter() {
            starts[usize::from(lane) + 1] += 1;
        }
        for lane in 0..WIDTH {
            starts[lane + 1] += starts[lane];
        }
        sorted.clear();
        sorted.extend_from_slice(prims);
        let mut next = starts;
        for (prim, &lane) in sorted.iter().zip(lanes.iter()) {
            let at = &mut next[lane as usize];
            prims[*at] = *prim;
            *at += 1;
        }
        starts
    }
}

/// Chooses the lane of each primitive.
struct ChooseLane<'a> {
    node: &'a Node,
    prims: &'a [PrimRef],
    lanes: &'a mut Vec<u8>,
}

impl F32x8Kernel for ChooseLane<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: F32x8>(self, simd: S) {
        let node = self.node;
        // The growth of an empty lane is infinite: it is never chosen.
        let areas: Lanes = std::array::from_fn(|lane| match node.child[lane] {
            NONE => f32::NEG_INFINITY,
            _ => node.boxes.get(lane).area(),
        });
        let first_open = node.child.iter().position(|&child| child != NONE);
        for prim in self.prims {
            let bounds = prim.bounds();
            let probe = BoxProbe {
                min: bounds.min.to_array(),
                max: bounds.max.to_array(),
            };
            let least = simd.growing_least(&node.boxes, &areas, &probe);
            let mut best = least.trailing_zeros() as usize % WIDTH;
            if node.child[best] == NONE {
                // Areas that overflow f32; or the root of a tree that lost all its faces, which has no open lane.
                best = first_open.unwrap_or(0);
            }
            self.lanes.push(best as u8);
        }
    }
}
