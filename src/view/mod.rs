//! The picture as plain data: visible rooms, bodies, lights, sprites and debug lines. No GPU, no clock.
//!
//! [`snapshot`] reads the simulation once and copies what a picture needs; meshes are shared. It never changes the
//! simulation, and the same simulation and camera give the same snapshot.
//!
//! Data: `camera`, `overlays`, `line`, `palette`, `window`, `snapshot`. Visibility: `visibility` (portal traversal),
//! `frustum`, `fences`, `visibility_cache`, `visible_set`. Content of a picture: `bodies`, `resting`, `lights`, `sun`,
//! `exposure`, `sprites`, `liquids`, `scorches`, `debug_lines`, `body_lines`, `heat_map`; `capture` puts it together. Tools: `pick`,
//! `line_of_sight`, `ray_walk`, `sound_lines`, `preview`, `stress`, `floor_plan`, `room_graph`, `camera_shake`.
mod bodies;
mod body_lines;
mod camera;
mod camera_shake;
mod capture;
mod colours;
mod cracks;
mod debug_lines;
mod exposure;
mod fences;
pub mod floor_plan;
mod frustum;
mod heat_map;
mod lights;
mod line;
pub mod line_of_sight;
mod liquids;
mod overlays;
mod palette;
pub mod pick;
mod player_camera;
mod preview;
mod ray_walk;
mod resting;
pub mod room_graph;
mod scatter;
mod scorches;
mod snapshot;
mod sound_lines;
mod sprites;
mod stress;
mod sun;
mod visibility;
mod visibility_cache;
mod visible_set;
mod window;

pub use camera::{Camera, NEAR_M, clip_from_world};
pub use camera_shake::camera_shake;
pub use capture::{all_rooms, snapshot, snapshot_seen_from};
pub use colours::{depth_colour, heat_colour, room_hue};
pub use fences::Fences;
pub use heat_map::heat_map;
pub use line::Line;
pub use overlays::{BinLevels, Overlays};
pub use palette::{Inks, Palette, with_alpha};
pub use player_camera::player_camera;
pub use preview::{foreseen_lines, preview_lines};
pub use ray_walk::{BinResult, RayWalk, WalkStep, walk_ray};
pub use snapshot::{
    BodyShape, BodyView, ChunkView, HeatMap, LightSource, LightView, LiquidFaceView, MAX_LIGHTS,
    MAX_RIPPLES, MAX_SCORCHES, RIPPLE_SECS, Rest, RippleView, RoomView, SOOT_REACH, Scorch,
    Snapshot, SpriteView, Stress, SunView,
};
pub use sound_lines::sound_lines;
pub use stress::{
    FacePoint, LOOK_UNITS, StructureLook, load_words, mode_name, path_lines, path_words,
    percent_words, stress_colour,
};
pub use sun::{SUN_DEPTH_M, SUN_REACH_M};
pub use visibility::{seen_windows, visible_rooms, visible_windows};
pub use visibility_cache::VisibilityCache;
pub use window::Window;
