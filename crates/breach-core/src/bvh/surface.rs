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
use super::adjacency::EdgeAdjacency;
use super::f64x4::{DVec3A, F64x4};
use super::face::{Face, FaceTriangle, border_bit, edge_bit};
use super::half_edge::HalfEdge;
use super::index::NONE;
use super::scratch::Scratch;
use crate::collide::SphereSweep;
use glam::DVec3;

/// The corners on a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct CornerList {
    /// The first, as triangle · 4 + corner.
    pub head: u32,
    /// When it was last listed; see [`Surface::listed`].
    pub listed: u32,
}

impl CornerList {
    /// Puts a triangle's corner at the front of the chain; the one that was there.
    #[inline(always)]
    pub fn push_front(&mut self, triangle: u32, corner: usize) -> u32 {
        std::mem::replace(&mut self.head, triangle * 4 + corner as u32)
    }

    /// Gives the point the next row, unless it has one; whether it had none. `before` were listed by earlier updates.
    #[inline(always)]
    pub fn assign_row(&mut self, before: u32, row: [u32; 2], rows: &mut Vec<[u32; 2]>) -> bool {
        let is_new = self.listed <= before;
        if is_new {
            rows.push(row);
            self.listed = before + rows.len() as u32;
        }
        is_new
    }

    pub const NONE: Self = Self {
        head: NONE,
        listed: 0,
    };
}

/// All faces of a mesh and how they hang together.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// By triangle.
    pub faces: Vec<Face>,
    /// By triangle and corner the next corner on the same point, as triangle · 4 + corner; [`NONE`] ends the chain. The
    /// fourth is not used: a corner needs no check.
    pub next: Vec<[u32; 4]>,
    /// By point: where it is, metres.
    pub points: Vec<DVec3A>,
    /// By point.
    pub corner_lists: Vec<CornerList>,
    /// Points that updates have listed so far: what an update lists gets higher numbers than all before.
    pub listed: u32,
    /// Faces that are in.
    pub count: usize,
    pub scratch: Scratch<SurfaceScratch>,
}

/// Lists that every update needs; empty between two.
#[derive(Debug, Default)]
pub(super) struct SurfaceScratch {
    /// By row: the points of what has changed, each with the first corner on it of what has not.
    pub points: Vec<[u32; 2]>,
    pub adjacency: EdgeAdjacency,
}

impl Surface {
    /// Where a face's corners are.
    #[inline(always)]
    pub fn corners(&self, face: &Face) -> [DVec3; 3] {
        face.points.map(|point| self.points[point as usize].get())
    }

    /// Where a point is, as a vector. A face may have gone since a build in slices began: then its points are nowhere.
    #[inline(always)]
    pub fn load<S: F64x4>(&self, simd: S, point: u32) -> S::V {
        const NOWHERE: DVec3A = DVec3A::new(DVec3::ZERO);
        simd.load(self.points.get(point as usize).unwrap_or(&NOWHERE))
    }

    /// All faces that there are, with their corners.
    pub fn live(&self) -> impl Iterator<Item = (&Face, [DVec3; 3])> {
        let live = self.faces.iter().filter(|face| face.triangle != NONE);
        live.map(|face| (face, self.corners(face)))
    }

    /// Whether a sphere moves in against any of the faces around vertex `k` on a border, and starts close behind none.
    ///
    /// The surface goes on in the next room, where the border cuts it straight through a face or a ridge: if the sphere
    /// starts in contact with that, it decides itself, not the point at which borders happen to cross it.
    #[cold]
    pub fn vertex_stops(&self, face: &Face, k: usize, sweep: &SphereSweep) -> bool {
        let point = face.points[k];
        let around = || {
            self.half_edges_from(point)
                .map(|half_edge| &self.faces[half_edge.triangle()])
        };
        let with_corners = |face| (face, self.corners(face));
        let is_any = |is_so: fn(&FaceTriangle<'_>, &SphereSweep) -> bool| {
            let mut all = around().map(with_corners);
            all.any(|(face, corners)| {
                let corners = &corners;
                is_so(&FaceTriangle { face, corners }, sweep)
            })
        };
        if !is_any(|face, sweep| face.stops(sweep))
            || is_any(|face, sweep| face.is_close_behind(sweep))
        {
            return false;
        }
        let at = |point: u32| self.points[point as usize].get();
        let mut ridges = self.half_edges_from(point).flat_map(|half_edge| {
            let face = &self.faces[half_edge.triangle()];
            let corner = half_edge.corner();
            let last = (corner + 2) % 3;
            let ends = [(corner, (corner + 1) % 3), (last, last)];
            let is_ridge = move |edge: usize| {
                face.active & (edge_bit(edge) | border_bit(edge)) == edge_bit(edge)
            };
            let ends = ends.into_iter().filter(move |&(edge, _)| is_ridge(edge));
            ends.map(move |(_, end)| at(face.points[end]) - at(face.points[corner]))
        });
        let start = sweep.from - at(point);
        match (ridges.next(), ridges.next()) {
            (None, _) => {
                around().all(|face| face.is_sliver || face.normal().dot(start) >= sweep.radius)
            }
            (Some(ridge), None) => {
                let reach = sweep.radius * sweep.radius * ridge.length_squared();
                start.cross(ridge).length_squared() >= reach
            }
            // A corner.
            _ => true,
        }
    }

    pub(super) fn half_edges_from(&self, point: u32) -> impl Iterator<Item = HalfEdge> {
        let mut at = self.corner_lists[point as usize].head;
        std::iter::from_fn(move || {
            let half_edge = (at != NONE).then_some(HalfEdge(at))?;
            at = self.next[half_edge.triangle()][half_edge.corner()];
            Some(half_edge)
        })
    }
}
