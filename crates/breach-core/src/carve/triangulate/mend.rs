//! Retriangulation of a face of which a part has changed: triangles that the change does not reach stay.
//!
//! The old outline minus the new one is a closed chain of directed edges. Its winding number is non-zero exactly where
//! area was removed or added. So a triangle stays if no edge of the chain touches it and the chain does not wind around
//! it. The others go; their sides and the chain together bound the area to cover, and only that is triangulated.
//! Triangles whose circumcircle contains a new corner go too, which keeps the mesh close to Delaunay (Lawson 1977; Bowyer
//! and Watson 1981 insert points, this inserts outlines).
use super::delaunay::delaunay;
use super::ears::{bridge_holes, clip_ears, triangulate_loop};
use super::predicates::{FEW, Loop, orientation};
use crate::geom::ring;
use glam::DVec2;
use rustc_hash::FxHashMap;

/// How the outline of a face has changed. Corners are numbers; edges are directed as in loops.
pub struct OutlineChange<'a> {
    /// Triangles of the face before.
    pub old: &'a [[u32; 3]],
    /// Edges that were removed.
    pub removed: &'a [[u32; 2]],
    /// Edges that were added.
    pub added: &'a [[u32; 2]],
}

/// Marks the old triangles that stay, and returns new ones for the rest of the face. None where a full triangulation is
/// cheaper, or where rounding made the outlines cross. `at` gives the projection of a corner ([`super::Projection`]),
/// `is_corner` whether the face has it now, `was_corner` whether it had it before.
pub fn mend(
    change: &OutlineChange,
    at: impl Fn(u32) -> DVec2,
    is_corner: impl Fn(u32) -> bool,
    was_corner: impl Fn(u32) -> bool,
    stays: &mut Vec<bool>,
) -> Option<Vec<[u32; 3]>> {
    if (change.removed.len() + change.added.len()) * change.old.len() > MOST_PAIRS {
        return None;
    }
    let chain = Chain::new(change, &at)?;
    let new = NewCorners::new(change.added, &at, was_corner);
    stays.clear();
    for t in change.old {
        let triangle = ProjectedTriangle {
            corners: *t,
            positions: t.map(&at),
        };
        let is_safe = t.iter().all(|&c| is_corner(c))
            && !chain.reaches(&triangle)
            && !new.is_in_circle(&triangle.positions);
        stays.push(is_safe);
    }
    cover(&uncovered_outline(change, stays)?, at)
}

/// Up to this many pairs of a changed edge and a triangle are tested; beyond, the whole face is triangulated.
const MOST_PAIRS: usize = 1 << 16;

/// A directed edge with its multiplicity.
struct ChainEdge {
    ends: [u32; 2],
    positions: [DVec2; 2],
    lo: DVec2,
    hi: DVec2,
    sign: i32,
}

/// The old outline minus the new one.
struct Chain {
    edges: Vec<ChainEdge>,
    lo: DVec2,
    hi: DVec2,
}

/// A triangle in the plane of projection.
struct ProjectedTriangle {
    corners: [u32; 3],
    positions: [DVec2; 3],
}

impl Chain {
    fn new(change: &OutlineChange, at: &impl Fn(u32) -> DVec2) -> Option<Chain> {
        let removed = change.removed.iter().map(|e| (e, 1));
        let all = removed.chain(change.added.iter().map(|e| (e, -1)));
        let edge = |(&ends, sign): (&[u32; 2], i32)| {
            let positions @ [a, b] = ends.map(at);
            let (lo, hi) = (a.min(b), a.max(b));
            ChainEdge {
                ends,
                positions,
                lo,
                hi,
                sign,
            }
        };
        let edges: Vec<ChainEdge> = all.map(edge).collect();
        let (mut lo, mut hi) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for s in &edges {
            (lo, hi) = (lo.min(s.lo), hi.max(s.hi));
        }
        (!edges.is_empty()).then_some(Chain { edges, lo, hi })
    }

    /// Whether a triangle touches the chain or lies where the face has changed.
    fn reaches(&self, t: &ProjectedTriangle) -> bool {
        let [a, b, c] = t.positions;
        let (lo, hi) = (a.min(b).min(c), a.max(b).max(c));
        if lo.cmpgt(self.hi).any() || hi.cmplt(self.lo).any() {
            return false;
        }
        let is_clear =
            |s: &ChainEdge| lo.cmpgt(s.hi).any() || hi.cmplt(s.lo).any() || t.is_clear_of(s);
        let is_clear_of_all = orientation(a, b, c) > 0
            && self.edges.iter().all(is_clear)
            && self.winding_number((a + b + c) / 3.0) == 0;
        !is_clear_of_all
    }

    /// The winding number around a point that is not on the chain.
    fn winding_number(&self, p: DVec2) -> i32 {
        let mut turns = 0;
        for s in &self.edges {
            let [a, b] = s.positions;
            let is_up = a.y <= p.y;
            if is_up != (b.y <= p.y) {
                let side = orientation(a, b, p);
                if is_up && side > 0 {
                    turns += s.sign;
                } else if !is_up && side < 0 {
                    turns -= s.sign;
                }
            }
        }
        turns
    }
}

impl ProjectedTriangle {
    /// Whether a chain's edge touches the triangle at most in a common corner, or along a side that becomes an edge.
    fn is_clear_of(&self, s: &ChainEdge) -> bool {
        let corner = |end: u32| self.corners.iter().position(|&c| c == end);
        let [t0, t1, t2] = self.positions;
        let [p, q] = s.positions;
        match s.ends.map(corner) {
            [Some(i), Some(j)] => s.sign < 0 && (i + 1) % 3 == j,
            [None, None] => {
                let [o0, o1, o2] = [t0, t1, t2].map(|t| orientation(p, q, t));
                let aside = |a, b| orientation(a, b, p) < 0 && orientation(a, b, q) < 0;
                (o0 > 0 && o1 > 0 && o2 > 0)
                    || (o0 < 0 && o1 < 0 && o2 < 0)
                    || aside(t0, t1)
                    || aside(t1, t2)
                    || aside(t2, t0)
            }
            [first, second] => {
                let (k, far) = match first {
                    Some(k) => (k, q),
                    None => (second.expect("one end is a corner"), p),
                };
                let [before, here, after] =
                    [(k + 2) % 3, k, (k + 1) % 3].map(|k| self.positions[k]);
                orientation(here, after, far) < 0 || orientation(before, here, far) < 0
            }
        }
    }
}

/// Corners that the face did not have before.
struct NewCorners {
    positions: Vec<DVec2>,
    lo: DVec2,
    hi: DVec2,
}

impl NewCorners {
    fn new(
        added: &[[u32; 2]],
        at: &impl Fn(u32) -> DVec2,
        was_corner: impl Fn(u32) -> bool,
    ) -> NewCorners {
        let new = added.iter().map(|e| e[0]).filter(|&c| !was_corner(c));
        let positions: Vec<DVec2> = new.map(at).collect();
        let (mut lo, mut hi) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for &p in &positions {
            (lo, hi) = (lo.min(p), hi.max(p));
        }
        NewCorners { positions, lo, hi }
    }

    /// Whether the circle through three points contains any of them. Affects only the quality of triangles.
    fn is_in_circle(&self, [a, b, c]: &[DVec2; 3]) -> bool {
        let (u, v) = (*b - *a, *c - *a);
        let (uu, vv, d) = (u.length_squared(), v.length_squared(), 2.0 * u.perp_dot(v));
        // From a to the centre.
        let r = DVec2::new(v.y * uu - u.y * vv, u.x * vv - v.x * uu) / d;
        let (centre, squared) = (*a + r, r.length_squared() * (1.0 - 1e-9));
        let nearest = centre.clamp(self.lo.min(self.hi), self.hi.max(self.lo));
        centre.distance_squared(nearest) < squared
            && self
                .positions
                .iter()
                .any(|p| p.distance_squared(centre) < squared)
    }
}

/// The boundary of the area to cover, each edge once: sides of the triangles that go, and the chain.
fn uncovered_outline(change: &OutlineChange, stays: &[bool]) -> Option<Vec<[u32; 2]>> {
    let mut all: Vec<([u32; 2], i32)> = Vec::new();
    let mut add = |[a, b]: [u32; 2]| match a < b {
        true => all.push(([a, b], 1)),
        false => all.push(([b, a], -1)),
    };
    for ([a, b, c], _) in change.old.iter().zip(stays).filter(|(_, stays)| !**stays) {
        [[*a, *b], [*b, *c], [*c, *a]]
            .into_iter()
            .for_each(&mut add);
    }
    change.added.iter().for_each(|&e| add(e));
    change.removed.iter().for_each(|&[a, b]| add([b, a]));
    all.sort_unstable();
    let mut edges = Vec::new();
    for same in all.chunk_by(|x, y| x.0 == y.0) {
        let [a, b] = same[0].0;
        match same.iter().map(|e| e.1).sum::<i32>() {
            0 => {}
            1 => edges.push([a, b]),
            -1 => edges.push([b, a]),
            _ => return None,
        }
    }
    Some(edges)
}

/// Triangulates the area left of some edges. Corners are sorted by position, as their numbers depend on the room's history and
/// the triangles must not. None also where two corners share a position.
fn cover(edges: &[[u32; 2]], at: impl Fn(u32) -> DVec2) -> Option<Vec<[u32; 3]>> {
    let mut corners: Vec<(DVec2, u32)> = edges.iter().map(|e| (at(e[0]), e[0])).collect();
    corners.sort_unstable_by(|(p, a), (q, b)| {
        let along_x = p.x.total_cmp(&q.x);
        along_x.then(p.y.total_cmp(&q.y)).then(a.cmp(b))
    });
    corners.dedup_by_key(|corner| corner.1);
    if corners.windows(2).any(|two| two[0].0 == two[1].0) {
        return None;
    }
    let Some(&(origin, _)) = corners.first() else {
        return Some(Vec::new());
    };
    let points: Vec<DVec2> = corners.iter().map(|(p, _)| *p - origin).collect();
    let numbered = (0..).zip(&corners).map(|(k, corner)| (corner.1, k));
    let index: FxHashMap<u32, u32> = numbered.collect();
    let mut local = Vec::with_capacity(edges.len());
    for ends in edges {
        let [a, b] = ends.map(|c| index.get(&c).copied());
        local.push([a?, b?]);
    }
    local.sort_unstable();
    let is_sound = |triangles: &Vec<[u32; 3]>| {
        triangles.iter().all(|t| {
            let [a, b, c] = t.map(|k| points[k as usize]);
            orientation(a, b, c) > 0
        })
    };
    // Ears clipped whatever their shape may overlap.
    let triangles = clip_ears_of_loops(&points, &local).filter(is_sound);
    let triangles = match triangles {
        Some(triangles) => triangles,
        None => delaunay(&points, &local).filter(is_sound)?,
    };
    let named = triangles.iter().map(|t| t.map(|k| corners[k as usize].1));
    Some(named.collect())
}

/// Clips the ears of loops that do not touch: any number of them, or one with holes. None for more corners, or another
/// arrangement.
fn clip_ears_of_loops(points: &[DVec2], edges: &[[u32; 2]]) -> Option<Vec<[u32; 3]>> {
    if edges.len() != points.len() {
        return None;
    }
    let mut next = vec![u32::MAX; points.len()];
    for &[a, b] in edges {
        next[a as usize] = b;
    }
    let mut loops: Vec<Loop> = Vec::new();
    for first in 0..next.len() {
        let mut list = Loop::new();
        let mut k = first;
        while let Some(k_next) = next.get_mut(k).filter(|next| **next != u32::MAX) {
            list.push(k as u32);
            k = std::mem::replace(k_next, u32::MAX) as usize;
        }
        if k != first {
            return None;
        }
        if !list.is_empty() {
            loops.push(list);
        }
    }
    let is_outer = |l: &Loop| {
        let area = |(&a, &b): (&u32, &u32)| points[a as usize].perp_dot(points[b as usize]);
        ring::pairs(l).map(area).sum::<f64>() > 0.0
    };
    loops.sort_by_key(|l| !is_outer(l));
    let outer = loops.iter().filter(|l| is_outer(l)).count();
    if outer == loops.len() && loops.iter().all(|l| l.len() <= MANY) {
        return Some(
            loops
                .into_iter()
                .flat_map(|l| triangulate_loop(points, l))
                .collect(),
        );
    }
    (outer == 1 && points.len() <= MANY).then(|| clip_ears(points, bridge_holes(points, loops)))
}

/// Beyond this many corners ear clipping is too slow: its time grows with their square.
const MANY: usize = 2 * FEW;
