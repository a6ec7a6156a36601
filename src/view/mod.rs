//! What is to be drawn, as plain data: visibility, bodies, lines. No GPU.
use crate::bvh::Mesh;
use crate::sim::Sim;
use crate::world::{FaceView, Material, RoomId};
use glam::{DMat4, DQuat, DVec3};
use std::sync::Arc;

/// Where the picture is taken from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Eye, metres.
    pub eye: DVec3,
    /// Radians; see `Command::yaw`.
    pub yaw: f64,
    #[allow(missing_docs)]
    pub pitch: f64,
    /// Vertical opening, radians.
    pub fov_y: f64,
    /// Width / height.
    pub aspect: f64,
}

/// Which debug drawings are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Overlays {
    pub portals: bool,
    pub bins: bool,
    /// Only this level of the tree; None is all.
    pub bins_level: Option<u32>,
    pub rays: bool,
    pub hits: bool,
    pub wire: bool,
    /// Tree heat map: bins visited by each pixel's ray.
    pub heat: bool,
    pub rooms: bool,
    pub leak: bool,
}

/// A coloured line, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    #[allow(missing_docs)]
    pub from: DVec3,
    #[allow(missing_docs)]
    pub to: DVec3,
    /// Linear RGBA.
    pub colour: [f32; 4],
}

/// A body to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct BodyView {
    pub position: DVec3,
    pub rotation: DQuat,
    pub radius: f64,
    pub material: u32,
    pub asleep: bool,
}

/// A room to draw; meshes are shared, not copied.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct RoomView {
    pub id: RoomId,
    pub revision: u64,
    pub mesh: Arc<Mesh>,
    pub faces: Arc<Vec<FaceView>>,
}

/// A point light of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightView {
    /// Metres.
    pub position: DVec3,
    /// Reach, metres.
    pub radius: f64,
    /// Linear RGB times strength.
    pub colour: [f32; 3],
}

/// Everything a picture needs.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Where from.
    pub camera: Camera,
    /// Clip from world (depth 0..=1, reversed: near is 1).
    pub clip_from_world: DMat4,
    /// Visible rooms, nearest first.
    pub rooms: Vec<RoomView>,
    /// Rooms in the level.
    pub rooms_total: usize,
    /// Crumbs and rockets.
    pub bodies: Vec<BodyView>,
    /// The lights that matter here, at most 64.
    pub lights: Vec<LightView>,
    /// Debug lines and portal outlines.
    pub lines: Vec<Line>,
    /// What `RoomView` faces' materials mean; grows only.
    pub materials: Vec<Material>,
    /// Drawing switches.
    pub overlays: Overlays,
    /// Seconds since the start, for flicker and smoke.
    pub seconds: f64,
}

/// Takes the picture's data; `alpha` 0..=1 interpolates between the last two ticks.
pub fn snapshot(_sim: &Sim, camera: Camera, overlays: Overlays, _alpha: f64) -> Snapshot {
    Snapshot {
        camera, clip_from_world: DMat4::IDENTITY, rooms: vec![], rooms_total: 0, bodies: vec![], lights: vec![],
        lines: vec![], materials: vec![], overlays, seconds: 0.0,
    }
}
