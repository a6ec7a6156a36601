//! The sun: how strongly it shines, and which rooms stand in its way.
use super::camera::{axes, half_extent};
use super::visibility::Sight;
use super::{Camera, SunView};
use crate::bvh::QueryStats;
use crate::collide::sweep_aabb_aabb;
use crate::geom::Aabb;
use crate::level::{Sun, material};
use crate::world::{CastHit, RoomId, World};
use glam::DVec3;

/// Farther than this from the eye nothing is sunlit, and nothing farther aside throws a shadow, metres.
pub const SUN_REACH_M: f64 = 96.0;
/// What can stand in the way stands nearer to what it shades than this, metres.
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

/// The sun's strength on what is seen, and the sky counts as lit: the mean over some lines of sight.
pub(super) fn seen(world: &World, sun: &SunView, camera: &Camera) -> f64 {
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
        hit.is_some_and(|hit| is_sky(world, &hit) || shines_at(world, sun, &hit))
    });
    let strength = f64::from(sun.colour.iter().sum::<f32>()) / 3.0;
    strength * lit.count() as f64 / (ACROSS.len() * UP.len()) as f64
}

/// Nothing but the sky is between the sun and what was hit.
fn shines_at(world: &World, sun: &SunView, hit: &CastHit) -> bool {
    /// So far off the surface it is asked, metres.
    const OFF_M: f64 = 1e-3;
    if hit.normal.dot(sun.toward) <= 0.0 {
        return false;
    }
    let from = hit.point + hit.normal * OFF_M;
    let to = from + sun.toward * SUN_DEPTH_M;
    let way_out = world.cast_ray(from, to, &mut QueryStats::default());
    way_out.is_some_and(|hit| is_sky(world, &hit))
}

fn is_sky(world: &World, hit: &CastHit) -> bool {
    let room = world.room(hit.room);
    let triangle = room.mesh.triangles.get(hit.triangle as usize);
    let face = triangle.and_then(|t| room.faces.get(t.face as usize));
    let material = face.and_then(|f| world.materials.get(f.material as usize));
    material.is_some_and(|m| !m.inner && material::is_sky(&m.texture))
}

/// Rooms between the sun and the visible ones near the eye, without those that are visible themselves; ascending.
pub(super) fn rooms_before(
    world: &World,
    sun: &SunView,
    camera: &Camera,
    visible: &[RoomId],
    sight: &Sight,
) -> Vec<RoomId> {
    let near = Aabb::from_centre(camera.eye, DVec3::splat(SUN_REACH_M));
    let cells = visible.iter().map(|&id| world.room(id).cell);
    let shaded: Vec<Aabb> = cells.filter_map(|cell| cell.intersection(&near)).collect();
    let all = shaded.iter().fold(Aabb::EMPTY, |all, cell| all.union(cell));
    let way = sun.toward * SUN_DEPTH_M;
    let swept = all.with_point(all.min + way).with_point(all.max + way);
    let mut before = Vec::new();
    if all.is_empty() {
        return before;
    }
    world.each_room_in_box(&swept, &mut |id| {
        let room = world.room(id);
        let meets = |cell: &Aabb| sweep_aabb_aabb(cell, way, &room.cell, DVec3::ZERO).is_some();
        if !sight.is_seen(id) && room.triangle_count > 0 && meets(&all) && shaded.iter().any(meets)
        {
            before.push(id);
        }
    });
    before.sort_unstable();
    before.dedup();
    before
}
