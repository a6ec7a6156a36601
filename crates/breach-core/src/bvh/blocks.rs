//! Blocks of neighbouring faces, the primitives of updates and of large builds.
//!
//! New faces are packed into blocks along a space-filling curve; old faces stay in their blocks. A subtree is built
//! over block bounds, a sixth as many as faces. Blocks are merged only where a leaf holds several that are not full.
use super::bounds::Bounds;
use super::builder::Builder;
use super::f64x4::{self, F64x4};
use super::index::{LEAF, NONE, WIDTH};
use super::morton::{self, Centroid, MortonKey};
use super::prim_ref::PrimRef;
use super::tree::Tree;

impl Builder<'_> {
    /// Packs new faces into new blocks and adds these as primitives.
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

/// Fills one block per run of Morton keys.
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
    /// Prepends a block to a leaf's list, after moving faces into its first block while there is room. Returns the new
    /// first block.
    pub fn link_block(&mut self, block: u32, parent: u32, first: u32) -> u32 {
        if first != NONE {
            self.move_faces(block, first);
            if self.block_infos[block as usize].count == 0 {
                self.free_block(block);
                return first;
            }
        }
        let info = &mut self.block_infos[block as usize];
        (info.parent, info.next) = (parent, first);
        block
    }

    /// Empties a lane: frees the nodes below it and adds their blocks as primitives.
    pub fn dismantle(&mut self, node: u32, lane: usize, boxes: &mut Vec<PrimRef>) {
        let at = &self.nodes[node as usize];
        let (child, bounds) = (at.child[lane], at.boxes.get(lane));
        if child == NONE {
            return;
        }
        let info = &self.node_infos[node as usize];
        let is_dirty = info.dirty & (1 << lane) != 0;
        let level = info.levels()[lane];
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
            let info = &mut self.block_infos[at as usize];
            let (next, count) = (std::mem::replace(&mut info.next, NONE), info.count);
            if count == 0 {
                self.free_block(at);
            } else {
                // The only block of a leaf has the leaf's box.
                let is_all = !is_dirty && next == NONE && at == child & !LEAF;
                let own = || self.blocks[at as usize].union();
                let bounds = if is_all { bounds } else { own() };
                boxes.push(PrimRef::new(at, &bounds, count));
            }
            at = next;
        }
    }

    /// Moves faces from one block to another until it is full.
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
