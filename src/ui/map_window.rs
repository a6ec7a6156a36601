//! The level from above at the height of the eye: the room under the pointer and the nearest wall.
use super::{Shown, UiAction, theme};
use crate::view::plan::Plan;
use egui::{Color32, Pos2, RichText, Sense, Stroke, Vec2};
use glam::DVec2;

/// Points a metre.
pub struct MapWindow {
    scale: f64,
}

impl Default for MapWindow {
    fn default() -> Self {
        Self { scale: 9.0 }
    }
}

/// Points.
const SIZE: Vec2 = Vec2::new(340.0, 300.0);
const WALL: Color32 = Color32::from_rgb(214, 219, 228);
const CELL: Color32 = Color32::from_rgb(40, 66, 84);

impl MapWindow {
    /// Draws the window.
    pub fn ui(
        &mut self,
        ui: &mut egui::Ui,
        free: egui::Rect,
        shown: &Shown,
        actions: &mut Vec<UiAction>,
    ) {
        let mut is_open = true;
        let corner = egui::pos2(free.right() - SIZE.x - 48.0, free.bottom() - SIZE.y - 170.0);
        egui::Window::new("Map")
            .id(egui::Id::unique("map"))
            .open(&mut is_open)
            .collapsible(false)
            .resizable(false)
            .default_pos(corner)
            .show(ui.ctx(), |ui| {
                ui.set_width(SIZE.x);
                match shown.map {
                    Some((plan, eye, yaw)) => self.draw(ui, plan, eye, yaw),
                    None => {
                        ui.label(RichText::new("no level is open").color(theme::MUTED));
                    }
                }
            });
        if !is_open {
            actions.push(UiAction::ShowMap(false));
        }
    }

    fn draw(&mut self, ui: &mut egui::Ui, plan: &Plan, eye: DVec2, yaw: f64) {
        let (response, painter) = ui.allocate_painter(SIZE, Sense::hover());
        let rect = response.rect;
        painter.rect_filled(rect, 4.0, Color32::from_rgb(11, 12, 15));
        if response.hovered() {
            let wheel = f64::from(ui.input(|input| input.smooth_scroll_delta()).y);
            let by = libm::exp(wheel.clamp(-200.0, 200.0) * 0.004);
            self.scale = (self.scale * by).clamp(0.5, 200.0);
        }
        let scale = self.scale;
        let place = |p: DVec2| {
            let off = (p - eye) * scale;
            rect.center() + Vec2::new(off.x as f32, off.y as f32)
        };
        let pointer = response.hover_pos().map(|at| {
            let off = at - rect.center();
            eye + DVec2::new(f64::from(off.x), f64::from(off.y)) / scale
        });
        let asked = pointer.unwrap_or(eye);
        let found = plan.at(asked);
        for room in &plan.rooms {
            let corners = room.corners.map(place);
            let is_asked = found.is_some_and(|found| found.room == room.id);
            let fill = if is_asked {
                CELL.gamma_multiply(0.6)
            } else {
                Color32::TRANSPARENT
            };
            let shape = egui::Shape::convex_polygon(corners.to_vec(), fill, Stroke::new(1.0, CELL));
            painter.add(shape);
        }
        for [from, to] in plan.rooms.iter().flat_map(|room| &room.walls) {
            painter.line_segment([place(*from), place(*to)], Stroke::new(1.3, WALL));
        }
        if let Some((near, _)) = found.and_then(|found| found.wall) {
            painter.line_segment([place(asked), place(near)], Stroke::new(1.5, theme::ACCENT));
            painter.circle_filled(place(near), 3.0, theme::ACCENT);
        }
        player(&painter, rect.center(), yaw);
        let who = if pointer.is_some() {
            "pointer"
        } else {
            "player"
        };
        let text = match found {
            Some(found) => match found.wall {
                Some((_, far)) => {
                    format!("{who}: room {}, {far:.2} m to the nearest wall", found.room)
                }
                None => format!("{who}: room {}, no wall at this height", found.room),
            },
            None => format!("{who}: outside the level"),
        };
        ui.label(text);
        let text = format!(
            "Cut at the eye, {:.2} m high. The wheel zooms.",
            plan.height
        );
        ui.label(RichText::new(text).small().color(theme::MUTED));
    }
}

/// An arrow where the eye looks: yaw turns left from -z, which is up here.
fn player(painter: &egui::Painter, at: Pos2, yaw: f64) {
    let (sin, cos) = libm::sincos(yaw);
    let ahead = Vec2::new(-sin as f32, -cos as f32);
    let side = ahead.rot90();
    let corners = vec![
        at + ahead * 9.0,
        at - ahead * 5.0 + side * 5.0,
        at - ahead * 5.0 - side * 5.0,
    ];
    painter.add(egui::Shape::convex_polygon(
        corners,
        theme::GOOD,
        Stroke::NONE,
    ));
}
