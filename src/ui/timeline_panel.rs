//! The timeline of the recording: play, pause, step, slow motion, drag to any tick. Marks show changes of the world,
//! saves, and branches.
use super::theme::Tipped;
use super::{
    KeyCommand, Recorded, TimelineCommand, TimelineMark, TimelineMarkKind, UiCommand, UiState,
    theme,
};
use crate::sim::TICK_SECS;
use egui::style::HandleShape;
use egui::{Pos2, Rangef, RichText, Stroke, Vec2};

/// The panel.
#[derive(Default)]
pub struct TimelinePanel {
    /// The marked span: its first and last tick.
    span: Option<[u64; 2]>,
}

/// A click within this distance of a mark goes to it, points.
const NEAR: f32 = 5.0;
/// Pointer motion beyond this is a drag, points.
const STILL: f32 = 3.0;
/// Height of a mark, points.
const MARK: f32 = 5.0;
/// A tip lists at most this many marks.
const LISTED: usize = 6;

/// Widths below which the panel shows less, and least; and its minimum width, points.
const WIDE: f32 = 660.0;
const NARROW: f32 = 460.0;
const LEAST: f32 = 270.0;

impl TimelinePanel {
    /// Draws the row.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        let Self { span } = self;
        // Below its minimum width it scrolls sideways.
        let width = ui.available_width().max(LEAST);
        ui.horizontal(|ui| {
            ui.set_min_width(width);
            buttons(ui, state, width, commands);
            let rest = egui::Layout::right_to_left(egui::Align::Center);
            ui.with_layout(rest, |ui| {
                ends(ui, state, width, commands);
                slider(ui, state.recorded, state.marks, span, commands);
            });
        });
    }

    /// Marks a span, from its first tick to its last, or none.
    pub fn mark(&mut self, span: Option<[u64; 2]>) {
        self.span = span;
    }

    /// The marked span of a recording of this many ticks, if there is one.
    pub fn span(&self, ticks: u64) -> Option<(u64, u64)> {
        let [first, last] = self.span?;
        (first < ticks).then_some((first, last.min(ticks)))
    }
}

fn buttons(ui: &mut egui::Ui, state: &UiState, width: f32, commands: &mut Vec<UiCommand>) {
    let Recorded { tick, ticks, .. } = state.recorded;
    let mut button = |text: &str, enabled: bool, tip: &str, ui_command: UiCommand| {
        let button = ui.add_enabled(enabled, egui::Button::new(RichText::new(text).small()));
        if button.with_tip(tip).clicked() {
            commands.push(ui_command);
        }
    };
    let seek = |tick| UiCommand::Timeline(TimelineCommand::Seek(tick));
    // In a narrow panel the slider's ends do the same.
    let has_ends = width > NARROW;
    if has_ends {
        button("start", tick > 0, "Go to the first tick.", seek(0));
    }
    button(
        "back",
        tick > 0,
        &state.tip("One tick back.", &[KeyCommand::StepBack]),
        UiCommand::Timeline(TimelineCommand::StepBack),
    );
    let (text, tip) = match state.paused {
        true => ("play", "Resume."),
        false => ("pause", "Pause."),
    };
    let tip = state.tip(tip, &[KeyCommand::Pause]);
    button(text, state.open, &tip, UiCommand::Pause(!state.paused));
    button(
        "next",
        state.paused,
        &state.tip("One tick forward, while paused.", &[KeyCommand::Step]),
        UiCommand::Step,
    );
    if !has_ends {
        return;
    }
    button(
        "end",
        tick < ticks,
        "Go to the last tick, where recording continues.",
        seek(ticks),
    );
    let slow = ui.selectable_label(state.slow, RichText::new("slow").small());
    let tip = state.tip("One fifth of normal speed.", &[KeyCommand::Slow]);
    if slow.with_tip(tip).clicked() {
        commands.push(UiCommand::Slow(!state.slow));
    }
}

/// The right end: save, status, time.
fn ends(ui: &mut egui::Ui, state: &UiState, width: f32, commands: &mut Vec<UiCommand>) {
    let Recorded {
        tick,
        ticks,
        is_written,
    } = state.recorded;
    let is_wide = width > WIDE;
    let name = if is_wide { "Save recording" } else { "Save" };
    let save = ui
        .add_enabled(state.open, egui::Button::new(name).small())
        .with_tip("Save the whole recording, with its level, to one file. It plays the same when opened here or with `breach replay`.");
    if save.clicked() {
        commands.push(UiCommand::Timeline(TimelineCommand::Save));
    }
    let is_narrow = width < NARROW;
    let (word, colour, tip) = match (is_written, tick < ticks) {
        (_, true) => (
            "past",
            theme::accent(ui),
            "This tick is in the past. What you do here replaces what came after; the old recording is kept as a file.",
        ),
        (true, false) => ("rec", theme::bad(ui), "Every tick is saved to a file."),
        (false, false) => (
            "not saved",
            theme::warn(ui),
            "The recording's file could not be written. It can still be saved from here.",
        ),
    };
    if state.open {
        ui.label(RichText::new(word).small().strong().color(colour))
            .with_tip(tip);
    }
    let text = match is_wide {
        true => format!("{} / {}  {}", time(tick), time(ticks), tick),
        false if is_narrow => time(tick),
        false => format!("{} / {}", time(tick), time(ticks)),
    };
    ui.label(RichText::new(text).monospace().size(11.0))
        .with_tip("Time shown, time recorded, and the tick shown; a tick is 1/60 s.");
}

fn slider(
    ui: &mut egui::Ui,
    recorded: Recorded,
    marks: &[TimelineMark],
    span: &mut Option<[u64; 2]>,
    commands: &mut Vec<UiCommand>,
) {
    let mut tick = recorded.tick;
    ui.spacing_mut().slider_width = (ui.available_width() - 12.0).max(40.0);
    let last = recorded.ticks.max(1);
    let slider =
        |ui: &mut egui::Ui| theme::slider(ui, &mut tick, 0..=last, |s| s.show_value(false));
    let has_ticks = recorded.ticks > 0;
    let moved = ui.add_enabled_ui(has_ticks, slider).inner;
    moved.widget_info(|| egui::WidgetInfo::slider(has_ticks, tick as f64, "tick shown"));
    let rail = rail(ui, moved.rect);
    if let Some(span) = span {
        let [from, to] = span.map(|tick| place(tick, rail, last));
        let band = egui::Rect::from_x_y_ranges(from..=to, moved.rect.y_range().shrink(MARK));
        let colour = theme::accent(ui).gamma_multiply(0.35);
        ui.painter().rect_filled(band, 2, colour);
    }
    draw_marks(ui, rail, moved.rect.top(), last, marks);
    let pointer = ui.input(|input| input.pointer.interact_pos());
    let pointed = pointer.filter(|at| moved.rect.contains(*at));
    let near = pointed.map_or(&[][..], |at| marks_near(marks, rail, last, at.x));
    let marks_span = ui.input(|input| input.modifiers.shift);
    if marks_span && moved.dragged() {
        let from = ui.input(|input| input.pointer.press_origin());
        let drag = from.zip(pointer);
        // A click takes the span away.
        let drag = drag.filter(|(from, to)| from.distance(*to) >= STILL);
        *span = drag.map(|(from, to)| {
            let [a, b] = [from, to].map(|at| tick_at(at.x, rail, last));
            [a.min(b), a.max(b)]
        });
    }
    let is_changed = moved.changed() && !marks_span;
    moved.with_tip(match near {
        [] => "Drag to any tick. Shift+drag marks a span for a clip.".into(),
        near => told(near),
    });
    if is_changed {
        let (is_used, from) = ui.input(|input| {
            let pointer = &input.pointer;
            let is_used = pointer.any_down() || pointer.any_released();
            (is_used, pointer.press_origin())
        });
        // A press and release within one frame leaves no press origin.
        let is_still = |at: Pos2| from.is_none_or(|from| from.distance(at) < STILL);
        let is_click = is_used && pointer.is_some_and(is_still);
        let x = pointer.map_or(0.0, |at| at.x);
        let mark = near
            .iter()
            .min_by(|a, b| away(a, rail, last, x).total_cmp(&away(b, rail, last, x)));
        let to = mark.filter(|_| is_click).map_or(tick, |mark| mark.tick);
        let to = to.min(recorded.ticks);
        // Holding the button on a mark seeks once.
        if to != recorded.tick {
            commands.push(UiCommand::Timeline(TimelineCommand::Seek(to)));
        }
    }
}

/// The x range from the first to the last tick: egui keeps half a handle free at both ends.
fn rail(ui: &egui::Ui, slider: egui::Rect) -> Rangef {
    let radius = slider.height() / 2.5;
    slider.x_range().shrink(match ui.visuals().handle_shape {
        HandleShape::Circle => radius,
        HandleShape::Rect { aspect_ratio } => radius * aspect_ratio,
    })
}

/// The x coordinate of a tick.
fn place(tick: u64, rail: Rangef, last: u64) -> f32 {
    rail.min + rail.span() * (tick as f64 / last as f64).min(1.0) as f32
}

/// The tick at an x coordinate.
fn tick_at(x: f32, rail: Rangef, last: u64) -> u64 {
    let part = ((x - rail.min) / rail.span().max(1.0)).clamp(0.0, 1.0);
    (f64::from(part) * last as f64).round() as u64
}

fn away(mark: &TimelineMark, rail: Rangef, last: u64, x: f32) -> f32 {
    (place(mark.tick, rail, last) - x).abs()
}

/// The marks near the pointer; marks are sorted by tick.
fn marks_near(marks: &[TimelineMark], rail: Rangef, last: u64, x: f32) -> &[TimelineMark] {
    let is_before = |mark: &TimelineMark, x: f32| place(mark.tick, rail, last) < x;
    let first = marks.partition_point(|mark| is_before(mark, x - NEAR));
    let end = marks.partition_point(|mark| is_before(mark, x + NEAR));
    &marks[first..end]
}

/// The tip of some marks: time and event, a line each.
fn told(marks: &[TimelineMark]) -> String {
    let line =
        |mark: &TimelineMark| format!("{}, tick {}: {}", time(mark.tick), mark.tick, mark.what);
    let mut lines: Vec<String> = marks.iter().take(LISTED).map(line).collect();
    if marks.len() > LISTED {
        lines.push(format!("and {} more", marks.len() - LISTED));
    }
    lines.join("\n")
}

/// Draws the marks over the rail, each kind with its own sign; overlapping marks of a kind are drawn once.
fn draw_marks(ui: &egui::Ui, rail: Rangef, top: f32, last: u64, marks: &[TimelineMark]) {
    let painter = ui.painter();
    for kind in [
        TimelineMarkKind::Change,
        TimelineMarkKind::Save,
        TimelineMarkKind::Branch,
    ] {
        let mut drawn = f32::NEG_INFINITY;
        for mark in marks.iter().filter(|mark| mark.kind == kind) {
            let x = place(mark.tick, rail, last);
            if x - drawn < 1.0 {
                continue;
            }
            drawn = x;
            let at = Pos2::new(x, top);
            match kind {
                TimelineMarkKind::Change => {
                    let stroke = Stroke::new(1.0, theme::accent(ui));
                    painter.line_segment([at, at + Vec2::Y * MARK], stroke);
                }
                TimelineMarkKind::Save => {
                    let square =
                        egui::Rect::from_center_size(at + Vec2::Y * MARK * 0.5, Vec2::splat(MARK));
                    painter.rect_filled(square, 0, theme::good(ui));
                }
                TimelineMarkKind::Branch => {
                    let corners = vec![
                        at + Vec2::new(-MARK * 0.7, 0.0),
                        at + Vec2::new(MARK * 0.7, 0.0),
                        at + Vec2::Y * MARK * 1.2,
                    ];
                    let colour = theme::warn(ui);
                    painter.add(egui::Shape::convex_polygon(corners, colour, Stroke::NONE));
                }
            }
        }
    }
}

/// A tick as minutes and seconds.
pub fn time(tick: u64) -> String {
    let secs = tick as f64 * TICK_SECS;
    format!(
        "{}:{:04.1}",
        (secs / 60.0).floor(),
        (secs % 60.0 * 10.0).floor() / 10.0
    )
}
