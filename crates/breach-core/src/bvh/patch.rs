//! Copies of the faces around a place, gathered once and queried while the surface does not change.
//!
//! A body asks its patch in every tick, and most faces of a patch are too far away. So their boxes stand apart, in f32 and
//! eight side by side, under one more level of boxes: the faces themselves are read only where a query comes near.
use super::bounds::Bounds;
use super::cull_query::{CullQuery, OverlapQuery};
use super::f32x8::{F32x8, F32x8Kernel, dispatch};
use super::face::{Face, FaceTriangle};
use super::index::WIDTH;
use super::lanes::Boxes;
use super::mesh_bvh::Bvh;
use super::touch::{Touch, touch_face};
use super::traverse::QueryStats;
use crate::collide::closest_point_triangle;
use crate::geom::Aabb;
use crate::geom::tolerance::SEAM;
use glam::DVec3;
use smallvec::SmallVec;

/// Faces around a place.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    /// By eight faces: the box around them; lane k of entry i is that of entry 8 i + k of `boxes`.
    groups: Vec<Boxes>,
    /// The boxes of the faces, grown by a seam; lane k of entry i is that of face 8 i + k.
    boxes: Vec<Boxes>,
    faces: Vec<Face>,
    /// By face.
    corners: Vec<[DVec3; 3]>,
}

impl Patch {
    /// The faces of some trees that overlap a box.
    pub fn gather(trees: &[&Bvh], bounds: &Aabb, stats: &mut QueryStats) -> Patch {
        let mut patch = Patch::default();
        for tree in trees {
            dispatch(GatherKernel {
                tree,
                bounds,
                stats,
                patch: &mut patch,
            });
        }
        patch.add_boxes();
        patch
    }

    fn add_boxes(&mut self) {
        self.boxes.reserve_exact(self.corners.len().div_ceil(WIDTH));
        for eight in self.corners.chunks(WIDTH) {
            let mut boxes = Boxes::EMPTY;
            for (lane, corners) in eight.iter().enumerate() {
                let around = bounds_of(corners);
                boxes.set(lane, &Bounds::containing(around.min, around.max));
            }
            self.boxes.push(boxes);
        }
        self.groups.reserve_exact(self.boxes.len().div_ceil(WIDTH));
        for eight in self.boxes.chunks(WIDTH) {
            let mut groups = Boxes::EMPTY;
            for (lane, boxes) in eight.iter().enumerate() {
                groups.set(lane, &boxes.union());
            }
            self.groups.push(groups);
        }
    }

    /// Distance from a point on either side of the surface to the nearest face, at most `reach`.
    pub fn clearance(&self, centre: DVec3, reach: f64) -> f64 {
        let mut least = reach;
        self.each_near(centre, reach, |face| {
            let distance = closest_point_triangle(centre, face.corners).distance(centre);
            let is_nearer = distance < least;
            least = least.min(distance);
            is_nearer.then_some(least)
        });
        least
    }

    /// [`Bvh::each_touch`] on the gathered faces.
    #[inline]
    pub fn each_touch(&self, centre: DVec3, reach: f64, mut visit: impl FnMut(Touch)) {
        self.each_near(centre, reach, |face| {
            touch_face(face, centre, reach, &mut visit);
            None
        });
    }

    /// Calls `visit` with the faces whose boxes come within `reach` of a point along all axes. From then on the reach is what
    /// `visit` returns, and a hair more for rounding.
    #[inline]
    fn each_near(
        &self,
        centre: DVec3,
        reach: f64,
        visit: impl FnMut(&FaceTriangle) -> Option<f64>,
    ) {
        dispatch(NearKernel {
            patch: self,
            centre,
            reach,
            visit,
        });
    }
}

/// The box of a face, grown by a seam: a projection may miss its face by as much.
#[inline(always)]
fn bounds_of(&[a, b, c]: &[DVec3; 3]) -> Aabb {
    let around = Aabb {
        min: a.min(b).min(c),
        max: a.max(b).max(c),
    };
    around.grow(SEAM)
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
        let GatherKernel {
            tree,
            bounds,
            stats,
            patch,
        } = self;
        let mut near: SmallVec<[u32; 64]> = SmallVec::new();
        let query = OverlapQuery::new(bounds);
        tree.tree.traverse(simd, query, stats, |face| {
            near.push(face);
            None
        });
        // Faces and corners lie anywhere in memory. Each of these loops reads them without waiting for one to choose the
        // next, so that many are on their way at once.
        let surface = &tree.surface;
        let points = near.iter().map(|&face| surface.faces[face as usize].points);
        let points: SmallVec<[[u32; 3]; 64]> = points.collect();
        let place = |point: u32| surface.points[point as usize].get();
        let corners = points.iter().map(|points| points.map(place));
        let corners: SmallVec<[[DVec3; 3]; 64]> = corners.collect();
        patch.faces.reserve(near.len());
        patch.corners.reserve(near.len());
        for (&face, corners) in near.iter().zip(&corners) {
            if bounds_of(corners).overlaps(bounds) {
                patch.faces.push(surface.faces[face as usize]);
                patch.corners.push(*corners);
            }
        }
    }
}

/// Faces near a point.
struct NearKernel<'a, F> {
    patch: &'a Patch,
    centre: DVec3,
    reach: f64,
    visit: F,
}

impl<F: FnMut(&FaceTriangle) -> Option<f64>> F32x8Kernel for NearKernel<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: F32x8>(self, simd: S) {
        let NearKernel {
            patch,
            centre,
            reach,
            mut visit,
        } = self;
        let mut around = Aabb::from_centre(centre, DVec3::splat(reach));
        let mut query = OverlapQuery::new(&around);
        let mut unused = Default::default();
        for (i, groups) in patch.groups.iter().enumerate() {
            let mut group_mask = query.boxes(simd, groups, 1.0, &mut unused);
            while group_mask != 0 {
                let group = i * WIDTH + group_mask.trailing_zeros() as usize;
                group_mask &= group_mask - 1;
                let mut mask = query.boxes(simd, &patch.boxes[group], 1.0, &mut unused);
                while mask != 0 {
                    let at = group * WIDTH + mask.trailing_zeros() as usize;
                    mask &= mask - 1;
                    let corners = &patch.corners[at];
                    if !bounds_of(corners).overlaps(&around) {
                        continue;
                    }
                    let face = &patch.faces[at];
                    if let Some(shorter) = visit(&FaceTriangle { face, corners }) {
                        let shorter = shorter * (1.0 + ROUNDING) + ROUNDING;
                        around = Aabb::from_centre(centre, DVec3::splat(shorter));
                        query = OverlapQuery::new(&around);
                    }
                }
            }
        }
    }
}

/// More than the rounding of a distance between coordinates of some kilometres, metres or relative.
const ROUNDING: f64 = 1e-9;
