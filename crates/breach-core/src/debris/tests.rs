//! Textbook results for balls and chunks, and invariants of heaps.
mod boxes;
mod carved_chunks;

use super::*;
use crate::bvh::{BuildParams, Mesh, QueryStats, Triangle};
use crate::collide::{Layer, Layers};
use crate::geom::hash::Hash64;
use crate::geom::rng::Rng;
use crate::geom::{Aabb, mass};
use crate::stage::Silent;
use crate::world::{BrushDesc, GRID, Island, Material, Op, Operation, SurfaceDesc, World};
use glam::{DQuat, DVec3, I64Vec3};
use std::sync::Arc;

const TICK: f64 = 1.0 / 60.0;

/// The carve of a chunk or a mover, made in a level of one material.
pub(super) fn in_level(brushes: &[BrushDesc]) -> Operation {
    let mut brushes = brushes.to_vec();
    let sides = brushes.iter_mut().flat_map(|brush| &mut brush.sides);
    sides.for_each(|side| side.material = 0);
    Operation {
        op: Op::Carve,
        brushes,
    }
}

/// A room 40 m long, 10 m wide and 10 m high, whose floor and ceiling rise by `slope` (sixteenths) along x.
pub(super) fn room(slope: f64) -> World {
    let corner = |x: f64, y: f64, z: f64| {
        let p = DVec3::new(x, y + slope * x, z) * GRID;
        p.round().as_i64vec3()
    };
    let points = (0..8)
        .map(|i| {
            corner(
                f64::from(i & 1) * 40.0,
                f64::from(i >> 1 & 1) * 10.0,
                f64::from(i >> 2) * 10.0,
            )
        })
        .collect();
    // Counter-clockwise from within.
    let quads = [
        [0, 4, 5, 1],
        [2, 3, 7, 6],
        [0, 1, 3, 2],
        [4, 6, 7, 5],
        [0, 2, 6, 4],
        [1, 5, 7, 3],
    ];
    let triangles = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let desc = SurfaceDesc {
        bounds: [I64Vec3::splat(-64 * 16384), I64Vec3::splat(64 * 16384)],
        points,
        triangles: triangles.collect(),
        materials: vec![Material {
            texture: "rock".into(),
            u: DVec3::X,
            v: DVec3::Y,
            offset: [0.0; 2],
            inner: false,
            hardness: 1.0,
        }],
        material: 0,
    };
    World::from_surface(&desc, &BuildParams::default(), &mut Silent).expect("a sound room")
}

/// A box as an island.
pub(super) fn block(centre: DVec3, half: DVec3) -> Island {
    let corner = |i: u32| {
        let sign = |k: u32| f64::from(i >> k & 1) * 2.0 - 1.0;
        centre + half * DVec3::new(sign(0), sign(1), sign(2))
    };
    let quads = [
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles = quads.iter().zip(0u32..).flat_map(|(&[a, b, c, d], face)| {
        [[a, b, c], [a, c, d]].map(|corners| Triangle {
            corners,
            face,
            key: u64::from(face),
        })
    });
    let mesh = Mesh {
        positions: (0..8).map(corner).collect(),
        triangles: triangles.collect(),
    };
    let corners = |t: &Triangle| t.corners.map(|i| mesh.positions[i as usize]);
    let mass = mass::mass_properties(centre, mesh.triangles.iter().map(corners));
    Island {
        volume_m3: mass.volume,
        centre: mass.centre,
        inertia: mass.inertia,
        bounds: Aabb::from_centre(centre, half),
        mesh,
        materials: vec![0; 6],
    }
}

fn forces(restitution: f64, friction: f64, rolling: f64) -> Forces {
    Forces {
        secs: TICK,
        gravity: 9.81,
        buffer: 0.0,
        law: Law {
            restitution,
            friction,
            rolling,
        },
        layers: Layers::default(),
        allow_sleeping: true,
    }
}

fn debris(bodies: Vec<Body>) -> Debris {
    let mut debris = Debris::default();
    debris.change(|list| *list = bodies);
    debris
}

fn run(debris: &mut Debris, world: &World, forces: &Forces, ticks: u32) {
    for _ in 0..ticks {
        debris.step(world, forces, &mut QueryStats::default());
    }
}

fn energy(bodies: &[Body], floor: f64) -> f64 {
    let of = |b: &Body| {
        let spin = b.rotation.conjugate() * b.spin;
        b.mass() * (0.5 * b.velocity.length_squared() + 9.81 * (b.position.y - floor))
            + 0.5 * (spin * spin).dot(b.moments())
    };
    bodies.iter().map(of).sum()
}

/// A square plate of nine balls, 0.2 m apart.
fn plate() -> Arc<Chunk> {
    let balls: Vec<Ball> = (0..9)
        .map(|i| Ball {
            centre: DVec3::new(f64::from(i % 3) - 1.0, 0.0, f64::from(i / 3) - 1.0) * 0.2,
            radius: 0.1,
        })
        .collect();
    let mass = 100.0;
    Arc::new(Chunk {
        bounds: chunk::bounds_of(&balls),
        balls,
        hull: None,
        mass,
        moments: DVec3::new(0.36 + 0.04, 0.72, 0.36 + 0.04) * (mass / 12.0),
        radius: 0.2 * 2f64.sqrt() + 0.1,
        volume_m3: 0.04,
        uncovered: 0.0,
        mesh: Arc::new(Mesh::default()),
        faces: Arc::new(vec![]),
        home: (DVec3::ZERO, DQuat::IDENTITY),
        exact: None,
    })
}

#[test]
fn a_falling_body_follows_its_parabola() {
    let world = room(0.0);
    let mut ball = Body::new(DVec3::new(20.0, 5.0, 5.0), 0.1, 0);
    ball.velocity = DVec3::new(2.0, 3.0, -1.0);
    let mut debris = debris(vec![ball.clone()]);
    run(&mut debris, &world, &forces(0.3, 0.5, 0.1), 48);
    let t = 48.0 * TICK;
    let expected = ball.position + ball.velocity * t - DVec3::Y * (0.5 * 9.81 * t * t);
    assert!((debris[0].position - expected).length() < 1e-9);
}

#[test]
fn a_ball_bounces_to_the_square_of_its_restitution() {
    let world = room(0.0);
    for (e, chunk) in [(0.3, false), (0.6, false), (0.9, false), (0.6, true)] {
        for drop in [0.8, 1.7, 4.0] {
            let mut body = Body::new(DVec3::new(20.0, drop + 0.1, 5.0), 0.1, 0);
            if chunk {
                body = Body::from_chunk(body.position, DQuat::IDENTITY, plate(), 0);
                // Not flat: on one ball it would turn.
                if let Some(chunk) = body.chunk.as_mut().map(Arc::make_mut) {
                    chunk.balls.truncate(1);
                    chunk.balls[0].centre = DVec3::ZERO;
                }
            }
            let mut debris = debris(vec![body]);
            let (mut was_down, mut top) = (false, 0.0f64);
            for _ in 0..400 {
                run(&mut debris, &world, &forces(e, 0.5, 0.1), 1);
                let speed = debris[0].velocity.y;
                was_down |= speed > 0.0;
                if was_down && speed < 0.0 {
                    break;
                }
                if was_down {
                    // The top of the parabola that it is on.
                    top = top.max(debris[0].position.y - 0.1 + speed * speed / (2.0 * 9.81));
                }
            }
            assert!((top / (e * e * drop) - 1.0).abs() < 0.02, "e {e}: {top}");
        }
    }
}

#[test]
fn a_ball_rolls_down_a_slope_at_five_sevenths_and_slides_beyond_its_grip() {
    for (slope, friction) in [(0.25, 0.5), (0.5, 0.5), (0.5, 0.05), (1.0, 0.2)] {
        let world = room(slope);
        let normal = DVec3::new(-slope, 1.0, 0.0).normalize();
        let foot = DVec3::new(35.0, 35.0 * slope, 5.0);
        let mut debris = debris(vec![Body::new(foot + normal * 0.2, 0.2, 0)]);
        let (cos, sin) = (normal.y, -normal.x);
        let expected = if slope < 3.5 * friction {
            5.0 / 7.0 * 9.81 * sin
        } else {
            9.81 * (sin - friction * cos)
        };
        run(&mut debris, &world, &forces(0.0, friction, 0.0), 60);
        let speed = debris[0].velocity.length();
        assert!((speed / expected - 1.0).abs() < 0.01, "{slope}: {speed}");
        let rolls = debris[0].spin.length() * 0.2 / speed;
        if slope < 3.5 * friction {
            assert!((rolls - 1.0).abs() < 0.01, "{slope}: {rolls}");
        }
    }
}

#[test]
fn a_plate_holds_below_the_friction_angle_and_slides_above_it() {
    for slope in [0.25, 0.4375, 0.5625, 0.75] {
        let world = room(slope);
        let normal = DVec3::new(-slope, 1.0, 0.0).normalize();
        let foot = DVec3::new(35.0, 35.0 * slope, 5.0);
        let lean = DQuat::from_rotation_arc(DVec3::Y, normal);
        let start = foot + normal * 0.1;
        let mut debris = debris(vec![Body::from_chunk(start, lean, plate(), 0)]);
        run(&mut debris, &world, &forces(0.0, 0.5, 0.0), 60);
        let speed = debris[0].velocity.length();
        let expected = 9.81 * (slope - 0.5) * normal.y;
        if slope < 0.5 {
            assert!(speed < 1e-2, "{slope}: {speed}");
            assert!(debris[0].position.distance(start) < 0.01);
        } else {
            assert!(
                (speed / expected - 1.0).abs() < 0.05,
                "{slope}: {speed} {expected}"
            );
        }
    }
}

#[test]
fn a_sliding_ball_ends_rolling_at_five_sevenths_of_its_speed() {
    let world = room(0.0);
    let mut ball = Body::new(DVec3::new(2.0, 0.25, 5.0), 0.25, 0);
    ball.velocity = DVec3::X * 7.0;
    let mut debris = debris(vec![ball]);
    run(&mut debris, &world, &forces(0.0, 0.5, 0.0), 120);
    assert!((debris[0].velocity - DVec3::X * 5.0).length() < 1e-2);
    assert!((debris[0].spin - DVec3::NEG_Z * 20.0).length() < 5e-2);
}

#[test]
fn rolling_resistance_holds_a_ball_on_slopes_below_it() {
    for (slope, rests) in [
        (0.0625, true),
        (0.1875, true),
        (0.25, false),
        (0.375, false),
    ] {
        let world = room(slope);
        let normal = DVec3::new(-slope, 1.0, 0.0).normalize();
        let foot = DVec3::new(35.0, 35.0 * slope, 5.0);
        let mut debris = debris(vec![Body::new(foot + normal * 0.1, 0.1, 0)]);
        run(&mut debris, &world, &forces(0.0, 0.5, 0.2), 60);
        let speed = debris[0].velocity.length();
        assert_eq!(speed < 1e-3, rests, "slope {slope}: {speed}");
    }
}

#[test]
fn a_cradle_hands_the_blow_on() {
    let world = room(0.0);
    for reversed in [false, true] {
        let mut balls: Vec<Body> = (0..6)
            .map(|i| Body::new(DVec3::new(10.0 + 0.2 * f64::from(i), 5.0, 5.0), 0.1, 0))
            .collect();
        balls[0].position.x -= 0.5;
        balls[0].velocity = DVec3::X * 4.0;
        if reversed {
            balls.reverse();
        }
        let mut debris = debris(balls);
        let weightless = Forces {
            gravity: 0.0,
            ..forces(1.0, 0.0, 0.0)
        };
        run(&mut debris, &world, &weightless, 30);
        let mut speeds: Vec<f64> = debris.iter().map(|b| b.velocity.x).collect();
        if reversed {
            speeds.reverse();
        }
        for (i, speed) in speeds.iter().enumerate() {
            let expected = if i == 5 { 4.0 } else { 0.0 };
            assert!((speed - expected).abs() < 1e-6, "{speeds:?}");
        }
    }
}

#[test]
fn a_chunk_in_the_air_keeps_its_angular_momentum() {
    let world = room(0.0);
    let mut body = Body::from_chunk(DVec3::new(20.0, 5.0, 5.0), DQuat::IDENTITY, plate(), 0);
    let chunk = body.chunk.as_mut().map(Arc::make_mut).expect("a chunk");
    chunk.moments = DVec3::new(4.0, 7.0, 3.2);
    body.spin = DVec3::new(5.0, 0.1, 0.2);
    let momentum = |b: &Body| b.inertia() * b.spin;
    let before = momentum(&body);
    let mut debris = debris(vec![body]);
    let weightless = Forces {
        gravity: 0.0,
        ..forces(0.3, 0.5, 0.1)
    };
    run(&mut debris, &world, &weightless, 600);
    let after = momentum(&debris[0]);
    assert!(
        (after - before).length() < 1e-5 * before.length(),
        "{after}"
    );
    assert!(
        debris[0].spin.x < 4.9 || debris[0].spin.y.abs() > 0.2,
        "it does tumble"
    );
}

/// Balls in a loose block above the floor.
fn heap(count: usize, seed: u64) -> Debris {
    let mut rng = Rng::new(seed);
    let across = libm::cbrt(count as f64).ceil() as usize;
    let bodies = (0..count)
        .map(|i| {
            let at = DVec3::new(
                (i % across) as f64,
                (i / across / across) as f64,
                (i / across % across) as f64,
            );
            let at = DVec3::new(15.0, 0.3, 2.0) + at * 0.23 + rng.unit_vector() * 0.01;
            Body::new(at, rng.range(0.06, 0.11), 0)
        })
        .collect();
    debris(bodies)
}

#[test]
fn what_is_kept_awake_rests_without_sleeping() {
    let world = room(0.0);
    let balls = || (0..3).map(|i| Body::new(DVec3::new(f64::from(i), 0.1, 0.0), 0.1, 0));
    for allow_sleeping in [true, false] {
        let mut debris = debris(balls().collect());
        let forces = Forces {
            allow_sleeping,
            ..forces(0.3, 0.5, 0.2)
        };
        run(&mut debris, &world, &forces, 120);
        assert_eq!(debris.awake(), if allow_sleeping { 0 } else { 3 });
        let moved = debris.iter().map(|b| b.position.distance(b.anchor));
        assert!(
            moved.fold(0.0, f64::max) < 0.01,
            "sleeping allowed: {allow_sleeping}"
        );
    }
}

#[test]
fn a_heap_falls_asleep_loses_energy_all_the_time_and_costs_nothing_then() {
    let world = room(0.0);
    let mut debris = heap(600, 3);
    let mut most = energy(&debris, 0.0);
    for tick in 0..360 {
        run(&mut debris, &world, &forces(0.3, 0.5, 0.1), 1);
        let now = energy(&debris, 0.0);
        assert!(
            now <= most * (1.0 + 1e-3),
            "tick {tick}: {now} after {most}"
        );
        most = most.min(now);
        for body in debris.iter() {
            assert!(world.locate(body.position).is_some());
        }
    }
    assert_eq!(debris.awake(), 0);
    let deepest = debris
        .iter()
        .map(|b| b.position.y - b.radius)
        .fold(f64::INFINITY, f64::min);
    assert!(deepest > -0.01, "{deepest}");
    let mut stats = QueryStats::default();
    debris.step(&world, &forces(0.3, 0.5, 0.1), &mut stats);
    assert_eq!(stats, QueryStats::default());
}

/// Balls and blocks in a loose block above the floor, after some ticks.
fn mixed_heap(ticks: u32) -> u64 {
    let world = room(0.0);
    let mut rng = Rng::new(6);
    let mut debris = heap(300, 8);
    debris.change(|list| {
        list.extend((0..24).map(|i| {
            let at = DVec3::new((i % 4) as f64, (i / 8) as f64, (i / 4 % 2) as f64) * 0.9;
            let half = [(); 3].map(|()| rng.range(0.1, 0.35)).into();
            let block = block(DVec3::new(15.0, 3.0, 2.0) + at, half);
            Body::from_island(&block).expect("a chunk")
        }));
    });
    run(&mut debris, &world, &forces(0.3, 0.5, 0.1), ticks);
    let mut hash = Hash64::new();
    debris.hash_into(&mut hash);
    hash.finish()
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let states: Vec<u64> = [1, 2, 5]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.build().expect("threads");
            pool.install(|| mixed_heap(120))
        })
        .collect();
    assert!(states.iter().all(|s| *s == states[0]), "{states:?}");
}

/// A change of the solver changes this; debug and release, and one machine and another, may not differ in it.
#[test]
fn every_build_gives_the_same_bits() {
    assert_eq!(format!("{:016x}", mixed_heap(60)), "8c669095abe29978");
}

#[test]
fn only_what_is_touched_wakes() {
    let world = room(0.0);
    let bodies = (0..20)
        .map(|i| Body::new(DVec3::new(2.0 + f64::from(i), 0.1, 5.0), 0.1, 0))
        .collect();
    let mut debris = debris(bodies);
    run(&mut debris, &world, &forces(0.3, 0.5, 0.1), 60);
    assert_eq!(debris.awake(), 0);
    debris.change(|list| {
        let mut ball = Body::new(DVec3::new(6.0, 3.0, 5.0), 0.2, 0);
        ball.velocity = DVec3::NEG_Y;
        list.push(ball);
    });
    run(&mut debris, &world, &forces(0.3, 0.5, 0.1), 50);
    let woken = debris.iter().filter(|b| !b.asleep).count();
    assert!(woken > 1 && woken <= 3, "{woken}");
    run(&mut debris, &world, &forces(0.3, 0.5, 0.1), 300);
    assert_eq!(debris.awake(), 0);
}

#[test]
fn nothing_hangs_in_the_air_when_what_it_lay_on_goes() {
    let world = room(0.0);
    let column = |n: i32| {
        (0..n)
            .map(|i| Body::new(DVec3::new(0.1, 0.1 + 0.2 * f64::from(i), 0.1), 0.1, 0))
            .collect::<Vec<_>>()
    };
    let mut debris = debris(column(3));
    run(&mut debris, &world, &forces(0.0, 0.5, 0.1), 120);
    debris.change(|list| {
        list.iter_mut().for_each(|b| b.asleep = true);
        let gone = list.remove(0);
        let reach = grid::BoundingSphere {
            centre: gone.position,
            radius: gone.radius,
        };
        sleep::wake_around(list, &[reach]);
    });
    assert_eq!(debris.awake(), 1);
    run(&mut debris, &world, &forces(0.0, 0.5, 0.1), 300);
    assert_eq!(debris.awake(), 0);
    let highest = debris.iter().map(|b| b.position.y).fold(0.0, f64::max);
    assert!(highest < 0.35, "{highest}");
}

#[test]
fn nothing_goes_through_at_any_speed() {
    let world = room(0.25);
    let mut rng = Rng::new(12);
    for buffer in [0.0, 0.05] {
        let bodies: Vec<Body> = (0..300)
            .map(|_| {
                let at = DVec3::new(rng.range(5.0, 35.0), 0.0, rng.range(1.0, 9.0));
                let at = at + DVec3::Y * (at.x * 0.25 + rng.range(1.0, 9.0));
                let mut body = Body::new(at, rng.range(0.02, 0.4), 0);
                body.velocity = rng.unit_vector() * 500.0;
                body
            })
            .collect();
        let mut debris = debris(bodies);
        for tick in 0..180 {
            let forces = Forces {
                buffer,
                ..forces(0.5, 0.5, 0.1)
            };
            run(&mut debris, &world, &forces, 1);
            for body in debris.iter() {
                let is_in = world.locate(body.position).is_some();
                assert!(is_in, "tick {tick}: {body:?}");
            }
        }
    }
}

#[test]
fn what_starts_inside_one_another_parts_gently() {
    let world = room(0.0);
    let bodies = (0..30)
        .map(|i| Body::new(DVec3::new(20.0, 0.2 + 0.001 * f64::from(i), 5.0), 0.2, 0))
        .collect();
    let mut debris = debris(bodies);
    for _ in 0..300 {
        run(&mut debris, &world, &forces(0.3, 0.5, 0.1), 1);
        let fastest = debris
            .iter()
            .map(|b| b.velocity.length())
            .fold(0.0, f64::max);
        assert!(fastest < 6.0, "{fastest}");
    }
}

#[test]
fn chunks_deep_in_one_another_find_the_way_out_and_are_not_flung() {
    let world = room(0.0);
    let mut rng = Rng::new(14);
    let mut deepest_at_first: f64 = 0.0;
    for _ in 0..20 {
        let bricks = (0..2).map(|i| {
            let half = [(); 3].map(|()| rng.range(0.15, 0.5)).into();
            let at = DVec3::new(20.0, 5.0, 5.0) + rng.unit_vector() * (0.1 * f64::from(i));
            let mut brick = Body::from_island(&block(at, half)).expect("a chunk");
            let turn = (rng.unit_vector() * 0.6).extend(0.8);
            let turn = DQuat::from_vec4(turn);
            brick.rotation = turn * brick.rotation;
            brick.previous_rotation = brick.rotation;
            brick
        });
        let mut debris = debris(bricks.collect());
        let floating = Forces {
            gravity: 0.0,
            ..forces(0.3, 0.5, 0.1)
        };
        let overlap = |debris: &Debris| {
            let deep = debris.contacts().map(|c| -c.gap);
            deep.fold(0.0, f64::max)
        };
        run(&mut debris, &world, &floating, 1);
        deepest_at_first = deepest_at_first.max(overlap(&debris));
        run(&mut debris, &world, &floating, 119);
        assert!(overlap(&debris) < 0.01, "{} m left", overlap(&debris));
        let fastest = debris.iter().map(|b| b.velocity.length());
        let fastest = fastest.fold(0.0, f64::max);
        assert!(fastest < 0.5, "flung at {fastest} m/s");
    }
    assert!(deepest_at_first > 0.2, "{deepest_at_first}");
}

#[test]
fn a_brick_falls_tumbles_comes_to_rest_and_breaks_when_it_is_struck() {
    let world = room(0.0);
    let brick = block(DVec3::new(20.0, 4.0, 5.0), DVec3::new(0.6, 0.2, 0.4));
    let mut body = Body::from_island(&brick).expect("a chunk");
    body.spin = DVec3::new(1.0, 2.0, 3.0);
    let mut debris = debris(vec![body]);
    let mut most = energy(&debris, 0.0);
    for tick in 0..400 {
        run(&mut debris, &world, &forces(0.3, 0.5, 0.2), 1);
        let now = energy(&debris, 0.0);
        assert!(now <= most * 1.001, "tick {tick}: {now} after {most}");
        most = most.min(now);
    }
    assert_eq!(debris.awake(), 0);
    let height = debris[0].position.y;
    assert!((0.15..0.65).contains(&height), "{height}");
    // A slab cut through its middle leaves two halves.
    let chunk = debris[0].chunk.clone().expect("a shape");
    let corner = |i: i32| {
        let pick = |k: i32, low: f64, high: f64| if i >> k & 1 == 0 { low } else { high };
        let p = DVec3::new(pick(0, 19.9, 20.1), pick(1, 3.0, 5.0), pick(2, 4.0, 6.0));
        (p * GRID).round().as_i64vec3()
    };
    let corners: Vec<I64Vec3> = (0..8).map(corner).collect();
    let cut = crate::carve::shape::hull(&corners, fracture::OPENED).expect("a brush");
    let pieces = fracture::pieces(&debris[0], &chunk, vec![cut], 9).expect("it breaks");
    assert_eq!(pieces.len(), 2);
    let volume: f64 = pieces
        .iter()
        .flat_map(|p| &p.chunk)
        .map(|c| c.volume_m3)
        .sum();
    assert!((volume - 1.0 * 0.4 * 0.8).abs() < 1e-4, "{volume}");
    for piece in &pieces {
        let shape = piece.chunk.as_ref().expect("a shape");
        assert!(shape.faces.iter().any(|f| f.material == 9));
        assert!(shape.faces.iter().any(|f| f.material == 0));
        assert!((piece.position.distance(debris[0].position) - 0.35).abs() < 1e-3);
    }
}

#[test]
fn layers_that_do_not_meet_pass_through_one_another() {
    let world = room(0.0);
    for meets in [true, false] {
        let mut forces = forces(0.0, 0.5, 0.2);
        forces.layers.set(Layer::Debris, Layer::Debris, meets);
        let ball = |y: f64| Body::new(DVec3::new(0.2, y, 0.2), 0.2, 0);
        let mut debris = debris(vec![ball(0.2), ball(1.0)]);
        run(&mut debris, &world, &forces, 90);
        let (low, high) = (debris[0].position.y, debris[1].position.y);
        assert!((low - 0.2).abs() < 0.01, "{low}");
        assert!(
            (high - if meets { 0.6 } else { 0.2 }).abs() < 0.02,
            "{high}"
        );
    }
}

#[test]
fn the_contacts_of_a_resting_body_carry_its_weight() {
    let world = room(0.0);
    let resting = [
        Body::new(DVec3::new(10.0, 0.2, 5.0), 0.2, 0),
        Body::from_chunk(DVec3::new(20.0, 0.1, 5.0), DQuat::IDENTITY, plate(), 0),
    ];
    let mut debris = debris(resting.to_vec());
    // Shorter than falling asleep takes.
    run(&mut debris, &world, &forces(0.0, 0.5, 0.1), 20);
    for (index, body) in (0u32..).zip(debris.iter()) {
        let own = debris.contacts().filter(|c| c.bodies[0] == index);
        let mut impulse = DVec3::ZERO;
        for c in own {
            assert_eq!(c.bodies[1], Contact::WORLD);
            assert!(c.point.y.abs() < 1e-3 && c.normal == DVec3::Y, "{c:?}");
            impulse += c.impulse;
        }
        let weight = DVec3::Y * (body.mass() * 9.81 * TICK);
        assert!((impulse - weight).length() < 0.01 * weight.length());
    }
    debris.change(|list| list.remove(0));
    assert_eq!(debris.contacts().count(), 0);
}

#[test]
fn ids_stay_when_bodies_are_removed_and_are_never_given_twice() {
    let crumb = |x: f64| Body::new(DVec3::new(x, 0.1, 5.0), 0.1, 0);
    let mut debris = Debris::default();
    let ids = [2.0, 2.2, 9.0].map(|x| debris.spawn(crumb(x)));
    debris.change(|list| list.iter_mut().for_each(|body| body.asleep = true));
    assert!(debris.remove(ids[0]));
    assert!(!debris.remove(ids[0]));
    assert_eq!(ids.map(|id| debris.index_of(id)), [None, Some(0), Some(1)]);
    let asleep: Vec<bool> = debris.bodies().iter().map(|body| body.asleep).collect();
    assert_eq!(asleep, [false, true], "what touched it wakes");
    // Neither a clone nor a new body gets an id that was given before.
    let clone = debris[0].clone();
    let newer = [debris.spawn(clone), debris.spawn(crumb(5.0))];
    assert!(newer.iter().all(|id| !ids.contains(id)) && newer[0] != newer[1]);
    // A body that comes back keeps its id.
    let taken = debris.change(|list| list.remove(1));
    debris.change(|list| list.push(taken));
    assert_eq!(debris.index_of(ids[2]), Some(3));
    debris.wake(ids[2]);
    assert!(!debris[3].asleep);
}

#[test]
fn the_default_forces_are_those_of_play() {
    let Forces {
        secs,
        gravity,
        buffer,
        law,
        layers,
        allow_sleeping,
    } = Forces::default();
    assert_eq!((secs, gravity, buffer), (TICK, 9.81, 0.02));
    assert_eq!((law, layers), (Law::default(), Layers::default()));
    assert!(allow_sleeping);
}
