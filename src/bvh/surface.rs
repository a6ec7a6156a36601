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

/// The corners of a triangle; None if it points outside the list or at a number that is none.
fn corners_of(mesh: &Mesh, triangle: &Triangle) -> Option<[DVec3; 3]> {
    let at = |i: u32| {
        mesh.positions
            .get(i as usize)
            .copied()
            .filter(|p| p.abs().max_element() < 1e30)
    };
    let [a, b, c] = triangle.corners;
    Some([at(a)?, at(b)?, at(c)?])
}

/// Twice the area, as a vector to the front.
fn area_normal([a, b, c]: &[DVec3; 3]) -> DVec3 {
    (*b - *a).cross(*c - *a)
}

impl Surface {
    /// The faces in the mesh's order, without the triangles that name no point.
    pub fn of(mesh: &Mesh) -> (Self, Vec<Face>) {
        let mut faces = Vec::with_capacity(mesh.triangles.len());
        for (triangle, t) in (0u32..).zip(&mesh.triangles) {
            if let Some(corners) = corners_of(mesh, t) {
                let normal = unit_or_zero(area_normal(&corners));
                faces.push(Face {
                    corners,
                    normal,
                    key: t.key,
                    triangle,
                    owns: 0,
                });
            }
        }
        let surface = Self {
            neighbours: match_edges(mesh, &faces),
        };
        surface.assign_owners(mesh, &mut faces);
        (surface, faces)
    }

    /// Gives each edge and vertex that can be met to one face.
    fn assign_owners(&self, mesh: &Mesh, faces: &mut [Face]) {
        let reach = faces
            .iter()
            .flat_map(|f| f.corners)
            .fold(DVec3::ZERO, |m, p| m.max(p.abs()));
        let least_height = SLIVER_HEIGHT * reach.max_element();
        let rough: Vec<bool> = faces
            .iter()
            .map(|f| height_squared(f) <= least_height * least_height)
            .collect();
        // Where the face of a triangle is; dropped triangles leave gaps.
        let mut face_of = vec![OPEN; mesh.triangles.len()];
        for (i, face) in (0u32..).zip(faces.iter()) {
            face_of[face.triangle as usize] = i;
        }
        let mut met = vec![false; mesh.positions.len()];
        for i in 0..faces.len() {
            let face = faces[i];
            let corners = mesh.triangles[face.triangle as usize].corners;
            for k in 0..3 {
                let across = self.neighbours[face.triangle as usize][k];
                let owned = if across >= TANGLED {
                    true
                } else {
                    let j = face_of[across as usize] as usize;
                    let other = &faces[j];
                    (face.key, face.triangle) < (other.key, other.triangle)
                        && (rough[i] || rough[j] || turns_away(&face, k, other))
                };
                if owned {
                    faces[i].owns |= 1 << k;
                    met[corners[k] as usize] = true;
                    met[corners[(k + 1) % 3] as usize] = true;
                }
            }
        }
        let mut owner = vec![(u64::MAX, OPEN); mesh.positions.len()];
        for face in faces.iter() {
            for corner in mesh.triangles[face.triangle as usize].corners {
                let best = &mut owner[corner as usize];
                *best = (*best).min((face.key, face.triangle));
            }
        }
        for face in faces.iter_mut() {
            for (k, corner) in mesh.triangles[face.triangle as usize]
                .corners
                .into_iter()
                .enumerate()
            {
                if met[corner as usize] && owner[corner as usize].1 == face.triangle {
                    face.owns |= 0x10 << k;
                }
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

/// The square of a triangle's smallest height.
fn height_squared(face: &Face) -> f64 {
    let [a, b, c] = face.corners;
    let longest = (b - a)
        .length_squared()
        .max((c - b).length_squared())
        .max((a - c).length_squared());
    if longest > 0.0 {
        area_normal(&face.corners).length_squared() / longest
    } else {
        0.0
    }
}

/// Whether the surface turns away from the air at edge `k`. Where it folds back onto itself, air and rock cannot be
/// told apart by the angle, and the answer is yes.
fn turns_away(face: &Face, k: usize, other: &Face) -> bool {
    let edge = face.corners[(k + 1) % 3] - face.corners[k];
    let sine = face.normal.cross(other.normal).dot(edge);
    let least = FLAT_EDGE * edge.length();
    let folded = face.normal.dot(other.normal) < 0.0;
    sine > least || folded && sine > -1e-3 * edge.length()
}

/// Who is across each edge, by triangle. Half edges are sorted into buckets by their lower corner (a counting sort), in
/// which each looks for its opposite.
fn match_edges(mesh: &Mesh, faces: &[Face]) -> Vec<[u32; 3]> {
    let mut neighbours = vec![[OPEN; 3]; mesh.triangles.len()];
    let mut starts = vec![0u32; mesh.positions.len() + 1];
    let half_edges = |face: &Face| {
        let c = mesh.triangles[face.triangle as usize].corners;
        [(c[0], c[1]), (c[1], c[2]), (c[2], c[0])]
    };
    for (a, b) in faces.iter().flat_map(half_edges) {
        starts[a.min(b) as usize + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    // One slot a half edge: its far corner, its triangle and side, whether it runs upwards.
    let mut slots = vec![(0u32, 0u32, 0u8, false); faces.len() * 3];
    let mut ends = starts.clone();
    for face in faces {
        for (k, (a, b)) in half_edges(face).into_iter().enumerate() {
            let (low, high, up) = (a.min(b) as usize, a.max(b), a < b);
            let mut twins = 0;
            for &(far, triangle, side, other_up) in &slots[starts[low] as usize..ends[low] as usize]
            {
                if far == high {
                    twins += 1;
                    let fits = twins == 1 && up != other_up && triangle != face.triangle;
                    let fits = fits && neighbours[triangle as usize][side as usize] == OPEN;
                    let (mine, theirs) = if fits {
                        (triangle, face.triangle)
                    } else {
                        (TANGLED, TANGLED)
                    };
                    neighbours[face.triangle as usize][k] = mine;
                    neighbours[triangle as usize][side as usize] = theirs;
                }
            }
            slots[ends[low] as usize] = (high, face.triangle, k as u8, up);
            ends[low] += 1;
        }
    }
    neighbours
}
