//! The boolean: a convex brush against the faces of one cell. Knows no rooms.
use glam::I64Vec3;
pub mod blast;
pub mod boolean;
pub mod conform;
pub mod face;
pub mod facet;
pub mod hull;
pub mod inside;
pub mod loops;
pub mod polytope;
pub mod section;
pub mod shape;
pub mod touch;
pub mod triangulate;
mod walls;

/// A texture with its projection: what a face shows. Index into `World::materials`.
pub type MaterialId = u32;

/// A convex brush as it comes from a file or a tool: planes through grid points.
#[derive(Clone, Debug, PartialEq)]
pub struct BrushDesc {
    /// The planes; the solid is the meet of their insides.
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

/// Air or solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Op {
    /// The inside becomes air.
    Carve,
    /// The inside becomes solid.
    Fill,
}

#[cfg(test)]
mod tests;
