//! What the check of strength has found, to be looked at: no tick reads any of it.
use super::carves;
use super::simulation::{Sim, strength_of};
use crate::solid::Lattice;
use crate::strength::{Checked, Strength};
use crate::timing::Silent;
use crate::world::World;
use std::sync::Arc;

impl Sim {
    /// What the last check of strength found, lattice by lattice.
    pub fn checked(&self) -> &[Arc<Checked>] {
        self.strength.as_ref().map_or(&[], Strength::last)
    }

    /// Strength to look at this world with. Where the simulation has none, since the setting is 0, the level is built as
    /// authored for it, which takes as long as opening it; None if that fails.
    pub fn strength_to_look(&self) -> Option<Strength> {
        let mut strength = match &self.strength {
            Some(own) => own.clone(),
            None => {
                let (level, tree) = (&self.level.world, &self.settings.tree);
                strength_of(World::build_authored(level, tree, &mut Silent).ok()?)
            }
        };
        strength.dismiss();
        strength.set_lattice(Lattice::new(self.settings.block));
        carves::add_new_materials(&mut strength, &self.world);
        Some(strength)
    }
}
