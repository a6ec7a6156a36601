//! How the panels look: dark slate, one warm accent, tight rows that fit a 1280×720 window.
use crate::timing::Stage;
use crate::view::{Inks, Palette};
use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, CornerRadius, FontId, Margin, Rgba, Stroke, TextStyle, Vec2};
use std::ops::RangeInclusive;

/// A palette's colours in the panels: good, bad, warning, accent, labels.
pub fn colours(palette: Palette) -> [Color32; 5] {
    palette.panels().map(|[r, g, b]| Color32::from_rgb(r, g, b))
}

fn palette(ctx: &egui::Context) -> Palette {
    ctx.data(|data| data.get_temp(egui::Id::unique("palette")))
        .unwrap_or_default()
}

fn chosen(ctx: &egui::Context) -> [Color32; 5] {
    colours(palette(ctx))
}

/// Colours of the drawings over the picture, in the current palette.
pub fn inks(ctx: &egui::Context) -> Inks {
    palette(ctx).inks()
}

/// The colour of a stage of a frame, in the current palette.
pub fn stage(ctx: &egui::Context, stage: Stage) -> Color32 {
    let [r, g, b] = palette(ctx).stages()[stage.index()];
    Color32::from_rgb(r, g, b)
}

/// Converts an ink to the panels' colour.
pub fn paint([r, g, b]: [f32; 3]) -> Color32 {
    Rgba::from_rgb(r, g, b).into()
}

/// Text whose key words are in the ink of what they name: a tip explains the colours of any palette without naming
/// them.
pub fn in_inks(text: &str, words: &[(&str, [f32; 3])]) -> LayoutJob {
    let plain = |colour| TextFormat::simple(FontId::proportional(13.0), colour);
    let mut job = LayoutJob::default();
    let mut rest = text;
    for (word, ink) in words {
        let Some((before, after)) = rest.split_once(word) else {
            continue;
        };
        job.append(before, 0.0, plain(Color32::PLACEHOLDER));
        job.append(word, 0.0, plain(paint(*ink)));
        rest = after;
    }
    job.append(rest, 0.0, plain(Color32::PLACEHOLDER));
    job
}

/// Colour of success, in the current palette.
pub fn good(ctx: &egui::Context) -> Color32 {
    chosen(ctx)[0]
}

/// Colour of a refusal or an error.
pub fn bad(ctx: &egui::Context) -> Color32 {
    chosen(ctx)[1]
}

/// Colour of a warning.
pub fn warn(ctx: &egui::Context) -> Color32 {
    chosen(ctx)[2]
}

/// Colour of selections, of titles, and of what is running.
pub fn accent(ctx: &egui::Context) -> Color32 {
    chosen(ctx)[3]
}

/// Colour of labels.
pub fn muted(ctx: &egui::Context) -> Color32 {
    chosen(ctx)[4]
}

/// Background of side panels and floating cards.
pub const SLATE: Color32 = Color32::from_rgba_premultiplied(18, 20, 25, 251);

/// Width of the labels in a row, points.
pub const LABEL_WIDTH: f32 = 78.0;

/// Sets fonts, colours and spacing of a context.
pub fn apply(ctx: &egui::Context, palette: Palette) {
    let [_, bad, warn, accent, _] = colours(palette);
    ctx.data_mut(|data| data.insert_temp(egui::Id::unique("palette"), palette));
    ctx.set_theme(egui::Theme::Dark);
    // The scale is a setting; egui's zoom keys would be in no list of keys.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    ctx.all_styles_mut(|style| {
        let size = |points| FontId::proportional(points);
        style.text_styles = [
            (TextStyle::Small, size(11.0)),
            (TextStyle::Body, size(13.0)),
            (TextStyle::Button, size(13.0)),
            (TextStyle::Heading, size(15.0)),
            (TextStyle::Monospace, FontId::monospace(12.0)),
        ]
        .into();
        let spacing = &mut style.spacing;
        spacing.item_spacing = Vec2::new(6.0, 4.0);
        spacing.button_padding = Vec2::new(7.0, 2.0);
        spacing.interact_size = Vec2::new(34.0, 20.0);
        spacing.slider_width = 92.0;
        spacing.combo_width = 100.0;
        spacing.tooltip_width = 320.0;
        spacing.window_margin = Margin::same(12);
        style.interaction.selectable_labels = false;

        let visuals = &mut style.visuals;
        // A blinking cursor would keep redrawing an idle window.
        visuals.text_cursor.blink = false;
        visuals.panel_fill = SLATE;
        visuals.window_fill = SLATE;
        visuals.window_stroke = Stroke::new(1.0, Color32::from_rgb(52, 57, 68));
        visuals.window_corner_radius = CornerRadius::same(8);
        visuals.extreme_bg_color = Color32::from_rgb(11, 12, 15);
        visuals.faint_bg_color = Color32::from_rgb(27, 30, 36);
        visuals.selection.bg_fill = Color32::from_rgb(152, 74, 24);
        visuals.selection.stroke = Stroke::new(1.0, Color32::from_rgb(255, 236, 220));
        visuals.hyperlink_color = accent;
        visuals.warn_fg_color = warn;
        visuals.error_fg_color = bad;
        visuals.slider_trailing_fill = true;
        visuals.striped = true;
        let widgets = &mut visuals.widgets;
        for (look, fill, text) in [
            (&mut widgets.noninteractive, 30, 205),
            (&mut widgets.inactive, 46, 218),
            (&mut widgets.hovered, 62, 245),
            (&mut widgets.active, 78, 255),
            (&mut widgets.open, 52, 235),
        ] {
            look.corner_radius = CornerRadius::same(4);
            look.weak_bg_fill = Color32::from_rgb(fill, fill + 3, fill + 10);
            look.bg_fill = look.weak_bg_fill;
            look.fg_stroke.color = Color32::from_gray(text);
        }
        widgets.noninteractive.bg_stroke = Stroke::new(1.0, Color32::from_rgb(48, 53, 63));
    });
}

/// A section's title with a thin line after it.
pub fn section(ui: &mut egui::Ui, title: &str) {
    ui.add_space(3.0);
    ui.horizontal(|ui| {
        ui.label(
            egui::RichText::new(title)
                .small()
                .strong()
                .color(accent(ui)),
        );
        let (rect, _) =
            ui.allocate_exact_size(Vec2::new(ui.available_width(), 12.0), egui::Sense::hover());
        ui.painter().hline(
            rect.x_range(),
            rect.center().y,
            ui.visuals().widgets.noninteractive.bg_stroke,
        );
    });
}

/// A row: a muted label of fixed width, then what it labels. The tip shows over both.
pub fn row<R>(
    ui: &mut egui::Ui,
    label: &str,
    tip: &str,
    add: impl FnOnce(&mut egui::Ui) -> R,
) -> R {
    let row = ui.horizontal(|ui| {
        let height = ui.spacing().interact_size.y;
        ui.allocate_ui_with_layout(
            Vec2::new(LABEL_WIDTH, height),
            egui::Layout::left_to_right(egui::Align::Center),
            |ui| {
                ui.set_min_width(LABEL_WIDTH);
                ui.label(egui::RichText::new(label).color(muted(ui)))
                    .with_tip(tip);
            },
        );
        add(ui)
    });
    row.inner
}

/// Tooltips for enabled and disabled widgets.
pub trait Tipped {
    /// Adds a tooltip; egui's own shows only while the widget is enabled.
    fn with_tip(self, text: impl Into<egui::WidgetText>) -> Self;
}

impl Tipped for egui::Response {
    fn with_tip(self, text: impl Into<egui::WidgetText>) -> Self {
        let text = text.into();
        self.on_hover_text(text.clone())
            .on_disabled_hover_text(text)
    }
}

/// A slider that changes its value only by a drag or typed number; egui's own writes back the clamped and rounded value
/// that it shows.
pub fn slider<N: egui::emath::Numeric>(
    ui: &mut egui::Ui,
    value: &mut N,
    range: RangeInclusive<N>,
    look: impl FnOnce(egui::Slider<'_>) -> egui::Slider<'_>,
) -> egui::Response {
    let before = *value;
    let slider = egui::Slider::new(value, range).clamping(egui::SliderClamping::Edits);
    let response = ui.add(look(slider));
    // Typed values are applied while typing; losing the focus without Enter would write the rounded value.
    if response.lost_focus() && !ui.input(|input| input.key_pressed(egui::Key::Enter)) {
        *value = before;
    }
    response
}

/// A count with its noun: "1 portal", "2 portals".
pub fn counted(count: usize, name: &str) -> String {
    let many = if count == 1 { "" } else { "s" };
    format!("{count} {name}{many}")
}

/// A small dot, painted because the fonts have none.
pub fn dot(ui: &mut egui::Ui, colour: Color32) {
    let (rect, _) = ui.allocate_exact_size(
        Vec2::new(8.0, ui.spacing().interact_size.y),
        egui::Sense::hover(),
    );
    ui.painter().circle_filled(rect.center(), 4.0, colour);
}

/// The frame of cards that float over the picture.
pub fn card() -> egui::Frame {
    egui::Frame::new()
        .fill(SLATE)
        .corner_radius(CornerRadius::same(6))
        .inner_margin(Margin::symmetric(10, 6))
        .stroke(Stroke::new(1.0, Color32::from_rgb(52, 57, 68)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_name_something_drawn_are_in_its_ink() {
        let inks = Palette::RedGreen.inks();
        let text = "What moves and what rests.";
        let job = in_inks(text, &[("moves", inks.moving), ("rests", inks.open)]);
        assert_eq!(job.text, text);
        let is = |i: usize, word| {
            let bytes = &job.sections[i].byte_range;
            assert_eq!(&text[bytes.start.0..bytes.end.0], word);
        };
        is(1, "moves");
        is(3, "rests");
        assert_eq!(job.sections[1].format.color, paint(inks.moving));
        assert_eq!(job.sections[3].format.color, paint(inks.open));
    }
}
