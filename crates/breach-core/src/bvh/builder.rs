//! The state of a build.
use super::clustering::Plan;
use super::index::{DEEPEST, NONE};
use super::params::{BuildParams, SplitRule};
use super::prim_ref::{Group, Item};
use super::surface::Surface;
use super::tree::Tree;

/// The limits of [`BuildParams`], in range.
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

    /// Whether a bin is not to be divided.
    #[inline(always)]
    pub fn is_leaf(&self, items: usize, group: &Group, level: u32) -> bool {
        // A block is as small as can be.
        items == 1
            || group.faces as usize <= self.faces_per_bin
            || level >= self.max_depth
            || self.min_volume > 0.0 && group.bounds.volume() < self.min_volume
    }
}

/// A bin that may be divided again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub start: usize,
    pub end: usize,
    pub is_leaf: bool,
    pub bin: Bin,
}

impl Open {
    /// A bin of items from `start` to `end`.
    #[inline(always)]
    pub fn new(limits: &Limits, [start, end]: [usize; 2], bin: Bin) -> Self {
        Self {
            start,
            end,
            is_leaf: limits.is_leaf(end - start, &bin.group, bin.level),
            bin,
        }
    }

    /// How soon it is to be divided, if at all.
    #[inline(always)]
    pub fn size(&self) -> f32 {
        if self.is_leaf {
            f32::NEG_INFINITY
        } else {
            self.bin.group.bounds.area()
        }
    }
}

/// What is known of a bin that is to be divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bin {
    pub group: Group,
    pub level: u32,
    /// In the plan; [`NONE`] below its end.
    pub part: u32,
    /// Which of the two lists has the items.
    pub side: usize,
}

/// A node of a tree whose bins are still to be found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub node: u32,
    pub start: usize,
    pub end: usize,
    pub bin: Bin,
}

/// What items stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Faces,
    /// Blocks that stay whole.
    Blocks,
}

/// What is under way; kept between the slices of a build.
#[derive(Clone, Debug)]
pub(super) struct Growth {
    pub limits: Limits,
    pub over: Over,
    pub plan: Plan,
    pub todo: Vec<Task>,
    /// The other list: bins are divided from one into the other and back, each in its own place.
    pub other: Vec<Item>,
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
            over: Over::Faces,
            plan: Plan::default(),
            todo: Vec::new(),
            other: Vec::new(),
        }
    }
}

/// Grows parts of a tree over faces.
pub(super) struct Builder<'a> {
    pub tree: &'a mut Tree,
    pub surface: &'a Surface,
    pub growth: &'a mut Growth,
}

impl<'a> Builder<'a> {
    pub fn new(tree: &'a mut Tree, surface: &'a Surface, growth: &'a mut Growth) -> Self {
        if tree.places.len() < surface.faces.len() {
            tree.places.resize(surface.faces.len(), NONE);
        }
        Self {
            tree,
            surface,
            growth,
        }
    }
}
