//! The whole tick on small levels written as `.map` text.
use super::player::{EYE_HEIGHT, JUMP_HEIGHT, STEP_HEIGHT, WALKER};
use super::*;
use crate::bvh::QueryStats;
use crate::debris::clearance::nearest_surface;
use crate::level::read_map;
use crate::timing::Silent;

mod rules;
mod slices;

/// A box in `.map` units, lowest and highest corner, Z up.
type Block = [[i32; 3]; 2];

/// A hall 40 m long, 16 m wide and 8 m high inside walls 2 m thick, floor at z = 0, with these blocks in it.
/// The player starts at the western end of the middle, looking east (+X).
fn hall(blocks: &[Block]) -> String {
    let walls: [Block; 6] = [
        [[-64, -320, -64], [1344, 320, 0]],
        [[-64, -320, 256], [1344, 320, 320]],
        [[-64, -320, 0], [0, 320, 256]],
        [[1280, -320, 0], [1344, 320, 256]],
        [[0, -320, 0], [1280, -256, 256]],
        [[0, 256, 0], [1280, 320, 256]],
    ];
    let mut text = String::from("{\n\"classname\" \"worldspawn\"\n");
    for [[x0, y0, z0], [x1, y1, z1]] in walls.iter().chain(blocks) {
        text += &format!(
            "{{\n( {x0} 0 0 ) ( {x0} 1 0 ) ( {x0} 0 1 ) brick 0 0 0 1 1\n( {x1} 0 0 ) ( {x1} 0 1 ) ( {x1} 1 0 ) brick 0 0 0 1 1\n\
             ( 0 {y0} 0 ) ( 0 {y0} 1 ) ( 1 {y0} 0 ) brick 0 0 0 1 1\n( 0 {y1} 0 ) ( 1 {y1} 0 ) ( 0 {y1} 1 ) brick 0 0 0 1 1\n\
             ( 0 0 {z0} ) ( 1 0 {z0} ) ( 0 1 {z0} ) brick 0 0 0 1 1\n( 0 0 {z1} ) ( 0 1 {z1} ) ( 1 0 {z1} ) brick 0 0 0 1 1\n}}\n"
        );
    }
    text + "}\n{\n\"classname\" \"info_player_start\"\n\"origin\" \"64 0 24\"\n\"angle\" \"0\"\n}\n"
}

fn open(map: &str) -> Sim {
    let level = read_map(map.as_bytes()).expect("a sound level");
    Sim::new(level, 1, Settings::default(), &mut Silent).expect("a sound world")
}

/// Steps `ticks` times; after each the player and all bodies are where they may be.
fn run(sim: &mut Sim, ticks: u32, command: &Command) -> Vec<DVec3> {
    (0..ticks)
        .map(|_| {
            sim.step(command, &mut Silent);
            assert!(
                sim.player.no_clip || sim.eye_room.is_some(),
                "eye in rock at {}",
                sim.player.eye
            );
            assert!(sim.player.eye.is_finite() && sim.player.velocity.is_finite());
            let lost = sim
                .bodies
                .iter()
                .find(|body| sim.world.locate(body.position).is_none());
            assert!(lost.is_none(), "tick {}: {lost:?}", sim.tick);
            assert!(
                sim.bodies.iter().all(|b| b.position.is_finite()
                    && b.rotation.is_finite()
                    && b.spin.is_finite())
            );
            if sim.player.walking {
                for height in WALKER.heights {
                    let centre = sim.player.feet + DVec3::Y * *height;
                    let near = nearest_surface(&sim.world, centre, 1.0, &mut QueryStats::default());
                    let gap = near.map_or(1.0, |near| near.distance) - WALKER.radius;
                    assert!(
                        gap > -1e-6,
                        "the body is {gap} m deep in a wall at {}",
                        sim.player.feet
                    );
                }
            }
            sim.player.eye
        })
        .collect()
}

/// Looking east, walking forward.
fn east(sim: &Sim) -> Command {
    Command {
        walk: [0.0, 0.0, 1.0],
        ..sim.idle()
    }
}

#[test]
fn the_player_stands_at_the_start_and_stays() {
    let mut sim = open(&hall(&[]));
    assert!(sim.player.walking);
    let idle = sim.idle();
    run(&mut sim, 30, &idle);
    assert!(sim.player.on_ground);
    let stood = sim.player.eye;
    run(&mut sim, 120, &idle);
    assert_eq!(sim.player.eye, stood);
    assert!((stood.y - EYE_HEIGHT).abs() < 0.05, "{stood}");
    assert!((sim.look_dir() - DVec3::X).length() < 1e-9);
}

#[test]
fn a_jump_is_45_units_high() {
    let mut sim = open(&hall(&[]));
    let idle = sim.idle();
    run(&mut sim, 30, &idle);
    let ground = sim.player.feet.y;
    let jump = Command {
        jump: true,
        ..sim.idle()
    };
    let mut top: f64 = 0.0;
    run(&mut sim, 1, &jump);
    for _ in 0..120 {
        run(&mut sim, 1, &idle);
        top = top.max(sim.player.feet.y - ground);
    }
    assert!((top - JUMP_HEIGHT).abs() < 0.002, "{top}");
    assert!(sim.player.on_ground);
}

#[test]
fn walking_climbs_sixteen_and_eighteen_units_but_not_twenty() {
    for (rise, climbs) in [
        (4, true),
        (8, true),
        (16, true),
        (18, true),
        (20, false),
        (32, false),
    ] {
        for speed in [1.0, 0.3] {
            let mut sim = open(&hall(&[[[256, -256, 0], [1280, 256, rise]]]));
            let walk = Command {
                walk: [0.0, 0.0, speed],
                ..east(&sim)
            };
            run(&mut sim, (240.0 / speed) as u32, &walk);
            let up = sim.player.feet.y > f64::from(rise) / 32.0 - 1e-6;
            assert_eq!(
                up, climbs,
                "{rise} units at speed {speed}: {}",
                sim.player.feet
            );
        }
    }
    assert_eq!(STEP_HEIGHT, 0.5625);
}

#[test]
fn a_stair_is_climbed_and_gone_down_with_a_smooth_eye() {
    let stair: Vec<Block> = (0..12)
        .map(|i| [[256 + 16 * i, -256, 0], [1280, 256, 16 * (i + 1)]])
        .collect();
    let mut sim = open(&hall(&stair[..8]));
    let idle = sim.idle();
    run(&mut sim, 30, &idle);
    let walk = east(&sim);
    let eyes = run(&mut sim, 200, &walk);
    assert!((sim.player.feet.y - 4.0).abs() < 0.1, "{}", sim.player.feet);
    for pair in eyes.windows(2) {
        assert!((pair[1].y - pair[0].y).abs() < 0.25, "{pair:?}");
    }
    let down = Command {
        walk: [0.0, 0.0, -1.0],
        ..sim.idle()
    };
    let mut grounded = 0;
    for _ in 0..260 {
        run(&mut sim, 1, &down);
        grounded += u32::from(sim.player.on_ground);
    }
    assert!(sim.player.feet.y < 0.1, "{}", sim.player.feet);
    assert!(grounded > 250, "{grounded}");
}

/// The hall with a ramp that rises from x = 256 to `x1` by 128 units.
fn hall_with_ramp(x1: i32) -> String {
    let ramp = format!(
        "{{\n( {x1} 0 0 ) ( {x1} 0 1 ) ( {x1} 1 0 ) brick 0 0 0 1 1\n( 0 -256 0 ) ( 0 -256 1 ) ( 1 -256 0 ) brick 0 0 0 1 1\n\
         ( 0 256 0 ) ( 1 256 0 ) ( 0 256 1 ) brick 0 0 0 1 1\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) brick 0 0 0 1 1\n\
         ( 256 0 0 ) ( {x1} 0 128 ) ( 256 -1 0 ) brick 0 0 0 1 1\n}}\n}}\n"
    );
    hall(&[[[x1, -256, 0], [1280, 256, 128]]]).replacen("}\n}\n", &format!("}}\n{ramp}"), 1)
}

#[test]
fn a_ramp_of_40_degrees_is_climbed_and_stood_on_and_one_of_60_is_not() {
    // Rises of 128 units over 152 and over 74.
    let mut sim = open(&hall_with_ramp(256 + 152));
    let walk = east(&sim);
    run(&mut sim, 95, &walk);
    let halfway = sim.player.feet;
    assert!((0.5..3.5).contains(&halfway.y), "{halfway}");
    let idle = sim.idle();
    run(&mut sim, 60, &idle);
    let stopped = sim.player.feet;
    run(&mut sim, 120, &idle);
    assert!(sim.player.on_ground);
    assert!(
        sim.player.feet.distance(stopped) < 1e-6,
        "{stopped} {}",
        sim.player.feet
    );
    run(&mut sim, 200, &walk);
    assert!(sim.player.feet.y > 3.9, "{}", sim.player.feet);

    let mut sim = open(&hall_with_ramp(256 + 74));
    run(&mut sim, 300, &walk);
    assert!(sim.player.feet.y < 0.8, "{}", sim.player.feet);
}

#[test]
fn a_player_in_a_gully_too_steep_to_stand_in_can_jump_out_of_it() {
    // Two wedges whose slopes of 55 degrees meet under the start.
    let wedge = |x: i32, side: i32| {
        let far = x + 96 * side;
        let (a, b) = if side > 0 {
            ("0 0 1", "0 1 0")
        } else {
            ("0 1 0", "0 0 1")
        };
        let at = |x: i32, d: &str| {
            let d: Vec<i32> = d.split(' ').map(|n| n.parse().expect("a digit")).collect();
            format!("( {} {} {} )", x + d[0], d[1], d[2])
        };
        let slope = if side > 0 {
            format!("( {x} 0 0 ) ( {far} 0 137 ) ( {x} -1 0 )")
        } else {
            format!("( {x} 0 0 ) ( {x} -1 0 ) ( {far} 0 137 )")
        };
        format!(
            "{{\n{} {} {} brick 0 0 0 1 1\n{slope} brick 0 0 0 1 1\n( 0 -256 0 ) ( 0 -256 1 ) ( 1 -256 0 ) brick 0 0 0 1 1\n\
             ( 0 256 0 ) ( 1 256 0 ) ( 0 256 1 ) brick 0 0 0 1 1\n( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) brick 0 0 0 1 1\n}}\n",
            at(far, "0 0 0"),
            at(far, a),
            at(far, b),
        )
    };
    let gully = format!("}}\n{}{}}}\n", wedge(300, 1), wedge(300, -1));
    let map = hall(&[])
        .replacen("}\n}\n", &gully, 1)
        .replace("64 0 24", "300 0 100");
    let mut sim = open(&map);
    let idle = sim.idle();
    run(&mut sim, 120, &idle);
    let bottom = sim.player.feet.y;
    let jump = Command {
        jump: true,
        ..idle.clone()
    };
    run(&mut sim, 2, &jump);
    let mut top = bottom;
    for _ in 0..60 {
        run(&mut sim, 1, &idle);
        top = top.max(sim.player.feet.y);
    }
    assert!(top > bottom + 1.0, "{bottom} to {top}");
}

#[test]
fn no_fill_buries_the_player() {
    let mut sim = open(&hall(&[]));
    let idle = sim.idle();
    run(&mut sim, 30, &idle);
    let tool = Action::Tool {
        fill: true,
        tool: Tool {
            size: 2.0,
            depth: 2.0,
            ..Tool::default()
        },
    };
    let floor = Command {
        pitch: -1.5,
        actions: vec![tool.clone()],
        ..sim.idle()
    };
    let report = sim.step(&floor, &mut Silent);
    assert!(
        report.carves.is_empty() && report.notices.len() == 1,
        "{:?}",
        report.notices
    );
    let ahead = Command {
        actions: vec![tool],
        ..idle
    };
    let report = sim.step(&ahead, &mut Silent);
    assert_eq!(report.carves.len(), 1);
    assert_eq!(sim.level.since.len(), 1);
}

#[test]
fn a_wall_is_slid_along_with_the_buffer_kept() {
    let mut sim = open(&hall(&[]));
    let slanted = Command {
        yaw: -2.3,
        walk: [0.0, 0.0, 1.0],
        ..Command::default()
    };
    run(&mut sim, 600, &slanted);
    let wall = 8.0;
    let gap = wall - sim.player.feet.z.abs() - WALKER.radius;
    assert!((0.0..0.05).contains(&gap), "{gap}");
    assert!(sim.player.feet.x > 20.0, "{}", sim.player.feet);
}

#[test]
fn a_corner_holds_the_player_still() {
    let mut sim = open(&hall(&[[[640, -256, 0], [704, 256, 256]]]));
    let walk = Command {
        yaw: -2.2,
        walk: [0.0, 0.0, 1.0],
        fast: true,
        ..Command::default()
    };
    run(&mut sim, 900, &walk);
    let held = sim.player.eye;
    run(&mut sim, 60, &walk);
    assert!(sim.player.eye.distance(held) < 1e-3);
}

#[test]
fn flying_stops_at_walls_and_no_clip_comes_back_into_the_air() {
    let mut sim = open(&hall(&[]));
    let ahead = Command {
        walk: [0.0, 0.0, 1.0],
        yaw: -1.5,
        pitch: 0.3,
        fast: true,
        ..Command::default()
    };
    run(
        &mut sim,
        1,
        &Command {
            actions: vec![Action::Walk(false)],
            ..ahead.clone()
        },
    );
    run(&mut sim, 300, &ahead);
    run(
        &mut sim,
        1,
        &Command {
            actions: vec![Action::NoClip(true)],
            ..ahead.clone()
        },
    );
    run(&mut sim, 200, &ahead);
    assert!(sim.eye_room.is_none());
    let back = Command {
        actions: vec![Action::NoClip(false)],
        ..sim.idle()
    };
    run(&mut sim, 1, &back);
    assert!(sim.eye_room.is_some());
}

#[test]
fn a_rocket_becomes_a_blast_crumbs_and_an_operation_to_save() {
    let mut sim = open(&hall(&[]));
    let fire = Command {
        actions: vec![Action::Fire],
        ..sim.idle()
    };
    sim.step(&fire, &mut Silent);
    assert_eq!(sim.rockets.len(), 1);
    let mut carves = Vec::new();
    for _ in 0..120 {
        let idle = sim.idle();
        carves.extend(sim.step(&idle, &mut Silent).carves);
        assert_eq!(sim.escaped(), 0);
    }
    assert_eq!(
        (carves.len(), sim.rockets.len(), sim.level.since.len()),
        (1, 0, 1)
    );
    let carve = carves[0].result.as_ref().expect("the wall is there");
    assert!(carve.volume_m3 > 0.5 && carve.watertight);
    assert!(
        (carves[0].position.x - 40.0).abs() < 0.2,
        "{}",
        carves[0].position
    );
    assert!(!sim.bodies.is_empty());
    let idle = sim.idle();
    run(&mut sim, 900, &idle);
    let awake = sim.bodies.iter().filter(|body| !body.asleep).count();
    assert_eq!(
        awake,
        0,
        "{:?}",
        sim.bodies.iter().find(|body| !body.asleep)
    );
    let waking = sim.step(&idle, &mut Silent);
    assert_eq!(waking.awake, 0);
}

/// Soaks a sim for so many shots, then lets it run.
fn soaked(map: &str, shots: u32, ticks: u32) -> Sim {
    let mut sim = open(map);
    let mut rng = Rng::new(5);
    for _ in 0..shots {
        let command = soak_command(&sim, &mut rng);
        sim.step(&command, &mut Silent);
        assert_eq!(sim.escaped(), 0);
    }
    let idle = sim.idle();
    run(&mut sim, ticks, &idle);
    sim
}

#[test]
fn two_soaks_of_one_seed_end_in_the_same_state() {
    let map = hall(&[[[512, -128, 0], [576, 128, 192]]]);
    let (a, b) = (soaked(&map, 25, 120), soaked(&map, 25, 120));
    assert!(a.bodies.len() > 50);
    assert_eq!(a.state_hash(), b.state_hash());
    assert_eq!(a.bodies, b.bodies);
}

#[test]
fn a_limit_on_bodies_is_kept() {
    let mut sim = open(&hall(&[]));
    let few = Settings {
        max_bodies: 30,
        ..Settings::default()
    };
    sim.step(
        &Command {
            actions: vec![Action::Set(Box::new(few))],
            ..sim.idle()
        },
        &mut Silent,
    );
    let mut rng = Rng::new(9);
    for _ in 0..20 {
        let command = soak_command(&sim, &mut rng);
        sim.step(&command, &mut Silent);
        assert!(sim.bodies.len() <= 30);
    }
    assert_eq!(sim.bodies.len(), 30);
    sim.step(
        &Command {
            actions: vec![Action::ClearDebris],
            ..sim.idle()
        },
        &mut Silent,
    );
    assert!(sim.bodies.is_empty());
}

#[test]
fn wild_commands_break_nothing() {
    let mut sim = open(&hall(&[[[512, -128, 0], [576, 128, 192]]]));
    let mut rng = Rng::new(77);
    for tick in 0..600 {
        let pick = rng.below(12);
        let action = match pick {
            0 => Action::Fire,
            1 => Action::Walk(rng.below(2) == 0),
            2 => Action::NoClip(rng.below(4) == 0),
            3 => Action::Teleport([
                rng.range(-5.0, 45.0),
                rng.range(-3.0, 10.0),
                rng.range(-10.0, 10.0),
            ]),
            4 => Action::Tool {
                fill: tick % 2 == 0,
                tool: Tool {
                    shape: ToolShape::ALL[tick as usize % ToolShape::ALL.len()],
                    size: rng.range(0.0, 3.0),
                    depth: 1.0,
                    rotation: [rng.range(-9.0, 9.0), rng.range(-9.0, 9.0), 0.0],
                    points: vec![[1.0; 3]; tick as usize % 6],
                },
            },
            5 => Action::Tool {
                fill: tick % 2 == 0,
                tool: Tool {
                    shape: ToolShape::Ball,
                    size: rng.range(0.0, 3.0),
                    depth: f64::MAX,
                    ..Tool::default()
                },
            },
            6 => Action::FireAlong {
                from: [1.0, 1.0, f64::NAN],
                dir: [0.0; 3],
            },
            7 => Action::FireAlong {
                from: [2.0, 1.0, 0.0],
                dir: rng.unit_vector().to_array(),
            },
            _ => Action::Walk(sim.player.walking),
        };
        let command = Command {
            walk: [
                rng.range(-1.0, 1.0) as f32,
                rng.range(-1.0, 1.0) as f32,
                f32::INFINITY,
            ],
            yaw: rng.range(-9.0, 9.0),
            pitch: rng.range(-2.0, 2.0),
            jump: rng.below(3) == 0,
            fast: rng.below(2) == 0,
            actions: vec![action],
        };
        let report = sim.step(&command, &mut Silent);
        assert!(
            sim.player.no_clip || sim.eye_room.is_some(),
            "tick {tick}: {:?} {}",
            report.notices,
            sim.player.eye
        );
        assert!(sim.player.eye.is_finite());
        assert_eq!(sim.escaped(), 0);
    }
}

/// A recording of a simulation with its level inside.
fn recorded(map: &str, sim: &Sim, out: &mut Vec<u8>) -> recording::Recorder {
    let source = recording::LevelSource::embed(map.as_bytes());
    recording::Recorder::start(out, &source, 1, &sim.settings).expect("a Vec takes all")
}

#[test]
fn a_replay_repeats_the_run_and_names_the_first_tick_that_differs() {
    let map = hall(&[[[512, -128, 0], [576, 128, 192]]]);
    let mut sim = open(&map);
    let mut out = Vec::new();
    let mut recorder = recorded(&map, &sim, &mut out);
    let mut rng = Rng::new(4);
    for tick in 0..150 {
        let actions = if tick % 20 == 5 {
            vec![Action::Fire]
        } else {
            Vec::new()
        };
        let command = Command {
            walk: [0.0, 0.0, if tick > 60 { 1.0 } else { 0.0 }],
            yaw: if tick % 7 == 0 {
                rng.range(-3.0, 3.0)
            } else {
                sim.player.yaw
            },
            actions,
            ..sim.idle()
        };
        recorder
            .command(&mut out, sim.tick, &command)
            .expect("a Vec takes all");
        sim.step(&command, &mut Silent);
        recorder.stepped(&mut out, &sim).expect("a Vec takes all");
    }
    recorder.end(&mut out, &sim).expect("a Vec takes all");
    let mut recording = recording::Recording::read(&out).expect("just written");
    assert_eq!((recording.ticks, recording.hashes.len()), (150, 3));
    assert!(recording.warnings.is_empty(), "{:?}", recording.warnings);
    let play = |recording: &recording::Recording| {
        let mut again = open(&map);
        let difference = replay::play(recording, &mut again, &mut Silent, &mut |_, _| true);
        (difference, again.state_hash())
    };
    assert_eq!(play(&recording), (None, sim.state_hash()));
    recording.commands.retain(|(tick, _)| *tick != 65);
    let (difference, _) = play(&recording);
    assert_eq!(difference.map(|d| d.tick), Some(120));
}

#[test]
fn a_solid_start_is_skipped_with_a_warning_and_no_start_hovers_where_there_is_room() {
    let map = hall(&[]);
    let buried = map.replace("64 0 24", "64 0 -32");
    let sim = open(&buried);
    assert!(!sim.player.walking);
    assert!(
        sim.level
            .warnings
            .iter()
            .any(|warning| warning.text.contains("inside solid"))
    );
    let sim = open(
        map.split("{\n\"classname\" \"info_player_start\"")
            .next()
            .expect("the world"),
    );
    let near = nearest_surface(&sim.world, sim.player.eye, 20.0, &mut QueryStats::default());
    assert!(
        near.is_some_and(|near| near.distance > 3.0),
        "{}",
        sim.player.eye
    );
}

/// One tick with these actions.
fn act(sim: &mut Sim, actions: Vec<Action>) -> StepReport {
    let command = Command {
        actions,
        ..sim.idle()
    };
    sim.step(&command, &mut Silent)
}

#[test]
fn a_thousand_carves_undone_and_redone_give_the_same_hashes() {
    let mut sim = open(&hall(&[[[512, -128, 0], [576, 128, 192]]]));
    sim.settings.debris = false;
    sim.settings.blast_radius = 0.5;
    let mut rng = Rng::new(9);
    let mut hashes = vec![sim.world.hash()];
    let mut changed = 0;
    while sim.history.undo_steps() < 1000 {
        let shot = soak_command(&sim, &mut rng);
        let steps = sim.history.undo_steps();
        let report = sim.step(&shot, &mut Silent);
        if sim.history.undo_steps() == steps {
            continue;
        }
        hashes.push(sim.world.hash());
        let faces = report
            .carves
            .iter()
            .flat_map(|c| &c.result)
            .map(|r| r.faces);
        changed += faces.sum::<u32>() as usize;
    }
    // A step keeps the faces that went, not the level: on average a face's outline and triangles.
    let bytes = sim.history.bytes();
    assert!(bytes <= changed * 1024, "{bytes} bytes for {changed} faces");
    let (since, rooms) = (sim.level.since.len(), sim.world.room_count());
    assert_eq!(since, 1000);
    for i in (0..1000).rev() {
        let report = act(&mut sim, vec![Action::Undo]);
        assert_eq!(sim.world.hash(), hashes[i], "undo of carve {i}");
        assert!(report.reverted[0].report.watertight && !report.reverted[0].redo);
        assert_eq!((sim.level.since.len(), sim.history.undo_steps()), (i, i));
    }
    assert_eq!(sim.world.validate(), Ok(()));
    assert_eq!(
        act(&mut sim, vec![Action::Undo]).notices,
        ["there is nothing to undo"]
    );
    for (i, hash) in hashes.iter().enumerate().skip(1) {
        act(&mut sim, vec![Action::Redo]);
        assert_eq!(sim.world.hash(), *hash, "redo of carve {i}");
    }
    assert_eq!(sim.world.validate(), Ok(()));
    assert_eq!(
        (sim.level.since.len(), sim.world.room_count()),
        (since, rooms)
    );
    assert_eq!(
        act(&mut sim, vec![Action::Redo]).notices,
        ["there is nothing to redo"]
    );
    // What is saved is what stands.
    act(&mut sim, vec![Action::Undo; 400]);
    let again = open(&String::from_utf8(crate::level::write_map(&sim.level)).expect("ASCII"));
    assert_eq!(again.world.hash(), sim.world.hash());
}

#[test]
fn undo_takes_a_changes_crumbs_along_and_redo_brings_them_back() {
    let mut sim = open(&hall(&[]));
    let east = Action::FireAlong {
        from: [20.0, 2.0, 0.0],
        dir: [1.0, 0.0, 0.0],
    };
    let west = Action::FireAlong {
        from: [20.0, 2.0, 0.0],
        dir: [-1.0, 0.0, 0.0],
    };
    act(&mut sim, vec![east]);
    let first = sim.bodies.len();
    act(&mut sim, vec![west.clone()]);
    let both = sim.bodies.len();
    assert!(0 < first && first < both);
    let idle = sim.idle();
    run(&mut sim, 20, &idle);
    act(&mut sim, vec![Action::Undo]);
    assert_eq!(sim.bodies.len(), first);
    act(&mut sim, vec![Action::Undo]);
    assert_eq!(sim.bodies.len(), 0);
    act(&mut sim, vec![Action::Redo]);
    assert_eq!(sim.bodies.len(), first);
    run(&mut sim, 20, &idle);
    act(&mut sim, vec![Action::Redo]);
    assert_eq!(sim.bodies.len(), both);
    run(&mut sim, 20, &idle);
    // A new change and there is nothing to redo.
    act(&mut sim, vec![Action::Undo, west, Action::Redo]);
    assert_eq!((sim.history.undo_steps(), sim.history.redo_steps()), (2, 0));
    run(&mut sim, 20, &idle);
}

#[test]
fn what_is_in_rock_after_an_undo_moves_into_the_nearest_air() {
    let mut sim = open(&hall(&[]));
    let idle = sim.idle();
    run(&mut sim, 30, &idle);
    // A tunnel west of the start, dug in three steps; the player walks into it and crumbs lie about.
    let dig = |sim: &mut Sim| {
        let command = Command {
            yaw: std::f64::consts::FRAC_PI_2,
            actions: vec![Action::Tool {
                fill: false,
                tool: Tool {
                    size: 3.0,
                    depth: 1.5,
                    ..Tool::default()
                },
            }],
            ..sim.idle()
        };
        sim.step(&command, &mut Silent)
    };
    for _ in 0..3 {
        let report = dig(&mut sim);
        assert!(report.carves[0].result.is_ok());
    }
    let walk = Command {
        yaw: std::f64::consts::FRAC_PI_2,
        walk: [0.0, 0.0, 1.0],
        ..sim.idle()
    };
    run(&mut sim, 200, &walk);
    let inside = sim.player.eye;
    assert!(inside.x < -2.0, "{inside}");
    for _ in 0..3 {
        act(&mut sim, vec![Action::Undo]);
        assert_eq!(sim.escaped(), 0);
        run(&mut sim, 1, &idle);
    }
    assert!(
        sim.player.walking && sim.player.eye.x > 0.3,
        "{}",
        sim.player.eye
    );
    assert!(
        sim.player.eye.x < 1.5,
        "not the nearest: {}",
        sim.player.eye
    );
    run(&mut sim, 60, &idle);
    for _ in 0..3 {
        act(&mut sim, vec![Action::Redo]);
    }
    run(&mut sim, 60, &idle);
}

#[test]
fn a_replay_holds_with_undo_and_redo_in_it() {
    let map = hall(&[[[512, -128, 0], [576, 128, 192]]]);
    let mut sim = open(&map);
    let mut out = Vec::new();
    let mut recorder = recorded(&map, &sim, &mut out);
    let mut rng = Rng::new(8);
    for _ in 0..400 {
        let mut actions = soak_command(&sim, &mut rng).actions;
        match rng.below(8) {
            0 | 1 => actions.push(Action::Undo),
            2 => actions.insert(0, Action::Undo),
            3 => actions = vec![Action::Redo, Action::Fire],
            4 => actions = vec![Action::Undo, Action::Undo, Action::Redo],
            5 => actions.clear(),
            _ => {}
        }
        let command = Command {
            walk: [0.0, 0.0, 1.0],
            yaw: rng.range(-3.0, 3.0),
            actions,
            ..sim.idle()
        };
        recorder
            .command(&mut out, sim.tick, &command)
            .expect("a Vec takes all");
        run(&mut sim, 1, &command);
        recorder.stepped(&mut out, &sim).expect("a Vec takes all");
    }
    recorder.end(&mut out, &sim).expect("a Vec takes all");
    let recording = recording::Recording::read(&out).expect("just written");
    let mut again = open(&map);
    let difference = replay::play(&recording, &mut again, &mut Silent, &mut |_, _| true);
    assert_eq!((difference, again.state_hash()), (None, sim.state_hash()));
    assert!(sim.history.undo_steps() > 20);
}
