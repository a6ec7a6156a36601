//! The list of keys, from the same table that the input uses.
use super::{Shown, UiAction, theme};
use egui::RichText;

/// The list of keys.
#[derive(Default)]
pub struct HelpPanel {}

impl HelpPanel {
    /// Draws the window over the middle.
    pub fn ui(&mut self, ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
        let half = shown.keys.len().div_ceil(2);
        let area = egui::Area::new(egui::Id::unique("keys")).order(egui::Order::Foreground);
        area.anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0]).show(ui.ctx(), |ui| {
            theme::card().inner_margin(14).show(ui, |ui| {
                ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
                ui.label(RichText::new("KEYS").strong().color(theme::ACCENT));
                ui.add_space(4.0);
                egui::Grid::new("keys").num_columns(4).spacing([14.0, 4.0]).show(ui, |ui| {
                    for i in 0..half {
                        for row in [shown.keys.get(i), shown.keys.get(i + half)].into_iter().flatten() {
                            ui.label(RichText::new(row.0).monospace().strong());
                            ui.label(RichText::new(row.1).color(theme::MUTED));
                        }
                        ui.end_row();
                    }
                });
                ui.add_space(6.0);
                ui.horizontal(|ui| {
                    if ui.button("Close").on_hover_text("F1 or Esc does it too.").clicked() {
                        actions.push(UiAction::ShowHelp(false));
                    }
                    let text = "Files can be dropped onto the window; on Wayland use the path box or Open….";
                    ui.label(RichText::new(text).small().color(theme::MUTED));
                });
            });
        });
    }
}
