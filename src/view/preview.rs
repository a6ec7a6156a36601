//! The preview of a carve as lines: the cut, the portals that it opens, the islands that fall.
use super::line::Line;
use super::palette::{Palette, with_alpha};
use crate::sim::Foreseen;
use crate::world::Preview;
use glam::DVec3;

/// Most lines, so that the preview of a whole hall stays fast.
const MOST_LINES: usize = 20_000;

/// Opacity of lines within solid: they are drawn behind walls, where little of it is left.
const INSIDE_ALPHA: f32 = 4.0;

/// The lines of a preview: outline, opening portals and falling islands, in the inks of rays, portals and hits.
pub fn preview_lines(preview: &Preview, palette: Palette) -> Vec<Line> {
    let inks = palette.inks();
    let segments = |list: &[[DVec3; 2]], ink| -> Vec<Line> {
        let colour = with_alpha(ink, 1.0);
        let line = |[from, to]: &[DVec3; 2]| Line {
            from: *from,
            to: *to,
            colour,
        };
        list.iter().map(line).collect()
    };
    let mut lines = segments(&preview.outline, inks.asked);
    for outline in preview.portals.iter().flatten() {
        let next = outline.iter().cycle().skip(1);
        let around: Vec<[DVec3; 2]> = outline.iter().zip(next).map(|(a, b)| [*a, *b]).collect();
        lines.extend(segments(&around, inks.open));
    }
    for (_, edges) in &preview.islands {
        lines.extend(segments(edges, inks.hit));
    }
    lines.truncate(MOST_LINES);
    lines
}

/// Crosses where sections would break, as large as these, in the ink of hits.
pub fn foreseen_lines(foreseen: &Foreseen, palette: Palette) -> Vec<Line> {
    let colour = with_alpha(palette.inks().hit, INSIDE_ALPHA);
    let crosses = foreseen.sections.iter().flat_map(|section| {
        let half = section.area_m2.sqrt() / 2.0;
        let bars = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| axis * half);
        bars.map(|bar| Line {
            from: section.centre - bar,
            to: section.centre + bar,
            colour,
        })
    });
    crosses.take(MOST_LINES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::VariantArray;

    #[test]
    fn outline_portals_and_pieces_have_their_colours() {
        let square = [DVec3::ZERO, DVec3::X, DVec3::ONE, DVec3::Y];
        let preview = Preview {
            outline: vec![[DVec3::ZERO, DVec3::X]],
            portals: vec![vec![square.to_vec()]],
            islands: vec![(1.0, vec![[DVec3::Y, DVec3::Z]; 2])],
            ..Preview::default()
        };
        for &palette in Palette::VARIANTS {
            let (lines, inks) = (preview_lines(&preview, palette), palette.inks());
            let count = |ink| {
                let colour = with_alpha(ink, 1.0);
                lines.iter().filter(|l| l.colour == colour).count()
            };
            let counts = [inks.asked, inks.open, inks.hit].map(count);
            assert_eq!(counts, [1, 4, 2], "{}", palette.name());
        }
        let lines = preview_lines(&preview, Palette::Standard);
        // The last line of a portal closes it.
        assert_eq!((lines[4].from, lines[4].to), (DVec3::Y, DVec3::ZERO));
        let crowd = Preview {
            outline: vec![[DVec3::ZERO, DVec3::X]; 99_999],
            ..Preview::default()
        };
        assert_eq!(preview_lines(&crowd, Palette::Standard).len(), MOST_LINES);
    }
}
