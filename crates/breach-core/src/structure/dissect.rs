//! In which order to eliminate the blocks: nested dissection by fixed planes.
//!
//! George, "Nested dissection of a regular finite element mesh", SIAM J. Numer. Anal. 10, 1973. A set of blocks is cut by a plane
//! across an axis; the blocks that separate its sides are eliminated last. Which plane depends on where the set lies, not on how
//! many blocks it has: a small hole leaves the cuts elsewhere as they were, and with them the fronts. Small sets have minimum
//! degree (Tinney and Walker 1967) with exact degrees, which also takes pillars and beams from their ends.
use super::graph::Adjacency;
use crate::solid::Lattice;
use glam::DVec3;

/// Sets up to this size are ordered by minimum degree: within a word of bits, with room for the blocks around them.
const LEAF: usize = 64;

/// Steps between two planes of the lattice of blocks, which are the natural cuts. Finer planes cut what is denser.
const FINE: f64 = 64.0;

/// Lumps, which touch more blocks than this, separate better than what touches them.
const LUMP: usize = 8;

/// The state of the dissection: a few steps of linear work each.
pub(super) struct Dissection {
    /// Where the blocks lie between the planes.
    cells: Vec<[i64; 3]>,
    /// The blocks, set by set; within each by number.
    blocks: Vec<u32>,
    /// Which set a block is in.
    set: Vec<u32>,
    sets: u32,
    /// Ranges to do.
    stack: Vec<(u32, u32)>,
    order: Vec<u32>,
    place: Vec<u32>,
    spare: Vec<u32>,
}

/// Blocks before a plane are on its low side.
#[derive(Clone, Copy)]
struct Cut {
    axis: usize,
    plane: i64,
}

impl Dissection {
    /// Of blocks with these centres.
    pub fn new(centres: &[DVec3]) -> Self {
        let n = centres.len();
        let lattice = Lattice::default();
        let origin = lattice.bounds([0; 3]).min;
        let cell = |&centre: &DVec3| {
            let steps = (centre - origin) * (FINE / lattice.block_m());
            steps
                .to_array()
                .map(|c| c.clamp(-1e18, 1e18).floor() as i64)
        };
        Dissection {
            cells: centres.iter().map(cell).collect(),
            blocks: (0..n as u32).collect(),
            set: vec![0; n],
            sets: 1,
            stack: vec![(0, n as u32)],
            order: vec![0; n],
            place: vec![0; n],
            spare: vec![],
        }
    }

    /// Does one set. Returns how many blocks that were; none when all is done.
    pub fn step(&mut self, adjacency: &Adjacency) -> Option<usize> {
        let (from, to) = self.stack.pop()?;
        let (from, to) = (from as usize, to as usize);
        if to - from <= LEAF {
            self.minimum_degree(adjacency, from, to);
        } else if let Some(cut) = self.best_cut(adjacency, from, to) {
            self.split(adjacency, from, to, cut);
        } else {
            // All in one place.
            self.order[from..to].copy_from_slice(&self.blocks[from..to]);
        }
        Some(to - from)
    }

    /// The order, when all is done.
    pub fn into_order(self) -> Vec<u32> {
        self.order
    }

    /// Of one plane across each axis the one with the fewest blocks between its sides. Counts of one size are equal, so that a
    /// few blocks less seldom change the choice.
    fn best_cut(&self, adjacency: &Adjacency, from: usize, to: usize) -> Option<Cut> {
        let blocks = &self.blocks[from..to];
        let n = blocks.len();
        let cuts = (0..3).filter_map(|axis| {
            let along = blocks.iter().map(|&block| self.cells[block as usize][axis]);
            let (low, high) = along.fold((i64::MAX, i64::MIN), |(low, high), cell| {
                (low.min(cell), high.max(cell))
            });
            let plane = middle_plane(low, high)?;
            let cut = Cut { axis, plane };
            let (mut between, mut lows) = (0, 0);
            for &block in blocks {
                lows += usize::from(self.is_low(cut, block));
                between += usize::from(self.separates(adjacency, cut, block));
            }
            let skew = (2.0 * lows as f64 - n as f64) / n as f64;
            let score = (between as f64 + 0.5) * (1.0 + 8.0 * skew * skew);
            // Equal up to a factor of √2.
            let score = (16.0 * score) as u64;
            Some((
                (score * score).ilog2(),
                -((high - low) / FINE as i64),
                axis,
                plane,
            ))
        });
        let (_, _, axis, plane) = cuts.min()?;
        Some(Cut { axis, plane })
    }

    fn is_low(&self, cut: Cut, block: u32) -> bool {
        self.cells[block as usize][cut.axis] < cut.plane
    }

    /// Whether a block of a set separates the sides of a cut: of two neighbours across it the low one does, or a lump.
    fn separates(&self, adjacency: &Adjacency, cut: Cut, block: u32) -> bool {
        let is_low = self.is_low(cut, block);
        let own = adjacency.of(block);
        if !is_low && own.len() <= LUMP {
            return false;
        }
        own.iter().any(|&other| {
            let touched = adjacency.of(other).len();
            let (low, high) = if is_low {
                (own.len(), touched)
            } else {
                (touched, own.len())
            };
            let by_high = LUMP < high && low < high;
            self.set[other as usize] == self.set[block as usize]
                && is_low != self.is_low(cut, other)
                && by_high != is_low
        })
    }

    fn split(&mut self, adjacency: &Adjacency, from: usize, to: usize, cut: Cut) {
        let blocks = &self.blocks[from..to];
        let (left, right) = (self.sets, self.sets + 1);
        self.sets += 2;
        self.spare.clear();
        self.spare.extend_from_slice(blocks);
        let separator = u32::MAX;
        for &block in blocks {
            self.place[block as usize] = if self.separates(adjacency, cut, block) {
                separator
            } else if self.is_low(cut, block) {
                left
            } else {
                right
            };
        }
        let mut next = from;
        let mut ends = [from; 3];
        for (end, number) in ends.iter_mut().zip([left, right, separator]) {
            for &block in &self.spare {
                if self.place[block as usize] == number {
                    self.set[block as usize] = number;
                    self.blocks[next] = block;
                    next += 1;
                }
            }
            *end = next;
        }
        let [left_end, right_end, _] = ends;
        self.order[right_end..to].copy_from_slice(&self.blocks[right_end..to]);
        self.stack.push((from as u32, left_end as u32));
        self.stack.push((left_end as u32, right_end as u32));
    }

    fn minimum_degree(&mut self, adjacency: &Adjacency, from: usize, to: usize) {
        let n = to - from;
        let blocks = &self.blocks[from..to];
        let Some(&first) = blocks.first() else {
            return;
        };
        let set = self.set[first as usize];
        for (i, &block) in blocks.iter().enumerate() {
            self.place[block as usize] = i as u32;
        }
        // Bits: the blocks, then those around, which are eliminated later. The last bit stands for all that find no room.
        let mut around: Vec<u32> = vec![];
        let mut touches = [0u128; LEAF];
        for (i, &block) in blocks.iter().enumerate() {
            for &other in adjacency.of(block) {
                let bit = if self.set[other as usize] == set {
                    self.place[other as usize] as usize
                } else {
                    let known = around.iter().position(|&a| a == other);
                    n + known.unwrap_or_else(|| {
                        around.push(other);
                        around.len() - 1
                    })
                };
                touches[i] |= 1 << bit.min(127);
            }
        }
        let mut left: u128 = (1 << n) - 1;
        for next in from..to {
            let mut rest = left;
            let (mut least, mut best) = (u32::MAX, 0);
            while rest != 0 {
                let i = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let degree = touches[i].count_ones();
                if degree < least {
                    (least, best) = (degree, i);
                }
            }
            self.order[next] = blocks[best];
            left &= !(1 << best);
            let mut rest = touches[best] & left;
            while rest != 0 {
                let i = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                touches[i] = (touches[i] | touches[best]) & !(1 << best) & !(1 << i);
            }
        }
    }
}

/// The plane within the middle quarter of a range whose number can be halved most often: the same one for most other ranges
/// around there.
fn middle_plane(low: i64, high: i64) -> Option<i64> {
    let margin = (high - low) / 8 * 3;
    // The plane lies above the first cell, at most before the last one.
    let (first, last) = (low + margin, high - margin);
    if first == last {
        return None;
    }
    let level = ((first ^ last) as u64).ilog2();
    Some(last >> level << level)
}
