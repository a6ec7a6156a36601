//! Modal dialogs: a failed assertion, a recording to recover, a pending confirmation.
use super::theme::Tipped;
use super::{Answer, Confirmation, KeyCommand, UiCommand, UiState, theme};
use crate::builtin::Origin;
use egui::{Id, Key, Modal, RichText};
use std::path::Path;

/// Widest text of a dialog, points.
const WIDEST: f32 = 440.0;

/// Draws the most urgent dialog.
pub fn ui(ui: &egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
    if let Some((what, report)) = state.fault {
        fault(ui, what, report, commands);
    } else if let Some((name, note)) = state.recover {
        recover(ui, name, note, commands);
    } else if let Some(confirmation) = state.confirmation {
        unsaved(ui, state, confirmation, commands);
    }
}

/// Whether a dialog is open.
pub fn is_open(state: &UiState) -> bool {
    state.fault.is_some() || state.recover.is_some() || state.confirmation.is_some()
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

/// Whether a key was pressed while no widget has the focus.
fn pressed(ui: &egui::Ui, key: Key) -> bool {
    let has_focus = ui.memory(|memory| memory.focused().is_some());
    !has_focus && ui.input(|input| input.key_pressed(key))
}

fn unsaved(
    ui: &egui::Ui,
    state: &UiState,
    confirmation: Confirmation,
    commands: &mut Vec<UiCommand>,
) {
    let level = state.level;
    let Confirmation {
        what,
        replace,
        saving,
        problem,
    } = confirmation;
    if let Some(path) = replace {
        let is_own = state.origin.and_then(Origin::path) == Some(path);
        return replaced(ui, level, path, is_own, commands);
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
                ("Save", save.as_str(), Answer::Save),
                (
                    "Don't save",
                    "The level file stays as it is.",
                    Answer::Discard,
                ),
                ("Cancel", "Stay in this level (Esc).", Answer::Cancel),
            ];
            for (name, tip, answer) in answers {
                let is_free = !saving || answer == Answer::Cancel;
                let button = ui.add_enabled(is_free, egui::Button::new(name));
                if button.with_tip(tip).clicked() {
                    commands.push(UiCommand::Confirm(answer));
                }
            }
        });
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            commands.push(UiCommand::Confirm(Answer::Cancel));
        } else if !saving && pressed(ui, Key::Enter) {
            commands.push(UiCommand::Confirm(Answer::Save));
        }
    });
}

/// `is_own`: it is the file that the level was opened from.
fn replaced(ui: &egui::Ui, level: &str, path: &Path, is_own: bool, commands: &mut Vec<UiCommand>) {
    dialog(ui, "Replace the file?", |ui| {
        let why = match is_own {
            true => "was changed by another program since it was opened",
            false => "already exists",
        };
        ui.label(format!("{} {why}.", path.display()));
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let tip = format!("Overwrite it with {level}. What it holds is lost.");
            if ui.button("Replace").with_tip(&tip).clicked() {
                commands.push(UiCommand::Confirm(Answer::Save));
            }
            let cancel = ui.button("Cancel").with_tip("Do not save (Esc).");
            if cancel.clicked() || ui.input(|input| input.key_pressed(Key::Escape)) {
                commands.push(UiCommand::Confirm(Answer::Cancel));
            }
        });
    });
}

fn recover(ui: &egui::Ui, name: &str, note: Option<&str>, commands: &mut Vec<UiCommand>) {
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
                commands.push(UiCommand::Recover(true));
            }
            let leave = ui
                .button("Start fresh")
                .with_tip("Leave the recording in its folder (Esc).");
            if leave.clicked() || ui.input(|input| input.key_pressed(Key::Escape)) {
                commands.push(UiCommand::Recover(false));
            }
        });
    });
}

/// A failed assertion: the level is closed, the recording that reproduces it is offered.
fn fault(ui: &egui::Ui, what: &str, report: Result<&Path, &str>, commands: &mut Vec<UiCommand>) {
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
                commands.push(UiCommand::Key(KeyCommand::Quit));
            }
        });
    });
}
