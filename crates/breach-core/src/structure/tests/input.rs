//! What nothing holds, and numbers that are none.
use super::*;

fn pillar(n: u32) -> Structure {
    let law = StructuralMaterial::Rock.law();
    let block = |i: u32| Block {
        mass: 325.0,
        centre: DVec3::Y * (0.25 + 0.5 * f64::from(i)),
        load: Load::default(),
    };
    let bond = |i: u32| Bond {
        low: i.checked_sub(1),
        high: Some(i),
        section: Section::rectangle(DVec3::Y * (0.5 * f64::from(i)), 1, DVec2::splat(0.5)),
        law,
        factor: 1.0,
    };
    Structure {
        blocks: (0..n).map(block).collect(),
        bonds: (0..n).map(bond).collect(),
    }
}

#[test]
fn what_nothing_holds_is_reported() {
    let mut pillar = pillar(6);
    pillar.bonds.remove(3);
    let solution = solve(&pillar, DOWN);
    assert_eq!(solution.held, [true, true, true, false, false, false]);
    check_near(solution.states[0].force.y, 3.0 * 325.0 * 9.81, 1e-12);
    assert_eq!(solution.states[3].utilisation, f64::INFINITY);
    assert_eq!(solution.states[4].utilisation, f64::INFINITY);
    assert_eq!(worst(&solution.states), Some(3));
}

#[test]
fn a_thread_holds_nothing() {
    let mut pillar = pillar(6);
    pillar.bonds[3].section = Section::rectangle(DVec3::Y * 1.5, 1, DVec2::splat(1e-3));
    let solution = solve(&pillar, DOWN);
    assert_eq!(solution.held, [true, true, true, false, false, false]);
    assert_eq!(worst(&solution.states), Some(3));
    // A crumb with its own small section is no thread.
    let mut crumb = self::pillar(3);
    crumb.blocks[2].mass = 1e-3;
    crumb.bonds[2].section = Section::rectangle(DVec3::Y, 1, DVec2::splat(1e-3));
    let solution = solve(&crumb, DOWN);
    assert_eq!(solution.held, [true; 3]);
    check_near(solution.states[2].force.y, 9.81e-3, 1e-9);
    check_near(solution.states[0].force.y, 650.001 * 9.81, 1e-9);
}

#[test]
fn a_tall_pillar_is_no_mechanism() {
    let mut pillar = pillar(3000);
    for block in &mut pillar.blocks {
        block.load.force = DVec3::X;
    }
    let solution = solve(&pillar, DOWN);
    assert!(solution.held.iter().all(|&held| held));
    check_near(solution.states[0].moment.z.abs(), 3000.0 * 750.0, 1e-6);
    let residual = equilibrium_residual(&pillar, DOWN, &solution.states);
    assert!(residual < 1e-11, "{residual:e}");
}

#[test]
fn what_turns_without_resistance_falls_alone() {
    // Soft by thirty powers of ten: below rounding.
    let mut pillar = pillar(6);
    pillar.bonds[4].law.young = 1e-20;
    let solution = solve(&pillar, DOWN);
    assert_eq!(solution.held[..4], [true; 4]);
    assert!(!solution.held[5]);
    assert!(4.0 * 325.0 * 9.81 * (1.0 - 1e-9) < solution.states[0].force.y);
    assert_eq!(solution.states[5].utilisation, f64::INFINITY);
}

#[test]
fn numbers_that_are_none_do_no_harm() {
    let odd = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        -0.0,
        -1.0,
        1e300,
        -1e300,
        1e-300,
        f64::MIN_POSITIVE / 4.0,
    ];
    let mut rng = Rng::new(5);
    for _ in 0..3000 {
        let mut structure = random_structure(&mut rng, [3, 3, 2]);
        for _ in 0..1 + rng.below(3) {
            let number = odd[rng.below(odd.len() as u64) as usize];
            let k = rng.below(3) as usize;
            let count = structure.blocks.len() as u64;
            if rng.below(3) == 0 && count > 0 {
                let block = &mut structure.blocks[rng.below(count) as usize];
                match rng.below(4) {
                    0 => block.mass = number,
                    1 => block.centre[k] = number,
                    2 => block.load.force[k] = number,
                    _ => block.load.moment[k] = number,
                }
            } else if !structure.bonds.is_empty() {
                let bonds = structure.bonds.len() as u64;
                let bond = &mut structure.bonds[rng.below(bonds) as usize];
                match rng.below(12) {
                    0 => bond.section.area = number,
                    1 => bond.section.centre[k] = number,
                    2 => bond.section.second_moments[k] = number,
                    3 => bond.section.low[k % 2] = number,
                    4 => bond.section.high[k % 2] = number,
                    5 => bond.section.axis = 3 + k,
                    6 => bond.factor = number,
                    7 => bond.law.young = number,
                    8 => bond.law.poisson = number,
                    9 => bond.law.tension = number,
                    10 => bond.low = Some(u32::MAX - k as u32),
                    _ => bond.high = bond.low,
                }
            }
        }
        let number = odd[rng.below(odd.len() as u64) as usize];
        let gravity = if rng.below(10) == 0 {
            DVec3::splat(number)
        } else {
            DOWN
        };
        let solution = solve(&structure, gravity);
        for state in &solution.states {
            assert!(!state.utilisation.is_nan());
            assert!(0.0 <= state.utilisation);
        }
        let _ = worst(&solution.states);
        let _ = proves(&structure, gravity, &solution.states, 1e-9);
    }
}

#[test]
fn factors_scale_the_strength() {
    let mut pillar = pillar(4);
    let utilisation = |pillar: &Structure| solve(pillar, DOWN).states[0].utilisation;
    let plain = utilisation(&pillar);
    for (factor, expected) in [
        (2.0, 0.5 * plain),
        (f64::INFINITY, 0.0),
        (0.0, f64::INFINITY),
        (f64::NAN, plain),
        (-1.0, plain),
    ] {
        pillar.bonds[0].factor = factor;
        assert_eq!(utilisation(&pillar), expected);
    }
}

#[test]
fn brickwork_slides_less_under_weight() {
    let law = StructuralMaterial::Brick.law();
    let bond = Bond {
        low: None,
        high: Some(0),
        section: Section::rectangle(DVec3::ZERO, 1, DVec2::ONE),
        law,
        factor: 1.0,
    };
    let shear = |down: f64| utilisation::state(&bond, DVec3::new(1e5, down, 0.0), DVec3::ZERO);
    check_near(shear(0.0).utilisation, 0.5, 1e-12);
    check_near(shear(2.5e5).utilisation, 1.0 / 3.0, 1e-12);
    assert_eq!(shear(2.5e5).mode, Mode::Shear);
}

#[test]
fn a_thin_diagonal_section_bends_by_its_own_depth() {
    // A strip of 1 m by 1 cm at 45 degrees, bent about its long axis: M c / I with half of its thickness, and no more than
    // √(8 / 3) of that.
    let law = StructuralMaterial::Rock.law();
    let (length, thick) = (1.0, 0.01);
    let area = length * thick;
    let (along, across) = (area * length * length / 12.0, area * thick * thick / 12.0);
    let half = 0.5 * (along + across);
    let bond = Bond {
        low: None,
        high: Some(0),
        section: Section {
            area,
            centre: DVec3::ZERO,
            axis: 2,
            second_moments: [half, half, 0.5 * (along - across)],
            low: DVec2::splat(-0.36),
            high: DVec2::splat(0.36),
        },
        law,
        factor: 1.0,
    };
    let moment = 100.0;
    let about = DVec3::new(1.0, 1.0, 0.0).normalize() * moment;
    let state = utilisation::state(&bond, DVec3::ZERO, about);
    let exact = moment * 0.5 * thick / across / law.tension;
    assert!(exact <= state.utilisation * (1.0 + 1e-9));
    assert!(state.utilisation <= exact * 1.64);
}

#[test]
fn forces_that_balance_prove_that_it_stands() {
    let pillar = pillar(4);
    let solution = solve(&pillar, DOWN);
    assert!(proves(&pillar, DOWN, &solution.states, 1e-9));
    assert!(!proves(&pillar, DOWN * 1.01, &solution.states, 1e-9));
    assert!(!proves(&pillar, DOWN, &solution.states[1..], 1e-9));
    let mut weak = pillar.clone();
    weak.bonds[0].law.compression = 1.0;
    assert!(!proves(&weak, DOWN, &solution.states, 1e-9));
    assert!(proves(&Structure::default(), DOWN, &[], 0.0));
}
