//! Breach: a desktop sandbox whose levels can be destroyed.
//!
//! What follows is ARCHITECTURE.md: where things are, what always holds, and why.
#![doc = include_str!("../ARCHITECTURE.md")]

pub use breach_core::{bvh, carve, collide, debris, exact, geom, world};

pub mod builtin;
pub mod cli;
pub mod compare;
pub mod files;
pub mod journal;
pub mod level;
pub mod scenes;
pub mod sim;
pub mod timing;
pub mod view;

#[cfg(feature = "app")]
pub mod app;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "app")]
pub mod ui;

/// What compares pictures in the tests of the panels and of the window, as in those of the renderer.
#[cfg(all(test, feature = "app"))]
#[allow(dead_code, reason = "other tests ask for the rest")]
#[path = "../tests/comparer/mod.rs"]
mod comparer;
