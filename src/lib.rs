//! Breach: a desktop sandbox whose levels can be destroyed.
//!
//! Modules import only downwards: `geom <- exact <- carve`, `geom <- collide <- bvh`,
//! `{carve, bvh} <- world <- {level, debris} <- sim <- view <- {render, ui} <- app`; `timing` is a leaf.
pub mod bvh;
pub mod carve;
pub mod cli;
pub mod collide;
pub mod debris;
pub mod exact;
pub mod files;
pub mod geom;
pub mod level;
pub mod sim;
pub mod timing;
pub mod view;
pub mod world;

#[cfg(feature = "app")]
pub mod app;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "app")]
pub mod ui;
