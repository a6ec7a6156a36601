//! Errors of operations and of building a world.
use crate::carve::MaterialId;
use crate::carve::shape::ShapeError;
use glam::DVec3;

/// Why an operation or a level was refused.
#[derive(Debug, thiserror::Error, PartialEq, Clone)]
pub enum WorldError {
    /// The brush has no inside, or is unbounded.
    #[error("the brush has no inside")]
    EmptyBrush,
    /// The brush lies outside the bounds.
    #[error("the brush lies outside the level")]
    OutsideBounds,
    /// A coordinate beyond the grid of ±1024 m.
    #[error("a point lies beyond the grid of 1024 m")]
    BeyondGrid,
    /// The mesh does not bound air.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// All solid within the carve is unbreakable.
    #[error("it is unbreakable")]
    Unbreakable,
    /// The change would exceed the memory budget.
    #[error("it would take {needed} bytes; the level may use at most {budget}")]
    Budget {
        /// Bytes that the level would need.
        needed: usize,
        /// [`super::World::budget_bytes`].
        budget: usize,
    },
    /// Another operation is in progress.
    #[error("another carve is still in progress")]
    Busy,
    /// The operation was undone before it had finished.
    #[error("it was undone before it had finished")]
    Dropped,
    /// The brush is not a valid solid: empty, flat, not convex, or of too many points.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

/// Why a mesh does not bound air. Points in metres.
#[derive(Debug, thiserror::Error, PartialEq, Clone)]
#[allow(missing_docs)]
pub enum SurfaceError {
    #[error("the mesh has no triangles")]
    Empty,
    #[error("there is no material {material}")]
    NoSuchMaterial { material: MaterialId },
    #[error("triangle {triangle} names a point that is not there")]
    NoSuchPoint { triangle: usize },
    #[error("the point {at} lies outside the bounds")]
    PointOutside { at: DVec3 },
    #[error("triangle {triangle} at {at} has no area")]
    FlatTriangle { triangle: usize, at: DVec3 },
    #[error("the edge from {from} to {to} has a triangle on one side only")]
    OpenEdge { from: DVec3, to: DVec3 },
    #[error("the edge from {from} to {to} has more than one triangle on a side")]
    CrowdedEdge { from: DVec3, to: DVec3 },
    #[error("two triangles lie back to back at the edge from {from} to {to}")]
    FoldedEdge { from: DVec3, to: DVec3 },
    #[error("the triangles face the wrong way: they enclose no air")]
    NoAir,
}
