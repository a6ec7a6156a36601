//! The recording: its length, its events, its changes, and a comparison of it.
use crate::compare::Comparison;
use std::sync::Arc;

/// The state of the recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The tick shown.
    pub tick: u64,
    /// Ticks recorded.
    pub ticks: u64,
    /// It is written to a file as it grows.
    pub is_written: bool,
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimelineMarkKind {
    /// The world was changed: a carve, a blast, a fill.
    Change,
    /// The level was saved to its file.
    Save,
    /// The player acted in the past: a new recording begins here.
    Branch,
}

/// An event of the recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineMark {
    /// The first tick that shows it.
    pub tick: u64,
    /// Its kind.
    pub kind: TimelineMarkKind,
    /// What happened, in words.
    pub what: String,
}

/// Size of a thumbnail, pixels and points.
pub const CHANGE_PICTURE: [u32; 2] = [64, 36];

/// A change of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeEntry {
    /// Unique in this run.
    pub number: u64,
    /// What changed, in words.
    pub name: String,
    /// Its tick.
    pub tick: u64,
    /// It is undone.
    pub is_undone: bool,
    /// Its thumbnail, once drawn.
    pub picture: Option<Arc<egui::ColorImage>>,
}

/// The state of the comparison.
#[derive(Clone, Copy, Debug, Default)]
pub enum Comparing<'a> {
    /// None was started.
    #[default]
    No,
    /// The fraction done, 0..=1.
    Running(f64),
    /// Its result.
    Done(&'a Comparison),
}
