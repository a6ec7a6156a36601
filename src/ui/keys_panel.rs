//! The list of keys, from the table that the input uses; click one to change it.
use super::theme::Tipped;
use super::{KeyLine, UiCommand, UiState, theme};
use egui::RichText;

/// The list; it keeps no state.
#[derive(Default)]
pub struct KeysPanel {}

/// Minimum width of a column, and height of a row, points.
const WIDTH: f32 = 330.0;
const HEIGHT: f32 = 20.0;

impl KeysPanel {
    /// Draws the list in as many columns as fit.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        let columns = ((ui.available_width() / WIDTH) as usize).clamp(1, 3);
        let rows = state.keys.len().div_ceil(columns);
        // In a window too narrow for a column nothing is left.
        let width = (ui.available_width() / columns as f32 - 16.0).max(0.0);
        ui.horizontal(|ui| {
            let text = match state.rebinding {
                Some(command) => {
                    let line = state.keys.iter().find(|line| line.command == command);
                    let what = line.map_or("", |line| line.what);
                    format!("Press the new key for \u{201c}{what}\u{201d}; Esc leaves it as it is.")
                }
                None => "Click a key, then press the new one.".into(),
            };
            ui.label(RichText::new(text).color(theme::muted(ui)));
            let any = state.keys.iter().any(|line| line.is_changed);
            let all = ui.add_enabled(any, egui::Button::new("Reset keys"));
            if all.with_tip("Restore the default of every key.").clicked() {
                commands.push(UiCommand::ResetKeys);
            }
        });
        ui.add_space(4.0);
        ui.horizontal_top(|ui| {
            for part in state.keys.chunks(rows.max(1)) {
                ui.vertical(|ui| {
                    ui.set_width(width);
                    ui.spacing_mut().item_spacing.y = 1.0;
                    for line in part {
                        row(ui, state, line, commands);
                    }
                });
            }
        });
        let text = "Drop a file onto the window to open it (on Wayland, use the path box or Open…). Changed keys are saved in the settings file.";
        ui.label(RichText::new(text).small().color(theme::muted(ui)));
    }
}

fn row(ui: &mut egui::Ui, state: &UiState, line: &KeyLine, commands: &mut Vec<UiCommand>) {
    let size = egui::vec2(ui.available_width(), HEIGHT);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    ui.allocate_ui_with_layout(size, layout, |ui| {
        ui.set_height(HEIGHT);
        let is_asked = state.rebinding == Some(line.command) && line.can_change;
        let mut text = RichText::new(if is_asked { "…" } else { &line.key }).monospace();
        if line.is_changed {
            text = text.color(theme::accent(ui));
        }
        let size = egui::vec2(104.0, 18.0);
        if line.can_change {
            let button = egui::Button::selectable(is_asked, text).min_size(size);
            let tip = format!("Change the key for \u{201c}{}\u{201d}.", line.what);
            if ui.add_sized(size, button).with_tip(tip).clicked() {
                commands.push(UiCommand::Rebind((!is_asked).then_some(line.command)));
            }
        } else {
            ui.add_sized(size, egui::Label::new(text));
        }
        ui.add(egui::Label::new(RichText::new(line.what).color(theme::muted(ui))).truncate());
    });
}
