//! The log of a change: faces removed and inserted, in order, and cells split.
use super::dropped_planes::Mailbox;
use super::edges::FaceRef;
use super::geometry::Geometry;
use super::room::RoomId;
use crate::carve::face::Face;
use crate::exact::PlaneId;
use std::collections::BTreeSet;

/// The faces that a change removed and inserted; [`super::World::revert`] undoes it.
///
/// The removed faces hold their planes in the world until [`super::World::forget`] releases them. The delta of
/// [`super::World::carve`] and [`super::World::add_solid`], and of undoing it, does so itself: when it is dropped, its
/// planes are released at that world's next change. A clone does not: it may be of use to a clone of the world.
#[derive(Debug, Default)]
pub struct Delta {
    pub(super) entries: Vec<Entry>,
    /// Number of pieces that the change let fall.
    pub(super) fallen: u64,
    /// The delta of an undo.
    pub(super) is_undo: bool,
    /// Where its planes go when it is dropped.
    pub(super) mailbox: Mailbox,
}

impl Clone for Delta {
    fn clone(&self) -> Delta {
        Delta {
            entries: self.entries.clone(),
            fallen: self.fallen,
            is_undo: self.is_undo,
            mailbox: Mailbox::default(),
        }
    }
}

impl Drop for Delta {
    fn drop(&mut self) {
        let planes = held_planes(&self.entries);
        self.mailbox.post(planes);
    }
}

/// One step of a change.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// A face was removed.
    Removed(FaceRef, Face),
    /// A face was inserted.
    Inserted(FaceRef),
    /// A face moved from one cell to another.
    Moved(FaceRef, FaceRef),
    /// A crowded cell was split.
    CellSplit(RoomId, Cut),
    /// The split was undone.
    CellsJoined(RoomId, Cut),
}

/// Where a cell was cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub axis: usize,
    /// Half steps, odd.
    pub at: i64,
    /// Whether the new cell is the part above the cut. It is the part with fewer faces.
    pub is_high_new: bool,
}

impl Entry {
    /// The cells that the entry changes.
    fn cells(&self) -> impl Iterator<Item = RoomId> + use<> {
        let (a, b) = match self {
            Entry::Removed(id, _) | Entry::Inserted(id) => (id.0, None),
            Entry::Moved(from, to) => (from.0, Some(to.0)),
            Entry::CellSplit(cell, ..) | Entry::CellsJoined(cell, ..) => (*cell, None),
        };
        std::iter::once(a).chain(b)
    }

    /// Whether a cell is split or joined.
    pub fn changes_cells(&self) -> bool {
        match self {
            Entry::CellSplit(..) | Entry::CellsJoined(..) => true,
            Entry::Removed(..) | Entry::Inserted(_) | Entry::Moved(..) => false,
        }
    }

    /// The faces that the entry changes.
    pub fn faces(&self) -> impl Iterator<Item = FaceRef> + use<> {
        let (a, b) = match self {
            Entry::Removed(id, _) | Entry::Inserted(id) => (Some(*id), None),
            Entry::Moved(from, to) => (Some(*from), Some(*to)),
            Entry::CellSplit(..) | Entry::CellsJoined(..) => (None, None),
        };
        a.into_iter().chain(b)
    }
}

impl Delta {
    pub(super) fn new(mut entries: Vec<Entry>, fallen: u64) -> Delta {
        entries.shrink_to_fit();
        Delta {
            entries,
            fallen,
            is_undo: false,
            mailbox: Mailbox::default(),
        }
    }

    /// The same delta, which releases its planes in this world when it is dropped.
    pub(super) fn with_home(mut self, geometry: &Geometry) -> Delta {
        self.mailbox = geometry.dropped_planes.mailbox();
        self
    }

    /// Whether it does that.
    pub(super) fn has_home(&self) -> bool {
        self.mailbox.is_open()
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Corners of the removed and inserted faces.
    pub(super) fn corners(&self, geometry: &Geometry) -> u64 {
        let count = |face: &Face| face.loops.iter().map(Vec::len).sum::<usize>() as u64;
        let corners = |entry: &Entry| match entry {
            Entry::Removed(_, face) => count(face),
            Entry::Inserted(id) | Entry::Moved(_, id) => geometry.find_face(*id).map_or(0, count),
            Entry::CellSplit(..) | Entry::CellsJoined(..) => 0,
        };
        self.entries.iter().map(corners).sum()
    }

    /// Bytes that the delta holds.
    pub fn bytes(&self) -> usize {
        let face = |f: &Face| {
            f.loops
                .iter()
                .map(|l| 24 + l.capacity() * 48)
                .sum::<usize>()
                + f.triangles.capacity() * 12
        };
        let kept = |entry: &Entry| match entry {
            Entry::Removed(_, f) => face(f),
            Entry::Inserted(_)
            | Entry::Moved(..)
            | Entry::CellSplit(..)
            | Entry::CellsJoined(..) => 0,
        };
        let more: usize = self.entries.iter().map(kept).sum();
        self.entries.capacity() * size_of::<Entry>() + more
    }
}

/// The faces that entries name, ascending; only those of the first `cells` cells.
pub(super) fn changed_faces(entries: &[Entry], cells: usize) -> Vec<FaceRef> {
    let mut changed: Vec<FaceRef> = entries
        .iter()
        .flat_map(Entry::faces)
        .filter(|id| (id.0 as usize) < cells)
        .collect();
    // One u64 compares in one step. Most come in ascending runs, which this stable sort exploits.
    changed.sort_by_key(|&(cell, face)| u64::from(cell) << 32 | u64::from(face));
    changed.dedup();
    changed
}

/// The rooms that entries change, ascending; only the first `count`.
pub(super) fn changed_rooms(entries: &[Entry], count: usize) -> Vec<RoomId> {
    let all: BTreeSet<RoomId> = entries.iter().flat_map(Entry::cells).collect();
    all.into_iter().filter(|&r| (r as usize) < count).collect()
}

/// The planes that removed faces hold, as often as they do.
pub(super) fn held_planes(entries: &[Entry]) -> impl Iterator<Item = PlaneId> + '_ {
    let faces = entries.iter().filter_map(|entry| match entry {
        Entry::Removed(_, face) => Some(face),
        Entry::Inserted(_) | Entry::Moved(..) | Entry::CellSplit(..) | Entry::CellsJoined(..) => {
            None
        }
    });
    faces.flat_map(Face::planes)
}
