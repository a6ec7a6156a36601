//! Whether forces balance the loads, and whether they prove that the structure stands.
use super::bond::{Block, BondState, Structure};
use super::utilisation::{carries, state};
use glam::DVec3;

/// The force (N) and the moment about its centre (N m) that a block has to pass on.
pub(super) fn load(block: &Block, gravity: DVec3) -> [DVec3; 2] {
    let finite = |v: DVec3| if v.is_finite() { v } else { DVec3::ZERO };
    let mass = if block.mass.is_finite() && 0.0 < block.mass {
        block.mass
    } else {
        0.0
    };
    [
        finite(gravity) * mass + finite(block.load.force),
        finite(block.load.moment),
    ]
}

/// What is left of each block's loads after its bonds' forces: force (N), moment about its centre (N m), and how much there
/// was to balance: the sum of the magnitudes of all forces on it (N), and of all moments and their arms (N m).
fn residuals(structure: &Structure, gravity: DVec3, states: &[BondState]) -> Vec<[[f64; 2]; 2]> {
    let mut left: Vec<[DVec3; 2]> = vec![];
    let mut whole: Vec<[f64; 2]> = vec![];
    for block in &structure.blocks {
        let [force, moment] = load(block, gravity);
        left.push([force, moment]);
        whole.push([force.length(), moment.length()]);
    }
    for (bond, carried) in structure.bonds.iter().zip(states) {
        for (side, sign) in [(bond.low, -1.0), (bond.high, 1.0)] {
            let Some(side) = side.map(|side| side as usize) else {
                continue;
            };
            let Some(block) = structure.blocks.get(side) else {
                continue;
            };
            let arm = bond.section.centre - block.centre;
            let moment = carried.moment + arm.cross(carried.force);
            // A bond that carries nothing may lie anywhere.
            if carried.force == DVec3::ZERO && carried.moment == DVec3::ZERO {
                continue;
            }
            left[side][0] += carried.force * sign;
            left[side][1] += moment * sign;
            whole[side][0] += carried.force.length();
            whole[side][1] += carried.moment.length() + arm.length() * carried.force.length();
        }
    }
    let each = left.iter().zip(whole);
    each.map(|([force, moment], whole)| [[force.length(), moment.length()], whole])
        .collect()
}

/// The greatest imbalance of a block, by all that acts on it: 0 in exact balance, about 1e-12 after [`super::Solve`].
pub fn equilibrium_residual(structure: &Structure, gravity: DVec3, states: &[BondState]) -> f64 {
    let mut most = 0.0f64;
    for [left, whole] in residuals(structure, gravity, states) {
        for (left, whole) in left.into_iter().zip(whole) {
            if left.is_nan() {
                return f64::INFINITY;
            }
            if 0.0 < left {
                most = most.max(left / whole);
            }
        }
    }
    most
}

/// Whether forces prove that a structure stands: they balance every block within `tolerance`, and no bond goes beyond its
/// strength. Only `force` and `moment` of the states are read. Linear in the number of bonds.
///
/// By the lower-bound theorem (Drucker, Prager and Greenberg, Quarterly of Applied Mathematics 9, 1952) a structure whose
/// sections yield does not fall as long as any such forces exist, whether or not they are the elastic ones. The tolerance is
/// a part of all that acts on a block; it stands for rounding, as what it lets pass could be had by changing the loads by
/// that part. 1e-9 is ample for forces that come from a solve or from sums along a path.
pub fn proves(structure: &Structure, gravity: DVec3, forces: &[BondState], tolerance: f64) -> bool {
    forces.len() == structure.bonds.len()
        && equilibrium_residual(structure, gravity, forces) <= tolerance
        && structure.bonds.iter().zip(forces).all(|(bond, carried)| {
            if carries(bond) {
                state(bond, carried.force, carried.moment).utilisation <= 1.0
            } else {
                carried.force == DVec3::ZERO && carried.moment == DVec3::ZERO
            }
        })
}
