//! The result of the last carve: a line over the picture.
use super::theme::Tipped;
use super::{CarveChip, UiCommand, theme, volume_words};
use egui::RichText;
use glam::DVec3;

const SIDE_EFFECTS: &str = "What it did to doors, lifts and other movers, and to loose pieces.";

impl CarveChip {
    /// The volume in words.
    pub fn volume(&self) -> String {
        volume_words(self.volume_m3)
    }

    /// In words, what it did to movers and loose pieces; None: nothing.
    pub fn side_effects(&self) -> Option<String> {
        let (movers, movers_m3) = self.movers;
        let carved = (movers > 0).then(|| format!("{} from movers", volume_words(movers_m3)));
        let broken = self.broken as usize;
        let broken = (broken > 0).then(|| format!("{} broken", theme::counted(broken, "piece")));
        let words: Vec<String> = carved.into_iter().chain(broken).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// Draws the line, and a second one if the mesh is not watertight.
    pub fn ui(&self, ui: &mut egui::Ui, commands: &mut Vec<UiCommand>) {
        ui.horizontal_wrapped(|ui| self.line(ui));
        if !self.watertight && self.refused.is_none() && self.no_effect.is_none() {
            ui.horizontal(|ui| wrong(ui, self.open_at, commands));
        }
    }

    fn line(&self, ui: &mut egui::Ui) {
        let Self {
            what,
            refused,
            no_effect,
            movers: _,
            broken: _,
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
        let side_effects = self.side_effects();
        let no_effect = no_effect.as_ref().map(|why| format!("no effect: {why}"));
        if let Some(why) = refused.clone().or(no_effect) {
            match side_effects {
                Some(words) => ui.label(words).with_tip(SIDE_EFFECTS),
                None => ui.colored_label(theme::warn(ui), why),
            };
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
        if let Some(words) = side_effects {
            ui.label(words).with_tip(SIDE_EFFECTS);
        }
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

/// Buttons for a mesh that is not watertight, which is a bug in Breach.
fn wrong(ui: &mut egui::Ui, open_at: Option<DVec3>, commands: &mut Vec<UiCommand>) {
    if let Some(at) = open_at {
        let tip = format!(
            "There is an open edge at {:.3} {:.3} {:.3} m.",
            at.x, at.y, at.z
        );
        if ui.button("Look there").with_tip(tip).clicked() {
            commands.push(UiCommand::LookAt(at));
        }
    }
    let tip = "Save the recording, with its level, to a file that reproduces the fault.";
    if ui.button("Save bug report").with_tip(tip).clicked() {
        commands.push(UiCommand::ReportBug);
    }
}
