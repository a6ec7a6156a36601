//! Messages at the bottom: what was saved, what was refused and why.
use super::{Shown, UiAction, theme};
use egui::{Align2, Color32, Id, RichText, Vec2};

/// How grave a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Something went well.
    Info,
    /// Something was mended or left out.
    Warning,
    /// Something was refused or failed.
    Error,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Unlike any other's in this run.
    pub id: u64,
    /// How grave.
    pub kind: NoticeKind,
    /// A sentence.
    pub text: String,
    /// Seconds that it still stays; infinite until taken away.
    pub seconds_left: f64,
}

/// Draws the list, newest at the bottom.
pub fn ui(ui: &egui::Ui, free: egui::Rect, shown: &Shown, actions: &mut Vec<UiAction>) {
    if shown.notices.is_empty() {
        return;
    }
    let screen = ui.ctx().content_rect();
    let offset = Vec2::new(
        free.left() - screen.left() + 10.0,
        free.bottom() - screen.bottom() - 44.0,
    );
    egui::Area::new(Id::unique("notices"))
        .anchor(Align2::LEFT_BOTTOM, offset)
        .show(ui.ctx(), |ui| {
            ui.set_max_width((free.width() - 40.0).max(200.0));
            for notice in shown.notices {
                let fade = (notice.seconds_left as f32).clamp(0.0, 1.0);
                ui.scope(|ui| {
                    ui.multiply_opacity(fade);
                    theme::card().show(ui, |ui| {
                        ui.horizontal(|ui| {
                            let colour = colour(ui, notice.kind);
                            theme::dot(ui, colour);
                            let close = egui::Button::new(RichText::new("×").strong()).frame(false);
                            if ui
                                .add(close)
                                .on_hover_text("Take this message away.")
                                .clicked()
                            {
                                actions.push(UiAction::Dismiss(notice.id));
                            }
                            ui.add(egui::Label::new(&notice.text).wrap().selectable(true));
                        });
                    });
                });
            }
        });
}

fn colour(ui: &egui::Ui, kind: NoticeKind) -> Color32 {
    match kind {
        NoticeKind::Info => theme::good(ui),
        NoticeKind::Warning => theme::warn(ui),
        NoticeKind::Error => theme::bad(ui),
    }
}
