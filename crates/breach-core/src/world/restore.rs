//! Restores faces to their state before a change.
//!
//! Entries are undone in reverse order, so that every id is restored: slabs reuse the slot freed last. The cost of each
//! step follows the size of its change.
use super::delta::{Delta, Entry, held_planes};
use super::dropped_planes::Mailbox;
use super::geometry::Geometry;
use super::subdivision::{self, JoinedRoom};
use super::visible::Visible;

/// Undoes a change, splits of cells included; meshes and portals are not updated yet. Returns the reverse delta and the
/// rooms that were removed.
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
        face @ (Entry::Removed(..) | Entry::Inserted(_) | Entry::Moved(..)) => {
            restore_face(geometry, face)
        }
    });
    (done, joined)
}

/// Undoes an uncommitted change and forgets it. It has split no cell, since only a commit does.
pub(super) fn take_back(geometry: &mut Geometry, delta: Delta) {
    let never = restore_by(geometry, delta, restore_face);
    release(geometry, &never);
    geometry.planes.remove_unused();
}

/// Releases the planes of the faces that a delta holds, once it is not used any more. Unused planes are dropped when
/// the planes are settled.
pub(super) fn release(geometry: &mut Geometry, delta: &Delta) {
    held_planes(&delta.entries).for_each(|p| geometry.planes.release(p));
    geometry.dropped_planes.close(&delta.mailbox);
    geometry.release_dropped();
}

fn restore_by(
    geometry: &mut Geometry,
    mut delta: Delta,
    mut restore: impl FnMut(&mut Geometry, Entry) -> Entry,
) -> Delta {
    let log = std::mem::take(&mut delta.entries);
    let mut entries = Vec::with_capacity(log.len());
    for entry in log.into_iter().rev() {
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
        mailbox: Mailbox::default(),
    }
}

/// Undoes one entry; returns its reverse.
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
