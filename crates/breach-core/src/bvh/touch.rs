//! Contacts of a resting sphere: the faces, edges and vertices near a point.
//!
//! A face counts if the point projects onto it and is in front of it; an edge or vertex only if it is active
//! (`surface`). So a sphere at rest on a floor that was cut into many pieces has one contact, not one per seam.
use super::cull_query::OverlapQuery;
use super::f32x8::{F32x8, F32x8Kernel, dispatch};
use super::face::{ANY_ACTIVE, Face, FaceTriangle, edge_bit, vertex_bit};
use super::mesh_bvh::Bvh;
use super::traverse::QueryStats;
use crate::collide::{closest_point_segment, closest_point_triangle};
use crate::geom::tolerance::SEAM;
use crate::geom::{Aabb, Segment};
use glam::DVec3;
use smallvec::SmallVec;

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

/// Initial capacity of a patch.
const FEW: usize = 12;

/// Faces around a place, gathered once and queried while the surface does not change.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    faces: Vec<PatchFace>,
}

/// A copy of a face.
#[derive(Clone, Copy, Debug)]
struct PatchFace {
    bounds: Aabb,
    corners: [DVec3; 3],
    face: Face,
}

impl PatchFace {
    fn placed(&self) -> FaceTriangle<'_> {
        FaceTriangle {
            face: &self.face,
            corners: &self.corners,
        }
    }
}

/// The faces of a [`Patch`] that overlap a box, for many queries inside that box.
pub struct PatchView<'a> {
    faces: SmallVec<[&'a PatchFace; 32]>,
    /// Bounds of all of them: most queries end here.
    bounds: Aabb,
}

impl Patch {
    /// The faces that overlap a box.
    pub fn within(&self, bounds: &Aabb) -> PatchView<'_> {
        let faces = self.faces.iter();
        let faces: SmallVec<[_; 32]> = faces.filter(|face| face.bounds.overlaps(bounds)).collect();
        let all = faces
            .iter()
            .fold(Aabb::EMPTY, |all, face| all.union(&face.bounds));
        PatchView { faces, bounds: all }
    }

    /// Distance from a point on either side of the surface to the nearest face, at most `reach`.
    pub fn clearance(&self, centre: DVec3, reach: f64) -> f64 {
        let around = Aabb::from_centre(centre, DVec3::splat(reach));
        let near = self.faces.iter().filter(|f| f.bounds.overlaps(&around));
        let far = |face: &PatchFace| closest_point_triangle(centre, &face.corners).distance(centre);
        near.map(far).fold(reach, f64::min)
    }

    /// [`Bvh::each_touch`] on the gathered faces.
    #[inline]
    pub fn each_touch(&self, centre: DVec3, reach: f64, visit: impl FnMut(Touch)) {
        each_touch_among(self.faces.iter(), centre, reach, visit);
    }
}

impl PatchView<'_> {
    /// [`Bvh::each_touch`] on these faces.
    #[inline]
    pub fn each_touch(&self, centre: DVec3, reach: f64, visit: impl FnMut(Touch)) {
        let around = Aabb::from_centre(centre, DVec3::splat(reach));
        if self.bounds.overlaps(&around) {
            each_touch_among(self.faces.iter().copied(), centre, reach, visit);
        }
    }
}

#[inline(always)]
fn each_touch_among<'a>(
    faces: impl Iterator<Item = &'a PatchFace>,
    centre: DVec3,
    reach: f64,
    mut visit: impl FnMut(Touch),
) {
    let around = Aabb::from_centre(centre, DVec3::splat(reach));
    for face in faces {
        if face.bounds.overlaps(&around) {
            touch_face(&face.placed(), centre, reach, &mut visit);
        }
    }
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

/// Faces in a box.
struct GatherKernel<'a> {
    tree: &'a Bvh,
    bounds: &'a Aabb,
    stats: &'a mut QueryStats,
    patch: &'a mut Patch,
}

impl F32x8Kernel for GatherKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: F32x8>(self, simd: S) {
        let probe = OverlapQuery::new(self.bounds);
        self.patch.faces.reserve(FEW);
        self.tree.tree.traverse(simd, probe, self.stats, |face| {
            let surface = &self.tree.surface;
            let face = surface.faces[face as usize];
            let corners = surface.corners(&face);
            // A projection may miss its face by a seam.
            let bounds = Aabb::from_points(corners).map(|b| b.grow(SEAM));
            let bounds = bounds.filter(|b| b.overlaps(self.bounds));
            self.patch.faces.extend(bounds.map(|bounds| PatchFace {
                bounds,
                corners,
                face,
            }));
            None
        });
    }
}

impl Bvh {
    /// Adds the faces that overlap a box to `patch`.
    pub fn gather(&self, bounds: &Aabb, stats: &mut QueryStats, patch: &mut Patch) {
        dispatch(GatherKernel {
            tree: self,
            bounds,
            stats,
            patch,
        });
    }

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
fn touch_face(face: &FaceTriangle, centre: DVec3, reach: f64, visit: &mut impl FnMut(Touch)) {
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
