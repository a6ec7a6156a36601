//! The Lab: every query of [`crate::collide`] to try out. Choose one, drag its shapes, see the answer drawn.
//!
//! An experiment is an entry of a table ([`rays`], [`sweeps`], [`overlaps`], [`nearest`], [`flat`]): the query's name,
//! the file whose head explains it, the handles of its shapes, and a function that runs the query and draws the answer.
//! The panel is independent of the entries.
mod canvas;
mod drawing;
mod flat;
mod nearest;
mod overlaps;
mod panel;
mod query;
mod rays;
mod sweeps;

pub use panel::LabPanel;
