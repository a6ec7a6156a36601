//! Fences: solid faces whose texture has holes. One sees through a fence that fills an opening, but no portal is left
//! there, so portal traversal would miss the rooms behind it.
use super::window::Window;
use crate::world::{FaceView, Revision, RoomId, World};
use std::sync::Arc;

/// Materials with holes in their textures, and the rooms with such faces.
#[derive(Clone, Debug, Default)]
pub struct Fences {
    /// By material; missing ones have no holes.
    clear: Arc<Vec<bool>>,
    /// By room: the revision that was searched, and whether it has a fence.
    known: Vec<Option<(Revision, bool)>>,
}

impl Fences {
    /// Sets the materials with holes.
    pub fn set_materials(&mut self, clear: &Arc<Vec<bool>>) {
        if !Arc::ptr_eq(&self.clear, clear) {
            self.clear = clear.clone();
            self.known.clear();
        }
    }

    /// Whether one sees through any of these faces.
    pub(super) fn any_of(&self, faces: &[FaceView]) -> bool {
        let is_clear = |face: &FaceView| self.clear.get(face.material as usize) == Some(&true);
        self.clear.contains(&true) && faces.iter().any(is_clear)
    }

    /// Whether any of these rooms has a fence. Free where no material has holes; otherwise the faces of a room are searched
    /// once per revision.
    pub(super) fn any_in(&mut self, world: &World, rooms: &[(RoomId, Window)]) -> bool {
        if !self.clear.contains(&true) {
            return false;
        }
        self.known.resize(world.room_count(), None);
        rooms.iter().any(|&(id, _)| {
            let room = world.room(id);
            match self.known[id as usize] {
                Some((revision, has_fence)) if revision == room.revision => has_fence,
                _ => {
                    let is_clear = |material: u32| self.clear.get(material as usize) == Some(&true);
                    let has_fence = room.faces.iter().any(|face| is_clear(face.material));
                    self.known[id as usize] = Some((room.revision, has_fence));
                    has_fence
                }
            }
        })
    }
}
