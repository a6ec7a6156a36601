//! Regions of one plane that become faces.
use super::face::Face;
use super::loops::{Edge, cancel_opposite_edges, faces_from_edges};
use super::polytope::Surface;
use crate::exact::{Facing, Planes};

/// The boundary of a region of one plane and surface.
pub(super) struct Region {
    pub plane: Facing,
    pub surface: Surface,
    pub piece: u32,
    pub edges: Vec<Edge>,
    /// This many edges, the first, are new.
    pub new: usize,
    /// The edges are those of several regions that may share sides: opposite edges cancel.
    pub is_union: bool,
    /// Something lay exactly on the region or its edges.
    pub touching: bool,
}

impl Region {
    /// The faces of the region.
    pub fn into_faces(self, planes: &Planes) -> Vec<Face> {
        let edges = if self.is_union {
            cancel_opposite_edges(planes, self.plane.plane, &self.edges, self.new)
        } else {
            self.edges
        };
        let mut faces = faces_from_edges(planes, self.plane, self.surface, &edges, self.touching);
        for f in &mut faces {
            f.piece = self.piece;
        }
        faces
    }
}
