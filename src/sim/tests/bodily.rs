//! The player's body: crouching, holes that just fit, seams, ledges, crumbs and chunks in the way.
use super::*;
use crate::debris::chunk::bounds_of;
use crate::debris::{Ball, Chunk};
use crate::sim::player::{CROUCHED_EYE_HEIGHT, CROUCHING, EYE_HEIGHT, SphereStack};
use glam::DQuat;
use std::sync::Arc;

/// Grid steps in a `.map` unit.
const STEPS: f64 = 512.0;

fn hall_with(brushes: &str) -> String {
    hall(&[]).replacen("}\n}\n", &format!("}}\n{brushes}}}\n"), 1)
}

/// Walks east until it is past x or nothing moves; the soles at the end.
fn walk_east(sim: &mut Sim, command: &Command, ticks: u32) -> DVec3 {
    run(sim, ticks, command);
    sim.player.feet
}

#[test]
fn a_player_crouches_under_a_beam_and_stands_up_behind_it() {
    // 40 units from the floor; the body is 56 high, crouching 36.
    let map = hall(&[[[512, -256, 40], [640, 256, 256]]]);
    let mut sim = open(&map);
    let upright = east(&sim);
    let stopped = walk_east(&mut sim, &upright, 300);
    assert!(stopped.x < 16.0 - STANDING.radius, "{stopped}");
    let bent = Command {
        crouch: true,
        ..upright.clone()
    };
    run(&mut sim, 30, &bent);
    assert!(sim.player.crouched);
    let below = sim.player.eye.y - sim.player.feet.y;
    assert!((below - CROUCHED_EYE_HEIGHT).abs() < 0.05, "{below}");
    run(&mut sim, 40, &bent);
    let under = sim.player.feet;
    assert!((16.5..19.5).contains(&under.x), "{under}");
    // There is no room to stand here.
    run(&mut sim, 20, &upright);
    assert!(sim.player.crouched, "{}", sim.player.feet);
    run(&mut sim, 140, &upright);
    assert!(sim.player.feet.x > 21.0 && !sim.player.crouched);
    let above = sim.player.eye.y - sim.player.feet.y;
    assert!((above - EYE_HEIGHT).abs() < 0.05, "{above}");
}

#[test]
fn a_crouching_player_is_slower() {
    let far = |crouch: bool| {
        let mut sim = open(&hall(&[]));
        let command = Command {
            crouch,
            ..east(&sim)
        };
        walk_east(&mut sim, &command, 120).x
    };
    let (upright, bent) = (far(false) - 2.0, far(true) - 2.0);
    assert!((bent / upright - 0.5).abs() < 0.05, "{upright} {bent}");
}

/// A wall across the hall, 1 m thick, 16 m east, with a hole of these grid steps whose middle the player walks at, or
/// `aside` units beside it.
fn hall_with_hole(wide: i64, high: i64, aside: f64) -> String {
    let west = -(wide / 2) as f64 / STEPS + aside;
    let east = west + wide as f64 / STEPS;
    let top = high as f64 / STEPS;
    let (x0, x1) = (512.0, 544.0);
    let wall = [
        brush([x0, -256.0, 0.0], [x1, west, 256.0], "brick"),
        brush([x0, east, 0.0], [x1, 256.0, 256.0], "brick"),
        brush([x0, west, top], [x1, east, 256.0], "brick"),
    ];
    hall_with(&wall.concat())
}

#[test]
fn a_hole_lets_the_body_through_exactly_when_it_fits() {
    let steps = |metres: f64| metres * STEPS * 32.0;
    let tall = |shape: SphereStack| shape.heights[shape.heights.len() - 1] + shape.radius;
    // The least whole number of steps that is no less than the body, and one less.
    let width = steps(STANDING.radius * 2.0).ceil() as i64;
    for crouch in [false, true] {
        let shape = if crouch { CROUCHING } else { STANDING };
        let height = steps(tall(shape)).round() as i64;
        assert_eq!(height as f64, steps(tall(shape)), "a whole number of units");
        for (wide, high, aside, passes) in [
            (width, height + 1, 0.0, true),
            (width - 1, height + 1, 0.0, false),
            (width, height - 1, 0.0, false),
            (width + 64, height + 1, 0.0, true),
            // Beside the middle it is led in by the edges.
            (width, height + 1, 3.0, true),
            (width - 1, height + 1, 3.0, false),
            (width + 1, height + 1, -7.0, true),
        ] {
            let mut sim = open(&hall_with_hole(wide, high, aside));
            let command = Command {
                crouch,
                ..east(&sim)
            };
            let ticks = if crouch { 560 } else { 300 };
            let feet = walk_east(&mut sim, &command, ticks);
            assert_eq!(
                feet.x > 17.5,
                passes,
                "{wide} of {width} wide, {high} of {height} high, {aside} aside, crouched {crouch}: {feet}"
            );
        }
    }
}

#[test]
fn nothing_is_felt_of_the_seams_of_a_floor_and_of_a_wall() {
    let mut tiles = String::new();
    for i in 0..60 {
        for j in 0..16 {
            let texture = ["brick", "stone", "metal"][(i * 7 + j * 3) % 3];
            let (x, y) = (256.0 + 16.0 * i as f64, -256.0 + 32.0 * j as f64);
            tiles += &brush([x, y, 0.0], [x + 16.0, y + 32.0, 8.0], texture);
        }
    }
    // A wall of blocks along the way, 24 units beside it.
    for i in 0..60 {
        let texture = ["brick", "stone"][i % 2];
        let x = 256.0 + 16.0 * i as f64;
        tiles += &brush([x, 24.0, 8.0], [x + 16.0, 64.0, 200.0], texture);
    }
    let mut sim = open(&hall_with(&tiles));
    let idle = sim.idle();
    run(&mut sim, 30, &idle);
    let ahead = east(&sim);
    run(&mut sim, 80, &ahead);
    let floor = sim.player.feet.y;
    assert!((floor - 0.25).abs() < 0.05, "{floor}");
    // Slanting into the wall on the left: -Z is +y of the file.
    let along = Command {
        yaw: sim.player.yaw + 0.5,
        ..ahead
    };
    run(&mut sim, 40, &along);
    let mut before = sim.player.feet;
    let mut speeds = Vec::new();
    for _ in 0..200 {
        run(&mut sim, 1, &along);
        let feet = sim.player.feet;
        assert!((feet.y - floor).abs() < 1e-6, "a bump at {feet}");
        assert!(sim.player.on_ground);
        speeds.push((feet.x - before.x) / TICK_SECS);
        before = feet;
    }
    let gap = 0.75 + sim.player.feet.z - STANDING.radius;
    assert!((-1e-6..0.05).contains(&gap), "along the wall: {gap}");
    let (slow, fast) = speeds
        .iter()
        .fold((f64::MAX, 0.0f64), |(a, b), v| (a.min(*v), b.max(*v)));
    assert!(slow > 4.0 && fast - slow < 0.01, "{slow} to {fast}");
}

#[test]
fn a_ledge_is_left_without_a_step_on_air() {
    // A platform 4 m high from the western end to x = 20 m; the start is on it.
    let map = hall(&[[[0, -256, 0], [640, 256, 128]]]).replace("64 0 24", "400 0 152");
    let mut sim = open(&map);
    let walk = east(&sim);
    let mut flew = 0;
    for _ in 0..200 {
        let before = sim.player.feet;
        run(&mut sim, 1, &walk);
        let feet = sim.player.feet;
        let beyond = feet.x - 20.0;
        if sim.player.on_ground {
            let on_top = feet.y > 4.0 - STANDING.radius && beyond < STANDING.radius;
            assert!(on_top || feet.y < 0.05, "stands on air at {feet}");
        } else if feet.y > 0.05 {
            flew += 1;
            assert!(feet.y <= before.y, "{before} {feet}");
        }
    }
    // 4 m take 0.9 s.
    assert!((40..60).contains(&flew), "{flew}");
    assert!(sim.player.on_ground && sim.player.feet.y < 0.05);
    let idle = sim.idle();
    run(&mut sim, 90, &idle);
    assert!(sim.is_still(), "the eye comes to rest");
}

#[test]
fn crumbs_are_pushed_aside_and_hold_nobody_up() {
    let crossing = |crumbs: bool| {
        let mut sim = open(&hall(&[]));
        let idle = sim.idle();
        run(&mut sim, 30, &idle);
        let mut rng = Rng::new(4);
        if crumbs {
            let heap = (0..120).map(|_| {
                let at = DVec3::new(rng.range(8.0, 12.0), 0.2, rng.range(-1.0, 1.0));
                Body::new(at, rng.range(0.04, 0.12), 0)
            });
            let heap: Vec<Body> = heap.collect();
            sim.bodies.change(|bodies| bodies.extend(heap));
        }
        run(&mut sim, 120, &idle);
        let walk = east(&sim);
        let feet = walk_east(&mut sim, &walk, 120);
        let in_the_way =
            |b: &&Body| b.position.z.abs() < 0.2 && (8.5..11.5).contains(&b.position.x);
        (feet, sim.bodies.iter().filter(in_the_way).count())
    };
    let ((free, _), (held, left)) = (crossing(false), crossing(true));
    assert!(free.x - held.x < 0.3, "{free} {held}");
    assert!(held.y < 0.3, "{held}");
    assert!(left < 8, "{left} still lie in the way");
}

#[test]
fn what_lies_at_the_feet_of_a_player_who_stands_falls_asleep_and_is_kicked_when_he_walks() {
    let mut touched = 0;
    for seed in 0..30 {
        let mut sim = open(&hall(&[]));
        let idle = sim.idle();
        run(&mut sim, 30, &idle);
        let mut rng = Rng::new(seed);
        let feet = sim.player.feet;
        let heap = (0..20).map(|_| {
            let aside = DVec3::new(rng.range(-0.7, 0.7), 0.0, rng.range(-0.7, 0.7));
            let at = feet + aside + DVec3::Y * rng.range(0.3, 2.0);
            Body::new(at, rng.range(0.03, 0.2), 0)
        });
        let heap: Vec<Body> = heap.collect();
        sim.bodies.change(|bodies| bodies.extend(heap));
        if seed % 2 == 1 {
            // To the western wall, with what lies in between.
            let mut walk = east(&sim);
            walk.walk = [0.0, 0.0, -1.0];
            run(&mut sim, 90, &walk);
        }
        run(&mut sim, 900, &idle);
        assert_eq!(sim.bodies.awake(), 0, "seed {seed}");
        assert!(sim.is_still(), "seed {seed}");
        let gap = |sim: &Sim, body: &Body| {
            let own = STANDING.heights.iter().map(|h| {
                let centre = sim.player.feet + DVec3::Y * *h;
                centre.distance(body.position) - STANDING.radius - body.radius
            });
            own.fold(f64::INFINITY, f64::min)
        };
        let is_near = |body: &&Body| gap(&sim, body) < 0.03;
        touched += sim.bodies.iter().filter(is_near).count();
        let feet = sim.player.feet;
        let walk = east(&sim);
        run(&mut sim, 5, &walk);
        let ahead = |b: &&Body| b.position.x > feet.x + 0.2 && gap(&sim, b) < 0.0;
        let kicked = sim.bodies.iter().filter(ahead).all(|body| !body.asleep);
        assert!(kicked, "seed {seed}");
    }
    assert!(touched > 10, "{touched} of 600 lie against the player");
}

/// A slab of 25 spheres, upright across the hall, 2 m wide and high.
fn slab(mass: f64) -> Arc<Chunk> {
    let balls = (0..25).map(|i| Ball {
        centre: DVec3::new(0.0, f64::from(i / 5) - 2.0, f64::from(i % 5) - 2.0) * 0.45,
        radius: 0.3,
    });
    let balls: Vec<Ball> = balls.collect();
    Arc::new(Chunk {
        bounds: bounds_of(&balls),
        balls,
        hull: None,
        mass,
        moments: DVec3::splat(mass),
        radius: 1.6,
        volume_m3: mass / 2500.0,
        uncovered: 0.0,
        mesh: Default::default(),
        faces: Default::default(),
        home: (DVec3::ZERO, DQuat::IDENTITY),
        exact: None,
    })
}

#[test]
fn a_chunk_pushes_the_player_along_and_through_no_wall() {
    for speed in [2.0, 9.0, 40.0] {
        for mass in [50.0, 5000.0] {
            let mut sim = open(&hall(&[]));
            let idle = sim.idle();
            run(&mut sim, 30, &idle);
            // It flies straight.
            sim.settings.gravity = 0.0;
            // From the east towards the western wall, 2 m behind the player.
            let at = sim.player.feet + DVec3::new(4.0, 1.25, 0.0);
            let mut body = Body::from_chunk(at, DQuat::IDENTITY, slab(mass), 0);
            body.velocity = DVec3::NEG_X * speed;
            let start = sim.player.feet;
            sim.bodies.change(|bodies| bodies.push(body));
            // Each tick: the body is in no wall.
            let mut west = start.x;
            for _ in 0..240 {
                run(&mut sim, 1, &idle);
                west = west.min(sim.player.feet.x);
            }
            // What is faster has passed before it can take anybody along.
            if speed == 9.0 && mass > 1000.0 {
                assert!(west < start.x - 0.5, "pushed along to {west}");
            }
            let pinned = sim.player.feet;
            let out = Command {
                yaw: 0.0,
                walk: [0.0, 0.0, 1.0],
                ..idle.clone()
            };
            run(&mut sim, 240, &out);
            let gone = sim.player.feet.distance(pinned);
            assert!(
                gone > 2.0,
                "{speed} m/s, {mass} kg: stuck at {pinned}, {gone}"
            );
        }
    }
}
