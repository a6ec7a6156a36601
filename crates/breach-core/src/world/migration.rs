//! A cell was cut, or made whole again: what is drawn of the faces that went over to another goes along.
use super::delta::Entry;
use super::edges::FaceRef;
use super::geometry::Geometry;
use super::mesh::{self, Moved};
use super::room::{FaceView, Room, RoomId};
use super::slots::{Handed, Slots};
use super::subdivision::Closed;
use super::visible::Visible;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// [`mesh::update`], with rooms that have been closed since they were drawn.
pub(super) fn update(
    geometry: &mut Geometry,
    visible: &mut Visible,
    entries: &[Entry],
    mut closed: Vec<Closed>,
) {
    let mut moved = Moved::default();
    let plain = plain_moves(entries);
    for run in plain.chunk_by(|a, b| (a.0.0, a.1.0) == (b.0.0, b.1.0)) {
        let (here, there) = (run[0].0.0, run[0].1.0);
        let mut faces = run.iter().map(|(from, to)| (from.1, to.1)).collect();
        let Some(handed) = hand_over(geometry, visible, &mut closed, (here, there), &mut faces)
        else {
            continue;
        };
        let ends = faces.iter().flat_map(|f| [(here, f.0), (there, f.1)]);
        moved.faces.extend(ends);
        moved.slots.entry(here).or_default().extend(handed.gone);
        moved.slots.entry(there).or_default().extend(handed.come);
        visible.changes.note(visible.revision, &handed.bounds);
    }
    mesh::update_rest(geometry, visible, entries, &moved);
}

/// Faces that nothing else happened to, each with where it was and where it is.
fn plain_moves(entries: &[Entry]) -> Vec<(FaceRef, FaceRef)> {
    let moves = || {
        entries.iter().filter_map(|entry| match entry {
            Entry::Moved(from, to) => Some((*from, *to)),
            _ => None,
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

/// None where there is no such room. The list is left with what was handed over.
fn hand_over(
    geometry: &Geometry,
    visible: &mut Visible,
    closed: &mut [Closed],
    (here, there): (RoomId, RoomId),
    faces: &mut Vec<(u32, u32)>,
) -> Option<Handed> {
    let (i, k) = (here as usize, there as usize);
    let corners = geometry.cells.get(k)?.corners;
    if let Some(from) = closed.iter_mut().find(|from| from.id == here) {
        let (room, slots) = (visible.rooms.get_mut(k)?, visible.slots.get_mut(k)?);
        return Some(give(
            (&mut from.room, &mut from.slots),
            (room, slots),
            faces,
            corners,
        ));
    }
    let [old, new] = visible.rooms.get_disjoint_mut([i, k]).ok()?;
    let [slots, slots_there] = visible.slots.get_disjoint_mut([i, k]).ok()?;
    Some(give((old, slots), (new, slots_there), faces, corners))
}

fn give(
    (old, slots): (&mut Room, &mut Slots),
    (new, slots_there): (&mut Room, &mut Slots),
    faces: &mut Vec<(u32, u32)>,
    corners: usize,
) -> Handed {
    let (from, to) = (Arc::make_mut(&mut old.mesh), Arc::make_mut(&mut new.mesh));
    let handed = slots.hand_over(from, (slots_there, to), faces, corners);
    let (from, to) = (Arc::make_mut(&mut old.faces), Arc::make_mut(&mut new.faces));
    for &(here, id) in faces.iter() {
        if to.len() <= id as usize {
            to.resize(id as usize + 1, FaceView::DEAD);
        }
        to[id as usize] = std::mem::replace(&mut from[here as usize], FaceView::DEAD);
    }
    old.face_count -= faces.len() as u32;
    new.face_count += faces.len() as u32;
    handed
}
