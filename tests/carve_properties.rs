//! What holds for any brushes: where air is, how much, and that order and repetition do not matter.
//!
//! Half of the shapes lie on a coarse lattice, so that planes, edges and corners coincide as often as not. The answers
//! come from the brushes' planes in 128 bits, not from the kernel.
mod carving;

use breach::carve::Op;
use breach::geom::rng::Rng;
use breach::timing::Silent;
use breach::world::{Operation, World};
use carving::{
    M, Watch, brush, check, check_carved, corners, level, lump, one, outlines, rock, volume_of,
};
use glam::{DVec3, I64Vec3};
use proptest::prelude::*;

/// Two rooms of 6 m in a block of 18 m, a metre of rock between them.
fn two_rooms() -> World {
    rock(9, &[[[-7, -3, -3], [-1, 3, 3]], [[0, -3, -2], [6, 3, 4]]])
}

/// Half metres.
const LATTICE: i64 = M / 2;

fn place(reach: i64) -> impl Strategy<Value = I64Vec3> {
    let c = -reach..=reach;
    (c.clone(), c.clone(), c).prop_map(|(x, y, z)| I64Vec3::new(x, y, z))
}

/// Points whose hull is a shape with a centre up to `reach` half metres from the middle.
fn shape(reach: i64) -> impl Strategy<Value = Vec<I64Vec3>> {
    let size = || (1..5i64, 1..5i64, 1..5i64).prop_map(|(x, y, z)| I64Vec3::new(x, y, z));
    let boxed =
        (place(reach), size()).prop_map(|(lo, size)| corners(lo * LATTICE, (lo + size) * LATTICE));
    let octahedron = (place(reach), 1..4i64).prop_map(|(c, r)| {
        let tips = [I64Vec3::X, I64Vec3::Y, I64Vec3::Z];
        let tips = tips.into_iter().flat_map(|t| [t * r, t * -r]);
        tips.map(|t| (c + t) * LATTICE).collect()
    });
    let wedge = (place(reach), size(), 0..4usize).prop_map(|(lo, size, gone)| {
        let mut points = corners(lo * LATTICE, (lo + size) * LATTICE);
        points.remove(gone + 1);
        points.remove(gone);
        points
    });
    let slab = (place(reach), size(), 0..3usize, 1..4i64).prop_map(|(lo, size, axis, thick)| {
        let (lo, mut hi) = (lo * LATTICE, (lo + size) * LATTICE);
        hi[axis] = lo[axis] + thick;
        corners(lo, hi)
    });
    let lump = (place(reach), any::<u64>(), 1..4u32).prop_map(|(c, seed, size)| {
        let mut rng = Rng::new(seed);
        let centre = c.as_dvec3() * 0.5 + rng.unit_vector() * 0.3;
        lump(&mut rng, centre, f64::from(size) * 0.5)
    });
    prop_oneof![3 => boxed, 2 => octahedron, 2 => wedge, 1 => slab, 3 => lump]
}

fn apply(world: &mut World, operation: &Operation) -> breach::world::CarveReport {
    world
        .apply(operation, &mut Silent)
        .expect("a brush within the bounds")
}

fn air(world: &World) -> f64 {
    world.census().air_volume_m3
}

fn carves(shapes: &[Vec<I64Vec3>]) -> Vec<Operation> {
    let brushes = shapes.iter().filter_map(|s| brush(s));
    brushes.map(|b| one(Op::Carve, &b)).collect()
}

/// A few cases for every day; PROPTEST_CASES asks for more.
fn config() -> ProptestConfig {
    let given = ProptestConfig::default();
    let cases = match std::env::var("PROPTEST_CASES") {
        Ok(_) => given.cases,
        Err(_) => 48,
    };
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..given
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn points_are_where_the_brushes_say_and_volumes_add_up(
        shapes in prop::collection::vec((shape(15), prop::bool::weighted(0.7)), 1..12),
        seed in any::<u64>(),
    ) {
        let mut world = two_rooms();
        let mut watch = Watch::new(&world, &mut Rng::new(seed), 400);
        for (points, is_carve) in shapes {
            let Some(b) = brush(&points) else { continue };
            let operation = one(if is_carve { Op::Carve } else { Op::Fill }, &b);
            let before = air(&world);
            let report = apply(&mut world, &operation);
            check(&world);
            prop_assert!(report.watertight);
            let fell: f64 = report.islands.iter().map(|i| i.volume_m3).sum();
            let (gained, volume) = (air(&world) - before, volume_of(&points));
            prop_assert!((gained - fell - report.volume_m3).abs() < 1e-8, "{gained} {fell} {report:?}");
            prop_assert!(report.volume_m3.abs() < volume + 1e-8, "{} of {volume} m3", report.volume_m3);
            watch.note(&operation, &report);
            prop_assert_eq!(watch.faults(&world), vec![]);
        }
    }

    #[test]
    fn carves_in_any_order_give_the_same_air(
        (first, second) in prop::collection::vec(shape(12), 2..9)
            .prop_flat_map(|s| (Just(s.clone()), Just(s).prop_shuffle())),
        seed in any::<u64>(),
    ) {
        let mut worlds = [two_rooms(), two_rooms()];
        for (world, shapes) in worlds.iter_mut().zip([&first, &second]) {
            for operation in carves(shapes) {
                apply(world, &operation);
            }
            check_carved(world);
        }
        let [a, b] = worlds;
        prop_assert!((air(&a) - air(&b)).abs() < 1e-8, "{} and {} m3", air(&a), air(&b));
        let watch = Watch::new(&a, &mut Rng::new(seed), 2000);
        prop_assert_eq!(watch.faults(&b), vec![]);
    }

    #[test]
    fn carves_that_do_not_touch_leave_the_same_faces_in_any_order(
        order in Just((0..27usize).collect::<Vec<_>>()).prop_shuffle(),
        seed in any::<u64>(),
        count in 2..27usize,
    ) {
        // One lump in each of some cells of a lattice of 4 m: they reach less than 2 m.
        let mut worlds = [two_rooms(), two_rooms()];
        let sorted = { let mut s = order[..count].to_vec(); s.sort_unstable(); s };
        for (world, places) in worlds.iter_mut().zip([&sorted[..], &order[..count]]) {
            for &i in places {
                let cell = DVec3::new((i % 3) as f64, (i / 3 % 3) as f64, (i / 9) as f64);
                let mut rng = Rng::new(seed ^ i as u64);
                let points = lump(&mut rng, (cell - 1.0) * 4.0, 1.7);
                for operation in carves(&[points]) {
                    apply(world, &operation);
                }
            }
            check_carved(world);
        }
        // A hash tells rooms apart too, and where those are cut depends on the order.
        let [a, b] = worlds;
        let cells = |w: &World| (0..w.room_count() as u32).map(|r| w.room(r).cell).collect::<Vec<_>>();
        prop_assert!(cells(&a) != cells(&b) || a.hash() == b.hash());
        prop_assert!(outlines(&a) == outlines(&b));
    }

    #[test]
    fn the_same_brush_twice_changes_nothing(
        shapes in prop::collection::vec((shape(15), any::<bool>()), 1..8),
    ) {
        let mut world = two_rooms();
        for (points, is_carve) in shapes {
            let Some(b) = brush(&points) else { continue };
            let operation = one(if is_carve { Op::Carve } else { Op::Fill }, &b);
            apply(&mut world, &operation);
            let (hash, revision) = (world.hash(), world.revision());
            let again = apply(&mut world, &operation);
            prop_assert_eq!((again.rooms.len(), again.volume_m3), (0, 0.0));
            prop_assert_eq!((world.hash(), world.revision()), (hash, revision));
        }
    }

    #[test]
    fn carve_then_fill_in_solid_rock_gives_back_the_faces(
        scars in prop::collection::vec(shape(8), 0..5),
        points in shape(6),
        at in place(1),
    ) {
        let mut world = rock(20, &[[[-15, -3, -3], [-9, 3, 3]], [[9, -3, -3], [15, 3, 3]]]);
        for operation in carves(&scars) {
            // In the rooms' walls, far from the middle.
            let far = I64Vec3::X * 12 * M;
            let moved = move_by(&operation, far);
            apply(&mut world, &moved);
        }
        let (hash, volume) = (world.hash(), air(&world));
        let points: Vec<I64Vec3> = points.iter().map(|&p| p + at * LATTICE).collect();
        if let Some(b) = brush(&points) {
            let report = apply(&mut world, &one(Op::Carve, &b));
            check(&world);
            prop_assert!((report.volume_m3 - volume_of(&points)).abs() < 1e-8);
            prop_assert_ne!(world.hash(), hash);
            let report = apply(&mut world, &one(Op::Fill, &b));
            check(&world);
            prop_assert!((report.volume_m3 + volume_of(&points)).abs() < 1e-8);
            prop_assert_eq!(world.hash(), hash);
            prop_assert!((air(&world) - volume).abs() < 1e-8);
        }
    }
}

/// So many lumps on the floor and the ceiling of a low hall, in this order; cells are cut on the way, besides those cuts
/// that are there from the start.
fn riddled(order: &[usize], radius: f64, cuts: &[(usize, i64)]) -> World {
    let hall = brush(&corners(
        I64Vec3::new(-10, -1, -10) * M,
        I64Vec3::new(10, 1, 10) * M,
    ));
    let hall = one(Op::Carve, &hall.expect("a hall"));
    let mut world = level(12, true, vec![hall], cuts);
    let cells = world.room_count();
    for &i in order {
        let mut rng = Rng::new(i as u64);
        let at = DVec3::new((i % 6) as f64, (i / 36) as f64, (i / 6 % 6) as f64);
        let centre = at * DVec3::new(3.0, 2.0, 3.0) - DVec3::new(7.5, 1.0, 7.5);
        for operation in carves(&[lump(&mut rng, centre, radius)]) {
            apply(&mut world, &operation);
        }
    }
    check_carved(&world);
    assert!(world.room_count() > cells, "no cell was cut");
    world
}

#[test]
fn the_order_of_carves_does_not_matter_where_cells_are_cut_on_the_way() {
    let count = 60;
    let sorted: Vec<usize> = (0..count).collect();
    let back: Vec<usize> = (0..count).rev().collect();
    // 23 and 60 have no common divisor.
    let mixed: Vec<usize> = (0..count).map(|i| i * 23 % count).collect();
    let odd = [(0, 3 * M + 12_345), (2, -5 * M - 777)];
    // Apart and overlapping; those above and below meet in the air at most.
    for (radius, are_apart) in [(0.8, true), (1.9, false)] {
        let a = riddled(&sorted, radius, &[]);
        let others = [riddled(&back, radius, &[]), riddled(&mixed, radius, &odd)];
        // The hash tells which cell holds what; the faces are compared joined across cells.
        assert_ne!(a.hash(), others[1].hash(), "cut alike");
        let watch = Watch::new(&a, &mut Rng::new(9), 4000);
        for other in &others {
            assert!((air(&a) - air(other)).abs() < 1e-8);
            assert_eq!(watch.faults(other), vec![]);
            assert!(!are_apart || outlines(&a) == outlines(other));
        }
    }
}

fn move_by(operation: &Operation, by: I64Vec3) -> Operation {
    let mut moved = operation.clone();
    for side in moved.brushes.iter_mut().flat_map(|b| &mut b.sides) {
        side.points.iter_mut().for_each(|p| *p += by);
    }
    moved
}

/// Found by many random cases: the tip was asked whether it lies in the air, and the carve was lost in the rock.
#[test]
fn a_brush_whose_tip_touches_a_corner_of_a_pit() {
    let mut world = two_rooms();
    let pit = corners(
        I64Vec3::new(9, -13, 0) * LATTICE,
        I64Vec3::new(11, -12, 1) * LATTICE,
    );
    let middle = I64Vec3::new(14, -12, 1);
    let tips = [I64Vec3::X, I64Vec3::Y, I64Vec3::Z].map(|t| [middle + t * 3, middle - t * 3]);
    let tips: Vec<I64Vec3> = tips.concat().into_iter().map(|p| p * LATTICE).collect();
    for points in [pit, tips] {
        let operation = one(Op::Carve, &brush(&points).expect("a solid"));
        let report = apply(&mut world, &operation);
        check(&world);
        assert!(
            (report.volume_m3 - volume_of(&points)).abs() < 1e-8,
            "{report:?}"
        );
        let quality = world.quality();
        assert_eq!((quality.open_edges, quality.mixed), (0, 0), "{quality:?}");
    }
    let inside = DVec3::new(6.51507568359375, -5.91241455078125, 0.02520751953125);
    assert!(world.locate(inside).is_some());
}
