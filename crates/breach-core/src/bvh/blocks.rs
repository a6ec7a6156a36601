//! Subtrees over blocks that stay whole: what an edit grows, and a build.
//!
//! New faces come in blocks of neighbours along a space-filling curve; old ones stay in the blocks that they are in. A
//! subtree is grown over the boxes of its blocks, a sixth as many as its faces, and only blocks so empty that a leaf
//! holds several of them are poured together.
use super::bounds::Bounds;
use super::builder::Builder;
use super::f64x4::{self, F64x4};
use super::index::{LEAF, NONE, WIDTH};
use super::morton::{self, Centroid, MortonKey};
use super::prim_ref::PrimRef;
use super::tree::Tree;

impl Builder<'_> {
    /// Puts new faces into blocks of their own; these as items.
    pub fn fill_blocks(&mut self, centres: &[Centroid], boxes: &mut Vec<PrimRef>) {
        if centres.is_empty() {
            return;
        }
        let most = self.growth.limits.faces_per_bin.min(morton::MAX_RUN);
        let keys = morton::sort(centres);
        let mut ends = Vec::with_capacity(centres.len() / 4 + 8);
        morton::cut_into_runs(&keys, most, 0, &mut ends);
        f64x4::dispatch(FillBlocks {
            builder: self,
            keys: &keys,
            ends: &ends,
            boxes,
        });
    }
}

/// Fills a block with each run of places.
struct FillBlocks<'a, 'b> {
    builder: &'a mut Builder<'b>,
    keys: &'a [MortonKey],
    ends: &'a [u32],
    boxes: &'a mut Vec<PrimRef>,
}

impl f64x4::F64x4Kernel for FillBlocks<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<S: F64x4>(self, simd: S) {
        self.boxes.reserve(self.ends.len());
        let mut start = 0;
        for &end in self.ends {
            let run = &self.keys[start..end as usize];
            start = end as usize;
            let triangles = run.iter().map(|&key| morton::index(key));
            let (block, bounds) = self.builder.fill_block(simd, triangles, NONE, NONE);
            self.boxes
                .push(PrimRef::new(block, &bounds, run.len() as u32));
        }
    }
}

impl Tree {
    /// Chains a block to those of a leaf, filled up from the one after it; the first.
    pub fn link_block(&mut self, block: u32, parent: u32, first: u32) -> u32 {
        if first != NONE {
            self.move_faces(block, first);
            if self.block_infos[block as usize].count == 0 {
                self.free_block(block);
                return first;
            }
        }
        let role = &mut self.block_infos[block as usize];
        (role.parent, role.next) = (parent, first);
        block
    }

    /// Takes everything below a lane apart but for the blocks, which are added as items; the lane is empty then.
    pub fn dismantle(&mut self, node: u32, lane: usize, boxes: &mut Vec<PrimRef>) {
        let at = &self.nodes[node as usize];
        let (child, bounds) = (at.child[lane], at.boxes.get(lane));
        if child == NONE {
            return;
        }
        let role = &self.node_infos[node as usize];
        let is_dirty = role.dirty & (1 << lane) != 0;
        let level = role.levels()[lane];
        self.set_lane(node, lane, &Bounds::EMPTY, NONE, 0);
        if child & LEAF == 0 {
            for lane in 0..WIDTH {
                self.dismantle(child, lane, boxes);
            }
            self.free_node(child);
            return;
        }
        self.leaves_at[level as usize] -= 1;
        let mut at = child & !LEAF;
        while at != NONE {
            let role = &mut self.block_infos[at as usize];
            let (next, count) = (std::mem::replace(&mut role.next, NONE), role.count);
            if count == 0 {
                self.free_block(at);
            } else {
                // A leaf of one block has its box.
                let is_all = !is_dirty && next == NONE && at == child & !LEAF;
                let own = || self.blocks[at as usize].union();
                let bounds = if is_all { bounds } else { own() };
                boxes.push(PrimRef::new(at, &bounds, count));
            }
            at = next;
        }
    }

    /// Moves faces from one block to another as long as there is room.
    fn move_faces(&mut self, from: u32, to: u32) {
        let [mut left, mut count] = [from, to].map(|at| self.block_infos[at as usize].count);
        while left > 0 && count < WIDTH as u32 {
            left -= 1;
            let lane = left as usize;
            let moved = self.blocks[from as usize].lane(lane);
            self.blocks[from as usize].remove(lane, lane);
            self.blocks[to as usize].set_face(count as usize, &moved);
            self.face_lanes[moved.face as usize] = to * WIDTH as u32 + count;
            count += 1;
        }
        self.block_infos[from as usize].count = left;
        self.block_infos[to as usize].count = count;
    }
}
