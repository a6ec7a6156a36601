//! Half-edges: the sides of triangles, each with a direction.
use super::face::previous_corner;
use super::index::NONE;

/// A triangle's side, from a corner to the next: triangle · 4 + corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HalfEdge(pub u32);

impl HalfEdge {
    /// In place of a side that has found its partner.
    pub const MATCHED: Self = Self(NONE);

    #[inline(always)]
    pub fn triangle(self) -> usize {
        self.0 as usize / 4
    }
    #[inline(always)]
    pub fn corner(self) -> usize {
        self.0 as usize % 4
    }
    /// The one that ends where this one begins.
    pub fn previous(self) -> Self {
        Self((self.0 & !3) | previous_corner(self.corner()) as u32)
    }
}
