//! What a tree knows about the surface it stands on: each triangle with its normal, and which of its edges and vertices
//! can be met.
//!
//! An edge is met on its own only where the surface turns away from the air (convex), at a border, or where more than
//! two triangles meet. At flat and concave edges the faces are always met first, so those are never tested; that saves
//! half the work and is why a ball rolls over a cut floor without a bump. In the same way a vertex is met only where an
//! edge ends that is met, and not where two such edges run on in a straight line. Each edge and vertex that can be met
//! belongs to one triangle: the one with the lowest key.
//!
//! What hangs on a border, an edge with one face, goes on in another room. It stops only what moves in against that
//! face: at a floor that runs on, the face has stopped it before; at a ridge, whatever moves in against the edge moves in
//! against the face of the one room or of the other.
//!
//! Kept as chains: every point knows the first triangle corner on it, every corner the next on the same point. So a
//! change is linked in and out, and looked at anew, by the triangles around it alone ([`super::settle`]).
use super::build::Item;
use super::face::{Face, SIDE, VERTEX, after, border_bit, edge_bit, reach_of};
use super::four::{self, Fours};
use super::node::NONE;
use super::settle::{Pairing, Side, names_twice};
use super::{Mesh, Spare, Triangle};
use crate::collide::SphereSweep;
use glam::DVec3;

/// How the corners of a triangle hang on their points. Four of each, of which one is not used: a corner needs no check.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Link {
    pub corners: [u32; 4],
    /// The next corner on the same point, as triangle · 4 + corner; [`NONE`] ends the chain.
    pub next: [u32; 4],
}

impl Link {
    #[inline(always)]
    fn new([a, b, c]: [u32; 3]) -> Self {
        Self {
            corners: [a, b, c, NONE],
            next: [NONE; 4],
        }
    }

    const NONE: Self = Self {
        corners: [NONE; 4],
        next: [NONE; 4],
    };
}

/// A point.
#[derive(Clone, Copy, Debug)]
struct Hub {
    /// Its first corner.
    head: u32,
    /// When it was last listed; see [`Surface::listed`].
    listed: u32,
}

impl Hub {
    /// Puts a triangle's corner at the front of the chain; the one that was there.
    #[inline(always)]
    fn hang(&mut self, triangle: u32, corner: usize) -> u32 {
        std::mem::replace(&mut self.head, triangle * 4 + corner as u32)
    }

    /// Gives the point the next row, unless it has one; whether it had none. `before` were listed by earlier updates.
    #[inline(always)]
    fn list(&mut self, before: u32, row: [u32; 2], rows: &mut Vec<[u32; 2]>) -> bool {
        let is_new = self.listed <= before;
        if is_new {
            rows.push(row);
            self.listed = before + rows.len() as u32;
        }
        is_new
    }

    const NONE: Self = Self {
        head: NONE,
        listed: 0,
    };
}

/// All faces of a mesh and how they hang together.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// By triangle.
    pub faces: Vec<Face>,
    /// By triangle.
    pub(super) links: Vec<Link>,
    /// By point.
    hubs: Vec<Hub>,
    /// Points that updates have listed so far: what an update lists gets higher numbers than all before.
    listed: u32,
    /// Faces that are in.
    pub count: usize,
    spare: Spare<Scratch>,
}

/// Lists that every update needs; empty between two.
#[derive(Debug, Default)]
struct Scratch {
    /// By row: the points of what has changed, each with the first corner on it of what has not.
    points: Vec<[u32; 2]>,
    pairing: Pairing,
}

/// The corners of a triangle; None if it is dead, or points outside the list or at a number that is none.
#[inline]
pub(super) fn corners_of(mesh: &Mesh, triangle: &Triangle) -> Option<[DVec3; 3]> {
    named_corners(mesh, triangle).filter(|corners| are_sane(corners))
}

/// The same without a look at the numbers.
#[inline(always)]
fn named_corners(mesh: &Mesh, triangle: &Triangle) -> Option<[DVec3; 3]> {
    let at = |k: usize| mesh.positions.get(triangle.corners[k] as usize).copied();
    Some([at(0)?, at(1)?, at(2)?])
}

/// Beyond this, squares of squares would not fit.
const SANE: f64 = 1e30;

/// Whether points can be calculated with; NaN is not below any limit either.
#[inline(always)]
fn are_sane(points: &[DVec3]) -> bool {
    let is_sane = |p: &DVec3| (p.x.abs() < SANE) & (p.y.abs() < SANE) & (p.z.abs() < SANE);
    points.iter().all(is_sane)
}

impl Surface {
    /// All live triangles of the mesh; and as items, in the same go.
    pub fn of(mesh: &Mesh) -> (Self, Vec<Item>) {
        struct Task<'a>(&'a Mesh);
        impl four::Task for Task<'_> {
            type Answer = (Surface, Vec<Item>);
            #[inline(always)]
            fn run<M: Fours>(self, m: M) -> Self::Answer {
                Surface::of_all(m, self.0)
            }
        }
        four::run(Task(mesh))
    }

    #[inline(always)]
    fn of_all<M: Fours>(m: M, mesh: &Mesh) -> (Self, Vec<Item>) {
        // Room to grow, so that edits do not have to move everything soon; what is never used costs no memory.
        let spare = |n: usize| 2 * n + 64;
        let slots = mesh.triangles.len();
        let mut hubs = Vec::with_capacity(spare(mesh.positions.len()));
        hubs.resize(mesh.positions.len(), Hub::NONE);
        // Points are fewer than corners, so that they are looked at here.
        let all_sane = are_sane(&mesh.positions);
        let reach = if all_sane {
            reach_of(&mesh.positions)
        } else {
            SANE
        };
        let mut faces = Vec::with_capacity(spare(slots));
        let mut links = Vec::with_capacity(spare(slots));
        let mut items = Vec::with_capacity(slots);
        let mut pairing = Pairing::new(mesh.positions.len());
        for (triangle, t) in (0u32..).zip(&mesh.triangles) {
            let corners = named_corners(mesh, t).filter(|c| all_sane || are_sane(c));
            let Some(corners) = corners else {
                faces.push(Face::NONE);
                links.push(Link::NONE);
                continue;
            };
            let corners = corners.map(|p| m.load(p));
            faces.push(Face::new(m, triangle, t, &corners, reach));
            items.push(Item::around_fours(m, triangle, &corners));
            let mut link = Link::new(t.corners);
            for (k, &point) in t.corners.iter().enumerate() {
                link.next[k] = hubs[point as usize].hang(triangle, k);
            }
            links.push(link);
            // The row of a point is its own number.
            pairing.add_triangle(m, &mut faces, triangle, t.key, t.corners, &corners);
        }
        let mut surface = Self {
            faces,
            links,
            hubs,
            listed: 0,
            count: items.len(),
            spare: Spare::default(),
        };
        let (row_of, point_of) = (|_: &Self, point| Some(point), |row| row);
        surface.settle_rest(m, &mesh.positions, &mut pairing, row_of, point_of);
        (surface, items)
    }

    /// Brings the slots `changed` up to date. `leaves(face)` is told of each that goes, `items` gets each that is new; a
    /// face that is replaced is both.
    pub fn update(
        &mut self,
        mesh: &Mesh,
        changed: &[u32],
        mut leaves: impl FnMut(u32),
        items: &mut Vec<Item>,
    ) {
        self.make_room(mesh, changed);
        if self.hubs.len() > (u32::MAX - self.listed) as usize {
            self.hubs.iter_mut().for_each(|hub| hub.listed = 0);
            self.listed = 0;
        }
        let mut scratch = std::mem::take(&mut self.spare.0);
        for &triangle in changed {
            let face = self.faces.get_mut(triangle as usize);
            if let Some(face) = face.filter(|face| face.triangle != NONE) {
                *face = Face::NONE;
                self.count -= 1;
                leaves(triangle);
                let link = &mut self.links[triangle as usize];
                let corners = std::mem::replace(&mut link.corners, [NONE; 4]);
                for &point in &corners[..3] {
                    let hub = &mut self.hubs[point as usize];
                    hub.list(self.listed, [point, NONE], &mut scratch.points);
                }
            }
        }
        for [point, first] in &mut scratch.points {
            *first = self.unhang(*point);
            scratch.pairing.push(*first == NONE);
        }
        struct Task<'a>(
            &'a mut Surface,
            &'a Mesh,
            &'a [u32],
            &'a mut Vec<Item>,
            &'a mut Scratch,
        );
        impl four::Task for Task<'_> {
            type Answer = ();
            #[inline(always)]
            fn run<M: Fours>(self, m: M) {
                let Self(surface, mesh, changed, items, scratch) = self;
                surface.link(m, mesh, changed, scratch, items);
                surface.settle_around(m, mesh, scratch);
            }
        }
        four::run(Task(self, mesh, changed, items, &mut scratch));
        self.listed += scratch.points.len() as u32;
        scratch.points.clear();
        scratch.pairing.clear();
        self.spare.0 = scratch;
    }

    /// Takes in the triangles in slots, so far as there are any; what came is told as items too.
    #[inline(always)]
    fn link<M: Fours>(
        &mut self,
        m: M,
        mesh: &Mesh,
        changed: &[u32],
        scratch: &mut Scratch,
        items: &mut Vec<Item>,
    ) {
        for &triangle in changed {
            let Some(t) = mesh.triangles.get(triangle as usize) else {
                continue;
            };
            // A slot named twice is in already.
            if self.faces[triangle as usize].triangle != NONE {
                continue;
            }
            let Some(corners) = named_corners(mesh, t) else {
                continue;
            };
            let corners = corners.map(|p| m.load(p));
            if !m.are_below(&corners, SANE) {
                continue;
            }
            let reach = m.reach(&corners);
            self.faces[triangle as usize] = Face::new(m, triangle, t, &corners, reach);
            items.push(Item::around_fours(m, triangle, &corners));
            self.count += 1;
            let Scratch { points, pairing } = &mut *scratch;
            let (mut link, mut rows) = (Link::new(t.corners), [0; 3]);
            for (k, &point) in t.corners.iter().enumerate() {
                let hub = &mut self.hubs[point as usize];
                let head = hub.hang(triangle, k);
                if hub.list(self.listed, [point, head], points) {
                    pairing.push(head == NONE);
                }
                link.next[k] = head;
                rows[k] = hub.listed - self.listed - 1;
            }
            self.links[triangle as usize] = link;
            pairing.add_triangle(m, &mut self.faces, triangle, t.key, rows, &corners);
        }
    }

    /// Settles what is around the points listed, of which all new sides are in.
    #[inline(always)]
    fn settle_around<M: Fours>(&mut self, m: M, mesh: &Mesh, scratch: &mut Scratch) {
        let Scratch { points, pairing } = scratch;
        let base = self.listed;
        let row_of = |surface: &Self, point: u32| {
            let listed = surface.hubs[point as usize].listed;
            (listed > base).then(|| listed - base - 1)
        };
        // Older sides belong to no one now, nor does the point.
        for (row, &[_, first]) in (0..).zip(points.iter()) {
            let mut at = first;
            while at != NONE {
                let side = Side(at);
                let (triangle, k) = (side.triangle(), side.corner());
                let link = &self.links[triangle];
                at = link.next[k];
                let face = &mut self.faces[triangle];
                face.owns &= !VERTEX[k];
                pairing.add_face(row, face.key, face.triangle);
                let to = row_of(self, link.corners[after(k)]);
                let Some(to) = to.filter(|&to| to != row) else {
                    continue;
                };
                let [a, b, c, _] = link.corners;
                let face = &mut self.faces[triangle];
                face.owns &= !(SIDE << k);
                if names_twice([a, b, c]) {
                    pairing.add_odd(&[row, to]);
                    continue;
                }
                let ends = [k, after(k)].map(|k| m.load(face.corners[k]));
                let edge = m.sub(ends[1], ends[0]);
                pairing.add(m, &mut self.faces, side, [row, to], edge);
            }
        }
        let point_of = |row: u32| points[row as usize][0];
        self.settle_rest(m, &mesh.positions, pairing, row_of, point_of);
    }

    /// Takes what went out of a point's chain; what is first now.
    fn unhang(&mut self, point: u32) -> u32 {
        let mut at = self.hubs[point as usize].head;
        let mut last = NONE;
        let mut is_cut = false;
        while at != NONE {
            let link = &self.links[at as usize / 4];
            let (is_gone, next) = (link.corners[0] == NONE, link.next[at as usize % 4]);
            if is_gone {
                is_cut = true;
            } else {
                if is_cut {
                    self.join(point, last, at);
                }
                (last, is_cut) = (at, false);
            }
            at = next;
        }
        if is_cut {
            self.join(point, last, NONE);
        }
        self.hubs[point as usize].head
    }

    /// Makes `next` follow `last` in a point's chain; after [`NONE`] it is the first.
    fn join(&mut self, point: u32, last: u32, next: u32) {
        if last == NONE {
            self.hubs[point as usize].head = next;
        } else {
            self.links[last as usize / 4].next[last as usize % 4] = next;
        }
    }

    /// Lengthens the tables to what `changed` names.
    fn make_room(&mut self, mesh: &Mesh, changed: &[u32]) {
        let slots = mesh.triangles.len();
        let named = changed.iter().map(|&slot| slot as usize + 1);
        let slots = named
            .map(|end| if end <= slots { end } else { 0 })
            .fold(0, usize::max);
        if self.faces.len() < slots {
            self.faces.resize(slots, Face::NONE);
            self.links.resize(slots, Link::NONE);
        }
        if self.hubs.len() < mesh.positions.len() {
            self.hubs.resize(mesh.positions.len(), Hub::NONE);
        }
    }

    /// Whether a sphere moves in against any of the faces around vertex `k` on a border, and starts close behind none.
    ///
    /// The surface goes on in the next room, where the border cuts it straight through a face or a ridge: if the sphere
    /// starts in contact with that, it decides itself, not the point at which borders happen to cross it.
    #[cold]
    pub fn stops_at(&self, face: &Face, k: usize, sweep: &SphereSweep) -> bool {
        let point = self.links[face.triangle as usize].corners[k];
        let around = || self.spokes(point).map(|side| &self.faces[side.triangle()]);
        if !around().any(|face| face.stops(sweep))
            || around().any(|face| face.is_close_behind(sweep))
        {
            return false;
        }
        let mut ridges = self.spokes(point).flat_map(|side| {
            let face = &self.faces[side.triangle()];
            let corner = side.corner();
            let last = (corner + 2) % 3;
            let ends = [(corner, (corner + 1) % 3), (last, last)];
            let is_ridge = move |edge: usize| {
                face.owns & (edge_bit(edge) | border_bit(edge)) == edge_bit(edge)
            };
            let ends = ends.into_iter().filter(move |&(edge, _)| is_ridge(edge));
            ends.map(move |(_, end)| face.corners[end] - face.corners[corner])
        });
        let start = sweep.from - face.corners[k];
        match (ridges.next(), ridges.next()) {
            (None, _) => {
                around().all(|face| face.is_rough || face.normal.dot(start) >= sweep.radius)
            }
            (Some(ridge), None) => {
                let reach = sweep.radius * sweep.radius * ridge.length_squared();
                start.cross(ridge).length_squared() >= reach
            }
            // A corner.
            _ => true,
        }
    }

    pub(super) fn spokes(&self, point: u32) -> impl Iterator<Item = Side> {
        let mut at = self.hubs[point as usize].head;
        std::iter::from_fn(move || {
            let side = (at != NONE).then_some(Side(at))?;
            at = self.links[side.triangle()].next[side.corner()];
            Some(side)
        })
    }
}
