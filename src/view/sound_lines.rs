//! The ways of the loudest sounds to the ear, as lines.
use super::line::Line;
use super::palette::Palette;
use super::with_alpha;
use crate::sound::ear::Source;
use crate::sound::path::Way;
use glam::DVec3;

/// So many sources are drawn: the loudest.
const MOST: usize = 12;
/// Lines end so far below the eye, metres: one to the eye itself would be a point.
const BELOW: f64 = 0.2;
/// Half the size of the cross at a source, metres.
const CROSS: f64 = 0.12;

/// The paths of the loudest sources: those through open air in one colour, those through walls in another; the fainter the
/// more is lost.
pub fn sound_lines(sources: &[Source], palette: Palette) -> Vec<Line> {
    let mut loudest: Vec<&Source> = sources.iter().collect();
    loudest.sort_by(|a, b| b.loudness().total_cmp(&a.loudness()).then(a.id.cmp(&b.id)));
    let inks = palette.inks();
    let mut lines = Vec::new();
    for source in loudest.into_iter().take(MOST) {
        let path = &source.path;
        let ink = match path.way {
            Way::Wall => inks.hit,
            Way::Direct | Way::Around | Way::Openings(_) => inks.moving,
        };
        let colour = with_alpha(ink, (1.0 - path.loss_db / 70.0).clamp(0.25, 1.0) as f32);
        let mut points = path.points.clone();
        if let Some(first) = points.first_mut() {
            first.y -= BELOW;
        }
        let legs = points.windows(2).map(|w| Line {
            from: w[0],
            to: w[1],
            colour,
        });
        lines.extend(legs);
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            let (from, to) = (
                source.event.at - axis * CROSS,
                source.event.at + axis * CROSS,
            );
            lines.push(Line { from, to, colour });
        }
    }
    lines
}
