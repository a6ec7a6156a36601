//! The faces of a mesh with their connectivity: which edges and vertices are active.
//!
//! An edge is active, that is, tested on its own, only where it is convex (the surface turns away from the air), a
//! border, or shared by more than two triangles. At flat and concave edges a face is always hit first. Skipping them
//! halves the work and lets a ball roll over a cut floor without a bump (internal edges, "ghost collisions"). A vertex
//! is active only at the end of an active edge, and not where two such edges form a straight line. Each active edge and
//! vertex is tested by one triangle, the one with the lowest key.
//!
//! At a border, an edge with one face, the surface continues in another room. A border edge or vertex stops only motion
//! against its face. Where a floor continues, the face stops the sphere first; at a ridge, motion against the edge is
//! motion against the face in one of the two rooms.
//!
//! Corners at one point form a linked list: each point stores its first corner, each corner the next. An update links
//! corners in and out and reclassifies only the triangles around them.
use super::adjacency::EdgeAdjacency;
use super::f64x4::{DVec3A, F64x4};
use super::face::{Face, FaceTriangle, border_bit, edge_bit};
use super::half_edge::HalfEdge;
use super::index::NONE;
use super::scratch::Scratch;
use crate::collide::SphereSweep;
use glam::DVec3;

/// The list of the corners at a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct CornerList {
    /// First corner, as triangle · 4 + corner.
    pub head: u32,
    /// Number in the list of changed points; see [`Surface::listed`].
    pub listed: u32,
}

impl CornerList {
    /// Pushes a triangle's corner to the front. Returns the previous head.
    #[inline(always)]
    pub fn push_front(&mut self, triangle: u32, corner: usize) -> u32 {
        std::mem::replace(&mut self.head, triangle * 4 + corner as u32)
    }

    /// Assigns the next row to the point unless it has one. Returns whether it had none. Numbers up to `before` are
    /// from earlier updates.
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

/// All faces of a mesh with their connectivity.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// By triangle.
    pub faces: Vec<Face>,
    /// By triangle and corner: the next corner at the same point, as triangle · 4 + corner; [`NONE`] ends the list. The
    /// fourth entry is padding, which saves a bounds check.
    pub next: Vec<[u32; 4]>,
    /// By point: its position, metres.
    pub points: Vec<DVec3A>,
    /// By point.
    pub corner_lists: Vec<CornerList>,
    /// Number of points that updates have listed so far. Each update numbers its points from here.
    pub listed: u32,
    /// Number of live faces.
    pub count: usize,
    pub scratch: Scratch<SurfaceScratch>,
}

/// Working memory of an update; empty in between.
#[derive(Debug, Default)]
pub(super) struct SurfaceScratch {
    /// By row: a point of a changed triangle, and the first unchanged corner there.
    pub points: Vec<[u32; 2]>,
    pub adjacency: EdgeAdjacency,
}

impl Surface {
    /// Corner positions of a face.
    #[inline(always)]
    pub fn corners(&self, face: &Face) -> [DVec3; 3] {
        face.points.map(|point| self.points[point as usize].get())
    }

    /// Position of a point. Zero if it does not exist: a face may have died since a sliced build began.
    #[inline(always)]
    pub fn load<S: F64x4>(&self, simd: S, point: u32) -> S::V {
        const NOWHERE: DVec3A = DVec3A::new(DVec3::ZERO);
        simd.load(self.points.get(point as usize).unwrap_or(&NOWHERE))
    }

    /// All live faces with their corners.
    pub fn live(&self) -> impl Iterator<Item = (&Face, [DVec3; 3])> {
        let live = self.faces.iter().filter(|face| face.triangle != NONE);
        live.map(|face| (face, self.corners(face)))
    }

    /// Whether a sphere moves against any face around border vertex `k`, and starts close behind none.
    ///
    /// The border cuts through a face or ridge that continues in the next room. If the sphere starts in contact with
    /// that face or ridge, the face or ridge decides, not the vertex where the border happens to cross it.
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
