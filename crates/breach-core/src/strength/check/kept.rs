//! What a check keeps from one change to the next: how much that is, and whether it is as if made anew.
use super::Strength;
use crate::geom::Aabb;
use crate::strength::{BondPlace, PointLoad};
use crate::structure::StructuralMaterial;
use crate::world::World;

impl Strength {
    /// Bytes that it holds between two checks, the authored world and the last findings left out: at most 64 MiB for each of
    /// the two graphs, 256 MiB for the solver's memory, and a few for the rest.
    pub fn bytes(&self) -> usize {
        self.graph.bytes()
            + self.ground.bytes()
            + self.authored_graph.bytes()
            + self.authored_ground.bytes()
            + self.memory.size()
            + self.bytes_of_clone()
    }

    /// Bytes that a clone has for itself.
    pub fn bytes_of_clone(&self) -> usize {
        let needed = self.needed.capacity() * (size_of::<(BondPlace, f64)>() + 1);
        let materials = self.materials.capacity() + self.authored_materials.capacity();
        needed
            + materials * size_of::<StructuralMaterial>()
            + (self.changed.capacity() + self.later.capacity()) * size_of::<Aabb>()
            + self.loads.capacity() * size_of::<PointLoad>()
    }

    /// Faults in what is kept of the world as its last commit left it, and of the authored one: all that differs from what is
    /// made anew. No change may wait for [`Strength::note_change`] or [`Strength::note_undo`].
    pub fn faults(&mut self, world: &World) -> Vec<String> {
        let mut faults = self.graph.faults(world);
        faults.extend(self.ground.faults(world));
        let mut of_authored = self.authored_graph.faults(&self.authored);
        of_authored.extend(self.authored_ground.faults(&self.authored));
        faults.extend(
            of_authored
                .into_iter()
                .map(|one| format!("authored: {one}")),
        );
        faults
    }
}
