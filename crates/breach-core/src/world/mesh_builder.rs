//! A builder of meshes from faces.
use super::GRID;
use super::cell::points;
use super::mesh_editor::bits;
use crate::bvh::{Mesh, Triangle};
use crate::carve::face::Face;
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Collects faces' triangles over shared positions.
#[derive(Default)]
pub(super) struct MeshBuilder {
    pub mesh: Mesh,
    index: FxHashMap<[u64; 3], u32>,
}

impl MeshBuilder {
    /// Reserves space for about this many faces.
    pub fn expect(&mut self, faces: usize) {
        // A closed surface of triangles has half as many points as triangles.
        self.index.reserve(faces / 2);
        self.mesh.positions.reserve(faces / 2);
        self.mesh.triangles.reserve(faces);
    }

    /// Adds one face whose triangles index its corners.
    pub fn add(&mut self, face: &Face, triangles: &[[u32; 3]], number: u32) {
        let ids: Vec<u32> = points(face).map(|p| self.position(p)).collect();
        let sound = triangles
            .iter()
            .filter(|t| t.iter().all(|&c| (c as usize) < ids.len()));
        self.mesh.triangles.extend(sound.map(|t| Triangle {
            corners: t.map(|c| ids[c as usize]),
            face: number,
            key: face.key,
        }));
    }

    fn position(&mut self, at: DVec3) -> u32 {
        let positions = &mut self.mesh.positions;
        *self.index.entry(bits(at)).or_insert_with(|| {
            positions.push(at / GRID);
            positions.len() as u32 - 1
        })
    }
}
