//! Nothing that falls, flies or breaks off leaves the air: bodies in whole levels.
mod brush;

use breach::collide::Layer;
use breach::debris::Body;
use breach::geom::rng::Rng;
use breach::level;
use breach::sim::{Action, Command, Settings, Sim, soak_command};
use breach::timing::Silent;
use breach::view::{self, BodyView, Camera, Overlays};
use brush::brush;
use glam::DVec3;
use std::collections::BTreeMap;

fn open(name: &str, seed: u64, settings: Settings) -> Sim {
    let path = format!("{}/levels/{name}.map", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).expect(&path);
    let level = level::read_map(&bytes).expect("a sound level");
    Sim::new(level, seed, settings, &mut Silent).expect("a sound world")
}

/// A point of the air.
fn air_point(sim: &Sim, rng: &mut Rng) -> DVec3 {
    let bounds = sim.world.bounds();
    (0..100_000)
        .map(|_| rng.in_box(&bounds))
        .find(|&p| sim.world.locate(p).is_some())
        .expect("air")
}

/// Points to aim at: corners, edges and middles of all triangles, so that walls are met head on, grazing and in corners.
fn targets(sim: &Sim) -> Vec<DVec3> {
    let mut list = Vec::new();
    for room in (0..sim.world.room_count() as u32).map(|id| sim.world.room(id)) {
        for t in room.mesh.triangles.iter().filter(|t| t.is_live()) {
            let [a, b, c] = t.corners.map(|i| room.mesh.positions[i as usize]);
            list.extend([a, (a + b) * 0.5, (a + b + c) / 3.0]);
        }
    }
    list
}

#[test]
fn a_thousand_spheres_at_500_metres_a_second_stay_in_the_air_of_range() {
    for buffer in [0.0, 0.05] {
        let settings = Settings {
            buffer_distance: buffer,
            ..Settings::default()
        };
        let mut sim = open("range", 1, settings);
        let mut rng = Rng::new(7);
        let targets = targets(&sim);
        let bodies: Vec<Body> = (0..1000)
            .map(|_| {
                let from = air_point(&sim, &mut rng);
                let to = targets[rng.below(targets.len() as u64) as usize];
                let mut body = Body::new(from, rng.range(0.02, 0.3), 0);
                body.velocity = (to - from).normalize_or(DVec3::X) * 500.0;
                body
            })
            .collect();
        sim.bodies.change(|list| *list = bodies);
        let idle = sim.idle();
        for tick in 0..90 {
            sim.step(&idle, &mut Silent);
            assert_eq!(sim.escaped(), 0, "buffer {buffer}, tick {tick}");
        }
    }
}

/// The closet of [`thin_closet`], metres: lowest and highest corner.
const CLOSET: [DVec3; 2] = [DVec3::new(10.0, 2.0, -2.0), DVec3::new(14.0, 6.0, 2.0)];

/// A hall of 40 x 16 x 8 m, its rooms parted by two area portals, with a closet in the air whose six walls are one
/// grid step thick. Air connects through a hole of 8 mm, so that the inside is no rock; no sphere of 2 cm fits.
fn thin_closet() -> Sim {
    let t = 1.0 / 512.0;
    let mut text = String::from("{\n\"classname\" \"worldspawn\"\n");
    for (low, high) in [
        ([-64.0, -320.0, -64.0], [1344.0, 320.0, 0.0]),
        ([-64.0, -320.0, 256.0], [1344.0, 320.0, 320.0]),
        ([-64.0, -320.0, 0.0], [0.0, 320.0, 256.0]),
        ([1280.0, -320.0, 0.0], [1344.0, 320.0, 256.0]),
        ([0.0, -320.0, 0.0], [1280.0, -256.0, 256.0]),
        ([0.0, 256.0, 0.0], [1280.0, 320.0, 256.0]),
        // Floor, ceiling and three walls of the closet.
        ([320.0, -64.0, 64.0], [448.0, 64.0, 64.0 + t]),
        ([320.0, -64.0, 192.0 - t], [448.0, 64.0, 192.0]),
        ([320.0, -64.0, 64.0], [320.0 + t, 64.0, 192.0]),
        ([320.0, -64.0, 64.0], [448.0, -64.0 + t, 192.0]),
        ([320.0, 64.0 - t, 64.0], [448.0, 64.0, 192.0]),
        // The fourth, around the hole.
        ([448.0 - t, -64.0, 64.0], [448.0, 0.0, 192.0]),
        ([448.0 - t, 0.25, 64.0], [448.0, 64.0, 192.0]),
        ([448.0 - t, 0.0, 64.0], [448.0, 0.25, 128.0]),
        ([448.0 - t, 0.0, 128.25], [448.0, 0.25, 192.0]),
    ] {
        text += &brush(low, high, "brick");
    }
    text += "}\n{\n\"classname\" \"info_player_start\"\n\"origin\" \"64 0 24\"\n}\n";
    for x in [256.0, 384.0] {
        let portal = brush([x, -256.0, 0.0], [x + 4.0, 256.0, 256.0], "brick");
        text += &format!("{{\n\"classname\" \"func_areaportal\"\n{portal}}}\n");
    }
    let level = level::read_map(text.as_bytes()).expect("a sound level");
    Sim::new(level, 1, Settings::default(), &mut Silent).expect("a sound world")
}

/// Spheres at 500 m/s at the walls: head on, grazing, at corners, at edges, and at random; from as far as the air goes, so
/// that they come through portals. `per_wall` of them for each face, at its triangles in turn; at least five for each of
/// these.
fn volley(sim: &Sim, rng: &mut Rng, per_wall: usize) -> Vec<Body> {
    let mut bodies = Vec::new();
    let stats = &mut breach::bvh::QueryStats::default();
    for id in 0..sim.world.room_count() as u32 {
        let room = sim.world.room(id);
        let live = room.mesh.triangles.iter().filter(|t| t.is_live());
        let mut triangles: Vec<_> = live.collect();
        triangles.sort_by_key(|t| t.face);
        for wall in triangles.chunk_by(|s, t| s.face == t.face) {
            for k in 0..per_wall.max(5 * wall.len()) {
                // All kinds of shots at one, then at the next.
                let t = wall[k / 5 % wall.len()];
                let [a, b, c] = t.corners.map(|i| room.mesh.positions[i as usize]);
                let normal = (b - a).cross(c - a).normalize_or(DVec3::Y);
                let (u, v) = (rng.unit_f64(), rng.unit_f64());
                let inside = a + (b - a) * (u * (1.0 - v)) + (c - a) * (u * v);
                let aim = [inside, inside, a, a.lerp(b, u), inside][k % 5];
                let along = normal.any_orthonormal_vector() * rng.range(-1.0, 1.0)
                    + rng.unit_vector().reject_from(normal);
                let out = match k % 5 {
                    0 => normal,
                    1 => along.normalize_or(normal) + normal * rng.range(0.001, 0.05),
                    _ => rng.unit_vector() + normal * 1.01,
                };
                let Some(out) = out.try_normalize() else {
                    continue;
                };
                // Backwards from just before the wall, as far as the air goes.
                let (near, far) = (aim + out * 0.31, aim + out * rng.range(0.4, 30.0));
                if sim.world.locate(near).is_none() {
                    continue;
                }
                let free = sim.world.cast_ray(near, far, stats);
                let back = free.map_or(0.99, |hit| hit.fraction * 0.9);
                let from = near.lerp(far, back);
                if sim.world.locate(from).is_none() {
                    continue;
                }
                let room = breach::debris::clearance::nearest_surface(&sim.world, from, 0.3, stats);
                let radius = rng.range(0.02, 0.3).min(room.map_or(0.3, |n| n.distance));
                if radius >= 0.02 {
                    let mut body = Body::new(from, radius, 0);
                    body.velocity = -out * 500.0;
                    bodies.push(body);
                }
            }
        }
    }
    bodies
}

/// Flies them for half a second, each by itself; `kept` says what must hold of each at every tick.
fn fly(sim: &mut Sim, bodies: Vec<Body>, kept: impl Fn(&DVec3, &DVec3) -> bool) {
    let idle = sim.idle();
    for some in bodies.chunks(20_000) {
        let starts: Vec<DVec3> = some.iter().map(|body| body.position).collect();
        sim.bodies.change(|list| *list = some.to_vec());
        for tick in 0..30 {
            sim.step(&idle, &mut Silent);
            assert_eq!(sim.escaped(), 0, "tick {tick}");
            for (body, start) in sim.bodies.iter().zip(&starts) {
                assert!(kept(start, &body.position), "tick {tick}: {start} {body:?}");
            }
        }
    }
}

fn alone(buffer: f64) -> Settings {
    let mut settings = Settings {
        buffer_distance: buffer,
        max_bodies: 20_000,
        ..Settings::default()
    };
    for layer in [Layer::Debris, Layer::Player] {
        settings.layers.set(Layer::Debris, layer, false);
    }
    settings
}

/// At every wall of `range` and of a closet whose walls are a grid step thick.
fn shoot_at_every_wall(per_wall: usize) {
    let mut count = 0;
    for buffer in [0.0, 0.05] {
        let mut rng = Rng::new(11);
        let mut sim = open("range", 1, alone(buffer));
        let bodies = volley(&sim, &mut rng, per_wall);
        count += bodies.len();
        fly(&mut sim, bodies, |_, _| true);

        let mut sim = thin_closet();
        assert!(sim.world.room_count() > 2, "portals on the way");
        sim.settings = alone(buffer);
        let bodies = volley(&sim, &mut rng, per_wall * 20);
        let is_in = |p: &DVec3| p.cmpgt(CLOSET[0]).all() && p.cmplt(CLOSET[1]).all();
        let both = bodies.iter().filter(|b| is_in(&b.position)).count();
        assert!(both > 50 && bodies.len() - both > 200, "from both sides");
        count += bodies.len();
        fly(&mut sim, bodies, |start, now| is_in(start) == is_in(now));
    }
    println!("{count} spheres at 500 m/s, none through a wall");
}

#[test]
fn spheres_at_500_metres_a_second_pass_no_wall_down_to_one_grid_step() {
    shoot_at_every_wall(5);
}

#[test]
#[ignore = "minutes"]
fn a_thousand_spheres_at_500_metres_a_second_at_every_wall_pass_none() {
    shoot_at_every_wall(1000);
}

/// A minute of 10,000 crumbs in a level with 200 carves; the most that were awake at once after the first 10 s.
fn long_run(seed: u64) -> usize {
    let level = ["bunker", "bridge", "pillars", "caves", "tower"][seed as usize % 5];
    let settings = Settings {
        max_bodies: 20_000,
        ..Settings::default()
    };
    let mut sim = open(level, seed, settings);
    let mut rng = Rng::new(seed);
    let crumbs: Vec<Body> = (0..10_000)
        .map(|_| {
            let at = air_point(&sim, &mut rng);
            let stats = &mut breach::bvh::QueryStats::default();
            let near = breach::debris::clearance::nearest_surface(&sim.world, at, 0.12, stats);
            let radius = rng.range(0.03, 0.12).min(near.map_or(0.12, |n| n.distance));
            let mut body = Body::new(at, radius, 0);
            body.velocity = rng.unit_vector() * rng.range(0.0, 8.0);
            body
        })
        .collect();
    sim.bodies.change(|list| *list = crumbs);
    let mut most = 0;
    for tick in 0..3600u32 {
        let command = match tick % 18 {
            0 => soak_command(&sim, &mut rng),
            _ => sim.idle(),
        };
        let report = sim.step(&command, &mut Silent);
        // Who sleeps stays where it is.
        let moving = sim.bodies.iter().filter(|body| !body.asleep);
        let balls = moving.flat_map(|body| body.balls().collect::<Vec<_>>());
        let lost = balls.filter(|ball| sim.world.locate(ball.centre).is_none());
        assert_eq!(lost.count(), 0, "{level}, seed {seed}, tick {tick}");
        if tick % 60 == 59 {
            assert_eq!(sim.escaped(), 0, "{level}, seed {seed}, tick {tick}");
        }
        if tick > 600 {
            most = most.max(report.awake as usize);
        }
    }
    println!(
        "seed {seed}, {level}: {} bodies, {} carves, at most {most} awake, state {:016x}",
        sim.bodies.len(),
        sim.level.since.len(),
        sim.state_hash()
    );
    assert!(sim.bodies.len() >= 10_000);
    most
}

/// SEEDS, as "3" or "1-20", says which; without it all twenty.
#[test]
#[ignore = "an hour"]
fn twenty_minutes_of_ten_thousand_crumbs_and_two_hundred_carves_lose_none() {
    let seeds = std::env::var("SEEDS").unwrap_or("1-20".into());
    let number = |text: &str| text.parse::<u64>().expect("SEEDS is a number or a range");
    let (first, last) = seeds.split_once('-').unwrap_or((&seeds, &seeds));
    for seed in number(first)..=number(last) {
        long_run(seed);
    }
}

#[test]
fn chunks_and_crumbs_stay_in_the_air_while_the_bridge_is_shot_to_pieces() {
    let mut sim = open("bridge", 1, Settings::default());
    let mut rng = Rng::new(3);
    let mut chunks = 0;
    for _ in 0..60 {
        let command = soak_command(&sim, &mut rng);
        for tick in 0..6 {
            let report = match tick {
                0 => sim.step(&command, &mut Silent),
                _ => sim.step(&sim.idle(), &mut Silent),
            };
            chunks += report.chunks;
            assert_eq!(sim.escaped(), 0);
        }
    }
    // What a change made goes with it, and what it broke is whole again.
    let before = sim.bodies.len();
    let undo = |action: Action| Command {
        actions: vec![action],
        ..Command::default()
    };
    for _ in 0..30 {
        sim.step(&undo(Action::Undo), &mut Silent);
        assert_eq!(sim.escaped(), 0);
    }
    for _ in 0..30 {
        sim.step(&undo(Action::Redo), &mut Silent);
        assert_eq!(sim.escaped(), 0);
    }
    assert!(sim.bodies.len() <= before);
    assert!(chunks > 0 || before > 0);
}

/// The bodies that a camera at the middle of some crumbs' fall sees, by radius, which differs from crumb to crumb here.
fn seen(sim: &Sim, eye: DVec3) -> BTreeMap<u64, BodyView> {
    let camera = Camera {
        eye,
        yaw: 0.0,
        pitch: -0.6,
        fov_y: 1.6,
        aspect: 1.0,
    };
    let snapshot = view::snapshot(sim, camera, Overlays::default(), 1.0);
    let bodies = snapshot.bodies.into_iter();
    bodies.map(|body| (body.radius.to_bits(), body)).collect()
}

#[test]
fn a_crumb_is_drawn_from_the_same_seed_while_it_falls_rests_and_when_others_go() {
    let mut sim = open("range", 1, Settings::default());
    let eye = sim.player.eye;
    let start = eye + DVec3::new(0.0, -0.6, -2.5);
    assert!(sim.world.locate(start).is_some(), "no air at {start}");
    sim.bodies.change(|list| {
        list.extend((0..40).map(|i| {
            let at = DVec3::new(f64::from(i % 8) - 3.5, 0.0, f64::from(i / 8) - 2.0) * 0.3;
            Body::new(start + at, 0.05 + 0.001 * f64::from(i), 0)
        }));
    });
    let first = seen(&sim, eye);
    assert!(first.len() > 30, "{} in the picture", first.len());
    let mut seeds: Vec<u32> = first.values().map(|body| body.seed).collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), first.len());
    let idle = sim.idle();
    for tick in 0..240 {
        sim.step(&idle, &mut Silent);
        if tick % 20 == 0 {
            sim.bodies.change(|list| list.remove(0));
        }
        for (radius, body) in seen(&sim, eye) {
            let known = first.get(&radius);
            assert!(known.is_none_or(|known| known.seed == body.seed), "{tick}");
        }
    }
    let now = seen(&sim, eye);
    assert!(now.len() > 15, "{} in the picture", now.len());
    for body in now.values() {
        let rest = body.rest.filter(|_| body.asleep);
        let rest = rest.unwrap_or_else(|| panic!("{body:?} does not lie"));
        assert_eq!(rest.share, 1.0);
        assert!((rest.normal.length() - 1.0).abs() < 1e-9);
        assert!(rest.height <= 1.3 * body.radius + 1e-9, "{body:?}");
        assert!(rest.height > 0.9 * body.radius, "{body:?}");
    }
}
