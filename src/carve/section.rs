//! The section of a polytope with a face's plane, and what of the face lies beside it.
//!
//! A question such as "is the face here, on this side of the section's edge?" is asked on the edge's line shifted
//! infinitely little to that side: then no corner lies on it, and the answer is a count of crossings that signs alone
//! decide. That one rule covers touching, flush and shared edges without special cases.
use super::face::Face;
use super::loops::{Edge, crossing as edge_crossing};
use super::polytope::Polytope;
use crate::exact::{Facing, Line, Planes, Point, meet, side};
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

/// The section by a plane that has corners on both sides; edges counter-clockwise seen against `facing`. Only those on
/// facets that `wanted` names: the face that is asked about lies well behind all others.
pub fn crossing(
    planes: &Planes,
    p: &Polytope,
    sides: &[i32],
    facing: Facing,
    wanted: &[bool],
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
    // Where the edge on this facet starts; made when it is asked for.
    let mut from: Option<(Point, u32)> = None;
    for _ in 0..=p.facets.len() {
        let k = transition(f, true)?;
        let next = p.facets[f].across[k] as usize;
        if wanted[f] {
            let start = match from {
                Some(from) => from,
                None => point_on(f, transition(f, false)?)?,
            };
            let to = point_on(f, k)?;
            if start.1 == u32::MAX || start.1 != to.1 {
                let whole_edge = start.1 != u32::MAX && to.1 != u32::MAX && {
                    let c = &p.facets[f].corners;
                    let i = c.iter().position(|&v| v == start.1)?;
                    c[(i + 1) % c.len()] == to.1 || c[(i + c.len() - 1) % c.len()] == to.1
                };
                out.push(SectionEdge {
                    facet: f,
                    plane: p.facets[f].plane,
                    from: start.0,
                    to: to.0,
                    whole_edge,
                });
            }
            from = Some(to);
        } else {
            from = None;
        }
        f = next;
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
pub fn line_of(planes: &Planes, face: Facing, plane: Facing) -> Line {
    let line = Line::new(planes, (face.plane, plane.plane));
    if face.sign() * plane.sign() < 0 {
        line.reversed()
    } else {
        line
    }
}

/// Sides of a face's corners, counted through all loops, against one facing: +1 before it.
pub fn signs(planes: &Planes, face: &Face, plane: Facing, out: &mut Vec<i8>) {
    let s = plane.sign();
    let corners = face.loops.iter().flatten();
    out.extend(corners.map(|c| (side(planes, &c.point, plane.plane) * s) as i8));
}

/// Where the face lies just outside and just inside `plane`, on their common line between `from` and `to`; and whether
/// an edge of the face passes exactly through each of those two points.
pub fn stretches(
    planes: &Planes,
    face: &Face,
    plane: Facing,
    from: &Point,
    to: &Point,
) -> (Stretches, Stretches, [bool; 2]) {
    let mut sides = Vec::new();
    signs(planes, face, plane, &mut sides);
    stretches_of(planes, face, plane, &sides, from, to)
}

/// [`stretches`] with the sides of the corners known.
pub fn stretches_of(
    planes: &Planes,
    face: &Face,
    plane: Facing,
    sides: &[i8],
    from: &Point,
    to: &Point,
) -> (Stretches, Stretches, [bool; 2]) {
    let line = line_of(planes, face.plane, plane);
    let mut touches = [false; 2];
    let mut outer: SmallVec<[(Point, i32); 8]> = SmallVec::new();
    let mut inner: SmallVec<[(Point, i32); 8]> = SmallVec::new();
    let mut first = 0;
    for l in &face.loops {
        let n = l.len();
        let sides = &sides[first..first + n];
        first += n;
        for k in 0..n {
            let next = if k + 1 == n { 0 } else { k + 1 };
            let (sa, sb) = (sides[k], sides[next]);
            let out = (sa > 0) != (sb > 0);
            let inn = (sa < 0) != (sb < 0);
            if out || inn {
                let (a, b) = (&l[k], &l[next]);
                let signs = (sa as i32, sb as i32);
                let x = edge_crossing(planes, face.plane.plane, a, b, signs, plane.plane)
                    .unwrap_or(a.point);
                if out {
                    outer.push((x, if sb > 0 { 1 } else { -1 }));
                }
                if inn {
                    inner.push((x, if sa < 0 { 1 } else { -1 }));
                }
            }
        }
    }
    let mut run = |events: &mut [(Point, i32)]| -> Stretches {
        events.sort_by(|a, b| line.cmp(planes, &a.0, &b.0));
        let mut out: Stretches = Vec::new();
        let mut count = 0;
        let mut k = 0;
        let mut open: Option<Point> = None;
        while k < events.len() {
            let p = events[k].0;
            touches[0] |= line.cmp(planes, &p, from) == Ordering::Equal;
            touches[1] |= line.cmp(planes, &p, to) == Ordering::Equal;
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
    // Where no corner lies on the line both are the same.
    if !sides.contains(&0) {
        let both = run(&mut outer);
        return (both.clone(), both, touches);
    }
    let (outer, inner) = (run(&mut outer), run(&mut inner));
    (outer, inner, touches)
}

/// The edges of a face that are neither inside the section nor on its rim, cut where they enter and leave. `sides`
/// holds the [`signs`] for each edge of the section; the polytope lies within the box `lo..hi`. The second answer says whether anything was cut away strictly
/// inside.
pub fn edges_outside(
    planes: &Planes,
    face: &Face,
    section: &[SectionEdge],
    sides: &[i8],
    (lo, hi): (DVec3, DVec3),
) -> (Vec<Edge>, bool) {
    let width: usize = face.loops.iter().map(Vec::len).sum();
    let mut out = Vec::with_capacity(width + section.len());
    let mut cut = false;
    let mut first = 0;
    for l in &face.loops {
        let n = l.len();
        let start = first;
        first += n;
        for k in 0..n {
            let next = if k + 1 == n { 0 } else { k + 1 };
            let (a, b) = (&l[k], &l[next]);
            let whole = Edge {
                from: a.point,
                to: b.point,
                line: a.line,
            };
            let (least, most) = (a.point.at.min(b.point.at), a.point.at.max(b.point.at));
            if most.cmplt(lo).any() || least.cmpgt(hi).any() {
                out.push(whole);
                continue;
            }
            let sa = |i: usize| sides[i * width + start + k];
            let sb = |i: usize| sides[i * width + start + next];
            let on_rim = (0..section.len()).find(|&i| sa(i) == 0 && sb(i) == 0);
            if on_rim.is_none() && (0..section.len()).any(|i| sa(i) >= 0 && sb(i) >= 0) {
                out.push(whole);
                continue;
            }
            let line = Line::new(planes, (face.plane.plane, a.line));
            let order = line.cmp(planes, &a.point, &b.point);
            let less = |p: &Point, q: &Point| line.cmp(planes, p, q) == order;
            let (mut enter, mut leave) = (a.point, b.point);
            if let Some(i) = on_rim {
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
            } else {
                for (i, e) in section.iter().enumerate() {
                    if sa(i) * sb(i) >= 0 {
                        continue;
                    }
                    let Some(x) = meet(planes, [face.plane.plane, a.line, e.plane.plane]) else {
                        continue;
                    };
                    if sa(i) > 0 {
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
