//! The graph of all blocks, made where it is asked for and kept until the surface there changes.
use super::block::{Block, Node, SolidPortal};
use super::lattice::{BlockId, Lattice, beyond, blocks_of, count_of, is_in};
use crate::geom::Aabb;
use crate::world::World;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A node: the block, and the number of the part of solid in it.
pub type NodeId = (BlockId, u16);

/// A bond of a node: the solid that it shares with a node of a neighbouring block.
#[derive(Clone, Debug)]
pub struct Bond {
    /// The side of the first node's block: 0 and 1 are the low and the high side across x, then y, then z.
    pub side: usize,
    /// The node beyond.
    pub to: NodeId,
    /// The section.
    pub portal: SolidPortal,
}

/// A block that is kept.
#[derive(Clone, Debug)]
enum Kept {
    /// No solid.
    Air,
    /// No surface, all solid.
    Full,
    /// Some surface.
    Mixed(Arc<Block>),
}

impl Kept {
    /// Whether there is solid on a side.
    fn is_solid_at(&self, side: usize) -> bool {
        match self {
            Kept::Air => false,
            Kept::Full => true,
            Kept::Mixed(block) => !block.portals[side].is_empty(),
        }
    }

    /// The block that is held.
    fn mixed(self) -> Option<Arc<Block>> {
        match self {
            Kept::Air | Kept::Full => None,
            Kept::Mixed(block) => Some(block),
        }
    }

    /// Bytes, with those of its entry.
    fn bytes(&self) -> usize {
        match self {
            Kept::Air | Kept::Full => ENTRY_BYTES,
            Kept::Mixed(block) => ENTRY_BYTES + size_of::<Block>() + block.bytes(),
        }
    }
}

/// Bytes from which on all blocks are forgotten, and made anew where they are asked for: what is kept changes no answer. Tests
/// forget more often.
pub(super) const MOST_BYTES: usize = if cfg!(test) { 4 << 20 } else { 64 << 20 };
/// Number of forgotten blocks that are freed for each new block.
const FREED_EACH: usize = 4;
/// Bytes of a block's entry, and of a corner's.
const ENTRY_BYTES: usize = size_of::<(BlockId, Kept)>() + 1;
const CORNER_BYTES: usize = size_of::<(BlockId, bool)>() + 1;

/// The solid as a graph: nodes are the connected parts of solid in each block of a lattice, bonds the solid that two
/// blocks share on their common side. It is a function of the surface alone. Blocks are made on demand, so untouched
/// parts of a level cost nothing.
#[derive(Clone, Debug, Default)]
pub struct SolidGraph {
    lattice: Lattice,
    blocks: FxHashMap<BlockId, Kept>,
    /// Bytes of the blocks, their entries included.
    block_bytes: usize,
    /// Whether the lowest corner of a block is solid.
    corners: FxHashMap<BlockId, bool>,
    /// Forgotten blocks, to be freed a few at a time: freeing all at once takes a tenth of a second.
    forgotten: Vec<Arc<Block>>,
}

impl SolidGraph {
    /// Of blocks of a lattice.
    pub fn new(lattice: Lattice) -> SolidGraph {
        SolidGraph {
            lattice,
            ..SolidGraph::default()
        }
    }

    /// The lattice of its blocks.
    pub fn lattice(&self) -> Lattice {
        self.lattice
    }

    /// Forgets the blocks in a box, metres, after the surface there has changed.
    pub fn forget(&mut self, changed: &Aabb) {
        let [lo, hi] = self.lattice.range_of(&changed.grow(1e-6));
        let above = hi.map(|k| k + 1);
        let bytes = &mut self.block_bytes;
        let forgotten = &mut self.forgotten;
        let mut forget = |kept: Kept| {
            *bytes -= kept.bytes();
            forgotten.extend(kept.mixed());
        };
        // A large box has more blocks than are kept.
        if count_of([lo, hi]) > self.blocks.len() {
            let within = self.blocks.extract_if(|&block, _| is_in([lo, hi], block));
            within.for_each(|(_, kept)| forget(kept));
        } else {
            let within = blocks_of([lo, hi]).filter_map(|block| self.blocks.remove(&block));
            within.for_each(forget);
        }
        if count_of([lo, above]) > self.corners.len() {
            self.corners
                .retain(|&corner, _| !is_in([lo, above], corner));
        } else {
            for corner in blocks_of([lo, above]) {
                self.corners.remove(&corner);
            }
        }
    }

    /// Forgets everything.
    fn forget_all(&mut self) {
        let blocks = self.blocks.drain();
        self.forgotten
            .extend(blocks.filter_map(|(_, kept)| kept.mixed()));
        self.block_bytes = 0;
        self.corners.clear();
    }

    /// One block.
    pub fn block(&mut self, world: &World, block: BlockId) -> Arc<Block> {
        match self.kept(world, block) {
            Kept::Air => Arc::default(),
            Kept::Full => Arc::new(Block::full(&self.lattice.bounds(block))),
            Kept::Mixed(known) => known,
        }
    }

    /// Whether a block is all solid, without surface.
    pub fn is_full(&mut self, world: &World, block: BlockId) -> bool {
        matches!(self.kept(world, block), Kept::Full)
    }

    fn kept(&mut self, world: &World, block: BlockId) -> Kept {
        if let Some(known) = self.blocks.get(&block) {
            return known.clone();
        }
        if self.bytes() >= MOST_BYTES {
            self.forget_all();
        }
        self.forgotten
            .truncate(self.forgotten.len().saturating_sub(FREED_EACH));
        let (lattice, corners) = (self.lattice, &mut self.corners);
        let mut is_solid = |corner: BlockId| {
            let is_solid = || world.locate(lattice.bounds(corner).min).is_none();
            *corners.entry(corner).or_insert_with(is_solid)
        };
        let made = match Block::new(world, lattice, block, &mut is_solid) {
            Some(made) => Kept::Mixed(Arc::new(made)),
            None => {
                // Without surface it is as its neighbours are next to it.
                let known = (0..6).find_map(|side| {
                    let beside = self.blocks.get(&beyond(block, side))?;
                    Some(beside.is_solid_at(side ^ 1))
                });
                match known.unwrap_or_else(|| is_solid(block)) {
                    true => Kept::Full,
                    false => Kept::Air,
                }
            }
        };
        self.block_bytes += made.bytes();
        self.blocks.insert(block, made.clone());
        made
    }

    /// A node that exists.
    pub fn node(&mut self, world: &World, id: NodeId) -> Node {
        match self.kept(world, id.0) {
            Kept::Mixed(block) => block.nodes[usize::from(id.1)].clone(),
            Kept::Air | Kept::Full => Node::full(&self.lattice.bounds(id.0)),
        }
    }

    /// Number of nodes of a block.
    pub fn node_count(&mut self, world: &World, block: BlockId) -> u16 {
        match self.kept(world, block) {
            Kept::Air => 0,
            Kept::Full => 1,
            Kept::Mixed(block) => block.nodes.len() as u16,
        }
    }

    /// Calls `visit` with the side and the section of each part of its block's sides that a node reaches.
    pub fn each_portal(
        &mut self,
        world: &World,
        id: NodeId,
        visit: &mut dyn FnMut(usize, &SolidPortal),
    ) {
        match self.kept(world, id.0) {
            Kept::Air => {}
            Kept::Full => {
                let bounds = self.lattice.bounds(id.0);
                (0..6).for_each(|side| visit(side, &SolidPortal::of_full(&bounds, side)));
            }
            Kept::Mixed(block) => {
                for side in 0..6 {
                    let portals = block.portals[side].iter().zip(&block.at_portals[side]);
                    let own = portals.filter(|(_, node)| **node == id.1);
                    own.for_each(|(portal, _)| visit(side, portal));
                }
            }
        }
    }

    /// The bonds of a node, side by side.
    pub fn bonds(&mut self, world: &World, id: NodeId) -> Vec<Bond> {
        let mut bonds = Vec::new();
        self.each_bond(world, id, &mut |side, to, portal| {
            let portal = portal.clone();
            bonds.push(Bond { side, to, portal });
        });
        bonds
    }

    /// Calls `visit` with the side, the node beyond and the section of each bond of a node, side by side.
    pub fn each_bond(
        &mut self,
        world: &World,
        id: NodeId,
        visit: &mut dyn FnMut(usize, NodeId, &SolidPortal),
    ) {
        let own = self.kept(world, id.0);
        let lattice = self.lattice;
        for side in 0..6 {
            let beyond = beyond(id.0, side);
            let Kept::Mixed(block) = &own else {
                // All of a full block's side is solid, which the block beyond shows as one portal.
                let full = SolidPortal::of_full(&lattice.bounds(id.0), side);
                match (&own, self.kept(world, beyond)) {
                    (Kept::Full, Kept::Full) => visit(side, (beyond, 0), &full),
                    (Kept::Full, Kept::Mixed(other)) => {
                        let portal = other.portals[side ^ 1].first();
                        let portal = portal.filter(|_| side % 2 == 1).unwrap_or(&full);
                        if let Some(&node) = other.at_portals[side ^ 1].first() {
                            visit(side, (beyond, node), portal);
                        }
                    }
                    _ => {}
                }
                continue;
            };
            let is_own = |number: &usize| block.at_portals[side][*number] == id.1;
            let own_portals = (0..block.at_portals[side].len()).filter(is_own);
            if own_portals.clone().next().is_none() {
                continue;
            }
            let other = self.kept(world, beyond);
            for number in own_portals {
                // Both blocks find the same portals, except where the surface is open.
                let (node, portal) = match &other {
                    Kept::Air => continue,
                    Kept::Full => (0, None),
                    Kept::Mixed(other) => match other.at_portals[side ^ 1].get(number) {
                        Some(&node) => (node, other.portals[side ^ 1].get(number)),
                        None => continue,
                    },
                };
                // From the block above the side, so that either direction gives the same bits.
                let portal = match (side % 2, portal) {
                    (1, Some(portal)) => portal,
                    (1, None) => &SolidPortal::of_full(&lattice.bounds(beyond), side ^ 1),
                    _ => &block.portals[side][number],
                };
                visit(side, (beyond, node), portal);
            }
        }
    }

    /// Blocks that are kept at the moment.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Bytes of what the graph knows, at most 64 MiB and a block. Forgotten blocks that are not freed yet are not counted, at most as
    /// many again.
    pub fn bytes(&self) -> usize {
        self.block_bytes + self.corners.len() * CORNER_BYTES
    }

    /// Faults of the blocks that are kept: what a graph made anew has otherwise, sides on which the surface does not
    /// close, and portals without a node beyond.
    pub fn faults(&mut self, world: &World) -> Vec<String> {
        let mut kept: Vec<BlockId> = self.blocks.keys().copied().collect();
        kept.sort_unstable();
        let mut anew = SolidGraph::new(self.lattice);
        let mut faults = Vec::new();
        let counted: usize = self.blocks.values().map(Kept::bytes).sum();
        if counted != self.block_bytes {
            let known = self.block_bytes;
            faults.push(format!("the blocks have {counted} bytes, not {known}"));
        }
        for id in kept {
            if anew.bytes() >= MOST_BYTES / 2 {
                anew = SolidGraph::new(self.lattice);
            }
            let (own, new) = (self.block(world, id), anew.block(world, id));
            if own != new {
                faults.push(format!(
                    "block {id:?} is out of date: {own:?}, anew {new:?}"
                ));
            }
            if new.open_sides != 0 {
                faults.push(format!(
                    "block {id:?}: sides {:06b} are open",
                    new.open_sides
                ));
            }
            for side in 0..6 {
                let beside = anew.block(world, beyond(id, side));
                if beside.at_portals[side ^ 1].len() != new.at_portals[side].len() {
                    faults.push(format!(
                        "block {id:?}: the portals on side {side} end there"
                    ));
                }
            }
        }
        faults
    }
}
