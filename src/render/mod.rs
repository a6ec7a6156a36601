//! Drawing a snapshot with wgpu. The renderer gets data from `view` and never sees the simulation.
//!
//! A frame has a depth prepass and a colour pass over one multisampled depth buffer, so each pixel is shaded once. In
//! between the first depth sample of each pixel is copied out, for ambient occlusion and for soft smoke. Lights and soot
//! are culled by room and by screen tile (`influences`). Liquids, smoke, debug lines and the heat map are drawn on top.
//! Materials are baked once on the GPU (`material_layers`). Tone mapping is the end of each shader.
//!
//! Data: `quality`, `formats`, `vertices`, `styles`, `looks`. Resources: `growable_buffer`, `room_meshes`, `ball_mesh`,
//! `hull`, `crumb_forms`, `body_meshes`, `lying`, `bodies`, `projections`, `stress`, `material_layers`, `textures`, `noise`, `targets`. Shadows: `shadow_maps`, `point_shadows`,
//! `sun_shadows`. A frame: `view_axes`, `influences`, `frame_uniforms`, `frame_bindings`, `shaders`, `pipelines`,
//! `fullscreen`, `overlay`, `liquids`. Orchestration: `renderer` (upload), `passes` (drawing), `offscreen`.
mod ball_mesh;
mod bodies;
mod body_meshes;
mod crumb_forms;
mod formats;
mod frame_bindings;
mod frame_uniforms;
mod fullscreen;
pub mod gpu;
mod gpu_timer;
mod growable_buffer;
mod hull;
mod influences;
mod liquids;
mod looks;
mod lying;
mod material_layers;
mod noise;
mod offscreen;
mod overlay;
mod passes;
mod pipelines;
mod point_shadows;
mod projections;
mod quality;
mod renderer;
mod room_meshes;
mod shaders;
mod shadow_maps;
mod stress;
mod styles;
mod sun_shadows;
mod targets;
mod textures;
mod vertices;
mod view_axes;

pub use gpu_timer::PASSES;
pub use offscreen::{OffscreenRenderer, picture, png};
pub use quality::Quality;
pub use renderer::{DrawStats, Renderer};
pub use shaders::{
    bake_source, check as check_shader, picture_source, shader_sources, shadow_source,
};
pub use textures::{OWN_PALETTE, Tally, Textures};
