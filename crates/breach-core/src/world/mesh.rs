//! What a cell's faces look like: triangles over shared positions, and the box tree over them.
use super::cell::{Cell, points};
use super::edges::FaceRef;
use super::moved::Moved;
use super::slots::{Slots, bits};
use super::undo::Entry;
use super::{FaceView, GRID, Room, RoomId, World, trees};
use crate::bvh::{BuildParams, Bvh, Mesh, Triangle};
use crate::carve::polytope::Surface;
use crate::exact::Planes;
use crate::geom::Aabb;
use crate::geom::parallel;
use crate::geom::shared::Shared;
use crate::stage::{Marker, Stage};
use glam::DVec3;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::sync::Arc;

/// Collects faces' triangles over shared positions.
#[derive(Default)]
pub(super) struct MeshBuilder {
    pub mesh: Mesh,
    index: FxHashMap<[u64; 3], u32>,
}

impl MeshBuilder {
    /// Makes room for about so many faces.
    pub fn expect(&mut self, faces: usize) {
        // Of a closed surface of triangles, which has half as many points.
        self.index.reserve(faces / 2);
        self.mesh.positions.reserve(faces / 2);
        self.mesh.triangles.reserve(faces);
    }

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

/// A room that nobody sees yet.
#[derive(Clone, Debug)]
pub(super) struct Beside {
    pub id: RoomId,
    pub room: Room,
    slots: Slots,
    /// Of the triangles by which it differs from the one that is seen, metres.
    bounds: Aabb,
}

/// Redraws some faces of a room; the box tree follows, also where slots have changed already. The box of the triangles
/// that went and came, metres.
fn redraw(
    planes: &Planes,
    params: &BuildParams,
    cell: &mut Cell,
    slots: &mut Slots,
    room: &mut Room,
    faces: &[u32],
    changed_slots: &[u32],
) -> Aabb {
    let mesh = Arc::make_mut(&mut room.mesh);
    let views = Arc::make_mut(&mut room.faces);
    let mut old = slots.take(faces);
    let mut count = room.face_count;
    for &id in faces {
        if let Some(view) = views.get_mut(id as usize) {
            count -= u32::from(view.is_live());
            *view = FaceView::DEAD;
        }
    }
    let mut faces = faces.to_vec();
    if !old.is_empty() {
        // The largest part of what was cut comes first.
        let corners = |&id: &u32| {
            let face = cell.faces.get(id as usize).and_then(Option::as_ref);
            Reverse(face.map_or(0, |face| face.loops.iter().map(Vec::len).sum()))
        };
        faces.sort_by_cached_key(corners);
    }
    let stuff = |&id: &u32| {
        let face = cell.faces.get(id as usize).and_then(Option::as_ref);
        face.filter(|face| face.surface != Surface::Wall)
    };
    let corners: usize = faces
        .iter()
        .filter_map(stuff)
        .map(|f| points(f).count())
        .sum();
    if mesh.triangles.is_empty() {
        slots.expect(mesh, corners);
    }
    let mut fresh = Vec::with_capacity(corners);
    let mut born = false;
    for id in faces {
        let Some(face) = cell.faces.get_mut(id as usize).and_then(Option::as_mut) else {
            continue;
        };
        let Surface::Stuff(material) = face.surface else {
            continue;
        };
        slots.draw(planes, mesh, (id, face), material, &mut old, &mut fresh);
        if views.len() <= id as usize {
            views.resize(id as usize + 1, FaceView::DEAD);
        }
        views[id as usize] = FaceView {
            material,
            normal: planes.normal(face.plane).normalize(),
            key: face.key,
        };
        count += 1;
        born = true;
    }
    let (mut changed, bounds) = slots.settle(mesh, &old, fresh);
    changed.extend_from_slice(changed_slots);
    if born || !changed.is_empty() {
        Arc::make_mut(&mut room.tree).update(mesh, &changed, params);
        if let Some(growing) = &mut slots.growing {
            growing.note(&changed);
        }
    }
    room.face_count = count;
    room.triangle_count = slots.count(mesh) as u32;
    room.air_volume_m3 = cell.volume().max(0.0);
    bounds
}

/// Makes all rooms anew.
pub(super) fn build_all(world: &mut World) {
    let (planes, params, revision) = (&world.planes, &world.params, world.revision);
    let drawn = parallel::map_mut(&mut world.cells, |cell| {
        let mut slots = Slots::default();
        let mut room = Room::empty(cell.bounds(), revision);
        let all: Vec<u32> = (0..cell.faces.len() as u32).collect();
        redraw(planes, params, cell, &mut slots, &mut room, &all, &[]);
        (room, Shared::new(slots))
    });
    (world.rooms, world.slots) = drawn.into_iter().unzip();
}

/// Brings the rooms of changed faces up to date.
pub(super) fn update(world: &mut World, entries: &[Entry]) {
    update_rest(world, entries, &Moved::default());
}

/// [`update`] for what some faces that went along to other cells leave to do.
pub(super) fn update_rest(world: &mut World, entries: &[Entry], moved: &Moved) {
    let mut faces = Vec::new();
    for group in changed(entries, world.cells.len()).chunk_by(|a, b| a.0 == b.0) {
        let id = group[0].0;
        faces.clear();
        let rest = group.iter().filter(|face| !moved.faces.contains(face));
        faces.extend(rest.map(|face| face.1));
        let at = id as usize;
        world.rooms[at].revision = world.revision;
        let bounds = redraw(
            &world.planes,
            &world.params,
            &mut world.cells[at],
            &mut world.slots[at],
            &mut world.rooms[at],
            &faces,
            moved.slots.get(&id).map_or(&[], |slots| slots),
        );
        world.changes.note(world.revision, &bounds);
        trees::inspect(&mut world.worn, id, &world.rooms[at]);
    }
}

/// The faces that entries name, in the first so many cells, rising.
pub(super) fn changed(entries: &[Entry], cells: usize) -> Vec<FaceRef> {
    let mut changed: Vec<FaceRef> = entries
        .iter()
        .flat_map(Entry::faces)
        .filter(|id| (id.0 as usize) < cells)
        .collect();
    // As one number they are compared at once. Most came in rising order, which this kind of sorting makes use of.
    changed.sort_by_key(|&(cell, face)| u64::from(cell) << 32 | u64::from(face));
    changed.dedup();
    changed
}

/// A room as it is to be once these faces are seen as they are now; the room itself stays as it was.
pub(super) fn draw_beside(world: &mut World, id: RoomId, faces: &[u32]) -> Beside {
    let i = id as usize;
    let (mut room, mut slots) = (world.rooms[i].clone(), Slots::clone(&world.slots[i]));
    // What grows grows for the old mesh.
    slots.growing = None;
    let cell: &mut Cell = &mut world.cells[i];
    let bounds = redraw(
        &world.planes,
        &world.params,
        cell,
        &mut slots,
        &mut room,
        faces,
        &[],
    );
    Beside {
        id,
        room,
        slots,
        bounds,
    }
}

/// The rooms drawn beside take their places.
pub(super) fn put_in_place(world: &mut World, rooms: Vec<Beside>) {
    for Beside {
        id,
        mut room,
        slots,
        bounds,
    } in rooms
    {
        world.changes.note(world.revision, &bounds);
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
    let one = |&f: &u32| slots.corners(f) + now(f).map_or(0, |face| points(face).count());
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
    parallel::map_mut(&mut rooms, |room| {
        room.tree = Arc::new(Bvh::build(&room.mesh, params));
    });
    marker.end(Stage::Bins);
}
