//! The section of a polytope with a face's plane, and the classification of the section's edges against the face.
//!
//! Whether the face is present on one side of an edge is asked on the edge's line, shifted infinitely little to that side
//! (a symbolic perturbation). Then no corner lies on the line, and the answer is a count of crossings that signs alone
//! decide. That one rule covers touching, coplanar and shared edges without special cases.
use super::face::{Corner, Face};
use super::loops::{Edge, edge_crossing};
use super::polytope::Polytope;
use crate::exact::{Facing, Line, Planes, Point, meet, side};
use crate::geom::ring;
use glam::DVec3;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// An edge of the section; the section is on its left, seen against the face's facing.
#[derive(Clone, Debug)]
pub struct SectionEdge {
    /// The facet it lies on.
    pub facet: usize,
    /// Facing of the plane that makes the line, outwards.
    pub plane: Facing,
    /// Start and end; None where the edge misses the face's box, so that it does not matter.
    pub ends: Option<[Point; 2]>,
    /// Whether it is a whole edge of the polytope.
    pub whole_edge: bool,
}

impl SectionEdge {
    fn reversed(mut self) -> SectionEdge {
        self.ends = self.ends.map(|[from, to]| [to, from]);
        self
    }
}

/// Intervals of a line, each from its first point to its second along the line's direction.
pub type Intervals = SmallVec<[(Point, Point); 1]>;

/// Where edges of a face cross lines of a section: (edge, counted through all loops; edge of the section; point). Rising.
pub type Crossings = Vec<(u32, u32, Point)>;

/// A facet that a plane crosses, with the edges at which its boundary leaves the half-space behind the plane and enters it
/// again.
struct CrossedFacet {
    facet: u32,
    leaves: usize,
    enters: usize,
}

/// The section by a plane that has corners on both sides (`sides`); edges counter-clockwise seen against `facing`. Only
/// edges on the facets `wanted`, rising: the face lies well behind all others, and in the box `lo..hi`.
pub fn plane_section(
    planes: &Planes,
    p: &Polytope,
    sides: &[i8],
    facing: Facing,
    wanted: &[u32],
    (lo, hi): (DVec3, DVec3),
) -> Option<Vec<SectionEdge>> {
    let mut hits: SmallVec<[CrossedFacet; 32]> = SmallVec::new();
    for &facet in wanted {
        let c = &p.facets[facet as usize].corners;
        let (mut leaves, mut enters) = (None, None);
        let mut before = sides[c[c.len() - 1] as usize] < 0;
        for (k, &corner) in c.iter().enumerate() {
            let here = sides[corner as usize] < 0;
            if here != before {
                let edge = Some(if k == 0 { c.len() - 1 } else { k - 1 });
                *(if before { &mut leaves } else { &mut enters }) = edge;
            }
            before = here;
        }
        if let (Some(leaves), Some(enters)) = (leaves, enters) {
            hits.push(CrossedFacet {
                facet,
                leaves,
                enters,
            });
        }
    }
    let across = |h: &CrossedFacet, k: usize| p.facets[h.facet as usize].across[k];
    let find = |facet: u32| hits.binary_search_by_key(&facet, |h| h.facet).ok();
    // The corner of an edge of a facet that lies on the plane, if one does, and both its corners.
    let ends = |h: &CrossedFacet, k: usize| {
        let c = &p.facets[h.facet as usize].corners;
        let pair = [c[k], c[if k + 1 == c.len() { 0 } else { k + 1 }]];
        let on = pair.into_iter().find(|&v| sides[v as usize] == 0);
        (on, pair)
    };
    let point = |h: &CrossedFacet, k: usize| match ends(h, k) {
        (Some(v), _) => Some(p.corners[v as usize]),
        _ => {
            let two = [h.facet, across(h, k)].map(|f| p.facets[f as usize].plane.plane);
            meet(planes, [two[0], two[1], facing.plane])
        }
    };
    // Rounding down keeps order, so a point of an edge lies in the box of the edge's ends.
    let is_near = |h: &CrossedFacet| {
        let at = |v: u32| p.corners[v as usize].at;
        let (mut least, mut most) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for k in [h.enters, h.leaves] {
            let (on, [a, b]) = ends(h, k);
            let (a, b) = on.map_or((at(a), at(b)), |v| (at(v), at(v)));
            (least, most) = (least.min(a).min(b), most.max(a).max(b));
        }
        least.cmple(hi).all() && most.cmpge(lo).all()
    };
    let mut out = Vec::with_capacity(hits.len());
    let mut done: SmallVec<[bool; 32]> = SmallVec::from_elem(false, hits.len());
    for first in 0..hits.len() {
        if done[first] {
            continue;
        }
        // Facets follow each other around the section; where some are missing, begin with the first of a run.
        let mut at = first;
        while let Some(before) = find(across(&hits[at], hits[at].enters)) {
            if before == first {
                at = first;
                break;
            }
            at = before;
        }
        // End of the previous edge.
        let mut last: Option<Point> = None;
        loop {
            done[at] = true;
            let hit = &hits[at];
            let (from, to) = (ends(hit, hit.enters), ends(hit, hit.leaves));
            if from.0.is_none() || from.0 != to.0 {
                let near = is_near(hit);
                let ends = match near {
                    true => {
                        let start = match last {
                            Some(last) => last,
                            None => point(hit, hit.enters)?,
                        };
                        Some([start, point(hit, hit.leaves)?])
                    }
                    false => None,
                };
                last = ends.map(|e| e[1]);
                let whole_edge = from.0.is_some() && to.0.is_some() && {
                    let c = &p.facets[hit.facet as usize].corners;
                    let i = c.iter().position(|&v| Some(v) == from.0)?;
                    let is_to = |k: usize| Some(c[k]) == to.0;
                    is_to(ring::after(i, c.len())) || is_to(ring::before(i, c.len()))
                };
                out.push(SectionEdge {
                    facet: hit.facet as usize,
                    plane: p.facets[hit.facet as usize].plane,
                    ends,
                    whole_edge,
                });
            }
            match find(across(hit, hit.leaves)) {
                Some(next) if !done[next] => at = next,
                _ => break,
            }
        }
    }
    if facing.flip {
        out.reverse();
        out = out.into_iter().map(SectionEdge::reversed).collect();
    }
    Some(out)
}

/// A facet as the section by its own plane, counter-clockwise seen against `facing`.
pub fn facet_section(p: &Polytope, f: usize, facing: Facing) -> Vec<SectionEdge> {
    let facet = &p.facets[f];
    let n = facet.corners.len();
    let mut out: Vec<SectionEdge> = (0..n)
        .map(|k| {
            let other = facet.across[k] as usize;
            let (a, b) = (
                facet.corners[k] as usize,
                facet.corners[ring::after(k, n)] as usize,
            );
            let plane = p.facets[other].plane;
            SectionEdge {
                facet: other,
                plane,
                ends: Some([p.corners[a], p.corners[b]]),
                whole_edge: true,
            }
        })
        .collect();
    if facing != facet.plane {
        out.reverse();
        out = out.into_iter().map(SectionEdge::reversed).collect();
    }
    out
}

/// The complement of disjoint intervals of a line between two points, in the line's direction.
pub fn gaps(
    planes: &Planes,
    line: &Line,
    intervals: &[(Point, Point)],
    [from, to]: [&Point; 2],
) -> Intervals {
    let is_before = |a: &Point, b: &Point| line.cmp(planes, a, b) == Ordering::Less;
    let mut list = Intervals::from_slice(intervals);
    list.sort_by(|a, b| line.cmp(planes, &a.0, &b.0));
    let mut out = Intervals::new();
    let mut at = *from;
    for (a, b) in list {
        if is_before(&at, &a) {
            out.push((at, a));
        }
        at = b;
    }
    if is_before(&at, to) {
        out.push((at, *to));
    }
    out
}

/// The line in which a face's plane meets another; its direction is n_face × n_plane, the space behind `plane` on its left.
pub fn intersection_line(planes: &Planes, face: Facing, plane: Facing) -> Line {
    let line = Line::new(planes, (face.plane, plane.plane));
    if face.sign() * plane.sign() < 0 {
        line.reversed()
    } else {
        line
    }
}

/// The edges of a face near a box: all that a section there can meet.
#[derive(Default)]
pub struct NearEdges {
    /// Edges, counted through all loops, with their two corners among [`NearEdges::corners`]. Rising.
    edges: Vec<(u32, [u32; 2])>,
    /// Corners: (loop, index in it).
    corners: Vec<[u32; 2]>,
    /// Whether these are all of the face's edges.
    is_all: bool,
}

impl NearEdges {
    /// Finds the edges whose boxes touch the box `lo..hi`.
    pub fn find(&mut self, face: &Face, lo: DVec3, hi: DVec3) {
        self.edges.clear();
        self.corners.clear();
        let mut first = 0;
        for (i, l) in (0..).zip(&face.loops) {
            let n = l.len();
            let start = self.corners.len() as u32;
            let mut last = None;
            for k in 0..n {
                let next = if k + 1 == n { 0 } else { k + 1 };
                let (a, b) = (l[k].point.at, l[next].point.at);
                if a.min(b).cmpgt(hi).any() || a.max(b).cmplt(lo).any() {
                    last = None;
                    continue;
                }
                let a = last.unwrap_or_else(|| self.add([i, k as u32]));
                // The loop closes at its first corner, if that is in the list.
                let is_back = next == 0 && self.corners[start as usize] == [i, 0];
                let b = match is_back {
                    true => start,
                    false => self.add([i, next as u32]),
                };
                self.edges.push((first + k as u32, [a, b]));
                last = Some(b);
            }
            first += n as u32;
        }
        self.is_all = self.edges.len() as u32 == first;
    }

    fn add(&mut self, corner: [u32; 2]) -> u32 {
        self.corners.push(corner);
        self.corners.len() as u32 - 1
    }

    /// The number of corners: sides for one edge of a section.
    pub fn width(&self) -> usize {
        self.corners.len()
    }

    /// Appends the corners' sides of one facing: +1 in front of it.
    pub fn push_sides(&self, planes: &Planes, face: &Face, plane: Facing, out: &mut Vec<i8>) {
        let corners = self.corners.iter();
        let corners = corners.map(|&[l, k]| &face.loops[l as usize][k as usize]);
        out.extend(corner_sides(planes, plane, corners));
    }
}

/// Where a face is present along an edge of a section.
#[derive(Default)]
pub struct EdgeClassification {
    /// Intervals just outside the section.
    pub outer: Intervals,
    /// Intervals just inside.
    pub inner: Intervals,
    /// Whether an edge of the face passes exactly through the edge's start, its end.
    pub touches: [bool; 2],
    /// Whether the face is present just outside the edge's end, just inside.
    at_end: [bool; 2],
}

impl EdgeClassification {
    /// Whether the face surrounds the edge's end (true) or misses it (false); None where it does neither.
    pub fn surrounds_end(&self) -> Option<bool> {
        let [outer, inner] = self.at_end;
        (!self.touches[1] && outer == inner).then_some(inner)
    }
}

/// Where the face is present just in front of and just behind `plane`, along their common line between `from` and `to`.
pub fn classify_edge(
    planes: &Planes,
    face: &Face,
    plane: Facing,
    from: &Point,
    to: &Point,
) -> EdgeClassification {
    let mut sides: SmallVec<[i8; 64]> = SmallVec::new();
    sides.extend(corner_sides(planes, plane, face.loops.iter().flatten()));
    let mut rest = &sides[..];
    let edges = face.loops.iter().flat_map(|l| {
        let (here, beyond) = rest.split_at(l.len());
        rest = beyond;
        let next = |k: usize| if k + 1 == l.len() { 0 } else { k + 1 };
        (0..l.len()).map(move |k| (k as u32, [&l[k], &l[next(k)]], [here[k], here[next(k)]]))
    });
    let is_plain = !sides.contains(&0);
    sweep_crossings(
        planes,
        face,
        plane,
        (edges, is_plain),
        [from, to],
        None,
        |_| None,
    )
}

/// The corners' sides of one facing: +1 in front of it.
fn corner_sides<'a>(
    planes: &'a Planes,
    plane: Facing,
    corners: impl Iterator<Item = &'a Corner>,
) -> impl Iterator<Item = i8> {
    let (p, s) = (&planes[plane.plane], plane.sign() as i8);
    corners.map(move |c| {
        let at = c.point.at;
        // The filter of `side`, inlined.
        let t = p.nf[0] * at.x + p.nf[1] * at.y + p.nf[2] * at.z - p.df;
        if t > p.err {
            s
        } else if t < -p.err {
            -s
        } else {
            side(planes, &c.point, plane.plane) as i8 * s
        }
    })
}

/// [`classify_edge`] with the sides of the near corners given, and crossings of some of the face's edges with the plane.
/// `start` tells whether the face surrounds the edge's start, if that is known.
pub fn classify_edge_near(
    planes: &Planes,
    face: &Face,
    plane: Facing,
    (near, sides): (&NearEdges, &[i8]),
    [from, to]: [&Point; 2],
    start: Option<bool>,
    known: impl Fn(u32) -> Option<Point>,
) -> EdgeClassification {
    let start = match start {
        _ if near.is_all => None,
        // Far edges decide what there is at the start.
        None => return classify_edge(planes, face, plane, from, to),
        known => known,
    };
    let corner = |c: u32| {
        let [l, k] = near.corners[c as usize];
        &face.loops[l as usize][k as usize]
    };
    let edges = near.edges.iter();
    let edges =
        edges.map(|&(edge, ends)| (edge, ends.map(corner), ends.map(|c| sides[c as usize])));
    // Where no corner lies on the line, outer and inner intervals are the same.
    let is_plain = !sides.contains(&0);
    let edges = (edges, is_plain);
    sweep_crossings(planes, face, plane, edges, [from, to], start, known)
}

/// Counts crossings of a face's edges (number, corners, their sides) along a line: all of them, or, where the state at the
/// start is known, those from there on.
fn sweep_crossings<'a>(
    planes: &Planes,
    face: &Face,
    plane: Facing,
    (edges, is_plain): (impl Iterator<Item = (u32, [&'a Corner; 2], [i8; 2])>, bool),
    [from, to]: [&Point; 2],
    known_start: Option<bool>,
    known: impl Fn(u32) -> Option<Point>,
) -> EdgeClassification {
    let line = intersection_line(planes, face.plane, plane);
    let (start, end) = (line.along(from.at), line.along(to.at));
    let events = || Events {
        before: i32::from(known_start == Some(true)),
        list: SmallVec::new(),
    };
    let (mut outer, mut inner) = (events(), events());
    for (edge, [a, b], [sa, sb]) in edges {
        let out = (sa > 0) != (sb > 0);
        let inn = (sa < 0) != (sb < 0) && !is_plain;
        if !out && !inn {
            continue;
        }
        let steps = [if sb > 0 { 1 } else { -1 }, if sa < 0 { 1 } else { -1 }];
        // The position matters only between the two ends; rounding down keeps order.
        let (p, q) = (line.along(a.point.at), line.along(b.point.at));
        if p.min(q) > end {
            continue;
        }
        let at = (p.max(q) >= start).then(|| {
            known(edge).unwrap_or_else(|| {
                let signs = (sa as i32, sb as i32);
                edge_crossing(planes, face.plane.plane, a, b, signs, plane.plane).unwrap_or(a.point)
            })
        });
        if known_start.is_some()
            && at.is_none_or(|at| line.cmp(planes, &at, from) == Ordering::Less)
        {
            continue;
        }
        if out {
            outer.add(at, steps[0]);
        }
        if inn {
            inner.add(at, steps[1]);
        }
    }
    let mut touches = [false; 2];
    let (outer, outer_end) = outer.intervals(planes, &line, [from, to], &mut touches);
    let (inner, inner_end) = match is_plain {
        true => (outer.clone(), outer_end),
        false => inner.intervals(planes, &line, [from, to], &mut touches),
    };
    EdgeClassification {
        outer,
        inner,
        touches,
        at_end: [outer_end, inner_end],
    }
}

/// Sweep events along a line: a face begins (+1) or ends (-1).
struct Events {
    /// Sum of the events before the first point.
    before: i32,
    list: SmallVec<[(Point, i32); 4]>,
}

impl Events {
    fn add(&mut self, at: Option<Point>, step: i32) {
        match at {
            Some(at) => self.list.push((at, step)),
            None => self.before += step,
        }
    }

    /// Where the face is present between two points, and whether it is at the second. Sets `touches` where events happen at
    /// these points.
    fn intervals(
        mut self,
        planes: &Planes,
        line: &Line,
        [from, to]: [&Point; 2],
        touches: &mut [bool; 2],
    ) -> (Intervals, bool) {
        let cmp = |a: &Point, b: &Point| line.cmp(planes, a, b);
        let events = &mut self.list[..];
        events.sort_by(|a, b| cmp(&a.0, &b.0));
        let mut out = Intervals::new();
        let mut add = |a: Point, b: Point| {
            if cmp(&a, &b) == Ordering::Less {
                out.push((a, b));
            }
        };
        let mut count = self.before;
        let mut open = (count > 0).then_some(*from);
        let mut k = 0;
        while k < events.len() {
            let p = events[k].0;
            let (at_from, at_to) = (cmp(&p, from), cmp(&p, to));
            touches[0] |= at_from == Ordering::Equal;
            touches[1] |= at_to == Ordering::Equal;
            if at_to == Ordering::Greater {
                break;
            }
            count += events[k].1;
            k += 1;
            while k < events.len() && cmp(&events[k].0, &p) == Ordering::Equal {
                count += events[k].1;
                k += 1;
            }
            match (open, count > 0) {
                (None, true) => {
                    open = Some(if at_from == Ordering::Less { *from } else { p });
                }
                (Some(start), false) => {
                    add(start, p);
                    open = None;
                }
                _ => {}
            }
        }
        if let Some(start) = open {
            add(start, *to);
        }
        (out, open.is_some())
    }
}

/// The parts of a face's edges outside a section.
pub struct OutsideEdges {
    /// The edges, cut where they enter and leave.
    pub edges: Vec<Edge>,
    /// Whether parts strictly inside were cut away.
    pub cut: bool,
    /// Whether all edges are unchanged.
    pub is_whole: bool,
}

/// The edges of a face that are neither inside the section nor on its boundary, cut where they enter and leave; these
/// crossings are noted. `sides` holds the sides of the `near` corners for each edge of the section.
pub fn edges_outside(
    planes: &Planes,
    face: &Face,
    section: &[SectionEdge],
    (near, sides): (&NearEdges, &[i8]),
    crossings: &mut Crossings,
) -> OutsideEdges {
    crossings.clear();
    let width = near.width();
    let count: usize = face.loops.iter().map(Vec::len).sum();
    let mut out = Vec::with_capacity(count + section.len());
    let (mut cut, mut is_whole) = (false, true);
    let mut nearby = near.edges.iter().peekable();
    let mut first = 0;
    for l in &face.loops {
        let n = l.len();
        let start = first;
        first += n;
        for k in 0..n {
            let next = if k + 1 == n { 0 } else { k + 1 };
            let (a, b) = (&l[k], &l[next]);
            let edge = |from, to| Edge {
                from,
                to,
                line: a.line,
            };
            let number = (start + k) as u32;
            let Some(&(_, ends)) = nearby.next_if(|e| e.0 == number) else {
                out.push(edge(a.point, b.point));
                continue;
            };
            let pair = |i: usize| {
                let row = i * width;
                (sides[row + ends[0] as usize], sides[row + ends[1] as usize])
            };
            let mut is_outside = false;
            let mut on_boundary = None;
            let mut crossed: SmallVec<[usize; 8]> = SmallVec::new();
            for i in 0..section.len() {
                let (sa, sb) = pair(i);
                if sa * sb < 0 {
                    crossed.push(i);
                } else if sa == 0 && sb == 0 {
                    on_boundary = on_boundary.or(Some(i));
                } else if sa >= 0 && sb >= 0 {
                    is_outside = true;
                    break;
                }
            }
            // Outside one line of the section; or on one whose edge of the section does not matter here.
            let boundary_ends = on_boundary.map(|i| section[i].ends.as_ref());
            if is_outside || matches!(boundary_ends, Some(None)) {
                out.push(edge(a.point, b.point));
                continue;
            }
            let was_whole = std::mem::replace(&mut is_whole, false);
            let mut crossing = |i: usize| {
                let x = meet(planes, [face.plane.plane, a.line, section[i].plane.plane])?;
                crossings.push((number, i as u32, x));
                Some(x)
            };
            if let (None, &[i]) = (boundary_ends, &crossed[..]) {
                cut = true;
                if let Some(x) = crossing(i) {
                    out.push(match pair(i).0 > 0 {
                        true => edge(a.point, x),
                        false => edge(x, b.point),
                    });
                }
                continue;
            }
            if boundary_ends.is_none() && crossed.is_empty() {
                cut = true;
                continue;
            }
            let line = Line::new(planes, (face.plane.plane, a.line));
            let order = line.cmp(planes, &a.point, &b.point);
            let less = |p: &Point, q: &Point| line.cmp(planes, p, q) == order;
            let (mut enter, mut leave) = (a.point, b.point);
            if let Some(Some(&[from, to])) = boundary_ends {
                // On the section's boundary: the part on the section's edge is left out; its classification says where the
                // face continues.
                let (lo, hi) = if less(&from, &to) {
                    (from, to)
                } else {
                    (to, from)
                };
                if less(&enter, &lo) {
                    enter = lo;
                }
                if less(&hi, &leave) {
                    leave = hi;
                }
            } else {
                for &i in &crossed {
                    let Some(x) = crossing(i) else {
                        continue;
                    };
                    if pair(i).0 > 0 {
                        if less(&enter, &x) {
                            enter = x;
                        }
                    } else if less(&x, &leave) {
                        leave = x;
                    }
                }
                if less(&enter, &leave) {
                    cut = true;
                }
            }
            if !less(&enter, &leave) {
                out.push(edge(a.point, b.point));
                is_whole = was_whole;
                continue;
            }
            if less(&a.point, &enter) {
                out.push(edge(a.point, enter));
            }
            if less(&leave, &b.point) {
                out.push(edge(leave, b.point));
            }
        }
    }
    OutsideEdges {
        edges: out,
        cut,
        is_whole,
    }
}
