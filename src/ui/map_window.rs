//! The level from above, storey by storey: rooms, walls, doors and holes, bodies; and the rooms as a graph. A click
//! flies.
use super::theme::Tipped;
use super::{MapState, UiCommand, UiState, theme};
use crate::view::floor_plan::ABOVE_FLOOR;
use egui::{Color32, Painter, Pos2, Rect, RichText, Sense, Shape, Stroke, Vec2};
use glam::{DVec2, DVec3};

/// The view of the map.
#[derive(Default)]
pub struct MapWindow {
    /// None: the whole level, fitted to the panel.
    chosen: Option<Chosen>,
    /// Floor height of the chosen storey, metres; None: the storey of the eye.
    storey: Option<f64>,
    /// Shows the graph instead of the plan.
    is_graph: bool,
}

/// A view chosen with the wheel or by dragging; it follows the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Chosen {
    /// Points a metre.
    scale: f64,
    /// The centre relative to the eye, metres.
    shift: DVec2,
}

/// The part of the plan in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Part {
    /// Points a metre.
    scale: f64,
    /// The centre of the picture, metres.
    centre: DVec2,
}

impl Part {
    /// Fits a rectangle into a picture of this size, points.
    fn whole([low, high]: [DVec2; 2], size: Vec2) -> Self {
        let size = DVec2::new(f64::from(size.x), f64::from(size.y));
        let room = (size - 2.0 * MARGIN).max(DVec2::ONE);
        let scales = room / (high - low).max(DVec2::splat(1e-3));
        Self {
            scale: scales.min_element().clamp(SCALES[0], SCALES[1]),
            centre: (low + high) * 0.5,
        }
    }

    /// The point of the picture where a position is drawn.
    fn point(&self, rect: Rect, p: DVec2) -> Pos2 {
        let off = (p - self.centre) * self.scale;
        rect.center() + Vec2::new(off.x as f32, off.y as f32)
    }

    /// The position under a point of the picture.
    fn place(&self, rect: Rect, at: Pos2) -> DVec2 {
        let off = at - rect.center();
        self.centre + DVec2::new(f64::from(off.x), f64::from(off.y)) / self.scale
    }
}

/// Smallest and largest scale, points a metre.
const SCALES: [f64; 2] = [0.05, 200.0];
/// Margin around a fitted level, points.
const MARGIN: f64 = 10.0;
/// Scale around the player, points a metre.
const NEAR: f64 = 9.0;

/// The height of the cut at the eye is rounded to this, metres.
const STEP: f64 = 0.25;
/// Minimum height of the picture, points.
const HEIGHT: f32 = 150.0;
/// Height below it, points: three lines of text.
const WORDS: f32 = 64.0;
const BACKGROUND: Color32 = Color32::from_rgb(11, 12, 15);
const WALL: Color32 = Color32::from_rgb(214, 219, 228);
const CELL: Color32 = Color32::from_rgb(40, 66, 84);
const SEEN: Color32 = Color32::from_rgb(52, 78, 98);
const BODY: Color32 = Color32::from_rgb(190, 160, 120);

impl MapWindow {
    /// The height of the cut, metres. At the eye it is rounded, so that a stair does not change the plan.
    pub fn height(&self, storeys: &[f64], eye: f64) -> f64 {
        let floor = self.floor(storeys);
        floor.map_or((eye / STEP).round() * STEP, |floor| floor + ABOVE_FLOOR)
    }

    /// The chosen floor, even if holes have removed it; None: at the eye, or the floor is above or below all of the
    /// level.
    fn floor(&self, storeys: &[f64]) -> Option<f64> {
        let (lowest, highest) = (*storeys.first()?, *storeys.last()?);
        self.storey
            .filter(|floor| (lowest..=highest).contains(floor))
    }

    /// Draws the map.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        let Some(map) = state.map else {
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
            let wheel = pointer.map_or(0.0, |_| ui.input(|input| input.smooth_scroll_delta()).y);
            let part = self.moved(&map, response.rect, pointer, wheel, response.drag_delta());
            draw(&painter, response.rect, &map, &part, pointer)
        };
        if let Some(to) = fly.filter(|_| response.clicked()) {
            commands.push(UiCommand::FlyTo(to));
        }
        ui.label(text);
        let hint = match self.is_graph {
            true => "Click to fly to the room.".into(),
            false => format!(
                "Cut at {:.2} m. Wheel zooms, drag pans, click flies.",
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

    fn chooser(&mut self, ui: &mut egui::Ui, map: &MapState) {
        let floor_shown = self.floor(map.storeys);
        let Self {
            storey,
            chosen,
            is_graph,
        } = self;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            let tip = "The rooms as a graph: a dot per room, a line per open portal.";
            ui.selectable_value(is_graph, true, "graph").with_tip(tip);
            let plan = ui.selectable_label(!*is_graph && floor_shown.is_none(), "eye height");
            if plan.with_tip("Floor plan, cut at eye height.").clicked() {
                (*is_graph, *storey) = (false, None);
            }
            for floor in map.storeys.iter().rev() {
                let is_on = !*is_graph && floor_shown == Some(*floor);
                let tip = "Floor plan of the storey whose floor is at this height, metres.";
                let button = ui.selectable_label(is_on, format!("{floor:.1}"));
                if button.with_tip(tip).clicked() {
                    (*is_graph, *storey) = (false, Some(*floor));
                }
            }
            let fit = ui.add_enabled(!*is_graph && chosen.is_some(), egui::Button::new("Fit"));
            if fit.with_tip("Show the whole level again.").clicked() {
                *chosen = None;
            }
            let is_there = chosen.is_some_and(|chosen| chosen.shift == DVec2::ZERO);
            let back = ui.add_enabled(!*is_graph && !is_there, egui::Button::new("centre"));
            if back.with_tip("Centre the plan on the camera.").clicked() {
                let scale = chosen.map_or(NEAR, |chosen| chosen.scale);
                let shift = DVec2::ZERO;
                *chosen = Some(Chosen { scale, shift });
            }
        });
    }

    /// The part of the plan to draw.
    fn part(&self, map: &MapState, rect: Rect) -> Part {
        match self.chosen {
            None => Part::whole(map.graph.extent, rect.size()),
            Some(Chosen { scale, shift }) => Part {
                scale,
                centre: flat(map.eye) + shift,
            },
        }
    }

    /// The same after zooming about the pointer and dragging.
    fn moved(
        &mut self,
        map: &MapState,
        rect: Rect,
        pointer: Option<Pos2>,
        wheel: f32,
        drag: Vec2,
    ) -> Part {
        let mut part = self.part(map, rect);
        if wheel == 0.0 && drag == Vec2::ZERO {
            return part;
        }
        part.centre -= DVec2::new(f64::from(drag.x), f64::from(drag.y)) / part.scale;
        let at = pointer.unwrap_or(rect.center());
        let under = part.place(rect, at);
        let by = libm::exp(f64::from(wheel).clamp(-200.0, 200.0) * 0.004);
        part.scale = (part.scale * by).clamp(SCALES[0], SCALES[1]);
        part.centre += under - part.place(rect, at);
        self.chosen = Some(Chosen {
            scale: part.scale,
            shift: part.centre - flat(map.eye),
        });
        part
    }
}

/// Seen from above.
fn flat(p: DVec3) -> DVec2 {
    DVec2::new(p.x, p.z)
}

/// Draws the plan; returns a description of the room under the pointer or the eye, and the target of a click.
fn draw(
    painter: &Painter,
    rect: Rect,
    map: &MapState,
    part: &Part,
    pointer: Option<Pos2>,
) -> (String, Option<DVec3>) {
    let plan = map.plan;
    let eye = flat(map.eye);
    let place = |p: DVec2| part.point(rect, p);
    let pointed = pointer.map(|at| part.place(rect, at));
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

/// Colours of portals and of those opened in play, as in the picture.
fn inks(ctx: &egui::Context) -> [Color32; 2] {
    let inks = theme::inks(ctx);
    [inks.open, inks.fresh].map(theme::paint)
}

/// Draws the graph in oblique projection, storeys above each other, fitted to the rectangle.
fn draw_graph(
    painter: &Painter,
    rect: Rect,
    map: &MapState,
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

/// An arrow in the direction of view: yaw turns left from -z, which is up here.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::floor_plan::Plan;
    use crate::view::room_graph::RoomGraph;

    const LEVEL: [DVec2; 2] = [DVec2::new(-40.0, -10.0), DVec2::new(20.0, 15.0)];

    fn with_map<R>(look: impl FnOnce(&MapState) -> R) -> R {
        let graph = RoomGraph {
            extent: LEVEL,
            ..RoomGraph::default()
        };
        look(&MapState {
            plan: &Plan::default(),
            graph: &graph,
            storeys: &[],
            eye: DVec3::new(3.0, 1.7, 4.0),
            yaw: 0.0,
            visible: &[],
            bodies: &[],
        })
    }

    #[test]
    fn the_whole_level_fills_a_panel_of_any_size_and_stands_in_its_middle() {
        let mut map = MapWindow::default();
        for size in [[360.0, 500.0], [200.0, 150.0], [1200.0, 300.0]] {
            let rect = Rect::from_min_size(Pos2::new(900.0, 80.0), size.into());
            let still = |map: &mut MapWindow| {
                with_map(|state| map.moved(state, rect, None, 0.0, Vec2::ZERO))
            };
            let part = still(&mut map);
            let ends = Rect::from_two_pos(part.point(rect, LEVEL[0]), part.point(rect, LEVEL[1]));
            assert!((ends.center() - rect.center()).length() < 1e-3, "{ends}");
            let left = rect.size() - ends.size();
            let margin = 2.0 * MARGIN as f32;
            assert!((left.min_elem() - margin).abs() < 1e-2, "{rect} {ends}");
            assert!(
                part.point(rect, part.place(rect, ends.min))
                    .distance(ends.min)
                    < 1e-3
            );
        }
        assert_eq!(map.chosen, None, "looking at it chooses nothing");
    }

    #[test]
    fn the_wheel_keeps_the_place_under_the_pointer_and_dragging_takes_it_along() {
        let rect = Rect::from_min_size(Pos2::new(900.0, 80.0), Vec2::new(360.0, 500.0));
        let mut map = MapWindow::default();
        let at = Pos2::new(960.0, 300.0);
        let drag = Vec2::new(30.0, -12.0);
        with_map(|state| {
            let whole = map.part(state, rect);
            let near = map.moved(state, rect, Some(at), 100.0, Vec2::ZERO);
            assert!(near.scale > 1.2 * whole.scale);
            assert!(near.place(rect, at).distance(whole.place(rect, at)) < 1e-9);
            let dragged = map.moved(state, rect, Some(at + drag), 0.0, drag);
            assert!(
                dragged
                    .place(rect, at + drag)
                    .distance(near.place(rect, at))
                    < 1e-9
            );
            assert_eq!(dragged.scale, near.scale);
            // A chosen view stays when the panel is resized.
            let wider = rect.expand(40.0);
            assert_eq!(map.part(state, wider), dragged);
        });
    }
}
