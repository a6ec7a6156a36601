//! The state of a build, kept between the slices of a rebuild.
use super::clustering::MergePlan;
use super::index::{DEEPEST, NONE};
use super::params::{BuildParams, SplitRule};
use super::prim_ref::{PrimInfo, PrimRef};
use super::surface::Surface;
use super::tree::Tree;

/// [`BuildParams`], clamped to their ranges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub split: SplitRule,
    pub max_depth: u32,
    pub faces_per_bin: usize,
    pub min_volume: f64,
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

    /// Whether a bin becomes a leaf.
    #[inline(always)]
    pub fn is_leaf(&self, prims: usize, group: &PrimInfo, level: u32) -> bool {
        // A single block is never divided.
        prims == 1
            || group.faces as usize <= self.faces_per_bin
            || level >= self.max_depth
            || self.min_volume > 0.0 && group.bounds.volume() < self.min_volume
    }
}

/// A bin with its range of primitives.
#[derive(Clone, Copy, Debug)]
pub(super) struct BinRange {
    pub start: usize,
    pub end: usize,
    pub is_leaf: bool,
    pub bin: BinInfo,
}

impl BinRange {
    /// A bin of the primitives from `start` to `end`.
    #[inline(always)]
    pub fn new(limits: &Limits, [start, end]: [usize; 2], bin: BinInfo) -> Self {
        Self {
            start,
            end,
            is_leaf: limits.is_leaf(end - start, &bin.group, bin.level),
            bin,
        }
    }

    /// Priority for the next split: its surface area; never for a leaf.
    #[inline(always)]
    pub fn size(&self) -> f32 {
        if self.is_leaf {
            f32::NEG_INFINITY
        } else {
            self.bin.group.bounds.area()
        }
    }
}

/// Properties of a bin.
#[derive(Clone, Copy, Debug)]
pub(super) struct BinInfo {
    pub group: PrimInfo,
    pub level: u32,
    /// Index into the merge plan; [`NONE`] below its end.
    pub part: u32,
    /// Which of the two lists holds the primitives.
    pub side: usize,
}

/// A node whose lanes are still empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingNode {
    pub node: u32,
    pub start: usize,
    pub end: usize,
    pub bin: BinInfo,
}

/// The kind of the primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PrimKind {
    Faces,
    /// Blocks, which are never split.
    Blocks,
}

/// The state of a build in progress.
#[derive(Clone, Debug)]
pub(super) struct Growth {
    pub limits: Limits,
    pub prim_kind: PrimKind,
    pub plan: MergePlan,
    pub todo: Vec<PendingNode>,
    /// Second list: a split partitions a bin from one list into the other, in the same range.
    pub other: Vec<PrimRef>,
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
            prim_kind: PrimKind::Faces,
            plan: MergePlan::default(),
            todo: Vec::new(),
            other: Vec::new(),
        }
    }
}

/// Builds subtrees.
pub(super) struct Builder<'a> {
    pub tree: &'a mut Tree,
    pub surface: &'a Surface,
    pub growth: &'a mut Growth,
}

impl<'a> Builder<'a> {
    pub fn new(tree: &'a mut Tree, surface: &'a Surface, growth: &'a mut Growth) -> Self {
        if tree.face_lanes.len() < surface.faces.len() {
            tree.face_lanes.resize(surface.faces.len(), NONE);
        }
        Self {
            tree,
            surface,
            growth,
        }
    }
}
