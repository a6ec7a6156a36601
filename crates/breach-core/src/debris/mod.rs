//! Debris: rigid bodies of spheres that fall, tumble, pile up and come to rest.
//!
//! Crumbs are single balls ([`spawn`]); a chunk is a compound of up to 64 balls inside its real faces ([`chunk`],
//! [`packing`]), and touches other bodies with its [`hull`] if it is nearly convex. A step ([`Debris::step`]) generates contacts (`contact_generation`: broad phase on a [`grid`], narrow
//! phase, walls), resolves bounces at their time of impact (`time_of_impact`), solves for contact impulses with friction
//! and rolling resistance (`solver`), corrects overlaps (`position_correction`), and integrates (`integration`), where each
//! ball's core is swept: a centre that starts in the air stays in the air. Bodies at rest fall asleep and cost nothing
//! ([`sleep`]). Doors and lifts are [`kinematic`] solids, which push bodies and carry them ([`Debris::step_among`]).
//!
//! Sequential impulses with warm start (Catto, "Iterative Dynamics with Temporal Coherence", 2005) and speculative
//! contacts. The order of everything is fixed; threads only read. Metres, seconds, kilograms, y up.
//!
//! [`Debris::step`] has an example of a host: it spawns, steps, wakes and reads bodies.

mod active_body;
mod ball;
pub mod bending;
mod body;
mod broad_phase;
mod buffer;
pub mod chunk;
pub mod clearance;
mod contact;
mod contact_cache;
mod contact_generation;
mod forces;
pub mod fracture;
pub mod grid;
mod grid_mesh;
pub mod hull;
mod hull_contacts;
mod integration;
pub mod kinematic;
mod manifold;
mod narrow_phase;
mod oriented_bounds;
pub mod packing;
pub mod placement;
mod position_correction;
mod recipe;
pub mod retire;
pub mod sleep;
mod small_world;
mod solid_contacts;
mod solid_sweeps;
mod solver;
mod solver_body;
pub mod spawn;
mod state;
mod step;
mod surface_cache;
#[cfg(test)]
mod tests;
mod time_of_impact;
mod wall_contacts;

pub use ball::Ball;
pub use body::{Body, BodyId, DENSITY, IRON, SMALLEST_VOLUME};
pub use buffer::buffered;
pub use chunk::Chunk;
pub use contact::Contact;
pub use contact_generation::WAKING_SPEED;
pub use forces::{Forces, Law};
pub use kinematic::{Frame, Kinematic, KinematicHit, Remains, Solid};
pub use recipe::{Exact, Recipe};
pub use state::Debris;
