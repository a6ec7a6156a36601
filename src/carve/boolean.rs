//! One convex polytope against the faces of one cell.
//!
//! A boundary evaluation: every face loses its section with the polytope, every facet gains the region that
//! [`super::facet`] finds, and faces that came to lie in one plane with one material are joined. No convex
//! decomposition, no BSP; every decision is a sign.
use super::Op;
use super::face::Face;
use super::facet::{Member, Touched, regions};
use super::loops::{Edge, cancel, edges, faces as faces_of};
use super::polytope::{Facet, Polytope, Surface};
use super::section::{
    SectionEdge, corner_sides, crossing, edges_outside, flush, signs, stretches_of,
};
use crate::exact::{Facing, Planes};
use glam::DVec3;

/// What an operation does to a cell's faces.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// Ids (indices into the slab) of faces that are gone or replaced, rising.
    pub removed: Vec<u32>,
    /// Faces that are new or replace others.
    pub added: Vec<Face>,
    /// Stuff lay exactly on something else, away from the cell's walls: corners may have to be conformed there and
    /// superfluous ones dropped. (At the walls that is always so.)
    pub degenerate: bool,
}

/// What is left of a face.
struct Cut {
    face: u32,
    edges: Vec<Edge>,
    /// Something lay exactly on it or its edges.
    touching: bool,
}

/// Edges of one plane and surface that are to become faces.
struct Group {
    plane: Facing,
    surface: Surface,
    piece: u32,
    edges: Vec<Edge>,
    /// How many of them, the first, are new.
    new: usize,
    join: bool,
    touching: bool,
}

/// Carves (the inside becomes air) or fills (solid) a polytope that lies within the cell. `faces` is the cell's slab:
/// together, walls included, they bound the cell's air; `near` are those whose boxes touch the polytope's, rising.
/// Nothing changes where the result is the same.
pub fn apply(
    planes: &Planes,
    faces: &[Option<Face>],
    near: &[u32],
    polytope: &Polytope,
    op: Op,
) -> Change {
    let p = polytope;
    let mut change = Change::default();
    let mut touched: Vec<Touched> = vec![Touched::default(); p.facets.len()];
    let mut cut: Vec<Cut> = Vec::new();
    let mut on_plane = vec![false; p.corners.len()];
    let bounds = p.bounds();
    let mut sieve = Sieve::new(planes, p);
    for &id in near {
        let Some(face) = &faces[id as usize] else {
            continue;
        };
        match sieve.place(face.lo, face.hi) {
            Place::Outside => continue,
            Place::Inside => {
                change.removed.push(id);
                continue;
            }
            Place::Unknown => {}
        }
        let sides = corner_sides(planes, p, face.plane.plane);
        let (below, above) = (sides.iter().any(|&s| s < 0), sides.iter().any(|&s| s > 0));
        let zero = sides.contains(&0);
        if zero {
            change.degenerate |= face.surface != Surface::Wall && !is_at_wall(p, &sides);
            for (on, &s) in on_plane.iter_mut().zip(&sides) {
                *on |= s == 0;
            }
            note_edges(p, &sides, id, &mut touched);
        }
        let section = if below && above {
            crossing(planes, p, &sides, face.plane, &sieve.cuts)
        } else if zero {
            let whole = (0..p.facets.len())
                .find(|&f| p.facets[f].corners.iter().all(|&c| sides[c as usize] == 0));
            let Some(f) = whole else { continue };
            touched[f].flush.push(id);
            // Carve takes away what has its solid inside the polytope, fill what has its air there.
            let taken = (face.plane == p.facets[f].plane) == (op == Op::Carve);
            taken.then(|| flush(p, f, face.plane))
        } else {
            None
        };
        let Some(section) = section else { continue };
        cut_face(
            planes,
            id,
            face,
            &section,
            (below && above, zero),
            bounds,
            p,
            &mut touched,
            &mut cut,
            &mut change,
        );
    }
    for (facet, t) in p.facets.iter().zip(&mut touched) {
        t.touching |= facet.corners.iter().any(|&c| on_plane[c as usize]);
    }
    let new = regions(planes, faces, p, &touched, &on_plane, op);
    join(planes, faces, p, &touched, op, cut, new, &mut change);
    change.removed.sort_unstable();
    change.removed.dedup();
    change
}

/// The polytope's planes in f64, to see at once that a face's box lies inside or outside.
struct Sieve {
    /// Normal facing out, offset, doubt.
    planes: Vec<(DVec3, f64, f64)>,
    /// Of the box asked last: whether a facet's plane may cut it.
    cuts: Vec<bool>,
}

enum Place {
    Inside,
    Outside,
    Unknown,
}

impl Sieve {
    fn new(planes: &Planes, p: &Polytope) -> Sieve {
        let plane = |f: &Facet| {
            let (s, stored) = (f.plane.sign() as f64, &planes[f.plane.plane]);
            (
                DVec3::from_array(stored.nf) * s,
                stored.df * s,
                stored.err * 2.0,
            )
        };
        Sieve {
            planes: p.facets.iter().map(plane).collect(),
            cuts: vec![false; p.facets.len()],
        }
    }

    /// Where a box lies; it has been grown by the doubt of its corners.
    fn place(&mut self, lo: DVec3, hi: DVec3) -> Place {
        let (centre, half) = ((lo + hi) * 0.5, (hi - lo) * 0.5);
        let mut most = f64::NEG_INFINITY;
        for (&(n, d, doubt), cuts) in self.planes.iter().zip(&mut self.cuts) {
            let (at, reach) = (n.dot(centre) - d, n.abs().dot(half) + doubt);
            if at > reach {
                return Place::Outside;
            }
            *cuts = at + reach >= 0.0;
            most = most.max(at + reach);
        }
        if most < 0.0 {
            Place::Inside
        } else {
            Place::Unknown
        }
    }
}

/// Whether all corners of a polytope that lie on a plane lie on walls: facets at which a cell cut it.
fn is_at_wall(p: &Polytope, sides: &[i32]) -> bool {
    let mut walls = p.facets.iter().filter(|f| f.surface == Surface::Wall);
    let mut free = sides.iter().filter(|&&s| s == 0).count();
    if free == 0 {
        return true;
    }
    let mut seen = vec![false; sides.len()];
    walls.any(|f| {
        for &c in &f.corners {
            let c = c as usize;
            if sides[c] == 0 && !seen[c] {
                seen[c] = true;
                free -= 1;
            }
        }
        free == 0
    })
}

/// Notes every polytope edge that lies in the face's plane, at both facets.
fn note_edges(p: &Polytope, sides: &[i32], id: u32, touched: &mut [Touched]) {
    for (i, f) in p.facets.iter().enumerate() {
        let n = f.corners.len();
        for k in 0..n {
            if sides[f.corners[k] as usize] == 0 && sides[f.corners[(k + 1) % n] as usize] == 0 {
                touched[i].edges.push((k, id));
            }
        }
    }
}

#[allow(clippy::too_many_arguments)]
fn cut_face(
    planes: &Planes,
    id: u32,
    face: &Face,
    section: &[SectionEdge],
    (crosses, zero): (bool, bool),
    bounds: (DVec3, DVec3),
    p: &Polytope,
    touched: &mut [Touched],
    cut: &mut Vec<Cut>,
    change: &mut Change,
) {
    let is_wall = |facet: usize| p.facets[facet].surface == Surface::Wall;
    let mut touching = zero;
    let mut rim = Vec::new();
    let mut any_inside = false;
    let width: usize = face.loops.iter().map(Vec::len).sum();
    let mut sides = Vec::with_capacity(width * section.len());
    for e in section {
        signs(planes, face, e.plane, &mut sides);
    }
    for (i, (e, sides)) in section.iter().zip(sides.chunks_exact(width)).enumerate() {
        let (lo, hi) = (e.from.at.min(e.to.at), e.from.at.max(e.to.at));
        if !face.touches(lo, hi) {
            continue;
        }
        let (outer, inner, touches) = stretches_of(planes, face, e.plane, sides, &e.from, &e.to);
        if touches.contains(&true) || sides.contains(&0) {
            touching = true;
            touched[e.facet].touching = true;
        }
        if touches.contains(&true) && face.surface != Surface::Wall && !is_wall(e.facet) {
            // A point of the wall: the neighbour on the section is a wall's facet.
            let before = &section[(i + section.len() - 1) % section.len()];
            let after = &section[(i + 1) % section.len()];
            let at_wall = [
                is_wall(before.facet) && before.to.at == e.from.at,
                is_wall(after.facet) && after.from.at == e.to.at,
            ];
            change.degenerate |= (0..2).any(|end| touches[end] && !at_wall[end]);
        }
        any_inside |= !inner.is_empty();
        // The section goes: where the face lies outside its rim, the rim is the face's new edge, run the other way.
        rim.extend(outer.iter().map(|&(from, to)| Edge {
            from: to,
            to: from,
            line: e.plane.plane,
        }));
        if crosses && !e.whole_edge && (!outer.is_empty() || !inner.is_empty()) {
            touched[e.facet].members.push(Member {
                plane: face.plane,
                outer,
                inner,
            });
        }
    }
    let (mut rest, inside) = edges_outside(planes, face, section, &sides, bounds);
    if !any_inside && !inside {
        return;
    }
    rest.extend(rim);
    change.removed.push(id);
    cut.push(Cut {
        face: id,
        edges: rest,
        touching,
    });
}

/// Makes faces of the edges, joining those of one plane and surface that meet.
#[allow(clippy::too_many_arguments)]
fn join(
    planes: &Planes,
    slab: &[Option<Face>],
    p: &Polytope,
    touched: &[Touched],
    op: Op,
    cut: Vec<Cut>,
    new: Vec<Vec<Edge>>,
    change: &mut Change,
) {
    let mut groups: Vec<Group> = Vec::new();
    let mut whole: Vec<u32> = Vec::new();
    for (i, region) in new.into_iter().enumerate() {
        if region.is_empty() {
            continue;
        }
        let facet = &p.facets[i];
        let (plane, edges_new) = match op {
            Op::Fill => (facet.plane, region),
            Op::Carve => (
                facet.plane.opposite(),
                region
                    .into_iter()
                    .map(|e| Edge {
                        from: e.to,
                        to: e.from,
                        line: e.line,
                    })
                    .collect(),
            ),
        };
        let mut g = Group {
            plane,
            surface: facet.surface,
            piece: 0,
            new: edges_new.len(),
            edges: edges_new,
            join: false,
            touching: touched[i].touching,
        };
        for &id in &touched[i].flush {
            let Some(f) = &slab[id as usize] else {
                continue;
            };
            if f.plane == plane && f.surface == facet.surface {
                (g.join, g.touching) = (true, true);
                g.piece = g.piece.max(f.piece);
                if let Some(k) = cut.iter().position(|c| c.face == id) {
                    g.edges.extend(cut[k].edges.iter().copied());
                } else {
                    g.edges.extend(edges(f));
                    change.removed.push(id);
                }
                whole.push(id);
            }
        }
        groups.push(g);
    }
    for Cut {
        face: id,
        edges,
        touching,
    } in cut
    {
        let Some(f) = &slab[id as usize] else {
            continue;
        };
        if !whole.contains(&id) {
            groups.push(Group {
                plane: f.plane,
                surface: f.surface,
                piece: f.piece,
                new: edges.len(),
                edges,
                join: false,
                touching,
            });
        }
    }
    for g in groups {
        let edges = if g.join {
            cancel(planes, g.plane.plane, &g.edges, g.new)
        } else {
            g.edges
        };
        let mut made = faces_of(planes, g.plane, g.surface, &edges, g.touching);
        for f in &mut made {
            f.piece = g.piece;
        }
        change.added.append(&mut made);
    }
}
