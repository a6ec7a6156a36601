//! What is to be drawn, as plain data: visible rooms, bodies, lights, sprites and debug lines. No GPU, no clock.
//!
//! [`snapshot`] reads the simulation once and copies what a picture needs; meshes are shared. It never changes the
//! simulation, and the same simulation and camera give the same snapshot.
mod body_lines;
mod camera;
mod debug_lines;
mod effects;
mod fences;
mod heat;
mod lights;
mod palette;
pub mod pick;
pub mod plan;
mod preview;
pub mod sight;
mod sun;
pub mod visibility;
mod walk;
mod window;

pub use camera::{NEAR_M, clip_from_world};
pub use debug_lines::{depth_colour, room_hue};
pub use effects::kick;
pub use fences::Fences;
pub use heat::heat_map;
pub use palette::{Inks, Palette, with_alpha};
pub use preview::preview_lines;
pub use sun::{SUN_DEPTH_M, SUN_REACH_M};
pub use walk::{Found, RayWalk, WalkStep, walk_ray};

use crate::bvh::Mesh;
use crate::geom::Aabb;
use crate::sim::Sim;
use crate::world::{FaceView, Material, Revision, RoomId};
use glam::{DMat4, DQuat, DVec3};
use std::sync::Arc;
use visibility::{Edges, Sight, Window};

/// At most this many lights in a snapshot.
pub const MAX_LIGHTS: usize = 64;
/// At most this many scorch marks in a snapshot.
pub const MAX_SCORCHES: usize = 128;
/// Soot reaches so many radii of its blast.
pub const SOOT_REACH: f64 = 2.1;
/// [`BodyView::material`] of a rocket (nose along -Z of its rotation): no entry of [`Snapshot::materials`].
pub const ROCKET: u32 = u32::MAX;
/// The same of a grenade.
pub const GRENADE: u32 = u32::MAX - 1;
/// The same of an iron ball.
pub const IRON: u32 = u32::MAX - 2;
/// The same of a drill's bit.
pub const DRILL: u32 = u32::MAX - 3;

/// Where the picture is taken from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Eye, metres.
    pub eye: DVec3,
    /// Radians; see `Command::yaw`.
    pub yaw: f64,
    /// Radians, up is positive.
    pub pitch: f64,
    /// Vertical opening, radians.
    pub fov_y: f64,
    /// Width / height.
    pub aspect: f64,
}

/// Which debug drawings are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays {
    /// Outlines of portals; those that a carve opened stand out.
    pub portals: bool,
    /// Boxes of the tree of the eye's room, a colour for each level.
    pub bins: bool,
    /// Those of the other rooms in sight, too.
    pub bins_of_all: bool,
    /// Which levels of the trees.
    pub bin_levels: BinLevels,
    /// Rays and sweeps of the last two seconds.
    pub rays: bool,
    /// What they hit, with normals.
    pub hits: bool,
    /// Triangle edges.
    pub wire: bool,
    /// Triangle edges and nothing else, so that one sees through walls.
    pub wire_alone: bool,
    /// A colour for each face, over the triangles that it is drawn with.
    pub faces: bool,
    /// A short line out of the middle of each face near the eye.
    pub normals: bool,
    /// The spheres that bodies are made of, in a colour for those awake and one for those asleep.
    pub spheres: bool,
    /// Velocity and spin of each body.
    pub motion: bool,
    /// Contacts of the last tick: place, normal, impulse.
    pub contacts: bool,
    /// Bodies that touch each other, a colour for each heap.
    pub islands: bool,
    /// Tree heat map: bins visited by each pixel's ray.
    pub heat: bool,
    /// A tint for each room.
    pub rooms: bool,
    /// The path from a start to the outside.
    pub leak: bool,
    /// What is drawn stays what is seen from where the eye was, whose view is drawn as frusta.
    pub frozen: bool,
    /// The colours of all these lines.
    pub palette: Palette,
}

/// Which levels of a box tree are drawn; the root is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BinLevels {
    /// The smallest boxes of each branch, and the two deepest levels that do not have the same boxes.
    #[default]
    Deepest,
    /// All at once.
    All,
    /// This one.
    One(u32),
}

/// A coloured line, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Start.
    pub from: DVec3,
    /// End.
    pub to: DVec3,
    /// Linear RGBA.
    pub colour: [f32; 4],
}

/// A body to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyView {
    /// Centre, metres, between the last two ticks.
    pub position: DVec3,
    /// Orientation.
    pub rotation: DQuat,
    /// Metres.
    pub radius: f64,
    /// Drawn so many times as large: less than 1 while it fades away.
    pub scale: f64,
    /// Index into [`Snapshot::materials`], or [`ROCKET`], [`GRENADE`], [`IRON`], [`DRILL`].
    pub material: u32,
    /// Rests.
    pub asleep: bool,
}

/// A chunk to draw: a piece of wall that moves as a whole.
#[derive(Clone, Debug)]
pub struct ChunkView {
    /// The middle of a ball around it, metres.
    pub centre: DVec3,
    /// That ball's radius, metres.
    pub radius: f64,
    /// Where the mesh's `origin` is now, metres.
    pub position: DVec3,
    /// World from mesh.
    pub rotation: DQuat,
    /// A point near it, in the mesh's coordinates.
    pub origin: DVec3,
    /// Triangles where they were when it broke off, metres.
    pub mesh: Arc<Mesh>,
    /// What `mesh.triangles[..].face` counts.
    pub faces: Arc<Vec<FaceView>>,
    /// Rests.
    pub asleep: bool,
}

/// A room to draw; meshes are shared, not copied.
#[derive(Clone, Debug)]
pub struct RoomView {
    /// Which room.
    pub id: RoomId,
    /// All of it lies in here, metres.
    pub cell: Aabb,
    /// The part of the screen that it is seen through; nothing of it is drawn elsewhere.
    pub window: Window,
    /// A mesh is uploaded again only when this differs.
    pub revision: Revision,
    /// Triangles, metres.
    pub mesh: Arc<Mesh>,
    /// What `mesh.triangles[..].face` counts.
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
    /// Walls stand in its way. A lamp at the eye needs no shadows, for the eye sees what it lights.
    pub casts: bool,
}

/// Light from far away, which walls stop and the sky lets through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SunView {
    /// Where it stands, unit.
    pub toward: DVec3,
    /// Linear RGB times strength.
    pub colour: [f32; 3],
}

/// A soft disc that faces the camera: fire, smoke, dust.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpriteView {
    /// Centre, metres.
    pub position: DVec3,
    /// Metres.
    pub radius: f64,
    /// Linear RGB of what it gives off or scatters, and how much it hides, 0..=1.
    pub colour: [f32; 4],
    /// Part of the colour that glows by itself, 0..=1; the rest is lit by the lights.
    pub glow: f32,
    /// Makes each look different.
    pub seed: u32,
}

/// Soot that a blast left, by centre and radius in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scorch {
    /// Centre of the blast.
    pub position: DVec3,
    /// Its radius; the soot reaches somewhat farther.
    pub radius: f64,
    /// How hot the edge still is, 0..=1.
    pub heat: f32,
    /// How clearly it is seen, 0..=1: the farthest fade where there are too many, so that none comes or goes at once.
    pub strength: f32,
}

/// Bins that the ray of each coarse pixel visited.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Columns and rows.
    pub size: [u32; 2],
    /// Bins visited, row by row from the top left.
    pub bins: Vec<u32>,
}

/// Everything a picture needs.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Where from.
    pub camera: Camera,
    /// Clip from world (depth 0..=1, reversed: near is 1, infinity 0).
    pub clip_from_world: DMat4,
    /// Visible rooms, nearest first.
    pub rooms: Vec<RoomView>,
    /// Rooms out of sight that may stand in the way of a light in sight, or of the sun.
    pub around: Vec<RoomView>,
    /// Rooms in the level.
    pub rooms_total: usize,
    /// Crumbs and what was shot.
    pub bodies: Vec<BodyView>,
    /// Chunks.
    pub chunks: Vec<ChunkView>,
    /// The lights that matter here, at most [`MAX_LIGHTS`].
    pub lights: Vec<LightView>,
    /// The sun, where the level has one.
    pub sun: Option<SunView>,
    /// How much of the light the eye takes: less in bright places, more in the dark. 1 is a well lit room.
    pub exposure: f32,
    /// Fire, smoke and dust, farthest first.
    pub sprites: Vec<SpriteView>,
    /// Soot of the blasts in sight, at most [`MAX_SCORCHES`].
    pub scorches: Vec<Scorch>,
    /// Debug lines and portal outlines.
    pub lines: Vec<Line>,
    /// Lines of one pixel, the fainter the farther away: many of them can still be told apart.
    pub fine_lines: Vec<Line>,
    /// What `RoomView` faces' materials mean; grows only.
    pub materials: Arc<Vec<Material>>,
    /// The heat map, when [`Overlays::heat`] is on.
    pub heat: Option<HeatMap>,
    /// Drawing switches.
    pub overlays: Overlays,
    /// Seconds since the start, for flicker and smoke.
    pub seconds: f64,
}

/// Takes the picture's data; `alpha` 0..=1 interpolates between the last two ticks.
pub fn snapshot(sim: &Sim, camera: Camera, overlays: Overlays, alpha: f64) -> Snapshot {
    snapshot_seen_from(sim, camera, camera, overlays, alpha, &mut Edges::default())
}

/// [`snapshot`] with the rooms that another camera sees: how the portals decide what is drawn, looked at from outside.
/// `edges` come from the picture before, if there was one.
pub fn snapshot_seen_from(
    sim: &Sim,
    camera: Camera,
    seer: Camera,
    overlays: Overlays,
    alpha: f64,
    edges: &mut Edges,
) -> Snapshot {
    let alpha = if alpha.is_finite() {
        alpha.clamp(0.0, 1.0)
    } else {
        1.0
    };
    let clip_from_world = clip_from_world(&camera);
    let seen = visibility::visible_windows(&sim.world, &seer, edges);
    let visible: Vec<RoomId> = seen.iter().map(|&(id, _)| id).collect();
    let seconds = (sim.tick as f64 + alpha) * crate::sim::TICK_SECS;
    let rooms = seen.into_iter().map(|(id, window)| match seer == camera {
        true => room_view(sim, id, window),
        false => room_view(sim, id, Window::ALL),
    });
    let rooms = rooms.collect();
    let sight = Sight::new(&sim.world, clip_from_world, &visible);
    let lights = lights::lights(sim, &camera, &sight, alpha);
    let mut around = lights::rooms_around(&sim.world, &lights, &sight);
    let sun = sim.level.sun.as_ref().map(sun::sun);
    if let Some(sun) = &sun {
        around.extend(sun::rooms_before(
            &sim.world, sun, &camera, &visible, &sight,
        ));
        around.sort_unstable();
        around.dedup();
    }
    let around = around.into_iter().map(|id| room_view(sim, id, Window::ALL));
    let around = around.collect();
    let bodies = effects::bodies(sim, alpha, &sight, edges);
    Snapshot {
        rooms,
        around,
        rooms_total: sim.world.room_count(),
        bodies,
        chunks: effects::chunks(sim, alpha),
        exposure: lights::exposure(
            &sim.level.lights,
            &camera,
            sun.map_or(0.0, |sun| sun::seen(&sim.world, &sun, &camera)),
        ),
        lights,
        sun,
        sprites: effects::sprites(sim, &camera, &sight, alpha),
        scorches: effects::scorches(sim, &camera, &sight, alpha),
        lines: debug_lines::lines(sim, &camera, &seer, overlays, &visible, alpha),
        fine_lines: debug_lines::bins(&sim.world, &seer, overlays, &visible),
        materials: sim.world.materials.clone(),
        heat: overlays
            .heat
            .then(|| heat_map(&sim.world, &camera, heat::HEAT_ROWS)),
        clip_from_world,
        camera,
        overlays,
        seconds,
    }
}

/// Every room, whether it is seen or not: what pictures without culling are drawn from.
pub fn all_rooms(sim: &Sim) -> Vec<RoomView> {
    let ids = 0..sim.world.room_count() as RoomId;
    ids.map(|id| room_view(sim, id, Window::ALL)).collect()
}

fn room_view(sim: &Sim, id: RoomId, window: Window) -> RoomView {
    let room = sim.world.room(id);
    RoomView {
        id,
        window,
        cell: room.cell,
        revision: room.revision,
        mesh: room.mesh.clone(),
        faces: room.faces.clone(),
    }
}
