//! How near the stress at the edges of a section is to its strength.
use super::bond::{Bond, BondState, Mode};
use super::section::{self, AREA_MAX, AREA_MIN};
use glam::DVec3;

/// Whether a bond can carry anything, its blocks aside.
pub(super) fn carries(bond: &Bond) -> bool {
    let section = &bond.section;
    AREA_MIN <= section.area
        && section.area <= AREA_MAX
        && section.centre.is_finite()
        && section.axis < 3
        && bond.law.young.is_finite()
        && 0.0 < bond.law.young
}

/// The state of a bond that carries `force` and `moment` (conventions: see the module).
///
/// The normal stress is σ = N / A plus the bending of an unsymmetric section, α u + β v with
/// α Iuv + β Iuu = M_u and α Ivv + β Iuv = -M_v (Timoshenko, Strength of Materials I, section 94), at the four corners of the
/// extents: exact for a rectangle, on the safe side for others. Where the section is far from its corners, as a thin diagonal
/// strip is, √8 times the root mean square over the section bounds it: what a triangle has, the most of all convex sections.
/// Shear is |V| / A plus torsion |T| t / J with t = √(12 I_min / A), a strip's thickness; the strength against it grows with
/// the mean compression (Mohr and Coulomb; for brickwork EN 1996-1-1, 3.6.2).
pub(super) fn state(bond: &Bond, force: DVec3, moment: DVec3) -> BondState {
    let unloaded = BondState {
        force,
        moment,
        ..BondState::default()
    };
    if !carries(bond) {
        return unloaded;
    }
    let section = &bond.section;
    let area = section.area;
    let axis = section.axis;
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let [iuu, ivv, iuv] = section::second_moments(section);
    let mean = force[axis] / area;
    let det = iuu * ivv - iuv * iuv;
    let alpha = (-moment[v] * iuu - moment[u] * iuv) / det;
    let beta = (moment[u] * ivv + moment[v] * iuv) / det;
    let variance = (alpha * alpha * ivv + 2.0 * alpha * beta * iuv + beta * beta * iuu) / area;
    let bound = (8.0 * variance.max(0.0)).sqrt();
    let [low, high] = section::extents(section);
    let side = |slope: f64, low: f64, high: f64| {
        let (a, b) = (slope * low, slope * high);
        (a.min(b), a.max(b))
    };
    let (u_least, u_most) = side(alpha, low.x, high.x);
    let (v_least, v_most) = side(beta, low.y, high.y);
    let compression = mean + (u_most + v_most).min(bound);
    let tension = -(mean + (u_least + v_least).max(-bound));

    let polar = iuu + ivv;
    let half = 0.5 * (iuu - ivv);
    let least = (0.5 * polar - (half * half + iuv * iuv).sqrt()).max(det / polar);
    let torsion = area * area / polar * (area * area) / 40.0;
    let slide = (force[u] * force[u] + force[v] * force[v]).sqrt() / area;
    let shear = slide + moment[axis].abs() * (12.0 * least / area).sqrt() / torsion;

    let law = &bond.law;
    let factor = if bond.factor >= 0.0 { bond.factor } else { 1.0 };
    let friction = if 0.0 < law.friction && 0.0 < mean {
        law.friction * mean
    } else {
        0.0
    };
    let mut worst = unloaded;
    for (mode, stress, strength) in [
        (Mode::Tension, tension, law.tension),
        (Mode::Compression, compression, law.compression),
        (Mode::Shear, shear, law.shear + friction),
    ] {
        let utilisation = utilisation(stress, strength * factor);
        if worst.utilisation < utilisation {
            (worst.utilisation, worst.mode) = (utilisation, mode);
        }
    }
    worst
}

/// Stress by strength. Stress that is not a number is not carried; strength that is none carries nothing.
fn utilisation(stress: f64, strength: f64) -> f64 {
    if stress <= 0.0 {
        0.0
    } else if 0.0 < strength && !stress.is_nan() {
        if strength == f64::INFINITY {
            0.0
        } else {
            stress / strength
        }
    } else {
        f64::INFINITY
    }
}
