//! A brush with the parts of its sides that players see.
use crate::carve::{BrushDesc, SideDesc};
use glam::DVec3;

/// Sides that turn more than this towards each other lie in one plane, as far as growing is concerned (cosine).
pub(super) const PARALLEL: f64 = 0.999;

/// A side's unit normal, outwards.
pub(super) fn normal(side: &SideDesc) -> DVec3 {
    let [a, b, c] = side.points.map(|p| p.as_dvec3());
    (b - a).cross(c - a).normalize_or_zero()
}

/// Above zero outside of a side.
pub(super) fn height(side: &SideDesc, p: DVec3) -> f64 {
    normal(side).dot(p - side.points[0].as_dvec3())
}

/// A brush with what is seen of it.
pub(super) struct BrushFacets<'a> {
    pub brush: &'a BrushDesc,
    pub corners: Vec<DVec3>,
    pub bounds: [DVec3; 2],
    /// By side.
    pub facets: Vec<Facet>,
}

/// A side's part of a brush.
#[derive(Default)]
pub(super) struct Facet {
    /// Counter-clockwise seen from outside; none where the other sides leave nothing of it.
    pub corners: Vec<DVec3>,
    pub seen: bool,
    /// Triangles of it that bound air which nobody reaches.
    pub hidden: Vec<[DVec3; 3]>,
}

impl<'a> BrushFacets<'a> {
    pub fn facets(&self) -> impl Iterator<Item = (&'a SideDesc, &Facet)> {
        let facets = self.brush.sides.iter().zip(&self.facets);
        facets.filter(|(_, facet)| !facet.corners.is_empty())
    }

    /// Whether a facet lies further than `within` before one of its sides.
    pub fn is_apart(&self, facet: &Facet, within: f64) -> bool {
        let before = |side| facet.corners.iter().all(|&p| height(side, p) > within);
        self.brush.sides.iter().any(before)
    }
}
