//! Bad level files: each is refused with line and column, or opens with warnings; never a panic, a hang, or memory
//! without bound.
use breach::level::{LevelDesc, LevelError, read_map, write_map};

fn cube(at: i64) -> String {
    let (l, h) = (at, at + 64);
    format!(
        "{{\n( {l} 0 0 ) ( {l} 1 0 ) ( {l} 0 1 ) a 0 0 0 1 1\n( {h} 0 0 ) ( {h} 0 1 ) ( {h} 1 0 ) a 0 0 0 1 1\n\
         ( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) a 0 0 0 1 1\n( 0 64 0 ) ( 1 64 0 ) ( 0 64 1 ) a 0 0 0 1 1\n\
         ( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) a 0 0 0 1 1\n( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 ) a 0 0 0 1 1\n}}\n"
    )
}

/// A worldspawn with these keys, a cube and these brushes.
fn world(keys: &str, brushes: &str) -> String {
    format!(
        "{{\n\"classname\" \"worldspawn\"\n{keys}\n{}{brushes}}}\n",
        cube(0)
    )
}

fn refused(text: impl AsRef<[u8]>) -> LevelError {
    match read_map(text.as_ref()) {
        Err(error) => error,
        Ok(_) => panic!("opened"),
    }
}

fn opened(text: impl AsRef<[u8]>) -> LevelDesc {
    read_map(text.as_ref()).unwrap_or_else(|e| panic!("{e}"))
}

fn warnings(level: &LevelDesc) -> String {
    let lines = level
        .warnings
        .iter()
        .map(|w| format!("{}: {}\n", w.line, w.text));
    lines.collect()
}

/// Seeded bytes without a crate: xorshift64*.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut x = seed;
    let mut next = || {
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        (x.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 56) as u8
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn files_without_a_brush_are_refused_without_a_line() {
    for text in [
        "",
        "  \n\t",
        "// nothing\n",
        "{ }",
        "{\n\"classname\" \"worldspawn\"\n}\n",
        "\u{feff}",
    ] {
        let error = refused(text);
        assert_eq!(
            (error.line, error.text.as_str()),
            (0, "the file has no brushes"),
            "{text:?}"
        );
    }
    let ghost = format!("{{ \"classname\" \"trigger_once\"\n{}}}", cube(0));
    assert_eq!(
        refused(ghost).text,
        "none of the file's brushes are solid, carve or fill"
    );
}

#[test]
fn noise_is_refused() {
    for seed in 1..200 {
        let error = refused(noise(seed, 4096));
        assert!(error.line > 0 && error.column > 0, "{error}");
        assert!(error.text.len() < 200 && error.text.is_ascii(), "{error}");
    }
}

#[test]
fn noise_within_a_level_never_panics() {
    let text = world("\"message\" \"x\"", &cube(128)).into_bytes();
    for seed in 1..3000u64 {
        let mut bytes = text.clone();
        for pair in noise(seed, 12).chunks(3) {
            let at = usize::from(pair[0]) * 256 + usize::from(pair[1]);
            let at = at % bytes.len();
            // Half of the changes are marks and digits, which get further than noise.
            bytes[at] = if pair[2] < 128 {
                b"{}()[]\" -19.e\n"[usize::from(pair[2]) % 14]
            } else {
                pair[2]
            };
        }
        if let Ok(level) = read_map(&bytes) {
            let again = read_map(&write_map(&level)).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            assert_eq!(level.world.solids, again.world.solids, "seed {seed}");
            assert_eq!(level.world.bounds, again.world.bounds, "seed {seed}");
        }
    }
}

#[test]
fn a_truncated_file_is_refused_at_its_end_or_opens() {
    let mut text = world("", "");
    for i in 0..200 {
        text += &format!("{{\n\"classname\" \"func_group\"\n{}}}\n", cube(i * 100));
    }
    let bytes = text.as_bytes();
    let ends = (0..bytes.len())
        .step_by(1024)
        .chain(bytes.len() - 700..bytes.len());
    for end in ends {
        if let Err(error) = read_map(&bytes[..end]) {
            let lines = bytes[..end].iter().filter(|&&b| b == b'\n').count() as u32 + 1;
            assert!(error.line <= lines, "{error}");
        }
    }
    let error = refused(&bytes[..bytes.len() - 3]);
    assert!(error.text.contains("the entity opened on line"), "{error}");
    let shared =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/levels/id_end.map");
    if let Ok(bytes) = std::fs::read(shared) {
        for end in (0..bytes.len()).step_by(1024) {
            let _ = read_map(&bytes[..end]);
        }
    }
}

#[test]
fn errors_name_line_and_column() {
    #[track_caller]
    fn check(text: &str, line: u32, column: u32, word: &str) {
        let error = refused(text);
        assert!(error.text.contains(word), "{error}");
        assert_eq!((error.line, error.column), (line, column), "{error}");
    }
    check("{\n\"a\" \"b\n", 2, 5, "not closed");
    check("{\n\"a\"\n}", 3, 1, "quoted value");
    check("{\n", 2, 1, "entity opened on line 1");
    check("{\n {\n", 3, 1, "brush opened on line 2");
    check("}\n", 1, 1, "expected an entity");
    check("{ {\n( 1 2 x ) ", 2, 7, "expected a number");
    check("{ {\n( 1 2 nan ) ", 2, 7, "not a finite number");
    check("{ {\n( 1 2 1e999 ) ", 2, 7, "not a finite number");
    check("{ {\n( 1 2 1e300 ) ", 2, 7, "beyond the grid");
    check("{ {\n( 1 2 3 4 ) ", 2, 9, "expected `)`");
    check(
        "{ {\n( 1 2 3 ) ( 1 2 3 ) ( 1 2 3 ) }",
        2,
        31,
        "texture's name",
    );
    check(
        "{ {\n( 1 2 3 ) ( 1 2 3 ) ( 1 2 3 ) t 1 2 3 4 nan",
        2,
        41,
        "finite",
    );
    check(
        "{ {\n( 1 2 3 ) ( 1 2 3 ) ( 1 2 3 ) t [ 1 0 0 0 ] 1",
        2,
        45,
        "expected `[`",
    );
    check("{ { { ", 1, 5, "expected a face");
    check("{ { curve { ", 1, 5, "brushDef");
    check(
        "{ { patchDef2 { tex ( 3 3 ",
        1,
        27,
        "patch opened on line 1",
    );
}

#[test]
fn unknown_values_of_breach_keys_are_refused_where_they_stand() {
    for (keys, word) in [
        ("\"breach_version\" \"2\"", "version"),
        ("\"breach_start\" \"full\"", "neither void nor solid"),
        ("\"breach_movers\" \"yes\"", "neither 0 nor 1"),
        ("\"breach_base\" \"-1\"", "number of operations"),
        ("\"breach_base\" \"1.5\"", "number of operations"),
        ("\"breach_bounds\" \"0 0 0 1 1\"", "six finite numbers"),
        ("\"breach_bounds\" \"0 0 0 1 1 nan\"", "six finite numbers"),
        ("\"breach_bounds\" \"0 0 0 1 1 1 1\"", "six finite numbers"),
        ("\"breach_bounds\" \"0 0 0 1 -1 1\"", "lowest corner"),
        ("\"breach_bounds\" \"0 0 0 1 0 1\"", "lowest corner"),
        ("\"breach_bounds\" \"0 0 0 1 1 40000\"", "beyond the grid"),
        ("\"breach_hardness\" \"0\"", "above 0"),
        ("\"breach_hardness\" \"soft\"", "above 0"),
    ] {
        let error = refused(world(keys, ""));
        assert!(error.text.contains(word), "{error}");
        assert_eq!(error.line, 3, "{error}");
    }
    let level = opened(world(
        "\"breach_hardness\" \"unbreakable\"\n\"breach_start\" \"solid\"",
        "",
    ));
    assert_eq!(level.hardness, [f64::INFINITY]);
    assert!(level.world.start_solid);
    for (blast, word) in [
        ("\"radius\" \"32\"", "no origin"),
        (
            "\"origin\" \"0 0\" \"radius\" \"32\"",
            "three finite numbers",
        ),
        (
            "\"origin\" \"0 0 99999\" \"radius\" \"32\"",
            "beyond the grid",
        ),
        ("\"origin\" \"0 0 0\"", "no radius"),
        ("\"origin\" \"0 0 0\" \"radius\" \"-1\"", "radius"),
        ("\"origin\" \"0 0 0\" \"radius\" \"inf\"", "radius"),
        (
            "\"origin\" \"0 0 0\" \"radius\" \"32\" \"seed\" \"1.5\"",
            "whole number",
        ),
    ] {
        let text = format!(
            "{}{{ \"classname\" \"breach_blast\" {blast} }}",
            world("", "")
        );
        let error = refused(text);
        assert!(error.text.contains(word), "{error}");
        assert!(error.line > 0);
    }
    let strange = "{ \"classname\" \"breach_blast\" \"origin\" \"0.1 0 0\" \"radius\" \"32\" \"shape\" \"star\" }";
    let said = warnings(&opened(world("", "") + strange));
    assert!(
        said.contains("unknown blast shape \"star\"") && said.contains("nearest 1/1024 m"),
        "{said}"
    );
}

#[test]
fn bad_brushes_are_dropped_with_a_warning() {
    let face = |points: &str| format!("{points} a 0 0 0 1 1\n");
    let x0 = face("( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 )");
    let x1 = face("( 64 0 0 ) ( 64 0 1 ) ( 64 1 0 )");
    let x0_flipped = face("( 0 0 0 ) ( 0 0 1 ) ( 0 1 0 )");
    let y0 = face("( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 )");
    let y1 = face("( 0 64 0 ) ( 1 64 0 ) ( 0 64 1 )");
    let z0 = face("( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 )");
    let z1 = face("( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 )");
    let line = face("( 0 0 0 ) ( 1 1 1 ) ( 2 2 2 )");
    let dropped = |faces: &[&String], word: &str| {
        let brush = format!(
            "{{\n{}}}\n",
            faces.iter().map(|s| s.as_str()).collect::<String>()
        );
        let level = opened(world("", &brush));
        assert_eq!(
            (level.world.solids.len(), level.skipped),
            (1, 1),
            "{}",
            warnings(&level)
        );
        assert!(warnings(&level).contains(word), "{}", warnings(&level));
        assert!(
            level.warnings.iter().all(|w| w.line >= 12),
            "{}",
            warnings(&level)
        );
    };
    dropped(&[], "fewer than four");
    dropped(&[&x0, &x1, &y0], "fewer than four");
    dropped(&[&x0, &x1, &y0, &y0], "fewer than four");
    dropped(&[&x0, &x1, &y0, &y1, &z0], "unbounded");
    dropped(&[&x0, &x1, &y0, &y1], "unbounded");
    dropped(&[&x0, &x0_flipped, &y0, &y1, &z0, &z1], "no volume");
    dropped(&[&x0, &x1, &y0, &line], "collinear");
    // All inside out: the outside of a cube is no convex solid.
    let flip = |p: &str| face(p);
    let out = [
        flip("( 0 0 0 ) ( 0 0 1 ) ( 0 1 0 )"),
        flip("( 64 0 0 ) ( 64 1 0 ) ( 64 0 1 )"),
        flip("( 0 0 0 ) ( 1 0 0 ) ( 0 0 1 )"),
        flip("( 0 64 0 ) ( 0 64 1 ) ( 1 64 0 )"),
        flip("( 0 0 0 ) ( 0 1 0 ) ( 1 0 0 )"),
        flip("( 0 0 64 ) ( 1 0 64 ) ( 0 1 64 )"),
    ];
    dropped(&out.iter().collect::<Vec<_>>(), "no volume");
    // Thinner than half a step it is flat on the grid.
    let thin = face("( 0.0005 0 0 ) ( 0.0005 0 1 ) ( 0.0005 1 0 )");
    dropped(&[&x0, &thin, &y0, &y1, &z0, &z1], "no volume");

    let kept = |faces: &[&String], sides: usize, said: &str| {
        let brush = format!(
            "{{\n{}}}\n",
            faces.iter().map(|s| s.as_str()).collect::<String>()
        );
        let level = opened(world("", &brush));
        assert_eq!(level.world.solids.len(), 2, "{}", warnings(&level));
        assert_eq!(level.world.solids[1].sides.len(), sides);
        assert_eq!(warnings(&level), said);
    };
    let far = face("( 200 0 0 ) ( 200 0 1 ) ( 200 1 0 )");
    kept(&[&x0, &x1, &y0, &y1, &z0, &z1, &z1, &x0], 6, "");
    kept(&[&x0, &far, &x1, &y0, &y1, &z0, &z1], 6, "");
    kept(
        &[&x0, &line, &x1, &y0, &y1, &z0, &z1],
        6,
        "14: a face whose points are collinear is skipped\n",
    );
}

#[test]
fn a_corner_beyond_the_grid_refuses_the_file() {
    // Points near, corners far: a wedge of slope 1/1000 that closes 64,000 units away.
    let brush = "{
( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1
( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) a 0 0 0 1 1
( 0 64 0 ) ( 1 64 0 ) ( 0 64 1 ) a 0 0 0 1 1
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) a 0 0 0 1 1
( 0 0 64 ) ( 0 1 64 ) ( 1000 0 63 ) a 0 0 0 1 1
}\n";
    let error = refused(world("", brush));
    assert!(error.text.contains("beyond the grid"), "{error}");
    assert_eq!(error.line, 12);
}

#[test]
fn nested_braces_are_refused_at_once() {
    let braces = vec![b'{'; 100 << 20];
    let error = refused(&braces);
    assert_eq!((error.line, error.column), (1, 3));
    let mut pairs = world("", "").into_bytes();
    pairs.extend(std::iter::repeat_n(b"{}".as_slice(), 50 << 20).flatten());
    assert!(
        refused(&pairs).text.contains("more than"),
        "entities have a limit"
    );
    let mut spaced = b"{ \"classname\" \"worldspawn\" ".to_vec();
    spaced.extend(std::iter::repeat_n(b"{}".as_slice(), 50 << 20).flatten());
    assert!(
        refused(&spaced).text.contains("more than"),
        "brushes have a limit"
    );
}

#[test]
fn many_bad_brushes_are_counted_not_listed() {
    let brushes = "{ }\n".repeat(100_000);
    let level = opened(world("", &brushes));
    assert_eq!(level.skipped, 100_000);
    assert_eq!(level.warnings.len(), 1001);
    assert!(level.warnings[1000].text.contains("99000 more"));
}

#[test]
fn a_brush_of_very_many_faces_does_not_hang() {
    // A tower of n sides, wide enough that each keeps an edge on the grid.
    let tower = |n: usize| {
        let mut text = String::from(
            "{\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) a 0 0 0 1 1\n( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 ) a 0 0 0 1 1\n",
        );
        for i in 0..n {
            let angle = i as f64 / n as f64 * std::f64::consts::TAU;
            let (s, c) = libm::sincos(angle);
            let p = [8000.0 * c, 8000.0 * s];
            let q = [p[0] - 100.0 * s, p[1] + 100.0 * c];
            text += &format!(
                "( {} {} 0 ) ( {} {} 0 ) ( {} {} 1 ) a 0 0 0 1 1\n",
                q[0], q[1], p[0], p[1], p[0], p[1]
            );
        }
        text + "}\n"
    };
    let level = opened(world("", &tower(362)));
    assert_eq!(level.world.solids.len(), 2, "{}", warnings(&level));
    assert_eq!(level.world.solids[1].sides.len(), 364);
    let level = opened(world("", &tower(3000)));
    assert_eq!(level.world.solids.len(), 2, "{}", warnings(&level));
    let level = opened(world("", &tower(5000)));
    assert!(
        warnings(&level).contains("more than 4096 faces"),
        "{}",
        warnings(&level)
    );
}

#[test]
fn patches_are_counted_and_other_brush_formats_read() {
    let primitive = "{
brushDef
{
( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) ( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) a 0 0 0
( 64 0 0 ) ( 64 0 1 ) ( 64 1 0 ) ( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) a 0 0 0
( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) ( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) a 0 0 0
( 0 64 0 ) ( 1 64 0 ) ( 0 64 1 ) ( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) a 0 0 0
( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) ( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) a 0 0 0
( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 ) ( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) a 0 0 0
}
}\n";
    let bare = "{
brushDef3
{
( -1 0 0 0 ) ( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) \"textures/a\" 0 0 0
( 2 0 0 -128 ) ( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) \"textures/a\" 0 0 0
( 0 -1 0 0 ) ( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) \"textures/a\" 0 0 0
( 0 1 0 -64 ) ( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) \"textures/a\" 0 0 0
( 0 0 -1 0 ) ( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) \"textures/a\" 0 0 0
( 0 0 1 -64 ) ( ( 0.015625 0 0 ) ( 0 0.015625 0 ) ) \"textures/a\" 0 0 0
}
}\n";
    let patch =
        "{ patchDef2 { common/caulk ( 3 3 0 0 0 ) ( ( ( 0 0 0 0 0 ) ( 1 1 1 1 1 ) ) ) } }\n";
    let level = opened(format!(
        "Version 2\n{}",
        world("", &format!("{primitive}{bare}{patch}{patch}"))
    ));
    assert_eq!((level.brushes, level.skipped), (3, 2));
    assert_eq!(
        warnings(&level).matches("the patch is skipped").count(),
        2,
        "{}",
        warnings(&level)
    );
    let planes = |i: usize| {
        let sides = level.world.solids[i].sides.iter();
        let mut planes: Vec<_> = sides
            .map(|s| {
                let [a, b, c] = s.points;
                let n = (b - a).cross(c - a).signum();
                (n.to_array(), n.dot(a))
            })
            .collect();
        planes.sort();
        planes
    };
    assert_eq!(planes(0), planes(1));
    assert_eq!(planes(0), planes(2));
    // 1/64 of a texture of 64 texels is a texel a unit, 32 a metre.
    let material = &level.world.materials[level.world.solids[1].sides[0].material as usize];
    assert_eq!((material.u.length(), material.v.length()), (32.0, 32.0));
    assert_eq!(
        read_map(&write_map(&level)).unwrap().world.solids,
        level.world.solids
    );
}

#[test]
fn entities_with_broken_keys_only_warn() {
    let text = world("", "")
        + "{ \"classname\" \"light\" \"origin\" \"1 2\" }
{ \"classname\" \"light\" }
{ \"classname\" \"light\" \"origin\" \"1e300 0 0\" \"light\" \"x\" }
{ \"classname\" \"info_player_start\" \"origin\" \"nan 0 0\" }
{ \"classname\" \"info_player_start\" \"origin\" \"0 0 100\" \"angle\" \"north\" }
{ }
{ \"origin\" \"0 0 0\" }
";
    let level = opened(text);
    assert_eq!(
        (level.lights.len(), level.starts.len(), level.warnings.len()),
        (0, 1, 4)
    );
}
