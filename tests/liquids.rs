//! Liquids: swum in, floated on, sunk in, recorded; and levels without them play as they did.
use breach::geom::rng::Rng;
use breach::level::{LiquidKind, read_map, read_recorded_map};
use breach::sim::recording::{LevelSource, Recording};
use breach::sim::{Action, Command, Settings, Sim, Timeline, replay};
use breach::timing::Silent;
use glam::DVec3;

const TEXT: &str = include_str!("../levels/scenes/pool.map");
/// The surface of the water, metres.
const SURFACE: f64 = -12.0 / 32.0;

fn pool() -> Sim {
    let desc = read_map(TEXT.as_bytes()).expect("a sound level");
    Sim::new(desc, 1, Settings::default(), &mut Silent).expect("a sound world")
}

/// A tick with a look and actions.
fn tick(sim: &mut Sim, command: &Command) {
    sim.step(command, &mut Silent);
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

/// The player in the air at a point, walking.
fn put(sim: &mut Sim, eye: DVec3) {
    act(sim, Action::Teleport(eye.into()));
    act(sim, Action::Walk(true));
}

#[test]
fn a_level_has_its_liquids_and_the_world_none_of_them() {
    let sim = pool();
    let level = &sim.level;
    assert_eq!(level.liquids.volumes.len(), 3);
    assert_eq!(
        (level.skipped, level.warnings.len()),
        (0, 0),
        "{:?}",
        level.warnings
    );
    let at = |x: f64, y: f64, z: f64| level.liquids.at(DVec3::new(x, y, z));
    assert_eq!(at(16.0, -1.0, 3.0), Some(LiquidKind::Water));
    assert_eq!(at(16.0, -0.3, 3.0), None, "above the surface");
    assert_eq!(at(26.5, -1.0, 5.0), Some(LiquidKind::Slime));
    assert_eq!(at(26.5, -1.0, -5.0), Some(LiquidKind::Lava));
    assert_eq!(sim.world.sealed, Some(true));
    // Left out, as in an older recording: the same world.
    let dry = read_recorded_map(TEXT.as_bytes(), 0.0, false, true).expect("a level");
    assert_eq!((dry.liquids.volumes.len(), dry.skipped), (0, 3));
    let dry = Sim::new(dry, 1, Settings::default(), &mut Silent).expect("a world");
    assert_eq!(dry.world.hash(), sim.world.hash());
}

#[test]
fn water_of_an_entity_is_a_liquid_whatever_its_texture() {
    for (texture, kind) in [
        ("!water", LiquidKind::Water),
        ("plain", LiquidKind::Water),
        ("slime1", LiquidKind::Slime),
    ] {
        let (before, brushes) = TEXT.split_once("*water_pool").expect("the pool's water");
        let start = before.rfind("// brush").expect("a brush");
        let (_, after) = brushes.split_once("\n}\n").expect("its end");
        let brush = &TEXT[start..TEXT.len() - after.len()];
        let entity = format!("{{\n\"classname\" \"func_water\"\n{brush}}}\n");
        let text = TEXT.replacen(brush, "", 1) + &entity.replace("*water_pool", texture);
        let level = read_map(text.as_bytes()).expect("a sound level");
        assert_eq!((level.skipped, &level.warnings[..]), (0, &[][..]));
        let kinds: Vec<LiquidKind> = level.liquids.volumes.iter().map(|v| v.kind).collect();
        assert_eq!(
            kinds.iter().filter(|k| **k == kind).count(),
            1 + usize::from(kind == LiquidKind::Slime)
        );
        assert_eq!(level.liquids.at(DVec3::new(16.0, -1.0, 3.0)), Some(kind));
    }
}

#[test]
fn a_player_floats_dives_sinks_slowly_swims_up_and_leaps_out() {
    let mut sim = pool();
    put(&mut sim, DVec3::new(18.0, 0.5, -4.0));
    wait(&mut sim, 200);
    let off = sim.player.eye.y - SURFACE;
    assert!(off.abs() < 0.25, "who does nothing floats: {off}");
    let down = Command {
        crouch: true,
        ..sim.idle()
    };
    let mut ticks = 0;
    while sim.player.eye.y > SURFACE - 0.5 {
        tick(&mut sim, &down);
        ticks += 1;
        assert!(ticks < 120, "{:?}", sim.player);
    }
    wait(&mut sim, 30);
    let speed = sim.player.velocity.length();
    assert!(0.5 < speed && speed < 2.0, "sinks slowly: {speed}");
    wait(&mut sim, 200);
    let bottom = sim.player.feet.y;
    assert!((bottom + 3.0).abs() < 0.1, "on the floor: {bottom}");
    let up = Command {
        jump: true,
        ..sim.idle()
    };
    let mut highest = f64::NEG_INFINITY;
    for _ in 0..200 {
        tick(&mut sim, &up);
        highest = highest.max(sim.player.eye.y);
    }
    assert!(highest > SURFACE + 0.2, "the head comes out: {highest}");
    assert!(highest < SURFACE + 2.2, "nobody flies: {highest}");
    // Along the look, to the wall beside the bridge, and out onto the floor.
    let mut left = false;
    for i in 0..600 {
        let swim = Command {
            walk: [0.0, 0.0, 1.0],
            yaw: 0.0,
            pitch: 0.3,
            jump: i % 60 > 20,
            ..Command::default()
        };
        tick(&mut sim, &swim);
        left |= sim.player.feet.y > -0.05 && sim.player.on_ground;
        if left {
            break;
        }
    }
    assert!(left, "{:?}", sim.player);
}

#[test]
fn swimmers_anywhere_with_any_wish_stay_in_the_air_of_the_level() {
    let mut rng = Rng::new(11);
    let mut sim = pool();
    for _ in 0..12 {
        let eye = DVec3::new(rng.range(10.0, 22.0), 0.6, rng.range(-4.5, 4.5));
        if sim.world.locate(eye).is_none() {
            continue;
        }
        put(&mut sim, eye);
        for i in 0..300 {
            let command = Command {
                walk: [rng.range(-1.0, 1.0) as f32, 0.0, 1.0],
                yaw: sim.player.yaw + rng.range(-0.2, 0.2),
                pitch: rng.range(-1.4, 1.4),
                jump: i % 7 < 3,
                crouch: i % 11 < 4,
                ..Command::default()
            };
            tick(&mut sim, &command);
            assert!(sim.world.locate(sim.player.eye).is_some());
            assert!(sim.player.velocity.length() < 12.0);
        }
    }
}

/// Shoots one of the rods, and waits until what hung on it lies still; the body's height.
fn cut_rod(sim: &mut Sim, z: f64) -> f64 {
    let (from, to) = (DVec3::new(10.0, 6.0, z), DVec3::new(12.5, 6.0, z));
    let dir = (to - from).to_array();
    act(
        sim,
        Action::FireAlong {
            from: from.into(),
            dir,
        },
    );
    wait(sim, 900);
    let chunks = sim.bodies.iter().filter(|body| body.chunk.is_some());
    let largest = chunks.max_by(|a, b| a.radius.total_cmp(&b.radius));
    largest.expect("it fell").position.y
}

#[test]
fn wood_floats_and_concrete_sinks() {
    for (z, floats) in [(88.0 / 32.0, true), (-88.0 / 32.0, false)] {
        let mut sim = pool();
        act(
            &mut sim,
            Action::Set(Box::new(Settings {
                blast_radius: 0.4,
                ..Settings::default()
            })),
        );
        let y = cut_rod(&mut sim, z);
        let bottom = -3.0 + 0.75;
        match floats {
            true => assert!((y - SURFACE).abs() < 0.6, "{y}"),
            false => assert!((y - bottom).abs() < 0.4, "{y}"),
        }
        assert_eq!(sim.escaped(), 0);
        let moving = sim.bodies.awake();
        assert_eq!(moving, 0, "it has come to rest");
    }
}

/// Crumbs of two materials, poured: each comes to rest where its density says.
#[test]
fn a_ball_floats_as_deep_as_archimedes_says() {
    use breach::debris::Body;
    for (ratio, radius) in [(0.3, 0.2), (0.5, 0.1), (0.8, 0.4)] {
        let mut sim = pool();
        let mass = ratio * 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius;
        let ball = Body::iron(DVec3::new(18.0, SURFACE + 0.3, -3.0), radius, mass);
        sim.bodies.change(|bodies| bodies.push(ball));
        wait(&mut sim, 900);
        let y = sim.bodies[0].position.y;
        // It may fall asleep while it still creeps there. Bisection of t² (3 - 2 t) = ratio, t the part of the diameter under the surface.
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let t = (low + high) * 0.5;
            match t * t * (3.0 - 2.0 * t) < ratio {
                true => low = t,
                false => high = t,
            }
        }
        let wanted = SURFACE + radius * (1.0 - 2.0 * low);
        assert!((y - wanted).abs() < 0.02, "{y}, not {wanted}");
    }
}

#[test]
fn a_rocket_is_slower_in_water_and_the_surface_ripples() {
    let mut sim = pool();
    put(&mut sim, DVec3::new(18.0, 1.5, -4.0));
    sim.player.walking = false;
    let fire = Command {
        pitch: -1.55,
        actions: vec![Action::Fire],
        ..Command::default()
    };
    tick(&mut sim, &fire);
    let mut slowest = f64::INFINITY;
    let mut ripples = 0;
    for _ in 0..40 {
        let look = Command {
            pitch: -1.55,
            ..Command::default()
        };
        tick(&mut sim, &look);
        for rocket in &sim.rockets {
            slowest = slowest.min(rocket.velocity.length());
        }
        ripples = ripples.max(sim.ripples.len());
    }
    assert!(slowest < 35.0, "{slowest}");
    assert!(ripples > 0);
    wait(&mut sim, 130);
    assert!(sim.ripples.is_empty());
}

#[test]
fn a_recording_keeps_its_liquids_and_an_older_one_has_none() {
    for liquids in [true, false] {
        let desc = read_recorded_map(TEXT.as_bytes(), 0.0, liquids, true).expect("a level");
        let settings = Settings::default();
        let mut sim = Sim::new(desc, 1, settings.clone(), &mut Silent).expect("a world");
        let mut timeline = Timeline::new(LevelSource::embed(TEXT.as_bytes()), 1, &settings, &sim);
        for i in 0..240 {
            let command = Command {
                walk: [0.0, 0.0, 1.0],
                yaw: -std::f64::consts::FRAC_PI_2 - 0.1,
                pitch: -0.2,
                jump: i > 150,
                actions: match i {
                    0 => vec![Action::Teleport([11.0, 1.0, -3.0])],
                    1 => vec![Action::Walk(true)],
                    60 | 90 => vec![Action::Fire],
                    _ => Vec::new(),
                },
                ..Command::default()
            };
            sim.step(&command, &mut Silent);
            timeline.stepped(&command, &sim);
        }
        let mut file = Vec::new();
        timeline
            .recording()
            .write(&mut file)
            .expect("a Vec takes all");
        let text = String::from_utf8(file.clone()).expect("text");
        assert_eq!(text.contains("\"liquids\":true"), liquids);
        assert_eq!(text.contains("\"liquids\""), liquids);
        let recording = Recording::read(&file).expect("just written");
        let desc = recording.level.read(TEXT.as_bytes()).expect("a level");
        assert_eq!(desc.liquids.is_empty(), !liquids);
        let mut again = Sim::new(desc, 1, settings, &mut Silent).expect("a world");
        let differs = replay::play(&recording, &mut again, &mut Silent, &mut |_, _| true);
        assert_eq!(differs, None);
        assert_eq!(again.state_hash(), sim.state_hash());
        // Back in time and forward again.
        let end = sim.state_hash();
        let ticks = sim.tick;
        timeline.seek(&mut sim, 100, &mut Silent);
        timeline.seek(&mut sim, ticks, &mut Silent);
        assert_eq!(sim.state_hash(), end);
    }
}

#[test]
fn water_stays_where_it_is_when_its_wall_is_shot_away() {
    let mut sim = pool();
    let before = sim.liquids.volumes.len();
    let shot = Action::FireAlong {
        from: [5.5, -1.5, 0.0],
        dir: [1.0, 0.0, 0.0],
    };
    act(&mut sim, shot);
    wait(&mut sim, 10);
    let middle = DVec3::new(280.0 / 32.0, -1.5, 0.0);
    assert!(sim.world.locate(middle).is_some(), "the wall is open");
    assert_eq!(sim.liquids.at(middle), None);
    assert_eq!(sim.liquids.volumes.len(), before);
}
