//! What a cell's faces look like: triangles over shared positions, and the box tree over them.
use super::cell::{Cell, points};
use super::{FaceView, GRID, Room, RoomId, World};
use crate::bvh::{BuildParams, Bvh, Mesh, Triangle};
use crate::carve::polytope::Surface;
use crate::exact::Planes;
use crate::timing::{Marker, Stage};
use glam::DVec3;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Collects faces' triangles over shared positions.
#[derive(Default)]
pub(super) struct MeshBuilder {
    pub mesh: Mesh,
    index: FxHashMap<[u64; 3], u32>,
}

impl MeshBuilder {
    /// Adds one face whose triangles index its corners.
    pub fn add(&mut self, face: &crate::carve::face::Face, triangles: &[[u32; 3]], number: u32) {
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
        *self
            .index
            .entry(at.to_array().map(|x| (x + 0.0).to_bits()))
            .or_insert_with(|| {
                positions.push(at / GRID);
                positions.len() as u32 - 1
            })
    }
}

fn room(
    cell: &mut Cell,
    planes: &Planes,
    params: &BuildParams,
    portals: Vec<u32>,
    revision: u64,
) -> Room {
    cell.triangulate(planes);
    let mut builder = MeshBuilder::default();
    let mut faces = Vec::new();
    for (id, face) in cell.stuff() {
        let Surface::Stuff(material) = face.surface else {
            continue;
        };
        builder.add(face, &cell.triangles[id as usize], faces.len() as u32);
        let normal = planes.normal(face.plane).normalize();
        faces.push(FaceView {
            material,
            normal,
            key: face.key,
        });
    }
    let mesh = builder.mesh;
    let tree = Arc::new(Bvh::build(&mesh, params));
    Room {
        cell: cell.bounds(),
        revision,
        mesh: Arc::new(mesh),
        faces: Arc::new(faces),
        tree,
        portals,
        air_volume_m3: cell.volume.max(0.0),
    }
}

/// Makes all rooms anew.
pub(super) fn build_all(world: &mut World) {
    let (planes, params, revision) = (&world.planes, &world.params, world.revision);
    world.rooms = world
        .cells
        .par_iter_mut()
        .map(|cell| room(cell, planes, params, vec![], revision))
        .collect();
}

/// Brings some rooms up to date.
pub(super) fn update(world: &mut World, ids: &[RoomId]) {
    let (planes, params, revision) = (&world.planes, &world.params, world.revision);
    for &id in ids {
        let portals = std::mem::take(&mut world.rooms[id as usize].portals);
        world.rooms[id as usize] = room(
            &mut world.cells[id as usize],
            planes,
            params,
            portals,
            revision,
        );
    }
}

pub(super) fn rebuild_trees(world: &mut World, params: &BuildParams, marker: &mut dyn Marker) {
    marker.begin(Stage::Bins);
    world.params = *params;
    world
        .rooms
        .par_iter_mut()
        .for_each(|room| room.tree = Arc::new(Bvh::build(&room.mesh, params)));
    marker.end(Stage::Bins);
}
