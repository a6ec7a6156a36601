//! Messages at the bottom: saved, refused and why. They slide in, stay for some seconds (longer under the pointer) and
//! can be closed; drawn by egui-notify.
//!
//! egui-notify only paints. Lines are wrapped here, and each message gets a widget over it, which a screen reader finds
//! and which keeps clicks from the picture behind.
use super::{NoticeKind, UiState, dialogs, theme};
use egui::{Color32, FontId, Id, LayerId, Order, Rect, Sense, Shape, TextStyle, Vec2};
use egui_notify::{Anchor, Toast, ToastLevel, Toasts};
use std::time::Duration;

/// At most this many are shown; the oldest is dropped.
const MOST: usize = 5;
/// Widest line, points.
const WIDEST: f32 = 460.0;
/// Width beside the text, points: sign, cross and margins.
const BESIDE: f32 = 84.0;
/// Distance from the picture's lower edge, points: the hint stays visible.
const ABOVE: f32 = 40.0;

/// The messages in view.
#[derive(Default)]
pub struct Notices {
    toasts: Toasts,
    /// The id of the newest message taken in.
    newest: u64,
    shown: Vec<ShownNotice>,
    /// When messages expire, seconds of egui's time.
    ends: Vec<f64>,
}

/// A message in view.
struct ShownNotice {
    /// The text with line breaks.
    caption: String,
    /// The text without them.
    text: String,
    kind: NoticeKind,
}

impl ShownNotice {
    /// Whether it expires.
    fn is_brief(&self) -> bool {
        seconds(self.kind).is_some()
    }
}

impl Notices {
    /// Takes in the messages of this frame and draws all. `free` is the part of the window without panels.
    pub fn ui(&mut self, ui: &egui::Ui, free: Rect, state: &UiState) {
        let screen = ui.ctx().content_rect();
        let width = (free.width() - 2.0 * BESIDE).clamp(120.0, WIDEST);
        for notice in state.notices {
            // A frame may take two passes.
            if notice.id <= self.newest {
                continue;
            }
            self.newest = notice.id;
            if notice.kind == NoticeKind::Opened {
                self.drop_refusals(ui);
            }
            let caption = broken(ui, &notice.text, width);
            if self.shown.iter().all(|shown| shown.caption != caption) {
                self.toasts.add(toast(ui, notice.kind, &caption));
                let now = ui.input(|input| input.time);
                self.ends
                    .extend(seconds(notice.kind).map(|s| now + s as f64));
                self.shown.push(ShownNotice {
                    caption,
                    text: notice.text.clone(),
                    kind: notice.kind,
                });
            }
        }
        if self.toasts.len() > MOST {
            // Newest first, so the last is the oldest.
            self.toasts.dismiss_latest_toast();
        }
        if dialogs::is_open(state) {
            // Nothing covers a dialog: the messages wait.
            return;
        }
        let margin = Vec2::new(free.left() + 10.0, screen.bottom() - free.bottom() + ABOVE);
        self.toasts = std::mem::take(&mut self.toasts)
            .with_anchor(Anchor::BottomLeft)
            .with_margin(margin)
            .reverse(true);
        self.toasts.show(ui.ctx());
        let painted = painted(ui.ctx());
        self.shown
            .retain(|shown| painted.iter().any(|(_, text)| *text == shown.caption));
        for (rect, caption) in painted {
            if let Some(shown) = self.shown.iter().find(|shown| shown.caption == caption) {
                lay_under(ui.ctx(), rect, &shown.text);
            }
        }
        self.wake(ui);
    }

    /// Removes all refusals. egui-notify can only dismiss all toasts, so the others are added again.
    fn drop_refusals(&mut self, ui: &egui::Ui) {
        let all = self.shown.len();
        self.shown.retain(|shown| shown.kind != NoticeKind::Refused);
        if self.shown.len() < all {
            self.toasts.dismiss_all_toasts();
            for shown in &self.shown {
                self.toasts.add(toast(ui, shown.kind, &shown.caption));
            }
        }
    }

    /// Requests a repaint when a message expires.
    fn wake(&mut self, ui: &egui::Ui) {
        /// Next try for a message that the pointer kept, seconds.
        const AGAIN: f64 = 2.0;
        let now = ui.input(|input| input.time);
        let all = self.ends.len();
        self.ends.retain(|end| *end > now);
        if self.ends.len() < all && self.shown.iter().any(ShownNotice::is_brief) {
            self.ends.push(now + AGAIN);
        }
        for end in &self.ends {
            ui.ctx()
                .request_repaint_after(Duration::from_secs_f64(end - now));
        }
    }
}

/// How long a message stays, seconds; None: until it is closed.
fn seconds(kind: NoticeKind) -> Option<u64> {
    match kind {
        NoticeKind::Info | NoticeKind::Opened => Some(6),
        NoticeKind::Warning => Some(12),
        NoticeKind::Error | NoticeKind::Refused => None,
    }
}

fn font(ui: &egui::Ui) -> FontId {
    TextStyle::Body.resolve(ui.style())
}

/// Wraps a text at a width in points.
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
        NoticeKind::Info | NoticeKind::Opened => ("ℹ", theme::good(ui)),
        NoticeKind::Warning => ("⚠", theme::warn(ui)),
        NoticeKind::Error | NoticeKind::Refused => ("⛔", theme::bad(ui)),
    };
    let mut toast = Toast::custom(caption, ToastLevel::Custom(sign.into(), colour));
    // Its size in the first pass, before it has measured itself.
    let galley = ui.fonts_mut(|fonts| fonts.layout_no_wrap(caption.to_owned(), font(ui), colour));
    toast
        .width(galley.size().x + BESIDE)
        .height(galley.size().y + 20.0)
        .duration(seconds(kind).map(Duration::from_secs))
        .show_progress_bar(false)
        .closable(true);
    toast
}

/// The rectangles and captions of the messages painted in this pass.
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
