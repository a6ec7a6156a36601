//! What a level's players can reach, against a slow answer that shares no code with the kernel: a lattice flooded from
//! the starts, step by step wherever no brush lies between two points. It may miss narrow passages, so it says what
//! must be air, and whether the outside is within reach; the level must say the same.
use breach::bvh::BuildParams;
use breach::carve::BrushDesc;
use breach::level::{LevelDesc, read_map};
use breach::timing::Silent;
use breach::world::World;
use glam::{DVec3, I64Vec3, IVec3};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Grid steps in a metre.
const GRID: f64 = 16384.0;
/// Metres between points of the lattice.
const STEP: f64 = 0.5;
/// Metres of the cubes that brushes are looked up by.
const CUBE: f64 = 4.0;
/// Keeps the lattice off the planes that people build on, metres.
const OFF: DVec3 = DVec3::new(0.0131, 0.0272, 0.0193);

/// A brush as half-spaces: unit normal and distance, metres.
type Planes = Vec<(DVec3, f64)>;

fn planes(brush: &BrushDesc) -> Planes {
    let plane = |[a, b, c]: [I64Vec3; 3]| {
        let [a, b, c] = [a, b, c].map(|p| p.as_dvec3() / GRID);
        let n = (b - a).cross(c - a).normalize();
        (n, n.dot(a))
    };
    brush.sides.iter().map(|s| plane(s.points)).collect()
}

/// Whether some of the segment lies inside.
fn blocks(brush: &Planes, from: DVec3, to: DVec3) -> bool {
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (n, d) in brush {
        let (a, b) = (n.dot(from) - d, n.dot(to) - d);
        if a >= 0.0 && b >= 0.0 {
            return false;
        }
        if (a < 0.0) != (b < 0.0) {
            let t = a / (a - b);
            if a > 0.0 {
                enter = enter.max(t);
            } else {
                leave = leave.min(t);
            }
        }
    }
    enter < leave
}

/// The corners of a brush: where three of its planes meet and no other is beyond.
fn corner_box(brush: &Planes) -> (DVec3, DVec3) {
    let (mut lo, mut hi) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for (i, (a, da)) in brush.iter().enumerate() {
        for (j, (b, db)) in brush.iter().enumerate().skip(i + 1) {
            for (c, dc) in &brush[j + 1..] {
                let w = a.dot(b.cross(*c));
                if w.abs() < 1e-9 {
                    continue;
                }
                let p = (*da * b.cross(*c) + *db * c.cross(*a) + *dc * a.cross(*b)) / w;
                if brush.iter().all(|(n, d)| n.dot(p) - d < 1e-4) {
                    (lo, hi) = (lo.min(p), hi.max(p));
                }
            }
        }
    }
    (lo, hi)
}

/// Brushes by the cubes that their boxes touch.
struct Solids {
    brushes: Vec<Planes>,
    cubes: FxHashMap<[i32; 3], Vec<usize>>,
}

fn cube(p: DVec3) -> IVec3 {
    (p / CUBE).floor().as_ivec3()
}

impl Solids {
    fn new<'a>(list: impl Iterator<Item = &'a BrushDesc>) -> Solids {
        let brushes: Vec<Planes> = list.map(planes).collect();
        let mut cubes: FxHashMap<[i32; 3], Vec<usize>> = FxHashMap::default();
        for (i, brush) in brushes.iter().enumerate() {
            let (lo, hi) = corner_box(brush);
            let (lo, hi) = (cube(lo - 0.01), cube(hi + 0.01));
            for x in lo.x..=hi.x {
                for y in lo.y..=hi.y {
                    for z in lo.z..=hi.z {
                        cubes.entry([x, y, z]).or_default().push(i);
                    }
                }
            }
        }
        Solids { brushes, cubes }
    }

    fn is_free(&self, from: DVec3, to: DVec3) -> bool {
        let ends = [cube(from), cube(to)];
        let near = ends[..if ends[0] == ends[1] { 1 } else { 2 }]
            .iter()
            .filter_map(|c| self.cubes.get(&c.to_array()));
        near.flatten().all(|&i| !blocks(&self.brushes[i], from, to))
    }
}

/// The points that the flood reaches, and whether it came out at the bounds.
fn flood(level: &LevelDesc, solids: &Solids) -> (Vec<DVec3>, bool) {
    let [lo, hi] = level.world.bounds.map(|p| p.as_dvec3() / GRID);
    let mut points = Vec::new();
    let mut seen: FxHashSet<[i32; 3]> = FxHashSet::default();
    let place = |k: IVec3| k.as_dvec3() * STEP + OFF;
    let mut queue: VecDeque<IVec3> = VecDeque::new();
    for start in &level.world.starts {
        let at = start.as_dvec3() / GRID + 0.001;
        let k = ((at - OFF) / STEP).round().as_ivec3();
        if solids.is_free(at, at) && solids.is_free(at, place(k)) && seen.insert(k.to_array()) {
            queue.push_back(k);
        }
    }
    while let Some(k) = queue.pop_front() {
        let p = place(k);
        if p.cmplt(lo).any() || p.cmpgt(hi).any() {
            return (points, true);
        }
        points.push(p);
        for axis in 0..3 {
            for d in [-1, 1] {
                let mut next = k;
                next[axis] += d;
                if !seen.contains(&next.to_array()) && solids.is_free(p, place(next)) {
                    seen.insert(next.to_array());
                    queue.push_back(next);
                }
            }
        }
    }
    (points, false)
}

fn levels(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut list: Vec<PathBuf> = files
        .map(|f| f.path())
        .filter(|p| p.extension().is_some_and(|e| e == "map"))
        .collect();
    list.sort();
    list
}

fn check(path: &Path) {
    let name = path.display();
    let level = read_map(&std::fs::read(path).expect("a file")).expect("a level");
    if level.world.start_solid {
        return;
    }
    let (points, is_outside) = flood(&level, &Solids::new(level.world.solids.iter()));
    let world = World::build(&level.world, &BuildParams::default(), &mut Silent).expect("a world");
    assert_eq!(world.sealed, Some(true), "{name}");
    assert!(!is_outside, "{name}: the lattice finds a way out");
    // Walls that come after the level is sealed stand in reached air; the first carves only add to it.
    let later = Solids::new(level.world.base.iter().flat_map(|o| &o.brushes));
    let free: Vec<&DVec3> = points.iter().filter(|&&p| later.is_free(p, p)).collect();
    let lost = free.iter().filter(|p| world.locate(***p).is_none()).count();
    let air = world.census().air_volume_m3;
    let reached = free.len() as f64 * STEP.powi(3);
    println!("{name}: the lattice reaches {reached:.0} of {air:.0} cubic metres");
    assert_eq!(lost, 0, "{name}: points within reach of a start are rock");
    assert!(
        (0.9..1.1).contains(&(reached / air)),
        "{name}: {reached} of {air} cubic metres"
    );
}

#[test]
fn our_levels_hold_the_air_that_a_flood_over_their_brushes_finds() {
    levels(&Path::new(env!("CARGO_MANIFEST_DIR")).join("levels"))
        .iter()
        .for_each(|p| check(p));
}

#[test]
fn the_shared_levels_are_sealed_and_hold_the_air_that_a_flood_over_their_brushes_finds() {
    let list = levels(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/levels"));
    if list.is_empty() {
        let line = "NOT RUN: seal_oracle: ../shared/levels is absent\n";
        let _ = std::io::stderr().lock().write_all(line.as_bytes());
    }
    list.iter().for_each(|p| check(p));
}
