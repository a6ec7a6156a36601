//! Writes a level of many brushes to open: a grid of rooms of 8 m with doors and two pillars each. Floor and ceiling are
//! one brush each, so that most brushes have a side in their planes.
use std::fmt::Write;
use std::path::PathBuf;

/// Options of `peers grid`.
#[derive(clap::Args)]
pub struct Args {
    /// About how many brushes
    brushes: u32,
    /// The .map file to write
    file: PathBuf,
}

/// Units of a .map to a metre.
const METRE: i64 = 32;
const ROOM: i64 = 8 * METRE;
const HEIGHT: i64 = 4 * METRE;
const WALL: i64 = METRE / 4;
/// Width of a door, and height of its lintel.
const WIDTH: i64 = METRE * 5 / 4;
const LINTEL: i64 = METRE * 9 / 4;
/// Two walls in three parts, and two pillars.
const BRUSHES_A_ROOM: f64 = 8.0;

/// Writes the file; false if that failed.
pub fn run(args: &Args) -> bool {
    let side = (f64::from(args.brushes) / BRUSHES_A_ROOM).sqrt().round() as i64;
    let (text, count) = level(side.max(1));
    if let Err(why) = std::fs::write(&args.file, text) {
        eprintln!("{}: {why}", args.file.display());
        return false;
    }
    println!("{count} brushes");
    true
}

/// The text of a level of `side` by `side` rooms, and how many brushes it has.
fn level(side: i64) -> (String, u32) {
    let mut boxes: Vec<([[i64; 3]; 2], &str)> = vec![];
    let end = side * ROOM;
    let mut add = |lo: [i64; 3], hi: [i64; 3], texture| boxes.push(([lo, hi], texture));
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
    let mut text = String::from("{\n\"classname\" \"worldspawn\"\n");
    for (corners, texture) in &boxes {
        write_box(&mut text, *corners, texture);
    }
    let start = ROOM / 2;
    let _ = writeln!(
        text,
        "}}\n{{\n\"classname\" \"info_player_start\"\n\"origin\" \"{start} {start} 32\"\n}}"
    );
    (text, boxes.len() as u32)
}

/// A brush: three points of each side, clockwise seen from outside.
fn write_box(text: &mut String, [lo, hi]: [[i64; 3]; 2], texture: &str) {
    text.push_str("{\n");
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for (is_high, at) in [(false, lo[axis]), (true, hi[axis])] {
            let point = |along_u: bool, along_v: bool| {
                let mut p = [0; 3];
                p[axis] = at;
                p[u] = if along_u { hi[u] } else { lo[u] };
                p[v] = if along_v { hi[v] } else { lo[v] };
                format!("( {} {} {} )", p[0], p[1], p[2])
            };
            let (second, third) = match is_high {
                true => (point(false, true), point(true, false)),
                false => (point(true, false), point(false, true)),
            };
            let first = point(false, false);
            let _ = writeln!(text, "{first} {second} {third} {texture} 0 0 0 1 1");
        }
    }
    text.push_str("}\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use breach::sim::{Settings, Sim};
    use breach::timing::Silent;

    #[test]
    fn a_grid_is_sealed_and_of_the_size_asked_for() {
        for side in [1, 2, 5] {
            let (text, count) = level(side);
            let desc = breach::level::read_map(text.as_bytes()).expect("a level");
            let sim = Sim::new(desc, 1, Settings::default(), &mut Silent).expect("a world");
            assert_eq!(sim.world.sealed, Some(true), "{side}");
            assert_eq!(sim.world.census().unmatched_edges, 0, "{side}");
            let walls = 2 * side * (side - 1) * 3;
            assert_eq!(i64::from(count), 6 + walls + 2 * side * side);
        }
    }
}
