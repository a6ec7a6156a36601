//! Top-down building: a bin's triangles are divided until the limits say stop.
//!
//! A node of the tree takes the bins that up to seven splits leave, the widest divided first (Wald, Benthin and Boulos,
//! Getting Rid of Packets, 2008). Deterministic: no threads, no hashing, ties by triangle index.
use super::bounds::Bounds;
use super::builder::{BinInfo, BinRange, Builder, Growth, PendingNode, PrimKind};
use super::clustering::{self, MergedBin};
use super::f64x4::{self, F64x4};
use super::index::{LEAF, NONE, WIDTH};
use super::morton::Centroid;
use super::node::NodeInfo;
use super::params::{BuildParams, SplitRule};
use super::prim_ref::{PrimInfo, PrimRef};
use super::split::{sort_along, split_prims};
use super::surface::Surface;
use super::tree::Tree;
use smallvec::{SmallVec, smallvec};

/// A tree that is built whole, and the box of everything in it.
pub(super) fn build_tree(
    tree: &mut Tree,
    surface: &Surface,
    centres: &[Centroid],
    params: &BuildParams,
) -> Bounds {
    if centres.is_empty() {
        return Bounds::EMPTY;
    }
    let mut growth = Growth::new(params);
    let mut builder = Builder::new(tree, surface, &mut growth);
    let (mut items, bounds) = builder.fill_root(centres);
    builder.grow(&mut items, u64::MAX);
    tree.built_cost = tree.cost;
    bounds
}

/// Fewer faces than this are divided one by one.
const FEW: usize = 64;

impl Builder<'_> {
    /// Begins with an empty root over all faces, which are not none and lie at `centres`; [`Self::grow`] goes on. Gives
    /// the items that it goes on with, and the box of all.
    ///
    /// Dividing from the top down reads every item once a level. By the surface area heuristic blocks of neighbours along
    /// a space-filling curve stand for their faces, a sixth as many. (Treelets as in Garanzha, Pantaleoni and McAllister,
    /// Simpler and Faster HLBVH with Work Queues, 2011.) The older rules divide face by face.
    pub fn fill_root(&mut self, centres: &[Centroid]) -> (Vec<PrimRef>, Bounds) {
        let mut items = Vec::new();
        if self.growth.limits.split == SplitRule::Sah && centres.len() >= FEW {
            self.growth.prim_kind = PrimKind::Blocks;
            self.fill_blocks(centres, &mut items);
            self.tree.work += centres.len() as u64;
        } else {
            items.reserve(centres.len());
            let live = self.surface.live();
            items.extend(live.map(|(face, corners)| PrimRef::around(face.triangle, &corners)));
        }
        let bin = self.begin(&mut items, 0);
        let (start, end) = (0, items.len());
        self.growth.todo.push(PendingNode {
            node: 0,
            start,
            end,
            bin,
        });
        (items, bin.group.bounds)
    }

    /// Makes what belongs below an empty lane: a leaf or a subtree over `items`, which are not none.
    pub fn fill_lane(&mut self, node: u32, lane: usize, level: u32, items: &mut [PrimRef]) {
        let bin = self.begin(items, level);
        let range = BinRange::new(&self.growth.limits, [0, items.len()], bin);
        let child = self.child(node * WIDTH as u32 + lane as u32, items, &range);
        let PrimInfo { bounds, faces, .. } = &bin.group;
        self.tree.set_lane(node, lane, bounds, child, *faces);
        self.grow(items, u64::MAX);
    }

    /// Goes on for about so much work; whether all is done. `items` are those that it began with.
    pub fn grow(&mut self, items: &mut [PrimRef], work: u64) -> bool {
        let end = self.tree.work.saturating_add(work);
        let mut other = std::mem::take(&mut self.growth.other);
        if other.len() < items.len() {
            other.resize(items.len(), PrimRef::NONE);
        }
        let is_done = f64x4::dispatch(Grow {
            builder: self,
            lists: [items, &mut other],
            end,
        });
        self.growth.other = other;
        is_done
    }

    /// The bin of items that nothing is known of yet; puts them in the order that the rule wants.
    fn begin(&mut self, items: &mut [PrimRef], level: u32) -> BinInfo {
        let group = PrimInfo::new(items);
        let Growth { limits, plan, .. } = &mut *self.growth;
        let mut part = NONE;
        if limits.split == SplitRule::BottomUp && !limits.is_leaf(items.len(), &group, level) {
            let work;
            (part, work) = clustering::plan_merges(items, plan);
            self.tree.work += work;
        }
        BinInfo {
            group,
            level,
            part,
            side: 0,
        }
    }

    /// What a lane above holds for a bin: a leaf over `items`, or a node to be filled, which notes where they start.
    fn child(&mut self, parent: u32, items: &[PrimRef], range: &BinRange) -> u32 {
        let &BinRange {
            start,
            end,
            is_leaf,
            bin,
        } = range;
        if is_leaf {
            return self.leaf(items, parent, bin.level);
        }
        let node = self.tree.new_node(parent, bin.level);
        self.growth.todo.push(PendingNode {
            node,
            start,
            end,
            bin,
        });
        node
    }

    /// The bins of an empty node.
    #[inline(always)]
    fn fill_node<S: F64x4>(
        &mut self,
        simd: S,
        lists: &mut [&mut [PrimRef]; 2],
        task: &PendingNode,
    ) {
        let node = task.node;
        let own = &mut lists[task.bin.side][task.start..task.end];
        if self.are_lanes(own, &task.bin) {
            if own.len() > 2 {
                sort_along::<S, 1>(simd, own, task.bin.group.centres.longest_axis());
            }
            self.fill_with_blocks(node, task.bin.level, own);
            return;
        }
        let whole = BinRange::new(&self.growth.limits, [task.start, task.end], task.bin);
        let mut role = self.tree.node_infos[node as usize];
        let bins = self.spread(simd, lists, whole, &mut role);
        self.tree.node_infos[node as usize] = role;
        let mut lanes = [PrimRef::NONE; WIDTH];
        // Only the root may hold a single bin: a leaf.
        for ((at, lane), range) in (node * WIDTH as u32..).zip(&mut lanes).zip(&bins) {
            let items = &lists[range.bin.side][range.start..range.end];
            let child = self.child(at, items, range);
            let PrimInfo { bounds, faces, .. } = &range.bin.group;
            *lane = PrimRef::new(child, bounds, *faces);
        }
        self.tree.set_lanes(node, &lanes);
    }

    /// Whether items are blocks that are the lanes of one node and nothing else, however their bin is divided.
    #[inline(always)]
    fn are_lanes(&self, items: &[PrimRef], bin: &BinInfo) -> bool {
        let limits = &self.growth.limits;
        // No two of these are few enough to be a leaf.
        let many = limits.faces_per_bin as u32 / 2;
        (2..=WIDTH).contains(&items.len())
            && self.growth.prim_kind == PrimKind::Blocks
            && limits.split == SplitRule::Sah
            && bin.level + 3 <= limits.max_depth
            && limits.min_volume <= 0.0
            && items.iter().all(|item| item.faces() > many)
    }

    /// Divides a bin until there are eight, the one of the greatest surface first. The up to eight bins that this leaves,
    /// noted in the role of their node.
    #[inline(always)]
    fn spread<S: F64x4>(
        &mut self,
        simd: S,
        lists: &mut [&mut [PrimRef]; 2],
        whole: BinRange,
        role: &mut NodeInfo,
    ) -> SmallVec<[BinRange; WIDTH]> {
        let limits = self.growth.limits;
        let mut bins: SmallVec<[BinRange; WIDTH]> = smallvec![whole];
        let mut sizes = [f32::NEG_INFINITY; WIDTH];
        sizes[0] = whole.size();
        while bins.len() < WIDTH {
            let (mut widest, mut most) = (WIDTH, f32::NEG_INFINITY);
            for (i, &size) in sizes.iter().enumerate() {
                if size > most {
                    (widest, most) = (i, size);
                }
            }
            if widest == WIDTH {
                break;
            }
            let BinRange {
                start, end, bin, ..
            } = bins[widest];
            let [one, other] = lists;
            let own = [&mut one[start..end], &mut other[start..end]];
            let (count, [left, right]) = self.halves(simd, own, &bin);
            let centre2 = start + count;
            let left = BinRange::new(&limits, [start, centre2], left);
            let right = BinRange::new(&limits, [centre2, end], right);
            (sizes[widest], sizes[bins.len()]) = (left.size(), right.size());
            role.splits[bins.len() - 1] = widest as u8;
            bins[widest] = left;
            bins.push(right);
        }
        role.split_count = bins.len() as u8 - 1;
        bins
    }

    /// Divides a bin, whose items are in one of two lists: how many of them the first half has, which come first then, in
    /// the same list or the other; and what is known of the halves.
    #[inline(always)]
    fn halves<S: F64x4>(
        &mut self,
        simd: S,
        [one, other]: [&mut [PrimRef]; 2],
        bin: &BinInfo,
    ) -> (usize, [BinInfo; 2]) {
        let (level, side) = (bin.level + 1, bin.side);
        let children = self
            .growth
            .plan
            .parts
            .get(bin.part as usize)
            .map(|part| part.children);
        if let Some(children) = children.filter(|children| children[0] != NONE) {
            let halves = children.map(|part| {
                let MergedBin { group, items, .. } = self.growth.plan.parts[part as usize];
                let bin = BinInfo {
                    group,
                    level,
                    part,
                    side,
                };
                (items as usize, bin)
            });
            // A plan knows of no limit: what the levels left could not hold is halved.
            let larger = halves[0].0.max(halves[1].0) as u64;
            let left = self.growth.limits.max_depth.saturating_sub(level);
            if larger <= (self.growth.limits.faces_per_bin as u64) << left {
                return (halves[0].0, halves.map(|half| half.1));
            }
        }
        self.tree.work += one.len() as u64;
        let (from, to) = if side == 0 {
            (one, other)
        } else {
            (other, one)
        };
        let (count, has_moved) = split_prims(simd, self.growth.limits.split, from, to, &bin.group);
        let items = if has_moved { to } else { from };
        let (left, right) = items.split_at(count);
        let halves = [left, right].map(|half| BinInfo {
            group: PrimInfo::new(half),
            level,
            part: NONE,
            side: side ^ usize::from(has_moved),
        });
        (count, halves)
    }

    fn leaf(&mut self, items: &[PrimRef], parent: u32, level: u32) -> u32 {
        self.tree.leaves_at[level as usize] += 1;
        self.tree.work += items.len() as u64;
        let first = match self.growth.prim_kind {
            PrimKind::Faces => f64x4::dispatch(FillLeaf {
                builder: self,
                items,
                parent,
            }),
            PrimKind::Blocks => items.iter().fold(NONE, |first, item| {
                self.tree.link_block(item.id(), parent, first)
            }),
        };
        first | LEAF
    }
}

/// Fills nodes until so much work is done; whether none is left.
struct Grow<'a, 'b> {
    builder: &'a mut Builder<'b>,
    lists: [&'a mut [PrimRef]; 2],
    end: u64,
}

impl f64x4::F64x4Kernel for Grow<'_, '_> {
    type Output = bool;
    #[inline(always)]
    fn run<S: F64x4>(self, simd: S) -> bool {
        let Self {
            builder,
            mut lists,
            end,
        } = self;
        while builder.tree.work < end
            && let Some(task) = builder.growth.todo.pop()
        {
            builder.fill_node(simd, &mut lists, &task);
        }
        builder.growth.todo.is_empty()
    }
}

/// Puts the faces of a leaf into blocks; the first of these.
struct FillLeaf<'a, 'b> {
    builder: &'a mut Builder<'b>,
    items: &'a [PrimRef],
    parent: u32,
}

impl f64x4::F64x4Kernel for FillLeaf<'_, '_> {
    type Output = u32;
    #[inline(always)]
    fn run<S: F64x4>(self, simd: S) -> u32 {
        self.items.rchunks(WIDTH).fold(NONE, |next, part| {
            let triangles = part.iter().map(|item| item.id() as usize);
            let block = self.builder.fill_block(simd, triangles, self.parent, next);
            block.0
        })
    }
}
