//! The menu bar: commands that have keys, and the panels.
use super::dock::Dock;
use super::panel_list::{PANELS, PanelId};
use super::theme::Tipped;
use super::{KeyCommand, UiCommand, UiState};
use crate::scenes::SCENES;

/// A menu: its title and its entries; [`None`] is a separator.
type Menu = (
    &'static str,
    &'static [Option<(&'static str, KeyCommand, &'static str)>],
);

#[rustfmt::skip] // one line an entry: it is read as a table
const EDIT: Menu = ("Edit", &[
    Some(("Undo", KeyCommand::Undo, "Undo the last change.")),
    Some(("Redo", KeyCommand::Redo, "Redo the last undone change.")),
    None,
    Some(("Carve", KeyCommand::Carve, "Cut the shape out of the face under the crosshair.")),
    Some(("Fill", KeyCommand::Fill, "Add the shape as solid on the face under the crosshair.")),
]);
#[rustfmt::skip]
const TIME: Menu = ("Time", &[
    Some(("Pause", KeyCommand::Pause, "Pause or resume the simulation.")),
    Some(("Step", KeyCommand::Step, "One tick, 1/60 s, while paused.")),
    Some(("Slow motion", KeyCommand::Slow, "One fifth of normal speed.")),
    None,
    Some(("Walk or fly", KeyCommand::WalkFly, "Walk with gravity, steps and jumps, or fly freely.")),
    Some(("Fly through walls", KeyCommand::NoClip, "Fly freely through walls.")),
]);
#[rustfmt::skip]
const SHOW: Menu = ("Show", &[
    Some(("Portals", KeyCommand::Portals, "Openings between rooms.")),
    Some(("Bins", KeyCommand::Bins, "The boxes of the rooms' trees.")),
    Some(("Rays", KeyCommand::Rays, "Rays and sweeps of the last two seconds.")),
    Some(("Hits", KeyCommand::Hits, "Where rays and sweeps hit, and the normals there.")),
    Some(("Wire", KeyCommand::Wire, "Edges of all triangles.")),
    None,
    Some(("Record timings", KeyCommand::RecordTimings, "Record every frame; press again to save a CSV file and a Chrome trace.")),
    Some(("Screenshot", KeyCommand::Screenshot, "Save an image of the view, without panels.")),
    Some(("Save clip…", KeyCommand::SaveClip, "Save the marked span of the timeline, or else the last seconds, as a video or a GIF.")),
]);

/// Draws the bar.
pub fn ui(ui: &mut egui::Ui, state: &UiState, dock: &mut Dock, commands: &mut Vec<UiCommand>) {
    egui::MenuBar::new().ui(ui, |ui| {
        file(ui, state, commands);
        menu(ui, &EDIT, state, commands);
        panels(ui, state, dock, commands);
        menu(ui, &TIME, state, commands);
        menu(ui, &SHOW, state, commands);
        ui.menu_button("Help", |ui| {
            entry(
                ui,
                state,
                "Keys",
                KeyCommand::Help,
                "List every key, and change any of them.",
                commands,
            );
        })
        .response
        .with_tip("List every key, and change any of them.");
    });
}

fn entry(
    ui: &mut egui::Ui,
    state: &UiState,
    name: &str,
    command: KeyCommand,
    tip: &str,
    commands: &mut Vec<UiCommand>,
) {
    let button = egui::Button::new(name).shortcut_text(state.key(command));
    if ui.add(button).with_tip(tip).clicked() {
        commands.push(UiCommand::Key(command));
        ui.close();
    }
}

fn menu(ui: &mut egui::Ui, menu: &Menu, state: &UiState, commands: &mut Vec<UiCommand>) {
    let (title, lines) = menu;
    let opened = ui.menu_button(*title, |ui| {
        for line in *lines {
            match line {
                Some((name, command, tip)) => entry(ui, state, name, *command, tip, commands),
                None => {
                    ui.separator();
                }
            }
        }
    });
    opened
        .response
        .with_tip(format!("{title}: each entry names its key."));
}

fn file(ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
    let opened = ui.menu_button("File", |ui| {
        for (name, command, tip) in [
            ("Open…", KeyCommand::Open, "Choose a level or a recording."),
            (
                "Save",
                KeyCommand::Save,
                "Save the level to its own file; a built-in level asks where.",
            ),
            (
                "Save as…",
                KeyCommand::SaveAs,
                "Save the level under another name.",
            ),
        ] {
            entry(ui, state, name, command, tip, commands);
        }
        let recent = state.levels.iter().filter(|level| level.recent);
        ui.menu_button("Recent", |ui| {
            let mut any = false;
            for level in recent {
                any = true;
                let tip = format!("Open {}", level.origin.full_path());
                if ui.button(level.origin.title()).with_tip(tip).clicked() {
                    commands.push(UiCommand::Open(level.origin.clone()));
                    ui.close();
                }
            }
            if !any {
                ui.weak("no files yet");
            }
        })
        .response
        .with_tip("Recently opened files.");
        ui.menu_button("Examples", |ui| {
            for scene in SCENES {
                if ui.button(scene.name).with_tip(scene.says).clicked() {
                    commands.push(UiCommand::Example(scene));
                    ui.close();
                }
            }
        })
        .response
        .with_tip("Levels that each show one thing; a card says what to do and what to see.");
        ui.separator();
        for (name, command, tip) in [
            (
                "Reset",
                KeyCommand::Reset,
                "Reload the level from its file.",
            ),
            (
                "Next level",
                KeyCommand::NextLevel,
                "Open the next level in the list.",
            ),
            (
                "Previous level",
                KeyCommand::PreviousLevel,
                "Open the previous level in the list.",
            ),
        ] {
            entry(ui, state, name, command, tip, commands);
        }
        ui.separator();
        entry(
            ui,
            state,
            "Quit",
            KeyCommand::Quit,
            "Quit Breach.",
            commands,
        );
    });
    opened.response.with_tip("Files and levels.");
}

fn panels(ui: &mut egui::Ui, state: &UiState, dock: &mut Dock, commands: &mut Vec<UiCommand>) {
    let opened = ui.menu_button("View", |ui| {
        for row in PANELS.iter().filter(|row| row.id != PanelId::Picture) {
            let key = row
                .key
                .map(|command| state.key(command))
                .unwrap_or_default();
            let is_open = dock.is_open(row.id) && !dock.is_left_out(row.id);
            let mark = if is_open { "• " } else { "   " };
            let button = egui::Button::new(format!("{mark}{}", row.title)).shortcut_text(key);
            if ui.add(button).with_tip(row.tip).clicked() {
                dock.show(row.id, !is_open);
                ui.close();
            }
        }
        ui.separator();
        entry(
            ui,
            state,
            "Hide all",
            KeyCommand::HidePanels,
            "Hide all panels; press again to bring them back.",
            commands,
        );
        if ui
            .button("Reset layout")
            .with_tip("Put every panel back in its default place.")
            .clicked()
        {
            commands.push(UiCommand::ResetPanels);
            ui.close();
        }
    });
    opened.response.with_tip("Show or hide panels.");
}
