//! What a check has found, to be looked at: nothing of it goes back into a verdict.
use super::survey::BondPlace;
use crate::solid::{BlockId, Lattice, beyond};
use crate::structure::{BondState, Section, StructuralMaterial, Structure};
use glam::DVec3;

/// The structures of a check, with what they carry.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The lattice of its blocks.
    pub lattice: Lattice,
    /// Blocks and bonds; a bond's factor is that of its strength.
    pub structure: Structure,
    /// Where each bond is.
    pub places: Vec<BondPlace>,
    /// What each bond carries.
    pub states: Vec<BondState>,
}

/// The way of a block's load to the ground: each step over the bond that holds its block up most.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoadPath {
    /// The blocks, from the one that was asked for.
    pub blocks: Vec<u32>,
    /// The bond that leads on from each block; it may lack the last one.
    pub bonds: Vec<u32>,
    /// The last bond leads to the ground.
    pub reaches_ground: bool,
    /// What the first block carries, its own weight included, N.
    pub load_n: f64,
    /// The bond of the path with the greatest utilisation.
    pub weakest: Option<u32>,
}

impl Checked {
    /// The greatest utilisation of the bonds of each block of the lattice, in the order of the blocks. Ground is left out,
    /// and so are bonds that nothing holds.
    pub fn utilisations(&self) -> Vec<(BlockId, f64)> {
        let mut all = Vec::with_capacity(2 * self.places.len());
        let bonds = self.structure.bonds.iter().zip(&self.places);
        for ((bond, &(above, axis)), state) in bonds.zip(&self.states) {
            let ends = [(bond.low, beyond(above, 2 * axis)), (bond.high, above)];
            let held = ends.into_iter().filter(|_| state.utilisation.is_finite());
            all.extend(held.filter_map(|(end, block)| end.map(|_| (block, state.utilisation))));
        }
        // The greatest of each block comes first.
        all.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        all.dedup_by_key(|one| one.0);
        all
    }

    /// The block of the structure that holds the solid at a point, metres: of those with a bond on a side of that block of
    /// the lattice the one with the nearest centre. None where nothing was checked, and in the ground.
    pub fn block_at(&self, point: DVec3) -> Option<u32> {
        let wanted = self.lattice.block_at(point);
        let bonds = self.structure.bonds.iter().zip(&self.places);
        let ends = bonds.flat_map(|(bond, &(above, axis))| {
            [(bond.low, beyond(above, 2 * axis)), (bond.high, above)]
        });
        let here = ends.filter(|&(_, block)| block == wanted);
        let away = |block: &u32| {
            let centre = self.structure.blocks[*block as usize].centre;
            centre.distance_squared(point)
        };
        let blocks = here.filter_map(|(end, _)| end);
        blocks.min_by(|a, b| away(a).total_cmp(&away(b)).then(a.cmp(b)))
    }

    /// The bond of a section.
    pub fn bond_of(&self, section: &Section) -> Option<u32> {
        let mut bonds = self.structure.bonds.iter();
        let found = bonds.position(|bond| bond.section == *section);
        found.map(|i| i as u32)
    }

    /// The material whose strength a bond has.
    pub fn material(&self, bond: u32) -> Option<StructuralMaterial> {
        StructuralMaterial::of(&self.structure.bonds.get(bond as usize)?.law)
    }

    /// The way of a block's load to the ground, where `down` is the direction of gravity.
    pub fn load_path(&self, block: u32, down: DVec3) -> LoadPath {
        let up = -down.normalize_or_zero();
        let bonds_of = self.bonds_by_block();
        let mut path = LoadPath::default();
        let mut seen = vec![false; self.structure.blocks.len()];
        let mut next = Some(block);
        while let Some(block) = next.take().filter(|&b| (b as usize) < seen.len()) {
            seen[block as usize] = true;
            path.blocks.push(block);
            let mut best: Option<(f64, u32, Option<u32>)> = None;
            for &bond in &bonds_of[block as usize] {
                let of = &self.structure.bonds[bond as usize];
                let is_high = of.high == Some(block);
                let force = self.states[bond as usize].force.dot(up);
                // The force is what the low side exerts on the high one.
                let (holds_n, beyond) = match is_high {
                    true => (force, of.low),
                    false => (-force, of.high),
                };
                if holds_n <= 0.0 {
                    continue;
                }
                if path.blocks.len() == 1 {
                    path.load_n += holds_n;
                }
                let is_new = beyond.is_none_or(|block| !seen[block as usize]);
                if is_new && best.is_none_or(|(most, ..)| most < holds_n) {
                    best = Some((holds_n, bond, beyond));
                }
            }
            if let Some((_, bond, beyond)) = best {
                path.bonds.push(bond);
                path.reaches_ground = beyond.is_none();
                next = beyond;
            }
        }
        let utilisation = |bond: u32| self.states[bond as usize].utilisation;
        let by_utilisation = |a: &u32, b: &u32| {
            let order = utilisation(*a).total_cmp(&utilisation(*b));
            order.then(b.cmp(a))
        };
        path.weakest = path.bonds.iter().copied().max_by(by_utilisation);
        path
    }

    /// The bonds of each block.
    fn bonds_by_block(&self) -> Vec<Vec<u32>> {
        let mut bonds_of = vec![Vec::new(); self.structure.blocks.len()];
        for (i, bond) in (0..).zip(&self.structure.bonds) {
            for end in [bond.low, bond.high].into_iter().flatten() {
                if let Some(bonds) = bonds_of.get_mut(end as usize) {
                    bonds.push(i);
                }
            }
        }
        bonds_of
    }
}
