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
//! change is linked in and out, and looked at anew, by the triangles around it alone.
use super::adjacency::{Edges, Half, as_pair, bits_of_odd, owner};
use super::build::Item;
use super::face::{
    EDGES, Face, Facing, Plane, VERTEX, after, before, border_bit, border_vertex_bit, edge_bit,
    reach_of, vertex_bit,
};
use super::node::NONE;
use super::{Mesh, Spare, Triangle};
use crate::collide::SphereSweep;
use crate::geom::tolerance::FLAT_EDGE;
use glam::DVec3;
use smallvec::SmallVec;

/// How the corners of a triangle hang on their points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub corners: [u32; 3],
    /// The next corner on the same point, as triangle · 4 + corner; [`NONE`] ends the chain.
    next: [u32; 3],
    pub key: u64,
}

impl Link {
    const NONE: Self = Self {
        corners: [NONE; 3],
        next: [NONE; 3],
        key: u64::MAX,
    };
}

/// A triangle at a point: from there to `next`, and from `last` back.
#[derive(Clone, Copy, Debug)]
struct Spoke {
    triangle: u32,
    corner: u8,
    next: u32,
    last: u32,
    key: u64,
}

/// All faces of a mesh and how they hang together.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// By triangle.
    pub faces: Vec<Face>,
    /// By triangle.
    pub planes: Vec<Plane>,
    /// By triangle.
    pub(super) links: Vec<Link>,
    /// By point: its first corner.
    pub(super) heads: Vec<u32>,
    /// By point: the last pass that listed it, and one more if older triangles hang there than those of that pass.
    listed: Vec<u32>,
    /// Even.
    pass: u32,
    /// Faces that are in.
    pub count: usize,
    spare: Spare<Scratch>,
}

/// Lists that every update needs.
#[derive(Debug, Default)]
struct Scratch {
    /// The points of what has changed, each with the first corner on it of what has not.
    points: Vec<[u32; 2]>,
    /// The corners of what went.
    gone: Vec<[u32; 3]>,
    /// What came.
    come: Vec<u32>,
    edges: Edges,
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

/// Whether points can be calculated with. Beyond 1e30, squares of squares would not fit; NaN is not below it either.
#[inline(always)]
fn are_sane(points: &[DVec3]) -> bool {
    let is_sane = |p: &DVec3| (p.x.abs() < 1e30) & (p.y.abs() < 1e30) & (p.z.abs() < 1e30);
    points.iter().all(is_sane)
}

impl Surface {
    /// All live triangles of the mesh; and as items, in the same go.
    pub fn of(mesh: &Mesh) -> (Self, Vec<Item>) {
        let mut surface = Self::default();
        // Room to grow, so that edits do not have to move everything soon; what is never used costs no memory.
        let spare = |n: usize| 2 * n + 64;
        let points = mesh.positions.len();
        surface.faces.reserve_exact(spare(mesh.triangles.len()));
        surface.planes.reserve_exact(spare(mesh.triangles.len()));
        surface.links.reserve_exact(spare(mesh.triangles.len()));
        surface.heads.reserve_exact(spare(points));
        surface.listed.reserve_exact(spare(points));
        surface.heads.resize(points, NONE);
        surface.listed.resize(points, 0);
        let mut items = Vec::with_capacity(mesh.triangles.len());
        let mut facings = Vec::with_capacity(mesh.triangles.len());
        // Points are fewer than corners, so that they are looked at here.
        let all_sane = are_sane(&mesh.positions);
        let most = if all_sane {
            reach_of(&mesh.positions)
        } else {
            1e30
        };
        for (triangle, t) in (0u32..).zip(&mesh.triangles) {
            let corners = named_corners(mesh, t).filter(|c| all_sane || are_sane(c));
            let Some(corners) = corners else {
                surface.faces.push(Face::NONE);
                surface.planes.push(Plane::default());
                surface.links.push(Link::NONE);
                facings.push(Facing::NONE);
                continue;
            };
            items.push(Item::around(triangle, &corners));
            let face = Face::new(triangle, t, corners, most);
            let facing = face.facing();
            surface.faces.push(face);
            surface.planes.push(Plane::new(&facing, &corners));
            facings.push(facing);
            let link = surface.hang(triangle, t);
            surface.links.push(link);
        }
        surface.settle_all(&mesh.positions, &facings);
        (surface, items)
    }

    /// Takes in the triangle in a slot, if there is one, and lists its points; whether there is.
    fn link(&mut self, mesh: &Mesh, triangle: u32, points: &mut Vec<[u32; 2]>) -> bool {
        let Some(t) = mesh.triangles.get(triangle as usize) else {
            return false;
        };
        let Some(corners) = corners_of(mesh, t) else {
            return false;
        };
        let face = Face::new(triangle, t, corners, reach_of(&corners));
        self.planes[triangle as usize] = Plane::new(&face.facing(), &corners);
        self.faces[triangle as usize] = face;
        self.list(t.corners, points);
        self.links[triangle as usize] = self.hang(triangle, t);
        true
    }

    /// Puts a triangle at the front of its points' chains; how it hangs there.
    #[inline]
    fn hang(&mut self, triangle: u32, t: &Triangle) -> Link {
        let mut next = [NONE; 3];
        for (k, next) in next.iter_mut().enumerate() {
            let head = &mut self.heads[t.corners[k] as usize];
            *next = std::mem::replace(head, triangle * 4 + k as u32);
        }
        self.count += 1;
        Link {
            corners: t.corners,
            next,
            key: t.key,
        }
    }

    /// Brings the slots `changed` up to date. `leaves(face)` is told of each that goes, `enters` of each that is new;
    /// a face that is replaced is told of twice.
    pub fn update(
        &mut self,
        mesh: &Mesh,
        changed: &[u32],
        mut leaves: impl FnMut(u32),
        mut enters: impl FnMut(&Face),
    ) {
        self.pass = self.pass.wrapping_add(2);
        if self.pass == 0 {
            self.listed.fill(0);
            self.pass = 2;
        }
        self.make_room(mesh, changed);
        let mut scratch = std::mem::take(&mut self.spare.0);
        let Scratch {
            points,
            gone,
            come,
            edges,
        } = &mut scratch;
        for &triangle in changed {
            let face = self.faces.get_mut(triangle as usize);
            if let Some(face) = face.filter(|face| face.triangle != NONE) {
                *face = Face::NONE;
                self.count -= 1;
                leaves(triangle);
                let link = &mut self.links[triangle as usize];
                let corners = std::mem::replace(&mut link.corners, [NONE; 3]);
                gone.push(corners);
                self.list(corners, points);
            }
        }
        for [point, first] in points.iter_mut() {
            *first = self.unhang(*point);
        }
        for &triangle in changed {
            // A slot named twice is in already.
            let is_in = self.faces.get(triangle as usize);
            if is_in.is_none_or(|face| face.triangle == NONE) && self.link(mesh, triangle, points) {
                come.push(triangle);
                enters(&self.faces[triangle as usize]);
            }
        }
        self.settle_edges_of(come, gone, points, edges);
        for &[point, _] in points.iter() {
            self.settle_vertex(point);
        }
        points.clear();
        gone.clear();
        come.clear();
        self.spare.0 = scratch;
    }

    /// Takes what went out of a point's chain; what is first now.
    fn unhang(&mut self, point: u32) -> u32 {
        let mut at = self.heads[point as usize];
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
        let first = self.heads[point as usize];
        self.listed[point as usize] = self.pass + u32::from(first != NONE);
        first
    }

    /// Makes `next` follow `last` in a point's chain; after [`NONE`] it is the first.
    fn join(&mut self, point: u32, last: u32, next: u32) {
        if last == NONE {
            self.heads[point as usize] = next;
        } else {
            self.links[last as usize / 4].next[last as usize % 4] = next;
        }
    }

    /// Lengthens the tables to what `changed` names.
    fn make_room(&mut self, mesh: &Mesh, changed: &[u32]) {
        let slots = mesh.triangles.len();
        let named = changed.iter().map(|&slot| slot as usize + 1);
        let slots = named.filter(|&end| end <= slots).fold(0, usize::max);
        if self.faces.len() < slots {
            self.faces.resize(slots, Face::NONE);
            self.planes.resize(slots, Plane::default());
            self.links.resize(slots, Link::NONE);
        }
        if self.heads.len() < mesh.positions.len() {
            self.heads.resize(mesh.positions.len(), NONE);
            self.listed.resize(mesh.positions.len(), 0);
        }
    }

    /// Notes the points of a triangle, each once.
    fn list(&mut self, corners: [u32; 3], points: &mut Vec<[u32; 2]>) {
        for point in corners {
            let listed = &mut self.listed[point as usize];
            if *listed & !1 != self.pass {
                let first = self.heads[point as usize];
                *listed = self.pass + u32::from(first != NONE);
                points.push([point, first]);
            }
        }
    }

    /// Whether a sphere moves in against any of the faces around vertex `k` on a border, and starts close behind none.
    ///
    /// The surface goes on in the next room, where the border cuts it straight through a face or a ridge: if the sphere
    /// starts in contact with that, it decides itself, not the point at which borders happen to cross it.
    #[cold]
    pub fn stops_at(&self, face: &Face, k: usize, sweep: &SphereSweep) -> bool {
        let point = self.links[face.triangle as usize].corners[k];
        let around = || self.spokes(point).map(|s| &self.faces[s.triangle as usize]);
        if !around().any(|face| face.stops(sweep))
            || around().any(|face| face.is_close_behind(sweep))
        {
            return false;
        }
        let mut ridges = self.spokes(point).flat_map(|spoke| {
            let face = &self.faces[spoke.triangle as usize];
            let corner = usize::from(spoke.corner);
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

    /// The first triangle at a point, by key.
    pub(super) fn first_at(&self, point: u32) -> Option<usize> {
        let spokes = self.spokes(point).map(|s| (s.key, s.triangle));
        spokes.min().map(|(_, triangle)| triangle as usize)
    }

    fn spokes(&self, point: u32) -> impl Iterator<Item = Spoke> {
        let mut at = self.heads[point as usize];
        std::iter::from_fn(move || {
            if at == NONE {
                return None;
            }
            let (triangle, corner) = (at / 4, at as usize % 4);
            let link = &self.links[triangle as usize];
            at = link.next[corner];
            Some(Spoke {
                triangle,
                corner: corner as u8,
                next: link.corners[after(corner)],
                last: link.corners[before(corner)],
                key: link.key,
            })
        })
    }

    /// Gives the edges of triangles that came, and of others whose neighbours went, to the faces that have to test them,
    /// or to none.
    fn settle_edges_of(
        &mut self,
        come: &[u32],
        gone: &[[u32; 3]],
        points: &[[u32; 2]],
        edges: &mut Edges,
    ) {
        edges.clear(come.len().max(gone.len()));
        for &triangle in come {
            edges.add(triangle, self.links[triangle as usize].corners);
        }
        // An edge between two points belongs to older triangles only if such hang on both.
        let is_listed_old = |point: u32| self.listed[point as usize] == self.pass + 1;
        for &[a, b, c] in gone {
            for (a, b) in [(a, b), (b, c), (c, a)] {
                if a != b && is_listed_old(a) && is_listed_old(b) {
                    edges.name(a, b);
                }
            }
        }
        // Older triangles follow what came: from the corner where each side begins.
        for &[point, first] in points {
            let mut at = first;
            while at != NONE {
                let (triangle, corner) = (at / 4, at as usize % 4);
                let link = &self.links[triangle as usize];
                at = link.next[corner];
                let to = link.corners[after(corner)];
                if to != point && is_listed_old(to) {
                    edges.add_if_there(triangle, corner as u32, point, to);
                }
            }
        }
        for edge in edges.iter() {
            match edge.halves() {
                Some((halves, count)) => self.settle_edge(&halves[..count]),
                None => self.settle_edge(&self.sides(edge.near, edge.far)),
            }
        }
    }

    /// Gives an edge with these sides to the face that has to test it, or to none.
    #[inline(always)]
    fn settle_edge(&mut self, sides: &[Half]) {
        match as_pair(sides) {
            Some([one, two]) => {
                let owner = self.owner(one, two);
                for half in [one, two] {
                    self.give_anew(half, u16::from(owner == Some(half)) * edge_bit(0));
                }
            }
            None => {
                for half in sides {
                    self.give_anew(*half, bits_of_odd(sides));
                }
            }
        }
    }

    /// All sides of an edge, from its lower to its higher end.
    pub(super) fn sides(&self, near: u32, far: u32) -> SmallVec<[Half; 8]> {
        let mut sides = SmallVec::new();
        for spoke in self.spokes(near) {
            let (triangle, corner) = (spoke.triangle, usize::from(spoke.corner));
            if spoke.next == far {
                sides.push(Half::new(triangle, corner as u32, near, far));
            }
            if spoke.last == far {
                sides.push(Half::new(triangle, before(corner) as u32, far, near));
            }
        }
        sides
    }

    /// Says anew whether an edge is the face's to test; bits as for the first edge.
    #[inline]
    fn give_anew(&mut self, half: Half, bits: u16) {
        let cleared = (edge_bit(0) | border_bit(0)) << half.corner();
        let owns = &mut self.faces[half.triangle() as usize].owns;
        *owns = *owns & !cleared | bits << half.corner();
    }

    /// Who tests an edge between two faces: the first of them, if it is met. `one` runs from the lower end to the higher.
    #[inline(always)]
    fn owner(&self, one: Half, two: Half) -> Option<Half> {
        let face = |half: Half| &self.faces[half.triangle() as usize];
        let (face, other, k) = (face(one), face(two), one.corner());
        let edge = face.corners[after(k)] - face.corners[k];
        owner([one, two], &face.facing(), &other.facing(), edge)
    }

    /// Gives a point to the face that has to test it, or to none; its edges are settled.
    fn settle_vertex(&mut self, point: u32) {
        let mut first = (u64::MAX, NONE);
        // The ends of the edges that are met, as far as they matter.
        let (mut met, mut ends, mut border) = (0, [DVec3::ZERO; 2], false);
        let mut at = self.heads[point as usize];
        while at != NONE {
            let (triangle, k) = (at / 4, at as usize % 4);
            let link = &self.links[triangle as usize];
            let face = &mut self.faces[triangle as usize];
            at = link.next[k];
            face.owns &= !VERTEX[k];
            first = first.min((link.key, triangle));
            if face.owns & EDGES[k] == 0 {
                continue;
            }
            for (edge, end) in [(k, after(k)), (before(k), before(k))] {
                if face.owns & edge_bit(edge) != 0 {
                    border |= face.owns & border_bit(edge) != 0;
                    if met < 2 {
                        ends[met] = face.corners[end] - face.corners[k];
                    }
                    met += 1;
                }
            }
        }
        if met == 0 || met == 2 && runs_on(ends) {
            return;
        }
        // A triangle may name a point twice.
        let triangle = first.1 as usize;
        for k in (0..3).filter(|&k| self.links[triangle].corners[k] == point) {
            let on_border = if border { border_vertex_bit(k) } else { 0 };
            self.faces[triangle].owns |= vertex_bit(k) | on_border;
        }
    }
}

/// Whether two edges that leave a point are one straight line through it.
pub(super) fn runs_on([a, b]: [DVec3; 2]) -> bool {
    let (dot, bend) = (a.dot(b), a.cross(b).length_squared());
    dot < 0.0 && bend <= FLAT_EDGE * FLAT_EDGE * (a.length_squared() * b.length_squared())
}
