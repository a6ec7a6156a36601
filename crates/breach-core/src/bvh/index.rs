//! Indices and sizes that all parts of the tree share.

/// No child, no block, no parent, no face.
pub(super) const NONE: u32 = u32::MAX;

/// Set in a child that is a leaf; the other bits are the index of its first block.
pub(super) const LEAF: u32 = 1 << 31;

/// Deepest level of a bin.
pub(super) const DEEPEST: usize = 32;

/// Lanes of a node and of a block.
pub(super) const WIDTH: usize = 8;

/// Splits node · 8 + lane into the two.
pub(super) fn node_and_lane(place: u32) -> (usize, usize) {
    (place as usize / WIDTH, place as usize % WIDTH)
}
