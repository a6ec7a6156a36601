//! The recording as a strip: play, hold, step forth and back, slow motion, drag to any tick. Marks over it say when the
//! world was changed, the level saved, and where a branch began.
use super::theme::Tipped;
use super::{Does, Shown, UiAction, theme};
use crate::sim::TICK_SECS;
use egui::style::HandleShape;
use egui::{Pos2, Rangef, RichText, Stroke, Vec2};

/// What is asked of the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimelineAction {
    /// Show this tick.
    Seek(u64),
    /// One tick back.
    StepBack,
    /// Write the recording to a file of its own.
    Save,
}

/// The recording as it is now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The tick shown.
    pub tick: u64,
    /// Ticks recorded.
    pub ticks: u64,
    /// It is written to a file as it grows.
    pub is_written: bool,
}

/// What kind of event a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// The world was changed: a carve, a blast, a fill.
    Change,
    /// The level was saved to its file.
    Save,
    /// Somebody acted in the past: another recording begins here.
    Branch,
}

/// An event of the recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The first tick that shows it.
    pub tick: u64,
    /// What kind it is.
    pub kind: MarkKind,
    /// What happened, in words.
    pub what: String,
}

/// See the module's head.
#[derive(Default)]
pub struct TimelinePanel {}

/// A mark is under the pointer at so many points, and a click there goes to it.
const NEAR: f32 = 5.0;
/// The pointer moved farther than this drags, points.
const STILL: f32 = 3.0;
/// Height of a mark, points.
const MARK: f32 = 5.0;
/// A tip lists so many marks.
const LISTED: usize = 6;

/// In less than so many points it says less, in less than so many the least; it does not get narrower than the last.
const WIDE: f32 = 600.0;
const NARROW: f32 = 460.0;
const LEAST: f32 = 270.0;

impl TimelinePanel {
    /// Draws the row.
    pub fn ui(&mut self, ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
        let Self {} = self;
        // Narrower than it can be, it scrolls sideways.
        let width = ui.available_width().max(LEAST);
        ui.horizontal(|ui| {
            ui.set_min_width(width);
            buttons(ui, shown, width, actions);
            let rest = egui::Layout::right_to_left(egui::Align::Center);
            ui.with_layout(rest, |ui| {
                ends(ui, shown, width, actions);
                slider(ui, shown.recorded, shown.marks, actions);
            });
        });
    }
}

fn buttons(ui: &mut egui::Ui, shown: &Shown, width: f32, actions: &mut Vec<UiAction>) {
    let Recorded { tick, ticks, .. } = shown.recorded;
    let mut button = |text: &str, enabled: bool, tip: &str, action: UiAction| {
        let button = ui.add_enabled(enabled, egui::Button::new(RichText::new(text).small()));
        if button.with_tip(tip).clicked() {
            actions.push(action);
        }
    };
    let seek = |tick| UiAction::Timeline(TimelineAction::Seek(tick));
    // The slider's ends do the same.
    let has_ends = width > NARROW;
    if has_ends {
        button("start", tick > 0, "Go to the first tick.", seek(0));
    }
    button(
        "back",
        tick > 0,
        &shown.tip("One tick back.", &[Does::StepBack]),
        UiAction::Timeline(TimelineAction::StepBack),
    );
    let (text, tip) = match shown.paused {
        true => ("play", "Resume."),
        false => ("pause", "Pause."),
    };
    let tip = shown.tip(tip, &[Does::Pause]);
    button(text, shown.open, &tip, UiAction::Pause(!shown.paused));
    button(
        "next",
        shown.paused,
        &shown.tip("One tick forward, while paused.", &[Does::Step]),
        UiAction::Step,
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
    let slow = ui.selectable_label(shown.slow, RichText::new("slow").small());
    let tip = shown.tip("One fifth of normal speed.", &[Does::Slow]);
    if slow.with_tip(tip).clicked() {
        actions.push(UiAction::Slow(!shown.slow));
    }
}

/// From the right: saving, where it stands.
fn ends(ui: &mut egui::Ui, shown: &Shown, width: f32, actions: &mut Vec<UiAction>) {
    let Recorded {
        tick,
        ticks,
        is_written,
    } = shown.recorded;
    let is_wide = width > WIDE;
    let name = if is_wide { "Save recording" } else { "Save" };
    let save = ui
        .add_enabled(shown.open, egui::Button::new(name).small())
        .with_tip("Save the whole recording, with its level, to one file. It plays the same when opened here or with `breach replay`.");
    if save.clicked() {
        actions.push(UiAction::Timeline(TimelineAction::Save));
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
    if shown.open {
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

fn slider(ui: &mut egui::Ui, recorded: Recorded, marks: &[Mark], actions: &mut Vec<UiAction>) {
    let mut tick = recorded.tick;
    ui.spacing_mut().slider_width = (ui.available_width() - 12.0).max(40.0);
    let last = recorded.ticks.max(1);
    let slider =
        |ui: &mut egui::Ui| theme::slider(ui, &mut tick, 0..=last, |s| s.show_value(false));
    let has_ticks = recorded.ticks > 0;
    let moved = ui.add_enabled_ui(has_ticks, slider).inner;
    moved.widget_info(|| egui::WidgetInfo::slider(has_ticks, tick as f64, "tick shown"));
    let rail = rail(ui, moved.rect);
    draw_marks(ui, rail, moved.rect.top(), last, marks);
    let pointer = ui.input(|input| input.pointer.interact_pos());
    let pointed = pointer.filter(|at| moved.rect.contains(*at));
    let near = pointed.map_or(&[][..], |at| marks_near(marks, rail, last, at.x));
    let is_changed = moved.changed();
    moved.with_tip(match near {
        [] => "Drag to any tick.".into(),
        near => told(near),
    });
    if is_changed {
        let (is_used, from) = ui.input(|input| {
            let pointer = &input.pointer;
            let is_used = pointer.any_down() || pointer.any_released();
            (is_used, pointer.press_origin())
        });
        // Pressed and let go within a frame, it has no origin any more.
        let is_still = |at: Pos2| from.is_none_or(|from| from.distance(at) < STILL);
        let is_click = is_used && pointer.is_some_and(is_still);
        let x = pointer.map_or(0.0, |at| at.x);
        let mark = near
            .iter()
            .min_by(|a, b| away(a, rail, last, x).total_cmp(&away(b, rail, last, x)));
        let to = mark.filter(|_| is_click).map_or(tick, |mark| mark.tick);
        let to = to.min(recorded.ticks);
        // A button that is held on a mark asks for it once.
        if to != recorded.tick {
            actions.push(UiAction::Timeline(TimelineAction::Seek(to)));
        }
    }
}

/// Between the places of the first and the last tick: egui keeps half the handle free at both ends.
fn rail(ui: &egui::Ui, slider: egui::Rect) -> Rangef {
    let radius = slider.height() / 2.5;
    slider.x_range().shrink(match ui.visuals().handle_shape {
        HandleShape::Circle => radius,
        HandleShape::Rect { aspect_ratio } => radius * aspect_ratio,
    })
}

/// Where a tick is.
fn place(tick: u64, rail: Rangef, last: u64) -> f32 {
    rail.min + rail.span() * (tick as f64 / last as f64).min(1.0) as f32
}

fn away(mark: &Mark, rail: Rangef, last: u64, x: f32) -> f32 {
    (place(mark.tick, rail, last) - x).abs()
}

/// Those that a pointer there means; marks come in the order of ticks.
fn marks_near(marks: &[Mark], rail: Rangef, last: u64, x: f32) -> &[Mark] {
    let is_before = |mark: &Mark, x: f32| place(mark.tick, rail, last) < x;
    let first = marks.partition_point(|mark| is_before(mark, x - NEAR));
    let end = marks.partition_point(|mark| is_before(mark, x + NEAR));
    &marks[first..end]
}

/// When, and what happened, a line each.
fn told(marks: &[Mark]) -> String {
    let line = |mark: &Mark| format!("{}, tick {}: {}", time(mark.tick), mark.tick, mark.what);
    let mut lines: Vec<String> = marks.iter().take(LISTED).map(line).collect();
    if marks.len() > LISTED {
        lines.push(format!("and {} more", marks.len() - LISTED));
    }
    lines.join("\n")
}

/// Small signs over the rail, each kind in a form of its own; of many of a kind at one place one is drawn.
fn draw_marks(ui: &egui::Ui, rail: Rangef, top: f32, last: u64, marks: &[Mark]) {
    let painter = ui.painter();
    for kind in [MarkKind::Change, MarkKind::Save, MarkKind::Branch] {
        let mut drawn = f32::NEG_INFINITY;
        for mark in marks.iter().filter(|mark| mark.kind == kind) {
            let x = place(mark.tick, rail, last);
            if x - drawn < 1.0 {
                continue;
            }
            drawn = x;
            let at = Pos2::new(x, top);
            match kind {
                MarkKind::Change => {
                    let stroke = Stroke::new(1.0, theme::accent(ui));
                    painter.line_segment([at, at + Vec2::Y * MARK], stroke);
                }
                MarkKind::Save => {
                    let square =
                        egui::Rect::from_center_size(at + Vec2::Y * MARK * 0.5, Vec2::splat(MARK));
                    painter.rect_filled(square, 0, theme::good(ui));
                }
                MarkKind::Branch => {
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

/// Minutes and seconds.
pub fn time(tick: u64) -> String {
    let secs = tick as f64 * TICK_SECS;
    format!(
        "{}:{:04.1}",
        (secs / 60.0).floor(),
        (secs % 60.0 * 10.0).floor() / 10.0
    )
}
