//! The canvas of an experiment: a fixed (2-D) or orbiting (3-D) orthographic view, and the handles of the shapes.
use super::drawing::{Drawing, Ink, Shape};
use super::query::Handle;
use crate::ui::theme::{self, Tipped};
use crate::view::Inks;
use egui::{Color32, PointerButton, Pos2, Rect, Sense, Stroke, Vec2};
use glam::DVec3;

/// The orthographic camera of the canvas; without perspective a handle stays under the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Rotation about the vertical axis, to the left, radians.
    pub yaw: f64,
    /// Elevation, radians.
    pub pitch: f64,
    /// Points a metre.
    pub scale: f64,
    /// The point at the centre of the picture, metres.
    pub centre: DVec3,
}

impl View {
    /// Facing the x-y plane (flat), or from an angle.
    pub fn new(is_flat: bool) -> Self {
        let (yaw, pitch) = if is_flat { (0.0, 0.0) } else { (0.6, 0.4) };
        Self {
            yaw,
            pitch,
            scale: 42.0,
            centre: DVec3::ZERO,
        }
    }

    /// Right and up in the picture.
    fn axes(&self) -> [DVec3; 2] {
        let (sin_yaw, cos_yaw) = libm::sincos(self.yaw);
        let (sin_pitch, cos_pitch) = libm::sincos(self.pitch);
        let right = DVec3::new(cos_yaw, 0.0, -sin_yaw);
        let back = DVec3::new(sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch);
        [right, back.cross(right)]
    }

    /// Projects a point into the picture; None if it is far outside.
    pub fn project(&self, p: DVec3, picture: Rect) -> Option<Pos2> {
        let [right, up] = self.axes();
        let off = (p - self.centre) * self.scale;
        let at = Vec2::new(off.dot(right) as f32, -off.dot(up) as f32);
        let is_near = at.x.abs() < 1e5 && at.y.abs() < 1e5;
        is_near.then(|| picture.center() + at)
    }

    /// The motion of a handle dragged by this many points.
    pub fn motion(&self, drag: Vec2) -> DVec3 {
        let [right, up] = self.axes();
        (right * f64::from(drag.x) - up * f64::from(drag.y)) / self.scale
    }
}

/// Radius of a handle's ring and size of its hit area, points.
const RING: f32 = 5.0;
const CATCH: f32 = 18.0;
/// Half the size of the grid, metres.
const GRID: i32 = 5;

/// Draws the drawing into what is left of the ui's width, `height` points high, and moves handles and view.
pub fn show(
    ui: &mut egui::Ui,
    height: f32,
    view: &mut View,
    is_flat: bool,
    names: &[Handle],
    handles: &mut [DVec3],
    drawing: &Drawing,
) {
    let size = Vec2::new(ui.available_width(), height);
    let (picture, painter) = ui.allocate_painter(size, Sense::click_and_drag());
    let rect = picture.rect;
    painter.rect_filled(rect, 4.0, Color32::from_rgb(11, 12, 15));
    turn(ui, view, is_flat, &picture);
    let inks = theme::inks(ui);
    grid(&painter, view, is_flat, rect);
    for shape in &drawing.shapes {
        draw(&painter, view, rect, shape, &inks);
    }
    for (i, (handle, name)) in handles.iter_mut().zip(names).enumerate() {
        let Some(at) = view.project(*handle, rect).filter(|at| rect.contains(*at)) else {
            continue;
        };
        let catch = Rect::from_center_size(at, Vec2::splat(CATCH)).intersect(rect);
        let id = picture.id.with(("handle", i));
        let response = ui.interact(catch, id, Sense::drag());
        let label = || egui::WidgetInfo::labeled(egui::Role::Slider, true, name.0);
        response.widget_info(label);
        let response = response.with_tip("Drag to move it.");
        *handle += view.motion(response.drag_delta());
        let is_held = response.hovered() || response.dragged();
        let colour = if is_held {
            theme::accent(ui)
        } else {
            Color32::WHITE
        };
        painter.circle(
            at,
            RING,
            Color32::from_black_alpha(120),
            Stroke::new(1.5, colour),
        );
        painter.text(
            at + Vec2::new(8.0, -5.0),
            egui::Align2::LEFT_BOTTOM,
            name.0,
            egui::FontId::proportional(11.0),
            colour.gamma_multiply(0.85),
        );
        if is_held {
            ui.ctx().set_cursor_icon(egui::CursorIcon::Grab);
        }
    }
}

/// Dragging beside the handles orbits (2-D: pans) the view, the right button pans, the wheel zooms.
fn turn(ui: &egui::Ui, view: &mut View, is_flat: bool, picture: &egui::Response) {
    let drag = picture.drag_delta();
    if picture.dragged_by(PointerButton::Primary) && !is_flat {
        view.yaw -= f64::from(drag.x) * 0.01;
        view.pitch = (view.pitch + f64::from(drag.y) * 0.01).clamp(-1.55, 1.55);
    } else if picture.dragged() {
        view.centre -= view.motion(drag);
    }
    if picture.hovered() {
        let wheel = f64::from(ui.input(|input| input.smooth_scroll_delta()).y);
        let by = libm::exp(wheel.clamp(-200.0, 200.0) * 0.004);
        view.scale = (view.scale * by).clamp(2.0, 2000.0);
    }
}

fn grid(painter: &egui::Painter, view: &View, is_flat: bool, rect: Rect) {
    let stroke = Stroke::new(1.0, Color32::from_rgb(28, 31, 37));
    let far = f64::from(GRID);
    for i in -GRID..=GRID {
        let at = f64::from(i);
        let ends = if is_flat {
            [
                [at, -far, 0.0],
                [at, far, 0.0],
                [-far, at, 0.0],
                [far, at, 0.0],
            ]
        } else {
            [
                [at, 0.0, -far],
                [at, 0.0, far],
                [-far, 0.0, at],
                [far, 0.0, at],
            ]
        };
        for pair in ends.chunks(2) {
            let [Some(from), Some(to)] = [pair[0], pair[1]].map(|p| view.project(p.into(), rect))
            else {
                continue;
            };
            painter.line_segment([from, to], stroke);
        }
    }
}

fn draw(painter: &egui::Painter, view: &View, rect: Rect, shape: &Shape, inks: &Inks) {
    let place = |p: &DVec3| view.project(*p, rect);
    let colour = |ink: &Ink| theme::paint(ink.of(inks));
    let stroke = |ink: &Ink| Stroke::new(width(*ink), colour(ink));
    match shape {
        Shape::Line(from, to, ink) => {
            if let (Some(from), Some(to)) = (place(from), place(to)) {
                painter.line_segment([from, to], stroke(ink));
            }
        }
        Shape::Arrow(from, to, ink) => {
            if let (Some(from), Some(to)) = (place(from), place(to)) {
                painter.line_segment([from, to], stroke(ink));
                arrow_head(painter, from, to, colour(ink));
            }
        }
        Shape::Point(at, ink) => {
            if let Some(at) = place(at) {
                painter.circle_filled(at, 4.0, colour(ink));
            }
        }
        Shape::Area(corners, ink) => {
            let corners: Option<Vec<Pos2>> = corners.iter().map(place).collect();
            if let Some(corners) = corners.filter(|corners| corners.len() > 2) {
                let fill = colour(ink).gamma_multiply(0.14);
                painter.add(egui::Shape::convex_polygon(corners, fill, stroke(ink)));
            }
        }
    }
}

fn arrow_head(painter: &egui::Painter, from: Pos2, to: Pos2, colour: Color32) {
    let way = to - from;
    if way.length() < 4.0 {
        return;
    }
    let along = way.normalized() * 9.0;
    let side = along.rot90() * 0.4;
    let corners = vec![to, to - along + side, to - along - side];
    painter.add(egui::Shape::convex_polygon(corners, colour, Stroke::NONE));
}

fn width(ink: Ink) -> f32 {
    match ink {
        Ink::Answer | Ink::Normal | Ink::X | Ink::Y | Ink::Z => 2.0,
        Ink::Faint => 1.0,
        Ink::Asking | Ink::Asked | Ink::Ghost => 1.4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_stays_under_the_pointer_and_a_flat_view_shows_x_and_y() {
        let picture = Rect::from_min_size(Pos2::ZERO, Vec2::new(400.0, 300.0));
        for is_flat in [true, false] {
            let view = View::new(is_flat);
            let start = DVec3::new(0.5, -1.0, 0.25);
            let at = view.project(start, picture).expect("in reach");
            let drag = Vec2::new(30.0, -12.0);
            let moved = view
                .project(start + view.motion(drag), picture)
                .expect("in reach");
            assert!((moved - at - drag).length() < 1e-3);
        }
        let at = View::new(true).project(DVec3::new(1.0, 2.0, 9.0), picture);
        assert_eq!(at, Some(Pos2::new(242.0, 66.0)));
        assert_eq!(View::new(true).project(DVec3::NAN, picture), None);
    }
}
