//! What is under the pointer or the crosshair, in words; whether the marked point is in sight.
use super::theme::Tipped;
use super::{Does, Shown, UiAction, theme};
use egui::RichText;

/// What is under the pointer, in words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inspected {
    /// What it is.
    pub title: String,
    /// Name and value.
    pub rows: Vec<(&'static str, String)>,
    /// Whether the marked point is in sight, and what stands between.
    pub sight: Option<(bool, String)>,
}

/// The panel has nothing to remember.
#[derive(Default)]
pub struct InspectWindow {}

impl InspectWindow {
    /// Draws the sections.
    pub fn ui(&mut self, ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
        theme::section(ui, "UNDER THE POINTER");
        match shown.inspected {
            Some(found) if !found.title.is_empty() => under_pointer(ui, found),
            _ => {
                ui.label(RichText::new("nothing").color(theme::muted(ui)));
            }
        }
        theme::section(ui, "LINE OF SIGHT");
        line_of_sight(ui, shown, actions);
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
}

fn line_of_sight(ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
    let sight = shown.inspected.and_then(|found| found.sight.as_ref());
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
                actions.push(UiAction::MarkSight);
            }
        }
        None => {
            let text = format!(
                "{} marks the point under the pointer. As you move, this shows whether the point is in sight, and which face or closed portal is in the way.",
                shown.key(Does::MarkSight)
            );
            ui.label(RichText::new(text).small().color(theme::muted(ui)));
        }
    }
}
