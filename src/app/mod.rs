//! The window: events, ticks, panels, drawing.
//!
//! `program::App` owns everything that lives as long as the window does: the open level (`play::Play`, with the
//! simulation), the clock, latched input, panels, and the GPU. Panels and keys push [`crate::ui::UiCommand`]s;
//! `program/commands.rs` turns them into the next tick's [`crate::sim::Command`] or into files. Nothing here changes
//! the world but [`crate::sim::Sim::step`].
mod background;
pub(crate) mod bench;
mod check_log;
mod clear_colour;
mod clipper;
mod clock;
mod comparer;
mod confirmation;
mod crosshair_preview;
mod desktop;
mod dynamic_resolution;
mod fault;
mod flight;
mod folders;
#[cfg(feature = "gamepad")]
mod gamepad;
mod gpu;
mod held_tool;
pub mod input;
mod inspector;
pub mod keys;
mod level_textures;
mod level_version;
mod level_watch;
mod load_progress;
mod loader;
mod map_builder;
pub mod pad;
mod panel_cache;
mod pending_reload;
mod play;
mod presenter;
mod program;
mod recording;
mod redraw;
mod room_counts;
mod settings_file;
mod shader_watch;
mod shell;
mod sound_output;
mod sound_pace;
mod sound_queue;
mod speaker;
mod staged_scene;
#[cfg(test)]
mod tests;
mod thumbnails;
mod timeline_marks;
mod timings;
mod tree_benchmark;
mod wake;

pub use program::Ending;
pub(crate) use program::{run, run_bench};
