//! Directions from a hash: the same seed scatters alike on every machine.
use glam::DVec3;

/// A vector not longer than 1, the same for the same seed.
pub(super) fn scatter(seed: u32) -> DVec3 {
    let mut state = u64::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
    let mut next = || {
        state ^= state >> 29;
        state = state.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (state >> 40) as f64 / (1u64 << 23) as f64 - 1.0
    };
    DVec3::new(next(), next(), next()).clamp_length_max(1.0)
}
