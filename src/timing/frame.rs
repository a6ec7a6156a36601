//! Samples: frames by stage, carves by phase, spans of stages.
use breach_core::stage::Stage;

/// One frame (on the command line: one tick), by stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Counts from 0.
    pub number: u64,
    /// Milliseconds from the recorder's start to the frame's.
    pub start_ms: f64,
    /// Duration of the frame, milliseconds, including time outside of all stages.
    pub whole_ms: f32,
    /// Milliseconds by stage, nested stages included; index with [`Stage::index`].
    pub total_ms: [f32; Stage::COUNT],
    /// Milliseconds by stage without nested stages, so that their sum counts nothing twice.
    pub own_ms: [f32; Stage::COUNT],
    /// Carves that ended in this frame.
    pub carves: u32,
    /// Blocks and bonds of the checks of strength that ended in this frame, and bonds that broke.
    pub checked: [u32; 3],
}

impl Frame {
    pub(super) fn new(number: u64, start_ms: f64) -> Self {
        Self {
            number,
            start_ms,
            whole_ms: 0.0,
            total_ms: [0.0; Stage::COUNT],
            own_ms: [0.0; Stage::COUNT],
            carves: 0,
            checked: [0; 3],
        }
    }

    /// Sum of its stages, nested ones counted once, milliseconds.
    pub fn stacked_ms(&self) -> f32 {
        self.own_ms.iter().sum()
    }

    /// An empty frame.
    #[cfg(test)]
    pub fn empty(number: u64) -> Self {
        Self::new(number, 0.0)
    }
}

/// Durations of one carve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarveSample {
    /// Duration over all its ticks, milliseconds.
    pub ms: f32,
    /// Durations of its phases, in the order of [`Stage::PHASES`], milliseconds; 0 for a phase that did not run.
    pub phases_ms: [f32; Stage::PHASES.len()],
}

/// A finished stage on the time axis, for the trace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The stage.
    pub stage: Stage,
    /// Microseconds from the recorder's start.
    pub start_us: f64,
    /// Microseconds.
    pub duration_us: f64,
}
