//! Shapes and numbers that everything else is built on: metres, seconds, radians, Y up, f64.
//!
//! Plain values with public fields. Intersection queries are in [`crate::collide`], exact predicates in
//! [`crate::exact`]. Apart from shapes: [`rng`] (the only source of randomness), [`hash`] (the only state hash),
//! [`tolerance`] (every epsilon, by role), [`ring`] (cyclic lists), [`disjoint_sets`],
//! [`cost_queue`] (searches by least cost), [`shards`] (a hash table that grows in small steps)
//! and [`shared`] and [`shared_vec`] (copy on write).
pub mod cost_queue;
pub mod disjoint_sets;
pub mod hash;
pub mod mass;
pub mod parallel;
pub mod polygon;
pub mod ring;
pub mod rng;
pub mod shards;
pub mod shared;
pub mod shared_vec;
pub mod tolerance;

mod aabb;
mod line;
mod numeric;
mod obb;
mod plane;
mod solid_angle;

pub use aabb::Aabb;
pub use line::{Ray, Segment};
pub use numeric::{floor, unit_or_zero};
pub use obb::Obb;
pub use plane::Plane;
pub use solid_angle::solid_angle;
