//! What a level is made of, and what is odd about it: a click on a warning flies there.
use super::theme::Tipped;
use super::{Shown, UiAction, theme, tree_panel};
use egui::RichText;

/// What the panel says of the open level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LevelReport {
    /// Name, value, and what it means.
    pub rows: Vec<(&'static str, String, &'static str)>,
    /// In the file's order.
    pub warnings: Vec<LevelWarning>,
}

/// Something that was mended or left out.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelWarning {
    /// Line of the file; 0: of none.
    pub line: u32,
    /// A sentence.
    pub text: String,
}

/// The panel has nothing to remember.
#[derive(Default)]
pub struct ReportPanel {}

impl ReportPanel {
    /// Draws the sections.
    pub fn ui(&mut self, ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
        let Some(report) = shown.report else {
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
                actions.push(UiAction::FlyToLine(*line));
            }
        }
        theme::section(ui, "STATISTICS");
        let again = ui.add_enabled(shown.open, egui::Button::new("Count again"));
        let tip =
            "The numbers below are from when the level was opened; count them again as it is now.";
        if again.with_tip(tip).clicked() {
            actions.push(UiAction::CountAgain);
        }
        tree_panel::value_grid(ui, "report", rows);
    }
}
