//! Swimming: Quake's `PM_WaterMove` for a player whose waist is in a liquid.
use super::command::{self, Command, wish_dir};
use super::player::{Player, WALK_SPEED, eye_height};
use super::slide::SlidingBody;
use super::tick::TICK_SECS;
use crate::bvh::QueryStats;
use crate::level::{LiquidKind, Liquids};
use glam::DVec3;

/// Height above the soles at which a player swims, metres; a crouching one is lower.
const WAIST: f64 = 0.8;
const LOW_WAIST: f64 = 0.5;
/// Part of the walking speed.
const SPEED: f64 = 0.7;
/// Part of the difference to the wished velocity that a tick makes up, for each 1/s of damping.
const GRIP: f64 = 0.03;
/// Speed at which a player who does nothing sinks, metres a second.
const SINKS: f64 = 1.2;
/// A head this near to the surface, metres, stays there: a player who does nothing floats.
const FLOATS: f64 = 0.2;
/// Speed at which a jump leaves the surface, metres a second: enough for a ledge of half a metre above it.
const LEAP: f64 = 5.0;

/// The liquid that a player swims in; None for one who wades, walks or flies.
pub(super) fn liquid(player: &Player, liquids: &Liquids) -> Option<LiquidKind> {
    let waist = if player.crouched { LOW_WAIST } else { WAIST };
    let swims = player.walking && !player.no_clip;
    liquids.at(player.feet + DVec3::Y * waist).filter(|_| swims)
}

/// A tick of swimming: along the look, up with a jump, down with a crouch; without a wish the player floats at
/// the surface and sinks slowly below it. With the head above the surface a jump leaps out.
pub(super) fn swim(
    player: &mut Player,
    command: &Command,
    sliding: &SlidingBody,
    (kind, liquids): (LiquidKind, &Liquids),
    stats: &mut QueryStats,
) {
    let mut wish = wish_dir(command, command::look_dir(command.yaw, command.pitch));
    wish.y += f64::from(u8::from(command.jump)) - f64::from(u8::from(command.crouch));
    // Thick liquids hold a swimmer back.
    let speed = WALK_SPEED * SPEED * (LiquidKind::Water.damping() / kind.damping()).sqrt();
    let head = player.feet + DVec3::Y * eye_height(player);
    let is_at_surface = liquids.at(head).is_none();
    let floats = liquids.at(head + DVec3::Y * FLOATS).is_none();
    let wanted = match wish == DVec3::ZERO {
        true if floats => DVec3::ZERO,
        true => DVec3::NEG_Y * SINKS,
        false => wish.clamp_length_max(1.0) * speed,
    };
    player.on_ground = false;
    player.velocity += (wanted - player.velocity) * (GRIP * kind.damping()).min(0.5);
    if is_at_surface {
        // A swimmer does not fly: what rises above the surface is a leap.
        player.velocity.y = match command.jump {
            true => LEAP,
            false => player.velocity.y.min(0.0),
        };
    }
    let slid = sliding.slide(player.feet, player.velocity, TICK_SECS, stats);
    player.feet = slid.at;
    player.velocity = slid.velocity;
}
