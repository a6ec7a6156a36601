//! Blocks, the bonds between them, and what a bond carries.
use super::law::Law;
use super::section::Section;
use glam::DVec3;

/// A force and a moment on a block, beside its weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Through the centre; N.
    pub force: DVec3,
    /// About the centre; N m.
    pub moment: DVec3,
}

/// A rigid piece of the structure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// kg.
    pub mass: f64,
    /// Its centre of mass; m.
    pub centre: DVec3,
    /// What lies on it or pulls at it.
    pub load: Load,
}

/// A section that joins two blocks, or one and the anchor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bond {
    /// The block on the low side along the section's axis; none: the anchor.
    pub low: Option<u32>,
    /// The block on the high side; none: the anchor.
    pub high: Option<u32>,
    /// What the two share.
    pub section: Section,
    /// The law of the weaker side.
    pub law: Law,
    /// Multiplies every strength of the law.
    pub factor: f64,
}

/// Blocks, and the bonds between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Structure {
    /// Bonds name them by their place here.
    pub blocks: Vec<Block>,
    /// In any order.
    pub bonds: Vec<Bond>,
}

/// How a section fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// An edge is pulled apart.
    #[default]
    Tension,
    /// An edge is crushed.
    Compression,
    /// The sides slide.
    Shear,
}

/// What a bond carries.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BondState {
    /// On the high side by the low side; N.
    pub force: DVec3,
    /// On the high side by the low side, about the section's centroid; N m.
    pub moment: DVec3,
    /// The greatest stress by its strength: 0 unloaded, above 1 it fails, infinite in a part that nothing holds.
    pub utilisation: f64,
    /// Which stress that is.
    pub mode: Mode,
}

/// The bond that breaks first: the greatest utilisation above 1, the first one of several.
pub fn worst(states: &[BondState]) -> Option<usize> {
    let mut worst = None;
    let mut most = 1.0;
    for (i, state) in states.iter().enumerate() {
        if state.utilisation > most {
            (worst, most) = (Some(i), state.utilisation);
        }
    }
    worst
}
