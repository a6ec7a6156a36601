//! The ground: solid so thick that it is not in question, where it reaches the bounds of the level.
use super::reads::Reads;
use crate::geom::Aabb;
use crate::solid::{self, BLOCK_M, BlockId, NodeId, SolidGraph};
use crate::world::World;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Thickness of solid from which it counts as thick: a block and its six neighbours are all solid, metres.
pub const GROUND_M: f64 = 3.0 * BLOCK_M;

/// The least area of a wide face: half a side of a block, square metres.
const WIDE_M2: f64 = BLOCK_M * BLOCK_M / 2.0;

/// Thick solid of more blocks than this is ground, whether or not it reaches the bounds: 75 m³, skin left out. A flood is
/// one step of a check, so this bounds the longest step to some 3 ms.
const MOST_IN_LUMP: usize = 600;

/// With so many blocks known all are forgotten.
const MOST_KNOWN: usize = 1 << 18;

/// The part of thick solid that a block belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thick {
    /// It reaches the bounds, or is very large.
    Ground,
    /// It does not: a lump, by number.
    Lump(u32),
}

/// What is known of thick solid.
#[derive(Clone, Debug, Default)]
pub(super) struct Ground {
    /// Whether a block is all solid; stays known until its surface changes.
    is_solid: FxHashMap<BlockId, bool>,
    parts: FxHashMap<BlockId, Thick>,
    /// The blocks of each lump, in the order of their discovery.
    pub lumps: Vec<Vec<BlockId>>,
    /// Blocks flooded since the last call of [`Ground::take_flooded`].
    flooded: u64,
    /// What was read since [`Ground::begin`].
    pub reads: Reads,
}

impl Ground {
    /// Nothing is known, but it is as if so much had been read.
    pub fn with_reads(reads: Reads) -> Ground {
        Ground {
            reads,
            ..Ground::default()
        }
    }

    /// Forgets what a change of the surface in a box, metres, may have changed.
    pub fn forget(&mut self, changed: &Aabb) {
        self.begin();
        self.forget_blocks(changed);
    }

    /// As [`Ground::forget`], where nothing changed that was read since [`Ground::begin`].
    pub fn forget_blocks(&mut self, changed: &Aabb) {
        let changed = changed.grow(1e-6);
        let range = solid::range_of(&changed);
        // A large box has more blocks than are known.
        if solid::count_of(range) > self.is_solid.len() {
            self.is_solid
                .retain(|&block, _| !solid::is_in(range, block));
            return;
        }
        for block in solid::blocks_in(&changed) {
            self.is_solid.remove(&block);
        }
    }

    /// Forgets the parts, which a survey finds anew, so that its work does not depend on earlier ones.
    pub fn begin(&mut self) {
        self.parts.clear();
        self.lumps.clear();
        self.flooded = 0;
        self.reads.clear();
        if self.is_solid.len() >= MOST_KNOWN {
            self.is_solid.clear();
        }
    }

    /// Bytes that it holds.
    pub fn bytes(&self) -> usize {
        let lumps: usize = self.lumps.iter().map(Vec::capacity).sum();
        self.is_solid.capacity() * (size_of::<(BlockId, bool)>() + 1)
            + self.parts.capacity() * (size_of::<(BlockId, Thick)>() + 1)
            + lumps * size_of::<BlockId>()
            + self.reads.bytes()
    }

    /// Blocks that are known otherwise than they are.
    pub fn faults(&self, world: &World) -> Vec<String> {
        let mut wrong: Vec<(BlockId, bool)> = self.is_solid.iter().map(|(&b, &s)| (b, s)).collect();
        wrong.sort_unstable();
        let mut graph = SolidGraph::default();
        wrong.retain(|&(block, is_solid)| {
            is_solid != (is_outside(world, block) || graph.is_full(world, block))
        });
        let text = |(block, is_solid)| format!("block {block:?} is known as solid: {is_solid}");
        wrong.into_iter().map(text).collect()
    }

    /// Blocks flooded since the last call.
    pub fn take_flooded(&mut self) -> u64 {
        std::mem::take(&mut self.flooded)
    }

    /// The thick solid that a block belongs to; None if it is not thick.
    pub fn thick(
        &mut self,
        graph: &mut SolidGraph,
        world: &World,
        block: BlockId,
    ) -> Option<Thick> {
        if is_outside(world, block) {
            return Some(Thick::Ground);
        }
        if !self.is_thick(graph, world, block) {
            return None;
        }
        if let Some(&known) = self.parts.get(&block) {
            return Some(known);
        }
        if let Some(column) = clear_column(world, block) {
            self.reads.add_column(column);
            self.parts.insert(block, Thick::Ground);
            return Some(Thick::Ground);
        }
        let (blocks, reaches_ground) = self.flood(graph, world, block);
        self.flooded += blocks.len() as u64;
        let part = match reaches_ground {
            true => Thick::Ground,
            false => {
                self.lumps.push(blocks.clone());
                Thick::Lump(self.lumps.len() as u32 - 1)
            }
        };
        self.parts
            .extend(blocks.into_iter().map(|block| (block, part)));
        Some(part)
    }

    /// Whether a node that is not thick is part of the ground: it lies on thick ground with a wide face, or on a full
    /// block that does. Where the lattice cuts a surface, the block below it is the first full one, and the next one the
    /// first thick one.
    pub fn is_ground(&mut self, graph: &mut SolidGraph, world: &World, node: NodeId) -> bool {
        let mut wide: SmallVec<[BlockId; 6]> = SmallVec::new();
        graph.each_portal(world, node, &mut |side, portal| {
            if portal.area_m2 >= WIDE_M2 {
                wide.push(solid::beyond(node.0, side));
            }
        });
        let mut is_ground = |block| self.thick(graph, world, block) == Some(Thick::Ground);
        if wide.iter().any(|&block| is_ground(block)) {
            return true;
        }
        wide.into_iter().any(|block| {
            self.is_solid(graph, world, block)
                && (0..6).any(|side| {
                    let next = solid::beyond(block, side);
                    self.thick(graph, world, next) == Some(Thick::Ground)
                })
        })
    }

    fn is_thick(&mut self, graph: &mut SolidGraph, world: &World, block: BlockId) -> bool {
        let mut around = (0..6).map(|side| solid::beyond(block, side));
        self.is_solid(graph, world, block)
            && around.all(|beside| self.is_solid(graph, world, beside))
    }

    fn is_solid(&mut self, graph: &mut SolidGraph, world: &World, block: BlockId) -> bool {
        self.reads.add(block);
        if let Some(&known) = self.is_solid.get(&block) {
            return known;
        }
        let is_solid = is_outside(world, block)
            || solid::is_clear(world, &solid::bounds(block)) && {
                // Without surface it is as its neighbours without surface are.
                let mut around = (0..6).map(|side| solid::beyond(block, side));
                let is_known = |beside: BlockId| self.is_solid.get(&beside) == Some(&true);
                around.any(is_known) || graph.is_full(world, block)
            };
        self.is_solid.insert(block, is_solid);
        is_solid
    }

    /// The thick blocks around one, until ground is met: those nearest to the bounds first.
    fn flood(
        &mut self,
        graph: &mut SolidGraph,
        world: &World,
        start: BlockId,
    ) -> (Vec<BlockId>, bool) {
        let bounds = world.bounds();
        let mut seen: FxHashMap<BlockId, ()> = FxHashMap::default();
        let mut open = std::collections::BinaryHeap::new();
        let mut blocks = Vec::new();
        seen.insert(start, ());
        open.push(std::cmp::Reverse((depth(&bounds, start), start)));
        while let Some(std::cmp::Reverse((_, block))) = open.pop() {
            blocks.push(block);
            if blocks.len() > MOST_IN_LUMP {
                return (blocks, true);
            }
            for beyond in (0..6).map(|side| solid::beyond(block, side)) {
                let known = self.parts.get(&beyond).copied();
                if is_outside(world, beyond) || known == Some(Thick::Ground) {
                    return (blocks, true);
                }
                if self.is_thick(graph, world, beyond) && seen.insert(beyond, ()).is_none() {
                    open.push(std::cmp::Reverse((depth(&bounds, beyond), beyond)));
                }
            }
        }
        (blocks, false)
    }
}

/// A thick block is ground if all is solid from it straight out to the bounds, three blocks wide: a flood along there would
/// find the same. Returns that solid.
fn clear_column(world: &World, block: BlockId) -> Option<Aabb> {
    let bounds = world.bounds();
    let own = solid::bounds(block);
    let wide = own.grow(BLOCK_M);
    let mut sides: SmallVec<[(f64, usize); 6]> = (0..6)
        .map(|side| {
            let axis = side / 2;
            let way = match side % 2 {
                0 => own.min[axis] - bounds.min[axis],
                _ => bounds.max[axis] - own.max[axis],
            };
            (way, side)
        })
        .collect();
    sides.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    sides.into_iter().find_map(|(_, side)| {
        let axis = side / 2;
        let mut column = wide;
        match side % 2 {
            0 => (column.min[axis], column.max[axis]) = (bounds.min[axis], own.max[axis]),
            _ => (column.min[axis], column.max[axis]) = (own.min[axis], bounds.max[axis]),
        }
        // Beyond the bounds all is rock.
        column.min = column.min.max(bounds.min + 1e-6);
        column.max = column.max.min(bounds.max - 1e-6);
        let is_clear = column.is_empty() || solid::is_clear(world, &column);
        is_clear.then_some(column)
    })
}

/// Whether a block lies beyond the bounds, where all is rock.
fn is_outside(world: &World, block: BlockId) -> bool {
    !world.bounds().overlaps(&solid::bounds(block))
}

/// Blocks between this one and the nearest bounds.
fn depth(bounds: &Aabb, block: BlockId) -> u32 {
    let centre = solid::bounds(block).centre();
    let away = (centre - bounds.min).min(bounds.max - centre).min_element();
    (away.max(0.0) / BLOCK_M) as u32
}
