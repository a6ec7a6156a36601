//! Handles of a pinned shape: drag them over the picture to move, rotate and resize it.
use super::theme::Tipped;
use super::tools_panel::unavailable;
use super::{UiCommand, UiState, theme};
use crate::sim::Tool;
use egui::{Id, Pos2, Rect, Sense, Stroke, Vec2};
use glam::DVec2;

/// Radius of a handle, points.
const RADIUS: f32 = 7.0;
/// Smallest and largest size of a shape, metres.
const SIZE: [f64; 2] = [0.02, 20.0];

/// Draws the handles and applies the drags.
pub fn ui(
    ui: &egui::Ui,
    picture: Rect,
    state: &UiState,
    tool: &mut Tool,
    commands: &mut Vec<UiCommand>,
) {
    let Some(brush) = state.brush.filter(|_| !state.captured) else {
        return;
    };
    let place = |p: DVec2| picture.min + Vec2::new(p.x as f32, p.y as f32) * picture.size();
    let centre = place(brush.centre);
    if !picture.contains(centre) {
        return;
    }
    // Handles keep a distance from the centre, so that a small shape can be grasped.
    let [side, top] = [brush.side, brush.top].map(|end| {
        let out = place(end) - centre;
        centre + out.normalized() * out.length().max(24.0)
    });
    let why_not = unavailable(tool.shape);
    let colour = theme::accent(ui);
    let line = ui.painter().with_clip_rect(picture);
    for end in [side, top].into_iter().filter(|p| picture.contains(*p)) {
        line.line_segment([centre, end], Stroke::new(1.0, colour));
    }
    let handle = |name, at, tip, why_not| match picture.contains(at) {
        true => handle(ui, name, at, tip, why_not, colour),
        false => None,
    };
    let tip = "Drag to move the shape along the walls.";
    if let Some(drag) = handle("move", centre, tip, why_not.place) {
        let at = (centre + drag - picture.min) / picture.size();
        commands.push(UiCommand::MovePinnedShape(DVec2::new(
            f64::from(at.x),
            f64::from(at.y),
        )));
    }
    let from_centre = |p: Pos2| (p - centre).length().max(1.0);
    if let Some(drag) = handle("size", side, "Drag to resize the shape.", why_not.size) {
        let by = f64::from(from_centre(side + drag) / from_centre(side));
        tool.size = (tool.size * by).clamp(SIZE[0], SIZE[1]);
    }
    if let Some(drag) = handle("turn", top, "Drag to rotate the shape.", why_not.turn) {
        let angle = |p: Pos2| f64::from((p - centre).angle());
        // Screen y grows downwards, so clockwise is positive, as seen looking into the wall.
        let by = angle(top + drag) - angle(top);
        tool.rotation[0] = (tool.rotation[0] - by).rem_euclid(std::f64::consts::TAU);
    }
}

/// Draws a handle and returns how far it was dragged in this frame. A disabled handle shows why.
fn handle(
    ui: &egui::Ui,
    name: &str,
    at: Pos2,
    tip: &str,
    why_not: Option<&str>,
    colour: egui::Color32,
) -> Option<Vec2> {
    let area = egui::Area::new(Id::unique(("brush", name)))
        .order(egui::Order::Middle)
        .fixed_pos(at - Vec2::splat(RADIUS));
    let area = area.show(ui.ctx(), |ui| {
        if why_not.is_some() {
            ui.disable();
        }
        let (rect, response) = ui.allocate_exact_size(Vec2::splat(2.0 * RADIUS), Sense::drag());
        response.widget_info(|| {
            let is_on = why_not.is_none();
            egui::WidgetInfo::labeled(egui::Role::Button, is_on, format!("{name} the shape"))
        });
        let response = response.with_tip(why_not.unwrap_or(tip));
        let is_held = response.hovered() || response.dragged();
        let fill = if is_held { colour } else { theme::SLATE };
        ui.painter()
            .circle(rect.center(), RADIUS - 1.0, fill, Stroke::new(1.5, colour));
        response
    });
    let drag = area.inner.drag_delta();
    (area.inner.dragged() && drag != Vec2::ZERO).then_some(drag)
}
