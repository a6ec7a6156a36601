//! A ray's traversal of the trees, bin by bin.
use super::theme::Tipped;
use super::{UiCommand, UiState, theme};
use crate::view::{BinResult, RayWalk};
use egui::RichText;

/// Steps listed before and after the current one.
const AROUND: usize = 5;

/// The section of the traversal, shown while there is one.
#[derive(Default)]
pub struct WalkPanel;

impl WalkPanel {
    /// Draws it, if there is a ray.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        let Some((walk, step)) = state.walk else {
            return;
        };
        theme::section(ui, "A RAY, BIN BY BIN");
        steps(ui, walk, step, commands);
    }
}

fn steps(ui: &mut egui::Ui, walk: &RayWalk, step: usize, commands: &mut Vec<UiCommand>) {
    let last = walk.steps.len().saturating_sub(1);
    ui.horizontal(|ui| {
        if ui.button("×").with_tip("Clear the ray.").clicked() {
            commands.push(UiCommand::TakeRay(false));
        }
        for (label, tip, to) in [
            ("|<", "First bin.", 0),
            ("<", "One bin back.", step.saturating_sub(1)),
            (">", "Next bin.", (step + 1).min(last)),
            (">|", "Go to the end.", last),
        ] {
            if ui.button(label).with_tip(tip).clicked() {
                commands.push(UiCommand::WalkTo(to));
            }
        }
        ui.label(RichText::new(format!("{} of {}", step + 1, last + 1)).color(theme::muted(ui)));
    });
    let first = step.saturating_sub(AROUND);
    let listed = walk.steps.iter().enumerate().skip(first);
    for (i, at) in listed.take(2 * AROUND + 1) {
        let (word, colour) = match at.result {
            BinResult::Missed => ("missed", theme::muted(ui)),
            BinResult::Behind => ("behind the hit", theme::muted(ui)),
            BinResult::Entered => ("entered", theme::good(ui)),
            BinResult::Tested => ("faces tested", theme::warn(ui)),
            BinResult::Hit => ("hit", theme::accent(ui)),
        };
        let indent = " ".repeat(at.level.min(12) as usize);
        let text = format!("{indent}room {} level {}: {word}", at.room, at.level);
        let mut text = RichText::new(text).monospace().size(10.5).color(colour);
        if i == step {
            text = text.strong().underline();
        }
        ui.add(egui::Label::new(text).truncate());
    }
}
