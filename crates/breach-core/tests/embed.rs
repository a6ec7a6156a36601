//! What a host is promised: worlds and brushes from metres, changed triangles, pieces, and a reason for every refusal.
use breach_core::carve::shape::ShapeError;
use breach_core::world::{
    BrushDesc, EditError, Material, NoEffect, REACH_M, SurfaceError, SurfaceTracker,
    SurfaceTriangle, TriangleId, World, WorldBuilder, WorldError,
};
use breach_core::{bvh, stage::Silent};
use glam::DVec3;
use std::collections::BTreeMap;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn sound(world: &World) {
    assert_eq!(world.validate(), Ok(()));
    let census = world.census();
    assert_eq!((census.unmatched_edges, census.t_junctions), (0, 0));
}

fn refused<T>(result: Result<T, EditError>) -> EditError {
    let error = result.map(|_| ()).expect_err("bad input");
    assert!(error.to_string().len() > 10, "{error}");
    error
}

/// A cube of the side 1 as a mesh seen from outside.
fn cube(at: DVec3) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let corners = (0..8).map(|i| at + v((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
    let quads = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let triangles = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    (corners.collect(), triangles.collect())
}

/// Several meshes as one.
fn together(meshes: &[(Vec<DVec3>, Vec<[u32; 3]>)]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for (more, faces) in meshes {
        let first = points.len() as u32;
        points.extend(more);
        triangles.extend(faces.iter().map(|t| t.map(|c| first + c)));
    }
    (points, triangles)
}

fn backwards((points, triangles): (Vec<DVec3>, Vec<[u32; 3]>)) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let turned = triangles.into_iter().map(|[a, b, c]| [a, c, b]);
    (points, turned.collect())
}

fn from_mesh((points, triangles): &(Vec<DVec3>, Vec<[u32; 3]>)) -> Result<World, EditError> {
    World::from_mesh(points, triangles)
}

#[test]
fn a_solid_box_hangs_in_air_within_bedrock() {
    let world = World::solid_box(v(-1.0, 0.0, 2.0), v(3.0, 3.0, 2.5)).expect("a box");
    sound(&world);
    let bounds = world.bounds();
    assert_eq!(
        (bounds.min, bounds.max),
        (v(-9.0, -8.0, -6.0), v(11.0, 11.0, 10.5))
    );
    let air = bounds.volume() - 4.0 * 3.0 * 0.5;
    assert!((world.census().air_volume_m3 - air).abs() < 1e-9);
    let hit = world
        .ray(v(0.0, 1.0, 9.0), v(0.0, 1.0, 0.0))
        .expect("the block");
    assert_eq!(hit.point.z, 2.5);
    let room = world.room(hit.room);
    let face = room.mesh.triangles[hit.triangle as usize].face;
    assert!(!world.is_bedrock(room.faces[face as usize].material));
    let hit = world
        .ray(v(0.0, -1.0, 2.25), v(0.0, -100.0, 2.25))
        .expect("the floor");
    let room = world.room(hit.room);
    let face = room.mesh.triangles[hit.triangle as usize].face;
    assert!(world.is_bedrock(room.faces[face as usize].material));
}

#[test]
fn the_largest_box_is_built_and_a_larger_one_is_refused() {
    let far = DVec3::splat(REACH_M);
    let mut world = World::solid_box(-far, far).expect("as large as the grid");
    assert_eq!(world.census().air_volume_m3, 0.0);
    world
        .carve(&BrushDesc::ball(DVec3::ZERO, 2.0).expect("a ball"))
        .expect("a cave");
    sound(&world);
    let error = refused(World::solid_box(-far, far * 1.001));
    assert_eq!(error, EditError::World(WorldError::BeyondGrid));
}

#[test]
fn boxes_that_are_none_are_refused() {
    let nan = f64::NAN;
    for (min, max) in [
        (DVec3::ZERO, DVec3::ZERO),
        (DVec3::ONE, DVec3::ZERO),
        (DVec3::ZERO, v(1.0, -1.0, 1.0)),
        (DVec3::ZERO, v(1.0, 1e-9, 1.0)),
    ] {
        assert_eq!(
            refused(World::solid_box(min, max)),
            EditError::NoBox { min, max }
        );
        assert_eq!(
            refused(BrushDesc::cuboid(min, max)),
            EditError::NoBox { min, max }
        );
        let error = refused(WorldBuilder::air(min, max).build());
        assert_eq!(error, EditError::NoBox { min, max });
    }
    for bad in [
        v(nan, 0.0, 0.0),
        v(0.0, f64::INFINITY, 0.0),
        DVec3::NEG_INFINITY,
    ] {
        assert!(matches!(
            refused(World::solid_box(bad, DVec3::ONE)),
            EditError::NotFinite(_)
        ));
        assert!(matches!(
            refused(World::solid_box(DVec3::ZERO, bad)),
            EditError::NotFinite(_)
        ));
        assert!(matches!(
            refused(BrushDesc::cuboid(bad, bad)),
            EditError::NotFinite(_)
        ));
        assert!(matches!(
            refused(BrushDesc::ball(bad, 1.0)),
            EditError::NotFinite(_)
        ));
        assert!(matches!(
            refused(BrushDesc::cylinder(bad, DVec3::ONE, 1.0)),
            EditError::NotFinite(_)
        ));
        assert!(matches!(
            refused(BrushDesc::cylinder(DVec3::ONE, bad, 1.0)),
            EditError::NotFinite(_)
        ));
        assert!(matches!(
            refused(BrushDesc::hull(&[bad; 5])),
            EditError::NotFinite(_)
        ));
        assert!(matches!(
            refused(World::from_mesh(&[bad; 3], &[[0, 1, 2]])),
            EditError::NotFinite(_)
        ));
    }
}

#[test]
fn brushes_that_are_none_say_why() {
    let shape = |error| EditError::World(WorldError::Shape(error));
    for radius in [0.0, -1.0, 0.009, 10.1, f64::INFINITY] {
        let error = refused(BrushDesc::ball(DVec3::ZERO, radius));
        assert_eq!(error, shape(ShapeError::Size(2.0 * radius)));
    }
    assert!(matches!(
        refused(BrushDesc::ball(DVec3::ZERO, f64::NAN)),
        EditError::World(WorldError::Shape(ShapeError::Size(_)))
    ));
    let beyond = shape(ShapeError::BeyondGrid);
    assert_eq!(refused(BrushDesc::ball(v(0.0, 1023.5, 0.0), 1.0)), beyond);
    assert_eq!(refused(BrushDesc::hull(&[DVec3::splat(1e300); 4])), beyond);
    assert_eq!(refused(BrushDesc::hull(&[])), shape(ShapeError::Empty(0)));
    assert_eq!(
        refused(BrushDesc::hull(&[DVec3::X, DVec3::X, DVec3::Y])),
        shape(ShapeError::Empty(2))
    );
    let line: Vec<DVec3> = (0..9).map(|i| DVec3::X * f64::from(i)).collect();
    assert_eq!(refused(BrushDesc::hull(&line)), shape(ShapeError::Flat));
    assert_eq!(
        refused(BrushDesc::hull(&vec![DVec3::ONE; 10_001])),
        shape(ShapeError::TooManyPoints(10_001))
    );
    let same = refused(BrushDesc::cylinder(DVec3::ONE, DVec3::ONE, 1.0));
    assert_eq!(same, shape(ShapeError::Direction));
    assert_eq!(
        BrushDesc::cylinder(DVec3::ZERO, DVec3::Y, 0.5).map(|b| b.sides.len()),
        Ok(18)
    );
    assert_eq!(
        BrushDesc::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]).map(|b| b.sides.len()),
        Ok(4)
    );
}

#[test]
fn a_carve_that_would_change_nothing_says_why() {
    let mut world = World::solid_box(DVec3::ZERO, DVec3::ONE).expect("a box");
    let before = world.hash();
    let ball = |at: DVec3| BrushDesc::ball(at, 0.25).expect("a ball");
    let error = refused(world.carve(&ball(v(4.0, 4.0, 4.0))));
    assert_eq!(error, EditError::NoEffect(NoEffect::Air));
    let error = refused(world.add_solid(&ball(DVec3::splat(0.5))));
    assert_eq!(error, EditError::NoEffect(NoEffect::Solid));
    let error = refused(world.carve(&ball(v(0.0, 9.0, 0.0))));
    assert_eq!(error, EditError::NoEffect(NoEffect::Bedrock));
    let error = refused(world.carve(&ball(v(0.0, 100.0, 0.0))));
    assert_eq!(error, EditError::World(WorldError::OutsideBounds));
    let error = refused(world.carve(&ball(DVec3::ZERO).with_material(77)));
    let missing = SurfaceError::NoSuchMaterial { material: 77 };
    assert_eq!(error, EditError::World(WorldError::Surface(missing)));
    assert!(matches!(
        refused(world.carve(&BrushDesc { sides: vec![] })),
        EditError::World(WorldError::Shape(ShapeError::Empty(0)))
    ));
    assert_eq!(world.hash(), before);
    // What asks with no numbers meets nothing.
    assert_eq!(world.ray(DVec3::NAN, DVec3::ONE), None);
    assert_eq!(world.sweep(v(0.5, 5.0, 0.5), v(0.5, 0.0, 0.5), -1.0), None);
    assert_eq!(
        world.sweep(v(0.5, 5.0, 0.5), v(0.5, 0.0, 0.5), f64::INFINITY),
        None
    );
}

#[test]
fn a_builder_puts_brushes_in_order_and_refuses_what_lies_outside() {
    let unbreakable = Material {
        hardness: f64::INFINITY,
        ..Material::default()
    };
    let block =
        |lo: f64, hi: f64| BrushDesc::cuboid(DVec3::splat(lo), DVec3::splat(hi)).expect("a box");
    let mut world = WorldBuilder::solid(DVec3::ZERO, DVec3::splat(8.0))
        .materials(vec![Material::default(), unbreakable])
        .params(bvh::BuildParams::default())
        .carve(block(1.0, 7.0))
        .fill(block(2.0, 3.0))
        .fill(block(4.0, 5.0).with_material(1))
        .build()
        .expect("a room");
    sound(&world);
    assert!((world.census().air_volume_m3 - 214.0).abs() < 1e-9);
    assert_eq!(
        refused(world.carve(&block(4.0, 5.0))),
        EditError::World(WorldError::Unbreakable)
    );
    assert!(world.carve(&block(2.0, 3.0)).is_ok());
    let outside = WorldBuilder::air(DVec3::ZERO, DVec3::ONE)
        .fill(block(1.0, 2.0))
        .build();
    assert_eq!(
        refused(outside),
        EditError::World(WorldError::OutsideBounds)
    );
    let no_material = WorldBuilder::air(DVec3::ZERO, DVec3::ONE)
        .fill(block(0.0, 0.5).with_material(1))
        .build();
    assert!(matches!(
        refused(no_material),
        EditError::World(WorldError::Surface(SurfaceError::NoSuchMaterial { .. }))
    ));
    let no_materials = WorldBuilder::air(DVec3::ZERO, DVec3::ONE)
        .materials(vec![])
        .build();
    assert!(no_materials.is_ok(), "bedrock is there");
}

#[test]
fn a_closed_mesh_is_a_solid_and_the_same_as_its_brush() {
    let mesh = cube(v(2.0, 1.0, 0.0));
    let world = from_mesh(&mesh).expect("a cube");
    sound(&world);
    let as_brush = World::solid_box(v(2.0, 1.0, 0.0), v(3.0, 2.0, 1.0)).expect("a box");
    assert_eq!(world.hash(), as_brush.hash());
    assert_eq!(world.bounds(), as_brush.bounds());
    // Two parts, one of them with a hollow; and a point that both name by itself.
    let mut hollow = backwards(cube(DVec3::ZERO));
    hollow.0.iter_mut().for_each(|p| *p = *p * 0.5 + 2.0);
    let mut shell = cube(DVec3::ZERO);
    shell.0.iter_mut().for_each(|p| *p = *p * 3.0 + 1.0);
    let world =
        from_mesh(&together(&[shell, hollow, cube(DVec3::ZERO)])).expect("a hollow and a cube");
    sound(&world);
    let solid = 27.0 - 0.125 + 1.0;
    assert!((world.bounds().volume() - world.census().air_volume_m3 - solid).abs() < 1e-9);
    assert!(world.locate(DVec3::splat(2.25)).is_some(), "the hollow");
    // Unwelded: each triangle has its own three points.
    let (points, triangles) = cube(DVec3::ZERO);
    let loose: Vec<DVec3> = triangles
        .iter()
        .flatten()
        .map(|&c| points[c as usize])
        .collect();
    let soup: Vec<[u32; 3]> = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    sound(&World::from_mesh(&loose, &soup).expect("a cube"));
}

#[test]
fn meshes_that_bound_no_solid_are_refused_with_the_place() {
    let surface = |error| EditError::World(WorldError::Surface(error));
    let good = cube(DVec3::ZERO);
    assert_eq!(
        refused(World::from_mesh(&[], &[])),
        surface(SurfaceError::Empty)
    );
    assert_eq!(
        refused(World::from_mesh(&good.0, &[])),
        surface(SurfaceError::Empty)
    );
    let error = refused(World::from_mesh(&good.0, &[[0, 1, 8]]));
    assert_eq!(error, surface(SurfaceError::NoSuchPoint { triangle: 0 }));
    let open = (good.0.clone(), good.1[1..].to_vec());
    assert!(matches!(
        refused(from_mesh(&open)),
        EditError::World(WorldError::Surface(SurfaceError::OpenEdge { .. }))
    ));
    let doubled = together(&[good.clone(), good.clone()]);
    assert!(matches!(
        refused(from_mesh(&doubled)),
        EditError::World(WorldError::Surface(SurfaceError::CrowdedEdge { .. }))
    ));
    // Along an edge.
    let beside = together(&[good.clone(), cube(v(1.0, 1.0, 0.0))]);
    assert!(matches!(
        refused(from_mesh(&beside)),
        EditError::World(WorldError::Surface(SurfaceError::CrowdedEdge { .. }))
    ));
    let mut far = good.clone();
    far.0[7] = v(1.0, 2000.0, 1.0);
    assert_eq!(
        refused(from_mesh(&far)),
        EditError::World(WorldError::BeyondGrid)
    );
    far.0[7] = v(1.0, REACH_M, 1.0);
    assert_eq!(
        refused(from_mesh(&far)),
        EditError::World(WorldError::BeyondGrid)
    );
    // Through one another, resting on one another, a corner in a side.
    for at in [
        v(0.5, 0.5, 0.5),
        v(0.25, 1.0, 0.25),
        v(0.5, 0.0, 0.0),
        v(0.0, 0.0, 1e-4),
    ] {
        let error = refused(from_mesh(&together(&[good.clone(), cube(at)])));
        assert!(
            matches!(error, EditError::TouchesItself { .. }),
            "{at}: {error}"
        );
    }
    let spike = (
        vec![
            v(0.5, 1.0, 0.5),
            v(0.4, 2.0, 0.4),
            v(0.7, 2.0, 0.4),
            v(0.5, 2.0, 0.7),
        ],
        vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]],
    );
    let standing = refused(from_mesh(&together(&[good.clone(), spike])));
    assert!(
        matches!(standing, EditError::TouchesItself { .. }),
        "{standing}"
    );
    // Inside out, one in another, a hollow in the air.
    let error = refused(from_mesh(&backwards(good.clone())));
    assert_eq!(error, EditError::InsideOut { triangle: 0 });
    let mut inner = good.clone();
    inner.0.iter_mut().for_each(|p| *p = *p * 0.5 + 0.25);
    let error = refused(from_mesh(&together(&[good.clone(), inner])));
    assert_eq!(error, EditError::InsideOut { triangle: 12 });
    let error = refused(from_mesh(&together(&[
        good.clone(),
        backwards(cube(v(3.0, 0.0, 0.0))),
    ])));
    assert_eq!(error, EditError::InsideOut { triangle: 12 });
    // A flat one, closed.
    let flat = refused(World::from_mesh(
        &[DVec3::ZERO, DVec3::X, DVec3::Y],
        &[[0, 1, 2], [0, 2, 1]],
    ));
    assert!(
        matches!(
            flat,
            EditError::World(WorldError::Surface(SurfaceError::FoldedEdge { .. }))
                | EditError::InsideOut { .. }
        ),
        "{flat}"
    );
    let line = refused(World::from_mesh(
        &[DVec3::ZERO, DVec3::X, DVec3::X * 2.0],
        &[[0, 1, 2], [0, 2, 1]],
    ));
    assert!(
        matches!(
            line,
            EditError::World(WorldError::Surface(SurfaceError::FlatTriangle { .. }))
        ),
        "{line}"
    );
}

#[test]
fn random_soups_are_built_or_refused_and_never_panic() {
    let mut state = 7_u64;
    let mut next = |n: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    let mut built = 0;
    for _ in 0..400 {
        // Cubes and tetrahedra on a coarse grid: they touch in every way that there is.
        let parts = 1 + next(3);
        let mut meshes = Vec::new();
        for _ in 0..parts {
            let at = v(next(3) as f64, next(3) as f64, next(3) as f64) * 0.5;
            let mut part = match next(2) {
                0 => cube(at),
                _ => {
                    let mut corner =
                        || v(next(4) as f64, next(4) as f64, next(4) as f64) * 0.5 + at;
                    let points = vec![corner(), corner(), corner(), corner()];
                    (points, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
                }
            };
            if next(4) == 0 {
                part = backwards(part);
            }
            meshes.push(part);
        }
        if let Ok(world) = from_mesh(&together(&meshes)) {
            sound(&world);
            built += 1;
        }
    }
    assert!(built > 30, "{built}");
}

/// The host's copy, kept by ids alone.
#[derive(Default)]
struct Host {
    tracker: SurfaceTracker,
    triangles: BTreeMap<TriangleId, SurfaceTriangle>,
}

impl Host {
    fn follow(&mut self, world: &World) -> usize {
        let changes = self.tracker.update(world);
        for id in changes.removed {
            assert!(self.triangles.remove(id).is_some(), "{id:?} was there");
        }
        for triangle in changes.changed {
            self.triangles.insert(triangle.id, *triangle);
        }
        let rooms = changes.changed.iter().map(|t| t.id.room);
        let rooms = rooms.chain(changes.removed.iter().map(|id| id.room));
        let mut rooms: Vec<u32> = rooms.collect();
        rooms.sort_unstable();
        rooms.dedup();
        assert_eq!(rooms, changes.rooms);
        let count = changes.changed.len();
        let mut expected = BTreeMap::new();
        for room in 0..world.room_count() as u32 {
            let view = world.room(room);
            for (slot, t) in (0..).zip(&view.mesh.triangles).filter(|(_, t)| t.is_live()) {
                let face = &view.faces[t.face as usize];
                let points = t.corners.map(|c| view.mesh.positions[c as usize]);
                let id = TriangleId { room, slot };
                let (normal, material) = (face.normal, face.material);
                expected.insert(
                    id,
                    SurfaceTriangle {
                        id,
                        points,
                        normal,
                        material,
                    },
                );
            }
        }
        assert!(
            self.triangles == expected,
            "the host has the world's surface"
        );
        count
    }
}

#[test]
fn a_host_that_takes_over_what_changed_has_the_worlds_surface() {
    let mut world = World::solid_box(DVec3::ZERO, v(8.0, 4.0, 2.0)).expect("a box");
    let mut host = Host::default();
    assert_eq!(host.follow(&world), 24);
    let mut undo = Vec::new();
    let mut state = 3_u64;
    let mut part = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1u64 << 24) as f64
    };
    for i in 0..60 {
        let at = v(part() * 8.0, part() * 4.0, part() * 2.0);
        let ball = BrushDesc::ball(at, 0.2 + part() * 0.6).expect("a ball");
        let done = match i % 5 {
            4 => world.add_solid(&ball),
            _ => world.carve(&ball),
        };
        if let Ok(carved) = done {
            undo.push(carved.report.delta);
            assert!(host.follow(&world) > 0);
        }
    }
    assert!(undo.len() > 40, "{}", undo.len());
    // Some of them go by while nobody looks.
    for (i, delta) in undo.into_iter().enumerate().rev() {
        world.revert(delta, &mut Silent);
        if i % 3 == 0 {
            host.follow(&world);
        }
    }
    assert_eq!(host.follow(&world), 0);
    assert_eq!(host.triangles.len(), 24);
    // Another world altogether.
    let other = World::solid_box(DVec3::ZERO, DVec3::ONE).expect("a box");
    host.follow(&other);
}

#[test]
fn pieces_have_numbers_that_undo_gives_back() {
    let mut world = World::solid_box(DVec3::ZERO, v(9.0, 1.0, 1.0)).expect("a beam");
    let cut = |x: f64| BrushDesc::cuboid(v(x, -1.0, -1.0), v(x + 0.5, 2.0, 2.0)).expect("a slab");
    let ids =
        |pieces: &[breach_core::world::Piece]| pieces.iter().map(|p| p.id).collect::<Vec<_>>();
    let first = world.carve(&cut(7.0)).expect("a cut");
    assert_eq!(ids(&first.pieces), [0]);
    assert!((first.pieces[0].solid.volume_m3 - 1.5).abs() < 1e-9);
    let second = world.carve(&cut(5.0)).expect("a cut");
    assert_eq!(ids(&second.pieces), [1]);
    world.revert(second.report.delta, &mut Silent);
    let again = world.carve(&cut(5.0)).expect("a cut");
    assert_eq!(ids(&again.pieces), [1]);
}

#[test]
fn a_dropped_undo_gives_its_planes_back() {
    let slab = BrushDesc::cuboid(v(-1.0, 2.0, -1.0), v(3.0, 5.0, 3.0)).expect("a box");
    let run = |keep: bool| {
        let mut world = World::solid_box(DVec3::ZERO, v(2.0, 4.0, 2.0)).expect("a box");
        let mut kept = Vec::new();
        for i in 0..40 {
            let at = v(1.0, 3.0 + f64::from(i) * 0.013, 1.0);
            // The crater goes with the slab that was taken around it.
            let crater = world
                .carve(&BrushDesc::ball(at, 0.4).expect("a ball"))
                .expect("a crater");
            let whole = world
                .add_solid(&BrushDesc::cuboid(v(0.0, 2.0, 0.0), v(2.0, 4.0, 2.0)).expect("a box"))
                .expect("mended");
            if keep {
                kept.extend([crater.report.delta, whole.report.delta]);
            }
        }
        let cut = world.carve(&slab).expect("a cut");
        if keep {
            kept.push(cut.report.delta);
        } else {
            drop(cut);
        }
        // What is dropped goes at the next change.
        let crater = world
            .carve(&BrushDesc::ball(v(1.0, 2.0, 1.0), 0.4).expect("a ball"))
            .expect("a crater");
        world.forget(&crater.report.delta);
        (world.plane_count(), world.hash())
    };
    let ((few, hash), (many, same)) = (run(false), run(true));
    assert_eq!(hash, same);
    assert!(few * 5 < many, "{few} planes of {many}");
    // Taken back, forgotten, cloned and dropped in any order, the count comes out even.
    let mut world = World::solid_box(DVec3::ZERO, DVec3::ONE).expect("a box");
    let plain = world.plane_count();
    for round in 0..8 {
        let ball = BrushDesc::ball(DVec3::ONE, 0.3).expect("a ball");
        let delta = world.carve(&ball).expect("a crater").report.delta;
        let mut other = world.clone();
        if round & 1 == 1 {
            drop(delta.clone());
        }
        if round & 2 == 2 {
            other.forget(&delta.clone());
        }
        let undone = world.revert(delta, &mut Silent);
        if round & 4 == 4 {
            world.forget(&undone.delta);
        }
        drop(undone);
        world.forget(&Default::default());
        assert_eq!(world.plane_count(), plain, "round {round}");
        sound(&other);
    }
}

/// A ball of quads on a cube's net, pushed out: its triangles share no plane.
fn boulder(n: u32, radius: f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for side in 0..6 {
        let (axis, is_high) = (side / 2, side % 2 == 1);
        for i in 0..n * n {
            let corner = |a: u32, b: u32| {
                let mut p = [0.0; 3];
                p[axis] = if is_high { 1.0 } else { -1.0 };
                p[(axis + 1) % 3] = f64::from(2 * (i % n + a)) / f64::from(n) - 1.0;
                p[(axis + 2) % 3] = f64::from(2 * (i / n + b)) / f64::from(n) - 1.0;
                DVec3::from_array(p).normalize() * radius
            };
            let mut quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            if !is_high {
                quad.reverse();
            }
            let first = points.len() as u32;
            points.extend(quad);
            triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t| t.map(|c| first + c)));
        }
    }
    (points, triangles)
}

#[test]
fn a_large_mesh_is_many_rooms_with_portals_and_bedrock_around_them() {
    let mesh = boulder(20, 16.0);
    let mut world = from_mesh(&mesh).expect("a boulder");
    sound(&world);
    assert!(world.room_count() > 1 && !world.portals().is_empty());
    let volume = world.bounds().volume() - world.census().air_volume_m3;
    let ball = 4.0 / 3.0 * std::f64::consts::PI * 16f64.powi(3);
    assert!(0.97 * ball < volume && volume < ball, "{volume} of {ball}");
    let mut host = Host::default();
    host.follow(&world);
    let (mut rock, mut bedrock) = (0, 0);
    for triangle in host.triangles.values() {
        match world.is_bedrock(triangle.material) {
            true => bedrock += 1,
            false => rock += 1,
        }
    }
    assert!(rock >= mesh.1.len() && bedrock >= 12, "{rock} {bedrock}");
    world
        .carve(&BrushDesc::ball(v(0.0, 16.0, 0.0), 2.0).expect("a ball"))
        .expect("a crater");
    sound(&world);
    let handed = host.follow(&world);
    assert!(0 < handed && handed < mesh.1.len(), "{handed}");
}
