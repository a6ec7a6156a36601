//! The new faces on a polytope's facets.
//!
//! A part of a facet becomes a face where both its sides are solid (carve) or air (fill). The boundary of that region
//! runs along the lines in which faces meet the facet, and along the facet's own edges. On each interval of such a line
//! the half-planes of all faces there are known; the sector between two half-planes is air or solid as their normals
//! say. Where no face touches the facet, the state spreads along its rim from facet to facet; for a polytope that touches
//! nothing, one exact point location decides.
use super::Op;
use super::face::{Face, live_face};
use super::loops::Edge;
use super::polytope::Polytope;
use super::section::{EdgeClassification, Intervals, classify_edge, intersection_line};
use super::winding::{PerturbedPoint, winding_number};
use crate::exact::{Facing, Line, Planes, Point, equal, side, turn};
use crate::geom::ring;
use smallvec::SmallVec;
use std::cmp::Ordering;

/// A face whose plane crosses a facet's, with where the face is present on the two sides of the facet.
#[derive(Clone, Debug)]
pub struct CrossingFace {
    /// The face's plane, facing into the air.
    pub plane: Facing,
    /// Intervals on the facet's outer side, along n_face × n_facet.
    pub outer: Intervals,
    /// Intervals on its inner side; None where they are the same.
    pub inner: Option<Intervals>,
}

impl CrossingFace {
    fn inner(&self) -> &Intervals {
        self.inner.as_ref().unwrap_or(&self.outer)
    }
}

/// Everything that meets one facet.
#[derive(Clone, Debug, Default)]
pub struct FacetContacts {
    /// Faces that cross its interior.
    pub crossing: Vec<CrossingFace>,
    /// Faces in its plane (indices into the slab).
    pub coplanar: Vec<u32>,
    /// Faces whose plane contains a whole edge: (edge of the facet, face).
    pub edges: Vec<(usize, u32)>,
    /// Something lies exactly on its edges or corners.
    pub touching: bool,
    /// For a facet in the plane of a cell's wall: air and solid along its edges, in their order. Its faces are made
    /// elsewhere.
    pub wall: Option<Vec<WallInterval>>,
}

/// An interval of a wall facet's edge.
#[derive(Clone, Debug)]
pub struct WallInterval {
    /// The edge of the facet.
    pub edge: usize,
    /// Start, in the direction of the edge.
    pub from: Point,
    /// End.
    pub to: Point,
    /// Whether the cell has air there, just inside the polytope.
    pub is_air: bool,
}

/// Whether there is air in the four quadrants around an interval, looking along it with the facet's outward normal up:
/// [above, below] each.
struct Quadrants {
    left: [bool; 2],
    right: [bool; 2],
}

/// Half-planes that bound on an interval: of crossing faces above and below the facet, of coplanar ones left and right.
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

    /// The quadrants around the line of `ref_plane` and `up`; its direction is n_ref × n_up (facings).
    fn quadrants(&self, planes: &Planes, ref_plane: Facing, up: Facing) -> Quadrants {
        let pair = (ref_plane.plane, up.plane);
        let pair_sign = ref_plane.sign() * up.sign();
        // Whether a normal points left of the direction.
        let points_left = |f: Facing| -> bool {
            if f.plane == ref_plane.plane {
                return f == ref_plane;
            }
            turn(planes, f.plane, up.plane, pair) * f.sign() * up.sign() * pair_sign > 0
        };
        // Sign of (n_a × n_b)·direction, both normals turned to point left.
        let ahead = |a: Facing, b: Facing| -> i32 {
            if a.plane == b.plane {
                return 0;
            }
            let t = turn(planes, a.plane, b.plane, pair) * a.sign() * b.sign() * pair_sign;
            let flips = points_left(a) == points_left(b);
            if flips { t } else { -t }
        };
        // Above the facet, a's half-plane is left of b's where the normals turn from a to b; below, the other way.
        let extreme = |list: &[Facing], want: i32| -> Option<Facing> {
            let mut best = *list.first()?;
            for &f in &list[1..] {
                if ahead(f, best) == want {
                    best = f;
                }
            }
            Some(best)
        };
        // There is air on the left of a half-plane whose normal points left.
        let from_top = |want| extreme(&self.outer, want);
        let from_below = |want| extreme(&self.inner, want);
        let left_air = from_top(1).or_else(|| from_below(-1)).map(points_left);
        let right_air = from_top(-1)
            .or_else(|| from_below(1))
            .map(|f| !points_left(f));
        let split =
            |coplanar: Option<Facing>, air: Option<bool>, other: Option<Facing>| -> [bool; 2] {
                match coplanar {
                    Some(f) => [f == up, f != up],
                    None => [air.unwrap_or(other == Some(up)); 2],
                }
            };
        Quadrants {
            left: split(self.left, left_air, self.right),
            right: split(self.right, right_air, self.left),
        }
    }
}

/// Whether the facet becomes a face, given whether there is air above and below: solid on both sides for a carve, air on
/// both for a fill.
fn becomes_face(op: Op, air: [bool; 2]) -> bool {
    match op {
        Op::Carve => !air[0] && !air[1],
        Op::Fill => air[0] && air[1],
    }
}

type States = SmallVec<[bool; 8]>;

/// An interval of a facet's rim.
struct RimInterval {
    /// The edge of the facet.
    edge: usize,
    from: Point,
    to: Point,
    /// Whether the facet becomes a face here, if half-planes decide it.
    known: Option<bool>,
    /// Change of the state's count when entering this interval: interior edges that arrive at its start, less those
    /// that leave there.
    step: i32,
}

/// The rim of one facet.
#[derive(Default)]
struct Rim {
    /// Empty for a facet that nothing touches; it has one state for all its edges.
    intervals: Vec<RimInterval>,
    /// Whether the facet becomes a face, for each interval, once resolved.
    states: Option<States>,
}

impl Rim {
    /// One state for all intervals.
    fn all(&self, state: bool) -> States {
        SmallVec::from_elem(state, self.intervals.len().max(1))
    }
}

/// Points of a line.
type PointsOnLine = SmallVec<[Point; 6]>;

/// The points in order, each once.
fn sorted_unique(planes: &Planes, line: &Line, mut points: PointsOnLine) -> PointsOnLine {
    points.sort_by(|a, b| line.cmp(planes, a, b));
    points.dedup_by(|a, b| equal(planes, a, b));
    points
}

/// Two points in their order along a line.
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

/// Whether one of the intervals contains a..b.
fn covers(planes: &Planes, line: &Line, list: &Intervals, a: &Point, b: &Point) -> bool {
    list.iter().any(|(p, q)| {
        let (p, q) = in_order(planes, line, p, q);
        line.cmp(planes, p, a) != Ordering::Greater && line.cmp(planes, b, q) != Ordering::Greater
    })
}

/// Where each coplanar face lies beside a line of the facet's plane: (facing, right of the line, left of it).
type CoplanarSides = Vec<(Facing, Intervals, Intervals)>;

/// The half-planes on the interval a..b of a line.
fn half_planes_at(
    planes: &Planes,
    line: &Line,
    crossing: &[&CrossingFace],
    coplanar: &CoplanarSides,
    a: &Point,
    b: &Point,
) -> HalfPlanes {
    let mut h = HalfPlanes::default();
    for face in crossing {
        if covers(planes, line, &face.outer, a, b) {
            h.outer.push(face.plane);
        }
        if covers(planes, line, face.inner(), a, b) {
            h.inner.push(face.plane);
        }
    }
    for (facing, right, left) in coplanar {
        if covers(planes, line, right, a, b) {
            h.right = Some(*facing);
        }
        if covers(planes, line, left, a, b) {
            h.left = Some(*facing);
        }
    }
    h
}

/// The boundary edges of the new faces on every facet, seen against its outward facing; empty where there are none.
pub fn regions(
    planes: &Planes,
    faces: &[Option<Face>],
    p: &Polytope,
    contacts: &[FacetContacts],
    op: Op,
) -> Vec<Vec<Edge>> {
    let mut edges: Vec<Vec<Edge>> = Vec::with_capacity(p.facets.len());
    let mut rims: Vec<Rim> = Vec::with_capacity(p.facets.len());
    for (i, c) in contacts.iter().enumerate() {
        if let Some(intervals) = &c.wall {
            let known = |i: &WallInterval| RimInterval {
                edge: i.edge,
                from: i.from,
                to: i.to,
                known: Some(becomes_face(op, [i.is_air; 2])),
                step: 0,
            };
            rims.push(Rim {
                intervals: intervals.iter().map(known).collect(),
                states: None,
            });
            edges.push(Vec::new());
            continue;
        }
        if c.crossing.is_empty() && c.coplanar.is_empty() && c.edges.is_empty() {
            rims.push(Rim::default());
            edges.push(Vec::new());
            continue;
        }
        let interior = interior_edges(planes, faces, p, i, c, op);
        rims.push(rim(planes, faces, p, i, c, op, &interior));
        edges.push(interior);
    }
    resolve_states(planes, faces, p, &mut rims, op);
    for (i, rim) in rims.into_iter().enumerate() {
        if contacts[i].wall.is_some() {
            continue;
        }
        let states = rim.states.unwrap_or_default();
        if rim.intervals.is_empty() && states[..] == [true] {
            edges[i] = all_edges(p, i);
        }
        for (interval, on) in rim.intervals.iter().zip(states) {
            if on {
                let across = p.facets[i].across[interval.edge] as usize;
                edges[i].push(Edge {
                    from: interval.from,
                    to: interval.to,
                    line: p.facets[across].plane.plane,
                });
            }
        }
    }
    edges
}

/// All edges of a facet.
fn all_edges(p: &Polytope, i: usize) -> Vec<Edge> {
    let facet = &p.facets[i];
    let edge = |((&from, &to), &across): ((&u32, &u32), &u32)| Edge {
        from: p.corners[from as usize],
        to: p.corners[to as usize],
        line: p.facets[across as usize].plane.plane,
    };
    let ends = ring::pairs(&facet.corners);
    ends.zip(&facet.across).map(edge).collect()
}

/// Boundary edges of the region in the facet's interior, the region on their left.
fn interior_edges(
    planes: &Planes,
    faces: &[Option<Face>],
    p: &Polytope,
    i: usize,
    contacts: &FacetContacts,
    op: Op,
) -> Vec<Edge> {
    let up = p.facets[i].plane;
    let mut out = Vec::new();
    let is_same = |face: &CrossingFace| {
        let pairs = || face.outer.iter().zip(face.inner());
        let is_same = |(a, b): (&(Point, Point), &(Point, Point))| {
            equal(planes, &a.0, &b.0) && equal(planes, &a.1, &b.1)
        };
        face.inner.is_none() || (face.outer.len() == face.inner().len() && pairs().all(is_same))
    };
    if contacts.coplanar.is_empty() && contacts.crossing.iter().all(is_same) {
        for face in &contacts.crossing {
            for &(from, to) in &face.outer {
                // Along n_face × n_facet the air is on the left.
                let (from, to) = match op {
                    Op::Fill => (from, to),
                    Op::Carve => (to, from),
                };
                out.push(Edge {
                    from,
                    to,
                    line: face.plane.plane,
                });
            }
        }
        return out;
    }
    let mut done = vec![false; contacts.crossing.len()];
    for k in 0..contacts.crossing.len() {
        let first = &contacts.crossing[k];
        let Some(probe) = first.outer.first().or(first.inner().first()) else {
            continue;
        };
        if done[k] {
            continue;
        }
        let same_line = |face: &CrossingFace| {
            face.plane.plane == first.plane.plane
                || (side(planes, &probe.0, face.plane.plane) == 0
                    && side(planes, &probe.1, face.plane.plane) == 0)
        };
        let group: Vec<usize> = (k..contacts.crossing.len())
            .filter(|&j| !done[j] && same_line(&contacts.crossing[j]))
            .collect();
        let crossing: Vec<&CrossingFace> = group.iter().map(|&j| &contacts.crossing[j]).collect();
        for &j in &group {
            done[j] = true;
        }
        let line = intersection_line(planes, first.plane, up);
        let mut points = PointsOnLine::new();
        for face in &crossing {
            points.extend(
                face.outer
                    .iter()
                    .chain(face.inner())
                    .flat_map(|s| [s.0, s.1]),
            );
        }
        let ends = sorted_unique(planes, &line, points.clone());
        let (Some(lo), Some(hi)) = (ends.first(), ends.last()) else {
            continue;
        };
        let mut coplanar: CoplanarSides = Vec::new();
        for &id in &contacts.coplanar {
            let f = live_face(faces, id);
            // Right of the line is behind the first face's plane, left in front of it.
            let (from, to) = if f.plane == up { (hi, lo) } else { (lo, hi) };
            let EdgeClassification {
                outer: left,
                inner: right,
                ..
            } = classify_edge(planes, f, first.plane, from, to);
            points.extend(left.iter().chain(&right).flat_map(|s| [s.0, s.1]));
            coplanar.push((f.plane, right, left));
        }
        let points = sorted_unique(planes, &line, points);
        for w in points.windows(2) {
            let h = half_planes_at(planes, &line, &crossing, &coplanar, &w[0], &w[1]);
            if h.is_empty() {
                continue;
            }
            let air = h.quadrants(planes, first.plane, up);
            match (becomes_face(op, air.left), becomes_face(op, air.right)) {
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
                (true, true) | (false, false) => {}
            }
        }
    }
    out
}

/// The facet's own edges in intervals, with what half-planes say and where interior edges arrive.
fn rim(
    planes: &Planes,
    faces: &[Option<Face>],
    p: &Polytope,
    i: usize,
    contacts: &FacetContacts,
    op: Op,
    interior: &[Edge],
) -> Rim {
    let facet = &p.facets[i];
    let up = facet.plane;
    let n = facet.corners.len();
    // Interior edges that end on the rim: (edge of the facet, point, +1 arriving or -1 leaving).
    let mut arrivals: SmallVec<[(usize, Point, i32); 8]> = SmallVec::new();
    for e in interior {
        for (point, step) in [(e.to, 1), (e.from, -1)] {
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
                [k] => arrivals.push((k, point, step)),
                // A corner belongs to the edge that starts there.
                [first, ..] => {
                    let at = on
                        .iter()
                        .find(|&&k| equal(planes, &p.corners[facet.corners[k] as usize], &point));
                    arrivals.push((*at.unwrap_or(&first), point, step));
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
        let interval = |from, to, known, step| RimInterval {
            edge: k,
            from,
            to,
            known,
            step,
        };
        let is_plain = contacts.edges.is_empty() && contacts.coplanar.is_empty();
        if is_plain && arrivals.iter().all(|x| x.0 != k) {
            out.push(interval(a, b, None, 0));
            continue;
        }
        let other = p.facets[facet.across[k] as usize].plane;
        if is_plain {
            // Only interior edges end here.
            let line = intersection_line(planes, other, up);
            let order = line.cmp(planes, &a, &b);
            let line = match order {
                Ordering::Less => line,
                Ordering::Equal | Ordering::Greater => line.reversed(),
            };
            let here = arrivals.iter().filter(|x| x.0 == k);
            let mut here: SmallVec<[&(usize, Point, i32); 8]> = here.collect();
            here.sort_by(|x, y| line.cmp(planes, &x.1, &y.1));
            let (mut from, mut sum) = (a, 0);
            for &&(_, at, step) in &here {
                if !equal(planes, &from, &at) {
                    out.push(interval(from, at, None, sum));
                    (from, sum) = (at, 0);
                }
                sum += step;
            }
            if !equal(planes, &from, &b) {
                out.push(interval(from, b, None, sum));
            }
            continue;
        }
        // Edges run counter-clockwise, so the facet is on the left. The direction n_ref × n_up has n_ref on its left.
        let inward = other.opposite();
        // -n_other points left for convex angles; the order of the ends tells in general.
        let line = intersection_line(planes, inward, up);
        let reference = if line.cmp(planes, &a, &b) == Ordering::Less {
            inward
        } else {
            other
        };
        let line = intersection_line(planes, reference, up);
        let mut crossing: Vec<CrossingFace> = Vec::new();
        let mut points = PointsOnLine::from_slice(&[a, b]);
        for &(edge, id) in &contacts.edges {
            let f = live_face(faces, id);
            if edge != k || f.plane.plane == up.plane {
                continue;
            }
            let own = intersection_line(planes, f.plane, up);
            let (from, to) = in_order(planes, &own, &a, &b);
            let EdgeClassification { outer, inner, .. } = classify_edge(planes, f, up, from, to);
            if !outer.is_empty() || !inner.is_empty() {
                points.extend(outer.iter().chain(&inner).flat_map(|s| [s.0, s.1]));
                crossing.push(CrossingFace {
                    plane: f.plane,
                    outer,
                    inner: Some(inner),
                });
            }
        }
        let mut coplanar: CoplanarSides = Vec::new();
        for &id in &contacts.coplanar {
            let f = live_face(faces, id);
            let own = intersection_line(planes, f.plane, reference);
            let (from, to) = in_order(planes, &own, &a, &b);
            let EdgeClassification {
                outer: left,
                inner: right,
                ..
            } = classify_edge(planes, f, reference, from, to);
            points.extend(left.iter().chain(&right).flat_map(|s| [s.0, s.1]));
            coplanar.push((f.plane, right, left));
        }
        points.extend(arrivals.iter().filter(|x| x.0 == k).map(|x| x.1));
        let points = sorted_unique(planes, &line, points);
        let crossing: Vec<&CrossingFace> = crossing.iter().collect();
        for w in points.windows(2) {
            let h = half_planes_at(planes, &line, &crossing, &coplanar, &w[0], &w[1]);
            let known =
                (!h.is_empty()).then(|| becomes_face(op, h.quadrants(planes, reference, up).left));
            let step = arrivals
                .iter()
                .filter(|x| x.0 == k && equal(planes, &x.1, &w[0]))
                .map(|x| x.2)
                .sum();
            out.push(interval(w[0], w[1], known, step));
        }
    }
    Rim {
        intervals: out,
        states: None,
    }
}

/// Resolves the states of every rim: from half-planes, from arriving edges, from neighbours, or by one point location.
fn resolve_states(planes: &Planes, faces: &[Option<Face>], p: &Polytope, rims: &mut [Rim], op: Op) {
    let walk = |rim: &Rim, start: i32| -> States {
        let mut count = start;
        rim.intervals
            .iter()
            .map(|i| {
                count += i.step;
                if let Some(known) = i.known {
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
        for i in &rim.intervals {
            count += i.step;
            (lo, hi) = (lo.min(count), hi.max(count));
            if let (Some(known), None) = (i.known, start) {
                start = Some(known as i32 - count);
            }
        }
        if start.is_none() && lo != hi {
            start = Some(-lo);
        }
        if let Some(start) = start {
            rim.states = Some(walk(rim, start));
            queue.push(i);
        }
    }
    loop {
        while let Some(i) = queue.pop() {
            for k in 0..p.facets[i].across.len() {
                let j = p.facets[i].across[k] as usize;
                if rims[j].states.is_some() {
                    continue;
                }
                let intervals = &rims[i].intervals;
                let found = match intervals.is_empty() {
                    true => Some(0),
                    false => intervals.iter().position(|i| i.edge == k),
                };
                let value = match (found, &rims[i].states) {
                    (Some(at), Some(states)) => states[at],
                    _ => continue,
                };
                rims[j].states = Some(rims[j].all(value));
                queue.push(j);
            }
        }
        // Facets that nothing touches lie all in air or all in solid: locating one point decides.
        let Some(i) = rims.iter().position(|rim| rim.states.is_none()) else {
            break;
        };
        let point = point_behind(planes, p, i);
        let air = winding_number(planes, faces.iter().flatten(), &point) < 0;
        rims[i].states = Some(rims[i].all(becomes_face(op, [air; 2])));
        queue.push(i);
    }
}

/// A point just behind a facet, at its first edge.
fn point_behind(planes: &Planes, p: &Polytope, facet: usize) -> PerturbedPoint {
    let facet = &p.facets[facet];
    let [a, b] = [0, 1].map(|k| p.corners[facet.corners[k] as usize]);
    let across = p.facets[facet.across[0] as usize].plane;
    let line = Line::new(planes, (facet.plane.plane, across.plane));
    PerturbedPoint {
        point: if line.cmp(planes, &a, &b).is_lt() {
            a
        } else {
            b
        },
        before: [facet.plane.opposite(), across.opposite()],
    }
}
