//! What the last carve came to: a line over the picture, in full in the panel.
use super::theme::Tipped;
use super::{UiAction, theme};
use egui::RichText;
use glam::DVec3;

/// A carve or a fill and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct CarveChip {
    /// "blast", "drill", "carve" or "fill".
    pub what: &'static str,
    /// Why nothing happened.
    pub refused: Option<String>,
    /// Why it changed nothing, though it was carried out.
    pub no_effect: Option<String>,
    /// Every edge of the touched rooms is closed.
    pub watertight: bool,
    /// Where it is not, metres.
    pub open_at: Option<DVec3>,
    /// Faces touched.
    pub faces: u32,
    /// Rooms touched.
    pub rooms: usize,
    /// Portals opened.
    pub portals: usize,
    /// Pieces cut free.
    pub islands: usize,
    /// Cubic metres of solid that became air; negative: filled.
    pub volume_m3: f64,
    /// Hash of the whole world.
    pub hash: u64,
    /// The whole carve, milliseconds.
    pub ms: f32,
    /// The rebuild of the trees in it, milliseconds.
    pub rebuild_ms: f32,
}

/// Solid that became air, or was added where it is negative, cubic metres, in words: litres below a tenth of one.
pub fn volume_words(volume_m3: f64) -> String {
    let size = volume_m3.abs();
    let (number, unit) = if size < 0.1 {
        (size * 1000.0, "l")
    } else {
        (size, "m³")
    };
    let verb = if volume_m3 < 0.0 { "added" } else { "removed" };
    format!("{number:.2} {unit} {verb}")
}

impl CarveChip {
    /// The volume in words.
    pub fn volume(&self) -> String {
        volume_words(self.volume_m3)
    }

    /// The line over the picture, and a second one where something is wrong.
    pub fn ui(&self, ui: &mut egui::Ui, actions: &mut Vec<UiAction>) {
        ui.horizontal_wrapped(|ui| self.line(ui));
        if !self.watertight && self.refused.is_none() && self.no_effect.is_none() {
            ui.horizontal(|ui| wrong(ui, self.open_at, actions));
        }
    }

    fn line(&self, ui: &mut egui::Ui) {
        let Self {
            what,
            refused,
            no_effect,
            watertight,
            open_at: _,
            faces,
            volume_m3: _,
            hash,
            ms,
            rebuild_ms: _,
            rooms: _,
            portals,
            islands: _,
        } = self;
        ui.spacing_mut().item_spacing.x = 10.0;
        let title = RichText::new(*what).strong().color(theme::accent(ui));
        ui.label(title);
        if let Some(why) = refused {
            ui.colored_label(theme::warn(ui), why);
            return;
        }
        if let Some(why) = no_effect {
            ui.colored_label(theme::warn(ui), format!("no effect: {why}"));
            return;
        }
        let (word, colour) = if *watertight {
            ("watertight", theme::good(ui))
        } else {
            ("not watertight", theme::bad(ui))
        };
        theme::dot(ui, colour);
        ui.colored_label(colour, word)
            .with_tip("Every edge in the rooms touched is matched by its opposite.");
        ui.label(theme::counted(*faces as usize, "face"))
            .with_tip("Faces touched.");
        ui.label(theme::counted(*portals, "portal"))
            .with_tip("Portals opened.");
        ui.label(self.volume())
            .with_tip("Volume of solid removed, or added by a fill.");
        ui.label(
            RichText::new(format!("#{hash:016x}"))
                .monospace()
                .color(theme::muted(ui)),
        )
        .with_tip("Hash of the whole world.");
        ui.label(RichText::new(format!("{ms:.2} ms")).monospace())
            .with_tip("Time the carve took.");
    }
}

/// What can be done about a fault of ours.
fn wrong(ui: &mut egui::Ui, open_at: Option<DVec3>, actions: &mut Vec<UiAction>) {
    if let Some(at) = open_at {
        let tip = format!(
            "There is an open edge at {:.3} {:.3} {:.3} m.",
            at.x, at.y, at.z
        );
        if ui.button("Look there").with_tip(tip).clicked() {
            actions.push(UiAction::LookAt(at));
        }
    }
    let tip = "Save the recording, with its level, to a file that reproduces the fault.";
    if ui.button("Save bug report").with_tip(tip).clicked() {
        actions.push(UiAction::ReportBug);
    }
}
