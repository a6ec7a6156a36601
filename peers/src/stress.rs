//! Structures that are hit in every tick, and one that is left alone: blast-stress-solver beside Breach.
//!
//! One thread, CPU time of each tick; both sides have the same blocks of half a metre, the same bonds, the same hits. A tick is
//! what it takes to know which bonds fail. The lowest blocks are supports. Blast is measured as it comes, with 32 iterations
//! a tick that start from the last tick's forces, and with as many as its tolerance needs. It scales no force by a
//! bond's area (each has a health of 1), so its limits are strengths by the area that all bonds have here.
use crate::clock::{Summary, summary, timed};
use blast_stress_solver as blast;
use breach::geom::rng::Rng;
use breach::structure::{
    Block, Bond, BondState, Load, Memory, Section, Solution, Solve, StructuralMaterial, Structure,
};
use glam::{DVec2, DVec3};

/// How much is measured.
#[derive(clap::Args)]
pub struct Args {
    /// Ticks with a hit each.
    #[arg(long, default_value_t = 300)]
    ticks: usize,
    /// Ticks of the structure that is left alone: ten minutes.
    #[arg(long, default_value_t = 36_000)]
    alone: usize,
    /// Seed of the hits.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Edge of a block, m.
const EDGE: f64 = 0.5;
const AREA: f64 = EDGE * EDGE;
const DOWN: DVec3 = DVec3::new(0.0, -9.81, 0.0);
/// Of all blocks.
const MATERIAL: StructuralMaterial = StructuralMaterial::Concrete;
/// What a hit pushes with, N.
const PUSH_N: f64 = 50e3;
/// Iterations of Blast's in a tick, as it comes.
const USUAL: u32 = 32;
/// More iterations than its tolerance ever needs.
const MANY: u32 = 1_000_000;
/// The structure that is left alone has so many times the strength that it needs, as an authored level has.
const MARGIN: f64 = breach::strength::AUTHORED_MARGIN;
/// Breach's part of Blast's time.
const GOAL: f64 = 0.5;

/// Blocks on a lattice and the bonds between those that touch.
struct Model {
    name: &'static str,
    /// In the order of x, y, z.
    cells: Vec<[i32; 3]>,
    is_support: Vec<bool>,
    /// The block on the low side, the one on the high side, the axis between them.
    bonds: Vec<(u32, u32, usize)>,
}

/// What happens in a tick.
#[derive(Clone, Copy)]
enum Hit {
    None,
    /// A bond goes.
    Bond(u32),
    /// A block is pushed across, in this tick alone.
    Push(u32),
}

impl Model {
    /// Boxes of blocks, from one corner up to another. The lowest blocks are supports; nothing joins these.
    fn new(name: &'static str, boxes: impl IntoIterator<Item = [[i32; 3]; 2]>) -> Model {
        let mut cells = Vec::new();
        for [from, to] in boxes {
            for x in from[0]..to[0] {
                for y in from[1]..to[1] {
                    cells.extend((from[2]..to[2]).map(|z| [x, y, z]));
                }
            }
        }
        cells.sort_unstable();
        cells.dedup();
        let is_support: Vec<bool> = cells.iter().map(|cell| cell[1] == 0).collect();
        let mut bonds = Vec::new();
        for (low, cell) in cells.iter().enumerate() {
            for axis in 0..3 {
                let mut next = *cell;
                next[axis] += 1;
                if let Ok(high) = cells.binary_search(&next)
                    && !(is_support[low] && is_support[high])
                {
                    bonds.push((low as u32, high as u32, axis));
                }
            }
        }
        Model {
            name,
            cells,
            is_support,
            bonds,
        }
    }

    fn centre(&self, block: u32) -> DVec3 {
        let cell = self.cells[block as usize];
        (DVec3::from_array(cell.map(f64::from)) + 0.5) * EDGE
    }

    fn mass(&self, block: u32) -> f64 {
        match self.is_support[block as usize] {
            true => 0.0,
            false => EDGE.powi(3) * MATERIAL.law().density,
        }
    }

    fn weight_n(&self) -> f64 {
        let blocks = 0..self.cells.len() as u32;
        blocks.map(|block| self.mass(block)).sum::<f64>() * DOWN.length()
    }

    /// Hits of one kind, no bond twice.
    fn hits(&self, does_break: bool, count: usize, rng: &mut Rng) -> Vec<Hit> {
        let mut bonds: Vec<u32> = (0..self.bonds.len() as u32).collect();
        let moving = |block: &u32| !self.is_support[*block as usize];
        let blocks: Vec<u32> = (0..self.cells.len() as u32).filter(moving).collect();
        let hit = |_| match does_break {
            true => Hit::Bond(bonds.swap_remove(rng.below(bonds.len() as u64) as usize)),
            false => Hit::Push(blocks[rng.below(blocks.len() as u64) as usize]),
        };
        (0..count).map(hit).collect()
    }
}

/// 48 m long, 24 m high, 1 m thick.
fn wall() -> Model {
    Model::new("wall", [[[0; 3], [96, 48, 2]]])
}

/// As many nodes, in 32 structures.
fn towers() -> Model {
    let at = |i: i32| [[8 * i, 0, 0], [8 * i + 6, 16, 3]];
    Model::new("32 towers", (0..32).map(at))
}

/// A deck of 42 m by 2 m, 1 m thick, 4 m above the ground on four piers.
fn bridge() -> Model {
    let pier = |i: i32| [[26 * i, 0, 0], [26 * i + 2, 8, 4]];
    let deck = [[0, 8, 0], [80, 10, 4]];
    Model::new("bridge", (0..4).map(pier).chain([deck]))
}

/// Breach's side.
struct Ours {
    structure: Structure,
    /// Of each block of the model; None: a support.
    blocks: Vec<Option<u32>>,
    /// Of each bond of the structure: its number in the model.
    bonds: Vec<u32>,
    memory: Memory,
}

impl Ours {
    fn new(model: &Model, factor: f64) -> Ours {
        let law = MATERIAL.law();
        let mut blocks = Vec::new();
        let mut structure = Structure::default();
        for block in 0..model.cells.len() as u32 {
            let is_support = model.is_support[block as usize];
            blocks.push((!is_support).then_some(structure.blocks.len() as u32));
            if !is_support {
                structure.blocks.push(Block {
                    mass: model.mass(block),
                    centre: model.centre(block),
                    load: Load::default(),
                });
            }
        }
        for &(low, high, axis) in &model.bonds {
            let centre = (model.centre(low) + model.centre(high)) / 2.0;
            structure.bonds.push(Bond {
                low: blocks[low as usize],
                high: blocks[high as usize],
                section: Section::rectangle(centre, axis, DVec2::splat(EDGE)),
                law,
                factor,
            });
        }
        Ours {
            structure,
            blocks,
            bonds: (0..model.bonds.len() as u32).collect(),
            memory: Memory::default(),
        }
    }

    fn tick(&mut self, hit: Hit) -> Solution {
        match hit {
            Hit::None | Hit::Push(_) => {}
            Hit::Bond(bond) => {
                if let Some(place) = self.bonds.iter().position(|&own| own == bond) {
                    self.bonds.swap_remove(place);
                    self.structure.bonds.swap_remove(place);
                }
            }
        }
        let mut structure = self.structure.clone();
        if let Hit::Push(block) = hit
            && let Some(block) = self.blocks[block as usize]
        {
            structure.blocks[block as usize].load.force.z = PUSH_N;
        }
        let solve = Solve::with_memory(structure, DOWN, std::mem::take(&mut self.memory));
        let (solution, memory) = solve.finish_with_memory();
        self.memory = memory;
        solution
    }
}

/// Bonds that fail.
fn failing(states: &[BondState]) -> usize {
    states
        .iter()
        .filter(|state| state.utilisation > 1.0)
        .count()
}

fn most(states: &[BondState]) -> f64 {
    states.iter().map(|s| s.utilisation).fold(0.0, f64::max)
}

fn vector(v: DVec3) -> blast::Vec3 {
    blast::Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}

/// Compression, tension and shear, N on the area that all bonds have.
type Limits = [f64; 3];

/// Those of the material.
fn limits() -> Limits {
    let law = MATERIAL.law();
    [law.compression, law.tension, law.shear].map(|strength| strength * AREA)
}

/// Blast's side.
struct Theirs<'a> {
    model: &'a Model,
    solver: blast::ExtStressSolver,
    /// The actor that has each block.
    actors: Vec<u32>,
}

impl Theirs<'_> {
    fn new(model: &Model, iterations: u32, limits: Limits) -> Theirs<'_> {
        let [compression, tension, shear] = limits.map(|limit| limit as f32);
        let settings = blast::SolverSettings {
            max_solver_iterations_per_frame: iterations,
            graph_reduction_level: 0,
            compression_elastic_limit: compression,
            compression_fatal_limit: compression,
            tension_elastic_limit: tension,
            tension_fatal_limit: tension,
            shear_elastic_limit: shear,
            shear_fatal_limit: shear,
        };
        let node = |block| {
            let mass = model.mass(block) as f32;
            blast::NodeDesc {
                centroid: vector(model.centre(block)),
                mass,
                volume: if mass > 0.0 { EDGE.powi(3) as f32 } else { 0.0 },
            }
        };
        let nodes: Vec<blast::NodeDesc> = (0..model.cells.len() as u32).map(node).collect();
        let bond = |&(low, high, axis): &(u32, u32, usize)| blast::BondDesc {
            centroid: vector((model.centre(low) + model.centre(high)) / 2.0),
            normal: vector(DVec3::AXES[axis]),
            area: AREA as f32,
            node0: low,
            node1: high,
        };
        let bonds: Vec<blast::BondDesc> = model.bonds.iter().map(bond).collect();
        let solver = blast::ExtStressSolver::new(&nodes, &bonds, &settings);
        let mut theirs = Theirs {
            model,
            solver: solver.expect("a structure that Blast takes"),
            actors: vec![0; nodes.len()],
        };
        for actor in theirs.solver.actors() {
            for node in actor.nodes {
                theirs.actors[node as usize] = actor.actor_index;
            }
        }
        theirs
    }

    fn break_bonds(&mut self, commands: &[blast::FractureCommand]) {
        for event in self.solver.apply_fracture_commands(commands) {
            for child in event.children {
                for node in child.nodes {
                    self.actors[node as usize] = child.actor_index;
                }
            }
        }
    }

    /// The bonds that it would break.
    fn tick(&mut self, hit: Hit) -> Vec<blast::FractureCommand> {
        if let Hit::Bond(bond) = hit {
            let (low, high, _) = self.model.bonds[bond as usize];
            let fracture = blast::BondFracture {
                userdata: bond,
                node_index0: low,
                node_index1: high,
                health: 1e6,
            };
            self.break_bonds(&[blast::FractureCommand {
                actor_index: self.actors[low as usize],
                bond_fractures: vec![fracture],
            }]);
        }
        self.solver.add_gravity(vector(DOWN));
        if let Hit::Push(block) = hit {
            let at = vector(self.model.centre(block));
            let force = blast::Vec3::new(0.0, 0.0, PUSH_N as f32);
            self.solver
                .add_force(block, at, force, blast::ForceMode::Force);
        }
        self.solver.update();
        self.solver.generate_fracture_commands()
    }
}

fn count(commands: &[blast::FractureCommand]) -> usize {
    commands.iter().map(|c| c.bond_fractures.len()).sum()
}

/// The same iteration as in Blast's solver, whose forces it does not tell.
struct Forces<'a> {
    model: &'a Model,
    processor: blast::StressProcessor,
    impulses: Vec<blast::StressImpulse>,
    velocities: Vec<blast::StressVelocity>,
}

impl Forces<'_> {
    fn new(model: &Model) -> Forces<'_> {
        let blocks = 0..model.cells.len() as u32;
        let node = |block| {
            let mass = model.mass(block) as f32;
            blast::StressNodeDesc {
                com: vector(model.centre(block)),
                mass,
                inertia: mass * (EDGE * EDGE / 6.0) as f32,
            }
        };
        let nodes: Vec<blast::StressNodeDesc> = blocks.clone().map(node).collect();
        let bond = |&(low, high, _): &(u32, u32, usize)| blast::StressBondDesc {
            centroid: vector((model.centre(low) + model.centre(high)) / 2.0),
            node0: low,
            node1: high,
        };
        let bonds: Vec<blast::StressBondDesc> = model.bonds.iter().map(bond).collect();
        let params = blast::StressDataParams {
            equalize_masses: true,
            center_bonds: true,
        };
        let processor = blast::StressProcessor::new(&nodes, &bonds, params);
        let velocity = |block: u32| {
            let lin = if model.is_support[block as usize] {
                DVec3::ZERO
            } else {
                DOWN
            };
            blast::StressVelocity {
                lin: vector(lin),
                ..Default::default()
            }
        };
        Forces {
            model,
            processor: processor.expect("a structure that Blast takes"),
            impulses: vec![Default::default(); bonds.len()],
            velocities: blocks.map(velocity).collect(),
        }
    }

    /// Goes on by so many iterations at most.
    fn iterate(&mut self, max_iterations: u32, warm_start: bool, tolerance: f32) {
        let params = blast::StressSolverParams {
            max_iterations,
            tolerance,
            warm_start,
        };
        let done = self
            .processor
            .solve(&mut self.impulses, &self.velocities, params, false);
        // A negative count says that it has not converged, which this wrapper takes for an error.
        let _ = done;
    }

    /// The part of the weight that the supports carry, and the greatest force that is left on a block, by a block's weight.
    fn balance(&self) -> (f64, f64) {
        let mut left = vec![DVec3::ZERO; self.model.cells.len()];
        for (&(low, high, _), impulse) in self.model.bonds.iter().zip(&self.impulses) {
            let v = impulse.lin;
            let force = DVec3::new(v.x.into(), v.y.into(), v.z.into());
            left[low as usize] += force;
            left[high as usize] -= force;
        }
        let (mut carried, mut most) = (0.0, 0.0f64);
        for (block, left) in left.into_iter().enumerate() {
            match self.model.is_support[block] {
                true => carried -= left.y,
                false => {
                    let weight = self.model.mass(block as u32) * DOWN;
                    most = most.max((left + weight).length() / weight.length());
                }
            }
        }
        (carried / self.model.weight_n(), most)
    }

    /// The greatest stresses by Blast's formula, as its limits are given.
    fn needs(&self) -> Limits {
        let mut needs = [0.0f64; 3];
        for (&(_, _, axis), impulse) in self.model.bonds.iter().zip(&self.impulses) {
            let dvec = |v: blast::Vec3| DVec3::new(v.x.into(), v.y.into(), v.z.into());
            let (lin, ang) = (dvec(impulse.lin), dvec(impulse.ang));
            let (normal, twist) = (lin[axis], ang[axis].abs());
            let across = |v: DVec3| (v.length_squared() - v[axis] * v[axis]).max(0.0).sqrt();
            let normal = normal + (across(ang) * 2.0 / EDGE).copysign(normal);
            let shear = across(lin) + twist * 2.0 / EDGE;
            let of = [-normal, normal, shear];
            needs = std::array::from_fn(|k| needs[k].max(of[k]));
        }
        needs
    }
}

/// Prints the tables; false where a goal was missed.
pub fn run(args: &Args) -> bool {
    println!(
        "Blast uses vector instructions: {}",
        blast::StressProcessor::using_simd()
    );
    println!("ms of a tick, and how many bonds would fail after the last one");
    println!("| structure | nodes | bonds | a hit | solver | p50 | p99 | mean | fail |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut is_good = true;
    for model in [wall(), towers()] {
        for does_break in [true, false] {
            is_good &= hits(&model, does_break, args);
        }
    }
    is_good & alone(&bridge(), args.alone)
}

/// One kind of hits.
fn hits(model: &Model, does_break: bool, args: &Args) -> bool {
    let list = model.hits(does_break, args.ticks, &mut Rng::new(args.seed));
    let mut ours = Ours::new(model, 1.0);
    let mut usual = Theirs::new(model, USUAL, limits());
    let mut exact = Theirs::new(model, MANY, limits());
    // The first tick does all, on each side.
    let (_, whole) = timed(|| ours.tick(Hit::None));
    let (_, unchanged) = timed(|| ours.tick(Hit::None));
    usual.tick(Hit::None);
    let (_, whole_exact) = timed(|| exact.tick(Hit::None));
    let mut ms: [Vec<f64>; 3] = Default::default();
    let mut fail = [0; 3];
    for (i, &hit) in list.iter().enumerate() {
        let (solution, time) = timed(|| ours.tick(hit));
        ms[0].push(time);
        fail[0] = failing(&solution.states);
        for (k, theirs) in [(1, &mut usual), (2, &mut exact)] {
            // To its tolerance it takes long.
            if k == 2 && i > list.len() / 10 {
                continue;
            }
            let (commands, time) = timed(|| theirs.tick(hit));
            ms[k].push(time);
            fail[k] = count(&commands);
        }
    }
    let what = if does_break {
        "breaks a bond"
    } else {
        "pushes a block"
    };
    let names = [
        "Breach",
        "Blast, 32 iterations",
        "Blast, to its tolerance, the first tenth of the hits",
    ];
    let all: [Summary; 3] = std::array::from_fn(|k| summary(&ms[k]));
    for (k, name) in names.into_iter().enumerate() {
        let Summary { mean, p50, p99, .. } = all[k];
        println!(
            "| {} | {} | {} | {what} | {name} | {p50:.2} | {p99:.2} | {mean:.2} | {} |",
            model.name,
            model.cells.len(),
            model.bonds.len(),
            fail[k]
        );
    }
    let part = |k: usize| all[0].p50 / all[k].p50;
    println!(
        "{} of {what}: Breach's p50 is {:.2} times Blast's of 32 iterations (goal {GOAL}), {:.2} times that to tolerance; the whole: {whole:.1} ms, again without a change {unchanged:.1} ms with {} MiB kept, Blast's to tolerance {whole_exact:.1} ms",
        model.name,
        part(1),
        part(2),
        ours.memory.size() >> 20
    );
    part(1) <= GOAL
}

/// A structure that stands, left alone.
fn alone(model: &Model, ticks: usize) -> bool {
    // Each side gets its strengths from its own forces.
    let most_used = most(&Ours::new(model, 1.0).tick(Hit::None).states);
    let mut converged = Forces::new(model);
    converged.iterate(MANY, false, 1e-6);
    let needs = converged.needs();
    println!(
        "{}, {} nodes, {} bonds, left alone for {ticks} ticks with {MARGIN} times the strength that it needs by each side's own forces; of concrete's, Breach's need {most_used:.3}, Blast's {:.3} ({:.4} of the weight at the supports, {:.4} of a block's weight left on some block)",
        model.name,
        model.cells.len(),
        model.bonds.len(),
        (0..3).map(|k| needs[k] / limits()[k]).fold(0.0, f64::max),
        converged.balance().0,
        converged.balance().1,
    );
    let mut ours = Ours::new(model, MARGIN * most_used);
    let mut theirs = Theirs::new(model, USUAL, needs.map(|need| MARGIN * need));
    let mut forces = Forces::new(model);
    let first = ours.tick(Hit::None);
    let (mut ours_ms, mut theirs_ms) = (Vec::new(), Vec::new());
    let (mut changed, mut broken, mut since) = (0, 0, None);
    let shown = [1, 10, 60, 600, 3_600, 36_000];
    println!(
        "| tick | weight that Blast's supports carry | force left on a block, by its weight | bonds that Blast has broken |"
    );
    println!("|---|---|---|---|");
    for tick in 1..=ticks {
        let (solution, time) = timed(|| ours.tick(Hit::None));
        ours_ms.push(time);
        changed += usize::from(solution != first);
        let (commands, time) = timed(|| theirs.tick(Hit::None));
        theirs_ms.push(time);
        if !commands.is_empty() {
            broken += count(&commands);
            since.get_or_insert(tick);
            theirs.break_bonds(&commands);
        }
        forces.iterate(USUAL, tick > 1, 1e-3);
        if shown.contains(&tick) || tick == ticks {
            let (carried, left) = forces.balance();
            println!("| {tick} | {carried:.4} | {left:.4} | {broken} |");
        }
    }
    let drift = forces.impulses.iter().zip(&converged.impulses);
    let force = |a: &blast::Vec3| f64::from(a.magnitude());
    let drift = drift.map(|(a, b)| force(&(a.lin - b.lin)));
    let greatest = converged.impulses.iter().map(|b| force(&b.lin));
    println!(
        "Breach: {changed} ticks differ from the first in any bit, {} bonds fail, p50 {:.2} ms a tick (the game checks nothing where nothing has changed); Blast: {broken} bonds broken, the first in tick {}, {} pieces in the end, p50 {:.2} ms; at the end a bond's force is off by {:.3} of the greatest",
        failing(&first.states),
        summary(&ours_ms).p50,
        since.map_or("-".into(), |tick| tick.to_string()),
        theirs.solver.actor_count(),
        summary(&theirs_ms).p50,
        drift.fold(0.0, f64::max) / greatest.fold(0.0, f64::max),
    );
    changed == 0 && failing(&first.states) == 0
}
