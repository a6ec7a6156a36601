//! What a tree knows about the surface it stands on: each triangle with its normal, and which of its edges and vertices
//! can be met.
//!
//! An edge is met on its own only where the surface turns away from the air (convex), at a border, or where more than
//! two triangles meet. At flat and concave edges the faces are always met first, so those are never tested; that saves
//! half the work and is why a ball rolls over a cut floor without a bump. In the same way a vertex is met only where an
//! edge ends that is met, and not where two such edges run on in a straight line. Each edge and vertex that can be met
//! belongs to one triangle: the one with the lowest key.
//!
//! Kept as chains: every point knows the first triangle corner on it, every corner the next on the same point. So a
//! change is linked in and out, and looked at anew, by the triangles around it alone.
use super::node::NONE;
use super::{Mesh, Triangle};
use crate::geom::tolerance::{CULL_SLACK, FLAT_EDGE, SLIVER_HEIGHT};
use crate::geom::{Aabb, unit_or_zero};
use glam::DVec3;

/// A triangle as the queries meet it; numbered as in the mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub corners: [DVec3; 3],
    /// Unit, towards the air; zero without area.
    pub normal: DVec3,
    pub key: u64,
    /// Index into [`Mesh::triangles`].
    pub triangle: u32,
    /// Block · 8 + lane in the tree; [`NONE`] for a slot without a face.
    pub place: u32,
    /// Bit k: the edge from corner k to the next is this face's to test; bit 4 + k: so is vertex k.
    pub owns: u8,
    /// Too flat for its normal to tell much.
    pub is_rough: bool,
}

impl Face {
    const NONE: Self = Self {
        corners: [DVec3::ZERO; 3],
        normal: DVec3::ZERO,
        key: u64::MAX,
        triangle: NONE,
        place: NONE,
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
            place: NONE,
            owns: 0,
            is_rough: area.length_squared() <= least * longest_squared(&corners),
        }
    }

    /// Whether a contact with a face as good as without area is between its corners: its sides alone cannot tell.
    #[cold]
    pub fn holds(&self, point: DVec3) -> bool {
        let [a, b, c] = self.corners;
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let around = Aabb {
            min: low,
            max: high,
        };
        around.grow(CULL_SLACK * around.reach()).contains(point)
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
struct Link {
    corners: [u32; 3],
    /// The next corner on the same point, as triangle · 4 + corner; [`NONE`] ends the chain.
    next: [u32; 3],
}

/// A triangle at a point: from there to `next`, and from `last` back.
#[derive(Clone, Copy)]
struct Spoke {
    triangle: u32,
    corner: u8,
    next: u32,
    last: u32,
}

/// All faces of a mesh and how they hang together.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// By triangle.
    pub faces: Vec<Face>,
    /// By triangle.
    links: Vec<Link>,
    /// By point: its first corner.
    heads: Vec<u32>,
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
        surface.faces.reserve_exact(spare(mesh.triangles.len()));
        surface.links.reserve_exact(spare(mesh.triangles.len()));
        surface.heads.reserve_exact(spare(mesh.positions.len()));
        surface.listed.reserve_exact(spare(mesh.positions.len()));
        for triangle in 0..mesh.triangles.len() as u32 {
            surface.link(mesh, triangle);
        }
        for point in 0..surface.heads.len() as u32 {
            surface.settle_edges(point, |_| true);
        }
        for point in 0..surface.heads.len() as u32 {
            surface.settle_vertex(point);
        }
        surface
    }

    /// Takes in the triangle in a slot, if there is one; whether there is.
    fn link(&mut self, mesh: &Mesh, triangle: u32) -> bool {
        let Some(t) = mesh.triangles.get(triangle as usize) else {
            return false;
        };
        if self.faces.len() <= triangle as usize {
            let none = Link {
                corners: [NONE; 3],
                next: [NONE; 3],
            };
            self.faces.resize(triangle as usize + 1, Face::NONE);
            self.links.resize(triangle as usize + 1, none);
        }
        let Some(corners) = corners_of(mesh, t) else {
            return false;
        };
        let points = t.corners.into_iter().fold(0, u32::max) as usize + 1;
        if self.heads.len() < points {
            self.heads.resize(points, NONE);
            self.listed.resize(points, 0);
        }
        let mut next = [NONE; 3];
        for (k, next) in next.iter_mut().enumerate() {
            let head = &mut self.heads[t.corners[k] as usize];
            *next = std::mem::replace(head, triangle * 4 + k as u32);
        }
        self.faces[triangle as usize] = Face::new(triangle, t, corners);
        self.links[triangle as usize] = Link {
            corners: t.corners,
            next,
        };
        self.count += 1;
        true
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
        mut leaves: impl FnMut(&mut [Face], u32),
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
                leaves(&mut self.faces, triangle);
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
        // An edge has changed only if both its ends belong to something that has.
        for &point in &points {
            self.settle_edges(point, |other| listed[other as usize] == pass);
        }
        for &point in &points {
            self.settle_vertex(point);
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
            })
        })
    }

    /// Gives each edge from `point` to a higher point to the faces that have to test it, or to none.
    fn settle_edges(&mut self, point: u32, concerns: impl Fn(u32) -> bool) {
        // Half edges as (far end, runs towards `point`, triangle, side).
        let mut edges: smallvec::SmallVec<[(u32, bool, u32, u8); 16]> = smallvec::SmallVec::new();
        for spoke in self.spokes(point) {
            if spoke.next > point && concerns(spoke.next) {
                edges.push((spoke.next, false, spoke.triangle, spoke.corner));
            }
            if spoke.last > point && concerns(spoke.last) {
                edges.push((spoke.last, true, spoke.triangle, (spoke.corner + 2) % 3));
            }
        }
        edges.sort_unstable();
        for edge in edges.chunk_by(|a, b| a.0 == b.0) {
            match *edge {
                [(_, false, t, side), (_, true, other, other_side)] if t != other => {
                    self.settle_pair((t, side), (other, other_side));
                }
                // A border, or a tangle that cannot be told in from out.
                _ => edge
                    .iter()
                    .for_each(|&(_, _, t, side)| self.own(t, side, true)),
            }
        }
    }

    fn own(&mut self, triangle: u32, bit: u8, is_owned: bool) {
        let owns = &mut self.faces[triangle as usize].owns;
        *owns = *owns & !(1 << bit) | u8::from(is_owned) << bit;
    }

    /// An edge between two faces: met if the surface turns away from the air there.
    fn settle_pair(&mut self, one: (u32, u8), two: (u32, u8)) {
        let (face, other) = (&self.faces[one.0 as usize], &self.faces[two.0 as usize]);
        let is_first = (face.key, face.triangle) < (other.key, other.triangle);
        let is_rough = face.is_rough || other.is_rough;
        // Pieces of one face are flat, however thin.
        let is_one_face =
            face.key == other.key && (is_rough || face.normal.dot(other.normal) > 0.9);
        let is_met = !is_one_face && (is_rough || turns_away(face, one.1.into(), other));
        self.own(one.0, one.1, is_met && is_first);
        self.own(two.0, two.1, is_met && !is_first);
    }

    /// Gives a point to the face that has to test it, or to none.
    fn settle_vertex(&mut self, point: u32) {
        let mut first = (u64::MAX, NONE);
        // The ends of the edges that are met, as far as they matter.
        let (mut met, mut ends) = (0, [DVec3::ZERO; 2]);
        let mut spokes: smallvec::SmallVec<[Spoke; 16]> = smallvec::SmallVec::new();
        spokes.extend(self.spokes(point));
        for spoke in &spokes {
            let k = usize::from(spoke.corner);
            let face = &mut self.faces[spoke.triangle as usize];
            face.owns &= !(0x10 << k);
            first = first.min((face.key, face.triangle));
            let [next, last] = [(k + 1) % 3, (k + 2) % 3];
            for (edge, end) in [(k, next), (last, last)] {
                if face.owns & (1 << edge) != 0 {
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
            self.faces[spoke.triangle as usize].owns |= 0x10 << spoke.corner;
        }
    }
}

/// Whether two edges that leave a point are one straight line through it.
fn runs_on([a, b]: [DVec3; 2]) -> bool {
    let (dot, bend) = (a.dot(b), a.cross(b).length_squared());
    dot < 0.0 && bend <= FLAT_EDGE * FLAT_EDGE * a.length_squared() * b.length_squared()
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
