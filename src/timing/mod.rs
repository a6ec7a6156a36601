//! Where does the time go? The only place that reads the clock; nothing can be read back into the simulation.
//!
//! The core and `sim` are handed a [`Marker`] and tell it where their stages start and end. [`Recorder`] is
//! the marker with a clock: it owns the last frames by stage (milliseconds), every carve's phases, and, while it
//! records, the spans that become a CSV file or a Chrome trace. [`Silent`] is the marker without.

pub mod axis;
pub mod graph;
mod recorder;
mod write;

pub use breach_core::stage::{Marker, Silent, Stage};
pub use graph::{LEAST_MS, SIDES, StageColours, curves_top_ms, top_ms};
pub use recorder::{CarveSample, FRAMES_KEPT, Frame, Percentiles, Recorder, Span};

/// The sample below or at which the part `q` (0..=1) of `sorted` lies, nearest rank; 0 without samples.
pub fn percentile(sorted: &[f32], q: f64) -> f64 {
    if sorted.is_empty() {
        return 0.0;
    }
    let rank = (q.clamp(0.0, 1.0) * sorted.len() as f64).ceil() as usize;
    f64::from(sorted[rank.clamp(1, sorted.len()) - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_take_the_nearest_rank() {
        let samples: Vec<f32> = (1..=100).map(|n| n as f32).collect();
        assert_eq!(percentile(&samples, 0.5), 50.0);
        assert_eq!(percentile(&samples, 0.99), 99.0);
        assert_eq!(percentile(&samples, 1.0), 100.0);
        assert_eq!(percentile(&samples, 0.0), 1.0);
        assert_eq!(percentile(&[7.0], 0.5), 7.0);
        assert_eq!(percentile(&[], 0.5), 0.0);
    }
}
