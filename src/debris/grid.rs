//! Which balls are near a ball? Cells in a hash table, one table for each size of ball.
//!
//! A level holds the balls of one size, up to a factor of two, so that a pebble beside a boulder does not look through
//! the boulder's cells for pebbles; its cells are as large as its largest ball. Tables are filled by counting, as in Müller's "compact
//! hashing": two passes, no sorting, no lists; the order within a bucket is that of the balls.
use glam::{DVec3, IVec3};

/// A ball that stands for all places that something may reach in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Metres.
    pub centre: DVec3,
    /// Metres.
    pub radius: f64,
}

/// Balls by place.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    levels: Vec<Level>,
}

/// Balls of about one size.
#[derive(Clone, Debug)]
struct Level {
    /// Edge of a cell, metres.
    edge: f64,
    /// Largest radius in it.
    largest: f64,
    /// By bucket: where its entries begin; one more than there are buckets.
    starts: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    cell: IVec3,
    index: u32,
    ball: Reach,
}

/// Edge of the smallest cells, metres.
const SMALLEST: f64 = 1.0 / 64.0;
/// Levels; what is larger than the last one's cells lies in them all the same.
const LEVELS: usize = 20;
/// Coordinates beyond this many cells are one cell.
const FARTHEST: f64 = 1e9;

impl Grid {
    /// Of these balls, known by their index from now on.
    pub fn new(balls: impl Iterator<Item = Reach> + Clone) -> Grid {
        let mut counts = [0usize; LEVELS];
        let mut largest = [0.0f64; LEVELS];
        for ball in balls.clone() {
            let level = level_of(ball.radius);
            counts[level] += 1;
            largest[level] = largest[level].max(ball.radius);
        }
        let mut place = [usize::MAX; LEVELS];
        let mut levels: Vec<Level> = Vec::new();
        for level in (0..LEVELS).filter(|&l| counts[l] > 0) {
            place[level] = levels.len();
            levels.push(Level {
                edge: (largest[level] * 2.0).max(SMALLEST),
                largest: largest[level],
                starts: vec![0; counts[level].next_power_of_two() * 2 + 1],
                entries: vec![Entry::NONE; counts[level]],
            });
        }
        let places = |ball: &Reach| place[level_of(ball.radius)];
        for ball in balls.clone() {
            let level = &mut levels[places(&ball)];
            let bucket = level.bucket(level.cell(ball.centre));
            level.starts[bucket + 1] += 1;
        }
        for level in &mut levels {
            for i in 1..level.starts.len() {
                level.starts[i] += level.starts[i - 1];
            }
        }
        let mut next: Vec<Vec<u32>> = levels.iter().map(|level| level.starts.clone()).collect();
        for (index, ball) in (0u32..).zip(balls) {
            let at = places(&ball);
            let level = &mut levels[at];
            let cell = level.cell(ball.centre);
            let slot = &mut next[at][level.bucket(cell)];
            level.entries[*slot as usize] = Entry { cell, index, ball };
            *slot += 1;
        }
        Grid { levels }
    }

    /// Calls `visit` with the index of each ball from `first` on that overlaps this one, in no order that means anything.
    #[inline]
    pub fn each_overlapping(&self, ball: &Reach, first: u32, mut visit: impl FnMut(u32)) {
        for level in &self.levels {
            let reach = DVec3::splat(ball.radius + level.largest);
            let (low, high) = (
                level.cell(ball.centre - reach),
                level.cell(ball.centre + reach),
            );
            let mut look = |entry: &Entry| {
                let reach = ball.radius + entry.ball.radius;
                if entry.index >= first
                    && entry.ball.centre.distance_squared(ball.centre) < reach * reach
                {
                    visit(entry.index);
                }
            };
            let span = (high - low).as_dvec3() + 1.0;
            if span.element_product() > level.entries.len() as f64 {
                level.entries.iter().for_each(&mut look);
                continue;
            }
            for z in low.z..=high.z {
                for y in low.y..=high.y {
                    for x in low.x..=high.x {
                        let cell = IVec3::new(x, y, z);
                        let bucket = level.bucket(cell);
                        let [from, to] = [level.starts[bucket], level.starts[bucket + 1]];
                        let entries = &level.entries[from as usize..to as usize];
                        entries
                            .iter()
                            .filter(|e| e.cell == cell)
                            .for_each(&mut look);
                    }
                }
            }
        }
    }
}

impl Entry {
    const NONE: Entry = Entry {
        cell: IVec3::ZERO,
        index: 0,
        ball: Reach {
            centre: DVec3::ZERO,
            radius: 0.0,
        },
    };
}

impl Level {
    fn cell(&self, p: DVec3) -> IVec3 {
        let cell = (p / self.edge).floor();
        cell.clamp(DVec3::splat(-FARTHEST), DVec3::splat(FARTHEST))
            .as_ivec3()
    }

    fn bucket(&self, cell: IVec3) -> usize {
        let [x, y, z] = cell.to_array().map(|c| c as u32);
        let mixed =
            x.wrapping_mul(0x8DA6_B343) ^ y.wrapping_mul(0xD816_3841) ^ z.wrapping_mul(0xCB1A_B31F);
        // The table's size is a power of two, one place more for the end.
        (mixed ^ mixed >> 15) as usize & (self.starts.len() - 2)
    }
}

/// The level whose cells a ball of this radius just fits.
fn level_of(radius: f64) -> usize {
    let mut level = 0;
    let mut edge = SMALLEST;
    while edge < 2.0 * radius && level + 1 < LEVELS {
        edge *= 2.0;
        level += 1;
    }
    level
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    #[test]
    fn the_grid_finds_the_pairs_of_the_double_loop() {
        let mut rng = Rng::new(4);
        let balls: Vec<Reach> = (0..600)
            .map(|i| Reach {
                centre: rng.unit_vector() * rng.range(0.0, 6.0),
                radius: if i % 50 == 0 {
                    rng.range(0.5, 3.0)
                } else {
                    rng.range(0.005, 0.3)
                },
            })
            .collect();
        let grid = Grid::new(balls.iter().copied());
        for (i, ball) in balls.iter().enumerate() {
            let mut found = Vec::new();
            grid.each_overlapping(ball, 0, |j| found.push(j));
            found.sort_unstable();
            let overlaps =
                |other: &Reach| other.centre.distance(ball.centre) < ball.radius + other.radius;
            let expected: Vec<u32> = (0u32..)
                .zip(&balls)
                .filter(|(_, other)| overlaps(other))
                .map(|(j, _)| j)
                .collect();
            assert_eq!(found, expected, "ball {i}");
        }
    }

    #[test]
    fn an_empty_grid_and_one_far_away_answer_too() {
        let ball = Reach {
            centre: DVec3::splat(1e300),
            radius: 1.0,
        };
        let grid = Grid::new(std::iter::empty());
        grid.each_overlapping(&ball, 0, |_| panic!("nothing is there"));
        let grid = Grid::new([ball].into_iter());
        let mut found = 0;
        grid.each_overlapping(&ball, 0, |_| found += 1);
        assert_eq!(found, 1);
    }
}
