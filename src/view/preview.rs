//! A tool's use beforehand, as lines: where it would cut, which portals would open, what would fall.
use super::Line;
use crate::world::Preview;
use glam::DVec3;

/// Linear RGBA: the cut, a portal, a piece.
const OUTLINE: [f32; 4] = [1.0, 0.75, 0.05, 1.0];
const OPENING: [f32; 4] = [0.05, 0.8, 1.0, 1.0];
const FALLING: [f32; 4] = [1.0, 0.08, 0.25, 1.0];
/// At most this many lines, so that a preview of a whole hall keeps the window usable.
const MOST_LINES: usize = 20_000;

/// The lines of a preview: outline, opening portals and falling pieces, each in its colour.
pub fn preview_lines(preview: &Preview) -> Vec<Line> {
    let segments = |list: &[[DVec3; 2]], colour| -> Vec<Line> {
        let line = |[from, to]: &[DVec3; 2]| Line {
            from: *from,
            to: *to,
            colour,
        };
        list.iter().map(line).collect()
    };
    let mut lines = segments(&preview.outline, OUTLINE);
    for outline in preview.portals.iter().flatten() {
        let next = outline.iter().cycle().skip(1);
        let around: Vec<[DVec3; 2]> = outline.iter().zip(next).map(|(a, b)| [*a, *b]).collect();
        lines.extend(segments(&around, OPENING));
    }
    for (_, edges) in &preview.islands {
        lines.extend(segments(edges, FALLING));
    }
    lines.truncate(MOST_LINES);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outline_portals_and_pieces_have_their_colours() {
        let square = [DVec3::ZERO, DVec3::X, DVec3::ONE, DVec3::Y];
        let preview = Preview {
            outline: vec![[DVec3::ZERO, DVec3::X]],
            portals: vec![vec![square.to_vec()]],
            islands: vec![(1.0, vec![[DVec3::Y, DVec3::Z]; 2])],
            ..Preview::default()
        };
        let lines = preview_lines(&preview);
        let count = |colour| lines.iter().filter(|l| l.colour == colour).count();
        assert_eq!((count(OUTLINE), count(OPENING), count(FALLING)), (1, 4, 2));
        // The last line of a portal closes it.
        assert_eq!((lines[4].from, lines[4].to), (DVec3::Y, DVec3::ZERO));
        let crowd = Preview {
            outline: vec![[DVec3::ZERO, DVec3::X]; 99_999],
            ..Preview::default()
        };
        assert_eq!(preview_lines(&crowd).len(), MOST_LINES);
    }
}
