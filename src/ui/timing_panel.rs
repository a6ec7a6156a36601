//! Where the time goes: the last frames stacked by stage, percentiles, a mark where a carve fell.
use super::{Shown, UiAction, theme};
use crate::timing::{FRAMES_KEPT, Percentiles, Recorder, Stage};
use egui::{Color32, RichText};
use egui_plot::{FilledArea, Plot, VLine};

/// Height of the strip, points.
const HEIGHT: f32 = 206.0;
/// The table is read, not watched: it is refreshed every so many frames.
const REFRESH_FRAMES: u32 = 20;

/// The stacked graph and its table.
#[derive(Default)]
pub struct TimingPanel {
    until_refresh: u32,
    table: Vec<(&'static str, Color32, Percentiles)>,
    /// Top of the graph, milliseconds: grows at once, shrinks slowly.
    top_ms: f64,
}

impl TimingPanel {
    /// Draws the strip at the bottom.
    pub fn ui(&mut self, ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
        let frame = egui::Frame::new()
            .fill(theme::SLATE)
            .inner_margin(egui::Margin::symmetric(10, 6));
        egui::Panel::bottom("timings")
            .resizable(false)
            .exact_size(HEIGHT)
            .frame(frame)
            .show(ui, |ui| {
                self.refresh(shown.recorder);
                ui.horizontal_top(|ui| {
                    let table_width = 232.0;
                    let graph_width = (ui.available_width() - table_width - 8.0).max(120.0);
                    ui.vertical(|ui| {
                        ui.set_width(graph_width);
                        head(ui, shown, actions);
                        self.graph(ui, shown.recorder);
                    });
                    ui.vertical(|ui| self.table(ui));
                });
            });
    }

    fn refresh(&mut self, recorder: &Recorder) {
        if self.until_refresh > 0 {
            self.until_refresh -= 1;
            return;
        }
        self.until_refresh = REFRESH_FRAMES;
        self.table = vec![("frame", Color32::WHITE, recorder.whole())];
        self.table
            .extend(Stage::ALL.map(|stage| (stage.name(), colour(stage), recorder.stage(stage))));
    }

    fn graph(&mut self, ui: &mut egui::Ui, recorder: &Recorder) {
        let frames = recorder.frames();
        let highest = frames
            .iter()
            .map(|f| f.own_ms.iter().sum::<f32>())
            .fold(1.0, f32::max);
        self.top_ms = f64::from(highest * 1.1).max(self.top_ms * 0.99);
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
                        .fill_color(colour(stage))
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
        Plot::new("timing graph")
            .height(ui.available_height())
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
                plot.set_plot_bounds_y(0.0..=top_ms);
                for area in areas {
                    plot.add(area);
                }
                for x in carves {
                    plot.vline(
                        VLine::new("carve", x)
                            .color(theme::ACCENT)
                            .width(1.0)
                            .allow_hover(false),
                    );
                }
            });
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
                    ui.label(small(head.into()).color(theme::MUTED));
                }
                ui.end_row();
                for (name, colour, of) in &self.table {
                    let (dot, _) =
                        ui.allocate_exact_size(egui::vec2(8.0, 8.0), egui::Sense::hover());
                    ui.painter().rect_filled(dot, 2, *colour);
                    ui.label(small((*name).into()));
                    for ms in [of.p50_ms, of.p95_ms, of.max_ms] {
                        ui.label(small(format!("{ms:7.2}")));
                    }
                    ui.end_row();
                }
            });
    }
}

fn head(ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("LAST 300 FRAMES").small().strong().color(theme::ACCENT))
            .on_hover_text("Each frame's time by stage, stacked; a line marks a carve. The table counts inner stages into outer ones.");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("×").on_hover_text("Hide the graph (F3).").clicked() {
                actions.push(UiAction::ShowTimings(false));
            }
            let on = shown.recorder.is_recording();
            let text = if on { RichText::new("Stop and write").color(theme::BAD) } else { RichText::new("Record") };
            let tip = "Keep every frame; stopping writes a CSV file and a Chrome trace (F9).";
            if ui.button(text).on_hover_text(tip).clicked() {
                actions.push(UiAction::RecordTimings(!on));
            }
        });
    });
}

/// A colour for each stage: warm for the carve and its phases, cool for the rest.
fn colour(stage: Stage) -> Color32 {
    let [r, g, b] = match stage {
        Stage::Step => [92, 142, 214],
        Stage::Carve => [214, 69, 65],
        Stage::Clip => [235, 110, 60],
        Stage::Merge => [243, 150, 62],
        Stage::Conform => [247, 188, 80],
        Stage::Islands => [226, 214, 100],
        Stage::Portals => [204, 120, 160],
        Stage::Bins => [178, 92, 196],
        Stage::Debris => [110, 190, 120],
        Stage::Visibility => [70, 188, 180],
        Stage::Upload => [96, 210, 230],
        Stage::Draw => [120, 128, 150],
        Stage::Panel => [76, 82, 100],
    };
    Color32::from_rgb(r, g, b)
}
