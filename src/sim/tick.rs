//! The length of a tick, and how much carving fits into one.

/// Length of a tick, seconds.
pub const TICK_SECS: f64 = 1.0 / 60.0;

/// Units of carving work in a tick: 4 to 9 ms. A carve that takes more goes on in the next tick.
pub(super) const CARVE_UNITS: u64 = 48_000;
/// Units of work that undo and redo may take in a tick: a third of [`CARVE_UNITS`], since all steps of a tick run at once
/// and none can be spread over several ticks.
pub(super) const REVERT_UNITS: u64 = CARVE_UNITS / 3;
