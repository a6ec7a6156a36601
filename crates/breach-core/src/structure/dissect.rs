//! In which order to eliminate the blocks: nested dissection by planes across the axes.
//!
//! George, "Nested dissection of a regular finite element mesh", SIAM J. Numer. Anal. 10, 1973. A set of blocks is cut where
//! the fewest blocks separate it, over all cuts across the three axes; the separator is eliminated last. Small sets have
//! minimum degree (Tinney and Walker 1967) with exact degrees, which also takes pillars and beams from their ends.
use super::graph::Adjacency;
use glam::DVec3;

/// Sets up to this size are ordered by minimum degree: within a word of bits, with room for the blocks around them.
const LEAF: usize = 64;

/// The state of the dissection: a few steps of linear work each.
pub(super) struct Dissection {
    /// The blocks along each axis; a range of places holds the same set in all three.
    along: [Vec<u32>; 3],
    /// Which set a block is in.
    set: Vec<u32>,
    sets: u32,
    /// Ranges to do.
    stack: Vec<(u32, u32)>,
    order: Vec<u32>,
    place: Vec<u32>,
    lows: Vec<i32>,
    highs: Vec<i32>,
    spare: Vec<u32>,
}

impl Dissection {
    /// Of blocks with these centres.
    pub fn new(centres: &[DVec3]) -> Self {
        let n = centres.len();
        let along = [0, 1, 2].map(|axis| {
            let mut along: Vec<u32> = (0..n as u32).collect();
            // Numbers follow x first: they are sorted along it.
            if axis > 0 {
                let key = |i: u32| centres[i as usize][axis];
                along.sort_unstable_by(|&i, &j| key(i).total_cmp(&key(j)).then(i.cmp(&j)));
            }
            along
        });
        Dissection {
            along,
            set: vec![0; n],
            sets: 1,
            stack: vec![(0, n as u32)],
            order: vec![0; n],
            place: vec![0; n],
            lows: vec![],
            highs: vec![],
            spare: vec![],
        }
    }

    /// Does one set. Returns how many blocks that were; none when all is done.
    pub fn step(&mut self, adjacency: &Adjacency) -> Option<usize> {
        let (from, to) = self.stack.pop()?;
        let (from, to) = (from as usize, to as usize);
        let cut = if to - from <= LEAF {
            None
        } else {
            self.best_cut(adjacency, from, to)
        };
        match cut {
            Some(cut) => self.split(adjacency, from, to, cut),
            None if to - from <= LEAF => self.minimum_degree(adjacency, from, to),
            // Every block touches nearly every other one.
            None => self.order[from..to].copy_from_slice(&self.along[0][from..to]),
        }
        Some(to - from)
    }

    /// The order, when all is done.
    pub fn into_order(self) -> Vec<u32> {
        self.order
    }

    /// Along which axis, before which place, and whether the separator is on the low side.
    fn best_cut(&mut self, adjacency: &Adjacency, from: usize, to: usize) -> Option<Cut> {
        let n = to - from;
        let set = self.set[self.along[0][from] as usize];
        let mut best = None;
        let mut least = f64::INFINITY;
        for axis in 0..3 {
            let along = &self.along[axis][from..to];
            for (i, &block) in along.iter().enumerate() {
                self.place[block as usize] = i as u32;
            }
            // How many blocks before a place touch one after it, and the other way around: first as differences.
            self.lows.clear();
            self.lows.resize(n + 2, 0);
            self.highs.clear();
            self.highs.resize(n + 2, 0);
            for (i, &block) in along.iter().enumerate() {
                let (mut first, mut last) = (i, i);
                for &other in adjacency.of(block) {
                    if self.set[other as usize] == set {
                        let place = self.place[other as usize] as usize;
                        first = first.min(place);
                        last = last.max(place);
                    }
                }
                self.lows[i + 1] += 1;
                self.lows[last + 1] -= 1;
                self.highs[first + 1] += 1;
                self.highs[i + 1] -= 1;
            }
            let (mut low, mut high) = (0, 0);
            for place in 1..n {
                low += self.lows[place];
                high += self.highs[place];
                let on_low = low <= high;
                let between = low.min(high) as usize;
                let (left, right) = if on_low {
                    (place - between, n - place)
                } else {
                    (place, n - place - between)
                };
                if left == 0 || right == 0 {
                    continue;
                }
                let skew = (left as f64 - right as f64) / n as f64;
                let score = (between as f64 + 0.5) * (1.0 + 8.0 * skew * skew);
                if score < least {
                    least = score;
                    best = Some(Cut {
                        axis,
                        place,
                        on_low,
                    });
                }
            }
        }
        best
    }

    fn split(&mut self, adjacency: &Adjacency, from: usize, to: usize, cut: Cut) {
        let set = self.set[self.along[0][from] as usize];
        let (left, right) = (self.sets, self.sets + 1);
        self.sets += 2;
        let along = &self.along[cut.axis][from..to];
        let (low, high) = along.split_at(cut.place);
        // The separator keeps the old number until the end.
        for (side, others, number) in [(low, high, left), (high, low, right)] {
            let separates = cut.on_low == (number == left);
            for &block in others {
                self.place[block as usize] = 1;
            }
            for &block in side {
                self.place[block as usize] = 0;
            }
            for &block in side {
                let touches = separates
                    && adjacency.of(block).iter().any(|&other| {
                        let other = other as usize;
                        [set, left, right].contains(&self.set[other]) && self.place[other] == 1
                    });
                if !touches {
                    self.set[block as usize] = number;
                }
            }
        }
        let mut ends = [from; 3];
        for along in &mut self.along {
            self.spare.clear();
            self.spare.extend_from_slice(&along[from..to]);
            let mut next = from;
            for (end, number) in ends.iter_mut().zip([left, right, set]) {
                for &block in &self.spare {
                    if self.set[block as usize] == number {
                        along[next] = block;
                        next += 1;
                    }
                }
                *end = next;
            }
        }
        let [left_end, right_end, _] = ends;
        self.order[right_end..to].copy_from_slice(&self.along[0][right_end..to]);
        for &block in &self.along[0][right_end..to] {
            self.set[block as usize] = u32::MAX;
        }
        self.stack.push((from as u32, left_end as u32));
        self.stack.push((left_end as u32, right_end as u32));
    }

    fn minimum_degree(&mut self, adjacency: &Adjacency, from: usize, to: usize) {
        let n = to - from;
        let blocks = &self.along[0][from..to];
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

struct Cut {
    axis: usize,
    place: usize,
    on_low: bool,
}
