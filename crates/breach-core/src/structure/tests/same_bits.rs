//! Slices, orders and neighbours change no bit.
use super::*;

fn bits(state: &BondState) -> [u64; 8] {
    let mut all = [0; 8];
    let numbers = state
        .force
        .to_array()
        .into_iter()
        .chain(state.moment.to_array());
    for (bits, number) in all.iter_mut().zip(numbers.chain([state.utilisation])) {
        *bits = number.to_bits();
    }
    all[7] = state.mode as u64;
    all
}

fn all_bits(solution: &Solution) -> Vec<[u64; 8]> {
    solution.states.iter().map(bits).collect()
}

fn shuffled(n: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        order.swap(i, rng.below(i as u64 + 1) as usize);
    }
    order
}

#[test]
fn any_slicing_gives_the_same_bits() {
    for seed in 0..6 {
        let mut rng = Rng::new(seed);
        let structure = random_structure(&mut rng, [14, 14, 3]);
        let whole = all_bits(&solve(&structure, DOWN));
        for most in [1, 1000, 100_000, 10_000_000] {
            let mut solve = Solve::new(structure.clone(), DOWN);
            while !solve.advance(&mut (1 + rng.below(most))) {}
            assert_eq!(all_bits(&solve.finish()), whole, "seed {seed}");
        }
    }
}

#[test]
fn the_order_of_blocks_and_bonds_changes_no_bit() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let structure = random_structure(&mut rng, [6, 8, 4]);
        let whole = solve(&structure, DOWN);
        // place[new] = old
        let blocks = shuffled(structure.blocks.len(), &mut rng);
        let bonds = shuffled(structure.bonds.len(), &mut rng);
        let mut new_of = vec![0; blocks.len()];
        for (new, &old) in blocks.iter().enumerate() {
            new_of[old] = new as u32;
        }
        let mixed = Structure {
            blocks: blocks.iter().map(|&old| structure.blocks[old]).collect(),
            bonds: bonds
                .iter()
                .map(|&old| {
                    let bond = structure.bonds[old];
                    let new = |side: Option<u32>| side.map(|block| new_of[block as usize]);
                    Bond {
                        low: new(bond.low),
                        high: new(bond.high),
                        ..bond
                    }
                })
                .collect(),
        };
        let again = solve(&mixed, DOWN);
        for (new, &old) in bonds.iter().enumerate() {
            assert_eq!(
                bits(&again.states[new]),
                bits(&whole.states[old]),
                "seed {seed}"
            );
        }
        for (new, &old) in blocks.iter().enumerate() {
            assert_eq!(again.held[new], whole.held[old]);
        }
    }
}

#[test]
fn a_part_depends_on_itself_alone() {
    let mut rng = Rng::new(3);
    let parts: Vec<Structure> = (0..5)
        .map(|_| random_structure(&mut rng, [5, 5, 3]))
        .collect();
    let mut whole = Structure::default();
    for part in &parts {
        let first = whole.blocks.len() as u32;
        whole.blocks.extend_from_slice(&part.blocks);
        whole.bonds.extend(part.bonds.iter().map(|bond| Bond {
            low: bond.low.map(|b| b + first),
            high: bond.high.map(|b| b + first),
            ..*bond
        }));
    }
    let apart: Vec<[u64; 8]> = parts
        .iter()
        .flat_map(|part| all_bits(&solve(part, DOWN)))
        .collect();
    assert_eq!(all_bits(&solve(&whole, DOWN)), apart);
}

#[test]
fn vectors_of_any_width_give_the_same_bits() {
    use dense::{Columns, Eliminate, PANEL, SIX, Update, pack, stride};
    use pulp::WithSimd;
    let mut rng = Rng::new(1);
    for blocks in [1, 2, 3, 8, 13] {
        let columns = SIX * blocks;
        let rows = columns + 31;
        let stride = stride(rows);
        let panel: Vec<f64> = (0..columns * stride)
            .map(|i| rng.range(-1.0, 1.0) + f64::from(u8::from(i % stride == i / stride)) * 100.0)
            .collect();
        let target: Vec<f64> = (0..(rows - columns) * stride)
            .map(|_| rng.unit_f64())
            .collect();
        let least = vec![0.0; columns];
        let run = |is_scalar: bool| {
            let (mut panel, mut target) = (panel.clone(), target.clone());
            let mut packed = vec![];
            for from in (0..columns.min(PANEL)).step_by(PANEL) {
                let to = (from + PANEL).min(columns);
                let eliminate = Eliminate {
                    panel: &mut panel,
                    stride,
                    rows,
                    from,
                    to,
                    least: &least,
                };
                let done = if is_scalar {
                    eliminate.with_simd(pulp::Scalar)
                } else {
                    dense::dispatch(eliminate)
                };
                assert_eq!(done, Ok(()));
                pack(&mut packed, &panel, stride, columns..rows, from..to);
                let update = Update {
                    packed: &packed,
                    width: to - from,
                    target: &mut target,
                    columns: Columns::Whole(stride),
                    from: 0,
                    to: 30,
                };
                if is_scalar {
                    update.with_simd(pulp::Scalar);
                } else {
                    dense::dispatch(update);
                }
            }
            let all = panel.into_iter().chain(target);
            all.map(f64::to_bits).collect::<Vec<_>>()
        };
        assert_eq!(run(true), run(false), "{blocks} blocks");
    }
}

#[test]
fn blocks_of_columns_lie_one_after_the_other() {
    use dense::{Columns, ROWS, SIX};
    for blocks in 0..40 {
        let columns = Columns::Lower(SIX * blocks + 1);
        let mut end = 0;
        for j in 0..blocks {
            let (start, row, stride) = columns.block(j);
            assert_eq!(start, end);
            assert!(row <= SIX * j && row % ROWS == 0);
            assert!(SIX * blocks < row + stride);
            end = start + SIX * stride;
        }
        assert_eq!(columns.block(blocks).0, end);
    }
}

#[test]
fn memory_of_other_solves_changes_no_bit() {
    let mut rng = Rng::new(9);
    let mut memory = Memory::default();
    for i in 0..30 {
        let mut structure = random_structure(&mut rng, [8, 8, 3]);
        if i % 5 == 0
            && let Some(block) = structure.blocks.first_mut()
        {
            block.load.force.x = 1e308;
            block.mass = 1e308;
        }
        let fresh = all_bits(&solve(&structure, DOWN));
        let solution;
        (solution, memory) = Solve::with_memory(structure, DOWN, memory).finish_with_memory();
        assert_eq!(all_bits(&solution), fresh);
    }
}

/// A block or a bond goes, comes or changes.
fn change(structure: &mut Structure, rng: &mut Rng) {
    let Structure { blocks, bonds } = structure;
    if blocks.is_empty() {
        return;
    }
    let block = rng.below(blocks.len() as u64) as u32;
    let bond = rng.below(bonds.len().max(1) as u64) as usize;
    match rng.below(7) {
        0 => {
            blocks.remove(block as usize);
            let is_side = |side: Option<u32>| side == Some(block);
            bonds.retain(|bond| !is_side(bond.low) && !is_side(bond.high));
            for bond in bonds {
                for side in [&mut bond.low, &mut bond.high] {
                    *side = side.map(|other| other - u32::from(block < other));
                }
            }
        }
        1 => {
            let axis = rng.below(3) as usize;
            let mut more = blocks[block as usize];
            let mut centre = more.centre;
            centre[axis] += 0.25;
            more.centre[axis] += 0.5;
            blocks.push(more);
            bonds.push(Bond {
                low: Some(block),
                high: Some(blocks.len() as u32 - 1),
                section: Section::rectangle(centre, axis, DVec2::splat(rng.range(0.1, 0.5))),
                law: StructuralMaterial::Brick.law(),
                factor: 1.0,
            });
        }
        2 => blocks[block as usize].mass *= rng.range(0.5, 1.0),
        3 => blocks[block as usize].centre.x += rng.range(-0.05, 0.05),
        _ if bonds.is_empty() => {}
        4 => bonds[bond].section.area *= rng.range(0.5, 1.0),
        5 => bonds[bond].factor = rng.range(1.0, 2.0),
        _ => {
            bonds.remove(bond);
        }
    }
}

/// The solution by calls with so many units each; the units of each call.
fn by_calls(mut solve: Solve, units: u64) -> (Solution, Memory, Vec<u64>) {
    let mut left = vec![];
    loop {
        let mut budget = units;
        let is_done = solve.advance(&mut budget);
        left.push(budget);
        if is_done {
            let (solution, memory) = solve.finish_with_memory();
            return (solution, memory, left);
        }
    }
}

/// Structures that change step by step, solved with the memory of the steps before and without any.
fn check_sequences(seeds: std::ops::Range<u64>) {
    let mut memory = Memory::default();
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let most = if seed % 10 == 0 { [8, 8, 3] } else { [4, 5, 3] };
        let mut structure = random_structure(&mut rng, most);
        let mut past = vec![structure.clone()];
        for _ in 0..8 {
            let units = 1 + rng.below(200_000);
            let (fresh, _, calls) = by_calls(Solve::new(structure.clone(), DOWN), units);
            while rng.below(3) == 0 {
                // One that is given up, of this structure or an earlier one: a part of its fronts has been used.
                let given_up = match rng.below(2) {
                    0 => structure.clone(),
                    _ => past[rng.below(past.len() as u64) as usize].clone(),
                };
                let mut solve = Solve::with_memory(given_up, DOWN, memory);
                solve.advance(&mut rng.below(400_000));
                memory = solve.into_memory();
            }
            let solve = Solve::with_memory(structure.clone(), DOWN, memory);
            let (solution, next, calls_with_memory) = by_calls(solve, units);
            memory = next;
            assert_eq!(all_bits(&solution), all_bits(&fresh), "seed {seed}");
            assert_eq!(solution.held, fresh.held, "seed {seed}");
            assert_eq!(calls_with_memory, calls, "seed {seed}");
            if rng.below(4) == 0 {
                structure = past[rng.below(past.len() as u64) as usize].clone();
            } else {
                for _ in 0..=rng.below(3) {
                    change(&mut structure, &mut rng);
                }
                past.push(structure.clone());
            }
        }
    }
}

#[test]
fn what_is_kept_between_changes_changes_no_bit() {
    check_sequences(0..60);
}

#[test]
#[ignore = "seconds in release, more without"]
fn what_is_kept_between_changes_changes_no_bit_in_ten_thousand_sequences() {
    check_sequences(0..10_000);
}

#[test]
fn a_change_leaves_most_fronts_as_they_were() {
    let mut structure = random_structure(&mut Rng::new(4), [40, 40, 1]);
    let memory = Solve::new(structure.clone(), DOWN).finish_with_memory().1;
    let before = memory.made();
    structure.blocks[0].mass *= 0.5;
    let memory = Solve::with_memory(structure, DOWN, memory)
        .finish_with_memory()
        .1;
    let more = memory.made() - before;
    assert!(0 < more && more < before / 10, "{more} of {before}");
}

#[test]
fn the_bits_are_the_same_on_every_machine() {
    // From the first machine; whoever changes the arithmetic changes this.
    let mut rng = Rng::new(11);
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for _ in 0..8 {
        let structure = random_structure(&mut rng, [9, 9, 4]);
        let gravity = random_gravity(&mut rng);
        for word in all_bits(&solve(&structure, gravity)).into_iter().flatten() {
            hash = (hash ^ word).wrapping_mul(0x100_0000_01b3);
        }
    }
    assert_eq!(hash, 0xc00c_ed0c_6500_3715, "{hash:#x}");
}

#[test]
fn the_anchor_carries_the_weight() {
    for seed in 0..40 {
        let mut rng = Rng::new(seed);
        let structure = random_structure(&mut rng, [6, 6, 4]);
        let gravity = random_gravity(&mut rng);
        let solution = solve(&structure, gravity);
        let mut sum = DVec3::ZERO;
        let mut all = 0.0;
        for (block, held) in structure.blocks.iter().zip(&solution.held) {
            if *held {
                let load = block.mass * gravity + block.load.force;
                sum += load;
                all += load.length();
            }
        }
        for (bond, state) in structure.bonds.iter().zip(&solution.states) {
            if bond.low.is_none() {
                sum += state.force;
            }
            if bond.high.is_none() {
                sum -= state.force;
            }
        }
        assert!(sum.length() <= 1e-10 * all, "seed {seed}: {sum} of {all}");
    }
}
