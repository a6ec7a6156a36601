//! The carve of a rocket: a few seeded overlapping convex brushes that read as a torn crater.
use super::{BrushDesc, MaterialId};
use glam::{DVec3, I64Vec3};

/// Brushes of a blast; every corner lies on multiples of 16 grid steps (1/1024 m), verified convex exactly.
/// `centre` in grid steps, `radius` in metres (0.02..=20), `shape` "rock", "concrete" or "metal" (others: rock).
pub fn blast(_centre: I64Vec3, _radius: f64, _shape: &str, _seed: u64, _material: MaterialId) -> Vec<BrushDesc> {
    Vec::new()
}

/// A box turned so that its local z is `normal`, `size` wide and high, from `depth` below `centre` to a little above.
pub fn box_brush(_centre: DVec3, _normal: DVec3, _size: f64, _depth: f64, _material: MaterialId) -> Option<BrushDesc> {
    None
}

/// A faceted ball of diameter `size`, metres.
pub fn ball_brush(_centre: DVec3, _size: f64, _material: MaterialId) -> Option<BrushDesc> {
    None
}

/// The exact convex hull of grid points as a brush; None when flat or beyond the grid.
pub fn hull_brush(_points: &[I64Vec3], _material: MaterialId) -> Option<BrushDesc> {
    None
}
