//! Top-down building: a bin's triangles are divided in place until the limits say stop.
//!
//! A node of the tree takes the bins that up to seven splits leave, the widest divided first (Wald, Benthin and Boulos,
//! Getting Rid of Packets, 2008). Boxes are f32, rounded outwards. Deterministic: no threads, no hashing, ties by
//! triangle index.
use super::merge;
use super::node::{DEEPEST, LEAF, NONE, Tree, WIDTH};
use super::surface::Face;
use super::{BuildParams, SplitRule};
use crate::geom::Aabb;
use glam::{DVec3, Vec3A, Vec4};

/// A triangle on its way into a leaf: its box, and in the fourth lane of the lower corner the bits of its number; in
/// that of the upper one those of a merge, where bins are merged. Half a cache line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    low: Vec4,
    high: Vec4,
}

/// The bits of 1.0: turns small numbers into floats that processors calculate with quickly.
const ONE: u32 = 0x3f80_0000;

impl Item {
    pub fn new(triangle: u32, bounds: &Bounds) -> Self {
        Self {
            low: bounds.min.extend(f32::from_bits(triangle ^ ONE)),
            high: bounds.max.extend(0.0),
        }
    }

    /// Around a triangle's corners, grown by a step, whichever way the rounding went.
    #[inline]
    pub fn around(triangle: u32, [a, b, c]: &[DVec3; 3]) -> Self {
        let bounds = Bounds::around(a.min(*b).min(*c), a.max(*b).max(*c));
        Self::new(triangle, &bounds)
    }

    pub fn triangle(&self) -> u32 {
        self.low.w.to_bits() ^ ONE
    }
    /// The merge that put the item behind the one before it; see [`merge`].
    pub fn merge(&self) -> u32 {
        self.high.w.to_bits() ^ ONE
    }
    pub fn joined_by(mut self, merge: u32) -> Self {
        self.high.w = f32::from_bits(merge ^ ONE);
        self
    }
    #[inline]
    pub fn bounds(&self) -> Bounds {
        Bounds {
            min: Vec3A::from_vec4(self.low),
            max: Vec3A::from_vec4(self.high),
        }
    }
    /// Twice the box's centre: only compared and averaged.
    #[inline]
    pub fn middle(&self) -> Vec3A {
        Vec3A::from_vec4(self.low) + Vec3A::from_vec4(self.high)
    }
    #[inline]
    fn middle_along(&self, axis: usize) -> f32 {
        self.low[axis] + self.high[axis]
    }
}

/// A box that grows; four lanes wide for the sake of speed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub min: Vec3A,
    pub max: Vec3A,
}

impl Bounds {
    pub const EMPTY: Self = Self {
        min: Vec3A::INFINITY,
        max: Vec3A::NEG_INFINITY,
    };

    /// A box in f32 that holds one in f64.
    #[inline]
    pub fn around(low: DVec3, high: DVec3) -> Self {
        let (low, high) = (low.as_vec3a(), high.as_vec3a());
        let step = |p: Vec3A| p.abs() * f32::EPSILON + f32::MIN_POSITIVE;
        Self {
            min: low - step(low),
            max: high + step(high),
        }
    }

    pub fn exact(&self) -> Aabb {
        let wide = |v: Vec3A| DVec3::from(v.to_array().map(f64::from));
        Aabb {
            min: wide(self.min),
            max: wide(self.max),
        }
    }
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }
    #[inline]
    pub fn add(&mut self, other: &Self) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }
    #[inline]
    pub fn add_point(&mut self, p: Vec3A) {
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
    pub fn area(&self) -> f32 {
        if self.is_empty() {
            0.0
        } else {
            self.full_area()
        }
    }
    /// The same of a box that is not empty.
    #[inline]
    fn full_area(&self) -> f32 {
        let size = self.size();
        size.dot(Vec3A::new(size.y, size.z, size.x))
    }
    /// Of what both hold.
    pub fn shared_volume(&self, other: &Self) -> f64 {
        let (min, max) = (self.min.max(other.min), self.max.min(other.max));
        (max - min)
            .max(Vec3A::ZERO)
            .to_array()
            .map(f64::from)
            .iter()
            .product()
    }
    fn volume(&self) -> f64 {
        self.size().to_array().map(f64::from).iter().product()
    }
}

/// The boxes of some items and of their (doubled) centres.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub bounds: Bounds,
    centres: Bounds,
}

impl Group {
    pub fn of(items: &[Item]) -> Self {
        let mut group = Self {
            bounds: Bounds::EMPTY,
            centres: Bounds::EMPTY,
        };
        for item in items {
            group.bounds.add(&item.bounds());
            group.centres.add_point(item.middle());
        }
        group
    }
}

/// The limits of [`BuildParams`], in range.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    split: SplitRule,
    max_depth: u32,
    pub faces_per_bin: usize,
    min_volume: f64,
}

impl Limits {
    pub fn new(params: &BuildParams) -> Self {
        Self {
            split: params.split,
            max_depth: params.max_depth.clamp(1, DEEPEST as u32),
            faces_per_bin: params.faces_per_bin.clamp(1, 64) as usize,
            min_volume: params.min_volume,
        }
    }

    /// Whether a bin is not to be divided.
    pub fn is_leaf(&self, count: usize, bounds: &Bounds, level: u32) -> bool {
        let small = count <= self.faces_per_bin || bounds.volume() < self.min_volume;
        small || level >= self.max_depth
    }
}

/// A bin that may be divided again.
#[derive(Clone, Copy)]
struct Open {
    start: usize,
    end: usize,
    level: u32,
    group: Group,
    is_leaf: bool,
}

/// Grows parts of a tree over faces; tells each face where it is.
pub(super) struct Builder<'a> {
    pub tree: &'a mut Tree,
    pub faces: &'a mut [Face],
    pub limits: Limits,
    pub scratch: Vec<Item>,
}

impl Builder<'_> {
    /// Makes what belongs below an empty lane: a leaf or a node over `items`, which are not none.
    pub fn fill_lane(&mut self, node: u32, lane: usize, level: u32, items: &mut [Item]) {
        self.prepare(items);
        let group = Group::of(items);
        let child = self.bin(items, &group, node * WIDTH as u32 + lane as u32, level);
        self.tree
            .set_lane(node, lane, &group.bounds, child, items.len() as u32);
    }

    /// What a rule wants done once before items are divided.
    pub fn prepare(&mut self, items: &mut [Item]) {
        if self.limits.split == SplitRule::BottomUp {
            self.tree.work += merge::order(items);
        }
    }

    fn bin(&mut self, items: &mut [Item], group: &Group, parent: u32, level: u32) -> u32 {
        if self.limits.is_leaf(items.len(), &group.bounds, level) {
            self.leaf(items, parent, level)
        } else {
            let node = self.tree.new_node(parent, level);
            self.fill_node(node, items, group, level);
            node
        }
    }

    /// The bins of an empty node over `items`, which are not none.
    pub fn fill_node(&mut self, node: u32, items: &mut [Item], group: &Group, level: u32) {
        let open = |start: usize, end: usize, level: u32, group: Group, limits: &Limits| Open {
            start,
            end,
            level,
            group,
            is_leaf: limits.is_leaf(end - start, &group.bounds, level),
        };
        let whole = open(0, items.len(), level, *group, &self.limits);
        let mut bins = [whole; WIDTH];
        let mut len = 1;
        let mut splits = [0; WIDTH - 1];
        while len < WIDTH {
            let mut widest = None;
            let mut most = f32::NEG_INFINITY;
            for (i, bin) in bins[..len].iter().enumerate() {
                let area = bin.group.bounds.area();
                if !bin.is_leaf && area > most {
                    (widest, most) = (Some(i), area);
                }
            }
            let Some(i) = widest else { break };
            let bin = bins[i];
            let part = &mut items[bin.start..bin.end];
            self.tree.work += part.len() as u64;
            let middle = divide(&self.limits, part, &mut self.scratch, &bin.group, bin.level);
            let (left, right) = (Group::of(&part[..middle]), Group::of(&part[middle..]));
            let (level, middle) = (bin.level + 1, bin.start + middle);
            bins[i] = open(bin.start, middle, level, left, &self.limits);
            bins[len] = open(middle, bin.end, level, right, &self.limits);
            splits[len - 1] = i as u8;
            len += 1;
        }
        let role = &mut self.tree.roles[node as usize];
        role.splits = splits;
        role.split_count = len as u8 - 1;
        for (lane, bin) in bins[..len].iter().enumerate() {
            let parent = node * WIDTH as u32 + lane as u32;
            let part = &mut items[bin.start..bin.end];
            // Only the root may hold a single bin; it must be a leaf, as it could not be divided.
            let child = if len == 1 {
                self.leaf(part, parent, bin.level)
            } else {
                self.bin(part, &bin.group, parent, bin.level)
            };
            let count = part.len() as u32;
            self.tree
                .set_lane(node, lane, &bin.group.bounds, child, count);
        }
    }

    fn leaf(&mut self, items: &[Item], parent: u32, level: u32) -> u32 {
        self.tree.leaves_at[level as usize] += 1;
        let mut next = NONE;
        for part in items.rchunks(WIDTH) {
            let block = self.tree.new_block(parent);
            self.tree.blocks[block as usize].next = next;
            for item in part {
                self.put(block, item);
            }
            next = block;
        }
        next | LEAF
    }

    /// Puts a face into a block that has room.
    pub fn put(&mut self, block: u32, item: &Item) {
        let Some(face) = self.faces.get_mut(item.triangle() as usize) else {
            return;
        };
        let at = &mut self.tree.blocks[block as usize];
        let lane = at.count as usize;
        at.boxes.set(lane, &item.bounds());
        let normal = face.cull_normal();
        let offset = normal.dot(face.corners[0]);
        for axis in 0..3 {
            at.normal[axis][lane] = normal[axis] as f32;
        }
        at.offset[lane] = offset as f32;
        at.face[lane] = item.triangle();
        at.count += 1;
        face.place = block * WIDTH as u32 + lane as u32;
    }
}

/// Reorders the items into two groups, neither empty; the size of the first.
fn divide(
    limits: &Limits,
    items: &mut [Item],
    scratch: &mut Vec<Item>,
    group: &Group,
    level: u32,
) -> usize {
    let axis = group.centres.longest_axis();
    let count = match limits.split {
        SplitRule::BottomUp => {
            // Merging knows of no limit: where the levels left could not hold so many, halves.
            let left = limits.max_depth.saturating_sub(level + 1);
            let most = (limits.faces_per_bin as u64) << left;
            let count = merge::latest(items);
            let larger = count.max(items.len() - count) as u64;
            return if larger > most && count > 0 || count == 0 {
                items.len() / 2
            } else {
                count
            };
        }
        SplitRule::Midpoint => {
            let axis = group.bounds.longest_axis();
            let middle = (group.bounds.min + group.bounds.max)[axis];
            partition(items, scratch, |item| item.middle_along(axis) < middle)
        }
        SplitRule::Median => 0,
        SplitRule::Mean => {
            let sum: f64 = items
                .iter()
                .map(|item| f64::from(item.middle_along(axis)))
                .sum();
            let mean = (sum / items.len() as f64) as f32;
            partition(items, scratch, |item| item.middle_along(axis) < mean)
        }
        SplitRule::Sah => match cheapest_plane(items, &group.centres) {
            Some((slabs, axis, end)) => {
                partition(items, scratch, |item| slabs.along(item, axis) < end)
            }
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
        order.then(a.triangle().cmp(&b.triangle()))
    });
    half
}

/// Moves the items that `is_left` picks to the front; how many. Each is written to both ends of the scratch, and one of
/// the two stays: no branch to guess, and no load that has to wait for a store.
#[inline(always)]
fn partition(
    items: &mut [Item],
    scratch: &mut Vec<Item>,
    is_left: impl Fn(&Item) -> bool,
) -> usize {
    let len = items.len();
    if let Some(&item) = items.first()
        && scratch.len() < len
    {
        scratch.resize(len, item);
    }
    let (mut left, mut right) = (0, len);
    let scratch = &mut scratch[..len];
    for item in items.iter() {
        let goes_left = is_left(item);
        scratch[left] = *item;
        scratch[right - 1] = *item;
        left += usize::from(goes_left);
        right -= usize::from(!goes_left);
    }
    items.copy_from_slice(scratch);
    left
}

/// Most slabs an axis is cut into.
const SLABS: usize = 16;
/// Fewer items than this are spread over half the slabs.
const FEW: usize = 24;
/// Of more items than this a sample tells where to divide.
const MANY: usize = 512;

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
    /// The same along one.
    #[inline]
    fn along(&self, item: &Item, axis: usize) -> usize {
        let at = (item.middle_along(axis) - self.origin[axis]) * self.scale[axis];
        (at as u32 as usize).min(SLABS - 1)
    }
}

/// What the items of each slab fill.
#[derive(Clone, Copy)]
struct Fill {
    bounds: [Bounds; SLABS],
    counts: [u32; SLABS],
}

impl Fill {
    #[inline]
    fn empty() -> Self {
        Self {
            bounds: [Bounds::EMPTY; SLABS],
            counts: [0; SLABS],
        }
    }

    #[inline]
    fn add(&mut self, slab: usize, bounds: &Bounds) {
        self.bounds[slab].add(bounds);
        self.counts[slab] += 1;
    }

    /// Least `area(left)·count(left) + area(right)·count(right)` over the borders of `count` slabs, and how many slabs
    /// go left.
    #[inline]
    fn cheapest(&self, count: usize) -> Option<(f32, usize)> {
        // From the right: what each border leaves behind it.
        let mut right = [f32::INFINITY; SLABS];
        let (mut sum, mut many) = (Bounds::EMPTY, 0);
        for end in (1..count).rev() {
            sum.add(&self.bounds[end]);
            many += self.counts[end];
            if many > 0 {
                right[end] = sum.full_area() * many as f32;
            }
        }
        let mut best: Option<(f32, usize)> = None;
        let (mut sum, mut many) = (Bounds::EMPTY, 0);
        for (end, right) in right.iter().enumerate().take(count).skip(1) {
            sum.add(&self.bounds[end - 1]);
            many += self.counts[end - 1];
            if many == 0 {
                continue;
            }
            let cost = sum.full_area() * many as f32 + right;
            if cost < best.map_or(f32::INFINITY, |b| b.0) {
                best = Some((cost, end));
            }
        }
        best
    }
}

/// The border of slabs that divides best by the surface area heuristic (Wald, On Fast Construction of SAH-based Bounding
/// Volume Hierarchies, 2007): the slabs, the axis, and how many slabs go left. None when all centres are one point.
/// Few items are divided along their longest axis, of many only a sample is looked at.
fn cheapest_plane(items: &[Item], centres: &Bounds) -> Option<(Slabs, usize, usize)> {
    let count = if items.len() < FEW { SLABS / 2 } else { SLABS };
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
    if items.len() < FEW {
        let axis = centres.longest_axis();
        let mut fill = Fill::empty();
        for item in items {
            fill.add(slabs.along(item, axis), &item.bounds());
        }
        return fill.cheapest(count).map(|(_, end)| (slabs, axis, end));
    }
    let mut fills = [Fill::empty(); 3];
    for item in items.iter().step_by(items.len().div_ceil(MANY)) {
        let bounds = item.bounds();
        for (fill, slab) in fills.iter_mut().zip(slabs.of(item)) {
            fill.add(slab, &bounds);
        }
    }
    let mut best: Option<(f32, usize, usize)> = None;
    for (axis, fill) in fills.iter().enumerate().filter(|f| scale[f.0] > 0.0) {
        if let Some((cost, end)) = fill.cheapest(count)
            && best.is_none_or(|b| cost < b.0)
        {
            best = Some((cost, axis, end));
        }
    }
    best.map(|(_, axis, end)| (slabs, axis, end))
}
