//! One convex polytope against the faces of one cell.
use super::face::Face;
use super::polytope::Polytope;
use super::Op;
use crate::exact::Planes;

/// What an operation does to a cell's faces.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// Ids (indices into the slab) of faces that are gone or replaced, rising.
    pub removed: Vec<u32>,
    /// Faces that are new or replace others.
    pub added: Vec<Face>,
    /// Something lay exactly on something else: corners may have to be conformed and superfluous ones dropped.
    pub degenerate: bool,
}

/// Carves (the inside becomes air) or fills (solid) a polytope that lies within the cell. `faces` is the cell's slab:
/// together, walls included, they bound the cell's air. Nothing changes where the result is the same.
pub fn apply(_planes: &Planes, _faces: &[Option<Face>], _polytope: &Polytope, _op: Op) -> Change {
    Change::default()
}
