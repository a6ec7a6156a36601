//! Faces put back as they were before a change.
//!
//! Entries are taken back in reverse order: so every id comes out as it was, since slabs use the last free place first. A
//! step costs as much as it changed.
use super::delta::{Delta, Entry};
use super::geometry::Geometry;
use super::subdivision::{self, Closed};
use super::visible::Visible;

/// Takes a change back, cuts of cells too; meshes and portals do not know of it yet. Returns the way back again, and the
/// rooms that are no more.
pub(super) fn restore(
    geometry: &mut Geometry,
    visible: &mut Visible,
    delta: Delta,
) -> (Delta, Vec<Closed>) {
    let mut closed = Vec::new();
    let done = restore_by(geometry, delta, |geometry, entry| match entry {
        Entry::Opened(cell, cut) => {
            closed.push(subdivision::close(geometry, visible, cell, cut));
            Entry::Closed(cell, cut)
        }
        Entry::Closed(cell, cut) => {
            subdivision::open(geometry, visible, cell, cut);
            Entry::Opened(cell, cut)
        }
        faces => restore_face(geometry, faces),
    });
    (done, closed)
}

/// Takes a change back that has not been committed, and forgets it: it has cut no cell, since only a commit does.
pub(super) fn take_back(geometry: &mut Geometry, delta: Delta) {
    let never = restore_by(geometry, delta, restore_face);
    release(geometry, &never);
    geometry.planes.remove_unused();
}

/// The faces that a delta keeps hold their planes no longer: it is not used any more. Planes that nothing else lies on go
/// when they are settled.
pub(super) fn release(geometry: &mut Geometry, delta: &Delta) {
    for entry in &delta.entries {
        if let Entry::Took(_, face) = entry {
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
        Entry::Took(id, face) => {
            let now = geometry.put(id.0, face);
            assert_eq!(now, id, "ids come back in reverse order");
            Entry::Put(now)
        }
        Entry::Put(id) => {
            let (face, _) = geometry.take(id, |_| ());
            Entry::Took(id, face)
        }
        Entry::Moved(from, to) => {
            let now = geometry.shift(to, from.0);
            assert_eq!(now, from, "ids come back in reverse order");
            Entry::Moved(to, now)
        }
        Entry::Opened(..) | Entry::Closed(..) => {
            unreachable!("only a commit cuts cells")
        }
    }
}
