//! The section of a polytope with a face's plane, and what of the face lies beside it.
//!
//! A question such as "is the face here, on this side of the section's edge?" is asked on the edge's line shifted
//! infinitely little to that side: then no corner lies on it, and the answer is a count of crossings that signs alone
//! decide. That one rule covers touching, flush and shared edges without special cases.
use super::face::Face;
use super::loops::{Edge, crossing as edge_crossing};
use super::polytope::Polytope;
use crate::exact::{Facing, Planes, Point, cmp_along, meet, side};
use std::cmp::Ordering;

/// An edge of the section; the section is on its left, seen against the face's facing.
#[derive(Clone, Debug)]
pub struct SectionEdge {
    /// The facet it lies on.
    pub facet: usize,
    /// Facing of the plane that makes the line, outwards.
    pub plane: Facing,
    /// Start.
    pub from: Point,
    /// End.
    pub to: Point,
    /// It is a whole edge of the polytope.
    pub whole_edge: bool,
}

/// Stretches of a line, each from its first point to its second along the line's direction.
pub type Stretches = Vec<(Point, Point)>;

/// Sides of the polytope's corners against a stored plane.
pub fn corner_sides(planes: &Planes, polytope: &Polytope, plane: u32) -> Vec<i32> {
    polytope
        .corners
        .iter()
        .map(|c| side(planes, c, plane))
        .collect()
}

/// The section by a plane that has corners on both sides; edges counter-clockwise seen against `facing`.
pub fn crossing(
    planes: &Planes,
    p: &Polytope,
    sides: &[i32],
    facing: Facing,
) -> Option<Vec<SectionEdge>> {
    let transition = |f: usize, from_negative: bool| {
        let c = &p.facets[f].corners;
        (0..c.len()).find(|&k| {
            let (a, b) = (sides[c[k] as usize], sides[c[(k + 1) % c.len()] as usize]);
            if from_negative {
                a < 0 && b >= 0
            } else {
                a >= 0 && b < 0
            }
        })
    };
    let first = (0..p.facets.len()).find(|&f| transition(f, true).is_some())?;
    let point_on = |f: usize, k: usize| -> Option<(Point, u32)> {
        let facet = &p.facets[f];
        let (a, b) = (
            facet.corners[k],
            facet.corners[(k + 1) % facet.corners.len()],
        );
        for v in [a, b] {
            if sides[v as usize] == 0 {
                return Some((p.corners[v as usize], v));
            }
        }
        let other = p.facets[facet.across[k] as usize].plane.plane;
        Some((
            meet(planes, [facet.plane.plane, other, facing.plane])?,
            u32::MAX,
        ))
    };
    let mut out = Vec::new();
    let mut f = first;
    let mut from = point_on(f, transition(f, false)?)?;
    for _ in 0..=p.facets.len() {
        let k = transition(f, true)?;
        let to = point_on(f, k)?;
        if from.1 == u32::MAX || from.1 != to.1 {
            let whole_edge = from.1 != u32::MAX && to.1 != u32::MAX && {
                let c = &p.facets[f].corners;
                let i = c.iter().position(|&v| v == from.1)?;
                c[(i + 1) % c.len()] == to.1 || c[(i + c.len() - 1) % c.len()] == to.1
            };
            out.push(SectionEdge {
                facet: f,
                plane: p.facets[f].plane,
                from: from.0,
                to: to.0,
                whole_edge,
            });
        }
        from = to;
        f = p.facets[f].across[k] as usize;
        if f == first {
            break;
        }
    }
    if facing.flip {
        out.reverse();
        for e in &mut out {
            std::mem::swap(&mut e.from, &mut e.to);
        }
    }
    Some(out)
}

/// A facet as the section by its own plane, counter-clockwise seen against `facing`.
pub fn flush(p: &Polytope, f: usize, facing: Facing) -> Vec<SectionEdge> {
    let facet = &p.facets[f];
    let n = facet.corners.len();
    let mut out: Vec<SectionEdge> = (0..n)
        .map(|k| {
            let other = facet.across[k] as usize;
            let (a, b) = (
                facet.corners[k] as usize,
                facet.corners[(k + 1) % n] as usize,
            );
            let plane = p.facets[other].plane;
            SectionEdge {
                facet: other,
                plane,
                from: p.corners[a],
                to: p.corners[b],
                whole_edge: true,
            }
        })
        .collect();
    if facing != facet.plane {
        out.reverse();
        for e in &mut out {
            std::mem::swap(&mut e.from, &mut e.to);
        }
    }
    out
}

/// The line in a face's plane cut by a facing: its direction is n_face × n_plane, the plane's inside on its left.
pub struct Line {
    pair: (u32, u32),
    turn: i32,
}

impl Line {
    /// Of a face's facing and another plane's.
    pub fn new(face: Facing, plane: Facing) -> Line {
        Line {
            pair: (face.plane, plane.plane),
            turn: face.sign() * plane.sign(),
        }
    }
    /// Order along the direction.
    pub fn cmp(&self, planes: &Planes, a: &Point, b: &Point) -> Ordering {
        let o = cmp_along(planes, self.pair, a, b);
        if self.turn < 0 { o.reverse() } else { o }
    }
}

/// Where the face lies just outside and just inside `plane`, on their common line between `from` and `to`; and whether
/// an edge of the face passes exactly through one of those two points.
pub fn stretches(
    planes: &Planes,
    face: &Face,
    plane: Facing,
    from: &Point,
    to: &Point,
) -> (Stretches, Stretches, bool) {
    let line = Line::new(face.plane, plane);
    let mut touches = false;
    let s = plane.sign();
    let mut outer: Vec<(Point, i32)> = Vec::new();
    let mut inner: Vec<(Point, i32)> = Vec::new();
    for l in &face.loops {
        let n = l.len();
        let first = side(planes, &l[0].point, plane.plane) * s;
        let mut sa = first;
        for k in 0..n {
            let (a, b) = (&l[k], &l[(k + 1) % n]);
            let sb = if k + 1 == n {
                first
            } else {
                side(planes, &b.point, plane.plane) * s
            };
            let out = (sa > 0) != (sb > 0);
            let inn = (sa < 0) != (sb < 0);
            if out || inn {
                let cut = plane.plane;
                let x =
                    edge_crossing(planes, face.plane.plane, a, b, (sa, sb), cut).unwrap_or(a.point);
                if out {
                    outer.push((x, if sb > 0 { 1 } else { -1 }));
                }
                if inn {
                    inner.push((x, if sa < 0 { 1 } else { -1 }));
                }
            }
            sa = sb;
        }
    }
    let mut run = |mut events: Vec<(Point, i32)>| -> Stretches {
        events.sort_by(|a, b| line.cmp(planes, &a.0, &b.0));
        let mut out: Stretches = Vec::new();
        let mut count = 0;
        let mut k = 0;
        let mut open: Option<Point> = None;
        while k < events.len() {
            let p = events[k].0;
            touches |= line.cmp(planes, &p, from) == Ordering::Equal
                || line.cmp(planes, &p, to) == Ordering::Equal;
            while k < events.len() && line.cmp(planes, &events[k].0, &p) == Ordering::Equal {
                count += events[k].1;
                k += 1;
            }
            match (open, count > 0) {
                (None, true) => open = Some(p),
                (Some(start), false) => {
                    let a = if line.cmp(planes, &start, from) == Ordering::Less {
                        *from
                    } else {
                        start
                    };
                    let b = if line.cmp(planes, &p, to) == Ordering::Greater {
                        *to
                    } else {
                        p
                    };
                    if line.cmp(planes, &a, &b) == Ordering::Less {
                        out.push((a, b));
                    }
                    open = None;
                }
                _ => {}
            }
        }
        out
    };
    let (outer, inner) = (run(outer), run(inner));
    (outer, inner, touches)
}

/// The edges of a face that are neither inside the section nor on its rim, cut where they enter and leave.
/// The second answer says whether anything was cut away strictly inside.
pub fn edges_outside(planes: &Planes, face: &Face, section: &[SectionEdge]) -> (Vec<Edge>, bool) {
    let mut out = Vec::new();
    let mut cut = false;
    for l in &face.loops {
        let n = l.len();
        let sides: Vec<Vec<i32>> = l
            .iter()
            .map(|c| {
                section
                    .iter()
                    .map(|e| side(planes, &c.point, e.plane.plane) * e.plane.sign())
                    .collect()
            })
            .collect();
        for k in 0..n {
            let (a, b) = (&l[k], &l[(k + 1) % n]);
            let (sa, sb) = (&sides[k], &sides[(k + 1) % n]);
            let whole = Edge {
                from: a.point,
                to: b.point,
                line: a.line,
            };
            let order = cmp_along(planes, (face.plane.plane, a.line), &a.point, &b.point);
            let less =
                |p: &Point, q: &Point| cmp_along(planes, (face.plane.plane, a.line), p, q) == order;
            let (mut enter, mut leave) = (a.point, b.point);
            if let Some(i) = (0..section.len()).find(|&i| sa[i] == 0 && sb[i] == 0) {
                // On the rim's line: what lies on the rim itself is left out; the rim says where the face goes on.
                let e = &section[i];
                let (lo, hi) = if less(&e.from, &e.to) {
                    (e.from, e.to)
                } else {
                    (e.to, e.from)
                };
                if less(&enter, &lo) {
                    enter = lo;
                }
                if less(&hi, &leave) {
                    leave = hi;
                }
            } else if (0..section.len()).any(|i| sa[i] >= 0 && sb[i] >= 0) {
                out.push(whole);
                continue;
            } else {
                for i in 0..section.len() {
                    if sa[i] * sb[i] >= 0 {
                        continue;
                    }
                    let Some(x) = meet(planes, [face.plane.plane, a.line, section[i].plane.plane])
                    else {
                        continue;
                    };
                    if sa[i] > 0 {
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
                out.push(whole);
                continue;
            }
            if less(&a.point, &enter) {
                out.push(Edge {
                    from: a.point,
                    to: enter,
                    line: a.line,
                });
            }
            if less(&leave, &b.point) {
                out.push(Edge {
                    from: leave,
                    to: b.point,
                    line: a.line,
                });
            }
        }
    }
    (out, cut)
}
