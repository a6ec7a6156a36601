use super::*;
use glam::DVec2;

fn solve(structure: &Structure, gravity: DVec3) -> Solution {
    Solve::new(structure.clone(), gravity).finish()
}

/// A straight bar of `n` pieces from the anchor along `axis`, both ends held or one.
fn bar(n: u32, axis: usize, size: DVec2, length: f64, law: Law, is_held_twice: bool) -> Structure {
    let step = length / f64::from(n);
    let along = |s: f64| {
        let mut p = DVec3::ZERO;
        p[axis] = s;
        p
    };
    let blocks = (0..n).map(|i| Block {
        mass: law.density * size.x * size.y * step,
        centre: along(step * (f64::from(i) + 0.5)),
        load: Load::default(),
    });
    let bonds = (0..n + u32::from(is_held_twice)).map(|i| Bond {
        low: i.checked_sub(1),
        high: (i < n).then_some(i),
        section: Section::rectangle(along(step * f64::from(i)), axis, size),
        law,
        factor: 1.0,
    });
    Structure { blocks: blocks.collect(), bonds: bonds.collect() }
}

#[test]
fn a_cantilever() {
    let law = StructuralMaterial::Wood.law();
    for n in [1, 2, 10, 100, 500] {
        let bar = bar(n, 0, DVec2::splat(0.1), 4.0, law, false);
        let g = DVec3::new(0.0, -9.81, 0.0);
        let solution = solve(&bar, g);
        let weight: f64 = bar.blocks.iter().map(|b| b.mass * 9.81).sum();
        println!("{n}: {:?} {} residual {}", solution.states[0], weight * 2.0, equilibrium_residual(&bar, g, &solution.states));
        assert!((solution.states[0].moment.z.abs() - weight * 2.0).abs() < 1e-9 * weight);
    }
}
