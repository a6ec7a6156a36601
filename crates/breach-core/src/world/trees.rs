//! The rooms' box trees as edits wear them: one whose cost has grown by a quarter is built anew beside the old one, a
//! slice a tick, and swapped in when it is ready. Slices are counted in work, not in time, and answers do not depend on
//! the tree; so nothing but speed tells that it happened.
use super::slots::Slots;
use super::{Room, RoomId, World};
use crate::bvh::{BuildParams, Rebuild};
use std::sync::Arc;

/// Puts a room on the list if its tree is worn.
pub(super) fn inspect(worn: &mut Vec<RoomId>, id: RoomId, room: &Room) {
    if room.tree.needs_rebuild() && !worn.contains(&id) {
        worn.push(id);
    }
}

/// Goes on with the first worn tree, and with the next, until so much work is done.
pub(super) fn mend(world: &mut World, mut work: u64) {
    while work > 0
        && let Some(&id) = world.worn.first()
    {
        let (room, slots) = (
            world.rooms.get_mut(id as usize),
            world.slots.get_mut(id as usize),
        );
        let is_done = match (room, slots) {
            (Some(room), Some(slots)) => mend_room(room, slots, &world.params, &mut work),
            // The room is gone again.
            _ => true,
        };
        if is_done {
            world.worn.remove(0);
        }
    }
}

/// Whether the room's tree is as good as new.
fn mend_room(room: &mut Room, slots: &mut Slots, params: &BuildParams, work: &mut u64) -> bool {
    let mut growing = match slots.growing.take() {
        Some(growing) => growing,
        None if room.tree.needs_rebuild() => Box::new(Rebuild::begin(&room.tree, params)),
        None => return true,
    };
    let is_ready = growing.advance(&room.tree, work);
    if is_ready {
        growing.replace(Arc::make_mut(&mut room.tree));
    } else {
        slots.growing = Some(growing);
    }
    is_ready
}
