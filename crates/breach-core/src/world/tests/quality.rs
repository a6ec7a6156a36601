//! The surface after many carves, and rooms that are split in play.
use super::*;
use crate::carve::blast;
use crate::geom::rng::Rng;
use crate::world::touched::Touched;
use crate::world::{mesh, portals, subdivision};

/// A hall of 20 x 8 x 20 m after this many blasts at its walls, without undo.
pub(super) fn blasted(count: usize, radius: f64) -> World {
    let mut d = desc(true);
    d.base
        .push(carve(vec![metres([-10.0, -4.0, -10.0], [10.0, 4.0, 10.0])]));
    let mut world = built(&d);
    let mut rng = Rng::new(21);
    let mut stats = QueryStats::default();
    for _ in 0..count {
        let from = DVec3::new(
            rng.range(-9.0, 9.0),
            rng.range(-3.5, 3.5),
            rng.range(-9.0, 9.0),
        );
        let Some(hit) = world.cast_ray(from, from + rng.unit_vector() * 60.0, &mut stats) else {
            continue;
        };
        let centre = (hit.point * 1024.0).round().as_i64vec3() * 16;
        let brushes = blast::blast(centre, radius, blast::BlastShape::Rock, rng.next_u64(), 0);
        world.apply(&carve(brushes), &mut Silent).expect("a blast");
    }
    world
}

#[test]
fn after_many_carves_the_surface_is_closed_in_f32_and_what_is_tiny_is_counted() {
    let world = blasted(600, 0.7);
    check(&world);
    let q = world.quality();
    println!("{q:?}");
    assert_eq!((q.open_edges, q.mixed), (0, 0));
    assert_eq!(q.triangles, world.census().triangles);
    // Counted room by room it is the same, but for the edges.
    let mut sum = Quality::default();
    for room in 0..world.room_count() as RoomId {
        sum.replace(Quality::default(), world.room_quality(room));
    }
    assert_eq!(sum, q);
    assert!(q.welded + q.flat <= q.triangles / 1000 + 2, "{q:?}");
    assert!(q.tiny_faces <= world.census().faces / 50, "{q:?}");
    // No face was merged across planes: all corners lie on the face's plane, exactly (`check`), and each shows one
    // material, whose texture coordinates are a function of the place alone.
}

/// The long one: `cargo test --release -- --ignored ten_thousand`.
#[test]
#[ignore = "minutes"]
fn ten_thousand_carves_leave_a_good_surface() {
    let world = blasted(10_000, 0.5);
    check(&world);
    let (q, census) = (world.quality(), world.census());
    println!("{q:?} {census:?}");
    assert_eq!((q.open_edges, q.mixed), (0, 0));
    assert_eq!(q.triangles, census.triangles);
    assert!(q.welded + q.flat <= q.triangles / 10_000, "{q:?}");
    assert!(q.tiny_faces <= census.faces / 50, "{q:?}");
}

#[test]
fn a_room_cut_in_two_is_the_same_to_every_question() {
    let mut world = blasted(60, 1.0);
    for (step, (axis, at)) in [(0, 40_001), (2, -77_777), (1, 21_031), (0, -90_001)]
        .into_iter()
        .enumerate()
    {
        let mut cut = world.clone();
        let cell = (0..cut.geometry.cells.len() as RoomId)
            .filter(|&c| {
                let cell = &cut.geometry.cells[c as usize];
                cell.lo[axis] < at - 2000 && cell.hi[axis] > at + 2000
            })
            .max_by_key(|&c| cut.geometry.cells[c as usize].corners)
            .expect("a cell there");
        let mut touched = Touched::default();
        let (geometry, visible) = (&mut cut.geometry, &mut cut.visible);
        subdivision::cut(geometry, visible, cell, (axis, at), &mut touched);
        assert_eq!(geometry.cells.len(), world.geometry.cells.len() + 1);
        visible.revision = Revision::next();
        visible.face_hash = geometry.face_hash;
        let rooms: Vec<RoomId> = touched.cells.iter().copied().collect();
        let near = portals::of_rooms(visible, &rooms);
        portals::update(geometry, visible, &near);
        mesh::update(geometry, visible, &touched.log);
        check(&cut);
        compare(&world, &cut, step as u64);
        world = cut;
    }
}

#[test]
fn a_crowded_room_is_cut_where_no_other_place_is_cheaper() {
    let world = blasted(150, 0.7);
    let mut uneven = 0;
    for cell in world.geometry.cells.iter() {
        let all = || cell.all().map(|f| f.1);
        let (from, to) = (all().map(|f| f.lo), all().map(|f| f.hi));
        let (Some(from), Some(to)) = (from.reduce(DVec3::min), to.reduce(DVec3::max)) else {
            continue;
        };
        let size = to - from;
        let cost = |axis: usize, at: i64| {
            let at = at as f64 * 0.5;
            let below = cell.all().filter(|f| f.1.hi[axis] < at).count();
            let above = cell.all().filter(|f| f.1.lo[axis] > at).count();
            let all = cell.all().count();
            let site = subdivision::CutCandidate {
                axis,
                at: 0,
                below,
                above,
                all,
            };
            site.is_even().then(|| site.cost())
        };
        let axes = (0..3).filter(|&k| size[k] >= 0.75 * size.max_element());
        let places = axes.flat_map(|k| {
            let along = move |i| from[k] + size[k] * i as f64 / subdivision::SLICES as f64;
            (1..subdivision::SLICES).map(move |i| (k, (2.0 * along(i)) as i64 | 1))
        });
        let is_wide = |&(k, at): &(usize, i64)| {
            (at - cell.lo[k]).min(cell.hi[k] - at) >= subdivision::THINNEST
        };
        let cheapest = places
            .filter(is_wide)
            .filter_map(|(k, at)| cost(k, at))
            .min();
        let chosen = subdivision::cheapest_cut(cell);
        if cheapest.is_some() {
            assert_eq!(chosen.and_then(|site| cost(site.axis, site.at)), cheapest);
        }
        uneven += chosen.map_or(0, |site| {
            assert!(site.at % 2 != 0);
            let ends = cell.lo[site.axis] + cell.hi[site.axis];
            usize::from((2 * site.at - ends).abs() > 4)
        });
    }
    assert!(uneven > 0, "some are not cut in the middle");
}

#[test]
fn a_room_whose_faces_lie_in_one_place_is_cut_through_them() {
    let mut world = blasted(0, 1.0);
    let mut rng = Rng::new(5);
    for _ in 0..6 {
        // In one slice, which is 1.25 m wide, at the floor.
        let [x, z] = [(); 2].map(|()| rng.range(5.4, 5.85));
        let centre = DVec3::new(x, rng.range(-4.1, -3.9), z);
        let centre = (centre * 1024.0).round().as_i64vec3() * 16;
        let brushes = blast::blast(centre, 0.2, blast::BlastShape::Rock, rng.next_u64(), 0);
        // A carve entirely in air changes nothing.
        world.apply(&carve(brushes), &mut Silent).expect("a blast");
    }
    assert_eq!(world.geometry.cells.len(), 1);
    let site = subdivision::cheapest_cut(&world.geometry.cells[0]).expect("a place for a cut");
    assert!(site.all > 60, "{site:?}");
    assert!(8 * site.below.min(site.above) >= site.all, "{site:?}");
    let at = site.at as f64 * 0.5 / GRID;
    assert!((5.2..6.05).contains(&at), "{site:?} at {at} m");
}

/// Both answer alike wherever they are asked.
fn compare(a: &World, b: &World, seed: u64) {
    let (before, after) = (a.census(), b.census());
    for q in [a.quality(), b.quality()] {
        assert_eq!((q.open_edges, q.mixed), (0, 0), "{q:?}");
    }
    // A cone over another face rounds otherwise.
    assert!((before.air_volume_m3 - after.air_volume_m3).abs() < 1e-7);
    let mut rng = Rng::new(100 + seed);
    let place = |rng: &mut Rng| {
        DVec3::new(
            rng.range(-12.0, 12.0),
            rng.range(-6.0, 6.0),
            rng.range(-12.0, 12.0),
        )
    };
    for _ in 0..20_000 {
        let p = place(&mut rng);
        assert_eq!(a.locate(p).is_some(), b.locate(p).is_some(), "{p}");
    }
    let mut stats = QueryStats::default();
    let shows = |w: &World, hit: &CastHit| {
        let room = w.room(hit.room);
        let face = room.mesh.triangles[hit.triangle as usize].face;
        let view = &room.faces[face as usize];
        (w.materials[view.material as usize].clone(), view.normal)
    };
    let mut hits = 0;
    for i in 0..6000 {
        let (from, to) = (place(&mut rng), place(&mut rng));
        if a.locate(from).is_none() {
            continue;
        }
        let radius = [0.0, 0.1, 0.4][i % 3];
        // A sphere that starts in a wall may be told of either of two faces.
        let mut near = 0;
        let around = Aabb::from_centre(from, DVec3::splat(radius));
        a.each_triangle_in_box(&around, &mut stats, &mut |_, _| near += 1);
        if near > 0 && radius > 0.0 {
            continue;
        }
        let ask = |w: &World, stats: &mut QueryStats| match radius {
            0.0 => w.cast_ray(from, to, stats),
            _ => w.sweep_sphere(from, to, radius, stats),
        };
        match (ask(a, &mut stats), ask(b, &mut stats)) {
            (None, None) => {}
            (Some(p), Some(q)) => {
                hits += 1;
                assert!(
                    (p.fraction - q.fraction).abs() < 1e-9,
                    "{from} {to} {radius}"
                );
                assert!(p.point.distance(q.point) < 1e-7, "{from} {to} {radius}");
                // At an edge of two faces either may be told.
                if p.normal.distance(q.normal) < 1e-6 && radius == 0.0 {
                    assert_eq!(shows(a, &p), shows(b, &q));
                }
            }
            (p, q) => panic!("{from} {to} {radius}: {p:?} {q:?}"),
        }
    }
    assert!(hits > 1000);
}

#[test]
fn merging_keeps_the_texture_where_it_was() {
    // Two carves side by side whose floors are one face: every point keeps its material.
    let mut world = two_rooms();
    let texel = |world: &World, x: f64| {
        let (from, to) = (DVec3::new(x, 3.0, 0.31), DVec3::new(x, -5.0, 0.31));
        let hit = world
            .cast_ray(from, to, &mut QueryStats::default())
            .expect("a floor");
        let room = world.room(hit.room);
        let view = &room.faces[room.mesh.triangles[hit.triangle as usize].face as usize];
        let m = &world.materials[view.material as usize];
        (
            view.key,
            m.u.dot(hit.point) + m.offset[0],
            m.v.dot(hit.point) + m.offset[1],
        )
    };
    let pit = |x: f64| carve(vec![metres([x, -1.0, -1.0], [x + 1.0, 0.5, 1.0])]);
    world.apply(&pit(-6.0), &mut Silent).expect("a pit");
    let first = texel(&world, -5.4);
    world.apply(&pit(-5.0), &mut Silent).expect("a pit");
    check(&world);
    let (again, beside) = (texel(&world, -5.4), texel(&world, -4.6));
    assert_eq!(again.0, beside.0, "they are one face");
    assert_ne!(again.0, first.0);
    assert_eq!((again.1, again.2), (first.1, first.2));
}
