//! Orientation of three projected points, exact, and the tolerant tests that only choose between valid triangulations.
use crate::exact::SUB_BITS;
use crate::geom::ring;
use glam::DVec2;
use smallvec::SmallVec;

/// Loops up to this many corners are ear-clipped.
pub(super) const FEW: usize = 24;

/// Corners closer to a line than this look as if they lay on it: some roundings of `at`, steps.
pub(super) const NEAR: f64 = 1.0 / (1u64 << 17) as f64;

/// Corners of a loop, as indices.
pub(super) type Loop = SmallVec<[u32; FEW]>;

/// Twice the signed area of a triangle, rounded.
#[inline]
pub(super) fn area(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// The exact sign of [`area`].
#[inline]
pub(super) fn orientation(a: DVec2, b: DVec2, c: DVec2) -> i32 {
    let (u, v) = (b - a, c - a);
    let (s, t) = (u.x * v.y, u.y * v.x);
    if (s - t).abs() > (s.abs() + t.abs()) * 1e-15 {
        return if s > t { 1 } else { -1 };
    }
    // Differences of multiples of 2^-28 up to 2^25 are exact in f64.
    let whole = |x: f64| (x * (1u64 << SUB_BITS) as f64) as i64 as i128;
    (whole(u.x) * whole(v.y) - whole(u.y) * whole(v.x)).signum() as i32
}

/// Whether c lies left of a..b by more than [`NEAR`].
#[inline]
pub(super) fn is_left(a: DVec2, b: DVec2, c: DVec2) -> bool {
    let t = area(a, b, c);
    t > 0.0 && t * t > NEAR * NEAR * (b - a).length_squared().max((c - b).length_squared())
}

/// Whether a loop turns left at every corner. Assumes that it winds around once.
pub(super) fn is_convex(points: &[DVec2]) -> bool {
    let n = points.len();
    n >= 3
        && ring::pairs(points)
            .zip(0..)
            .all(|((&a, &b), k)| is_left(a, b, points[ring::after(ring::after(k, n), n)]))
}
