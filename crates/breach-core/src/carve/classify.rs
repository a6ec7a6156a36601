//! Fast classification of boxes and planes against a polytope, eight facets or corners at a time.
//!
//! Boxes are tested in f32 with an error bound; planes in f64 with the bound that is stored with each, and exactly where
//! that does not decide. The loops over [`LANES`] numbers are plain: the compiler vectorizes them.
use super::polytope::Polytope;
use crate::exact::{PlaneId, Planes, side};
use glam::DVec3;

/// Planes or corners tested at once; their lists are padded to a multiple of it.
const LANES: usize = 8;

/// A polytope's facet planes and corners in the layout that the tests need.
pub(super) struct PlaneClassifier {
    /// The middle of the polytope's box, the origin of the f32 tests.
    origin: DVec3,
    facets: Vec<FacetLanes>,
    /// The lanes in which the last separating plane was found; the next search begins there.
    first: usize,
    /// Result of [`Self::classify_box`]: facets whose planes may cut the box, rising.
    pub cuts: Vec<u32>,
    /// Corners, one list for each coordinate.
    corners: [Vec<f64>; 3],
    heights: Vec<f64>,
    /// Result of [`Self::contact`]: the corners' sides of the plane.
    pub sides: Vec<i8>,
}

/// Planes of [`LANES`] facets.
#[derive(Clone, Copy)]
struct FacetLanes {
    /// Unit normals, facing out.
    normals: [[f32; LANES]; 3],
    /// Distances from the origin.
    offsets: [f32; LANES],
    /// Error bounds of the offsets.
    errors: [f32; LANES],
}

/// Padding: everything lies behind these planes.
const PADDING: FacetLanes = FacetLanes {
    normals: [[0.0; LANES]; 3],
    offsets: [f32::INFINITY; LANES],
    errors: [0.0; LANES],
};

/// Rounding error of a distance computed from a few sums and products in f32, relative to the sum of the coordinates:
/// 2^-21 at most, doubled.
const ROUNDING: f32 = 1.0 / (1 << 20) as f32;

impl FacetLanes {
    /// The least and greatest distances of a box from the planes, widened by the error.
    #[inline(always)]
    fn box_distances(&self, centre: [f32; 3], half: [f32; 3], error: f32) -> [[f32; LANES]; 2] {
        let [x, y, z] = &self.normals;
        let (mut least, mut most) = ([0.0; LANES], [0.0; LANES]);
        for k in 0..LANES {
            let at = x[k] * centre[0] + y[k] * centre[1] + z[k] * centre[2] - self.offsets[k];
            let reach = x[k].abs() * half[0] + y[k].abs() * half[1] + z[k].abs() * half[2];
            let reach = reach + (self.errors[k] + error);
            (least[k], most[k]) = (at - reach, at + reach);
        }
        [least, most]
    }
}

/// Where a box lies relative to the polytope.
pub(super) enum BoxClass {
    /// Inside all planes.
    Inside,
    /// Outside one plane.
    Outside,
    /// Cut by a plane, or too close to tell.
    Unknown,
}

/// Where the polytope's corners lie relative to a plane that does not miss it.
#[derive(Clone, Copy)]
pub(super) struct PlaneContact {
    /// Corners on both sides.
    pub crosses: bool,
    /// Corners on the plane.
    pub touches: bool,
}

impl PlaneClassifier {
    pub fn new(planes: &Planes, p: &Polytope) -> PlaneClassifier {
        let (lo, hi) = p.bounds();
        let origin = (lo + hi) * 0.5;
        let mut facets = vec![PADDING; p.facets.len().div_ceil(LANES)];
        for (i, f) in p.facets.iter().enumerate() {
            let (lanes, k) = (&mut facets[i / LANES], i % LANES);
            let stored = &planes[f.plane.plane];
            let normal = DVec3::from_array(stored.nf);
            let unit = f.plane.sign() as f64 / normal.length();
            let offset = (stored.df - normal.dot(origin)) * unit;
            let error = stored.err * 2.0 * unit.abs();
            (0..3).for_each(|axis| lanes.normals[axis][k] = (normal[axis] * unit) as f32);
            lanes.offsets[k] = offset as f32;
            lanes.errors[k] = error as f32 + offset.abs() as f32 * ROUNDING;
        }
        let padding = p.corners.first().map_or(DVec3::ZERO, |c| c.at);
        let size = p.corners.len().next_multiple_of(LANES);
        let mut corners = [0, 1, 2].map(|k| vec![padding[k]; size]);
        for (i, c) in p.corners.iter().enumerate() {
            (0..3).for_each(|k| corners[k][i] = c.at[k]);
        }
        PlaneClassifier {
            origin,
            facets,
            first: 0,
            cuts: Vec::with_capacity(p.facets.len()),
            corners,
            heights: vec![0.0; size],
            sides: vec![0; p.corners.len()],
        }
    }

    /// Classifies a box that already includes the rounding of its corners.
    #[inline(always)]
    pub fn classify_box(&mut self, lo: DVec3, hi: DVec3) -> BoxClass {
        let centre = ((lo + hi) * 0.5 - self.origin).as_vec3();
        let half = ((hi - lo) * 0.5).as_vec3();
        let error = (centre.abs() + half).element_sum() * ROUNDING;
        let (centre, half) = (centre.to_array(), half.to_array());
        let is_outside = |least: [f32; LANES]| least.iter().any(|&x| x > 0.0);
        let [least, _] = self.facets[self.first].box_distances(centre, half, error);
        if is_outside(least) {
            return BoxClass::Outside;
        }
        self.cuts.clear();
        for (at, facets) in self.facets.iter().enumerate() {
            let [least, most] = facets.box_distances(centre, half, error);
            if is_outside(least) {
                self.first = at;
                return BoxClass::Outside;
            }
            for (k, &most) in most.iter().enumerate() {
                if most >= 0.0 {
                    self.cuts.push((at * LANES + k) as u32);
                }
            }
        }
        match self.cuts.is_empty() {
            true => BoxClass::Inside,
            false => BoxClass::Unknown,
        }
    }

    /// How a plane meets the polytope, with the sides of its corners in `sides`; None where all lie on one side.
    #[inline(always)]
    pub fn contact(&mut self, planes: &Planes, p: &Polytope, id: PlaneId) -> Option<PlaneContact> {
        let plane = &planes[id];
        let [x, y, z] = &self.corners;
        let (mut above, mut below) = (0u64, 0u64);
        let lists = x.iter().zip(y).zip(z).zip(&mut self.heights);
        for (((x, y), z), t) in lists {
            // The filter of `side`.
            *t = plane.nf[0] * x + plane.nf[1] * y + plane.nf[2] * z - plane.df;
            above += u64::from(*t > plane.err);
            below += u64::from(*t < -plane.err);
        }
        let all = self.heights.len() as u64;
        if above == all || below == all {
            return None;
        }
        for (s, t) in self.sides.iter_mut().zip(&self.heights) {
            *s = i8::from(*t > plane.err) - i8::from(*t < -plane.err);
        }
        let (mut above, mut below, mut on) = (above > 0, below > 0, false);
        if !(above && below) || self.sides.contains(&0) {
            // Corners that f64 does not decide.
            let unsure = self.sides.iter_mut().zip(&p.corners).filter(|s| *s.0 == 0);
            for (s, corner) in unsure {
                *s = side(planes, corner, id) as i8;
                above |= *s > 0;
                below |= *s < 0;
                on |= *s == 0;
            }
        }
        let crosses = above && below;
        (crosses || on).then_some(PlaneContact {
            crosses,
            touches: on,
        })
    }
}
