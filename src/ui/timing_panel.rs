//! Frame timings: the last frames stacked by stage, percentiles, a line at each carve.
use super::theme::Tipped;
use super::{Counts, KeyCommand, TimelineCommand, UiCommand, UiState, WorstFrame, theme};
use crate::timing::{FRAMES_KEPT, Frame, Percentiles, Recorder, Stage, top_ms};
use egui::{Color32, RichText};
use egui_plot::{FilledArea, MarkerShape, Plot, PlotPoint, PlotPoints, Points, VLine};
use std::collections::VecDeque;

/// The table is refreshed every this many frames, so that it can be read.
const REFRESH_FRAMES: u32 = 20;

/// The stacked graph and its table.
#[derive(Default)]
pub struct TimingPanel {
    /// File name of recorded timings; empty means "timings".
    pub name: String,
    /// Length of a recording of timings, seconds; 0 for no limit.
    pub seconds: u32,
    until_refresh: u32,
    /// Name, stage (None for a GPU pass), percentiles.
    table: Vec<(String, Option<Stage>, Percentiles)>,
    /// GPU time of each pass, milliseconds, oldest first.
    passes: Vec<(&'static str, VecDeque<f32>)>,
    /// Top of the graph, milliseconds: grows at once, shrinks slowly, but at once to less than half.
    top_ms: f64,
}

impl TimingPanel {
    /// Draws the graph and its table.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        self.hear(state.pass_ms.as_deref().unwrap_or_default());
        self.refresh(state.recorder);
        ui.horizontal_top(|ui| {
            let table_width = 232.0;
            let graph_width = (ui.available_width() - table_width - 8.0).max(120.0);
            ui.vertical(|ui| {
                ui.set_width(graph_width);
                self.head(ui, state, commands);
                counts(ui, &state.counts);
                self.graph(ui, state.recorder);
            });
            ui.vertical(|ui| self.table(ui));
        });
    }

    fn hear(&mut self, pass_ms: &[(&'static str, f32)]) {
        // Another GPU may report none.
        self.passes.truncate(pass_ms.len());
        for (i, &(name, ms)) in pass_ms.iter().enumerate() {
            if i == self.passes.len() {
                self.passes.push((name, VecDeque::new()));
            }
            let kept = &mut self.passes[i].1;
            kept.push_back(ms);
            if kept.len() > FRAMES_KEPT {
                kept.pop_front();
            }
        }
    }

    fn refresh(&mut self, recorder: &Recorder) {
        if self.until_refresh > 0 {
            self.until_refresh -= 1;
            return;
        }
        self.until_refresh = REFRESH_FRAMES;
        self.table = vec![("frame".into(), None, recorder.whole())];
        let stages =
            Stage::ALL.map(|stage| (stage.name().into(), Some(stage), recorder.stage(stage)));
        self.table.extend(stages);
        let passes = self.passes.iter().map(|(name, kept)| {
            let of = Percentiles::from_samples(kept.iter().copied());
            (format!("gpu {name}"), None, of)
        });
        self.table.extend(passes);
    }

    fn graph(&mut self, ui: &mut egui::Ui, recorder: &Recorder) {
        let frames = recorder.frames();
        let top_ms = top_ms(frames) * 1.1;
        // The first frames take long: shrink at once after them.
        let is_far_off = top_ms < self.top_ms * 0.5;
        self.top_ms = if is_far_off {
            top_ms
        } else {
            top_ms.max(self.top_ms * 0.95)
        };
        let top_ms = self.top_ms;
        let first = FRAMES_KEPT.saturating_sub(frames.len()) as f64;
        let xs: Vec<f64> = (0..frames.len()).map(|i| first + i as f64).collect();
        let mut below = vec![0.0; frames.len()];
        let mut areas = Vec::with_capacity(Stage::COUNT);
        for stage in Stage::ALL {
            let own = frames.iter().map(|f| f64::from(f.own_ms[stage.index()]));
            let above: Vec<f64> = below.iter().zip(own).map(|(b, o)| b + o).collect();
            if above != below {
                areas.push(
                    FilledArea::new(stage.name(), &xs, &below, &above)
                        .fill_color(theme::stage(ui, stage))
                        .allow_hover(false),
                );
            }
            below = above;
        }
        let carves: Vec<f64> = frames
            .iter()
            .zip(&xs)
            .filter(|(f, _)| f.carves > 0)
            .map(|(_, &x)| x)
            .collect();
        let is_cut_off = |frame: &Frame| f64::from(frame.stacked_ms()) > top_ms;
        let cut_off: Vec<PlotPoint> = frames
            .iter()
            .zip(&xs)
            .filter(|(f, _)| is_cut_off(f))
            .map(|(_, &x)| PlotPoint::new(x, 0.96 * top_ms))
            .collect();
        let mark = theme::accent(ui);
        let plot = Plot::new("timing graph")
            .height(ui.available_height().max(80.0))
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .allow_double_click_reset(false)
            .show_x(false)
            .show_axes([false, true])
            .show_grid([false, true])
            .y_axis_min_width(34.0)
            .y_axis_formatter(|mark, _| format!("{:.0} ms", mark.value))
            .default_x_bounds(0.0, FRAMES_KEPT as f64)
            .default_y_bounds(0.0, top_ms)
            .show(ui, |plot| {
                plot.set_plot_bounds_x(0.0..=FRAMES_KEPT as f64);
                // Room for the lowest number of the axis.
                plot.set_plot_bounds_y(-0.04 * top_ms..=top_ms);
                for area in areas {
                    plot.add(area);
                }
                for x in carves {
                    plot.vline(
                        VLine::new("carve", x)
                            .color(mark)
                            .width(1.0)
                            .allow_hover(false),
                    );
                }
                // Dark under light, visible on any bar.
                for (radius, colour) in [(6.0, Color32::BLACK), (4.0, Color32::WHITE)] {
                    plot.points(
                        Points::new("clipped", PlotPoints::Borrowed(&cut_off))
                            .shape(MarkerShape::Up)
                            .radius(radius)
                            .color(colour)
                            .allow_hover(false),
                    );
                }
            });
        // A tooltip lists the stages of the frame under the pointer.
        if let Some(at) = plot.response.hover_pos() {
            let column = plot.transform.value_from_position(at).x - first;
            if let Some(frame) = frames
                .get(column.max(0.0) as usize)
                .filter(|_| column >= 0.0)
            {
                egui::Popup::from_response(&plot.response)
                    .kind(egui::PopupKind::Tooltip)
                    .at_pointer()
                    .gap(12.0)
                    .show(|ui| costs(ui, frame));
            }
        }
    }

    fn head(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        let title = format!("LAST {FRAMES_KEPT} FRAMES");
        let on = state.recorder.is_recording();
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 5.0;
            ui.label(RichText::new(title).small().strong().color(theme::accent(ui)))
                .with_tip("Each frame's time, stacked by stage; a line marks a carve. Frames longer than five times the 90th percentile are clipped and marked with a triangle. In the table, outer stages include inner ones.");
            self.worst(ui, state, commands);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui.button("PNG").with_tip("Save the graph and the table as an image.").clicked() {
                    commands.push(UiCommand::ScreenshotTimings);
                }
                let text = if on { RichText::new("Stop and save").color(theme::bad(ui)) } else { RichText::new("Record") };
                let tip = "Record every frame; stopping saves a CSV file and a Chrome trace.";
                let tip = state.tip(tip, &[KeyCommand::RecordTimings]);
                if ui.button(text).with_tip(tip).clicked() {
                    commands.push(UiCommand::RecordTimings(!on));
                }
                /// Width of name and length, points; with less room they would cover the worst frame.
                const ROOM: f32 = 80.0;
                if on || ui.available_width() < ROOM {
                    return;
                }
                let length = egui::DragValue::new(&mut self.seconds).range(0..=3600);
                let length = length.custom_formatter(|secs, _| match secs {
                    0.0 => "no limit".into(),
                    _ => format!("{secs:.0} s"),
                });
                ui.add(length).with_tip("How long to record, seconds; 0 for no limit.");
                let name = egui::TextEdit::singleline(&mut self.name).hint_text("timings").desired_width(64.0);
                ui.add(name).with_tip("Name of the files.");
            });
        });
    }

    fn worst(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        let (held, worst) = state.worst;
        let tip = "Hold the worst frame from now on, with the work it had to do.";
        if ui
            .selectable_label(held, RichText::new("freeze worst").small())
            .with_tip(tip)
            .clicked()
        {
            commands.push(UiCommand::FreezeWorst(!held));
        }
        if let Some(worst) = worst {
            let text = RichText::new(format!("{:.1} ms", worst.frame.whole_ms)).small();
            let button = ui.add(egui::Button::new(text.color(theme::warn(ui))).small());
            if button.on_hover_ui(|ui| worst_tip(ui, worst)).clicked() {
                commands.push(UiCommand::Pause(true));
                commands.push(UiCommand::Timeline(TimelineCommand::Seek(worst.tick)));
            }
        }
    }

    fn table(&self, ui: &mut egui::Ui) {
        ui.spacing_mut().item_spacing.y = 0.0;
        let small = |text: String| RichText::new(text).monospace().size(10.0);
        egui::Grid::new("timing table")
            .num_columns(5)
            .min_col_width(0.0)
            .spacing([7.0, 0.0])
            .min_row_height(12.0)
            .striped(false)
            .show(ui, |ui| {
                for head in ["", "ms", "    p50", "    p95", "    max"] {
                    ui.label(small(head.into()).color(theme::muted(ui)));
                }
                ui.end_row();
                for (name, stage, of) in &self.table {
                    dot(ui, stage.map_or(PASS, |stage| theme::stage(ui, stage)));
                    ui.label(small(name.clone()));
                    for ms in [of.p50_ms, of.p95_ms, of.max_ms] {
                        ui.label(small(format!("{ms:7.2}")));
                    }
                    ui.end_row();
                }
            });
    }
}

/// Colour of the whole frame and of GPU passes, which are not in the graph.
const PASS: Color32 = Color32::from_rgb(200, 200, 210);

/// The colour of a row.
fn dot(ui: &mut egui::Ui, colour: Color32) {
    let (dot, _) = ui.allocate_exact_size(egui::vec2(8.0, 8.0), egui::Sense::hover());
    ui.painter().rect_filled(dot, 2, colour);
}

/// The work of the frame.
fn counts(ui: &mut egui::Ui, counts: &Counts) {
    let text = format!(
        "{} rooms, {} triangles drawn; {} bins visited; {} bodies, {} awake",
        counts.rooms_drawn,
        counts.triangles_drawn,
        counts.bins_visited,
        counts.bodies,
        counts.bodies_awake
    );
    let text = match counts.checked {
        [0, 0, 0] => text,
        _ => format!("{text}; {}", checked_words(counts.checked)),
    };
    let text = RichText::new(text).small().color(theme::muted(ui));
    ui.add(egui::Label::new(text).truncate());
}

/// A frame's stages by name, the longest first.
fn costs(ui: &mut egui::Ui, frame: &Frame) {
    let small = |text: String| RichText::new(text).monospace().size(10.5);
    ui.label(small(format!("frame {}  {:.2} ms", frame.number, frame.whole_ms)).strong());
    if frame.carves > 0 {
        ui.label(small(theme::counted(frame.carves as usize, "carve")).color(theme::accent(ui)));
    }
    let mut stages: Vec<Stage> = Stage::ALL.into_iter().collect();
    stages.sort_by(|a, b| frame.own_ms[b.index()].total_cmp(&frame.own_ms[a.index()]));
    for stage in stages.into_iter().filter(|s| frame.own_ms[s.index()] > 0.0) {
        let text = format!("{:<11}{:7.3} ms", stage.name(), frame.own_ms[stage.index()]);
        ui.horizontal(|ui| {
            dot(ui, theme::stage(ui, stage));
            ui.label(small(text));
        });
    }
    let rest = frame.whole_ms - frame.stacked_ms();
    let text = format!("{:<11}{rest:7.3} ms", "other");
    ui.horizontal(|ui| {
        dot(ui, Color32::TRANSPARENT);
        ui.label(small(text).color(theme::muted(ui)));
    });
}

fn checked_words([blocks, bonds, breaks]: [usize; 3]) -> String {
    format!("{blocks} blocks, {bonds} sections checked, {breaks} broke")
}

fn worst_tip(ui: &mut egui::Ui, worst: &WorstFrame) {
    costs(ui, &worst.frame);
    let WorstFrame { tick, counts, .. } = worst;
    let small = |text: String| RichText::new(text).monospace().size(10.5);
    for text in [
        format!("tick {tick}"),
        format!(
            "{} rooms, {} triangles drawn",
            counts.rooms_drawn, counts.triangles_drawn
        ),
        format!("{} bodies, {} awake", counts.bodies, counts.bodies_awake),
        format!("{} bins visited", counts.bins_visited),
        checked_words(counts.checked),
    ] {
        ui.label(small(text));
    }
    ui.label(small("Click to go to that tick.".into()).color(theme::muted(ui)));
}
