//! The sound of a simulation, tick by tick: the ear and the mixer in one, for clips.
use super::bank::{Bank, Replacements};
use super::ear::Ear;
use super::mixer::{Levels, Mixer};
use super::{Block, FRAMES};
use crate::sim::Sim;

/// The sound of a simulation.
///
/// ```
/// use breach::sim::Sim;
/// use breach::sound::Soundtrack;
/// # let level = breach::level::read_map(include_bytes!("../../levels/bunker.map")).unwrap();
/// # let mut sim = Sim::new(level, 1, Default::default(), &mut breach::timing::Silent).unwrap();
/// let mut sound = Soundtrack::default();
/// for _ in 0..3 {
///     sim.step(&sim.idle(), &mut breach::timing::Silent);
///     let samples = sound.tick(&sim);
///     assert_eq!(samples.len(), 800);
/// }
/// ```
pub struct Soundtrack {
    ear: Ear,
    mixer: Mixer,
    block: Box<Block>,
}

impl Default for Soundtrack {
    fn default() -> Self {
        Self::new(Replacements::default(), Levels::default())
    }
}

impl Soundtrack {
    /// With files in the place of sounds, and these levels.
    pub fn new(replacements: Replacements, levels: Levels) -> Soundtrack {
        Soundtrack {
            ear: Ear::new(replacements.clone()),
            mixer: Mixer::new(Bank::new(replacements), levels),
            block: Box::new([[0.0; 2]; FRAMES]),
        }
    }

    /// The samples of the tick that the simulation has just made: left and right, 48 kHz, within ±1. To be called after
    /// every tick; after a jump to another tick what sounded ends.
    pub fn tick(&mut self, sim: &Sim) -> &Block {
        let heard = self.ear.hear(sim);
        self.mixer.mix(&heard, &mut self.block);
        &self.block
    }

    /// What is heard, with its paths.
    pub fn ear(&self) -> &Ear {
        &self.ear
    }
}
