//! Small worlds with known answers.
use super::geometry::CORNER_BYTES;
use super::*;
use crate::bvh::{BuildParams, QueryStats};
use crate::carve::hull::hull_brush;
use crate::geom::Aabb;
use crate::stage::Silent;
use glam::{DMat3, DVec3, I64Vec3};

mod cover;
mod islands;
mod planes;
mod quality;
mod solver;
mod thin;
mod trees;
mod triangles;

const M: i64 = 16384;

fn cuboid(lo: [i64; 3], hi: [i64; 3]) -> BrushDesc {
    let p =
        |x: usize, y: usize, z: usize| I64Vec3::new([lo, hi][x][0], [lo, hi][y][1], [lo, hi][z][2]);
    let side = |points| SideDesc {
        points,
        material: 0,
    };
    BrushDesc {
        sides: vec![
            side([p(0, 0, 0), p(0, 0, 1), p(0, 1, 0)]),
            side([p(1, 0, 0), p(1, 1, 0), p(1, 0, 1)]),
            side([p(0, 0, 0), p(1, 0, 0), p(0, 0, 1)]),
            side([p(0, 1, 0), p(0, 1, 1), p(1, 1, 0)]),
            side([p(0, 0, 0), p(0, 1, 0), p(1, 0, 0)]),
            side([p(0, 0, 1), p(1, 0, 1), p(0, 1, 1)]),
        ],
    }
}

fn metres(lo: [f64; 3], hi: [f64; 3]) -> BrushDesc {
    let grid = |v: [f64; 3]| v.map(|x| (x * M as f64) as i64);
    cuboid(grid(lo), grid(hi))
}

fn desc(solid: bool) -> WorldDesc {
    let v = DVec3::X;
    WorldDesc {
        bounds: [I64Vec3::splat(-20 * M), I64Vec3::splat(20 * M)],
        start_solid: solid,
        rounded: false,
        solids: vec![],
        base: vec![],
        later: vec![],
        starts: vec![],
        areaportals: vec![],
        materials: vec![Material {
            texture: "stone".into(),
            u: v,
            v,
            offset: [0.0; 2],
            inner: false,
            hardness: 1.0,
        }],
    }
}

fn carve(brushes: Vec<BrushDesc>) -> Operation {
    Operation {
        op: Op::Carve,
        brushes,
    }
}

fn fill(brushes: Vec<BrushDesc>) -> Operation {
    Operation {
        op: Op::Fill,
        brushes,
    }
}

fn built(desc: &WorldDesc) -> World {
    let world = World::build(desc, &BuildParams::default(), &mut Silent).expect("a level");
    check(&world);
    world
}

fn check(world: &World) {
    assert_eq!(world.validate(), Ok(()));
    let c = world.census();
    assert_eq!(
        (c.unmatched_edges, c.t_junctions, c.portal_mismatches),
        (0, 0, 0)
    );
}

/// Two rooms of 8 x 6 x 8 m in rock, 2 m apart.
fn two_rooms() -> World {
    let mut d = desc(true);
    d.base = vec![carve(vec![
        metres([-9.0, 0.0, -4.0], [-1.0, 6.0, 4.0]),
        metres([1.0, 0.0, -4.0], [9.0, 6.0, 4.0]),
    ])];
    built(&d)
}

#[test]
fn a_material_that_is_not_there_is_refused_and_changes_nothing() {
    let mut world = built(&desc(true));
    let before = (world.hash(), world.revision());
    let missing = world.materials.len() as MaterialId;
    for material in [missing, missing + 1, MaterialId::MAX] {
        let mut brush = metres([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]);
        brush.sides[3].material = material;
        let error = WorldError::Surface(SurfaceError::NoSuchMaterial { material });
        let operation = carve(vec![brush.clone()]);
        assert_eq!(world.preview(&operation).err(), Some(error.clone()));
        let refused = world.apply(&operation, &mut Silent);
        assert_eq!(refused.err(), Some(error.clone()));
        assert_eq!((world.hash(), world.revision()), before);
        let mut level = desc(true);
        level.base.push(operation);
        let refused = World::build(&level, &BuildParams::default(), &mut Silent);
        assert_eq!(refused.err(), Some(error));
    }
}

#[test]
fn a_room_in_rock_holds_its_air() {
    let world = two_rooms();
    assert!((world.census().air_volume_m3 - 768.0).abs() < 1e-6);
    assert!(world.locate(DVec3::new(-5.0, 3.0, 0.0)).is_some());
    assert!(world.locate(DVec3::new(0.0, 3.0, 0.0)).is_none());
    assert_eq!(world.locate(DVec3::new(99.0, 3.0, 0.0)), None);
}

#[test]
fn a_hole_through_a_wall_is_a_portal_and_a_ray_passes() {
    let mut world = two_rooms();
    let (from, to) = (DVec3::new(-5.0, 3.0, 0.1), DVec3::new(8.0, 3.0, 0.1));
    let stats = &mut QueryStats::default();
    let hit = world.cast_ray(from, to, stats).expect("the wall");
    assert!((hit.point.x + 1.0).abs() < 1e-9);
    let report = world
        .apply(
            &carve(vec![metres([-1.5, 2.0, -1.0], [1.5, 4.0, 1.0])]),
            &mut Silent,
        )
        .expect("a hole");
    check(&world);
    assert!(report.watertight && report.islands.is_empty());
    assert!(
        (report.volume_m3 - 8.0).abs() < 1e-6,
        "{}",
        report.volume_m3
    );
    assert_eq!(world.cast_ray(from, to, stats), None);
    let before = world.hash();
    let again = world
        .apply(
            &carve(vec![metres([-1.5, 2.0, -1.0], [1.5, 4.0, 1.0])]),
            &mut Silent,
        )
        .expect("nothing");
    assert_eq!((again.rooms.len(), world.hash()), (0, before));
}

#[test]
fn what_is_cut_free_leaves_the_world() {
    let mut d = desc(true);
    d.base = vec![
        carve(vec![metres([-8.0, 0.0, -8.0], [8.0, 8.0, 8.0])]),
        fill(vec![metres([-1.0, 0.0, -1.0], [1.0, 8.0, 1.0])]),
    ];
    let mut world = built(&d);
    let air = world.census().air_volume_m3;
    // The pillar is cut below and above.
    let low = world
        .apply(
            &carve(vec![metres([-2.0, 1.0, -2.0], [2.0, 2.0, 2.0])]),
            &mut Silent,
        )
        .expect("a cut");
    assert!(low.islands.is_empty());
    let high = world
        .apply(
            &carve(vec![metres([-2.0, 6.0, -2.0], [2.0, 7.0, 2.0])]),
            &mut Silent,
        )
        .expect("a cut");
    check(&world);
    assert_eq!(high.islands.len(), 1);
    assert!((high.islands[0].volume_m3 - 16.0).abs() < 1e-6);
    assert!(high.islands[0].centre.distance(DVec3::new(0.0, 4.0, 0.0)) < 1e-6);
    assert!((world.census().air_volume_m3 - air - 24.0).abs() < 1e-6);
}

#[test]
fn a_sealed_box_in_the_void_is_all_there_is_and_an_open_one_leaks() {
    let walls = [
        metres([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]),
        metres([-9.0, 8.0, -9.0], [9.0, 9.0, 9.0]),
        metres([-9.0, 0.0, -9.0], [-8.0, 8.0, 9.0]),
        metres([8.0, 0.0, -9.0], [9.0, 8.0, 9.0]),
        metres([-8.0, 0.0, -9.0], [8.0, 8.0, -8.0]),
        metres([-8.0, 0.0, 8.0], [8.0, 8.0, 9.0]),
    ];
    let mut d = desc(false);
    d.starts = vec![I64Vec3::new(M, 2 * M, M)];
    d.solids = walls.to_vec();
    // A floating stone, which stays up.
    d.solids.push(metres([2.0, 4.0, 2.0], [4.0, 5.0, 4.0]));
    let world = built(&d);
    assert_eq!(world.sealed, Some(true));
    assert!((world.census().air_volume_m3 - (16.0 * 16.0 * 8.0 - 4.0)).abs() < 1e-6);
    assert!(world.locate(DVec3::new(0.0, 15.0, 0.0)).is_none());
    d.solids.swap_remove(2);
    let world = built(&d);
    assert_eq!(world.sealed, Some(false));
    assert!(world.leak.len() >= 2);
}

#[test]
fn what_is_undone_and_redone_is_as_it_was() {
    let room = Operation {
        op: Op::Carve,
        brushes: vec![metres([-8.0, -4.0, -8.0], [8.0, 4.0, 8.0])],
    };
    let mut d = desc(true);
    d.base.push(room);
    let mut world = World::build(&d, &BuildParams::default(), &mut Silent).unwrap();
    let mut rng = crate::geom::rng::Rng::new(7);
    let mut hashes = vec![world.hash()];
    let mut undo = Vec::new();
    // Enough corners that cells are split on the way, and some fills among the carves.
    for i in 0..700 {
        let p =
            [0, 1, 2].map(|k| (rng.range(-9.0, 9.0) * [1.0, 0.5, 1.0][k] * 16.0).round() / 16.0);
        let size = [0, 1, 2].map(|_| (rng.range(0.3, 1.5) * 16.0).round() / 16.0);
        let op = if i % 5 == 4 { Op::Fill } else { Op::Carve };
        let brushes = vec![metres(p, [0, 1, 2].map(|k| p[k] + size[k]))];
        let report = world
            .apply(&Operation { op, brushes }, &mut Silent)
            .unwrap();
        assert!(report.watertight);
        undo.push(report.delta);
        hashes.push(world.hash());
    }
    world.validate().unwrap();
    assert!(world.room_count() > 3, "{} rooms", world.room_count());
    let rooms = world.room_count();
    let census = world.census();
    let mut redo = Vec::new();
    for (i, delta) in undo.into_iter().enumerate().rev() {
        redo.push(world.revert(delta, &mut Silent).delta);
        assert_eq!(world.hash(), hashes[i], "undo of carve {i}");
        if i % 100 == 0 {
            world.validate().unwrap();
        }
    }
    for (i, delta) in redo.into_iter().rev().enumerate() {
        world.revert(delta, &mut Silent);
        assert_eq!(world.hash(), hashes[i + 1], "redo of carve {i}");
    }
    world.validate().unwrap();
    assert_eq!(world.room_count(), rooms);
    assert_eq!(world.census(), census);
}

#[test]
fn what_a_step_keeps_follows_what_it_changed_and_not_the_level() {
    // A row of pockets in the rock; then one operation enlarges each, so that every face of theirs is cut or removed.
    let kept = |world: &mut World, pockets: i32| {
        let row = |grown: f64| {
            let place = |i| f64::from(i) * 2.0 - 16.0;
            let brushes = (0..pockets).map(|i| {
                let (lo, hi) = (place(i) - grown, place(i) + 1.0 + grown);
                metres([lo, 13.0, 14.0], [hi, 14.0 + grown, 15.0])
            });
            carve(brushes.collect())
        };
        world.apply(&row(0.0), &mut Silent).expect("pockets");
        let report = world.apply(&row(0.25), &mut Silent).expect("larger ones");
        check(world);
        let (there, faces) = (report.delta.bytes(), report.faces as usize);
        let back = world.revert(report.delta, &mut Silent).delta.bytes();
        assert!(
            back <= there + faces * 64,
            "{back} bytes to redo, {there} to undo"
        );
        (there, faces)
    };
    let mut small = quality::blasted(1, 0.7);
    let mut large = quality::blasted(200, 0.7);
    let ratio = large.census().faces / small.census().faces;
    assert!(ratio > 50, "{ratio}");
    let (one, faces) = kept(&mut small.clone(), 1);
    println!("{one} bytes for {faces} faces");
    assert!(one <= faces * 512, "{one} bytes for {faces} faces");
    let (sixteen, _) = kept(&mut small, 16);
    assert!(
        15 * one <= sixteen && sixteen <= 17 * one,
        "{one} and {sixteen} bytes"
    );
    // Cells are smaller there: some pockets lie in two.
    let (crowded, _) = kept(&mut large, 16);
    assert!(crowded <= sixteen * 3 / 2, "{crowded} bytes for {sixteen}");
}

#[test]
fn a_preview_tells_what_a_carve_would_do_and_does_not_do_it() {
    // Two halls with rock between, and a pillar in one of them.
    let mut d = desc(true);
    d.base
        .push(carve(vec![metres([-9.0, -3.0, -6.0], [-1.0, 3.0, 6.0])]));
    d.base
        .push(carve(vec![metres([1.0, -3.0, -6.0], [9.0, 3.0, 6.0])]));
    d.base
        .push(fill(vec![metres([4.0, -3.0, -1.0], [6.0, 3.0, 1.0])]));
    let mut world = World::build(&d, &BuildParams::default(), &mut Silent).unwrap();
    let before = (world.hash(), world.revision(), world.census());
    let tunnel = carve(vec![metres([-2.0, -1.0, -1.0], [2.0, 1.0, 1.0])]);
    let preview = world.preview(&tunnel).unwrap();
    assert!((preview.volume_m3 - 8.0).abs() < 1e-6);
    assert_eq!(preview.outline.len(), 8, "a square in each of two walls");
    let cuts = carve(vec![
        metres([3.0, -2.5, -2.0], [7.0, -2.0, 2.0]),
        metres([3.0, 2.0, -2.0], [7.0, 2.5, 2.0]),
    ]);
    let fall = world.preview(&cuts).unwrap();
    assert_eq!(fall.islands.len(), 1);
    assert!((fall.islands[0].0 - 16.0).abs() < 1e-6);
    assert_eq!(fall.islands[0].1.len(), 12, "the edges of a box");
    assert_eq!(before, (world.hash(), world.revision(), world.census()));
    let report = world.apply(&tunnel, &mut Silent).unwrap();
    assert_eq!(report.portals_opened.len(), preview.portals.len());
    world.validate().unwrap();
}

#[test]
fn a_preview_is_never_more_work_than_the_carve() {
    let mut world = quality::blasted(60, 0.7);
    let mut rng = crate::geom::rng::Rng::new(4);
    let mut shares = Vec::new();
    for _ in 0..40 {
        let way = rng.unit_vector();
        let at = way / way.abs().max_element() * DVec3::new(10.0, 4.0, 10.0);
        let size = rng.range(0.1, 4.0);
        let brush = metres((at - size).to_array(), (at + size).to_array());
        for operation in [carve(vec![brush.clone()]), fill(vec![brush])] {
            let asked = world.preview(&operation).expect("in bounds").units;
            let mut units = WorkBudget::new(u64::MAX);
            world.begin(&operation).expect("in bounds");
            let done = world.advance(&mut units, &mut Silent);
            let report = done.expect("enough units").expect("in bounds");
            let carved = u64::MAX - units.left();
            assert!(asked > 0 && asked <= carved, "{asked} of {carved}");
            shares.push(asked as f64 / carved as f64);
            world.revert(report.delta, &mut Silent);
        }
    }
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!(mean < 0.95, "{mean}");
}

#[test]
fn walls_that_end_in_ridges_under_a_ceiling_seal() {
    let hull = |points: &[[f64; 3]]| {
        let grid = |p: &[f64; 3]| I64Vec3::from_array(p.map(|x| (x * M as f64) as i64));
        hull_brush(&points.iter().map(grid).collect::<Vec<_>>(), 0).expect("a brush")
    };
    // Upright on the inside, slanted on the outside; those across x extend beyond the ceiling's rim.
    let across_x = |s: f64, top: f64| {
        hull(
            &[-6.0, 6.0]
                .map(|z| [[4.0 * s, 0.0, z], [4.0 * s, top, z], [7.0 * s, 0.0, z]])
                .concat(),
        )
    };
    let across_z = |s: f64| {
        hull(
            &[-4.0, 4.0]
                .map(|x| [[x, 0.0, 4.0 * s], [x, 6.0, 4.0 * s], [x, 0.0, 7.0 * s]])
                .concat(),
        )
    };
    let mut d = desc(false);
    d.starts = vec![I64Vec3::new(M, 2 * M, M)];
    d.solids = vec![
        metres([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]),
        metres([-8.0, 6.0, -5.0], [8.0, 7.0, 5.0]),
        across_x(-1.0, 6.0),
        across_z(1.0),
        across_z(-1.0),
        across_x(1.0, 6.0),
    ];
    for _ in 0..2 {
        let world = built(&d);
        assert_eq!(world.sealed, Some(true));
        assert!((world.census().air_volume_m3 - 8.0 * 8.0 * 6.0).abs() < 1e-6);
        assert_eq!(world.locate(DVec3::new(6.5, 4.0, 0.0)), None);
        d.solids.reverse();
    }
    // A wall that is one step too low does not.
    d.solids.pop();
    d.solids.push(across_x(1.0, 6.0 - 1.0 / M as f64));
    assert_eq!(built(&d).sealed, Some(false));
}

#[test]
fn a_change_beyond_the_budget_is_refused_and_nothing_has_changed() {
    let mut world = two_rooms();
    let ball = carve(vec![
        crate::carve::hull::hull_brush(
            &(0..60)
                .map(|i| {
                    let (a, b) = (f64::from(i) * 2.4, f64::from(i) / 30.0 - 1.0);
                    let r = (1.0 - b * b).sqrt();
                    let (sin, cos) = libm::sincos(a);
                    let p = DVec3::new(r * cos - 1.0, 3.0 + b, r * sin);
                    (p * 1024.0).round().as_i64vec3() * 16
                })
                .collect::<Vec<_>>(),
            0,
        )
        .expect("a ball"),
    ]);
    world.budget_bytes = world.bytes() + 10 * CORNER_BYTES;
    let before = (
        world.hash(),
        world.revision(),
        world.census(),
        world.bytes(),
    );
    for _ in 0..3 {
        let refused = world.apply(&ball, &mut Silent).map(|r| r.faces);
        let Err(WorldError::Budget { needed, budget }) = refused else {
            panic!("{refused:?}");
        };
        assert!(needed > budget && budget == world.budget_bytes);
        let now = (
            world.hash(),
            world.revision(),
            world.census(),
            world.bytes(),
        );
        assert_eq!(now, before);
        check(&world);
    }
    // Operations that need less memory still work, and so does the ball with a sufficient budget.
    let less = fill(vec![metres([-9.0, 0.0, -4.0], [-1.0, 6.0, 4.0])]);
    world.budget_bytes = 0;
    assert!(world.clone().apply(&less, &mut Silent).is_ok());
    world.budget_bytes = BUDGET_BYTES;
    assert!(world.apply(&ball, &mut Silent).is_ok());
    check(&world);
}

#[test]
fn what_the_first_operations_cut_free_falls_before_play_and_what_an_author_left_floating_stays() {
    let mut d = desc(true);
    d.base = vec![
        carve(vec![metres([-8.0, -4.0, -8.0], [8.0, 4.0, 8.0])]),
        fill(vec![metres([-1.0, -4.0, -1.0], [1.0, 4.0, 1.0])]),
        // This one floats.
        fill(vec![metres([4.0, 0.0, -6.0], [7.0, 1.0, 6.0])]),
        carve(vec![metres([-2.0, -3.0, -2.0], [2.0, -2.0, 2.0])]),
        carve(vec![metres([-2.0, 2.0, -2.0], [2.0, 3.0, 2.0])]),
    ];
    let hall = 16.0 * 8.0 * 16.0;
    let stumps = 2.0 * 4.0;
    let world = built(&d);
    assert_eq!(world.census().islands, 1);
    assert!((world.census().air_volume_m3 - (hall - stumps - 36.0)).abs() < 1e-6);
    // Cut in two, its smaller part falls, at load as in play.
    let saw = carve(vec![metres([3.0, -1.0, -3.0], [8.0, 2.0, -2.0])]);
    let mut in_play = world;
    let report = in_play.apply(&saw, &mut Silent).expect("a cut");
    check(&in_play);
    assert_eq!(report.islands.len(), 1);
    assert!((report.islands[0].volume_m3 - 9.0).abs() < 1e-6);
    d.base.push(saw);
    let at_load = built(&d);
    let air = |w: &World| w.census().air_volume_m3;
    assert!((air(&at_load) - (hall - stumps - 24.0)).abs() < 1e-6);
    assert!((air(&at_load) - air(&in_play)).abs() < 1e-9);
    assert_eq!(at_load.census().islands, 2);
    // And again in three: the largest of them stays.
    let saws = carve(vec![
        metres([3.0, -1.0, 0.0], [8.0, 2.0, 1.0]),
        metres([3.0, -1.0, 4.0], [8.0, 2.0, 5.0]),
    ]);
    let report = in_play.apply(&saws, &mut Silent).expect("cuts");
    check(&in_play);
    let mut fell: Vec<f64> = report.islands.iter().map(|i| i.volume_m3).collect();
    fell.sort_by(f64::total_cmp);
    assert_eq!(fell.len(), 2);
    assert!(
        (fell[0] - 3.0).abs() < 1e-6 && (fell[1] - 6.0).abs() < 1e-6,
        "{fell:?}"
    );
}

#[test]
fn brushes_far_apart_leave_the_corners_between_them() {
    // Many cells; then one operation at two ends of them: cells in its box but away from its brushes stay shared.
    let mut d = desc(true);
    d.base
        .push(carve(vec![metres([-8.0, -4.0, -8.0], [8.0, 4.0, 8.0])]));
    let mut world = World::build(&d, &BuildParams::default(), &mut Silent).unwrap();
    let mut rng = crate::geom::rng::Rng::new(3);
    for _ in 0..1000 {
        let p =
            [0, 1, 2].map(|k| (rng.range(-9.0, 9.0) * [1.0, 0.5, 1.0][k] * 16.0).round() / 16.0);
        let brushes = vec![metres(p, p.map(|x| x + 1.0))];
        world.apply(&carve(brushes), &mut Silent).unwrap();
    }
    assert!(world.room_count() > 3);
    for i in 0..8 {
        let at = |s: i32| [0, 1, 2].map(|k| if (i >> k & 1) * 2 - 1 == s { 7.3 } else { -8.3 });
        let (p, q) = (at(1), at(-1));
        let ends = [p, q].map(|p| metres(p, p.map(|x| x + 0.96875)));
        let report = world.apply(&carve(ends.to_vec()), &mut Silent).unwrap();
        assert!(report.watertight, "ends {i}");
    }
    world.validate().unwrap();
}
