//! Solids as made and carved, sweeps against slow answers, and bodies that are carried, pushed and struck.
use super::super::active_body::{Motion, add_balls};
use super::super::fracture::OPENED;
use super::super::integration::{integrate, slide_among};
use super::super::oriented_bounds::OrientedBounds;
use super::super::solid_sweeps::{CorePath, pushed};
use super::super::tests::{block, in_level, room};
use super::super::{Body, Contact, Debris, Forces, Law};
use super::*;
use crate::bvh::QueryStats;
use crate::carve::blast::{BlastShape, blast};
use crate::carve::{Op, shape};
use crate::geom::hash::Hash64;
use crate::geom::rng::Rng;
use crate::stage::Silent;
use crate::world::{GRID, Operation, World};
use glam::I64Vec3;

const TICK: f64 = 1.0 / 60.0;

/// A box between two corners, metres.
fn brush(low: [f64; 3], high: [f64; 3], material: MaterialId) -> BrushDesc {
    let corners: Vec<I64Vec3> = (0..8)
        .map(|i: usize| {
            let pick = |k: usize| if i >> k & 1 == 0 { low[k] } else { high[k] };
            let p = DVec3::new(pick(0), pick(1), pick(2));
            (p * GRID).round().as_i64vec3()
        })
        .collect();
    shape::hull(&corners, material).expect("a brush")
}

/// A box around the origin.
fn slab(half: [f64; 3]) -> Arc<Solid> {
    let solid = Solid::from_brushes(&[brush(half.map(|x| -x), half, 0)]);
    Arc::new(solid.expect("a solid"))
}

fn at(origin: DVec3) -> Frame {
    Frame {
        origin,
        ..Frame::HOME
    }
}

fn turned(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = libm::sincos(angle * 0.5);
    let v = axis * sine;
    DQuat::from_xyzw(v.x, v.y, v.z, cosine)
}

fn forces(restitution: f64) -> Forces {
    Forces {
        buffer: 0.0,
        law: Law {
            restitution,
            ..Law::default()
        },
        ..Forces::default()
    }
}

fn is_closed(mesh: &Mesh) -> bool {
    let edges = |t: &Triangle| {
        let [a, b, c] = t.corners;
        [[a, b], [b, c], [c, a]]
    };
    let mut all: Vec<[u32; 2]> = mesh.triangles.iter().flat_map(edges).collect();
    all.sort_unstable();
    let has_other = |[a, b]: &[u32; 2]| all.binary_search(&[*b, *a]).is_ok();
    all.iter().all(has_other) && all.windows(2).all(|pair| pair[0] != pair[1])
}

fn materials(solid: &Solid) -> Vec<MaterialId> {
    let mut all: Vec<MaterialId> = solid.faces.iter().map(|f| f.material).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn the_union_of_brushes_is_closed_and_has_their_volume_and_materials() {
    let one = brush([0.0, 0.0, 0.0], [2.0, 1.0, 0.5], 7);
    let overlapping = brush([1.0, 0.5, 0.25], [3.0, 2.0, 1.25], 900);
    let touching = brush([2.0, 0.25, 0.0], [3.0, 0.75, 0.5], u32::MAX);
    let apart = brush([8.0, 0.0, 0.0], [9.0, 1.0, 1.0], 1);
    let both = 1.0 + 2.0 * 1.5 - 1.0 * 0.5 * 0.25;
    for (brushes, volume, ids) in [
        (vec![&one], 1.0, vec![7]),
        (vec![&one, &overlapping], both, vec![7, 900]),
        (vec![&one, &touching], 1.25, vec![7, u32::MAX]),
        (vec![&one, &apart], 2.0, vec![1, 7]),
    ] {
        let brushes: Vec<BrushDesc> = brushes.into_iter().cloned().collect();
        let solid = Solid::from_brushes(&brushes).expect("a solid");
        assert!((solid.volume_m3 - volume).abs() < 1e-9, "{volume}");
        assert!(is_closed(&solid.mesh));
        assert_eq!(materials(&solid), ids);
        assert!(solid.faces.iter().all(|f| f.normal.is_normalized()));
        assert!(solid.contains(DVec3::new(0.5, 0.3, 0.2)));
        assert!(!solid.contains(DVec3::new(0.5, 1.3, 0.2)));
        assert_eq!(solid.material_near(DVec3::new(-0.2, 0.4, 0.3)), Some(7));
    }
    assert!(Solid::from_brushes(&[]).is_none());
    let flat = BrushDesc {
        sides: one.sides[..3].to_vec(),
    };
    assert!(Solid::from_brushes(std::slice::from_ref(&flat)).is_none());
    assert!(Solid::from_brushes(&[flat, one]).is_some());
    let mut far = brush([0.0, 0.0, 0.0], [1.0, 1.0, 1.0], 0);
    far.sides[0].points[0].x = i64::MAX;
    assert!(Solid::from_brushes(&[far]).is_none());
}

#[test]
fn a_carve_takes_a_bite_out_of_a_solid_or_cuts_it_in_two() {
    let solid = Solid::from_brushes(&[
        brush([0.0, 0.0, 0.0], [2.0, 1.0, 0.5], 7),
        brush([2.0, 0.0, 0.0], [4.0, 1.0, 0.5], 8),
    ]);
    let solid = solid.expect("a solid");
    let bite = brush([3.5, 0.5, -0.5], [4.5, 1.5, 1.0], OPENED);
    let cut = brush([0.9, -0.5, -0.5], [1.1, 1.5, 1.0], OPENED);
    let miss = brush([6.0, 0.0, 0.0], [7.0, 1.0, 1.0], OPENED);
    let all = brush([-1.0, -1.0, -1.0], [5.0, 2.0, 2.0], OPENED);
    for (cutter, volume, pieces) in [
        (bite, 2.0 - 0.5 * 0.5 * 0.5, 1),
        (cut, 2.0 - 0.2 * 0.5, 2),
        (all, 0.0, 0),
    ] {
        let left = solid.carve(vec![cutter], 5).expect("it is carved");
        let loose = left
            .pieces
            .iter()
            .map(|piece| Solid::from_island(piece).expect("a solid"));
        let all: Vec<Solid> = loose.chain(left.rest).collect();
        assert_eq!(all.len(), pieces);
        let sum: f64 = all.iter().map(|piece| piece.volume_m3).sum();
        assert!((sum - volume).abs() < 1e-4, "{sum} of {volume}");
        let mut shown = Vec::new();
        for piece in &all {
            assert!(is_closed(&piece.mesh));
            shown.extend(materials(piece));
        }
        shown.sort_unstable();
        shown.dedup();
        let expected: &[MaterialId] = if pieces > 0 { &[5, 7, 8] } else { &[] };
        assert_eq!(shown, expected);
    }
    assert!(solid.carve(vec![miss], 5).is_none());
}

/// All that queries and a picture read of it.
fn bits(solid: &Solid) -> (Vec<[u64; 3]>, Vec<Triangle>, Vec<MaterialId>, u64) {
    let positions = solid.mesh.positions.iter();
    (
        positions.map(|p| p.to_array().map(f64::to_bits)).collect(),
        solid.mesh.triangles.clone(),
        solid.faces.iter().map(|face| face.material).collect(),
        solid.volume_m3.to_bits(),
    )
}

/// Shot again and again it loses what the same slab in a level loses, to the last crumb, whatever the order and the size of
/// the shots; and goes on doing so.
#[test]
fn a_door_is_carved_as_often_as_it_is_shot_and_as_a_wall_is() {
    for seed in 0..2u64 {
        let mut rng = Rng::new(seed);
        let shape = brush([16.0, 4.0, 4.0], [24.0, 8.0, 4.5], 0);
        let mut solid = Solid::from_brushes(std::slice::from_ref(&shape)).expect("a solid");
        let mut world = room(0.0);
        let fill = Operation {
            op: Op::Fill,
            brushes: vec![shape],
        };
        world.apply(&fill, &mut Silent).expect("it fills");
        let (mut volume, mut shots) = (solid.volume_m3, 0);
        for shot in 0..60 {
            let at = DVec3::new(
                rng.range(16.0, 24.0),
                rng.range(4.0, 8.0),
                rng.range(3.9, 4.6),
            );
            let radius = if shot % 20 == 19 {
                1.2
            } else {
                rng.range(0.1, 0.4)
            };
            let centre = (at * GRID).round().as_i64vec3();
            let shape = BlastShape::ALL[shot % BlastShape::ALL.len()];
            let brushes = blast(centre, radius, shape, rng.next_u64(), OPENED);
            let carve = in_level(&brushes);
            let in_level = world.apply(&carve, &mut Silent).expect("it carves");
            let Some(left) = solid.carve(brushes, 6) else {
                assert!(in_level.volume_m3 <= 0.0, "seed {seed}, shot {shot}");
                continue;
            };
            shots += 1;
            let fallen: f64 = in_level.islands.iter().map(|island| island.volume_m3).sum();
            volume -= in_level.volume_m3 + fallen;
            assert_eq!(
                left.pieces.len(),
                in_level.islands.len(),
                "seed {seed}, shot {shot}"
            );
            let rest = left.rest.expect("most of it is left");
            let loose: f64 = left.pieces.iter().map(|piece| piece.volume_m3).sum();
            assert!(
                (loose - fallen).abs() < 1e-9 && (rest.volume_m3 - volume).abs() < 1e-9,
                "seed {seed}, shot {shot}: {} of {volume}, {loose} of {fallen}",
                rest.volume_m3
            );
            assert!(is_closed(&rest.mesh));
            // Made again from its recipe it is the same to the bit, and is carved on like the first.
            solid = match rng.below(3) {
                0 => {
                    let recipe = rest.recipe().expect("it is exact");
                    let again = Solid::from_recipe(&recipe).expect("it is still there");
                    assert_eq!(bits(&again), bits(&rest), "seed {seed}, shot {shot}");
                    again
                }
                _ => rest,
            };
        }
        assert!(
            shots > 50 && materials(&solid) == [0, 6],
            "{shots} {:?}",
            materials(&solid)
        );
        // Larger than the whole door.
        let centre = (DVec3::new(20.0, 6.0, 4.5) * GRID).round().as_i64vec3();
        let blast = blast(centre, 20.0, BlastShape::Rock, seed, OPENED);
        let left = solid.carve(blast, 6).expect("it is carved");
        assert!(left.rest.is_none() && left.pieces.is_empty());
    }
}

#[test]
fn a_still_solid_stops_spheres_as_the_same_box_in_a_world_does() {
    let shape = brush([19.0, 4.0, 4.0], [21.0, 5.5, 6.0], 0);
    let solid = Solid::from_brushes(std::slice::from_ref(&shape)).expect("a solid");
    let still = Kinematic::new(Arc::new(solid), Frame::HOME, Frame::HOME);
    let mut world = room(0.0);
    let fill = Operation {
        op: Op::Fill,
        brushes: vec![shape],
    };
    world.apply(&fill, &mut Silent).expect("it fills");
    let mut rng = Rng::new(3);
    let mut stats = QueryStats::default();
    let mut hits = 0;
    for i in 0..3000 {
        let middle = DVec3::new(20.0, 5.0, 5.0);
        let mut place = || middle + rng.unit_vector() * 3.0;
        let (from, to) = (place(), place());
        let radius = if i % 3 == 0 {
            0.0
        } else {
            rng.range(0.01, 0.4)
        };
        let expected = world.sweep_sphere(from, to, radius, &mut stats);
        let found = still.sweep_sphere(rng.unit_f64(), from, to, radius, &mut stats);
        assert_eq!(expected.is_some(), found.is_some(), "{i}");
        if let (Some(a), Some(b)) = (expected, found) {
            assert!((a.fraction - b.fraction).abs() < 1e-9);
            assert!(a.point.distance(b.point) < 1e-8 && a.normal.distance(b.normal) < 1e-6);
            hits += 1;
        }
        assert_eq!(still.contains(0.5, from), world.locate(from).is_none());
    }
    assert!(hits > 500, "{hits}");
}

/// Distance of a point outside a solid to its surface, at most 9 m.
fn distance(solid: &Kinematic, time: f64, p: DVec3) -> f64 {
    let mut nearest: f64 = 9.0;
    let mut stats = QueryStats::default();
    solid.each_touch(time, p, 9.0, &mut stats, &mut |touch| {
        assert!((p - touch.point).distance(touch.normal * touch.distance) < 1e-9);
        nearest = nearest.min(touch.distance);
    });
    nearest
}

#[test]
fn a_moving_solid_stops_spheres_when_small_steps_say_so() {
    const STEPS: u32 = 100;
    let shape = slab([0.8, 0.3, 0.5]);
    let mut rng = Rng::new(17);
    let mut stats = QueryStats::default();
    let (mut hits, mut misses) = (0, 0);
    for i in 0..6000 {
        let angle = rng.range(0.0, 0.06) * f64::from(i % 2);
        let axis = rng.unit_vector();
        let before = Frame {
            origin: rng.unit_vector() * 2.0,
            turn: turned(rng.unit_vector(), rng.range(0.0, 3.0)),
        };
        // The two signs of a quaternion are one rotation.
        let sign = if i % 3 == 0 { -1.0 } else { 1.0 };
        let after = Frame {
            origin: before.origin + rng.unit_vector() * rng.range(0.0, 0.2),
            turn: turned(axis, angle) * before.turn * sign,
        };
        let solid = Kinematic::new(shape.clone(), before, after);
        let start = if i % 4 == 0 { rng.range(0.0, 0.9) } else { 0.0 };
        let from = before.origin + rng.unit_vector() * rng.range(0.4, 1.5);
        let to = from + rng.unit_vector() * rng.range(0.0, 0.4);
        let radius = rng.range(0.02, 0.3);
        // The bend of the relative path: nothing here is farther than 2 m from the axis, or moves farther than 0.6 m.
        let bend = angle * (2.0 * angle / 8.0 + 0.6 / 4.0) + 1e-9;
        let is_in = solid.contains(start, from);
        if is_in || distance(&solid, start, from) < radius + bend {
            continue;
        }
        let time = |fraction: f64| start + (1.0 - start) * fraction;
        let gap = |f: f64| distance(&solid, time(f), from.lerp(to, f)) - radius;
        let hit = solid.sweep_sphere(start, from, to, radius, &mut stats);
        let end = hit.map_or(1.0, |hit| hit.fraction);
        for step in 0..=STEPS {
            let f = end * f64::from(step) / f64::from(STEPS);
            assert!(gap(f) > -bend, "{i}: {} at {f}", gap(f));
            let corner = solid.frame_at(time(f)).to_world(shape.bounds.max);
            assert!(solid.bounds().contains(corner), "{i}");
        }
        if let Some(hit) = hit {
            let centre = from.lerp(to, hit.fraction);
            assert!(gap(hit.fraction).abs() < bend, "{i}: {}", gap(hit.fraction));
            let off = (centre - hit.point).distance(hit.normal * radius);
            assert!(off < bend, "{i}: {off}");
            hits += 1;
        } else {
            misses += 1;
        }
        let moved = solid.displacement(from);
        let home = before.to_home(from);
        assert!(moved.distance(after.to_world(home) - from) < 1e-12);
    }
    assert!(hits > 200 && misses > 200, "{hits} {misses}");
}

#[test]
fn a_hinge_stays_where_it_is_while_a_door_turns() {
    let shape = slab([0.5, 1.0, 0.05]);
    let hinge = DVec3::new(-0.5, 0.0, 0.0);
    let frame = |angle: f64| {
        let turn = turned(DVec3::Y, angle);
        Frame {
            origin: DVec3::new(3.0, 1.0, 4.0) - turn * hinge,
            turn,
        }
    };
    let door = Kinematic::new(shape, frame(1.0), frame(1.05));
    for i in 0..=20 {
        let time = f64::from(i) / 20.0;
        let now = door.frame_at(time);
        let off = now.to_world(hinge).distance(DVec3::new(3.0, 1.0, 4.0));
        assert!(off < 0.5 * 0.05 * 0.05 / 8.0 + 1e-12, "{off}");
        let turn = (now.turn.conjugate() * frame(1.0 + 0.05 * time).turn).xyz();
        assert!(turn.length() < 1e-6);
    }
    assert_eq!(door.frame_at(0.0), frame(1.0));
    assert_eq!(door.frame_at(1.0), frame(1.05));
    let (_, turn) = door.motion();
    assert!((turn - DVec3::Y * 0.05).length() < 1e-12, "{turn}");
}

#[test]
fn numbers_that_are_not_finite_meet_nothing() {
    let shape = slab([1.0, 1.0, 1.0]);
    let broken = [
        at(DVec3::new(f64::NAN, 0.0, 0.0)),
        at(DVec3::splat(f64::INFINITY)),
        Frame {
            turn: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0),
            ..Frame::HOME
        },
    ];
    let mut stats = QueryStats::default();
    let world = room(0.0);
    for frame in broken {
        let solids = [
            Kinematic::new(shape.clone(), Frame::HOME, frame),
            Kinematic::new(shape.clone(), frame, Frame::HOME),
        ];
        for solid in &solids {
            let hit = solid.sweep_sphere(0.0, DVec3::X * 3.0, DVec3::ZERO, 0.1, &mut stats);
            assert_eq!(hit, None);
            assert!(!solid.contains(0.5, DVec3::ZERO) && solid.bounds().is_empty());
            solid.each_touch(0.5, DVec3::X * 1.1, 1.0, &mut stats, &mut |_| {
                panic!("a touch")
            });
        }
        let mut debris = Debris::default();
        debris.spawn(Body::new(DVec3::new(0.5, 0.5, 0.5), 0.1, 0));
        debris.step_among(&world, &solids, &forces(0.3), &mut stats);
        assert!(debris[0].position.is_finite());
    }
    let sound = Kinematic::new(shape, Frame::HOME, at(DVec3::X));
    let nan = DVec3::splat(f64::NAN);
    assert!(!sound.contains(0.5, nan));
    assert_eq!(
        sound.sweep_sphere(0.0, nan, DVec3::ZERO, 0.1, &mut stats),
        None
    );
    sound.each_touch(0.5, nan, 1.0, &mut stats, &mut |_| panic!("a touch"));
}

/// A solid with what has become of it so far.
struct Ride {
    shape: Arc<Solid>,
    frame: Frame,
}

impl Ride {
    fn new(shape: Arc<Solid>, origin: DVec3) -> Ride {
        Ride {
            shape,
            frame: at(origin),
        }
    }

    /// The next tick, with a velocity and a turn about y.
    fn go(&mut self, velocity: DVec3, turn: f64) -> Kinematic {
        let before = self.frame;
        self.frame = Frame {
            origin: before.origin + velocity * TICK,
            turn: if turn == 0.0 {
                before.turn
            } else {
                (turned(DVec3::Y, turn * TICK) * before.turn).normalize()
            },
        };
        Kinematic::new(self.shape.clone(), before, self.frame)
    }
}

/// Steps the bodies, which must end in the air.
fn step(debris: &mut Debris, world: &World, solids: &[Kinematic], forces: &Forces) {
    for solid in solids.iter().filter(|s| s.is_moving()) {
        debris.wake_in_box(&solid.bounds().grow(0.05));
    }
    debris.step_among(world, solids, forces, &mut QueryStats::default());
    for body in debris.iter() {
        assert!(world.locate(body.position).is_some(), "in rock: {body:?}");
        let is_in = solids.iter().any(|s| s.contains(1.0, body.position));
        assert!(!is_in, "in a solid: {body:?}");
    }
}

/// Crumbs, and some chunks if they are wanted, at rest on a lift.
fn load(middle: DVec3, chunks: bool) -> Vec<Body> {
    let mut rng = Rng::new(4);
    let mut bodies: Vec<Body> = (0..60)
        .map(|i| {
            let place = DVec3::new(f64::from(i % 8) - 3.5, 0.0, f64::from(i / 8) - 3.5) * 0.35;
            let radius = rng.range(0.05, 0.11);
            Body::new(middle + place + DVec3::Y * radius, radius, 0)
        })
        .collect();
    if chunks {
        bodies.extend([-1.0, 0.0, 1.0].map(|x| {
            let place = middle + DVec3::new(1.2 * x, 0.15, 2.2);
            Body::from_island(&block(place, DVec3::new(0.4, 0.15, 0.3))).expect("a chunk")
        }));
    }
    bodies
}

/// A lift with crumbs goes up by 4 m at 3 m/s, waits, and goes down at 2 m/s. Returns the heights of the bodies above its
/// floor before and after, and all their states.
fn ride() -> (Vec<[f64; 2]>, u64) {
    let world = room(0.0);
    let top = DVec3::new(20.0, 0.5, 5.0);
    let mut lift = Ride::new(slab([3.5, 0.15, 3.5]), top - DVec3::Y * 0.15);
    let mut debris = Debris::default();
    debris.change(|list| *list = load(top, true));
    let forces = forces(0.3);
    let heights = |debris: &Debris, lift: &Ride| -> Vec<f64> {
        let floor = lift.frame.origin.y + 0.15;
        debris.iter().map(|b| b.position.y - floor).collect()
    };
    let mut hash = Hash64::new();
    let mut before = Vec::new();
    for (ticks, speed) in [(150, 0.0), (80, 3.0), (150, 0.0), (120, -2.0), (150, 0.0)] {
        if speed == 3.0 {
            assert_eq!(debris.awake(), 0, "what rests on a still lift sleeps");
            before = heights(&debris, &lift);
        }
        for _ in 0..ticks {
            let solid = lift.go(DVec3::Y * speed, 0.0);
            step(&mut debris, &world, &[solid], &forces);
        }
        debris.hash_into(&mut hash);
    }
    assert!((lift.frame.origin.y - 0.35).abs() < 1e-9);
    let after = heights(&debris, &lift);
    let pairs = before.into_iter().zip(after).map(|(a, b)| [a, b]);
    (pairs.collect(), hash.finish())
}

#[test]
fn a_lift_carries_all_that_lies_on_it_up_and_down() {
    let (heights, hash) = ride();
    for [before, after] in heights {
        assert!((before - after).abs() < 0.03, "{before} {after}");
    }
    assert_eq!(ride().1, hash, "twice the same");
}

#[test]
fn any_number_of_threads_gives_the_same_ride() {
    let states: Vec<u64> = [1, 2, 5]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().expect("threads").install(|| ride().1)
        })
        .collect();
    assert!(states.iter().all(|s| *s == states[0]), "{states:?}");
}

#[test]
fn a_body_rides_at_the_speed_of_the_lift_and_its_contact_carries_its_weight() {
    let world = room(0.0);
    let top = DVec3::new(20.0, 2.0, 5.0);
    let mut lift = Ride::new(slab([1.0, 0.1, 1.0]), top - DVec3::Y * 0.1);
    let mut debris = Debris::default();
    debris.spawn(Body::new(top + DVec3::Y * 0.2, 0.2, 0));
    let velocity = DVec3::new(0.3, 0.4, -0.2);
    for _ in 0..60 {
        let solid = lift.go(velocity, 0.0);
        step(&mut debris, &world, &[solid], &forces(0.0));
    }
    assert!((debris[0].velocity - velocity).length() < 1e-6);
    let contacts: Vec<Contact> = debris.contacts().collect();
    assert_eq!(contacts.len(), 1);
    assert_eq!(contacts[0].solid_index(), Some(0));
    assert!(!contacts[0].is_of_two_bodies());
    let weight = DVec3::Y * (debris[0].mass() * 9.81 * TICK);
    assert!((contacts[0].impulse - weight).length() < 1e-3 * weight.length());
    // A tick of the world alone: nothing is left of the solid.
    debris.step(&world, &forces(0.0), &mut QueryStats::default());
    assert_eq!(debris.contacts().count(), 0);
}

#[test]
fn what_lies_on_a_slow_lift_stays_awake_until_it_stops() {
    let world = room(0.0);
    let top = DVec3::new(20.0, 2.0, 5.0);
    let mut lift = Ride::new(slab([1.0, 0.1, 1.0]), top - DVec3::Y * 0.1);
    let mut debris = Debris::default();
    debris.spawn(Body::new(top + DVec3::Y * 0.2, 0.2, 0));
    let mut stats = QueryStats::default();
    for tick in 0..240 {
        let solid = lift.go(DVec3::Y * if tick < 180 { 0.005 } else { 0.0 }, 0.0);
        debris.step_among(&world, &[solid], &forces(0.0), &mut stats);
        assert!(tick >= 180 || debris.awake() == 1, "{tick}");
    }
    assert_eq!(debris.awake(), 0);
}

#[test]
fn a_door_pushes_what_lies_in_its_way_along() {
    let world = room(0.0);
    let mut door = Ride::new(slab([0.05, 1.0, 2.0]), DVec3::new(18.0, 1.0, 5.0));
    let mut debris = Debris::default();
    debris.change(|list| *list = load(DVec3::new(20.0, 0.0, 5.0), false));
    for tick in 0..180 {
        let speed = if (30..90).contains(&tick) { 3.0 } else { 0.0 };
        let solid = door.go(DVec3::X * speed, 0.0);
        step(&mut debris, &world, &[solid], &forces(0.3));
    }
    let edge = door.frame.origin.x + 0.05;
    assert!((edge - 21.05).abs() < 1e-9);
    for body in debris.iter() {
        assert!(body.position.x > edge + body.radius - 0.01, "{body:?}");
    }
}

#[test]
fn a_bar_that_turns_sweeps_crumbs_away() {
    let world = room(0.0);
    let middle = DVec3::new(20.0, 0.0, 5.0);
    let mut bar = Ride::new(slab([1.5, 0.2, 0.1]), middle + DVec3::Y * 0.2);
    let mut bodies = load(middle, false);
    bodies.retain(|body| (body.position - middle).z.abs() > 0.25);
    let mut debris = Debris::default();
    debris.change(|list| *list = bodies);
    let homes = |debris: &Debris, frame: &Frame| -> Vec<DVec3> {
        debris.iter().map(|b| frame.to_home(b.position)).collect()
    };
    let mut before = homes(&debris, &bar.frame);
    for tick in 0..300 {
        let solid = bar.go(DVec3::ZERO, if tick < 240 { 2.5 } else { 0.0 });
        step(&mut debris, &world, &[solid], &forces(0.3));
        let now = homes(&debris, &bar.frame);
        for (a, b) in before.iter().zip(&now) {
            let is_beside = a.x.abs().max(b.x.abs()) < 1.4 && a.y.max(b.y) < 0.15;
            assert!(!is_beside || a.z * b.z > 0.0, "{tick}: from {a} to {b}");
        }
        before = now;
    }
    for body in debris.iter() {
        let away = (body.position - middle).with_y(0.0).length();
        assert!(away > 1.4, "{body:?}");
    }
}

#[test]
fn a_fast_ball_bounces_off_a_thin_door_that_comes_towards_it() {
    let world = room(0.0);
    for restitution in [0.0, 0.3, 0.8] {
        for offset in 0..10 {
            let mut door = Ride::new(slab([0.05, 1.5, 1.5]), DVec3::new(20.0, 5.0, 5.0));
            let mut ball = Body::new(DVec3::new(14.0, 5.0, 5.0), 0.1, 0);
            ball.position.x += 0.07 * f64::from(offset);
            ball.velocity = DVec3::X * 40.0;
            let mut debris = Debris::default();
            debris.spawn(ball);
            let forces = Forces {
                gravity: 0.0,
                ..forces(restitution)
            };
            for _ in 0..20 {
                let solid = door.go(DVec3::NEG_X * 5.0, 0.0);
                step(&mut debris, &world, &[solid], &forces);
                assert!(debris[0].position.x < door.frame.origin.x);
            }
            let expected = -5.0 - restitution * 45.0;
            let speed = debris[0].velocity.x;
            assert!((speed - expected).abs() < 0.45, "{speed} {expected}");
        }
    }
}

#[test]
fn nothing_gets_into_a_solid_at_any_speed() {
    let world = room(0.0);
    let mut rng = Rng::new(21);
    let shape = slab([1.5, 0.6, 0.05]);
    let mut rides = [10.0, 20.0, 30.0].map(|x| Ride::new(shape.clone(), DVec3::new(x, 5.0, 5.0)));
    let bodies: Vec<Body> = (0..150)
        .map(|i| {
            let place = DVec3::new(rng.range(2.0, 38.0), 1.5, rng.range(1.0, 9.0));
            let mut body = if i % 10 == 0 {
                let half = [(); 3].map(|()| rng.range(0.1, 0.35)).into();
                Body::from_island(&block(place, half)).expect("a chunk")
            } else {
                Body::new(place, rng.range(0.02, 0.3), 0)
            };
            body.velocity = rng.unit_vector() * if i % 2 == 0 { 300.0 } else { 10.0 };
            body
        })
        .collect();
    let mut debris = Debris::default();
    debris.change(|list| *list = bodies);
    let forces = Forces {
        gravity: 0.0,
        ..forces(0.9)
    };
    for tick in 0..240 {
        let phase = libm::sin(f64::from(tick) * 0.05);
        let moves = [
            (DVec3::new(8.0, 3.0, 0.0) * phase, 0.0),
            (DVec3::ZERO, 4.0),
            (DVec3::new(0.0, 2.0, 6.0) * phase, 3.0),
        ];
        let pairs = rides.iter_mut().zip(moves);
        let solids: Vec<Kinematic> = pairs.map(|(ride, (v, turn))| ride.go(v, turn)).collect();
        let before = centres(&debris);
        step(&mut debris, &world, &solids, &forces);
        for (from, to) in before.iter().zip(centres(&debris)) {
            for solid in &solids {
                assert!(!solid.contains(1.0, to), "tick {tick}: in a solid at {to}");
                let is_through = passes(solid, *from, to, shape.bounds.max);
                assert!(!is_through, "tick {tick}: through from {from} to {to}");
            }
        }
    }
}

/// Whether a point that solids should stop went through the middle of a slab of this half size.
fn passes(solid: &Kinematic, from: DVec3, to: DVec3, half: DVec3) -> bool {
    let (a, b) = (solid.before.to_home(from), solid.after.to_home(to));
    a.z * b.z < 0.0 && {
        let p = a.lerp(b, a.z / (a.z - b.z));
        p.x.abs() < half.x && p.y.abs() < half.y
    }
}

#[test]
fn cores_slide_along_solids_and_are_taken_along_whatever_their_path() {
    let world = room(0.0);
    let shape = slab([1.5, 0.6, 0.05]);
    let half = shape.bounds.max;
    let mut rng = Rng::new(5);
    let mut stats = QueryStats::default();
    let (mut met, mut carried) = (0, 0);
    for seed in 0..300 {
        let mut ride = Ride::new(shape.clone(), DVec3::new(20.0, 5.0, 5.0));
        let velocity = rng.unit_vector() * rng.range(0.0, 6.0);
        let turn = if seed % 2 == 0 {
            0.0
        } else {
            rng.range(-5.0, 5.0)
        };
        let core = rng.range(0.01, 0.15);
        let mut at = DVec3::new(20.0, 5.0, 5.0 + 0.06 + core) + rng.unit_vector().with_z(0.0);
        // A little to and fro, or straight on at any speed; some stay where they are.
        let heading = rng.unit_vector() * [0.0, 0.5, 5.0, 100.0][seed % 4] * TICK;
        for tick in 0..30 {
            let solid = ride.go(velocity, turn);
            let path = if tick % 3 == 2 { -heading } else { heading };
            let free = at + path;
            let end = slide_among((&world, &[&solid]), at, path, core, &mut stats);
            assert!(world.locate(end).is_some());
            assert!(!solid.contains(1.0, end), "{seed} {tick}: in at {end}");
            assert!(
                !passes(&solid, at, end, half),
                "{seed} {tick}: through to {end}"
            );
            met += u32::from(end != free);
            carried += u32::from(path == DVec3::ZERO && end != at);
            at = end;
        }
    }
    assert!(met > 500 && carried > 100, "{met} {carried}");
}

#[test]
fn a_push_leaves_no_core_of_a_chunk_in_a_solid() {
    let shape = slab([1.5, 0.6, 0.05]);
    let mut rng = Rng::new(6);
    let mut stats = QueryStats::default();
    let mut pushes = 0;
    for seed in 0..2000 {
        let mut ride = Ride::new(shape.clone(), DVec3::new(20.0, 5.0, 5.0));
        let turn = if seed % 2 == 0 {
            0.0
        } else {
            rng.range(-5.0, 5.0)
        };
        let solid = ride.go(rng.unit_vector() * rng.range(0.0, 6.0), turn);
        let middle = DVec3::new(20.0, 5.0, 5.4) + rng.unit_vector().with_z(0.0) * 0.5;
        let path = rng.unit_vector() * rng.range(0.0, 0.5);
        let paths: Vec<CorePath> = (0..5)
            .map(|_| {
                let from = middle + rng.unit_vector() * 0.15;
                CorePath {
                    from,
                    to: from + path,
                    radius: rng.range(0.03, 0.1),
                }
            })
            .collect();
        let push = pushed(&[&solid], &paths, &mut stats);
        for path in &paths {
            let to = path.to + push;
            let is_free = CorePath { to, ..*path }.is_free_of(&[&solid], &mut stats);
            assert!(is_free, "{seed}: {push}");
        }
        pushes += u32::from(push != DVec3::ZERO);
        assert!(push.length() < 0.7, "{seed}: {push}");
    }
    assert!((200..1900).contains(&pushes), "{pushes}");
}

#[test]
fn without_any_contact_a_door_still_takes_bodies_along() {
    let world = room(0.0);
    let place = DVec3::new(20.0, 5.0, 5.0);
    let brick = block(place, DVec3::new(0.3, 0.2, 0.4));
    for start in [
        Body::new(place, 0.1, 0),
        Body::from_island(&brick).expect("a chunk"),
    ] {
        let mut body = start;
        let mut door = Ride::new(slab([0.05, 1.0, 1.0]), place - DVec3::X * 0.5);
        for _ in 0..60 {
            let solid = door.go(DVec3::X * 6.0, 0.0);
            let bounds = OrientedBounds::from_body(&body);
            let mut balls = Vec::new();
            let still = (DVec3::ZERO, DVec3::ZERO);
            add_balls(&mut balls, &body, bounds.as_ref(), Motion::default(), 0.0);
            let solids = [solid];
            let mut stats = QueryStats::default();
            let around = (&world, &solids[..]);
            let pose = integrate(
                &body,
                still.0,
                still,
                (&balls, 0.0),
                TICK,
                around,
                &mut stats,
            );
            body.position = pose.position;
            for ball in body.balls() {
                let ahead = ball.centre.x - door.frame.origin.x - 0.05;
                assert!(ahead > 0.49 * ball.radius, "{ahead}: {ball:?}");
            }
        }
        assert!(body.position.x > 25.0);
    }
}

/// The centres of all balls of all bodies.
fn centres(debris: &Debris) -> Vec<DVec3> {
    let balls = debris.iter().flat_map(Body::balls);
    balls.map(|ball| ball.centre).collect()
}

#[test]
fn what_a_door_squeezes_against_a_wall_is_not_flung_when_it_opens() {
    let world = room(0.0);
    for speed in [0.2, 1.0, 3.0] {
        let mut door = Ride::new(slab([0.05, 1.0, 2.0]), DVec3::new(37.0, 1.0, 5.0));
        let mut debris = Debris::default();
        debris.change(|list| *list = load(DVec3::new(38.6, 0.0, 5.0), false));
        let mut fastest: f64 = 0.0;
        // Until the crumbs no longer fit, and beyond.
        let ticks = (2.85 / speed / TICK) as u32;
        for tick in 0..ticks + 60 {
            let velocity = if tick < ticks { speed } else { -speed };
            let solid = door.go(DVec3::X * velocity, 0.0);
            debris.wake_in_box(&solid.bounds().grow(0.05));
            let mut stats = QueryStats::default();
            debris.step_among(&world, &[solid], &forces(0.3), &mut stats);
            for body in debris.iter() {
                assert!(world.locate(body.position).is_some(), "{body:?}");
                if tick >= ticks {
                    fastest = fastest.max(body.velocity.length());
                }
            }
        }
        assert!(fastest < 8.0, "at {speed} m/s: flung at {fastest} m/s");
    }
}
