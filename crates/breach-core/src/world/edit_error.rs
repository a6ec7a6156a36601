//! Why a host's world is not built or not changed: see `builders`.
use super::error::WorldError;
use super::report::NoEffect;
use crate::carve::shape::ShapeError;
use glam::DVec3;

/// Why a world is not built or not changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditError {
    /// A coordinate is NaN or infinite.
    #[error("a coordinate is not a number: {0}")]
    NotFinite(DVec3),
    /// A box whose `min` is not below its `max` by a grid step (1/16384 m) on every axis.
    #[error(
        "the box from {min} to {max} is flat or inverted: every part of min must lie below that of max"
    )]
    NoBox {
        /// Lowest corner as given, metres.
        min: DVec3,
        /// Highest corner as given, metres.
        max: DVec3,
    },
    /// A closed mesh, but a triangle of it faces into the solid, or a part of it lies within another part.
    #[error(
        "triangle {triangle} faces into the solid or lies inside another part: triangles run counter-clockwise seen from \
         outside, and each part is closed by itself"
    )]
    InsideOut {
        /// Index of the triangle.
        triangle: usize,
    },
    /// Two triangles of a mesh meet elsewhere than at corners and edges that they share.
    #[error("triangles {} and {} run through or touch one another near {at}", triangles[0], triangles[1])]
    TouchesItself {
        /// Their indices.
        triangles: [usize; 2],
        /// A corner of one of them, metres.
        at: DVec3,
    },
    /// The change would have no effect.
    #[error("nothing to change here: {0}")]
    NoEffect(NoEffect),
    /// The world refused.
    #[error(transparent)]
    World(#[from] WorldError),
}

impl From<ShapeError> for EditError {
    fn from(error: ShapeError) -> EditError {
        EditError::World(WorldError::Shape(error))
    }
}
