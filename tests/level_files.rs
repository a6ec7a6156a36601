//! Level files: read as another reader reads them, rounded as the contract says, saved and read back as the same world.
use breach::carve::{BrushDesc, Op, SideDesc};
use breach::level::{LevelDesc, Look, SavedOperation, inner, look, read_map, write_map};
use breach::world::{Material, Operation, WorldDesc};
use glam::{DVec3, I64Vec3};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

/// The shared levels by name, or a loud word that they are not there (past the test harness, which hides prints).
fn shared_levels(test: &str) -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/levels");
    let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut levels: Vec<(String, Vec<u8>)> = files
        .filter(|f| f.path().extension().is_some_and(|e| e == "map"))
        .filter_map(|f| {
            let name = f.file_name().to_string_lossy().into_owned();
            Some((name, std::fs::read(f.path()).ok()?))
        })
        .collect();
    levels.sort();
    if levels.is_empty() {
        let line = format!("NOT RUN: level_files::{test}: ../shared/levels is absent\n");
        let _ = std::io::stderr().lock().write_all(line.as_bytes());
    }
    levels
}

fn read(name: &str, bytes: &[u8]) -> LevelDesc {
    read_map(bytes).unwrap_or_else(|e| panic!("{name}:{e}"))
}

/// A brush with its materials spelled out, so that ids do not matter.
fn spelled<'a>(brush: &BrushDesc, materials: &'a [Material]) -> Vec<([I64Vec3; 3], &'a Material)> {
    let side = |s: &SideDesc| (s.points, &materials[s.material as usize]);
    brush.sides.iter().map(side).collect()
}

fn check_same_operations(a: &[Operation], am: &[Material], b: &[Operation], bm: &[Material]) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert_eq!(a.op, b.op);
        assert_eq!(a.brushes.len(), b.brushes.len());
        for (a, b) in a.brushes.iter().zip(&b.brushes) {
            assert_eq!(spelled(a, am), spelled(b, bm));
        }
    }
}

fn check_same_world(a: &WorldDesc, b: &WorldDesc) {
    assert_eq!(a.bounds, b.bounds);
    assert_eq!(a.start_solid, b.start_solid);
    assert_eq!(a.solids, b.solids);
    assert_eq!(a.materials, b.materials);
    assert_eq!(a.starts, b.starts);
    assert_eq!(a.areaportals, b.areaportals);
    check_same_operations(&a.base, &a.materials, &b.base, &b.materials);
    check_same_operations(&a.later, &a.materials, &b.later, &b.materials);
}

/// The oracle: the same file through quake-map, corners by brute force over all triples of planes.
mod oracle {
    use super::*;

    /// For each face its corners on the grid, Y up, sorted.
    pub struct Brush {
        /// Nothing has to be rounded.
        pub on_grid: bool,
        pub faces: Vec<Vec<I64Vec3>>,
    }

    pub fn solids(map: &quake_map::QuakeMap) -> Vec<Brush> {
        let entities = map.entities.iter().filter(|e| {
            let class = e.edict.iter().find(|(k, _)| k.as_bytes() == b"classname");
            let class = class.map_or("", |(_, v)| v.to_str().unwrap());
            class == "worldspawn"
                || class == "func_group"
                || (class.starts_with("func_detail") && !class.ends_with("_illusionary"))
        });
        let brushes = entities.flat_map(|e| &e.brushes);
        // One face that is solid makes the brush solid, but for `skip`, which goes along with the others.
        let says = |name: &str| is_solid(name) && !name.eq_ignore_ascii_case("skip");
        let solid = brushes.filter(|b| {
            let names = || b.iter().map(|s| s.texture.to_str().unwrap());
            names().any(says) || names().all(is_solid)
        });
        solid.map(brush).collect()
    }

    fn is_solid(texture: &str) -> bool {
        let name = texture.to_lowercase();
        let last = name.split('/').next_back().unwrap().to_string();
        let ghost = [
            "trigger",
            "clip",
            "hint",
            "hintskip",
            "origin",
            "areaportal",
        ];
        !last.starts_with('*') && !ghost.contains(&last.as_str())
    }

    fn brush(surfaces: &quake_map::Brush) -> Brush {
        let planes: Vec<(DVec3, f64)> = surfaces
            .iter()
            .map(|s| {
                let [a, b, c] = s.half_space.map(DVec3::from_array);
                let n = (a - b).cross(c - b).normalize();
                (n, n.dot(b))
            })
            .collect();
        let is_whole = |p: DVec3| (p * 512.0).fract() == DVec3::ZERO;
        let points = surfaces.iter().flat_map(|s| s.half_space);
        let mut on_grid = points.map(DVec3::from_array).all(is_whole);
        let mut faces = vec![Vec::new(); planes.len()];
        for (i, a) in planes.iter().enumerate() {
            for (j, b) in planes.iter().enumerate().skip(i + 1) {
                for c in planes.iter().skip(j + 1) {
                    let w = a.0.dot(b.0.cross(c.0));
                    if w.abs() < 1e-7 {
                        continue;
                    }
                    let sum = b.0.cross(c.0) * a.1 + c.0.cross(a.0) * b.1 + a.0.cross(b.0) * c.1;
                    let p = sum / w;
                    if planes.iter().any(|(n, d)| n.dot(p) > d + 1e-5) {
                        continue;
                    }
                    on_grid &= (p * 512.0 - (p * 512.0).round()).abs().max_element() < 1e-5;
                    // The middle between two steps may go either way by noise: all go up.
                    let round = |x: f64| (x * 512.0 + 0.5 + 1e-3).floor() as i64;
                    let corner = I64Vec3::new(round(p.x), round(p.z), -round(p.y));
                    for (face, (n, d)) in faces.iter_mut().zip(&planes) {
                        if n.dot(p) > d - 1e-5 {
                            face.push(corner);
                        }
                    }
                }
            }
        }
        for face in &mut faces {
            face.sort_by_key(|p| p.to_array());
            face.dedup();
        }
        Brush { faces, on_grid }
    }
}

/// Positive above the side, in steps.
fn height(side: &SideDesc, p: I64Vec3) -> f64 {
    let [a, b, c] = side.points;
    let wide = |p: I64Vec3| [i128::from(p.x), i128::from(p.y), i128::from(p.z)];
    let (u, v, w) = (wide(b - a), wide(c - a), wide(p - a));
    let n = [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ];
    let dot = (0..3).map(|i| n[i] * w[i]).sum::<i128>();
    if dot == 0 {
        return 0.0;
    }
    dot as f64 / n.iter().map(|&x| (x as f64).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn the_shared_levels_read_as_quake_map_reads_them() {
    for (name, bytes) in shared_levels("the_shared_levels_read_as_quake_map_reads_them") {
        let level = read(&name, &bytes);
        let map = quake_map::parse(&mut &bytes[..]).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(level.entities, map.entities.len(), "{name}");
        let brushes: usize = map.entities.iter().map(|e| e.brushes.len()).sum();
        assert_eq!(level.brushes, brushes, "{name}");
        for (entity, theirs) in level.file.entities.iter().zip(&map.entities) {
            assert_eq!(entity.keys.len(), theirs.edict.len());
            for ((k, v), (tk, tv)) in entity.keys.iter().zip(&theirs.edict) {
                let latin1 = |s: &str| s.chars().map(|c| c as u8).collect::<Vec<u8>>();
                assert_eq!(latin1(k), tk.as_bytes());
                assert_eq!(latin1(v), tv.as_bytes());
            }
        }
        let solids = oracle::solids(&map);
        assert_eq!(level.world.solids.len(), solids.len(), "{name}");
        let mut moved = 0;
        for (ours, theirs) in level.world.solids.iter().zip(&solids) {
            // No face of these levels is flat, repeated or clipped away.
            assert_eq!(ours.sides.len(), theirs.faces.len(), "{name}");
            let corners = || theirs.faces.iter().flatten();
            for (side, face) in ours.sides.iter().zip(&theirs.faces) {
                // No face moves by more than 1/64 unit, 8 steps; the oracle's corners are rounded, by less than one.
                let most = if theirs.on_grid { 0.0 } else { 8.0 + 0.87 };
                assert!(
                    corners().all(|&p| height(side, p) <= most),
                    "{name}: {side:?}"
                );
                assert!(
                    face.iter().all(|&p| height(side, p).abs() <= most),
                    "{name}: {side:?}"
                );
            }
            moved += usize::from(!theirs.on_grid);
        }
        println!(
            "{name}: {} solid brushes agree, {moved} of them off the grid",
            solids.len()
        );
    }
}

#[test]
fn the_shared_levels_have_what_their_lists_say() {
    // Brushes and lights of LICENCES.md, but for the light of lq_e2m4 that is its sun; starts counted in the files.
    let expected = BTreeMap::from([
        ("bt_example.map", (83, 1, 4)),
        ("ew_q2_areaportals.map", (14, 1, 1)),
        ("id_e1m1.map", (1257, 9, 198)),
        ("id_end.map", (362, 9, 89)),
        ("lq_e0m1.map", (841, 6, 77)),
        ("lq_e1m3.map", (2499, 15, 142)),
        ("lq_e2m4.map", (5292, 6, 531)),
        ("lq_lqdm2.map", (130, 6, 12)),
    ]);
    for (name, bytes) in shared_levels("the_shared_levels_have_what_their_lists_say") {
        let level = read(&name, &bytes);
        let Some(&(brushes, starts, lights)) = expected.get(name.as_str()) else {
            continue;
        };
        let found = (level.brushes, level.starts.len(), level.lights.len());
        assert_eq!(found, (brushes, starts, lights), "{name}");
        let grid = 1 << 24;
        let used: usize = level
            .world
            .base
            .iter()
            .map(|o| o.brushes.len())
            .sum::<usize>()
            + level.world.solids.len();
        let movers = level.movers.movers.iter().map(|m| m.brushes.len());
        let triggers = level.movers.triggers.iter().map(|t| t.volumes.len());
        let moving: usize = movers.chain(triggers).sum();
        assert_eq!(
            used + moving
                + level.skipped
                + level.world.areaportals.len()
                + level.liquids.volumes.len(),
            brushes,
            "{name}: each brush is used, moves, is a liquid or skipped"
        );
        for brush in level
            .world
            .solids
            .iter()
            .chain(level.world.base.iter().flat_map(|o| &o.brushes))
        {
            assert!(
                brush
                    .sides
                    .iter()
                    .all(|s| (s.material as usize) < level.world.materials.len())
            );
            assert!(
                brush
                    .sides
                    .iter()
                    .flat_map(|s| s.points)
                    .all(|p| p.abs().max_element() <= grid)
            );
        }
    }
}

#[test]
fn a_save_reads_back_as_the_same_world() {
    for (name, bytes) in shared_levels("a_save_reads_back_as_the_same_world") {
        let level = read(&name, &bytes);
        let saved = write_map(&level);
        let again = read(&name, &saved);
        check_same_world(&level.world, &again.world);
        assert_eq!(level.hardness, again.hardness);
        assert_eq!(
            (level.starts, level.lights),
            (again.starts.clone(), again.lights.clone())
        );
        assert_eq!(
            (level.entities, level.brushes, level.skipped),
            (again.entities, again.brushes, again.skipped)
        );
        assert_eq!(
            saved,
            write_map(&again),
            "{name}: a second save changes nothing"
        );
        // The text of brushes and unknown keys is the file's own: taking the three new lines out gives it back.
        let lines = |b: &[u8]| {
            b.split(|&c| c == b'\n')
                .map(<[u8]>::to_vec)
                .collect::<Vec<_>>()
        };
        let kept: Vec<Vec<u8>> = lines(&saved)
            .into_iter()
            .filter(|l| !l.starts_with(b"\"breach_"))
            .collect();
        assert_eq!(kept, lines(&bytes), "{name}");
    }
}

/// A box as a brush, corners in grid steps.
fn block(low: [i64; 3], high: [i64; 3], material: u32) -> BrushDesc {
    let (l, h) = (low, high);
    let p = |x: i64, y: i64, z: i64| I64Vec3::new(x, y, z);
    let planes = [
        [
            p(l[0], l[1], l[2]),
            p(l[0], l[1], h[2]),
            p(l[0], h[1], l[2]),
        ],
        [
            p(h[0], l[1], l[2]),
            p(h[0], h[1], l[2]),
            p(h[0], l[1], h[2]),
        ],
        [
            p(l[0], l[1], l[2]),
            p(h[0], l[1], l[2]),
            p(l[0], l[1], h[2]),
        ],
        [
            p(l[0], h[1], l[2]),
            p(l[0], h[1], h[2]),
            p(h[0], h[1], l[2]),
        ],
        [
            p(l[0], l[1], l[2]),
            p(l[0], h[1], l[2]),
            p(h[0], l[1], l[2]),
        ],
        [
            p(l[0], l[1], h[2]),
            p(h[0], l[1], h[2]),
            p(l[0], h[1], h[2]),
        ],
    ];
    BrushDesc {
        sides: planes.map(|points| SideDesc { points, material }).to_vec(),
    }
}

const ROOM: &str = r#"// Game: Quake
{
"classname" "worldspawn"
"message" "caf\ and 'quotes'"
{
( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) {fence [ 0 1 0 0 ] [ 0 0 -1 0 ] 0 1 1 //TX1
( 64 0 0 ) ( 64 0 1 ) ( 64 1 0 ) "a name" [ 0 1 0 0 ] [ 0 0 -1 0 ] 0 1 1 0
( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) a 0 0 0 1 1
( 0 64 0 ) ( 1 64 0 ) ( 0 64 1 ) a 0 0 0 1 1 0 0 0
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) a 0 0 0 1 1
( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 ) a 0 0 0 1 1
}
}
{ "classname" "func_wall" "target" "x"
{
( 100 0 0 ) ( 100 1 0 ) ( 100 0 1 ) brick 3 4 30 2 0
( 164 0 0 ) ( 164 0 1 ) ( 164 1 0 ) brick 0 0 0 1 1
( 100 0 0 ) ( 100 0 1 ) ( 101 0 0 ) brick 0 0 0 1 1
( 100 64 0 ) ( 101 64 0 ) ( 100 64 1 ) brick 0 0 0 1 1
( 100 0 0 ) ( 101 0 0 ) ( 100 1 0 ) brick 0 0 0 1 1
( 100 0 64 ) ( 100 1 64 ) ( 101 0 64 ) brick 0 0 0 1 1
}
}
{
"classname" "info_player_start"
"origin" "128 32 24"
"angle" "90"
}
"#;

#[test]
fn a_small_level_means_what_it_says() {
    let level = read("room", ROOM.as_bytes());
    assert_eq!((level.entities, level.brushes, level.skipped), (3, 2, 0));
    assert_eq!(level.warnings, []);
    let world = &level.world;
    // x, z, −y, 512 steps a unit; 512 units of air around.
    let steps = |x: i64, y: i64, z: i64| I64Vec3::new(x, y, z) * 512;
    assert_eq!(
        world.bounds,
        [steps(-512, -512, -576), steps(676, 576, 512)]
    );
    assert_eq!(world.starts, [steps(128, 24, -32)]);
    // Facing north (+Y of the file) is −Z here, yaw 0; the eye is 22 units above the origin.
    assert_eq!(level.starts, [(DVec3::new(4.0, 46.0 / 32.0, -1.0), 0.0)]);
    assert_eq!(world.solids.len(), 1);
    assert_eq!((world.base.len(), world.later.len()), (1, 0));
    assert_eq!(world.base[0].op, Op::Fill);
    // Every corner of the cube is on or below every side, and half of them on it.
    let corners = |n: i64| [0, n].map(|x| [0, n].map(|y| [0, -n].map(|z| steps(x, y, z))));
    for side in &world.solids[0].sides {
        let heights: Vec<f64> = corners(64)
            .into_iter()
            .flatten()
            .flatten()
            .map(|p| height(side, p))
            .collect();
        assert!(heights.iter().all(|&h| h <= 0.0), "{heights:?}");
        assert_eq!(heights.iter().filter(|&&h| h == 0.0).count(), 4);
    }
    let textures: Vec<&str> = world.materials.iter().map(|m| m.texture.as_str()).collect();
    assert_eq!(&textures[..3], ["{fence", "a name", "a"]);
    // Valve [ 0 1 0 ] and [ 0 0 -1 ]: a texel a unit is 32 a metre, y of the file is −z here.
    assert_eq!(world.materials[0].u, DVec3::new(0.0, 0.0, -32.0));
    assert_eq!(world.materials[0].v, DVec3::new(0.0, -32.0, 0.0));
}

#[test]
fn operations_since_read_back_in_order() {
    let mut level = read("room", ROOM.as_bytes());
    let painted = level.world.solids[0].sides[0].material;
    level.world.materials.push(inner("brick wall"));
    let laid_open = (level.world.materials.len() - 1) as u32;
    let since = [
        Operation {
            op: Op::Carve,
            brushes: vec![block([1, -3, 5], [4097, 77, 1301], laid_open)],
        },
        Operation {
            op: Op::Fill,
            brushes: vec![block([-9000, 1, 2], [-1, 16000, 8191], painted)],
        },
        Operation {
            op: Op::Fill,
            brushes: vec![block([3, 3, 3], [16000, 16000, 16000], laid_open)],
        },
    ];
    level.since = since.iter().cloned().map(SavedOperation::Brushes).collect();
    let saved = write_map(&level);
    let again = read("saved", &saved);
    assert_eq!(again.warnings, []);
    assert_eq!(
        again.world.bounds, level.world.bounds,
        "an operation beyond the old box does not move the bounds"
    );
    check_same_operations(
        &level.world.base,
        &level.world.materials,
        &again.world.base,
        &again.world.materials,
    );
    assert_eq!(again.world.later.len(), 3);
    for (a, b) in since.iter().zip(&again.world.later) {
        assert_eq!(a.op, b.op);
        for (a, b) in a.brushes.iter().zip(&b.brushes) {
            for (a, b) in a.sides.iter().zip(&b.sides) {
                assert!(
                    b.points.iter().all(|&p| height(a, p) == 0.0),
                    "the same plane"
                );
                assert!(
                    height(a, level.world.bounds[0]).signum()
                        == height(b, level.world.bounds[0]).signum()
                );
                assert_eq!(
                    level.world.materials[a.material as usize],
                    again.world.materials[b.material as usize]
                );
            }
        }
    }
    // Saved once more it is the same text: the operations now are part of the file.
    assert_eq!(write_map(&again), saved);
}

#[test]
fn a_blast_is_written_exactly() {
    let mut level = read("room", ROOM.as_bytes());
    let radius = 0.1 + 0.2;
    level.since.push(SavedOperation::Blast {
        centre: I64Vec3::new(16 * 1001, -16 * 77, 16 * 5),
        radius,
        shape: "concrete".into(),
        seed: u64::MAX,
        material: "caf\u{e9}".into(),
        hardness: 1.0,
    });
    let saved = write_map(&level);
    let again = read("saved", &saved);
    let entity = again.file.entities.last().unwrap();
    let get = |key: &str| {
        entity
            .keys
            .iter()
            .find(|(k, _)| k == key)
            .unwrap()
            .1
            .clone()
    };
    assert_eq!(get("classname"), "breach_blast");
    assert_eq!(get("origin"), "31.28125 -0.15625 -2.40625");
    assert_eq!(get("radius").parse::<f64>().unwrap() / 32.0, radius);
    assert_eq!(get("seed"), u64::MAX.to_string());
    assert_eq!(get("material"), "caf\u{e9}");
    assert!(
        saved.windows(4).any(|w| w == b"caf\xe9"),
        "Latin-1, one byte a character"
    );
}

#[test]
fn base_and_later_operations_part_where_the_file_says() {
    for (base, expected) in [("0", (0, 1)), ("1", (1, 0)), ("7", (1, 0))] {
        let text = ROOM.replacen(
            "\"message\"",
            &format!("\"breach_base\" \"{base}\"\n\"message\""),
            1,
        );
        let level = read("room", text.as_bytes());
        assert_eq!((level.world.base.len(), level.world.later.len()), expected);
        let again = read("saved", &write_map(&level));
        check_same_world(&level.world, &again.world);
    }
}

#[test]
fn crlf_and_latin_1_change_nothing_but_the_text() {
    let crlf = ROOM.replace('\n', "\r\n");
    let mut bytes = crlf.into_bytes();
    let at = bytes.windows(4).position(|w| w == b"caf\\").unwrap();
    bytes[at + 3] = 0xE9;
    let level = read("crlf", &bytes);
    check_same_world(&level.world, &read("lf", ROOM.as_bytes()).world);
    assert_eq!(level.file.entities[0].keys[1].1, "caf\u{e9} and 'quotes'");
    let saved = write_map(&level);
    assert!(saved.windows(4).any(|w| w == b"caf\xe9"));
    let lone = saved
        .iter()
        .enumerate()
        .find(|&(i, &b)| b == b'\n' && saved[i - 1] != b'\r');
    assert_eq!(lone, None, "new lines end as the file's lines do");
}

#[test]
fn the_looks_of_the_shared_textures_spread() {
    let mut counts: BTreeMap<Look, usize> = BTreeMap::new();
    let levels = shared_levels("the_looks_of_the_shared_textures_spread");
    for (name, bytes) in &levels {
        let level = read(name, bytes);
        let mut here: BTreeMap<Look, usize> = BTreeMap::new();
        for side in level.world.solids.iter().flat_map(|b| &b.sides) {
            let look = look(&level.world.materials[side.material as usize].texture);
            *here.entry(look).or_default() += 1;
            *counts.entry(look).or_default() += 1;
        }
        println!("{name}: {here:?}");
    }
    if levels.len() >= 8 {
        let all: usize = counts.values().sum();
        for stuff in [
            Look::Concrete,
            Look::Brick,
            Look::Plaster,
            Look::Tile,
            Look::Metal,
            Look::Wood,
            Look::Rock,
            Look::Soil,
        ] {
            let part = counts.get(&stuff).copied().unwrap_or(0) as f64 / all as f64;
            assert!((0.01..0.5).contains(&part), "{stuff:?}: {part}");
        }
    }
}

#[test]
fn shapes_and_hulls_of_the_tools_read_back_exactly() {
    use breach::carve::shape::{Placement, Shape, axes, brush, hull};
    let mut level = read("room", ROOM.as_bytes());
    level.world.materials.push(inner("rock"));
    let rock = (level.world.materials.len() - 1) as u32;
    let mut brushes = Vec::new();
    for i in 0..400 {
        let f = f64::from(i);
        let wave = |a: f64| libm::sin(f * a + a);
        let centre = DVec3::new(wave(0.7), wave(1.3), wave(2.1)) * (0.5 + f);
        let normal = match i % 4 {
            0 => DVec3::Y,
            1 => DVec3::NEG_X,
            _ => DVec3::new(wave(3.1), wave(0.9), wave(1.9)),
        };
        let size = 0.02 * libm::pow(1000.0, f64::from(i % 20) / 19.0);
        let place = Placement {
            at: centre,
            axes: axes(normal, [f64::from(i % 7), wave(2.7), wave(0.4)]).expect("a direction"),
            size,
            depth: (size * 0.3).max(0.02),
        };
        for shape in Shape::ALL {
            brushes.push(brush(shape, &place, rock).expect("a shape"));
        }
        let point = |k: u32| {
            let k = f64::from(k) + f64::from(i);
            let p = centre + DVec3::new(wave(k), wave(k * 1.7), wave(k * 2.3)) * size;
            (p * 16384.0).as_i64vec3()
        };
        brushes.extend(hull(&(0..30).map(point).collect::<Vec<_>>(), rock));
    }
    assert!(brushes.len() > 2700, "{}", brushes.len());
    let operation = |brush: &BrushDesc| Operation {
        op: Op::Carve,
        brushes: vec![brush.clone()],
    };
    level.since = brushes
        .iter()
        .map(|b| SavedOperation::Brushes(operation(b)))
        .collect();
    let again = read("saved", &write_map(&level));
    assert_eq!(again.warnings, []);
    assert_eq!(again.world.later.len(), brushes.len());
    for (ours, theirs) in brushes.iter().zip(&again.world.later) {
        assert_eq!(ours.sides.len(), theirs.brushes[0].sides.len());
        for (a, b) in ours.sides.iter().zip(&theirs.brushes[0].sides) {
            assert!(b.points.iter().all(|&p| height(a, p) == 0.0), "{a:?} {b:?}");
            let normal = |s: &SideDesc| {
                let [a, b, c] = s.points.map(|p| p.as_dvec3());
                (b - a).cross(c - a)
            };
            assert!(normal(a).dot(normal(b)) > 0.0);
        }
    }
}

#[test]
fn our_own_levels_open_without_a_warning_and_save_as_they_are() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("levels");
    let mut seen = 0;
    for file in std::fs::read_dir(folder).expect("levels/").flatten() {
        if file.path().extension().is_none_or(|e| e != "map") {
            continue;
        }
        seen += 1;
        let name = file.file_name().to_string_lossy().into_owned();
        let level = read(&name, &std::fs::read(file.path()).unwrap());
        assert_eq!(level.warnings, [], "{name}");
        assert!(!level.starts.is_empty(), "{name}: a player start");
        assert!(!level.lights.is_empty(), "{name}: a light");
        let again = read(&name, &write_map(&level));
        check_same_world(&level.world, &again.world);
    }
    assert!(seen >= 6, "{seen} levels");
}
