//! Every epsilon below the exact kernel, by role. Nothing here decides what is solid: that is [`crate::exact`]'s, which
//! has none. All but [`DEPTH`] and [`SEAM`] are relative to the numbers they guard: an absolute cut-off drops slow sweeps.

/// Rounding of one f64 operation, relative.
pub const ROUNDING: f64 = f64::EPSILON;

/// How much a box that only culls is grown, relative to its greatest coordinate: far above what the slab test and a
/// sweep's own arithmetic can lose, far below anything that can be seen (1 µm at 1 km).
pub const CULL_SLACK: f64 = 1e-9;

/// Sine of the angle up to which two faces are one flat surface: their common edge then gives no contact of its own,
/// and a face reaches this many radii beyond its edges to close the crack.
pub const FLAT_EDGE: f64 = 1e-8;

/// A triangle lower than this, in parts of the mesh's greatest coordinate, has a normal too rough to tell flat edges
/// by ([`FLAT_EDGE`] = 0.1 × `ROUNDING` / this, with some air).
pub const SLIVER_HEIGHT: f64 = 4e-7;

/// A motion this much along a surface (sine of the angle to it) does not move towards it. Over 1 km it would sink in
/// by 0.1 µm.
pub const ALONG: f64 = 1e-10;

/// The same for edges, which also need the motion's part across them: sinks in by 1 nm over 1 km.
pub const PARALLEL: f64 = 1e-12;

/// A contact may be this deep, metres: what the project allows. Only caps the slack of grazing contacts.
pub const DEPTH: f64 = 1e-6;

/// How far beyond its border, metres, a face still stops a sphere: wider than the slivers of a cut face that are too
/// thin to have a normal, and less than anything that can be felt (2.5e-13 m of depth at a radius of 2 cm).
pub const SEAM: f64 = 1e-7;

/// How far behind a surface, in parts of the greatest coordinate, a ray may start and still be on it.
pub const ON_SURFACE: f64 = 1e-14;

/// Cosine slack of the cone in which an edge or vertex is the nearest feature; wide enough to overlap with the
/// neighbouring features' cones.
pub const CONE: f64 = 1e-9;
