//! Faces put back as they were before a change.
//!
//! Entries are taken back in reverse order: so every id comes out as it was, since slabs use the last free place first. A
//! step costs as much as it changed.
use super::delta::{Delta, Entry};
use super::geometry::Geometry;
use super::subdivision::{self, JoinedRoom};
use super::visible::Visible;

/// Takes a change back, cuts of cells too; meshes and portals do not know of it yet. Returns the way back again, and the
/// rooms that are no more.
pub(super) fn restore(
    geometry: &mut Geometry,
    visible: &mut Visible,
    delta: Delta,
) -> (Delta, Vec<JoinedRoom>) {
    let mut joined = Vec::new();
    let done = restore_by(geometry, delta, |geometry, entry| match entry {
        Entry::CellSplit(cell, cut) => {
            joined.push(subdivision::join_cell(geometry, visible, cell, cut));
            Entry::CellsJoined(cell, cut)
        }
        Entry::CellsJoined(cell, cut) => {
            subdivision::split_off(geometry, visible, cell, cut);
            Entry::CellSplit(cell, cut)
        }
        faces => restore_face(geometry, faces),
    });
    (done, joined)
}

/// Takes a change back that has not been committed, and forgets it: it has cut no cell, since only a commit does.
pub(super) fn take_back(geometry: &mut Geometry, delta: Delta) {
    let never = restore_by(geometry, delta, restore_face);
    release(geometry, &never);
    geometry.planes.settle();
}

/// The faces that a delta keeps hold their planes no longer: it is not used any more. Planes that nothing else lies on go
/// when they are settled.
pub(super) fn release(geometry: &mut Geometry, delta: &Delta) {
    for entry in &delta.entries {
        if let Entry::Removed(_, face) = entry {
            face.planes().for_each(|p| geometry.planes.release(p));
        }
    }
}

fn restore_by(
    geometry: &mut Geometry,
    delta: Delta,
    mut restore: impl FnMut(&mut Geometry, Entry) -> Entry,
) -> Delta {
    let mut entries = Vec::with_capacity(delta.entries.len());
    for entry in delta.entries.into_iter().rev() {
        entries.push(restore(geometry, entry));
    }
    if delta.is_undo {
        geometry.fallen += delta.fallen;
    } else {
        geometry.fallen -= delta.fallen;
    }
    Delta {
        entries,
        fallen: delta.fallen,
        is_undo: !delta.is_undo,
    }
}

/// Takes one entry back; returns the way back again.
fn restore_face(geometry: &mut Geometry, entry: Entry) -> Entry {
    match entry {
        Entry::Removed(id, face) => {
            let now = geometry.insert_face(id.0, face);
            assert_eq!(now, id, "ids come back in reverse order");
            Entry::Inserted(now)
        }
        Entry::Inserted(id) => {
            let (face, _) = geometry.remove_face(id, |_| ());
            Entry::Removed(id, face)
        }
        Entry::Moved(from, to) => {
            let now = geometry.move_face(to, from.0);
            assert_eq!(now, from, "ids come back in reverse order");
            Entry::Moved(to, now)
        }
        Entry::CellSplit(..) | Entry::CellsJoined(..) => {
            unreachable!("only a commit cuts cells")
        }
    }
}
