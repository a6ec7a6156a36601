//! Faces with holes as triangles that use every corner and no other.
//!
//! A face is seen along the axis nearest to its normal, by the rounded places of its corners; the signs that decide
//! what is a triangle are exact for these. Small loops have their ears cut off (`ears`); faces with holes go to a
//! constrained Delaunay triangulation (`delaunay`). Where rounding made edges cross, holes are bridged and ears cut at any
//! price: what comes out is always a full set. A large face of which a small part changed keeps the triangles that the
//! change leaves alone (`mend`).
use super::face::Face;
use crate::exact::{Planes, SUB_BITS};
use crate::geom::ring;
use glam::{DVec2, DVec3};
use smallvec::SmallVec;

mod delaunay;
mod ears;
mod mend;
#[cfg(test)]
mod tests;

use delaunay::delaunay;
use ears::{bridged, ears};
pub use mend::{Change, mend};

/// Loops up to this many corners have their ears cut off.
const FEW: usize = 24;

/// Corners closer to a line than this are on it for the eye: some roundings of `at`, steps.
const NEAR: f64 = 1.0 / (1u64 << 17) as f64;

type Loop = SmallVec<[u32; FEW]>;

/// Triangles of a face as indices into its corners counted through all loops, counter-clockwise seen from the air:
/// V + 2H - 2 of them for V corners in all and H holes that touch nothing (a hole that touches takes two fewer). Each
/// edge of a loop is in one triangle, in the loop's direction. Empty where the face has fewer than three corners.
pub fn triangulate(planes: &Planes, face: &Face) -> Vec<[u32; 3]> {
    if let [corners] = &face.loops[..]
        && corners.len() == 3
    {
        return vec![[0, 1, 2]];
    }
    let points = flat(planes, face);
    let count = points.len() as u32;
    if face.loops.len() == 1 && points.len() <= FEW {
        return small(&points, (0..count).collect());
    }
    let mut first = 0;
    let loops: Vec<Loop> = face
        .loops
        .iter()
        .map(|l| {
            let from = first;
            first += l.len() as u32;
            (from..first).collect()
        })
        .collect();
    let edges: Vec<[u32; 2]> = loops
        .iter()
        .flat_map(|l| ring::pairs(l).map(|(&a, &b)| [a, b]))
        .collect();
    delaunay(&points, &edges).unwrap_or_else(|| ears(&points, bridged(&points, loops)))
}

/// A loop of few corners, given in order.
fn small(points: &[DVec2], corners: Loop) -> Vec<[u32; 3]> {
    let count = corners.len();
    let places: SmallVec<[DVec2; FEW]> = corners.iter().map(|&k| points[k as usize]).collect();
    if count <= 8 && is_convex(&places) {
        let fan = (2..count).map(|k| [corners[0], corners[k - 1], corners[k]]);
        return fan.collect();
    }
    ears(points, corners)
}

/// How a plane is seen from the air, along the axis nearest to its normal.
#[derive(Clone, Copy, Debug)]
pub struct View {
    axes: [usize; 2],
}

impl View {
    /// Of the plane with this normal, which faces into the air.
    pub fn of(normal: DVec3) -> View {
        let a = normal.abs();
        let axis = if a.x >= a.y && a.x >= a.z {
            0
        } else if a.y >= a.z {
            1
        } else {
            2
        };
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        View {
            axes: if normal[axis] < 0.0 { [v, u] } else { [u, v] },
        }
    }

    /// Where a point is seen (exact).
    #[inline]
    pub fn flat(self, p: DVec3) -> DVec2 {
        DVec2::new(p[self.axes[0]], p[self.axes[1]])
    }
}

/// The corners of all loops seen from the air, from the first corner on (exact).
fn flat(planes: &Planes, face: &Face) -> SmallVec<[DVec2; FEW]> {
    let view = View::of(planes.normal(face.plane));
    let corners = face.loops.iter().flatten();
    let mut corners = corners.map(|c| view.flat(c.point.at)).peekable();
    let origin = corners.peek().copied().unwrap_or_default();
    corners.map(|p| p - origin).collect()
}

/// Twice the area of a triangle, rounded.
#[inline]
fn area(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// The exact sign of [`area`].
#[inline]
fn orientation(a: DVec2, b: DVec2, c: DVec2) -> i32 {
    let (u, v) = (b - a, c - a);
    let (s, t) = (u.x * v.y, u.y * v.x);
    if (s - t).abs() > (s.abs() + t.abs()) * 1e-15 {
        return if s > t { 1 } else { -1 };
    }
    // Differences of multiples of 2^-28 up to 2^25 are exact in f64.
    let whole = |x: f64| (x * (1u64 << SUB_BITS) as f64) as i64 as i128;
    (whole(u.x) * whole(v.y) - whole(u.y) * whole(v.x)).signum() as i32
}

/// Whether c is well to the left of a..b.
#[inline]
fn is_left(a: DVec2, b: DVec2, c: DVec2) -> bool {
    let t = area(a, b, c);
    t > 0.0 && t * t > NEAR * NEAR * (b - a).length_squared().max((c - b).length_squared())
}

/// Whether a loop turns left at every corner; once round is taken for granted.
fn is_convex(points: &[DVec2]) -> bool {
    let n = points.len();
    n >= 3
        && ring::pairs(points)
            .zip(0..)
            .all(|((&a, &b), k)| is_left(a, b, points[ring::after(ring::after(k, n), n)]))
}
