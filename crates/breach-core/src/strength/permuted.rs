//! The way to a surface changes no bit of its verdict: the same cuts in another order, some undone and made again, with checks
//! in between, with any slices, by one thread or several.
use super::*;
use crate::geom::Aabb;
use crate::geom::rng::Rng;
use crate::stage::Silent;
use crate::structure::StructuralMaterial;
use crate::world::{BrushDesc, Op, Operation, World, WorldBuilder};
use glam::{DVec3, dvec3};
use std::sync::Arc;

const GRAVITY: DVec3 = dvec3(0.0, -9.81, 0.0);
/// So little that most bonds have what they need as authored, with the margin, and no more.
const SCALE: f64 = 0.02;

/// A table of bricks on two legs in a hall of rock.
fn table(rng: &mut Rng) -> World {
    let cuboid = |min, max| BrushDesc::cuboid(min, max).expect("a box");
    let thick = rng.range(0.4, 0.8);
    let leg = rng.range(0.5, 0.9);
    let solids = [
        (dvec3(-3.0, 2.0, -1.0), dvec3(3.0, 2.0 + thick, 1.0)),
        (dvec3(-2.5, 0.0, -0.4), dvec3(-2.5 + leg, 2.0, 0.4)),
        (dvec3(2.5 - leg, 0.0, -0.4), dvec3(2.5, 2.0, 0.4)),
    ];
    let builder = WorldBuilder::solid(dvec3(-8.0, -4.0, -6.0), dvec3(8.0, 8.0, 6.0));
    let builder = builder.carve(cuboid(dvec3(-5.0, 0.0, -3.0), dvec3(5.0, 4.0, 3.0)));
    let filled = solids.iter().fold(builder, |builder, &(min, max)| {
        builder.fill(cuboid(min, max))
    });
    filled.build().expect("a hall")
}

fn shuffle<T>(list: &mut [T], rng: &mut Rng) {
    for i in (1..list.len()).rev() {
        list.swap(i, rng.below(i as u64 + 1) as usize);
    }
}

/// All numbers of a verdict, bit for bit.
fn bits(verdict: &Verdict) -> Vec<u64> {
    let mut all = vec![verdict.blocks as u64, verdict.bonds as u64];
    all.push(verdict.utilisation.to_bits());
    for one in &verdict.breaks {
        let section = &one.section;
        let numbers = [one.utilisation, section.area].into_iter();
        let numbers = numbers.chain(section.centre.to_array());
        let numbers = numbers.chain(section.second_moments);
        all.extend(numbers.map(f64::to_bits));
        all.extend([section.axis as u64, one.mode as u64]);
    }
    all
}

/// Cuts in a seeded order, with undo, redo and checks in between; the verdict on all of them.
fn verdict_after(table: &World, cuts: &[(DVec3, f64)], rng: &mut Rng) -> Verdict {
    let mut world = table.clone();
    let materials = vec![StructuralMaterial::Brick; world.materials.len()];
    let mut strength = Strength::new(Arc::new(world.clone()), materials.clone());
    strength.add_materials(materials);
    let units = 1 + rng.below(20_000_000);
    for &(at, radius) in cuts {
        let operation = Operation {
            op: Op::Carve,
            brushes: vec![BrushDesc::ball(at, radius).expect("a ball")],
        };
        // It may meet air alone.
        let Ok(mut report) = world.apply(&operation, &mut Silent) else {
            continue;
        };
        if rng.below(3) == 0 {
            if let Some(bounds) = &report.bounds {
                strength.note_change(bounds);
            }
            for _ in 0..rng.below(4) {
                strength.advance(&world, GRAVITY, SCALE, units);
            }
            let undone = world.revert(report.delta, &mut Silent);
            if let Some(bounds) = &report.bounds {
                strength.note_undo(bounds);
            }
            report = world.revert(undone.delta, &mut Silent);
        }
        if let Some(bounds) = &report.bounds {
            strength.note_change(bounds);
        }
        world.forget(&report.delta);
        if rng.below(3) == 0 {
            for _ in 0..rng.below(6) {
                strength.advance(&world, GRAVITY, SCALE, units);
            }
        }
        if rng.below(8) == 0 {
            strength = strength.clone();
        }
    }
    // Undo and verdicts on the way have dropped some, and a cut through what has fallen changes nothing.
    strength.dismiss();
    for &(at, radius) in cuts {
        strength.note_change(&Aabb::from_centre(at, DVec3::splat(radius)));
    }
    for _ in 0..1_000_000 {
        if let Some(verdict) = strength.advance(&world, GRAVITY, SCALE, units) {
            return verdict;
        }
    }
    panic!("no verdict");
}

/// Tables with cuts, each in so many orders, by one thread and by four in turns. Returns how many tables have failing bonds.
fn check(tables: u64, orders: u64) -> u64 {
    let pools = [1, 4].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("threads")
    });
    let mut failing = 0;
    for seed in 0..tables {
        let mut rng = Rng::new(seed);
        let table = table(&mut rng);
        let mut cuts: Vec<(DVec3, f64)> = (0..3 + rng.below(5))
            .map(|_| {
                let at = dvec3(
                    rng.range(-3.0, 3.0),
                    rng.range(0.2, 2.6),
                    rng.range(-0.9, 0.9),
                );
                (at, rng.range(0.1, 0.45))
            })
            .collect();
        let mut first: Option<Verdict> = None;
        for order in 0..orders {
            let pool = &pools[(order % 2) as usize];
            let verdict = pool.install(|| verdict_after(&table, &cuts, &mut rng));
            let first = first.get_or_insert_with(|| verdict.clone());
            assert_eq!(bits(&verdict), bits(first), "seed {seed}, order {order}");
            shuffle(&mut cuts, &mut rng);
        }
        failing += u64::from(first.is_some_and(|verdict| !verdict.breaks.is_empty()));
    }
    failing
}

#[test]
fn cuts_in_any_order_give_the_same_bits() {
    assert!(check(4, 4) > 0);
}

#[test]
#[ignore = "minutes, in release"]
fn ten_thousand_orders_of_cuts_give_the_same_bits() {
    let failing = check(1_250, 8);
    println!("{failing} of 1250 tables have bonds that fail");
    assert!(failing > 100, "{failing}");
}
