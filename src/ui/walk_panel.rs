//! A ray walked node by node: take it, step through it, and see the tree beside it.
use super::{Shown, UiAction, theme};
use crate::view::{Found, RayWalk};
use egui::RichText;

/// Steps listed before and after the present one.
const AROUND: usize = 7;

/// The buttons and the list of steps.
#[derive(Default)]
pub struct WalkPanel;

impl WalkPanel {
    /// Draws the section.
    pub fn ui(&mut self, ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
        theme::section(ui, "A RAY, BIN BY BIN");
        ui.horizontal(|ui| {
            let take = ui.button("take the crosshair's ray");
            if take
                .on_hover_text(
                    "Keeps the ray under the crosshair and lists every bin that it looks at.",
                )
                .clicked()
            {
                actions.push(UiAction::TakeRay(true));
            }
            let drop = ui.add_enabled(shown.walk.is_some(), egui::Button::new("drop"));
            if drop.on_hover_text("Forgets the ray.").clicked() {
                actions.push(UiAction::TakeRay(false));
            }
        });
        if let Some((walk, step)) = shown.walk {
            steps(ui, walk, step, actions);
        }
    }
}

fn steps(ui: &mut egui::Ui, walk: &RayWalk, step: usize, actions: &mut Vec<UiAction>) {
    let last = walk.steps.len().saturating_sub(1);
    ui.horizontal(|ui| {
        for (label, tip, to) in [
            ("|<", "First bin.", 0),
            ("<", "One bin back.", step.saturating_sub(1)),
            (">", "Next bin.", (step + 1).min(last)),
            (">|", "To the end.", last),
        ] {
            if ui.button(label).on_hover_text(tip).clicked() {
                actions.push(UiAction::WalkTo(to));
            }
        }
        ui.label(RichText::new(format!("{} of {}", step + 1, last + 1)).color(theme::MUTED));
    });
    let first = step.saturating_sub(AROUND);
    for (i, at) in walk
        .steps
        .iter()
        .enumerate()
        .skip(first)
        .take(2 * AROUND + 1)
    {
        let (word, colour) = match at.found {
            Found::Missed => ("missed", theme::MUTED),
            Found::Behind => ("behind the hit", theme::MUTED),
            Found::Entered => ("entered", theme::GOOD),
            Found::Tested => ("faces tested", theme::WARN),
            Found::Hit => ("hit", theme::ACCENT),
        };
        let indent = "  ".repeat(at.level.min(16) as usize);
        let text = format!("{indent}room {} level {}: {word}", at.room, at.level);
        let mut text = RichText::new(text).monospace().size(10.5).color(colour);
        if i == step {
            text = text.strong().underline();
        }
        ui.label(text);
    }
}
