//! Fitting the player's body into the air around its eye: at the start, after a teleport, after leaving no-clip.
use super::player::{
    CROUCHED_EYE_HEIGHT, CROUCHING, EYE_HEIGHT, FLYING, Player, STANDING, SphereStack, body,
};
use crate::bvh::QueryStats;
use crate::debris::clearance::{nearest_surface, push_out};
use crate::world::World;
use glam::DVec3;

/// Fits the body in around `player.eye`, which lies in the air. A walking player without room to stand crouches; without
/// room to crouch it flies.
pub(super) fn fit_around_eye(
    player: &mut Player,
    world: &World,
    buffer: f64,
    stats: &mut QueryStats,
) {
    player.last_air = player.eye;
    player.on_ground = false;
    player.eye_lag = 0.0;
    player.crouched = false;
    if player.walking {
        if let Some(feet) = room_to_stand(world, player.eye, buffer, stats) {
            player.feet = feet;
            player.eye = feet + DVec3::Y * EYE_HEIGHT;
            return;
        }
        let crouching = (CROUCHING, CROUCHED_EYE_HEIGHT);
        if let Some(feet) = room_for(world, crouching, player.eye, buffer, stats)
            && has_room(CROUCHING, feet, world, stats)
        {
            player.crouched = true;
            player.feet = feet;
            player.eye = feet + DVec3::Y * CROUCHED_EYE_HEIGHT;
            return;
        }
        player.walking = false;
    }
    player.eye = push_out(world, player.eye, FLYING.radius, stats);
}

/// Soles of a standing body that fits around an eye.
pub(super) fn room_to_stand(
    world: &World,
    eye: DVec3,
    buffer: f64,
    stats: &mut QueryStats,
) -> Option<DVec3> {
    room_for(world, (STANDING, EYE_HEIGHT), eye, buffer, stats)
}

/// Soles of a body that fits around an eye: pushes the top sphere out of the walls, sweeps it down by the height of the
/// body, and lifts it by what the floor took.
fn room_for(
    world: &World,
    (stack, eye_height): (SphereStack, f64),
    eye: DVec3,
    buffer: f64,
    stats: &mut QueryStats,
) -> Option<DVec3> {
    let (&low, &high) = stack.heights.first().zip(stack.heights.last())?;
    let (tall, radius) = (high - low, stack.radius);
    let top = push_out(world, eye + DVec3::Y * (high - eye_height), radius, stats);
    world.locate(top)?;
    if world.cast_ray(eye, top, stats).is_some() {
        return None;
    }
    let down = DVec3::NEG_Y * (tall + buffer);
    let room = world
        .sweep_sphere(top, top + down, radius, stats)
        .map_or(tall, |hit| {
            (hit.fraction * (tall + buffer) - buffer).min(tall)
        });
    let lift = DVec3::Y * (tall - room);
    if lift.y > 0.0 && world.sweep_sphere(top, top + lift, radius, stats).is_some() {
        return None;
    }
    let feet = top + lift - DVec3::Y * high;
    let fits = stack
        .heights
        .iter()
        .all(|&height| world.locate(feet + DVec3::Y * height).is_some());
    (fits && world.locate(feet + DVec3::Y * eye_height).is_some()).then_some(feet)
}

/// Whether no part of the body is in rock.
pub(super) fn is_free(player: &Player, world: &World, stats: &mut QueryStats) -> bool {
    let (stack, origin) = body(player);
    world.locate(player.eye).is_some() && has_room(stack, origin, world, stats)
}

/// Whether no part of a body with its origin here is in rock.
pub(super) fn has_room(
    stack: SphereStack,
    origin: DVec3,
    world: &World,
    stats: &mut QueryStats,
) -> bool {
    stack.heights.iter().all(|&height| {
        let centre = origin + DVec3::Y * height;
        let least = stack.radius * (1.0 - 1e-6);
        world.locate(centre).is_some()
            && nearest_surface(world, centre, least, stats).is_none_or(|n| n.distance >= least)
    })
}
