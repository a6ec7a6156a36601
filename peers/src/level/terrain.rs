//! A terrain: a raster of squares, each of two triangular prisms, whose corners follow hills and a little noise.
use super::{Brush, Level, METRE, Point, shell};

const SQUARE: i64 = 2 * METRE;
const SKY: i64 = 24 * METRE;
/// Two prisms.
pub const BRUSHES_A_SQUARE: f64 = 2.0;

/// Height of the ground at a corner of the raster, units: hills of some metres, and 0.4 m of noise.
fn height(i: i64, j: i64) -> i64 {
    let hills = |period: f64, along: f64| libm::sin(along * std::f64::consts::TAU / period);
    let metres = 6.0
        + 2.5 * hills(37.0, i as f64 + 0.3 * j as f64)
        + 1.5 * hills(23.0, j as f64 - 0.2 * i as f64);
    let noise = ((i * 7_919) ^ (j * 104_729)).rem_euclid(13);
    (metres * METRE as f64).round() as i64 + noise
}

/// A terrain of `side` by `side` squares.
pub fn level(side: i64) -> Level {
    let end = side * SQUARE;
    let mut brushes = shell([0, 0, 0], [end, end, SKY], ["rock", "sky", "sky"]);
    let corner = |i: i64, j: i64| -> Point { [i * SQUARE, j * SQUARE, height(i, j)] };
    for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
        let [a, b, c, d] = [
            corner(i, j),
            corner(i + 1, j),
            corner(i + 1, j + 1),
            corner(i, j + 1),
        ];
        brushes.push(Brush::new_prism([a, b, c], 0, "grass"));
        brushes.push(Brush::new_prism([a, c, d], 0, "grass"));
    }
    let middle = side / 2;
    Level {
        brushes,
        start: [
            middle * SQUARE,
            middle * SQUARE,
            height(middle, middle) + METRE,
        ],
        turning: Vec::new(),
    }
}
