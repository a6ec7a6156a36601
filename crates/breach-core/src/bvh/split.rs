//! The split rules: where is a bin divided?
use super::bounds::Bounds;
use super::f64x4::F64x4;
use super::params::SplitRule;
use super::prim_ref::{PrimInfo, PrimRef};
use glam::Vec3A;

/// Splits primitives into two halves, neither empty, adjacent in the same list or in the list `to`. Returns the size of
/// the first half, and whether they moved to `to`.
#[inline(always)]
pub(super) fn split_prims<S: F64x4>(
    simd: S,
    split: SplitRule,
    prims: &mut [PrimRef],
    to: &mut [PrimRef],
    group: &PrimInfo,
) -> (usize, bool) {
    let axis = group.centres.longest_axis();
    let (count, has_moved) = match split {
        SplitRule::Midpoint => {
            let axis = group.bounds.longest_axis();
            let centre2 = (group.bounds.min + group.bounds.max)[axis];
            let is_left = |prim: &PrimRef| prim.centre2_along(axis) < centre2;
            (partition(prims, to, is_left), true)
        }
        SplitRule::Mean => {
            let sum: f64 = prims
                .iter()
                .map(|prim| f64::from(prim.centre2_along(axis)))
                .sum();
            let mean = (sum / prims.len() as f64) as f32;
            let is_left = |prim: &PrimRef| prim.centre2_along(axis) < mean;
            (partition(prims, to, is_left), true)
        }
        SplitRule::Sah if prims.len() <= MAX_SORTED => {
            (best_sorted_split(simd, prims, axis), false)
        }
        SplitRule::Sah => match best_bucket_split(prims, &group.centres) {
            Some((buckets, axis, end)) => {
                // No item is below this along the other axes.
                let mut border = [f32::NEG_INFINITY; 3];
                border[axis] = WHOLE + end as f32;
                let border = Vec3A::from(border);
                let is_left = |prim: &PrimRef| buckets.scaled(prim).cmplt(border).any();
                (partition(prims, to, is_left), true)
            }
            None => (0, false),
        },
        SplitRule::Median | SplitRule::BottomUp => (0, false),
    };
    if 0 < count && count < prims.len() {
        (count, has_moved)
    } else {
        // All on one side, or the rule is a median split.
        (split_by_count(prims, axis), false)
    }
}

/// Splits at the median, which always makes progress.
pub(super) fn split_by_count(prims: &mut [PrimRef], axis: usize) -> usize {
    let half = prims.len() / 2;
    prims.select_nth_unstable_by(half, |a, b| {
        let order = a.centre2_along(axis).total_cmp(&b.centre2_along(axis));
        order.then(a.id().cmp(&b.id()))
    });
    half
}

/// Copies primitives to another list, those that `is_left` selects to its front. Returns their number. Each is written
/// to both ends and one copy stays: no branch to mispredict, no load that waits for a store.
#[inline(always)]
fn partition(prims: &[PrimRef], to: &mut [PrimRef], is_left: impl Fn(&PrimRef) -> bool) -> usize {
    let (mut left, mut right) = (0, prims.len());
    for prim in prims {
        let goes_left = is_left(prim);
        to[left] = *prim;
        to[right - 1] = *prim;
        left += usize::from(goes_left);
        right -= usize::from(!goes_left);
    }
    left
}

/// Up to this count, sorting and evaluating every split position is faster than buckets.
const MAX_SORTED: usize = 24;

/// Sorts up to [`MAX_SORTED`] primitives along an axis. Returns how many go left of the best position by the cost of
/// [`BucketFill::cheapest`]; half of them if areas overflow f32.
#[inline(always)]
fn best_sorted_split<S: F64x4>(simd: S, prims: &mut [PrimRef], axis: usize) -> usize {
    match prims.len() {
        0..3 => prims.len() / 2,
        3..=8 => best_sorted_split_in::<S, 1>(simd, prims, axis),
        9..=16 => best_sorted_split_in::<S, 2>(simd, prims, axis),
        _ => best_sorted_split_in::<S, { MAX_SORTED / 8 }>(simd, prims, axis),
    }
}

/// For at most `N` · 8 primitives.
#[inline(always)]
fn best_sorted_split_in<S: F64x4, const N: usize>(
    simd: S,
    prims: &mut [PrimRef],
    axis: usize,
) -> usize {
    sort_along::<S, N>(simd, prims, axis);
    // Cost of the right half for each position.
    let mut right = [[f32::INFINITY; 8]; N];
    let mut sum = Bounds::EMPTY;
    let behind = right.as_flattened_mut();
    for ((count, prim), cost) in (1..).zip(prims[1..].iter().rev()).zip(behind) {
        sum.extend(&prim.bounds());
        *cost = sum.area_unchecked() * count as f32;
    }
    let len = prims.len();
    let behind = &right.as_flattened()[..len - 1];
    let mut best = (f32::INFINITY, len / 2);
    let mut sum = Bounds::EMPTY;
    for ((count, prim), right) in (1..).zip(&prims[..len - 1]).zip(behind.iter().rev()) {
        sum.extend(&prim.bounds());
        let cost = sum.area_unchecked() * count as f32 + right;
        if cost < best.0 {
            best = (cost, count);
        }
    }
    best.1
}

/// Bits of a sort key that hold the index; enough for [`MAX_SORTED`].
const INDEX_BITS: i32 = 31;

/// Sorts up to `N` · 8 primitives by counting how many precede each, without branches. Stable for keys that differ in
/// their last five bits only.
#[inline(always)]
pub(super) fn sort_along<S: F64x4, const N: usize>(simd: S, prims: &mut [PrimRef], axis: usize) {
    let mut old = [[PrimRef::NONE; 8]; N];
    let mut keys = [[i32::MAX; 8]; N];
    let places = old.as_flattened_mut().iter_mut();
    let places = places.zip(keys.as_flattened_mut());
    for (i, ((old, key), prim)) in (0..).zip(places.zip(&*prims)) {
        *old = *prim;
        let bits = prim.centre2_along(axis).to_bits() as i32;
        // Floats as integers in the same order.
        *key = (bits ^ (bits >> 31) & i32::MAX) & !INDEX_BITS | i;
    }
    let ranks = simd.ranks(&keys);
    let old = &old.as_flattened()[..prims.len()];
    for (prim, &rank) in old.iter().zip(ranks.as_flattened()) {
        prims[rank as usize] = *prim;
    }
}

/// Buckets per axis.
const BUCKETS: usize = 16;

/// A float of this size has no fraction: its lowest bits are the integer added to it.
const WHOLE: f32 = ((1 << 23) + BUCKETS) as f32;

/// Above this count a sample decides the split.
const MANY: usize = 512;

/// Equal buckets of the centres' box along each axis.
struct Buckets {
    origin: Vec3A,
    scale: Vec3A,
}

impl Buckets {
    /// Position along each axis in buckets, an integer above [`WHOLE`].
    #[inline(always)]
    fn scaled(&self, prim: &PrimRef) -> Vec3A {
        (prim.centre2() - self.origin) * self.scale + WHOLE
    }
    /// The bucket along each axis.
    #[inline(always)]
    fn bucket_indices(&self, prim: &PrimRef) -> [usize; 3] {
        let at = self.scaled(prim);
        at.to_array().map(|x| x.to_bits() as usize % BUCKETS)
    }
}

/// Bounds and counts of the buckets of one axis.
#[derive(Clone, Copy)]
struct BucketFill {
    bounds: [Bounds; BUCKETS],
    counts: [u32; BUCKETS],
}

impl BucketFill {
    #[inline(always)]
    fn empty() -> Self {
        Self {
            bounds: [Bounds::EMPTY; BUCKETS],
            counts: [0; BUCKETS],
        }
    }

    #[inline(always)]
    fn add(&mut self, bucket: usize, bounds: &Bounds) {
        self.bounds[bucket].extend(bounds);
        self.counts[bucket] += 1;
    }

    /// Least `area(left)·count(left) + area(right)·count(right)` over the positions between buckets, and how many
    /// buckets go left. With an empty side the cost is NaN, which is not less than any.
    #[inline(always)]
    fn cheapest(&self) -> Option<(f32, usize)> {
        // From the right: cost of the right half for each position.
        let mut right = [f32::NAN; BUCKETS];
        let (mut sum, mut many) = (Bounds::EMPTY, 0);
        for end in (1..BUCKETS).rev() {
            sum.extend(&self.bounds[end]);
            many += self.counts[end];
            right[end] = sum.area_unchecked() * many as f32;
        }
        let (mut least, mut best) = (f32::INFINITY, 0);
        let (mut sum, mut many) = (Bounds::EMPTY, 0);
        for (end, right) in right.iter().enumerate().skip(1) {
            sum.extend(&self.bounds[end - 1]);
            many += self.counts[end - 1];
            let cost = sum.area_unchecked() * many as f32 + right;
            // Without a branch.
            let is_less = cost < least;
            least = if is_less { cost } else { least };
            best = if is_less { end } else { best };
        }
        (best > 0).then_some((least, best))
    }
}

/// The best split between buckets by the surface area heuristic (Wald, On Fast Construction of SAH-based Bounding
/// Volume Hierarchies, 2007): the buckets, the axis, and how many buckets go left. None if all centres coincide. Looks
/// at a sample of large sets only.
#[inline(always)]
fn best_bucket_split(prims: &[PrimRef], centres: &Bounds) -> Option<(Buckets, usize, usize)> {
    // An axis without extent gets scale 0: all primitives in one bucket, hence no split.
    let per_bucket = |extent: f32| {
        if extent > 0.0 {
            (BUCKETS - 1) as f32 / extent
        } else {
            0.0
        }
    };
    let scale = Vec3A::from(centres.size().to_array().map(per_bucket));
    if !scale.is_finite() {
        return None;
    }
    let buckets = Buckets {
        origin: centres.min,
        scale,
    };
    let mut fills = [BucketFill::empty(); 3];
    for prim in prims.iter().step_by(prims.len().div_ceil(MANY)) {
        let bounds = prim.bounds();
        for (fill, bucket) in fills.iter_mut().zip(buckets.bucket_indices(prim)) {
            fill.add(bucket, &bounds);
        }
    }
    let mut best: Option<(f32, usize, usize)> = None;
    for (axis, fill) in fills.iter().enumerate().filter(|f| scale[f.0] > 0.0) {
        if let Some((cost, end)) = fill.cheapest()
            && best.is_none_or(|b| cost < b.0)
        {
            best = Some((cost, axis, end));
        }
    }
    best.map(|(_, axis, end)| (buckets, axis, end))
}
