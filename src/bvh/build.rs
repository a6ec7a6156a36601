//! Top-down building: a bin's triangles are divided in place until the limits say stop.
//!
//! Boxes are f32, rounded outwards, so that a node with its two children's boxes fills one cache line; they only cull.
//! Deterministic: no threads, no hashing, ties by triangle index.
use super::traverse::{Bin, Tree};
use super::{BuildParams, SplitRule};
use glam::{DVec3, Vec3A};

/// A triangle on its way into a leaf.
#[derive(Clone, Copy)]
struct Item {
    bounds: Bounds,
    triangle: u32,
}

impl Item {
    /// Twice the box's centre: only compared and averaged.
    #[inline]
    fn middle(&self) -> Vec3A {
        self.bounds.min + self.bounds.max
    }
    #[inline]
    fn middle_along(&self, axis: usize) -> f32 {
        self.bounds.min.as_ref()[axis] + self.bounds.max.as_ref()[axis]
    }
}

/// A box that grows; four lanes wide for the sake of speed.
#[derive(Clone, Copy)]
struct Bounds {
    min: Vec3A,
    max: Vec3A,
}

impl Bounds {
    const EMPTY: Self = Self {
        min: Vec3A::INFINITY,
        max: Vec3A::NEG_INFINITY,
    };

    #[inline]
    fn add(&mut self, other: &Self) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }
    #[inline]
    fn add_point(&mut self, p: Vec3A) {
        self.min = self.min.min(p);
        self.max = self.max.max(p);
    }
    #[inline]
    fn size(&self) -> Vec3A {
        self.max - self.min
    }
    fn longest_axis(&self) -> usize {
        let size = self.size();
        if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        }
    }
    /// Half the surface.
    #[inline]
    fn area(&self) -> f32 {
        let size = self.size();
        size.dot(Vec3A::new(size.y, size.z, size.x))
    }
    fn volume(&self) -> f64 {
        self.size().to_array().map(f64::from).iter().product()
    }
}

/// The boxes of some items and of their (doubled) centres.
#[derive(Clone, Copy)]
struct Group {
    bounds: Bounds,
    centres: Bounds,
}

impl Group {
    fn of(items: &[Item]) -> Self {
        let mut group = Self {
            bounds: Bounds::EMPTY,
            centres: Bounds::EMPTY,
        };
        for item in items {
            group.bounds.add(&item.bounds);
            group.centres.add_point(item.middle());
        }
        group
    }
}

/// Builds the tree over triangles given by index and corners; also returns the order in which its leaves list them.
pub(super) fn build(
    triangles: impl Iterator<Item = (u32, [DVec3; 3])>,
    params: &BuildParams,
) -> (Tree, Vec<u32>) {
    let mut items = Vec::with_capacity(triangles.size_hint().1.unwrap_or(0));
    items.extend(triangles.map(|(triangle, [a, b, c])| {
        let (low, high) = (a.min(b).min(c).as_vec3a(), a.max(b).max(c).as_vec3a());
        // One step outwards, whichever way the rounding went.
        let step = |p: Vec3A| p.abs() * f32::EPSILON + f32::MIN_POSITIVE;
        Item {
            bounds: Bounds {
                min: low - step(low),
                max: high + step(high),
            },
            triangle,
        }
    }));
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
    let group = Group::of(&items);
    let root = builder.bin(&mut items, 0, group, 0);
    let order = items.iter().map(|item| item.triangle).collect();
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
    /// The bin over `items`, which start at `first` in leaf order and are measured by `group`.
    fn bin(&mut self, items: &mut [Item], first: u32, group: Group, level: u32) -> Bin {
        self.depth = self.depth.max(level);
        let (min, max) = (group.bounds.min.to_array(), group.bounds.max.to_array());
        let small = items.len() <= self.faces_per_bin || group.bounds.volume() < self.min_volume;
        if small || level >= self.max_depth {
            return Bin {
                min,
                max,
                first,
                count: items.len() as u32,
            };
        }
        let middle = self.divide(items, &group);
        let (left, right) = items.split_at_mut(middle);
        let node = self.nodes.len();
        self.nodes.push([Bin::default(); 2]);
        let left_bin = self.bin(left, first, Group::of(left), level + 1);
        let right_bin = self.bin(right, first + middle as u32, Group::of(right), level + 1);
        self.nodes[node] = [left_bin, right_bin];
        Bin {
            min,
            max,
            first: node as u32,
            count: 0,
        }
    }

    /// Reorders the items into two groups, neither empty; the size of the first.
    fn divide(&self, items: &mut [Item], group: &Group) -> usize {
        let axis = group.centres.longest_axis();
        let count = match self.split {
            SplitRule::Midpoint => {
                let axis = group.bounds.longest_axis();
                let middle = (group.bounds.min + group.bounds.max)[axis];
                partition(items, |item| item.middle_along(axis) < middle)
            }
            SplitRule::Median => 0,
            SplitRule::Mean => {
                let sum: f64 = items
                    .iter()
                    .map(|item| f64::from(item.middle_along(axis)))
                    .sum();
                let mean = (sum / items.len() as f64) as f32;
                partition(items, |item| item.middle_along(axis) < mean)
            }
            SplitRule::Sah => match cheapest_plane(items, &group.centres) {
                Some((slabs, axis, end)) => partition(items, |item| slabs.of(item)[axis] < end),
                None => 0,
            },
        };
        if 0 < count && count < items.len() {
            return count;
        }
        // All on one side, or by rule: halves, which always makes progress.
        let half = items.len() / 2;
        items.select_nth_unstable_by(half, |a, b| {
            let order = a.middle_along(axis).total_cmp(&b.middle_along(axis));
            order.then(a.triangle.cmp(&b.triangle))
        });
        half
    }
}

/// Moves the items that `is_left` picks to the front; how many. Without a branch on the answer, which no processor
/// guesses.
#[inline]
fn partition(items: &mut [Item], is_left: impl Fn(&Item) -> bool) -> usize {
    let mut count = 0;
    for i in 0..items.len() {
        let goes_left = is_left(&items[i]);
        items.swap(i, count);
        count += usize::from(goes_left);
    }
    count
}

/// Most slabs an axis is cut into.
const SLABS: usize = 16;

/// Equal slabs of the centres' box along each axis.
struct Slabs {
    origin: Vec3A,
    scale: Vec3A,
}

impl Slabs {
    /// The slab of an item along each axis.
    #[inline]
    fn of(&self, item: &Item) -> [usize; 3] {
        let at = (item.middle() - self.origin) * self.scale;
        at.to_array().map(|x| (x as u32 as usize).min(SLABS - 1))
    }
}

/// Least `area(left)·count(left) + area(right)·count(right)` over the slab borders of all axes (Wald, On Fast
/// Construction of SAH-based Bounding Volume Hierarchies, 2007): the slabs, the axis, and how many slabs go left. None
/// when all centres are one point.
fn cheapest_plane(items: &[Item], centres: &Bounds) -> Option<(Slabs, usize, usize)> {
    let count = if items.len() < 24 { SLABS / 2 } else { SLABS };
    // An axis without extent gets scale 0: all items in one slab, so no border.
    let per_slab = |extent: f32| {
        if extent > 0.0 {
            count as f32 * (1.0 - 1e-6) / extent
        } else {
            0.0
        }
    };
    let scale = Vec3A::from(centres.size().to_array().map(per_slab));
    if !scale.is_finite() {
        return None;
    }
    let slabs = Slabs {
        origin: centres.min,
        scale,
    };
    let mut bounds = [[Bounds::EMPTY; 3]; SLABS];
    let mut counts = [[0u32; 3]; SLABS];
    for item in items {
        for (axis, slab) in slabs.of(item).into_iter().enumerate() {
            bounds[slab][axis].add(&item.bounds);
            counts[slab][axis] += 1;
        }
    }
    let mut best: Option<(f32, usize, usize)> = None;
    for axis in (0..3).filter(|&axis| scale[axis] > 0.0) {
        // From the right: what each border leaves behind it.
        let mut right = [0.0f32; SLABS];
        let (mut sum, mut many) = (Bounds::EMPTY, 0);
        for end in (1..count).rev() {
            sum.add(&bounds[end][axis]);
            many += counts[end][axis];
            right[end] = if many == 0 {
                f32::INFINITY
            } else {
                sum.area() * many as f32
            };
        }
        let (mut sum, mut many) = (Bounds::EMPTY, 0);
        for end in 1..count {
            sum.add(&bounds[end - 1][axis]);
            many += counts[end - 1][axis];
            let cost = if many == 0 {
                f32::INFINITY
            } else {
                sum.area() * many as f32 + right[end]
            };
            if cost.is_finite() && best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, axis, end));
            }
        }
    }
    best.map(|(_, axis, end)| (slabs, axis, end))
}
