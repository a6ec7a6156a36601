//! Loads besides a structure's own weight: what lies on it, and what hits it.
use crate::geom::Aabb;
use crate::solid::{BlockId, Lattice};
use crate::structure::Structure;
use glam::DVec3;

/// A force on solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointLoad {
    /// Where it acts: on the surface, metres.
    pub point: DVec3,
    /// From the surface into the solid; unit.
    pub inward: DVec3,
    /// N.
    pub force: DVec3,
}

/// Solid is looked up this far behind the surface, metres.
const BEHIND_M: f64 = 0.01;

impl PointLoad {
    /// A box around the solid that it acts on, metres.
    pub fn bounds(&self) -> Aabb {
        Aabb::from_centre(self.behind(), DVec3::splat(BEHIND_M))
    }

    fn behind(&self) -> DVec3 {
        self.point + self.inward * BEHIND_M
    }

    /// Adds it to the block that it acts on. `nodes`, sorted, are the blocks of the lattice with those of the structure in
    /// them: of several the one with the nearest centre takes it. On the ground it does nothing.
    pub(super) fn add_to(
        &self,
        structure: &mut Structure,
        lattice: Lattice,
        nodes: &[(BlockId, u32)],
    ) {
        let wanted = lattice.block_at(self.behind());
        let from = nodes.partition_point(|node| node.0 < wanted);
        let here = nodes[from..].iter().take_while(|node| node.0 == wanted);
        let away = |block: u32| {
            let centre = structure.blocks[block as usize].centre;
            centre.distance_squared(self.point)
        };
        let nearest = here.min_by(|a, b| away(a.1).total_cmp(&away(b.1)).then(a.1.cmp(&b.1)));
        if let Some(&(_, block)) = nearest {
            let block = &mut structure.blocks[block as usize];
            block.load.force += self.force;
            block.load.moment += (self.point - block.centre).cross(self.force);
        }
    }
}
