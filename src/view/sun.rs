//! The sun: its strength, and the rooms that cast its shadows.
use super::camera::{Camera, axes, half_extent};
use super::snapshot::SunView;
use super::visible_set::VisibleSet;
use crate::bvh::QueryStats;
use crate::collide::sweep_aabb_aabb;
use crate::geom::Aabb;
use crate::level::{Sun, material};
use crate::world::{CastHit, RoomId, World};
use glam::DVec3;

/// Half the width of the sunlit region around the camera, metres.
pub const SUN_REACH_M: f64 = 96.0;
/// Greatest distance from a caster to its shadow, metres.
pub const SUN_DEPTH_M: f64 = 512.0;
/// Strength of a sun of intensity 300.
const STRENGTH: f64 = 1.8;

/// The sun of the picture.
pub(super) fn sun(sun: &Sun) -> SunView {
    let strength = (sun.intensity / 300.0 * STRENGTH).min(6.0);
    SunView {
        toward: sun.toward,
        colour: sun.colour.map(|c| c * strength as f32),
    }
}

/// Mean sunlight in view, over a raster of view rays; sky counts as lit.
pub(super) fn mean_sunlight(world: &World, sun: &SunView, camera: &Camera) -> f64 {
    const ACROSS: [f64; 5] = [-0.8, -0.4, 0.0, 0.4, 0.8];
    const UP: [f64; 3] = [-0.6, 0.0, 0.6];
    let [right, up, back] = axes(camera);
    let [half_x, half_y] = half_extent(camera);
    let lines = UP
        .iter()
        .flat_map(|y| ACROSS.map(|x| (x * half_x, y * half_y)));
    let lit = lines.filter(|&(x, y)| {
        let way = (right * x + up * y - back) * SUN_REACH_M;
        let hit = world.cast_ray(camera.eye, camera.eye + way, &mut QueryStats::default());
        hit.is_some_and(|hit| is_sky(world, &hit) || is_sunlit(world, sun, &hit))
    });
    let strength = f64::from(sun.colour.iter().sum::<f32>()) / 3.0;
    strength * lit.count() as f64 / (ACROSS.len() * UP.len()) as f64
}

/// Whether a ray from the hit towards the sun leaves through the sky.
fn is_sunlit(world: &World, sun: &SunView, hit: &CastHit) -> bool {
    /// Start of the ray above the surface, metres.
    const OFFSET_M: f64 = 1e-3;
    if hit.normal.dot(sun.toward) <= 0.0 {
        return false;
    }
    let from = hit.point + hit.normal * OFFSET_M;
    let to = from + sun.toward * SUN_DEPTH_M;
    let exit = world.cast_ray(from, to, &mut QueryStats::default());
    exit.is_some_and(|hit| is_sky(world, &hit))
}

fn is_sky(world: &World, hit: &CastHit) -> bool {
    let room = world.room(hit.room);
    let triangle = room.mesh.triangles.get(hit.triangle as usize);
    let face = triangle.and_then(|t| room.faces.get(t.face as usize));
    let material = face.and_then(|f| world.materials.get(f.material as usize));
    material.is_some_and(|m| !m.inner && material::is_sky(&m.texture))
}

/// Hidden rooms between the sun and the visible rooms near the camera; ascending.
pub(super) fn casters(
    world: &World,
    sun: &SunView,
    camera: &Camera,
    visible: &[RoomId],
    visible_set: &VisibleSet,
) -> Vec<RoomId> {
    let near = Aabb::from_centre(camera.eye, DVec3::splat(SUN_REACH_M));
    let cells = visible.iter().map(|&id| world.room(id).cell);
    let shaded: Vec<Aabb> = cells.filter_map(|cell| cell.intersection(&near)).collect();
    let all = shaded.iter().fold(Aabb::EMPTY, |all, cell| all.union(cell));
    let way = sun.toward * SUN_DEPTH_M;
    let swept = all.with_point(all.min + way).with_point(all.max + way);
    let mut casters = Vec::new();
    if all.is_empty() {
        return casters;
    }
    world.each_room_in_box(&swept, &mut |id| {
        let room = world.room(id);
        let meets = |cell: &Aabb| sweep_aabb_aabb(cell, way, &room.cell, DVec3::ZERO).is_some();
        let is_hidden = !visible_set.contains(id);
        if is_hidden && room.triangle_count > 0 && meets(&all) && shaded.iter().any(meets) {
            casters.push(id);
        }
    });
    casters.sort_unstable();
    casters.dedup();
    casters
}
