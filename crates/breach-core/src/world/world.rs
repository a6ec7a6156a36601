//! The world: an exact half that operations change, a visible half that queries read, and the operation between them.
use super::description::{GRID, Material};
use super::geometry::Geometry;
use super::pending_operation::PendingOperation;
use super::revision::Revision;
use super::room::{Portal, Room, RoomId};
use super::visible::Visible;
use crate::geom::Aabb;
use glam::DVec3;
use std::sync::Arc;

/// Bytes that a level may take, by [`World::bytes`]: 8 GiB, some 11 million corners of faces.
pub const BUDGET_BYTES: usize = 8 << 30;
/// The level.
#[derive(Clone, Debug)]
pub struct World {
    /// The table that [`super::MaterialId`] indexes; may grow. Shared with those who look, as a picture is taken every frame.
    pub materials: Arc<Vec<Material>>,
    /// True, false, or None without a player start.
    pub sealed: Option<bool>,
    /// A way from a player start through the hole to the bounds, when it leaks: points in the air, metres. Nothing but solids
    /// that came after the walls that seal (a func_wall, say) stands in a leg.
    pub leak: Vec<DVec3>,
    /// Where slits between the level's solids were closed, since it leaked through them: their middles, metres.
    pub slits: Vec<DVec3>,
    /// A change that would need more bytes is refused; [`BUDGET_BYTES`] until somebody sets another.
    pub budget_bytes: usize,
    pub(super) geometry: Geometry,
    pub(super) visible: Visible,
    /// The operation that has begun and is not done.
    pub(super) pending: Option<Box<PendingOperation>>,
}

impl World {
    /// Number of rooms; ids run from 0.
    pub fn room_count(&self) -> usize {
        self.visible.rooms.len()
    }
    /// One room.
    pub fn room(&self, id: RoomId) -> &Room {
        &self.visible.rooms[id as usize]
    }
    /// All portals; closed ones have no loops.
    pub fn portals(&self) -> &[Portal] {
        &self.visible.portals
    }
    /// Bounds, metres.
    pub fn bounds(&self) -> Aabb {
        self.visible.bounds
    }
    /// Another one after each change.
    pub fn revision(&self) -> Revision {
        self.visible.revision
    }
    /// Planes that faces, deltas and cells lie on, for reports.
    pub fn plane_count(&self) -> usize {
        self.geometry.planes.len()
    }
    /// An edge that misses its opposite, metres: where to look when a change left the surface open. None in a sound level.
    pub fn open_edge(&self) -> Option<DVec3> {
        let edges = self.geometry.edges.open_edges(&self.geometry.cells);
        edges.first().map(|(a, b, _)| (*a + *b) / (2.0 * GRID))
    }
    /// Bytes of this level that another does not share with it, from the corners of the cells that differ.
    pub fn bytes_beside(&self, other: &World) -> usize {
        self.geometry.bytes_beside(&other.geometry)
    }
    /// Bytes that the level takes, from the corners of its faces: [`World::budget_bytes`] bounds them.
    pub fn bytes(&self) -> usize {
        self.geometry.bytes()
    }
}
