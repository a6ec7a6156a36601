//! What lies over the picture itself: crosshair, flash, the last carve, the leak's banner, the offer to go on.
use super::{Shown, UiAction, theme};
use egui::{Align2, Color32, Id, RichText, Stroke, Vec2};

/// Draws all of it. `free` is what the panels leave of the window.
pub fn ui(ui: &mut egui::Ui, free: egui::Rect, shown: &Shown, actions: &mut Vec<UiAction>) {
    let screen = ui.ctx().content_rect();
    if shown.flash > 0.0 {
        let alpha = (shown.flash.clamp(0.0, 1.0) * 90.0) as u8;
        ui.painter().rect_filled(
            screen,
            0,
            Color32::from_rgba_unmultiplied(255, 196, 120, alpha),
        );
    }
    if shown.open {
        crosshair(ui.painter(), screen.center(), shown.captured);
    }
    let middle = free.center().x - screen.center().x;
    if let Some(part) = shown.carving {
        floating(
            ui,
            "carving",
            Align2::CENTER_TOP,
            Vec2::new(middle, free.top() + 8.0),
            |ui| {
                ui.label(format!("carving, {:.0} %", part * 100.0))
                    .on_hover_text(
                        "A large carve takes several ticks; it is seen when it is done.",
                    );
            },
        );
    } else if let Some(chip) = shown.chip {
        floating(
            ui,
            "chip",
            Align2::CENTER_TOP,
            Vec2::new(middle, free.top() + 8.0),
            |ui| {
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
                ui.horizontal(|ui| {
                    ui.colored_label(theme::WARN, "This level leaks.");
                    let on = shown.overlays.leak;
                    if ui
                        .selectable_label(on, "Show the way out")
                        .on_hover_text("A line from a player start to the outside.")
                        .clicked()
                    {
                        let mut overlays = shown.overlays;
                        overlays.leak = !on;
                        actions.push(UiAction::Show(overlays));
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
            Vec2::new(middle, 60.0),
            |ui| {
                ui.label(RichText::new("No level is open").heading());
                ui.label(
                    RichText::new("Choose one on the left, or drop a .map file here.")
                        .color(theme::MUTED),
                );
            },
        );
    } else if shown.open && !shown.captured {
        let below = screen.bottom() - free.bottom() + 8.0;
        floating(
            ui,
            "hint",
            Align2::CENTER_BOTTOM,
            Vec2::new(middle, -below),
            |ui| {
                ui.label(
                    RichText::new("Click to look around and fire · F1 keys").color(theme::MUTED),
                );
            },
        );
    }
    if let Some(name) = shown.recover {
        recover(ui, name, actions);
    }
}

fn crosshair(painter: &egui::Painter, at: egui::Pos2, captured: bool) {
    let colour = Color32::from_white_alpha(if captured { 220 } else { 120 });
    for (width, colour) in [(3.0, Color32::from_black_alpha(110)), (1.5, colour)] {
        for direction in [Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y] {
            painter.line_segment(
                [at + direction * 4.0, at + direction * 10.0],
                Stroke::new(width, colour),
            );
        }
    }
    painter.circle_filled(at, 1.5, colour);
}

fn floating(
    ui: &egui::Ui,
    id: &'static str,
    anchor: Align2,
    offset: Vec2,
    add: impl FnOnce(&mut egui::Ui),
) {
    egui::Area::new(Id::unique(id))
        .anchor(anchor, offset)
        .show(ui.ctx(), |ui| {
            theme::card().show(ui, |ui| {
                ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
                add(ui);
            });
        });
}

fn recover(ui: &egui::Ui, name: &str, actions: &mut Vec<UiAction>) {
    egui::Window::new("Go on where it stopped?")
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(ui.ctx(), |ui| {
            ui.label("The last run did not end properly. Its recording is whole:");
            ui.label(RichText::new(name).monospace().color(theme::ACCENT));
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                if ui
                    .button("Go on")
                    .on_hover_text(
                        "Play the recording again up to its last tick and go on from there.",
                    )
                    .clicked()
                {
                    actions.push(UiAction::Recover(true));
                }
                if ui
                    .button("Start afresh")
                    .on_hover_text("Leave the recording where it is.")
                    .clicked()
                {
                    actions.push(UiAction::Recover(false));
                }
            });
        });
}
