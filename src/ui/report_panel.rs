//! Statistics of the level, and warnings; a click on a warning flies there.
use super::theme::Tipped;
use super::{LevelReport, LevelWarning, UiCommand, UiState, theme, tree_panel};
use egui::RichText;

/// The panel; it keeps no state.
#[derive(Default)]
pub struct ReportPanel {}

impl ReportPanel {
    /// Draws the sections.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        let Some(report) = state.report else {
            ui.label(RichText::new("no level is open").color(theme::muted(ui)));
            return;
        };
        let LevelReport { rows, warnings } = report;
        theme::section(ui, "WARNINGS");
        if warnings.is_empty() {
            ui.label(RichText::new("none").color(theme::muted(ui)));
        }
        for warning in warnings {
            let LevelWarning { line, text } = warning;
            if *line == 0 {
                ui.add(egui::Label::new(text).wrap());
                continue;
            }
            let button = egui::Button::new(format!("line {line}: {text}")).wrap();
            let button = button.min_size(egui::vec2(ui.available_width(), 18.0));
            let tip = "Fly to the brush or entity on this line.";
            if ui.add(button).with_tip(tip).clicked() {
                commands.push(UiCommand::FlyToLine(*line));
            }
        }
        theme::section(ui, "STATISTICS");
        let again = ui.add_enabled(state.open, egui::Button::new("Count again"));
        let tip =
            "The numbers below are from when the level was opened; count them again as it is now.";
        if again.with_tip(tip).clicked() {
            commands.push(UiCommand::CountAgain);
        }
        tree_panel::value_grid(ui, "report", rows);
    }
}
