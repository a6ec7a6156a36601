//! The recording as a strip: play, hold, step forth and back, slow motion, drag to any tick.
use super::theme::Tipped;
use super::{Does, Shown, UiAction, theme};
use crate::sim::TICK_SECS;
use egui::RichText;

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

/// See the module's head.
#[derive(Default)]
pub struct TimelinePanel {}

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
                slider(ui, shown.recorded, actions);
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
        button("start", tick > 0, "To the first tick.", seek(0));
    }
    button(
        "back",
        tick > 0,
        &shown.tip("One tick back.", &[Does::StepBack]),
        UiAction::Timeline(TimelineAction::StepBack),
    );
    let (text, tip) = match shown.paused {
        true => ("play", "Play on."),
        false => ("hold", "Hold."),
    };
    let tip = shown.tip(tip, &[Does::Pause]);
    button(text, shown.open, &tip, UiAction::Pause(!shown.paused));
    button(
        "next",
        shown.paused,
        &shown.tip("One tick on, while it holds.", &[Does::Step]),
        UiAction::Step,
    );
    if !has_ends {
        return;
    }
    button(
        "end",
        tick < ticks,
        "To the last tick: from there on it is recorded.",
        seek(ticks),
    );
    let slow = ui.selectable_label(shown.slow, RichText::new("slow").small());
    let tip = shown.tip("A fifth of real time.", &[Does::Slow]);
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
        .with_tip("Write all that was recorded to one file, the level inside: opened again, or played by `breach replay`, it shows the same.");
    if save.clicked() {
        actions.push(UiAction::Timeline(TimelineAction::Save));
    }
    let is_narrow = width < NARROW;
    let (word, colour, tip) = match (is_written, tick < ticks) {
        (_, true) => (
            "past",
            theme::accent(ui),
            "This has been recorded. What you do here happens instead of what came after; the old recording stays as a file.",
        ),
        (true, false) => ("rec", theme::bad(ui), "Every tick is written to a file."),
        (false, false) => (
            "not written",
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
        .with_tip("Shown, recorded; the tick shown, 1/60 s each.");
}

fn slider(ui: &mut egui::Ui, recorded: Recorded, actions: &mut Vec<UiAction>) {
    let mut tick = recorded.tick;
    ui.spacing_mut().slider_width = (ui.available_width() - 12.0).max(40.0);
    let last = recorded.ticks.max(1);
    let slider =
        |ui: &mut egui::Ui| theme::slider(ui, &mut tick, 0..=last, |s| s.show_value(false));
    let has_ticks = recorded.ticks > 0;
    let moved = ui.add_enabled_ui(has_ticks, slider).inner;
    moved.widget_info(|| egui::WidgetInfo::slider(has_ticks, tick as f64, "tick shown"));
    if moved.with_tip("Drag to any tick.").changed() {
        actions.push(UiAction::Timeline(TimelineAction::Seek(
            tick.min(recorded.ticks),
        )));
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
