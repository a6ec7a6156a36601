//! Brushes as they come from a file or a tool, and what is done with them.
use glam::I64Vec3;

/// A texture with its projection: what a face shows. Index into `World::materials`.
pub type MaterialId = u32;

/// A convex brush: planes through grid points.
#[derive(Clone, Debug, PartialEq)]
pub struct BrushDesc {
    /// The planes; the solid is the intersection of their inner half-spaces.
    pub sides: Vec<SideDesc>,
}

/// One plane of a brush.
#[derive(Clone, Debug, PartialEq)]
pub struct SideDesc {
    /// Three grid points (1/16384 m, Y up), counter-clockwise seen from outside: (b-a)×(c-a) points out of the brush.
    pub points: [I64Vec3; 3],
    /// What the side shows.
    pub material: MaterialId,
}

/// What happens to the inside of a brush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Op {
    /// The inside becomes air.
    Carve,
    /// The inside becomes solid.
    Fill,
}
