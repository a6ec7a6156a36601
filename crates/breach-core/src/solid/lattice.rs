//! The lattice of blocks: cubes of a quarter of a metre to two metres. Its planes run beside the multiples of that, half a
//! grid step off the grid, so that no point on the grid lies in one. The planes of a coarser lattice are planes of the finer ones.
use crate::geom::{self, Aabb};
use crate::world::GRID;
use glam::DVec3;

/// Offsets of the planes across x, y and z, metres. They differ, so that edges of the lattice do not lie in diagonal
/// planes either: sums and differences are no multiples of 16 steps, the grid on which shapes have their corners.
const OFFSETS_M: [f64; 3] = [1.5 / GRID, 4.5 / GRID, 10.5 / GRID];

/// A block, by its place in the lattice; block 0 lies above plane 0 on each axis.
pub type BlockId = [i32; 3];

/// A lattice, by the edge of its blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    block_m: f64,
}

impl Default for Lattice {
    /// Blocks of half a metre.
    fn default() -> Self {
        Lattice { block_m: 0.5 }
    }
}

impl Lattice {
    /// The edges that blocks can have, metres.
    pub const SIZES: [f64; 4] = [0.25, 0.5, 1.0, 2.0];

    /// The lattice whose blocks have the greatest of these edges that is no more than `block_m`, or else the least.
    pub fn new(block_m: f64) -> Lattice {
        let sizes = Self::SIZES.into_iter().rev();
        let mut fitting = sizes.filter(|&size| size <= block_m);
        let block_m = fitting.next().unwrap_or(Self::SIZES[0]);
        Lattice { block_m }
    }

    /// The lattice of blocks twice as long; None if these are the longest.
    pub fn coarser(self) -> Option<Lattice> {
        let next = Lattice::new(self.block_m * 2.0);
        (next != self).then_some(next)
    }

    /// Edge of a block, metres.
    pub fn block_m(self) -> f64 {
        self.block_m
    }

    /// Where a plane of the lattice across an axis runs, metres.
    pub fn plane(self, axis: usize, number: i32) -> f64 {
        f64::from(number) * self.block_m + OFFSETS_M[axis]
    }

    /// The block around a point, metres.
    pub fn block_at(self, point: DVec3) -> BlockId {
        [0, 1, 2].map(|axis: usize| {
            let number = geom::floor((point[axis] - OFFSETS_M[axis]) / self.block_m);
            number.clamp(i64::from(-LAST), i64::from(LAST)) as i32
        })
    }

    /// The box of a block, metres.
    pub fn bounds(self, block: BlockId) -> Aabb {
        let corner = |more: i32| {
            let plane = |axis: usize| self.plane(axis, block[axis] + more);
            DVec3::from_array([0, 1, 2].map(plane))
        };
        Aabb {
            min: corner(0),
            max: corner(1),
        }
    }

    /// The blocks that a box touches, in the order of their places.
    pub fn blocks_in(self, bounds: &Aabb) -> impl Iterator<Item = BlockId> + use<> {
        blocks_of(self.range_of(bounds))
    }

    /// The lowest and the highest of the blocks that a box touches; the highest is below the lowest where there are none.
    pub(crate) fn range_of(self, bounds: &Aabb) -> [BlockId; 2] {
        match bounds.is_empty() {
            true => [[0; 3], [-1; 3]],
            false => [self.block_at(bounds.min), self.block_at(bounds.max)],
        }
    }
}

/// The block beyond a side: 0 and 1 are the low and the high side across x, then y, then z.
pub fn beyond(block: BlockId, side: usize) -> BlockId {
    let mut next = block;
    next[side / 2] += if side % 2 == 1 { 1 } else { -1 };
    next
}

/// The blocks of a range, in the order of their places.
pub(crate) fn blocks_of([lo, hi]: [BlockId; 2]) -> impl Iterator<Item = BlockId> {
    (lo[0]..=hi[0]).flat_map(move |x| {
        (lo[1]..=hi[1]).flat_map(move |y| (lo[2]..=hi[2]).map(move |z| [x, y, z]))
    })
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

/// Farther than any level reaches.
const LAST: i32 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_point_is_in_its_block_and_grid_points_are_in_no_plane() {
        for lattice in Lattice::SIZES.map(Lattice::new) {
            for k in -40_000..40_000 {
                let x = f64::from(k) / 1024.0;
                let block = lattice.block_at(DVec3::splat(x));
                let bounds = lattice.bounds(block);
                assert!(bounds.min.x < x && x < bounds.max.x, "{x}");
            }
            assert_eq!(lattice.block_at(DVec3::splat(f64::NAN)), [0; 3]);
            assert_eq!(lattice.block_at(DVec3::splat(1e300)), [LAST; 3]);
        }
    }

    #[test]
    fn the_blocks_of_a_box_are_those_that_it_touches() {
        let around = Aabb {
            min: DVec3::new(-0.3, 0.1, 0.2),
            max: DVec3::new(0.7, 0.2, 0.9),
        };
        for (block_m, count) in [(0.25, 20), (0.5, 6), (1.0, 2), (2.0, 2)] {
            let lattice = Lattice::new(block_m);
            let blocks: Vec<BlockId> = lattice.blocks_in(&around).collect();
            assert_eq!(blocks.len(), count, "{block_m}");
            assert!(blocks.is_sorted());
            let touches = |&b: &BlockId| lattice.bounds(b).overlaps(&around);
            assert!(blocks.iter().all(touches));
            assert_eq!(lattice.blocks_in(&Aabb::EMPTY).count(), 0);
        }
    }

    #[test]
    fn sizes_in_between_are_rounded_down_and_each_but_the_last_has_one_twice_as_large() {
        for (asked, used, coarser) in [
            (0.0, 0.25, Some(0.5)),
            (0.25, 0.25, Some(0.5)),
            (0.7, 0.5, Some(1.0)),
            (1.0, 1.0, Some(2.0)),
            (9.0, 2.0, None),
            (f64::NAN, 0.25, Some(0.5)),
        ] {
            let lattice = Lattice::new(asked);
            assert_eq!(lattice.block_m(), used);
            assert_eq!(lattice.coarser().map(Lattice::block_m), coarser);
        }
    }
}
