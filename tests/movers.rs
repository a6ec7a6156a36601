//! Movers: doors, a lift, a train, a button, a turning bar; ridden, blocked, shot, undone, recorded.
use breach::debris::Body;
use breach::geom::rng::Rng;
use breach::level::{read_map, read_recorded_map};
use breach::sim::recording::{LevelSource, Recording};
use breach::sim::{Action, Command, Settings, Shot, Sim, Timeline, replay};
use breach::timing::Silent;
use breach::world::FaceView;
use glam::DVec3;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

const TEXT: &str = include_str!("../levels/scenes/lifts.map");
// Indices among the level's movers.
const LEFT: usize = 0;
const RIGHT: usize = 1;
const GATE: usize = 2;
const BUTTON: usize = 3;
const LIFT: usize = 4;
const TRAIN: usize = 5;
const BAR: usize = 6;

fn lifts() -> Sim {
    open(TEXT)
}

fn open(text: &str) -> Sim {
    let desc = read_map(text.as_bytes()).expect("a sound level");
    Sim::new(desc, 1, Settings::default(), &mut Silent).expect("a sound world")
}

/// A point of the file, units, in metres.
fn point(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, z, -y) / 32.0
}

fn tick(sim: &mut Sim, command: &Command) {
    sim.step(command, &mut Silent);
    assert!(sim.player.no_clip || sim.world.locate(sim.player.eye).is_some());
    assert_eq!(sim.escaped(), 0, "at tick {}", sim.tick);
}

fn act(sim: &mut Sim, action: Action) {
    let command = Command {
        actions: vec![action],
        ..sim.idle()
    };
    tick(sim, &command);
}

fn wait(sim: &mut Sim, ticks: u32) {
    for _ in 0..ticks {
        let idle = sim.idle();
        tick(sim, &idle);
    }
}

/// The player stands where its soles are at a point.
fn stand(sim: &mut Sim, feet: DVec3) {
    act(sim, Action::Teleport((feet + DVec3::Y * 1.45).into()));
    act(sim, Action::Walk(true));
}

fn walk(sim: &mut Sim, to: DVec3, ticks: u32) {
    for _ in 0..ticks {
        let way = to - sim.player.eye;
        let walk = Command {
            walk: [0.0, 0.0, 1.0],
            yaw: libm::atan2(-way.x, -way.z),
            ..Command::default()
        };
        tick(sim, &walk);
    }
}

fn shift(sim: &Sim, mover: usize) -> DVec3 {
    sim.movers.all()[mover].placement.shift
}

fn volume(sim: &Sim, mover: usize) -> f64 {
    let solid = sim.movers.all()[mover].solid.as_ref();
    solid.map_or(0.0, |solid| solid.volume_m3)
}

fn drop_ball(sim: &mut Sim, at: DVec3, radius: f64, mass: f64) {
    let ball = Body::iron(at, radius, mass);
    sim.bodies.change(|bodies| bodies.push(ball));
}

#[test]
fn a_level_has_its_movers_and_the_world_none_of_them() {
    let sim = lifts();
    let level = &sim.level;
    assert_eq!(level.movers.movers.len(), 7);
    assert_eq!((level.skipped, &level.warnings[..]), (0, &[][..]));
    assert_eq!(sim.world.sealed, Some(true));
    for (mover, m3) in [
        (
            LEFT,
            (8.0 * 64.0 * 128.0 + 8.0 * 8.0 * 96.0 * 2.0) / 32768.0,
        ),
        (BUTTON, 16.0 * 16.0 * 8.0 / 32768.0),
        (LIFT, 96.0 * 96.0 * 16.0 / 32768.0),
    ] {
        assert!((volume(&sim, mover) - m3).abs() < 1e-6, "{mover}");
    }
    // Left out, as in an older recording: the same world.
    let old = read_recorded_map(TEXT.as_bytes(), 0.0, true, false).expect("a level");
    assert!(old.movers.is_empty());
    let old = Sim::new(old, 1, Settings::default(), &mut Silent).expect("a world");
    assert_eq!(old.world.hash(), sim.world.hash());
    let left_out = open(&TEXT.replacen(
        "\"mapversion\"",
        "\"breach_movers\" \"0\"\n\"mapversion\"",
        1,
    ));
    assert_eq!(left_out.world.hash(), sim.world.hash());
    assert!(left_out.movers.all().is_empty());
    let solid = open(&TEXT.replacen(
        "\"mapversion\"",
        "\"breach_movers\" \"1\"\n\"mapversion\"",
        1,
    ));
    assert_ne!(solid.world.hash(), sim.world.hash());
}

#[test]
fn a_double_door_opens_as_one_lets_the_player_through_and_shuts() {
    let mut sim = lifts();
    stand(&mut sim, point(480.0, 0.0, 0.0));
    assert_eq!(shift(&sim, LEFT), DVec3::ZERO);
    let beyond = point(730.0, 0.0, 46.0);
    let mut passed = false;
    for _ in 0..240 {
        walk(&mut sim, beyond, 1);
        let [left, right] = [LEFT, RIGHT].map(|leaf| shift(&sim, leaf));
        assert!((left + right).length() < 1e-9, "both leaves at once");
        passed |= sim.player.eye.x > point(690.0, 0.0, 0.0).x;
        if passed {
            break;
        }
    }
    assert!(passed, "{}", sim.player.eye);
    walk(&mut sim, beyond, 30);
    assert!((shift(&sim, LEFT).z - 56.0 / 32.0).abs() < 1e-9, "open");
    // Out of its field.
    stand(&mut sim, point(780.0, 200.0, 0.0));
    wait(&mut sim, 60 * 5);
    assert_eq!(shift(&sim, LEFT), DVec3::ZERO, "shut again");
    assert!(!sim.movers.kinematics()[LEFT].is_moving());
}

#[test]
fn a_lift_carries_the_player_up_to_the_balcony_and_comes_down_alone() {
    let mut sim = lifts();
    let low = -128.0 / 32.0;
    assert_eq!(shift(&sim, LIFT).y, low);
    stand(&mut sim, point(400.0, -208.0, 0.0));
    let mut highest: f64 = 0.0;
    for _ in 0..200 {
        let above = sim.player.feet.y - (shift(&sim, LIFT).y + 4.0);
        assert!(above.abs() < 0.06, "on the lift: {above}");
        highest = highest.max(sim.player.feet.y);
        wait(&mut sim, 1);
    }
    assert!((highest - 4.0).abs() < 0.05, "{highest}");
    walk(&mut sim, point(600.0, -208.0, 128.0 + 46.0), 60);
    assert!(sim.player.feet.x > point(460.0, 0.0, 0.0).x);
    assert!((sim.player.feet.y - 4.0).abs() < 0.05, "on the balcony");
    wait(&mut sim, 60 * 6);
    assert_eq!(shift(&sim, LIFT).y, low, "down again");
}

#[test]
fn a_train_carries_the_player_and_what_lies_on_it_over_the_pit() {
    let mut sim = lifts();
    stand(&mut sim, point(850.0, 0.0, 0.0));
    // It sets out at once, and the player has to land first.
    wait(&mut sim, 20);
    for i in 0..4 {
        let at = point(830.0 + 12.0 * f64::from(i), 30.0, 6.0) + shift(&sim, TRAIN);
        drop_ball(&mut sim, at, 0.12, 12.0);
    }
    let velocity = DVec3::X * (90.0 / 32.0);
    sim.bodies.change(|bodies| {
        for body in bodies {
            body.velocity = velocity;
        }
    });
    let lay: Vec<DVec3> = sim.bodies.iter().map(|body| body.position).collect();
    let from = shift(&sim, TRAIN);
    let mut far: f64 = 0.0;
    let stands = sim.player.feet.x - shift(&sim, TRAIN).x;
    for _ in 0..60 * 12 {
        wait(&mut sim, 1);
        far = far.max(shift(&sim, TRAIN).x);
        let at = sim.player.feet.x - shift(&sim, TRAIN).x;
        assert!((at - stands).abs() < 0.02, "it slides: {at}");
        assert!(sim.player.feet.y.abs() < 0.1);
        if far < 8.9 {
            let by = shift(&sim, TRAIN) - from;
            for (body, lay) in sim.bodies.iter().zip(&lay) {
                let slip = body.position.x - lay.x - by.x;
                assert!(slip.abs() < 0.05 && body.position.y > 0.1, "{slip}");
            }
        }
    }
    assert!((far - 9.0).abs() < 1e-9, "{far}");
}

#[test]
fn a_button_raises_the_gate_and_what_lies_below_is_crushed_or_holds_it_up() {
    let mut sim = lifts();
    stand(&mut sim, point(232.0, 200.0, 0.0));
    walk(&mut sim, point(232.0, 255.0, 46.0), 40);
    wait(&mut sim, 180);
    let open = shift(&sim, GATE).y;
    assert!((open - 120.0 / 32.0).abs() < 1e-9, "{open}");
    assert!(shift(&sim, BUTTON).length() > 0.1, "pressed in");
    stand(&mut sim, point(100.0, 0.0, 0.0));
    // Crumbs, and then a heavy ball.
    let below = point(320.0, 272.0, 4.0);
    for i in 0..5 {
        drop_ball(
            &mut sim,
            below + DVec3::X * (0.3 * f64::from(i) - 0.6),
            0.1,
            10.0,
        );
    }
    wait(&mut sim, 60 * 8);
    assert_eq!(shift(&sim, GATE), DVec3::ZERO, "shut");
    let crumbs = sim.bodies.len();
    assert!(crumbs < 5, "crushed: {crumbs} left");
    stand(&mut sim, point(232.0, 200.0, 0.0));
    walk(&mut sim, point(232.0, 255.0, 46.0), 40);
    wait(&mut sim, 180);
    sim.bodies.change(|bodies| bodies.clear());
    stand(&mut sim, point(100.0, 0.0, 0.0));
    drop_ball(&mut sim, point(320.0, 272.0, 14.0), 0.4, 300.0);
    let (mut lowest, mut highest, mut deepest) = (f64::INFINITY, 0.0_f64, 0.0_f64);
    for _ in 0..60 * 20 {
        wait(&mut sim, 1);
        let y = shift(&sim, GATE).y;
        // Once it has been down.
        highest = if lowest < 1.0 { highest.max(y) } else { 0.0 };
        lowest = lowest.min(y);
        deepest = deepest.max(0.4 - sim.bodies[0].position.y);
    }
    assert!(lowest > 0.6 && highest > 3.0, "{lowest} {highest}");
    assert!(deepest < 0.08, "hardly pressed into the floor: {deepest}");
    assert_eq!(sim.bodies.len(), 1);
}

#[test]
fn a_gate_that_comes_down_on_the_player_goes_up_again() {
    let mut sim = lifts();
    stand(&mut sim, point(232.0, 200.0, 0.0));
    walk(&mut sim, point(232.0, 255.0, 46.0), 40);
    wait(&mut sim, 120);
    let below = point(310.0, 272.0, 0.0);
    stand(&mut sim, below);
    let (mut lowest, mut highest) = (f64::INFINITY, 0.0_f64);
    for _ in 0..60 * 12 {
        wait(&mut sim, 1);
        let y = shift(&sim, GATE).y;
        highest = if lowest < 2.0 { highest.max(y) } else { 0.0 };
        lowest = lowest.min(y);
        assert!(
            sim.player.feet.distance(below) < 0.15,
            "{}",
            sim.player.feet
        );
    }
    assert!(
        1.6 < lowest && lowest < 2.0 && highest > 3.0,
        "{lowest} {highest}"
    );
}

#[test]
fn a_turning_bar_pushes_the_player_and_crumbs_away_and_nobody_gets_into_it() {
    let mut sim = lifts();
    stand(&mut sim, point(1250.0, -120.0, 0.0));
    for i in 0..8 {
        let at = point(1180.0 + 10.0 * f64::from(i), -120.0, 28.0);
        drop_ball(&mut sim, at, 0.15, 20.0);
    }
    let from = sim.player.feet;
    let mut moved: f64 = 0.0;
    for _ in 0..60 * 12 {
        wait(&mut sim, 1);
        moved = moved.max(sim.player.feet.distance(from));
        let bar = &sim.movers.kinematics()[BAR];
        for body in sim.bodies.iter() {
            assert!(!bar.contains(1.0, body.position), "tick {}", sim.tick);
        }
        assert!(!bar.contains(1.0, sim.player.feet + DVec3::Y * 0.875));
    }
    assert!(moved > 0.5, "{moved}");
}

#[test]
fn a_teleport_brings_back_who_falls_into_the_pit() {
    let mut sim = lifts();
    stand(&mut sim, point(1000.0, 150.0, 0.0));
    wait(&mut sim, 90);
    let at = point(736.0, 0.0, 46.0);
    assert!(sim.player.eye.distance(at) < 0.2, "{}", sim.player.eye);
    assert!(sim.player.on_ground);
}

#[test]
fn a_shot_carves_a_door_undo_heals_it_and_enough_shots_bring_it_down() {
    let mut sim = lifts();
    let hash = sim.world.hash();
    let whole = volume(&sim, LEFT);
    let shoot = |y: f64, z: f64| Action::FireAlong {
        from: point(560.0, y, z).into(),
        dir: [1.0, 0.0, 0.0],
    };
    let mut settings = Settings {
        blast_radius: 0.3,
        ..Settings::default()
    };
    act(&mut sim, Action::Set(Box::new(settings.clone())));
    act(&mut sim, shoot(-32.0, 80.0));
    wait(&mut sim, 3);
    let carved = volume(&sim, LEFT);
    assert!(
        0.001 < whole - carved && carved > whole * 0.8,
        "{carved} of {whole}"
    );
    assert_eq!(volume(&sim, RIGHT), whole);
    assert_eq!(sim.world.hash(), hash, "no wall is hit");
    assert_eq!(sim.history.undo_steps(), 1);
    act(&mut sim, Action::Undo);
    assert_eq!(volume(&sim, LEFT), whole);
    act(&mut sim, Action::Redo);
    assert_eq!(volume(&sim, LEFT), carved);
    // Through its middle, side to side: less than half is left in one piece, and it falls.
    settings.blast_radius = 0.9;
    act(&mut sim, Action::Set(Box::new(settings)));
    let mut shots = 0;
    while volume(&sim, LEFT) > 0.0 {
        act(&mut sim, shoot(-60.0 + 5.0 * f64::from(shots), 64.0));
        wait(&mut sim, 3);
        shots += 1;
        assert!(shots < 13, "shot off its frame");
    }
    let pieces = sim
        .bodies
        .iter()
        .filter(|body| body.chunk.is_some())
        .count();
    assert!(pieces >= 2, "{pieces}");
    wait(&mut sim, 120);
    while sim.history.undo_steps() > 1 {
        act(&mut sim, Action::Undo);
    }
    assert_eq!(volume(&sim, LEFT), carved);
    let pieces = sim
        .bodies
        .iter()
        .filter(|body| body.chunk.is_some())
        .count();
    assert_eq!(pieces, 0);
}

#[test]
fn rockets_grenades_and_drills_hit_movers() {
    let mut sim = lifts();
    stand(&mut sim, point(500.0, -32.0, 0.0));
    let aim = |pitch: f64, actions: Vec<Action>| Command {
        yaw: -std::f64::consts::FRAC_PI_2,
        pitch,
        actions,
        ..Command::default()
    };
    let whole = volume(&sim, LEFT);
    tick(&mut sim, &aim(0.0, vec![Action::Fire]));
    for _ in 0..20 {
        tick(&mut sim, &aim(0.0, Vec::new()));
    }
    let after_rocket = volume(&sim, LEFT);
    assert!(after_rocket < whole);
    tick(&mut sim, &aim(0.4, vec![Action::Shoot(Shot::Drill)]));
    for _ in 0..5 {
        tick(&mut sim, &aim(0.0, Vec::new()));
    }
    let hole = sim.drilled.last().map(|hole| hole.from.x);
    assert!(
        hole.is_some_and(|x| x < point(672.0, 0.0, 0.0).x),
        "{hole:?}"
    );
}

/// The textures that faces show, outside or inside.
fn textures<'a>(
    sim: &Sim,
    faces: impl Iterator<Item = &'a FaceView>,
    is_inside: bool,
) -> BTreeSet<String> {
    let materials = faces.map(|face| &sim.world.materials[face.material as usize]);
    let shown = materials.filter(|material| material.inner == is_inside);
    shown.map(|material| material.texture.clone()).collect()
}

/// Those that the walls show inside.
fn inside_walls(sim: &Sim) -> BTreeSet<String> {
    let rooms = (0..sim.world.room_count() as u32).map(|id| sim.world.room(id));
    let faces = rooms.flat_map(|room| room.faces.iter().filter(|face| face.is_live()));
    textures(sim, faces, true)
}

#[test]
fn each_thing_shows_in_a_hole_what_it_is_made_of_itself() {
    let of_door = BTreeSet::from(["metal_trim", "wood_panel"].map(String::from));
    let (mut both, mut chips) = (0, BTreeSet::new());
    // In the middle of a door, at its edge, at the wall beside it; small, large, and much larger than all of it. And with a
    // drill, through the door into what is behind it.
    let radii = [0.3, 1.0, 2.5, 20.0].map(Some);
    let shots = [-32.0, -58.0, -70.0].map(|y| radii.map(|radius| (y, radius)));
    for (y, radius) in shots.into_iter().flatten().chain([(-32.0, None)]) {
        let mut sim = lifts();
        let mut settings = Settings {
            blast_radius: radius.unwrap_or(1.0),
            ..Settings::default()
        };
        settings.shots.drill_depth = 20.0;
        act(&mut sim, Action::Set(Box::new(settings)));
        stand(&mut sim, point(400.0, y, 0.0));
        let shot = match radius {
            Some(_) => Action::FireAlong {
                from: point(560.0, y, 80.0).into(),
                dir: [1.0, 0.0, 0.0],
            },
            None => Action::Shoot(Shot::Drill),
        };
        let command = Command {
            yaw: -std::f64::consts::FRAC_PI_2,
            actions: vec![shot],
            ..Command::default()
        };
        tick(&mut sim, &command);
        wait(&mut sim, 10);
        let walls = inside_walls(&sim);
        assert!(walls.is_disjoint(&of_door), "{y} {radius:?}: {walls:?}");
        let mut holes = 0;
        for solid in sim.movers.all().iter().flat_map(|mover| &mover.solid) {
            let inside = textures(&sim, solid.faces.iter(), true);
            let outside = textures(&sim, solid.faces.iter(), false);
            assert!(inside.is_subset(&outside), "{inside:?} in {outside:?}");
            holes += inside.len();
        }
        both += usize::from(!walls.is_empty() && holes > 0);
        let crumbs = sim.bodies.iter().filter(|body| body.chunk.is_none());
        let material = |body: &Body| &sim.world.materials[body.material as usize];
        chips.extend(crumbs.map(|body| material(body).texture.clone()));
    }
    assert!(both > 4, "{both}");
    assert!(
        !chips.is_disjoint(&of_door) && !chips.is_subset(&of_door),
        "{chips:?}"
    );
}

#[test]
fn a_blast_on_an_unbreakable_wall_is_felt_by_a_door_and_by_what_lies_there() {
    let hard = "\"classname\" \"worldspawn\"\n\"breach_hardness\" \"unbreakable\"";
    let text = TEXT.replacen("\"classname\" \"worldspawn\"", hard, 1);
    // Beside either leaf, and above them; near and far, where the blast reaches the leaf and where it does not.
    let places = [(-70.0, 80.0), (70.0, 40.0), (0.0, 170.0)];
    for ((y, z), radius) in places
        .into_iter()
        .flat_map(|at| [0.6, 1.5, 3.0].map(|r| (at, r)))
    {
        let mut sim = open(&text);
        let hash = sim.world.hash();
        let settings = Settings {
            blast_radius: radius,
            ..Settings::default()
        };
        act(&mut sim, Action::Set(Box::new(settings)));
        let whole = [LEFT, RIGHT].map(|leaf| volume(&sim, leaf));
        let from = point(560.0, y, z);
        let shot = Action::FireAlong {
            from: from.into(),
            dir: [1.0, 0.0, 0.0],
        };
        let wall = sim
            .world
            .cast_ray(from, from + DVec3::X * 9.0, &mut Default::default());
        let at = wall.expect("a wall").point - DVec3::X * 0.3;
        drop_ball(&mut sim, at, 0.05, 1.0);
        act(&mut sim, shot);
        let speed = sim
            .bodies
            .iter()
            .map(|body| body.velocity.length())
            .fold(0.0, f64::max);
        assert!(
            speed > 3.0,
            "{y} {z} {radius}: the ball flies at {speed} m/s"
        );
        wait(&mut sim, 2);
        assert_eq!(sim.world.hash(), hash, "no wall breaks");
        let left = [LEFT, RIGHT].map(|leaf| volume(&sim, leaf));
        let is_near = radius > 2.0 || z < 140.0;
        assert_eq!(
            left != whole,
            is_near,
            "{y} {z} {radius}: {left:?} of {whole:?}"
        );
        assert_eq!(sim.history.undo_steps(), usize::from(is_near));
        let saved = breach::level::write_map(&sim.level);
        let again = read_map(&saved).expect("what was saved");
        assert_eq!((again.warnings.len(), again.since.len()), (0, 0));
        if !is_near {
            continue;
        }
        act(&mut sim, Action::Undo);
        assert_eq!([LEFT, RIGHT].map(|leaf| volume(&sim, leaf)), whole);
        act(&mut sim, Action::Redo);
        assert_eq!([LEFT, RIGHT].map(|leaf| volume(&sim, leaf)), left);
    }
}

/// What undo, redo and a jump in time make again is what was there, to the bit; and what is kept for it does not grow as the
/// doors' faces do.
#[test]
fn doors_that_were_shot_come_back_by_undo_and_by_the_timeline_and_take_little_memory() {
    for (seed, count) in [(1, 45), (2, 23)] {
        let settings = Settings {
            blast_radius: 0.3,
            debris: false,
            ..Settings::default()
        };
        let desc = read_map(TEXT.as_bytes()).expect("a level");
        let mut sim = Sim::new(desc, 1, settings.clone(), &mut Silent).expect("a world");
        let source = LevelSource::embed(TEXT.as_bytes());
        let mut timeline = Timeline::new(source, 1, &settings, &sim).with_limits(7, 1 << 30);
        let mut rng = Rng::new(seed);
        let mut hashes = vec![sim.state_hash()];
        let mut step = |sim: &mut Sim, timeline: &mut Timeline, actions: Vec<Action>| {
            let command = Command {
                actions,
                ..sim.idle()
            };
            tick(sim, &command);
            timeline.stepped(&command, sim);
            hashes.push(sim.state_hash());
        };
        let mut whole = 0;
        let mut shapes = vec![[LEFT, RIGHT].map(|leaf| volume(&sim, leaf))];
        for _ in 0..count {
            let (y, z) = (rng.range(-60.0, 60.0), rng.range(10.0, 120.0));
            let shot = Action::FireAlong {
                from: point(560.0, y, z).into(),
                dir: [1.0, 0.0, 0.0],
            };
            let steps = sim.history.undo_steps();
            step(&mut sim, &mut timeline, vec![shot]);
            for _ in 0..2 {
                step(&mut sim, &mut timeline, Vec::new());
            }
            if sim.history.undo_steps() > steps {
                shapes.push([LEFT, RIGHT].map(|leaf| volume(&sim, leaf)));
                let solids = [LEFT, RIGHT].map(|leaf| sim.movers.all()[leaf].solid.clone());
                whole += solids
                    .iter()
                    .flatten()
                    .map(|solid| solid.bytes())
                    .sum::<usize>()
                    / 2;
            }
        }
        let bytes = sim.history.bytes();
        assert!(bytes < whole / 3, "{bytes} bytes, whole shapes {whole}");
        let [keyframes, whole_ones] = timeline.keyframes();
        assert!(whole_ones < keyframes / 4, "{whole_ones} of {keyframes}");
        // Back and forth, not all the way, and on from there.
        for (undo, redo) in [(5, 5), (12, 7), (9, 3), (100, 100)] {
            let count = sim.history.undo_steps();
            for i in 1..=undo.min(count) {
                step(&mut sim, &mut timeline, vec![Action::Undo]);
                let now = [LEFT, RIGHT].map(|leaf| volume(&sim, leaf));
                assert_eq!(now, shapes[count - i], "seed {seed}, undo {i} of {undo}");
            }
            let count = sim.history.undo_steps();
            for i in 1..=redo.min(sim.history.redo_steps()) {
                step(&mut sim, &mut timeline, vec![Action::Redo]);
                let now = [LEFT, RIGHT].map(|leaf| volume(&sim, leaf));
                assert_eq!(now, shapes[count + i], "seed {seed}, redo {i} of {redo}");
            }
        }
        let end = sim.tick;
        for _ in 0..25 {
            let to = rng.below(end + 1);
            timeline.seek(&mut sim, to, &mut Silent);
            assert_eq!(
                sim.state_hash(),
                hashes[to as usize],
                "seed {seed}, tick {to} of {end}"
            );
        }
    }
}

/// The player and rockets anywhere, for some minutes.
fn soak(sim: &mut Sim, rng: &mut Rng, ticks: u32, mut each: impl FnMut(&Command, &Sim)) {
    let bounds = sim.world.bounds();
    for i in 0..ticks {
        let mut actions = Vec::new();
        if i % 90 == 0 {
            let at = rng.in_box(&bounds);
            if sim.world.locate(at).is_some() {
                actions.extend([Action::Teleport(at.into()), Action::Walk(i % 180 == 0)]);
            }
        }
        match i % 40 {
            5 => actions.push(Action::Fire),
            17 => actions.push(Action::Shoot(breach::sim::Shot::Grenade)),
            29 => actions.push(Action::Shoot(breach::sim::Shot::Ball)),
            _ => {}
        }
        if i % 400 == 399 {
            actions.push(Action::Undo);
        }
        let command = Command {
            walk: [rng.range(-0.3, 0.3) as f32, 0.0, 1.0],
            yaw: sim.player.yaw + rng.range(-0.1, 0.1),
            pitch: rng.range(-0.6, 0.4),
            jump: i % 50 < 5,
            actions,
            ..Command::default()
        };
        tick(sim, &command);
        each(&command, sim);
    }
}

#[test]
fn a_soak_among_movers_loses_nobody_and_replays_bit_for_bit() {
    for seed in [3, 8] {
        let settings = Settings::default();
        let mut sim = lifts();
        let source = LevelSource::embed(TEXT.as_bytes());
        let mut timeline = Timeline::new(source, 1, &settings, &sim);
        let mut rng = Rng::new(seed);
        soak(&mut sim, &mut rng, 1500, |command, sim| {
            timeline.stepped(command, sim);
        });
        let mut file = Vec::new();
        let recording = timeline.recording();
        recording.write(&mut file).expect("a Vec takes all");
        let recording = Recording::read(&file).expect("just written");
        let desc = recording.level.read(TEXT.as_bytes()).expect("a level");
        assert_eq!(desc.movers.movers.len(), 7);
        let mut again = Sim::new(desc, 1, settings, &mut Silent).expect("a world");
        let differs = replay::play(&recording, &mut again, &mut Silent, &mut |_, _| true);
        assert_eq!(differs, None);
        assert_eq!(again.state_hash(), sim.state_hash());
        let (end, ticks) = (sim.state_hash(), sim.tick);
        for back in [1400, 700, 130] {
            timeline.seek(&mut sim, back, &mut Silent);
            timeline.seek(&mut sim, ticks, &mut Silent);
            assert_eq!(sim.state_hash(), end, "after {back}");
        }
    }
}

#[test]
fn a_level_at_rest_is_still_and_a_kept_player_stays_where_it_stands() {
    // Without what moves by itself.
    let text = TEXT
        .replace("\"func_train\"", "\"func_detail\"")
        .replace("\"func_rotating\"", "\"func_detail\"");
    let mut sim = open(&text);
    stand(&mut sim, point(96.0, 64.0, 0.0));
    wait(&mut sim, 60);
    assert!(sim.is_still());
    let at = sim.player.eye;
    wait(&mut sim, 60);
    assert_eq!(sim.player.eye, at);
}

const CIRCLE: &str = r#"
{ "classname" "trigger_relay" "targetname" "a" "target" "b" }
{ "classname" "trigger_relay" "targetname" "b" "target" "a" }
{ "classname" "trigger_counter" "targetname" "b" "target" "a" "count" "1" }
"#;

#[test]
fn signals_in_a_circle_do_not_hang() {
    let text = TEXT.replace("\"target\" \"gate\"", "\"target\" \"a\"") + CIRCLE;
    let mut sim = open(&text);
    stand(&mut sim, point(232.0, 200.0, 0.0));
    walk(&mut sim, point(232.0, 255.0, 46.0), 60);
    wait(&mut sim, 60);
    assert!(!sim.is_still());
}

/// The shared levels by name, or a loud word that they are not there (past the test harness, which hides prints).
fn shared_levels(test: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/levels");
    let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let maps = files.filter(|f| f.path().extension().is_some_and(|e| e == "map"));
    let mut levels: Vec<(String, Vec<u8>)> = maps
        .filter_map(|f| {
            let bytes = std::fs::read(f.path()).ok()?;
            let name = f.file_name().to_string_lossy().into_owned();
            Some((name, bytes))
        })
        .collect();
    levels.sort();
    if levels.is_empty() {
        let line = format!("NOT RUN: movers::{test}: ../shared/levels is absent\n");
        let _ = std::io::stderr().lock().write_all(line.as_bytes());
    }
    levels
}

/// A walker among the movers of a level for some ticks: it turns up beside one after the other, walks into them, and shoots.
/// Nobody escapes, and the recording plays again bit for bit.
fn walk_among(name: &str, bytes: &[u8], ticks: u32, seed: u64) {
    let desc = read_map(bytes).expect(name);
    let movers = desc.movers.clone();
    let settings = Settings {
        max_bodies: 800,
        ..Settings::default()
    };
    let mut sim = Sim::new(desc, 1, settings.clone(), &mut Silent).expect(name);
    let mut timeline = Timeline::new(LevelSource::embed(bytes), 1, &settings, &sim);
    let mut rng = Rng::new(seed);
    let places: Vec<DVec3> = (movers.movers.iter())
        .map(|mover| mover.bounds)
        .chain(movers.triggers.iter().map(|t| t.volumes[0].bounds))
        .map(|bounds| bounds.centre())
        .collect();
    for i in 0..ticks {
        let mut actions = Vec::new();
        if i % 150 == 0 && !places.is_empty() {
            let place = places[rng.below(places.len() as u64) as usize];
            let aside = DVec3::new(
                rng.range(-2.5, 2.5),
                rng.range(-1.0, 2.5),
                rng.range(-2.5, 2.5),
            );
            if sim.world.locate(place + aside).is_some() {
                actions.extend([
                    Action::Teleport((place + aside).into()),
                    Action::Walk(i % 300 == 0),
                ]);
            }
        }
        if i % 60 == 31 {
            actions.push(match i / 60 % 3 {
                0 => Action::Fire,
                1 => Action::Shoot(breach::sim::Shot::Grenade),
                _ => Action::Shoot(breach::sim::Shot::Ball),
            });
        }
        if i % 1000 == 999 {
            actions.push(Action::Undo);
        }
        let command = Command {
            walk: [rng.range(-0.3, 0.3) as f32, 0.0, 1.0],
            yaw: sim.player.yaw + rng.range(-0.1, 0.1),
            pitch: rng.range(-0.6, 0.4),
            jump: i % 90 < 5,
            actions,
            ..Command::default()
        };
        let report = sim.step(&command, &mut Silent);
        assert_eq!(report.tunnelled, 0, "{name} at tick {i}");
        timeline.stepped(&command, &sim);
        if i % 20 == 0 {
            let escaped = sim.escaped();
            assert_eq!(escaped, 0, "{name} at tick {i}");
        }
    }
    let mut file = Vec::new();
    let recording = timeline.recording();
    recording.write(&mut file).expect("a Vec takes all");
    let recording = Recording::read(&file).expect("just written");
    let desc = recording.level.read(bytes).expect(name);
    let mut again = Sim::new(desc, 1, settings, &mut Silent).expect(name);
    let differs = replay::play(&recording, &mut again, &mut Silent, &mut |_, _| true);
    assert_eq!(differs, None, "{name}");
    assert_eq!(again.state_hash(), sim.state_hash(), "{name}");
    // Carved movers come back from keyframes without their shapes.
    let (end, ticks) = (sim.state_hash(), sim.tick);
    for _ in 0..3 {
        timeline.seek(&mut sim, rng.below(ticks), &mut Silent);
        timeline.seek(&mut sim, ticks, &mut Silent);
        assert_eq!(sim.state_hash(), end, "{name}");
    }
}

#[test]
fn in_the_shared_levels_a_walker_among_movers_escapes_nowhere() {
    for (name, bytes) in shared_levels("in_the_shared_levels") {
        walk_among(&name, &bytes, 450, 5);
    }
}

#[test]
#[ignore = "an hour: ten minutes of play in each level"]
fn ten_minutes_among_the_movers_of_each_shared_level() {
    for (name, bytes) in shared_levels("ten_minutes") {
        walk_among(&name, &bytes, 36_000, 9);
        println!("{name}: ten minutes");
    }
}

/// The gate, turned instead of lifted, after a counter, a delay and a relay; what the relay kills is gone.
#[test]
fn signals_are_counted_delayed_and_passed_on_and_a_gate_turns() {
    let relays = r#"
{ "classname" "trigger_counter" "targetname" "count" "target" "relay" "count" "2" }
{ "classname" "trigger_relay" "targetname" "relay" "target" "gate" "killtarget" "lift" "delay" "1" }
"#;
    let text = TEXT
        .replace("\"target\" \"gate\"", "\"target\" \"count\"")
        .replace("\"func_plat\"", "\"func_plat\"\n\"targetname\" \"lift\"")
        .replace(
            "\"func_door\"\n\"targetname\" \"gate\"",
            "\"func_door_rotating\"\n\"targetname\" \"gate\"\n\"origin\" \"256 272 0\"\n\"distance\" \"60\"",
        )
        + relays;
    let mut sim = open(&text);
    let angle = |sim: &Sim| sim.movers.all()[GATE].placement.angle.to_degrees();
    for presses in 1..=2 {
        stand(&mut sim, point(232.0, 200.0, 0.0));
        walk(&mut sim, point(232.0, 255.0, 46.0), 30);
        stand(&mut sim, point(100.0, 0.0, 0.0));
        assert_eq!(angle(&sim), 0.0, "after {presses}");
        assert!(volume(&sim, LIFT) > 0.0, "the signal waits a second");
        wait(&mut sim, 120 + if presses == 1 { 300 } else { 0 });
    }
    assert!((angle(&sim).abs() - 60.0).abs() < 1e-6, "{}", angle(&sim));
    assert_eq!(volume(&sim, LIFT), 0.0, "killed");
}

#[test]
fn a_push_throws_the_player_up() {
    let text = TEXT.replace(
        "\"trigger_teleport\"",
        "\"trigger_push\"\n\"angle\" \"-1\"\n\"speed\" \"40\"",
    );
    let mut sim = open(&text);
    stand(&mut sim, point(1000.0, 150.0, 0.0));
    let mut highest = f64::NEG_INFINITY;
    for i in 0..240 {
        wait(&mut sim, 1);
        if i > 90 {
            highest = highest.max(sim.player.feet.y);
        }
    }
    assert!(highest > 1.0, "out of the pit: {highest}");
}
