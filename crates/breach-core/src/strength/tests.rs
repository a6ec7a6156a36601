//! Verdicts on small worlds against what can be worked out by hand.
use super::*;
use crate::geom::Aabb;
use crate::geom::rng::Rng;
use crate::structure::{Mode, StructuralMaterial};
use crate::world::{BrushDesc, World, WorldBuilder};
use glam::{DVec3, dvec3};
use std::sync::Arc;

const GRAVITY: DVec3 = dvec3(0.0, -9.81, 0.0);

fn cuboid(min: DVec3, max: DVec3) -> BrushDesc {
    BrushDesc::cuboid(min, max).expect("a box")
}

/// A hall of 20 m by 8 m by 12 m in rock, its floor at height 0, with these solids in it.
fn hall(solids: &[(DVec3, DVec3)]) -> World {
    let builder = WorldBuilder::solid(dvec3(-16.0, -6.0, -12.0), dvec3(16.0, 14.0, 12.0));
    let builder = builder.carve(cuboid(dvec3(-10.0, 0.0, -6.0), dvec3(10.0, 8.0, 6.0)));
    let filled = solids.iter().fold(builder, |builder, &(min, max)| {
        builder.fill(cuboid(min, max))
    });
    filled.build().expect("a hall")
}

/// Strength of a world all of this material.
fn strength_of(world: &World, material: StructuralMaterial) -> Strength {
    let materials = vec![material; world.materials.len()];
    let mut strength = Strength::new(Arc::new(world.clone()), materials.clone());
    strength.add_materials(materials);
    strength
}

/// Carves a box, and checks what it touched.
fn carve(
    world: &mut World,
    strength: &mut Strength,
    min: DVec3,
    max: DVec3,
    scale: f64,
) -> Verdict {
    world.carve(&cuboid(min, max)).expect("a carve");
    strength.note_change(&Aabb { min, max });
    check(world, strength, scale, 1_000_000)
}

fn check(world: &World, strength: &mut Strength, scale: f64, units: u64) -> Verdict {
    for _ in 0..100_000 {
        if let Some(verdict) = strength.advance(world, GRAVITY, scale, units) {
            return verdict;
        }
    }
    panic!("no verdict");
}

#[test]
fn a_crater_in_thick_rock_breaks_nothing() {
    let mut world = hall(&[]);
    let mut strength = strength_of(&world, StructuralMaterial::Rock);
    let mut rng = Rng::new(5);
    for _ in 0..8 {
        let at = dvec3(rng.range(-9.0, 9.0), 0.0, rng.range(-5.0, 5.0));
        let radius = rng.range(0.2, 1.2);
        world
            .carve(&BrushDesc::ball(at, radius).expect("a ball"))
            .expect("a carve");
        strength.note_change(&Aabb::from_centre(at, DVec3::splat(radius)));
        let verdict = check(&world, &mut strength, 1.0, 1_000_000);
        assert_eq!(verdict.breaks, []);
        assert!(!verdict.is_too_large);
    }
}

#[test]
fn a_pillar_breaks_where_it_is_thinned_at_the_area_that_its_load_needs() {
    // A roof of 6 m by 6 m by 1 m on one pillar of 1 m by 1 m by 4 m: 36 m³ above it, all of steel, as brick splits
    // above its neck first.
    let law = StructuralMaterial::Metal.law();
    let slab = (dvec3(-3.0, 4.0, -3.0), dvec3(3.0, 5.0, 3.0));
    let pillar = (dvec3(-0.5, 0.0, -0.5), dvec3(0.5, 4.0, 0.5));
    let weight = law.density * 9.81 * (36.0 + 1.0 * 1.0 * 1.7);
    let needed = weight / law.compression;
    // From all four sides alike, so that nothing bends: half the width that is left.
    for (share, breaks) in [(1.05, false), (0.95, true)] {
        let mut world = hall(&[slab, pillar]);
        let mut strength = strength_of(&world, StructuralMaterial::Metal);
        let left = (needed * share).sqrt() / 2.0;
        let (low, high) = (dvec3(-0.6, 1.8, -0.6), dvec3(0.6, 2.3, 0.6));
        for (min, max) in [
            (low, dvec3(-left, high.y, high.z)),
            (dvec3(left, low.y, low.z), high),
            (low, dvec3(high.x, high.y, -left)),
            (dvec3(low.x, low.y, left), high),
        ] {
            world.carve(&cuboid(min, max)).expect("a carve");
            strength.note_change(&Aabb { min, max });
        }
        let verdict = check(&world, &mut strength, 1.0, 1_000_000);
        assert_eq!(!verdict.breaks.is_empty(), breaks, "{share}: {verdict:?}");
        if let Some(worst) = verdict.breaks.first() {
            assert_eq!((worst.section.axis, worst.mode), (1, Mode::Compression));
            assert!((1.8..2.3).contains(&worst.section.centre.y), "{worst:?}");
        }
    }
}

#[test]
fn a_structure_that_is_too_large_is_checked_in_larger_blocks_or_left_alone_and_its_neighbours_are_checked()
 {
    let slab = (dvec3(-10.5, 5.0, -6.5), dvec3(4.0, 6.0, 6.5));
    let beam = (dvec3(5.0, 1.0, -6.5), dvec3(6.0, 2.0, 6.5));
    for (most, is_too_large) in [(MOST_BLOCKS, false), (600, false), (30, true)] {
        let mut world = hall(&[slab, beam]);
        let mut strength = strength_of(&world, StructuralMaterial::Brick).with_most_blocks(most);
        // Down through the edge of the slab, and nearly through the beam, far more than either holds.
        let cuts = [
            (dvec3(3.0, 4.9, -5.9), dvec3(3.4, 6.1, 5.9)),
            (dvec3(4.9, 1.0, -0.2), dvec3(5.95, 2.1, 0.2)),
            (dvec3(4.9, 1.0, 5.0), dvec3(5.95, 2.1, 5.4)),
        ];
        for (min, max) in cuts {
            world.carve(&cuboid(min, max)).expect("a carve");
            strength.note_change(&Aabb { min, max });
        }
        let verdict = check(&world, &mut strength, 0.05, 1_000_000);
        assert_eq!(verdict.is_too_large, is_too_large, "{most}: {verdict:?}");
        assert!(0 < verdict.blocks && verdict.blocks <= 2 * most);
        // The slab has its cut edge at 3.2, the beam lies beyond 5.
        let at = |x: f64| {
            verdict
                .breaks
                .iter()
                .any(|one| (one.section.centre.x < 4.5) == (x < 4.5))
        };
        assert!(at(5.5), "{most}: {verdict:?}");
        assert_eq!(at(3.2), !is_too_large, "{most}: {verdict:?}");
        let blocks: Vec<f64> = strength
            .last()
            .iter()
            .map(|one| one.lattice.block_m())
            .collect();
        let wanted: &[f64] = match most {
            MOST_BLOCKS => &[0.5],
            600 => &[0.5, 1.0],
            _ => &[0.5, 1.0, 2.0],
        };
        assert_eq!(blocks, wanted);
    }
}

#[test]
fn a_structure_that_is_too_costly_is_checked_in_larger_blocks_and_its_clones_agree() {
    let slab = (dvec3(-10.5, 5.0, -6.5), dvec3(4.0, 6.0, 6.5));
    let (min, max) = (dvec3(3.0, 4.9, -5.9), dvec3(3.4, 6.1, 5.9));
    let mut least = vec![];
    for (most, wanted) in [(u64::MAX, 0.5), (10_000_000, 1.0), (1, 2.0)] {
        let mut world = hall(&[slab]);
        let mut strength =
            strength_of(&world, StructuralMaterial::Brick).with_most_multiply_adds(most);
        world.carve(&cuboid(min, max)).expect("a carve");
        strength.note_change(&Aabb { min, max });
        let mut clone = strength.clone();
        let verdict = check(&world, &mut strength, 0.05, 1_000_000);
        assert_eq!(
            check(&world, &mut clone, 0.05, 1_000_000),
            verdict,
            "{most}"
        );
        let sizes = strength.last().iter().map(|one| one.lattice.block_m());
        assert_eq!(sizes.collect::<Vec<_>>(), [wanted], "{most}: {verdict:?}");
        assert!(
            !verdict.is_too_large && !verdict.breaks.is_empty(),
            "{most}: {verdict:?}"
        );
        least.push(verdict.blocks);
    }
    assert!(least.is_sorted_by(|a, b| a > b), "{least:?}");
}

#[test]
fn a_cantilever_breaks_at_its_wall_and_stands_where_nothing_was_cut() {
    // Of brick, 1 m thick and 2 m wide; 8 m out of the wall no brickwork holds.
    let beam = (dvec3(-10.5, 4.0, -1.0), dvec3(-2.0, 5.0, 1.0));
    let mut world = hall(&[beam]);
    let mut strength = strength_of(&world, StructuralMaterial::Brick);
    // A scratch at its end: as authored it needs more than its strength, so it gets that.
    let verdict = carve(
        &mut world,
        &mut strength,
        dvec3(-2.2, 4.8, -1.1),
        dvec3(-1.9, 5.1, 1.1),
        1.0,
    );
    assert_eq!(verdict.breaks, [], "{verdict:?}");
    assert!(
        verdict.utilisation < 1.0 / AUTHORED_MARGIN * 1.01,
        "{verdict:?}"
    );
    // A notch through the upper half near the wall.
    let verdict = carve(
        &mut world,
        &mut strength,
        dvec3(-9.2, 4.45, -1.1),
        dvec3(-8.8, 5.1, 1.1),
        1.0,
    );
    let worst = verdict.breaks.first().expect("it breaks");
    assert_eq!(
        (worst.section.axis, worst.mode),
        (0, Mode::Tension),
        "{worst:?}"
    );
    assert!((-9.3..-8.7).contains(&worst.section.centre.x), "{worst:?}");
}

#[test]
fn the_verdict_is_the_same_whatever_the_order_the_slices_and_a_clone_in_between() {
    let solids = [
        (dvec3(-4.0, 3.0, -1.0), dvec3(4.0, 3.6, 1.0)),
        (dvec3(-3.0, 0.0, -0.4), dvec3(-2.4, 3.0, 0.4)),
        (dvec3(2.4, 0.0, -0.4), dvec3(3.0, 3.0, 0.4)),
    ];
    let mut rng = Rng::new(9);
    for _ in 0..4 {
        let mut cuts: Vec<(DVec3, f64)> = (0..6)
            .map(|_| {
                let at = dvec3(
                    rng.range(-4.0, 4.0),
                    rng.range(0.5, 3.6),
                    rng.range(-1.0, 1.0),
                );
                (at, rng.range(0.1, 0.45))
            })
            .collect();
        let mut verdicts = Vec::new();
        for round in 0..3u64 {
            let mut world = hall(&solids);
            let mut strength = strength_of(&world, StructuralMaterial::Brick);
            for &(at, radius) in &cuts {
                let ball = BrushDesc::ball(at, radius).expect("a ball");
                // It may meet air alone.
                let Ok(carved) = world.carve(&ball) else {
                    continue;
                };
                strength.note_change(&Aabb::from_centre(at, DVec3::splat(radius + 0.01)));
                for piece in &carved.pieces {
                    strength.note_change(&piece.solid.bounds);
                }
            }
            let mut calls = 0;
            let units = [50_000_000, 30_000, 200_000][round as usize];
            let verdict = loop {
                calls += 1;
                if calls % 7 == 3 {
                    let clone = strength.clone();
                    let original = std::mem::replace(&mut strength, clone);
                    drop(original);
                }
                if let Some(verdict) = strength.advance(&world, GRAVITY, 1.0, units) {
                    break verdict;
                }
            };
            verdicts.push(verdict);
            cuts.rotate_left(2);
            cuts.swap(0, 3);
        }
        assert_eq!(verdicts[0], verdicts[1]);
        assert_eq!(verdicts[0], verdicts[2]);
    }
}

#[test]
fn a_clone_gives_its_verdict_in_the_same_call() {
    let solids = [(dvec3(-10.5, 4.0, -2.0), dvec3(10.5, 4.6, 2.0))];
    let mut world = hall(&solids);
    let mut strength = strength_of(&world, StructuralMaterial::Concrete);
    world
        .carve(&BrushDesc::ball(dvec3(0.0, 4.6, 0.0), 0.4).expect("a ball"))
        .expect("a carve");
    strength.note_change(&Aabb::from_centre(dvec3(0.0, 4.6, 0.0), DVec3::splat(0.5)));
    let mut verdicts: Vec<(u32, Verdict)> = Vec::new();
    let mut others: Vec<Strength> = Vec::new();
    for call in 0..100_000 {
        if call % 5 == 2 && others.len() < 6 {
            others.push(strength.clone());
        }
        let mut all: Vec<&mut Strength> = others.iter_mut().chain([&mut strength]).collect();
        for one in &mut all {
            if let Some(verdict) = one.advance(&world, GRAVITY, 1.0, 300_000) {
                verdicts.push((call, verdict));
            }
        }
        if !verdicts.is_empty() {
            break;
        }
    }
    assert_eq!(verdicts.len(), 7);
    assert!(verdicts.iter().all(|verdict| *verdict == verdicts[0]));
    assert!(verdicts[0].0 > 20, "{}", verdicts[0].0);
}

#[test]
fn a_solid_that_floats_is_left_alone() {
    let mut world = World::solid_box(DVec3::ZERO, dvec3(6.0, 3.0, 0.5)).expect("a wall");
    let mut strength = strength_of(&world, StructuralMaterial::Concrete);
    let verdict = carve(
        &mut world,
        &mut strength,
        dvec3(2.0, -1.0, -1.0),
        dvec3(2.2, 2.5, 1.0),
        1.0,
    );
    assert_eq!(verdict.breaks, []);
}

#[test]
fn the_load_of_a_column_goes_down_block_by_block_and_grows_by_their_weight() {
    // Within one column of blocks, 4 m high; its foot stands in the block of the floor.
    let (min, max) = (dvec3(1.0625, 0.0, 1.0625), dvec3(1.4375, 4.0, 1.4375));
    let mut world = hall(&[(min, max)]);
    let mut strength = strength_of(&world, StructuralMaterial::Brick);
    assert!(strength.last().is_empty());
    // A scratch at its top.
    let (low, high) = (dvec3(1.0, 3.9375, 1.0), dvec3(1.5, 4.1, 1.5));
    let verdict = carve(&mut world, &mut strength, low, high, 1.0);
    let checked = strength.last().first().expect("it was checked").clone();
    assert_eq!(checked.structure.blocks.len(), verdict.blocks);
    let weight = |from: f64| {
        let law = StructuralMaterial::Brick.law();
        law.density * 9.81 * 0.375 * 0.375 * (3.9375 - from)
    };
    for (height, steps) in [(0.2, 1), (2.2, 5), (3.7, 8)] {
        let block = checked
            .block_at(dvec3(1.1, height, 1.1))
            .expect("a block of the column");
        let path = checked.load_path(block, GRAVITY);
        let below = (height * 2.0_f64).floor() / 2.0;
        assert!(
            (path.load_n / weight(below) - 1.0).abs() < 0.01,
            "{height}: {path:?}"
        );
        assert!(path.reaches_ground);
        assert_eq!((path.blocks.len(), path.bonds.len()), (steps, steps));
        let foot = *path.bonds.last().expect("a bond");
        assert_eq!(path.weakest, Some(foot));
        let used = checked.states[foot as usize].utilisation;
        let law = StructuralMaterial::Brick.law();
        let wanted = weight(0.0) / (0.375 * 0.375) / law.compression;
        assert!((used / wanted - 1.0).abs() < 0.01, "{used} {wanted}");
        assert_eq!(checked.material(foot), Some(StructuralMaterial::Brick));
    }
    let used = checked.utilisations();
    assert_eq!(used.len(), 8, "{used:?}");
    assert!(used.is_sorted_by(|a, b| a.0 < b.0 && a.1 > b.1), "{used:?}");
    assert_eq!(checked.block_at(dvec3(1.1, -2.0, 1.1)), None);
    // A clone has to look for itself, and after an undo nothing is known.
    assert!(strength.clone().last().is_empty());
    strength.note_undo(&Aabb {
        min: low,
        max: high,
    });
    assert!(strength.last().is_empty());
}
