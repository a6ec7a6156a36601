//! Is anything in sight that one sees through, though it is solid? Then portals do not say what can be seen: a fence may
//! fill an opening, and what is behind it lies in no room that the flood finds.
use super::visibility::Window;
use crate::world::{Revision, RoomId, World};
use std::sync::Arc;

/// Materials with holes in their pictures, and which rooms are known to show some.
#[derive(Clone, Debug, Default)]
pub struct Fences {
    /// By material; those that are missing have none.
    clear: Arc<Vec<bool>>,
    /// Of each room that was asked, in which state.
    known: Vec<Option<(Revision, bool)>>,
}

impl Fences {
    /// One sees through these materials from now on.
    pub fn see_through(&mut self, clear: &Arc<Vec<bool>>) {
        if !Arc::ptr_eq(&self.clear, clear) {
            self.clear = clear.clone();
            self.known.clear();
        }
    }

    /// Whether any of these rooms shows a fence. Where no material is one that costs nothing; a room is looked through
    /// once in each of its states.
    pub(super) fn are_in(&mut self, world: &World, rooms: &[(RoomId, Window)]) -> bool {
        if !self.clear.contains(&true) {
            return false;
        }
        self.known.resize(world.room_count(), None);
        rooms.iter().any(|&(id, _)| {
            let room = world.room(id);
            match self.known[id as usize] {
                Some((revision, shows)) if revision == room.revision => shows,
                _ => {
                    let is_clear = |material: u32| self.clear.get(material as usize) == Some(&true);
                    let shows = room.faces.iter().any(|face| is_clear(face.material));
                    self.known[id as usize] = Some((room.revision, shows));
                    shows
                }
            }
        })
    }
}
