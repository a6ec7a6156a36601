//! Traversal heat map: bins and faces visited by the ray of each pixel, on a coarse raster.
use super::camera::{Camera, axes, half_extent};
use super::snapshot::HeatMap;
use crate::bvh::QueryStats;
use crate::world::World;

/// Rows of the raster in the app: some thousand rays, a few milliseconds.
pub const HEAT_ROWS: u32 = 54;
/// Length of the rays, metres: across any level.
const REACH_M: f64 = 4096.0;

/// Casts a ray through the centre of each pixel of a raster; the aspect gives the number of columns.
pub fn heat_map(world: &World, camera: &Camera, rows: u32) -> HeatMap {
    let [right, up, back] = axes(camera);
    let [half_x, half_y] = half_extent(camera);
    let columns = ((f64::from(rows) * half_x / half_y).round() as u32).clamp(1, 4096);
    let mut bins = Vec::with_capacity((columns * rows) as usize);
    for row in 0..rows {
        for column in 0..columns {
            let x = (f64::from(column) + 0.5) / f64::from(columns) * 2.0 - 1.0;
            let y = 1.0 - (f64::from(row) + 0.5) / f64::from(rows) * 2.0;
            let dir = (right * (x * half_x) + up * (y * half_y) - back).normalize();
            let mut stats = QueryStats::default();
            // Only the cost counts, not the hit.
            let _ = world.cast_ray(camera.eye, camera.eye + dir * REACH_M, &mut stats);
            bins.push(u32::try_from(stats.bins + stats.faces).unwrap_or(u32::MAX));
        }
    }
    HeatMap {
        size: [columns, rows],
        bins,
    }
}
