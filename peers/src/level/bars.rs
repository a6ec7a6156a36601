//! Bars that turn without end above the floor of a hall, each about its middle: movers that all move.
use super::{Brush, Level, METRE, shell};

const PITCH: i64 = 6 * METRE;
/// Half the length, the width and the height of a bar.
const HALF: [i64; 3] = [5 * METRE / 2, METRE / 4, METRE / 2];
const FLOOR_GAP: i64 = METRE / 2;
/// One bar.
pub const BRUSHES_A_BAR: f64 = 1.0;

/// A hall with `side` by `side` bars.
pub fn level(side: i64) -> Level {
    let end = (side + 1) * PITCH;
    let bar = |i: i64, j: i64| {
        let middle = [(i + 1) * PITCH, (j + 1) * PITCH, FLOOR_GAP + HALF[2]];
        let [lo, hi] = [-1, 1].map(|sign| [0, 1, 2].map(|k| middle[k] + sign * HALF[k]));
        Brush::new_box(lo, hi, "wood")
    };
    let turning = (0..side).flat_map(|i| (0..side).map(move |j| bar(i, j)));
    Level {
        brushes: shell(
            [0, 0, 0],
            [end, end, 6 * METRE],
            ["floor", "concrete", "plaster"],
        ),
        start: [METRE, METRE, 0],
        turning: turning.collect(),
    }
}
