//! The boolean of a convex brush and the faces of one cell. Knows no rooms.
//!
//! A brush ([`BrushDesc`]) becomes a [`polytope::Polytope`], which [`boolean::apply`] carves out of or fills into
//! the [`face::Face`]s that bound a cell's air. Brushes come from a level, from [`shape`] (tools) or from [`blast`].
//! Lengths are grid steps of 1/16384 m unless a name says otherwise.
//!
//! A room of 8 × 8 × 8 steps is carved out of solid rock, then a pillar is filled in:
//!
//! ```
//! use breach_core::carve::polytope::{Polytope, Surface};
//! use breach_core::carve::{Op, boolean};
//! use breach_core::exact::Planes;
//!
//! let mut planes = Planes::default();
//! // Corners in half steps.
//! let room = Polytope::from_box(&mut planes, [0; 3], [16; 3], Surface::Stuff(0)).expect("a box");
//! let pillar = Polytope::from_box(&mut planes, [4, 0, 4], [8, 16, 8], Surface::Stuff(1)).expect("a box");
//!
//! let carved = boolean::apply(&planes, &[], &[], &[], &room, Op::Carve);
//! assert_eq!(carved.added.len(), 6);
//!
//! let faces: Vec<_> = carved.added.into_iter().map(Some).collect();
//! let near: Vec<u32> = (0..6).collect();
//! let filled = boolean::apply(&planes, &[], &faces, &near, &pillar, Op::Fill);
//! // Floor and ceiling get a hole each; the pillar has four sides.
//! assert_eq!(filled.removed.len(), 2);
//! assert_eq!(filled.added.len(), 2 + 4);
//! ```
pub mod blast;
pub mod boolean;
mod brush;
mod classify;
pub mod conform;
mod cutter;
mod edge_tree;
pub mod face;
pub mod facet;
pub mod hull;
pub mod loops;
pub mod polytope;
mod region;
pub mod section;
pub mod shape;
#[cfg(test)]
mod tests;
pub mod touch;
pub mod triangulate;
mod walls;
pub mod winding;

pub use brush::{BrushDesc, MaterialId, Op, SideDesc};
