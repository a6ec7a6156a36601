//! Tests of the panels: an invented state (`fixture`), egui_kittest's window (`test_window`), pictures painted without
//! a GPU (`canvas`).
mod canvas;
mod colours;
mod commands;
mod fit;
mod fixture;
mod golden;
mod insides;
mod notices;
mod test_window;
mod time;
mod tools;
mod untouched;

use super::*;
use crate::builtin::Origin;
use crate::bvh::SplitRule;
use crate::sim::{Settings, ToolShape};
use crate::view::{Overlays, Palette};
use canvas::Canvas;
use egui::{Event, Pos2, Rect, Vec2};
use fit::check_nothing_is_cut_off;
use fixture::{Fixture, changes, comparison};
use glam::{DVec2, DVec3};
use std::path::{Path, PathBuf};
use test_window::{TestWindow, with_one_window, with_panel, with_panel_scaled};

/// The window, pixels.
const SIZE: Vec2 = Vec2::new(1280.0, 720.0);
