//! The whole solve, in slices of counted work.
use super::balance::load;
use super::bond::{Block, BondState, Structure};
use super::dense::SIX;
use super::dissect::Dissection;
use super::factor::{Factor, Part, Step};
use super::fronts::Finder;
use super::graph::{ANCHOR, Adjacency, Graph};
use super::memory::Memory;
use super::utilisation;
use glam::DVec3;

/// Blocks or bonds that one step of the linear passes takes.
const CHUNK: usize = 1024;

/// Forces that leave no more than this part of what acts on a block are the answer; others are corrected: the same factor
/// solves for what they leave. Most structures need none of it, a pillar of a thousand blocks two rounds.
const IMBALANCE: f64 = 1e-10;

/// Rounds of correction at most.
const CORRECTIONS: u32 = 4;

/// What a structure carries, and what nothing holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// By bond.
    pub states: Vec<BondState>,
    /// By block: whether the anchor holds it.
    pub held: Vec<bool>,
}

/// A solve that can be done in slices: the same bits in any.
pub struct Solve {
    structure: Structure,
    gravity: DVec3,
    graph: Graph,
    /// Parts to do, the next one last.
    parts: Vec<Vec<u32>>,
    /// By rank: whether it moves without resistance, so the others are solved without it.
    is_out: Vec<bool>,
    /// By rank.
    is_held: Vec<bool>,
    /// By rank: its number in the part in work.
    local: Vec<u32>,
    /// By joint: on its high side by its low side.
    forces: Vec<[DVec3; 2]>,
    part: Vec<u32>,
    /// By local number: right sides, then displacements.
    x: Vec<[f64; SIX]>,
    /// See [`Solve::multiply_adds`].
    multiply_adds: u64,
    stage: Stage,
    solution: Solution,
    memory: Memory,
}

enum Stage {
    Rank,
    FindJoints,
    MakeJoints,
    Parts,
    NextPart,
    Dissect(Adjacency, Box<Dissection>),
    FindFronts(Adjacency, Box<Finder>),
    Factor(Box<Factor>),
    /// Fronts left, and how often the forces have been corrected.
    Up(Box<Factor>, usize, u32),
    Forces(Box<Factor>, u32),
    Down(Box<Factor>, usize, u32),
    States(usize),
    Done,
}

impl Solve {
    /// Of a structure under `gravity` (m/s²).
    pub fn new(structure: Structure, gravity: DVec3) -> Self {
        Self::with_memory(structure, gravity, Memory::default())
    }

    /// As [`Solve::new`], with the memory of another one: what both have in common is not done again, and no slice goes into
    /// giving memory back. Neither the answer nor the units that it takes depend on the memory.
    pub fn with_memory(structure: Structure, gravity: DVec3, memory: Memory) -> Self {
        let (blocks, bonds) = (structure.blocks.len(), structure.bonds.len());
        Solve {
            graph: Graph::default(),
            gravity,
            parts: vec![],
            is_out: vec![false; blocks],
            is_held: vec![false; blocks],
            local: vec![0; blocks],
            forces: vec![],
            part: vec![],
            x: vec![],
            multiply_adds: 0,
            stage: Stage::Rank,
            solution: Solution {
                states: vec![BondState::default(); bonds],
                held: vec![false; blocks],
            },
            structure,
            memory,
        }
    }

    /// Works until `budget` is used up, in units of about a nanosecond, or all is done, which it returns. The last step may go
    /// beyond the budget, by a few hundred thousand.
    ///
    /// The units are those of a solve without memory. Such a one takes at most two nanoseconds a unit on half a core of 2.7 GHz
    /// (the other thread at work, all pages new), one after a small change from a quarter to a half of that.
    pub fn advance(&mut self, budget: &mut u64) -> bool {
        while 0 < *budget && !self.is_done() {
            let cost = self.step();
            *budget = budget.saturating_sub(cost);
        }
        self.is_done()
    }

    /// Whether all is done.
    pub fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    /// Multiply-adds that the largest part so far takes to factor, but for lower orders: known before that begins.
    pub fn multiply_adds(&self) -> u64 {
        self.multiply_adds
    }

    /// The structure that is solved.
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// The solution; does what is left to do.
    pub fn finish(self) -> Solution {
        self.finish_with_memory().0
    }

    /// The solution, and the memory for the next solve.
    pub fn finish_with_memory(mut self) -> (Solution, Memory) {
        while !self.is_done() {
            self.step();
        }
        (self.solution, self.memory)
    }

    /// Gives up what is not done, and hands on the memory.
    pub fn into_memory(self) -> Memory {
        let mut memory = match self.stage {
            Stage::Factor(factor)
            | Stage::Up(factor, ..)
            | Stage::Forces(factor, ..)
            | Stage::Down(factor, ..) => factor.into_memory(),
            _ => self.memory,
        };
        memory.bound();
        memory
    }

    /// Does one step and returns about how many nanoseconds it took.
    fn step(&mut self) -> u64 {
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Rank => {
                self.graph.rank(&self.structure);
                self.stage = Stage::FindJoints;
                self.structure.blocks.len() as u64 * 130
            }
            Stage::FindJoints => {
                self.graph.find_joints(&self.structure);
                self.stage = Stage::MakeJoints;
                self.structure.bonds.len() as u64 * 100
            }
            Stage::MakeJoints => {
                if self.graph.make_joints(&self.structure, CHUNK) {
                    self.forces = vec![[DVec3::ZERO; 2]; self.graph.joints.len()];
                    self.stage = Stage::Parts;
                } else {
                    self.stage = Stage::MakeJoints;
                }
                CHUNK.min(self.structure.bonds.len()) as u64 * 250
            }
            Stage::Parts => {
                self.graph.list_joints();
                let all: Vec<u32> = (0..self.structure.blocks.len() as u32).collect();
                self.parts = self.graph.parts(&all, &self.is_out);
                self.parts.reverse();
                self.stage = Stage::NextPart;
                all.len() as u64 * 300
            }
            Stage::NextPart => self.next_part(),
            Stage::Dissect(adjacency, mut dissection) => match dissection.step(&adjacency) {
                Some(blocks) => {
                    self.stage = Stage::Dissect(adjacency, dissection);
                    blocks as u64 * 120
                }
                None => {
                    let finder = Finder::new(dissection.into_order());
                    self.stage = Stage::FindFronts(adjacency, Box::new(finder));
                    self.part.len() as u64 * 20
                }
            },
            Stage::FindFronts(adjacency, mut finder) => {
                match finder.step(&adjacency, CHUNK) {
                    None => self.stage = Stage::FindFronts(adjacency, finder),
                    Some(fronts) => {
                        self.multiply_adds = self.multiply_adds.max(fronts.multiply_adds());
                        let memory = std::mem::take(&mut self.memory);
                        let factor = Factor::new(fronts, adjacency.len(), memory);
                        self.stage = Stage::Factor(Box::new(factor));
                    }
                }
                CHUNK.min(self.part.len()) as u64 * 400
            }
            Stage::Factor(factor) => self.factor(factor),
            Stage::Up(mut factor, left, times) => {
                if left == 0 {
                    self.stage = Stage::Forces(factor, times);
                    return 0;
                }
                let cost = factor.up(left - 1, &mut self.x);
                self.stage = Stage::Up(factor, left - 1, times);
                cost
            }
            Stage::Forces(factor, times) => {
                self.add_forces();
                let imbalance = self.balance();
                if imbalance <= IMBALANCE || times == CORRECTIONS {
                    self.memory = factor.into_memory();
                    self.stage = Stage::NextPart;
                } else {
                    self.stage = Stage::Down(factor, 0, times);
                }
                self.part.len() as u64 * 600
            }
            Stage::Down(mut factor, next, times) => {
                if next == factor.len() {
                    self.stage = Stage::Up(factor, next, times + 1);
                    return 0;
                }
                let cost = factor.down(next, &mut self.x);
                self.stage = Stage::Down(factor, next + 1, times);
                cost
            }
            Stage::States(from) => self.states(from),
            Stage::Done => 0,
        }
    }

    fn next_part(&mut self) -> u64 {
        let Some(part) = self.parts.pop() else {
            self.stage = Stage::States(0);
            for (&block, &is_held) in self.graph.blocks.iter().zip(&self.is_held) {
                self.solution.held[block as usize] = is_held;
            }
            return 0;
        };
        let is_anchored = part.iter().any(|&rank| {
            let mut joints = self.graph.joints_of(rank);
            joints.any(|(_, joint, _)| joint.low == ANCHOR || joint.high == ANCHOR)
        });
        self.part = part;
        if !is_anchored {
            self.stage = Stage::NextPart;
            return self.part.len() as u64 * 10;
        }
        let adjacency = Adjacency::new(&self.graph, &self.part, &mut self.local);
        let centres: Vec<DVec3> = self
            .part
            .iter()
            .map(|&rank| self.block(rank).centre)
            .collect();
        for &rank in &self.part {
            self.is_held[rank as usize] = true;
        }
        // No forces yet.
        let loads = self.part.iter().map(|&rank| {
            let [force, moment] = load(self.block(rank), self.gravity);
            [force.x, force.y, force.z, moment.x, moment.y, moment.z]
        });
        self.x = loads.collect();
        self.stage = Stage::Dissect(adjacency, Box::new(Dissection::new(&centres)));
        self.part.len() as u64 * 400
    }

    fn block(&self, rank: u32) -> &Block {
        &self.structure.blocks[self.graph.blocks[rank as usize] as usize]
    }

    fn factor(&mut self, mut factor: Box<Factor>) -> u64 {
        let part = Part {
            graph: &self.graph,
            ranks: &self.part,
            local: &self.local,
        };
        match factor.step(part, &mut self.x) {
            Step::Took(cost) => {
                self.stage = Stage::Factor(factor);
                cost
            }
            Step::Done => {
                let fronts = factor.len();
                self.stage = Stage::Up(factor, fronts, 0);
                0
            }
            // The others are solved without it, in the parts that are left.
            Step::Loose(block) => {
                self.is_out[self.part[block as usize] as usize] = true;
                self.memory = factor.into_memory();
                for &rank in &self.part {
                    self.is_held[rank as usize] = false;
                }
                let parts = self.graph.parts(&self.part, &self.is_out);
                self.parts.extend(parts.into_iter().rev());
                self.stage = Stage::NextPart;
                self.is_out.len() as u64 + self.part.len() as u64 * 40
            }
        }
    }

    /// Sets the right side to what the forces leave of the loads. Returns the greatest part that they leave of all that acts on
    /// a block.
    fn balance(&mut self) -> f64 {
        let mut x = std::mem::take(&mut self.x);
        x.clear();
        let mut most = 0.0f64;
        for &rank in &self.part {
            let [mut force, mut moment] = load(self.block(rank), self.gravity);
            let (mut all_force, mut all_moment) = (force.length(), moment.length());
            for (i, joint, is_high) in self.graph.joints_of(rank) {
                let [by, turn] = self.forces[i as usize];
                let (arm, sign) = if is_high {
                    (joint.high_arm, 1.0)
                } else {
                    (joint.low_arm, -1.0)
                };
                force += sign * by;
                moment += sign * (turn + arm.cross(by));
                all_force += by.length();
                all_moment += turn.length() + arm.length() * by.length();
            }
            most = most.max(force.length() / all_force.max(f64::MIN_POSITIVE));
            most = most.max(moment.length() / all_moment.max(f64::MIN_POSITIVE));
            x.push([force.x, force.y, force.z, moment.x, moment.y, moment.z]);
        }
        self.x = x;
        most
    }

    /// Adds the forces of the displacements to the joints.
    ///
    /// The correction adds to forces, not to displacements: these would round away what a long pillar's joints need.
    fn add_forces(&mut self) {
        let of = |rank: u32, arm: DVec3| {
            let Some(&rank) = self.local.get(rank as usize) else {
                return [DVec3::ZERO; 2];
            };
            let [x, y, z, a, b, c] = self.x[rank as usize];
            let turn = DVec3::new(a, b, c);
            [DVec3::new(x, y, z) + turn.cross(arm), turn]
        };
        for &rank in &self.part {
            for (i, joint, is_high) in self.graph.joints_of(rank) {
                // Each once: from its high block, or its low one under the anchor.
                if !is_high && joint.high != ANCHOR {
                    continue;
                }
                let other = if is_high { joint.low } else { joint.high };
                if other != ANCHOR && self.is_out[other as usize] {
                    continue;
                }
                let [low, low_turn] = of(joint.low, joint.low_arm);
                let [high, high_turn] = of(joint.high, joint.high_arm);
                let [force, moment] = &mut self.forces[i as usize];
                *force += joint.spring.force(high - low);
                *moment += joint.spring.moment(high_turn - low_turn);
            }
        }
    }

    /// The states of some bonds from their forces.
    fn states(&mut self, from: usize) -> u64 {
        let to = (from + CHUNK).min(self.graph.joints.len());
        for (joint, &[force, moment]) in self.graph.joints[from..to]
            .iter()
            .zip(&self.forces[from..to])
        {
            let bond = &self.structure.bonds[joint.bond as usize];
            self.solution.states[joint.bond as usize] = utilisation::state(bond, force, moment);
        }
        if to < self.graph.joints.len() {
            self.stage = Stage::States(to);
            return (to - from) as u64 * 450;
        }
        for (bond, state) in self.structure.bonds.iter().zip(&mut self.solution.states) {
            let is_loose = |side: Option<u32>| {
                side.is_some_and(|block| self.solution.held.get(block as usize) == Some(&false))
            };
            if utilisation::carries(bond) && (is_loose(bond.low) || is_loose(bond.high)) {
                *state = BondState {
                    utilisation: f64::INFINITY,
                    ..BondState::default()
                };
            }
        }
        self.memory.end_solve();
        self.stage = Stage::Done;
        (to - from) as u64 * 450 + self.structure.bonds.len() as u64 * 10
    }
}

impl std::fmt::Debug for Solve {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        let blocks = self.structure.blocks.len();
        out.debug_struct("Solve")
            .field("blocks", &blocks)
            .finish_non_exhaustive()
    }
}
