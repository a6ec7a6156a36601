//! The list of keys, from the same table that the input uses.
use super::{Shown, UiAction, theme};
use egui::RichText;

/// The list of keys.
#[derive(Default)]
pub struct HelpPanel {}

impl HelpPanel {
    /// Draws the window over the middle.
    pub fn ui(&mut self, ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
        let mut open = true;
        let half = shown.keys.len().div_ceil(2);
        egui::Window::new("Keys")
            .open(&mut open)
            .collapsible(false)
            .resizable(false)
            .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
            .show(ui.ctx(), |ui| {
                egui::Grid::new("keys").num_columns(4).spacing([14.0, 4.0]).striped(true).show(ui, |ui| {
                    for i in 0..half {
                        for row in [shown.keys.get(i), shown.keys.get(i + half)].into_iter().flatten() {
                            ui.label(RichText::new(row.0).monospace().strong().color(theme::ACCENT));
                            ui.label(row.1);
                        }
                        ui.end_row();
                    }
                });
                ui.add_space(4.0);
                ui.label(RichText::new("Files can be dropped onto the window; on Wayland use the path box or Open….").small().color(theme::MUTED));
            });
        if !open {
            actions.push(UiAction::ShowHelp(false));
        }
    }
}
