//! The menu bar: everything that has a key, and the panels, by name.
use super::dock::Dock;
use super::panel_list::{PANELS, PanelId};
use super::theme::Tipped;
use super::{Does, Shown, UiAction};
use crate::scenes::SCENES;

/// A menu: its title and its lines; [`None`] is a line between.
type Menu = (
    &'static str,
    &'static [Option<(&'static str, Does, &'static str)>],
);

#[rustfmt::skip] // one line an entry: it is read as a table
const EDIT: Menu = ("Edit", &[
    Some(("Undo", Does::Undo, "Undo the last change.")),
    Some(("Redo", Does::Redo, "Redo the last undone change.")),
    None,
    Some(("Carve", Does::Carve, "Cut the shape out of the face under the crosshair.")),
    Some(("Fill", Does::Fill, "Add the shape as solid on the face under the crosshair.")),
]);
#[rustfmt::skip]
const TIME: Menu = ("Time", &[
    Some(("Pause", Does::Pause, "Pause or resume the simulation.")),
    Some(("Step", Does::Step, "One tick, 1/60 s, while paused.")),
    Some(("Slow motion", Does::Slow, "One fifth of normal speed.")),
    None,
    Some(("Walk or fly", Does::WalkFly, "Walk with gravity, steps and jumps, or fly freely.")),
    Some(("Fly through walls", Does::NoClip, "Fly freely through walls.")),
]);
#[rustfmt::skip]
const SHOW: Menu = ("Show", &[
    Some(("Portals", Does::Portals, "Openings between rooms.")),
    Some(("Bins", Does::Bins, "The boxes of the rooms' trees.")),
    Some(("Rays", Does::Rays, "Rays and sweeps of the last two seconds.")),
    Some(("Hits", Does::Hits, "Where rays and sweeps hit, and the normals there.")),
    Some(("Wire", Does::Wire, "Edges of all triangles.")),
    None,
    Some(("Record timings", Does::RecordTimings, "Record every frame; press again to save a CSV file and a Chrome trace.")),
    Some(("Screenshot", Does::Picture, "Save an image of the view, without panels.")),
]);

/// Draws the bar.
pub fn ui(ui: &mut egui::Ui, shown: &Shown, dock: &mut Dock, actions: &mut Vec<UiAction>) {
    egui::MenuBar::new().ui(ui, |ui| {
        file(ui, shown, actions);
        menu(ui, &EDIT, shown, actions);
        panels(ui, shown, dock, actions);
        menu(ui, &TIME, shown, actions);
        menu(ui, &SHOW, shown, actions);
        ui.menu_button("Help", |ui| {
            entry(
                ui,
                shown,
                "Keys",
                Does::Help,
                "List every key, and change any of them.",
                actions,
            );
        })
        .response
        .with_tip("List every key, and change any of them.");
    });
}

fn entry(
    ui: &mut egui::Ui,
    shown: &Shown,
    name: &str,
    does: Does,
    tip: &str,
    actions: &mut Vec<UiAction>,
) {
    let button = egui::Button::new(name).shortcut_text(shown.key(does));
    if ui.add(button).with_tip(tip).clicked() {
        actions.push(UiAction::Press(does));
        ui.close();
    }
}

fn menu(ui: &mut egui::Ui, menu: &Menu, shown: &Shown, actions: &mut Vec<UiAction>) {
    let (title, lines) = menu;
    let opened = ui.menu_button(*title, |ui| {
        for line in *lines {
            match line {
                Some((name, does, tip)) => entry(ui, shown, name, *does, tip, actions),
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

fn file(ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
    let opened = ui.menu_button("File", |ui| {
        for (name, does, tip) in [
            ("Open…", Does::Open, "Choose a level or a recording."),
            (
                "Save",
                Does::Save,
                "Save the level to its own file; a built-in level asks where.",
            ),
            (
                "Save as…",
                Does::SaveAs,
                "Save the level under another name.",
            ),
        ] {
            entry(ui, shown, name, does, tip, actions);
        }
        let recent = shown.levels.iter().filter(|level| level.recent);
        ui.menu_button("Recent", |ui| {
            let mut any = false;
            for level in recent {
                any = true;
                let tip = format!("Open {}", level.origin.full_path());
                if ui.button(level.origin.title()).with_tip(tip).clicked() {
                    actions.push(UiAction::Open(level.origin.clone()));
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
                    actions.push(UiAction::Example(scene));
                    ui.close();
                }
            }
        })
        .response
        .with_tip("Levels that each show one thing; a card says what to do and what to see.");
        ui.separator();
        for (name, does, tip) in [
            ("Reset", Does::Reset, "Reload the level from its file."),
            (
                "Next level",
                Does::NextLevel,
                "Open the next level in the list.",
            ),
            (
                "Previous level",
                Does::PreviousLevel,
                "Open the previous level in the list.",
            ),
        ] {
            entry(ui, shown, name, does, tip, actions);
        }
        ui.separator();
        entry(ui, shown, "Quit", Does::Quit, "Quit Breach.", actions);
    });
    opened.response.with_tip("Files and levels.");
}

fn panels(ui: &mut egui::Ui, shown: &Shown, dock: &mut Dock, actions: &mut Vec<UiAction>) {
    let opened = ui.menu_button("View", |ui| {
        for row in PANELS.iter().filter(|row| row.id != PanelId::Picture) {
            let key = row.key.map(|does| shown.key(does)).unwrap_or_default();
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
            shown,
            "Hide all",
            Does::Panels,
            "Hide all panels; press again to bring them back.",
            actions,
        );
        if ui
            .button("Reset layout")
            .with_tip("Put every panel back in its default place.")
            .clicked()
        {
            actions.push(UiAction::ResetPanels);
            ui.close();
        }
    });
    opened.response.with_tip("Show or hide panels.");
}
