//! Why the world refuses an operation, or a loader's level.
use crate::carve::MaterialId;
use crate::carve::shape::ShapeError;
use glam::DVec3;

/// Why the world refused.
#[derive(Debug, thiserror::Error, PartialEq, Clone)]
pub enum WorldError {
    /// The brush has no inside, or is unbounded.
    #[error("the brush has no inside")]
    EmptyBrush,
    /// Nothing of the brush lies within the bounds.
    #[error("the brush lies outside the level")]
    OutsideBounds,
    /// A coordinate beyond the grid of ±1024 m.
    #[error("a point lies beyond the grid of 1024 m")]
    BeyondGrid,
    /// A mesh that bounds no air.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// All that the carve would take is unbreakable.
    #[error("it is unbreakable")]
    Unbreakable,
    /// The level would take more memory than it may.
    #[error("it would take {needed} bytes; the level may use at most {budget}")]
    Budget {
        /// Bytes that the level would take.
        needed: usize,
        /// [`World::budget_bytes`].
        budget: usize,
    },
    /// Another operation has begun and is not done.
    #[error("another carve is still in progress")]
    Busy,
    /// It was taken back before it was done.
    #[error("it was undone before it had finished")]
    Dropped,
    /// The brush is no solid: empty, flat, not convex, of too many points.
    #[error(transparent)]
    Shape(#[from] ShapeError),
}

/// Why a mesh bounds no air. Places in metres.
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
