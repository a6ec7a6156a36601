//! The structure in an order of its own: blocks by their centres, joints by their blocks.
//!
//! Everything after this works on ranks, so the caller's order of blocks and bonds does not reach the answer. (Blocks of one
//! centre and one mass, and they only, have the caller's order.)
use super::bond::{Block, Bond, Structure};
use super::key::Key;
use super::section::Spring;
use super::utilisation::carries;
use glam::DVec3;
use std::cmp::Ordering;

/// No block: the anchor.
pub(super) const ANCHOR: u32 = u32::MAX;

/// A bond's area by the greatest area at either of its blocks below which it is a thread, which carries nothing.
///
/// What hangs on a thread has a stiffness of its square, which rounding hides. Two blocks with sections of a quarter of a
/// square metre weigh a hundred kilograms or more: no material holds them on 2.5 mm².
const THREAD: f64 = 1e-5;

/// A bond that carries, between ranks.
pub(super) struct Joint {
    /// Ranks of its blocks; [`ANCHOR`].
    pub low: u32,
    pub high: u32,
    /// Place in the caller's list.
    pub bond: u32,
    pub spring: Spring,
    /// From the blocks' centres to the section's; zero at the anchor.
    pub low_arm: DVec3,
    pub high_arm: DVec3,
    /// Of the spring and the arms.
    pub key: Key,
}

/// Blocks by rank and the joints between them.
#[derive(Default)]
pub(super) struct Graph {
    /// The caller's places, by rank.
    pub blocks: Vec<u32>,
    /// Ranks, by the caller's places.
    ranks: Vec<u32>,
    /// Low and high ranks and bonds of the joints.
    ends: Vec<(u32, u32, u32)>,
    /// Sorted by their blocks.
    pub joints: Vec<Joint>,
    /// By rank: where its joints begin in `incident`, and one more.
    starts: Vec<u32>,
    incident: Vec<u32>,
}

impl Graph {
    /// Ranks the blocks by their centres: x, then y, then z; then by mass, then as the caller has them.
    pub fn rank(&mut self, structure: &Structure) {
        let blocks = &structure.blocks;
        self.blocks = (0..blocks.len() as u32).collect();
        self.blocks.sort_unstable_by(|&i, &j| {
            by_place(&blocks[i as usize], &blocks[j as usize]).then(i.cmp(&j))
        });
        self.ranks = vec![0; blocks.len()];
        for (rank, &block) in self.blocks.iter().enumerate() {
            self.ranks[block as usize] = rank as u32;
        }
    }

    /// Finds the bonds that carry, in the order of the ranks of their blocks.
    pub fn find_joints(&mut self, structure: &Structure) {
        let rank = |side: Option<u32>| match side {
            None => Some(ANCHOR),
            Some(block) => {
                let is_there = structure.blocks.get(block as usize)?.centre.is_finite();
                is_there.then(|| self.ranks[block as usize])
            }
        };
        let bonds = &structure.bonds;
        let mut ends = vec![];
        let mut largest = vec![0.0f64; self.blocks.len()];
        for (i, bond) in bonds.iter().enumerate() {
            let (Some(low), Some(high)) = (rank(bond.low), rank(bond.high)) else {
                continue;
            };
            if low == high || !carries(bond) {
                continue;
            }
            ends.push((low, high, i as u32));
            for side in [low, high] {
                if let Some(largest) = largest.get_mut(side as usize) {
                    *largest = largest.max(bond.section.area);
                }
            }
        }
        let of = |side: u32| largest.get(side as usize).copied().unwrap_or(f64::INFINITY);
        ends.retain(|&(low, high, i)| {
            THREAD * of(low).min(of(high)) <= bonds[i as usize].section.area
        });
        ends.sort_unstable_by(|a, b| {
            let blocks = (a.0, a.1).cmp(&(b.0, b.1));
            // Of two bonds that agree in all this, it does not matter which one comes first unless their second moments
            // differ, which no two sections of one place do.
            blocks.then_with(|| {
                let sections = [a.2, b.2].map(|i| &bonds[i as usize]);
                by_section(sections[0], sections[1]).then(a.2.cmp(&b.2))
            })
        });
        self.ends = ends;
        self.joints.reserve_exact(self.ends.len());
    }

    /// Makes the next joints of what [`Graph::find_joints`] has found, `count` at most. Whether all are made.
    pub fn make_joints(&mut self, structure: &Structure, count: usize) -> bool {
        let from = self.joints.len();
        let to = (from + count).min(self.ends.len());
        for &(low, high, i) in &self.ends[from..to] {
            let bond = &structure.bonds[i as usize];
            let centre = |side: u32| match self.blocks.get(side as usize) {
                Some(&block) => structure.blocks[block as usize].centre,
                None => bond.section.centre,
            };
            let (from, to) = (centre(low), centre(high));
            let spring = Spring::new(&bond.section, &bond.law, (to - from)[bond.section.axis]);
            let (low_arm, high_arm) = (bond.section.centre - from, bond.section.centre - to);
            let mut key = Key::default();
            for (a, b) in [(spring.shift, spring.turn), (low_arm, high_arm)] {
                for (a, b) in a.to_array().into_iter().zip(b.to_array()) {
                    key.add(a.to_bits(), b.to_bits());
                }
            }
            key.add(spring.turn_uv.to_bits(), spring.axis as u64);
            self.joints.push(Joint {
                low,
                high,
                bond: i,
                spring,
                low_arm,
                high_arm,
                key,
            });
        }
        to == self.ends.len()
    }

    /// Lists the joints of each block, when all are made.
    pub fn list_joints(&mut self) {
        let mut starts = vec![0u32; self.blocks.len() + 1];
        let ends = |&(low, high, _): &(u32, u32, u32)| {
            [low, high].into_iter().filter(|&side| side != ANCHOR)
        };
        for side in self.ends.iter().flat_map(ends) {
            starts[side as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        self.incident = vec![0; starts.last().map_or(0, |&n| n as usize)];
        for (i, joint) in self.ends.iter().enumerate() {
            for side in ends(joint) {
                self.incident[next[side as usize] as usize] = i as u32;
                next[side as usize] += 1;
            }
        }
        self.starts = starts;
    }

    /// The joints of a block, in their order, and whether it is on their high side.
    #[inline]
    pub fn joints_of(&self, rank: u32) -> impl Iterator<Item = (u32, &Joint, bool)> {
        let range = self.starts[rank as usize] as usize..self.starts[rank as usize + 1] as usize;
        self.incident[range].iter().map(move |&i| {
            let joint = &self.joints[i as usize];
            (i, joint, joint.high == rank)
        })
    }

    /// The blocks of each connected part of `among`, by rank; parts by their lowest rank. The anchor connects nothing.
    pub fn parts(&self, among: &[u32], is_out: &[bool]) -> Vec<Vec<u32>> {
        const NONE: u32 = u32::MAX;
        const WAITS: u32 = u32::MAX - 1;
        let mut part_of = vec![NONE; self.blocks.len()];
        for &rank in among {
            if !is_out[rank as usize] {
                part_of[rank as usize] = WAITS;
            }
        }
        let mut parts = vec![];
        let mut stack = vec![];
        for &rank in among {
            if part_of[rank as usize] != WAITS {
                continue;
            }
            let part = parts.len() as u32;
            parts.push(vec![]);
            part_of[rank as usize] = part;
            stack.push(rank);
            while let Some(rank) = stack.pop() {
                for (_, joint, is_high) in self.joints_of(rank) {
                    let other = if is_high { joint.low } else { joint.high };
                    if other != ANCHOR && part_of[other as usize] == WAITS {
                        part_of[other as usize] = part;
                        stack.push(other);
                    }
                }
            }
        }
        for &rank in among {
            if let Some(part) = parts.get_mut(part_of[rank as usize] as usize) {
                part.push(rank);
            }
        }
        parts
    }
}

fn by_coordinates(a: DVec3, b: DVec3) -> Ordering {
    let x = a.x.total_cmp(&b.x);
    x.then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z))
}

fn by_place(a: &Block, b: &Block) -> Ordering {
    by_coordinates(a.centre, b.centre).then(a.mass.total_cmp(&b.mass))
}

fn by_section(a: &Bond, b: &Bond) -> Ordering {
    let axes = a.section.axis.cmp(&b.section.axis);
    axes.then_with(|| by_coordinates(a.section.centre, b.section.centre))
        .then_with(|| a.section.area.total_cmp(&b.section.area))
        .then_with(|| a.law.young.total_cmp(&b.law.young))
}

/// Which blocks of one part touch: local numbers, in the order of ranks.
pub(super) struct Adjacency {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Adjacency {
    /// That of `part`. `local` gives local numbers by rank; only those of the part are read.
    pub fn new(graph: &Graph, part: &[u32], local: &mut [u32]) -> Self {
        for &rank in part {
            // Neighbours may be out of the structure.
            for (_, joint, is_high) in graph.joints_of(rank) {
                let other = if is_high { joint.low } else { joint.high };
                if other != ANCHOR {
                    local[other as usize] = u32::MAX;
                }
            }
        }
        for (i, &rank) in part.iter().enumerate() {
            local[rank as usize] = i as u32;
        }
        let mut starts = vec![0];
        let mut neighbours: Vec<u32> = vec![];
        for &rank in part {
            let from = neighbours.len();
            for (_, joint, is_high) in graph.joints_of(rank) {
                let other = if is_high { joint.low } else { joint.high };
                let Some(&other) = local.get(other as usize) else {
                    continue;
                };
                // Few enough for a search.
                if other != u32::MAX && !neighbours[from..].contains(&other) {
                    neighbours.push(other);
                }
            }
            starts.push(neighbours.len() as u32);
        }
        Adjacency { starts, neighbours }
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The neighbours of a block.
    #[inline]
    pub fn of(&self, i: u32) -> &[u32] {
        &self.neighbours[self.starts[i as usize] as usize..self.starts[i as usize + 1] as usize]
    }
}
