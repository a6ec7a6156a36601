//! The box tree of a room (the panel calls its boxes bins): what does a ray or a moving sphere meet first?
//!
//! A binary tree of axis-aligned boxes over a room's triangles, after Schroeder, Collision Detection Using Ray Casting
//! (2001), with more split rules and with edge adjacency: flat and concave edges are never tested on their own
//! (`surface`, `adjacency`, `active_edges`). `build` and `split` grow a tree over `prim_ref`s, `clustering` merges one
//! from the bottom up, `write_nodes` and `blocks` write it. `update` edits a part of it, `rebuild` builds a new one in
//! slices. `traverse` walks the tree for the queries of `query`, `touch` and `pairs`; `quality` measures it. The exact
//! tests are in [`crate::collide`]. Metres; `fraction` is a part of the displacement.
//!
//! ```
//! use breach_core::bvh::{BuildParams, Bvh, Mesh, QueryStats, Triangle};
//! use glam::DVec3;
//! let floor = Mesh {
//!     positions: vec![DVec3::ZERO, DVec3::Z * 4.0, DVec3::X * 4.0],
//!     triangles: vec![Triangle { corners: [0, 1, 2], face: 0, key: 0 }],
//! };
//! let tree = Bvh::build(&floor, &BuildParams::default());
//! let (from, to) = (DVec3::new(1.0, 3.0, 1.0), DVec3::new(1.0, -1.0, 1.0));
//! let hit = tree.sweep_sphere(&floor, from, to, 1.0, &mut QueryStats::default()).unwrap();
//! assert_eq!((hit.fraction, hit.normal), (0.5, DVec3::Y));
//! ```
mod active_edges;
mod adjacency;
mod blocks;
mod bounds;
mod build;
mod builder;
mod clustering;
mod cull_query;
pub mod culling;
mod f32x8;
mod f64x4;
mod face;
mod half_edge;
mod index;
mod lanes;
mod leaf_location;
mod mesh;
mod mesh_bvh;
mod morton;
mod node;
mod pairs;
mod params;
mod patch;
mod prim_ref;
pub mod quality;
mod query;
mod rebuild;
mod scratch;
mod simd_dispatch;
mod split;
mod surface;
mod surface_update;
#[cfg(test)]
mod tests;
mod touch;
mod traverse;
mod tree;
mod update;
mod write_nodes;

pub use leaf_location::LeafLocation;
pub use mesh::{Mesh, Triangle};
pub use mesh_bvh::Bvh;
pub use pairs::leaf_pairs;
pub use params::{BuildParams, SplitRule};
pub use patch::Patch;
pub use query::MeshHit;
pub use rebuild::Rebuild;
pub use touch::Touch;
pub use traverse::QueryStats;
