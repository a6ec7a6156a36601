//! The data of a picture: camera, rooms, bodies, lights, sprites, lines. Plain data, no GPU.
use super::camera::Camera;
use super::line::Line;
use super::overlays::Overlays;
use super::window::Window;
use crate::bvh::Mesh;
use crate::geom::Aabb;
use crate::level::LiquidKind;
use crate::solid::BlockId;
use crate::world::{FaceView, Material, MaterialId, Revision, RoomId};
use glam::{DMat4, DQuat, DVec3};
use std::sync::Arc;

/// Most lights in a snapshot.
pub const MAX_LIGHTS: usize = 64;
/// Most scorch marks in a snapshot.
pub const MAX_SCORCHES: usize = 128;
/// Most rings on liquids in a snapshot.
pub const MAX_RIPPLES: usize = 16;
/// Duration of a ring on a liquid, seconds.
pub const RIPPLE_SECS: f64 = 2.0;
/// Utilisation of blocks, in the order of the blocks.
pub type Stress = Vec<(BlockId, f32)>;
/// Reach of soot, in radii of its blast.
pub const SOOT_REACH: f64 = 2.1;
/// The shape that a body is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyShape {
    /// A lump of a material: index into [`Snapshot::materials`].
    Crumb(MaterialId),
    /// Its nose points along -Z of the body's rotation.
    Rocket,
    #[allow(missing_docs)]
    Grenade,
    #[allow(missing_docs)]
    IronBall,
    /// A drill's bit; its tip points along -Z.
    DrillBit,
}

/// A body to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyView {
    /// Centre, metres, interpolated between the last two ticks.
    pub position: DVec3,
    /// Orientation.
    pub rotation: DQuat,
    /// Metres.
    pub radius: f64,
    /// Scale of the drawn radius: below 1 while the body shrinks away.
    pub scale: f64,
    /// Shape and material.
    pub shape: BodyShape,
    /// Of a crumb: stays the same while it is there, whatever happens to others. What it looks like follows from it.
    pub seed: u32,
    /// How a crumb lies; `None` in flight.
    pub rest: Option<Rest>,
    /// Sleeps in the solver.
    pub asleep: bool,
}

/// How a crumb lies on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// 1 at rest, less while it still tumbles.
    pub share: f64,
    /// Normal of the ground, unit.
    pub normal: DVec3,
    /// Height of the centre above the ground, metres.
    pub height: f64,
    /// Whether it lies on the level; otherwise on other bodies.
    pub on_level: bool,
}

/// A chunk to draw: a rigid piece of wall.
#[derive(Clone, Debug)]
pub struct ChunkView {
    /// Centre of the bounding sphere, metres.
    pub centre: DVec3,
    /// Radius of the bounding sphere, metres.
    pub radius: f64,
    /// Position of the mesh's `origin` in the world, metres.
    pub position: DVec3,
    /// Rotation from mesh to world.
    pub rotation: DQuat,
    /// A point near the chunk, in mesh coordinates.
    pub origin: DVec3,
    /// Triangles in the coordinates of the wall that it broke off, metres.
    pub mesh: Arc<Mesh>,
    /// Faces, indexed by `mesh.triangles[..].face`.
    pub faces: Arc<Vec<FaceView>>,
    /// Sleeps in the solver.
    pub asleep: bool,
}

/// A room to draw; meshes are shared, not copied.
#[derive(Clone, Debug)]
pub struct RoomView {
    /// Which room.
    pub id: RoomId,
    /// Bounds of the room's cell, metres.
    pub cell: Aabb,
    /// The room is visible through this part of the screen and clipped to it.
    pub window: Window,
    /// Changes with the mesh: an unchanged mesh is not uploaded again.
    pub revision: Revision,
    /// Triangles, metres.
    pub mesh: Arc<Mesh>,
    /// Faces, indexed by `mesh.triangles[..].face`.
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
    /// Where it comes from.
    pub source: LightSource,
}

/// The source of a point light: what it costs and which come first depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::VariantArray)]
pub enum LightSource {
    /// The flash of an explosion.
    Explosion,
    /// The flame of a rocket in flight.
    Rocket,
    /// The player's lamp.
    Lamp,
    /// A light of the level.
    Level,
}

impl LightSource {
    /// Whether it casts shadows.
    pub fn casts_shadows(self) -> bool {
        match self {
            Self::Explosion | Self::Level => true,
            // It moves: its shadow map would be redrawn every frame, for a light that reaches five metres.
            Self::Rocket => false,
            // From the eye its shadows are hidden.
            Self::Lamp => false,
        }
    }
}

/// A directional light. Walls block it; sky faces let it in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SunView {
    /// Unit vector towards the sun.
    pub toward: DVec3,
    /// Linear RGB times strength.
    pub colour: [f32; 3],
}

/// A soft billboard: fire, smoke, dust.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpriteView {
    /// Centre, metres.
    pub position: DVec3,
    /// Metres.
    pub radius: f64,
    /// Linear RGB emitted or scattered, and opacity 0..=1.
    pub colour: [f32; 4],
    /// Emissive part of the colour, 0..=1; the lights light the rest.
    pub glow: f32,
    /// Seed of the noise in the disc.
    pub seed: u32,
}

/// A part of the surface of a liquid: a convex polygon.
#[derive(Clone, Debug, PartialEq)]
pub struct LiquidFaceView {
    /// What lies behind it.
    pub kind: LiquidKind,
    /// Corners, metres, counter-clockwise seen from outside.
    pub outline: Vec<DVec3>,
    /// Unit, out of the liquid.
    pub normal: DVec3,
}

/// A ring that runs outward on a liquid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RippleView {
    /// Where it began, metres.
    pub position: DVec3,
    /// Seconds since it began, below [`RIPPLE_SECS`].
    pub age_secs: f64,
    /// 0..=1.
    pub strength: f64,
}

/// Soot of a blast, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scorch {
    /// Centre of the blast.
    pub position: DVec3,
    /// Radius of the blast; the soot reaches [`SOOT_REACH`] times as far.
    pub radius: f64,
    /// Heat of the crater's edge, 0..=1.
    pub heat: f32,
    /// Opacity, 0..=1: where there are too many, the farthest fade, so that none pops in or out.
    pub strength: f32,
}

/// Tree bins visited by the ray of each coarse pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Columns and rows.
    pub size: [u32; 2],
    /// Bins visited, row by row from the top left.
    pub bins: Vec<u32>,
}

/// The data of a picture.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The viewpoint.
    pub camera: Camera,
    /// Clip from world (depth 0..=1, reversed: near is 1, infinity 0).
    pub clip_from_world: DMat4,
    /// Visible rooms, nearest first.
    pub rooms: Vec<RoomView>,
    /// Hidden rooms that may cast a shadow into the picture.
    pub around: Vec<RoomView>,
    /// Rooms in the level.
    pub rooms_total: usize,
    /// Crumbs and projectiles.
    pub bodies: Vec<BodyView>,
    /// Chunks.
    pub chunks: Vec<ChunkView>,
    /// Lights that reach a visible room, at most [`MAX_LIGHTS`].
    pub lights: Vec<LightView>,
    /// The sun, if the level has one.
    pub sun: Option<SunView>,
    /// Factor before tone mapping: below 1 in bright places, above 1 in the dark. 1 is a well lit room.
    pub exposure: f32,
    /// Fire, smoke and dust, farthest first.
    pub sprites: Vec<SpriteView>,
    /// Surfaces of liquids that may be seen, farthest first.
    pub liquids: Vec<LiquidFaceView>,
    /// The liquid around the eye.
    pub submerged: Option<LiquidKind>,
    /// The newest rings on liquids, newest first, at most [`MAX_RIPPLES`].
    pub ripples: Vec<RippleView>,
    /// Soot of the visible blasts, at most [`MAX_SCORCHES`].
    pub scorches: Vec<Scorch>,
    /// Debug lines and portal outlines.
    pub lines: Vec<Line>,
    /// Lines one pixel wide that fade with distance, for dense drawings.
    pub fine_lines: Vec<Line>,
    /// Materials, indexed by `FaceView::material`; the list only grows.
    pub materials: Arc<Vec<Material>>,
    /// Utilisation by block, where it is known; shown if [`Overlays::stress`] is on.
    pub stress: Arc<Stress>,
    /// The heat map, if [`Overlays::heat`] is on.
    pub heat: Option<HeatMap>,
    /// Switches of the debug drawings.
    pub overlays: Overlays,
    /// Seconds since the start, for flicker, smoke and clouds.
    pub seconds: f64,
}
