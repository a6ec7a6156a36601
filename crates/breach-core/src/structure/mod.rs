//! Does it stand? Forces in rigid blocks that elastic sections join, and how near each section is to its strength.
//!
//! The blocks do not deform; each section between two of them is an elastic layer that resists in all six directions: the
//! rigid-body spring model (Kawai, "New discrete models and their application to seismic response analysis of structures",
//! Nuclear Engineering and Design 48, 1978). [`Solve`] finds the displacements by a direct factorisation (see `factor`), so
//! the answer depends on the structure alone: no iteration to a tolerance, no start from the last answer. What a change leaves
//! as it was is not made again (see `memory`): whatever is kept has a key of all that it depends on.
//!
//! ```
//! use breach_core::glam::{DVec2, DVec3};
//! use breach_core::structure::{Block, Bond, Load, Section, Solve, Structure, StructuralMaterial, worst};
//!
//! // A beam of oak, 10 cm by 10 cm, sticks out of a wall along x: eight pieces of half a metre.
//! let law = StructuralMaterial::Wood.law();
//! let section = |x: f64| Section::rectangle(DVec3::new(x, 0.0, 0.0), 0, DVec2::splat(0.1));
//! let blocks = (0..8).map(|i| Block {
//!     mass: law.density * 0.005,
//!     centre: DVec3::new(0.25 + 0.5 * i as f64, 0.0, 0.0),
//!     load: Load::default(),
//! });
//! let bonds = (0..8).map(|i: u32| Bond {
//!     low: i.checked_sub(1), // none: the wall
//!     high: Some(i),
//!     section: section(0.5 * f64::from(i)),
//!     law,
//!     factor: 1.0,
//! });
//! let beam = Structure { blocks: blocks.collect(), bonds: bonds.collect() };
//! let mut solve = Solve::new(beam, DVec3::new(0.0, -9.81, 0.0));
//! while !solve.advance(&mut 1_000_000) {}
//! let solution = solve.finish();
//! // At the wall its weight of 16.8 kg turns with an arm of two metres.
//! let moment = 8.0 * 420.0 * 0.005 * 9.81 * 2.0;
//! assert!((solution.states[0].moment.z.abs() - moment).abs() < 1e-6 * moment);
//! assert_eq!(worst(&solution.states), None);
//! ```
//!
//! # Units and signs
//!
//! SI throughout: m, kg, N, N m, Pa; angles in radians. A bond's `force` and `moment` are what its **low** side exerts on its
//! **high** side, the moment about the section's centroid. A component of the force along the bond's axis that is above zero
//! is compression.
//!
//! # Numbers that are none
//!
//! Nothing here panics on numbers.
//! - A block with a centre that is not finite is held by nothing, and its bonds carry nothing.
//! - A mass that is not finite or below zero counts as 0; so does a load that is not finite.
//! - A bond carries nothing if its area is not from [`AREA_MIN`] to [`AREA_MAX`], if its centre is not finite, if its axis is not
//!   0, 1 or 2, if it names a block that is not there, the anchor twice or one block twice, or if the modulus of its law is
//!   not above zero. It joins nothing either: the caller leaves it out or does not mind.
//! - Second moments and extents that no section of that area can have count as the nearest ones that one can
//!   (see `section.rs`).
//! - A factor that is not a number or below zero counts as 1. An infinite one: the bond never breaks.
mod balance;
mod bond;
mod dense;
mod dissect;
mod factor;
mod fronts;
mod graph;
mod key;
mod law;
mod memory;
mod section;
mod solve;
#[cfg(test)]
mod tests;
mod utilisation;

pub use balance::{equilibrium_residual, proves};
pub use bond::{Block, Bond, BondState, Load, Mode, Structure, worst};
pub use law::{Law, StructuralMaterial};
pub use memory::Memory;
pub use section::{AREA_MAX, AREA_MIN, Section};
pub use solve::{Solution, Solve};
