//! A coloured line, and the edges of a box as lines.
use crate::geom::Aabb;
use glam::DVec3;

/// A coloured line, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Start.
    pub from: DVec3,
    /// End.
    pub to: DVec3,
    /// Linear RGBA. An opacity above 1 is for lines within solid: behind walls a fifth of it is left.
    pub colour: [f32; 4],
}

/// Adds the twelve edges of a box.
pub(super) fn box_lines(bounds: &Aabb, colour: [f32; 4], lines: &mut Vec<Line>) {
    let corner = |i: usize| {
        DVec3::new(
            if i & 1 == 0 {
                bounds.min.x
            } else {
                bounds.max.x
            },
            if i & 2 == 0 {
                bounds.min.y
            } else {
                bounds.max.y
            },
            if i & 4 == 0 {
                bounds.min.z
            } else {
                bounds.max.z
            },
        )
    };
    for i in 0..8 {
        for bit in [1, 2, 4] {
            if i & bit == 0 {
                lines.push(Line {
                    from: corner(i),
                    to: corner(i | bit),
                    colour,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_twelve_edges_each_along_an_axis() {
        let mut lines = Vec::new();
        let bounds = Aabb {
            min: DVec3::ZERO,
            max: DVec3::new(1.0, 2.0, 3.0),
        };
        box_lines(&bounds, [1.0; 4], &mut lines);
        assert_eq!(lines.len(), 12);
        let total: f64 = lines.iter().map(|l| l.from.distance(l.to)).sum();
        assert_eq!(total, 4.0 * (1.0 + 2.0 + 3.0));
    }
}
