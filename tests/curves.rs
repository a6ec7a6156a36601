//! Patches and terrains as solids of a level: closed forms, what they touch, what they never do, and bad ones.
#[path = "brush/mod.rs"]
mod brush;

use breach::bvh::BuildParams;
use breach::carve::Op;
use breach::geom::rng::Rng;
use breach::level::rules::RULES;
use breach::level::{Curves, LevelDesc, read_map, read_recorded_map, write_map};
use breach::sim::recording::{LevelSource, Recording};
use breach::sim::{Action, Command, Settings, Sim, Timeline, replay};
use breach::timing::Silent;
use breach::world::{BrushDesc, Operation, World};
use glam::DVec3;

/// Inside of the room in units: 16 m × 16 m × 8 m.
const ROOM: [[f64; 3]; 2] = [[-256.0, -256.0, 0.0], [256.0, 256.0, 256.0]];
const ROOM_M3: f64 = 2048.0;

/// A room with these blocks and patches in worldspawn, and entities after it.
fn room(inside: &str, entities: &str) -> String {
    keyed("", inside, entities)
}

fn keyed(keys: &str, inside: &str, entities: &str) -> String {
    let [[x0, y0, z0], [x1, y1, z1]] = ROOM;
    let t = 32.0;
    let walls = [
        [[x0 - t, y0 - t, z0 - t], [x1 + t, y1 + t, z0]],
        [[x0 - t, y0 - t, z1], [x1 + t, y1 + t, z1 + t]],
        [[x0 - t, y0, z0], [x0, y1, z1]],
        [[x1, y0, z0], [x1 + t, y1, z1]],
        [[x0 - t, y0 - t, z0], [x1 + t, y0, z1]],
        [[x0 - t, y1, z0], [x1 + t, y1 + t, z1]],
    ];
    let walls = walls
        .map(|[low, high]| brush::brush(low, high, "rock"))
        .concat();
    format!(
        "{{\n\"classname\" \"worldspawn\"\n{keys}{walls}{inside}}}\n\
         {{\n\"classname\" \"info_player_start\"\n\"origin\" \"-200 -200 24\"\n}}\n{entities}"
    )
}

/// A patch of these rows, s and t along them.
fn patch(rows: &[Vec<[f64; 3]>]) -> String {
    let (w, h) = (rows.len(), rows[0].len());
    let mut text = format!("{{\npatchDef2\n{{\nbase/metal\n( {w} {h} 0 0 0 )\n(\n");
    for (i, row) in rows.iter().enumerate() {
        text += "( ";
        for (j, [x, y, z]) in row.iter().enumerate() {
            text += &format!("( {x} {y} {z} {} {} ) ", i as f64 / 2.0, j as f64 / 2.0);
        }
        text += ")\n";
    }
    text + ")\n}\n}\n"
}

/// A closed pipe about z as editors make it, nine rows round, front outside.
fn pipe([x, y]: [f64; 2], radius: f64, [low, high]: [f64; 2]) -> String {
    let round = [
        (1, 0),
        (1, 1),
        (0, 1),
        (-1, 1),
        (-1, 0),
        (-1, -1),
        (0, -1),
        (1, -1),
        (1, 0),
    ];
    let rows = round.map(|(i, j)| {
        let at = [x + f64::from(i) * radius, y + f64::from(j) * radius];
        [low, (low + high) / 2.0, high]
            .map(|z| [at[0], at[1], z])
            .to_vec()
    });
    patch(&rows)
}

fn read(text: &str) -> LevelDesc {
    read_map(text.as_bytes()).unwrap_or_else(|e| panic!("{text}\n{e}"))
}

fn build(level: &LevelDesc) -> World {
    World::build(&level.world, &BuildParams::default(), &mut Silent).expect("a world")
}

/// Metres from units.
fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, z, -y) / 32.0
}

fn said(level: &LevelDesc) -> Vec<String> {
    let lines = level.warnings.iter();
    lines.map(|w| format!("{}: {}", w.line, w.text)).collect()
}

/// Sound, and everything that a report counts is nought.
#[track_caller]
fn check_sound(world: &World) {
    world.validate().expect("valid");
    let census = world.census();
    assert_eq!(
        (
            census.unmatched_edges,
            census.t_junctions,
            census.portal_mismatches
        ),
        (0, 0, 0)
    );
}

#[track_caller]
fn opened(text: &str) -> (LevelDesc, World) {
    let level = read(text);
    assert_eq!(said(&level), [""; 0]);
    let world = build(&level);
    check_sound(&world);
    assert_eq!(world.sealed, Some(true));
    (level, world)
}

#[test]
fn a_flat_patch_has_its_area_times_the_thickness_behind_it() {
    let row = |x: f64| vec![[x, 0.0, 100.0], [x, 40.0, 100.0], [x, 80.0, 100.0]];
    let (level, world) = opened(&room(&patch(&[row(0.0), row(30.0), row(60.0)]), ""));
    let expected = Curves {
        patches: 1,
        solid: 1,
        solids: 1,
        asked: 1.0,
        error: 1.0,
        operations: 1,
    };
    assert_eq!((level.curves, level.skipped), (expected, 0));
    let solid = 60.0 * 80.0 * 4.0 / 32768.0;
    let air = world.census().air_volume_m3;
    assert!((air - (ROOM_M3 - solid)).abs() < 1e-9, "{air}");
    let is_air = |z: f64| world.locate(at(30.0, 40.0, z)).is_some();
    assert_eq!(
        [100.1, 99.9, 96.1, 95.9].map(is_air),
        [true, false, false, true]
    );
}

#[test]
fn a_pipe_is_as_wide_as_its_curve_less_the_chord_error_all_round() {
    let radius = 96.0;
    for (error, seeds) in [(4.0, 1..=20), (1.0, 21..=40), (0.25, 41..=60)] {
        let keys = format!("\"breach_curves\" \"{error}\"\n");
        let text = keyed(&keys, &pipe([0.0, 0.0], radius, [0.0, 256.0]), "");
        let (level, world) = opened(&text);
        assert_eq!(level.curves.error, error);
        // 4 quarters of n flat pieces: |p0 − 2 p1 + p2| is r√2.
        let n = (radius * 2f64.sqrt() / (4.0 * error)).sqrt().ceil();
        assert_eq!(level.curves.solids as f64, 4.0 * n);
        let mut angles: Vec<f64> = (0..16)
            .map(|k| f64::from(k) * std::f64::consts::TAU / 16.0)
            .collect();
        for seed in seeds {
            angles.push(Rng::new(seed).range(0.0, std::f64::consts::TAU));
        }
        for angle in angles {
            let (sin, cos) = libm::sincos(angle);
            let from = at(200.0 * cos, 200.0 * sin, 77.0);
            let hit = world.ray(from, at(0.0, 0.0, 77.0)).expect("the pipe");
            let far = 32.0 * (DVec3::new(hit.point.x, 0.0, hit.point.z)).length();
            // Along the diagonal of its quarter the parabola from (r, 0) over (r, r) to (0, r) has x = r (1 − t²),
            // y = r (1 − (1 − t)²); bisected for the angle.
            let (s, c) = (sin.abs(), cos.abs());
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..60 {
                let t: f64 = (low + high) / 2.0;
                let (x, y) = (1.0 - t * t, 1.0 - (1.0 - t) * (1.0 - t));
                if y * c < x * s { low = t } else { high = t }
            }
            let t: f64 = low;
            let exact = radius * (1.0 - t * t).hypot(1.0 - (1.0 - t) * (1.0 - t));
            assert!(
                far <= exact + 0.01 && exact - far <= error + 0.01,
                "{angle}: {far}, {exact}"
            );
        }
    }
}

#[test]
fn the_volume_of_a_pipe_is_between_its_polygons() {
    // Outside the parabola's polygon with 4n sides, inside the one four units nearer, less what the sides' middles lose.
    let radius = 96.0;
    let (level, world) = opened(&room(&pipe([0.0, 0.0], radius, [0.0, 256.0]), ""));
    let n = level.curves.solids as f64 / 4.0;
    let outer = 4.0 * radius * radius * (5.0 / 6.0 - 1.0 / (3.0 * n * n));
    let solid = ROOM_M3 - world.census().air_volume_m3;
    let area = solid * 32768.0 / 256.0;
    // The mean outline is about 2π · 1.04 r long.
    let ring = 4.0 * std::f64::consts::TAU * radius;
    assert!(
        area > ring && area < 1.06 * ring,
        "{area} of a ring of {ring}, {outer} in all"
    );
    // The air in it is air: it was shut off by a patch alone.
    assert!(world.locate(at(0.0, 0.0, 50.0)).is_some());
}

#[test]
fn a_bevel_closes_a_corner_and_nothing_passes_at_its_ends() {
    // Front towards the room, ends in both walls, floor and ceiling.
    for (seed, turn) in (1..=12).zip([0.0, 7.3, 13.7].into_iter().cycle()) {
        let mut rng = Rng::new(seed);
        let radius = rng.range(40.0, 120.0).round();
        let corner = [-256.0, 256.0];
        let z = [0.0, 128.0, 256.0];
        // A slanted block beside it: the bevel ends in a plane that runs through no raster of whole units.
        let plain = brush::brush([-300.0, 200.0, -8.0], [300.0, 300.0, 264.0], "rock");
        let low_y = "( 0 200 0 ) ( 0 200 1 ) ( 1 200 0 )";
        assert!(plain.contains(low_y));
        let slanted = format!(
            "( -256 {y} 0 ) ( -256 {y} 1 ) ( 256 256 0 )",
            y = 256.0 - turn
        );
        let slope = plain.replace(low_y, &slanted);
        // On the slope y runs from 256 at x = 256 to 256 − turn at x = −256.
        let on_slope = |x: f64| 256.0 - turn * (256.0 - x) / 512.0;
        let end = on_slope(corner[0] + radius);
        let near = on_slope(corner[0]);
        let rows = [
            [corner[0], near - radius],
            [corner[0], near],
            [corner[0] + radius, end],
        ];
        let rows = rows.map(|[x, y]| z.map(|z| [x, y, z]).to_vec());
        let inside = if turn > 0.0 { slope } else { String::new() } + &patch(&rows);
        let level = read(&room(&inside, ""));
        let world = build(&level);
        check_sound(&world);
        assert_eq!(
            (level.curves.solid, world.sealed),
            (1, Some(true)),
            "{:?}",
            said(&level)
        );
        for k in 0..400 {
            // At the seams, at all heights.
            let height = rng.range(0.01, 255.99);
            let aim = match k % 3 {
                0 => [corner[0] + radius - 0.002, end + 0.001],
                1 => [corner[0] + 0.001, near - radius + 0.002],
                _ => [
                    corner[0] + rng.range(0.0, radius),
                    near - rng.range(0.0, radius),
                ],
            };
            let (from, to) = (at(0.0, 0.0, height), at(aim[0], aim[1], height));
            let to = from + (to - from) * 4.0;
            let hit = world.ray(from, to).expect("a wall or the bevel");
            let p = DVec3::new(hit.point.x, -hit.point.z, hit.point.y) * 32.0;
            // Not behind the parabola: with u and v from the corner to its ends, √u + √v = 1 on it.
            let u = (p.x - corner[0]) / radius;
            let v = (near + u * (end - near) - p.y) / radius;
            let depth = u.max(0.0).sqrt() + v.max(0.0).sqrt();
            assert!(depth > 0.9, "{seed}: {p} is behind the bevel ({depth})");
        }
    }
}

#[test]
fn a_patch_never_seals() {
    // A hole in the ceiling under a patch that covers it.
    let [[x0, y0, z0], [x1, y1, z1]] = ROOM;
    let shut = room("", "");
    let ceiling = brush::brush(
        [x0 - 32.0, y0 - 32.0, z1],
        [x1 + 32.0, y1 + 32.0, z1 + 32.0],
        "rock",
    );
    assert!(shut.contains(&ceiling) && z0 == 0.0);
    let holed = [
        ([x0 - 32.0, y0 - 32.0], [x1 + 32.0, -32.0]),
        ([x0 - 32.0, 32.0], [x1 + 32.0, y1 + 32.0]),
        ([x0 - 32.0, -32.0], [-32.0, 32.0]),
        ([32.0, -32.0], [x1 + 32.0, 32.0]),
    ];
    let holed = holed
        .map(|([a, b], [c, d])| brush::brush([a, b, z1], [c, d, z1 + 32.0], "rock"))
        .concat();
    let row = |x: f64| vec![[x, 60.0, 256.0], [x, 0.0, 250.0], [x, -60.0, 256.0]];
    let lid = patch(&[row(-60.0), row(0.0), row(60.0)]);
    for inside in [String::new(), lid] {
        let text = room(&inside, "").replace(&ceiling, &holed);
        let level = read(&text);
        let world = build(&level);
        check_sound(&world);
        assert_eq!(world.sealed, Some(false));
        assert!(!world.leak.is_empty(), "the way out, through the lid");
        // The lid is solid all the same.
        let is_open = world
            .ray(at(0.0, 0.0, 200.0), at(0.0, 0.0, 280.0))
            .is_none();
        assert_eq!(is_open, level.curves.patches == 0);
    }
}

#[test]
fn a_carve_cuts_a_curve_and_a_save_reads_back_the_same() {
    for seed in 1..=12 {
        let mut rng = Rng::new(seed);
        let place = |rng: &mut Rng| {
            [
                rng.range(-100.0, 100.0).round(),
                rng.range(-100.0, 100.0).round(),
            ]
        };
        let pipes: Vec<([f64; 2], f64)> = (0..3)
            .map(|_| (place(&mut rng), rng.range(8.0, 70.0).round()))
            .collect();
        let inside: String = pipes
            .iter()
            .map(|&(at, radius)| pipe(at, radius, [0.0, 200.0]))
            .collect();
        // Operations of the file's own come after the patches: a blast at the first one's wall.
        let ([x, y], radius) = pipes[0];
        let blast = format!(
            "{{\n\"classname\" \"breach_blast\"\n\"origin\" \"{} {y} 60\"\n\"radius\" \"40\"\n\"seed\" \"{seed}\"\n}}\n",
            x + radius
        );
        let (level, world) = opened(&room(&inside, &blast));
        assert_eq!((level.curves.operations, level.world.base.len()), (3, 4));
        assert_ne!(
            world.hash(),
            build(&read(&room(&inside, ""))).hash(),
            "the blast hit nothing"
        );
        let mut sim = Sim::new(level, seed, Settings::default(), &mut Silent).expect("a world");
        // One more, in play.
        let mut played = sim.clone();
        let from = [-6.0, 4.0, 6.0];
        let to = at(place(&mut rng)[0], place(&mut rng)[1], 100.0);
        let dir = (to - DVec3::from_array(from)).normalize().to_array();
        let fire = Command {
            actions: vec![Action::FireAlong { from, dir }],
            ..Command::default()
        };
        played.step(&fire, &mut Silent);
        for _ in 0..30 {
            played.step(&Command::default(), &mut Silent);
        }
        assert!(!played.level.since.is_empty());
        check_sound(&played.world);
        for sim in [&mut sim, &mut played] {
            let saved = write_map(&sim.level);
            let text = String::from_utf8(saved.clone()).expect("ascii");
            assert!(
                text.contains("\"breach_curves\" \"1\"") && text.contains("\"breach_base\" \"1\""),
                "{text}"
            );
            let again = read(&text);
            assert_eq!(said(&again), [""; 0]);
            let world = build(&again);
            check_sound(&world);
            assert_eq!(world.hash(), sim.world.hash(), "{seed}");
        }
    }
}

#[test]
fn old_saves_and_recordings_leave_curves_out_and_new_ones_keep_them() {
    let bounds = "\"breach_bounds\" \"-400 -400 -200 400 400 400\"\n";
    let curved = keyed(bounds, &pipe([0.0, 0.0], 50.0, [0.0, 256.0]), "");
    let plain = build(&read(&keyed(bounds, "", ""))).hash();
    let solid = build(&read(&curved)).hash();
    assert_ne!(plain, solid);
    // A save of a program that skipped them.
    let old = keyed(
        &format!("{bounds}\"breach_rules\" \"{RULES}\"\n\"breach_base\" \"0\"\n"),
        &pipe([0.0, 0.0], 50.0, [0.0, 256.0]),
        "",
    );
    let level = read(&old);
    assert_eq!(
        (level.curves.asked, level.skipped, build(&level).hash()),
        (0.0, 1, plain)
    );
    assert!(
        said(&level)[0].contains("1 patch is skipped"),
        "{:?}",
        said(&level)
    );
    // And its own save stays so.
    let again = read(std::str::from_utf8(&write_map(&level)).expect("ascii"));
    assert_eq!(build(&again).hash(), plain);
    // Asked for, or of a level as its author wrote it, they are there.
    let asked = old.replacen(
        "\"breach_rules\"",
        "\"breach_curves\" \"1\"\n\"breach_rules\"",
        1,
    );
    assert_eq!(build(&read(&asked)).hash(), solid);
    let left_out = curved.replacen(
        "\"breach_bounds\"",
        "\"breach_curves\" \"0\"\n\"breach_bounds\"",
        1,
    );
    assert_eq!(build(&read(&left_out)).hash(), plain);

    // A recording says what its level was read with; one from before says nothing.
    let settings = Settings::default();
    for asked in [1.0, 0.0] {
        let desc = read_recorded_map(curved.as_bytes(), asked, true, true).expect("a level");
        let mut sim = Sim::new(desc, 1, settings.clone(), &mut Silent).expect("a world");
        let source = LevelSource::embed(curved.as_bytes());
        let mut timeline = Timeline::new(source, 1, &settings, &sim);
        for _ in 0..60 {
            sim.step(&Command::default(), &mut Silent);
            timeline.stepped(&Command::default(), &sim);
        }
        let mut file = Vec::new();
        timeline
            .recording()
            .write(&mut file)
            .expect("a Vec takes all");
        let text = String::from_utf8(file.clone()).expect("text");
        assert_eq!(text.contains("\"curves\":1.0"), asked == 1.0);
        assert_eq!(text.contains("curves"), asked == 1.0);
        let recording = Recording::read(&file).expect("just written");
        let desc = recording.level.read(curved.as_bytes()).expect("a level");
        assert_eq!(desc.curves.asked, asked);
        let mut sim = Sim::new(desc, 1, settings.clone(), &mut Silent).expect("a world");
        assert_eq!(sim.world.hash(), if asked == 1.0 { solid } else { plain });
        let differs = replay::play(&recording, &mut sim, &mut Silent, &mut |_, _| true);
        assert_eq!(differs, None);
    }
}

#[test]
fn bad_patches_are_left_out_each_with_its_line() {
    let net = |w: usize, h: usize| {
        let row = "( ".to_owned() + &"( 1 2 3 0 0 ) ".repeat(h) + ")\n";
        format!("(\n{})\n", row.repeat(w))
    };
    let good = patch(&[
        vec![[0.0, 0.0, 9.0], [0.0, 40.0, 9.0], [0.0, 80.0, 9.0]],
        vec![[40.0, 0.0, 9.0], [40.0, 40.0, 9.0], [40.0, 80.0, 9.0]],
        vec![[80.0, 0.0, 9.0], [80.0, 40.0, 9.0], [80.0, 80.0, 9.0]],
    ]);
    let with = |header: &str, rest: &str| format!("{{\npatchDef2\n{{\na\n{header}\n{rest}}}\n}}\n");
    let sized = |w: usize, h: usize| with(&format!("( {w} {h} 0 0 0 )"), &net(w, h));
    let plain = build(&read(&room("", ""))).hash();
    // Line within the patch, and a word of the warning.
    for (text, line, word) in [
        (sized(1, 3), 5, "1 by 3 points"),
        (sized(3, 1), 5, "3 by 1 points"),
        (sized(2, 3), 5, "2 by 3 points"),
        (sized(4, 3), 5, "4 by 3 points"),
        (sized(0, 0), 5, "0 by 0 points"),
        (
            with("( 999 3 0 0 0 )", &net(3, 3)),
            10,
            "expected `(`, found `)`",
        ),
        (
            with("( 3 999 0 0 0 )", &net(3, 3)),
            7,
            "expected `(`, found `)`",
        ),
        (with("( 99999 99999 0 0 0 )", &net(3, 3)), 5, "points"),
        (with("( -3 3 0 0 0 )", &net(3, 3)), 5, "points"),
        (with("( 3.5 3 0 0 0 )", &net(3, 3)), 5, "points"),
        (
            with("( nan 3 0 0 0 )", &net(3, 3)),
            5,
            "not a finite number",
        ),
        (with("( )", &net(3, 3)), 5, "0 by 0 points"),
        (with("", &net(3, 3)), 7, "expected `)`"),
        (
            sized(3, 3).replacen("1 2 3", "nan 2 3", 1),
            7,
            "not a finite number",
        ),
        (
            sized(3, 3).replacen("1 2 3", "1 inf 3", 1),
            7,
            "not a finite number",
        ),
        (
            sized(3, 3).replacen("1 2 3", "1 2 1e308", 1),
            7,
            "beyond the grid",
        ),
        (
            sized(3, 3).replacen("1 2 3", "1 2 1e999", 1),
            7,
            "not a finite number",
        ),
        (
            sized(3, 3).replacen("1 2 3", "1 2 40000", 1),
            7,
            "beyond the grid",
        ),
        (
            sized(3, 3).replacen("1 2 3 0 0", "1 2 3 0", 1),
            7,
            "expected a number",
        ),
        (
            sized(3, 3).replacen("1 2 3 0 0", "1 2 3 0 0 0", 1),
            7,
            "expected `)`",
        ),
        (
            sized(3, 3).replacen("1 2 3", "1 x 3", 1),
            7,
            "expected a number",
        ),
        (sized(3, 3).replacen("( ( 1", "( 1", 1), 7, "expected `(`"),
        (sized(3, 3).replacen(") )", ")", 1), 8, "expected"),
        (sized(3, 3), 2, "no area"),
        (
            patch(&[0.0, 40.0, 80.0].map(|x| vec![[x, x / 2.0, 9.0]; 3])),
            2,
            "no area",
        ),
        (
            good.replace("patchDef2", "terrainDef")
                .replace("( 3 3", "( 1 9"),
            5,
            "1 by 9 points",
        ),
        (
            "{\nterrainDef\n{\n2 2 0\n0 0 0\n{\n}\n}\n}\n".into(),
            6,
            "expected a number",
        ),
        (
            "{\nterrainDef\n{\n1 2 64 64\n0 0 0\n}\n}\n".into(),
            4,
            "1 by 2 points",
        ),
        (
            "{\nterrainDef\n{\n2 2 64 64\n0 0 1e9\n1 a 0 0 0 1 1 0 0 0\n}\n}\n".into(),
            6,
            "beyond the grid",
        ),
        (
            good.replace("( 40 40 9 ", "( 40 40 20 ")
                .replace("patchDef2", "patchDef3")
                .replace("( 3 3 0 0 0 )", "( 3 3 999999 999999 0 0 0 )"),
            0,
            "",
        ),
    ] {
        let level = read(&room(&text, ""));
        let whole = room(&text, "");
        let first = whole
            .lines()
            .position(|l| l == "patchDef2" || l == "patchDef3" || l == "terrainDef")
            .expect("there") as u32;
        if word.is_empty() {
            // As many segments as it asks for are no more than a curve may have; they are too many for a level.
            assert_eq!(
                (level.curves.solid, level.skipped),
                (0, 1),
                "{:?}",
                said(&level)
            );
            assert!(
                said(&level)[0].contains("too many solids"),
                "{:?}",
                said(&level)
            );
            continue;
        }
        assert_eq!(
            (level.skipped, level.warnings.len()),
            (1, 1),
            "{text}{:?}",
            said(&level)
        );
        let warning = &level.warnings[0];
        assert!(warning.text.contains(word), "{text}{:?}", said(&level));
        if line > 0 && word != "0 by 0 points" {
            assert_eq!(warning.line, first + line - 1, "{text}{:?}", said(&level));
        }
        assert_eq!(build(&level).hash(), plain, "{text}");
        // It stays in a save.
        let saved = String::from_utf8(write_map(&level)).expect("ascii");
        assert!(saved.contains(&text), "{saved}");
    }
    // A good one among them is not lost.
    let level = read(&room(&(sized(2, 2) + &good + &sized(3, 3)), ""));
    assert_eq!(
        (level.curves.solid, level.skipped, level.warnings.len()),
        (1, 2, 2)
    );
    // Braces that do not match are the file's fault, as ever.
    let error =
        read_map(room("{\npatchDef2\n{\na\n( 3 3 0 0 0 )\n", "").as_bytes()).expect_err("open");
    assert!(error.line > 50, "{error}");
    for value in ["-1", "0.001", "nan", "many", "1e9", ""] {
        let text = keyed(&format!("\"breach_curves\" \"{value}\"\n"), &good, "");
        let error = read_map(text.as_bytes()).expect_err(value);
        assert!(error.text.contains("chord error"), "{error}");
    }
}

#[test]
fn patches_go_with_the_brushes_of_their_entity() {
    let row = |x: f64| vec![[x, 0.0, 90.0], [x, 40.0, 90.0], [x, 80.0, 90.0]];
    let flat = patch(&[row(0.0), row(40.0), row(80.0)]);
    let entity = |class: &str, inside: &str| format!("{{\n\"classname\" \"{class}\"\n{inside}}}\n");
    for (class, is_solid, word) in [
        ("func_group", true, ""),
        ("func_detail", true, ""),
        ("func_wall", true, ""),
        ("func_fill", true, ""),
        ("func_carve", false, "only brushes carve"),
        ("func_door", false, "doors, plats"),
        ("func_illusionary", false, "illusionary"),
        ("trigger_once", false, "triggers"),
        ("func_static", false, "unknown class"),
    ] {
        let level = read(&room("", &entity(class, &flat)));
        assert_eq!(
            (level.curves.solid, level.skipped),
            (usize::from(is_solid), usize::from(!is_solid)),
            "{class}"
        );
        assert!(
            said(&level).concat().contains(word),
            "{class}: {:?}",
            said(&level)
        );
        let world = build(&level);
        check_sound(&world);
        assert_eq!(
            world.locate(at(40.0, 40.0, 88.0)).is_none(),
            is_solid,
            "{class}"
        );
        // An operation's patches keep their place among the operations, through a save too.
        let saved = String::from_utf8(write_map(&level)).expect("ascii");
        assert_eq!(build(&read(&saved)).hash(), world.hash(), "{class}");
    }
    // In a level that begins as rock, a fill after a carve; the carve after the fill takes it away.
    let block = brush::brush([-50.0, -50.0, 50.0], [150.0, 150.0, 150.0], "rock");
    let (carve, fill) = (entity("func_carve", &block), entity("func_fill", &flat));
    for (entities, is_solid) in [(carve.clone() + &fill, true), (fill + &carve, false)] {
        let level = read(&keyed("\"breach_start\" \"solid\"\n", "", &entities));
        let world = build(&level);
        check_sound(&world);
        assert_eq!(world.locate(at(40.0, 40.0, 88.0)).is_none(), is_solid);
    }
    for (texture, is_solid) in [
        ("common/caulk", true),
        ("liquids/slime", false),
        ("common/clip", false),
        ("common/trigger", false),
    ] {
        let level = read(&room(&flat.replace("base/metal", texture), ""));
        assert_eq!(level.curves.solid, usize::from(is_solid), "{texture}");
    }
}

#[test]
fn terrains_are_as_high_as_their_points_and_have_ground_behind() {
    let heights = |x: usize, y: usize| ((x * 7 + y * 5) % 4) as f64 * 8.0;
    let mut own = String::from("{\nterrainDef\n{\n5 4 32 32\n-64 -48 40\n");
    for y in 0..4 {
        for x in 0..5 {
            own += &format!("{} ground/rock_1 0 0 0 1 1 0 0 0\n", heights(x, y));
        }
    }
    own += "}\n}\n";
    let rows: Vec<Vec<[f64; 3]>> = (0..5)
        .map(|x| {
            (0..4)
                .map(|y| {
                    [
                        x as f64 * 32.0 - 64.0,
                        y as f64 * 32.0 - 48.0,
                        40.0 + heights(x, y),
                    ]
                })
                .collect()
        })
        .collect();
    let net = patch(&rows).replace("patchDef2", "terrainDef");
    for text in [&own, &net] {
        let (level, world) = opened(&room(text, ""));
        assert_eq!(
            (level.curves.patches, level.curves.solid, level.skipped),
            (1, 1, 0)
        );
        for x in 0..5 {
            for y in 0..4 {
                // A little inwards, so that rays do not run along the rim.
                let [px, py] = [x as f64 * 32.0 - 64.0, y as f64 * 32.0 - 48.0];
                let (px, py) = (px * 0.999, py * 0.999);
                let hit = world
                    .ray(at(px, py, 200.0), at(px, py, 1.0))
                    .expect("the ground");
                let z = hit.point.y * 32.0;
                assert!((z - 40.0 - heights(x, y)).abs() < 0.2, "{x} {y}: {z}");
                // The ground's outer sides lean with its slopes.
                if (1..4).contains(&x) && (1..3).contains(&y) {
                    assert!(world.locate(at(px, py, z - 1.0)).is_none());
                }
            }
        }
    }
}

#[test]
fn nets_of_any_shape_open_sound_and_are_carved_and_saved() {
    for seed in 1..=30 {
        let mut rng = Rng::new(seed);
        let odd = |rng: &mut Rng| 3 + 2 * rng.below(2) as usize;
        let mut inside = String::new();
        for _ in 0..3 {
            let (w, h) = (odd(&mut rng), odd(&mut rng));
            let spread = [10.0, 40.0, 120.0][rng.below(3) as usize];
            let base = [
                rng.range(-90.0, 90.0),
                rng.range(-90.0, 90.0),
                rng.range(0.0, 120.0),
            ];
            // Some control points coincide, some lie on whole units, some do not.
            let mut rows: Vec<Vec<[f64; 3]>> = Vec::new();
            for i in 0..w {
                let mut row: Vec<[f64; 3]> = Vec::new();
                for j in 0..h {
                    let mut p = [0, 1, 2].map(|k| base[k] + rng.range(-spread, spread));
                    if rng.below(2) == 0 {
                        p = p.map(f64::round);
                    }
                    if rng.below(4) == 0 && j > 0 {
                        p = row[j - 1];
                    }
                    if rng.below(4) == 0 && i > 0 {
                        p = rows[i - 1][j];
                    }
                    row.push(p);
                }
                rows.push(row);
            }
            inside += &patch(&rows);
        }
        let keys = format!(
            "\"breach_curves\" \"{}\"\n",
            [0.5, 2.0, 16.0][rng.below(3) as usize]
        );
        let level = read(&keyed(&keys, &inside, ""));
        let world = build(&level);
        check_sound(&world);
        assert_eq!(world.sealed, Some(true), "{seed}");
        let air = world.census().air_volume_m3;
        assert!(air < ROOM_M3 && air > ROOM_M3 - 300.0, "{seed}: {air}");
        let saved = String::from_utf8(write_map(&level)).expect("ascii");
        assert_eq!(build(&read(&saved)).hash(), world.hash(), "{seed}");
        let mut carved = world;
        for _ in 0..3 {
            let centre = at(
                rng.range(-120.0, 120.0),
                rng.range(-120.0, 120.0),
                rng.range(0.0, 150.0),
            );
            let ball = BrushDesc::ball(centre, rng.range(0.5, 2.0)).expect("a ball");
            let operation = Operation {
                op: Op::Carve,
                brushes: vec![ball],
            };
            carved
                .apply(&operation, &mut Silent)
                .expect("within the bounds");
            check_sound(&carved);
        }
    }
}
