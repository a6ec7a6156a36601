//! Closed forms, a dense oracle, and what must not change the answer.
mod closed_forms;
mod input;
mod oracle;
mod same_bits;

use super::*;
use crate::geom::rng::Rng;
use glam::{DVec2, DVec3};

const DOWN: DVec3 = DVec3::new(0.0, -9.81, 0.0);

fn solve(structure: &Structure, gravity: DVec3) -> Solution {
    Solve::new(structure.clone(), gravity).finish()
}

#[track_caller]
fn check_near(value: f64, expected: f64, part: f64) {
    assert!(
        (value - expected).abs() <= part * expected.abs(),
        "{value} instead of {expected}"
    );
}

/// A random piece of a lattice: what is carved, of mixed materials, loaded, held at some places, in a random order.
fn random_structure(rng: &mut Rng, most: [u64; 3]) -> Structure {
    let size = most.map(|most| 1 + rng.below(most));
    let fill = rng.range(0.5, 1.0);
    let mut places = vec![];
    for x in 0..size[0] {
        for y in 0..size[1] {
            for z in 0..size[2] {
                if rng.unit_f64() < fill {
                    places.push([x, y, z].map(|c| c as i32));
                }
            }
        }
    }
    for i in (1..places.len()).rev() {
        places.swap(i, rng.below(i as u64 + 1) as usize);
    }
    let jitter = rng.range(0.0, 0.15);
    let spread = |rng: &mut Rng, by: f64| DVec3::from_array([0; 3].map(|_| rng.range(-by, by)));
    let mut structure = Structure::default();
    let main = rng.below(StructuralMaterial::COUNT as u64) as usize;
    for at in &places {
        let centre = (DVec3::from_array(at.map(f64::from)) + 0.5) * 0.5 + spread(rng, jitter);
        let force = if rng.below(8) == 0 { 500.0 } else { 0.0 };
        structure.blocks.push(Block {
            mass: rng.range(10.0, 300.0),
            centre,
            load: Load {
                force: spread(rng, force),
                moment: spread(rng, 0.1 * force),
            },
        });
    }
    let number = |at: [i32; 3]| places.iter().position(|&p| p == at).map(|i| i as u32);
    for at in &places {
        for axis in 0..3 {
            for is_up in [false, true] {
                let mut next = *at;
                next[axis] += if is_up { 1 } else { -1 };
                let (own, other) = (number(*at), number(next));
                // Each bond between two blocks once; the anchor below, seldom elsewhere.
                if other.is_some() && !is_up {
                    continue;
                }
                if other.is_none() && (axis != 1 || is_up || at[1] > 0) && rng.below(30) > 0 {
                    continue;
                }
                let mut centre = DVec3::from_array(at.map(f64::from)) + 0.5;
                centre[axis] += if is_up { 0.5 } else { -0.5 };
                let size = DVec2::new(rng.range(0.1, 0.5), rng.range(0.1, 0.5));
                let mut section = Section::rectangle(centre * 0.5, axis, size);
                let [iuu, ivv, _] = section.second_moments;
                if rng.below(2) == 0 {
                    section.centre += spread(rng, 0.1);
                    section.area *= 0.7;
                    section.second_moments = [
                        0.7 * iuu,
                        0.7 * ivv,
                        rng.range(-0.4, 0.4) * (iuu * ivv).sqrt(),
                    ];
                }
                let material = if rng.below(4) == 0 {
                    rng.below(7) as usize
                } else {
                    main
                };
                let (low, high) = if is_up { (own, other) } else { (other, own) };
                structure.bonds.push(Bond {
                    low,
                    high,
                    section,
                    law: StructuralMaterial::ALL[material].law(),
                    factor: if rng.below(3) == 0 {
                        rng.range(1.0, 3.0)
                    } else {
                        1.0
                    },
                });
            }
        }
    }
    structure
}

fn random_gravity(rng: &mut Rng) -> DVec3 {
    if rng.below(2) == 0 {
        DOWN
    } else {
        rng.unit_vector() * rng.range(1.0, 20.0)
    }
}
