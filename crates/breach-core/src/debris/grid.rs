//! A hashed grid of bounding spheres for the broad phase, built anew each tick.
//!
//! The grid is hierarchical: each level holds the spheres of one size, up to a factor of two, so that a pebble beside a
//! boulder does not search the boulder's large cells for pebbles. A cell is as large as the largest sphere of its level may
//! be. Each sphere lies in the cell of its centre. Rows of cells are hashed (Teschner et al., "Optimized Spatial Hashing",
//! 2003); cells of one row have consecutive buckets, and spheres are sorted by bucket, so neighbours along a row are
//! contiguous in memory.
use crate::geom::parallel;
use glam::{DVec3, Vec4};
use std::ops::Range;

/// A bounding sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingSphere {
    /// Metres.
    pub centre: DVec3,
    /// Metres.
    pub radius: f64,
}

/// Bounding spheres, each known by a number.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    levels: Vec<Level>,
}

/// Spheres of about one size.
#[derive(Clone, Debug, Default)]
struct Level {
    /// None is larger than this, metres.
    largest: f64,
    /// By bucket: index of its first sphere; the last one is their number. Empty, or a power of two and one more.
    starts: Vec<u32>,
    /// Sorted by bucket.
    spheres: Vec<Placed>,
    /// The same spheres, to test four at a time.
    rough: Rough,
}

/// A sphere in its cell.
#[derive(Clone, Copy, Debug)]
struct Placed {
    sphere: BoundingSphere,
    index: u32,
    cell: [i32; 3],
}

/// Spheres in f32, rounded up: a conservative test that quickly rejects most spheres of the neighbouring cells.
#[derive(Clone, Debug, Default)]
struct Rough {
    /// x, y, z and radius of each sphere, padded at the end so that four can always be read.
    lanes: [Vec<f32>; 4],
}

impl Rough {
    /// Rounded to f32 and grown by more than the rounding error, here and in [`Rough::overlapping`].
    fn sphere(sphere: &BoundingSphere) -> [f32; 4] {
        let far = sphere.centre.abs().max_element();
        let radius = (sphere.radius + far * f64::from(f32::EPSILON)) as f32 * 1.000_001;
        let [x, y, z] = sphere.centre.as_vec3().to_array();
        [x, y, z, radius]
    }

    fn from_spheres<'a>(spheres: impl Iterator<Item = &'a BoundingSphere>) -> Rough {
        let mut rough = Rough::default();
        for sphere in spheres {
            for (lane, x) in rough.lanes.iter_mut().zip(Rough::sphere(sphere)) {
                lane.push(x);
            }
        }
        for lane in &mut rough.lanes {
            lane.extend([0.0; 3]);
        }
        rough
    }

    /// Bit mask of those of the four spheres from `at` on that may overlap a sphere; NaN may.
    #[inline(always)]
    fn overlapping(&self, at: usize, sphere: &[f32; 4]) -> u32 {
        let four = |k: usize| Vec4::from_slice(&self.lanes[k][at..]);
        let (x, y, z) = (
            four(0) - sphere[0],
            four(1) - sphere[1],
            four(2) - sphere[2],
        );
        let reach = four(3) + sphere[3];
        !(x * x + y * y + z * z).cmpgt(reach * reach).bitmask() & 0xf
    }
}

/// Edge of the smallest cells, metres.
const SMALLEST: f64 = 1.0 / 8.0;
/// Number of levels. The last one also holds the spheres that are larger than its cells.
const LEVELS: usize = 20;
/// Looking up a row costs as much as testing this many spheres.
const ROW_COST: i64 = 4;
/// Least number of spheres for which a thread searches pairs at a time.
const BATCH: usize = 256;
/// Coordinates are clamped to this many cells.
const FARTHEST: f64 = 1e9;

impl Grid {
    /// A grid of spheres that are numbered from 0.
    pub fn new(spheres: impl Iterator<Item = BoundingSphere>) -> Grid {
        Grid::numbered((0u32..).zip(spheres))
    }

    /// A grid of spheres with their numbers.
    pub fn numbered(spheres: impl Iterator<Item = (u32, BoundingSphere)>) -> Grid {
        let mut levels: Vec<Level> = Vec::new();
        for (index, sphere) in spheres {
            let at = level_of(sphere.radius);
            if at >= levels.len() {
                levels.resize(at + 1, Level::default());
            }
            let cell = cell_of(at, sphere.centre);
            levels[at].spheres.push(Placed {
                sphere,
                index,
                cell,
            });
        }
        levels.iter_mut().for_each(Level::sort);
        Grid { levels }
    }

    /// Calls `visit` once with the number of each sphere that overlaps this one, in no particular order.
    #[inline]
    pub fn each_overlapping(&self, sphere: &BoundingSphere, mut visit: impl FnMut(u32)) {
        for (at, level) in self.levels.iter().enumerate() {
            if !level.spheres.is_empty() {
                level.each_overlapping(at, sphere, &mut visit);
            }
        }
    }

    /// All overlapping pairs, each once, in no particular order; one list for each batch that a thread searched.
    pub fn pairs(&self) -> Vec<Vec<[u32; 2]>> {
        let threads = parallel::threads();
        let share = if threads > 1 { threads * 4 } else { 1 };
        let levels = self.levels.iter().enumerate();
        let batches = levels.flat_map(|(at, level)| {
            let count = level.spheres.len();
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

    /// The pairs of one sphere with those after it: later ones of its level, and all of the levels above.
    fn each_pair(&self, level: usize, at: usize, mut visit: impl FnMut([u32; 2])) {
        let Placed { sphere, index, .. } = &self.levels[level].spheres[at];
        let mut add = |other: u32| visit([*index, other]);
        self.levels[level].each_after(level, at, &mut add);
        for (above, larger) in self.levels.iter().enumerate().skip(level + 1) {
            if !larger.spheres.is_empty() {
                larger.each_overlapping(above, sphere, &mut add);
            }
        }
    }
}

impl Level {
    /// Counting sort by bucket.
    fn sort(&mut self) {
        if self.spheres.is_empty() {
            return;
        }
        let buckets = (self.spheres.len() * 2).next_power_of_two().max(64);
        let bucket = |placed: &Placed| {
            let [x, y, z] = placed.cell;
            row_hash(y, z).wrapping_add(x as u32) as usize & (buckets - 1)
        };
        let sphere_buckets: Vec<u32> = self.spheres.iter().map(|b| bucket(b) as u32).collect();
        self.starts = vec![0; buckets + 1];
        for &bucket in &sphere_buckets {
            self.starts[bucket as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        // From the last to the first, so that each bucket keeps their order.
        let mut sorted = self.spheres.clone();
        for (sphere, &bucket) in self.spheres.iter().zip(&sphere_buckets).rev() {
            let start = &mut self.starts[bucket as usize];
            *start -= 1;
            sorted[*start as usize] = *sphere;
        }
        self.spheres = sorted;
        let radii = self.spheres.iter().map(|b| b.sphere.radius);
        self.largest = radii.fold(0.0, f64::max);
        self.rough = Rough::from_spheres(self.spheres.iter().map(|b| &b.sphere));
    }

    #[inline]
    fn each_overlapping(&self, level: usize, sphere: &BoundingSphere, visit: &mut impl FnMut(u32)) {
        let Some((low, high)) = self.cells(level, sphere) else {
            let all = self.spheres.iter().filter(|b| overlap(sphere, &b.sphere));
            all.for_each(|b| visit(b.index));
            return;
        };
        let rough = Rough::sphere(sphere);
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                self.each_in_row(&rough, [low[0], high[0]], [y, z], |at| {
                    let other = &self.spheres[at];
                    // Other rows may share its buckets.
                    if overlap(sphere, &other.sphere) && other.cell[1..] == [y, z] {
                        visit(other.index);
                    }
                });
            }
        }
    }

    /// Calls `visit` once with the number of each sphere that overlaps sphere `at` of this level and comes after it by row
    /// and cell.
    #[inline]
    fn each_after(&self, level: usize, at: usize, visit: &mut impl FnMut(u32)) {
        let Placed { sphere, cell, .. } = &self.spheres[at];
        let [x, own_y, own_z] = *cell;
        let mut test = |other_at: usize, row: Option<[i32; 2]>| {
            let other = &self.spheres[other_at];
            if !overlap(sphere, &other.sphere) {
                return;
            }
            let [ox, oy, oz] = other.cell;
            let is_there = row.is_none_or(|row| row == [oy, oz]);
            if is_there && (oz, oy, ox, other_at) > (own_z, own_y, x, at) {
                visit(other.index);
            }
        };
        let Some((low, high)) = self.cells(level, sphere) else {
            (0..self.spheres.len()).for_each(|i| test(i, None));
            return;
        };
        let rough = Rough::sphere(sphere);
        for z in own_z..=high[2] {
            for y in (if z == own_z { own_y } else { low[1] })..=high[1] {
                let from = if [y, z] == [own_y, own_z] { x } else { low[0] };
                let row = [y, z];
                self.each_in_row(&rough, [from, high[0]], row, |i| test(i, Some(row)));
            }
        }
    }

    /// Lowest and highest cell that may hold an overlapping sphere; `None` where testing all spheres is less work.
    #[inline]
    fn cells(&self, level: usize, sphere: &BoundingSphere) -> Option<([i32; 3], [i32; 3])> {
        let reach = DVec3::splat(sphere.radius + self.largest);
        let low = cell_of(level, sphere.centre - reach);
        let high = cell_of(level, sphere.centre + reach);
        let [along, height, depth] = [0, 1, 2].map(|k| i64::from(high[k]) - i64::from(low[k]) + 1);
        let is_long = along >= self.starts.len() as i64;
        let rows = height.saturating_mul(depth).saturating_mul(ROW_COST);
        (!is_long && rows <= self.spheres.len() as i64).then_some((low, high))
    }

    /// Calls `visit` with the indices of the spheres that may overlap a sphere, in the buckets of some cells of a row. The
    /// cells must be fewer than the buckets.
    #[inline(always)]
    fn each_in_row(
        &self,
        sphere: &[f32; 4],
        [low, high]: [i32; 2],
        [y, z]: [i32; 2],
        mut visit: impl FnMut(usize),
    ) {
        let buckets = self.starts.len() - 1;
        let from = row_hash(y, z).wrapping_add(low as u32) as usize & (buckets - 1);
        let to = from + (high - low) as usize + 1;
        let mut scan = |from: usize, to: usize| {
            let (from, to) = (self.starts[from] as usize, self.starts[to] as usize);
            for at in (from..to).step_by(4) {
                let there = 0xf >> (4 - (to - at).min(4));
                let mut near = self.rough.overlapping(at, sphere) & there;
                while near != 0 {
                    visit(at + near.trailing_zeros() as usize);
                    near &= near - 1;
                }
            }
        };
        scan(from, to.min(buckets));
        if to > buckets {
            // Buckets wrap around.
            scan(0, to - buckets);
        }
    }
}

#[inline]
fn overlap(a: &BoundingSphere, b: &BoundingSphere) -> bool {
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

/// Hash of a row: the bucket of its cell at x = 0, modulo the number of buckets.
#[inline]
fn row_hash(y: i32, z: i32) -> u32 {
    let mixed = (y as u32).wrapping_mul(0xD816_3841) ^ (z as u32).wrapping_mul(0xCB1A_B31F);
    mixed ^ mixed >> 15
}

/// The lowest level whose cells a sphere of this radius fits.
fn level_of(radius: f64) -> usize {
    // The exponent of the least power of two that is not below the diameter in smallest cells.
    let bits = (radius * (2.0 / SMALLEST)).max(1.0).to_bits();
    let power = (bits >> 52) as usize - 1023 + usize::from(bits << 12 != 0);
    power.min(LEVELS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    fn random_sphere(rng: &mut Rng, i: usize) -> BoundingSphere {
        BoundingSphere {
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
            let spheres: Vec<BoundingSphere> =
                (0..count).map(|i| random_sphere(&mut rng, i)).collect();
            let grid = Grid::new(spheres.iter().copied());
            for sphere in &spheres {
                let mut found = Vec::new();
                grid.each_overlapping(sphere, |j| found.push(j));
                found.sort_unstable();
                let overlaps = |other: &BoundingSphere| {
                    other.centre.distance(sphere.centre) < sphere.radius + other.radius
                };
                let others = (0u32..).zip(&spheres);
                let expected = others.filter(|(_, other)| overlaps(other)).map(|(j, _)| j);
                assert_eq!(found, expected.collect::<Vec<u32>>(), "of {count}");
            }
            let mut found = grid.pairs().concat();
            found.iter_mut().for_each(|pair| pair.sort_unstable());
            found.sort_unstable();
            let mut expected = Vec::new();
            for (i, a) in spheres.iter().enumerate() {
                let later = spheres.iter().enumerate().skip(i + 1);
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
    fn a_sphere_fits_the_cells_of_its_level_and_not_those_below() {
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
        let sphere = BoundingSphere {
            centre: DVec3::splat(1e300),
            radius: 1.0,
        };
        let nowhere = BoundingSphere {
            centre: DVec3::NAN,
            radius: f64::NAN,
        };
        let grid = Grid::new(std::iter::empty());
        grid.each_overlapping(&sphere, |_| panic!("nothing is there"));
        let grid = Grid::numbered([(7, sphere), (8, nowhere)].into_iter());
        let mut found = Vec::new();
        grid.each_overlapping(&sphere, |index| found.push(index));
        grid.each_overlapping(&nowhere, |index| found.push(index));
        assert_eq!(found, [7]);
    }
}
