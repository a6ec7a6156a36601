//! Half-edges: the sides of triangles, each from a corner to the next.
use super::face::previous_corner;
use super::index::NONE;

/// A half-edge: triangle · 4 + the corner that it starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HalfEdge(pub u32);

impl HalfEdge {
    /// Replaces a half-edge that has found its twin.
    pub const MATCHED: Self = Self(NONE);

    #[inline(always)]
    pub fn triangle(self) -> usize {
        self.0 as usize / 4
    }
    #[inline(always)]
    pub fn corner(self) -> usize {
        self.0 as usize % 4
    }
    /// The half-edge before this one in its triangle.
    pub fn previous(self) -> Self {
        Self((self.0 & !3) | previous_corner(self.corner()) as u32)
    }
}
