//! The strength of structures: its settings, the last check, what broke, and the colours of the drawings.
use super::theme::Tipped;
use super::tree_panel::{grouped, value_grid};
use super::{StructureState, UiCommand, UiState, theme};
use crate::sim::{BREAKS, BrokenSection, CheckReport, MOST_CREAK};
use crate::solid::Lattice;
use crate::view::{mode_name, percent_words, stress_colour};
use egui::RichText;

/// The panel; it keeps no state.
#[derive(Default)]
pub struct StructurePanel {}

/// Most broken sections listed, the last ones.
const MOST_LISTED: usize = 12;
/// Height of the bar of colours, points.
const BAR: f32 = 10.0;

impl StructurePanel {
    /// Draws the sections.
    pub fn ui(&mut self, ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
        let Self {} = self;
        settings(ui, state, commands);
        colours(ui);
        last_check(ui, state);
        broken(ui, &state.structure, commands);
    }
}

fn settings(ui: &mut egui::Ui, state: &UiState, commands: &mut Vec<UiCommand>) {
    theme::section(ui, "STRENGTH");
    let mut settings = state.settings.clone();
    let tip = "Factor of what materials bear: solid that is cut too thin for its load breaks. 0: nothing breaks.";
    theme::row(ui, "strength", tip, |ui| {
        theme::slider(ui, &mut settings.strength, 0.0..=4.0, |s| {
            s.max_decimals(2).clamping(egui::SliderClamping::Edits)
        })
        .with_tip(tip);
    });
    let tip = "Most sections that break after one check, the worst first. What they carried goes elsewhere before the next check.";
    theme::row(ui, "breaks", tip, |ui| {
        let [least, most] = BREAKS;
        theme::slider(ui, &mut settings.breaks, least..=most, |s| s).with_tip(tip);
    });
    let tip = "Factor of the time that a section creaks before it breaks: cracks show and dust falls, longer for large pieces. 0: it breaks at once.";
    theme::row(ui, "creak", tip, |ui| {
        theme::slider(ui, &mut settings.creak, 0.0..=MOST_CREAK, |s| {
            s.max_decimals(2)
        })
        .with_tip(tip);
    });
    let tip = "Edge of the blocks in which the forces in solid are found. Smaller ones find thinner sections and take longer; a structure that is too large for them is checked in larger ones.";
    theme::row(ui, "block size", tip, |ui| {
        let mut place = place_of_block(settings.block).unwrap_or(1);
        theme::slider(ui, &mut place, 0..=Lattice::SIZES.len() - 1, |s| {
            s.custom_formatter(|place, _| format!("{} m", block_at(place.round() as usize)))
                .custom_parser(|text| {
                    let typed: f64 = text.trim().trim_end_matches('m').trim().parse().ok()?;
                    let place = place_of_block(Lattice::new(typed).block_m())?;
                    Some(place as f64)
                })
        })
        .with_tip(tip);
        settings.block = block_at(place);
    });
    if settings != *state.settings {
        commands.push(UiCommand::SetSettings(Box::new(settings)));
    }
}

/// The place of a block's size, metres, on its slider.
fn place_of_block(size: f64) -> Option<usize> {
    Lattice::SIZES.iter().position(|&each| each == size)
}

/// The size of a block at a place of its slider, metres.
fn block_at(place: usize) -> f64 {
    Lattice::SIZES[place.min(Lattice::SIZES.len() - 1)]
}

/// The colours of the drawings *stress* and *bonds*, with some utilisations below.
fn colours(ui: &mut egui::Ui) {
    theme::section(ui, "COLOURS");
    let size = egui::vec2(ui.available_width(), BAR + 14.0);
    let (place, bar) = ui.allocate_exact_size(size, egui::Sense::hover());
    bar.with_tip(
        "Colours of the drawings stress and bonds, which the Bins panel switches on: how much of its strength a section uses, by the square root.",
    );
    let painter = ui.painter_at(place);
    let steps = place.width().max(1.0) as usize;
    let left = |step: usize| place.left() + place.width() * step as f32 / steps as f32;
    for step in 0..steps {
        let part = (step as f64 + 0.5) / steps as f64;
        let strip = egui::Rect::from_min_max(
            egui::pos2(left(step), place.top()),
            egui::pos2(left(step + 1), place.top() + BAR),
        );
        painter.rect_filled(strip, 0, theme::paint(stress_colour(part * part)));
    }
    for (percent, align) in [
        (0, egui::Align2::LEFT_BOTTOM),
        (6, egui::Align2::CENTER_BOTTOM),
        (25, egui::Align2::CENTER_BOTTOM),
        (56, egui::Align2::CENTER_BOTTOM),
        (100, egui::Align2::RIGHT_BOTTOM),
    ] {
        let x = place.left() + place.width() * (percent as f32 / 100.0).sqrt();
        let font = egui::TextStyle::Small.resolve(ui.style());
        let text = format!("{percent} %");
        painter.text(
            egui::pos2(x, place.bottom()),
            align,
            text,
            font,
            theme::muted(ui),
        );
    }
}

fn last_check(ui: &mut egui::Ui, state: &UiState) {
    theme::section(ui, "LAST CHECK");
    let StructureState {
        check, is_checking, ..
    } = state.structure;
    let stands = match (state.settings.strength > 0.0, is_checking, check) {
        (false, ..) => Some("strength is off"),
        (true, true, _) => Some("a check is under way"),
        (true, false, None) => Some("nothing checked yet: carve something"),
        (true, false, Some(_)) => None,
    };
    let Some((tick, check)) = check else {
        let text = stands.unwrap_or_default();
        ui.label(RichText::new(text).color(theme::muted(ui)));
        return;
    };
    let CheckReport {
        blocks,
        bonds,
        utilisation,
        overloaded,
        is_too_large,
    } = check;
    let stands = match is_too_large {
        true => "one is too large, not checked",
        false => stands.unwrap_or("done"),
    };
    let rows = [
        (
            "check",
            stands.to_string(),
            "Whether the last change has been checked.",
        ),
        (
            "tick",
            grouped(tick),
            "The tick in which the check below came to its end.",
        ),
        (
            "blocks",
            grouped(*blocks as u64),
            "Blocks of the structures around the change, out to the ground.",
        ),
        (
            "sections",
            grouped(*bonds as u64),
            "Sections between these blocks.",
        ),
        (
            "most used",
            percent_words(*utilisation),
            "How much of its strength the section uses that is nearest to breaking.",
        ),
        (
            "too weak",
            grouped(*overloaded as u64),
            "Sections that their load overcomes. Not all of them break at once: see breaks.",
        ),
    ];
    value_grid(ui, "last check", &rows);
}

fn broken(ui: &mut egui::Ui, state: &StructureState, commands: &mut Vec<UiCommand>) {
    theme::section(ui, "BROKE");
    if state.broken.is_empty() {
        ui.label(RichText::new("nothing").color(theme::muted(ui)));
    }
    for (tick, section) in state.broken.iter().rev().take(MOST_LISTED) {
        let BrokenSection {
            centre,
            utilisation,
            ..
        } = section;
        let button = egui::Button::new(broken_words(section)).truncate();
        let button = button.min_size(egui::vec2(ui.available_width(), 18.0));
        let tip = format!(
            "It broke at tick {} under {} of what it bears, at {:.1}, {:.1}, {:.1}. Click to fly there.",
            grouped(*tick),
            percent_words(*utilisation),
            centre.x,
            centre.y,
            centre.z
        );
        if ui.add(button).with_tip(tip).clicked() {
            commands.push(UiCommand::FlyNear(*centre));
        }
    }
}

/// Material, area and stress of a broken section.
fn broken_words(section: &BrokenSection) -> String {
    let material = section.material.map_or("solid", |m| m.name());
    let area = match section.area_m2 {
        area if area < 0.1 => format!("{:.0} cm²", area * 1e4),
        area => format!("{area:.2} m²"),
    };
    format!("{material}, {area}, {}", mode_name(section.mode))
}
