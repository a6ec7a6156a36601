//! The level as rooms: cells of a kd-tree, their faces and box trees, the portals between them, and the operations that
//! change them.
//!
//! The air of a cell is a closed polyhedron of faces: stuff (visible surfaces), and walls on the planes between cells.
//! A [`World`] has two halves. `geometry` holds the exact faces of all cells and the tables that follow from them;
//! `visible` holds the rooms, portals and box trees that `queries` read. `build` makes both. An operation (`work`, with
//! its `phases`) changes the geometry step by step; only `commit` changes the visible half. `undo` reverts a change,
//! `preview` tries one, `census` counts and validates.
mod bars;
mod build;
mod builders;
mod cell;
mod census;
mod commit;
mod cross_section;
mod delta;
mod description;

mod dropped_planes;
mod edges;
mod edit_error;
mod error;
mod facets;
mod gaps;
mod geometry;
mod hairlines;
mod islands;
mod kd_tree;
mod keyframe;
mod leak;
mod mesh;
mod mesh_builder;
mod mesh_editor;
mod migration;
mod one_cell;
mod pending_operation;
mod phases;
mod pieces;
mod portal_repair;
mod portals;
mod preview;
mod quality;
mod queries;
mod reachability;
mod recent_changes;
mod report;
mod restore;
mod revision;
mod room;
mod self_touch;
mod solver;
mod sorted_fill;
mod split;
mod stamp;
mod string_pulling;
mod subdivision;
mod support;
mod surface;
mod surface_tracker;
#[cfg(test)]
mod tests;
mod touched;
mod trees;
mod unbreakable;
mod undo;
mod visible;
mod work;
mod work_budget;
#[allow(clippy::module_inception)]
mod world;

pub use builders::{Carved, LEAST_MARGIN_M, Piece, REACH_M, WorldBuilder};
pub use census::Census;
pub use delta::Delta;
pub use description::{BEDROCK, GRID, Material, Operation, SurfaceDesc, WorldDesc};
pub use edit_error::EditError;
pub use error::{SurfaceError, WorldError};
pub use preview::Preview;
pub use quality::Quality;
pub use queries::CastHit;
pub use report::{CarveReport, Island, NoEffect};
pub use revision::Revision;
pub use room::{FaceView, Portal, Room, RoomId};
pub use solver::{Solver, SphereMove};
pub use surface_tracker::{SurfaceChanges, SurfaceTracker, SurfaceTriangle, TriangleId};
pub use work_budget::WorkBudget;
pub use world::{BUDGET_BYTES, World};

pub use crate::carve::shape::ShapeError;
pub use crate::carve::{BrushDesc, MaterialId, Op, SideDesc};
