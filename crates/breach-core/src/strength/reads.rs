//! What a check has read of the world: where nothing of that changes, it can go on.
use crate::geom::Aabb;
use crate::solid::{BlockId, BlockSet, Lattice};

/// Blocks, and boxes of solid, that a check has read.
#[derive(Clone, Debug, Default)]
pub(super) struct Reads {
    blocks: BlockSet,
    /// Solid straight out to the bounds, metres.
    columns: Vec<Aabb>,
}

impl Reads {
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.columns.clear();
    }

    /// Bytes that it holds.
    pub fn bytes(&self) -> usize {
        self.blocks.bytes() + self.columns.capacity() * size_of::<Aabb>()
    }

    pub fn add(&mut self, block: BlockId) {
        self.blocks.insert(block);
    }

    pub fn add_column(&mut self, column: Aabb) {
        self.columns.push(column);
    }

    /// Whether a carve in a box, metres, may change what was read. A fill may change more: a column that was not clear.
    /// The blocks are those of a lattice; each was read with so many around it.
    pub fn has(&self, lattice: Lattice, around: i32, carved: &Aabb) -> bool {
        let near = carved.grow(f64::from(around) * lattice.block_m());
        if self.columns.iter().any(|column| column.overlaps(&near)) {
            return true;
        }
        self.blocks.has_any(lattice.range_of(&near))
    }
}
