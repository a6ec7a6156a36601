//! Which balls are near a ball? Cells in hash tables that follow what moves.
//!
//! A level holds the balls of one size, up to a factor of two, so that a pebble beside a boulder does not look through
//! the boulder's cells for pebbles; its cells are as large as its largest ball may be. Each ball lies in the cell of its
//! centre, in a list that runs through the entries (Teschner et al., "Optimized Spatial Hashing", 2003): to move a ball
//! costs nothing but that ball, and most moves stay within a cell.
use glam::{DVec3, IVec3};

/// A ball that stands for all places that something may reach in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Metres.
    pub centre: DVec3,
    /// Metres.
    pub radius: f64,
}

/// Balls by place, each known by a number.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    levels: Vec<Level>,
    /// By number.
    entries: Vec<Entry>,
}

/// Balls of about one size.
#[derive(Clone, Debug, Default)]
struct Level {
    /// How many.
    count: usize,
    /// None is larger than this, metres.
    largest: f64,
    /// By bucket: the first entry in it, or [`NONE`]. A power of two, or none.
    heads: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    ball: Reach,
    cell: IVec3,
    /// The next one in the bucket, or [`NONE`].
    next: u32,
    /// Its level, or [`NONE`] if nothing has this number.
    level: u32,
}

const NONE: u32 = u32::MAX;
/// Edge of the smallest cells, metres.
const SMALLEST: f64 = 1.0 / 8.0;
/// Levels; what is larger than the last one's cells lies in them all the same.
const LEVELS: usize = 20;
/// Coordinates beyond this many cells are one cell.
const FARTHEST: f64 = 1e9;

impl Grid {
    /// Of these balls, numbered from 0.
    pub fn new(balls: impl Iterator<Item = Reach>) -> Grid {
        let mut grid = Grid::default();
        for (index, ball) in (0u32..).zip(balls) {
            grid.put(index, ball);
        }
        grid
    }

    /// Takes all balls from number `count` on out.
    pub fn truncate(&mut self, count: usize) {
        for index in count..self.entries.len() {
            self.remove(index as u32);
        }
        self.entries.truncate(count);
    }

    /// Puts ball number `index` in, or moves it. Numbers should be small: the grid has room for all below the largest.
    pub fn put(&mut self, index: u32, ball: Reach) {
        let at = index as usize;
        if at >= self.entries.len() {
            self.entries.resize(at + 1, Entry::NONE);
        }
        let level = level_of(ball.radius);
        let cell = cell_of(level, ball.centre);
        let entry = &mut self.entries[at];
        let is_there = entry.level == level as u32 && entry.cell == cell;
        entry.ball = ball;
        if is_there {
            self.levels[level].largest = self.levels[level].largest.max(ball.radius);
            return;
        }
        self.remove(index);
        if level >= self.levels.len() {
            self.levels.resize(level + 1, Level::default());
        }
        self.levels[level].count += 1;
        self.levels[level].largest = self.levels[level].largest.max(ball.radius);
        if self.levels[level].count > self.levels[level].heads.len() {
            self.widen(level);
        }
        self.entries[at] = Entry {
            ball,
            cell,
            next: NONE,
            level: level as u32,
        };
        self.link(index);
    }

    /// Looks how large the balls really are, after some have changed: that makes looking for them faster.
    pub fn measure(&mut self) {
        for level in &mut self.levels {
            level.largest = 0.0;
        }
        for entry in self.entries.iter().filter(|entry| entry.level != NONE) {
            let level = &mut self.levels[entry.level as usize];
            level.largest = level.largest.max(entry.ball.radius);
        }
    }

    /// Takes ball number `index` out, if it is in.
    pub fn remove(&mut self, index: u32) {
        let Some(entry) = self.entries.get(index as usize).copied() else {
            return;
        };
        if entry.level == NONE {
            return;
        }
        let level = &mut self.levels[entry.level as usize];
        level.count -= 1;
        let bucket = bucket_of(entry.cell, level.heads.len());
        if level.heads[bucket] == index {
            level.heads[bucket] = entry.next;
        } else {
            let mut at = level.heads[bucket];
            while at != NONE {
                let next = self.entries[at as usize].next;
                if next == index {
                    self.entries[at as usize].next = entry.next;
                    break;
                }
                at = next;
            }
        }
        self.entries[index as usize].level = NONE;
    }

    /// Hangs an entry in at the head of its bucket.
    fn link(&mut self, index: u32) {
        let entry = &mut self.entries[index as usize];
        let level = &mut self.levels[entry.level as usize];
        let bucket = bucket_of(entry.cell, level.heads.len());
        entry.next = std::mem::replace(&mut level.heads[bucket], index);
    }

    /// More buckets for a level.
    fn widen(&mut self, level: usize) {
        let buckets = (self.levels[level].count * 2).next_power_of_two().max(64);
        self.levels[level].heads = vec![NONE; buckets];
        for index in 0..self.entries.len() as u32 {
            if self.entries[index as usize].level == level as u32 {
                self.link(index);
            }
        }
    }

    /// Calls `visit` once with the number of each ball that overlaps this one, in no order that means anything.
    #[inline]
    pub fn each_overlapping(&self, ball: &Reach, mut visit: impl FnMut(u32)) {
        for (
            level,
            Level {
                count,
                largest,
                heads,
            },
        ) in self.levels.iter().enumerate()
        {
            if *count == 0 {
                continue;
            }
            let overlaps = |entry: &Entry| {
                let reach = ball.radius + entry.ball.radius;
                entry.ball.centre.distance_squared(ball.centre) < reach * reach
            };
            let reach = DVec3::splat(ball.radius + largest);
            let (low, high) = (
                cell_of(level, ball.centre - reach),
                cell_of(level, ball.centre + reach),
            );
            let span = (high - low).as_dvec3() + 1.0;
            if span.element_product() > self.entries.len() as f64 {
                for (index, entry) in (0u32..).zip(&self.entries) {
                    if entry.level == level as u32 && overlaps(entry) {
                        visit(index);
                    }
                }
                continue;
            }
            for z in low.z..=high.z {
                for y in low.y..=high.y {
                    for x in low.x..=high.x {
                        let cell = IVec3::new(x, y, z);
                        let mut at = heads[bucket_of(cell, heads.len())];
                        while let Some(entry) = self.entries.get(at as usize) {
                            if entry.cell == cell && overlaps(entry) {
                                visit(at);
                            }
                            at = entry.next;
                        }
                    }
                }
            }
        }
    }
}

impl Entry {
    const NONE: Entry = Entry {
        ball: Reach {
            centre: DVec3::ZERO,
            radius: 0.0,
        },
        cell: IVec3::ZERO,
        next: NONE,
        level: NONE,
    };
}

/// Edge of a level's cells, metres.
fn edge_of(level: usize) -> f64 {
    SMALLEST * (1u64 << level) as f64
}

fn cell_of(level: usize, p: DVec3) -> IVec3 {
    // A power of two: exact.
    let cell = (p * (1.0 / edge_of(level))).floor();
    cell.clamp(DVec3::splat(-FARTHEST), DVec3::splat(FARTHEST))
        .as_ivec3()
}

fn bucket_of(cell: IVec3, buckets: usize) -> usize {
    let [x, y, z] = cell.to_array().map(|c| c as u32);
    let mixed =
        x.wrapping_mul(0x8DA6_B343) ^ y.wrapping_mul(0xD816_3841) ^ z.wrapping_mul(0xCB1A_B31F);
    (mixed ^ mixed >> 15) as usize & buckets.wrapping_sub(1)
}

/// The level whose cells a ball of this radius just fits.
fn level_of(radius: f64) -> usize {
    // Two to this power is the least that the diameter, in smallest cells, is no larger than.
    let bits = (radius * (2.0 / SMALLEST)).max(1.0).to_bits();
    let power = (bits >> 52) as usize - 1023 + usize::from(bits << 12 != 0);
    power.min(LEVELS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    fn random_ball(rng: &mut Rng, i: usize) -> Reach {
        Reach {
            centre: rng.unit_vector() * rng.range(0.0, 6.0),
            radius: if i.is_multiple_of(50) {
                rng.range(0.5, 3.0)
            } else {
                rng.range(0.005, 0.3)
            },
        }
    }

    #[test]
    fn the_grid_finds_the_pairs_of_the_double_loop_while_balls_move_come_and_go() {
        let mut rng = Rng::new(4);
        let mut balls: Vec<Option<Reach>> = vec![None; 600];
        let mut grid = Grid::default();
        for round in 0..12 {
            for (i, ball) in balls.iter_mut().enumerate() {
                match (ball, rng.below(4)) {
                    (ball, 0) => {
                        *ball = None;
                        grid.remove(i as u32);
                    }
                    (Some(ball), 1 | 2) => {
                        ball.centre += rng.unit_vector() * 0.1;
                        grid.put(i as u32, *ball);
                    }
                    (ball, _) => {
                        let new = random_ball(&mut rng, i);
                        *ball = Some(new);
                        grid.put(i as u32, new);
                    }
                }
            }
            if round == 6 {
                grid.truncate(100);
                balls[100..].fill(None);
            }
            if round % 4 == 3 {
                grid.measure();
            }
            for ball in balls.iter().flatten() {
                let mut found = Vec::new();
                grid.each_overlapping(ball, |j| found.push(j));
                found.sort_unstable();
                let overlaps =
                    |other: &Reach| other.centre.distance(ball.centre) < ball.radius + other.radius;
                let expected: Vec<u32> = (0u32..)
                    .zip(&balls)
                    .filter(|(_, other)| other.is_some_and(|other| overlaps(&other)))
                    .map(|(j, _)| j)
                    .collect();
                assert_eq!(found, expected, "round {round}");
            }
        }
    }

    #[test]
    fn a_ball_fits_the_cells_of_its_level_and_not_those_below() {
        let mut rng = Rng::new(9);
        for _ in 0..1000 {
            let radius = rng.range(0.001, 8.0);
            let level = level_of(radius);
            assert!(edge_of(level) >= 2.0 * radius);
            assert!(level == 0 || edge_of(level - 1) < 2.0 * radius);
        }
        assert_eq!(level_of(SMALLEST / 2.0), 0);
        assert_eq!(level_of(f64::INFINITY), LEVELS - 1);
        assert_eq!(level_of(f64::NAN), 0);
    }

    #[test]
    fn an_empty_grid_and_one_far_away_answer_too() {
        let ball = Reach {
            centre: DVec3::splat(1e300),
            radius: 1.0,
        };
        let grid = Grid::new(std::iter::empty());
        grid.each_overlapping(&ball, |_| panic!("nothing is there"));
        let grid = Grid::new([ball].into_iter());
        let mut found = 0;
        grid.each_overlapping(&ball, |_| found += 1);
        assert_eq!(found, 1);
    }
}
