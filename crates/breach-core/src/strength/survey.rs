//! Gathers the structures around a change: the thin solid that bonds connect with it, out to the ground.
use super::ground::{Ground, Thick};
use super::seeds::Seeds;
use crate::carve::MaterialId;
use crate::geom::Aabb;
use crate::solid::{BlockId, Lattice, NodeId, SolidGraph, SolidPortal};
use crate::structure::{AREA_MIN, Block, Bond, Law, Load, Section, StructuralMaterial, Structure};
use crate::world::World;
use glam::DVec3;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::VecDeque;

/// A structure of more blocks than this is checked in larger blocks.
pub const MOST_BLOCKS: usize = 20_000;

/// Units of work for each block that is visited, about a nanosecond each: between those that are known and those that
/// are made, since a count must not depend on what is known.
const VISIT_UNITS: u64 = 16_000;

/// The same for each block of thick solid that is flooded.
const FLOOD_UNITS: u64 = 1_000;

/// The solid that a survey reads, with what is known of it.
#[derive(Debug)]
pub(super) struct Solid<'a> {
    pub graph: &'a mut SolidGraph,
    pub ground: &'a mut Ground,
    pub world: &'a World,
    /// The structural material of each material.
    pub materials: &'a [StructuralMaterial],
    /// [`MOST_BLOCKS`], or fewer in tests.
    pub most_blocks: usize,
}

/// A side of the lattice, by the block above it and the axis across it: where a bond is.
pub type BondPlace = (BlockId, usize);

/// The structures that a survey has gathered.
#[derive(Clone, Debug, Default)]
pub struct Surveyed {
    /// Blocks and bonds; see [`crate::structure`]. All factors are 1.
    pub structure: Structure,
    /// Where each bond is.
    pub places: Vec<BondPlace>,
    /// The blocks of the lattice with those of the structure in them, sorted.
    pub nodes: Vec<(BlockId, u32)>,
    /// Blocks in structures of more than [`MOST_BLOCKS`] blocks, one for each seed; nothing else is known of these.
    pub too_large: Vec<BlockId>,
}

/// A survey that can stop after any node and go on later. It gathers one structure after the other.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    found: Surveyed,
    laws: FxHashMap<NodeId, Law>,
    /// The block of the structure that each node is part of; None is the ground.
    blocks: FxHashMap<NodeId, Option<u32>>,
    /// The same for lumps of thick solid.
    lump_blocks: FxHashMap<u32, u32>,
    /// Nodes of structures that are too large.
    given_up: FxHashSet<NodeId>,
    current: Current,
    /// Nodes in which structures may begin.
    starts: VecDeque<NodeId>,
    /// Blocks whose nodes are to be visited.
    seeds: VecDeque<BlockId>,
    /// More of them.
    changed: Seeds,
}

/// The structure being gathered.
#[derive(Clone, Debug, Default)]
struct Current {
    /// Blocks and bonds that were there before.
    before: [usize; 2],
    /// Its nodes so far, and its lumps of thick solid.
    nodes: Vec<NodeId>,
    lumps: Vec<u32>,
    /// Nodes whose bonds are still to be followed.
    open: VecDeque<NodeId>,
    /// It is part of one that was given up.
    is_given_up: bool,
}

impl Survey {
    /// A survey of the structures that reach into blocks.
    pub fn new(seeds: impl IntoIterator<Item = BlockId>) -> Survey {
        Survey {
            seeds: seeds.into_iter().collect(),
            ..Survey::default()
        }
    }

    /// A survey of the structures in and around boxes that changed, metres.
    pub fn of_changed(changed: &[Aabb], lattice: Lattice) -> Survey {
        Survey {
            changed: Seeds::new(changed, lattice),
            ..Survey::default()
        }
    }

    /// Goes on until all is gathered, which it returns, or the budget is used up.
    pub(super) fn advance(&mut self, solid: &mut Solid, units: &mut u64) -> bool {
        while *units > 0 {
            let size = self.found.structure.blocks.len() - self.current.before[0];
            if self.current.is_given_up || size > solid.most_blocks {
                self.give_up();
            }
            if let Some(node) = self.current.open.pop_front() {
                self.follow(solid, node);
            } else if let Some(node) = self.starts.pop_front() {
                self.begin(solid, node);
                continue;
            } else if let Some(block) = self.next_seed(solid.world, units) {
                solid.ground.reads.add(block);
                let count = solid.graph.node_count(solid.world, block);
                self.starts.extend((0..count).map(|number| (block, number)));
            } else {
                return self.changed.is_done();
            }
            let flooded = solid.ground.take_flooded();
            *units = units.saturating_sub(VISIT_UNITS + flooded * FLOOD_UNITS);
        }
        false
    }

    /// Begins with the structure of a node, unless that is known.
    fn begin(&mut self, solid: &mut Solid, start: NodeId) {
        if self.given_up.contains(&start) {
            self.found.too_large.push(start.0);
        }
        if self.blocks.contains_key(&start) || self.given_up.contains(&start) {
            return;
        }
        let structure = &self.found.structure;
        self.current = Current {
            before: [structure.blocks.len(), structure.bonds.len()],
            ..Current::default()
        };
        self.place(solid, start);
    }

    /// Drops the structure being gathered, which is too large.
    fn give_up(&mut self) {
        let dropped = std::mem::take(&mut self.current);
        let [blocks, bonds] = dropped.before;
        self.current.before = dropped.before;
        let start = dropped.nodes.first();
        self.found.too_large.extend(start.map(|start| start.0));
        self.found.structure.blocks.truncate(blocks);
        self.found.structure.bonds.truncate(bonds);
        self.found.places.truncate(bonds);
        for node in &dropped.nodes {
            self.blocks.remove(node);
        }
        for lump in &dropped.lumps {
            self.lump_blocks.remove(lump);
        }
        self.given_up.extend(dropped.nodes);
    }

    fn next_seed(&mut self, world: &World, units: &mut u64) -> Option<BlockId> {
        let known = self.seeds.pop_front();
        known.or_else(|| self.changed.next(world, units))
    }

    /// What was gathered.
    pub fn finish(mut self) -> Surveyed {
        let nodes = self.blocks.iter();
        let nodes = nodes.filter_map(|(node, block)| block.map(|block| (node.0, block)));
        self.found.nodes = nodes.collect();
        self.found.nodes.sort_unstable();
        self.found
    }

    /// The block of the structure that a node is part of; None is the ground.
    fn place(&mut self, solid: &mut Solid, node: NodeId) -> Option<u32> {
        if let Some(&known) = self.blocks.get(&node) {
            return known;
        }
        if self.given_up.contains(&node) {
            self.current.is_given_up = true;
            return None;
        }
        let Solid {
            graph,
            ground,
            world,
            ..
        } = &mut *solid;
        ground.reads.add(node.0);
        let place = match ground.thick(graph, world, node.0) {
            Some(Thick::Ground) => None,
            Some(Thick::Lump(lump)) => Some(self.lump_block(solid, lump)),
            None if ground.is_ground(graph, world, node) => None,
            None => {
                let part = graph.node(world, node);
                let law = self.law_of(solid, node);
                self.current.open.push_back(node);
                Some(self.add_block(part.volume_m3 * law.density, part.centre))
            }
        };
        if place.is_some() {
            self.current.nodes.push(node);
        }
        self.blocks.insert(node, place);
        place
    }

    fn add_block(&mut self, mass: f64, centre: DVec3) -> u32 {
        let blocks = &mut self.found.structure.blocks;
        blocks.push(Block {
            mass,
            centre,
            load: Load::default(),
        });
        blocks.len() as u32 - 1
    }

    /// A lump is one rigid block. The bonds of all of its blocks are followed.
    fn lump_block(&mut self, solid: &Solid, lump: u32) -> u32 {
        if let Some(&known) = self.lump_blocks.get(&lump) {
            return known;
        }
        let lattice = solid.graph.lattice();
        let blocks = solid.ground.lumps[lump as usize].clone();
        let centres = blocks.iter().map(|&block| lattice.bounds(block).centre());
        let centre = centres.sum::<DVec3>() / blocks.len() as f64;
        let volume = lattice.block_m().powi(3) * blocks.len() as f64;
        let number = self.add_block(volume * INNER.law().density, centre);
        self.lump_blocks.insert(lump, number);
        self.current.lumps.push(lump);
        let open = &mut self.current.open;
        open.extend(blocks.into_iter().map(|block| (block, 0)));
        number
    }

    /// Adds the bonds of a node of a structure, and the nodes beyond.
    fn follow(&mut self, solid: &mut Solid, node: NodeId) {
        let own = self.place(solid, node);
        for bond in solid.graph.bonds(solid.world, node) {
            let beyond = self.place(solid, bond.to);
            // Within a lump nothing breaks. A bond between two blocks is added once, from below.
            let is_high = bond.side % 2 == 1;
            if bond.portal.area_m2 < AREA_MIN || beyond == own || (beyond.is_some() && !is_high) {
                continue;
            }
            let axis = bond.side / 2;
            let (low, high, above) = match is_high {
                true => (own, beyond, bond.to),
                false => (beyond, own, node),
            };
            let law = self.law_of(solid, node);
            let law = match beyond {
                Some(_) => weaker([law, self.law_of(solid, bond.to)]),
                // Ground without surface has no material to tell.
                None => match solid.graph.node(solid.world, bond.to).material {
                    Some(material) => weaker([law, solid.law(material)]),
                    None => law,
                },
            };
            self.found.structure.bonds.push(Bond {
                low,
                high,
                section: section(
                    &bond.portal,
                    solid.graph.lattice().plane(axis, above.0[axis]),
                    axis,
                ),
                law,
                factor: 1.0,
            });
            self.found.places.push((above.0, axis));
        }
    }

    /// The law of a node: of its material, else of the neighbours that it shares the largest sections with.
    fn law_of(&mut self, solid: &mut Solid, id: NodeId) -> Law {
        if let Some(&known) = self.laws.get(&id) {
            return known;
        }
        let material = solid.graph.node(solid.world, id).material.or_else(|| {
            let mut neighbours: SmallVec<[(NodeId, f64); 6]> = SmallVec::new();
            let graph = &mut solid.graph;
            graph.each_bond(solid.world, id, &mut |_, to, portal| {
                neighbours.push((to, portal.area_m2));
            });
            let mut areas: SmallVec<[(MaterialId, f64); 6]> = SmallVec::new();
            for (to, more) in neighbours {
                if let Some(material) = graph.node(solid.world, to).material {
                    match areas.iter_mut().find(|area| area.0 == material) {
                        Some(area) => area.1 += more,
                        None => areas.push((material, more)),
                    }
                }
            }
            let by_area = |a: &&(MaterialId, f64), b: &&(MaterialId, f64)| {
                a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))
            };
            areas.iter().max_by(by_area).map(|area| area.0)
        });
        let law = material.map_or(INNER.law(), |material| solid.law(material));
        self.laws.insert(id, law);
        law
    }
}

impl Solid<'_> {
    fn law(&self, material: MaterialId) -> Law {
        let known = self.materials.get(material as usize);
        known.copied().unwrap_or(INNER).law()
    }
}

/// The material of solid without any surface near it.
const INNER: StructuralMaterial = StructuralMaterial::Concrete;

/// The law of the weaker side of a bond.
fn weaker([a, b]: [Law; 2]) -> Law {
    let order = a.tension.total_cmp(&b.tension);
    match order.then(a.compression.total_cmp(&b.compression)).is_le() {
        true => a,
        false => b,
    }
}

/// The section of a portal in the plane at `at` across an axis, metres.
fn section(portal: &SolidPortal, at: f64, axis: usize) -> Section {
    let mut centre = DVec3::ZERO;
    centre[axis] = at;
    centre[(axis + 1) % 3] = portal.centre.x;
    centre[(axis + 2) % 3] = portal.centre.y;
    Section {
        area: portal.area_m2,
        centre,
        axis,
        second_moments: portal.second_moments,
        low: portal.lo - portal.centre,
        high: portal.hi - portal.centre,
    }
}
