//! The lattice of blocks: cubes of half a metre. Its planes run beside the half metres, half a grid step off the grid, so
//! that no point on the grid lies in one.
use crate::geom::{self, Aabb};
use crate::world::GRID;
use glam::DVec3;

/// Edge of a block, metres.
pub const BLOCK_M: f64 = 0.5;
/// Offsets of the planes across x, y and z, metres. They differ, so that edges of the lattice do not lie in diagonal
/// planes either: sums and differences are no multiples of 16 steps, the grid on which shapes have their corners.
const OFFSETS_M: [f64; 3] = [1.5 / GRID, 4.5 / GRID, 10.5 / GRID];

/// A block, by its place in the lattice; block 0 lies above plane 0 on each axis.
pub type BlockId = [i32; 3];

/// Where a plane of the lattice across an axis runs, metres.
pub fn plane(axis: usize, number: i32) -> f64 {
    f64::from(number) * BLOCK_M + OFFSETS_M[axis]
}

/// The block around a point, metres.
pub fn block_at(point: DVec3) -> BlockId {
    [0, 1, 2].map(|axis: usize| {
        let number = geom::floor((point[axis] - OFFSETS_M[axis]) / BLOCK_M);
        number.clamp(i64::from(-LAST), i64::from(LAST)) as i32
    })
}

/// The box of a block, metres.
pub fn bounds(block: BlockId) -> Aabb {
    let corner =
        |more: i32| DVec3::from_array([0, 1, 2].map(|axis| plane(axis, block[axis] + more)));
    Aabb {
        min: corner(0),
        max: corner(1),
    }
}

/// The block beyond a side: 0 and 1 are the low and the high side across x, then y, then z.
pub fn beyond(block: BlockId, side: usize) -> BlockId {
    let mut next = block;
    next[side / 2] += if side % 2 == 1 { 1 } else { -1 };
    next
}

/// The lowest and the highest of the blocks that a box touches; the highest is below the lowest where there are none.
pub(crate) fn range_of(bounds: &Aabb) -> [BlockId; 2] {
    match bounds.is_empty() {
        true => [[0; 3], [-1; 3]],
        false => [block_at(bounds.min), block_at(bounds.max)],
    }
}

/// Number of blocks in a range.
pub(crate) fn count_of([lo, hi]: [BlockId; 2]) -> usize {
    let along = |axis: usize| (i64::from(hi[axis]) - i64::from(lo[axis]) + 1).max(0) as usize;
    along(0) * along(1) * along(2)
}

/// Whether a block is in a range.
pub(crate) fn is_in([lo, hi]: [BlockId; 2], block: BlockId) -> bool {
    (0..3).all(|axis| lo[axis] <= block[axis] && block[axis] <= hi[axis])
}

/// The blocks that a box touches, in the order of their places.
pub fn blocks_in(bounds: &Aabb) -> impl Iterator<Item = BlockId> + use<> {
    let [lo, hi] = range_of(bounds);
    (lo[0]..=hi[0]).flat_map(move |x| {
        (lo[1]..=hi[1]).flat_map(move |y| (lo[2]..=hi[2]).map(move |z| [x, y, z]))
    })
}

/// Farther than any level reaches.
const LAST: i32 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_point_is_in_its_block_and_grid_points_are_in_no_plane() {
        for k in -40_000..40_000 {
            let x = f64::from(k) / 1024.0;
            let block = block_at(DVec3::splat(x));
            let bounds = bounds(block);
            assert!(bounds.min.x < x && x < bounds.max.x, "{x}");
        }
        assert_eq!(block_at(DVec3::splat(f64::NAN)), [0; 3]);
        assert_eq!(block_at(DVec3::splat(1e300)), [LAST; 3]);
    }

    #[test]
    fn the_blocks_of_a_box_are_those_that_it_touches() {
        let around = Aabb {
            min: DVec3::new(-0.3, 0.1, 0.2),
            max: DVec3::new(0.7, 0.2, 0.9),
        };
        let blocks: Vec<BlockId> = blocks_in(&around).collect();
        assert_eq!(blocks.len(), 3 * 2);
        assert!(blocks.is_sorted());
        assert!(blocks.iter().all(|&b| bounds(b).overlaps(&around)));
        assert_eq!(blocks_in(&Aabb::EMPTY).count(), 0);
    }
}
