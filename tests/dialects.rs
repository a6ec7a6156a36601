//! Levels as other people's editors write them: what each game takes for solid, where it starts its players, how quotes,
//! lines and blocks are written. Everything opens; what is left out is said; a save keeps every byte.
use breach::bvh::BuildParams;
use breach::level::{Game, LevelDesc, read_map, write_map};
use breach::sim::{Action, Command, Settings, Sim, Tool};
use breach::timing::Silent;
use breach::world::World;
use std::io::Write;
use std::path::Path;

fn read(text: impl AsRef<[u8]>) -> LevelDesc {
    let text = text.as_ref();
    read_map(text).unwrap_or_else(|e| panic!("{e}\n{}", String::from_utf8_lossy(text)))
}

fn build(level: &LevelDesc) -> World {
    World::build(&level.world, &BuildParams::default(), &mut Silent).expect("a world")
}

fn air(level: &LevelDesc) -> f64 {
    build(level).census().air_volume_m3
}

fn said(level: &LevelDesc) -> String {
    let lines = level.warnings.iter();
    lines.map(|w| format!("{}: {}\n", w.line, w.text)).collect()
}

/// The six faces of a box in units, without what follows the points.
fn faces([x0, y0, z0]: [i64; 3], [x1, y1, z1]: [i64; 3]) -> [String; 6] {
    [
        [[x0, y0, z0], [x0, y0 + 1, z0], [x0, y0, z0 + 1]],
        [[x1, y0, z0], [x1, y0, z0 + 1], [x1, y0 + 1, z0]],
        [[x0, y0, z0], [x0, y0, z0 + 1], [x0 + 1, y0, z0]],
        [[x0, y1, z0], [x0 + 1, y1, z0], [x0, y1, z0 + 1]],
        [[x0, y0, z0], [x0 + 1, y0, z0], [x0, y0 + 1, z0]],
        [[x0, y0, z1], [x0, y0 + 1, z1], [x0 + 1, y0, z1]],
    ]
    .map(|points| points.map(|[x, y, z]| format!("( {x} {y} {z} )")).join(" "))
}

/// A box whose faces all show `texture`, with these numbers after the projection.
fn boxed(low: [i64; 3], high: [i64; 3], texture: &str, flags: &str) -> String {
    let lines = faces(low, high).map(|points| format!("{points} {texture} 0 0 0 1 1 {flags}\n"));
    format!("{{\n{}}}\n", lines.concat())
}

/// Walls around 14 m × 10 m × 4 m of air whose floor is at height 0: the box from (−224, −160, 0) to (224, 160, 128).
fn walls(texture: &str) -> String {
    let (x, y, z) = (224, 160, 128);
    let wall = |low, high| boxed(low, high, texture, "");
    [
        wall([-x, -y, -32], [x, y, 0]),
        wall([-x, -y, z], [x, y, z + 32]),
        wall([-x - 32, -y, -32], [-x, y, z + 32]),
        wall([x, -y, -32], [x + 32, y, z + 32]),
        wall([-x - 32, -y - 32, -32], [x + 32, -y, z + 32]),
        wall([-x - 32, y, -32], [x + 32, y + 32, z + 32]),
    ]
    .concat()
}

/// Cubic metres within [`walls`].
const HALL: f64 = 560.0;

fn point(class: &str) -> String {
    format!("{{\n\"classname\" \"{class}\"\n\"origin\" \"-96 64 40\"\n}}\n")
}

/// A hall with a start, these brushes in it and these entities after it.
fn hall(brushes: &str, entities: &str) -> String {
    let start = point("info_player_start");
    format!(
        "{{\n\"classname\" \"worldspawn\"\n{}{brushes}}}\n{start}{entities}",
        walls("rock")
    )
}

/// A box of 2 m × 1 m × 3 m in the hall, away from its walls.
fn block(texture: &str, flags: &str) -> String {
    boxed([16, -80, 16], [80, -48, 112], texture, flags)
}

const BLOCK: f64 = 6.0;

#[track_caller]
fn check_air(level: &LevelDesc, expected: f64) {
    let found = air(level);
    assert!(
        (found - expected).abs() < 1e-6,
        "{found} m³\n{}",
        said(level)
    );
}

#[test]
fn each_games_own_volumes_are_no_solids() {
    for (header, textures) in [
        (
            "",
            &[
                "clip",
                "PLAYERCLIP",
                "monsterclip",
                "*lava1",
                "AAATRIGGER",
                "common/nodrop",
                "common/clusterportal",
            ][..],
        ),
        (
            "// Game: Half-Life\n",
            &["contentwater", "CLIPBEVEL", "!toxic", "hint", "skip"],
        ),
        (
            "// Game: Quake 2\n",
            &["e1u1/clip", "e1u1/origin", "e1u1/trigger"],
        ),
        (
            "// Game: Quake 3\n",
            &[
                "liquids/slime",
                "common/donotenter",
                "common/botclip",
                "sfx/hellfog",
                "common/nodraw",
            ],
        ),
        (
            "// Game: Jedi Academy\n",
            &[
                "system/physics_clip",
                "system/do_not_enter",
                "textures/system/caulk_water",
            ],
        ),
        (
            "// Game: Doom 3\n",
            &[
                "textures/editor/aassolid",
                "textures/common/trigonce",
                "textures/editor/visportal",
            ],
        ),
    ] {
        for texture in textures {
            let level = read(header.to_owned() + &hall(&block(texture, ""), ""));
            check_air(&level, HALL);
            // A portal cuts cells, and liquids are volumes of their own; everything else is left out, and that is said.
            let is_portal = texture.ends_with("visportal");
            let words = ["lava", "water", "toxic", "slime"];
            let is_liquid = words.iter().any(|word| texture.contains(word));
            assert_eq!(
                level.liquids.volumes.len(),
                usize::from(is_liquid),
                "{texture}"
            );
            let is_read = is_portal || is_liquid;
            assert_eq!(level.skipped == 0, is_read, "{texture}");
            assert_eq!(
                level.warnings.is_empty(),
                is_read,
                "{texture}: {}",
                said(&level)
            );
        }
    }
    for (header, textures) in [
        (
            "// Game: Quake\n",
            &["skip", "sky1", "rock", "fog", "liquids/slime"][..],
        ),
        (
            "// Game: Half-Life\n",
            &["NULL", "sky", "bevel", "solidhint"],
        ),
        (
            "// Game: Quake 3\n",
            &["common/caulk", "common/slick", "common/invisible"],
        ),
    ] {
        for texture in textures {
            let level = read(header.to_owned() + &hall(&block(texture, ""), ""));
            check_air(&level, HALL - BLOCK);
            assert_eq!(said(&level), "", "{texture}");
        }
    }
}

#[test]
fn contents_of_quake_2_say_what_a_brush_is() {
    let detail = 1 << 27;
    for (contents, solid) in [
        (1, true),
        (2, true),
        (detail, true),
        (1 | 64, true),
        (8, false),
        (16 | detail, false),
        (32, false),
        (64, false),
        (1 << 16, false),
        (1 << 17 | detail, false),
    ] {
        let level = read(hall(&block("e1u1/metal", &format!("{contents} 9 0")), ""));
        assert_eq!(level.game, Game::Quake2);
        check_air(&level, if solid { HALL - BLOCK } else { HALL });
    }
    // The highest bit as a sign, and the same number where it is none of contents.
    check_air(
        &read("// Game: Quake 2\n".to_owned() + &hall(&block("a", "-2147483616 0 0"), "")),
        HALL,
    );
    check_air(
        &read("// Game: Quake 3\n".to_owned() + &hall(&block("a", "32 0 0"), "")),
        HALL - BLOCK,
    );
}

#[test]
fn a_wall_with_a_doorway_full_of_a_tool_joins_its_rooms() {
    // A wall a metre thick across the hall, open 2 m × 3 m in its middle.
    let wall = |low, high| boxed(low, high, "rock", "");
    let wall = [
        wall([-16, -160, 0], [16, -32, 128]),
        wall([-16, 32, 0], [16, 160, 128]),
        wall([-16, -32, 96], [16, 32, 128]),
    ];
    let rooms = HALL - 10.0 * 4.0 + 2.0 * 3.0;
    for tool in [
        "common/clusterportal",
        "common/areaportal",
        "textures/editor/visportal",
        "common/fog",
        "hint",
    ] {
        let door = boxed([-4, -32, 0], [4, 32, 96], tool, "");
        check_air(&read(hall(&(wall.concat() + &door), "")), rooms);
    }
    // An author's portal cuts cells where it stands.
    let portal = boxed([-4, -32, 0], [4, 32, 96], "common/areaportal", "");
    let cut = build(&read(hall(&(wall.concat() + &portal), "")));
    assert!(cut.census().portals > 0);
    // What is solid there parts them: the far one is rock.
    let door = boxed([-4, -32, 0], [4, 32, 96], "common/caulk", "");
    check_air(
        &read(hall(&(wall.concat() + &door), "")),
        (224 - 16) as f64 / 32.0 * 40.0 + 6.0 * 12.0 / 32.0,
    );
}

#[test]
fn one_tool_face_among_solid_ones_takes_no_brush_away_and_is_said() {
    for tool in [
        "common/trigger",
        "clip",
        "*water",
        "e1u1/hint",
        "common/nodrop",
    ] {
        for odd in 0..6 {
            let lines = faces([16, -80, 16], [80, -48, 112]).into_iter().enumerate();
            let line = |(i, points): (usize, String)| {
                let texture = if i == odd { tool } else { "base/a" };
                format!("{points} {texture} 0 0 0 1 1\n")
            };
            let brush = format!("{{\n{}}}\n", lines.map(line).collect::<String>());
            let text = hall(&brush, "");
            let level = read(&text);
            check_air(&level, HALL - BLOCK);
            let at = text
                .lines()
                .position(|line| line.contains(tool))
                .expect("there") as u32
                + 1;
            assert_eq!(level.warnings.len(), 1, "{}", said(&level));
            assert_eq!(level.warnings[0].line, at);
        }
    }
    // Faces that go along with the others: a hint and its skips, water and its hidden sides.
    for (header, first, others) in [
        ("", "hint", "skip"),
        ("", "*water", "skip"),
        ("// Game: Half-Life\n", "!water", "null"),
        ("// Game: Half-Life\n", "contentwater", "stone"),
        ("// Game: Quake 3\n", "liquids/lava", "common/nodraw"),
        (
            "// Game: Doom 3\n",
            "textures/editor/visportal",
            "textures/common/nodraw",
        ),
    ] {
        let lines = faces([16, -80, 16], [80, -48, 112]).into_iter().enumerate();
        let line = |(i, points)| {
            format!(
                "{points} {} 0 0 0 1 1\n",
                if i == 3 { first } else { others }
            )
        };
        let brush = format!("{{\n{}}}\n", lines.map(line).collect::<String>());
        check_air(&read(header.to_owned() + &hall(&brush, "")), HALL);
    }
}

#[test]
fn the_game_is_told_from_header_syntax_textures_and_entities() {
    let check = |game: Game, text: String| assert_eq!(read(&text).game, game, "{text}");
    let plain = || hall("", "");
    check(Game::Quake, plain());
    for (name, game) in [
        ("Quake", Game::Quake),
        ("Breach", Game::Breach),
        ("Half-Life", Game::HalfLife),
        ("Quake 2", Game::Quake2),
        ("Quake 3", Game::Quake3),
        ("Quake Live", Game::Quake3),
        ("Doom3", Game::Doom3),
        ("Hexen 2", Game::Hexen2),
        ("Heretic 2", Game::Heretic2),
        ("Kingpin", Game::Kingpin),
        ("SiN", Game::Sin),
        ("Daikatana", Game::Daikatana),
    ] {
        check(
            game,
            format!("// Game: {name}\r\n// Format: Valve\r\n{}", plain()),
        );
    }
    check(
        Game::Quake2,
        format!(
            "// Game: somebody's own\n// Format: Quake2 (Valve)\n{}",
            plain()
        ),
    );
    check(
        Game::Quake3,
        format!("\n// Format: Quake3 (legacy)\n{}", plain()),
    );
    check(Game::Quake, format!("// entity 0\n{}", plain()));
    for (flags, game) in [
        ("0", Game::Hexen2),
        ("-1", Game::Hexen2),
        ("0 0 0", Game::Quake2),
        ("32 0 0", Game::Quake2),
        ("0 0 0 1 1 1", Game::Daikatana),
    ] {
        check(game, hall(&block("a", flags), ""));
    }
    check(
        Game::Quake3,
        hall(&block("common/caulk", "134217728 0 0"), ""),
    );
    check(Game::Quake2, hall(&block("e1u1/metal", "0 128 0"), ""));
    check(Game::HalfLife, hall(&block("AAATRIGGER", ""), ""));
    check(Game::Quake, hall(&block("*lava1", ""), ""));
    check(
        Game::Quake3,
        hall("{\npatchDef2\n{\na\n( 3 3 0 0 0 )\n(\n)\n}\n}\n", ""),
    );
    check(Game::HalfLife, hall("", &point("multi_manager")));
    check(Game::Quake3, hall("", &point("team_CTF_redflag")));
    check(Game::Hexen2, hall("", &point("puzzle_piece")));
    check(Game::Doom3, "Version 2\n".to_owned() + &plain());
}

#[test]
fn starts_of_every_game_are_used_and_the_pattern_is_the_last_resort() {
    for class in [
        "info_player_start",
        "info_player_coop",
        "info_player_deathmatch",
        "team_CTF_redspawn",
        "TEAM_CTF_BLUEPLAYER",
        "info_ut_spawn",
        "info_player_team1",
        "info_player_allies",
        "team_human_spawn",
        "info_player_dd",
        "info_vip_start",
        // By the pattern.
        "info_player_stranger",
        "mp_ctf_spawn_allied",
        "team_redobelisk",
        "info_player_intermission",
    ] {
        let level = read(hall("", "").replace("info_player_start", class));
        assert_eq!(
            (level.starts.len(), said(&level).as_str()),
            (1, ""),
            "{class}"
        );
        let world = build(&level);
        assert_eq!(world.sealed, Some(true), "{class}");
        check_air(&level, HALL);
    }
    // Where the table knows one the pattern is not asked: this one hangs outside.
    let outside = point("info_player_stranger").replace("-96 64 40", "-96 64 400");
    let level = read(hall("", &outside));
    assert_eq!((level.starts.len(), build(&level).sealed), (1, Some(true)));
    // Who plays alone comes first, in whatever order the file has them.
    let level = read(
        hall("", "").replace("info_player_start", "info_player_deathmatch")
            + &point("info_player_start").replace("64 40", "0 40"),
    );
    assert_eq!(level.starts[0].0.z, 0.0);
}

#[test]
fn without_a_start_the_player_begins_inside_and_that_is_said() {
    // The air around is far larger than the hall, and something stands in it.
    let outside = boxed([400, 0, 0], [432, 96, 64], "rock", "");
    for (seed, bounds) in [
        (1, ""),
        (
            2,
            "\"breach_bounds\" \"-1600 -1600 -1600 1600 1600 1600\"\n",
        ),
    ] {
        let text = hall(&outside, "").replace("info_player_start", "info_null");
        let text = text.replacen("\"worldspawn\"\n", &format!("\"worldspawn\"\n{bounds}"), 1);
        let level = read(&text);
        assert_eq!(level.starts.len(), 0);
        let sim = Sim::new(level, seed, Settings::default(), &mut Silent).expect("a level");
        assert_eq!(sim.world.sealed, None);
        let eye = sim.player.eye;
        assert!(
            eye.x.abs() < 7.0 && eye.z.abs() < 5.0 && (0.0..4.0).contains(&eye.y),
            "{eye}"
        );
        assert!(
            said(&sim.level).contains("no player start"),
            "{}",
            said(&sim.level)
        );
    }
}

#[test]
fn blocks_of_unknown_kinds_are_left_out_with_their_line() {
    for kind in ["patchDef5", "patchDef2WS", "patchTerrainDef3", "mesh"] {
        let rows = "( ( 0 0 0 0 0 ) ( 0 32 0 0 0 ) ) { deep { er } } \"a \\\" b\" 1e-8 }";
        let text = hall(
            &format!("{{\n{kind}\n{{\n{{fence\n( 3 3 0 )\n{rows}\n}}\n"),
            "",
        );
        let level = read(&text);
        check_air(&level, HALL);
        assert_eq!(level.skipped, 1, "{kind}");
        let line = text.lines().position(|line| line == kind).expect("there") as u32 + 1;
        assert_eq!(
            said(&level),
            format!("{line}: {kind:?} is skipped: unknown kind of brush entity\n")
        );
        assert_eq!(read(write_map(&level)).world.solids, level.world.solids);
    }
    let unclosed = read_map(b"{ { terrainDef { a { b } ").expect_err("not closed");
    assert_eq!((unclosed.line, unclosed.column), (1, 5), "{unclosed}");
}

#[test]
fn layers_that_an_export_leaves_out_are_left_out_and_kept_in_a_save() {
    let layer = |omit: &str, inside: &str| {
        format!(
            "{{\n\"classname\" \"func_group\"\n\"_tb_type\" \"_tb_layer\"\n\"_tb_name\" \"old\"\n\"_tb_id\" \"7\"\n{omit}{inside}}}\n"
        )
    };
    let omit = "\"_tb_layer_omit_from_export\" \"1\"\n";
    let solid = block("rock", "");
    let group = |keys: &str| {
        format!("{{\n\"classname\" \"func_group\"\n\"_tb_type\" \"_tb_group\"\n{keys}{solid}}}\n")
    };
    let inside = [
        layer(omit, &solid),
        layer(omit, "") + &group("\"_tb_id\" \"8\"\n\"_tb_layer\" \"7\"\n"),
        // A group in a group, whichever comes first.
        layer(omit, "")
            + &group("\"_tb_id\" \"9\"\n\"_tb_group\" \"8\"\n")
            + "{\n\"_tb_type\" \"_tb_group\"\n\"_tb_id\" \"8\"\n\"_tb_layer\" \"7\"\n}\n",
        layer(omit, "")
            + &format!("{{\n\"classname\" \"func_wall\"\n\"_tb_layer\" \"7\"\n{solid}}}\n"),
        layer(omit, "")
            + &format!(
                "{{\n\"classname\" \"func_carve\"\n\"_tb_layer\" \"7\"\n{}}}\n",
                boxed([-400, 0, 0], [0, 32, 32], "a", "")
            ),
        layer(omit, "")
            + &point("breach_blast").replace("}\n", "\"radius\" \"64\"\n\"_tb_layer\" \"7\"\n}\n"),
    ];
    for entities in inside {
        let text = hall("", &entities);
        let level = read(&text);
        check_air(&level, HALL);
        assert_eq!(level.warnings.len(), 1, "{}", said(&level));
        assert!(
            said(&level).contains("the layer \"old\" is skipped"),
            "{}",
            said(&level)
        );
        let saved = String::from_utf8(write_map(&level)).expect("text");
        assert!(saved.ends_with(&entities));
        check_air(&read(saved), HALL);
    }
    // Lights, the sun and starts in it, too; and the default layer, whose keys worldspawn has.
    let light =
        |keys: &str| format!("{{\n\"classname\" \"light\"\n\"origin\" \"0 0 64\"\n{keys}}}\n");
    let level = read(hall(
        "",
        &(layer(omit, "")
            + &light("\"_tb_layer\" \"7\"\n")
            + &light("")
            + &light("\"_sun\" \"1\"\n\"_tb_layer\" \"7\"\n")),
    ));
    assert_eq!((level.lights.len(), level.sun), (1, None));
    let kept = format!(
        "{{\n\"classname\" \"func_group\"\n\"_tb_layer\" \"7\"\n{}}}\n",
        walls("rock")
    );
    let start = point("info_player_start").replace("}\n", "\"_tb_layer\" \"7\"\n}\n");
    let other = layer("", "") + &kept + &start;
    let text =
        hall(&solid, &other).replacen("\"worldspawn\"\n", &format!("\"worldspawn\"\n{omit}"), 1);
    let level = read(text);
    assert_eq!(level.starts.len(), 1);
    check_air(&level, HALL);
    // Kept: not marked, marked with 0, marked but no layer of anybody; a ring of groups lies nowhere.
    for entities in [
        layer("", &solid),
        layer("\"_tb_layer_omit_from_export\" \"0\"\n", &solid),
        layer(omit, "") + &group("\"_tb_id\" \"8\"\n\"_tb_layer\" \"70\"\n"),
        layer(omit, "") + &group("\"_tb_id\" \"8\"\n\"_tb_group\" \"8\"\n"),
    ] {
        check_air(&read(hall("", &entities)), HALL - BLOCK);
    }
}

#[test]
fn quotes_and_backslashes_stay_as_they_are_through_a_save() {
    for (value, next) in [
        (r#"the \"old\" mine"#, "\n"),
        (r"C:\dir\", "\n"),
        (r#"press \"E\""#, "\n"),
        (r"C:\dir\", " "),
        (r#"\"\""#, "\n"),
        ("a\\\\", "\n"),
        ("two\nlines", "\n"),
        ("it's {so} // or ; so", "\n"),
        ("\u{e9}", "\n"),
    ] {
        let keys = format!("\"worldspawn\"\n\"message\" \"{value}\"{next}\"sky\" \"x\"\n");
        let text = hall("", "").replacen("\"worldspawn\"\n", &keys, 1);
        let text: Vec<u8> = text.chars().map(|c| c as u8).collect();
        let level = read(&text);
        let keys = &level.file.entities[0].keys;
        assert_eq!(keys[1], ("message".into(), value.to_owned()));
        assert_eq!(keys[2], ("sky".into(), "x".into()));
        let again = read(write_map(&level));
        assert_eq!(
            again.file.entities[0]
                .keys
                .iter()
                .find(|k| k.0 == "message"),
            Some(&keys[1])
        );
        check_air(&again, HALL);
    }
}

#[test]
fn any_texture_name_survives_a_save_with_what_was_changed_there() {
    for (written, name) in [
        ("od\"d", "od\"d"),
        ("\"odd \\\" name\"", "odd \" name"),
        (";name", ";name"),
        ("{", "{"),
        ("}", "}"),
        ("{a", "{a"),
        ("\"a folder\\\"", "a folder\\"),
        ("a\\\"b", "a\\\"b"),
        ("\"a\nb\"", "a\nb"),
        ("a//b", "a//b"),
        ("\"\"", ""),
    ] {
        let level = read(hall("", "").replace("rock", written));
        let found = &level.world.materials[0].texture;
        assert_eq!(found, name, "{written}");
        let mut sim = Sim::new(level, 1, Settings::default(), &mut Silent).expect("a level");
        let wall = Tool {
            aimed: Some([[0.0, 2.0, 0.0], [1.0, 0.0, 0.0]]),
            ..Tool::default()
        };
        let floor = Action::FireAlong {
            from: [0.0, 2.0, 0.0],
            dir: [0.0, -1.0, 0.0],
        };
        let fill = Action::Tool {
            fill: true,
            tool: wall,
        };
        for actions in [vec![floor], vec![], vec![fill], vec![]] {
            let command = Command {
                actions,
                ..sim.idle()
            };
            sim.step(&command, &mut Silent);
        }
        assert_eq!(sim.level.since.len(), 2, "{written}");
        let again = read(write_map(&sim.level));
        assert_eq!(build(&again).hash(), sim.world.hash(), "{written}");
    }
}

#[test]
fn lines_may_end_with_carriage_returns_alone() {
    let text =
        "// Game: Quake\n// a comment\n".to_owned() + &hall(&block("rock", ""), "; another\n");
    let level = read(text.replace('\n', "\r"));
    check_air(&level, HALL - BLOCK);
    assert_eq!((level.entities, level.game), (2, Game::Quake));
    let saved = write_map(&level);
    assert!(
        !saved.contains(&b'\n'),
        "new lines end as the file's lines do"
    );
    check_air(&read(saved), HALL - BLOCK);
    let broken = text.replacen("\"origin\"", "origin", 1).replace('\n', "\r");
    let line = broken
        .split('\r')
        .position(|line| line.starts_with("origin"))
        .expect("there") as u32
        + 1;
    assert_eq!(read_map(broken.as_bytes()).expect_err("no key").line, line);
}

#[test]
fn plane_points_may_lie_far_beyond_the_grid() {
    // The block's planes, told by points that lie anywhere on them.
    let far_block = |scale: i64, turn: i64| {
        let (l, h) = ([16, -80, 16], [80, -48, 112]);
        let face = |axis: usize, up: bool| {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut points = [[0i64; 3]; 3];
            for (i, p) in points.iter_mut().enumerate() {
                p[axis] = if up { h[axis] } else { l[axis] };
                let at = [(0, 0), (0, 1), (1, 0)][i];
                let at = if up { at } else { (at.1, at.0) };
                p[u] = scale * at.0 - turn;
                p[v] = scale * at.1 + turn / 3;
            }
            points.map(|[x, y, z]| format!("( {x} {y} {z} )")).join(" ")
        };
        let lines = (0..6).map(|i| format!("{} rock 0 0 0 1 1\n", face(i / 2, i % 2 == 1)));
        format!("{{\n{}}}\n", lines.collect::<String>())
    };
    for (scale, turn) in [
        (1, 0),
        (64, 7),
        (131_072, 0),
        (40_000, 40_000),
        (128_000_000, 3),
        (1 << 29, 1 << 28),
    ] {
        let level = read(hall(&far_block(scale, turn), ""));
        assert_eq!(said(&level), "", "{scale}");
        check_air(&level, HALL - BLOCK);
    }
    // A slope told from near and from far is one slope: all its corners lie on the grid.
    let wedge = |[a, b, c]: [[f64; 3]; 3]| {
        let point = |p: [f64; 3]| format!("( {} {} {} )", p[0], p[1], p[2]);
        let mut lines = faces([0, 0, 0], [64, 64, 64]).to_vec();
        lines[5] = [point(a), point(b), point(c)].join(" ");
        let lines = lines
            .iter()
            .map(|points| format!("{points} rock 0 0 0 1 1\n"));
        format!("{{\n{}}}\n", lines.collect::<String>())
    };
    let near = read(hall(
        &wedge([[0., 0., 16.], [0., 64., 16.], [64., 0., 48.]]),
        "",
    ));
    for s in [1e4, 1e6, 1e8] {
        let far = read(hall(
            &wedge([
                [-s, 3. - s, 16. - s / 2.],
                [0., s, 16.],
                [s, 0., 16. + s / 2.],
            ]),
            "",
        ));
        assert_eq!(build(&far).hash(), build(&near).hash(), "{s}");
    }
    // Corners are another matter, and so are points too far to tell a plane from.
    let long = boxed([0, 0, 0], [40_000, 64, 64], "rock", "");
    let longer = boxed([0, 0, 0], [100_000_000, 64, 64], "rock", "");
    let too_far = hall("", "").replacen("( 224 -160 -32 )", "( 224 -160 -2e9 )", 1);
    for text in [hall(&long, ""), hall(&longer, ""), too_far] {
        let error = read_map(text.as_bytes()).expect_err("beyond");
        assert!(error.text.contains("beyond the grid"), "{error}");
    }
}

#[test]
fn an_exported_mesh_in_single_precision_is_closed_and_has_no_triangle_without_an_area() {
    let level = read(hall(&block("rock", ""), ""));
    let mut sim = Sim::new(level, 1, Settings::default(), &mut Silent).expect("a level");
    for i in 0..12 {
        let turn = f64::from(i) * 0.7;
        let dir = [libm::cos(turn), -0.4, libm::sin(turn)];
        let length = dir.iter().map(|x| x * x).sum::<f64>().sqrt();
        let rocket = Action::FireAlong {
            from: [-2.0, 2.0, 0.0],
            dir: dir.map(|x| x / length),
        };
        let command = Command {
            actions: vec![rocket],
            ..sim.idle()
        };
        sim.step(&command, &mut Silent);
    }
    for _ in 0..20 {
        sim.step(&sim.idle(), &mut Silent);
    }
    assert!(sim.level.since.len() >= 10);
    let glb = breach::level::export::glb(&sim.world);
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().expect("four")) as usize;
    let json = word(12);
    let document: serde_json::Value = serde_json::from_slice(&glb[20..20 + json]).expect("JSON");
    let data = 28 + json;
    let start = document["bufferViews"][1]["byteOffset"]
        .as_u64()
        .expect("a number") as usize;
    let corners: Vec<&[u8]> = glb[data..data + start].chunks(12).collect();
    let mut edges = std::collections::BTreeMap::<[usize; 2], i32>::new();
    let indices: Vec<usize> = (data + start..glb.len()).step_by(4).map(word).collect();
    for triangle in indices.chunks(3) {
        for i in 0..3 {
            let (a, b) = (triangle[i], triangle[(i + 1) % 3]);
            assert_ne!(corners[a], corners[b], "an edge of no length");
            *edges.entry([a.min(b), a.max(b)]).or_default() += if a < b { 1 } else { -1 };
        }
    }
    assert!(indices.len() > 300);
    assert!(
        edges.values().all(|&turns| turns == 0),
        "every edge has its opposite"
    );
}

/// The cases of levels of other people that lie beside the project, or a loud word that it does not.
fn cases(test: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/dialects");
    let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let maps = files.filter(|f| f.path().extension().is_some_and(|e| e == "map"));
    let read = maps.filter_map(|f| {
        Some((
            f.file_name().to_string_lossy().into_owned(),
            std::fs::read(f.path()).ok()?,
        ))
    });
    let mut all: Vec<_> = read.collect();
    all.sort();
    if all.is_empty() {
        let line = format!("NOT RUN: dialects::{test}: ../shared/cases/dialects is absent\n");
        let _ = std::io::stderr().lock().write_all(line.as_bytes());
    }
    all
}

#[test]
fn the_cases_beside_the_project_open_and_save_as_they_are() {
    for (name, bytes) in cases("the_cases_beside_the_project_open_and_save_as_they_are") {
        let level = read_map(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(
            level.skipped == 0 || !level.warnings.is_empty(),
            "{name}: nothing is said"
        );
        // What looks for the way out of a level that leaks has tests of its own.
        if name.starts_with("leak") {
            continue;
        }
        let world = build(&level);
        assert_eq!(world.sealed, Some(true), "{name}");
        let saved = write_map(&level);
        let again = read_map(&saved).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(build(&again).hash(), world.hash(), "{name}");
        let lines = |b: &[u8]| {
            b.split(|&c| c == b'\n')
                .filter(|l| !l.starts_with(b"\"breach_"))
                .map(<[u8]>::to_vec)
                .collect::<Vec<_>>()
        };
        assert_eq!(lines(&saved), lines(&bytes), "{name}");
    }
}
