//! Where is a bin divided? The split rules that look at items one by one.
use super::bounds::Bounds;
use super::f64x4::F64x4;
use super::params::SplitRule;
use super::prim_ref::{PrimInfo, PrimRef};
use glam::Vec3A;

/// Divides items into two groups, neither empty, that follow each other in the same list or in another one, `to`: the size
/// of the first, and whether they have moved.
#[inline(always)]
pub(super) fn split_prims<S: F64x4>(
    simd: S,
    split: SplitRule,
    items: &mut [PrimRef],
    to: &mut [PrimRef],
    group: &PrimInfo,
) -> (usize, bool) {
    let axis = group.centres.longest_axis();
    let (count, has_moved) = match split {
        SplitRule::Midpoint => {
            let axis = group.bounds.longest_axis();
            let centre2 = (group.bounds.min + group.bounds.max)[axis];
            let is_left = |item: &PrimRef| item.centre2_along(axis) < centre2;
            (partition(items, to, is_left), true)
        }
        SplitRule::Mean => {
            let sum: f64 = items
                .iter()
                .map(|item| f64::from(item.centre2_along(axis)))
                .sum();
            let mean = (sum / items.len() as f64) as f32;
            let is_left = |item: &PrimRef| item.centre2_along(axis) < mean;
            (partition(items, to, is_left), true)
        }
        SplitRule::Sah if items.len() <= MAX_SORTED => {
            (best_sorted_split(simd, items, axis), false)
        }
        SplitRule::Sah => match best_bucket_split(items, &group.centres) {
            Some((buckets, axis, end)) => {
                // Along the other axes nothing is below.
                let mut border = [f32::NEG_INFINITY; 3];
                border[axis] = WHOLE + end as f32;
                let border = Vec3A::from(border);
                let is_left = |item: &PrimRef| buckets.scaled(item).cmplt(border).any();
                (partition(items, to, is_left), true)
            }
            None => (0, false),
        },
        SplitRule::Median | SplitRule::BottomUp => (0, false),
    };
    if 0 < count && count < items.len() {
        (count, has_moved)
    } else {
        // All on one side, or by rule.
        (split_by_count(items, axis), false)
    }
}

/// Halves by count, which always makes progress.
pub(super) fn split_by_count(items: &mut [PrimRef], axis: usize) -> usize {
    let half = items.len() / 2;
    items.select_nth_unstable_by(half, |a, b| {
        let order = a.centre2_along(axis).total_cmp(&b.centre2_along(axis));
        order.then(a.id().cmp(&b.id()))
    });
    half
}

/// Copies items to another list, those that `is_left` picks to its front; how many. Each is written to both ends, and one of
/// the two stays: no branch to guess, and no load that has to wait for a store.
#[inline(always)]
fn partition(items: &[PrimRef], to: &mut [PrimRef], is_left: impl Fn(&PrimRef) -> bool) -> usize {
    let (mut left, mut right) = (0, items.len());
    for item in items {
        let goes_left = is_left(item);
        to[left] = *item;
        to[right - 1] = *item;
        left += usize::from(goes_left);
        right -= usize::from(!goes_left);
    }
    left
}

/// So many items are sorted and weighed at every border between them, which costs less than slabs do.
const MAX_SORTED: usize = 24;

/// Sorts up to [`SORTED`] items along an axis; how many go left of the border that divides best, by the measure of
/// [`best_bucket_split`]. All are halved where sizes are beyond f32.
#[inline(always)]
fn best_sorted_split<S: F64x4>(simd: S, items: &mut [PrimRef], axis: usize) -> usize {
    match items.len() {
        0..3 => items.len() / 2,
        3..=8 => best_sorted_split_of::<S, 1>(simd, items, axis),
        9..=16 => best_sorted_split_of::<S, 2>(simd, items, axis),
        _ => best_sorted_split_of::<S, { MAX_SORTED / 8 }>(simd, items, axis),
    }
}

/// The same of at most `N` times eight.
#[inline(always)]
fn best_sorted_split_of<S: F64x4, const N: usize>(
    simd: S,
    items: &mut [PrimRef],
    axis: usize,
) -> usize {
    sort_along::<S, N>(simd, items, axis);
    // What each border leaves behind it.
    let mut right = [[f32::INFINITY; 8]; N];
    let mut sum = Bounds::EMPTY;
    let behind = right.as_flattened_mut();
    for ((count, item), cost) in (1..).zip(items[1..].iter().rev()).zip(behind) {
        sum.extend(&item.bounds());
        *cost = sum.area_unchecked() * count as f32;
    }
    let len = items.len();
    let behind = &right.as_flattened()[..len - 1];
    let mut best = (f32::INFINITY, len / 2);
    let mut sum = Bounds::EMPTY;
    for ((count, item), right) in (1..).zip(&items[..len - 1]).zip(behind.iter().rev()) {
        sum.extend(&item.bounds());
        let cost = sum.area_unchecked() * count as f32 + right;
        if cost < best.0 {
            best = (cost, count);
        }
    }
    best.1
}

/// The bits of a key that are an item's place: room for [`SORTED`].
const INDEX_BITS: i32 = 31;

/// Up to `N` times eight, by counting how many go before each, without a branch to guess. Those that differ by their last
/// five bits only keep their order.
#[inline(always)]
pub(super) fn sort_along<S: F64x4, const N: usize>(simd: S, items: &mut [PrimRef], axis: usize) {
    let mut old = [[PrimRef::NONE; 8]; N];
    let mut keys = [[i32::MAX; 8]; N];
    let places = old.as_flattened_mut().iter_mut();
    let places = places.zip(keys.as_flattened_mut());
    for (i, ((old, key), item)) in (0..).zip(places.zip(&*items)) {
        *old = *item;
        let bits = item.centre2_along(axis).to_bits() as i32;
        // Floats as whole numbers in the same order.
        *key = (bits ^ (bits >> 31) & i32::MAX) & !INDEX_BITS | i;
    }
    let ranks = simd.ranks(&keys);
    let old = &old.as_flattened()[..items.len()];
    for (item, &rank) in old.iter().zip(ranks.as_flattened()) {
        items[rank as usize] = *item;
    }
}

/// Slabs that an axis is cut into.
const BUCKETS: usize = 16;

/// So large a float has no digits behind the point: its last bits are what is added, as a whole number.
const WHOLE: f32 = ((1 << 23) + BUCKETS) as f32;

/// Of more items than this a sample tells where to divide.
const MANY: usize = 512;

/// Equal slabs of the centres' box along each axis.
struct Buckets {
    origin: Vec3A,
    scale: Vec3A,
}

impl Buckets {
    /// Where an item is along each axis, in slabs; a whole number above [`WHOLE`].
    #[inline(always)]
    fn scaled(&self, item: &PrimRef) -> Vec3A {
        (item.centre2() - self.origin) * self.scale + WHOLE
    }
    /// The slab of an item along each axis.
    #[inline(always)]
    fn buckets_of(&self, item: &PrimRef) -> [usize; 3] {
        let at = self.scaled(item);
        at.to_array().map(|x| x.to_bits() as usize % BUCKETS)
    }
}

/// What the items of each slab fill.
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

    /// Least `area(left)·count(left) + area(right)·count(right)` over the borders of slabs, and how many slabs go left.
    /// With nothing on one side that is no number, and not less than any.
    #[inline(always)]
    fn cheapest(&self) -> Option<(f32, usize)> {
        // From the right: what each border leaves behind it.
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
            // Without a branch to guess.
            let is_less = cost < least;
            least = if is_less { cost } else { least };
            best = if is_less { end } else { best };
        }
        (best > 0).then_some((least, best))
    }
}

/// The border of slabs that divides best by the surface area heuristic (Wald, On Fast Construction of SAH-based Bounding
/// Volume Hierarchies, 2007): the slabs, the axis, and how many slabs go left. None when all centres are one point.
/// Of many only a sample is looked at.
#[inline(always)]
fn best_bucket_split(items: &[PrimRef], centres: &Bounds) -> Option<(Buckets, usize, usize)> {
    // An axis without extent gets scale 0: all items in one slab, so no border.
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
    for item in items.iter().step_by(items.len().div_ceil(MANY)) {
        let bounds = item.bounds();
        for (fill, bucket) in fills.iter_mut().zip(buckets.buckets_of(item)) {
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
