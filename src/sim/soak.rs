//! Random commands for soak runs.
use super::command::{Action, Command};
use super::simulation::Sim;
use crate::geom::rng::Rng;
use crate::world::World;
use glam::DVec3;

/// A rocket along a random ray from a random point in the air; no action where no point was found in the air.
pub fn soak_command(sim: &Sim, rng: &mut Rng) -> Command {
    let from = air_point(&sim.world, rng);
    let dir = rng.unit_vector();
    let shot = from.map(|from| Action::FireAlong {
        from: from.to_array(),
        dir: dir.to_array(),
    });
    Command {
        actions: shot.into_iter().collect(),
        ..sim.idle()
    }
}

/// A point uniform over the air: chooses a room by its share of the air, then points in its cell until one is air.
fn air_point(world: &World, rng: &mut Rng) -> Option<DVec3> {
    const TRIES: usize = 4096;
    let rooms = 0..world.room_count() as u32;
    let total: f64 = rooms
        .clone()
        .map(|id| world.room(id).air_volume_m3.max(0.0))
        .sum();
    let mut share = rng.unit_f64() * total;
    let room = rooms.clone().find(|&id| {
        share -= world.room(id).air_volume_m3.max(0.0);
        share < 0.0
    });
    let cell = match room {
        Some(id) => world.room(id).cell,
        None => world.bounds(),
    };
    let sample = (0..TRIES)
        .map(|_| rng.in_box(&cell))
        .find(|&p| world.locate(p).is_some());
    sample.or_else(|| {
        (0..TRIES)
            .map(|_| rng.in_box(&world.bounds()))
            .find(|&p| world.locate(p).is_some())
    })
}
