//! Integer planes, points as meets of three planes, exact predicates: the only place that decides "on".
//!
//! Lengths are grid steps (1/16384 m). A plane is n·x = d with integer n and d, divided by their common divisor. A
//! point is never rounded for a decision: it is the meet of three original planes, and carries `at`, its coordinates
//! rounded DOWN to 2^-28 of a step, computed exactly. Because `at` is a function of the place alone, equal points have
//! equal `at` whatever planes made them: it serves as key, as f64 filter and as drawing position at once.
//!
//! Sizes, for coordinates of 25 bits: normals 51 bits, offsets 78, a meet's w 157 and x, y, z 184 (212 as `at` is found), a side test 236, so
//! 256 bits always do (see DESIGN's table); 128 bits do for nearly everything that games contain.
mod meet;
mod plane;

pub use meet::{Line, Point, det_sign, equal, meet, side, turn};
pub use plane::{Facing, Plane, PlaneId, Planes};

/// Largest coordinate of the grid, steps: 1024 m.
pub const GRID_MAX: i64 = 1 << 24;

/// `at` is a multiple of 2^-SUB_BITS steps: the most that the 53 bits of an f64 hold up to [`GRID_MAX`]. A quarter of a
/// billionth of a millimetre, so what is computed from corners, a border's included, is right to 1e-12 m.
pub const SUB_BITS: u32 = 28;
