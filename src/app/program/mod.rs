//! The program: its state ([`App`]), and its handling of events, commands, ticks and frames.
mod app;
mod bench;
mod clips;
mod commands;
mod comparing;
mod confirmation;
mod events;
mod flight;
mod frame;
mod guard;
mod levels;
mod pad;
mod recording;
mod redraw;
mod reload;
mod run;
mod scene;
mod sound;
mod textures;
mod timings;
mod tools;
mod window;

pub(in crate::app) use app::App;
pub(crate) use bench::run_bench;
pub use run::Ending;
pub(crate) use run::run;
