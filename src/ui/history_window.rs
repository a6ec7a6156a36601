//! Every change of the world as a list with small pictures: a click goes to the state after it.
use super::theme::Tipped;
use super::{CHANGE_PICTURE, ChangeEntry, UiCommand, UiState, theme};
use egui::text::{LayoutJob, TextWrapping};
use egui::{Color32, RichText, TextureHandle, TextureOptions, Vec2};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Height of a row, points.
const ROW: f32 = 40.0;
/// Pictures kept on the GPU.
const TEXTURES: usize = 256;

/// The list, its thumbnails, and the undo or redo in progress.
#[derive(Default)]
pub struct HistoryWindow {
    /// The undo or redo in progress.
    going: Option<Going>,
    textures: BTreeMap<u64, (Arc<egui::ColorImage>, TextureHandle)>,
    /// The context that owns the textures.
    context: Option<egui::Context>,
}

/// An undo or redo over several ticks, started by a click.
#[derive(Clone, Copy)]
struct Going {
    /// Changes in force: at the start, now, at the end.
    from: usize,
    now: usize,
    to: usize,
    /// Frames without progress.
    idle: u32,
}

/// After this many frames without progress it is cancelled: the player did something else meanwhile.
const IDLE_FRAMES: u32 = 20;
/// Height below the list, points: the progress bar and two lines of text.
const WORDS: f32 = 64.0;

impl HistoryWindow {
    /// Draws the list.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        self.list(ui, state.changes, commands);
        self.way(ui, state.history[0], commands);
        let text = "Click a change to undo or redo up to it; that is recorded too.";
        ui.label(RichText::new(text).small().color(theme::muted(ui)));
    }

    /// The progress bar, while it takes longer than a tick.
    fn way(&mut self, ui: &mut egui::Ui, in_force: usize, commands: &mut Vec<UiCommand>) {
        let Some(going) = &mut self.going else {
            return;
        };
        going.idle = if going.now == in_force {
            going.idle + 1
        } else {
            0
        };
        going.now = in_force;
        if in_force == going.to || going.idle > IDLE_FRAMES {
            self.going = None;
            return;
        }
        let part = in_force.abs_diff(going.from) as f32 / going.to.abs_diff(going.from) as f32;
        let text = format!(
            "{} {:.0} %",
            if going.to < going.from {
                "undoing"
            } else {
                "redoing"
            },
            part * 100.0
        );
        ui.horizontal(|ui| {
            let stop = ui.button("Stop").with_tip("Stay at the current change.");
            if stop.clicked() {
                commands.push(UiCommand::GoToChange(in_force));
                self.going = None;
            }
            let bar = egui::ProgressBar::new(part.min(1.0)).text(text);
            ui.add(bar.desired_width(ui.available_width()));
        });
    }

    fn list(&mut self, ui: &mut egui::Ui, changes: &[ChangeEntry], commands: &mut Vec<UiCommand>) {
        let in_force = changes.iter().filter(|change| !change.is_undone).count();
        let height = (ui.available_height() - WORDS).max(3.0 * ROW);
        ui.spacing_mut().item_spacing.y = 0.0;
        egui::ScrollArea::vertical()
            .auto_shrink(false)
            .max_height(height)
            .stick_to_bottom(true)
            .show_rows(ui, ROW, changes.len() + 1, |ui, rows| {
                for row in rows {
                    let change = row.checked_sub(1).map(|i| &changes[i]);
                    if self.row(ui, change, row == in_force).clicked() && row != in_force {
                        commands.push(UiCommand::GoToChange(row));
                        self.going = Some(Going {
                            from: in_force,
                            now: in_force,
                            to: row,
                            idle: 0,
                        });
                    }
                }
            });
    }

    /// Draws a row; None is the state before the first change.
    fn row(
        &mut self,
        ui: &mut egui::Ui,
        change: Option<&ChangeEntry>,
        is_now: bool,
    ) -> egui::Response {
        let size = Vec2::new(ui.available_width(), ROW);
        let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click());
        let name = change.map_or("as opened", |change| change.name.as_str());
        response
            .widget_info(|| egui::WidgetInfo::selected(egui::Role::ListItem, true, is_now, name));
        let painter = ui.painter();
        let fill = match (is_now, response.hovered()) {
            (true, _) => ui.visuals().selection.bg_fill,
            (_, true) => ui.visuals().widgets.hovered.weak_bg_fill,
            _ => Color32::TRANSPARENT,
        };
        painter.rect_filled(rect, 4, fill);
        let [width, height] = CHANGE_PICTURE.map(|x| x as f32);
        let picture = egui::Rect::from_min_size(
            rect.left_center() + Vec2::new(4.0, -height / 2.0),
            Vec2::new(width, height),
        );
        if change.is_some() {
            painter.rect_filled(picture, 2, ui.visuals().extreme_bg_color);
        }
        let is_undone = change.is_some_and(|change| change.is_undone);
        if let Some(texture) = change.and_then(|change| self.texture(ui.ctx(), change)) {
            let whole = egui::Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
            let tint = if is_undone {
                Color32::from_gray(90)
            } else {
                Color32::WHITE
            };
            painter.image(texture, picture, whole, tint);
        }
        let (colour, second) = match (change, is_undone) {
            (None, _) => (Color32::from_gray(218), "no changes yet".to_string()),
            (Some(change), true) => (theme::muted(ui), format!("tick {}, undone", change.tick)),
            (Some(change), false) => (Color32::from_gray(218), format!("tick {}", change.tick)),
        };
        let at = picture.right_top() + Vec2::new(10.0, 2.0);
        let top = egui::Align2::LEFT_TOP;
        let font = egui::FontId::proportional(13.0);
        let mut line = LayoutJob::simple_singleline(name.to_owned(), font, colour);
        line.wrap = TextWrapping::truncate_at_width(rect.right() - at.x - 4.0);
        let line = ui.fonts_mut(|fonts| fonts.layout_job(line));
        painter.galley(at, line, colour);
        let below = at + Vec2::new(0.0, 17.0);
        painter.text(
            below,
            top,
            second,
            egui::FontId::proportional(11.0),
            theme::muted(ui),
        );
        response.with_tip(match is_now {
            true => "This is the current state.",
            false => "Go to the state after this change.",
        })
    }

    fn texture(&mut self, ctx: &egui::Context, change: &ChangeEntry) -> Option<egui::TextureId> {
        let picture = change.picture.as_ref()?;
        // A lost device takes its context and all textures along.
        if self.context.as_ref() != Some(ctx) {
            self.textures.clear();
            self.context = Some(ctx.clone());
        }
        let known = self.textures.get(&change.number);
        if known.is_none_or(|(old, _)| !Arc::ptr_eq(old, picture)) {
            let name = format!("change {}", change.number);
            let options = TextureOptions::LINEAR;
            let handle = ctx.load_texture(name, egui::ImageData::Color(picture.clone()), options);
            self.textures
                .insert(change.number, (picture.clone(), handle));
            if self.textures.len() > TEXTURES {
                drop_farthest(&mut self.textures, change.number);
            }
        }
        self.textures
            .get(&change.number)
            .map(|(_, handle)| handle.id())
    }
}

/// Drops the first or the last entry, whichever is farther from the one in view.
fn drop_farthest<T>(kept: &mut BTreeMap<u64, T>, looked_at: u64) {
    let [first, last] = [kept.first_key_value(), kept.last_key_value()];
    let away = |end: Option<(&u64, &T)>| end.map_or(0, |(number, _)| number.abs_diff(looked_at));
    match away(first) > away(last) {
        true => kept.pop_first(),
        false => kept.pop_last(),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(number: u64) -> ChangeEntry {
        let picture = egui::ColorImage::filled(CHANGE_PICTURE.map(|x| x as usize), Color32::RED);
        ChangeEntry {
            number,
            name: String::new(),
            tick: 0,
            is_undone: false,
            picture: Some(Arc::new(picture)),
        }
    }

    #[test]
    fn who_scrolls_up_keeps_the_pictures_that_he_sees() {
        let mut window = HistoryWindow::default();
        let ctx = egui::Context::default();
        let (count, seen) = (TEXTURES as u64 + 100, 12);
        for number in (0..count).rev() {
            assert!(window.texture(&ctx, &change(number)).is_some());
            let near = number..(number + seen).min(count);
            assert!(near.into_iter().all(|n| window.textures.contains_key(&n)));
        }
        assert_eq!(window.textures.len(), TEXTURES);
        for number in 0..count {
            window.texture(&ctx, &change(number));
            assert!(window.textures.contains_key(&number));
        }
    }

    #[test]
    fn pictures_are_handed_over_again_to_another_context() {
        let mut window = HistoryWindow::default();
        let entry = change(1);
        for ctx in [egui::Context::default(), egui::Context::default()] {
            let count = || ctx.tex_manager().read().num_allocated();
            let before = count();
            assert!(window.texture(&ctx, &entry).is_some());
            window.texture(&ctx, &entry);
            assert_eq!(count(), before + 1);
        }
        assert_eq!(window.textures.len(), 1);
    }
}
