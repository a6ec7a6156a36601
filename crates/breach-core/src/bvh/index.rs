//! Indices and sizes that every part of the tree shares.

/// No child, no block, no parent.
pub(super) const NONE: u32 = u32::MAX;

/// Set in a child that is a leaf; the rest is the first of its blocks.
pub(super) const LEAF: u32 = 1 << 31;

/// Deepest level of a bin.
pub(super) const DEEPEST: usize = 32;

/// Lanes of a node and of a block.
pub(super) const WIDTH: usize = 8;

/// Node and lane.
pub(super) fn node_and_lane(place: u32) -> (usize, usize) {
    (place as usize / WIDTH, place as usize % WIDTH)
}
