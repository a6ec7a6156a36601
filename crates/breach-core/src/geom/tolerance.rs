//! Every epsilon outside the exact kernel, by role. None of them decides what is solid: [`crate::exact`] does, without
//! any epsilon. All but [`DEPTH`] and [`SEAM`] are relative to the numbers they guard: an absolute cut-off would drop
//! slow sweeps.

/// Rounding of one f64 operation, relative.
pub const ROUNDING: f64 = f64::EPSILON;

/// Growth of boxes for culling, relative to the largest coordinate: far above the rounding of the slab test and of a
/// sweep, far below anything visible (1 µm at 1 km).
pub const CULL_SLACK: f64 = 1e-9;

/// Sine of the angle up to which two faces are one flat surface: their common edge is not active, and a face reaches
/// this many radii beyond its edges to close the crack.
pub const FLAT_EDGE: f64 = 1e-8;

/// A triangle lower than this, relative to the mesh's largest coordinate, is a sliver: its normal is too imprecise to
/// tell flat edges ([`FLAT_EDGE`] = 0.1 × `ROUNDING` / this, with some margin).
pub const SLIVER_HEIGHT: f64 = 4e-7;

/// A motion at this angle (sine) or less to a surface does not approach it. Over 1 km it would sink in by 0.1 µm.
pub const ALONG: f64 = 1e-10;

/// The same for edges, which also need the perpendicular component of the motion: sinks in by 1 nm over 1 km.
pub const PARALLEL: f64 = 1e-12;

/// Depth of a contact that the project allows, metres. Only caps the slack of grazing contacts.
pub const DEPTH: f64 = 1e-6;

/// How far beyond its border a face still stops a sphere, metres: wider than the slivers of a cut face that are too
/// thin to have a normal, and imperceptible (2.5e-13 m of depth at a radius of 2 cm).
pub const SEAM: f64 = 1e-7;

/// How far behind a surface a ray may start and still be on it, relative to the largest coordinate.
pub const ON_SURFACE: f64 = 1e-14;

/// Cosine slack of the cone in which an edge or vertex is the nearest feature; overlaps with the cones of neighbouring
/// features.
pub const CONE: f64 = 1e-9;
