//! What the keys of each game come to, in metres and seconds; links, names, and bad input.
use super::*;
use crate::level::{LevelDesc, read_map, read_recorded_map, write_map};

const GAMES: [&str; 4] = ["Quake", "Half-Life", "Quake 2", "Quake 3"];

/// A box in units.
fn block([x0, y0, z0]: [f64; 3], [x1, y1, z1]: [f64; 3], texture: &str) -> String {
    let faces = [
        [[x0, y0, z0], [x0, y0 + 1.0, z0], [x0, y0, z0 + 1.0]],
        [[x1, y0, z0], [x1, y0, z0 + 1.0], [x1, y0 + 1.0, z0]],
        [[x0, y0, z0], [x0, y0, z0 + 1.0], [x0 + 1.0, y0, z0]],
        [[x0, y1, z0], [x0 + 1.0, y1, z0], [x0, y1, z0 + 1.0]],
        [[x0, y0, z0], [x0 + 1.0, y0, z0], [x0, y0 + 1.0, z0]],
        [[x0, y0, z1], [x0, y0 + 1.0, z1], [x0 + 1.0, y0, z1]],
    ];
    let line = |points: [[f64; 3]; 3]| {
        let points = points.map(|[x, y, z]| format!("( {x} {y} {z} ) "));
        format!("{}{texture} 0 0 0 1 1\n", points.concat())
    };
    format!("{{\n{}}}\n", faces.map(line).concat())
}

/// 64 units east, 8 north, 128 up.
fn leaf() -> String {
    block([0.0; 3], [64.0, 8.0, 128.0], "wood")
}

/// An entity: pairs of key and value, then its brushes.
fn entity(class: &str, keys: &[(&str, &str)], brushes: &str) -> String {
    let keys = keys.iter().map(|(k, v)| format!("\"{k}\" \"{v}\"\n"));
    let keys: String = keys.collect();
    format!("{{\n\"classname\" \"{class}\"\n{keys}{brushes}}}\n")
}

/// A file of a game: a world of one solid, and entities.
fn file(game: &str, world_keys: &str, entities: &str) -> String {
    let floor = block([-512.0, -512.0, -64.0], [512.0, 512.0, -32.0], "rock");
    format!("// Game: {game}\n{{\n\"classname\" \"worldspawn\"\n{world_keys}{floor}}}\n{entities}")
}

fn read(game: &str, entities: &str) -> LevelDesc {
    read_map(file(game, "", entities).as_bytes()).expect("a level")
}

/// The movers of a file without warnings.
#[track_caller]
fn movers(game: &str, entities: &str) -> Movers {
    let level = read(game, entities);
    assert!(level.warnings.is_empty(), "{game}: {:?}", level.warnings);
    assert_eq!(level.skipped, 0, "{game}");
    (*level.movers).clone()
}

#[track_caller]
fn mover(game: &str, class: &str, keys: &[(&str, &str)], brushes: &str) -> MoverDesc {
    let movers = movers(game, &entity(class, keys, brushes));
    assert_eq!(movers.movers.len(), 1);
    movers.movers[0].clone()
}

/// The warnings of a file.
fn said(game: &str, entities: &str) -> Vec<String> {
    let warnings = read(game, entities).warnings;
    warnings.into_iter().map(|w| w.text).collect()
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Between {
    places: [Placement; 2],
    speed: f64,
    wait: Option<f64>,
    toggles: bool,
    reverses: bool,
}

#[track_caller]
fn between(mover: &MoverDesc) -> Between {
    match mover.motion {
        Motion::Between {
            places,
            speed,
            wait,
            toggles,
            reverses,
            ..
        } => Between {
            places,
            speed,
            wait,
            toggles,
            reverses,
        },
        _ => panic!("{:?}", mover.motion),
    }
}

#[track_caller]
fn stops(mover: &MoverDesc) -> (&[Stop], Option<usize>, f64) {
    match &mover.motion {
        Motion::Path {
            stops,
            back_to,
            speed,
        } => (stops, *back_to, *speed),
        _ => panic!("{:?}", mover.motion),
    }
}

fn shifted(x: f64, y: f64, z: f64) -> Placement {
    Placement {
        shift: DVec3::new(x, y, z),
        angle: 0.0,
    }
}

fn boxed(min: [f64; 3], max: [f64; 3]) -> Aabb {
    Aabb {
        min: DVec3::from_array(min),
        max: DVec3::from_array(max),
    }
}

#[test]
fn a_door_slides_along_its_angle_by_its_size_less_the_lip() {
    let home = Placement::default();
    let near = [
        boxed([-1.875, -0.25, -2.125], [3.875, 4.25, 1.875]),
        boxed([-0.25, -0.25, -0.5], [2.25, 4.25, 0.25]),
        boxed([-1.875, -0.25, -2.125], [3.875, 4.25, 1.875]),
        boxed([0.0, 0.0, -4.0], [2.0, 4.0, 3.75]),
    ];
    // Travel in metres: 64 or 128 units less a lip of 8, or of 0 in Half-Life.
    for (i, game) in GAMES.into_iter().enumerate() {
        let lip = if game == "Half-Life" { 0.0 } else { 0.25 };
        let (speed, wait) = match game {
            "Quake 3" => (12.5, 2.0),
            _ => (3.125, 3.0),
        };
        let door = mover(game, "func_door", &[("angle", "0")], &leaf());
        assert_eq!(door.kind, MoverKind::Door);
        assert_eq!(door.bounds, boxed([0.0, 0.0, -0.25], [2.0, 4.0, 0.0]));
        assert_eq!((door.group, door.brushes.len()), (0, 1));
        let expected = Between {
            places: [home, shifted(2.0 - lip, 0.0, 0.0)],
            speed,
            wait: Some(wait),
            toggles: false,
            reverses: true,
        };
        assert_eq!(between(&door), expected, "{game}");
        let started_by = StartedBy {
            touch: game == "Half-Life",
            near: Some(near[i]),
            ..StartedBy::default()
        };
        assert_eq!(door.started_by, started_by, "{game}");
        let shift = |keys: &[(&str, &str)]| {
            between(&mover(game, "func_door", keys, &leaf())).places[1].shift
        };
        let up = DVec3::new(0.0, 4.0 - lip, 0.0);
        assert_eq!(shift(&[("angle", "-1")]), up, "{game}");
        assert_eq!(shift(&[("angles", "-90 0 0")]), up, "{game}");
        assert_eq!(shift(&[("angle", "-2")]), -up, "{game}");
        assert_eq!(shift(&[("movedir", "90 0 0")]), -up, "{game}");
        let (thick, lip) = (0.25, DVec3::new(0.0, 0.0, lip));
        let north = DVec3::new(0.0, 0.0, -thick) + lip;
        assert_eq!(shift(&[("angles", "0 90 0")]), north, "{game}");
        // A lip below 0 leads farther than the door is long.
        let far = shift(&[("angle", "180"), ("lip", "-64")]);
        assert_eq!(far, DVec3::new(-4.0, 0.0, 0.0), "{game}");
    }
}

#[test]
fn a_slanting_door_of_quake_goes_as_far_as_the_product_of_its_vectors() {
    let travel = |game: &str, angle: &str| {
        let keys = [("angle", angle), ("lip", "4")];
        let door = mover(game, "func_door", &keys, &leaf());
        between(&door).places[1].shift.length() * 32.0 + 4.0
    };
    let half = 0.5f64.sqrt();
    for (game, angle, units) in [
        ("Quake", "45", 72.0 * half),
        ("Quake", "135", 56.0 * half),
        ("Quake 2", "135", 72.0 * half),
    ] {
        let found = travel(game, angle);
        assert!((found - units).abs() < 1e-9, "{game} {angle}: {found}");
    }
}

#[test]
fn flags_and_health_of_a_door_are_read_by_game() {
    let door = |game: &str, keys: &[(&str, &str)]| mover(game, "func_door", keys, &leaf());
    for game in GAMES {
        let open = door(game, &[("spawnflags", "1")]);
        assert_eq!(between(&open).places[1], Placement::default(), "{game}");
        assert!(between(&open).places[0].shift.x > 1.0, "{game}");
        let toggled = between(&door(game, &[("spawnflags", "32"), ("targetname", "a")]));
        let toggles = game != "Quake 3";
        assert_eq!(toggled.toggles, toggles, "{game}");
        assert_eq!(toggled.wait.is_none(), toggles, "{game}");
        let crusher = between(&door(game, &[("spawnflags", "4")]));
        let crushes = ["Quake 2", "Quake 3"].contains(&game);
        assert_eq!(crusher.reverses, !crushes, "{game}");
        let stays = between(&door(game, &[("wait", "-1")]));
        assert_eq!((stays.wait, stays.reverses), (None, false), "{game}");
        // 0 means nothing in all but Half-Life.
        let zero = between(&door(game, &[("wait", "0")])).wait;
        let usual = match game {
            "Half-Life" => 0.0,
            "Quake 3" => 2.0,
            _ => 3.0,
        };
        assert_eq!(zero, Some(usual), "{game}");
        let named = door(game, &[("targetname", "a")]).started_by;
        assert_eq!(named, StartedBy::default(), "{game}");
        let shot = door(game, &[("targetname", "a"), ("health", "5")]).started_by;
        let by_shots = StartedBy {
            shots: true,
            ..StartedBy::default()
        };
        assert_eq!(shot, by_shots, "{game}");
        assert_eq!(door(game, &[("health", "5")]).started_by, by_shots);
    }
}

#[test]
fn a_secret_door_is_opened_by_shots_and_slides_its_length() {
    let door = mover("Quake", "func_door_secret", &[("angle", "0")], &leaf());
    let motion = between(&door);
    assert_eq!(motion.places[1], shifted(2.0, 0.0, 0.0));
    assert_eq!((motion.speed, motion.wait), (50.0 / 32.0, Some(5.0)));
    assert!(door.started_by.shots && door.started_by.near.is_none());
    let keys = [("angle", "0"), ("t_length", "48"), ("targetname", "a")];
    let door = mover("Quake", "func_door_secret", &keys, &leaf());
    assert_eq!(between(&door).places[1], shifted(1.5, 0.0, 0.0));
    assert_eq!(door.started_by, StartedBy::default());
    let keys = [("spawnflags", "17"), ("targetname", "a")];
    let door = mover("Quake", "func_door_secret", &keys, &leaf());
    assert_eq!(between(&door).wait, None, "opens once");
    assert!(door.started_by.shots, "always shot");
}

#[test]
fn a_turning_door_turns_about_its_origin_brush() {
    let hinge = block([0.0, 0.0, 0.0], [8.0, 8.0, 8.0], "origin");
    let brushes = leaf() + &hinge;
    let turned = |game: &str, flags: &str| {
        let keys = [("spawnflags", flags)];
        let door = mover(game, "func_door_rotating", &keys, &brushes);
        assert_eq!(door.brushes.len(), 1, "the origin brush is none of it");
        let Motion::Between {
            hinge: Some(hinge),
            places,
            speed,
            ..
        } = door.motion
        else {
            panic!("{:?}", door.motion)
        };
        assert_eq!(hinge.point, DVec3::new(0.125, 0.125, -0.125));
        assert_eq!(speed, 100f64.to_radians());
        assert_eq!(places.map(|p| p.shift), [DVec3::ZERO; 2]);
        (hinge.axis, places.map(|p| p.angle.to_degrees().round()))
    };
    for game in GAMES {
        assert_eq!(turned(game, "0"), (DVec3::Y, [0.0, 90.0]), "{game}");
        assert_eq!(turned(game, "2"), (DVec3::Y, [0.0, -90.0]), "{game}");
        assert_eq!(turned(game, "1"), (DVec3::Y, [90.0, 0.0]), "{game}");
        assert_eq!(turned(game, "64"), (DVec3::X, [0.0, 90.0]), "{game}");
        // The file's Y.
        assert_eq!(turned(game, "128"), (DVec3::NEG_Z, [0.0, 90.0]), "{game}");
    }
    let keys = [("origin", "32 64 96"), ("distance", "45"), ("speed", "30")];
    let door = mover("Half-Life", "func_door_rotating", &keys, &leaf());
    let motion = between(&door);
    assert_eq!(motion.places[1].angle, 45f64.to_radians());
    assert_eq!(motion.speed, 30f64.to_radians());
    let Motion::Between { hinge, .. } = door.motion else {
        panic!("a door")
    };
    let point = hinge.map(|hinge| hinge.point);
    assert_eq!(point, Some(DVec3::new(1.0, 3.0, -2.0)));
    let level = read("Quake 2", &entity("func_door_rotating", &[], &leaf()));
    assert_eq!(level.warnings.len(), 1);
    assert!(level.warnings[0].text.contains("neither an origin brush"));
    let Motion::Between { hinge, .. } = &level.movers.movers[0].motion else {
        panic!("a door")
    };
    let point = hinge.map(|hinge| hinge.point);
    assert_eq!(point, Some(DVec3::new(1.0, 2.0, -0.125)));
}

#[test]
fn a_plat_rests_lowered_and_rises_under_the_player() {
    let plan = block([0.0; 3], [128.0, 40.0, 24.0], "metal");
    for game in GAMES {
        let (speed, wait) = match game {
            "Quake 2" => (6.25, 3.0),
            "Quake 3" => (6.25, 1.0),
            _ => (4.6875, 3.0),
        };
        let expected = |drop: f64| Between {
            places: [shifted(0.0, -drop, 0.0), Placement::default()],
            speed,
            wait: Some(wait),
            toggles: false,
            reverses: true,
        };
        let plat = mover(game, "func_plat", &[], &plan);
        assert_eq!(plat.kind, MoverKind::Plat);
        assert_eq!(between(&plat), expected(0.5), "{game}: 24 less 8 units");
        let plat = mover(game, "func_plat", &[("height", "96")], &plan);
        assert_eq!(between(&plat), expected(3.0), "{game}");
        // East by 25 units (33 in Quake 3) from each end, a strip of a unit along the narrow side; up to 64 units above.
        let near = match game {
            "Quake 3" => boxed(
                [33.0 / 32.0, -2.25, -20.5 / 32.0],
                [95.0 / 32.0, -0.25, -19.5 / 32.0],
            ),
            _ => boxed(
                [25.0 / 32.0, -2.25, -20.5 / 32.0],
                [103.0 / 32.0, 2.75, -19.5 / 32.0],
            ),
        };
        assert_eq!(plat.started_by.near, Some(near), "{game}");
        let named = mover(game, "func_plat", &[("targetname", "a")], &plan);
        let rests = between(&named).places[0];
        let is_lowered = game == "Quake 3";
        assert_eq!(rests.shift.y < 0.0, is_lowered, "{game}");
        assert_eq!(named.started_by, StartedBy::default(), "{game}");
    }
    let low = [("height", "96"), ("spawnflags", "1")];
    let low = mover("Quake", "func_plat", &low, &plan).started_by.near;
    assert_eq!(low.map(|near| near.max.y), Some(-0.25));
    let toggled = mover("Half-Life", "func_plat", &[("spawnflags", "1")], &plan);
    assert!(between(&toggled).toggles && toggled.started_by.near.is_none());
    let lip = mover("Quake 2", "func_plat", &[("lip", "16")], &plan);
    assert_eq!(between(&lip).places[0], shifted(0.0, -0.25, 0.0));
    let other = mover("Quake 2", "func_plat2", &[], &plan);
    assert_eq!(other.kind, MoverKind::Plat);
}

#[test]
fn a_button_is_pressed_in_to_its_lip() {
    for game in GAMES {
        let button = mover(game, "func_button", &[("angle", "0")], &leaf());
        let expected = Between {
            places: [Placement::default(), shifted(60.0 / 32.0, 0.0, 0.0)],
            speed: 1.25,
            wait: Some(1.0),
            toggles: false,
            reverses: false,
        };
        assert_eq!(button.kind, MoverKind::Button);
        assert_eq!(between(&button), expected, "{game}");
        let touched = StartedBy {
            touch: true,
            ..StartedBy::default()
        };
        assert_eq!(button.started_by, touched, "{game}");
        let keys = [("health", "1"), ("wait", "-1")];
        let shot = mover(game, "func_button", &keys, &leaf());
        assert_eq!(between(&shot).wait, None, "{game}");
        assert!(shot.started_by.shots && !shot.started_by.touch, "{game}");
        let named = mover(game, "func_button", &[("targetname", "a")], &leaf());
        assert_eq!(named.started_by.touch, game != "Quake 2", "{game}");
    }
    let still = mover("Half-Life", "func_button", &[("spawnflags", "1")], &leaf());
    assert_eq!(between(&still).places, [Placement::default(); 2]);
    let hinge = leaf() + &block([0.0; 3], [8.0; 3], "common/origin");
    let turned = mover("Half-Life", "func_rot_button", &[], &hinge);
    assert_eq!(turned.kind, MoverKind::Button);
    assert_eq!(between(&turned).places[1].angle, 90f64.to_radians());
    assert_eq!(between(&turned).speed, 40f64.to_radians());
}

/// A corner of a train.
fn corner(name: &str, next: &str, origin: &str, keys: &[(&str, &str)]) -> String {
    let mut all = vec![("targetname", name), ("origin", origin)];
    if !next.is_empty() {
        all.push(("target", next));
    }
    all.extend(keys);
    entity("path_corner", &all, "")
}

#[test]
fn a_train_follows_its_corners_round_and_round() {
    let corners = corner("a", "b", "0 0 0", &[("wait", "2")])
        + &corner("b", "c", "64 0 32", &[("speed", "64"), ("wait", "-1")])
        + &corner("c", "b", "0 64 0", &[]);
    // Which point of the car (from (32, 0, 0) to (64, 32, 32)) is at the corners: its lowest, its middle, its origin.
    for (game, point) in GAMES.into_iter().zip([
        [1.0, 0.0, 0.0],
        [1.5, 0.5, -0.5],
        [1.0, 0.0, 0.0],
        [2.0, 1.0, -1.0],
    ]) {
        let car = block([32.0, 0.0, 0.0], [64.0, 32.0, 32.0], "metal");
        let origin = block([56.0, 24.0, 24.0], [72.0, 40.0, 40.0], "common/origin");
        let car = match game {
            "Quake 3" => car + &origin,
            _ => car,
        };
        let train = entity("func_train", &[("target", "a")], &car);
        let movers = movers(game, &(train + &corners));
        let train = &movers.movers[0];
        assert_eq!(train.kind, MoverKind::Train);
        assert!(train.started_by.itself, "{game}");
        let (stops, back_to, speed) = stops(train);
        assert_eq!((stops.len(), back_to, speed), (3, Some(1), 3.125), "{game}");
        let point = DVec3::from_array(point);
        let at = [[0.0; 3], [2.0, 1.0, 0.0], [0.0, 0.0, -2.0]].map(DVec3::from_array);
        for (stop, at) in stops.iter().zip(at) {
            assert_eq!(stop.shift + point, at, "{game}");
        }
        let waits: Vec<_> = stops.iter().map(|stop| stop.wait).collect();
        assert_eq!(waits, [Some(2.0), None, Some(0.0)], "{game}");
        let speeds: Vec<_> = stops.iter().map(|stop| stop.speed).collect();
        assert_eq!(speeds, [None, Some(2.0), None], "{game}");
    }
    // With a name it waits for a signal, but for Quake 3's, and Quake 2's with a flag.
    for (game, flags, itself) in [
        ("Quake", "1", false),
        ("Half-Life", "1", false),
        ("Quake 2", "0", false),
        ("Quake 2", "1", true),
        ("Quake 3", "0", true),
    ] {
        let keys = [
            ("target", "a"),
            ("targetname", "t"),
            ("spawnflags", flags),
            ("origin", "0 0 0"),
        ];
        let all = entity("func_train", &keys, &leaf()) + &corners;
        let movers = movers(game, &all);
        assert_eq!(movers.movers[0].started_by.itself, itself, "{game}");
    }
    // An open line ends.
    let line = entity("func_train", &[("target", "a")], &leaf())
        + &corner("a", "b", "0 0 0", &[])
        + &corner("b", "", "64 0 32", &[]);
    let movers = movers("Quake", &line);
    let (stops, back_to, _) = stops(&movers.movers[0]);
    assert_eq!((stops.len(), back_to), (2, None));
}

#[test]
fn trains_fire_what_their_corners_name() {
    let door = entity("func_door", &[("targetname", "door")], &leaf());
    for (game, key) in [
        ("Quake", "pathtarget"),
        ("Half-Life", "message"),
        ("Quake 2", "pathtarget"),
    ] {
        let all = entity("func_train", &[("target", "a")], &leaf())
            + &door
            + &corner("a", "b", "0 0 0", &[])
            + &corner("b", "a", "64 0 0", &[(key, "door")]);
        let movers = movers(game, &all);
        let (stops, _, _) = stops(&movers.movers[0]);
        assert!(stops[0].signals.targets.is_empty(), "{game}");
        assert_eq!(stops[1].signals.targets, [Receiver::Mover(1)], "{game}");
        assert!(movers.movers[0].signals.targets.is_empty(), "{game}");
    }
    // Quake 3: others of the name of the next corner.
    let keys = [("target", "a"), ("origin", "0 0 0")];
    let door = entity("func_door", &[("targetname", "b")], &leaf());
    let all = door
        + &entity("func_train", &keys, &leaf())
        + &corner("a", "b", "0 0 0", &[])
        + &corner("b", "a", "64 0 0", &[]);
    let movers = movers("Quake 3", &all);
    let (stops, _, _) = stops(&movers.movers[1]);
    assert_eq!(stops[0].signals.targets, [Receiver::Mover(0)]);
}

#[test]
fn rotating_things_turn_about_an_axis() {
    let hub = leaf() + &block([28.0, 0.0, 60.0], [36.0, 8.0, 68.0], "origin");
    let spin = |game: &str, keys: &[(&str, &str)]| {
        let mover = mover(game, "func_rotating", keys, &hub);
        assert_eq!(mover.kind, MoverKind::Rotating);
        let Motion::Spin { hinge, speed } = mover.motion else {
            panic!("{:?}", mover.motion)
        };
        assert_eq!(hinge.point, DVec3::new(1.0, 2.0, -0.125));
        (hinge.axis, speed, mover.started_by.itself)
    };
    let usual = 100f64.to_radians();
    for (game, itself) in GAMES.into_iter().zip([true, false, false, true]) {
        assert_eq!(spin(game, &[]), (DVec3::Y, usual, itself), "{game}");
        let on = spin(game, &[("spawnflags", "7"), ("targetname", "a")]);
        assert_eq!(on, (DVec3::X, -usual, true), "{game}");
        let backwards = spin(game, &[("spawnflags", "9"), ("speed", "-45")]);
        assert_eq!(backwards, (DVec3::NEG_Z, -45f64.to_radians(), true));
        let named = spin(game, &[("targetname", "a")]);
        assert_eq!(named.2, game == "Quake 3", "{game}");
    }
}

#[test]
fn triggers_feel_the_player_in_their_brushes() {
    let volume = block([0.0; 3], [64.0, 64.0, 32.0], "*water");
    for game in GAMES {
        let all = entity("trigger_once", &[("message", "a\\nb")], &volume)
            + &entity("trigger_multiple", &[], &volume)
            + &entity("trigger_multiple", &[("wait", "-1")], &volume)
            + &entity("trigger_secret", &[], &volume);
        let triggers = movers(game, &all).triggers;
        let waits: Vec<_> = triggers.iter().map(|t| t.wait).collect();
        let again = if game == "Quake 3" { 0.5 } else { 0.2 };
        assert_eq!(waits, [None, Some(again), None, None], "{game}");
        assert!(triggers.iter().all(|t| !t.signalled_only), "{game}");
        let TriggerEffect::Send(signals) = &triggers[0].effect else {
            panic!("a message")
        };
        assert_eq!(signals.message.as_deref(), Some("a\nb"));
        let volume = &triggers[0].volumes[0];
        assert_eq!(volume.bounds, boxed([0.0, 0.0, -2.0], [2.0, 1.0, 0.0]));
        assert_eq!(volume.planes.len(), 6);
        assert!(volume.touches(DVec3::new(1.0, 1.25, -1.0), 0.5));
        assert!(!volume.touches(DVec3::new(1.0, 1.75, -1.0), 0.5));
    }
    for (game, flags) in [("Quake", "1"), ("Half-Life", "2"), ("Quake 2", "4")] {
        let keys = [("spawnflags", flags)];
        let movers = movers(game, &entity("trigger_multiple", &keys, &volume));
        assert!(movers.triggers[0].signalled_only, "{game}");
    }
    // Without brushes only signals reach it.
    let bare = entity("trigger_once", &[("targetname", "a")], "");
    assert!(movers("Quake", &bare).triggers[0].signalled_only);
}

#[test]
fn a_teleport_leads_to_the_eye_above_its_destination() {
    let gate = block([0.0; 3], [64.0, 64.0, 32.0], "*teleport");
    for (game, class, height) in [
        ("Quake", "info_teleport_destination", 27.0),
        ("Half-Life", "info_teleport_destination", 25.0),
        ("Quake 2", "misc_teleporter_dest", 10.0),
        ("Quake 3", "misc_teleporter_dest", 1.0),
        ("Quake 3", "target_position", 1.0),
        ("Quake", "info_null", 0.0),
    ] {
        let keys = [
            ("targetname", "to"),
            ("origin", "320 64 32"),
            ("angle", "180"),
        ];
        let all =
            entity("trigger_teleport", &[("target", "to")], &gate) + &entity(class, &keys, "");
        let trigger = &movers(game, &all).triggers[0];
        let TriggerEffect::Teleport { eye, yaw } = trigger.effect else {
            panic!("{:?}", trigger.effect)
        };
        let up = (32.0 + height + 22.0) / 32.0;
        assert_eq!(eye, DVec3::new(10.0, up, -2.0), "{game} {class}");
        assert_eq!(yaw, 90f64.to_radians(), "{game}");
        assert_eq!((trigger.wait, trigger.signalled_only), (Some(0.0), false));
    }
    let keys = [("target", "to"), ("targetname", "t")];
    let to = entity(
        "info_teleport_destination",
        &[("targetname", "to"), ("origin", "0 0 0")],
        "",
    );
    let movers = movers("Quake", &(entity("trigger_teleport", &keys, &gate) + &to));
    assert!(movers.triggers[0].signalled_only);
}

#[test]
fn a_push_gives_a_velocity() {
    let pad = block([0.0; 3], [64.0, 64.0, 32.0], "trigger");
    let push = |game: &str, keys: &[(&str, &str)], rest: &str| {
        let movers = movers(game, &(entity("trigger_push", keys, &pad) + rest));
        match movers.triggers[0].effect {
            TriggerEffect::Push(velocity) => (velocity, movers.triggers[0].wait),
            _ => panic!("{:?}", movers.triggers[0].effect),
        }
    };
    let up = |speed: f64| (DVec3::Y * speed, Some(0.0));
    let keys = [("angle", "-1"), ("speed", "64")];
    assert_eq!(push("Quake", &keys, ""), up(20.0));
    assert_eq!(push("Quake 2", &keys, ""), up(20.0));
    assert_eq!(push("Half-Life", &keys, ""), up(2.0));
    // Quake's engine knows no speed above 2000 units a second, ours none above 100 m/s.
    assert_eq!(push("Quake", &keys[..1], ""), up(62.5));
    assert_eq!(push("Quake 2", &keys[..1], ""), up(100.0));
    assert_eq!(push("Half-Life", &keys[..1], ""), up(3.125));
    let once = [("angle", "-1"), ("speed", "64"), ("spawnflags", "1")];
    assert_eq!(push("Half-Life", &once, "").1, None);
    // Quake 3: from the middle (32, 32, 16) a hundred units up and 200 east: t = √(2 · 100 / 800) = 1/2 s.
    let to = entity(
        "target_position",
        &[("targetname", "to"), ("origin", "232 32 116")],
        "",
    );
    let (velocity, _) = push("Quake 3", &[("target", "to")], &to);
    assert!(
        velocity.distance(DVec3::new(12.5, 12.5, 0.0)) < 1e-12,
        "{velocity}"
    );
}

#[test]
fn relays_and_counters_pass_signals_on() {
    let signals = [
        ("targetname", "r"),
        ("target", "d"),
        ("killtarget", "k"),
        ("delay", "1.5"),
        ("message", "go"),
    ];
    let door = entity("func_door", &[("targetname", "d")], &leaf());
    let killed = entity("trigger_once", &[("targetname", "k")], &leaf());
    let same = entity(
        "trigger_multiple",
        &[("targetname", "d"), ("target", "r")],
        &leaf(),
    );
    let rest = door + &killed + &same;
    for game in ["Quake", "Half-Life", "Quake 2"] {
        let counted = [&signals[..], &[("count", "3")]].concat();
        let all = entity("trigger_relay", &signals, "")
            + &entity("trigger_counter", &counted, "")
            + &entity("trigger_counter", &signals[..2], "")
            + &rest;
        let movers = movers(game, &all);
        assert_eq!(movers.relays.len(), 3, "{game}");
        let kinds: Vec<_> = movers.relays.iter().map(|r| (r.count, r.once)).collect();
        assert_eq!(kinds, [(1, false), (3, true), (2, true)], "{game}");
        let sent = &movers.relays[0].signals;
        assert_eq!(sent.delay, 1.5);
        assert_eq!(sent.targets, [Receiver::Mover(0), Receiver::Trigger(1)]);
        assert_eq!(sent.kills, [Receiver::Trigger(0)]);
        assert_eq!(sent.message.as_deref(), Some("go"));
        let TriggerEffect::Send(back) = &movers.triggers[1].effect else {
            panic!("a sender")
        };
        let relays = [0, 1, 2].map(Receiver::Relay);
        assert_eq!(back.targets, relays, "circles are allowed");
    }
    let all = entity("target_relay", &signals, "")
        + &entity("target_delay", &[("target", "d")], "")
        + &entity("target_delay", &[("target", "d"), ("wait", "4")], "")
        + &rest;
    let movers = movers("Quake 3", &all);
    let delays: Vec<_> = movers.relays.iter().map(|r| r.signals.delay).collect();
    assert_eq!(delays, [1.5, 1.0, 4.0]);
}

#[test]
fn a_button_says_its_message_and_a_door_keeps_it_to_itself() {
    let keys = [("message", "m"), ("target", "t"), ("targetname", "t")];
    let all = entity("func_button", &keys, &leaf()) + &entity("func_door", &keys, &leaf());
    let movers = movers("Quake", &all);
    let both = [Receiver::Mover(0), Receiver::Mover(1)];
    for (mover, message) in movers.movers.iter().zip([Some("m"), None]) {
        assert_eq!(mover.signals.targets, both);
        assert_eq!(mover.signals.message.as_deref(), message);
    }
}

#[test]
fn doors_that_touch_are_one_in_quake() {
    let door = |x: f64, keys: &[(&str, &str)]| {
        let leaf = block([x, 0.0, 0.0], [x + 64.0, 8.0, 128.0], "wood");
        entity("func_door", keys, &leaf)
    };
    // The third joins the second to the first; the fourth touches none, the fifth is not to be linked.
    let all = door(0.0, &[])
        + &door(128.0, &[])
        + &door(64.0, &[])
        + &door(256.0, &[])
        + &door(320.0, &[("spawnflags", "4")])
        + &entity("func_plat", &[], &block([0.0; 3], [64.0; 3], "metal"));
    let found = movers("Quake", &all).movers;
    let groups: Vec<_> = found.iter().map(|m| m.group).collect();
    assert_eq!(groups, [0, 0, 0, 3, 4, 5]);
    let near = Some(boxed([-1.875, -0.25, -2.125], [7.875, 4.25, 1.875]));
    assert!(found[..3].iter().all(|m| m.started_by.near == near));
    // One that only a signal opens keeps all shut.
    let all = door(0.0, &[]) + &door(64.0, &[("targetname", "a")]);
    let found = movers("Quake", &all).movers;
    assert!(found.iter().all(|m| m.started_by.near.is_none()));
    // Other games ask for a team; Half-Life has no groups.
    for game in GAMES {
        let team = [("team", "t")];
        let all = door(0.0, &[]) + &door(256.0, &team) + &door(64.0, &[]) + &door(512.0, &team);
        let found = movers(game, &all).movers;
        let groups: Vec<_> = found.iter().map(|m| m.group).collect();
        let expected = match game {
            "Quake" => [0, 1, 0, 3],
            "Half-Life" => [0, 1, 2, 3],
            _ => [0, 1, 2, 1],
        };
        assert_eq!(groups, expected, "{game}");
    }
}

#[test]
fn the_world_is_the_same_whatever_moves() {
    // Off the grid, beyond the world's box, and of a texture of its own: what could change planes, bounds or materials.
    let door = block([511.9, 0.0, -40.003], [900.1, 8.0, 128.0], "gold");
    let curtain = entity("func_wall", &[], &block([0.0; 3], [8.0; 3], "wool"));
    let entities = entity("func_door", &[], &door)
        + &entity("func_rotating", &[("origin", "0 0 0")], &door)
        + &entity("trigger_once", &[], &leaf())
        + &curtain;
    let read = |keys: &str| read_map(file("Quake", keys, &entities).as_bytes()).expect("a level");
    let (moving, without) = (read(""), read("\"breach_movers\" \"0\"\n"));
    assert!(without.movers.is_empty());
    assert_eq!((moving.skipped, without.skipped), (0, 3));
    let [a, b] = [&moving.world, &without.world];
    assert_eq!((a.bounds, a.rounded), (b.bounds, b.rounded));
    assert_eq!(a.solids, b.solids);
    assert_eq!(a.base.len(), b.base.len());
    assert_eq!(a.base[0].brushes, b.base[0].brushes);
    assert!(a.materials.starts_with(&b.materials));
    assert!(a.materials.len() > b.materials.len());
    assert!(moving.coarsest.is_none());
    for side in moving
        .movers
        .movers
        .iter()
        .flat_map(|m| &m.brushes[0].sides)
    {
        assert_eq!(a.materials[side.material as usize].texture, "gold");
    }
    // The texts say what is left out, as they always did.
    let said: Vec<&str> = without.warnings.iter().map(|w| w.text.as_str()).collect();
    assert_eq!(
        said,
        [
            "brushes of \"func_rotating\" are skipped",
            "1 brush is skipped: doors, plats, buttons and trains",
            "1 brush is skipped: triggers and illusionary walls",
        ]
    );
    let solid = read("\"breach_movers\" \"1\"\n");
    assert!(solid.movers.is_empty());
    assert_eq!((solid.world.solids.len(), solid.skipped), (2, 2));
    // A recording from before movers.
    let text = file("Quake", "", &entities);
    let old = read_recorded_map(text.as_bytes(), 0.0, true, false).expect("a level");
    assert!(old.movers.is_empty());
    assert_eq!(old.skipped, 3);
    assert_eq!(old.world.materials, b.materials);
    // A save keeps them.
    let again = read_map(&write_map(&moving)).expect("a save");
    assert_eq!(again.movers.movers.len(), 2);
    assert_eq!(again.world.materials, a.materials);
}

#[test]
fn what_is_not_solid_is_no_part_of_a_mover() {
    let mixed = leaf() + &block([64.0, 0.0, 0.0], [128.0, 8.0, 128.0], "clip");
    let level = read("Quake", &entity("func_door", &[], &mixed));
    assert_eq!(level.movers.movers[0].brushes.len(), 1);
    assert_eq!(level.movers.movers[0].bounds.max.x, 2.0);
    assert_eq!(level.skipped, 1);
    assert!(level.warnings[0].text.contains("clip"));
    // An origin brush counts only where something turns about it.
    let marked = leaf() + &block([0.0; 3], [8.0; 3], "origin");
    let level = read("Quake", &entity("func_door", &[], &marked));
    assert_eq!(
        (level.skipped, level.movers.movers[0].brushes.len()),
        (1, 1)
    );
    let water = block([0.0; 3], [64.0; 3], "*water");
    let level = read("Quake", &entity("func_door", &[], &water));
    assert!(level.movers.is_empty() && level.liquids.is_empty());
    let texts: Vec<&str> = level.warnings.iter().map(|w| w.text.as_str()).collect();
    let expected = [
        "a func_door without a solid brush is skipped",
        "1 brush is skipped: liquid",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn bad_values_are_said_and_the_usual_ones_taken() {
    let door = |keys: &[(&str, &str)]| {
        let level = read("Quake", &entity("func_door", keys, &leaf()));
        assert_eq!(level.warnings.len(), 1, "{keys:?}: {:?}", level.warnings);
        let motion = between(&level.movers.movers[0]);
        (motion, level.warnings[0].clone())
    };
    for speed in ["0", "-5", "nan", "fast", "inf", "1 2"] {
        let (motion, warning) = door(&[("speed", speed)]);
        assert_eq!(motion.speed, 3.125, "{speed}");
        assert!(warning.text.contains("`speed`"), "{}", warning.text);
        // The key's own line: 12 are before the entity.
        assert_eq!(warning.line, 15, "{}", warning.text);
    }
    for (speed, possible) in [("1e300", 100.0), ("1e-300", 0.001)] {
        assert_eq!(door(&[("speed", speed)]).0.speed, possible);
    }
    assert_eq!(door(&[("wait", "soon")]).0.wait, Some(3.0));
    assert_eq!(door(&[("lip", "nan")]).0.places[1], shifted(1.75, 0.0, 0.0));
    assert_eq!(door(&[("angle", "east")]).0.places[1].shift.x, 1.75);
    assert_eq!(door(&[("angles", "0 0")]).0.places[1].shift.x, 1.75);
    // At most one each.
    door(&[("speed", "0"), ("wait", "x"), ("lip", "y"), ("target", "z")]);
    for lip in ["-40000", "1e300", "-1e300"] {
        let (motion, warning) = door(&[("lip", lip)]);
        assert_eq!(motion.places, [Placement::default(); 2], "{lip}");
        assert!(warning.text.contains("beyond the grid"), "{}", warning.text);
    }
    let plat = read("Quake", &entity("func_plat", &[("height", "1e9")], &leaf()));
    assert_eq!(between(&plat.movers.movers[0]).places[0].shift, DVec3::ZERO);
    let hinge = [("distance", "1e99"), ("origin", "0 0 0")];
    let turned = read("Quake 2", &entity("func_door_rotating", &hinge, &leaf()));
    let angle = between(&turned.movers.movers[0]).places[1].angle;
    assert_eq!(angle, 90f64.to_radians());
    let counter = [("targetname", "a"), ("count", "-2")];
    let counter = read("Quake", &entity("trigger_counter", &counter, ""));
    assert_eq!(
        (counter.movers.relays[0].count, counter.warnings.len()),
        (2, 1)
    );
}

#[test]
fn what_names_nothing_is_said_once() {
    let button = |key: &str, name: &str, rest: &str| {
        said(
            "Quake",
            &(entity("func_button", &[(key, name)], &leaf()) + rest),
        )
    };
    assert_eq!(button("target", "x", ""), ["`target` names nothing: \"x\""]);
    assert_eq!(
        button("killtarget", "x", ""),
        ["`killtarget` names nothing: \"x\""]
    );
    // A light is no receiver, and no fault. Names differ in case.
    let light = entity("light", &[("targetname", "x"), ("origin", "0 0 0")], "");
    assert!(button("target", "x", &light).is_empty());
    assert_eq!(button("target", "X", &light).len(), 1);
    let gate = entity("trigger_teleport", &[("target", "x")], &leaf());
    let level = read("Quake", &gate);
    assert_eq!((level.movers.triggers.len(), level.skipped), (0, 1));
    let texts = said("Quake", &gate);
    assert!(texts[0].contains("without a destination"), "{texts:?}");
    let pad = entity("trigger_push", &[("target", "x")], &leaf());
    let low = entity(
        "target_position",
        &[("targetname", "x"), ("origin", "0 0 0")],
        "",
    );
    let texts = said("Quake 3", &(pad + &low));
    assert!(texts[0].contains("not above it"), "{texts:?}");
}

#[test]
fn a_train_without_a_way_stays() {
    let train = |target: &str, rest: &str| {
        let train = entity("func_train", &[("target", target)], &leaf());
        let level = read("Quake", &(train + rest));
        assert_eq!(level.warnings.len(), 1, "{:?}", level.warnings);
        assert_eq!(level.movers.movers.len(), 1);
        let train = level.movers.movers[0].clone();
        assert_eq!(train.started_by, StartedBy::default());
        (train, level.warnings[0].text.clone())
    };
    for (target, word) in [("", "no `target`"), ("x", "no corner \"x\"")] {
        let (still, said) = train(target, "");
        assert_eq!(between(&still).places, [Placement::default(); 2]);
        assert!(said.contains(word), "{said}");
    }
    for next in ["", "a", "gone"] {
        let (one, _) = train("a", &corner("a", next, "32 0 0", &[]));
        let (stops, back_to, _) = stops(&one);
        assert_eq!((stops.len(), back_to), (1, None), "{next}");
        assert_eq!(stops[0].shift, DVec3::new(1.0, 0.0, 0.0));
    }
    let (far, said) = train("a", &corner("a", "", "32760 0 0", &[]));
    assert!(said.contains("only corner"), "{said}");
    assert_eq!(stops(&far).0[0].shift, DVec3::ZERO, "beyond the grid");
}

#[test]
fn entities_without_brushes_are_skipped_with_a_warning() {
    for class in [
        "func_door",
        "func_plat",
        "func_train",
        "trigger_once",
        "func_rotating",
    ] {
        let level = read("Half-Life", &entity(class, &[], ""));
        let expected = format!("a {class} without a brush is skipped");
        assert_eq!(level.warnings.len(), 1, "{class}");
        assert_eq!(
            (level.warnings[0].line, &level.warnings[0].text),
            (13, &expected)
        );
        assert!(level.movers.is_empty(), "{class}");
    }
    // A brush beyond the grid refuses no file: it was left out before movers moved.
    let far = block([32000.0, 0.0, 0.0], [33000.0, 8.0, 8.0], "wood");
    let level = read("Quake", &entity("func_door", &[], &far));
    assert_eq!((level.skipped, level.movers.movers.len()), (1, 0));
    let flat = "{\n}\n";
    let level = read("Quake", &entity("trigger_once", &[], flat));
    assert_eq!((level.skipped, level.movers.triggers.len()), (1, 0));
}

#[test]
fn other_classes_and_doom_3_are_left_out_as_ever() {
    for (game, class) in [
        ("Quake", "trigger_hurt"),
        ("Quake", "trigger_changelevel"),
        ("Half-Life", "func_door_toggle"),
        ("Quake 3", "trigger_relay"),
        ("Doom 3", "func_door"),
        ("Quake 3", "func_bobbing"),
    ] {
        let level = read(game, &entity(class, &[], &leaf()));
        assert!(
            level.movers.is_empty() && level.movers.relays.is_empty(),
            "{class}"
        );
        assert_eq!((level.skipped, level.warnings.len()), (1, 1), "{class}");
    }
    // A relay's brush has no use.
    let level = read("Quake", &entity("trigger_counter", &[], &leaf()));
    assert_eq!((level.skipped, level.movers.relays.len()), (1, 1));
}

#[test]
fn very_many_of_everything_do_not_hang() {
    const MANY: usize = 3000;
    let mut all = String::new();
    for i in 0..MANY {
        let name = [("targetname", "a"), ("target", "a"), ("killtarget", "a")];
        all += &entity("trigger_relay", &name, "");
        let next = format!("c{}", (i + 1) % MANY);
        all += &corner(&format!("c{i}"), &next, "0 0 0", &[("pathtarget", "a")]);
        if i % 10 == 0 {
            all += &entity("func_train", &[("target", "c7")], &leaf());
            all += &entity("func_door", &[], &leaf());
        }
    }
    let level = read("Quake", &all);
    let movers = &level.movers;
    assert_eq!((movers.relays.len(), movers.movers.len()), (MANY, MANY / 5));
    let receivers = |signals: &Signals| signals.targets.len() + signals.kills.len();
    let relays: usize = movers.relays.iter().map(|r| receivers(&r.signals)).sum();
    let paths = movers.movers.iter().filter_map(|m| match &m.motion {
        Motion::Path { stops, .. } => Some(stops),
        _ => None,
    });
    let paths: Vec<_> = paths.collect();
    let count: usize = paths.iter().map(|stops| stops.len()).sum();
    assert_eq!(count, 1 << 17);
    let corners: usize = paths
        .iter()
        .copied()
        .flatten()
        .map(|s| receivers(&s.signals))
        .sum();
    assert_eq!(relays + corners, 1 << 20);
    assert!(
        level
            .warnings
            .iter()
            .any(|w| w.text.contains("too many stops"))
    );
    assert!(
        level
            .warnings
            .iter()
            .any(|w| w.text.contains("too many receivers"))
    );
    let doors = movers.movers.iter().filter(|m| m.kind == MoverKind::Door);
    let groups: Vec<usize> = doors.map(|m| m.group).collect();
    assert!(groups.iter().all(|group| *group == groups[0]));
}
