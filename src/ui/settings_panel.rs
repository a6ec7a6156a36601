//! The panel of program settings, made from the same table as the settings file.
use super::preferences::{
    Detail, MUTE_TIP, NUMBERS, NumberSetting, OnReload, Preferences, RELOAD_TIP, SOUNDS_TIP,
    TEXTURES_TIP, VOLUMES, Vsync,
};
use super::theme::{self, Tipped};
use super::{UiCommand, UiState};
use crate::view::Palette;
use strum::VariantArray;

/// Decimals of a number on the panel.
const DECIMALS: usize = 3;

/// The panel of settings.
#[derive(Default)]
pub struct SettingsPanel {
    /// The folder of textures while it is typed: it is looked into when it is complete.
    textures: Option<String>,
    /// The same of sounds.
    sounds: Option<String>,
    /// The panels' size while it is dragged: they take it when it is let go.
    scale: Option<f64>,
}

impl SettingsPanel {
    /// Draws the section.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        let mut wanted = state.preferences.clone();
        theme::section(ui, "PROGRAM");
        for number in &NUMBERS {
            self.number(ui, number, &mut wanted);
        }
        let tip = "Moving the mouse up looks down.";
        theme::row(ui, "mouse", tip, |ui| {
            ui.checkbox(&mut wanted.upside_down, "invert").with_tip(tip);
        });
        theme::row(ui, "on reload", RELOAD_TIP, |ui| {
            for &reload in OnReload::VARIANTS {
                ui.radio_value(&mut wanted.reload, reload, reload.name())
                    .with_tip(reload.tip());
            }
        });
        theme::section(ui, "SOUND");
        theme::row(ui, "sound", MUTE_TIP, |ui| {
            ui.checkbox(&mut wanted.mute, "mute").with_tip(MUTE_TIP);
        });
        let [all, categories @ ..] = &VOLUMES;
        self.number(ui, all, &mut wanted);
        let header = ui.collapsing("categories", |ui| {
            for number in categories {
                self.number(ui, number, &mut wanted);
            }
        });
        let tip = "The volume of shots, blasts, debris, steps, creaks and of the room.";
        header.header_response.with_tip(tip);
        theme::row(ui, "sounds", SOUNDS_TIP, |ui| {
            folder(ui, &mut self.sounds, &mut wanted.sounds, "folder of sounds")
                .with_tip(SOUNDS_TIP);
        });
        theme::section(ui, "GRAPHICS");
        theme::row(ui, "v-sync", "How frames wait for the display.", |ui| {
            for &vsync in Vsync::VARIANTS {
                ui.radio_value(&mut wanted.vsync, vsync, vsync.name())
                    .with_tip(vsync.tip());
            }
        });
        theme::row(ui, "detail", "Level of detail of the 3-D view.", |ui| {
            for &detail in Detail::VARIANTS {
                ui.radio_value(&mut wanted.detail, detail, detail.name())
                    .with_tip(detail.tip());
            }
        });
        theme::row(ui, "textures", TEXTURES_TIP, |ui| {
            let (text, folder_of) = (&mut self.textures, &mut wanted.textures);
            folder(ui, text, folder_of, "folder of textures").with_tip(TEXTURES_TIP);
        });
        theme::section(ui, "COLOURS");
        for &palette in Palette::VARIANTS {
            ui.horizontal(|ui| {
                ui.radio_value(&mut wanted.palette, palette, palette.name())
                    .with_tip(palette.purpose());
                for colour in theme::colours(palette) {
                    theme::dot(ui, colour);
                }
            });
        }
        theme::section(ui, "PANELS");
        ui.horizontal(|ui| {
            let places = ui.button("Reset layout");
            if places
                .with_tip("Put every panel back in its default place.")
                .clicked()
            {
                commands.push(UiCommand::ResetPanels);
            }
            let all = ui.button("Reset settings");
            if all
                .with_tip("Restore the default of every setting above and of the keys.")
                .clicked()
            {
                wanted = Preferences {
                    world: wanted.world.clone(),
                    ..Preferences::default()
                };
            }
        });
        theme::section(ui, "FILE");
        let text = egui::Label::new(egui::RichText::new(state.settings_file).small().monospace());
        ui.add(text.wrap())
            .with_tip("The settings file, with the unit and range of each line.");
        if wanted != *state.preferences {
            commands.push(UiCommand::SetPreferences(Box::new(wanted)));
        }
    }

    /// A number with its name and its unit.
    fn number(&mut self, ui: &mut egui::Ui, number: &NumberSetting, wanted: &mut Preferences) {
        let (low, high) = (number.range.start(), number.range.end());
        let tip = format!("{} In {}, {low} to {high}.", number.tip, number.unit);
        theme::row(ui, number.label, &tip, |ui| {
            let setting = (number.field)(wanted);
            let is_scale = number.name == "scale";
            let mut value = self.scale.filter(|_| is_scale).unwrap_or(*setting);
            let drag = egui::DragValue::new(&mut value).range(number.range.clone());
            let drag = drag.speed((high - low) / 400.0).max_decimals(DECIMALS);
            let drag = drag.suffix(format!(" {}", number.unit));
            let field = ui.add(drag.update_while_editing(false));
            let field = field.with_tip(tip.as_str());
            // Panels that grow at once would move the field away from under the pointer.
            let waits = is_scale && field.dragged();
            if is_scale {
                self.scale = waits.then_some(value);
            }
            // Who only leaves the field writes what it shows, rounded.
            let is_other = (value - *setting).abs() >= 0.5 * 0.1_f64.powi(DECIMALS as i32);
            if is_other && !waits {
                *setting = value;
            }
        });
    }
}

/// A field for a folder, which counts when it is left: it is looked into when it is complete.
fn folder(
    ui: &mut egui::Ui,
    typed: &mut Option<String>,
    wanted: &mut String,
    hint: &str,
) -> egui::Response {
    let text = typed.get_or_insert_with(|| wanted.clone());
    let edit = egui::TextEdit::singleline(text).hint_text(hint.to_owned());
    let edit = ui.add(edit.desired_width(f32::INFINITY));
    if edit.lost_focus() {
        *wanted = text.trim().to_owned();
    }
    if !edit.has_focus() {
        *typed = None;
    }
    edit
}
