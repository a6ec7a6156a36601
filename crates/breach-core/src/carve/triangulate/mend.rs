//! The triangles of a face of which a part has changed: those that the change leaves alone stay.
//!
//! The old outline less the new one, as a chain of directed edges, is closed: it winds around what was taken away and what
//! was added, and around nothing else. So a triangle stays if no edge of the chain touches it and the chain does not wind
//! around it. The others go; the chain added to their sides bounds what is to be covered anew, and only that is
//! triangulated. Triangles whose circle holds a new corner go too: so the whole stays about as Delaunay would have it
//! (Lawson 1977; Bowyer and Watson 1981 for points, here for outlines).
use super::{FEW, Loop, bridged, delaunay, ears, orientation, small};
use crate::geom::ring;
use glam::DVec2;

/// What has changed of an outline. Corners are numbers; edges are directed as in loops.
pub struct Change<'a> {
    /// Triangles of the face as it was.
    pub old: &'a [[u32; 3]],
    /// Edges that are no more.
    pub gone: &'a [[u32; 2]],
    /// Edges that are new.
    pub come: &'a [[u32; 2]],
}

/// Marks the old triangles that stay, and gives those that cover the rest of the face as it is. None where it is not worth
/// it, or rounding made the outlines cross. `at` tells where a corner is seen ([`super::View`]), `is_corner` whether the face has it
/// now, `was_corner` whether it had it before.
pub fn mend(
    change: &Change,
    at: impl Fn(u32) -> DVec2,
    is_corner: impl Fn(u32) -> bool,
    was_corner: impl Fn(u32) -> bool,
    stays: &mut Vec<bool>,
) -> Option<Vec<[u32; 3]>> {
    if (change.gone.len() + change.come.len()) * change.old.len() > MOST_PAIRS {
        return None;
    }
    let chain = Chain::new(change, &at)?;
    let new = NewCorners::of(change.come, &at, was_corner);
    stays.clear();
    for t in change.old {
        let triangle = Seen {
            corners: *t,
            places: t.map(&at),
        };
        let is_safe = t.iter().all(|&c| is_corner(c))
            && chain.leaves_alone(&triangle)
            && !new.is_in_circle(&triangle.places);
        stays.push(is_safe);
    }
    cover(&outline(change, stays)?, at)
}

/// Where more pairs of an edge that changed and a triangle would have to be looked at, the face is triangulated as a whole.
const MOST_PAIRS: usize = 1 << 16;

/// A directed edge, and how often it counts.
struct Side {
    ends: [u32; 2],
    places: [DVec2; 2],
    lo: DVec2,
    hi: DVec2,
    sign: i32,
}

/// What was, less what is.
struct Chain {
    sides: Vec<Side>,
    lo: DVec2,
    hi: DVec2,
}

struct Seen {
    corners: [u32; 3],
    places: [DVec2; 3],
}

impl Chain {
    fn new(change: &Change, at: &impl Fn(u32) -> DVec2) -> Option<Chain> {
        let gone = change.gone.iter().map(|e| (e, 1));
        let all = gone.chain(change.come.iter().map(|e| (e, -1)));
        let side = |(&ends, sign): (&[u32; 2], i32)| {
            let places @ [a, b] = ends.map(at);
            let (lo, hi) = (a.min(b), a.max(b));
            Side {
                ends,
                places,
                lo,
                hi,
                sign,
            }
        };
        let sides: Vec<Side> = all.map(side).collect();
        let (mut lo, mut hi) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for s in &sides {
            (lo, hi) = (lo.min(s.lo), hi.max(s.hi));
        }
        (!sides.is_empty()).then_some(Chain { sides, lo, hi })
    }

    /// Whether a triangle is a part of the face as before.
    fn leaves_alone(&self, t: &Seen) -> bool {
        let [a, b, c] = t.places;
        let (lo, hi) = (a.min(b).min(c), a.max(b).max(c));
        if lo.cmpgt(self.hi).any() || hi.cmplt(self.lo).any() {
            return true;
        }
        let is_clear = |s: &Side| lo.cmpgt(s.hi).any() || hi.cmplt(s.lo).any() || t.is_clear_of(s);
        orientation(a, b, c) > 0
            && self.sides.iter().all(is_clear)
            && self.winding((a + b + c) / 3.0) == 0
    }

    /// How often it runs around a point that is not on it.
    fn winding(&self, p: DVec2) -> i32 {
        let mut turns = 0;
        for s in &self.sides {
            let [a, b] = s.places;
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

impl Seen {
    /// Whether an edge of a chain touches the triangle nowhere but where it may: at a corner of both, or along a side that is
    /// an edge from now on.
    fn is_clear_of(&self, s: &Side) -> bool {
        let place = |end: u32| self.corners.iter().position(|&c| c == end);
        let [t0, t1, t2] = self.places;
        let [p, q] = s.places;
        match s.ends.map(place) {
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
                let [before, here, after] = [(k + 2) % 3, k, (k + 1) % 3].map(|k| self.places[k]);
                orientation(here, after, far) < 0 || orientation(before, here, far) < 0
            }
        }
    }
}

/// Corners that were not there before.
struct NewCorners {
    places: Vec<DVec2>,
    lo: DVec2,
    hi: DVec2,
}

impl NewCorners {
    fn of(
        come: &[[u32; 2]],
        at: &impl Fn(u32) -> DVec2,
        was_corner: impl Fn(u32) -> bool,
    ) -> NewCorners {
        let new = come.iter().map(|e| e[0]).filter(|&c| !was_corner(c));
        let places: Vec<DVec2> = new.map(at).collect();
        let (mut lo, mut hi) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for &p in &places {
            (lo, hi) = (lo.min(p), hi.max(p));
        }
        NewCorners { places, lo, hi }
    }

    /// Whether the circle through three places holds any of them. Decides only how good triangles are.
    fn is_in_circle(&self, [a, b, c]: &[DVec2; 3]) -> bool {
        let (u, v) = (*b - *a, *c - *a);
        let (uu, vv, d) = (u.length_squared(), v.length_squared(), 2.0 * u.perp_dot(v));
        // From a to the centre.
        let r = DVec2::new(v.y * uu - u.y * vv, u.x * vv - v.x * uu) / d;
        let (centre, squared) = (*a + r, r.length_squared() * (1.0 - 1e-9));
        let nearest = centre.clamp(self.lo.min(self.hi), self.hi.max(self.lo));
        centre.distance_squared(nearest) < squared
            && self
                .places
                .iter()
                .any(|p| p.distance_squared(centre) < squared)
    }
}

/// The edges of what is to be covered, each once: sides of the triangles that go, and the change.
fn outline(change: &Change, stays: &[bool]) -> Option<Vec<[u32; 2]>> {
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
    change.come.iter().for_each(|&e| add(e));
    change.gone.iter().for_each(|&[a, b]| add([b, a]));
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

/// Triangles of what lies left of some edges.
fn cover(edges: &[[u32; 2]], at: impl Fn(u32) -> DVec2) -> Option<Vec<[u32; 3]>> {
    let Some(&[first, _]) = edges.first() else {
        return Some(Vec::new());
    };
    let mut corners: Vec<u32> = edges.iter().map(|e| e[0]).collect();
    corners.sort_unstable();
    corners.dedup();
    let origin = at(first);
    let points: Vec<DVec2> = corners.iter().map(|&c| at(c) - origin).collect();
    let mut local = Vec::with_capacity(edges.len());
    for ends in edges {
        let [a, b] = ends.map(|c| corners.binary_search(&c));
        local.push([a.ok()? as u32, b.ok()? as u32]);
    }
    let is_sound = |triangles: &Vec<[u32; 3]>| {
        triangles.iter().all(|t| {
            let [a, b, c] = t.map(|k| points[k as usize]);
            orientation(a, b, c) > 0
        })
    };
    // Ears cut at any price may lie on each other.
    let triangles = of_loops(&points, &local).filter(is_sound);
    let triangles = match triangles {
        Some(triangles) => triangles,
        None => delaunay(&points, &local).filter(is_sound)?,
    };
    let named = triangles.iter().map(|t| t.map(|k| corners[k as usize]));
    Some(named.collect())
}

/// Ears of loops that touch nothing: any number of them, or one with holes. None where there are more corners, or another
/// arrangement.
fn of_loops(points: &[DVec2], edges: &[[u32; 2]]) -> Option<Vec<[u32; 3]>> {
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
        return Some(loops.into_iter().flat_map(|l| small(points, l)).collect());
    }
    (outer == 1 && points.len() <= MANY).then(|| ears(points, bridged(points, loops)))
}

/// More corners than this are not worth cutting ears: it takes time in proportion to their square.
const MANY: usize = 2 * FEW;
