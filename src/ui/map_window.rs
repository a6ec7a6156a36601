//! The level from above, storey by storey: rooms, walls, doors and holes, bodies; and the rooms as a graph. A click flies.
use super::theme::Tipped;
use super::{Shown, UiAction, theme};
use crate::view::plan::{ABOVE_FLOOR, Graph, Plan};
use crate::world::RoomId;
use egui::{Color32, Painter, Pos2, Rect, RichText, Sense, Shape, Stroke, Vec2};
use glam::{DVec2, DVec3};

/// What the map shows in this frame.
#[derive(Clone, Copy, Debug)]
pub struct ShownMap<'a> {
    /// The level cut at a height.
    pub plan: &'a Plan,
    /// The rooms as a graph.
    pub graph: &'a Graph,
    /// Heights of the floors, metres, from below.
    pub storeys: &'a [f64],
    /// Where the eye is, metres.
    pub eye: DVec3,
    /// Where it looks; see [`crate::sim::Command::yaw`].
    pub yaw: f64,
    /// Rooms that are drawn.
    pub visible: &'a [RoomId],
    /// Crumbs and pieces near the cut: x and z, metres.
    pub bodies: &'a [DVec2],
}

/// How the map is looked at.
pub struct MapWindow {
    /// Points a metre.
    scale: f64,
    /// Height of the floor of the storey, metres; None: at the eye.
    storey: Option<f64>,
    /// Where the middle is, from the eye, metres.
    shift: DVec2,
    /// The graph instead of the plan.
    is_graph: bool,
}

impl Default for MapWindow {
    fn default() -> Self {
        Self {
            scale: 9.0,
            storey: None,
            shift: DVec2::ZERO,
            is_graph: false,
        }
    }
}

/// The map at the eye is cut at whole steps of this, metres.
const STEP: f64 = 0.25;
/// Least height of the picture, points.
const HEIGHT: f32 = 150.0;
/// Below it: three lines of words.
const WORDS: f32 = 64.0;
const BACKGROUND: Color32 = Color32::from_rgb(11, 12, 15);
const WALL: Color32 = Color32::from_rgb(214, 219, 228);
const CELL: Color32 = Color32::from_rgb(40, 66, 84);
const SEEN: Color32 = Color32::from_rgb(52, 78, 98);
const BODY: Color32 = Color32::from_rgb(190, 160, 120);

impl MapWindow {
    /// At which height the level is to be cut, metres. At the eye in steps: a breath or a stair is no other plan.
    pub fn height(&self, storeys: &[f64], eye: f64) -> f64 {
        let floor = self.floor(storeys);
        floor.map_or((eye / STEP).round() * STEP, |floor| floor + ABOVE_FLOOR)
    }

    /// The floor that was chosen, though floors come and go with the holes; None: at the eye, as where it is above or
    /// below all floors of the level.
    fn floor(&self, storeys: &[f64]) -> Option<f64> {
        let (lowest, highest) = (*storeys.first()?, *storeys.last()?);
        self.storey
            .filter(|floor| (lowest..=highest).contains(floor))
    }

    /// Draws the map.
    pub fn ui(&mut self, ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
        let Some(map) = shown.map else {
            ui.label(RichText::new("no level is open").color(theme::muted(ui)));
            return;
        };
        self.chooser(ui, &map);
        let size = Vec2::new(
            ui.available_width().max(200.0),
            (ui.available_height() - WORDS).max(HEIGHT),
        );
        let (response, painter) = ui.allocate_painter(size, Sense::click_and_drag());
        painter.rect_filled(response.rect, 4.0, BACKGROUND);
        let pointer = response.hover_pos();
        let (text, fly) = if self.is_graph {
            draw_graph(&painter, response.rect, &map, pointer)
        } else {
            if response.hovered() {
                let wheel = f64::from(ui.input(|input| input.smooth_scroll_delta()).y);
                let by = libm::exp(wheel.clamp(-200.0, 200.0) * 0.004);
                self.scale = (self.scale * by).clamp(0.5, 200.0);
            }
            let drag = response.drag_delta();
            self.shift -= DVec2::new(f64::from(drag.x), f64::from(drag.y)) / self.scale;
            self.draw(&painter, response.rect, &map, pointer)
        };
        if let Some(to) = fly.filter(|_| response.clicked()) {
            actions.push(UiAction::FlyTo(to));
        }
        ui.label(text);
        let hint = match self.is_graph {
            true => "A click flies to the room.".into(),
            false => format!(
                "Cut {:.2} m high. Wheel: zoom; drag: shift; click: fly.",
                map.plan.height
            ),
        };
        let small = |text: String| RichText::new(text).small();
        ui.label(small(hint).color(theme::muted(ui)));
        ui.horizontal(|ui| {
            ui.spacing_mut().interact_size.y = 14.0;
            for (ink, what) in inks(ui).into_iter().zip(["portals", "opened in play"]) {
                theme::dot(ui, ink);
                ui.label(small(what.into()).color(theme::muted(ui)));
            }
        });
    }

    fn chooser(&mut self, ui: &mut egui::Ui, map: &ShownMap) {
        let floor_shown = self.floor(map.storeys);
        let Self {
            storey,
            shift,
            is_graph,
            scale: _,
        } = self;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            let tip = "The rooms as a graph: a dot for each, a line for each open portal.";
            ui.selectable_value(is_graph, true, "graph").with_tip(tip);
            let plan = ui.selectable_label(!*is_graph && floor_shown.is_none(), "at the eye");
            if plan
                .with_tip("The plan, cut at the height of the eye.")
                .clicked()
            {
                (*is_graph, *storey) = (false, None);
            }
            for floor in map.storeys.iter().rev() {
                let is_on = !*is_graph && floor_shown == Some(*floor);
                let tip = "The plan of the storey whose floor is at this height, metres.";
                let button = ui.selectable_label(is_on, format!("{floor:.1}"));
                if button.with_tip(tip).clicked() {
                    (*is_graph, *storey) = (false, Some(*floor));
                }
            }
            let back = ui.add_enabled(*shift != DVec2::ZERO, egui::Button::new("centre"));
            if back.with_tip("The eye in the middle again.").clicked() {
                *shift = DVec2::ZERO;
            }
        });
    }

    /// The plan: what stands under the pointer or the eye, in words, and where a click flies.
    fn draw(
        &self,
        painter: &Painter,
        rect: Rect,
        map: &ShownMap,
        pointer: Option<Pos2>,
    ) -> (String, Option<DVec3>) {
        let plan = map.plan;
        let eye = DVec2::new(map.eye.x, map.eye.z);
        let (scale, centre) = (self.scale, eye + self.shift);
        let place = |p: DVec2| {
            let off = (p - centre) * scale;
            rect.center() + Vec2::new(off.x as f32, off.y as f32)
        };
        let pointed = pointer.map(|at| {
            let off = at - rect.center();
            centre + DVec2::new(f64::from(off.x), f64::from(off.y)) / scale
        });
        let asked = pointed.unwrap_or(eye);
        let found = plan.at(asked);
        let [door_ink, hole_ink] = inks(painter.ctx());
        for room in &plan.rooms {
            let is_asked = found.is_some_and(|found| found.room == room.id);
            let fill = match (is_asked, map.visible.contains(&room.id)) {
                (true, _) => SEEN.gamma_multiply(0.9),
                (_, true) => CELL.gamma_multiply(0.55),
                _ => Color32::TRANSPARENT,
            };
            if let Some(air) = room.air {
                let air = air.map(place).to_vec();
                painter.add(Shape::convex_polygon(air, fill, Stroke::NONE));
            }
            let stroke = Stroke::new(1.0, CELL.gamma_multiply(0.7));
            painter.add(Shape::closed_line(room.corners.map(place).to_vec(), stroke));
        }
        for hatch in &plan.hatches {
            let colour = if hatch.is_hole { hole_ink } else { door_ink };
            for outline in &hatch.loops {
                let points: Vec<Pos2> = outline.iter().map(|p| place(*p)).collect();
                let stroke = Stroke::new(1.0, colour.gamma_multiply(0.6));
                painter.add(Shape::closed_line(points, stroke));
            }
        }
        for [from, to] in plan.rooms.iter().flat_map(|room| &room.walls) {
            painter.line_segment([place(*from), place(*to)], Stroke::new(1.3, WALL));
        }
        for door in &plan.doors {
            let colour = if door.is_hole { hole_ink } else { door_ink };
            painter.line_segment(door.ends.map(place), Stroke::new(2.0, colour));
        }
        for body in map.bodies {
            painter.circle_filled(place(*body), 1.7, BODY);
        }
        if let Some((near, _)) = found.and_then(|found| found.wall) {
            let ink = theme::paint(theme::inks(painter.ctx()).asked);
            painter.line_segment([place(asked), place(near)], Stroke::new(1.5, ink));
            painter.circle_filled(place(near), 3.0, ink);
        }
        player(painter, place(eye), map.yaw);
        let who = match pointed {
            Some(_) => "pointer",
            None => "player",
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
        let fly = pointed.filter(|_| found.is_some());
        (text, fly.map(|p| DVec3::new(p.x, plan.height, p.y)))
    }
}

/// Of portals, and of those that were opened in play: as in the picture.
fn inks(ctx: &egui::Context) -> [Color32; 2] {
    let inks = theme::inks(ctx);
    [inks.open, inks.fresh].map(theme::paint)
}

/// The graph, seen from aslant above so that storeys lie over each other; it fills the rectangle.
fn draw_graph(
    painter: &Painter,
    rect: Rect,
    map: &ShownMap,
    pointer: Option<Pos2>,
) -> (String, Option<DVec3>) {
    let flat = |p: DVec3| DVec2::new((p.x - p.z) * 0.8, (p.x + p.z) * 0.35 - p.y * 1.2);
    let places: Vec<DVec2> = map.graph.rooms.iter().map(|room| flat(room.1)).collect();
    let low = places.iter().copied().fold(DVec2::INFINITY, DVec2::min);
    let high = places.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
    let size = (high - low).max(DVec2::splat(1e-3));
    let inner = rect.shrink(16.0);
    let scale = (f64::from(inner.width()) / size.x).min(f64::from(inner.height()) / size.y);
    let place = |p: DVec2| {
        let off = (p - (low + high) * 0.5) * scale;
        rect.center() + Vec2::new(off.x as f32, off.y as f32)
    };
    let at: Vec<Pos2> = places.iter().map(|p| place(*p)).collect();
    let [door_ink, hole_ink] = inks(painter.ctx());
    for ([a, b], is_hole) in &map.graph.portals {
        let (width, colour) = match is_hole {
            true => (2.0, hole_ink),
            false => (1.0, door_ink.gamma_multiply(0.7)),
        };
        painter.line_segment([at[*a], at[*b]], Stroke::new(width, colour));
    }
    let near = pointer.and_then(|pointer| {
        let nearest = at.iter().enumerate().min_by(|a, b| {
            a.1.distance_sq(pointer)
                .total_cmp(&b.1.distance_sq(pointer))
        });
        nearest
            .filter(|(_, p)| p.distance(pointer) < 14.0)
            .map(|(i, _)| i)
    });
    for (i, (room, _)) in map.graph.rooms.iter().enumerate() {
        let is_seen = map.visible.contains(room);
        let colour = if is_seen { WALL } else { CELL };
        painter.circle_filled(at[i], if near == Some(i) { 5.0 } else { 3.0 }, colour);
    }
    let eye = place(flat(map.eye));
    painter.circle_stroke(eye, 6.0, Stroke::new(1.5, theme::good(painter.ctx())));
    match near {
        Some(i) => {
            let (room, centre) = map.graph.rooms[i];
            let ends = map
                .graph
                .portals
                .iter()
                .filter(|(ends, _)| ends.contains(&i));
            (
                format!("room {room}: {}", theme::counted(ends.count(), "portal")),
                Some(centre),
            )
        }
        None => {
            let (rooms, portals) = (map.graph.rooms.len(), map.graph.portals.len());
            (format!("{rooms} rooms, {portals} open portals"), None)
        }
    }
}

/// An arrow where the eye looks: yaw turns left from -z, which is up here.
fn player(painter: &Painter, at: Pos2, yaw: f64) {
    let (sin, cos) = libm::sincos(yaw);
    let ahead = Vec2::new(-sin as f32, -cos as f32);
    let side = ahead.rot90();
    let corners = vec![
        at + ahead * 9.0,
        at - ahead * 5.0 + side * 5.0,
        at - ahead * 5.0 - side * 5.0,
    ];
    let colour = theme::good(painter.ctx());
    painter.add(Shape::convex_polygon(corners, colour, Stroke::NONE));
}
