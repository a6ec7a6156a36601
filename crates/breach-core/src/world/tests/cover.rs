//! The triangles of a face cover it exactly after any changes: checked in integers, without tolerance.
use super::*;
use crate::carve::triangulate::{Projection, triangulate};
use crate::carve::{blast, polytope::Surface};
use crate::exact::SUB_BITS;
use crate::geom::rng::Rng;
use crate::world::cell::edges;
use std::collections::{BTreeMap, BTreeSet};

/// A corner's projection, as integers in fractions of a step.
fn parts(projection: Projection, p: DVec3) -> [i128; 2] {
    let whole = |x: f64| (x * (1u64 << SUB_BITS) as f64) as i128;
    let flat = projection.project(p);
    [whole(flat.x), whole(flat.y)]
}

fn twice_area([a, b, c]: [[i128; 2]; 3]) -> i128 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// All triangles turn left, each directed edge is in one of them, and the edges without an opposite form the outline:
/// so they cover the face once. Their area is its area. Returns their number.
fn check_cover(world: &World) -> usize {
    let mut count = 0;
    for (cell, room) in world.geometry.cells.iter().zip(world.visible.rooms.iter()) {
        let mut drawn: BTreeMap<u32, Vec<[DVec3; 3]>> = BTreeMap::new();
        for t in room.mesh.triangles.iter().filter(|t| t.is_live()) {
            let corners = t.corners.map(|c| room.mesh.positions[c as usize] * GRID);
            drawn.entry(t.face).or_default().push(corners);
        }
        for (id, face) in cell.stuff() {
            let Surface::Stuff(material) = face.surface else {
                continue;
            };
            let own = drawn.remove(&id).unwrap_or_default();
            count += own.len();
            assert_eq!(room.faces[id as usize].material, material);
            let projection = Projection::from_normal(world.geometry.planes.normal(face.plane));
            let mut outline = BTreeMap::new();
            let mut area = 0;
            for (a, b) in edges(face) {
                let [a, b] = [a, b].map(|p| parts(projection, p));
                area += a[0] * b[1] - a[1] * b[0];
                *outline.entry([a, b]).or_insert(0) += 1;
            }
            let mut sum = 0;
            let mut sides = BTreeSet::new();
            for t in &own {
                let t = t.map(|p| parts(projection, p));
                assert!(twice_area(t) > 0, "a triangle that turns right");
                sum += twice_area(t);
                for k in 0..3 {
                    let (a, b) = (t[k], t[(k + 1) % 3]);
                    assert!(sides.insert([a, b]), "two triangles on one side");
                }
            }
            assert_eq!(sum, area, "area");
            for &[a, b] in &sides {
                if !sides.contains(&[b, a]) {
                    assert_eq!(outline.remove(&[a, b]), Some(1), "a gap");
                }
            }
            assert!(outline.is_empty(), "an edge without a triangle");
            // The face's stored triangles are those that are drawn.
            let points: Vec<DVec3> = crate::world::cell::points(face).collect();
            let key = |t: [DVec3; 3]| {
                let mut t = t.map(|p| parts(projection, p));
                let low = (0..3).min_by_key(|&k| t[k]).unwrap_or(0);
                t.rotate_left(low);
                t
            };
            let remembered = face.triangles.iter();
            let remembered: BTreeSet<_> = remembered
                .map(|t| key(t.map(|c| points[c as usize])))
                .collect();
            assert_eq!(remembered, own.iter().map(|&t| key(t)).collect());
        }
        assert!(drawn.is_empty(), "triangles of no face");
    }
    count
}

/// Length of all sides of all triangles: as drawn, and as it would be if each face was triangulated as a whole.
fn lengths(world: &World) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for face in world.geometry.cells.iter().flat_map(|cell| cell.stuff()) {
        let points: Vec<DVec3> = crate::world::cell::points(face.1).collect();
        let whole = triangulate(&world.geometry.planes, face.1);
        for (sum, triangles) in sums.iter_mut().zip([&face.1.triangles, &whole]) {
            for t in triangles {
                let [a, b, c] = t.map(|k| points[k as usize]);
                *sum += a.distance(b) + b.distance(c) + c.distance(a);
            }
        }
    }
    sums
}

/// Each room's tree gives the same answers as one newly built over its mesh.
fn check_trees(world: &World, rng: &mut Rng) {
    let mut stats = QueryStats::default();
    for room in world.visible.rooms.iter() {
        let fresh = crate::bvh::Bvh::build(&room.mesh, &BuildParams::default());
        assert_eq!(room.tree.face_count(), fresh.face_count());
        for i in 0..40 {
            let from = rng.in_box(&room.cell);
            let to = from + rng.unit_vector() * rng.range(0.1, 12.0);
            let radius = [0.0, 0.2][i % 2];
            assert_eq!(
                room.tree
                    .sweep_sphere(&room.mesh, from, to, radius, &mut stats),
                fresh.sweep_sphere(&room.mesh, from, to, radius, &mut stats)
            );
        }
    }
}

/// A step at a wall: a blast, a box, a fill of the same, an undo or a redo.
fn step(world: &mut World, rng: &mut Rng, done: &mut Vec<crate::world::Delta>) {
    if rng.below(5) == 0
        && let Some(delta) = done.pop()
    {
        let undone = world.revert(delta, &mut Silent);
        if rng.below(2) == 0 {
            let again = world.revert(undone.delta, &mut Silent);
            done.push(again.delta);
        }
        return;
    }
    let way = rng.unit_vector();
    let at = way / way.abs().max_element() * DVec3::new(8.0, 4.0, 8.0);
    let centre = (at * 1024.0).round().as_i64vec3() * 16;
    let operation = match rng.below(4) {
        0 => {
            let size = rng.range(0.2, 1.5);
            carve(vec![metres((at - size).to_array(), (at + size).to_array())])
        }
        1 => {
            let size = rng.range(0.2, 0.8);
            fill(vec![metres((at - size).to_array(), (at + size).to_array())])
        }
        _ => carve(blast::blast(
            centre,
            rng.range(0.3, 1.2),
            blast::BlastShape::Rock,
            rng.next_u64(),
            0,
        )),
    };
    if let Ok(report) = world.apply(&operation, &mut Silent) {
        done.push(report.delta);
    }
}

fn steps(seed: u64, count: u32, every: u32) {
    let mut d = desc(true);
    d.base
        .push(carve(vec![metres([-8.0, -4.0, -8.0], [8.0, 4.0, 8.0])]));
    let mut world = built(&d);
    let mut rng = Rng::new(seed);
    let mut done = Vec::new();
    for i in 1..=count {
        step(&mut world, &mut rng, &mut done);
        if i % every == 0 {
            assert_eq!(check_cover(&world), world.census().triangles);
        }
    }
    check(&world);
    check_trees(&world, &mut rng);
    let [drawn, whole] = lengths(&world);
    println!(
        "sides {:.0} m, triangulated anew {:.0} m",
        drawn / GRID,
        whole / GRID
    );
    assert!(drawn < 1.1 * whole, "{drawn} {whole}");
    let hash = world.hash();
    // All the way back, and forth again.
    let undone: Vec<_> = done
        .into_iter()
        .rev()
        .map(|delta| world.revert(delta, &mut Silent).delta)
        .collect();
    check_cover(&world);
    for delta in undone.into_iter().rev() {
        world.revert(delta, &mut Silent);
    }
    assert_eq!(world.hash(), hash);
    assert_eq!(check_cover(&world), world.census().triangles);
    check_trees(&world, &mut rng);
}

#[test]
fn triangles_cover_their_faces_exactly_through_carves_fills_and_undo() {
    for seed in 0..4 {
        steps(seed, 120, 10);
    }
}

#[test]
fn what_is_drawn_goes_along_when_a_cell_is_cut_and_made_whole_again() {
    let mut d = desc(true);
    d.base
        .push(carve(vec![metres([-8.0, -4.0, -8.0], [8.0, 4.0, 8.0])]));
    let mut world = built(&d);
    let mut rng = Rng::new(7);
    let rooms = world.room_count();
    let mut done = Vec::new();
    let look = |world: &World, rng: &mut Rng| {
        assert_eq!(check_cover(world), world.census().triangles);
        check_trees(world, rng);
        let count = |room: &Room| room.faces.iter().filter(|f| f.is_live()).count() as u32;
        assert!(
            world
                .visible
                .rooms
                .iter()
                .all(|room| room.face_count == count(room))
        );
    };
    while world.room_count() < rooms + 3 {
        let before = world.room_count();
        let at =
            [0, 1, 2].map(|k| (rng.range(-9.0, 9.0) * [1.0, 0.5, 1.0][k] * 16.0).round() / 16.0);
        let operation = carve(vec![metres(at, at.map(|x| x + 1.0))]);
        done.push(world.apply(&operation, &mut Silent).unwrap().delta);
        if world.room_count() > before {
            look(&world, &mut rng);
        }
    }
    let hash = world.hash();
    let mut undone = Vec::new();
    while let Some(delta) = done.pop() {
        let before = world.room_count();
        undone.push(world.revert(delta, &mut Silent).delta);
        if world.room_count() < before {
            look(&world, &mut rng);
        }
    }
    assert_eq!(world.room_count(), rooms);
    while let Some(delta) = undone.pop() {
        let before = world.room_count();
        world.revert(delta, &mut Silent);
        if world.room_count() > before {
            look(&world, &mut rng);
        }
    }
    assert_eq!(world.hash(), hash);
}

/// The long version: `cargo test --release -- --ignored thousands_of_changes`.
#[test]
#[ignore = "minutes"]
fn thousands_of_changes_leave_every_face_covered_exactly() {
    for seed in 100..110 {
        steps(seed, 2000, 50);
    }
}
