//! The object under the pointer or the crosshair, and the line of sight to the marked point.
use super::theme::Tipped;
use super::{Inspected, KeyCommand, UiCommand, UiState, theme};
use egui::RichText;

/// The panel; it keeps no state.
#[derive(Default)]
pub struct InspectWindow {}

impl InspectWindow {
    /// Draws the sections.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        theme::section(ui, "UNDER THE POINTER");
        match state.inspected {
            Some(found) if !found.title.is_empty() => under_pointer(ui, found),
            _ => {
                ui.label(RichText::new("nothing").color(theme::muted(ui)));
            }
        }
        theme::section(ui, "LINE OF SIGHT");
        line_of_sight(ui, state, commands);
    }
}

fn under_pointer(ui: &mut egui::Ui, found: &Inspected) {
    ui.label(RichText::new(&found.title).strong());
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        for (name, value) in &found.rows {
            ui.horizontal(|ui| {
                ui.label(RichText::new(*name).color(theme::muted(ui)));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    ui.add(egui::Label::new(RichText::new(value).monospace()).truncate());
                });
            });
        }
    });
    if !found.structure.is_empty() {
        ui.add(egui::Label::new(&found.structure).wrap());
    }
}

fn line_of_sight(ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
    let sight = state.inspected.and_then(|found| found.sight.as_ref());
    match sight {
        Some((is_clear, text)) => {
            ui.horizontal(|ui| {
                let colour = if *is_clear {
                    theme::good(ui)
                } else {
                    theme::warn(ui)
                };
                theme::dot(ui, colour);
                ui.add(egui::Label::new(text).wrap());
            });
            if ui
                .button("Clear the mark")
                .with_tip("Stop checking the line of sight.")
                .clicked()
            {
                commands.push(UiCommand::MarkSight);
            }
        }
        None => {
            let text = format!(
                "{} marks the point under the pointer. As you move, this shows whether the point is in sight, and which face or closed portal is in the way.",
                state.key(KeyCommand::MarkSight)
            );
            ui.label(RichText::new(text).small().color(theme::muted(ui)));
        }
    }
}
