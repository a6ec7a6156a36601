//! Timings: the only place that reads the clock. Nothing of it can be read back into the simulation.
//!
//! The core and `sim` get a [`Marker`] and tell it where their stages begin and end. [`Recorder`] is the marker with a
//! clock: it owns the last frames by stage, every carve's phases, and, while it records, the spans that become a CSV file
//! or a Chrome trace. [`Silent`] is the marker without a clock.

pub mod axis;
mod frame;
pub mod graph;
mod percentiles;
mod recorder;
mod write;

pub use breach_core::stage::{Marker, Silent, Stage};
pub use frame::{CarveSample, Frame, Span};
pub use graph::{LEAST_MS, SIDES, StageColours, curves_top_ms, top_ms};
pub use percentiles::{Percentiles, percentile};
pub use recorder::{FRAMES_KEPT, Recorder};
