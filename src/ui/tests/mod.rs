//! Each panel draws inside the window; what is pressed arrives. What is shown is made up (`scene`), the window is
//! egui_kittest's (`stand`), pictures are painted without a GPU (`canvas`).
mod canvas;
mod colours;
mod commands;
mod fit;
mod golden;
mod insides;
mod notices;
mod scene;
mod stand;
mod time;
mod tools;
mod untouched;

use super::*;
use crate::bvh::SplitRule;
use crate::sim::ToolShape;
use crate::view::Palette;
use canvas::Canvas;
use egui::{Event, Pos2, Rect, Vec2};
use fit::check_nothing_is_cut_off;
use scene::{Scene, changes, comparison};
use stand::{Stand, with_one_window, with_panel, with_panel_scaled};

/// The window, pixels.
const SIZE: Vec2 = Vec2::new(1280.0, 720.0);
