//! Which balls are near a ball? Cells in rows, laid out anew for whoever moves.
//!
//! A level holds the balls of one size, up to a factor of two, so that a pebble beside a boulder does not look through
//! the boulder's cells for pebbles; its cells are as large as its largest ball may be. Each ball lies in the cell of its
//! centre. Cells are hashed by row (Teschner et al., "Optimized Spatial Hashing", 2003) and follow one another along it,
//! and the balls are sorted by cell: so what is near along a row is one stretch of memory.
use crate::geom::parallel;
use glam::{DVec3, Vec4};
use std::ops::Range;

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
}

/// Balls of about one size.
#[derive(Clone, Debug, Default)]
struct Level {
    /// None is larger than this, metres.
    largest: f64,
    /// By bucket: where its balls begin; the last one is their number. One more than a power of two, or none.
    starts: Vec<u32>,
    /// By bucket.
    balls: Vec<Placed>,
    /// The same balls, to look at four at a time.
    rough: Rough,
}

/// A ball in its cell.
#[derive(Clone, Copy, Debug)]
struct Placed {
    ball: Reach,
    index: u32,
    cell: [i32; 3],
}

/// Balls in f32, none smaller than it is: most of those that lie in the cells around a ball do not overlap it, and this
/// tells quickly.
#[derive(Clone, Debug, Default)]
struct Rough {
    /// By ball: x, y, z and radius; some more of each at the end, so that four can always be read.
    lanes: [Vec<f32>; 4],
}

impl Rough {
    /// Rounded, and grown by more than what rounding moves its surface, here and in [`Rough::overlapping`].
    fn ball(ball: &Reach) -> [f32; 4] {
        let far = ball.centre.abs().max_element();
        let radius = (ball.radius + far * f64::from(f32::EPSILON)) as f32 * 1.000_001;
        let [x, y, z] = ball.centre.as_vec3().to_array();
        [x, y, z, radius]
    }

    fn of<'a>(balls: impl Iterator<Item = &'a Reach>) -> Rough {
        let mut rough = Rough::default();
        for ball in balls {
            for (lane, x) in rough.lanes.iter_mut().zip(Rough::ball(ball)) {
                lane.push(x);
            }
        }
        for lane in &mut rough.lanes {
            lane.extend([0.0; 3]);
        }
        rough
    }

    /// Which of the four balls from `at` on may overlap a ball; what is no number may.
    #[inline(always)]
    fn overlapping(&self, at: usize, ball: &[f32; 4]) -> u32 {
        let four = |k: usize| Vec4::from_slice(&self.lanes[k][at..]);
        let (x, y, z) = (four(0) - ball[0], four(1) - ball[1], four(2) - ball[2]);
        let reach = four(3) + ball[3];
        !(x * x + y * y + z * z).cmpgt(reach * reach).bitmask() & 0xf
    }
}

/// Edge of the smallest cells, metres.
const SMALLEST: f64 = 1.0 / 8.0;
/// Levels; what is larger than the last one's cells lies in them all the same.
const LEVELS: usize = 20;
/// To look up a row costs as much as to look at so many balls.
const ROW: i64 = 4;
/// Balls whose pairs a thread looks for at a time, at least.
const BATCH: usize = 256;
/// Coordinates beyond this many cells are one cell.
const FARTHEST: f64 = 1e9;

impl Grid {
    /// Of these balls, numbered from 0.
    pub fn new(balls: impl Iterator<Item = Reach>) -> Grid {
        Grid::numbered((0u32..).zip(balls))
    }

    /// Of balls with their numbers.
    pub fn numbered(balls: impl Iterator<Item = (u32, Reach)>) -> Grid {
        let mut levels: Vec<Level> = Vec::new();
        for (index, ball) in balls {
            let at = level_of(ball.radius);
            if at >= levels.len() {
                levels.resize(at + 1, Level::default());
            }
            let cell = cell_of(at, ball.centre);
            levels[at].balls.push(Placed { ball, index, cell });
        }
        levels.iter_mut().for_each(Level::sort);
        Grid { levels }
    }

    /// Calls `visit` once with the number of each ball that overlaps this one, in no order that means anything.
    #[inline]
    pub fn each_overlapping(&self, ball: &Reach, mut visit: impl FnMut(u32)) {
        for (at, level) in self.levels.iter().enumerate() {
            if !level.balls.is_empty() {
                level.each_overlapping(at, ball, &mut visit);
            }
        }
    }

    /// All pairs of balls that overlap, each once, in no order that means anything; pieces of the list, found side by side.
    pub fn pairs(&self) -> Vec<Vec<[u32; 2]>> {
        let threads = parallel::threads();
        let share = if threads > 1 { threads * 4 } else { 1 };
        let levels = self.levels.iter().enumerate();
        let batches = levels.flat_map(|(at, level)| {
            let count = level.balls.len();
            let size = count.div_ceil(share).max(BATCH);
            (0..count)
                .step_by(size)
                .map(move |from| (at, from..(from + size).min(count)))
        });
        let batches: Vec<(usize, Range<usize>)> = batches.collect();
        parallel::map(batches.len(), 1, |batch| {
            let (level, range) = batches[batch].clone();
            let mut pairs = Vec::new();
            for at in range {
                self.each_pair(level, at, |pair| pairs.push(pair));
            }
            pairs
        })
    }

    /// The pairs of one ball with those that come after it: later ones of its level, and those of the levels above.
    fn each_pair(&self, level: usize, at: usize, mut visit: impl FnMut([u32; 2])) {
        let Placed { ball, index, .. } = &self.levels[level].balls[at];
        let mut add = |other: u32| visit([*index, other]);
        self.levels[level].each_after(level, at, &mut add);
        for (above, larger) in self.levels.iter().enumerate().skip(level + 1) {
            if !larger.balls.is_empty() {
                larger.each_overlapping(above, ball, &mut add);
            }
        }
    }
}

impl Level {
    /// Counts the balls of each bucket, and puts them there.
    fn sort(&mut self) {
        if self.balls.is_empty() {
            return;
        }
        let buckets = (self.balls.len() * 2).next_power_of_two().max(64);
        let bucket = |placed: &Placed| {
            let [x, y, z] = placed.cell;
            row_of(y, z).wrapping_add(x as u32) as usize & (buckets - 1)
        };
        let places: Vec<u32> = self.balls.iter().map(|b| bucket(b) as u32).collect();
        self.starts = vec![0; buckets + 1];
        for &place in &places {
            self.starts[place as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        // From the last to the first, so that each bucket keeps their order.
        let mut sorted = self.balls.clone();
        for (ball, &place) in self.balls.iter().zip(&places).rev() {
            let start = &mut self.starts[place as usize];
            *start -= 1;
            sorted[*start as usize] = *ball;
        }
        self.balls = sorted;
        let radii = self.balls.iter().map(|b| b.ball.radius);
        self.largest = radii.fold(0.0, f64::max);
        self.rough = Rough::of(self.balls.iter().map(|b| &b.ball));
    }

    #[inline]
    fn each_overlapping(&self, level: usize, ball: &Reach, visit: &mut impl FnMut(u32)) {
        let Some((low, high)) = self.cells(level, ball) else {
            let all = self.balls.iter().filter(|b| overlap(ball, &b.ball));
            all.for_each(|b| visit(b.index));
            return;
        };
        let rough = Rough::ball(ball);
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                self.each_in_row(&rough, [low[0], high[0]], [y, z], |at| {
                    let other = &self.balls[at];
                    // Other rows may share the buckets.
                    if overlap(ball, &other.ball) && other.cell[1..] == [y, z] {
                        visit(other.index);
                    }
                });
            }
        }
    }

    /// Calls `visit` once with the number of each ball that overlaps ball `at` of the level itself and comes after it, by
    /// row and cell.
    #[inline]
    fn each_after(&self, level: usize, at: usize, visit: &mut impl FnMut(u32)) {
        let Placed { ball, cell, .. } = &self.balls[at];
        let [x, own_y, own_z] = *cell;
        let mut look = |place: usize, row: Option<[i32; 2]>| {
            let other = &self.balls[place];
            if !overlap(ball, &other.ball) {
                return;
            }
            let [ox, oy, oz] = other.cell;
            let is_there = row.is_none_or(|row| row == [oy, oz]);
            if is_there && (oz, oy, ox, place) > (own_z, own_y, x, at) {
                visit(other.index);
            }
        };
        let Some((low, high)) = self.cells(level, ball) else {
            (0..self.balls.len()).for_each(|place| look(place, None));
            return;
        };
        let rough = Rough::ball(ball);
        for z in own_z..=high[2] {
            for y in (if z == own_z { own_y } else { low[1] })..=high[1] {
                let from = if [y, z] == [own_y, own_z] { x } else { low[0] };
                let row = [y, z];
                self.each_in_row(&rough, [from, high[0]], row, |place| look(place, Some(row)));
            }
        }
    }

    /// The cells, lowest and highest, in which what overlaps a ball may lie; None if to look at all balls is less work.
    #[inline]
    fn cells(&self, level: usize, ball: &Reach) -> Option<([i32; 3], [i32; 3])> {
        let reach = DVec3::splat(ball.radius + self.largest);
        let low = cell_of(level, ball.centre - reach);
        let high = cell_of(level, ball.centre + reach);
        let [along, height, depth] = [0, 1, 2].map(|k| i64::from(high[k]) - i64::from(low[k]) + 1);
        let is_long = along >= self.starts.len() as i64;
        let rows = height.saturating_mul(depth).saturating_mul(ROW);
        (!is_long && rows <= self.balls.len() as i64).then_some((low, high))
    }

    /// Calls `visit` with the places of all balls in the buckets of these cells of a row that may overlap a ball; the cells
    /// are fewer than there are buckets.
    #[inline(always)]
    fn each_in_row(
        &self,
        ball: &[f32; 4],
        [low, high]: [i32; 2],
        [y, z]: [i32; 2],
        mut visit: impl FnMut(usize),
    ) {
        let buckets = self.starts.len() - 1;
        let from = row_of(y, z).wrapping_add(low as u32) as usize & (buckets - 1);
        let to = from + (high - low) as usize + 1;
        let mut look = |from: usize, to: usize| {
            let (from, to) = (self.starts[from] as usize, self.starts[to] as usize);
            for at in (from..to).step_by(4) {
                let there = 0xf >> (4 - (to - at).min(4));
                let mut near = self.rough.overlapping(at, ball) & there;
                while near != 0 {
                    visit(at + near.trailing_zeros() as usize);
                    near &= near - 1;
                }
            }
        };
        look(from, to.min(buckets));
        if to > buckets {
            // The row goes on in the first.
            look(0, to - buckets);
        }
    }
}

#[inline]
fn overlap(a: &Reach, b: &Reach) -> bool {
    let reach = a.radius + b.radius;
    a.centre.distance_squared(b.centre) < reach * reach
}

/// Edge of a level's cells, metres.
fn edge_of(level: usize) -> f64 {
    SMALLEST * (1u64 << level) as f64
}

#[inline]
fn cell_of(level: usize, p: DVec3) -> [i32; 3] {
    // A power of two: exact.
    let cell = p * (1.0 / edge_of(level));
    cell.to_array().map(|x| {
        let whole = x.clamp(-FARTHEST, FARTHEST) as i32;
        whole - i32::from(f64::from(whole) > x)
    })
}

/// Bucket of a row's cell at x = 0, not yet cut to the number of buckets.
#[inline]
fn row_of(y: i32, z: i32) -> u32 {
    let mixed = (y as u32).wrapping_mul(0xD816_3841) ^ (z as u32).wrapping_mul(0xCB1A_B31F);
    mixed ^ mixed >> 15
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
    fn the_grid_finds_the_pairs_of_the_double_loop() {
        let mut rng = Rng::new(4);
        for count in [1, 2, 30, 600, 3000] {
            let balls: Vec<Reach> = (0..count).map(|i| random_ball(&mut rng, i)).collect();
            let grid = Grid::new(balls.iter().copied());
            for ball in &balls {
                let mut found = Vec::new();
                grid.each_overlapping(ball, |j| found.push(j));
                found.sort_unstable();
                let overlaps =
                    |other: &Reach| other.centre.distance(ball.centre) < ball.radius + other.radius;
                let others = (0u32..).zip(&balls);
                let expected = others.filter(|(_, other)| overlaps(other)).map(|(j, _)| j);
                assert_eq!(found, expected.collect::<Vec<u32>>(), "of {count}");
            }
            let mut found = grid.pairs().concat();
            found.iter_mut().for_each(|pair| pair.sort_unstable());
            found.sort_unstable();
            let mut expected = Vec::new();
            for (i, a) in balls.iter().enumerate() {
                let later = balls.iter().enumerate().skip(i + 1);
                let later = later.filter(|(_, b)| overlap(a, b));
                expected.extend(later.map(|(j, _)| [i as u32, j as u32]));
            }
            assert_eq!(found, expected, "pairs of {count}");
        }
    }

    #[test]
    fn cells_are_rounded_down() {
        let mut rng = Rng::new(7);
        for level in 0..LEVELS {
            for _ in 0..200 {
                let p = rng.unit_vector() * rng.range(0.0, 100.0);
                let expected = (p / edge_of(level)).floor();
                assert_eq!(cell_of(level, p).map(f64::from), expected.to_array());
            }
        }
        assert_eq!(cell_of(0, DVec3::new(-0.125, 0.125, -0.1)), [-1, 1, -1]);
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
        let nowhere = Reach {
            centre: DVec3::NAN,
            radius: f64::NAN,
        };
        let grid = Grid::new(std::iter::empty());
        grid.each_overlapping(&ball, |_| panic!("nothing is there"));
        let grid = Grid::numbered([(7, ball), (8, nowhere)].into_iter());
        let mut found = Vec::new();
        grid.each_overlapping(&ball, |index| found.push(index));
        grid.each_overlapping(&nowhere, |index| found.push(index));
        assert_eq!(found, [7]);
    }
}
