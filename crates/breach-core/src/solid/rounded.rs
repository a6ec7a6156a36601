//! Rounding of what is summed over the surface.

/// Rounding of lengths, areas, volumes and second moments: the steps in a metre and its powers. The order in which a
/// surface is triangulated changes sums in their last bits, which are gone after rounding but for one in some 10^6.
pub(super) const LENGTHS: f64 = (1u64 << 20) as f64;
pub(super) const AREAS: f64 = (1u64 << 24) as f64;
pub(super) const VOLUMES: f64 = (1u64 << 28) as f64;
pub(super) const MOMENTS: f64 = (1u64 << 36) as f64;

/// Rounding goes up from a half less this. Surfaces on the grid have lengths, areas and volumes that often lie just half-way
/// between two steps, and never here: (√2 - 1) / 3.
const OFF_HALF: f64 = (std::f64::consts::SQRT_2 - 1.0) / 3.0;

/// A length, an area and so on in whole steps, of which a metre or its power has so many.
pub(super) fn rounded(value: f64, steps: f64) -> f64 {
    // Maps -0.0 to 0.0.
    (value * steps + OFF_HALF).round() / steps + 0.0
}
