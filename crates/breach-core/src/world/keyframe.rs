//! Keyframes without faces and rooms, to be filled from a later state of the same run with the deltas between the two,
//! which the history keeps anyway. A keyframe costs no faces; going back costs the changes in between.
use super::delta::{Delta, changed_rooms};
use super::restore::{release, restore};
use super::revision::Revision;
use super::world::World;
use super::{mesh, portals};
use crate::stage::{Marker, Stage};

impl World {
    /// A copy of the small data only; it answers no queries until it is filled. The operation in progress is left out.
    pub fn hollow(&self) -> World {
        World {
            materials: self.materials.clone(),
            sealed: self.sealed,
            slits: Vec::new(),
            leak: Vec::new(),
            budget_bytes: self.budget_bytes,
            geometry: self.committed().hollow(),
            visible: self.visible.hollow(),
            pending: None,
        }
    }

    /// Whether it is such a keyframe.
    pub fn is_hollow(&self) -> bool {
        self.geometry.cells.is_empty()
    }

    /// Fills a hollow world. `later` is a later state of the same run, and `changes` are the deltas back from it, the
    /// last change first. False if the result is not the state of this keyframe, which then stays hollow.
    pub fn fill(
        &mut self,
        mut later: World,
        changes: impl Iterator<Item = Delta>,
        marker: &mut dyn Marker,
    ) -> bool {
        later.abandon();
        let (geometry, visible) = (&mut later.geometry, &mut later.visible);
        marker.begin(Stage::Clip);
        let mut entries = Vec::new();
        for change in changes {
            let (mut never, _) = restore(geometry, visible, change);
            release(geometry, &never);
            geometry.planes.remove_unused();
            entries.extend(std::mem::take(&mut never.entries));
        }
        marker.end(Stage::Clip);
        if (geometry.face_hash, geometry.fallen) != (self.geometry.face_hash, self.geometry.fallen)
        {
            return false;
        }
        visible.face_hash = geometry.face_hash;
        visible.revision = Revision::next();
        let rooms = changed_rooms(&entries, geometry.cells.len());
        marker.begin(Stage::Portals);
        let near = portals::of_rooms(visible, &rooms);
        portals::update(geometry, visible, &near);
        marker.end(Stage::Portals);
        marker.begin(Stage::Bins);
        mesh::update(geometry, visible, &entries);
        marker.end(Stage::Bins);
        geometry.material_hashes = std::mem::take(&mut self.geometry.material_hashes);
        geometry.edge_contacts = std::mem::take(&mut self.geometry.edge_contacts);
        geometry.pieces = self.geometry.pieces;
        let params = self.visible.params;
        later.materials = self.materials.clone();
        later.budget_bytes = self.budget_bytes;
        *self = later;
        if self.visible.params != params {
            self.rebuild_trees(&params, marker);
        }
        true
    }
}
