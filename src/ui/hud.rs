//! What lies over the picture itself: crosshair, flash, the last carve, the leak's banner, the offer to go on.
use super::hand::{Hand, crosshair};
use super::theme::Tipped;
use super::{Asked, Does, Shown, UiAction, theme};
use egui::{Align2, Area, Color32, Id, RichText, Vec2};
use std::path::Path;

/// A picture narrower than this, points, bears no cards: they would lie over the panels.
const NARROW: f32 = 240.0;

/// Draws all of it. `free` is what the panels leave of the window.
pub fn ui(
    ui: &mut egui::Ui,
    free: egui::Rect,
    shown: &Shown,
    hand: Hand,
    actions: &mut Vec<UiAction>,
) {
    let screen = ui.ctx().content_rect();
    if shown.flash > 0.0 {
        let alpha = (shown.flash.clamp(0.0, 1.0) * 90.0) as u8;
        ui.painter().rect_filled(
            free,
            0,
            Color32::from_rgba_unmultiplied(255, 196, 120, alpha),
        );
    }
    if shown.open {
        crosshair(ui.painter(), free.center(), hand, shown.captured);
        if let Some(radius) = shown.charging {
            charge(ui, free.center(), radius);
        }
    }
    let middle = free.center().x - screen.center().x;
    if free.width() < NARROW {
        return;
    }
    if let Some(part) = shown.carving {
        floating(
            ui,
            "carving",
            Align2::CENTER_TOP,
            Vec2::new(middle, free.top() + 8.0),
            |ui| {
                ui.label(format!("carving, {:.0} %", part * 100.0))
                    .with_tip("A large carve takes several ticks; it is seen when it is done.");
            },
        );
    } else if let Some(chip) = shown.chip {
        floating(
            ui,
            "chip",
            Align2::CENTER_TOP,
            Vec2::new(middle, free.top() + 8.0),
            |ui| {
                ui.set_max_width(free.width() - 40.0);
                chip.ui(ui, actions);
            },
        );
    }
    if shown.leaks {
        floating(
            ui,
            "leak",
            Align2::CENTER_TOP,
            Vec2::new(middle, free.top() + 46.0),
            |ui| {
                ui.set_max_width(free.width() - 40.0);
                ui.horizontal_wrapped(|ui| {
                    ui.colored_label(theme::warn(ui), "This level leaks.");
                    let on = shown.overlays.leak;
                    if ui
                        .selectable_label(on, "Show the way out")
                        .with_tip("A line from a player start to the outside.")
                        .clicked()
                    {
                        let mut overlays = shown.overlays;
                        overlays.leak = !on;
                        actions.push(UiAction::Show(overlays));
                    }
                    let on = shown.flying_out;
                    if ui
                        .selectable_label(on, "Fly along it")
                        .with_tip("From the start through the hole to the outside; any key that moves ends it.")
                        .clicked()
                    {
                        actions.push(UiAction::FlyOut(!on));
                    }
                });
            },
        );
    }
    if !shown.open && shown.loading.is_none() {
        floating(
            ui,
            "empty",
            Align2::CENTER_CENTER,
            Vec2::new(middle, free.center().y - screen.center().y),
            |ui| {
                ui.label(RichText::new("No level is open").heading());
                ui.label(
                    RichText::new("Choose one on the left, or drop a .map file here.")
                        .color(theme::muted(ui)),
                );
            },
        );
    } else if shown.open && !shown.captured {
        let below = screen.bottom() - free.bottom() + 8.0;
        let place = Area::new(Id::unique("hint"))
            .anchor(Align2::CENTER_BOTTOM, Vec2::new(middle, -below))
            // A click on it is one on the picture.
            .interactable(false);
        on_card(ui, place, |ui| {
            ui.label(
                RichText::new(format!(
                    "Click to look around and fire · {} keys",
                    shown.key(Does::Help)
                ))
                .color(theme::muted(ui)),
            );
        });
    }
}

/// How large the blast has become, beside the crosshair: light on dark, to be read on any picture.
fn charge(ui: &egui::Ui, at: egui::Pos2, radius: f64) {
    let font = egui::FontId::proportional(15.0);
    let text = format!("{radius:.1} m");
    let galley = ui.painter().layout_no_wrap(text, font, Color32::WHITE);
    let place = Align2::CENTER_TOP.anchor_size(at + Vec2::new(0.0, 16.0), galley.size());
    ui.painter()
        .rect_filled(place.expand2(Vec2::new(6.0, 2.0)), 4, theme::SLATE);
    ui.painter().galley(place.min, galley, Color32::WHITE);
}

/// What must be answered before anything else.
pub fn questions(ui: &mut egui::Ui, shown: &Shown, actions: &mut Vec<UiAction>) {
    if let Some((what, report)) = shown.fault {
        fault(ui, what, report, actions);
    } else if let Some((name, note)) = shown.recover {
        recover(ui, name, note, actions);
    } else {
        match shown.asked {
            Some(Asked::Lose(what)) => unsaved(ui, shown, what, actions),
            Some(Asked::Replace(path)) => replace(ui, shown, path, actions),
            None => {}
        }
    }
}

fn unsaved(ui: &egui::Ui, shown: &Shown, what: &str, actions: &mut Vec<UiAction>) {
    egui::Window::new("Save the changes?")
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(ui.ctx(), |ui| {
            ui.label(format!(
                "{} has changes that no file has. They would be lost to {what}.",
                shown.level
            ));
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                for (name, tip, answer) in [
                    (
                        "Save first",
                        "Write the level where it came from, then go on.",
                        Some(true),
                    ),
                    (
                        "Go on without",
                        "The changes are lost; the recording still has them.",
                        Some(false),
                    ),
                    ("Stay here", "Nothing happens.", None),
                ] {
                    if ui.button(name).with_tip(tip).clicked() {
                        actions.push(UiAction::Unsaved(answer));
                    }
                }
            });
        });
}

fn replace(ui: &egui::Ui, shown: &Shown, path: &str, actions: &mut Vec<UiAction>) {
    egui::Window::new("Replace the file?")
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(ui.ctx(), |ui| {
            ui.label(format!("{path} is there already."));
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                let tip = format!("{} takes its place; what it holds is lost.", shown.level);
                if ui.button("Replace it").with_tip(&tip).clicked() {
                    actions.push(UiAction::Unsaved(Some(true)));
                }
                if ui
                    .button("Leave it")
                    .with_tip("Nothing is saved.")
                    .clicked()
                {
                    actions.push(UiAction::Unsaved(None));
                }
            });
        });
}

fn floating(
    ui: &egui::Ui,
    id: &'static str,
    anchor: Align2,
    offset: Vec2,
    add: impl FnOnce(&mut egui::Ui),
) {
    on_card(ui, Area::new(Id::unique(id)).anchor(anchor, offset), add);
}

fn on_card(ui: &egui::Ui, place: Area, add: impl FnOnce(&mut egui::Ui)) {
    place.show(ui.ctx(), |ui| {
        theme::card().show(ui, |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            add(ui);
        });
    });
}

fn recover(ui: &egui::Ui, name: &str, note: Option<&str>, actions: &mut Vec<UiAction>) {
    egui::Window::new("Go on where it stopped?")
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(ui.ctx(), |ui| {
            ui.label("The last run did not end properly. Its recording is whole:");
            ui.label(RichText::new(name).monospace().color(theme::accent(ui)));
            if let Some(note) = note {
                ui.colored_label(theme::warn(ui), format!("It was {note}."));
            }
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                if ui
                    .button("Go on")
                    .with_tip("Play the recording again up to its last tick and go on from there.")
                    .clicked()
                {
                    actions.push(UiAction::Recover(true));
                }
                if ui
                    .button("Start afresh")
                    .with_tip("Leave the recording where it is.")
                    .clicked()
                {
                    actions.push(UiAction::Recover(false));
                }
            });
        });
}

/// The level is closed: what is left is to keep what shows the fault.
fn fault(ui: &egui::Ui, what: &str, report: Result<&Path, &str>, actions: &mut Vec<UiAction>) {
    egui::Window::new("A fault in Breach")
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(ui.ctx(), |ui| {
            ui.label("Something that must always hold did not. The level was closed, as it may be half changed:");
            ui.label(RichText::new(what).monospace());
            ui.add_space(6.0);
            let path = report.map(|path| path.display().to_string());
            match &path {
                Ok(path) => {
                    ui.label("All that was played is in this recording. Please report the fault with it:");
                    ui.label(RichText::new(path).monospace().color(theme::accent(ui)));
                }
                Err(why) => {
                    ui.label(format!("The recording could not be kept: {why}."));
                }
            }
            ui.label("What was recorded before that moment is offered at the next start.");
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                if let Ok(path) = path
                    && ui
                        .button("Copy the path")
                        .with_tip("The recording's place, to be pasted into the report.")
                        .clicked()
                {
                    ui.ctx().copy_text(path);
                }
                if ui.button("Quit").with_tip("End the program.").clicked() {
                    actions.push(UiAction::Press(Does::Quit));
                }
            });
        });
}
