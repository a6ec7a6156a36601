//! The corners of a hull, laid out so that the compiler takes several at once.
use super::super::hull::MOST_CORNERS;
use super::smaller;
use glam::DVec3;

/// Corners in a block.
const LANES: usize = 4;
/// Blocks of a hull with the most corners.
const BLOCKS: usize = MOST_CORNERS.div_ceil(LANES);

#[derive(Clone, Copy, Debug, Default)]
struct Block {
    x: [f64; LANES],
    y: [f64; LANES],
    z: [f64; LANES],
}

/// The corners of a hull in a frame of choice, metres.
#[derive(Clone, Debug)]
pub(super) struct Points {
    /// The last corner fills up the last one in use.
    blocks: [Block; BLOCKS],
    /// Blocks in use.
    used: usize,
    count: usize,
    /// The mean of all corners: a point inside the hull.
    pub middle: DVec3,
}

impl Points {
    /// Each corner is put where `place` says.
    #[inline]
    pub fn new(corners: &[DVec3], place: impl Fn(DVec3) -> DVec3) -> Points {
        debug_assert!(corners.len() <= MOST_CORNERS);
        let count = corners.len().min(MOST_CORNERS);
        let mut blocks = [Block::default(); BLOCKS];
        let mut sum = DVec3::ZERO;
        for (block, chunk) in blocks.iter_mut().zip(corners[..count].chunks(LANES)) {
            for k in 0..LANES {
                let p = place(chunk[k.min(chunk.len() - 1)]);
                block.x[k] = p.x;
                block.y[k] = p.y;
                block.z[k] = p.z;
                if k < chunk.len() {
                    sum += p;
                }
            }
        }
        Points {
            blocks,
            used: count.div_ceil(LANES),
            count,
            middle: sum / count.max(1) as f64,
        }
    }

    /// A corner, by its index in the hull.
    #[inline]
    pub fn at(&self, index: usize) -> DVec3 {
        let (block, k) = (&self.blocks[index / LANES], index % LANES);
        DVec3::new(block.x[k], block.y[k], block.z[k])
    }

    /// The least of axis·p over all corners; infinite without corners.
    #[inline]
    pub fn least_along(&self, axis: DVec3) -> f64 {
        let mut least = [f64::INFINITY; LANES];
        for block in &self.blocks[..self.used] {
            least = std::array::from_fn(|k| {
                // In the order of `DVec3::dot`: `least` looks for the same bits.
                let along = block.x[k] * axis.x + block.y[k] * axis.y + block.z[k] * axis.z;
                smaller(along, least[k])
            });
        }
        let [a, b, c, d] = least;
        smaller(smaller(a, b), smaller(c, d))
    }

    /// The least of axis·p, and the first corner that has it.
    pub fn least(&self, axis: DVec3) -> (f64, usize) {
        let least = self.least_along(axis);
        let corner = (0..self.count).find(|&i| self.at(i).dot(axis) == least);
        (least, corner.unwrap_or(0))
    }

    /// The mean of the corners with axis·p <= `most`: a point inside the hull. The middle if there are none.
    pub fn mean_below(&self, axis: DVec3, most: f64) -> DVec3 {
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for p in (0..self.count).map(|i| self.at(i)) {
            if p.dot(axis) <= most {
                sum += p;
                count += 1.0;
            }
        }
        if count > 0.0 {
            sum / count
        } else {
            self.middle
        }
    }
}
