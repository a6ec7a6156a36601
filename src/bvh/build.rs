//! Top-down building: a bin's triangles are divided in place until the limits say stop.
//!
//! Boxes are f32, rounded outwards, so that a node with its two children's boxes fills one cache line; they only cull.
//! Deterministic: no threads, no hashing, ties by triangle index.
use super::traverse::{Bin, Tree};
use super::{BuildParams, SplitRule};
use glam::DVec3;

/// A triangle on its way into a leaf.
#[derive(Clone, Copy)]
struct Item {
    min: [f32; 3],
    max: [f32; 3],
    /// Twice the box's centre: only compared and averaged.
    middle: [f32; 3],
    face: u32,
}

/// A box that grows.
#[derive(Clone, Copy)]
struct Bounds {
    min: [f32; 3],
    max: [f32; 3],
}

impl Bounds {
    const EMPTY: Self = Self {
        min: [f32::INFINITY; 3],
        max: [f32::NEG_INFINITY; 3],
    };

    #[inline]
    fn add(&mut self, min: &[f32; 3], max: &[f32; 3]) {
        for axis in 0..3 {
            self.min[axis] = if min[axis] < self.min[axis] {
                min[axis]
            } else {
                self.min[axis]
            };
            self.max[axis] = if max[axis] > self.max[axis] {
                max[axis]
            } else {
                self.max[axis]
            };
        }
    }
    #[inline]
    fn size(&self, axis: usize) -> f32 {
        self.max[axis] - self.min[axis]
    }
    fn longest_axis(&self) -> usize {
        let (x, y, z) = (self.size(0), self.size(1), self.size(2));
        if x >= y && x >= z {
            0
        } else if y >= z {
            1
        } else {
            2
        }
    }
    /// Half the surface.
    #[inline]
    fn area(&self) -> f32 {
        let (x, y, z) = (self.size(0), self.size(1), self.size(2));
        x * y + y * z + z * x
    }
    fn volume(&self) -> f64 {
        (0..3).map(|axis| f64::from(self.size(axis))).product()
    }
}

/// The nearest f32 not above `x`.
fn below(x: f64) -> f32 {
    let y = x as f32;
    if f64::from(y) > x { y.next_down() } else { y }
}

/// The nearest f32 not below `x`.
fn above(x: f64) -> f32 {
    let y = x as f32;
    if f64::from(y) < x { y.next_up() } else { y }
}

/// Builds the tree over triangles given by their corners; also returns the order in which its leaves list them.
pub(super) fn build(
    corners: impl Iterator<Item = [DVec3; 3]>,
    params: &BuildParams,
) -> (Tree, Vec<u32>) {
    let mut all = Bounds::EMPTY;
    let mut items: Vec<Item> = (0u32..)
        .zip(corners)
        .map(|(face, [a, b, c])| {
            let (low, high) = (a.min(b).min(c), a.max(b).max(c));
            let (min, max) = (low.to_array().map(below), high.to_array().map(above));
            all.add(&min, &max);
            Item {
                min,
                max,
                middle: std::array::from_fn(|i| min[i] + max[i]),
                face,
            }
        })
        .collect();
    if items.is_empty() {
        return (Tree::default(), Vec::new());
    }
    let mut builder = Builder {
        split: params.split,
        max_depth: params.max_depth.clamp(1, 32),
        faces_per_bin: params.faces_per_bin.clamp(1, 64) as usize,
        min_volume: params.min_volume,
        nodes: Vec::with_capacity(items.len()),
        depth: 0,
    };
    let root = builder.bin(&mut items, 0, all, 0);
    let order = items.iter().map(|item| item.face).collect();
    (
        Tree {
            root,
            nodes: builder.nodes,
            depth: builder.depth,
        },
        order,
    )
}

struct Builder {
    split: SplitRule,
    max_depth: u32,
    faces_per_bin: usize,
    min_volume: f64,
    nodes: Vec<[Bin; 2]>,
    depth: u32,
}

impl Builder {
    /// The bin over `items`, which start at `first` in leaf order and fill `bounds`.
    fn bin(&mut self, items: &mut [Item], first: u32, bounds: Bounds, level: u32) -> Bin {
        self.depth = self.depth.max(level);
        let Bounds { min, max } = bounds;
        let stop = items.len() <= self.faces_per_bin
            || level >= self.max_depth
            || bounds.volume() < self.min_volume;
        if stop {
            return Bin {
                min,
                max,
                first,
                count: items.len() as u32,
            };
        }
        let middle = self.divide(items, &bounds);
        let (left, right) = items.split_at_mut(middle);
        let node = self.nodes.len();
        self.nodes.push([Bin::default(); 2]);
        let left_bin = self.bin(left, first, bounds_of(left), level + 1);
        let right_bin = self.bin(right, first + middle as u32, bounds_of(right), level + 1);
        self.nodes[node] = [left_bin, right_bin];
        Bin {
            min,
            max,
            first: node as u32,
            count: 0,
        }
    }

    /// Reorders the items into two groups, neither empty; the size of the first.
    fn divide(&self, items: &mut [Item], bounds: &Bounds) -> usize {
        let mut centres = Bounds::EMPTY;
        items
            .iter()
            .for_each(|item| centres.add(&item.middle, &item.middle));
        let axis = match self.split {
            SplitRule::Midpoint => bounds.longest_axis(),
            _ => centres.longest_axis(),
        };
        let count = match self.split {
            SplitRule::Midpoint => partition(items, axis, bounds.min[axis] + bounds.max[axis]),
            SplitRule::Median => 0,
            SplitRule::Mean => {
                let sum: f64 = items.iter().map(|item| f64::from(item.middle[axis])).sum();
                partition(items, axis, (sum / items.len() as f64) as f32)
            }
            SplitRule::Sah => match cheapest_plane(items, &centres) {
                Some(plane) => {
                    let (mut i, mut j) = (0, items.len());
                    while i < j {
                        if plane.slab(&items[i]) < plane.end {
                            i += 1;
                        } else {
                            j -= 1;
                            items.swap(i, j);
                        }
                    }
                    i
                }
                None => 0,
            },
        };
        if 0 < count && count < items.len() {
            return count;
        }
        // All on one side: halves, which always makes progress.
        let (axis, half) = (centres.longest_axis(), items.len() / 2);
        items.select_nth_unstable_by(half, |a, b| {
            a.middle[axis]
                .total_cmp(&b.middle[axis])
                .then(a.face.cmp(&b.face))
        });
        half
    }
}

fn bounds_of(items: &[Item]) -> Bounds {
    let mut bounds = Bounds::EMPTY;
    items
        .iter()
        .for_each(|item| bounds.add(&item.min, &item.max));
    bounds
}

/// Items whose doubled centre is below `at` to the front; how many.
fn partition(items: &mut [Item], axis: usize, at: f32) -> usize {
    let (mut i, mut j) = (0, items.len());
    while i < j {
        if items[i].middle[axis] < at {
            i += 1;
        } else {
            j -= 1;
            items.swap(i, j);
        }
    }
    i
}

const SLABS: usize = 16;

/// A candidate of the surface area heuristic: the first `end` of equal slabs along `axis` against the rest.
#[derive(Clone, Copy)]
struct SlabPlane {
    axis: usize,
    end: usize,
    origin: f32,
    scale: f32,
}

impl SlabPlane {
    #[inline]
    fn slab(&self, item: &Item) -> usize {
        (((item.middle[self.axis] - self.origin) * self.scale) as usize).min(SLABS - 1)
    }
}

/// Least `area(left)·count(left) + area(right)·count(right)` over the slab borders of all axes (Wald, On Fast
/// Construction of SAH-based Bounding Volume Hierarchies, 2007). None when all centres are one point.
fn cheapest_plane(items: &[Item], centres: &Bounds) -> Option<SlabPlane> {
    let mut best: Option<(f32, SlabPlane)> = None;
    for axis in 0..3 {
        let extent = centres.size(axis);
        let slabs = if items.len() < 32 { SLABS / 2 } else { SLABS };
        let scale = slabs as f32 * (1.0 - 1e-6) / extent;
        if !scale.is_finite() || extent <= 0.0 {
            continue;
        }
        let plane = SlabPlane {
            axis,
            end: 0,
            origin: centres.min[axis],
            scale,
        };
        let mut bounds = [Bounds::EMPTY; SLABS];
        let mut counts = [0u32; SLABS];
        for item in items {
            let slab = plane.slab(item);
            bounds[slab].add(&item.min, &item.max);
            counts[slab] += 1;
        }
        // From the right: what each border leaves behind it.
        let mut right = [0.0f32; SLABS];
        let (mut sum, mut count) = (Bounds::EMPTY, 0);
        for end in (1..slabs).rev() {
            sum.add(&bounds[end].min, &bounds[end].max);
            count += counts[end];
            right[end] = if count == 0 {
                f32::INFINITY
            } else {
                sum.area() * count as f32
            };
        }
        let (mut sum, mut count) = (Bounds::EMPTY, 0);
        for end in 1..slabs {
            sum.add(&bounds[end - 1].min, &bounds[end - 1].max);
            count += counts[end - 1];
            if count == 0 {
                continue;
            }
            let cost = sum.area() * count as f32 + right[end];
            if cost.is_finite() && best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, SlabPlane { end, ..plane }));
            }
        }
    }
    best.map(|(_, plane)| plane)
}
