//! What a cell's faces look like: triangles over shared positions, and the box tree over them.
use super::cell::{Cell, points};
use super::edges::FaceRef;
use super::undo::Entry;
use super::{FaceView, GRID, Room, RoomId, World, trees};
use crate::bvh::{BuildParams, Bvh, Mesh, Rebuild, Triangle};
use crate::carve::face::Face;
use crate::carve::polytope::Surface;
use crate::carve::triangulate::triangulate;
use crate::exact::Planes;
use crate::geom::shared::Shared;
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
        *self.index.entry(bits(at)).or_insert_with(|| {
            positions.push(at / GRID);
            positions.len() as u32 - 1
        })
    }
}

/// What a room's mesh keeps to be edited in place: triangles and positions have stable numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// Number of a position, and how many faces use it.
    places: FxHashMap<[u64; 3], (u32, u32)>,
    free_places: Vec<u32>,
    free_triangles: Vec<u32>,
    /// By face: its triangles' numbers, and its corners' positions.
    drawn: Vec<Drawn>,
    /// The tree that is to take the room's tree's place.
    pub growing: Option<Box<Rebuild>>,
}

#[derive(Clone, Debug, Default)]
struct Drawn {
    triangles: Vec<u32>,
    corners: Vec<u32>,
}

fn bits(at: DVec3) -> [u64; 3] {
    at.to_array().map(|x| (x + 0.0).to_bits())
}

impl Slots {
    /// Takes a face's triangles out.
    fn erase(&mut self, mesh: &mut Mesh, face: u32, changed: &mut Vec<u32>) {
        let Some(drawn) = self.drawn.get_mut(face as usize) else {
            return;
        };
        for t in drawn.triangles.drain(..) {
            mesh.triangles[t as usize] = Triangle::DEAD;
            self.free_triangles.push(t);
            changed.push(t);
        }
        for p in drawn.corners.drain(..) {
            let key = bits(mesh.positions[p as usize] * GRID);
            if let Some(place) = self.places.get_mut(&key) {
                place.1 -= 1;
                if place.1 == 0 {
                    self.places.remove(&key);
                    self.free_places.push(p);
                }
            }
        }
    }

    /// Puts a face's triangles in; those whose corners weld in f64 are left out.
    fn draw(&mut self, mesh: &mut Mesh, id: u32, face: &Face, changed: &mut Vec<u32>) {
        if self.drawn.len() <= id as usize {
            self.drawn.resize_with(id as usize + 1, Drawn::default);
        }
        let drawn = &mut self.drawn[id as usize];
        for p in points(face) {
            let free = &mut self.free_places;
            let place = self.places.entry(bits(p)).or_insert_with(|| {
                let slot = free.pop().unwrap_or_else(|| {
                    mesh.positions.push(DVec3::ZERO);
                    mesh.positions.len() as u32 - 1
                });
                mesh.positions[slot as usize] = p / GRID;
                (slot, 0)
            });
            place.1 += 1;
            drawn.corners.push(place.0);
        }
        for t in &face.triangles {
            let [Some(&a), Some(&b), Some(&c)] = t.map(|i| drawn.corners.get(i as usize)) else {
                continue;
            };
            if a == b || b == c || c == a {
                continue;
            }
            let triangle = Triangle {
                corners: [a, b, c],
                face: id,
                key: face.key,
            };
            let slot = match self.free_triangles.pop() {
                Some(slot) => slot,
                None => {
                    mesh.triangles.push(Triangle::DEAD);
                    mesh.triangles.len() as u32 - 1
                }
            };
            mesh.triangles[slot as usize] = triangle;
            drawn.triangles.push(slot);
            changed.push(slot);
        }
    }
}

/// Redraws some faces of a room; the box tree follows.
fn redraw(
    planes: &Planes,
    params: &BuildParams,
    cell: &mut Cell,
    slots: &mut Slots,
    room: &mut Room,
    faces: &[u32],
) {
    let mesh = Arc::make_mut(&mut room.mesh);
    let views = Arc::make_mut(&mut room.faces);
    let mut changed = Vec::new();
    for &id in faces {
        slots.erase(mesh, id, &mut changed);
        if let Some(view) = views.get_mut(id as usize) {
            *view = FaceView::DEAD;
        }
    }
    let mut born = false;
    for &id in faces {
        let Some(face) = cell.faces.get_mut(id as usize).and_then(Option::as_mut) else {
            continue;
        };
        let Surface::Stuff(material) = face.surface else {
            continue;
        };
        if face.triangles.is_empty() {
            face.triangles = triangulate(planes, face);
        }
        slots.draw(mesh, id, face, &mut changed);
        if views.len() <= id as usize {
            views.resize(id as usize + 1, FaceView::DEAD);
        }
        views[id as usize] = FaceView {
            material,
            normal: planes.normal(face.plane).normalize(),
            key: face.key,
        };
        born = true;
    }
    if born || !changed.is_empty() {
        Arc::make_mut(&mut room.tree).update(mesh, &changed, params);
        if let Some(growing) = &mut slots.growing {
            growing.note(&changed);
        }
    }
    room.face_count = views.iter().filter(|v| v.is_live()).count() as u32;
    room.triangle_count = (mesh.triangles.len() - slots.free_triangles.len()) as u32;
    room.air_volume_m3 = cell.volume().max(0.0);
}

/// Makes all rooms anew.
pub(super) fn build_all(world: &mut World) {
    let (planes, params, revision) = (&world.planes, &world.params, world.revision);
    (world.rooms, world.slots) = world
        .cells
        .par_iter_mut()
        .map(|cell| {
            let mut slots = Slots::default();
            let mut room = Room::empty(cell.bounds(), revision);
            let all: Vec<u32> = (0..cell.faces.len() as u32).collect();
            redraw(planes, params, cell, &mut slots, &mut room, &all);
            (room, Shared::new(slots))
        })
        .unzip();
}

/// Brings the rooms of changed faces up to date.
pub(super) fn update(world: &mut World, entries: &[Entry]) {
    let mut faces = Vec::new();
    for group in changed(entries, world.cells.len()).chunk_by(|a, b| a.0 == b.0) {
        let id = group[0].0 as usize;
        faces.clear();
        faces.extend(group.iter().map(|f| f.1));
        world.rooms[id].revision = world.revision;
        redraw(
            &world.planes,
            &world.params,
            &mut world.cells[id],
            &mut world.slots[id],
            &mut world.rooms[id],
            &faces,
        );
        trees::inspect(&mut world.worn, id as RoomId, &world.rooms[id]);
    }
}

/// The faces that entries name, in the first so many cells, rising.
pub(super) fn changed(entries: &[Entry], cells: usize) -> Vec<FaceRef> {
    let mut changed: Vec<FaceRef> = entries
        .iter()
        .flat_map(Entry::faces)
        .filter(|id| (id.0 as usize) < cells)
        .collect();
    changed.sort_unstable();
    changed.dedup();
    changed
}

/// A room as it is to be once these faces are seen as they are now; the room itself stays as it was.
pub(super) fn draw_beside(world: &mut World, id: RoomId, faces: &[u32]) -> (Room, Slots) {
    let i = id as usize;
    let (mut room, mut slots) = (world.rooms[i].clone(), Slots::clone(&world.slots[i]));
    // What grows grows for the old mesh.
    slots.growing = None;
    let cell: &mut Cell = &mut world.cells[i];
    redraw(
        &world.planes,
        &world.params,
        cell,
        &mut slots,
        &mut room,
        faces,
    );
    (room, slots)
}

/// The rooms drawn beside take their places.
pub(super) fn put_in_place(world: &mut World, rooms: Vec<(RoomId, Room, Slots)>) {
    for (id, mut room, slots) in rooms {
        let old = &mut world.rooms[id as usize];
        room.revision = world.revision;
        room.portals = std::mem::take(&mut old.portals);
        *old = room;
        trees::inspect(&mut world.worn, id, old);
        world.slots[id as usize] = Shared::new(slots);
    }
}

/// Corners of these faces, as they are drawn and as they are to be.
pub(super) fn corners(world: &World, id: RoomId, faces: &[u32]) -> u64 {
    let (cell, slots) = (&world.cells[id as usize], &world.slots[id as usize]);
    let now = |f: u32| cell.faces.get(f as usize).and_then(Option::as_ref);
    let one = |&f: &u32| {
        let before = slots.drawn.get(f as usize).map_or(0, |d| d.corners.len());
        before + now(f).map_or(0, |face| points(face).count())
    };
    faces.iter().map(one).sum::<usize>() as u64
}

pub(super) fn rebuild_trees(world: &mut World, params: &BuildParams, marker: &mut dyn Marker) {
    marker.begin(Stage::Bins);
    world.params = *params;
    world.worn.clear();
    world
        .slots
        .iter_mut()
        .for_each(|slots| slots.growing = None);
    let beside = world.work.iter_mut().flat_map(|work| work.rooms_beside());
    let mut rooms: Vec<&mut Room> = world.rooms.iter_mut().chain(beside).collect();
    rooms
        .par_iter_mut()
        .for_each(|room| room.tree = Arc::new(Bvh::build(&room.mesh, params)));
    marker.end(Stage::Bins);
}
