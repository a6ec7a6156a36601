//! Integer planes, points as meets of three planes, and exact predicates: the only code that decides "on".
//!
//! Lengths are grid steps (1/16384 m). A plane is n·x = d with integer n and d, divided by their common divisor. No
//! decision depends on a rounded point: a point is the meet of three original planes, and carries `at`, its coordinates
//! rounded DOWN to 2^-28 of a step, computed exactly. `at` depends on the position alone, so equal points have equal `at`
//! whatever planes made them: it serves as key, as f64 filter and as drawing position at once.
//!
//! Sizes, for coordinates of 25 bits: normals 51 bits, offsets 78, a meet's w 157 and x, y, z 184 (212 while `at` is
//! computed), a side test 236. So 256 bits always suffice; 128 bits suffice for nearly everything that games contain.
//!
//! ```
//! use breach_core::exact::{Line, Planes, meet, side};
//! use std::cmp::Ordering;
//!
//! let mut planes = Planes::default();
//! let [x, y, z] = [0, 1, 2].map(|axis| planes.axis(axis, 0).plane);
//! let slanted = planes.intern([1, 1, 1], 3).plane;
//! let origin = meet(&planes, [x, y, z]).expect("one point");
//! let corner = meet(&planes, [y, z, slanted]).expect("one point");
//! assert_eq!(corner.at.to_array(), [3.0, 0.0, 0.0]);
//! assert_eq!(side(&planes, &corner, slanted), 0);
//! assert_eq!(side(&planes, &origin, slanted), -1);
//! // The line runs along n_y × n_z, which is the x axis.
//! let line = Line::new(&planes, (y, z));
//! assert_eq!(line.cmp(&planes, &origin, &corner), Ordering::Less);
//! ```
mod line;
mod plane;
mod point;

pub use line::{Line, det_sign, turn};
pub use plane::{Facing, Plane, PlaneId, Planes};
pub use point::{Point, equal, meet, side};

/// Largest coordinate of the grid, steps: 1024 m.
pub const GRID_MAX: i64 = 1 << 24;

/// `at` is a multiple of 2^-SUB_BITS steps, a quarter of a billionth of a millimetre: the finest that the 53 bits of an f64
/// hold up to [`GRID_MAX`]. Lengths computed from corners, those of portals included, are accurate to 1e-12 m.
pub const SUB_BITS: u32 = 28;
