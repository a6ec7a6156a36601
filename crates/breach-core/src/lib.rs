//! Levels that can be destroyed: exact holes, rooms and portals, swept spheres, debris.
#![warn(missing_docs)]

pub mod bvh;
pub mod carve;
pub mod collide;
pub mod debris;
pub mod exact;
pub mod geom;
mod listed_enum;
pub mod stage;
pub mod world;
