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
use super::adjacency::{Edges, Half, as_pair, bits_of_odd, first_of};
use super::build::{Bounds, Item};
use super::face::{
    EDGES, Face, Facing, SIDE, VERTEX, after, before, border_bit, border_vertex_bit, edge_bit,
    reach_of, vertex_bit,
};
use super::four::{self, Fours};
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

/// A point.
#[derive(Clone, Copy, Debug)]
struct Hub {
    /// Its first corner.
    head: u32,
    /// The last pass that listed it, and one more if older triangles hang there than those of that pass.
    listed: u32,
}

impl Hub {
    const NONE: Self = Self {
        head: NONE,
        listed: 0,
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
    pub(super) links: Vec<Link>,
    /// By point.
    hubs: Vec<Hub>,
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
        let most = if all_sane {
            reach_of(&mesh.positions)
        } else {
            SANE
        };
        let mut dead = 0;
        let mut all = (
            Vec::with_capacity(spare(slots)),
            Vec::with_capacity(spare(slots)),
            Vec::with_capacity(slots),
            Vec::with_capacity(slots),
        );
        // All lists at once: nothing has to ask whether they have room.
        all.extend((0u32..).zip(&mesh.triangles).map(|(triangle, t)| {
            let corners = named_corners(mesh, t).filter(|c| all_sane || are_sane(c));
            let Some(corners) = corners else {
                dead += 1;
                let item = Item::new(NONE, &Bounds::EMPTY);
                return (Face::NONE, Link::NONE, Facing::NONE, item);
            };
            let corners = corners.map(|p| m.load(p));
            let face = Face::new(m, triangle, t, &corners, most);
            let item = Item::around_fours(m, triangle, &corners);
            let link = hang(&mut hubs, triangle, t);
            (face, link, face.facing(), item)
        }));
        let (faces, links, facings, mut items) = all;
        if dead > 0 {
            items.retain(|item: &Item| item.triangle() != NONE);
        }
        let mut surface = Self {
            faces,
            links,
            hubs,
            pass: 0,
            count: items.len(),
            spare: Spare::default(),
        };
        surface.settle_all(&mesh.positions, &facings);
        (surface, items)
    }

    /// Takes in the triangles in slots, so far as there are any, and lists their points; what came is listed too, and as
    /// items.
    #[inline(always)]
    fn link<M: Fours>(
        &mut self,
        m: M,
        mesh: &Mesh,
        changed: &[u32],
        points: &mut Vec<[u32; 2]>,
        come: &mut Vec<u32>,
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
            let face = Face::new(m, triangle, t, &corners, m.reach(&corners));
            self.faces[triangle as usize] = face;
            self.list(t.corners, points);
            self.links[triangle as usize] = hang(&mut self.hubs, triangle, t);
            self.count += 1;
            come.push(triangle);
            items.push(Item::around_fours(m, triangle, &corners));
        }
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
        self.pass = self.pass.wrapping_add(2);
        if self.pass == 0 {
            self.hubs.iter_mut().for_each(|hub| hub.listed = 0);
            self.pass = 2;
        }
        self.make_room(mesh, changed);
        let mut scratch = std::mem::take(&mut self.spare.0);
        let Scratch { points, gone, .. } = &mut scratch;
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
                let Scratch {
                    points,
                    gone,
                    come,
                    edges,
                } = scratch;
                surface.link(m, mesh, changed, points, come, items);
                surface.settle_edges_of(m, come, gone, points, edges);
            }
        }
        four::run(Task(self, mesh, changed, items, &mut scratch));
        let Scratch {
            points, gone, come, ..
        } = &mut scratch;
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
        let hub = &mut self.hubs[point as usize];
        hub.listed = self.pass + u32::from(hub.head != NONE);
        hub.head
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
        let slots = named.filter(|&end| end <= slots).fold(0, usize::max);
        if self.faces.len() < slots {
            self.faces.resize(slots, Face::NONE);
            self.links.resize(slots, Link::NONE);
        }
        if self.hubs.len() < mesh.positions.len() {
            self.hubs.resize(mesh.positions.len(), Hub::NONE);
        }
    }

    /// Notes the points of a triangle, each once.
    #[inline(always)]
    fn list(&mut self, corners: [u32; 3], points: &mut Vec<[u32; 2]>) {
        for point in corners {
            let hub = &mut self.hubs[point as usize];
            if hub.listed & !1 != self.pass {
                hub.listed = self.pass + u32::from(hub.head != NONE);
                points.push([point, hub.head]);
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
        let mut at = self.hubs[point as usize].head;
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
    #[inline(always)]
    fn settle_edges_of<M: Fours>(
        &mut self,
        m: M,
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
        let (pass, hubs) = (self.pass, &self.hubs);
        let is_listed_old = |point: u32| hubs[point as usize].listed == pass + 1;
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
                    let half = Half::new(triangle, corner as u32, point, to);
                    if edges.add_if_there(half, point, to) {
                        self.faces[triangle as usize].owns &= !(SIDE << corner);
                    }
                }
            }
        }
        // None of the sides is anyone's now.
        for edge in edges.iter() {
            match edge.halves() {
                Some((halves, count)) => self.settle_edge(m, &halves[..count]),
                None => self.settle_edge(m, &self.sides(edge.ends())),
            }
        }
    }

    /// Gives an edge with these sides to the face that has to test it, or to none.
    #[inline(always)]
    fn settle_edge<M: Fours>(&mut self, m: M, sides: &[Half]) {
        let Some([one, two]) = as_pair(sides) else {
            for half in sides {
                self.give_side(*half, bits_of_odd(sides));
            }
            return;
        };
        let [face, other] = [one, two].map(|half| &self.faces[half.triangle() as usize]);
        let k = one.corner();
        let [from, to] = [k, after(k)].map(|k| m.load(face.corners[k]));
        if face.facing().is_met(m, &other.facing(), m.sub(to, from)) {
            let owner = first_of([one, two], [face.key, other.key]);
            self.give_side(owner, edge_bit(0));
        }
    }

    /// All sides of an edge, from its lower to its higher end.
    #[cold]
    pub(super) fn sides(&self, [near, far]: [u32; 2]) -> SmallVec<[Half; 8]> {
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

    /// Makes an edge the face's to test; bits as for the first edge.
    #[inline(always)]
    fn give_side(&mut self, half: Half, bits: u16) {
        self.faces[half.triangle() as usize].owns |= bits << half.corner();
    }

    /// Gives a point to the face that has to test it, or to none; its edges are settled.
    fn settle_vertex(&mut self, point: u32) {
        let mut first = (u64::MAX, NONE);
        // The ends of the edges that are met, as far as they matter.
        let (mut met, mut ends, mut border) = (0, [DVec3::ZERO; 2], false);
        let mut at = self.hubs[point as usize].head;
        while at != NONE {
            let (triangle, k) = (at / 4, at as usize % 4);
            let face = &mut self.faces[triangle as usize];
            at = self.links[triangle as usize].next[k];
            face.owns &= !VERTEX[k];
            first = first.min((face.key, triangle));
            let owns = face.owns;
            if owns & EDGES[k] == 0 {
                continue;
            }
            for (edge, end) in [(k, after(k)), (before(k), before(k))] {
                if owns & edge_bit(edge) != 0 {
                    border |= owns & border_bit(edge) != 0;
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

/// Puts a triangle at the front of its points' chains; how it hangs there.
#[inline(always)]
fn hang(hubs: &mut [Hub], triangle: u32, t: &Triangle) -> Link {
    let mut next = [NONE; 3];
    for (k, next) in next.iter_mut().enumerate() {
        let hub = &mut hubs[t.corners[k] as usize];
        *next = std::mem::replace(&mut hub.head, triangle * 4 + k as u32);
    }
    Link {
        corners: t.corners,
        next,
        key: t.key,
    }
}

/// Whether two edges that leave a point are one straight line through it.
pub(super) fn runs_on([a, b]: [DVec3; 2]) -> bool {
    let (dot, bend) = (a.dot(b), a.cross(b).length_squared());
    dot < 0.0 && bend <= FLAT_EDGE * FLAT_EDGE * (a.length_squared() * b.length_squared())
}
