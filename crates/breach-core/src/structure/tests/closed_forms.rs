//! Beams, frames and arches of the textbooks.
use super::*;

/// A chain of blocks at `centres` along `axis`, joined by sections of `size` half way; block 0 has one more before it.
struct Line {
    axis: usize,
    size: DVec2,
    law: Law,
}

impl Line {
    /// A section between two blocks, or one and the anchor, at `centre`.
    fn bond(&self, low: Option<u32>, high: Option<u32>, centre: DVec3) -> Bond {
        Bond {
            low,
            high,
            section: Section::rectangle(centre, self.axis, self.size),
            law: self.law,
            factor: 1.0,
        }
    }

    fn at(&self, along: f64) -> DVec3 {
        let mut p = DVec3::ZERO;
        p[self.axis] = along;
        p
    }

    /// `n` pieces of a bar of `length` from the anchor at its low end; at its high end too if `is_held_twice`.
    fn bar(&self, n: u32, length: f64, is_held_twice: bool) -> Structure {
        let step = length / f64::from(n);
        let blocks = (0..n).map(|i| Block {
            mass: self.law.density * self.size.x * self.size.y * step,
            centre: self.at(step * (f64::from(i) + 0.5)),
            load: Load::default(),
        });
        let bonds = (0..n + u32::from(is_held_twice)).map(|i| {
            self.bond(
                i.checked_sub(1),
                (i < n).then_some(i),
                self.at(step * f64::from(i)),
            )
        });
        Structure {
            blocks: blocks.collect(),
            bonds: bonds.collect(),
        }
    }
}

fn unit(axis: usize) -> DVec3 {
    DVec3::AXES[axis % 3]
}

fn lines() -> impl Iterator<Item = Line> {
    let materials = StructuralMaterial::ALL.into_iter().enumerate();
    materials.map(|(i, material)| Line {
        axis: i % 3,
        size: DVec2::new(0.08 + 0.02 * i as f64, 0.1),
        law: material.law(),
    })
}

#[test]
fn a_column_carries_its_weight_and_its_load() {
    for line in lines() {
        for n in [1, 3, 40] {
            let mut column = line.bar(n, 6.0, false);
            let load = 1234.0;
            column.blocks[n as usize - 1].load.force = -unit(line.axis) * load;
            let solution = solve(&column, -unit(line.axis) * 9.81);
            let area = line.size.x * line.size.y;
            for (i, state) in solution.states.iter().enumerate() {
                let above = f64::from(n - i as u32) / f64::from(n);
                let force = line.law.density * area * 6.0 * above * 9.81 + load;
                check_near(state.force[line.axis], force, 1e-9);
                check_near(state.utilisation, force / area / line.law.compression, 1e-9);
                assert_eq!(state.mode, Mode::Compression);
            }
        }
    }
}

#[test]
fn a_cantilever_turns_at_the_wall_with_half_its_length() {
    for line in lines() {
        for n in [1, 2, 10, 300] {
            let bar = line.bar(n, 4.0, false);
            for across in [line.axis + 1, line.axis + 2] {
                let solution = solve(&bar, -unit(across) * 9.81);
                let weight = line.law.density * line.size.x * line.size.y * 4.0 * 9.81;
                let state = &solution.states[0];
                check_near(state.force[across % 3], weight, 1e-9);
                check_near(state.moment.length(), 2.0 * weight, 1e-9);
                let depth = if across == line.axis + 1 {
                    line.size.x
                } else {
                    line.size.y
                };
                let width = line.size.x * line.size.y / depth;
                let stress = 2.0 * weight * 6.0 / (width * depth * depth);
                // Bricks slide before they crush, but no cantilever this long does.
                check_near(state.utilisation, stress / line.law.tension, 1e-9);
                assert_eq!(state.mode, Mode::Tension);
            }
        }
    }
}

#[test]
fn a_beam_held_at_both_ends_turns_with_a_twelfth() {
    for line in lines() {
        let load = line.law.density * line.size.x * line.size.y * 9.81;
        for n in [16, 40, 160] {
            let bar = line.bar(n, 4.0, true);
            let solution = solve(&bar, -unit(line.axis + 1) * 9.81);
            let first = solution.states[0].moment.length();
            check_near(first, load * 16.0 / 12.0, 0.01);
            check_near(solution.states[n as usize].moment.length(), first, 1e-9);
            check_near(
                solution.states[n as usize / 2].moment.length(),
                load * 16.0 / 24.0,
                0.02,
            );
        }
    }
}

/// A beam along x of an odd number of pieces on knife edges under the centres of some.
fn on_knives(n: u32, span: f64, knives: &[u32]) -> Structure {
    let line = Line {
        axis: 0,
        size: DVec2::splat(0.1),
        law: StructuralMaterial::Wood.law(),
    };
    let step = span / f64::from(n - 1);
    let mut beam = line.bar(n, step * f64::from(n), false);
    beam.bonds.remove(0);
    // Thin along the beam: a knife does not resist turns. In the beam's axis: no thrust.
    for &block in knives {
        let centre = beam.blocks[block as usize].centre;
        beam.bonds.push(Bond {
            low: None,
            high: Some(block),
            section: Section::rectangle(centre, 1, DVec2::new(0.1, 1e-4)),
            law: line.law,
            factor: 1.0,
        });
    }
    beam
}

#[test]
fn a_beam_on_two_supports_turns_with_an_eighth() {
    for n in [21, 41, 101] {
        let beam = on_knives(n, 4.0, &[0, n - 1]);
        let solution = solve(&beam, DOWN);
        let load = 420.0 * 0.01 * 9.81;
        let bonds = n as usize - 1;
        let reactions = [0, 1].map(|i| solution.states[bonds + i].force.y);
        check_near(reactions[0], reactions[1], 1e-3);
        let weight: f64 = beam.blocks.iter().map(|b| b.mass * 9.81).sum();
        check_near(reactions[0] + reactions[1], weight, 1e-9);
        // Half a piece hangs over at either end; the section lies half a piece beside the middle.
        let step = 4.0 / f64::from(n - 1);
        let at = 0.5 * step;
        let exact = reactions[0] * (2.0 - at) - load * (2.0 - at + 0.5 * step).powi(2) / 2.0;
        check_near(solution.states[bonds / 2].moment.z.abs(), exact, 0.01);
        check_near(exact, load * 16.0 / 8.0, 0.02);
    }
}

#[test]
fn a_beam_on_three_supports_has_five_eighths_in_the_middle() {
    for n in [41, 101, 201] {
        let beam = on_knives(n, 8.0, &[0, n / 2, n - 1]);
        let solution = solve(&beam, DOWN);
        let load = 420.0 * 0.01 * 9.81 * 8.0;
        let bonds = n as usize - 1;
        check_near(solution.states[bonds + 1].force.y, load * 5.0 / 8.0, 0.02);
        let hangs_over = 0.5 * load / f64::from(n - 1);
        check_near(
            solution.states[bonds].force.y,
            load * 3.0 / 16.0 + hangs_over,
            0.05,
        );
        // Beside the middle by half a piece.
        let (each, at) = (load / 8.0, 4.0 / f64::from(n - 1));
        let exact = each * (16.0 / 8.0 - 2.5 * at + 0.5 * at * at);
        check_near(solution.states[bonds / 2].moment.z.abs(), exact, 0.05);
    }
}

#[test]
fn a_portal_frame_turns_as_kleinlogel_has_it() {
    // Rahmenformeln: k = I_beam h / (I_column l); corners w l² / 6 (k + 2), feet half of that.
    let law = StructuralMaterial::Metal.law();
    let step = 0.05;
    let [upright, flat] = [1, 0].map(|axis| Line {
        axis,
        size: DVec2::splat(0.05),
        law,
    });
    for (high, wide) in [(60u32, 80u32), (40, 100)] {
        let mut frame = Structure::default();
        let mut add = |x: u32, y: u32, mass: f64| {
            frame.blocks.push(Block {
                mass,
                centre: DVec3::new(f64::from(x), f64::from(y), 0.0) * step,
                load: Load::default(),
            });
        };
        // The left column from its foot, the beam, the right column to its foot.
        (1..=high).for_each(|y| add(0, y, if y == high { 0.5 } else { 0.0 }));
        (1..wide).for_each(|x| add(x, high, 1.0));
        (1..=high)
            .rev()
            .for_each(|y| add(wide, y, if y == high { 0.5 } else { 0.0 }));
        let last = frame.blocks.len() as u32 - 1;
        for i in 0..last {
            let [a, b] = [i, i + 1].map(|i| frame.blocks[i as usize].centre);
            let middle = 0.5 * (a + b);
            frame.bonds.push(if a.y < b.y {
                upright.bond(Some(i), Some(i + 1), middle)
            } else if a.y > b.y {
                upright.bond(Some(i + 1), Some(i), middle)
            } else {
                flat.bond(Some(i), Some(i + 1), middle)
            });
        }
        let foot = |x: u32| DVec3::new(f64::from(x) * step, 0.5 * step, 0.0);
        frame.bonds.push(upright.bond(None, Some(0), foot(0)));
        frame.bonds.push(upright.bond(None, Some(last), foot(wide)));
        let solution = solve(&frame, DOWN);
        let (h, l) = ((f64::from(high) - 0.5) * step, f64::from(wide) * step);
        let load = 9.81 / step;
        let k = h / l;
        let corner = load * l * l / (6.0 * (k + 2.0));
        let feet = &solution.states[last as usize..];
        check_near(feet[0].moment.z.abs(), 0.5 * corner, 0.05);
        check_near(feet[1].moment.z.abs(), 0.5 * corner, 0.05);
        check_near(feet[0].force.x.abs(), 1.5 * corner / h, 0.05);
        check_near(
            solution.states[high as usize - 2].moment.z.abs(),
            corner,
            0.05,
        );
    }
}

#[test]
fn an_arch_thrusts_with_its_line() {
    // A parabola under an even load has the thrust w l² / 8 f and does not bend.
    let line = Line {
        axis: 0,
        size: DVec2::splat(0.2),
        law: StructuralMaterial::Rock.law(),
    };
    for (n, length, rise) in [(40u32, 10.0, 2.5), (101, 16.0, 6.0)] {
        let step = length / f64::from(n);
        let height = |x: f64| 4.0 * rise * x * (length - x) / (length * length);
        let at = |x: f64| DVec3::new(x, height(x), 0.0);
        let blocks = (0..n).map(|i| Block {
            mass: 100.0,
            centre: at((f64::from(i) + 0.5) * step),
            load: Load::default(),
        });
        let bonds = (0..=n).map(|i| {
            line.bond(
                i.checked_sub(1),
                (i < n).then_some(i),
                at(f64::from(i) * step),
            )
        });
        let arch = Structure {
            blocks: blocks.collect(),
            bonds: bonds.collect(),
        };
        let solution = solve(&arch, DOWN);
        let thrust = 100.0 * 9.81 / step * length * length / (8.0 * rise);
        for state in &solution.states {
            check_near(state.force.x, thrust, 0.05);
        }
        check_near(solution.states[0].force.y, 0.5 * 981.0 * f64::from(n), 1e-6);
    }
}

#[test]
fn a_deep_beam_of_many_blocks_is_a_beam() {
    // Eight layers between two walls: the moment at the wall is a twelfth; alone, an eighth of the height stays in each.
    let law = StructuralMaterial::Concrete.law();
    let (long, high) = (160u32, 8u32);
    let step = 0.125;
    let line = Line {
        axis: 0,
        size: DVec2::splat(step),
        law,
    };
    let upright = Line { axis: 1, ..line };
    let mut beam = Structure::default();
    for x in 0..long {
        for y in 0..high {
            let centre = DVec3::new(f64::from(x) + 0.5, f64::from(y) + 0.5, 0.5) * step;
            let half = 0.5 * step;
            let own = x * high + y;
            let before = x.checked_sub(1).map(|x| x * high + y);
            beam.blocks.push(Block {
                mass: law.density * step * step * step,
                centre,
                load: Load::default(),
            });
            beam.bonds
                .push(line.bond(before, Some(own), centre - DVec3::X * half));
            if x + 1 == long {
                beam.bonds
                    .push(line.bond(Some(own), None, centre + DVec3::X * half));
            }
            if y > 0 {
                beam.bonds
                    .push(upright.bond(Some(own - 1), Some(own), centre - DVec3::Y * half));
            }
        }
    }
    let solution = solve(&beam, DOWN);
    let (mut moment, mut force) = (0.0, 0.0);
    for (bond, state) in beam.bonds.iter().zip(&solution.states) {
        if bond.low.is_none() {
            let arm = bond.section.centre - DVec3::new(0.0, 0.5, 0.0625);
            moment += (state.moment + arm.cross(state.force)).z;
            force += state.force.y;
        }
    }
    let length = f64::from(long) * step;
    let load = law.density * step * step * f64::from(high) * 9.81;
    check_near(force, 0.5 * load * length, 1e-6);
    check_near(moment.abs(), load * length * length / 12.0, 0.05);
}

#[test]
fn twisting_and_bending_go_to_where_the_load_is() {
    for line in lines() {
        let mut bar = line.bar(12, 3.0, false);
        let pull = DVec3::new(10.0, 20.0, 30.0);
        let turn = DVec3::new(3.0, -2.0, 1.0);
        bar.blocks[11].load = Load {
            force: pull,
            moment: turn,
        };
        let solution = solve(&bar, DVec3::ZERO);
        for (bond, state) in bar.bonds.iter().zip(&solution.states) {
            let arm = bar.blocks[11].centre - bond.section.centre;
            assert!((state.force + pull).length() < 1e-9);
            assert!((state.moment + turn + arm.cross(pull)).length() < 1e-8);
        }
    }
}
