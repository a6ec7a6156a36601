//! Unused planes are given back.
use super::*;
use crate::carve::blast;
use crate::geom::rng::Rng;
use std::collections::BTreeSet;

fn hall() -> World {
    let mut d = desc(true);
    d.base
        .push(carve(vec![metres([-7.0, -4.0, -7.0], [7.0, 4.0, 7.0])]));
    built(&d)
}

/// A blast somewhere on the hall's walls.
fn shot(rng: &mut Rng) -> Operation {
    let way = rng.unit_vector();
    let at = way / way.abs().max_element() * DVec3::new(7.0, 4.0, 7.0);
    let at = (at * 1024.0).round().as_i64vec3() * 16;
    carve(blast::blast(
        at,
        0.8,
        blast::BlastShape::Rock,
        rng.next_u64(),
        0,
    ))
}

/// Planes that faces and cells use, by a search of all of them.
fn named(world: &World) -> usize {
    let faces = world.geometry.cells.iter().flat_map(|cell| cell.all());
    let mut planes: BTreeSet<_> = faces.flat_map(|(_, face)| face.planes()).collect();
    let sides = world.geometry.cells.iter().flat_map(|cell| cell.sides);
    planes.extend(sides.map(|side| side.plane));
    planes.len()
}

#[test]
fn planes_follow_the_faces_that_are_there_and_not_how_many_there_were() {
    let mut world = hall();
    assert_eq!(world.plane_count(), named(&world));
    let mut rng = Rng::new(6);
    let mut made = 0;
    for _ in 0..120 {
        let operation = shot(&mut rng);
        made += operation
            .brushes
            .iter()
            .map(|b| b.sides.len())
            .sum::<usize>();
        let report = world.apply(&operation, &mut Silent).expect("in bounds");
        world.forget(&report.delta);
        assert_eq!(world.plane_count(), named(&world));
    }
    check(&world);
    // The walls have receded: most of the early craters are gone, and with them their planes.
    for _ in 0..3 {
        let all = carve(vec![metres([-12.0, -9.0, -12.0], [12.0, 9.0, 12.0])]);
        let report = world.apply(&all, &mut Silent).expect("in bounds");
        world.forget(&report.delta);
    }
    assert_eq!(world.plane_count(), named(&world));
    assert!(made > 3000 && world.plane_count() < 100, "{made}");
}

#[test]
fn what_can_be_undone_keeps_its_planes_and_what_never_was_leaves_none() {
    let mut world = hall();
    let before = (world.plane_count(), world.hash());
    let mut rng = Rng::new(7);
    let (mut deltas, mut refused) = (Vec::new(), 0);
    for i in 0..40 {
        let operation = shot(&mut rng);
        let now = world.plane_count();
        world.preview(&operation).expect("in bounds");
        assert_eq!(world.plane_count(), now, "a preview");
        world.begin(&operation).expect("in bounds");
        for _ in 0..i % 5 {
            let mut units = WorkBudget::new(1);
            if world.advance(&mut units, &mut Silent).is_some() {
                break;
            }
        }
        if world.part_done().is_some() {
            world.abandon();
            assert_eq!(world.plane_count(), now, "dropped after {} steps", i % 5);
        }
        let budget = std::mem::replace(&mut world.budget_bytes, 1);
        match world.apply(&operation, &mut Silent) {
            Err(_) => refused += 1,
            // It needs fewer than before.
            Ok(report) => {
                let undone = world.revert(report.delta, &mut Silent);
                world.forget(&undone.delta);
            }
        }
        world.budget_bytes = budget;
        assert_eq!(world.plane_count(), now, "refused or taken back");
        deltas.push(world.apply(&operation, &mut Silent).expect("in bounds"));
    }
    assert!(refused > 30, "{refused}");
    let (all, hash) = (world.plane_count(), world.hash());
    assert!(all > named(&world));
    // There and back: no plane that the deltas use is lost.
    for _ in 0..2 {
        let undone = deltas.drain(..).rev().map(|report| report.delta);
        let undone: Vec<CarveReport> = undone
            .map(|delta| world.revert(delta, &mut Silent))
            .collect();
        deltas = undone;
    }
    check(&world);
    assert_eq!((world.plane_count(), world.hash()), (all, hash));
    for report in deltas.drain(..) {
        world.forget(&report.delta);
    }
    assert_eq!(world.plane_count(), named(&world));
    // Undone and then forgotten: as if it had never been.
    let mut world = hall();
    let mut rng = Rng::new(7);
    let carved: Vec<CarveReport> = (0..40)
        .map(|_| {
            world
                .apply(&shot(&mut rng), &mut Silent)
                .expect("in bounds")
        })
        .collect();
    for report in carved.into_iter().rev() {
        let undone = world.revert(report.delta, &mut Silent);
        world.forget(&undone.delta);
    }
    assert_eq!((world.plane_count(), world.hash()), before);
}
