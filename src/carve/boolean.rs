//! One convex polytope against the faces of one cell.
//!
//! A boundary evaluation: every face loses its section with the polytope, every facet gains the region that
//! [`super::facet`] finds, and faces that came to lie in one plane with one material are joined. No convex
//! decomposition, no BSP; every decision is a sign.
use super::Op;
use super::face::Face;
use super::facet::{Member, Touched, regions};
use super::loops::{Edge, cancel, edges, faces as faces_of};
use super::polytope::{Polytope, Surface};
use super::section::{Crossings, SectionEdge, crossing, edges_outside, flush, signs, stretches_of};
use crate::exact::{Facing, PlaneId, Planes, side};
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
    let mut scratch = Scratch::default();
    for &id in near {
        let Some(face) = &faces[id as usize] else {
            continue;
        };
        let Some(meets) = sieve.meets(planes, p, face.plane.plane) else {
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
        let sides = &sieve.sides;
        if meets.touches {
            change.degenerate |= face.surface != Surface::Wall && !is_at_wall(p, sides);
            for (on, &s) in on_plane.iter_mut().zip(sides) {
                *on |= s == 0;
            }
            note_edges(p, sides, id, &mut touched);
        }
        let section = if meets.crosses {
            crossing(
                planes,
                p,
                sides,
                face.plane,
                &sieve.cuts,
                (face.lo, face.hi),
            )
        } else {
            let whole = (0..p.facets.len())
                .find(|&f| p.facets[f].corners.iter().all(|&c| sides[c as usize] == 0));
            let Some(f) = whole else { continue };
            touched[f].flush.push(id);
            // Carve takes away what has its solid inside the polytope, fill what has its air there.
            let taken = (face.plane == p.facets[f].plane) == (op == Op::Carve);
            taken.then(|| flush(p, f, face.plane))
        };
        let Some(section) = section else { continue };
        cut_face(
            planes,
            id,
            face,
            &section,
            meets,
            bounds,
            p,
            &mut touched,
            &mut cut,
            &mut change,
            &mut scratch,
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

/// How many planes and corners are asked at once; their lists are filled up to a multiple.
const LANES: usize = 4;

/// The polytope in f64, each coordinate in a list of its own: most faces can be told at once to lie inside or outside.
struct Sieve {
    /// Facets' normals, facing out.
    normals: [Vec<f64>; 3],
    offsets: Vec<f64>,
    /// Bounds of the errors.
    doubts: Vec<f64>,
    /// Where the search for a plane that a box lies beyond begins: the last one found.
    first: usize,
    /// Of the box asked last: facets whose planes may cut it, rising.
    cuts: Vec<u32>,
    /// Corners.
    corners: [Vec<f64>; 3],
    heights: Vec<f64>,
    /// Of the plane asked last: the sides of the corners.
    sides: Vec<i8>,
}

enum Place {
    Inside,
    Outside,
    Unknown,
}

/// How a plane meets the polytope.
#[derive(Clone, Copy)]
struct Meets {
    /// Corners on both sides.
    crosses: bool,
    /// Corners on it.
    touches: bool,
}

impl Sieve {
    fn new(planes: &Planes, p: &Polytope) -> Sieve {
        let size = p.facets.len().next_multiple_of(LANES);
        let mut normals = [0; 3].map(|_| vec![0.0; size]);
        // What fills the list up is behind everything.
        let (mut offsets, mut doubts) = (vec![f64::INFINITY; size], vec![0.0; size]);
        for (i, f) in p.facets.iter().enumerate() {
            let (s, stored) = (f.plane.sign() as f64, &planes[f.plane.plane]);
            (0..3).for_each(|k| normals[k][i] = stored.nf[k] * s);
            (offsets[i], doubts[i]) = (stored.df * s, stored.err * 2.0);
        }
        let fill = p.corners.first().map_or(DVec3::ZERO, |c| c.at);
        let size = p.corners.len().next_multiple_of(LANES);
        let mut corners = [0, 1, 2].map(|k| vec![fill[k]; size]);
        for (i, c) in p.corners.iter().enumerate() {
            (0..3).for_each(|k| corners[k][i] = c.at[k]);
        }
        Sieve {
            normals,
            offsets,
            doubts,
            first: 0,
            cuts: Vec::with_capacity(p.facets.len()),
            corners,
            heights: vec![0.0; size],
            sides: vec![0; p.corners.len()],
        }
    }

    /// Distances of a box's nearest and farthest points before some planes, not normalised, doubt included.
    fn reach(
        &self,
        planes: std::ops::Range<usize>,
        centre: DVec3,
        half: DVec3,
    ) -> [[f64; LANES]; 2] {
        let [x, y, z] = &self.normals;
        let (x, y, z) = (&x[planes.clone()], &y[planes.clone()], &z[planes.clone()]);
        let (d, doubt) = (&self.offsets[planes.clone()], &self.doubts[planes]);
        let (mut least, mut most) = ([0.0; LANES], [0.0; LANES]);
        for k in 0..LANES {
            let at = x[k] * centre.x + y[k] * centre.y + z[k] * centre.z - d[k];
            let reach = x[k].abs() * half.x + y[k].abs() * half.y + z[k].abs() * half.z + doubt[k];
            (least[k], most[k]) = (at - reach, at + reach);
        }
        [least, most]
    }

    /// Where a box lies; it has been grown by the doubt of its corners.
    fn place(&mut self, lo: DVec3, hi: DVec3) -> Place {
        let (centre, half) = ((lo + hi) * 0.5, (hi - lo) * 0.5);
        let is_beyond = |least: [f64; LANES]| least.iter().any(|&x| x > 0.0);
        let [least, _] = self.reach(self.first..self.first + LANES, centre, half);
        if is_beyond(least) {
            return Place::Outside;
        }
        self.cuts.clear();
        for at in (0..self.offsets.len()).step_by(LANES) {
            let [least, most] = self.reach(at..at + LANES, centre, half);
            if is_beyond(least) {
                self.first = at;
                return Place::Outside;
            }
            for (i, &most) in (at as u32..).zip(&most) {
                if most >= 0.0 {
                    self.cuts.push(i);
                }
            }
        }
        match self.cuts.is_empty() {
            true => Place::Inside,
            false => Place::Unknown,
        }
    }

    /// How a plane meets the polytope, with the sides of its corners; none where all lie on one side.
    fn meets(&mut self, planes: &Planes, p: &Polytope, id: PlaneId) -> Option<Meets> {
        let plane = &planes[id];
        let [x, y, z] = &self.corners;
        let (mut above, mut below) = (0u64, 0u64);
        let lists = x.iter().zip(y).zip(z).zip(&mut self.heights);
        for (((x, y), z), t) in lists {
            // As `side` does.
            *t = plane.nf[0] * x + plane.nf[1] * y + plane.nf[2] * z - plane.df;
            above += u64::from(*t > plane.err);
            below += u64::from(*t < -plane.err);
        }
        let all = self.heights.len() as u64;
        if above == all || below == all {
            return None;
        }
        let [mut above, mut below, mut on] = [false; 3];
        for ((s, t), corner) in self.sides.iter_mut().zip(&self.heights).zip(&p.corners) {
            *s = if *t > plane.err {
                1
            } else if *t < -plane.err {
                -1
            } else {
                side(planes, corner, id) as i8
            };
            above |= *s > 0;
            below |= *s < 0;
            on |= *s == 0;
        }
        let crosses = above && below;
        (crosses || on).then_some(Meets {
            crosses,
            touches: on,
        })
    }
}

/// Room for lists that every face needs.
#[derive(Default)]
struct Scratch {
    sides: Vec<i8>,
    crossings: Crossings,
}

/// Whether all corners of a polytope that lie on a plane lie on walls: facets at which a cell cut it.
fn is_at_wall(p: &Polytope, sides: &[i8]) -> bool {
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
fn note_edges(p: &Polytope, sides: &[i8], id: u32, touched: &mut [Touched]) {
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
    meets: Meets,
    bounds: (DVec3, DVec3),
    p: &Polytope,
    touched: &mut [Touched],
    cut: &mut Vec<Cut>,
    change: &mut Change,
    Scratch { sides, crossings }: &mut Scratch,
) {
    let is_wall = |facet: usize| p.facets[facet].surface == Surface::Wall;
    let mut touching = meets.touches;
    let mut any_inside = false;
    let width: usize = face.loops.iter().map(Vec::len).sum();
    sides.clear();
    for e in section {
        signs(planes, face, e.plane, sides);
    }
    let (mut rest, inside) = edges_outside(planes, face, section, sides, bounds, crossings);
    for (i, (e, sides)) in section.iter().zip(sides.chunks_exact(width)).enumerate() {
        let Some([from, to]) = &e.ends else { continue };
        if !face.touches(from.at.min(to.at), from.at.max(to.at)) {
            continue;
        }
        let known = |edge: u32| {
            let at = crossings.binary_search_by_key(&(edge, i as u32), |c| (c.0, c.1));
            at.ok().map(|at| crossings[at].2)
        };
        let (outer, inner, touches) = stretches_of(planes, face, e.plane, sides, [from, to], known);
        let is_plain = !sides.contains(&0);
        if touches.contains(&true) || !is_plain {
            touching = true;
            touched[e.facet].touching = true;
        }
        if touches.contains(&true) && face.surface != Surface::Wall && !is_wall(e.facet) {
            // A point of the wall: the neighbour on the section is a wall's facet.
            let before = &section[(i + section.len() - 1) % section.len()];
            let after = &section[(i + 1) % section.len()];
            let at_wall = [
                is_wall(before.facet) && before.ends.is_some_and(|e| e[1].at == from.at),
                is_wall(after.facet) && after.ends.is_some_and(|e| e[0].at == to.at),
            ];
            change.degenerate |= (0..2).any(|end| touches[end] && !at_wall[end]);
        }
        any_inside |= !inner.is_empty();
        // The section goes: where the face lies outside its rim, the rim is the face's new edge, run the other way.
        rest.extend(outer.iter().map(|&(from, to)| Edge {
            from: to,
            to: from,
            line: e.plane.plane,
        }));
        if meets.crosses && !e.whole_edge && (!outer.is_empty() || !inner.is_empty()) {
            touched[e.facet].members.push(Member {
                plane: face.plane,
                outer,
                inner: (!is_plain).then_some(inner),
            });
        }
    }
    if !any_inside && !inside {
        return;
    }
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
