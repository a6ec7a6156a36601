//! Messages at the bottom: what was saved, what was refused and why. They slide in one above the other, stay for a
//! while (as long as the pointer rests on one) and have a cross; drawn by egui-notify.
//!
//! That only paints: lines are broken here, each message lies under a widget that a screen reader finds and that keeps
//! clicks from the picture behind it.
use super::{Shown, questions, theme};
use egui::{Color32, FontId, Id, LayerId, Order, Rect, Sense, Shape, TextStyle, Vec2};
use egui_notify::{Anchor, Toast, ToastLevel, Toasts};
use std::time::Duration;

/// More than this at a time and the oldest goes.
const MOST: usize = 5;
/// Widest line, points.
const WIDEST: f32 = 460.0;
/// What a message takes beside its text, points: its sign, its cross, the room around them.
const BESIDE: f32 = 84.0;
/// Above the picture's lower edge, points: the hint stays free.
const ABOVE: f32 = 40.0;

/// How grave a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// Something went well: stays for 6 seconds.
    Info,
    /// Something was mended or left out: stays for 12 seconds.
    Warning,
    /// Something was refused or failed: stays until it is taken away.
    Error,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Higher than those of all before it.
    pub id: u64,
    /// How grave.
    pub kind: NoticeKind,
    /// A sentence.
    pub text: String,
}

/// The messages that are still there.
#[derive(Default)]
pub struct Notices {
    toasts: Toasts,
    /// The last one taken over.
    newest: u64,
    said: Vec<Said>,
    /// When some are to go, seconds of the panels' time.
    ends: Vec<f64>,
}

/// A message that is shown.
struct Said {
    /// With line breaks.
    caption: String,
    /// As it was said.
    text: String,
    /// It goes by itself.
    is_brief: bool,
}

impl Notices {
    /// Takes over those of this frame and draws all. `free` is what the panels leave of the window.
    pub fn ui(&mut self, ui: &egui::Ui, free: Rect, shown: &Shown) {
        let screen = ui.ctx().content_rect();
        let width = (free.width() - 2.0 * BESIDE).clamp(120.0, WIDEST);
        for notice in shown.notices {
            // A frame may take two passes.
            if notice.id <= self.newest {
                continue;
            }
            self.newest = notice.id;
            let caption = broken(ui, &notice.text, width);
            if self.said.iter().all(|said| said.caption != caption) {
                self.toasts.add(toast(ui, notice.kind, &caption));
                let seconds = seconds(notice.kind);
                let now = ui.input(|input| input.time);
                self.ends.extend(seconds.map(|s| now + s as f64));
                self.said.push(Said {
                    caption,
                    text: notice.text.clone(),
                    is_brief: seconds.is_some(),
                });
            }
        }
        if self.toasts.len() > MOST {
            // Newest first, so the last is the oldest.
            self.toasts.dismiss_latest_toast();
        }
        if questions::is_open(shown) {
            // They wait: nothing covers a dialog.
            return;
        }
        let margin = Vec2::new(free.left() + 10.0, screen.bottom() - free.bottom() + ABOVE);
        self.toasts = std::mem::take(&mut self.toasts)
            .with_anchor(Anchor::BottomLeft)
            .with_margin(margin)
            .reverse(true);
        self.toasts.show(ui.ctx());
        let painted = painted(ui.ctx());
        self.said
            .retain(|said| painted.iter().any(|(_, text)| *text == said.caption));
        for (rect, caption) in painted {
            if let Some(said) = self.said.iter().find(|said| said.caption == caption) {
                lay_under(ui.ctx(), rect, &said.text);
            }
        }
        self.wake(ui);
    }

    /// Panels that rest are drawn again when a message is to go.
    fn wake(&mut self, ui: &egui::Ui) {
        /// For one on which the pointer has rested, seconds.
        const AGAIN: f64 = 2.0;
        let now = ui.input(|input| input.time);
        let all = self.ends.len();
        self.ends.retain(|end| *end > now);
        if self.ends.len() < all && self.said.iter().any(|said| said.is_brief) {
            self.ends.push(now + AGAIN);
        }
        for end in &self.ends {
            ui.ctx()
                .request_repaint_after(Duration::from_secs_f64(end - now));
        }
    }
}

/// How long one stays, seconds; None: until it is taken away.
fn seconds(kind: NoticeKind) -> Option<u64> {
    match kind {
        NoticeKind::Info => Some(6),
        NoticeKind::Warning => Some(12),
        NoticeKind::Error => None,
    }
}

fn font(ui: &egui::Ui) -> FontId {
    TextStyle::Body.resolve(ui.style())
}

/// The text in lines of at most so many points.
fn broken(ui: &egui::Ui, text: &str, width: f32) -> String {
    let lines =
        ui.fonts_mut(|fonts| fonts.layout(text.to_owned(), font(ui), Color32::WHITE, width));
    let lines = lines
        .rows
        .iter()
        .map(|row| row.text().trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

fn toast(ui: &egui::Ui, kind: NoticeKind, caption: &str) -> Toast {
    // Not by colour alone.
    let (sign, colour) = match kind {
        NoticeKind::Info => ("ℹ", theme::good(ui)),
        NoticeKind::Warning => ("⚠", theme::warn(ui)),
        NoticeKind::Error => ("⛔", theme::bad(ui)),
    };
    let mut toast = Toast::custom(caption, ToastLevel::Custom(sign.into(), colour));
    // What it is in its first pass, before it has measured itself.
    let galley = ui.fonts_mut(|fonts| fonts.layout_no_wrap(caption.to_owned(), font(ui), colour));
    toast
        .width(galley.size().x + BESIDE)
        .height(galley.size().y + 20.0)
        .duration(seconds(kind).map(Duration::from_secs))
        .show_progress_bar(false)
        .closable(true);
    toast
}

/// Where messages were painted in this pass, and their captions.
fn painted(ctx: &egui::Context) -> Vec<(Rect, String)> {
    let layer = LayerId::new(Order::Foreground, Id::unique("egui-notify"));
    let mut found: Vec<(Rect, String)> = Vec::new();
    ctx.graphics(|graphics| {
        let shapes = graphics
            .get(layer)
            .into_iter()
            .flat_map(|list| list.all_entries());
        for shape in shapes {
            match &shape.shape {
                Shape::Rect(background) => found.push((background.rect, String::new())),
                // Sign, caption and cross follow their background; the caption is the longest.
                Shape::Text(text) => {
                    if let Some((_, caption)) = found.last_mut()
                        && caption.len() < text.galley.text().len()
                    {
                        *caption = text.galley.text().to_owned();
                    }
                }
                _ => {}
            }
        }
    });
    found
}

fn lay_under(ctx: &egui::Context, rect: Rect, text: &str) {
    egui::Area::new(Id::unique("notice").with(text))
        .order(Order::Foreground)
        .fixed_pos(rect.min)
        .constrain(false)
        .show(ctx, |ui| {
            let (_, response) = ui.allocate_exact_size(rect.size(), Sense::click());
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
        });
}
