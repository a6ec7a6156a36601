//! Captures a [`Snapshot`] of the simulation.
use super::camera::{Camera, clip_from_world};
use super::exposure::exposure;
use super::heat_map::{HEAT_ROWS, heat_map};
use super::overlays::Overlays;
use super::snapshot::{RoomView, Snapshot};
use super::visibility::seen_windows;
use super::visibility_cache::VisibilityCache;
use super::visible_set::VisibleSet;
use super::window::Window;
use super::{bodies, cracks, debug_lines, lights, liquids, scorches, sprites, sun};
use crate::sim::Sim;
use crate::world::RoomId;

/// Captures what the camera sees; `alpha` 0..=1 interpolates between the last two ticks.
pub fn snapshot(sim: &Sim, camera: Camera, overlays: Overlays, alpha: f64) -> Snapshot {
    let cache = &mut VisibilityCache::default();
    snapshot_seen_from(sim, camera, camera, overlays, alpha, cache)
}

/// [`snapshot`] from `camera` with the rooms that `seer` sees: shows portal culling from outside. `cache` comes from the
/// picture before, if there was one.
pub fn snapshot_seen_from(
    sim: &Sim,
    camera: Camera,
    seer: Camera,
    overlays: Overlays,
    alpha: f64,
    cache: &mut VisibilityCache,
) -> Snapshot {
    let alpha = if alpha.is_finite() {
        alpha.clamp(0.0, 1.0)
    } else {
        1.0
    };
    let clip_from_world = clip_from_world(&camera);
    let seen = seen_windows(sim, &seer, cache);
    let visible: Vec<RoomId> = seen.iter().map(|&(id, _)| id).collect();
    let seconds = (sim.tick as f64 + alpha) * crate::sim::TICK_SECS;
    let rooms = seen.into_iter().map(|(id, window)| match seer == camera {
        true => room_view(sim, id, window),
        false => room_view(sim, id, Window::ALL),
    });
    let rooms = rooms.collect();
    let visible_set = VisibleSet::new(&sim.world, clip_from_world, &visible);
    let lights = lights::lights(sim, &camera, &visible_set, alpha);
    let mut around = lights::casters(&sim.world, &lights, &visible_set);
    let sun = sim.level.sun.as_ref().map(sun::sun);
    if let Some(sun) = &sun {
        around.extend(sun::casters(
            &sim.world,
            sun,
            &camera,
            &visible,
            &visible_set,
        ));
        around.sort_unstable();
        around.dedup();
    }
    let around = around.into_iter().map(|id| room_view(sim, id, Window::ALL));
    let around = around.collect();
    let bodies = bodies::bodies(sim, alpha, &visible_set, cache);
    let mut lines = debug_lines::lines(sim, &camera, &seer, overlays, &visible, alpha);
    cracks::add_cracks(sim, &visible_set, alpha, &mut lines);
    Snapshot {
        rooms,
        around,
        rooms_total: sim.world.room_count(),
        bodies,
        chunks: bodies::chunks(sim, camera.eye, alpha, &visible_set),
        exposure: exposure(
            &sim.level.lights,
            &camera,
            sun.map_or(0.0, |sun| sun::mean_sunlight(&sim.world, &sun, &camera)),
        ),
        lights,
        sun,
        sprites: sprites::sprites(sim, &camera, &visible_set, alpha),
        scorches: scorches::scorches(sim, &camera, &visible_set, alpha),
        liquids: liquids::faces(sim, &camera, &visible_set),
        submerged: liquids::submerged(sim, &camera),
        ripples: liquids::ripples(sim, alpha),
        lines,
        fine_lines: debug_lines::bins(&sim.world, &seer, overlays, &visible),
        materials: sim.world.materials.clone(),
        heat: overlays
            .heat
            .then(|| heat_map(&sim.world, &camera, HEAT_ROWS)),
        stress: Default::default(),
        clip_from_world,
        camera,
        overlays,
        seconds,
    }
}

/// All rooms, without culling.
pub fn all_rooms(sim: &Sim) -> Vec<RoomView> {
    let ids = 0..sim.world.room_count() as RoomId;
    ids.map(|id| room_view(sim, id, Window::ALL)).collect()
}

fn room_view(sim: &Sim, id: RoomId, window: Window) -> RoomView {
    let room = sim.world.room(id);
    RoomView {
        id,
        window,
        cell: room.cell,
        revision: room.revision,
        mesh: room.mesh.clone(),
        faces: room.faces.clone(),
    }
}
