//! The sun: how strongly it shines, and which rooms stand in its way.
use super::visibility::Sight;
use super::{Camera, SunView};
use crate::bvh::QueryStats;
use crate::collide::sweep_aabb_aabb;
use crate::geom::Aabb;
use crate::level::{Look, Sun, look};
use crate::world::{RoomId, World};
use glam::DVec3;

/// Farther than this from the eye nothing is sunlit, and nothing farther aside throws a shadow, metres.
pub const SUN_REACH_M: f64 = 96.0;
/// What can stand in the way stands nearer to what it shades than this, metres.
pub const SUN_DEPTH_M: f64 = 512.0;
/// Strength of a sun of intensity 300.
const STRENGTH: f64 = 2.4;

/// The sun of the picture.
pub(super) fn sun(sun: &Sun) -> SunView {
    let strength = (sun.intensity / 300.0 * STRENGTH).min(6.0);
    SunView {
        toward: sun.toward,
        colour: sun.colour.map(|c| c * strength as f32),
    }
}

/// The strength of the sun at a point: nothing but the sky may be in the way.
pub(super) fn shines_at(world: &World, sun: &SunView, at: DVec3) -> f64 {
    let to = at + sun.toward * SUN_DEPTH_M;
    let hit = world.cast_ray(at, to, &mut QueryStats::default());
    let is_sky = hit.is_some_and(|hit| {
        let room = world.room(hit.room);
        let triangle = room.mesh.triangles.get(hit.triangle as usize);
        let face = triangle.and_then(|t| room.faces.get(t.face as usize));
        let material = face.and_then(|f| world.materials.get(f.material as usize));
        material.is_some_and(|m| !m.inner && look(&m.texture) == Look::Sky)
    });
    if is_sky {
        f64::from(sun.colour.iter().sum::<f32>()) / 3.0
    } else {
        0.0
    }
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
