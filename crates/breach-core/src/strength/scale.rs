//! A lattice in which structures are checked, with what is known of the solid in its blocks.
use super::ground::Ground;
use super::survey::{BondPlace, Solid};
use crate::geom::Aabb;
use crate::solid::{Lattice, SolidGraph};
use crate::structure::StructuralMaterial;
use crate::world::World;
use rustc_hash::FxHashMap;

/// What is known at one lattice, of the world that is checked and of the authored one.
#[derive(Debug)]
pub(super) struct Scale {
    pub graph: SolidGraph,
    pub ground: Ground,
    pub authored_graph: SolidGraph,
    pub authored_ground: Ground,
    /// For each authored bond near a change so far: the factor of its strength that its load needs, with the margin.
    pub needed: FxHashMap<BondPlace, f64>,
}

impl Scale {
    fn new(lattice: Lattice) -> Scale {
        Scale {
            graph: SolidGraph::new(lattice),
            ground: Ground::new(lattice, Default::default()),
            authored_graph: SolidGraph::new(lattice),
            authored_ground: Ground::new(lattice, Default::default()),
            needed: FxHashMap::default(),
        }
    }

    /// A lattice and all that are coarser.
    pub fn from(lattice: Lattice) -> Vec<Scale> {
        let lattices = std::iter::successors(Some(lattice), |lattice| lattice.coarser());
        lattices.map(Scale::new).collect()
    }

    /// A copy that has read as much, and knows only what the authored level needs.
    pub fn without_graphs(&self) -> Scale {
        Scale {
            ground: Ground::new(self.lattice(), self.ground.reads.clone()),
            needed: self.needed.clone(),
            ..Scale::new(self.lattice())
        }
    }

    pub fn lattice(&self) -> Lattice {
        self.graph.lattice()
    }

    /// Takes over the graphs of another one, which changes no answer.
    pub fn adopt(&mut self, other: Scale) {
        let reads = std::mem::take(&mut self.ground.reads);
        let needed = std::mem::take(&mut self.needed);
        *self = Scale { needed, ..other };
        self.ground.reads = reads;
    }

    /// Forgets what a change of the surface in a box, metres, may have changed.
    pub fn forget(&mut self, changed: &Aabb) {
        self.graph.forget(changed);
        self.ground.forget(changed);
    }

    /// The same where the check under way has read nothing.
    pub fn forget_blocks(&mut self, changed: &Aabb) {
        self.graph.forget(changed);
        self.ground.forget_blocks(changed);
    }

    /// Begins with a check.
    pub fn begin(&mut self) {
        self.ground.begin();
    }

    /// Begins with a survey of the authored world.
    pub fn begin_authored(&mut self) {
        self.authored_ground.begin();
    }

    /// The solid of the world that is checked.
    pub fn solid<'a>(
        &'a mut self,
        world: &'a World,
        materials: &'a [StructuralMaterial],
        most_blocks: usize,
    ) -> Solid<'a> {
        Solid {
            graph: &mut self.graph,
            ground: &mut self.ground,
            world,
            materials,
            most_blocks,
        }
    }

    /// The solid of the authored world.
    pub fn authored_solid<'a>(
        &'a mut self,
        authored: &'a World,
        materials: &'a [StructuralMaterial],
        most_blocks: usize,
    ) -> Solid<'a> {
        Solid {
            graph: &mut self.authored_graph,
            ground: &mut self.authored_ground,
            world: authored,
            materials,
            most_blocks,
        }
    }

    /// Bytes of what it knows, `needed` left out.
    pub fn bytes(&self) -> usize {
        let graphs = self.graph.bytes() + self.authored_graph.bytes();
        graphs + self.ground.bytes() + self.authored_ground.bytes()
    }

    /// Bytes of `needed`.
    pub fn needed_bytes(&self) -> usize {
        self.needed.capacity() * (size_of::<(BondPlace, f64)>() + 1)
    }

    /// Faults in what is kept of the world as its last commit left it, and of the authored one.
    pub fn faults(&mut self, world: &World, authored: &World) -> Vec<String> {
        let mut faults = self.graph.faults(world);
        faults.extend(self.ground.faults(world));
        let mut of_authored = self.authored_graph.faults(authored);
        of_authored.extend(self.authored_ground.faults(authored));
        let named = of_authored
            .into_iter()
            .map(|one| format!("authored: {one}"));
        faults.extend(named);
        faults
    }
}
