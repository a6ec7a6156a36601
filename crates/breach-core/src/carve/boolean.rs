//! One convex polytope against the faces of one cell.
//!
//! A boundary evaluation: every face loses its section with the polytope, every facet gains the region that
//! [`super::facet`] finds, and faces that came to lie in one plane with one material are joined. No convex
//! decomposition, no BSP; every decision is a sign.
use super::Op;
use super::face::{Face, alive};
use super::facet::{Member, Touched, regions};
use super::loops::{Edge, cancel, edges, faces as faces_of};
use super::polytope::{Polytope, Surface};
use super::section::{
    Beside, Crossings, Near, Outside, SectionEdge, crossing, edges_outside, flush, stretches_near,
};
use super::walls::{Walls, meet_wall};
use crate::exact::{Facing, PlaneId, Planes, Point, side};
use crate::geom::ring;
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
pub(super) struct Group {
    pub plane: Facing,
    pub surface: Surface,
    pub piece: u32,
    pub edges: Vec<Edge>,
    /// How many of them, the first, are new.
    pub new: usize,
    /// Edges of faces that meet are among them, which cancel each other out.
    pub join: bool,
    /// Something lay exactly on it or its edges.
    pub touching: bool,
}

/// Carves (the inside becomes air) or fills (solid) a polytope that lies within the cell. `faces` is the cell's slab:
/// together, walls included, they bound the cell's air, which lies behind its `sides`; `near` are those whose boxes touch
/// the polytope's, rising. Nothing changes where the result is the same.
pub fn apply(
    planes: &Planes,
    sides: &[Facing],
    faces: &[Option<Face>],
    near: &[u32],
    polytope: &Polytope,
    op: Op,
) -> Change {
    pulp::Arch::new().dispatch(Evaluation {
        planes,
        sides,
        faces,
        near,
        polytope,
        op,
    })
}

/// What [`apply`] does: the same bits in narrow registers and in wide ones, in which loops over [`LANES`] numbers take one
/// step.
pub(super) struct Evaluation<'a> {
    pub planes: &'a Planes,
    pub sides: &'a [Facing],
    pub faces: &'a [Option<Face>],
    pub near: &'a [u32],
    pub polytope: &'a Polytope,
    pub op: Op,
}

impl pulp::NullaryFnOnce for Evaluation<'_> {
    type Output = Change;

    #[inline(always)]
    fn call(self) -> Change {
        let Self {
            planes,
            sides,
            faces,
            near,
            polytope: p,
            op,
        } = self;
        let mut change = Change::default();
        let mut touched: Vec<Touched> = vec![Touched::default(); p.facets.len()];
        let mut cut: Vec<Cut> = Vec::new();
        let mut on_plane = vec![false; p.corners.len()];
        let bounds = p.bounds();
        let mut sieve = Sieve::new(planes, p);
        let mut scratch = Scratch::default();
        let walls = Walls::new(sides, faces, near, p);
        for &id in near {
            let face = alive(faces, id);
            if let Some(facet) = walls.with_plane(p, face.plane.plane) {
                touched[facet].flush.push(id);
                continue;
            }
            match sieve.place(face.lo, face.hi) {
                Place::Outside => continue,
                Place::Inside => {
                    change.removed.push(id);
                    continue;
                }
                Place::Unknown => {}
            }
            let Some(meets) = sieve.meets(planes, p, face.plane.plane) else {
                continue;
            };
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
                &walls,
                &mut touched,
                &mut cut,
                &mut change,
                &mut scratch,
            );
        }
        for (facet, t) in p.facets.iter().zip(&mut touched) {
            t.touching |= facet.corners.iter().any(|&c| on_plane[c as usize]);
        }
        let mut groups = Vec::new();
        for &facet in &walls.facets {
            if touched[facet].flush.is_empty() {
                continue;
            }
            let flush = std::mem::take(&mut touched[facet].flush);
            let met = meet_wall(planes, faces, p, facet, &flush, op, &mut scratch);
            touched[facet].wall = Some(met.shores);
            for facet in met.touched {
                touched[facet].touching = true;
            }
            change.removed.extend(&met.removed);
            groups.extend(met.groups);
        }
        let new = regions(planes, faces, p, &touched, op);
        join(
            planes,
            faces,
            p,
            &touched,
            op,
            cut,
            new,
            groups,
            &mut change,
        );
        change.removed.sort_unstable();
        change.removed.dedup();
        change
    }
}

/// How many planes and corners are asked at once; their lists are filled up to a multiple.
const LANES: usize = 8;

/// The polytope in numbers of the processor: most faces can be told at once to lie inside or outside.
struct Sieve {
    /// The midst of the polytope: boxes are asked about in f32, as seen from here.
    origin: DVec3,
    facets: Vec<Facets>,
    /// Where the search for a plane that a box lies beyond begins: with the last one found.
    first: usize,
    /// Of the box asked last: facets whose planes may cut it, rising.
    cuts: Vec<u32>,
    /// Corners, each coordinate in a list of its own.
    corners: [Vec<f64>; 3],
    heights: Vec<f64>,
    /// Of the plane asked last: the sides of the corners.
    sides: Vec<i8>,
}

/// Planes of some facets.
#[derive(Clone, Copy)]
struct Facets {
    /// Units, facing out.
    normals: [[f32; LANES]; 3],
    /// Distances from the origin.
    offsets: [f32; LANES],
    /// Bounds of the errors of those.
    doubts: [f32; LANES],
}

/// What fills the list up is behind everything.
const NOTHING: Facets = Facets {
    normals: [[0.0; LANES]; 3],
    offsets: [f32::INFINITY; LANES],
    doubts: [0.0; LANES],
};

/// What a distance of a few sums and products in f32 is off by, of the coordinates' sum: 2^-21 at most, doubled.
const ROUNDING: f32 = 1.0 / (1 << 20) as f32;

impl Facets {
    /// Distances of a box's nearest and farthest points before the planes, doubt included.
    #[inline(always)]
    fn reach(&self, centre: [f32; 3], half: [f32; 3], doubt: f32) -> [[f32; LANES]; 2] {
        let [x, y, z] = &self.normals;
        let (mut least, mut most) = ([0.0; LANES], [0.0; LANES]);
        for k in 0..LANES {
            let at = x[k] * centre[0] + y[k] * centre[1] + z[k] * centre[2] - self.offsets[k];
            let reach = x[k].abs() * half[0] + y[k].abs() * half[1] + z[k].abs() * half[2];
            let reach = reach + (self.doubts[k] + doubt);
            (least[k], most[k]) = (at - reach, at + reach);
        }
        [least, most]
    }
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
        let (lo, hi) = p.bounds();
        let origin = (lo + hi) * 0.5;
        let mut facets = vec![NOTHING; p.facets.len().div_ceil(LANES)];
        for (i, f) in p.facets.iter().enumerate() {
            let (list, k) = (&mut facets[i / LANES], i % LANES);
            let stored = &planes[f.plane.plane];
            let normal = DVec3::from_array(stored.nf);
            let unit = f.plane.sign() as f64 / normal.length();
            let offset = (stored.df - normal.dot(origin)) * unit;
            let doubt = stored.err * 2.0 * unit.abs();
            (0..3).for_each(|axis| list.normals[axis][k] = (normal[axis] * unit) as f32);
            list.offsets[k] = offset as f32;
            list.doubts[k] = doubt as f32 + offset.abs() as f32 * ROUNDING;
        }
        let fill = p.corners.first().map_or(DVec3::ZERO, |c| c.at);
        let size = p.corners.len().next_multiple_of(LANES);
        let mut corners = [0, 1, 2].map(|k| vec![fill[k]; size]);
        for (i, c) in p.corners.iter().enumerate() {
            (0..3).for_each(|k| corners[k][i] = c.at[k]);
        }
        Sieve {
            origin,
            facets,
            first: 0,
            cuts: Vec::with_capacity(p.facets.len()),
            corners,
            heights: vec![0.0; size],
            sides: vec![0; p.corners.len()],
        }
    }

    /// Where a box lies; it has been grown by the doubt of its corners.
    #[inline(always)]
    fn place(&mut self, lo: DVec3, hi: DVec3) -> Place {
        let centre = ((lo + hi) * 0.5 - self.origin).as_vec3();
        let half = ((hi - lo) * 0.5).as_vec3();
        let doubt = (centre.abs() + half).element_sum() * ROUNDING;
        let (centre, half) = (centre.to_array(), half.to_array());
        let is_beyond = |least: [f32; LANES]| least.iter().any(|&x| x > 0.0);
        let [least, _] = self.facets[self.first].reach(centre, half, doubt);
        if is_beyond(least) {
            return Place::Outside;
        }
        self.cuts.clear();
        for (at, facets) in self.facets.iter().enumerate() {
            let [least, most] = facets.reach(centre, half, doubt);
            if is_beyond(least) {
                self.first = at;
                return Place::Outside;
            }
            for (k, &most) in most.iter().enumerate() {
                if most >= 0.0 {
                    self.cuts.push((at * LANES + k) as u32);
                }
            }
        }
        match self.cuts.is_empty() {
            true => Place::Inside,
            false => Place::Unknown,
        }
    }

    /// How a plane meets the polytope, with the sides of its corners; none where all lie on one side.
    #[inline(always)]
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
        for (s, t) in self.sides.iter_mut().zip(&self.heights) {
            *s = i8::from(*t > plane.err) - i8::from(*t < -plane.err);
        }
        let (mut above, mut below, mut on) = (above > 0, below > 0, false);
        if !(above && below) || self.sides.contains(&0) {
            // What f64 does not tell.
            let unsure = self.sides.iter_mut().zip(&p.corners).filter(|s| *s.0 == 0);
            for (s, corner) in unsure {
                *s = side(planes, corner, id) as i8;
                above |= *s > 0;
                below |= *s < 0;
                on |= *s == 0;
            }
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
pub(super) struct Scratch {
    near: Near,
    sides: Vec<i8>,
    crossings: Crossings,
}

impl Scratch {
    /// What of a face lies outside a section, which lies in a box.
    pub fn cut(
        &mut self,
        planes: &Planes,
        face: &Face,
        section: &[SectionEdge],
        (lo, hi): (DVec3, DVec3),
    ) -> Outside {
        self.near.find(face, lo, hi);
        self.sides.clear();
        for e in section {
            self.near.signs(planes, face, e.plane, &mut self.sides);
        }
        let near = (&self.near, &self.sides[..]);
        edges_outside(planes, face, section, near, &mut self.crossings)
    }

    /// Of the face cut last: the signs of the corners nearby against one edge of the section.
    pub fn row(&self, edge: usize) -> &[i8] {
        let width = self.near.width();
        &self.sides[edge * width..(edge + 1) * width]
    }

    /// Of the face cut last: where it lies beside an edge of the section; none where the edge does not matter. `start`
    /// tells whether it lies all around the start of that edge, if that is known.
    pub fn beside(
        &self,
        planes: &Planes,
        face: &Face,
        section: &[SectionEdge],
        edge: usize,
        start: Option<bool>,
    ) -> Option<Beside> {
        let e = &section[edge];
        let [from, to] = e.ends.as_ref()?;
        if !face.touches(from.at.min(to.at), from.at.max(to.at)) {
            return None;
        }
        let known = |k: u32| {
            let key = (k, edge as u32);
            let at = self.crossings.binary_search_by_key(&key, |c| (c.0, c.1));
            at.ok().map(|at| self.crossings[at].2)
        };
        let near = (&self.near, self.row(edge));
        let ends = [from, to];
        Some(stretches_near(
            planes, face, e.plane, near, ends, start, known,
        ))
    }
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
        for (k, (&a, &b)) in ring::pairs(&f.corners).enumerate() {
            if sides[a as usize] == 0 && sides[b as usize] == 0 {
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
    walls: &Walls,
    touched: &mut [Touched],
    cut: &mut Vec<Cut>,
    change: &mut Change,
    scratch: &mut Scratch,
) {
    let is_wall = |facet: usize| p.facets[facet].surface == Surface::Wall;
    let is_open = |facet: usize| walls.facets.contains(&facet);
    let mut touching = meets.touches;
    let outside = scratch.cut(planes, face, section, bounds);
    let (mut rest, mut any_inside) = (outside.edges, outside.cut);
    // Whether the face lies all around where the next edge starts, and that point.
    let mut last: Option<(bool, Point)> = None;
    for (i, e) in section.iter().enumerate() {
        let Some([from, to]) = &e.ends else { continue };
        // Beyond a wall there is nothing of the face, and its rim there is the section's.
        if is_open(e.facet) {
            continue;
        }
        let start = last.filter(|l| l.1.at == from.at && l.1.planes == from.planes);
        let Some(beside) = scratch.beside(planes, face, section, i, start.map(|l| l.0)) else {
            last = Some((false, *to));
            continue;
        };
        last = beside.around_end().map(|is_in| (is_in, *to));
        let Beside {
            outer,
            inner,
            touches,
            ..
        } = beside;
        // Where the edge ends at a wall, the face's rim does, too.
        let before = &section[ring::before(i, section.len())];
        let after = &section[ring::after(i, section.len())];
        let meets_before = before.ends.is_some_and(|e| e[1].at == from.at);
        let meets_after = after.ends.is_some_and(|e| e[0].at == to.at);
        let is_free = (touches[0] && !(is_open(before.facet) && meets_before))
            || (touches[1] && !(is_open(after.facet) && meets_after));
        let is_plain = !scratch.row(i).contains(&0);
        if is_free || !is_plain {
            touching = true;
            touched[e.facet].touching = true;
        }
        if touches.contains(&true) && face.surface != Surface::Wall && !is_wall(e.facet) {
            // A point of the wall: the neighbour on the section is a wall's facet.
            let at_wall = [
                is_wall(before.facet) && meets_before,
                is_wall(after.facet) && meets_after,
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
    // It may be that the face lies inside as far as walls reach all around.
    let mut at_walls = (0..section.len()).filter(|&i| is_open(section[i].facet));
    if !any_inside
        && !at_walls.any(|i| {
            let beside = scratch.beside(planes, face, section, i, None);
            beside.is_some_and(|b| !b.inner.is_empty())
        })
    {
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
    mut groups: Vec<Group>,
    change: &mut Change,
) {
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
            let f = alive(slab, id);
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
        let f = alive(slab, id);
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
