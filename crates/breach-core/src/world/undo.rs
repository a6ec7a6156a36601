//! Taking a change back: the faces that it took away return, those that it put in go.
use super::delta::{Delta, Entry, changed_rooms};
use super::report::CarveReport;
use super::restore::{release, restore};
use super::revision::Revision;
use super::room::RoomId;
use super::world::World;
use super::{census, migration, portals};
use crate::stage::{Marker, Stage};

impl World {
    /// Takes a change back: the last one that has not been taken back, or a taking back (which is: does it again).
    /// Deltas of one world are handed in in the reverse order of their making, or ids do not fit. An operation that has
    /// begun is dropped.
    pub fn revert(&mut self, delta: Delta, marker: &mut dyn Marker) -> CarveReport {
        self.abandon();
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
        // Where a cell was cut, or made whole again, all that it shares with others is another.
        let is_cut = |e: &Entry| matches!(e, Entry::CellSplit(..) | Entry::CellsJoined(..));
        let near = match undone.entries.iter().any(is_cut) {
            true => portals::of_rooms(visible, &rooms),
            false => portals::of_walls(geometry, visible, &undone.entries),
        };
        let portals_opened = portals::update(geometry, visible, &near);
        marker.end(Stage::Portals);
        marker.begin(Stage::Bins);
        migration::update(geometry, visible, &undone.entries, joined);
        marker.end(Stage::Bins);
        geometry.planes.settle();
        debug_assert_eq!(census::faults_of(geometry, visible, &rooms), [""; 0]);
        CarveReport {
            rooms,
            volume_m3: super::cell::cubic_metres(after - before),
            faces: undone.entries.len() as u32,
            portals_opened,
            watertight: geometry.edges.unmatched == 0,
            delta: undone,
            ..Default::default()
        }
    }
    /// A change is for good: the faces that its delta kept go, and with them the planes that nothing else lies on. A delta
    /// that is dropped instead leaves its planes behind.
    pub fn forget(&mut self, delta: &Delta) {
        release(&mut self.geometry, delta);
        // The solids of an operation under way hold nothing.
        if self.pending.is_none() {
            self.geometry.planes.settle();
        }
    }
}
