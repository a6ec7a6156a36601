//! Top-down building: a bin's triangles are divided in place until the limits say stop.
//!
//! A node of the tree takes the bins that up to seven splits leave, the widest divided first (Wald, Benthin and Boulos,
//! Getting Rid of Packets, 2008). Boxes are f32, rounded outwards. Deterministic: no threads, no hashing, ties by
//! triangle index.
use super::divide::divide;
use super::face::Face;
use super::four::{self, Fours};
use super::merge;
use super::node::{Block, Corners, DEEPEST, LEAF, Lanes, NONE, Role, Tree, WIDTH};
use super::plan::{Part, Plan};
use super::{BuildParams, SplitRule};
use crate::geom::Aabb;
use glam::{DVec3, Mat4, Vec3A, Vec4};

/// A triangle on its way into a leaf: its box, and in the fourth lane of the lower corner the bits of its number. Half a
/// cache line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    low: Vec4,
    high: Vec4,
}

/// The bits of 1.0: turns small numbers into floats that processors calculate with quickly.
const ONE: u32 = 0x3f80_0000;

impl Item {
    /// Of no triangle.
    const NONE: Self = Self {
        low: Vec4::from_array([
            f32::INFINITY,
            f32::INFINITY,
            f32::INFINITY,
            f32::from_bits(NONE ^ ONE),
        ]),
        high: Vec4::NEG_INFINITY,
    };

    pub fn new(triangle: u32, bounds: &Bounds) -> Self {
        Self {
            low: bounds.min.extend(f32::from_bits(triangle ^ ONE)),
            high: bounds.max.extend(0.0),
        }
    }

    /// Around a triangle's corners, grown by a step, whichever way the rounding went.
    #[inline]
    pub fn around(triangle: u32, corners: &[DVec3; 3]) -> Self {
        Self::around_fours(four::Plain, triangle, corners)
    }

    #[inline(always)]
    pub fn around_fours<M: Fours>(m: M, triangle: u32, corners: &[M::V; 3]) -> Self {
        // Rounding keeps the order, so that the least and the greatest may be found after it.
        let [a, b, c] = corners.map(|p| m.round(p));
        Self::new(triangle, &Bounds::grown(a.min(b).min(c), a.max(b).max(c)))
    }

    pub fn triangle(&self) -> u32 {
        self.low.w.to_bits() ^ ONE
    }
    #[inline(always)]
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
    pub fn middle_along(&self, axis: usize) -> f32 {
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
        Self::grown(low.as_vec3a(), high.as_vec3a())
    }

    /// A box grown by a step, for corners that were rounded.
    #[inline(always)]
    fn grown(low: Vec3A, high: Vec3A) -> Self {
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
    pub fn size(&self) -> Vec3A {
        self.max - self.min
    }
    pub fn longest_axis(&self) -> usize {
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
    pub fn full_area(&self) -> f32 {
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
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub bounds: Bounds,
    pub centres: Bounds,
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

    pub fn with(mut self, other: &Self) -> Self {
        self.bounds.add(&other.bounds);
        self.centres.add(&other.centres);
        self
    }
}

/// The limits of [`BuildParams`], in range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub split: SplitRule,
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

    /// Levels that there may be below one.
    pub fn levels_below(&self, level: u32) -> usize {
        self.max_depth.saturating_sub(level) as usize
    }

    /// Whether a bin is not to be divided.
    pub fn is_leaf(&self, count: usize, bounds: &Bounds, level: u32) -> bool {
        let small = count <= self.faces_per_bin || bounds.volume() < self.min_volume;
        small || level >= self.max_depth
    }
}

/// A bin that may be divided again.
#[derive(Clone, Copy, Debug)]
struct Open {
    start: usize,
    end: usize,
    is_leaf: bool,
    bin: Bin,
}

/// What is known of a bin that is to be divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bin {
    pub group: Group,
    pub level: u32,
    /// In the plan; [`NONE`] below its end.
    pub part: u32,
}

/// A node of a tree whose bins are still to be found.
#[derive(Clone, Copy, Debug)]
struct Task {
    node: u32,
    start: usize,
    end: usize,
    bin: Bin,
}

/// The up to eight bins that splits leave of one.
pub(super) struct Spread<B> {
    bins: [B; WIDTH],
    /// As in a node's role.
    splits: [u8; WIDTH - 1],
    count: usize,
}

impl<B> Spread<B> {
    pub fn bins(&self) -> &[B] {
        &self.bins[..self.count]
    }
    /// Writes down how a node's bin was divided.
    pub fn note(&self, role: &mut Role) {
        role.splits = self.splits;
        role.split_count = self.count as u8 - 1;
    }
}

/// Divides a bin until there are eight, the one of the greatest size first; what has none is not divided.
#[inline(always)]
pub(super) fn spread<B: Copy>(
    whole: B,
    size: impl Fn(&B) -> Option<f32>,
    mut halves: impl FnMut(&B) -> [B; 2],
) -> Spread<B> {
    let mut spread = Spread {
        bins: [whole; WIDTH],
        splits: [0; WIDTH - 1],
        count: 1,
    };
    let size = |bin: &B| size(bin).unwrap_or(f32::NEG_INFINITY);
    let mut sizes = [f32::NEG_INFINITY; WIDTH];
    sizes[0] = size(&whole);
    while spread.count < WIDTH {
        let (mut widest, mut most) = (WIDTH, f32::NEG_INFINITY);
        for (i, &size) in sizes.iter().enumerate() {
            if size > most {
                (widest, most) = (i, size);
            }
        }
        if widest == WIDTH {
            break;
        }
        let [left, right] = halves(&spread.bins[widest]);
        (sizes[widest], sizes[spread.count]) = (size(&left), size(&right));
        spread.bins[widest] = left;
        spread.bins[spread.count] = right;
        spread.splits[spread.count - 1] = widest as u8;
        spread.count += 1;
    }
    spread
}

/// What is under way; kept between the slices of a build.
#[derive(Clone, Debug)]
pub(super) struct Growth {
    pub limits: Limits,
    pub plan: Plan,
    todo: Vec<Task>,
    pub scratch: Vec<Item>,
}

impl Default for Growth {
    fn default() -> Self {
        Self::new(&BuildParams::default())
    }
}

impl Growth {
    pub fn new(params: &BuildParams) -> Self {
        Self {
            limits: Limits::new(params),
            plan: Plan::default(),
            todo: Vec::new(),
            scratch: Vec::new(),
        }
    }
}

/// Grows parts of a tree over faces.
pub(super) struct Builder<'a> {
    pub tree: &'a mut Tree,
    pub faces: &'a [Face],
    pub growth: &'a mut Growth,
}

impl<'a> Builder<'a> {
    pub fn new(tree: &'a mut Tree, faces: &'a [Face], growth: &'a mut Growth) -> Self {
        if tree.places.len() < faces.len() {
            tree.places.resize(faces.len(), NONE);
        }
        Self {
            tree,
            faces,
            growth,
        }
    }

    /// Begins with an empty root over `items`, which are not none; [`Self::grow`] goes on. The box of all.
    pub fn fill_root(&mut self, items: &mut [Item]) -> Bounds {
        let bin = self.begin(items);
        let (start, end) = (0, items.len());
        self.growth.todo.push(Task {
            node: 0,
            start,
            end,
            bin,
        });
        bin.group.bounds
    }

    /// Goes on for about so much work; whether all is done. `items` are those that it began with.
    pub fn grow(&mut self, items: &mut [Item], work: u64) -> bool {
        let end = self.tree.work.saturating_add(work);
        while self.tree.work < end
            && let Some(task) = self.growth.todo.pop()
        {
            self.fill_node(items, &task);
        }
        self.growth.todo.is_empty()
    }

    /// The bin of items that nothing is known of yet; puts them in the order that the rule wants.
    fn begin(&mut self, items: &mut [Item]) -> Bin {
        let (group, level) = (Group::of(items), 0);
        let limits = &self.growth.limits;
        let is_leaf = limits.is_leaf(items.len(), &group.bounds, level);
        let (part, work) = match self.growth.limits.split {
            _ if is_leaf => (NONE, 0),
            SplitRule::BottomUp => merge::order(items, &group, &mut self.growth.plan),
            SplitRule::Sah => self.growth.plan.by_area(items, &group),
            SplitRule::Midpoint | SplitRule::Median | SplitRule::Mean => (NONE, 0),
        };
        self.tree.work += work;
        Bin { group, level, part }
    }

    /// A leaf over `items`, or a node to be filled, which notes where they start.
    fn bin(&mut self, items: &[Item], start: usize, bin: &Bin, parent: u32) -> u32 {
        let limits = &self.growth.limits;
        if limits.is_leaf(items.len(), &bin.group.bounds, bin.level) {
            return self.leaf(items, parent, bin.level);
        }
        let node = self.tree.new_node(parent, bin.level);
        self.growth.todo.push(Task {
            node,
            start,
            end: start + items.len(),
            bin: *bin,
        });
        node
    }

    /// The bins of an empty node.
    fn fill_node(&mut self, items: &mut [Item], task: &Task) {
        let (node, whole) = (task.node, &task.bin);
        let items = &mut items[task.start..task.end];
        let limits = self.growth.limits;
        let open = |start: usize, end: usize, bin: Bin| Open {
            start,
            end,
            is_leaf: limits.is_leaf(end - start, &bin.group.bounds, bin.level),
            bin,
        };
        let size = |open: &Open| (!open.is_leaf).then(|| open.bin.group.bounds.area());
        let spread = spread(open(0, items.len(), *whole), size, |bin| {
            let &Open {
                start, end, bin, ..
            } = bin;
            let [left, right] = self.halves(&mut items[start..end], &bin);
            let middle = start + left.0;
            [open(start, middle, left.1), open(middle, end, right.1)]
        });
        spread.note(&mut self.tree.roles[node as usize]);
        let bins = spread.bins();
        for (lane, open) in bins.iter().enumerate() {
            let parent = node * WIDTH as u32 + lane as u32;
            let part = &items[open.start..open.end];
            // Only the root may hold a single bin; it must be a leaf, as it could not be divided.
            let child = if bins.len() == 1 {
                self.leaf(part, parent, open.bin.level)
            } else {
                self.bin(part, task.start + open.start, &open.bin, parent)
            };
            let count = part.len() as u32;
            self.tree
                .set_lane(node, lane, &open.bin.group.bounds, child, count);
        }
    }

    /// Divides a bin: how many items each half has, which lie in this order, and what is known of them.
    fn halves(&mut self, items: &mut [Item], bin: &Bin) -> [(usize, Bin); 2] {
        let level = bin.level + 1;
        let kids = self
            .growth
            .plan
            .parts
            .get(bin.part as usize)
            .map(|part| part.kids);
        if let Some(kids) = kids.filter(|kids| kids[0] != NONE) {
            let halves = kids.map(|part| {
                let Part { group, count, .. } = self.growth.plan.parts[part as usize];
                (count as usize, Bin { group, level, part })
            });
            // A plan knows of no limit: what the levels left could not hold is halved.
            let larger = halves[0].0.max(halves[1].0) as u64;
            let left = self.growth.limits.max_depth.saturating_sub(level);
            if larger <= (self.growth.limits.faces_per_bin as u64) << left {
                return halves;
            }
        }
        self.tree.work += items.len() as u64;
        let middle = divide(
            self.growth.limits.split,
            items,
            &mut self.growth.scratch,
            &bin.group,
        );
        let (left, right) = items.split_at(middle);
        [left, right].map(|half| {
            let group = Group::of(half);
            let part = NONE;
            (half.len(), Bin { group, level, part })
        })
    }

    fn leaf(&mut self, items: &[Item], parent: u32, level: u32) -> u32 {
        self.tree.leaves_at[level as usize] += 1;
        self.tree.work += items.len() as u64;
        let mut next = NONE;
        for part in items.rchunks(WIDTH) {
            next = self.fill_block(part.iter(), parent, next).0;
        }
        next | LEAF
    }

    /// Puts up to eight faces into a new block; where it is, and the box of all.
    #[inline(always)]
    pub fn fill_block<'i>(
        &mut self,
        items: impl Iterator<Item = &'i Item>,
        parent: u32,
        next: u32,
    ) -> (u32, Bounds) {
        let at = self.tree.next_block();
        let mut lanes = [Item::NONE; WIDTH];
        let mut planes = [Vec4::ZERO; WIDTH];
        // Nothing passes through what is no number.
        let mut corners = [[Vec4::NAN; WIDTH]; 3];
        let mut bounds = Bounds::EMPTY;
        let mut count = 0;
        for item in items.take(WIDTH) {
            let lane = count as usize;
            let triangle = item.triangle() as usize;
            if let (Some(face), Some(place)) =
                (self.faces.get(triangle), self.tree.places.get_mut(triangle))
            {
                *place = at * WIDTH as u32 + count;
                (lanes[lane], planes[lane]) = (*item, face.plane());
                for (own, corner) in corners.iter_mut().zip(&face.corners) {
                    own[lane] = corner.as_vec3().extend(0.0);
                }
                bounds.add(&item.bounds());
                count += 1;
            }
        }
        let mut block = Block {
            face: lanes.each_ref().map(Item::triangle),
            count,
            next,
            parent,
            ..Block::EMPTY
        };
        let mut rounded = Corners::EMPTY;
        let [low, high] = &mut block.boxes.walls;
        let [min_x, min_y, min_z] = low;
        let [max_x, max_y, max_z] = high;
        let [x, y, z] = &mut block.normal;
        for half in [0, WIDTH / 2] {
            let four = |k: fn(&Item) -> Vec4| std::array::from_fn(|i| k(&lanes[half + i]));
            turn(four(|lane| lane.low), [min_x, min_y, min_z], half);
            turn(four(|lane| lane.high), [max_x, max_y, max_z], half);
            let planes = std::array::from_fn(|i| planes[half + i]);
            let last = turn(planes, [x, y, z], half);
            last.write_to_slice(&mut block.offset[half..]);
            for ([x, y, z], own) in rounded.lanes.iter_mut().zip(&corners) {
                let own = std::array::from_fn(|i| own[half + i]);
                turn(own, [x, y, z], half);
            }
        }
        (self.tree.add_block(&block, &rounded), bounds)
    }
}

/// Writes the first parts of four vectors to one list each, from a place on; the fourth ones are left.
#[inline(always)]
fn turn([a, b, c, d]: [Vec4; 4], [x, y, z]: [&mut Lanes; 3], at: usize) -> Vec4 {
    let parts = Mat4::from_cols(a, b, c, d).transpose();
    parts.x_axis.write_to_slice(&mut x[at..]);
    parts.y_axis.write_to_slice(&mut y[at..]);
    parts.z_axis.write_to_slice(&mut z[at..]);
    parts.w_axis
}
