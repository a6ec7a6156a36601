//! A face against the edges of a section: what is left of the face outside, and where it lies along each edge.
use super::face::Face;
use super::section::{
    Crossings, EdgeClassification, NearEdges, OutsideEdges, SectionEdge, classify_edge_near,
    edges_outside,
};
use crate::exact::Planes;
use glam::DVec3;

/// Cuts one face after the other; keeps the lists that each needs.
#[derive(Default)]
pub(super) struct FaceCutter {
    near: NearEdges,
    /// Of the face cut last: for each edge of the section the sides of the near corners.
    sides: Vec<i8>,
    crossings: Crossings,
}

impl FaceCutter {
    /// The edges of a face outside a section that lies in the box `lo..hi`.
    pub fn cut(
        &mut self,
        planes: &Planes,
        face: &Face,
        section: &[SectionEdge],
        (lo, hi): (DVec3, DVec3),
    ) -> OutsideEdges {
        self.near.find(face, lo, hi);
        self.sides.clear();
        for e in section {
            self.near.push_sides(planes, face, e.plane, &mut self.sides);
        }
        let near = (&self.near, &self.sides[..]);
        edges_outside(planes, face, section, near, &mut self.crossings)
    }

    /// Sides of the near corners of the face cut last against one edge of the section.
    pub fn sides(&self, edge: usize) -> &[i8] {
        let width = self.near.width();
        &self.sides[edge * width..(edge + 1) * width]
    }

    /// Classifies an edge of the section against the face cut last; None where the edge does not matter. `start` tells
    /// whether the face surrounds the start of the edge, if that is known.
    pub fn classify_edge(
        &self,
        planes: &Planes,
        face: &Face,
        section: &[SectionEdge],
        edge: usize,
        start: Option<bool>,
    ) -> Option<EdgeClassification> {
        let e = &section[edge];
        let [from, to] = e.ends.as_ref()?;
        if !face.touches(from.at.min(to.at), from.at.max(to.at)) {
            return None;
        }
        let known = |k: u32| {
            let key = (k, edge as u32);
            let at = self.crossings.binary_search_by_key(&key, |c| (c.0, c.1));
            at.ok().map(|at| self.crossings[at].2)
        };
        let near = (&self.near, self.sides(edge));
        let ends = [from, to];
        Some(classify_edge_near(
            planes, face, e.plane, near, ends, start, known,
        ))
    }
}
