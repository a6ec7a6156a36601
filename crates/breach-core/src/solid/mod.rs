//! The solid as a graph: what holds what.
//!
//! Space is cut into blocks, of half a metre by default ([`Lattice`]). A [`Node`] is a connected part of the solid in one block, with
//! its volume and centroid; a [`Bond`] is the solid that two blocks share on their common side, a [`SolidPortal`] with
//! its area and second moments. All of it follows from the surface as the last commit left it, by Gauss' and Green's
//! theorems: never from history, tree settings or threads.
mod block;
mod clear;
mod cube;
mod graph;
mod lattice;
mod rounded;
mod section;
#[cfg(test)]
mod tests;

pub use block::{Block, Node, SolidPortal};
pub use clear::is_clear;
pub(crate) use clear::touches;
pub(crate) use cube::{BlockSet, CubeId, blocks_with, cube_of, surface_in};
pub use graph::{Bond, NodeId, SolidGraph};
pub use lattice::{BlockId, Lattice, beyond};
pub(crate) use lattice::{blocks_of, count_of, is_in};
