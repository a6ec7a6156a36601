//! Grenades, drills, balls and falling rockets, against what a textbook says; chunks that are shot at.
use super::*;
use crate::collide::Layer;
use crate::debris::chunk::bounds_of;
use crate::debris::{Ball, Chunk, Law};
use crate::sim::shot::{BALL_RADIUS, BALL_SPEED};
use glam::DQuat;
use std::sync::Arc;

fn with(sim: &mut Sim, change: impl FnOnce(&mut Settings)) {
    change(&mut sim.settings);
    sim.settings = sim.settings.within_limits();
}

fn shoot(sim: &mut Sim, shot: Shot) -> StepReport {
    let command = Command {
        actions: vec![Action::Shoot(shot)],
        ..sim.idle()
    };
    let text = serde_json::to_string(&command).expect("numbers");
    assert_eq!(
        serde_json::from_str::<Command>(&text).expect(&text),
        command
    );
    sim.step(&command, &mut Silent)
}

fn grenade(at: DVec3, velocity: DVec3) -> Grenade {
    Grenade {
        position: at,
        previous: at,
        velocity,
        age: 0,
        path: 0.0,
        blast_radius: None,
    }
}

#[test]
fn a_grenade_bounces_to_the_square_of_its_restitution_each_time() {
    for bounce in [0.3, 0.5, 0.8] {
        for (drop, sideways) in [(1.3, 0.0), (4.0, 0.0), (6.0, 3.0)] {
            let mut sim = open(&hall(&[]));
            with(&mut sim, |s| {
                s.shots.bounce = bounce;
                s.shots.fuse_secs = 20.0;
            });
            let start = DVec3::new(5.0, drop + 0.06, 0.0);
            sim.grenades.push(grenade(start, DVec3::X * sideways));
            let idle = sim.idle();
            let (mut bounces, mut was_down) = (0, true);
            for _ in 0..600 {
                sim.step(&idle, &mut Silent);
                let g = &sim.grenades[0];
                let is_down = g.velocity.y < 0.0;
                if was_down && !is_down && g.velocity.y > 0.3 {
                    bounces += 1;
                    // The top of the parabola that it is on.
                    let top = g.position.y + g.velocity.y.powi(2) / (2.0 * 9.81) - 0.06;
                    let expected = drop * bounce.powi(2 * bounces);
                    assert!(
                        (top - expected).abs() < 1e-4 * drop,
                        "bounce {bounces}, e {bounce}, from {drop}: {top}, not {expected}"
                    );
                }
                was_down = is_down;
            }
            assert!(bounces >= 2, "{bounces}");
            let g = &sim.grenades[0];
            assert!(g.velocity.length() < 1e-6, "at rest: {}", g.velocity);
            assert!((g.position.y - 0.06).abs() < 1e-3, "{}", g.position);
        }
    }
}

#[test]
fn a_thrown_grenade_explodes_when_its_fuse_ends_and_never_leaves_the_air() {
    let mut sim = open(&hall(&[[[256, -100, 0], [300, 100, 90]]]));
    with(&mut sim, |s| s.shots.fuse_secs = 1.5);
    shoot(&mut sim, Shot::Grenade);
    assert_eq!((sim.grenades.len(), sim.rockets.len()), (1, 0));
    let idle = sim.idle();
    for tick in 1..=90 {
        assert_eq!(sim.grenades.len(), 1, "tick {tick}");
        let at = sim.grenades[0].position;
        assert!(sim.world.locate(at).is_some(), "{at}");
        let report = sim.step(&idle, &mut Silent);
        assert_eq!(report.carves.len(), usize::from(tick == 90), "tick {tick}");
    }
    assert!(sim.grenades.is_empty());
    assert_eq!((sim.explosions.len(), sim.level.since.len()), (1, 1));
}

#[test]
fn a_grenade_bounces_off_a_chunk_where_the_layers_say_so() {
    for meets in [true, false] {
        let mut sim = open(&hall(&[]));
        with(&mut sim, |s| {
            s.gravity = 0.0;
            s.layers.set(Layer::Rocket, Layer::Chunk, meets);
        });
        let at = DVec3::new(10.0, 4.0, 0.0);
        let mut target = block(at, 1.0, 0);
        target.asleep = true;
        sim.bodies.change(|bodies| bodies.push(target));
        sim.grenades
            .push(grenade(at - DVec3::X * 3.0, DVec3::X * 8.0));
        let idle = sim.idle();
        run(&mut sim, 60, &idle);
        let back = sim.grenades[0].velocity.x < 0.0;
        assert_eq!(back, meets, "{:?}", sim.grenades[0]);
    }
}

#[test]
fn a_rocket_that_falls_follows_its_parabola() {
    let mut sim = open(&hall(&[]));
    with(&mut sim, |s| s.shots.rocket_falls = true);
    let start = DVec3::new(3.0, 6.0, 0.0);
    let velocity = DVec3::new(20.0, 3.0, 1.0);
    sim.rockets.push(Rocket {
        position: start,
        previous: start,
        velocity,
        age: 0,
        blast_radius: None,
    });
    let idle = sim.idle();
    for tick in 1..=60 {
        sim.step(&idle, &mut Silent);
        let t = f64::from(tick) * TICK_SECS;
        let expected = start + velocity * t - DVec3::Y * (0.5 * 9.81 * t * t);
        assert!(sim.rockets[0].position.distance(expected) < 1e-9);
    }
}

/// Area of the drill's outline, a polygon of 16 corners, as a part of the square of its radius.
fn outline_area() -> f64 {
    let quarter = [[13.0, 0.0], [12.0, 5.0], [9.0, 9.0], [5.0, 12.0]];
    let turn = |[x, y]: [f64; 2]| [-y, x];
    let mut corners = quarter.to_vec();
    for i in 0..12 {
        corners.push(turn(corners[i]));
    }
    let twice: f64 = (0..16)
        .map(|i| {
            let ([x, y], [u, v]) = (corners[i], corners[(i + 1) % 16]);
            x * v - y * u
        })
        .sum();
    twice * 0.5 / 169.0
}

#[test]
fn a_drilled_hole_has_the_volume_of_its_prism() {
    // Deeper than one piece of the row, and not a whole number of them.
    for (radius, depth) in [(0.25, 4.0), (0.5, 0.75), (0.125, 7.0), (1.0, 3.0)] {
        let mut sim = open(&hall(&[]));
        with(&mut sim, |s| {
            s.shots.drill_radius = radius;
            s.shots.drill_depth = depth;
            s.debris = false;
        });
        let report = shoot(&mut sim, Shot::Drill);
        let carve = report.carves[0].result.as_ref().expect("a wall");
        // Edges of the outline are whole grid steps.
        let made = (radius * 16384.0 / 13.0).round() * 13.0 / 16384.0;
        let expected = outline_area() * made * made * depth;
        let off = (carve.volume_m3 / expected - 1.0).abs();
        assert!(
            off < 1e-6,
            "{radius} {depth}: {} {expected}",
            carve.volume_m3
        );
        assert!(carve.watertight);
        sim.world.validate().expect("sound");
        // The crosshair sees to the end of it, and to nothing behind.
        let eye = sim.player.eye;
        let to = eye + DVec3::X * 100.0;
        let hit = sim.world.cast_ray(eye, to, &mut QueryStats::default());
        let end = hit.expect("its end").point.x;
        assert!((end - 40.0 - depth).abs() < 1e-3, "{end}");
        // One change: one undo fills it.
        sim.step(
            &Command {
                actions: vec![Action::Undo],
                ..sim.idle()
            },
            &mut Silent,
        );
        let hit = sim.world.cast_ray(eye, to, &mut QueryStats::default());
        assert!((hit.expect("the wall").point.x - 40.0).abs() < 1e-9);
    }
}

#[test]
fn a_slanting_drill_opens_a_way_through_a_wall() {
    let mut sim = open(&hall(&[[[320, -256, 0], [352, 200, 256]]]));
    let mut command = Command {
        yaw: sim.player.yaw + 0.6,
        pitch: 0.1,
        ..Command::default()
    };
    sim.step(&command, &mut Silent);
    let (eye, dir) = (sim.player.eye, sim.look_dir());
    let far = eye + dir * 13.0;
    assert!(
        sim.world
            .cast_ray(eye, far, &mut QueryStats::default())
            .is_some()
    );
    command.actions = vec![Action::Shoot(Shot::Drill)];
    let report = sim.step(&command, &mut Silent);
    assert!(report.carves[0].result.is_ok(), "{report:?}");
    // All around the axis: nothing is left standing in the mouth.
    let (u, v) = dir.any_orthonormal_pair();
    for i in 0..16 {
        let (sin, cos) = libm::sincos(f64::from(i) * 0.39);
        let beside = (u * cos + v * sin) * 0.22;
        let hit = sim
            .world
            .cast_ray(eye + beside, far + beside, &mut QueryStats::default());
        assert!(hit.is_none(), "{hit:?}");
    }
    sim.world.validate().expect("sound");
}

/// A cube of this edge as a chunk of one material.
fn block(at: DVec3, edge: f64, material: u32) -> Body {
    let island = block_of(DVec3::splat(edge), material).expect("a solid");
    let mut body = Body::from_island(&island).expect("a chunk");
    body.teleport(at);
    body
}

fn chunk_volume(sim: &Sim) -> f64 {
    let chunks = sim.bodies.iter().filter_map(|body| body.chunk.as_ref());
    chunks.map(|chunk| chunk.volume_m3).sum()
}

#[test]
fn the_block_has_its_volume() {
    let body = block(DVec3::ZERO, 1.5, 0);
    assert!((body.chunk.expect("a chunk").volume_m3 - 1.5f64.powi(3)).abs() < 1e-9);
}

/// What is left of a cube of 1.5 m that a rocket of this radius hits, in a hall of this hardness.
fn left_of_a_block(hardness: &str, radius: f64) -> f64 {
    let key = format!("\"worldspawn\"\n\"breach_hardness\" \"{hardness}\"\n");
    let mut sim = open(&hall(&[]).replacen("\"worldspawn\"\n", &key, 1));
    with(&mut sim, |s| {
        s.gravity = 0.0;
        s.blast_radius = radius;
        s.debris = false;
    });
    let target = block(sim.player.eye + DVec3::X * 6.0, 1.5, 0);
    sim.bodies.change(|bodies| bodies.push(target));
    let fire = Command {
        actions: vec![Action::Fire],
        ..sim.idle()
    };
    sim.step(&fire, &mut Silent);
    let idle = sim.idle();
    run(&mut sim, 20, &idle);
    assert_eq!(sim.explosions.len(), 1);
    chunk_volume(&sim)
}

#[test]
fn the_hardness_of_the_face_that_is_hit_divides_the_radius_on_a_chunk_too() {
    let whole = 1.5f64.powi(3);
    let soft = whole - left_of_a_block("1", 1.2);
    let hard = whole - left_of_a_block("4", 1.2);
    let small = whole - left_of_a_block("1", 0.3);
    assert!(soft > 0.3 && hard > 1e-3, "{soft} {hard}");
    assert!((hard - small).abs() < 1e-9, "{hard} {small}");
}

#[test]
fn a_chunk_shows_in_a_hole_what_it_is_made_of_and_the_wall_beside_it_too() {
    // The rocket hits the chunk, in the air or before a wall, or the wall beside it.
    for (away, aside, radius) in [(6.0, 0.0, 0.6), (36.6, 0.0, 2.8), (36.6, 2.0, 2.0)] {
        let mut sim = open(&hall(&[]));
        with(&mut sim, |s| {
            s.gravity = 0.0;
            s.blast_radius = radius;
        });
        let wood = crate::world::Material {
            texture: "wood".into(),
            ..sim.world.materials[0].clone()
        };
        Arc::make_mut(&mut sim.world.materials).push(wood);
        sim.level.world.materials = sim.world.materials.to_vec();
        let material = sim.world.materials.len() as u32 - 1;
        let at = sim.player.eye + DVec3::new(away, 0.0, aside);
        let target = block(at, 2.6, material);
        sim.bodies.change(|bodies| bodies.push(target));
        let fire = Command {
            actions: vec![Action::Fire],
            ..sim.idle()
        };
        sim.step(&fire, &mut Silent);
        let idle = sim.idle();
        run(&mut sim, 60, &idle);
        let materials = &sim.world.materials;
        let inside = |face: &crate::world::FaceView| {
            let material = materials.get(face.material as usize)?;
            material.inner.then(|| material.texture.clone())
        };
        let chunks = sim.bodies.iter().filter_map(|body| body.chunk.as_ref());
        let of_chunks: Vec<String> = chunks
            .flat_map(|c| c.faces.iter().filter_map(inside))
            .collect();
        let rooms = (0..sim.world.room_count() as u32).map(|id| sim.world.room(id));
        let of_walls: Vec<String> = rooms
            .flat_map(|r| r.faces.iter().filter_map(inside))
            .collect();
        let case = format!("{away} {aside}: {of_chunks:?} {of_walls:?}");
        assert!(
            !of_chunks.is_empty() && of_chunks.iter().all(|t| t == "wood"),
            "{case}"
        );
        assert!(
            of_walls.is_empty() == (away < 10.0) && !of_walls.contains(&"wood".into()),
            "{case}"
        );
    }
}

#[test]
fn a_drill_bores_a_chunk_as_it_bores_a_wall() {
    for meets in [true, false] {
        let mut sim = open(&hall(&[]));
        with(&mut sim, |s| {
            s.gravity = 0.0;
            s.debris = false;
            s.shots.drill_depth = 3.0;
            s.layers.set(Layer::Rocket, Layer::Chunk, meets);
        });
        let whole = 2.0f64.powi(3);
        let target = block(sim.player.eye + DVec3::X * 6.0, 2.0, 0);
        sim.bodies.change(|bodies| bodies.push(target));
        shoot(&mut sim, Shot::Drill);
        let made = (0.25f64 * 16384.0 / 13.0).round() * 13.0 / 16384.0;
        let hole = outline_area() * made * made * 2.0;
        let lost = whole - chunk_volume(&sim);
        let expected = if meets { hole } else { 0.0 };
        assert!((lost - expected).abs() < 1e-3 * hole, "{lost} {expected}");
    }
}

#[test]
fn a_ball_hands_its_momentum_to_a_chunk() {
    for (ball_mass, chunk_mass) in [(400.0, 400.0), (400.0, 50.0), (1000.0, 9000.0)] {
        let mut sim = open(&hall(&[]));
        with(&mut sim, |s| {
            s.gravity = 0.0;
            s.shots.ball_mass = ball_mass;
        });
        let ball = Ball {
            centre: DVec3::ZERO,
            radius: 0.4,
        };
        let chunk = Chunk {
            bounds: bounds_of(&[ball]),
            balls: vec![ball],
            hull: None,
            mass: chunk_mass,
            moments: DVec3::splat(chunk_mass * 0.1),
            radius: 0.4,
            volume_m3: 0.3,
            uncovered: 0.0,
            mesh: Default::default(),
            faces: Default::default(),
            home: (DVec3::ZERO, DQuat::IDENTITY),
            exact: None,
        };
        let at = sim.player.eye + DVec3::X * 6.0;
        let target = Body::from_chunk(at, DQuat::IDENTITY, Arc::new(chunk), 0);
        sim.bodies.change(|bodies| bodies.push(target));
        shoot(&mut sim, Shot::Ball);
        assert_eq!(sim.bodies.len(), 2);
        assert!((sim.bodies[1].mass() - ball_mass).abs() < 1e-9 * ball_mass);
        assert_eq!(sim.bodies[1].radius, BALL_RADIUS);
        let idle = sim.idle();
        run(&mut sim, 15, &idle);
        // Head on: v1' = (m - e M) v / (m + M), v2' = (1 + e) m v / (m + M).
        let (m, big, v) = (ball_mass, chunk_mass, BALL_SPEED);
        let e = Law::default().restitution;
        let expected = [(1.0 + e) * m * v / (m + big), (m - e * big) * v / (m + big)];
        for (body, expected) in sim.bodies.iter().zip(expected) {
            let off = body.velocity.distance(DVec3::X * expected);
            assert!(off < 1e-6 * v, "{} instead of {expected}", body.velocity);
        }
        let carves = sim.level.since.len();
        assert_eq!(carves, 0, "a ball breaks nothing");
    }
}

#[test]
fn a_ball_thrown_at_a_wall_at_arms_length_stays_in_the_air() {
    let mut sim = open(&hall(&[[[80, -256, 0], [96, 200, 256]]]));
    for _ in 0..12 {
        shoot(&mut sim, Shot::Ball);
        let idle = sim.idle();
        run(&mut sim, 5, &idle);
        assert_eq!(sim.escaped(), 0);
    }
}

#[test]
fn the_kill_plane_takes_grenades_and_balls() {
    let mut sim = open(&hall(&[]));
    let under = DVec3::Y * (kill_plane::kill_plane(&sim).offset - 1.0);
    sim.grenades.push(grenade(under, DVec3::ZERO));
    sim.bodies
        .change(|bodies| bodies.push(Body::iron(under, BALL_RADIUS, 100.0)));
    let idle = sim.idle();
    sim.step(&idle, &mut Silent);
    assert!(sim.grenades.is_empty() && sim.bodies.is_empty());
}

#[test]
fn nothing_is_shot_inside_rock() {
    let mut sim = open(&hall(&[]));
    sim.player.no_clip = true;
    sim.player.eye.y = -1.0;
    for shot in Shot::ALL {
        let report = shoot(&mut sim, shot);
        assert_eq!(report.misses, ["shots cannot fly inside rock"], "{shot:?}");
        assert!(sim.bodies.is_empty() && report.carves.is_empty());
    }
    assert!(sim.rockets.is_empty() && sim.grenades.is_empty());
}

#[test]
fn a_charged_shot_explodes_with_its_own_radius_and_the_next_one_as_the_settings_say() {
    for shot in [Shot::Rocket, Shot::Grenade] {
        let mut sim = open(&hall(&[]));
        let settings = sim.settings.clone();
        for (action, expected) in [
            (Action::Charged { shot, radius: 2.5 }, 2.5),
            (Action::Shoot(shot), settings.blast_radius),
            // Out of range comes within it.
            (Action::Charged { shot, radius: 0.0 }, 0.02),
        ] {
            let command = Command {
                actions: vec![action],
                ..sim.idle()
            };
            let mut report = sim.step(&command, &mut Silent);
            while report.carves.is_empty() && sim.tick < 2000 {
                report = sim.step(&sim.idle(), &mut Silent);
            }
            assert_eq!(report.carves[0].radius, expected, "{shot:?}");
        }
        assert_eq!(sim.settings, settings);
    }
}

#[test]
fn a_charge_on_its_way_is_part_of_the_state() {
    for shot in [Shot::Rocket, Shot::Grenade] {
        let hash = |radius: f64| {
            let mut sim = open(&hall(&[]));
            let command = Command {
                actions: vec![Action::Charged { shot, radius }],
                ..sim.idle()
            };
            sim.step(&command, &mut Silent);
            sim.state_hash()
        };
        assert_ne!(hash(1.0), hash(1.5));
    }
}

#[test]
fn shots_and_crouching_are_recorded_and_played_again() {
    let map = hall(&[[[512, -128, 0], [576, 128, 192]]]);
    let mut sim = open(&map);
    let mut bytes = Vec::new();
    let source = recording::LevelSource::embed(map.as_bytes());
    let mut recorder =
        recording::Recorder::start(&mut bytes, &source, 1, &sim.settings).expect("memory takes it");
    let mut rng = Rng::new(3);
    for tick in 0..240u64 {
        let shot = Shot::ALL[(tick / 9) as usize % 4];
        let command = Command {
            yaw: sim.player.yaw + rng.range(-0.2, 0.2),
            crouch: tick % 50 < 25,
            walk: [0.0, 0.0, 1.0],
            actions: match tick % 9 {
                0 if tick % 2 == 0 => vec![Action::Shoot(shot)],
                0 => vec![Action::Charged { shot, radius: 0.4 }],
                _ => vec![],
            },
            ..Command::default()
        };
        recorder
            .command(&mut bytes, sim.tick, &command)
            .expect("memory takes it");
        sim.step(&command, &mut Silent);
        recorder.stepped(&mut bytes, &sim).expect("memory takes it");
    }
    let hash = sim.state_hash();
    recorder.end(&mut bytes, &sim).expect("memory takes it");
    let recording = recording::Recording::read(&bytes).expect("just written");
    assert_eq!(recording.warnings, Vec::<String>::new());
    let mut again = open(&map);
    let differs = replay::play(&recording, &mut again, &mut Silent, &mut |_, _| true);
    assert_eq!((differs, again.state_hash()), (None, hash));
}
