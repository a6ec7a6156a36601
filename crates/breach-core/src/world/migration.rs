//! Moves drawn triangles along with faces whose cell changed because a cell was split or joined.
use super::delta::Entry;
use super::edges::FaceRef;
use super::geometry::Geometry;
use super::mesh::{self, Migrated};
use super::mesh_editor::{MeshEditor, TransferredTriangles};
use super::room::{FaceView, Room, RoomId};
use super::subdivision::JoinedRoom;
use super::visible::Visible;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// [`mesh::update`] that migrates triangles first; `joined` are rooms removed since they were drawn.
pub(super) fn update(
    geometry: &mut Geometry,
    visible: &mut Visible,
    entries: &[Entry],
    mut joined: Vec<JoinedRoom>,
) {
    let mut migrated = Migrated::default();
    let plain = plain_moves(entries);
    for run in plain.chunk_by(|a, b| (a.0.0, a.1.0) == (b.0.0, b.1.0)) {
        let (here, there) = (run[0].0.0, run[0].1.0);
        let mut faces = run.iter().map(|(from, to)| (from.1, to.1)).collect();
        let Some(transferred) =
            transfer_faces(geometry, visible, &mut joined, (here, there), &mut faces)
        else {
            continue;
        };
        let ends = faces.iter().flat_map(|f| [(here, f.0), (there, f.1)]);
        migrated.faces.extend(ends);
        migrated
            .slots
            .entry(here)
            .or_default()
            .extend(transferred.gone);
        migrated
            .slots
            .entry(there)
            .or_default()
            .extend(transferred.come);
        visible.changes.note(visible.revision, &transferred.bounds);
    }
    mesh::update_rest(geometry, visible, entries, &migrated);
}

/// Faces that were only moved, each with its old and new id.
fn plain_moves(entries: &[Entry]) -> Vec<(FaceRef, FaceRef)> {
    let moves = || {
        entries.iter().filter_map(|entry| match entry {
            Entry::Moved(from, to) => Some((*from, *to)),
            Entry::Removed(..)
            | Entry::Inserted(_)
            | Entry::CellSplit(..)
            | Entry::CellsJoined(..) => None,
        })
    };
    if moves().next().is_none() {
        return Vec::new();
    }
    let mut count: FxHashMap<FaceRef, u32> = FxHashMap::default();
    for id in entries.iter().flat_map(Entry::faces) {
        *count.entry(id).or_default() += 1;
    }
    moves()
        .filter(|(from, to)| count[from] == 1 && count[to] == 1)
        .collect()
}

/// Transfers triangles between two rooms; None where a room does not exist. The list keeps only the faces transferred.
fn transfer_faces(
    geometry: &Geometry,
    visible: &mut Visible,
    joined: &mut [JoinedRoom],
    (here, there): (RoomId, RoomId),
    faces: &mut Vec<(u32, u32)>,
) -> Option<TransferredTriangles> {
    let (i, k) = (here as usize, there as usize);
    let corners = geometry.cells.get(k)?.corners;
    if let Some(from) = joined.iter_mut().find(|from| from.id == here) {
        let (room, editor) = (visible.rooms.get_mut(k)?, visible.editors.get_mut(k)?);
        return Some(transfer_between(
            (&mut from.room, &mut from.editor),
            (room, editor),
            faces,
            corners,
        ));
    }
    let [old, new] = visible.rooms.pair_mut([i, k])?;
    let [editor, editor_there] = visible.editors.pair_mut([i, k])?;
    Some(transfer_between(
        (old, editor),
        (new, editor_there),
        faces,
        corners,
    ))
}

fn transfer_between(
    (old, editor): (&mut Room, &mut MeshEditor),
    (new, editor_there): (&mut Room, &mut MeshEditor),
    faces: &mut Vec<(u32, u32)>,
    corners: usize,
) -> TransferredTriangles {
    let (from, to) = (Arc::make_mut(&mut old.mesh), Arc::make_mut(&mut new.mesh));
    let transferred = editor.transfer_faces(from, (editor_there, to), faces, corners);
    let (from, to) = (Arc::make_mut(&mut old.faces), Arc::make_mut(&mut new.faces));
    for &(here, id) in faces.iter() {
        if to.len() <= id as usize {
            to.resize(id as usize + 1, FaceView::DEAD);
        }
        to[id as usize] = std::mem::replace(&mut from[here as usize], FaceView::DEAD);
    }
    old.face_count -= faces.len() as u32;
    new.face_count += faces.len() as u32;
    transferred
}
