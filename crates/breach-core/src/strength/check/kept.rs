//! What a check keeps from one change to the next: how much that is, and whether it is as if made anew.
use super::Strength;
use crate::geom::Aabb;
use crate::strength::PointLoad;
use crate::strength::scale::Scale;
use crate::structure::StructuralMaterial;
use crate::world::World;

impl Strength {
    /// Bytes that it holds between two checks, the authored world and the last findings left out: at most 64 MiB (besides blocks that wait to be freed) for each of
    /// the two graphs of a scale, 256 MiB for the solver's memory, and a few for the rest.
    pub fn bytes(&self) -> usize {
        let scales = self.scales.iter().map(Scale::bytes);
        scales.sum::<usize>() + self.memory.size() + self.bytes_of_clone()
    }

    /// Bytes that a clone has for itself.
    pub fn bytes_of_clone(&self) -> usize {
        let needed = self.scales.iter().map(Scale::needed_bytes);
        let materials = self.materials.capacity() + self.authored_materials.capacity();
        needed.sum::<usize>()
            + materials * size_of::<StructuralMaterial>()
            + (self.changed.capacity() + self.later.capacity()) * size_of::<Aabb>()
            + self.loads.capacity() * size_of::<PointLoad>()
    }

    /// Faults in what is kept of the world as its last commit left it, and of the authored one: all that differs from what is
    /// made anew. No change may wait for [`Strength::note_change`] or [`Strength::note_undo`].
    pub fn faults(&mut self, world: &World) -> Vec<String> {
        let scales = self.scales.iter_mut();
        let faults = scales.flat_map(|scale| scale.faults(world, &self.authored));
        faults.collect()
    }
}
