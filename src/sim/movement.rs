//! Player movement for one tick: walking, falling, flying, no-clip.
//!
//! Walking and flying sweep the body ([`super::slide`]), so the player never leaves the air. Walking is that of Quake's
//! `PM_WalkMove`: slide at the present height; where something blocks, try again from a step higher and come down, or with
//! hardly any gap kept, so that the player gets through any hole that is as large as its body; then follow the floor.
//! Bodies that moved into the player push it out by sweeps too, never into a wall.
use super::command::{self, Command, wish_dir};
use super::fit_player::has_room;
use super::player::{
    self, CROUCHING, FARTHEST_EYE, FLYING, Player, STANDING, UNIT, WALK_SPEED, eye_height,
};
use super::settings::Settings;
use super::slide::{Obstacles, SlideResult, SlidingBody};
use super::swim;
use super::tick::TICK_SECS;
use crate::bvh::QueryStats;
use crate::collide::SweepHit;
use crate::level::Liquids;
use glam::DVec3;

/// Highest step that walking climbs, metres.
pub const STEP_HEIGHT: f64 = 18.0 * UNIT;
/// Height of a jump, metres.
pub const JUMP_HEIGHT: f64 = 45.0 * UNIT;

/// Metres a second.
const FLY_SPEED: f64 = 9.0;
const NO_CLIP_SPEED: f64 = 12.0;
/// Factors of the speeds with [`Command::fast`].
const FAST_WALK: f64 = 1.5;
const FAST_FLIGHT: f64 = 3.0;
/// Factor of the walking speed while crouching.
const CROUCHED_WALK: f64 = 0.5;
/// Part of the difference to the wish velocity that a tick makes up: on the ground, in the air, in flight.
const GROUND_GRIP: f64 = 0.2;
const AIR_GRIP: f64 = 0.03;
const FLIGHT_GRIP: f64 = 0.25;
/// Terminal speed of a fall, metres a second.
const FALL_LIMIT: f64 = 80.0;
/// Fastest rise at which touching a floor counts as a landing, metres a second: clipping leaves a trace of a rise.
const LANDING_SPEED: f64 = 1e-3;
/// A fall that moves less than this in a tick, metres, has ended.
const WEDGED_MOVE: f64 = 1e-4;
/// Least y of the normal of a walkable surface (45 degrees).
const WALKABLE: f64 = 0.7;
/// Least y of a contact normal at the edge of a floor that still supports the player.
const EDGE_SUPPORTS: f64 = 0.35;
/// Least distance that a step-up goes forward, metres, so that the edge of the step supports the body.
const STEP_FORWARD: f64 = 0.08;
/// The gap kept where the usual one does not fit, metres: less than half a grid step.
const TIGHT_GAP: f64 = 1e-6;
/// How far overlapping bodies push the player in a tick, metres, and in how many pushes.
const MOST_PUSH: f64 = 0.25;
const PUSHES: usize = 4;
/// Smaller lags, metres, become 0: exponential decay alone never ends, and the picture would never come to rest.
const LEAST_LAG: f64 = 1e-4;
/// Part of the eye lag that is left after a tick.
const LAG_KEPT: f64 = 0.85;
/// Range of the eye lag, metres: the eye stays inside the body.
const LAG_RANGE: [f64; 2] = [-STEP_HEIGHT, 0.2];

/// The velocity that the command asks for (Quake's `wishvel`), metres a second, plus the fall: bodies that the player leans
/// on feel it even where it cannot move.
pub fn wish_velocity(player: &Player, command: &Command) -> DVec3 {
    if player.walking {
        let (sin, cos) = libm::sincos(command.yaw);
        let wish = wish_dir(command, DVec3::new(-sin, 0.0, -cos));
        DVec3 {
            y: player.velocity.y,
            ..wish * WALK_SPEED
        }
    } else {
        wish_dir(command, command::look_dir(command.yaw, command.pitch)) * FLY_SPEED
    }
}

/// Moves the player for one tick.
pub fn advance(
    player: &mut Player,
    command: &Command,
    obstacles: Obstacles,
    liquids: &Liquids,
    settings: &Settings,
    stats: &mut QueryStats,
) {
    if player.no_clip {
        return no_clip_move(player, command);
    }
    let before = player.clone();
    push_out_of_bodies(player, obstacles, settings.buffer_distance, stats);
    if player.walking {
        walk(player, command, obstacles, liquids, settings, stats);
    } else {
        fly_move(player, command, obstacles, settings.buffer_distance, stats);
    }
    if obstacles.world.locate(player.eye).is_some() {
        player.last_air = player.eye;
    } else {
        // Only a start in contact on several sides can lead here: keep the old position.
        let look = (player.yaw, player.pitch);
        *player = Player {
            velocity: DVec3::ZERO,
            ..before
        };
        (player.yaw, player.pitch) = look;
    }
}

fn flight_velocity(player: &Player, command: &Command, speed: f64) -> DVec3 {
    let wish = wish_dir(command, command::look_dir(command.yaw, command.pitch));
    let speed = speed * if command.fast { FAST_FLIGHT } else { 1.0 };
    let velocity = player.velocity + (wish * speed - player.velocity) * FLIGHT_GRIP;
    // A hovering camera stops instead of creeping for ever.
    if wish == DVec3::ZERO && velocity.length_squared() < 1e-6 {
        DVec3::ZERO
    } else {
        velocity
    }
}

fn no_clip_move(player: &mut Player, command: &Command) {
    player.velocity = flight_velocity(player, command, NO_CLIP_SPEED);
    let eye = player.eye + player.velocity * TICK_SECS;
    player.eye = eye.clamp(DVec3::splat(-FARTHEST_EYE), DVec3::splat(FARTHEST_EYE));
}

fn fly_move(
    player: &mut Player,
    command: &Command,
    obstacles: Obstacles,
    buffer: f64,
    stats: &mut QueryStats,
) {
    let sliding = SlidingBody {
        obstacles,
        stack: FLYING,
        buffer,
        walls_below: -1.0,
    };
    let velocity = flight_velocity(player, command, FLY_SPEED);
    let slid = sliding.slide(player.eye, velocity, TICK_SECS, stats);
    player.eye = slid.at;
    player.velocity = slid.velocity;
}

fn walk(
    player: &mut Player,
    command: &Command,
    obstacles: Obstacles,
    liquids: &Liquids,
    settings: &Settings,
    stats: &mut QueryStats,
) {
    let (sin, cos) = libm::sincos(command.yaw);
    let forward = DVec3::new(-sin, 0.0, -cos);
    let wish = DVec3 {
        y: 0.0,
        ..wish_dir(command, forward)
    };
    player.eye_lag *= LAG_KEPT;
    if player.eye_lag.abs() < LEAST_LAG {
        player.eye_lag = 0.0;
    }
    crouch(player, command.crouch, obstacles, settings, stats);
    let speed = match (player.crouched, command.fast) {
        (true, _) => WALK_SPEED * CROUCHED_WALK,
        (false, true) => WALK_SPEED * FAST_WALK,
        (false, false) => WALK_SPEED,
    };
    let swims_in = swim::liquid(player, liquids);
    let wanted = wish * speed
        - DVec3 {
            y: 0.0,
            ..player.velocity
        };
    if swims_in.is_some() {
        player.on_ground = false;
    } else if player.on_ground {
        player.velocity += wanted * GROUND_GRIP;
    } else if wish != DVec3::ZERO {
        player.velocity += wanted * AIR_GRIP;
    }
    if player.on_ground && command.jump && settings.gravity > 0.0 {
        // h = v² / 2g; the parabola of `air_move` is exact at every tick.
        player.velocity.y = (2.0 * settings.gravity * JUMP_HEIGHT).sqrt();
        player.on_ground = false;
    }
    let walls_below = if player.on_ground { WALKABLE } else { -1.0 };
    let sliding = SlidingBody {
        obstacles,
        stack: player::body(player).0,
        buffer: settings.buffer_distance,
        walls_below,
    };
    if let Some(kind) = swims_in {
        swim::swim(player, command, &sliding, (kind, liquids), stats);
    } else if player.on_ground {
        walk_move(player, &sliding, stats);
    } else {
        air_move(player, &sliding, settings.gravity, stats);
    }
    if player.eye_lag > LAG_RANGE[1] {
        keep_eye_in_air(player, &sliding, stats);
    }
    player.eye = player.feet + DVec3::Y * (eye_height(player) + player.eye_lag);
}

/// Crouches or stands up. Standing up needs room; without it the player stays crouched.
fn crouch(
    player: &mut Player,
    wished: bool,
    obstacles: Obstacles,
    settings: &Settings,
    stats: &mut QueryStats,
) {
    if player.crouched == wished {
        return;
    }
    let before = eye_height(player);
    if !wished {
        let [.., bent] = *CROUCHING.heights else {
            return;
        };
        let [.., tall] = *STANDING.heights else {
            return;
        };
        let head = SlidingBody {
            obstacles,
            stack: CROUCHING,
            buffer: settings.buffer_distance,
            walls_below: -1.0,
        };
        if head
            .sweep(player.feet, DVec3::Y * (tall - bent), stats)
            .is_some()
        {
            return;
        }
    } else if !has_room(CROUCHING, player.feet, obstacles.world, stats) {
        // An edge reaches in between the spheres of the standing body.
        return;
    }
    player.crouched = wished;
    // The eye follows.
    player.eye_lag -= eye_height(player) - before;
}

/// Just after crouching the eye is still above the body; this limits it to where the body could rise.
fn keep_eye_in_air(player: &mut Player, sliding: &SlidingBody, stats: &mut QueryStats) {
    let above = DVec3::Y * (player.eye_lag - LAG_RANGE[1]);
    let room = sliding
        .sweep(player.feet, above, stats)
        .map_or(1.0, |contact| contact.fraction);
    player.eye_lag = LAG_RANGE[1] + above.y * room;
}

/// Pushes the player out of bodies that moved into it, sphere away from sphere, never into a wall. A player pinned between
/// a body and a wall stays; the body has to leave.
fn push_out_of_bodies(
    player: &mut Player,
    obstacles: Obstacles,
    buffer: f64,
    stats: &mut QueryStats,
) {
    if obstacles.spheres.is_empty() {
        return;
    }
    let (stack, start) = player::body(player);
    let sliding = SlidingBody {
        obstacles: Obstacles {
            spheres: &[],
            ..obstacles
        },
        stack,
        buffer,
        walls_below: -1.0,
    };
    let mut at = start;
    for _ in 0..PUSHES {
        let deepest = obstacles.spheres.iter().flat_map(|sphere| {
            stack.heights.iter().map(move |height| {
                let apart = at + DVec3::Y * *height - sphere.centre;
                (stack.radius + sphere.radius - apart.length(), apart)
            })
        });
        let deepest = deepest.reduce(|a, b| if b.0 > a.0 { b } else { a });
        let Some((depth, apart)) = deepest.filter(|(depth, _)| *depth > 0.0) else {
            break;
        };
        let out = apart.normalize_or(DVec3::Y) * depth.min(MOST_PUSH - start.distance(at));
        let slid = sliding.slide(at, out / TICK_SECS, TICK_SECS, stats);
        if slid.at == at {
            break;
        }
        at = slid.at;
    }
    if player.walking {
        player.feet = at;
    }
    player.eye += at - start;
}

/// A tick on the ground: slide, step up, follow the floor.
fn walk_move(player: &mut Player, sliding: &SlidingBody, stats: &mut QueryStats) {
    player.velocity.y = 0.0;
    let mut moved = sliding.slide(player.feet, player.velocity, TICK_SECS, stats);
    if !moved.hits.is_empty() {
        let other = step_up(player, sliding, &moved, stats);
        if let Some(other) = other.or_else(|| squeeze(player, sliding, &moved, stats)) {
            lag_eye(player, other.at.y - player.feet.y);
            moved = other;
        }
    }
    player.feet = moved.at;
    player.velocity = DVec3 {
        y: 0.0,
        ..moved.velocity
    };
    let reach = DVec3::NEG_Y * (STEP_HEIGHT + sliding.buffer);
    let floor = sliding
        .sweep(player.feet, reach, stats)
        .filter(|contact| is_walkable(sliding.obstacles, &contact.hit, stats));
    player.on_ground = floor.is_some();
    if let Some(contact) = floor {
        let drop = reach * contact.fraction;
        player.feet += drop;
        lag_eye(player, drop.y);
    }
}

/// The same move from a step higher, and down again (Quake's `PM_StepSlideMove`); None unless it ends on a floor and gets
/// further.
fn step_up(
    player: &Player,
    sliding: &SlidingBody,
    flat: &SlideResult,
    stats: &mut QueryStats,
) -> Option<SlideResult> {
    let displacement = player.velocity * TICK_SECS;
    let length = displacement.length();
    if length < 1e-6 {
        return None;
    }
    let up = DVec3::Y * (STEP_HEIGHT + sliding.buffer);
    let rise = up
        * sliding
            .sweep(player.feet, up, stats)
            .map_or(1.0, |contact| contact.fraction);
    let velocity = player.velocity * (STEP_FORWARD / length).max(1.0);
    let mut high = sliding.slide(player.feet + rise, velocity, TICK_SECS, stats);
    let landing = sliding.sweep(high.at, -rise, stats)?;
    let gone = |at: DVec3| {
        DVec3 {
            y: 0.0,
            ..at - player.feet
        }
        .length()
    };
    // The round underside could roll over an edge that is higher than a step.
    let too_high = landing.hit.point.y > player.feet.y + STEP_HEIGHT + 1e-6;
    if too_high
        || gone(high.at) <= gone(flat.at) + 1e-4
        || !is_walkable(sliding.obstacles, &landing.hit, stats)
    {
        return None;
    }
    high.at -= rise * landing.fraction;
    high.velocity = high.velocity.clamp_length_max(player.velocity.length());
    Some(high)
}

/// The same move with the soles on the floor and hardly any gap kept, for holes just as large as the body. None unless the
/// way ahead is blocked with the usual gap and free without.
fn squeeze(
    player: &Player,
    sliding: &SlidingBody,
    flat: &SlideResult,
    stats: &mut QueryStats,
) -> Option<SlideResult> {
    let displacement = player.velocity * TICK_SECS;
    let length = displacement.length();
    let gone = |at: DVec3| {
        DVec3 {
            y: 0.0,
            ..at - player.feet
        }
        .length()
    };
    if length < 1e-6 || gone(flat.at) > length * 0.5 || sliding.buffer <= TIGHT_GAP {
        return None;
    }
    let tight = SlidingBody {
        buffer: TIGHT_GAP,
        ..*sliding
    };
    let down = DVec3::NEG_Y * (sliding.buffer * 2.0);
    let drop = tight
        .sweep(player.feet, down, stats)
        .map_or(0.0, |contact| contact.fraction);
    let low = player.feet + down * drop;
    // More than the gap alone changes a move that ends at a wall.
    let ahead = sliding.buffer * 2.0 + 0.01;
    let far = player.velocity * (ahead * 3.0 / length).max(1.0);
    let blocked = sliding.slide(player.feet, far, TICK_SECS, stats);
    let free = tight.slide(low, far, TICK_SECS, stats);
    (gone(free.at) > gone(blocked.at) + ahead)
        .then(|| tight.slide(low, player.velocity, TICK_SECS, stats))
}

/// A tick in the air (Quake's `PM_AirMove`): x = v t + a t²/2, so the height of a jump does not depend on the tick.
fn air_move(player: &mut Player, sliding: &SlidingBody, gravity: f64, stats: &mut QueryStats) {
    let half = DVec3::NEG_Y * (0.5 * gravity * TICK_SECS);
    let slid = sliding.slide(player.feet, player.velocity + half, TICK_SECS, stats);
    let moved = slid.at.distance(player.feet);
    player.feet = slid.at;
    let rising = player.velocity.y.max(0.0);
    player.velocity = slid.velocity;
    // A run into a slope too steep to stand on does not climb it.
    player.velocity.y = player.velocity.y.min(rising);
    if slid.hits.is_empty() {
        player.velocity += half;
    }
    player.velocity = player.velocity.clamp_length_max(FALL_LIMIT);
    // Wedged between two slopes, each too steep to stand on, the player can still jump off.
    let rising_slopes = slid.hits.iter().filter(|hit| hit.normal.y > 0.1).count();
    let wedged = rising_slopes >= 2 && moved < WEDGED_MOVE;
    let supported = wedged
        || slid
            .hits
            .iter()
            .any(|hit| is_walkable(sliding.obstacles, hit, stats));
    if player.velocity.y <= LANDING_SPEED && supported {
        player.on_ground = true;
        player.velocity.y = 0.0;
    }
}

/// Whether the player can stand on a hit: a floor that is not too steep, or the edge of one.
fn is_walkable(obstacles: Obstacles, hit: &SweepHit, stats: &mut QueryStats) -> bool {
    if hit.normal.y >= WALKABLE {
        return true;
    }
    if hit.normal.y < EDGE_SUPPORTS {
        return false;
    }
    // The round body touches the edge of a step at a slant: look at the floor just behind the edge.
    let inwards = DVec3 {
        y: 0.0,
        ..-hit.normal
    }
    .normalize_or_zero();
    let from = hit.point + inwards * 0.02 + DVec3::Y * 0.05;
    let floor = obstacles.first_normal(from, from - DVec3::Y * 0.1, stats);
    obstacles.world.locate(from).is_some() && floor.is_some_and(|normal| normal.y >= WALKABLE)
}

/// The feet went up or down at once; the eye follows smoothly.
fn lag_eye(player: &mut Player, rise: f64) {
    player.eye_lag = (player.eye_lag - rise).clamp(LAG_RANGE[0], LAG_RANGE[1]);
}
