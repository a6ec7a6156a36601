//! The meshes of rooms: triangles over shared positions, and the box tree over them.
use super::cell::{Cell, points};
use super::delta::{Entry, changed_faces};
use super::edges::FaceRef;
use super::geometry::Geometry;
use super::mesh_editor::MeshEditor;
use super::room::{FaceView, Room, RoomId};
use super::visible::{Visible, queue_if_worn};
use crate::bvh::BuildParams;
use crate::carve::polytope::Surface;
use crate::exact::Planes;
use crate::geom::Aabb;
use crate::geom::parallel;
use crate::geom::shared::Shared;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::sync::Arc;

/// A room drawn ahead of the commit, not visible yet.
#[derive(Clone, Debug)]
pub(super) struct PreparedRoom {
    pub id: RoomId,
    pub room: Room,
    editor: MeshEditor,
    /// The box of the triangles that differ from the visible room's, metres.
    bounds: Aabb,
}

/// Faces whose triangles moved to another room, and the slots that this changed in each room.
#[derive(Debug, Default)]
pub(super) struct Migrated {
    /// The faces' old and new ids.
    pub faces: FxHashSet<FaceRef>,
    pub slots: FxHashMap<RoomId, Vec<u32>>,
}

/// Redraws some faces of a room and updates its box tree, also for slots that have changed already. Returns the box of
/// the triangles removed and added, metres.
fn redraw(
    planes: &Planes,
    params: &BuildParams,
    cell: &mut Cell,
    editor: &mut MeshEditor,
    room: &mut Room,
    faces: &[u32],
    changed_slots: &[u32],
) -> Aabb {
    let mesh = Arc::make_mut(&mut room.mesh);
    let views = Arc::make_mut(&mut room.faces);
    let mut old = editor.take(faces);
    let mut count = room.face_count;
    for &id in faces {
        if let Some(view) = views.get_mut(id as usize) {
            count -= u32::from(view.is_live());
            *view = FaceView::DEAD;
        }
    }
    let mut faces = faces.to_vec();
    if !old.is_empty() {
        // The largest part of a cut face comes first.
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
        editor.expect(mesh, corners);
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
        editor.draw(planes, mesh, (id, face), material, &mut old, &mut fresh);
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
    let (mut changed, bounds) = editor.replace_triangles(mesh, &old, fresh);
    changed.extend_from_slice(changed_slots);
    if born || !changed.is_empty() {
        Arc::make_mut(&mut room.tree).update(mesh, &changed, params);
        if let Some(rebuild) = &mut editor.rebuild {
            rebuild.note(&changed);
        }
    }
    room.face_count = count;
    room.triangle_count = editor.count(mesh) as u32;
    room.air_volume_m3 = cell.volume().max(0.0);
    bounds
}

/// Builds all rooms.
pub(super) fn build_all(geometry: &mut Geometry, visible: &mut Visible) {
    let (planes, params, revision) = (&geometry.planes, &visible.params, visible.revision);
    let mut cells: Vec<&mut Shared<Cell>> = geometry.cells.iter_mut().collect();
    let drawn = parallel::map_mut(&mut cells, |cell| {
        let cell: &mut Cell = cell;
        let mut editor = MeshEditor::default();
        let mut room = Room::empty(cell.bounds(), revision);
        let all: Vec<u32> = (0..cell.faces.len() as u32).collect();
        redraw(planes, params, cell, &mut editor, &mut room, &all, &[]);
        (room, Shared::new(editor))
    });
    let (rooms, editors): (Vec<_>, Vec<_>) = drawn.into_iter().unzip();
    visible.rooms = rooms.into_iter().collect();
    visible.editors = editors.into_iter().collect();
}

/// Updates the rooms of changed faces.
pub(super) fn update(geometry: &mut Geometry, visible: &mut Visible, entries: &[Entry]) {
    update_rest(geometry, visible, entries, &Migrated::default());
}

/// [`update`], except for faces that migrated to another room with their triangles.
pub(super) fn update_rest(
    geometry: &mut Geometry,
    visible: &mut Visible,
    entries: &[Entry],
    migrated: &Migrated,
) {
    let mut faces = Vec::new();
    for group in changed_faces(entries, geometry.cells.len()).chunk_by(|a, b| a.0 == b.0) {
        let id = group[0].0;
        faces.clear();
        let rest = group.iter().filter(|face| !migrated.faces.contains(face));
        faces.extend(rest.map(|face| face.1));
        let at = id as usize;
        visible.rooms[at].revision = visible.revision;
        let bounds = redraw(
            &geometry.planes,
            &visible.params,
            &mut geometry.cells[at],
            &mut visible.editors[at],
            &mut visible.rooms[at],
            &faces,
            migrated.slots.get(&id).map_or(&[], |slots| slots),
        );
        visible.changes.note(visible.revision, &bounds);
        queue_if_worn(&mut visible.worn, id, &visible.rooms[at]);
    }
}

/// A copy of a room with these faces redrawn; the visible room stays unchanged.
pub(super) fn prepare_room(
    geometry: &mut Geometry,
    visible: &Visible,
    id: RoomId,
    faces: &[u32],
) -> PreparedRoom {
    let i = id as usize;
    let (mut room, mut editor) = (
        visible.rooms[i].clone(),
        MeshEditor::clone(&visible.editors[i]),
    );
    // The rebuild in progress belongs to the old mesh.
    editor.rebuild = None;
    let cell: &mut Cell = &mut geometry.cells[i];
    let bounds = redraw(
        &geometry.planes,
        &visible.params,
        cell,
        &mut editor,
        &mut room,
        faces,
        &[],
    );
    PreparedRoom {
        id,
        room,
        editor,
        bounds,
    }
}

/// Makes prepared rooms the visible ones.
pub(super) fn publish(visible: &mut Visible, rooms: Vec<PreparedRoom>) {
    for PreparedRoom {
        id,
        mut room,
        editor,
        bounds,
    } in rooms
    {
        visible.changes.note(visible.revision, &bounds);
        let old = &mut visible.rooms[id as usize];
        room.revision = visible.revision;
        room.portals = std::mem::take(&mut old.portals);
        *old = room;
        queue_if_worn(&mut visible.worn, id, old);
        visible.editors[id as usize] = Shared::new(editor);
    }
}

/// Corners of these faces, in the old drawing and the new.
pub(super) fn corners(geometry: &Geometry, visible: &Visible, id: RoomId, faces: &[u32]) -> u64 {
    let (cell, editor) = (&geometry.cells[id as usize], &visible.editors[id as usize]);
    let now = |f: u32| cell.faces.get(f as usize).and_then(Option::as_ref);
    let one = |&f: &u32| editor.corners(f) + now(f).map_or(0, |face| points(face).count());
    faces.iter().map(one).sum::<usize>() as u64
}
