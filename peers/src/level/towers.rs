//! Towers of storeys in a hall: four columns and a slab a storey, and a wall that closes two sides.
use super::{Brush, Level, METRE, shell};

const STOREYS: i64 = 6;
const STOREY: i64 = 3 * METRE;
const SLAB: i64 = METRE / 4;
const TOWER: i64 = 6 * METRE;
const STREET: i64 = 4 * METRE;
const COLUMN: i64 = METRE / 2;
/// Four columns, a slab and two walls.
pub const BRUSHES_A_TOWER: f64 = 7.0 * STOREYS as f64;

/// A hall with `side` by `side` towers.
pub fn level(side: i64) -> Level {
    let pitch = TOWER + STREET;
    let end = side * pitch + STREET;
    let top = STOREYS * STOREY + 4 * METRE;
    let mut brushes = shell([0, 0, 0], [end, end, top], ["floor", "concrete", "sky"]);
    for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
        let [x, y] = [i, j].map(|k| STREET + k * pitch);
        for storey in 0..STOREYS {
            let (floor, ceiling) = (storey * STOREY, (storey + 1) * STOREY - SLAB);
            let mut add = |from: [i64; 3], size: [i64; 3], texture| {
                let to = [0, 1, 2].map(|k| from[k] + size[k]);
                brushes.push(Brush::new_box(from, to, texture));
            };
            let far = TOWER - COLUMN;
            for [a, b] in [[0, 0], [far, 0], [0, far], [far, far]] {
                add(
                    [x + a, y + b, floor],
                    [COLUMN, COLUMN, ceiling - floor],
                    "stone",
                );
            }
            add([x, y, ceiling], [TOWER, TOWER, SLAB], "concrete");
            // Which sides are closed changes from storey to storey; the walls stand between the columns.
            let turn = (i * 7 + j * 3 + storey) % 2;
            let (length, thick) = (TOWER - 2 * COLUMN, METRE / 8);
            let near = turn * (TOWER - thick);
            add(
                [x + COLUMN, y + near, floor],
                [length, thick, ceiling - floor],
                "brick",
            );
            add(
                [x + near, y + COLUMN, floor],
                [thick, length, ceiling - floor],
                "brick",
            );
        }
    }
    Level {
        brushes,
        start: [STREET / 2, STREET / 2, 0],
        turning: Vec::new(),
    }
}
