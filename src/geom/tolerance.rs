//! Every epsilon below the exact kernel, by role. Nothing here decides what is solid: that is [`crate::exact`]'s, which
//! has none. All are relative to the numbers they guard, because an absolute cut-off that suits a rocket drops slow
//! sweeps.

/// Rounding of one f64 operation, relative.
pub const ROUNDING: f64 = f64::EPSILON;

/// How much a box that only culls is grown, relative to its greatest coordinate: far above what the slab test and a
/// sweep's own arithmetic can lose, far below anything that can be seen (1 µm at 1 km).
pub const CULL_SLACK: f64 = 1e-9;

/// Two face normals closer than this (radians, about) are one flat surface: their common edge never gives a contact
/// of its own.
pub const FLAT_EDGE: f64 = 1e-6;

/// How far, in parts of the numbers that make it, a contact may be from what a static check finds there.
pub const CONTACT: f64 = 1e-9;
