//! How long a solve takes: `cargo bench -p breach-core --bench structure`.
//!
//! Walls, slabs of several layers and towers, as built and carved: there each block lacks up to half of itself, so that no
//! centre lies above another one and no section is symmetric. Done in slices with a budget of 0.5 ms,
//! each of which counts with its least time of five runs, which hand on their memory. With `-- hits`: the first solve, then
//! solves after one small hole and another.
use breach_core::geom::rng::Rng;
use breach_core::structure::{
    Block, Bond, Load, Memory, Section, Solve, StructuralMaterial, Structure, equilibrium_residual,
};
use glam::{DVec2, DVec3};
use std::time::Instant;

const STEP: f64 = 0.5;

/// Blocks of half a metre, held from below. `is_there` by place.
fn lattice(size: [u32; 3], is_carved: bool, is_there: impl Fn([u32; 3]) -> bool) -> Structure {
    let law = StructuralMaterial::Concrete.law();
    let mut rng = Rng::new(7);
    let mut structure = Structure::default();
    let mut numbers = std::collections::BTreeMap::new();
    for x in 0..size[0] {
        for y in 0..size[1] {
            for z in 0..size[2] {
                if !is_there([x, y, z]) {
                    continue;
                }
                numbers.insert([x, y, z], structure.blocks.len() as u32);
                let mut centre = (DVec3::new(x.into(), y.into(), z.into()) + 0.5) * STEP;
                let mut volume = STEP * STEP * STEP;
                if is_carved {
                    centre += DVec3::from_array([0; 3].map(|_| rng.range(-0.1, 0.1)));
                    volume *= rng.range(0.5, 1.0);
                }
                structure.blocks.push(Block {
                    mass: law.density * volume,
                    centre,
                    load: Load::default(),
                });
            }
        }
    }
    for (&at, &high) in &numbers {
        for axis in 0..3 {
            let low = if at[axis] > 0 {
                let mut below = at;
                below[axis] -= 1;
                match numbers.get(&below) {
                    Some(&low) => Some(low),
                    None => continue,
                }
            } else if axis == 1 {
                None
            } else {
                continue;
            };
            let mut centre = DVec3::from_array(at.map(f64::from)) * STEP;
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut size = DVec2::splat(STEP);
            centre[u] += 0.5 * STEP;
            centre[v] += 0.5 * STEP;
            if is_carved {
                size = DVec2::new(rng.range(0.25, 0.5), rng.range(0.25, 0.5));
                centre[u] += rng.range(-0.1, 0.1);
                centre[v] += rng.range(-0.1, 0.1);
            }
            let section = Section::rectangle(centre, axis, size);
            structure.bonds.push(Bond {
                low,
                high: Some(high),
                section,
                law,
                factor: 1.0,
            });
        }
    }
    structure
}

/// Takes away the blocks around a place, and changes those next to them: a rocket's hole.
fn hit(structure: &mut Structure, rng: &mut Rng) {
    let at = structure.blocks[rng.below(structure.blocks.len() as u64) as usize].centre;
    let far = |block: &Block| (block.centre - at).length();
    let (hole, rim) = (rng.range(0.6, 1.2), 1.8);
    let mut next = 0;
    let numbers: Vec<Option<u32>> = structure
        .blocks
        .iter()
        .map(|block| {
            let is_left = hole < far(block);
            next += u32::from(is_left);
            is_left.then(|| next - 1)
        })
        .collect();
    structure.blocks.retain(|block| hole < far(block));
    for block in &mut structure.blocks {
        if far(block) < rim {
            block.mass *= rng.range(0.7, 1.0);
            block.centre += DVec3::from_array([0; 3].map(|_| rng.range(-0.02, 0.02)));
        }
    }
    structure.bonds.retain_mut(|bond| {
        for side in [&mut bond.low, &mut bond.high] {
            if let Some(block) = *side {
                *side = numbers[block as usize];
                if side.is_none() {
                    return false;
                }
            }
        }
        if (bond.section.centre - at).length() < rim {
            bond.section.area *= rng.range(0.7, 1.0);
        }
        true
    });
}

/// The first solve of a structure, then one after each of some hits.
fn hits(name: &str, mut structure: Structure) {
    const HITS: usize = 24;
    let gravity = DVec3::new(0.0, -9.81, 0.0);
    let (blocks, bonds) = (structure.blocks.len(), structure.bonds.len());
    let mut memory = Memory::default();
    let mut times = vec![];
    let (mut slice, mut counted) = (0.0f64, 0u64);
    let mut rng = Rng::new(5);
    for _ in 0..=HITS {
        let mut solve = Solve::with_memory(structure.clone(), gravity, memory);
        let start = Instant::now();
        loop {
            let start = Instant::now();
            let mut budget = 500_000;
            let is_done = solve.advance(&mut budget);
            if !times.is_empty() {
                slice = slice.max(start.elapsed().as_secs_f64() * 1e3);
            } else {
                counted += 500_000 - budget;
            }
            if is_done {
                break;
            }
        }
        times.push(start.elapsed().as_secs_f64() * 1e3);
        memory = solve.finish_with_memory().1;
        hit(&mut structure, &mut rng);
    }
    let first = times.remove(0);
    times.sort_by(f64::total_cmp);
    println!(
        "{name:34} {blocks:6} blocks {bonds:6} bonds: first {first:8.2} ms, counted {:7.2}, after a hit {:7.2} ms, p90 {:7.2}, most {:7.2}, longest slice {slice:5.2}, {:4} MB",
        counted as f64 * 1e-6,
        times[HITS / 2],
        times[HITS * 9 / 10],
        times[HITS - 1],
        memory.size() >> 20,
    );
}

fn all_hits(only: Option<&str>) {
    let whole = |_: [u32; 3]| true;
    let frame = |[x, y, z]: [u32; 3]| y % 6 == 5 || (x % 6 == 0 && z % 6 == 0);
    for is_carved in [false, true] {
        for (name, size) in [
            ("wall 17 x 18", [17, 18, 1]),
            ("wall 32 x 32", [32, 32, 1]),
            ("wall 55 x 55", [55, 55, 1]),
            ("wall 100 x 100", [100, 100, 1]),
            ("frame 11 x 12 x 11", [11, 12, 11]),
            ("frame 20 x 12 x 20", [20, 12, 20]),
            ("frame 25 x 24 x 25", [25, 24, 25]),
            ("frame 37 x 36 x 37", [37, 36, 37]),
        ] {
            let name = format!("{name}{}", if is_carved { ", carved" } else { "" });
            if only.is_some_and(|only| !name.contains(only)) {
                continue;
            }
            let structure = if name.contains("wall") {
                lattice(size, is_carved, whole)
            } else {
                lattice(size, is_carved, frame)
            };
            hits(&name, structure);
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "hits") {
        let only = arguments
            .iter()
            .find(|a| !a.starts_with('-') && *a != "hits");
        all_hits(only.map(String::as_str));
        return;
    }
    let whole = |_: [u32; 3]| true;
    let hollow = |[x, _, z]: [u32; 3]| x == 0 || z == 0 || x == 4 || z == 4;
    let room = |[x, y, z]: [u32; 3]| x == 0 || z == 0 || x == 29 || z == 29 || y % 10 == 9;
    let scenes: [(&str, Structure); 10] = [
        ("pillar 1 x 500 x 1", lattice([1, 500, 1], false, whole)),
        (
            "pillar 1 x 500 x 1, carved",
            lattice([1, 500, 1], true, whole),
        ),
        (
            "hollow tower 5 x 31 x 5, carved",
            lattice([5, 31, 5], true, hollow),
        ),
        (
            "solid tower 5 x 20 x 5, carved",
            lattice([5, 20, 5], true, whole),
        ),
        (
            "wall 30 x 30 x 1, carved",
            lattice([30, 30, 1], true, whole),
        ),
        ("wall 100 x 100 x 1", lattice([100, 100, 1], false, whole)),
        (
            "wall 100 x 100 x 1, carved",
            lattice([100, 100, 1], true, whole),
        ),
        (
            "wall 70 x 70 x 2, carved",
            lattice([70, 70, 2], true, whole),
        ),
        (
            "house of 3 floors, 30 x 30 x 30, carved",
            lattice([30, 30, 30], true, room),
        ),
        (
            "solid 16 x 16 x 16, carved",
            lattice([16, 16, 16], true, whole),
        ),
    ];
    let only = std::env::args().nth(1).filter(|a| !a.starts_with('-'));
    for (name, structure) in scenes {
        if only
            .as_ref()
            .is_some_and(|only| !name.contains(only.as_str()))
        {
            continue;
        }
        // The same slices in each run: the least time of each leaves out what else the machine did.
        let mut slices: Vec<f64> = vec![];
        let (mut residual, mut counted) = (0.0, 0);
        let mut memory = Memory::default();
        for run in 0..5 {
            let copy = structure.clone();
            // Another one each time, so that no front is the same.
            let gravity = DVec3::new(0.0, -9.81 - 1e-3 * f64::from(run), 0.0);
            let mut solve = Solve::with_memory(copy, gravity, memory);
            counted = 0;
            for i in 0.. {
                let mut budget = 500_000;
                let start = Instant::now();
                let is_done = solve.advance(&mut budget);
                let took = start.elapsed().as_secs_f64() * 1e3;
                counted += 500_000 - budget;
                if run == 0 {
                    slices.push(took);
                }
                slices[i] = slices[i].min(took);
                if is_done {
                    break;
                }
            }
            let solution;
            (solution, memory) = solve.finish_with_memory();
            residual = equilibrium_residual(&structure, gravity, &solution.states);
        }
        let least: f64 = slices.iter().sum();
        let longest = slices.iter().copied().fold(0.0, f64::max);
        if std::env::var("DBG").is_ok() {
            println!("{:.2?}", slices);
        }
        println!(
            "{name:42} {:6} blocks {:6} bonds: {:8.2} ms, counted {:7.2}, longest slice {:5.2} ms, {:4} MB, residual {residual:.0e}",
            structure.blocks.len(),
            structure.bonds.len(),
            least,
            counted as f64 * 1e-6,
            longest,
            memory.size() >> 20,
        );
    }
}
