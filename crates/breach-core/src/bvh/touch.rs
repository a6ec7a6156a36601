//! Contacts of a resting sphere: the faces, edges and vertices near a point.
//!
//! A face counts if the point projects onto it and is in front of it; an edge or vertex only if it is active
//! (`surface`). So a sphere at rest on a floor that was cut into many pieces has one contact, not one per seam.
use super::cull_query::OverlapQuery;
use super::f32x8::{F32x8, F32x8Kernel, dispatch};
use super::face::{ANY_ACTIVE, FaceTriangle, edge_bit, vertex_bit};
use super::mesh_bvh::Bvh;
use super::traverse::QueryStats;
use crate::collide::closest_point_segment;
use crate::geom::tolerance::SEAM;
use crate::geom::{Aabb, Segment};
use glam::DVec3;

/// A contact: a point of the surface near a query point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Point on the surface, metres.
    pub point: DVec3,
    /// From there to the query point; unit.
    pub normal: DVec3,
    /// Metres between them, not below zero.
    pub distance: f64,
    /// In the interior of a face, not on an edge or a vertex.
    pub is_face: bool,
}

/// Contacts near a point.
struct TouchKernel<'a, F> {
    tree: &'a Bvh,
    centre: DVec3,
    reach: f64,
    stats: &'a mut QueryStats,
    visit: F,
}

impl<F: FnMut(Touch)> F32x8Kernel for TouchKernel<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: F32x8>(mut self, simd: S) {
        let around = Aabb::from_centre(self.centre, DVec3::splat(self.reach));
        let probe = OverlapQuery::new(&around);
        self.tree.tree.traverse(simd, probe, self.stats, |face| {
            let surface = &self.tree.surface;
            let face = &surface.faces[face as usize];
            let corners = &surface.corners(face);
            let face = FaceTriangle { face, corners };
            touch_face(&face, self.centre, self.reach, &mut self.visit);
            None
        });
    }
}

impl Bvh {
    /// Calls `visit` for each face (from the front), active edge and active vertex within `reach` metres of `centre`,
    /// in no particular order. A face and its own edge may both be visited.
    pub fn each_touch(
        &self,
        centre: DVec3,
        reach: f64,
        stats: &mut QueryStats,
        visit: impl FnMut(Touch),
    ) {
        dispatch(TouchKernel {
            tree: self,
            centre,
            reach,
            stats,
            visit,
        });
    }
}

/// Tests one face, as [`super::query::sweep_on_face`] does.
#[inline(always)]
pub(super) fn touch_face(
    face: &FaceTriangle,
    centre: DVec3,
    reach: f64,
    visit: &mut impl FnMut(Touch),
) {
    let height = face.normal().dot(centre - face.corners[0]);
    if height.abs() > reach {
        return;
    }
    if !face.is_sliver && height >= 0.0 && is_above(face, centre) {
        visit(Touch {
            point: centre - face.normal() * height,
            normal: face.normal(),
            distance: height,
            is_face: true,
        });
    }
    if face.active & ANY_ACTIVE == 0 {
        return;
    }
    let mut offer = |point: DVec3| {
        let away = centre - point;
        let squared = away.length_squared();
        if squared <= reach * reach && squared > 0.0 {
            let distance = squared.sqrt();
            visit(Touch {
                point,
                normal: away / distance,
                distance,
                is_face: false,
            });
        }
    };
    for k in 0..3 {
        let (a, b) = (face.corners[k], face.corners[(k + 1) % 3]);
        if face.active & edge_bit(k) != 0 {
            // Always in the same direction, whichever face the edge belongs to.
            let (from, to) = if a.to_array() < b.to_array() {
                (a, b)
            } else {
                (b, a)
            };
            let (point, s) = closest_point_segment(centre, &Segment { from, to });
            if 0.0 < s && s < 1.0 {
                offer(point);
            }
        }
        if face.active & vertex_bit(k) != 0 {
            offer(a);
        }
    }
}

/// Whether the point projects onto the face, or misses it by no more than a seam.
#[inline(always)]
fn is_above(face: &FaceTriangle, point: DVec3) -> bool {
    (0..3).all(|k| {
        let (a, b) = (face.corners[k], face.corners[(k + 1) % 3]);
        let side = b - a;
        let inwards = face.normal().cross(side).dot(point - a);
        inwards >= 0.0 || inwards * inwards <= SEAM * SEAM * side.length_squared()
    })
}
