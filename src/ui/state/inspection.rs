//! What the panels Inspect, Map and Trees show.
use crate::bvh::BuildParams;
use crate::bvh::quality::TreeQuality;
use crate::view::floor_plan::Plan;
use crate::view::room_graph::RoomGraph;
use crate::world::RoomId;
use glam::{DVec2, DVec3};

/// The object under the pointer, as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inspected {
    /// Its title.
    pub title: String,
    /// Name and value.
    pub rows: Vec<(&'static str, String)>,
    /// What the structure there carries, in a sentence; empty without one.
    pub structure: String,
    /// Whether the marked point is in sight, and the explanation.
    pub sight: Option<(bool, String)>,
}

/// The map of this frame.
#[derive(Clone, Copy, Debug)]
pub struct MapState<'a> {
    /// The level cut at a height.
    pub plan: &'a Plan,
    /// The rooms as a graph.
    pub graph: &'a RoomGraph,
    /// Heights of the floors, metres, from below.
    pub storeys: &'a [f64],
    /// Position of the eye, metres.
    pub eye: DVec3,
    /// Direction of view; see [`crate::sim::Command::yaw`].
    pub yaw: f64,
    /// Rooms that are drawn.
    pub visible: &'a [RoomId],
    /// Crumbs and pieces near the cut: x and z, metres.
    pub bodies: &'a [DVec2],
}

/// The measurements of one setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeColumn {
    /// The setting.
    pub params: BuildParams,
    /// Build time, milliseconds.
    pub build_ms: f64,
    /// Time of a query, microseconds.
    pub query_us: f64,
    /// Its counts.
    pub worth: TreeQuality,
}

/// The eye's room, measured under two settings.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeTable {
    /// The room.
    pub room: RoomId,
    /// Number of queries, the same for both settings.
    pub queries: usize,
    /// The current setting and the other one.
    pub columns: [TreeColumn; 2],
    /// For each of [`crate::bvh::culling::Culling::ALL`]: faces left for a sweep, and microseconds a sweep.
    pub culling: [(f64, f64); 3],
}
