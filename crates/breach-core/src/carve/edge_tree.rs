//! Finds the edges in a box: a packed tree of boxes over edges sorted along a Z-order curve (after Kamel and Faloutsos,
//! "On Packing R-trees", 1993, who sort along Hilbert's). However long edges are and however they crowd, it takes a few
//! bytes for each, and a query a few boxes for each edge that it finds.
use glam::{DVec3, Vec3};

/// Boxes of a node.
const WIDTH: usize = 8;
/// Bits of a Z-order code for each axis.
const CODE_BITS: u32 = 21;

/// A tree over numbered boxes.
pub(super) struct EdgeTree {
    /// The numbers of the boxes, in the order of the curve.
    order: Vec<u32>,
    /// The boxes in that order; then, level by level, each box around `WIDTH` of the level below; the last level is one node.
    levels: Vec<Vec<Bounds>>,
}

/// A box that contains another in f64.
#[derive(Clone, Copy)]
struct Bounds {
    lo: Vec3,
    hi: Vec3,
}

impl Bounds {
    fn around((lo, hi): (DVec3, DVec3)) -> Bounds {
        let (lo, hi) = (lo.as_vec3(), hi.as_vec3());
        Bounds {
            lo: Vec3::from_array(lo.to_array().map(f32::next_down)),
            hi: Vec3::from_array(hi.to_array().map(f32::next_up)),
        }
    }

    fn touches(&self, other: &Bounds) -> bool {
        let (a, b) = (self, other);
        (a.lo.x <= b.hi.x)
            & (a.lo.y <= b.hi.y)
            & (a.lo.z <= b.hi.z)
            & (a.hi.x >= b.lo.x)
            & (a.hi.y >= b.lo.y)
            & (a.hi.z >= b.lo.z)
    }
}

impl EdgeTree {
    /// A tree over `count` boxes.
    pub fn new(count: usize, bounds: impl Fn(usize) -> (DVec3, DVec3)) -> EdgeTree {
        let (lo, hi) = (0..count)
            .map(&bounds)
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |all, one| {
                (all.0.min(one.0), all.1.max(one.1))
            });
        let scale = f64::from((1u32 << CODE_BITS) - 1) / (hi - lo).max(DVec3::ONE);
        let mut codes: Vec<(u64, u32)> = (0..count)
            .map(|i| {
                let (a, b) = bounds(i);
                (code(((a + b) * 0.5 - lo) * scale), i as u32)
            })
            .collect();
        codes.sort_unstable();
        let order: Vec<u32> = codes.into_iter().map(|(_, i)| i).collect();
        let leaves = order.iter().map(|&i| Bounds::around(bounds(i as usize)));
        let mut levels: Vec<Vec<Bounds>> = vec![leaves.collect()];
        while let Some(below) = levels.last()
            && below.len() > WIDTH
        {
            let around = |boxes: &[Bounds]| {
                let first = boxes[0];
                boxes[1..].iter().fold(first, |all, one| Bounds {
                    lo: all.lo.min(one.lo),
                    hi: all.hi.max(one.hi),
                })
            };
            let above = below.chunks(WIDTH).map(around).collect();
            levels.push(above);
        }
        EdgeTree { order, levels }
    }

    /// Visits each box that touches the box `lo..hi`, or nearly so; once, in no order that means anything.
    pub fn near(&self, lo: DVec3, hi: DVec3, mut visit: impl FnMut(u32)) {
        let wanted = Bounds::around((lo, hi));
        // Nodes to be looked into: level and number.
        let mut open = vec![(self.levels.len() - 1, 0)];
        while let Some((level, node)) = open.pop() {
            let boxes = &self.levels[level];
            let first = node * WIDTH;
            let last = (first + WIDTH).min(boxes.len());
            for (i, bounds) in (first..last).zip(&boxes[first..last]) {
                if bounds.touches(&wanted) {
                    match level {
                        0 => visit(self.order[i]),
                        _ => open.push((level - 1, i)),
                    }
                }
            }
        }
    }
}

/// The Z-order code of a point of numbers below 2^21.
fn code(p: DVec3) -> u64 {
    let spread = |x: f64| {
        let mut x = x as u64 & 0x1f_ffff;
        for (shift, mask) in [
            (32, 0x001f_0000_0000_ffff),
            (16, 0x001f_0000_ff00_00ff),
            (8, 0x100f_00f0_0f00_f00f),
            (4, 0x10c3_0c30_c30c_30c3),
            (2, 0x1249_2492_4924_9249),
        ] {
            x = (x | x << shift) & mask;
        }
        x
    };
    spread(p.x) | spread(p.y) << 1 | spread(p.z) << 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    #[test]
    fn boxes_are_those_that_a_search_through_all_finds() {
        for count in [0, 1, 7, 8, 9, 64, 65, 1000] {
            let mut rng = Rng::new(count as u64);
            let mut one = |most: f64| {
                let mut x = || rng.range(-1e4, 1e4);
                let (lo, size) = (DVec3::new(x(), x(), x()), DVec3::new(x(), x(), x()));
                // Long ones and short ones, and points.
                (lo, lo + size.abs() * most)
            };
            let boxes: Vec<_> = (0..count).map(|i| one([0.0, 0.01, 2.0][i % 3])).collect();
            let tree = EdgeTree::new(count, |i| boxes[i]);
            for round in 0..200 {
                // Thin ones as well, as faces are.
                let (lo, mut hi) = one([0.01, 0.2, 1.0][round % 3]);
                if round % 2 == 0 {
                    hi[round / 2 % 3] = lo[round / 2 % 3];
                }
                let mut found = vec![];
                tree.near(lo, hi, |i| found.push(i as usize));
                found.sort_unstable();
                let all = (0..count)
                    .filter(|&i| boxes[i].0.cmple(hi).all() && boxes[i].1.cmpge(lo).all());
                assert_eq!(found, all.collect::<Vec<_>>(), "{count} {round}");
            }
        }
    }
}
