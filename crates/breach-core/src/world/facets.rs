//! Brushes with the facets of their sides and whether each is visible to players.
use crate::carve::{BrushDesc, SideDesc};
use glam::DVec3;

/// Two sides whose normals' dot product exceeds this count as parallel when brushes grow.
pub(super) const PARALLEL: f64 = 0.999;

/// A side's unit normal, outwards.
pub(super) fn normal(side: &SideDesc) -> DVec3 {
    let [a, b, c] = side.points.map(|p| p.as_dvec3());
    (b - a).cross(c - a).normalize_or_zero()
}

/// Signed distance from a side, positive outside.
pub(super) fn height(side: &SideDesc, p: DVec3) -> f64 {
    normal(side).dot(p - side.points[0].as_dvec3())
}

/// A brush with its facets.
pub(super) struct BrushFacets<'a> {
    pub brush: &'a BrushDesc,
    pub corners: Vec<DVec3>,
    pub bounds: [DVec3; 2],
    /// One for each side.
    pub facets: Vec<Facet>,
}

/// The polygon of a side.
#[derive(Default)]
pub(super) struct Facet {
    /// Counter-clockwise seen from outside; empty where the other sides cut it away.
    pub corners: Vec<DVec3>,
    pub seen: bool,
    /// The triangles that bound unreached air.
    pub hidden: Vec<[DVec3; 3]>,
}

impl<'a> BrushFacets<'a> {
    pub fn facets(&self) -> impl Iterator<Item = (&'a SideDesc, &Facet)> {
        let facets = self.brush.sides.iter().zip(&self.facets);
        facets.filter(|(_, facet)| !facet.corners.is_empty())
    }

    /// Whether a facet lies farther than `within` in front of one of the brush's sides.
    pub fn is_apart(&self, facet: &Facet, within: f64) -> bool {
        let before = |side| facet.corners.iter().all(|&p| height(side, p) > within);
        self.brush.sides.iter().any(before)
    }
}
