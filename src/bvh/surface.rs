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
use super::adjacency::{Half, each_edge};
use super::node::NONE;
use super::{Mesh, Triangle};
use crate::collide::{SphereSweep, is_near_border};
use crate::geom::tolerance::{ALONG, FLAT_EDGE, SEAM, SLIVER_HEIGHT};
use crate::geom::unit_or_zero;
use glam::DVec3;
use smallvec::SmallVec;

/// Set where the edge from corner `k` to the next is the face's to test.
pub(super) const fn edge_bit(k: usize) -> u16 {
    1 << k
}

/// Set where vertex `k` is the face's to test.
pub(super) const fn vertex_bit(k: usize) -> u16 {
    0x10 << k
}

/// Set where the edge from corner `k` to the next is a border: no other face of the mesh has it.
pub(super) const fn border_bit(k: usize) -> u16 {
    0x100 << k
}

/// Set where vertex `k` is this face's to test and lies on a border.
pub(super) const fn border_vertex_bit(k: usize) -> u16 {
    0x1000 << k
}

/// The bits of owning anything.
pub(super) const OWNS: u16 = 0x77;

/// A triangle as the queries meet it; numbered as in the mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub corners: [DVec3; 3],
    /// Unit, towards the air; zero without area.
    pub normal: DVec3,
    pub key: u64,
    /// Index into [`Mesh::triangles`]; [`NONE`] for a slot without a face.
    pub triangle: u32,
    /// What is this face's to test; see [`edge_bit`] and those after it.
    pub owns: u16,
    /// Too flat for its normal to tell much.
    pub is_rough: bool,
}

impl Face {
    const NONE: Self = Self {
        corners: [DVec3::ZERO; 3],
        normal: DVec3::ZERO,
        key: u64::MAX,
        triangle: NONE,
        owns: 0,
        is_rough: true,
    };

    fn new(triangle: u32, t: &Triangle, corners: [DVec3; 3]) -> Self {
        let [a, b, c] = corners;
        // Twice the area, as a vector to the front.
        let area = (b - a).cross(c - a);
        let reach = a.abs().max(b.abs()).max(c.abs()).max_element();
        let least = (SLIVER_HEIGHT * reach) * (SLIVER_HEIGHT * reach);
        Self {
            corners,
            normal: unit_or_zero(area),
            key: t.key,
            triangle,
            owns: 0,
            is_rough: area.length_squared() <= least * longest_squared(&corners),
        }
    }

    /// Whether a contact with a face as good as without area is on it: then it is near one of its sides, and nothing
    /// else can tell.
    #[cold]
    pub fn holds(&self, point: DVec3) -> bool {
        let [a, b, c] = self.corners;
        let reach = a.abs().max(b.abs()).max(c.abs()).max_element();
        is_near_border(&self.corners, point, SLIVER_HEIGHT * reach + SEAM)
    }

    /// Whether a sphere moves in against the face, as far as that can be told, and not from close behind it.
    pub fn stops(&self, sweep: &SphereSweep) -> bool {
        let is_inwards = self.normal.dot(sweep.displacement) < -ALONG * sweep.length;
        self.is_rough || is_inwards && !self.is_close_behind(sweep)
    }

    /// Whether the sphere starts so near behind the face that it pokes through: through a thin wall.
    fn is_close_behind(&self, sweep: &SphereSweep) -> bool {
        let height = self.normal.dot(sweep.from - self.corners[0]);
        !self.is_rough && -sweep.radius < height && height < 0.0
    }

    /// The normal as culling may use it: zero, which culls nothing, where it cannot be trusted.
    #[inline]
    pub fn cull_normal(&self) -> DVec3 {
        if self.is_rough {
            DVec3::ZERO
        } else {
            self.normal
        }
    }
}

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
#[derive(Clone, Copy, Default)]
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
    /// By point: its first corner.
    pub(super) heads: Vec<u32>,
    /// By point: the last pass that listed it.
    listed: Vec<u32>,
    pass: u32,
    /// Faces that are in.
    pub count: usize,
}

/// The corners of a triangle; None if it is dead, or points outside the list or at a number that is none.
#[inline]
pub(super) fn corners_of(mesh: &Mesh, triangle: &Triangle) -> Option<[DVec3; 3]> {
    let [a, b, c] = triangle.corners.map(|i| mesh.positions.get(i as usize));
    let corners @ [a, b, c] = [*a?, *b?, *c?];
    // Beyond this, squares of squares would not fit. Comparing each part also turns NaN away.
    let sane = |p: DVec3| p.abs().cmplt(DVec3::splat(1e30));
    (sane(a) & sane(b) & sane(c)).all().then_some(corners)
}

impl Surface {
    /// All live triangles of the mesh.
    pub fn of(mesh: &Mesh) -> Self {
        let mut surface = Self::default();
        // Room to grow, so that edits do not have to move everything soon.
        let spare = |n: usize| n + n / 4 + 1024;
        let points = mesh.positions.len();
        surface.faces.reserve_exact(spare(mesh.triangles.len()));
        surface.links.reserve_exact(spare(mesh.triangles.len()));
        surface.heads.reserve_exact(spare(points));
        surface.listed.reserve_exact(spare(points));
        surface.heads.resize(points, NONE);
        surface.listed.resize(points, 0);
        let mut lower_ends = vec![0; points];
        for (triangle, t) in (0u32..).zip(&mesh.triangles) {
            let Some(corners) = corners_of(mesh, t) else {
                surface.faces.push(Face::NONE);
                surface.links.push(Link::NONE);
                continue;
            };
            surface.faces.push(Face::new(triangle, t, corners));
            let link = surface.hang(triangle, t);
            surface.links.push(link);
            let [a, b, c] = t.corners;
            for (a, b) in [(a, b), (b, c), (c, a)] {
                lower_ends[a.min(b) as usize] += u32::from(a != b);
            }
        }
        surface.settle_all(&mesh.positions, lower_ends);
        surface
    }

    /// Takes in the triangle in a slot, if there is one; whether there is.
    fn link(&mut self, mesh: &Mesh, triangle: u32) -> bool {
        let Some(t) = mesh.triangles.get(triangle as usize) else {
            return false;
        };
        if self.faces.len() <= triangle as usize {
            self.faces.resize(triangle as usize + 1, Face::NONE);
            self.links.resize(triangle as usize + 1, Link::NONE);
        }
        let Some(corners) = corners_of(mesh, t) else {
            return false;
        };
        let points = t.corners.into_iter().fold(0, u32::max) as usize + 1;
        if self.heads.len() < points {
            self.heads.resize(points, NONE);
            self.listed.resize(points, 0);
        }
        self.faces[triangle as usize] = Face::new(triangle, t, corners);
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

    /// Takes a triangle out of its points' chains.
    fn unlink(&mut self, triangle: u32) {
        let corners = self.links[triangle as usize].corners;
        for (k, point) in corners.into_iter().enumerate() {
            let me = triangle * 4 + k as u32;
            let mut at = self.heads[point as usize];
            // Read anew each time: a triangle may hang on one point twice.
            let after = self.links[triangle as usize].next[k];
            if at == me {
                self.heads[point as usize] = after;
                continue;
            }
            while at != NONE {
                let here = &mut self.links[at as usize / 4].next[at as usize % 4];
                if *here == me {
                    *here = after;
                    break;
                }
                at = *here;
            }
        }
        self.links[triangle as usize].corners = [NONE; 3];
        self.faces[triangle as usize] = Face::NONE;
        self.count -= 1;
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
        self.pass = self.pass.wrapping_add(1);
        if self.pass == 0 {
            self.listed.fill(0);
            self.pass = 1;
        }
        let mut points = Vec::with_capacity(changed.len() * 2);
        for &triangle in changed {
            let is_in = self.faces.get(triangle as usize);
            if is_in.is_some_and(|face| face.triangle != NONE) {
                self.list(triangle, &mut points);
                leaves(triangle);
                self.unlink(triangle);
            }
        }
        for &triangle in changed {
            // A slot named twice is in already.
            let is_in = self.faces.get(triangle as usize);
            if is_in.is_none_or(|face| face.triangle == NONE) && self.link(mesh, triangle) {
                self.list(triangle, &mut points);
                enters(&self.faces[triangle as usize]);
            }
        }
        let (listed, pass) = (std::mem::take(&mut self.listed), self.pass);
        points.sort_unstable();
        // An edge has changed only if both its ends belong to something that has.
        for &point in &points {
            self.settle(point, |other| listed[other as usize] == pass);
        }
        self.listed = listed;
    }

    /// Notes the points of a triangle, each once.
    fn list(&mut self, triangle: u32, points: &mut Vec<u32>) {
        for point in self.links[triangle as usize].corners {
            let listed = &mut self.listed[point as usize];
            if *listed != self.pass {
                *listed = self.pass;
                points.push(point);
            }
        }
    }

    /// Whether a sphere moves in against any of the faces around vertex `k`, and starts close behind none.
    #[cold]
    pub fn stops_at(&self, face: &Face, k: usize, sweep: &SphereSweep) -> bool {
        let point = self.links[face.triangle as usize].corners[k];
        let around = || self.spokes(point).map(|s| &self.faces[s.triangle as usize]);
        around().any(|face| face.stops(sweep)) && !around().any(|face| face.is_close_behind(sweep))
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
                next: link.corners[(corner + 1) % 3],
                last: link.corners[(corner + 2) % 3],
                key: link.key,
            })
        })
    }

    /// Gives each edge from `point` to a higher point, and then `point` itself, to the faces that have to test them, or
    /// to none. Points must come in rising order: the edges from lower points are known then.
    fn settle(&mut self, point: u32, concerns: impl Fn(u32) -> bool) {
        let mut spokes: SmallVec<[Spoke; 16]> = SmallVec::new();
        let mut halves: SmallVec<[Half; 32]> = SmallVec::new();
        for spoke in self.spokes(point) {
            let (t, corner) = (spoke.triangle, u32::from(spoke.corner));
            if spoke.next > point && concerns(spoke.next) {
                halves.push(Half::new(t, corner, point, spoke.next));
            }
            if spoke.last > point && concerns(spoke.last) {
                halves.push(Half::new(t, (corner + 2) % 3, spoke.last, point));
            }
            spokes.push(spoke);
        }
        each_edge(&mut halves, |edge| {
            let bits = self.edge_bits(edge);
            for (i, half) in edge.iter().enumerate() {
                let bits = bits[i.min(1)] << half.corner();
                let cleared = (edge_bit(0) | border_bit(0)) << half.corner();
                let owns = &mut self.faces[half.triangle() as usize].owns;
                *owns = *owns & !cleared | bits;
            }
        });
        self.settle_vertex(&spokes);
    }

    /// Who tests an edge between two faces: the first of them, if the surface turns away from the air there. `one` runs
    /// from the lower end to the higher.
    #[inline]
    pub(super) fn owner(&self, one: Half, two: Half) -> Option<Half> {
        let (face, other) = (
            &self.faces[one.triangle() as usize],
            &self.faces[two.triangle() as usize],
        );
        let is_rough = face.is_rough || other.is_rough;
        // Pieces of one face are flat, however thin.
        let is_one_face =
            face.key == other.key && (is_rough || face.normal.dot(other.normal) > 0.9);
        let is_met = !is_one_face && (is_rough || turns_away(face, one.corner(), other));
        let is_first = (face.key, face.triangle) < (other.key, other.triangle);
        is_met.then_some(if is_first { one } else { two })
    }

    /// Gives the point of these spokes to the face that has to test it, or to none.
    fn settle_vertex(&mut self, spokes: &[Spoke]) {
        let mut first = (u64::MAX, NONE);
        // The ends of the edges that are met, as far as they matter.
        let (mut met, mut ends, mut border) = (0, [DVec3::ZERO; 2], false);
        for spoke in spokes {
            let k = usize::from(spoke.corner);
            let face = &mut self.faces[spoke.triangle as usize];
            face.owns &= !(vertex_bit(k) | border_vertex_bit(k));
            first = first.min((spoke.key, spoke.triangle));
            let [next, last] = [(k + 1) % 3, (k + 2) % 3];
            if face.owns & (edge_bit(k) | edge_bit(last)) == 0 {
                continue;
            }
            for (edge, end) in [(k, next), (last, last)] {
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
        for spoke in spokes.iter().filter(|s| s.triangle == first.1) {
            let k = usize::from(spoke.corner);
            let on_border = if border { border_vertex_bit(k) } else { 0 };
            self.faces[spoke.triangle as usize].owns |= vertex_bit(k) | on_border;
        }
    }
}

/// Whether two edges that leave a point are one straight line through it.
pub(super) fn runs_on([a, b]: [DVec3; 2]) -> bool {
    let (dot, bend) = (a.dot(b), a.cross(b).length_squared());
    dot < 0.0 && bend <= FLAT_EDGE * FLAT_EDGE * (a.length_squared() * b.length_squared())
}

/// The square of the longest side.
fn longest_squared([a, b, c]: &[DVec3; 3]) -> f64 {
    a.distance_squared(*b)
        .max(b.distance_squared(*c))
        .max(c.distance_squared(*a))
}

/// Whether the surface turns away from the air at edge `k`. Where it folds back onto itself, air and rock cannot be
/// told apart by the angle, and the answer is yes.
fn turns_away(face: &Face, k: usize, other: &Face) -> bool {
    let edge = face.corners[(k + 1) % 3] - face.corners[k];
    let sine = face.normal.cross(other.normal).dot(edge);
    let beyond = |least: f64| sine * sine > least * least * edge.length_squared();
    let folded = face.normal.dot(other.normal) < 0.0;
    sine > 0.0 && beyond(FLAT_EDGE) || folded && (sine > 0.0 || !beyond(1e-3))
}
