//! The ground: solid so thick that it is not in question, where it reaches the bounds of the level.
use super::reads::Reads;
use crate::geom::Aabb;
use crate::solid::{self, BlockId, CubeId, Lattice, NodeId, SolidGraph, beyond, cube_of};
use crate::world::World;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Thickness of solid from which it counts as thick, in blocks of half a metre, metres: a block and its six neighbours are all
/// solid. Larger blocks need a neighbour, too; smaller ones as many as reach as far.
pub const GROUND_M: f64 = 1.5;

/// Neighbours on each side of a thick block that are all solid.
fn reach(lattice: Lattice) -> i32 {
    (GROUND_M / 3.0 / lattice.block_m()).ceil() as i32
}

/// Thick solid of more blocks than this is ground, whether or not it reaches the bounds: 75 m³, skin left out. A flood is
/// one step of a check, so this bounds the longest step to some 3 ms.
const MOST_IN_LUMP: usize = 600;

/// With so many cubes of blocks known all are forgotten.
const MOST_CUBES: usize = 1 << 14;

/// The part of thick solid that a block belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thick {
    /// It reaches the bounds, or is very large.
    Ground,
    /// It does not: a lump, by number.
    Lump(u32),
}

/// What is known of the blocks of a cube, a bit each.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Those that the surface touches.
    surface: u64,
    /// Of the others: those that are known to be all solid or all air, and those that are solid.
    is_known: u64,
    solid: u64,
    /// Those of which it is known whether they are thick, since [`Ground::begin`], and those that are.
    is_thick_known: u64,
    thick: u64,
}

/// What is known of thick solid.
#[derive(Clone, Debug, Default)]
pub(super) struct Ground {
    lattice: Lattice,
    /// By cubes of blocks.
    cubes: FxHashMap<CubeId, Known>,
    parts: FxHashMap<BlockId, Thick>,
    /// The blocks of each lump, in the order of their discovery.
    pub lumps: Vec<Vec<BlockId>>,
    /// Blocks flooded since the last call of [`Ground::take_flooded`].
    flooded: u64,
    /// What was read since [`Ground::begin`].
    pub reads: Reads,
}

impl Ground {
    /// Of blocks of a lattice. Nothing is known, but it is as if so much had been read.
    pub fn new(lattice: Lattice, reads: Reads) -> Ground {
        Ground {
            lattice,
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
        let range = self.lattice.range_of(&changed.grow(1e-6));
        let cubes = range.map(|block| cube_of(block).0);
        // A large box has more of them than are known.
        if solid::count_of(cubes) > self.cubes.len() {
            self.cubes.retain(|&cube, _| !solid::is_in(cubes, cube));
            return;
        }
        for cube in solid::blocks_of(cubes) {
            self.cubes.remove(&cube);
        }
    }

    /// Forgets the parts, which a survey finds anew, so that its work does not depend on earlier ones.
    pub fn begin(&mut self) {
        self.parts.clear();
        self.lumps.clear();
        self.flooded = 0;
        self.reads.clear();
        if self.cubes.len() >= MOST_CUBES {
            self.cubes.clear();
        }
        for known in self.cubes.values_mut() {
            known.is_thick_known = 0;
        }
    }

    /// Bytes that it holds.
    pub fn bytes(&self) -> usize {
        let lumps: usize = self.lumps.iter().map(Vec::capacity).sum();
        self.cubes.capacity() * (size_of::<(CubeId, Known)>() + 1)
            + self.parts.capacity() * (size_of::<(BlockId, Thick)>() + 1)
            + lumps * size_of::<BlockId>()
            + self.reads.bytes()
    }

    /// Blocks that are known otherwise than they are.
    pub fn faults(&self, world: &World) -> Vec<String> {
        let mut graph = SolidGraph::new(self.lattice);
        let mut faults = Vec::new();
        let mut cubes: Vec<(&CubeId, &Known)> = self.cubes.iter().collect();
        cubes.sort_unstable_by_key(|known| known.0);
        for (&cube, known) in cubes {
            for block in solid::blocks_with(cube, known.surface | known.is_known) {
                let is_solid = known.solid & !known.surface & cube_of(block).1 != 0;
                if is_solid != graph.is_full(world, block) {
                    faults.push(format!("block {block:?} is known as solid: {is_solid}"));
                }
            }
        }
        faults
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
        if self.is_outside(world, block) {
            return Some(Thick::Ground);
        }
        if !self.is_thick(graph, world, block) {
            return None;
        }
        if let Some(&known) = self.parts.get(&block) {
            return Some(known);
        }
        if let Some(column) = clear_column(world, self.lattice, block) {
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

    /// Whether a node that is not thick is part of the ground: it lies on thick ground with a wide face (of half a side
    /// of a block), or on a full block that does. Where the lattice cuts a surface, the block below it is the first full one, and the next one the
    /// first thick one.
    pub fn is_ground(&mut self, graph: &mut SolidGraph, world: &World, node: NodeId) -> bool {
        let least_m2 = self.lattice.block_m().powi(2) / 2.0;
        let mut level: SmallVec<[BlockId; 6]> = SmallVec::new();
        graph.each_portal(world, node, &mut |side, portal| {
            if portal.area_m2 >= least_m2 {
                level.push(beyond(node.0, side));
            }
        });
        for _ in 0..reach(self.lattice) {
            if self.is_any_ground(graph, world, &level) {
                return true;
            }
            level.retain(|block| self.is_solid(graph, world, *block));
            let next = level
                .iter()
                .flat_map(|&block| (0..6).map(move |side| beyond(block, side)));
            level = next.collect();
        }
        self.is_any_ground(graph, world, &level)
    }

    fn is_any_ground(&mut self, graph: &mut SolidGraph, world: &World, of: &[BlockId]) -> bool {
        let mut blocks = of.iter();
        blocks.any(|&block| self.thick(graph, world, block) == Some(Thick::Ground))
    }

    /// Whether a block lies beyond the bounds, where all is rock.
    fn is_outside(&self, world: &World, block: BlockId) -> bool {
        !world.bounds().overlaps(&self.lattice.bounds(block))
    }

    fn is_thick(&mut self, graph: &mut SolidGraph, world: &World, block: BlockId) -> bool {
        let (cube, bit) = cube_of(block);
        let known = self.cubes.get(&cube);
        // All that is around it asks the same.
        if let Some(known) = known.filter(|known| known.is_thick_known & bit != 0) {
            return known.thick & bit != 0;
        }
        let mut around = (1..=reach(self.lattice)).flat_map(|far| {
            (0..6).map(move |side| {
                let mut beside = block;
                beside[side / 2] += if side % 2 == 1 { far } else { -far };
                beside
            })
        });
        let is_thick = self.is_solid(graph, world, block)
            && around.all(|beside| self.is_solid(graph, world, beside));
        if let Some(known) = self.cubes.get_mut(&cube) {
            known.is_thick_known |= bit;
            set(&mut known.thick, bit, is_thick);
        }
        is_thick
    }

    fn is_solid(&mut self, graph: &mut SolidGraph, world: &World, block: BlockId) -> bool {
        self.reads.add(block);
        if self.is_outside(world, block) {
            return true;
        }
        let (cube, bit) = cube_of(block);
        let lattice = self.lattice;
        let known = self.cubes.entry(cube).or_insert_with(|| Known {
            surface: solid::surface_in(world, lattice, cube),
            ..Known::default()
        });
        if known.surface & bit != 0 {
            return false;
        }
        if known.is_known & bit != 0 {
            return known.solid & bit != 0;
        }
        // Without surface it is as its neighbours without surface are.
        let is_solid = (0..6).any(|side| self.is_known_as_solid(beyond(block, side)))
            || graph.is_full(world, block);
        if let Some(known) = self.cubes.get_mut(&cube) {
            known.is_known |= bit;
            set(&mut known.solid, bit, is_solid);
        }
        is_solid
    }

    fn is_known_as_solid(&self, block: BlockId) -> bool {
        let (cube, bit) = cube_of(block);
        let known = self.cubes.get(&cube);
        known.is_some_and(|known| known.is_known & known.solid & bit != 0)
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
        open.push(std::cmp::Reverse((self.depth(&bounds, start), start)));
        while let Some(std::cmp::Reverse((_, block))) = open.pop() {
            blocks.push(block);
            if blocks.len() > MOST_IN_LUMP {
                return (blocks, true);
            }
            for beyond in (0..6).map(|side| beyond(block, side)) {
                let known = self.parts.get(&beyond).copied();
                if self.is_outside(world, beyond) || known == Some(Thick::Ground) {
                    return (blocks, true);
                }
                if self.is_thick(graph, world, beyond) && seen.insert(beyond, ()).is_none() {
                    open.push(std::cmp::Reverse((self.depth(&bounds, beyond), beyond)));
                }
            }
        }
        (blocks, false)
    }

    /// Blocks between this one and the nearest bounds.
    fn depth(&self, bounds: &Aabb, block: BlockId) -> u32 {
        let centre = self.lattice.bounds(block).centre();
        let away = (centre - bounds.min).min(bounds.max - centre).min_element();
        (away.max(0.0) / self.lattice.block_m()) as u32
    }

    /// Whether a carve in a box, metres, may change what was read since [`Ground::begin`].
    pub fn has_read(&self, carved: &Aabb) -> bool {
        // A block is read with those that thickness asks for, and their neighbours.
        self.reads
            .has(self.lattice, reach(self.lattice) + 1, carved)
    }
}

fn set(bits: &mut u64, bit: u64, to: bool) {
    *bits = if to { *bits | bit } else { *bits & !bit };
}

/// A thick block is ground if all is solid from it straight out to the bounds, as wide as thick solid: a flood along there would
/// find the same. Returns that solid.
fn clear_column(world: &World, lattice: Lattice, block: BlockId) -> Option<Aabb> {
    let bounds = world.bounds();
    let own = lattice.bounds(block);
    let wide = own.grow(f64::from(reach(lattice)) * lattice.block_m());
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
