//! Stages of a frame, and the marker that is told when they begin and end. No clock is read here: a host that wants
//! times reads its own clock in [`Marker::begin`] and [`Marker::end`]; [`Silent`] ignores all calls.

listed_enum! {
    /// A stage of a frame or a phase of a carve, in the order of a frame. The names appear in reports, legends, CSV heads
    /// and traces.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[allow(missing_docs)]
    pub enum Stage {
        Step = "step",
        Carve = "carve",
        Clip = "clip",
        Merge = "merge",
        Conform = "conform",
        Islands = "islands",
        Portals = "portals",
        Bins = "bins",
        Structure = "structure",
        Debris = "debris",
        Movers = "movers",
        Visibility = "visibility",
        Upload = "upload",
        Draw = "draw",
        Panel = "panel",
    }
}

impl Stage {
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
}

/// Receives the begin and end of stages. Stages nest: Carve inside Step, phases inside Carve.
pub trait Marker {
    /// A stage begins.
    fn begin(&mut self, stage: Stage);
    /// The stage begun last ends.
    fn end(&mut self, stage: Stage);
    /// The stage begun last is suspended and continues at its next begin: one carve over several ticks.
    fn pause(&mut self, stage: Stage) {
        self.end(stage);
    }
}

/// A marker that does nothing.
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
