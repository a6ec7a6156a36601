//! The new faces that a polytope's facets leave behind.
//!
//! A part of a facet becomes a face where what lies on both its sides is solid (carve) or air (fill). The rim of that
//! region runs along the lines on which level faces meet the facet, and along the facet's own edges. On each stretch
//! of such a line the half-planes of all faces there are known; the sector between two half-planes is air or solid as
//! their normals say. What no face touches is decided by walking on along the facet's rim, from facet to facet, and
//! for a polytope that touches nothing by one exact location.
use super::Op;
use super::face::{Face, alive};
use super::inside::{Place, depth};
use super::loops::Edge;
use super::polytope::Polytope;
use super::section::{Beside, Stretches, line_of, stretches};
use crate::exact::{Facing, Line, Planes, Point, equal, side, turn};
use crate::geom::ring;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// A level face's plane crossing a facet's plane, with where the face is present on the two sides of the facet.
#[derive(Clone, Debug)]
pub struct Member {
    /// The level face's plane, facing into the air.
    pub plane: Facing,
    /// Stretches on the facet's outer side, along n_face × n_facet.
    pub outer: Stretches,
    /// Stretches on its inner side; none where they are the same.
    pub inner: Option<Stretches>,
}

impl Member {
    fn inner(&self) -> &Stretches {
        self.inner.as_ref().unwrap_or(&self.outer)
    }
}

/// What is known about a facet.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    /// Faces that cross it within.
    pub members: Vec<Member>,
    /// Faces in its plane (indices into the slab).
    pub flush: Vec<u32>,
    /// Faces whose plane holds a whole edge: (edge of the facet, face).
    pub edges: Vec<(usize, u32)>,
    /// Something lies exactly on its edges or corners.
    pub touching: bool,
    /// Of a facet in the plane of a cell's wall, where that is known: along its edges, in its order, whether there is air
    /// at them. Its faces are made elsewhere.
    pub wall: Option<Vec<Shore>>,
}

/// A stretch of a wall facet's edge: the edge, from, to, whether there is air in the corner of the facet there.
pub type Shore = (usize, Point, Point, bool);

/// Air on the left above, left below, right above, right below of a stretch, looking along it with the facet's
/// outward normal up.
struct Around {
    left: [bool; 2],
    right: [bool; 2],
}

/// Half-planes present on a stretch: planes with their facing on the outer and inner side, flush faces to both sides.
#[derive(Default)]
struct HalfPlanes {
    outer: Vec<Facing>,
    inner: Vec<Facing>,
    left: Option<Facing>,
    right: Option<Facing>,
}

impl HalfPlanes {
    fn is_empty(&self) -> bool {
        self.outer.is_empty()
            && self.inner.is_empty()
            && self.left.is_none()
            && self.right.is_none()
    }

    /// `ref_plane` and `up` make the line; its direction is n_ref × n_up (facings).
    fn around(&self, planes: &Planes, ref_plane: Facing, up: Facing) -> Around {
        let pair = (ref_plane.plane, up.plane);
        let pair_sign = ref_plane.sign() * up.sign();
        // The stored normal, turned so that it points left: n × up along the direction.
        let points_left = |f: Facing| -> bool {
            if f.plane == ref_plane.plane {
                return f == ref_plane;
            }
            turn(planes, f.plane, up.plane, pair) * f.sign() * up.sign() * pair_sign > 0
        };
        // (N_a × N_b)·direction, both normals turned left.
        let ahead = |a: Facing, b: Facing| -> i32 {
            if a.plane == b.plane {
                return 0;
            }
            let t = turn(planes, a.plane, b.plane, pair) * a.sign() * b.sign() * pair_sign;
            let flips = points_left(a) == points_left(b);
            if flips { t } else { -t }
        };
        // Above, the half-plane of a is left of that of b where the normals turn from a to b; below, the other way.
        let extreme = |list: &[Facing], want: i32| -> Option<Facing> {
            let mut best = *list.first()?;
            for &f in &list[1..] {
                if ahead(f, best) == want {
                    best = f;
                }
            }
            Some(best)
        };
        // On the left of a half-plane there is air where its normal points left.
        let from_top = |want| extreme(&self.outer, want);
        let from_below = |want| extreme(&self.inner, want);
        let left_open = from_top(1).or_else(|| from_below(-1)).map(points_left);
        let right_open = from_top(-1)
            .or_else(|| from_below(1))
            .map(|f| !points_left(f));
        let split =
            |flush: Option<Facing>, open: Option<bool>, other: Option<Facing>| -> [bool; 2] {
                match flush {
                    Some(f) => [f == up, f != up],
                    None => [open.unwrap_or(other == Some(up)); 2],
                }
            };
        Around {
            left: split(self.left, left_open, self.right),
            right: split(self.right, right_open, self.left),
        }
    }
}

/// Whether a face goes here: solid on both sides for a carve, air on both for a fill.
fn wanted(op: Op, air: [bool; 2]) -> bool {
    match op {
        Op::Carve => !air[0] && !air[1],
        Op::Fill => air[0] && air[1],
    }
}

type States = SmallVec<[bool; 8]>;

/// The rim of one facet: stretches along its edges with what is known of the inside there.
#[derive(Default)]
struct Rim {
    /// (facet edge, from, to, wanted if half-planes say so, change of the count when entering this stretch).
    /// Of a facet that nothing touches none, but one state for all its edges.
    stretches: Vec<(usize, Point, Point, Option<bool>, i32)>,
    /// Resolved: wanted or not, as the stretches.
    state: Option<States>,
}

impl Rim {
    /// One state for all stretches.
    fn all(&self, state: bool) -> States {
        SmallVec::from_elem(state, self.stretches.len().max(1))
    }
}

/// Points of a line; each once and in order after [`merge_points`].
type Along = SmallVec<[Point; 6]>;

fn merge_points(planes: &Planes, line: &Line, mut points: Along) -> Along {
    points.sort_by(|a, b| line.cmp(planes, a, b));
    points.dedup_by(|a, b| equal(planes, a, b));
    points
}

/// Two points as they follow each other along a line.
fn in_order<'a>(
    planes: &Planes,
    line: &Line,
    a: &'a Point,
    b: &'a Point,
) -> (&'a Point, &'a Point) {
    if line.cmp(planes, a, b) == Ordering::Less {
        (a, b)
    } else {
        (b, a)
    }
}

fn covers(planes: &Planes, line: &Line, list: &Stretches, a: &Point, b: &Point) -> bool {
    list.iter().any(|(p, q)| {
        let (p, q) = in_order(planes, line, p, q);
        line.cmp(planes, p, a) != Ordering::Greater && line.cmp(planes, b, q) != Ordering::Greater
    })
}

/// Where each flush face lies beside a line of the facet's plane: (facing, right of the line, left of it).
type FlushSides = Vec<(Facing, Stretches, Stretches)>;

fn half_planes(
    planes: &Planes,
    line: &Line,
    members: &[&Member],
    flush: &FlushSides,
    a: &Point,
    b: &Point,
) -> HalfPlanes {
    let mut h = HalfPlanes::default();
    for m in members {
        if covers(planes, line, &m.outer, a, b) {
            h.outer.push(m.plane);
        }
        if covers(planes, line, m.inner(), a, b) {
            h.inner.push(m.plane);
        }
    }
    for (facing, right, left) in flush {
        if covers(planes, line, right, a, b) {
            h.right = Some(*facing);
        }
        if covers(planes, line, left, a, b) {
            h.left = Some(*facing);
        }
    }
    h
}

/// The regions of new faces on every facet, as edges seen against the facet's outward facing; empty where none.
pub fn regions(
    planes: &Planes,
    faces: &[Option<Face>],
    p: &Polytope,
    touched: &[Touched],
    op: Op,
) -> Vec<Vec<Edge>> {
    let mut inner_edges: Vec<Vec<Edge>> = Vec::with_capacity(p.facets.len());
    let mut rims: Vec<Rim> = Vec::with_capacity(p.facets.len());
    for (i, t) in touched.iter().enumerate() {
        if let Some(shores) = &t.wall {
            let known = |&(k, from, to, air): &Shore| (k, from, to, Some(wanted(op, [air; 2])), 0);
            rims.push(Rim {
                stretches: shores.iter().map(known).collect(),
                state: None,
            });
            inner_edges.push(Vec::new());
            continue;
        }
        if t.members.is_empty() && t.flush.is_empty() && t.edges.is_empty() {
            rims.push(Rim::default());
            inner_edges.push(Vec::new());
            continue;
        }
        let edges = interior(planes, faces, p, i, t, op);
        rims.push(rim(planes, faces, p, i, t, op, &edges));
        inner_edges.push(edges);
    }
    resolve(planes, faces, p, &mut rims, op);
    for (i, rim) in rims.into_iter().enumerate() {
        if touched[i].wall.is_some() {
            continue;
        }
        let state = rim.state.unwrap_or_default();
        if rim.stretches.is_empty() && state[..] == [true] {
            inner_edges[i] = whole_rim(p, i);
        }
        for ((k, from, to, _, _), on) in rim.stretches.iter().zip(state) {
            if on {
                let line = p.facets[p.facets[i].across[*k] as usize].plane.plane;
                inner_edges[i].push(Edge {
                    from: *from,
                    to: *to,
                    line,
                });
            }
        }
    }
    inner_edges
}

/// All edges of a facet.
fn whole_rim(p: &Polytope, i: usize) -> Vec<Edge> {
    let facet = &p.facets[i];
    let edge = |((&from, &to), &across): ((&u32, &u32), &u32)| Edge {
        from: p.corners[from as usize],
        to: p.corners[to as usize],
        line: p.facets[across as usize].plane.plane,
    };
    let ends = ring::pairs(&facet.corners);
    ends.zip(&facet.across).map(edge).collect()
}

/// Rim edges of the wanted region inside the facet, region on the left.
fn interior(
    planes: &Planes,
    faces: &[Option<Face>],
    p: &Polytope,
    i: usize,
    t: &Touched,
    op: Op,
) -> Vec<Edge> {
    let up = p.facets[i].plane;
    let mut out = Vec::new();
    let simple = t.flush.is_empty()
        && t.members.iter().all(|m| {
            let pairs = || m.outer.iter().zip(m.inner());
            let is_same = |(a, b): (&(Point, Point), &(Point, Point))| {
                equal(planes, &a.0, &b.0) && equal(planes, &a.1, &b.1)
            };
            m.inner.is_none() || (m.outer.len() == m.inner().len() && pairs().all(is_same))
        });
    if simple {
        for m in &t.members {
            for &(from, to) in &m.outer {
                // Along n_face × n_facet the air is on the left.
                let (from, to) = if op == Op::Fill {
                    (from, to)
                } else {
                    (to, from)
                };
                out.push(Edge {
                    from,
                    to,
                    line: m.plane.plane,
                });
            }
        }
        return out;
    }
    let mut done = vec![false; t.members.len()];
    for k in 0..t.members.len() {
        let first = &t.members[k];
        let Some(probe) = first.outer.first().or(first.inner().first()) else {
            continue;
        };
        if done[k] {
            continue;
        }
        let same_line = |m: &Member| {
            m.plane.plane == first.plane.plane
                || (side(planes, &probe.0, m.plane.plane) == 0
                    && side(planes, &probe.1, m.plane.plane) == 0)
        };
        let group: Vec<usize> = (k..t.members.len())
            .filter(|&j| !done[j] && same_line(&t.members[j]))
            .collect();
        let members: Vec<&Member> = group.iter().map(|&j| &t.members[j]).collect();
        for &j in &group {
            done[j] = true;
        }
        let line = line_of(planes, first.plane, up);
        let mut points = Along::new();
        for m in &members {
            points.extend(m.outer.iter().chain(m.inner()).flat_map(|s| [s.0, s.1]));
        }
        let points_ends = merge_points(planes, &line, points.clone());
        let (Some(lo), Some(hi)) = (points_ends.first(), points_ends.last()) else {
            continue;
        };
        let mut flush: FlushSides = Vec::new();
        for &id in &t.flush {
            let f = alive(faces, id);
            // Right of the line is behind the first member's plane, left in front of it.
            let (from, to) = if f.plane == up { (hi, lo) } else { (lo, hi) };
            let Beside {
                outer: left,
                inner: right,
                ..
            } = stretches(planes, f, first.plane, from, to);
            points.extend(left.iter().chain(&right).flat_map(|s| [s.0, s.1]));
            flush.push((f.plane, right, left));
        }
        let points = merge_points(planes, &line, points);
        for w in points.windows(2) {
            let h = half_planes(planes, &line, &members, &flush, &w[0], &w[1]);
            if h.is_empty() {
                continue;
            }
            let around = h.around(planes, first.plane, up);
            match (wanted(op, around.left), wanted(op, around.right)) {
                (true, false) => out.push(Edge {
                    from: w[0],
                    to: w[1],
                    line: first.plane.plane,
                }),
                (false, true) => out.push(Edge {
                    from: w[1],
                    to: w[0],
                    line: first.plane.plane,
                }),
                _ => {}
            }
        }
    }
    out
}

/// The facet's own edges in stretches, with what half-planes say of the inside and where inner edges arrive.
fn rim(
    planes: &Planes,
    faces: &[Option<Face>],
    p: &Polytope,
    i: usize,
    t: &Touched,
    op: Op,
    inner: &[Edge],
) -> Rim {
    let facet = &p.facets[i];
    let up = facet.plane;
    let n = facet.corners.len();
    // Where an inner edge ends on the rim: (edge of the facet, point, +1 arriving or -1 leaving).
    let mut arrivals: SmallVec<[(usize, Point, i32); 8]> = SmallVec::new();
    for e in inner {
        for (point, change) in [(e.to, 1), (e.from, -1)] {
            let on: SmallVec<[usize; 4]> = (0..n)
                .filter(|&k| {
                    side(
                        planes,
                        &point,
                        p.facets[facet.across[k] as usize].plane.plane,
                    ) == 0
                })
                .collect();
            match on[..] {
                [] => {}
                [k] => arrivals.push((k, point, change)),
                // A corner belongs to the edge that starts there.
                _ => {
                    let at = on
                        .iter()
                        .find(|&&k| equal(planes, &p.corners[facet.corners[k] as usize], &point));
                    arrivals.push((*at.unwrap_or(&on[0]), point, change));
                }
            }
        }
    }
    let mut out = Vec::with_capacity(n + arrivals.len());
    for k in 0..n {
        let (a, b) = (
            p.corners[facet.corners[k] as usize],
            p.corners[facet.corners[ring::after(k, n)] as usize],
        );
        let is_plain = t.edges.is_empty() && t.flush.is_empty();
        if is_plain && arrivals.iter().all(|x| x.0 != k) {
            // Nothing happens here: the whole edge is one stretch.
            out.push((k, a, b, None, 0));
            continue;
        }
        let other = p.facets[facet.across[k] as usize].plane;
        if is_plain {
            // Inner edges end here and nothing else is known.
            let line = line_of(planes, other, up);
            let order = line.cmp(planes, &a, &b);
            let line = match order {
                Ordering::Less => line,
                _ => line.reversed(),
            };
            let here = arrivals.iter().filter(|x| x.0 == k);
            let mut here: SmallVec<[&(usize, Point, i32); 8]> = here.collect();
            here.sort_by(|x, y| line.cmp(planes, &x.1, &y.1));
            let (mut from, mut change) = (a, 0);
            for &&(_, at, step) in &here {
                if !equal(planes, &from, &at) {
                    out.push((k, from, at, None, change));
                    (from, change) = (at, 0);
                }
                change += step;
            }
            if !equal(planes, &from, &b) {
                out.push((k, from, b, None, change));
            }
            continue;
        }
        // Counter-clockwise the inside is on the left: the direction n_ref × up has n_ref to its left.
        let inward = other.opposite();
        // n_ref must point left of the edge; -n_other does so for every convex angle but has to be told by order.
        let line = line_of(planes, inward, up);
        let reference = if line.cmp(planes, &a, &b) == Ordering::Less {
            inward
        } else {
            other
        };
        let line = line_of(planes, reference, up);
        let mut members: Vec<Member> = Vec::new();
        let mut points = Along::from_slice(&[a, b]);
        for &(edge, id) in &t.edges {
            let f = alive(faces, id);
            if edge != k || f.plane.plane == up.plane {
                continue;
            }
            let (from, to) = in_order(planes, &line_of(planes, f.plane, up), &a, &b);
            let Beside { outer, inner, .. } = stretches(planes, f, up, from, to);
            if !outer.is_empty() || !inner.is_empty() {
                points.extend(outer.iter().chain(&inner).flat_map(|s| [s.0, s.1]));
                members.push(Member {
                    plane: f.plane,
                    outer,
                    inner: Some(inner),
                });
            }
        }
        let mut flush: FlushSides = Vec::new();
        for &id in &t.flush {
            let f = alive(faces, id);
            let (from, to) = in_order(planes, &line_of(planes, f.plane, reference), &a, &b);
            let Beside {
                outer: left,
                inner: right,
                ..
            } = stretches(planes, f, reference, from, to);
            points.extend(left.iter().chain(&right).flat_map(|s| [s.0, s.1]));
            flush.push((f.plane, right, left));
        }
        points.extend(arrivals.iter().filter(|x| x.0 == k).map(|x| x.1));
        let points = merge_points(planes, &line, points);
        let refs: Vec<&Member> = members.iter().collect();
        for w in points.windows(2) {
            let h = half_planes(planes, &line, &refs, &flush, &w[0], &w[1]);
            let known = (!h.is_empty()).then(|| wanted(op, h.around(planes, reference, up).left));
            let change = arrivals
                .iter()
                .filter(|x| x.0 == k && equal(planes, &x.1, &w[0]))
                .map(|x| x.2)
                .sum();
            out.push((k, w[0], w[1], known, change));
        }
    }
    Rim {
        stretches: out,
        state: None,
    }
}

/// Gives every rim its states: from half-planes, from arriving edges, from neighbours, or by one location.
fn resolve(planes: &Planes, faces: &[Option<Face>], p: &Polytope, rims: &mut [Rim], op: Op) {
    let walk = |rim: &Rim, start: i32| -> States {
        let mut count = start;
        rim.stretches
            .iter()
            .map(|s| {
                count += s.4;
                if let Some(known) = s.3 {
                    count = known as i32;
                }
                count > 0
            })
            .collect()
    };
    let mut queue = Vec::new();
    for (i, rim) in rims.iter_mut().enumerate() {
        let mut count = 0;
        let mut start = None;
        let (mut lo, mut hi) = (0, 0);
        for s in &rim.stretches {
            count += s.4;
            (lo, hi) = (lo.min(count), hi.max(count));
            if let (Some(known), None) = (s.3, start) {
                start = Some(known as i32 - count);
            }
        }
        if start.is_none() && lo != hi {
            start = Some(-lo);
        }
        if let Some(start) = start {
            rim.state = Some(walk(rim, start));
            queue.push(i);
        }
    }
    loop {
        while let Some(i) = queue.pop() {
            for k in 0..p.facets[i].across.len() {
                let j = p.facets[i].across[k] as usize;
                if rims[j].state.is_some() {
                    continue;
                }
                let stretches = &rims[i].stretches;
                let found = match stretches.is_empty() {
                    true => Some(0),
                    false => stretches.iter().position(|s| s.0 == k),
                };
                let value = match (found, &rims[i].state) {
                    (Some(at), Some(state)) => state[at],
                    _ => continue,
                };
                rims[j].state = Some(rims[j].all(value));
                queue.push(j);
            }
        }
        // What nothing touches lies all in air or all in solid: as the place just behind it does, at one of its edges.
        let Some(i) = rims.iter().position(|rim| rim.state.is_none()) else {
            break;
        };
        let place = within(planes, p, i);
        let air = depth(planes, faces.iter().flatten(), &place) < 0;
        rims[i].state = Some(rims[i].all(wanted(op, [air; 2])));
        queue.push(i);
    }
}

/// Just behind a facet, at its first edge.
fn within(planes: &Planes, p: &Polytope, facet: usize) -> Place {
    let facet = &p.facets[facet];
    let [a, b] = [0, 1].map(|k| p.corners[facet.corners[k] as usize]);
    let across = p.facets[facet.across[0] as usize].plane;
    let line = Line::new(planes, (facet.plane.plane, across.plane));
    Place {
        beside: if line.cmp(planes, &a, &b).is_lt() {
            a
        } else {
            b
        },
        before: [facet.plane.opposite(), across.opposite()],
    }
}
