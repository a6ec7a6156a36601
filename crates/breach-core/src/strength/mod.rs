//! Strength: which bonds of the solid break under the load that they carry.
//!
//! A change of the world is followed by a check of the structures that it touches. A survey gathers them from the
//! solid graph: thin solid, out to the ground. The ground is solid more than [`GROUND_M`] thick that reaches the bounds of
//! the level, and what lies on it with a wide face; its strength is not in question. Forces come from
//! [`crate::structure`]; a bond whose stresses exceed its strength breaks.
//!
//! Besides its own weight a structure carries what lies on it and what hits it ([`Strength::set_loads`]).
//!
//! A structure of too many blocks is checked in larger ones, up to two metres: its sections are as exact, but fewer.
//!
//! Levels were not made to stand. So every bond has at least [`AUTHORED_MARGIN`] times the strength that its load in the
//! level as authored needs; what stood then stands.
//!
//! The verdict is a function of the surface, the level as authored, loads, gravity and materials: never of the way there. Where
//! a check is spread over calls, it uses counted work, so that it ends in the same call on every machine.
mod check;
mod checked;
mod ground;
mod loads;
#[cfg(all(test, feature = "rayon"))]
mod permuted;
mod reads;
mod scale;
mod seeds;
mod survey;
#[cfg(test)]
mod tests;

pub use check::{AUTHORED_MARGIN, Break, Strength, Verdict};
pub use checked::{Checked, LoadPath};
pub use ground::GROUND_M;
pub use loads::PointLoad;
pub use survey::{BondPlace, MOST_BLOCKS, Surveyed};
