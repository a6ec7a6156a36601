//! What lies over the picture itself: crosshair, flash, the last carve, the leak's banner, that time is held, what a scene
//! is about.
use super::hand::{Hand, crosshair};
use super::theme::Tipped;
use super::timeline::time;
use super::{Does, Recorded, Shown, TimelineAction, UiAction, theme};
use crate::scenes::Scene;
use egui::{Align2, Area, Color32, Id, RichText, Vec2};

/// A picture narrower than this, points, bears no cards: they would lie over the panels.
const NARROW: f32 = 240.0;
/// One wider than this has room for all that cards say, points.
const ROOMY: f32 = 420.0;
/// A scene's card is no wider, points: a line is read at a glance.
const SENTENCE: f32 = 480.0;

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
        let below = free.center() + Vec2::new(0.0, 16.0);
        if let Some(radius) = shown.charging {
            tag(ui, below, &format!("{radius:.1} m"), Color32::WHITE);
        } else if let Some(why) = shown.miss {
            tag(ui, below, why, theme::warn(ui));
        }
    }
    let middle = free.center().x - screen.center().x;
    if free.width() < NARROW {
        return;
    }
    // Cards are stacked. None moves up where one above it is absent.
    let mut below = free.top() + 46.0;
    if let Some(part) = shown.carving {
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
    } else if let Some(chip) = shown.chip {
        let card = floating(
            ui,
            "chip",
            Align2::CENTER_TOP,
            Vec2::new(middle, free.top() + 8.0),
            |ui| {
                ui.set_max_width(free.width() - 40.0);
                chip.ui(ui, actions);
            },
        );
        below = below.max(card.bottom() + 8.0);
    }
    if shown.leaks {
        let card = floating(
            ui,
            "leak",
            Align2::CENTER_TOP,
            Vec2::new(middle, below),
            |ui| {
                ui.set_max_width(free.width() - 40.0);
                ui.horizontal_wrapped(|ui| {
                    ui.colored_label(theme::warn(ui), "This level leaks.");
                    let on = shown.overlays.leak;
                    if ui
                        .selectable_label(on, "Show the leak path")
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
                        .with_tip("From the player start through the hole to the outside; any movement key stops it.")
                        .clicked()
                    {
                        actions.push(UiAction::FlyOut(!on));
                    }
                });
            },
        );
        below = (below + 38.0).max(card.bottom() + 8.0);
    }
    if shown.open && shown.paused {
        let card = floating(
            ui,
            "held",
            Align2::CENTER_TOP,
            Vec2::new(middle, below),
            |ui| {
                ui.set_max_width(free.width() - 40.0);
                held(ui, shown, free.width() > ROOMY, actions);
            },
        );
        below = card.bottom() + 8.0;
    }
    if let Some(scene) = shown.scene.filter(|_| shown.open) {
        floating(
            ui,
            "scene",
            Align2::CENTER_TOP,
            Vec2::new(middle, below),
            |ui| {
                ui.set_max_width((free.width() - 40.0).min(SENTENCE));
                sentence(ui, scene, actions);
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
                    "Click to look around and fire · {} for keys",
                    shown.key(Does::Help)
                ))
                .color(theme::muted(ui)),
            );
        });
    }
}

/// A word beside the crosshair: light on dark, to be read on any picture.
fn tag(ui: &egui::Ui, at: egui::Pos2, text: &str, colour: Color32) {
    let font = egui::FontId::proportional(15.0);
    let galley = ui.painter().layout_no_wrap(text.into(), font, colour);
    let place = Align2::CENTER_TOP.anchor_size(at, galley.size());
    ui.painter()
        .rect_filled(place.expand2(Vec2::new(6.0, 2.0)), 4, theme::SLATE);
    ui.painter().galley(place.min, galley, colour);
}

/// That time stands still, and what makes it run.
fn held(ui: &mut egui::Ui, shown: &Shown, is_roomy: bool, actions: &mut Vec<UiAction>) {
    let Recorded { tick, ticks, .. } = shown.recorded;
    let title = match tick < ticks {
        true if is_roomy => format!("Paused at {} of {}", time(tick), time(ticks)),
        _ => "Paused".into(),
    };
    let size = if is_roomy { 22.0 } else { 16.0 };
    let title = RichText::new(title).size(size).strong();
    ui.label(title.color(theme::accent(ui)));
    ui.horizontal(|ui| {
        let with_key = |text: &str, does| match shown.key(does) {
            key if key.is_empty() => text.to_owned(),
            key => format!("{text} ({key})"),
        };
        let tip = "Resume.";
        let play = ui.button(with_key("Play", Does::Pause));
        if play.with_tip(tip).clicked() {
            actions.push(UiAction::Pause(false));
        }
        if !is_roomy {
            return;
        }
        let steps = [
            ("Step forward", Does::Step, UiAction::Step),
            (
                "Step back",
                Does::StepBack,
                UiAction::Timeline(TimelineAction::StepBack),
            ),
        ];
        for (text, does, action) in steps {
            if ui.button(with_key(text, does)).with_tip(text).clicked() {
                actions.push(action);
            }
        }
    });
}

/// What to do in a scene, and what to see.
fn sentence(ui: &mut egui::Ui, scene: &'static Scene, actions: &mut Vec<UiAction>) {
    let title = RichText::new(scene.name).size(16.0).strong();
    ui.label(title.color(theme::accent(ui)));
    ui.add(egui::Label::new(scene.says).wrap());
    ui.horizontal(|ui| {
        for (name, tip, action) in [
            ("Close", "Put this card away.", UiAction::PutCardAway),
            (
                "Start again",
                "Open the example again as it was.",
                UiAction::Example(scene),
            ),
            (
                "Next example",
                scene.next().name,
                UiAction::Example(scene.next()),
            ),
        ] {
            if ui.button(name).with_tip(tip).clicked() {
                actions.push(action);
            }
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
    let shown = place.show(ui.ctx(), |ui| {
        theme::card().show(ui, |ui| {
            ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
            add(ui);
        });
    });
    shown.response.rect
}
