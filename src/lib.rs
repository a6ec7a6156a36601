//! Breach: a desktop sandbox whose levels can be destroyed.
//!
//! The rest is ARCHITECTURE.md: structure, invariants, reasons.
#![doc = include_str!("../ARCHITECTURE.md")]

pub use breach_core::{
    bvh, carve, collide, debris, exact, geom, solid, strength, structure, world,
};

pub mod builtin;
pub mod cli;
pub mod clip;
pub mod compare;
pub mod files;
pub mod journal;
pub mod level;
pub mod scenes;
pub mod sim;
pub mod sound;
pub mod sound_folder;
pub mod timing;
pub mod view;

#[cfg(feature = "app")]
pub mod app;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "app")]
pub mod ui;
#[cfg(feature = "video")]
pub mod video;

/// Compares pictures in the tests of panels, window and renderer.
#[cfg(all(test, feature = "app"))]
#[allow(dead_code, reason = "other tests ask for the rest")]
#[path = "../tests/comparer/mod.rs"]
mod comparer;
