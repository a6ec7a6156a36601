//! The ground: solid so thick that it is not in question, where it reaches the bounds of the level.
use crate::geom::Aabb;
use crate::solid::{self, BLOCK_M, BlockId, NodeId, SolidGraph};
use crate::world::World;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Thickness of solid from which it counts as thick: a block and its six neighbours are all solid, metres.
pub const GROUND_M: f64 = 3.0 * BLOCK_M;

/// The least area of a wide face: half a side of a block, square metres.
const WIDE_M2: f64 = BLOCK_M * BLOCK_M / 2.0;

/// Thick solid of more blocks than this is ground, whether or not it reaches the bounds: 250 m³. A flood is one step of
/// a check, so this bounds the longest step to some 15 ms.
const MOST_IN_LUMP: usize = 2_000;

/// The part of thick solid that a block belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thick {
    /// It reaches the bounds, or is very large.
    Ground,
    /// It does not: a lump, by number.
    Lump(u32),
}

/// What is known of thick solid; valid while the surface does not change.
#[derive(Clone, Debug, Default)]
pub(super) struct Ground {
    is_thick: FxHashMap<BlockId, bool>,
    parts: FxHashMap<BlockId, Thick>,
    /// The blocks of each lump, in the order of their discovery.
    pub lumps: Vec<Vec<BlockId>>,
    /// Blocks visited since the last call of [`Ground::take_visits`].
    visits: u64,
}

impl Ground {
    /// Blocks visited since the last call.
    pub fn take_visits(&mut self) -> u64 {
        std::mem::take(&mut self.visits)
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
        let (blocks, reaches_ground) = self.flood(graph, world, block);
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
        let bonds = graph.bonds(world, node);
        let wide = bonds
            .iter()
            .filter(|bond| bond.portal.area_m2 >= WIDE_M2)
            .map(|bond| bond.to.0);
        let wide: SmallVec<[BlockId; 6]> = wide.collect();
        let mut is_ground = |block| self.thick(graph, world, block) == Some(Thick::Ground);
        if wide.iter().any(|&block| is_ground(block)) {
            return true;
        }
        wide.into_iter().any(|block| {
            graph.is_full(world, block)
                && (0..6).any(|side| {
                    let next = solid::beyond(block, side);
                    self.thick(graph, world, next) == Some(Thick::Ground)
                })
        })
    }

    fn is_thick(&mut self, graph: &mut SolidGraph, world: &World, block: BlockId) -> bool {
        if let Some(&known) = self.is_thick.get(&block) {
            return known;
        }
        self.visits += 1;
        let mut is_full = |block: BlockId| is_outside(world, block) || graph.is_full(world, block);
        let is_thick = is_full(block) && (0..6).all(|side| is_full(solid::beyond(block, side)));
        self.is_thick.insert(block, is_thick);
        is_thick
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
