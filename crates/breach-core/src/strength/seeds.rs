//! The blocks in which a survey begins: those with surface in what has changed.
//!
//! What is thin has surface near, and what was cut may have been held from beyond: so the blocks around a change that a
//! triangle touches are enough. They are found by halving the range of blocks of each box.
use crate::bvh::QueryStats;
use crate::geom::Aabb;
use crate::solid::{self, BlockId, Lattice};
use crate::world::World;
use glam::DVec3;

/// More boxes than this are taken as one around them all.
const MOST_BOXES: usize = 256;
/// Units for each triangle of a box, and of half a range.
const TRIANGLE_UNITS: u64 = 150;
/// Units for each range.
const RANGE_UNITS: u64 = 100;

/// The search, which can stop after any range and go on later.
#[derive(Clone, Debug, Default)]
pub(super) struct Seeds {
    lattice: Lattice,
    /// Boxes not looked at yet, the next one last, metres.
    boxes: Vec<Aabb>,
    /// Ranges of blocks with the triangles in them, the next one last.
    ranges: Vec<(BlockRange, Vec<[DVec3; 3]>)>,
}

/// The lowest and the highest block.
type BlockRange = [BlockId; 2];

impl Seeds {
    /// In and around the boxes that changed, metres.
    pub fn new(changed: &[Aabb], lattice: Lattice) -> Seeds {
        let mut boxes: Vec<Aabb> = Vec::new();
        for one in changed.iter().map(|one| one.grow(lattice.block_m())) {
            let has = |a: &Aabb, b: &Aabb| a.min.cmple(b.min).all() && b.max.cmple(a.max).all();
            if !boxes.iter().any(|other| has(other, &one)) {
                boxes.retain(|other| !has(&one, other));
                boxes.push(one);
            }
        }
        if MOST_BOXES < boxes.len() {
            boxes = boxes
                .into_iter()
                .reduce(|a, b| a.union(&b))
                .into_iter()
                .collect();
        }
        boxes.reverse();
        Seeds {
            lattice,
            boxes,
            ranges: Vec::new(),
        }
    }

    /// Whether there is none left.
    pub fn is_done(&self) -> bool {
        self.boxes.is_empty() && self.ranges.is_empty()
    }

    /// The next block, or none if there is none left or the units are used up. A block may come twice.
    pub fn next(&mut self, world: &World, units: &mut u64) -> Option<BlockId> {
        while *units > 0 {
            let Some((range, triangles)) = self.ranges.pop() else {
                let bounds = self.boxes.pop()?;
                let found = triangles_in(world, &bounds);
                *units = units.saturating_sub(found.len() as u64 * TRIANGLE_UNITS);
                self.push(self.lattice.range_of(&bounds), found);
                continue;
            };
            *units = units.saturating_sub(RANGE_UNITS + triangles.len() as u64 * TRIANGLE_UNITS);
            let [lo, hi] = range;
            if lo == hi {
                return Some(lo);
            }
            for half in halves(range) {
                let bounds = bounds_of(self.lattice, half);
                let mut inside = triangles.clone();
                inside.retain(|corners| solid::touches(corners, &bounds));
                self.push(half, inside);
            }
        }
        None
    }

    fn push(&mut self, range: BlockRange, triangles: Vec<[DVec3; 3]>) {
        if !triangles.is_empty() && solid::count_of(range) > 0 {
            self.ranges.push((range, triangles));
        }
    }
}

fn triangles_in(world: &World, bounds: &Aabb) -> Vec<[DVec3; 3]> {
    let mut found = Vec::new();
    world.each_triangle_in_box(bounds, &mut QueryStats::default(), &mut |room, triangle| {
        let mesh = &world.room(room).mesh;
        let corners = mesh.triangles[triangle as usize].corners;
        found.push(corners.map(|corner| mesh.positions[corner as usize]));
    });
    found
}

/// Two halves across the longest side; the upper one first.
fn halves([lo, hi]: BlockRange) -> [BlockRange; 2] {
    let axis = (0..3)
        .max_by_key(|&axis| (hi[axis] - lo[axis], axis))
        .unwrap_or(0);
    let middle = lo[axis] + (hi[axis] - lo[axis]) / 2;
    let (mut below, mut above) = (hi, lo);
    (below[axis], above[axis]) = (middle, middle + 1);
    [[above, hi], [lo, below]]
}

fn bounds_of(lattice: Lattice, [lo, hi]: BlockRange) -> Aabb {
    let both = lattice.bounds(lo).union(&lattice.bounds(hi));
    both.grow(1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use crate::world::BrushDesc;
    use glam::dvec3;
    use rustc_hash::FxHashSet;

    #[test]
    fn they_are_the_blocks_around_a_change_that_a_triangle_touches() {
        let mut world = World::solid_box(DVec3::ZERO, DVec3::splat(20.0)).expect("a box");
        let mut rng = Rng::new(11);
        for round in 0..12 {
            let lattice = Lattice::new(Lattice::SIZES[round % 4]);
            let mut at = || rng.range(2.0, 18.0);
            let at = dvec3(at(), at(), at());
            let radius = rng.range(0.2, 3.0);
            let ball = BrushDesc::ball(at, radius).expect("a ball");
            if world.carve(&ball).is_err() {
                continue;
            }
            let changed = Aabb::from_centre(at, DVec3::splat(radius));
            let whole = changed.grow(lattice.block_m());
            let triangles = triangles_in(&world, &whole);
            let wanted: FxHashSet<BlockId> = lattice
                .blocks_in(&whole)
                .filter(|&block| {
                    let bounds = lattice.bounds(block).grow(1e-6);
                    triangles
                        .iter()
                        .any(|corners| solid::touches(corners, &bounds))
                })
                .collect();
            let mut seeds = Seeds::new(&[changed], lattice);
            let mut found = FxHashSet::default();
            while !seeds.is_done() {
                found.extend(seeds.next(&world, &mut rng.below(5000)));
            }
            assert_eq!(found, wanted);
            assert!(!found.is_empty());
        }
    }
}
