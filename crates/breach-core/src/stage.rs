//! Stages of a frame, and the marker that hears where they start and end. No clock is read here: a host that wants times
//! reads its own in [`Marker::begin`] and [`Marker::end`]; [`Silent`] is the marker that hears nothing.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_sits_at_its_index() {
        for (index, stage) in Stage::ALL.into_iter().enumerate() {
            assert_eq!(stage.index(), index);
        }
    }
}
