//! A grid of rooms of 8 m with doors and two pillars each. Floor and ceiling are one brush each, so that most brushes have a
//! side in their planes.
use super::{Brush, Level, METRE};

const ROOM: i64 = 8 * METRE;
const HEIGHT: i64 = 4 * METRE;
const WALL: i64 = METRE / 4;
/// Width of a door, and height of its lintel.
const WIDTH: i64 = METRE * 5 / 4;
const LINTEL: i64 = METRE * 9 / 4;
/// Two walls in three parts, and two pillars.
pub const BRUSHES_A_ROOM: f64 = 8.0;

/// A level of `side` by `side` rooms.
pub fn level(side: i64) -> Level {
    let mut brushes = vec![];
    let end = side * ROOM;
    let mut add =
        |lo: [i64; 3], hi: [i64; 3], texture| brushes.push(Brush::new_box(lo, hi, texture));
    add([-WALL, -WALL, -WALL], [end + WALL, end + WALL, 0], "floor");
    add(
        [-WALL, -WALL, HEIGHT],
        [end + WALL, end + WALL, HEIGHT + WALL],
        "ceiling",
    );
    for axis in 0..2 {
        for from in [-WALL, end] {
            let (mut lo, mut hi) = ([0, 0, 0], [end, end, HEIGHT]);
            (lo[axis], hi[axis]) = (from, from + WALL);
            // Two of the four take the corners.
            if axis == 0 {
                (lo[1], hi[1]) = (-WALL, end + WALL);
            }
            add(lo, hi, "concrete");
        }
    }
    for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
        let place = [i * ROOM, j * ROOM];
        for axis in 0..2 {
            if [i, j][axis] + 1 == side {
                continue;
            }
            let other = 1 - axis;
            let door = place[other] + METRE * 5 / 4 + (i * 7 + j * 13 + axis as i64) % 4 * METRE;
            // Walls across y end where those across x begin.
            let last = match axis == 1 && i + 1 < side {
                true => place[other] + ROOM - WALL,
                false => place[other] + ROOM,
            };
            let mut part = |from: i64, to: i64, bottom: i64| {
                let (mut lo, mut hi) = ([0, 0, bottom], [0, 0, HEIGHT]);
                (lo[axis], hi[axis]) = (place[axis] + ROOM - WALL, place[axis] + ROOM);
                (lo[other], hi[other]) = (from, to);
                add(lo, hi, "brick");
            };
            part(place[other], door, 0);
            part(door + WIDTH, last, 0);
            part(door, door + WIDTH, LINTEL);
        }
        for [x, y] in [
            [2 * METRE - 4, 2 * METRE - 4],
            [ROOM - 3 * METRE, ROOM - 4 * METRE],
        ] {
            let [x, y] = [place[0] + x, place[1] + y];
            add([x, y, 0], [x + METRE / 2, y + METRE / 2, HEIGHT], "stone");
        }
    }
    Level {
        brushes,
        start: [ROOM / 2, ROOM / 2, 0],
        turning: Vec::new(),
    }
}
