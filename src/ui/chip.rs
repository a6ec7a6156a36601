//! What the last carve came to: a line over the picture, in full in the panel.
use super::theme;
use egui::RichText;

/// A carve or a fill and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct CarveChip {
    /// "rocket", "carve" or "fill".
    pub what: &'static str,
    /// Why nothing happened.
    pub refused: Option<String>,
    /// Every edge of the touched rooms is closed.
    pub watertight: bool,
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

impl CarveChip {
    /// The volume in words: litres below a tenth of a cubic metre.
    pub fn volume(&self) -> String {
        let size = self.volume_m3.abs();
        let (number, unit) = if size < 0.1 {
            (size * 1000.0, "l")
        } else {
            (size, "m³")
        };
        let verb = if self.volume_m3 < 0.0 {
            "added"
        } else {
            "removed"
        };
        format!("{number:.2} {unit} {verb}")
    }

    /// The line over the picture.
    pub fn ui(&self, ui: &mut egui::Ui) {
        let Self {
            what,
            refused,
            watertight,
            faces,
            volume_m3: _,
            hash,
            ms,
            rebuild_ms: _,
            rooms: _,
            portals: _,
            islands: _,
        } = self;
        ui.spacing_mut().item_spacing.x = 10.0;
        let title = RichText::new(*what).strong().color(theme::ACCENT);
        ui.label(title);
        if let Some(why) = refused {
            ui.colored_label(theme::WARN, why);
            return;
        }
        let (word, colour) = if *watertight {
            ("watertight", theme::GOOD)
        } else {
            ("not watertight", theme::BAD)
        };
        theme::dot(ui, colour);
        ui.colored_label(colour, word)
            .on_hover_text("Every edge of the touched rooms has its opposite.");
        ui.label(format!("{faces} faces"))
            .on_hover_text("Faces touched.");
        ui.label(self.volume())
            .on_hover_text("Solid that became air; added, when filled.");
        ui.label(
            RichText::new(format!("#{hash:016x}"))
                .monospace()
                .color(theme::MUTED),
        )
        .on_hover_text("Hash of the whole world.");
        ui.label(RichText::new(format!("{ms:.2} ms")).monospace())
            .on_hover_text("What the carve took.");
    }
}
