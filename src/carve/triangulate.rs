//! Faces with holes as triangles that use every corner and no other.
use super::face::Face;
use crate::exact::Planes;

/// Triangles of a face as indices into its corners counted through all loops, counter-clockwise seen from the air.
pub fn triangulate(_planes: &Planes, _face: &Face) -> Vec<[u32; 3]> {
    Vec::new()
}
