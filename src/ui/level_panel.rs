//! Files: open, save, save as, the path box, the list of levels.
use super::elide::{self, Keep};
use super::theme::Tipped;
use super::{KeyCommand, LevelEntry, UiCommand, UiState, theme};
use crate::builtin::Origin;
use egui::RichText;
use std::path::PathBuf;

/// Files and levels.
#[derive(Default)]
pub struct LevelPanel {
    /// The text of the path box.
    pub path: String,
}

impl LevelPanel {
    /// Draws the section.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        let Self { path } = self;
        theme::section(ui, "LEVEL");
        ui.horizontal(|ui| {
            let name = if state.level.is_empty() {
                "no level"
            } else {
                state.level
            };
            let rest = egui::Layout::right_to_left(egui::Align::Center);
            ui.with_layout(rest, |ui| {
                let [undo, redo] = state.history;
                for (text, steps, what, command, ui_command) in [
                    (
                        "Redo",
                        redo,
                        "Redo the last undone change",
                        KeyCommand::Redo,
                        UiCommand::Redo,
                    ),
                    (
                        "Undo",
                        undo,
                        "Undo the last change",
                        KeyCommand::Undo,
                        UiCommand::Undo,
                    ),
                ] {
                    let button = ui.add_enabled(steps > 0, egui::Button::new(text));
                    let tip = state.tip(&format!("{what}; {steps} left."), &[command]);
                    if button.with_tip(&tip).clicked() {
                        commands.push(ui_command);
                    }
                }
                if state.unsaved {
                    ui.label(RichText::new("unsaved").small().color(theme::warn(ui)))
                        .with_tip("The level has changed since it was last saved.");
                }
                let rest = egui::Layout::left_to_right(egui::Align::Center);
                ui.with_layout(rest, |ui| {
                    let font = egui::TextStyle::Heading.resolve(ui.style());
                    let name = elide::to(ui, name, font, ui.available_width(), Keep::Both);
                    let name = ui.label(RichText::new(name).heading().strong());
                    if let Some(origin) = state.origin {
                        name.with_tip(origin.full_path());
                    }
                });
            });
        });
        ui.horizontal(|ui| {
            let mut button = |text: &str, enabled: bool, tip: &str, ui_command: UiCommand| {
                if ui.add_enabled(enabled, egui::Button::new(text)).with_tip(tip).clicked() {
                    commands.push(ui_command);
                }
            };
            button("Open…", true, "Choose a .map level or a .breach recording. Files can also be dropped onto the window.", UiCommand::OpenDialog);
            button("Save", state.open, "Save the level with all its holes to its own file; a built-in level asks where. If saving fails, the old file stays intact.", UiCommand::Save);
            button("Save as…", state.open, "Save the level under another name.", UiCommand::SaveAsDialog);
            button("Reset", state.open, "Reload the level from its file. Unsaved changes are lost.", UiCommand::Reset);
        });
        ui.horizontal(|ui| {
            let buttons = 100.0;
            let edit = path_box(ui, path, ui.available_width() - buttons);
            let entered = edit.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
            let typed = !path.trim().is_empty();
            let open = ui
                .add_enabled(typed, egui::Button::new("Open"))
                .with_tip("Open the file at this path.");
            let save = ui
                .add_enabled(typed && state.open, egui::Button::new("Save"))
                .with_tip("Save the level to this path.");
            if (open.clicked() || entered) && typed {
                commands.push(UiCommand::Open(Origin::from_argument(path.trim().as_ref())));
            }
            if save.clicked() {
                commands.push(UiCommand::SaveAs(PathBuf::from(path.trim())));
            }
        });
        if state.dialog_waits {
            ui.label(
                RichText::new("No file dialog? Use the path box above.")
                    .small()
                    .color(theme::warn(ui)),
            );
        }
        self.list(ui, state, commands);
        if let Some(progress) = state.loading {
            ui.horizontal(|ui| {
                if ui
                    .button("Cancel")
                    .with_tip("Stop loading; the current level stays open.")
                    .clicked()
                {
                    commands.push(UiCommand::CancelLoading);
                }
                ui.add(egui::Spinner::new().size(14.0).color(theme::accent(ui)));
                ui.add(
                    egui::Label::new(RichText::new(progress).color(theme::accent(ui))).truncate(),
                );
            });
        }
    }

    fn list(&self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        let frame = egui::Frame::new()
            .fill(ui.visuals().extreme_bg_color)
            .corner_radius(4)
            .inner_margin(4);
        frame.show(ui, |ui| {
            // Down to the panel's end, but for the line of the level being opened.
            let below = if state.loading.is_some() { 34.0 } else { 10.0 };
            ui.set_height((ui.available_height() - below).max(84.0));
            egui::ScrollArea::vertical()
                .id_salt("levels")
                .auto_shrink(false)
                .show(ui, |ui| {
                    ui.spacing_mut().item_spacing.y = 1.0;
                    for entry in state.levels {
                        let chosen = state.origin.is_some_and(|open| open.is_same(&entry.origin));
                        if row(ui, entry, chosen).clicked() {
                            commands.push(UiCommand::Open(entry.origin.clone()));
                        }
                    }
                });
        });
    }
}

/// The file's name, and right-aligned its folder.
fn row(ui: &mut egui::Ui, entry: &LevelEntry, chosen: bool) -> egui::Response {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let small = egui::TextStyle::Small.resolve(ui.style());
    let width = ui.available_width() - 2.0 * ui.spacing().button_padding.x - 10.0;
    let place = elide::to(
        ui,
        &entry.origin.folder_name(),
        small,
        width * 0.4,
        Keep::Both,
    );
    let name = elide::to(ui, &entry.origin.file_name(), font, width * 0.6, Keep::Both);
    let place = RichText::new(place).small();
    let place = match chosen {
        true => place,
        false => place.color(theme::muted(ui)),
    };
    let wide = egui::vec2(ui.available_width(), 18.0);
    let button = egui::Button::selectable(chosen, (name, egui::Atom::grow(), place));
    let tip = match entry.recent {
        true => format!("Open {} (recent).", entry.origin.full_path()),
        false => format!("Open {}.", entry.origin.full_path()),
    };
    ui.add(button.min_size(wide)).with_tip(tip)
}

/// The editable path of the open file. Without the focus it shows the end of the path, which tells files apart.
fn path_box(ui: &mut egui::Ui, path: &mut String, width: f32) -> egui::Response {
    let id = ui.make_persistent_id("path to a level");
    let typing = ui.memory(|memory| memory.has_focus(id));
    let font = egui::TextStyle::Body.resolve(ui.style());
    let mut seen = match typing {
        true => path.clone(),
        false => elide::to(ui, path, font, width - 10.0, Keep::End),
    };
    let edit = egui::TextEdit::singleline(&mut seen)
        .id(id)
        .hint_text("path to a level")
        .desired_width(width);
    let tip = match path.is_empty() {
        true => "Type or paste a path; works where there is no file dialog.".to_owned(),
        false => format!("{path}\nType or paste a path: works where no file dialog does."),
    };
    let edit = ui.add(edit).with_tip(tip);
    if typing {
        *path = seen;
    }
    if edit.gained_focus() {
        // The cursor goes to the end of the full path, not of the elided one.
        let mut state = egui::TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
        let end = egui::text::CCursor::new(path.chars().count());
        let range = egui::text::CCursorRange::one(end);
        state.cursor.set_char_range(Some(range));
        state.store(ui.ctx(), id);
    }
    edit
}
