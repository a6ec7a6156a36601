//! Carves and fills: hits become operations (`blasts` for rockets, grenades and drills, `tools`), the queue carries them out
//! in slices (`queue`), and bodies feel a committed change (`aftermath`). `failure` breaks what is
//! too weak for its load, `break_up` chunks that hit something, `movers` carves movers; both cut with `jagged` slabs. `materials` gives the material
//! of a face and the one that a carve exposes.
mod aftermath;
mod blasts;
mod break_up;
mod failure;
mod jagged;
mod materials;
mod movers;
mod queue;
mod tools;

pub(super) use blasts::{blast_at, blast_body, blast_mover, blast_wall, bore};
pub(super) use break_up::break_up;
pub use failure::add_new_materials;
pub(super) use failure::{cancel_failures, check_strength};
pub(super) use materials::{material_of_body, material_of_face, material_of_mover};
pub(super) use queue::{advance, cancel};
pub(super) use tools::tool;
pub use tools::tool_ray;
