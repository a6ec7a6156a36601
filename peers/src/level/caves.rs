//! Caves: a raster of blocks of rock with passages between them, narrow and wide ones, and a sloping boulder at each block.
use super::{Brush, Level, METRE, shell};

const PITCH: i64 = 6 * METRE;
const HEIGHT: i64 = 5 * METRE;
/// A block in two layers, and its boulder of two prisms.
pub const BRUSHES_A_BLOCK: f64 = 4.0;

/// A number of 0 to `most` - 1 that follows from a place, as if by chance.
fn chance(i: i64, j: i64, k: i64, most: i64) -> i64 {
    let mixed = (i * 73_856_093) ^ (j * 19_349_663) ^ (k * 83_492_791);
    (mixed >> 4).rem_euclid(most)
}

/// Caves of `side` by `side` blocks.
pub fn level(side: i64) -> Level {
    let end = side * PITCH;
    let mut brushes = shell([0, 0, 0], [end, end, HEIGHT], ["rock", "rock", "rock"]);
    for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
        let [x, y] = [i * PITCH, j * PITCH];
        // Passages are 1 to 3 m wide; above half the height the block overhangs or stands back.
        let by = |k: i64| METRE / 2 + chance(i, j, k, 5) * METRE / 4;
        let middle = HEIGHT / 2 + chance(i, j, 9, 5) * METRE / 4;
        for (layer, from, to) in [(0, 0, middle), (1, middle, HEIGHT)] {
            let lo = [x + by(4 * layer), y + by(4 * layer + 1), from];
            let (right, back) = (by(4 * layer + 2), by(4 * layer + 3));
            let hi = [x + PITCH - right, y + PITCH - back, to];
            brushes.push(Brush::new_box(lo, hi, "rock"));
        }
        // On the ground in the passage, as two prisms over a quad whose corners have heights of their own.
        let corner = |k: i64, a: i64, b: i64| {
            let height = METRE / 4 + chance(i, j, 20 + k, 6) * METRE / 8;
            [
                x + a * METRE / 2 - METRE / 4,
                y + b * METRE / 2 - METRE / 4,
                height,
            ]
        };
        if i > 0 && j > 0 {
            let [a, b, c, d] = [
                corner(0, 0, 0),
                corner(1, 1, 0),
                corner(2, 1, 1),
                corner(3, 0, 1),
            ];
            brushes.push(Brush::new_prism([a, b, c], 0, "gravel"));
            brushes.push(Brush::new_prism([a, c, d], 0, "gravel"));
        }
    }
    Level {
        brushes,
        start: [METRE / 4, METRE / 4, 0],
        turning: Vec::new(),
    }
}
