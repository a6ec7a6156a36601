//! The world: an exact half that operations change, a visible half that queries read, and the operation in progress.
use super::description::{GRID, Material};
use super::geometry::Geometry;
use super::pending_operation::PendingOperation;
use super::revision::Revision;
use super::room::{Portal, Room, RoomId};
use super::visible::Visible;
use crate::geom::Aabb;
use crate::geom::shared_vec::SharedVec;
use glam::DVec3;
use std::sync::Arc;

/// Default of [`World::budget_bytes`]: 8 GiB, some 11 million corners of faces.
pub const BUDGET_BYTES: usize = 8 << 30;
/// The level.
#[derive(Clone, Debug)]
pub struct World {
    /// The materials, indexed by [`super::MaterialId`]; the table may grow. Shared with readers, since a snapshot is
    /// taken every frame.
    pub materials: Arc<Vec<Material>>,
    /// Whether the level is sealed; None without a player start.
    pub sealed: Option<bool>,
    /// If the level leaks, a path from a player start through the hole to the bounds: points in the air, metres. Only
    /// solids added after the sealing walls, such as a func_wall, may block a leg.
    pub leak: Vec<DVec3>,
    /// Middles of the slits between solids that were closed because the level leaked through them, metres.
    pub slits: Vec<DVec3>,
    /// A change that would need more bytes is refused; [`BUDGET_BYTES`] by default.
    pub budget_bytes: usize,
    pub(super) geometry: Geometry,
    pub(super) visible: Visible,
    /// The operation in progress.
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
    pub fn portals(&self) -> &SharedVec<Portal> {
        &self.visible.portals
    }
    /// Bounds, metres.
    pub fn bounds(&self) -> Aabb {
        self.visible.bounds
    }
    /// Changes with the world.
    pub fn revision(&self) -> Revision {
        self.visible.revision
    }
    /// Number of planes that faces, deltas and cells use, for reports.
    pub fn plane_count(&self) -> usize {
        self.geometry.planes.len()
    }
    /// Middle of an edge without an opposite, metres: where to look when a change left the surface open. None in a
    /// sound level.
    pub fn open_edge(&self) -> Option<DVec3> {
        let edges = self.geometry.edges.open_edges(&self.geometry.cells);
        edges.first().map(|(a, b, _)| (*a + *b) / (2.0 * GRID))
    }
    /// Bytes of this level that it does not share with another, estimated from the corners of the cells that differ.
    pub fn bytes_beside(&self, other: &World) -> usize {
        self.geometry.bytes_beside(&other.geometry)
    }
    /// Bytes of the level, estimated from the corners of its faces; limited by [`World::budget_bytes`].
    pub fn bytes(&self) -> usize {
        self.geometry.bytes()
    }
}
