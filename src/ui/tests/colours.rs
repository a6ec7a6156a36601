//! Colours are explained in every palette: tips name none, and panels share them with the drawings.
use super::*;
use crate::timing::Stage;
use strum::VariantArray;

/// Colour names, which are wrong in some palette.
const NAMES: [&str; 9] = [
    "red", "green", "blue", "yellow", "orange", "magenta", "grey", "violet", "teal",
];

#[test]
fn no_tip_names_a_colour_that_another_palette_shows_otherwise() {
    let of_palettes: Vec<&str> = Palette::VARIANTS
        .iter()
        .map(|palette| palette.purpose())
        .collect();
    for row in PANELS {
        let mut window = with_panel(row.id);
        for tool in &TOOLS {
            window.hold(tool.kind);
            for text in window
                .tips
                .iter()
                .filter(|tip| !of_palettes.contains(&tip.as_str()))
            {
                let mut words = text
                    .split(|c: char| !c.is_alphabetic())
                    .map(str::to_lowercase);
                let named = words.find(|word| NAMES.contains(&word.as_str()));
                assert_eq!(named, None, "{}: {text}", row.title);
            }
        }
    }
}

/// The number of pixels of a colour.
fn painted_in(window: &TestWindow, colour: egui::Color32) -> usize {
    let picture = window.painted();
    picture
        .pixels
        .iter()
        .filter(|pixel| **pixel == colour)
        .count()
}

#[test]
fn the_lab_and_the_map_are_drawn_in_the_chosen_palette() {
    for &palette in Palette::VARIANTS {
        let name = palette.name();
        let inks = palette.inks();
        for (id, used) in [
            (PanelId::Lab, [inks.asked, inks.open]),
            (PanelId::Map, [inks.open, inks.fresh]),
        ] {
            let mut window = with_panel(id);
            window.choose(palette);
            for ink in used {
                let pixels = painted_in(&window, theme::paint(ink));
                assert!(
                    pixels > 10,
                    "{name}, {}: {pixels} of {ink:?}",
                    id.row().title
                );
            }
        }
    }
}

#[test]
fn stages_are_in_the_chosen_palette() {
    let mut window = with_panel(PanelId::Timings);
    for &palette in Palette::VARIANTS {
        let name = palette.name();
        window.choose(palette);
        for stage in [Stage::Debris, Stage::Draw] {
            let [r, g, b] = palette.stages()[stage.index()];
            let pixels = painted_in(&window, egui::Color32::from_rgb(r, g, b));
            // Its area in the graph and its row in the table.
            assert!(pixels > 500, "{name}, {stage:?}: {pixels}");
        }
    }
}
