//! Where the time goes. The only place that reads the clock; nothing can be read back into the simulation.

/// A stage of a frame or a phase of a carve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Stage {
    Step, Carve, Clip, Merge, Conform, Islands, Portals, Bins, Debris, Visibility, Upload, Draw, Panel,
}

impl Stage {
    /// Every stage, in the order of a frame.
    pub const ALL: [Stage; 13] = [
        Stage::Step, Stage::Carve, Stage::Clip, Stage::Merge, Stage::Conform, Stage::Islands, Stage::Portals,
        Stage::Bins, Stage::Debris, Stage::Visibility, Stage::Upload, Stage::Draw, Stage::Panel,
    ];
}

/// Is told where stages start and end; knows nothing else. Stages nest (Carve inside Step, phases inside Carve).
pub trait Marker {
    /// A stage starts.
    fn begin(&mut self, stage: Stage);
    /// The stage last begun ends.
    fn end(&mut self, stage: Stage);
}

/// A marker that nobody listens to.
pub struct Silent;
impl Marker for Silent {
    fn begin(&mut self, _: Stage) {}
    fn end(&mut self, _: Stage) {}
}
