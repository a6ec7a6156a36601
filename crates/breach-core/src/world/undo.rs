//! Taking a change back: the faces that it took away return, those that it put in go, in reverse order.
//!
//! The order makes every id come out as it was: slabs use the last free place first. A step costs what it changed.
use super::crowd::{Closed, Cut};
use super::edges::FaceRef;
use super::{CarveReport, Revision, RoomId, World, census, commit, crowd, moved, portals, work};
use crate::carve::face::Face;
use crate::stage::{Marker, Stage};
use std::collections::BTreeSet;

/// What a change took away and put in; [`World::revert`] takes it back.
#[derive(Clone, Debug, Default)]
pub struct Delta {
    pub(super) entries: Vec<Entry>,
    /// Pieces that fell with it.
    pub(super) fallen: u64,
    /// It is itself the taking back of a change.
    pub(super) is_undo: bool,
}

/// One thing that happened.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// A face went.
    Took(FaceRef, Face),
    /// A face came.
    Put(FaceRef),
    /// A face went from one cell to another.
    Moved(FaceRef, FaceRef),
    /// A crowded cell was cut.
    Opened(RoomId, Cut),
    /// The cut was taken back.
    Closed(RoomId, Cut),
}

impl Entry {
    /// The cells that it changes.
    fn cells(&self) -> impl Iterator<Item = RoomId> + use<> {
        let (a, b) = match self {
            Entry::Took(id, _) | Entry::Put(id) => (id.0, None),
            Entry::Moved(from, to) => (from.0, Some(to.0)),
            Entry::Opened(cell, ..) | Entry::Closed(cell, ..) => (*cell, None),
        };
        std::iter::once(a).chain(b)
    }

    /// The places of faces that it changes.
    pub fn faces(&self) -> impl Iterator<Item = FaceRef> + use<> {
        let (a, b) = match self {
            Entry::Took(id, _) | Entry::Put(id) => (Some(*id), None),
            Entry::Moved(from, to) => (Some(*from), Some(*to)),
            Entry::Opened(..) | Entry::Closed(..) => (None, None),
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
        }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Corners of the faces that go and come.
    pub(super) fn corners(&self, world: &World) -> u64 {
        let here = |id: &FaceRef| {
            world.cells[id.0 as usize]
                .faces
                .get(id.1 as usize)?
                .as_ref()
        };
        let count = |face: &Face| face.loops.iter().map(Vec::len).sum::<usize>() as u64;
        let corners = |entry: &Entry| match entry {
            Entry::Took(_, face) => count(face),
            Entry::Put(id) | Entry::Moved(_, id) => here(id).map_or(0, count),
            Entry::Opened(..) | Entry::Closed(..) => 0,
        };
        self.entries.iter().map(corners).sum()
    }

    /// Bytes that it keeps.
    pub fn bytes(&self) -> usize {
        let face = |f: &Face| {
            f.loops
                .iter()
                .map(|l| 24 + l.capacity() * 48)
                .sum::<usize>()
                + f.triangles.capacity() * 12
        };
        let more: usize = self
            .entries
            .iter()
            .map(|e| {
                if let Entry::Took(_, f) = e {
                    face(f)
                } else {
                    0
                }
            })
            .sum();
        self.entries.capacity() * size_of::<Entry>() + more
    }
}

/// See [`World::revert`].
pub(super) fn revert(world: &mut World, delta: Delta, marker: &mut dyn Marker) -> CarveReport {
    work::abandon(world);
    let before: i128 = world.cells.iter().map(|cell| cell.air()).sum();
    marker.begin(Stage::Clip);
    let (undone, closed) = restore(world, delta);
    marker.end(Stage::Clip);
    let after: i128 = world.cells.iter().map(|cell| cell.air()).sum();
    world.revision = Revision::next();
    let rooms: Vec<RoomId> = rooms(&undone.entries, world.cells.len());
    marker.begin(Stage::Portals);
    // Where a cell was cut, or made whole again, all that it shares with others is another.
    let is_cut = |e: &Entry| matches!(e, Entry::Opened(..) | Entry::Closed(..));
    let near = match undone.entries.iter().any(is_cut) {
        true => portals::of_rooms(world, &rooms),
        false => portals::of_walls(world, &undone.entries),
    };
    let portals_opened = portals::update(world, &near);
    marker.end(Stage::Portals);
    marker.begin(Stage::Bins);
    moved::update(world, &undone.entries, closed);
    marker.end(Stage::Bins);
    world.planes.settle();
    debug_assert_eq!(census::faults_of(world, &rooms), [""; 0]);
    CarveReport {
        rooms,
        volume_m3: super::cell::cubic_metres(after - before),
        faces: undone.entries.len() as u32,
        portals_opened,
        watertight: world.edges.unmatched == 0,
        delta: undone,
        ..Default::default()
    }
}

/// Puts the faces back; rooms' meshes and portals do not know of it yet. Returns what was done, and the rooms that are no
/// more.
pub(super) fn restore(world: &mut World, delta: Delta) -> (Delta, Vec<Closed>) {
    let mut closed = Vec::new();
    let mut done = Vec::with_capacity(delta.entries.len());
    for entry in delta.entries.into_iter().rev() {
        match entry {
            Entry::Took(id, face) => {
                let now = commit::put(world, id.0, face);
                assert_eq!(now, id, "ids come back in reverse order");
                done.push(Entry::Put(now));
            }
            Entry::Put(id) => {
                let (face, _) = commit::take(world, id, |_| ());
                done.push(Entry::Took(id, face));
            }
            Entry::Moved(from, to) => {
                let now = commit::shift(world, to, from.0);
                assert_eq!(now, from, "ids come back in reverse order");
                done.push(Entry::Moved(to, now));
            }
            Entry::Opened(cell, cut) => {
                closed.push(crowd::close(world, cell, cut));
                done.push(Entry::Closed(cell, cut));
            }
            Entry::Closed(cell, cut) => {
                crowd::open(world, cell, cut);
                done.push(Entry::Opened(cell, cut));
            }
        }
    }
    if delta.is_undo {
        world.fallen += delta.fallen;
    } else {
        world.fallen -= delta.fallen;
    }
    let done = Delta {
        entries: done,
        fallen: delta.fallen,
        is_undo: !delta.is_undo,
    };
    (done, closed)
}

/// What a delta kept is gone for good: its faces hold their planes no longer.
pub(super) fn forget(world: &mut World, delta: &Delta) {
    for entry in &delta.entries {
        if let Entry::Took(_, face) = entry {
            face.planes().for_each(|p| world.planes.release(p));
        }
    }
    // The solids of what is under way hold nothing.
    if world.work.is_none() {
        world.planes.settle();
    }
}

/// Rooms that still are, rising.
pub(super) fn rooms(entries: &[Entry], count: usize) -> Vec<RoomId> {
    let all: BTreeSet<RoomId> = entries.iter().flat_map(Entry::cells).collect();
    all.into_iter().filter(|&r| (r as usize) < count).collect()
}
