//! What a tree knows about the surface it stands on: each triangle with its normal, and which of its edges and vertices
//! can be met.
//!
//! An edge is met on its own only where the surface turns away from the air (convex), at a border, or where more than
//! two triangles meet. At flat and concave edges the faces are always met first, so those are never tested; that saves
//! half the work and is why a ball rolls over a cut floor without a bump. Each edge and vertex that can be met belongs
//! to one triangle: the one with the lowest key.
use super::{Mesh, Triangle};
use crate::geom::tolerance::{CONE, FLAT_EDGE, SLIVER_HEIGHT};
use crate::geom::unit_or_zero;
use glam::DVec3;

/// No triangle on the other side of an edge.
const OPEN: u32 = u32::MAX;
/// Several, or one that turns the wrong way.
const TANGLED: u32 = u32::MAX - 1;

/// A triangle as the queries meet it; stored in leaf order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub corners: [DVec3; 3],
    /// Unit, towards the air; zero without area.
    pub normal: DVec3,
    pub key: u64,
    /// Index into [`Mesh::triangles`].
    pub triangle: u32,
    /// Bit k: the edge from corner k to the next is this face's to test; bit 4 + k: so is vertex k.
    pub owns: u8,
}

/// All faces of a mesh and how they hang together.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// By triangle, across the edge from corner k to the next: a triangle, [`OPEN`] or [`TANGLED`].
    neighbours: Vec<[u32; 3]>,
}

/// Where the face of a triangle is, and whether the triangle is too flat for its normal to tell much.
#[derive(Clone, Copy)]
struct Rank {
    face: u32,
    rough: bool,
}

/// The corners of a triangle; None if it points outside the list or at a number that is none.
#[inline]
pub(super) fn corners_of(mesh: &Mesh, triangle: &Triangle) -> Option<[DVec3; 3]> {
    let [a, b, c] = triangle.corners.map(|i| mesh.positions.get(i as usize));
    let corners @ [a, b, c] = [*a?, *b?, *c?];
    // Beyond this, squares of squares would not fit. Comparing each part also turns NaN away.
    let sane = |p: DVec3| p.abs().cmplt(DVec3::splat(1e30));
    (sane(a) & sane(b) & sane(c)).all().then_some(corners)
}

/// Twice the area, as a vector to the front.
fn area_normal([a, b, c]: &[DVec3; 3]) -> DVec3 {
    (*b - *a).cross(*c - *a)
}

impl Surface {
    /// The mesh's triangles as faces, in the given order of triangles (those that name no point are not in it).
    pub fn of(mesh: &Mesh, order: &[u32]) -> (Self, Vec<Face>) {
        let reach = mesh
            .positions
            .iter()
            .fold(DVec3::ZERO, |m, p| m.max(p.abs()))
            .max_element();
        let least = (SLIVER_HEIGHT * reach) * (SLIVER_HEIGHT * reach);
        let mut faces = Vec::with_capacity(order.len());
        let mut rank = vec![
            Rank {
                face: OPEN,
                rough: true
            };
            mesh.triangles.len()
        ];
        for &triangle in order {
            let t = &mesh.triangles[triangle as usize];
            if let Some(corners) = corners_of(mesh, t) {
                let area = area_normal(&corners);
                let rough = area.length_squared() <= least * longest_squared(&corners);
                rank[triangle as usize] = Rank {
                    face: faces.len() as u32,
                    rough,
                };
                faces.push(Face {
                    corners,
                    normal: unit_or_zero(area),
                    key: t.key,
                    triangle,
                    owns: 0,
                });
            }
        }
        let surface = Self {
            neighbours: match_edges(mesh, |t| rank[t].face != OPEN),
        };
        surface.assign_owners(mesh, &mut faces, &rank);
        (surface, faces)
    }

    /// Gives each edge and vertex that can be met to one face.
    fn assign_owners(&self, mesh: &Mesh, faces: &mut [Face], rank: &[Rank]) {
        let mut met = vec![false; mesh.positions.len()];
        // The face with the lowest key at each point.
        let mut owner = vec![(u64::MAX, OPEN); mesh.positions.len()];
        // In the mesh's order, where neighbours are near each other.
        for (triangle, t) in mesh.triangles.iter().enumerate() {
            let Rank { face: i, rough } = rank[triangle];
            if i == OPEN {
                continue;
            }
            let face = &faces[i as usize];
            let mut owns = 0;
            for k in 0..3 {
                let best = &mut owner[t.corners[k] as usize];
                *best = (*best).min((face.key, face.triangle));
                let across = self.neighbours[triangle][k];
                let owned = across >= TANGLED || {
                    let other = &rank[across as usize];
                    let (rough, other) = (rough || other.rough, &faces[other.face as usize]);
                    (face.key, face.triangle) < (other.key, other.triangle)
                        && (rough || turns_away(face, k, other))
                };
                if owned {
                    owns |= 1 << k;
                    met[t.corners[k] as usize] = true;
                    met[t.corners[(k + 1) % 3] as usize] = true;
                }
            }
            faces[i as usize].owns = owns;
        }
        for (corner, &(_, triangle)) in owner.iter().enumerate().filter(|&(corner, _)| met[corner])
        {
            let corners = mesh.triangles[triangle as usize].corners;
            let face = &mut faces[rank[triangle as usize].face as usize];
            // A triangle may name a point twice.
            for k in (0..3).filter(|&k| corners[k] as usize == corner) {
                face.owns |= 0x10 << k;
            }
        }
    }

    /// Whether, seen from the edge in the direction `towards` (unit), nothing of the adjoining faces is nearer: only
    /// then is the edge itself what a sphere there touches.
    pub fn edge_faces(&self, mesh: &Mesh, face: &Face, k: usize, towards: DVec3) -> bool {
        let edge = face.corners[(k + 1) % 3] - face.corners[k];
        let hidden = |normal: DVec3, edge: DVec3| {
            let inwards = unit_or_zero(normal.cross(edge));
            inwards.dot(towards) > CONE
        };
        if hidden(face.normal, edge) {
            return false;
        }
        let across = self
            .neighbours
            .get(face.triangle as usize)
            .map_or(OPEN, |n| n[k]);
        let other = mesh
            .triangles
            .get(across as usize)
            .and_then(|t| corners_of(mesh, t));
        other.is_none_or(|c| !hidden(unit_or_zero(area_normal(&c)), -edge))
    }

    /// The same for a vertex: no edge from it may lead towards the sphere. Walks the triangles around it both ways as
    /// far as they hang together.
    pub fn vertex_faces(&self, mesh: &Mesh, face: &Face, k: usize, towards: DVec3) -> bool {
        let Some(first) = mesh.triangles.get(face.triangle as usize) else {
            return true;
        };
        let vertex = first.corners[k];
        for forwards in [true, false] {
            let mut at = face.triangle;
            // Enough for any real fan, and an end for a broken one.
            for _ in 0..256 {
                let Some(t) = mesh.triangles.get(at as usize) else {
                    break;
                };
                let Some(corner) = t.corners.iter().position(|&c| c == vertex) else {
                    break;
                };
                let Some(points) = corners_of(mesh, t) else {
                    break;
                };
                let (next, last) = ((corner + 1) % 3, (corner + 2) % 3);
                for end in [next, last] {
                    let edge = unit_or_zero(points[end] - points[corner]);
                    if edge.dot(towards) > CONE {
                        return false;
                    }
                }
                let Some(around) = self.neighbours.get(at as usize) else {
                    break;
                };
                at = if forwards {
                    around[corner]
                } else {
                    around[last]
                };
                if at == face.triangle {
                    return true;
                }
            }
        }
        true
    }
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

/// Who is across each edge, by triangle. Half edges are sorted into buckets by their lower corner (a counting sort), in
/// which each looks for its opposite.
fn match_edges(mesh: &Mesh, is_face: impl Fn(usize) -> bool) -> Vec<[u32; 3]> {
    let mut neighbours = vec![[OPEN; 3]; mesh.triangles.len()];
    let mut ends = vec![0u32; mesh.positions.len() + 1];
    let half_edges = |[a, b, c]: [u32; 3]| [(a, b), (b, c), (c, a)];
    let all = || {
        (0u32..)
            .zip(&mesh.triangles)
            .filter(|&(triangle, _)| is_face(triangle as usize))
    };
    for (a, b) in all().flat_map(|(_, t)| half_edges(t.corners)) {
        ends[a.min(b) as usize + 1] += 1;
    }
    for i in 1..ends.len() {
        ends[i] += ends[i - 1];
    }
    // Now `ends` says where each bucket starts; it moves to its end as the bucket fills.
    let starts = ends.clone();
    let mut slots = vec![HalfEdge::default(); mesh.triangles.len() * 3];
    for (triangle, t) in all() {
        for (side, (a, b)) in (0u8..).zip(half_edges(t.corners)) {
            let edge = HalfEdge {
                far: a.max(b),
                triangle,
                side,
                rises: a < b,
            };
            let low = a.min(b) as usize;
            let mut twins = 0;
            for other in &slots[starts[low] as usize..ends[low] as usize] {
                if other.far != edge.far {
                    continue;
                }
                twins += 1;
                let theirs = neighbours[other.triangle as usize][other.side as usize];
                let fits = twins == 1 && theirs == OPEN && edge.rises != other.rises;
                let fits = fits && other.triangle != triangle;
                let (mine, theirs) = if fits {
                    (other.triangle, triangle)
                } else {
                    (TANGLED, TANGLED)
                };
                neighbours[triangle as usize][side as usize] = mine;
                neighbours[other.triangle as usize][other.side as usize] = theirs;
            }
            slots[ends[low] as usize] = edge;
            ends[low] += 1;
        }
    }
    neighbours
}

/// An edge as one triangle runs along it.
#[derive(Clone, Copy, Default)]
struct HalfEdge {
    /// Its higher corner.
    far: u32,
    triangle: u32,
    /// From this corner of the triangle to the next.
    side: u8,
    /// From the lower corner to the higher.
    rises: bool,
}
