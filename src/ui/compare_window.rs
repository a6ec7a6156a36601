//! The recording under two settings: what each costs, as curves and as a table.
use super::{Shown, UiAction, theme};
use crate::compare::{Changes, Comparison, KEYS};
use egui::{Color32, RichText};
use egui_plot::{Line, Plot};

/// Questions that are asked often: a name, A and B.
const QUESTIONS: [(&str, &str, &str); 3] = [
    ("depth 8 or 12?", "depth=8", "depth=12"),
    ("buffer 0 or 2 cm?", "buffer=0", "buffer=0.02"),
    ("midpoint or SAH?", "split=midpoint", "split=sah"),
];
/// Height of the table, points.
const TABLE: f32 = 190.0;
/// In less than this, points, the spread stands under its median.
const WIDE: f32 = 690.0;

/// What is asked of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum CompareAction {
    /// Play the recording under these two settings, so many times each.
    Start([String; 2], u32),
    /// No more.
    Stop,
    /// Write what came out: a picture, else the curves as CSV.
    Write {
        /// PNG, not CSV.
        picture: bool,
    },
}

/// How far a comparison is.
#[derive(Clone, Copy, Debug, Default)]
pub enum Comparing<'a> {
    /// Nothing was asked.
    #[default]
    No,
    /// The part done, 0..=1.
    Running(f64),
    /// What came out.
    Done(&'a Comparison),
}

/// See the module's head.
pub struct CompareWindow {
    /// What stands in the two boxes.
    pub typed: [String; 2],
    passes: u32,
}

impl Default for CompareWindow {
    fn default() -> Self {
        Self {
            typed: [QUESTIONS[0].1.into(), QUESTIONS[0].2.into()],
            passes: 3,
        }
    }
}

impl CompareWindow {
    /// Draws the question, and the answer once there is one.
    pub fn ui(&mut self, ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
        self.question(ui, shown, actions);
        if let Comparing::Done(found) = shown.comparing {
            answer(ui, found, actions);
        }
    }

    fn question(&mut self, ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
        let Self { typed, passes } = self;
        ui.horizontal_wrapped(|ui| {
            for (name, a, b) in QUESTIONS {
                let tip = "Put this question into the boxes.";
                if ui.button(name).on_hover_text(tip).clicked() {
                    *typed = [a.into(), b.into()];
                }
            }
        });
        let keys: Vec<String> = KEYS
            .iter()
            .map(|(k, _, what)| format!("{k}: {what}"))
            .collect();
        let tip = format!(
            "Settings put over those of the recording, KEY=VALUE with commas; empty is as recorded.\n{}",
            keys.join("\n")
        );
        let mut wrong = None;
        ui.horizontal_wrapped(|ui| {
            for (side, text) in typed.iter_mut().enumerate() {
                theme::dot(ui, side_colours()[side]);
                ui.label(["A", "B"][side]);
                let edit = egui::TextEdit::singleline(text)
                    .hint_text("as recorded")
                    .desired_width(170.0);
                ui.add(edit).on_hover_text(&tip);
                wrong = wrong.take().or(Changes::parse(text).err());
            }
            let tip = "How often each side is played. More passes tell the machine's own noise from a difference.";
            ui.add(egui::DragValue::new(passes).range(1..=99).suffix(" passes"))
                .on_hover_text(tip);
            if let Comparing::Running(part) = shown.comparing {
                let stop = ui.button("Stop").on_hover_text("No comparison.");
                if stop.clicked() {
                    actions.push(UiAction::Compare(CompareAction::Stop));
                }
                ui.label(format!("{:.0} %", part * 100.0));
                return;
            }
            let can = wrong.is_none() && shown.recorded.ticks > 0;
            let tip = "Play the recording so far under A and under B, in turns, on a thread of its own.";
            let go = ui.add_enabled(can, egui::Button::new("Run"));
            if go.on_hover_text(tip).clicked() {
                actions.push(UiAction::Compare(CompareAction::Start(typed.clone(), *passes)));
            }
        });
        if let Some(why) = wrong {
            ui.colored_label(theme::warn(ui), why);
        }
    }
}

/// A's and B's.
fn side_colours() -> [Color32; 2] {
    crate::timing::SIDES.map(|[r, g, b]| Color32::from_rgb(r, g, b))
}

fn answer(ui: &mut egui::Ui, found: &Comparison, actions: &mut Vec<UiAction>) {
    let (text, colour) = match found.first_difference {
        None => (
            "Both come out the same, tick for tick.".into(),
            theme::good(ui),
        ),
        Some(tick) => (
            format!("The setting changes what happens: the first difference is after tick {tick}."),
            theme::warn(ui),
        ),
    };
    // In a narrow panel the sentence takes two lines, and the buttons come after it.
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(colour, text);
        for (name, picture, tip) in [
            ("CSV", false, "Write both curves, milliseconds by tick."),
            ("PNG", true, "Write curves and table as a picture."),
        ] {
            if ui.button(name).on_hover_text(tip).clicked() {
                actions.push(UiAction::Compare(CompareAction::Write { picture }));
            }
        }
    });
    let top = found.curves.iter().flatten().copied().fold(0.1, f32::max);
    Plot::new("comparison")
        .height(130.0)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .y_axis_min_width(40.0)
        .y_axis_formatter(|mark, _| format!("{:.1} ms", mark.value))
        .default_x_bounds(0.0, found.ticks.max(1) as f64)
        .default_y_bounds(0.0, f64::from(top))
        .show(ui, |plot| {
            plot.set_plot_bounds_x(0.0..=found.ticks.max(1) as f64);
            plot.set_plot_bounds_y(0.0..=f64::from(top));
            for ((curve, colour), name) in found.curves.iter().zip(side_colours()).zip(["A", "B"]) {
                let points: Vec<[f64; 2]> = curve
                    .iter()
                    .enumerate()
                    .map(|(tick, ms)| [tick as f64, f64::from(*ms)])
                    .collect();
                plot.line(
                    Line::new(name, points)
                        .color(colour)
                        .width(1.0)
                        .allow_hover(false),
                );
            }
        });
    let is_wide = ui.available_width() > WIDE;
    let height = if is_wide { TABLE } else { TABLE * 2.0 };
    egui::ScrollArea::both()
        .id_salt("comparison table")
        .max_height(height)
        .show(ui, |ui| table(ui, found, is_wide));
}

fn table(ui: &mut egui::Ui, found: &Comparison, is_wide: bool) {
    let small = |text: String| RichText::new(text).monospace().size(10.5);
    let muted = theme::muted(ui);
    let heads: &[&str] = match is_wide {
        true => &[
            "ms", "A p50", "spread", "B p50", "spread", "A p99", "B p99", "B/A",
        ],
        false => &[
            "ms",
            "A p50, spread",
            "B p50, spread",
            "A p99",
            "B p99",
            "B/A",
        ],
    };
    egui::Grid::new("comparison table")
        .num_columns(heads.len())
        .min_col_width(0.0)
        .spacing([12.0, 0.0])
        .min_row_height(13.0)
        .striped(true)
        .show(ui, |ui| {
            for head in heads {
                ui.label(small((*head).into()).color(muted));
            }
            ui.end_row();
            for row in &found.rows {
                let digits = if row.unit == "ms" { 3 } else { 0 };
                ui.label(small(row.what.into()));
                for side in row.p50 {
                    let median = small(format!("{:.digits$}", side.median));
                    let spread = format!("{:.digits$}-{:.digits$}", side.least, side.most);
                    let spread = small(spread).color(muted);
                    if is_wide {
                        ui.label(median);
                        ui.label(spread);
                    } else {
                        ui.vertical(|ui| {
                            ui.spacing_mut().item_spacing.y = 0.0;
                            ui.label(median);
                            ui.label(spread);
                        });
                    }
                }
                for side in row.p99 {
                    ui.label(small(format!("{:.digits$}", side.median)));
                }
                let [a, b] = row.p50.map(|side| side.median);
                let ratio = if a > 0.0 { b / a } else { 0.0 };
                ui.label(small(format!("{ratio:.2}")));
                ui.end_row();
            }
        });
}
