//! Top-down building: bins are divided until a limit is reached.
//!
//! A node collects the bins of up to seven splits, largest surface first (Wald, Benthin and Boulos, Getting Rid of
//! Packets, 2008). Deterministic: no threads, no hashing, ties go to the lower triangle index.
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

/// Builds a whole tree into an empty one. Returns its bounds.
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
    let (mut prims, bounds) = builder.fill_root(centres);
    builder.grow(&mut prims, u64::MAX);
    tree.built_cost = tree.cost;
    bounds
}

/// Builds over fewer faces than this work on single faces.
const FEW: usize = 64;

impl Builder<'_> {
    /// Starts a tree over all faces, at least one, with these centroids; [`Self::grow`] continues. Returns the
    /// primitives for it and the bounds.
    ///
    /// Top-down building reads every primitive once per level. With the surface area heuristic the primitives are
    /// blocks of neighbours along a space-filling curve, a sixth as many as the faces (treelets as in Garanzha,
    /// Pantaleoni and McAllister, Simpler and Faster HLBVH with Work Queues, 2011). The other rules divide single
    /// faces.
    pub fn fill_root(&mut self, centres: &[Centroid]) -> (Vec<PrimRef>, Bounds) {
        let mut prims = Vec::new();
        if self.growth.limits.split == SplitRule::Sah && centres.len() >= FEW {
            self.growth.prim_kind = PrimKind::Blocks;
            self.fill_blocks(centres, &mut prims);
            self.tree.work += centres.len() as u64;
        } else {
            prims.reserve(centres.len());
            let live = self.surface.live();
            prims.extend(live.map(|(face, corners)| PrimRef::around(face.triangle, &corners)));
        }
        let bin = self.begin(&mut prims, 0);
        let (start, end) = (0, prims.len());
        self.growth.todo.push(PendingNode {
            node: 0,
            start,
            end,
            bin,
        });
        (prims, bin.group.bounds)
    }

    /// Fills an empty lane with a leaf or subtree over `prims`, at least one.
    pub fn fill_lane(&mut self, node: u32, lane: usize, level: u32, prims: &mut [PrimRef]) {
        let bin = self.begin(prims, level);
        let range = BinRange::new(&self.growth.limits, [0, prims.len()], bin);
        let child = self.child(node * WIDTH as u32 + lane as u32, prims, &range);
        let PrimInfo { bounds, faces, .. } = &bin.group;
        self.tree.set_lane(node, lane, bounds, child, *faces);
        self.grow(prims, u64::MAX);
    }

    /// Continues for about `work` primitives visited. Returns whether the build is finished. `prims` are those returned
    /// at the start.
    pub fn grow(&mut self, prims: &mut [PrimRef], work: u64) -> bool {
        let end = self.tree.work.saturating_add(work);
        let mut other = std::mem::take(&mut self.growth.other);
        if other.len() < prims.len() {
            other.resize(prims.len(), PrimRef::NONE);
        }
        let is_done = f64x4::dispatch(Grow {
            builder: self,
            lists: [prims, &mut other],
            end,
        });
        self.growth.other = other;
        is_done
    }

    /// The bin of a set of primitives; sorts them if the split rule needs it.
    fn begin(&mut self, prims: &mut [PrimRef], level: u32) -> BinInfo {
        let group = PrimInfo::new(prims);
        let Growth { limits, plan, .. } = &mut *self.growth;
        let mut part = NONE;
        if limits.split == SplitRule::BottomUp && !limits.is_leaf(prims.len(), &group, level) {
            let work;
            (part, work) = clustering::plan_merges(prims, plan);
            self.tree.work += work;
        }
        BinInfo {
            group,
            level,
            part,
            side: 0,
        }
    }

    /// The child for a bin: a leaf over `prims`, or a pending node.
    fn child(&mut self, parent: u32, prims: &[PrimRef], range: &BinRange) -> u32 {
        let &BinRange {
            start,
            end,
            is_leaf,
            bin,
        } = range;
        if is_leaf {
            return self.leaf(prims, parent, bin.level);
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

    /// Finds the bins of a pending node and writes its lanes.
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
        let mut info = self.tree.node_infos[node as usize];
        let bins = self.spread(simd, lists, whole, &mut info);
        self.tree.node_infos[node as usize] = info;
        let mut lanes = [PrimRef::NONE; WIDTH];
        // Only the root can hold a single bin, a leaf.
        for ((at, lane), range) in (node * WIDTH as u32..).zip(&mut lanes).zip(&bins) {
            let prims = &lists[range.bin.side][range.start..range.end];
            let child = self.child(at, prims, range);
            let PrimInfo { bounds, faces, .. } = &range.bin.group;
            *lane = PrimRef::new(child, bounds, *faces);
        }
        self.tree.set_lanes(node, &lanes);
    }

    /// Whether the primitives are blocks that end up as the lanes of one node, whichever way the bin is split.
    #[inline(always)]
    fn are_lanes(&self, prims: &[PrimRef], bin: &BinInfo) -> bool {
        let limits = &self.growth.limits;
        // Any two blocks larger than this exceed a leaf.
        let many = limits.faces_per_bin as u32 / 2;
        (2..=WIDTH).contains(&prims.len())
            && self.growth.prim_kind == PrimKind::Blocks
            && limits.split == SplitRule::Sah
            && bin.level + 3 <= limits.max_depth
            && limits.min_volume <= 0.0
            && prims.iter().all(|prim| prim.faces() > many)
    }

    /// Splits a bin into up to eight, always the one with the largest surface next, and records the splits in the
    /// node's info.
    #[inline(always)]
    fn spread<S: F64x4>(
        &mut self,
        simd: S,
        lists: &mut [&mut [PrimRef]; 2],
        whole: BinRange,
        info: &mut NodeInfo,
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
            info.splits[bins.len() - 1] = widest as u8;
            bins[widest] = left;
            bins.push(right);
        }
        info.split_count = bins.len() as u8 - 1;
        bins
    }

    /// Splits a bin, given its range in both lists. Returns the size of the first half and both halves, which end up
    /// adjacent in one of the lists.
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
                let MergedBin { group, prims, .. } = self.growth.plan.parts[part as usize];
                let bin = BinInfo {
                    group,
                    level,
                    part,
                    side,
                };
                (prims as usize, bin)
            });
            // A plan ignores the depth limit; where the levels left would not suffice, split by rule.
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
        let prims = if has_moved { to } else { from };
        let (left, right) = prims.split_at(count);
        let halves = [left, right].map(|half| BinInfo {
            group: PrimInfo::new(half),
            level,
            part: NONE,
            side: side ^ usize::from(has_moved),
        });
        (count, halves)
    }

    fn leaf(&mut self, prims: &[PrimRef], parent: u32, level: u32) -> u32 {
        self.tree.leaves_at[level as usize] += 1;
        self.tree.work += prims.len() as u64;
        let first = match self.growth.prim_kind {
            PrimKind::Faces => f64x4::dispatch(FillLeaf {
                builder: self,
                prims,
                parent,
            }),
            PrimKind::Blocks => prims.iter().fold(NONE, |first, prim| {
                self.tree.link_block(prim.id(), parent, first)
            }),
        };
        first | LEAF
    }
}

/// Fills pending nodes until a work count is reached. Returns whether none is left.
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

/// Writes the faces of a leaf into blocks. Returns the first block.
struct FillLeaf<'a, 'b> {
    builder: &'a mut Builder<'b>,
    prims: &'a [PrimRef],
    parent: u32,
}

impl f64x4::F64x4Kernel for FillLeaf<'_, '_> {
    type Output = u32;
    #[inline(always)]
    fn run<S: F64x4>(self, simd: S) -> u32 {
        self.prims.rchunks(WIDTH).fold(NONE, |next, part| {
            let triangles = part.iter().map(|prim| prim.id() as usize);
            let block = self.builder.fill_block(simd, triangles, self.parent, next);
            block.0
        })
    }
}
