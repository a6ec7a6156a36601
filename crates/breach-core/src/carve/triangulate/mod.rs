//! Triangulation of faces with holes; every corner of the face is used and no point is added.
//!
//! A face is projected along the axis nearest to its normal (`projection`), from the rounded positions of its corners;
//! the orientation of three such points is exact (`predicates`). Small loops are ear-clipped (`ears`); faces with holes
//! go to a constrained Delaunay triangulation (`delaunay`). Where rounding made edges cross, holes are bridged and ears
//! are clipped whatever their shape, so the triangulation is always complete (`whole`). A large face of which a small
//! part changed keeps the triangles that the change does not reach (`mend`).
mod delaunay;
mod ears;
mod mend;
mod predicates;
mod projection;
#[cfg(test)]
mod tests;
mod whole;

pub use mend::{OutlineChange, mend};
pub use projection::Projection;
pub use whole::triangulate;
