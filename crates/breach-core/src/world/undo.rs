//! Undo: the faces that a change removed return, those that it inserted are removed.
use super::delta::{Delta, Entry, changed_rooms};
use super::report::CarveReport;
use super::restore::{release, restore};
use super::revision::Revision;
use super::room::RoomId;
use super::world::World;
use super::{census, migration, portals};
use crate::stage::{Marker, Stage};

impl World {
    /// Undoes a change: the last one that is not undone yet, or an undo, which redoes the change. Deltas of a world
    /// must be passed in the reverse order of their making, or ids do not fit. An operation in progress is dropped.
    pub fn revert(&mut self, delta: Delta, marker: &mut dyn Marker) -> CarveReport {
        self.abandon();
        self.geometry.release_dropped();
        let has_home = delta.has_home();
        let (geometry, visible) = (&mut self.geometry, &mut self.visible);
        let before = geometry.air();
        marker.begin(Stage::Clip);
        let (undone, joined) = restore(geometry, visible, delta);
        marker.end(Stage::Clip);
        let after = geometry.air();
        visible.face_hash = geometry.face_hash;
        visible.revision = Revision::next();
        let rooms: Vec<RoomId> = changed_rooms(&undone.entries, geometry.cells.len());
        marker.begin(Stage::Portals);
        // If a cell was split or joined, everything that it shares with others has changed.
        let near = match undone.entries.iter().any(Entry::changes_cells) {
            true => portals::of_rooms(visible, &rooms),
            false => portals::of_walls(geometry, visible, &undone.entries),
        };
        let portals_opened = portals::update(geometry, visible, &near);
        marker.end(Stage::Portals);
        marker.begin(Stage::Bins);
        migration::update(geometry, visible, &undone.entries, joined);
        marker.end(Stage::Bins);
        geometry.planes.remove_unused();
        debug_assert_eq!(census::faults_of(geometry, visible, &rooms), [""; 0]);
        CarveReport {
            rooms,
            volume_m3: super::cell::cubic_metres(after - before),
            faces: undone.entries.len() as u32,
            portals_opened,
            watertight: geometry.edges.unmatched == 0,
            delta: match has_home {
                true => undone.with_home(geometry),
                false => undone,
            },
            ..Default::default()
        }
    }
    /// Makes a change permanent: the faces in its delta are dropped, and with them the planes that nothing else uses.
    /// A delta of [`World::carve`] does the same at the next change when it is dropped; others leak their planes then.
    pub fn forget(&mut self, delta: &Delta) {
        release(&mut self.geometry, delta);
        // The solids of an operation in progress hold no planes.
        if self.pending.is_none() {
            self.geometry.planes.remove_unused();
        }
    }
}
