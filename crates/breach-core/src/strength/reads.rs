//! What a check has read of the world: where nothing of that changes, it can go on.
use crate::geom::Aabb;
use crate::solid::{self, BLOCK_M, BlockId};
use rustc_hash::FxHashSet;

/// Blocks, and boxes of solid, that a check has read.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    blocks: FxHashSet<BlockId>,
    /// Solid straight out to the bounds, metres.
    columns: Vec<Aabb>,
}

/// A block is read with its neighbours and theirs.
const AROUND_M: f64 = 2.0 * BLOCK_M;

impl Reads {
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.columns.clear();
    }

    /// Bytes that it holds.
    pub fn bytes(&self) -> usize {
        self.blocks.capacity() * (size_of::<BlockId>() + 1)
            + self.columns.capacity() * size_of::<Aabb>()
    }

    pub fn add(&mut self, block: BlockId) {
        self.blocks.insert(block);
    }

    pub fn add_column(&mut self, column: Aabb) {
        self.columns.push(column);
    }

    /// Whether a carve in a box, metres, may change what was read. A fill may change more: a column that was not clear.
    pub fn has(&self, carved: &Aabb) -> bool {
        let near = carved.grow(AROUND_M);
        if self.columns.iter().any(|column| column.overlaps(&near)) {
            return true;
        }
        let size = (near.max - near.min) / BLOCK_M + 1.0;
        match size.element_product() < self.blocks.len() as f64 {
            true => solid::blocks_in(&near).any(|block| self.blocks.contains(&block)),
            false => {
                let mut blocks = self.blocks.iter();
                blocks.any(|&block| solid::bounds(block).overlaps(&near))
            }
        }
    }
}
