//! The head-up display over the picture: crosshair, flash, the last carve, the leak banner, the pause, the scene's
//! card.
use super::elide::{self, Keep};
use super::theme::Tipped;
use super::timeline_panel::time;
use super::tool_state::{ToolKind, crosshair};
use super::{
    KeyCommand, OnReload, PreviewChip, Recorded, TimelineCommand, UiCommand, UiState, theme,
};
use crate::scenes::Scene;
use egui::{Align2, Area, Color32, FontId, Id, RichText, Vec2};
use std::path::Path;

/// A picture narrower than this shows no cards, since they would overlap the panels, points.
const NARROW: f32 = 240.0;
/// A picture wider than this has room for the full text of the cards, points.
const ROOMY: f32 = 420.0;
/// Maximum width of a scene's card, points: a line is read at a glance.
const SENTENCE: f32 = 480.0;

/// Maximum width of a clip's name, points.
const CLIP_NAME: f32 = 160.0;

/// Draws all of it. `free` is what the panels leave of the window.
pub fn ui(
    ui: &mut egui::Ui,
    free: egui::Rect,
    state: &UiState,
    tool: ToolKind,
    commands: &mut Vec<UiCommand>,
) {
    let screen = ui.ctx().content_rect();
    if state.flash > 0.0 {
        let alpha = (state.flash.clamp(0.0, 1.0) * 90.0) as u8;
        ui.painter().rect_filled(
            free,
            0,
            Color32::from_rgba_unmultiplied(255, 196, 120, alpha),
        );
    }
    if state.open {
        crosshair(ui.painter(), free.center(), tool, state.captured);
        let below = free.center() + Vec2::new(0.0, 16.0);
        if let Some(radius) = state.charging {
            tag(ui, below, &format!("{radius:.1} m"), Color32::WHITE);
        } else if let Some(why) = state.miss {
            tag(ui, below, why, theme::warn(ui));
        } else if let Some(falls) = state.preview.and_then(PreviewChip::falls_words) {
            tag(ui, below, &falls, Color32::WHITE);
        }
    }
    let middle = free.center().x - screen.center().x;
    if free.width() < NARROW {
        return;
    }
    // Cards are stacked; a card keeps its place when the one above it is absent.
    let mut below = free.top() + 46.0;
    if let Some(part) = state.carving {
        floating(
            ui,
            "carving",
            Align2::CENTER_TOP,
            Vec2::new(middle, free.top() + 8.0),
            |ui| {
                ui.label(format!("carving, {:.0} %", part * 100.0))
                    .with_tip("A large carve takes several ticks and appears when it is done.");
            },
        );
    } else if let Some(chip) = state.chip {
        let card = floating(
            ui,
            "chip",
            Align2::CENTER_TOP,
            Vec2::new(middle, free.top() + 8.0),
            |ui| {
                ui.set_max_width(free.width() - 40.0);
                chip.ui(ui, commands);
            },
        );
        below = below.max(card.bottom() + 8.0);
    }
    if let Some(changes) = state.reload {
        let card = floating(
            ui,
            "reload",
            Align2::CENTER_TOP,
            Vec2::new(middle, below),
            |ui| {
                ui.set_max_width((free.width() - 40.0).min(SENTENCE));
                reload(ui, state.level, changes, commands);
            },
        );
        below = card.bottom() + 8.0;
    }
    if state.leaks {
        let card = floating(
            ui,
            "leak",
            Align2::CENTER_TOP,
            Vec2::new(middle, below),
            |ui| {
                ui.set_max_width(free.width() - 40.0);
                ui.horizontal_wrapped(|ui| {
                    ui.colored_label(theme::warn(ui), "This level leaks.");
                    let on = state.overlays.leak;
                    if ui
                        .selectable_label(on, "Show the leak path")
                        .with_tip("A line from a player start to the outside.")
                        .clicked()
                    {
                        let mut overlays = state.overlays;
                        overlays.leak = !on;
                        commands.push(UiCommand::SetOverlays(overlays));
                    }
                    let on = state.flying_out;
                    if ui
                        .selectable_label(on, "Fly along it")
                        .with_tip("From the player start through the hole to the outside; any movement key stops it.")
                        .clicked()
                    {
                        commands.push(UiCommand::FlyOut(!on));
                    }
                });
            },
        );
        below = (below + 38.0).max(card.bottom() + 8.0);
    }
    if state.open && state.paused {
        let card = floating(
            ui,
            "held",
            Align2::CENTER_TOP,
            Vec2::new(middle, below),
            |ui| {
                ui.set_max_width(free.width() - 40.0);
                paused(ui, state, free.width() > ROOMY, commands);
            },
        );
        below = card.bottom() + 8.0;
    }
    if let Some(scene) = state.scene.filter(|_| state.open) {
        floating(
            ui,
            "scene",
            Align2::CENTER_TOP,
            Vec2::new(middle, below),
            |ui| {
                ui.set_max_width((free.width() - 40.0).min(SENTENCE));
                sentence(ui, scene, commands);
            },
        );
    }
    if let Some((file, part)) = state.clip {
        let right = free.right() - screen.right() - 10.0;
        let above = free.bottom() - screen.bottom() - 44.0;
        floating(
            ui,
            "clip",
            Align2::RIGHT_BOTTOM,
            Vec2::new(right, above),
            |ui| {
                ui.set_max_width(free.width() - 40.0);
                clip(ui, file, part, commands);
            },
        );
    }
    if !state.open && state.loading.is_none() {
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
    } else if state.open && !state.captured {
        let below = screen.bottom() - free.bottom() + 8.0;
        let place = Area::new(Id::unique("hint"))
            .anchor(Align2::CENTER_BOTTOM, Vec2::new(middle, -below))
            // Clicks go through to the picture.
            .interactable(false);
        on_card(ui, place, |ui| {
            ui.label(
                RichText::new(format!(
                    "Click to look around and fire · {} for keys",
                    state.key(KeyCommand::Help)
                ))
                .color(theme::muted(ui)),
            );
        });
    }
}

/// A word below the crosshair, light on dark, readable on any picture.
fn tag(ui: &egui::Ui, at: egui::Pos2, text: &str, colour: Color32) {
    let font = egui::FontId::proportional(15.0);
    let galley = ui.painter().layout_no_wrap(text.into(), font, colour);
    let place = Align2::CENTER_TOP.anchor_size(at, galley.size());
    ui.painter()
        .rect_filled(place.expand2(Vec2::new(6.0, 2.0)), 4, theme::SLATE);
    ui.painter().galley(place.min, galley, colour);
}

/// The pause card: the time, and buttons to play and step.
fn paused(ui: &mut egui::Ui, state: &UiState, is_roomy: bool, commands: &mut Vec<UiCommand>) {
    let Recorded { tick, ticks, .. } = state.recorded;
    let title = match tick < ticks {
        true if is_roomy => format!("Paused at {} of {}", time(tick), time(ticks)),
        _ => "Paused".into(),
    };
    let size = if is_roomy { 22.0 } else { 16.0 };
    let title = RichText::new(title).size(size).strong();
    ui.label(title.color(theme::accent(ui)));
    ui.horizontal(|ui| {
        let with_key = |text: &str, command| match state.key(command) {
            key if key.is_empty() => text.to_owned(),
            key => format!("{text} ({key})"),
        };
        let tip = "Resume.";
        let play = ui.button(with_key("Play", KeyCommand::Pause));
        if play.with_tip(tip).clicked() {
            commands.push(UiCommand::Pause(false));
        }
        if !is_roomy {
            return;
        }
        let steps = [
            ("Step forward", KeyCommand::Step, UiCommand::Step),
            (
                "Step back",
                KeyCommand::StepBack,
                UiCommand::Timeline(TimelineCommand::StepBack),
            ),
        ];
        for (text, command, ui_command) in steps {
            if ui.button(with_key(text, command)).with_tip(text).clicked() {
                commands.push(ui_command);
            }
        }
    });
}

/// The card about a file that another program has saved.
fn reload(ui: &mut egui::Ui, level: &str, changes: usize, commands: &mut Vec<UiCommand>) {
    let title = RichText::new(format!("{level} has changed on disk")).size(16.0);
    ui.label(title.strong().color(theme::accent(ui)));
    let (one, them) = match changes {
        1 => ("The change made here is".to_owned(), "it"),
        _ => (format!("The {changes} changes made here are"), "them"),
    };
    ui.label(format!(
        "{one} not in it. Your answer is remembered; Settings can change it."
    ));
    ui.horizontal(|ui| {
        let answers = [
            (format!("Reload and keep {them}"), OnReload::Keep),
            (format!("Reload and drop {them}"), OnReload::Drop),
        ];
        for (name, answer) in answers {
            if ui.button(name).with_tip(answer.tip()).clicked() {
                commands.push(UiCommand::Reload(answer));
            }
        }
        let later = ui.button("Not now");
        let tip = "Stay in the level as it is. The card comes back when the file changes again.";
        if later.with_tip(tip).clicked() {
            commands.push(UiCommand::Reload(OnReload::Ask));
        }
    });
}

/// The scene's card: what to do and what to see.
fn sentence(ui: &mut egui::Ui, scene: &'static Scene, commands: &mut Vec<UiCommand>) {
    let title = RichText::new(scene.name).size(16.0).strong();
    ui.label(title.color(theme::accent(ui)));
    ui.add(egui::Label::new(scene.says).wrap());
    ui.horizontal(|ui| {
        for (name, tip, ui_command) in [
            ("Close", "Put this card away.", UiCommand::CloseCard),
            (
                "Start again",
                "Open the example again as it was.",
                UiCommand::Example(scene),
            ),
            (
                "Next example",
                scene.next().name,
                UiCommand::Example(scene.next()),
            ),
        ] {
            if ui.button(name).with_tip(tip).clicked() {
                commands.push(ui_command);
            }
        }
    });
}

/// How far a clip is.
fn clip(ui: &mut egui::Ui, file: &Path, part: f64, commands: &mut Vec<UiCommand>) {
    ui.horizontal(|ui| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name = elide::to(ui, &name, FontId::proportional(14.0), CLIP_NAME, Keep::Both);
        let text = format!("Saving {name}, {:.0} %", part * 100.0);
        let tip = format!("Replays and draws every tick, for {}.", file.display());
        ui.label(text).with_tip(tip);
        let cancel = ui
            .button("Cancel")
            .with_tip("Save no clip; nothing is left of it.");
        if cancel.clicked() {
            commands.push(UiCommand::CancelClip);
        }
    });
}

fn floating(
    ui: &egui::Ui,
    id: &'static str,
    anchor: Align2,
    offset: Vec2,
    add: impl FnOnce(&mut egui::Ui),
) -> egui::Rect {
    on_card(ui, Area::new(Id::unique(id)).anchor(anchor, offset), add)
}

fn on_card(ui: &egui::Ui, place: Area, add: impl FnOnce(&mut egui::Ui)) -> egui::Rect {
    let card = place.show(ui.ctx(), |ui| {
        theme::card().show(ui, |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            add(ui);
        });
    });
    card.response.rect
}
