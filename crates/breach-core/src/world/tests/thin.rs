//! Pieces thinner than the rounding of their corners: signs alone tell that they are solid, and where.
use super::islands::{cuts, hall};
use super::*;
use crate::geom::rng::Rng;

/// The brush between a box's floor and a roof that falls along z from y = `top` at `ridge`, a step for every `run`; steps.
fn under_a_roof(lo: [i64; 3], hi: [i64; 3], [top, ridge, run]: [i64; 3]) -> BrushDesc {
    let mut brush = cuboid(lo, hi);
    let at = |x, fall| I64Vec3::new(x, top - fall, ridge + fall * run);
    // In the place of the box's top.
    brush.sides[3].points = [at(0, 0), at(0, 1), at(1024, 0)];
    brush
}

/// Steps on which a roof falls by one: from a quarter of a millimetre on a metre down to a step in 512 m.
fn a_run(rng: &mut Rng) -> i64 {
    libm::exp2(rng.range(12.0, 23.0)) as i64
}

/// A wall along x across the hall, this many steps thick and up to this height. A carve leaves its foot and a sliver
/// along its upper edge, a step thick after `run` steps. Returns the pieces that fell, and the world.
fn sliver_of_a_wall(
    cuts: &[(usize, f64)],
    [from, to]: [i64; 2],
    [z, across, top]: [i64; 3],
    run: i64,
) -> (World, CarveReport, f64) {
    let floor = -4 * M;
    let wall = cuboid([from, floor, z], [to, top, z + across]);
    let mut world = hall(vec![wall], cuts);
    let before = world.census().air_volume_m3;
    let cut = under_a_roof(
        [from - M, floor + M, z - M],
        [to + M, top + M, z + across + M],
        [top, z, run],
    );
    let report = world.apply(&carve(vec![cut]), &mut Silent).expect("a cut");
    let grown = world.census().air_volume_m3 - before;
    (world, report, grown)
}

#[test]
fn a_sliver_of_any_thickness_falls_and_opens_the_walls_it_ran_through() {
    let mut rng = Rng::new(21);
    for round in 0..60 {
        let among = |rng: &mut Rng, lo: f64, hi: f64| (rng.range(lo, hi) * M as f64) as i64;
        let [from, to] = [among(&mut rng, -6.5, -0.2), among(&mut rng, 0.2, 6.5)];
        let across = 1 + rng.below(1 << (1 + round % 9)) as i64;
        let (z, top) = (among(&mut rng, -6.5, 6.5), among(&mut rng, -2.5, 3.5));
        let run = a_run(&mut rng);
        for cuts in cuts() {
            let (mut world, report, grown) =
                sliver_of_a_wall(&cuts, [from, to], [z, across, top], run);
            let what = format!(
                "{from} {to}, {z} {across} {top}, {run}, {} cuts",
                cuts.len()
            );
            assert_eq!(world.validate(), Ok(()), "{what}");
            assert_eq!(report.islands.len(), 1, "{what}");
            let height = top - (-3 * M);
            let gone = (to - from) as f64 * height as f64 * across as f64 / (M as f64).powi(3);
            assert!((grown - gone).abs() < 1e-8, "{grown} for {gone}: {what}");
            let redo = world.revert(report.delta, &mut Silent).delta;
            check(&world);
            world.revert(redo, &mut Silent);
            check(&world);
        }
    }
}

#[test]
fn a_crack_of_any_thickness_goes_with_the_block_that_falls_around_it() {
    let mut rng = Rng::new(22);
    for round in 0..40 {
        let across = 1 + rng.below(1 << (1 + round % 9)) as i64;
        let run = a_run(&mut rng);
        let [x, y, z] = [0; 3].map(|_| (rng.range(-1.4, 1.4) * M as f64) as i64);
        let long = (rng.range(0.001, 1.4) * M as f64) as i64;
        for cuts in cuts() {
            let block = metres([-3.0, -3.0, -3.0], [3.0, 3.0, 3.0]);
            let peg = metres([-0.5, 3.0, -0.5], [0.5, 4.0, 0.5]);
            let mut world = hall(vec![block, peg], &cuts);
            let whole = world.census().air_volume_m3;
            // A wedge of air within the block, a step high after `run` steps.
            let mut crack = cuboid([x, y - 1, z], [x + long, y, z + across]);
            let at = |x, fall| I64Vec3::new(x, y - fall, z + fall * run);
            crack.sides[2].points = [at(0, 0), at(1024, 0), at(0, 1)];
            let what = format!("{x} {y} {z}, {long} {across}, {run}, {} cuts", cuts.len());
            let cracked = world
                .apply(&carve(vec![crack]), &mut Silent)
                .expect("a crack");
            assert_eq!(world.validate(), Ok(()), "{what}");
            assert!(cracked.islands.is_empty(), "{what}");
            let cut = carve(vec![metres([-1.0, 3.0, -1.0], [1.0, 3.5, 1.0])]);
            let fell = world.apply(&cut, &mut Silent).expect("a cut").islands;
            assert_eq!(world.validate(), Ok(()), "{what}");
            assert_eq!(fell.len(), 1, "{what}");
            let grown = world.census().air_volume_m3 - whole;
            assert!((grown - 216.5).abs() < 1e-8, "{grown}: {what}");
        }
    }
}

#[test]
fn blasts_large_and_small_leave_every_wall_the_same_from_both_sides() {
    let mut rng = Rng::new(23);
    for round in 0..24 {
        let cuts = &cuts()[1 + round % 2];
        // Beams and plates of a few millimetres to a metre, all of which stand on the floor or hang from the ceiling.
        let solids = (0..12).map(|_| {
            let size = [0; 2].map(|_| 0.003 * libm::exp(rng.range(0.0, 6.0)));
            let [x, z] = size.map(|size| rng.range(-7.9, 7.9 - size));
            let height = rng.range(0.5, 8.0);
            let low = if rng.below(2) == 0 {
                -4.0
            } else {
                4.0 - height
            };
            metres([x, low, z], [x + size[0], low + height, z + size[1]])
        });
        let mut world = hall(solids.collect(), cuts);
        for shot in 0..6 {
            let radius = 0.02 * libm::exp(rng.range(0.0, 6.5));
            let at = DVec3::new(
                rng.range(-8.0, 8.0),
                rng.range(-4.0, 4.0),
                rng.range(-8.0, 8.0),
            );
            let at = (at * 1024.0).round().as_i64vec3() * 16;
            let brushes = crate::carve::blast::blast(
                at,
                radius,
                crate::carve::blast::BlastShape::Rock,
                rng.next_u64(),
                0,
            );
            // One whose corners round to nothing, or lie beyond the level, is none.
            if world.apply(&carve(brushes), &mut Silent).is_ok() {
                assert_eq!(
                    world.validate(),
                    Ok(()),
                    "{round} {shot}: {radius} m at {at}"
                );
            }
        }
        check(&world);
    }
}
