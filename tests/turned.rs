//! Levels turned, moved and scaled as an editor does it open as the level itself does: sealed, watertight, with the same
//! air, and cut into hardly more faces.
//!
//! All levels with eight seeds: `cargo test --release --no-default-features --test turned -- --ignored --nocapture`.
use breach::bvh::BuildParams;
use breach::geom::rng::Rng;
use breach::level::{CoarseFace, read_map};
use breach::timing::Silent;
use breach::world::World;
use glam::DVec3;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Grid steps in a metre.
const STEPS: f64 = 16384.0;

fn levels(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut list: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    list.retain(|p| p.extension().is_some_and(|e| e == "map"));
    list.sort();
    list
}

/// Ours, and the public ones where they are there.
fn all_levels(test: &str) -> Vec<PathBuf> {
    let shared = levels("../shared/levels");
    if shared.is_empty() {
        println!("NOT RUN: turned::{test}: ../shared/levels is absent");
    }
    levels("levels").into_iter().chain(shared).collect()
}

/// A motion of an editor's: rotation, scale, and a shift.
struct Turn {
    rows: [DVec3; 3],
    shift: DVec3,
    scale: f64,
    decimals: usize,
}

impl Turn {
    /// About the vertical with odd seeds, about any axis with even ones.
    fn new(seed: u64, decimals: usize) -> Turn {
        let mut rng = Rng::new(seed);
        let mut next = |low: f64, high: f64| rng.range(low, high);
        let rotation = if seed % 2 == 1 {
            glam::DQuat::from_rotation_z(next(0.0, std::f64::consts::TAU))
        } else {
            // A point within the ball, put on the sphere: every rotation is as likely.
            let q = loop {
                let q = glam::DVec4::from_array(std::array::from_fn(|_| next(-1.0, 1.0)));
                if (0.01..=1.0).contains(&q.length_squared()) {
                    break q.normalize();
                }
            };
            glam::DQuat::from_vec4(q)
        };
        let turned = glam::DMat3::from_quat(rotation).transpose();
        let scale = match seed % 4 {
            1 | 2 => 1.0,
            _ => next(0.5, 3.0),
        };
        Turn {
            rows: [turned.x_axis, turned.y_axis, turned.z_axis],
            shift: DVec3::new(next(-50.0, 50.0), next(-50.0, 50.0), next(-50.0, 50.0)),
            scale,
            decimals,
        }
    }

    fn text(&self, p: DVec3) -> String {
        let q = DVec3::from_array(self.rows.map(|row| row.dot(p))) * self.scale + self.shift;
        let d = self.decimals;
        format!("{:.d$} {:.d$} {:.d$}", q.x, q.y, q.z)
    }

    /// A level's text with the points of its planes and its origins moved.
    fn map(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() * 2);
        for line in text.split('\n') {
            if line.trim_start().starts_with('(') {
                out += &self.face(line);
            } else if line.contains("\"breach_bounds\"") {
                continue;
            } else if let Some(at) = origin(line) {
                out += &format!("\"origin\" \"{}\"", self.text(at));
            } else {
                out += line;
            }
            out.push('\n');
        }
        out
    }

    /// The three points at the head of a face's line.
    fn face(&self, line: &str) -> String {
        let mut rest = line;
        let mut out = String::new();
        for _ in 0..3 {
            let (Some(open), Some(close)) = (rest.find('('), rest.find(')')) else {
                break;
            };
            let numbers = numbers(&rest[open + 1..close]);
            out += &format!(
                "( {} ) ",
                self.text(numbers.expect("a point of three numbers"))
            );
            rest = &rest[close + 1..];
        }
        out + rest
    }
}

fn numbers(text: &str) -> Option<DVec3> {
    let list: Vec<f64> = text
        .split_whitespace()
        .filter_map(|n| n.parse().ok())
        .collect();
    Some(DVec3::new(*list.first()?, *list.get(1)?, *list.get(2)?))
}

fn origin(line: &str) -> Option<DVec3> {
    let value = line.trim().strip_prefix("\"origin\"")?;
    numbers(value.trim().trim_matches('"'))
}

/// What a level comes to.
struct Measured {
    sealed: Option<bool>,
    faults: Vec<String>,
    air: f64,
    area: f64,
    /// Faces as if there were one room.
    faces: usize,
    /// Starts solid, or was shot at: the tool does not turn what blasts cut.
    is_carved: bool,
    /// How far the file's decimals may move a face, units.
    coarse: f64,
}

fn measure(text: &[u8]) -> Measured {
    let level = read_map(text).expect("a level");
    let world = World::build(&level.world, &BuildParams::default(), &mut Silent).expect("a world");
    let census = world.census();
    Measured {
        sealed: world.sealed,
        faults: world.validate().err().unwrap_or_default(),
        air: census.air_volume_m3,
        area: area(&world),
        faces: merged_faces(&world),
        is_carved: level.world.start_solid || !level.blasts.is_empty(),
        coarse: level.coarsest.map_or(0.0, |c| c.units),
    }
}

fn triangles(world: &World) -> impl Iterator<Item = (u32, [DVec3; 3], [u64; 3], u32)> + '_ {
    (0..world.room_count() as u32).flat_map(|r| {
        let room = world.room(r);
        let live = room.mesh.triangles.iter().filter(|t| t.is_live());
        live.map(move |t| {
            let face = &room.faces[t.face as usize];
            let corners = t.corners.map(|c| room.mesh.positions[c as usize]);
            let normal = face.normal.to_array().map(|x| (x + 0.0).to_bits());
            (r, corners, normal, face.material)
        })
    })
}

fn area(world: &World) -> f64 {
    let doubled = triangles(world).map(|(_, [a, b, c], ..)| (b - a).cross(c - a).length());
    doubled.sum::<f64>() / 2.0
}

/// Triangles joined across edges to others of the same plane and material, whatever rooms they are in.
fn merged_faces(world: &World) -> usize {
    let list: Vec<_> = triangles(world).collect();
    let mut root: Vec<usize> = (0..list.len()).collect();
    fn find(root: &mut [usize], mut i: usize) -> usize {
        while root[i] != i {
            root[i] = root[root[i]];
            i = root[i];
        }
        i
    }
    let key = |p: DVec3| p.to_array().map(|x| (x + 0.0).to_bits());
    let mut at_edge: HashMap<_, usize> = HashMap::new();
    for (i, (_, corners, normal, material)) in list.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (key(corners[k]), key(corners[(k + 1) % 3]));
            let edge = (a.min(b), a.max(b), *normal, *material);
            if let Some(&other) = at_edge.get(&edge) {
                let (a, b) = (find(&mut root, i), find(&mut root, other));
                root[a.max(b)] = a.min(b);
            } else {
                at_edge.insert(edge, i);
            }
        }
    }
    (0..list.len()).filter(|&i| root[i] == i).count()
}

/// What is wrong with a turned level; nothing where all is right.
fn faults(one: &Measured, other: &Measured, scale: f64) -> Vec<String> {
    let mut list = other.faults.clone();
    let is_coarse = other.coarse > CoarseFace::NOISE;
    if one.sealed == Some(true) && other.sealed != Some(true) && !is_coarse {
        list.push("it leaks".into());
    }
    if one.is_carved || is_coarse {
        return list;
    }
    let (air, wanted) = (other.air, one.air * scale.powi(3));
    let slack = one.area * scale * scale * (2.0 / STEPS).max(other.coarse / 32.0);
    if (air - wanted).abs() > slack {
        list.push(format!("{air} m3 of air, not {wanted} within {slack}"));
    }
    if other.faces as f64 > 1.25 * one.faces as f64 {
        list.push(format!("{} faces, not {}", other.faces, one.faces));
    }
    list
}

/// A level that is wrong stays in target/turned/.
fn keep(name: &str, bytes: &[u8]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../turned");
    let _ = std::fs::create_dir_all(&folder);
    let _ = std::fs::write(folder.join(name), bytes);
}

/// Turns a level with each seed; says what is wrong.
fn turned(path: &Path, seeds: std::ops::RangeInclusive<u64>, decimals: usize) -> Vec<String> {
    let bytes = std::fs::read(path).expect("a file");
    let text: String = bytes.iter().map(|&b| char::from(b)).collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let one = measure(&bytes);
    let mut list = Vec::new();
    for seed in seeds {
        let turn = Turn::new(seed, decimals);
        let moved: Vec<u8> = turn.map(&text).chars().map(|c| c as u8).collect();
        let other = measure(&moved);
        let faults = faults(&one, &other, turn.scale);
        if !faults.is_empty() {
            keep(&format!("{name}-{seed}-{decimals}.map"), &moved);
        }
        println!(
            "{name} seed {seed} scale {:.3}: air {:+.6} m3, faces {:.3}, {}{}",
            turn.scale,
            other.air - one.air * turn.scale.powi(3),
            other.faces as f64 / one.faces as f64,
            match other.coarse > CoarseFace::NOISE {
                true => format!(
                    "coarse by {:.3} units, sealed: {}, ",
                    other.coarse,
                    other.sealed == Some(true)
                ),
                false => String::new(),
            },
            if faults.is_empty() {
                "right".into()
            } else {
                faults.join("; ")
            }
        );
        list.extend(faults.iter().map(|f| format!("{name} seed {seed}: {f}")));
    }
    list
}

#[test]
fn a_turned_level_opens_sealed_with_the_same_air() {
    // The largest take minutes without optimisation; the long test has them.
    let quick = all_levels("a_turned_level").into_iter().filter(|p| {
        let size = std::fs::metadata(p).map_or(0, |m| m.len());
        size < 400_000
    });
    let faults: Vec<String> = quick.flat_map(|p| turned(&p, 2..=2, 6)).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

/// With six decimals, and with three: then what those say no longer is listed.
#[test]
#[ignore = "minutes: every level with eight seeds"]
fn every_level_turned_by_eight_seeds_opens_sealed_with_the_same_air() {
    let all = |decimals| {
        let levels = all_levels("every_level_turned").into_iter();
        levels.flat_map(move |p| turned(&p, 1..=8, decimals))
    };
    let faults: Vec<String> = [6, 3].into_iter().flat_map(all).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_turned_room_is_sealed_at_every_angle() {
    // Six boxes; the inside is 256 x 192 x 128 units: 192 m3.
    let boxes: [[[f64; 3]; 2]; 6] = [
        [[-16., -16., -16.], [272., 208., 0.]],
        [[-16., -16., 128.], [272., 208., 144.]],
        [[-16., -16., 0.], [0., 208., 128.]],
        [[256., -16., 0.], [272., 208., 128.]],
        [[0., -16., 0.], [256., 0., 128.]],
        [[0., 192., 0.], [256., 208., 128.]],
    ];
    let mut text = String::from("{\n\"classname\" \"worldspawn\"\n");
    for [a, b] in boxes {
        let planes = [
            [[a[0], 0., 0.], [a[0], 1., 0.], [a[0], 0., 1.]],
            [[b[0], 0., 0.], [b[0], 0., 1.], [b[0], 1., 0.]],
            [[0., a[1], 0.], [0., a[1], 1.], [1., a[1], 0.]],
            [[0., b[1], 0.], [1., b[1], 0.], [0., b[1], 1.]],
            [[0., 0., a[2]], [1., 0., a[2]], [0., 1., a[2]]],
            [[0., 0., b[2]], [0., 1., b[2]], [1., 0., b[2]]],
        ];
        text += "{\n";
        for plane in planes {
            for p in plane {
                text += &format!("( {} {} {} ) ", p[0], p[1], p[2]);
            }
            text += "wall 0 0 0 1 1\n";
        }
        text += "}\n";
    }
    text += "}\n{\n\"classname\" \"info_player_start\"\n\"origin\" \"128 96 32\"\n}\n";
    let one = measure(text.as_bytes());
    assert_eq!((one.sealed, one.air, one.faces), (Some(true), 192.0, 6));
    for seed in 1..=40 {
        let turn = Turn::new(seed, 6);
        let other = measure(turn.map(&text).as_bytes());
        let faults = faults(&one, &other, turn.scale);
        assert!(faults.is_empty(), "seed {seed}: {faults:?}");
        assert_eq!(other.faces, 6, "seed {seed}");
        assert!(
            (other.air / turn.scale.powi(3) - 192.0).abs() < 1e-5 * 192.0,
            "{}",
            other.air
        );
    }
}

/// A box of a `.map`, units.
fn block([x0, y0, z0]: [f64; 3], [x1, y1, z1]: [f64; 3]) -> String {
    let planes = [
        [[x0, 0., 0.], [x0, 1., 0.], [x0, 0., 1.]],
        [[x1, 0., 0.], [x1, 0., 1.], [x1, 1., 0.]],
        [[0., y0, 0.], [0., y0, 1.], [1., y0, 0.]],
        [[0., y1, 0.], [1., y1, 0.], [0., y1, 1.]],
        [[0., 0., z0], [1., 0., z0], [0., 1., z0]],
        [[0., 0., z1], [0., 1., z1], [1., 0., z1]],
    ];
    let point = |p: [f64; 3]| format!("( {} {} {} ) ", p[0], p[1], p[2]);
    let faces = planes.map(|p| p.map(point).concat() + "wall 0 0 0 1 1\n");
    format!("{{\n{}}}\n", faces.concat())
}

/// At each corner of the room nothing but a line, at which two walls meet edge to edge, parts it from the void.
#[test]
fn a_line_where_wedges_meet_keeps_the_air_in() {
    let text = [
        "{\n\"classname\" \"worldspawn\"\n".to_string(),
        // The two that meet at the line, and what else bounds the room at x and y above 0.
        block([-64., 0., 0.], [0., 256., 128.]),
        block([0., -64., 0.], [256., 0., 128.]),
        block([256., 0., 0.], [320., 256., 128.]),
        block([0., 256., 0.], [256., 320., 128.]),
        block([-64., -64., -64.], [320., 320., 0.]),
        block([-64., -64., 128.], [320., 320., 192.]),
        "}\n{\n\"classname\" \"info_player_start\"\n\"origin\" \"128 128 32\"\n}\n".to_string(),
    ]
    .concat();
    let one = measure(text.as_bytes());
    assert_eq!((one.sealed, one.air), (Some(true), 256.0));
    for seed in 1..=40 {
        let turn = Turn::new(seed, 6);
        let other = measure(turn.map(&text).as_bytes());
        let faults = faults(&one, &other, turn.scale);
        // A bar's slivers may show.
        let faults: Vec<_> = faults.iter().filter(|f| !f.contains("faces")).collect();
        assert!(faults.is_empty(), "seed {seed}: {faults:?}");
    }
}

/// A wedge touches the ceiling in a line, and shuts off the air above it.
#[test]
fn a_wedge_whose_edge_touches_the_ceiling_shuts_off_the_air_behind_it() {
    // Its edge lies at x 64, z 128; at x 0 it is 32 to 64 high.
    let planes = [
        "( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 )",
        "( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 )",
        "( 0 256 0 ) ( 1 256 0 ) ( 0 256 1 )",
        "( 0 0 64 ) ( 0 1 64 ) ( 1 0 65 )",
        "( 0 0 32 ) ( 2 0 35 ) ( 0 1 32 )",
    ];
    let wedge = planes.map(|plane| format!("{plane} wall 0 0 0 1 1\n"));
    let text = [
        "{\n\"classname\" \"worldspawn\"\n".to_string(),
        block([-64., -64., 0.], [0., 320., 128.]),
        block([256., -64., 0.], [320., 320., 128.]),
        block([0., -64., 0.], [256., 0., 128.]),
        block([0., 256., 0.], [256., 320., 128.]),
        block([-64., -64., -64.], [320., 320., 0.]),
        block([-64., -64., 128.], [320., 320., 192.]),
        format!("{{\n{}}}\n", wedge.concat()),
        "}\n{\n\"classname\" \"info_player_start\"\n\"origin\" \"128 128 32\"\n}\n".to_string(),
    ]
    .concat();
    let one = measure(text.as_bytes());
    // The room's 256 m3 less the wedge's 8 and the 16 above it.
    assert_eq!((one.sealed, one.air), (Some(true), 232.0));
    for (seed, decimals) in (1..=40).flat_map(|seed| [(seed, 3), (seed, 6)]) {
        let turn = Turn::new(seed, decimals);
        let other = measure(turn.map(&text).as_bytes());
        let faults = faults(&one, &other, turn.scale);
        assert!(
            faults.is_empty(),
            "seed {seed}, {decimals} decimals: {faults:?}"
        );
    }
}

/// A room whose wall has a slit of so many units from floor to ceiling.
fn slit_room(gap: f64) -> String {
    [
        "{\n\"classname\" \"worldspawn\"\n".to_string(),
        block([-64., -64., 0.], [0., 320., 128.]),
        block([256., -64., 0.], [320., 128., 128.]),
        block([256., 128. + gap, 0.], [320., 320., 128.]),
        block([0., -64., 0.], [256., 0., 128.]),
        block([0., 256., 0.], [256., 320., 128.]),
        block([-64., -64., -64.], [320., 320., 0.]),
        block([-64., -64., 128.], [320., 320., 192.]),
        "}\n{\n\"classname\" \"info_player_start\"\n\"origin\" \"128 128 32\"\n}\n".to_string(),
    ]
    .concat()
}

#[test]
fn a_slit_that_nobody_sees_is_closed_off_the_grid_and_one_that_an_author_sees_leaks() {
    for gap in [0.03125, 0.04, 0.05] {
        let turns = (1..=6).map(|seed| Turn::new(seed, 6));
        for turn in turns.filter(|turn| turn.scale * gap < 1.0 / 16.0) {
            let level = read_map(turn.map(&slit_room(gap)).as_bytes()).expect("a level");
            let world = World::build(&level.world, &BuildParams::default(), &mut Silent);
            let world = world.expect("a world");
            assert_eq!(world.sealed, Some(true), "{gap}");
            assert_eq!(world.validate(), Ok(()), "{gap}");
            assert_eq!(world.slits.len(), 1, "{gap}: {:?}", world.slits);
            // In the middle of the wall.
            let file = DVec3::new(288.0, 128.0 + gap / 2.0, 64.0);
            let turned =
                DVec3::from_array(turn.rows.map(|row| row.dot(file))) * turn.scale + turn.shift;
            let wanted = DVec3::new(turned.x, turned.z, -turned.y) / 32.0;
            assert!(
                world.slits[0].distance(wanted) < 0.01,
                "{} {wanted}",
                world.slits[0]
            );
            // No sliver of air is left of it.
            let wanted = 256.0 * turn.scale.powi(3);
            assert!(
                (world.census().air_volume_m3 - wanted).abs() < 0.02,
                "{gap}"
            );
        }
    }
    for gap in [0.25, 0.5, 4.0] {
        for seed in 1..=6 {
            let turn = Turn::new(seed, 6);
            let other = measure(turn.map(&slit_room(gap)).as_bytes());
            assert_eq!(other.sealed, Some(false), "{gap} {seed}");
        }
    }
    // On the grid an author made it, however thin.
    for steps in [1.0, 16.0, 31.0] {
        let level = measure(slit_room(steps / 512.0).as_bytes());
        assert_eq!(level.sealed, Some(false), "{steps}");
    }
}

/// A room with a wall in it that leaves so many units below the ceiling.
fn parted_room(gap: f64) -> String {
    [
        "{\n\"classname\" \"worldspawn\"\n".to_string(),
        block([-64., -64., 0.], [0., 320., 128.]),
        block([512., -64., 0.], [576., 320., 128.]),
        block([0., -64., 0.], [512., 0., 128.]),
        block([0., 256., 0.], [512., 320., 128.]),
        block([-64., -64., -64.], [576., 320., 0.]),
        block([-64., -64., 128.], [576., 320., 192.]),
        block([128., 0., 0.], [144., 256., 128. - gap]),
        "}\n{\n\"classname\" \"info_player_start\"\n\"origin\" \"400 128 32\"\n}\n".to_string(),
    ]
    .concat()
}

#[test]
fn a_slit_into_air_that_is_shut_off_is_closed_off_the_grid_and_one_that_an_author_sees_stays() {
    // Both sides of the wall, and the side with the start.
    let (both, one) = (496.0, 368.0);
    for gap in [0.015625, 0.03125, 0.04, 0.06, 0.08, 0.25, 1.0] {
        for seed in 1..=6 {
            let turn = Turn::new(seed, 6);
            let level = read_map(turn.map(&parted_room(gap)).as_bytes()).expect("a level");
            let world = World::build(&level.world, &BuildParams::default(), &mut Silent);
            let world = world.expect("a world");
            assert_eq!(world.sealed, Some(true), "{gap} {seed}");
            assert_eq!(world.validate(), Ok(()), "{gap} {seed}");
            // Within import's rounding either may be.
            let wide = gap * turn.scale * 16.0;
            if (0.97..1.03).contains(&wide) {
                continue;
            }
            let is_open = wide > 1.0;
            let wanted = if is_open { both + gap / 8.0 } else { one };
            let air = world.census().air_volume_m3 / turn.scale.powi(3);
            assert!((air - wanted).abs() < 0.02, "{gap} {seed}: {air} {wanted}");
            let slits = usize::from(!is_open && wide > 4.0 / 32.0);
            assert_eq!(world.slits.len(), slits, "{gap} {seed}");
        }
    }
    for steps in [1.0, 16.0, 31.0] {
        let gap = steps / 512.0;
        let level = measure(parted_room(gap).as_bytes());
        assert_eq!(level.air, both + gap / 8.0, "{steps}");
    }
}

/// The same with corners at which two walls meet in a line, through which it leaks off the grid, and a slit that is wider
/// than what closes those.
#[test]
fn a_leak_that_is_closed_leaves_no_wider_slit_into_air_that_is_shut_off() {
    let text = [
        "{\n\"classname\" \"worldspawn\"\n".to_string(),
        block([-64., 0., 0.], [0., 256., 128.]),
        block([0., -64., 0.], [512., 0., 128.]),
        block([512., 0., 0.], [576., 256., 128.]),
        block([0., 256., 0.], [512., 320., 128.]),
        block([-64., -64., -64.], [576., 320., 0.]),
        block([-64., -64., 128.], [576., 320., 192.]),
        block([128., 0., 0.], [144., 256., 128. - 0.04]),
        "}\n{\n\"classname\" \"info_player_start\"\n\"origin\" \"400 128 32\"\n}\n".to_string(),
    ]
    .concat();
    for seed in (1..=40).filter(|seed| Turn::new(*seed, 6).scale < 1.5) {
        let turn = Turn::new(seed, 6);
        let other = measure(turn.map(&text).as_bytes());
        let air = other.air / turn.scale.powi(3);
        assert_eq!(other.sealed, Some(true), "{seed}");
        assert_eq!(other.faults, [""; 0], "{seed}");
        assert!((air - 368.0).abs() < 0.02, "{seed}: {air}");
    }
}
