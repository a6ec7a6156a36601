//! Where does the time go? The only place that reads the clock; nothing can be read back into the simulation.
//!
//! `sim`, `world` and `carve` are handed a [`Marker`] and tell it where their stages start and end. [`Recorder`] is
//! the marker with a clock: it owns the last frames by stage (milliseconds), every carve's phases, and, while it
//! records, the spans that become a CSV file or a Chrome trace. [`Silent`] is the marker without.

pub mod axis;
pub mod graph;
mod recorder;
mod write;

pub use graph::{LEAST_MS, SIDES, StageColours, curves_top_ms, top_ms};
pub use recorder::{CarveSample, FRAMES_KEPT, Frame, Percentiles, Recorder, Span};

/// A stage of a frame or a phase of a carve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Stage {
    Step,
    Carve,
    Clip,
    Merge,
    Conform,
    Islands,
    Portals,
    Bins,
    Debris,
    Visibility,
    Upload,
    Draw,
    Panel,
}

impl Stage {
    /// How many there are.
    pub const COUNT: usize = 13;

    /// Every stage, in the order of a frame.
    pub const ALL: [Stage; Self::COUNT] = [
        Stage::Step,
        Stage::Carve,
        Stage::Clip,
        Stage::Merge,
        Stage::Conform,
        Stage::Islands,
        Stage::Portals,
        Stage::Bins,
        Stage::Debris,
        Stage::Visibility,
        Stage::Upload,
        Stage::Draw,
        Stage::Panel,
    ];

    /// The phases of a carve, in order.
    pub const PHASES: [Stage; 6] = [
        Stage::Clip,
        Stage::Merge,
        Stage::Conform,
        Stage::Islands,
        Stage::Portals,
        Stage::Bins,
    ];

    /// Position in [`Stage::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The word in reports, legends, CSV heads and traces.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Step => "step",
            Stage::Carve => "carve",
            Stage::Clip => "clip",
            Stage::Merge => "merge",
            Stage::Conform => "conform",
            Stage::Islands => "islands",
            Stage::Portals => "portals",
            Stage::Bins => "bins",
            Stage::Debris => "debris",
            Stage::Visibility => "visibility",
            Stage::Upload => "upload",
            Stage::Draw => "draw",
            Stage::Panel => "panel",
        }
    }
}

/// Is told where stages start and end; knows nothing else. Stages nest (Carve inside Step, phases inside Carve).
pub trait Marker {
    /// A stage starts.
    fn begin(&mut self, stage: Stage);
    /// The stage last begun ends.
    fn end(&mut self, stage: Stage);
    /// The stage last begun stops here and goes on where it begins next: one carve over several ticks.
    fn pause(&mut self, stage: Stage) {
        self.end(stage);
    }
}

/// A marker that nobody listens to.
pub struct Silent;
impl Marker for Silent {
    fn begin(&mut self, _: Stage) {}
    fn end(&mut self, _: Stage) {}
}

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
    fn every_stage_sits_at_its_index() {
        for (index, stage) in Stage::ALL.into_iter().enumerate() {
            assert_eq!(stage.index(), index);
        }
    }

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
