//! The recording under two settings: what each costs, as curves and as a table.
use super::theme::Tipped;
use super::{CompareCommand, Comparing, TimelineCommand, UiCommand, UiState, theme};
use crate::compare::{Comparison, KEYS, Overrides, Row, Spread};
use crate::sim::TICK_SECS;
use crate::timing::{LEAST_MS, axis, curves_top_ms};
use egui::{Color32, RichText};
use egui_plot::{GridMark, Line, Plot, VLine};

/// Common comparisons: a name, A and B.
const QUESTIONS: [(&str, &str, &str); 3] = [
    ("depth 8 or 12?", "depth=8", "depth=12"),
    ("buffer 0 or 2 cm?", "buffer=0", "buffer=0.02"),
    ("midpoint or SAH?", "split=midpoint", "split=sah"),
];
/// Minimum height of the table, and the gap between its columns, points.
const TABLE: f32 = 190.0;
const GAP: f32 = 12.0;
/// Height of a curve with its axis, and the minimum distance between the marks of an axis (x, y), points.
const CURVE: f32 = 104.0;
const MARKS: [f32; 2] = [80.0, 22.0];
/// The axis' share of that height, points.
const AXIS: f32 = 16.0;
/// The axis extends past the curve's end by this fraction.
const END: f64 = 0.04;
/// The table's columns, and which of them are the spread of the column before.
const HEADS: [&str; 8] = [
    "ms", "A p50", "spread", "B p50", "spread", "A p99", "B p99", "B/A",
];
const SPREADS: [usize; 2] = [2, 4];

/// The settings A and B, and the number of passes.
pub struct CompareWindow {
    /// The text of the two boxes.
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
    /// Draws the settings to compare, and the result once there is one.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        self.question(ui, state, commands);
        match state.comparing {
            Comparing::Done(found) => answer(ui, found, commands),
            Comparing::Running(_) => {}
            Comparing::No => {
                let text = "Run replays the recording so far under A and under B, then shows curves and a table here.";
                ui.label(RichText::new(text).color(theme::muted(ui)));
            }
        }
    }

    fn question(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        let Self { typed, passes } = self;
        ui.horizontal_wrapped(|ui| {
            for (name, a, b) in QUESTIONS {
                let tip = "Fill in A and B for this comparison.";
                if ui.button(name).with_tip(tip).clicked() {
                    *typed = [a.into(), b.into()];
                }
            }
        });
        let keys: Vec<String> = KEYS
            .iter()
            .map(|(k, _, what)| format!("{k}: {what}"))
            .collect();
        let tip = format!(
            "Settings that override the recording's: KEY=VALUE, separated by commas; leave empty for as recorded.\n{}",
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
                ui.add(edit).with_tip(&tip);
                wrong = wrong.take().or(Overrides::parse(text).err());
            }
            let tip = "How many times each side is played. More passes tell a real difference from noise.";
            ui.add(egui::DragValue::new(passes).range(1..=99).suffix(" passes"))
                .with_tip(tip);
            if let Comparing::Running(part) = state.comparing {
                let stop = ui.button("Stop").with_tip("Stop the comparison.");
                if stop.clicked() {
                    commands.push(UiCommand::Compare(CompareCommand::Stop));
                }
                ui.label(format!("{:.0} %", part * 100.0));
                return;
            }
            let can = wrong.is_none() && state.recorded.ticks > 0;
            let tip = "Replay the recording so far under A and B alternately, in the background.";
            let go = ui.add_enabled(can, egui::Button::new("Run"));
            if go.with_tip(tip).clicked() {
                commands.push(UiCommand::Compare(CompareCommand::Start(typed.clone(), *passes)));
            }
        });
        if let Some(why) = wrong {
            ui.colored_label(theme::warn(ui), why);
        }
    }
}

/// The colours of A and B.
fn side_colours() -> [Color32; 2] {
    crate::timing::SIDES.map(|[r, g, b]| Color32::from_rgb(r, g, b))
}

fn answer(ui: &mut egui::Ui, found: &Comparison, commands: &mut Vec<UiCommand>) {
    let (text, colour) = match found.first_difference {
        None => (
            "Both runs are identical, tick for tick.".into(),
            theme::good(ui),
        ),
        Some(tick) => (
            format!("The setting changes what happens: the runs first differ after tick {tick}."),
            theme::warn(ui),
        ),
    };
    // In a narrow panel the sentence wraps, and the buttons follow below.
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(colour, text);
        if let Some(tick) = found.first_difference {
            let tip = "Go to that tick of the recording; a line marks it on the curves.";
            if ui.button("Go there").with_tip(tip).clicked() {
                commands.push(UiCommand::Pause(true));
                commands.push(UiCommand::Timeline(TimelineCommand::Seek(tick)));
            }
        }
        for (name, picture, tip) in [
            (
                "CSV",
                false,
                "Save both curves as CSV: milliseconds per tick.",
            ),
            ("PNG", true, "Save the curves and the table as an image."),
        ] {
            if ui.button(name).with_tip(tip).clicked() {
                commands.push(UiCommand::Compare(CompareCommand::Write { picture }));
            }
        }
    });
    for side in 0..2 {
        curve(ui, found, side);
    }
    let text = "Time in the recording, 60 ticks a second. Both curves have the same scales.";
    ui.label(RichText::new(text).small().color(theme::muted(ui)));
    egui::ScrollArea::both()
        .id_salt("comparison table")
        .max_height(ui.available_height().max(TABLE))
        .show(ui, |ui| table(ui, found));
}

/// One side's milliseconds over time. Both sides share their scales.
fn curve(ui: &mut egui::Ui, found: &Comparison, side: usize) {
    let colour = side_colours()[side];
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 14.0;
        theme::dot(ui, colour);
        let settings = match found.settings[side].as_str() {
            "" => "as recorded",
            settings => settings,
        };
        let name = format!("{}: {settings}", ["A", "B"][side]);
        ui.add(egui::Label::new(RichText::new(name).small()).truncate());
    });
    let top_ms = curves_top_ms(&found.curves).max(LEAST_MS);
    let secs = found.ticks.max(1) as f64 * TICK_SECS;
    let ms_step = axis::round_step(top_ms * f64::from(MARKS[1] / (CURVE - AXIS)));
    let secs_step = axis::secs_step(secs * f64::from(MARKS[0] / ui.available_width().max(200.0)));
    let differs = theme::warn(ui);
    Plot::new(("comparison", side))
        .height(CURVE)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_grid([false, true])
        .show_x(false)
        .show_y(false)
        .y_axis_min_width(48.0)
        .y_axis_label(RichText::new("ms per tick").small())
        .y_grid_spacer(move |_| marks(top_ms, ms_step))
        .y_axis_formatter(move |mark, _| axis::rounded(mark.value, ms_step))
        .x_grid_spacer(move |_| marks(secs, secs_step))
        .x_axis_formatter(move |mark, _| axis::clock(mark.value, secs_step))
        .default_x_bounds(0.0, secs)
        .default_y_bounds(0.0, top_ms)
        .show(ui, |plot| {
            // Room for the last number of the axis.
            plot.set_plot_bounds_x(0.0..=secs * (1.0 + END));
            plot.set_plot_bounds_y(-0.04 * top_ms..=top_ms);
            let points: Vec<[f64; 2]> = found.curves[side]
                .iter()
                .enumerate()
                .map(|(tick, ms)| [tick as f64 * TICK_SECS, f64::from(*ms)])
                .collect();
            plot.line(
                Line::new(["A", "B"][side], points)
                    .color(colour)
                    .width(1.0)
                    .allow_hover(false),
            );
            if let Some(tick) = found.first_difference {
                plot.vline(
                    VLine::new("first difference", tick as f64 * TICK_SECS)
                        .color(differs)
                        .width(1.0)
                        .allow_hover(false),
                );
            }
        });
}

/// Marks of an axis from 0 to its end.
fn marks(end: f64, step: f64) -> Vec<GridMark> {
    let mark = |value| GridMark {
        value,
        step_size: step,
    };
    axis::marks(end, step).map(mark).collect()
}

/// Median, spread, rare ticks and ratio of each stage, right-aligned but for the name.
fn table(ui: &mut egui::Ui, found: &Comparison) {
    let font = egui::FontId::monospace(10.5);
    let rows: Vec<[String; 8]> = found.rows.iter().map(cells).collect();
    let letters = |column: usize| {
        let texts = rows.iter().map(|row| &row[column]);
        texts.map(String::len).fold(HEADS[column].len(), usize::max)
    };
    let letter = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
    let whole = (0..8).map(|column| letters(column) as f32 * letter + GAP);
    // In a narrow table the spread goes below its median.
    let is_wide = whole.sum::<f32>() < ui.available_width();
    let text = |text: &str, column: usize| {
        let width = match column {
            0 => 0,
            _ if is_wide || !SPREADS.contains(&(column + 1)) => letters(column),
            _ => letters(column + 1),
        };
        RichText::new(format!("{text:>width$}")).font(font.clone())
    };
    let muted = theme::muted(ui);
    egui::Grid::new("comparison table")
        .min_col_width(0.0)
        .spacing([GAP, 0.0])
        .min_row_height(13.0)
        .striped(true)
        .show(ui, |ui| {
            let head = HEADS.map(String::from);
            for (i, row) in std::iter::once(&head).chain(&rows).enumerate() {
                for column in 0..8 {
                    let is_spread = SPREADS.contains(&column);
                    if is_spread && !is_wide {
                        continue;
                    }
                    let cell = text(&row[column], column);
                    let cell = if i == 0 || is_spread {
                        cell.color(muted)
                    } else {
                        cell
                    };
                    if is_wide || !SPREADS.contains(&(column + 1)) {
                        ui.label(cell);
                        continue;
                    }
                    ui.vertical(|ui| {
                        ui.spacing_mut().item_spacing.y = 0.0;
                        ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
                        ui.label(cell);
                        ui.label(text(&row[column + 1], column + 1).color(muted));
                    });
                }
                ui.end_row();
            }
        });
}

/// The cells of a row.
fn cells(row: &Row) -> [String; 8] {
    let digits = if row.unit == "ms" { 3 } else { 0 };
    let number = |value: f64| format!("{value:.digits$}");
    let spread = |side: &Spread| format!("{}-{}", number(side.least), number(side.most));
    let ([a, b], [a99, b99]) = (&row.p50, &row.p99);
    let ratio = row.ratio().map_or("–".into(), |r| format!("{r:.2}"));
    [
        row.what.into(),
        number(a.median),
        spread(a),
        number(b.median),
        spread(b),
        number(a99.median),
        number(b99.median),
        ratio,
    ]
}
