//! Writes levels of many brushes to open, of five kinds: a grid of rooms, towers, caves, a terrain of prisms, turning bars.
use std::fmt::Write;
use std::path::PathBuf;

mod bars;
mod caves;
mod grid;
mod terrain;
mod towers;

/// Options of `peers level`.
#[derive(clap::Args)]
pub struct Args {
    /// What stands in it
    #[arg(value_enum)]
    kind: Kind,
    /// About how many brushes
    brushes: u32,
    /// The .map file to write
    file: PathBuf,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Kind {
    /// Rooms of 8 m with doors and two pillars each; floor and ceiling are one brush each
    Grid,
    /// Towers of six storeys of columns and slabs, in a hall
    Towers,
    /// Passages through a raster of blocks of rock, each with a boulder
    Caves,
    /// Hills of triangular prisms under a sky
    Terrain,
    /// Bars that turn without end, each a mover
    Bars,
}

impl Kind {
    /// A level of `side` by `side` parts around the origin, so that a large one lies within the grid of 1024 m.
    fn level(self, side: i64) -> Level {
        let level = match self {
            Kind::Grid => grid::level(side),
            Kind::Towers => towers::level(side),
            Kind::Caves => caves::level(side),
            Kind::Terrain => terrain::level(side),
            Kind::Bars => bars::level(side),
        };
        level.centred()
    }

    /// About how many brushes a part has.
    fn brushes_a_part(self) -> f64 {
        match self {
            Kind::Grid => grid::BRUSHES_A_ROOM,
            Kind::Towers => towers::BRUSHES_A_TOWER,
            Kind::Caves => caves::BRUSHES_A_BLOCK,
            Kind::Terrain => terrain::BRUSHES_A_SQUARE,
            Kind::Bars => bars::BRUSHES_A_BAR,
        }
    }
}

/// Writes the file; false if that failed.
pub fn run(args: &Args) -> bool {
    let side = (f64::from(args.brushes) / args.kind.brushes_a_part()).sqrt();
    let level = args.kind.level((side.round() as i64).max(2));
    if let Err(why) = std::fs::write(&args.file, level.text()) {
        eprintln!("{}: {why}", args.file.display());
        return false;
    }
    println!("{} brushes", level.count());
    true
}

/// Units of a .map to a metre.
const METRE: i64 = 32;
/// Thickness of the shell around a level.
const SHELL: i64 = METRE / 2;

type Point = [i64; 3];

/// A level of brushes, units.
struct Level {
    brushes: Vec<Brush>,
    /// The player's feet.
    start: Point,
    /// Movers that turn about their middles.
    turning: Vec<Brush>,
}

/// A convex solid.
struct Brush {
    /// Three points of each side, clockwise seen from outside.
    sides: Vec<[Point; 3]>,
    texture: &'static str,
}

impl Brush {
    fn new_box(lo: Point, hi: Point, texture: &'static str) -> Brush {
        let mut sides = vec![];
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for (is_high, at) in [(false, lo[axis]), (true, hi[axis])] {
                let point = |along_u: bool, along_v: bool| {
                    let mut p = [0; 3];
                    p[axis] = at;
                    p[u] = if along_u { hi[u] } else { lo[u] };
                    p[v] = if along_v { hi[v] } else { lo[v] };
                    p
                };
                let first = point(false, false);
                sides.push(match is_high {
                    true => [first, point(false, true), point(true, false)],
                    false => [first, point(true, false), point(false, true)],
                });
            }
        }
        Brush { sides, texture }
    }

    /// What stands between a floor and a triangle above it, whose corners run counter-clockwise seen from above.
    fn new_prism(top: [Point; 3], floor: i64, texture: &'static str) -> Brush {
        let [a, b, c] = top;
        let down = |p: Point| [p[0], p[1], floor];
        let mut sides = vec![[a, c, b], [down(a), down(b), down(c)]];
        for (p, q) in [(a, b), (b, c), (c, a)] {
            // Upright, whatever the heights of the two.
            let above = [p[0], p[1], floor + METRE];
            sides.push([down(p), above, down(q)]);
        }
        Brush { sides, texture }
    }
}

impl Brush {
    /// The middle of its box.
    fn middle(&self) -> Point {
        [0, 1, 2].map(|k| {
            let along = || self.sides.iter().flatten().map(|p| p[k]);
            (along().min().unwrap_or(0) + along().max().unwrap_or(0)) / 2
        })
    }

    fn write(&self, text: &mut String) {
        text.push_str("{\n");
        for side in &self.sides {
            for [x, y, z] in side {
                let _ = write!(text, "( {x} {y} {z} ) ");
            }
            let _ = writeln!(text, "{} 0 0 0 1 1", self.texture);
        }
        text.push_str("}\n");
    }
}

/// Six boxes around the inside of a level.
fn shell(lo: Point, hi: Point, textures: [&'static str; 3]) -> Vec<Brush> {
    let mut brushes = vec![];
    for axis in 0..3 {
        for is_high in [false, true] {
            // Each pair of sides covers the edges that the pairs before it leave.
            let (mut from, mut to) = (lo, hi);
            for k in (axis + 1)..3 {
                (from[k], to[k]) = (lo[k] - SHELL, hi[k] + SHELL);
            }
            (from[axis], to[axis]) = match is_high {
                true => (hi[axis], hi[axis] + SHELL),
                false => (lo[axis] - SHELL, lo[axis]),
            };
            let texture = match (axis, is_high) {
                (2, false) => textures[0],
                (2, true) => textures[2],
                _ => textures[1],
            };
            brushes.push(Brush::new_box(from, to, texture));
        }
    }
    brushes
}

impl Level {
    /// The same level, moved by whole metres along the ground.
    fn centred(mut self) -> Level {
        let points = || self.brushes.iter().flat_map(|b| b.sides.iter().flatten());
        let middle = [0, 1].map(|k| {
            let along = || points().map(|p| p[k]);
            let (lo, hi) = (along().min().unwrap_or(0), along().max().unwrap_or(0));
            (lo + hi) / 2 / METRE * METRE
        });
        let all = self.brushes.iter_mut().chain(&mut self.turning);
        let sides = all.flat_map(|b| &mut b.sides);
        for point in sides.flatten().chain([&mut self.start]) {
            (point[0], point[1]) = (point[0] - middle[0], point[1] - middle[1]);
        }
        self
    }

    fn text(&self) -> String {
        let mut text = String::from("{\n\"classname\" \"worldspawn\"\n");
        self.brushes.iter().for_each(|brush| brush.write(&mut text));
        let [x, y, z] = self.start;
        let _ = writeln!(
            text,
            "}}\n{{\n\"classname\" \"info_player_start\"\n\"origin\" \"{x} {y} {}\"\n}}",
            z + METRE
        );
        for brush in &self.turning {
            let [x, y, z] = brush.middle();
            let _ = writeln!(
                text,
                "{{\n\"classname\" \"func_rotating\"\n\"origin\" \"{x} {y} {z}\"\n\"speed\" \"45\""
            );
            brush.write(&mut text);
            text.push_str("}\n");
        }
        text
    }

    fn count(&self) -> usize {
        self.brushes.len() + self.turning.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use breach::sim::{Settings, Sim};
    use breach::timing::Silent;
    use clap::ValueEnum;

    #[test]
    fn levels_are_sealed_and_of_the_size_asked_for() {
        for &kind in Kind::value_variants() {
            for side in [2, 3, 6] {
                let level = kind.level(side);
                let desc = breach::level::read_map(level.text().as_bytes()).expect("a level");
                assert_eq!(desc.world.solids.len(), level.brushes.len(), "{kind:?}");
                assert_eq!(desc.movers.movers.len(), level.turning.len(), "{kind:?}");
                let sim = Sim::new(desc, 1, Settings::default(), &mut Silent).expect("a world");
                assert_eq!(sim.world.sealed, Some(true), "{kind:?} {side}");
                assert_eq!(sim.world.census().unmatched_edges, 0, "{kind:?} {side}");
                assert!(sim.level.warnings.is_empty(), "{:?}", sim.level.warnings);
            }
            let count = |side| kind.level(side).count() as f64;
            let grown = (count(40) - count(20)) / (40.0 * 40.0 - 20.0 * 20.0);
            let told = kind.brushes_a_part();
            assert!(
                (grown / told - 1.0).abs() < 0.15,
                "{kind:?}: {grown} not {told}"
            );
        }
    }
}
