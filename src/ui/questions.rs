//! Dialogs that must be answered before anything else. Nothing behind them is seen clearly or can be clicked.
use super::theme::Tipped;
use super::{Does, Shown, UiAction, UnsavedShown, theme};
use egui::{Id, Key, Modal, RichText};
use std::path::Path;

/// Widest text of a dialog, points.
const WIDEST: f32 = 440.0;

/// Draws the gravest question that is open.
pub fn ui(ui: &egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
    if let Some((what, report)) = shown.fault {
        fault(ui, what, report, actions);
    } else if let Some((name, note)) = shown.recover {
        recover(ui, name, note, actions);
    } else if let Some(question) = shown.unsaved_question {
        unsaved(ui, shown.level, question, actions);
    }
}

/// Whether a question is open.
pub fn is_open(shown: &Shown) -> bool {
    shown.fault.is_some() || shown.recover.is_some() || shown.unsaved_question.is_some()
}

fn dialog(ui: &egui::Ui, title: &str, add: impl FnOnce(&mut egui::Ui)) {
    let frame = egui::Frame::popup(ui.style()).inner_margin(14);
    let dialog = Modal::new(Id::unique("question")).frame(frame);
    dialog.show(ui.ctx(), |ui| {
        ui.set_max_width(WIDEST.min(ui.ctx().content_rect().width() - 48.0));
        ui.label(RichText::new(title).heading().strong());
        ui.add_space(6.0);
        add(ui);
    });
}

/// Whether a key was pressed that no button has taken.
fn pressed(ui: &egui::Ui, key: Key) -> bool {
    let has_focus = ui.memory(|memory| memory.focused().is_some());
    !has_focus && ui.input(|input| input.key_pressed(key))
}

fn unsaved(ui: &egui::Ui, level: &str, question: UnsavedShown, actions: &mut Vec<UiAction>) {
    let UnsavedShown {
        what,
        replace,
        saving,
        problem,
    } = question;
    if let Some(path) = replace {
        return replaced(ui, level, path, actions);
    }
    dialog(ui, &format!("Save the changes to {level}?"), |ui| {
        ui.label(format!(
            "They are in no level file yet. If you {what} without saving, only the recording keeps them."
        ));
        if let Some(problem) = problem {
            ui.colored_label(theme::bad(ui), problem);
        }
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            if saving {
                ui.spinner();
                ui.label("Saving…");
            }
            let save = format!("Save the level, then {what} (Enter).");
            let answers = [
                ("Save", save.as_str(), Some(true)),
                ("Don't save", "The level file stays as it is.", Some(false)),
                ("Cancel", "Stay in this level (Esc).", None),
            ];
            for (name, tip, answer) in answers {
                let is_free = !saving || answer.is_none();
                let button = ui.add_enabled(is_free, egui::Button::new(name));
                if button.with_tip(tip).clicked() {
                    actions.push(UiAction::Unsaved(answer));
                }
            }
        });
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            actions.push(UiAction::Unsaved(None));
        } else if !saving && pressed(ui, Key::Enter) {
            actions.push(UiAction::Unsaved(Some(true)));
        }
    });
}

fn replaced(ui: &egui::Ui, level: &str, path: &Path, actions: &mut Vec<UiAction>) {
    dialog(ui, "Replace the file?", |ui| {
        ui.label(format!("{} already exists.", path.display()));
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let tip = format!("Overwrite it with {level}. What it holds is lost.");
            if ui.button("Replace").with_tip(&tip).clicked() {
                actions.push(UiAction::Unsaved(Some(true)));
            }
            let cancel = ui.button("Cancel").with_tip("Do not save (Esc).");
            if cancel.clicked() || ui.input(|input| input.key_pressed(Key::Escape)) {
                actions.push(UiAction::Unsaved(None));
            }
        });
    });
}

fn recover(ui: &egui::Ui, name: &str, note: Option<&str>, actions: &mut Vec<UiAction>) {
    dialog(ui, "Continue where the last run stopped?", |ui| {
        ui.label("Breach did not close properly. The recording of that run is complete:");
        ui.label(RichText::new(name).monospace().color(theme::accent(ui)));
        if let Some(note) = note {
            ui.colored_label(theme::warn(ui), format!("It was {note}."));
        }
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let go_on = ui.button("Continue").with_tip(
                "Replay the recording up to its last tick and play on from there (Enter).",
            );
            if go_on.clicked() || pressed(ui, Key::Enter) {
                actions.push(UiAction::Recover(true));
            }
            let leave = ui
                .button("Start fresh")
                .with_tip("Leave the recording in its folder (Esc).");
            if leave.clicked() || ui.input(|input| input.key_pressed(Key::Escape)) {
                actions.push(UiAction::Recover(false));
            }
        });
    });
}

/// The level is closed: what is left is to keep what shows the fault.
fn fault(ui: &egui::Ui, what: &str, report: Result<&Path, &str>, actions: &mut Vec<UiAction>) {
    dialog(ui, "Breach has failed", |ui| {
        ui.label("An internal check failed. The level was closed, because it may be half changed:");
        ui.label(RichText::new(what).monospace());
        ui.add_space(6.0);
        let path = report.map(|path| path.display().to_string());
        match &path {
            Ok(path) => {
                ui.label(
                    "This recording reproduces the fault. Please attach it to your bug report:",
                );
                ui.label(RichText::new(path).monospace().color(theme::accent(ui)));
            }
            Err(why) => {
                ui.label(format!("The recording could not be saved: {why}."));
            }
        }
        ui.label("At the next start you can continue from just before the fault.");
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            if let Ok(path) = path
                && ui
                    .button("Copy path")
                    .with_tip("Copy the recording's path to the clipboard.")
                    .clicked()
            {
                ui.ctx().copy_text(path);
            }
            if ui.button("Quit").with_tip("Close Breach.").clicked() {
                actions.push(UiAction::Press(Does::Quit));
            }
        });
    });
}
