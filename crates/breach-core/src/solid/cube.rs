//! Cubes of 4 × 4 × 4 blocks: what is known of a block is a bit, so that what lies together is found together.
use super::clear::touches;
use super::lattice::{BlockId, Lattice, blocks_of};
use crate::bvh::QueryStats;
use crate::geom::Aabb;
use crate::world::World;
use rustc_hash::FxHashMap;

/// Blocks along an edge, as a power of two.
const EDGE_BITS: u32 = 2;
/// The highest place of a block along an edge.
const LAST: i32 = (1 << EDGE_BITS) - 1;

/// A cube, by its place among all.
pub type CubeId = [i32; 3];

/// The cube around a block, and the block's bit in it.
pub fn cube_of(block: BlockId) -> (CubeId, u64) {
    let [x, y, z] = block.map(|place| (place & LAST) as u32);
    let bit = (x << EDGE_BITS | y) << EDGE_BITS | z;
    (block.map(|place| place >> EDGE_BITS), 1 << bit)
}

/// The lowest and the highest block of a cube.
fn range_of(cube: CubeId) -> [BlockId; 2] {
    let low = cube.map(|place| place << EDGE_BITS);
    [low, low.map(|place| place + LAST)]
}

/// The blocks of a cube whose bits are set.
pub fn blocks_with(cube: CubeId, bits: u64) -> impl Iterator<Item = BlockId> {
    blocks_of(range_of(cube)).filter(move |&block| bits & cube_of(block).1 != 0)
}

/// The blocks of a cube that the surface touches: all others are clear; see [`super::is_clear`].
pub fn surface_in(world: &World, lattice: Lattice, cube: CubeId) -> u64 {
    let [low, high] = range_of(cube);
    let bounds = lattice.bounds(low).union(&lattice.bounds(high));
    let mut bits = 0;
    world.each_triangle_in_box(&bounds, &mut QueryStats::default(), &mut |room, number| {
        let mesh = &world.room(room).mesh;
        let corners = mesh.triangles[number as usize].corners;
        let corners = corners.map(|c| mesh.positions[c as usize]);
        let around = Aabb::from_points(corners).unwrap_or(Aabb::EMPTY);
        // One more on each side: a point in a plane of the lattice lies in both blocks.
        let [from, to] = lattice.range_of(&around);
        let from = [0, 1, 2].map(|k: usize| (from[k] - 1).max(low[k]));
        let to = [0, 1, 2].map(|k: usize| (to[k] + 1).min(high[k]));
        for block in blocks_of([from, to]) {
            let bit = cube_of(block).1;
            let bounds = lattice.bounds(block);
            if bits & bit == 0 && around.overlaps(&bounds) && touches(&corners, &bounds) {
                bits |= bit;
            }
        }
    });
    bits
}

/// A set of blocks.
#[derive(Clone, Debug, Default)]
pub struct BlockSet {
    cubes: FxHashMap<CubeId, u64>,
}

impl BlockSet {
    /// Adds a block.
    pub fn insert(&mut self, block: BlockId) {
        let (cube, bit) = cube_of(block);
        *self.cubes.entry(cube).or_default() |= bit;
    }

    /// Removes all blocks.
    pub fn clear(&mut self) {
        self.cubes.clear();
    }

    /// Whether there is one of the blocks of a range, given by its lowest and its highest block.
    pub fn has_any(&self, [low, high]: [BlockId; 2]) -> bool {
        let is_in_range = |cube: CubeId, bits: u64| {
            let mut blocks = blocks_with(cube, bits);
            blocks.any(|block| super::is_in([low, high], block))
        };
        let cubes = [low, high].map(|block| cube_of(block).0);
        match super::count_of(cubes) < self.cubes.len() {
            true => blocks_of(cubes).any(|cube| {
                let bits = self.cubes.get(&cube);
                bits.is_some_and(|&bits| is_in_range(cube, bits))
            }),
            false => {
                let mut all = self.cubes.iter();
                all.any(|(&cube, &bits)| super::is_in(cubes, cube) && is_in_range(cube, bits))
            }
        }
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.cubes.capacity() * (size_of::<(CubeId, u64)>() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::is_clear;
    use super::*;
    use crate::carve::BrushDesc;
    use crate::geom::rng::Rng;
    use crate::world::WorldBuilder;
    use glam::{DVec3, dvec3};

    #[test]
    fn a_cube_has_each_of_its_blocks_once() {
        for cube in [[0, 0, 0], [-1, 2, -7], [5, -3, 1]] {
            let blocks: Vec<BlockId> = blocks_with(cube, u64::MAX).collect();
            assert_eq!(blocks.len(), 64);
            let mut bits = 0;
            for block in blocks {
                let (own, bit) = cube_of(block);
                assert_eq!((own, bits & bit), (cube, 0));
                bits |= bit;
            }
            assert_eq!(bits, u64::MAX);
        }
    }

    #[test]
    fn a_set_has_what_was_added_in_any_range() {
        let mut rng = Rng::new(3);
        for count in [0, 1, 5, 300] {
            let place = |rng: &mut Rng| [0; 3].map(|_| rng.range(-20.0, 20.0) as i32);
            let mut set = BlockSet::default();
            let all: Vec<BlockId> = (0..count).map(|_| place(&mut rng)).collect();
            all.iter().for_each(|&block| set.insert(block));
            let mut found = 0;
            for _ in 0..200 {
                let low = place(&mut rng);
                let high = low.map(|k| k + rng.range(0.0, 9.0) as i32);
                let has = all
                    .iter()
                    .any(|&block| super::super::is_in([low, high], block));
                assert_eq!(set.has_any([low, high]), has);
                found += usize::from(has);
            }
            assert!(count < 300 || found > 50, "{found}");
            set.clear();
            assert!(!set.has_any([[-20; 3], [20; 3]]));
        }
    }

    #[test]
    fn the_surface_in_a_cube_is_in_the_blocks_that_are_not_clear() {
        let builder = WorldBuilder::solid(DVec3::splat(-20.0), DVec3::splat(20.0));
        let hall = BrushDesc::cuboid(dvec3(-8.0, -3.0, -5.0), dvec3(9.0, 4.0, 6.0));
        let mut world = builder.carve(hall.expect("a box")).build().expect("a hall");
        let mut rng = Rng::new(8);
        for _ in 0..30 {
            let at = dvec3(
                rng.range(-9.0, 9.0),
                rng.range(-4.0, 4.0),
                rng.range(-6.0, 6.0),
            );
            let half = DVec3::splat(rng.range(0.2, 1.5));
            let hole = BrushDesc::cuboid(at - half, at + half).expect("a box");
            // Where all is air there is nothing to carve.
            let _ = world.carve(&hole);
        }
        let (mut clear, mut others) = (0, 0);
        for lattice in Lattice::SIZES.map(Lattice::new) {
            for _ in 0..40 {
                let at = DVec3::splat(0.0).map(|_| rng.range(-11.0, 11.0));
                let (cube, _) = cube_of(lattice.block_at(at));
                let surface = surface_in(&world, lattice, cube);
                for block in blocks_with(cube, u64::MAX) {
                    let has_surface = surface & cube_of(block).1 != 0;
                    let is_clear = is_clear(&world, &lattice.bounds(block));
                    assert_eq!(has_surface, !is_clear, "{block:?} of {lattice:?}");
                    clear += usize::from(is_clear);
                    others += usize::from(!is_clear);
                }
            }
        }
        assert!(clear > 300 && others > 300, "{clear} {others}");
    }
}
