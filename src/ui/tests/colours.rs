//! What a colour means is told in every palette: tips name none, panels and drawings take it from the same place.
use super::*;
use crate::timing::Stage;
use strum::VariantArray;

/// Names that a palette makes untrue.
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
        let mut stand = with_panel(row.id);
        for hand in &HANDS {
            stand.hold(hand.hand);
            for text in stand
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

/// How many pixels of the picture are of a colour.
fn painted_in(stand: &Stand, colour: egui::Color32) -> usize {
    let picture = stand.painted();
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
            let mut stand = with_panel(id);
            stand.choose(palette);
            for ink in used {
                let pixels = painted_in(&stand, theme::paint(ink));
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
    let mut stand = with_panel(PanelId::Timings);
    for &palette in Palette::VARIANTS {
        let name = palette.name();
        stand.choose(palette);
        for stage in [Stage::Debris, Stage::Draw] {
            let [r, g, b] = palette.stages()[stage.index()];
            let pixels = painted_in(&stand, egui::Color32::from_rgb(r, g, b));
            // Its area in the graph and its row in the table.
            assert!(pixels > 500, "{name}, {stage:?}: {pixels}");
        }
    }
}
