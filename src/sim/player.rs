//! The player: a camera that flies, or a body of 26 x 26 x 56 units (crouching 36) that walks, jumps, climbs steps and
//! slides.
//!
//! Both are swept ([`super::slide`]), so neither leaves the air. Walking is Quake's: slide at this height; where
//! something blocks, try again from a step higher and come down, or with hardly any gap kept, so that a hole lets through
//! whatever fits into it; then follow the floor. What has moved into the player pushes it out of itself, by sweeps as
//! well: a wall behind it holds.
use super::slide::{Around, Mover, Shape, Slid};
use super::state::{Player, StepReport};
use super::{Command, Settings, Sim, TICK_SECS, command};
use crate::bvh::QueryStats;
use crate::collide::SweepHit;
use crate::debris::clearance::{air_near, nearest_surface, push_out};
use crate::world::World;
use glam::DVec3;

/// Metres in a `.map` unit.
const UNIT: f64 = 1.0 / 32.0;
/// Eye above the soles of a walking player, metres.
pub const EYE_HEIGHT: f64 = 46.0 * UNIT;
/// A walking player, its origin at the soles: 56 units high.
pub const WALKER: Shape = Shape {
    heights: &[0.4, 0.875, 56.0 * UNIT - 0.4],
    radius: 0.4,
};
/// Eye above the soles of a crouching player, metres.
pub const CROUCHED_EYE_HEIGHT: f64 = 28.0 * UNIT;
/// A crouching player, its origin at the soles: 36 units high.
pub const CROUCHER: Shape = Shape {
    heights: &[0.4, 36.0 * UNIT - 0.4],
    radius: 0.4,
};
/// A flying player, its origin at the eye.
pub const FLYER: Shape = Shape {
    heights: &[0.0],
    radius: 0.3,
};
/// Highest step that walking climbs, metres.
pub const STEP_HEIGHT: f64 = 18.0 * UNIT;
/// Height of a jump, metres.
pub const JUMP_HEIGHT: f64 = 45.0 * UNIT;

/// Metres a second.
const WALK_SPEED: f64 = 6.0;
const FLY_SPEED: f64 = 9.0;
const NO_CLIP_SPEED: f64 = 12.0;
/// Times as fast with [`Command::fast`].
const FAST_WALK: f64 = 1.5;
const FAST_FLIGHT: f64 = 3.0;
/// Times as fast while crouching.
const CROUCHED_WALK: f64 = 0.5;
/// Part of the wished change of velocity made in a tick: on the ground, in the air, in flight.
const GROUND_GRIP: f64 = 0.2;
const AIR_GRIP: f64 = 0.03;
const FLIGHT_GRIP: f64 = 0.25;
/// Nothing falls faster, metres a second.
const FALL_LIMIT: f64 = 80.0;
/// Rising no faster than this, metres a second, a contact with a floor is a landing: clipping leaves a trace of a rise.
const LANDING_SPEED: f64 = 1e-3;
/// Moving less than this in a tick, metres, a fall has come to its end.
const WEDGED_MOVE: f64 = 1e-4;
/// A surface whose normal rises this much is a floor (45 degrees).
const WALKABLE: f64 = 0.7;
/// The edge of a floor carries while the contact's normal rises this much.
const EDGE_CARRIES: f64 = 0.35;
/// A step is tried at least this far forward, metres, so that its edge carries the body.
const STEP_FORWARD: f64 = 0.08;
/// The gap kept in a tight place, metres: less than half a grid step.
const TIGHT_GAP: f64 = 1e-6;
/// How far a body that got into the player pushes it in a tick, metres, in how many pushes.
const MOST_PUSH: f64 = 0.25;
const PUSHES: usize = 4;
/// Less lag than this, metres, is none: what only halves never ends, and no picture would be the last.
const LEAST_LAG: f64 = 1e-4;
/// Part of the eye's lag that is left after a tick.
const LAG_KEPT: f64 = 0.85;
/// Places tried for a player that is in rock.
const PLACES: usize = 32;
/// The eye stays inside the body: so far below and above its place, metres.
const LAG_RANGE: [f64; 2] = [-STEP_HEIGHT, 0.2];

/// The body as it is now, and where its origin is, metres.
pub fn body(player: &Player) -> (Shape, DVec3) {
    match (player.walking, player.crouched) {
        (true, false) => (WALKER, player.feet),
        (true, true) => (CROUCHER, player.feet),
        (false, _) => (FLYER, player.eye),
    }
}

/// Eye above the soles, metres.
fn eye_height(player: &Player) -> f64 {
    match player.crouched {
        true => CROUCHED_EYE_HEIGHT,
        false => EYE_HEIGHT,
    }
}

/// The velocity that the command asks for, metres a second, with the fall: what is leaned on feels it even where the
/// player cannot move.
pub fn effort(player: &Player, command: &Command) -> DVec3 {
    if player.walking {
        let (sin, cos) = libm::sincos(command.yaw);
        let wish = wish(command, DVec3::new(-sin, 0.0, -cos));
        DVec3 {
            y: player.velocity.y,
            ..wish * WALK_SPEED
        }
    } else {
        wish(command, command::look_dir(command.yaw, command.pitch)) * FLY_SPEED
    }
}

/// Moves the player for one tick.
pub fn advance(
    player: &mut Player,
    command: &Command,
    around: Around,
    settings: &Settings,
    stats: &mut QueryStats,
) {
    if player.no_clip {
        return fly_through(player, command);
    }
    let before = player.clone();
    give_way(player, around, settings.buffer_distance, stats);
    if player.walking {
        walk(player, command, around, settings, stats);
    } else {
        fly(player, command, around, settings.buffer_distance, stats);
    }
    if around.world.locate(player.eye).is_some() {
        player.last_air = player.eye;
    } else {
        // Only a start in contact on several sides can lead here: stay where the eye was.
        let look = (player.yaw, player.pitch);
        *player = Player {
            velocity: DVec3::ZERO,
            ..before
        };
        (player.yaw, player.pitch) = look;
    }
}

/// Starts or ends walking. Where the body does not fit, flight goes on.
pub(super) fn set_walking(sim: &mut Sim, walk: bool, report: &mut StepReport) {
    sim.player.walking = walk;
    if walk && !sim.player.no_clip {
        settle(sim, report);
    }
}

/// Starts or ends flight through walls. Ended inside rock, the player is back where the eye was last in the air.
pub(super) fn set_no_clip(sim: &mut Sim, no_clip: bool, report: &mut StepReport) {
    if sim.player.no_clip == no_clip {
        return;
    }
    sim.player.no_clip = no_clip;
    sim.player.velocity = DVec3::ZERO;
    if !no_clip {
        if sim.world.locate(sim.player.eye).is_none() {
            // What was air when the eye left it may have been filled since.
            if sim.world.locate(sim.player.last_air).is_none() {
                sim.player.no_clip = true;
                report
                    .notices
                    .push("there is no air to return to: fly into some first".into());
                return;
            }
            sim.player.eye = sim.player.last_air;
        }
        settle(sim, report);
    }
}

/// Puts the eye at `to`; refused in rock, but for a player that flies through walls.
pub(super) fn teleport(sim: &mut Sim, to: DVec3, report: &mut StepReport) {
    if !sim.player.no_clip && sim.world.locate(to).is_none() {
        report.notices.push("there is no air there".into());
        return;
    }
    sim.player.eye = to.clamp(DVec3::splat(-2048.0), DVec3::splat(2048.0));
    sim.player.velocity = DVec3::ZERO;
    if !sim.player.no_clip {
        settle(sim, report);
    }
    sim.player.previous_eye = sim.player.eye;
}

/// After rock came back around the player: where the body is in it, it moves to the nearest air that it fits into, standing
/// if it walks and there is such a place.
pub(super) fn free(sim: &mut Sim, report: &mut StepReport) {
    if sim.player.no_clip || is_free(&sim.player, &sim.world, &mut report.queries) {
        return;
    }
    let (world, stats) = (&sim.world, &mut report.queries);
    let buffer = sim.settings.buffer_distance;
    sim.player.velocity = DVec3::ZERO;
    let bounds = world.bounds();
    let reach = (bounds.max - bounds.min).length();
    let mut places = air_near(world, sim.player.eye, FLYER.radius, reach, PLACES, stats);
    if world.locate(sim.player.eye).is_some() {
        places.insert(0, sim.player.eye);
    }
    let fits = |eye: &&DVec3| room_to_stand(world, **eye, buffer, stats).is_some();
    let standing = places.iter().find(fits).filter(|_| sim.player.walking);
    let Some(&eye) = standing.or(places.first()) else {
        // No air is left at all.
        sim.player.no_clip = true;
        return;
    };
    sim.player.eye = eye;
    settle(sim, report);
    sim.player.previous_eye = sim.player.eye;
}

/// Whether no part of the body is in rock.
fn is_free(player: &Player, world: &World, stats: &mut QueryStats) -> bool {
    let (shape, origin) = body(player);
    world.locate(player.eye).is_some() && has_room(shape, origin, world, stats)
}

/// Whether no part of a body at this place is in rock.
fn has_room(shape: Shape, origin: DVec3, world: &World, stats: &mut QueryStats) -> bool {
    shape.heights.iter().all(|&height| {
        let centre = origin + DVec3::Y * height;
        let least = shape.radius * (1.0 - 1e-6);
        world.locate(centre).is_some()
            && nearest_surface(world, centre, least, stats).is_none_or(|n| n.distance >= least)
    })
}

/// Fits the body in around the eye after it was put somewhere.
fn settle(sim: &mut Sim, report: &mut StepReport) {
    let wished = sim.player.walking;
    place(
        &mut sim.player,
        &sim.world,
        sim.settings.buffer_distance,
        &mut report.queries,
    );
    if wished && !sim.player.walking {
        report
            .notices
            .push("there is no room to stand here: flying instead".into());
    }
}

/// Fits the body in around `player.eye`, which lies in the air: a walker that finds no room to stand crouches, and one
/// that finds none to crouch flies.
pub(super) fn place(player: &mut Player, world: &World, buffer: f64, stats: &mut QueryStats) {
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
        let bent = (CROUCHER, CROUCHED_EYE_HEIGHT);
        if let Some(feet) = room_for(world, bent, player.eye, buffer, stats)
            && has_room(CROUCHER, feet, world, stats)
        {
            player.crouched = true;
            player.feet = feet;
            player.eye = feet + DVec3::Y * CROUCHED_EYE_HEIGHT;
            return;
        }
        player.walking = false;
    }
    player.eye = push_out(world, player.eye, FLYER.radius, stats);
}

/// Soles of a standing body that fits around an eye.
fn room_to_stand(world: &World, eye: DVec3, buffer: f64, stats: &mut QueryStats) -> Option<DVec3> {
    room_for(world, (WALKER, EYE_HEIGHT), eye, buffer, stats)
}

/// Soles of a body that fits around an eye: the top sphere is eased out of the walls, then swept down by the height
/// of the body and up again by what the floor took.
fn room_for(
    world: &World,
    (shape, eye_height): (Shape, f64),
    eye: DVec3,
    buffer: f64,
    stats: &mut QueryStats,
) -> Option<DVec3> {
    let (&low, &high) = shape.heights.first().zip(shape.heights.last())?;
    let (tall, radius) = (high - low, shape.radius);
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
    let fits = shape
        .heights
        .iter()
        .all(|&height| world.locate(feet + DVec3::Y * height).is_some());
    (fits && world.locate(feet + DVec3::Y * eye_height).is_some()).then_some(feet)
}

/// Where the command wishes to go, in the frame of the look: x right, y up, z forward; length at most 1.
fn wish(command: &Command, forward: DVec3) -> DVec3 {
    let [x, y, z] = command.walk.map(f64::from);
    let (sin, cos) = libm::sincos(command.yaw);
    let right = DVec3::new(cos, 0.0, -sin);
    (right * x + DVec3::Y * y + forward * z).clamp_length_max(1.0)
}

fn flight_velocity(player: &Player, command: &Command, speed: f64) -> DVec3 {
    let wish = wish(command, command::look_dir(command.yaw, command.pitch));
    let speed = speed * if command.fast { FAST_FLIGHT } else { 1.0 };
    let velocity = player.velocity + (wish * speed - player.velocity) * FLIGHT_GRIP;
    // A hovering camera stands still instead of creeping for ever.
    if wish == DVec3::ZERO && velocity.length_squared() < 1e-6 {
        DVec3::ZERO
    } else {
        velocity
    }
}

fn fly_through(player: &mut Player, command: &Command) {
    player.velocity = flight_velocity(player, command, NO_CLIP_SPEED);
    let eye = player.eye + player.velocity * TICK_SECS;
    player.eye = eye.clamp(DVec3::splat(-2048.0), DVec3::splat(2048.0));
}

fn fly(
    player: &mut Player,
    command: &Command,
    around: Around,
    buffer: f64,
    stats: &mut QueryStats,
) {
    let mover = Mover {
        around,
        shape: FLYER,
        buffer,
        upright_below: -1.0,
    };
    let velocity = flight_velocity(player, command, FLY_SPEED);
    let slid = mover.slide(player.eye, velocity, TICK_SECS, stats);
    player.eye = slid.at;
    player.velocity = slid.velocity;
}

fn walk(
    player: &mut Player,
    command: &Command,
    around: Around,
    settings: &Settings,
    stats: &mut QueryStats,
) {
    let (sin, cos) = libm::sincos(command.yaw);
    let forward = DVec3::new(-sin, 0.0, -cos);
    let wish = DVec3 {
        y: 0.0,
        ..wish(command, forward)
    };
    player.eye_lag *= LAG_KEPT;
    if player.eye_lag.abs() < LEAST_LAG {
        player.eye_lag = 0.0;
    }
    crouch(player, command.crouch, around, settings, stats);
    let speed = match (player.crouched, command.fast) {
        (true, _) => WALK_SPEED * CROUCHED_WALK,
        (false, true) => WALK_SPEED * FAST_WALK,
        (false, false) => WALK_SPEED,
    };
    let wanted = wish * speed
        - DVec3 {
            y: 0.0,
            ..player.velocity
        };
    if player.on_ground {
        player.velocity += wanted * GROUND_GRIP;
    } else if wish != DVec3::ZERO {
        player.velocity += wanted * AIR_GRIP;
    }
    if player.on_ground && command.jump && settings.gravity > 0.0 {
        // h = v² / 2g; the parabola of `fall` is exact at every tick.
        player.velocity.y = (2.0 * settings.gravity * JUMP_HEIGHT).sqrt();
        player.on_ground = false;
    }
    let upright_below = if player.on_ground { WALKABLE } else { -1.0 };
    let mover = Mover {
        around,
        shape: body(player).0,
        buffer: settings.buffer_distance,
        upright_below,
    };
    if player.on_ground {
        stride(player, &mover, stats);
    } else {
        fall(player, &mover, settings.gravity, stats);
    }
    if player.eye_lag > LAG_RANGE[1] {
        keep_lag_in_the_air(player, &mover, stats);
    }
    player.eye = player.feet + DVec3::Y * (eye_height(player) + player.eye_lag);
}

/// Bends or stands up. Standing up needs the room for it; until then the player stays bent.
fn crouch(
    player: &mut Player,
    wished: bool,
    around: Around,
    settings: &Settings,
    stats: &mut QueryStats,
) {
    if player.crouched == wished {
        return;
    }
    let before = eye_height(player);
    if !wished {
        let [.., bent] = *CROUCHER.heights else {
            return;
        };
        let [.., tall] = *WALKER.heights else { return };
        let head = Mover {
            around,
            shape: CROUCHER,
            buffer: settings.buffer_distance,
            upright_below: -1.0,
        };
        if head
            .sweep(player.feet, DVec3::Y * (tall - bent), stats)
            .is_some()
        {
            return;
        }
    } else if !has_room(CROUCHER, player.feet, around.world, stats) {
        // An edge reaches in between the spheres of the upright body.
        return;
    }
    player.crouched = wished;
    // The eye follows.
    player.eye_lag -= eye_height(player) - before;
}

/// Just after bending the eye is still above the body: as far as that body could rise.
fn keep_lag_in_the_air(player: &mut Player, mover: &Mover, stats: &mut QueryStats) {
    let above = DVec3::Y * (player.eye_lag - LAG_RANGE[1]);
    let room = mover
        .sweep(player.feet, above, stats)
        .map_or(1.0, |contact| contact.fraction);
    player.eye_lag = LAG_RANGE[1] + above.y * room;
}

/// Bodies that have moved into the player push it out of themselves, each sphere away from the other's middle; never into
/// a wall. What is pinned stays where it is, and leaves the body as it can.
fn give_way(player: &mut Player, around: Around, buffer: f64, stats: &mut QueryStats) {
    if around.things.is_empty() {
        return;
    }
    let (shape, start) = body(player);
    let mover = Mover {
        around: Around {
            things: &[],
            ..around
        },
        shape,
        buffer,
        upright_below: -1.0,
    };
    let mut at = start;
    for _ in 0..PUSHES {
        let deepest = around.things.iter().flat_map(|thing| {
            shape.heights.iter().map(move |height| {
                let apart = at + DVec3::Y * *height - thing.centre;
                (shape.radius + thing.radius - apart.length(), apart)
            })
        });
        let deepest = deepest.reduce(|a, b| if b.0 > a.0 { b } else { a });
        let Some((depth, apart)) = deepest.filter(|(depth, _)| *depth > 0.0) else {
            break;
        };
        let out = apart.normalize_or(DVec3::Y) * depth.min(MOST_PUSH - start.distance(at));
        let slid = mover.slide(at, out / TICK_SECS, TICK_SECS, stats);
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

/// A tick on the ground: slide, climb what is no higher than a step, follow the floor.
fn stride(player: &mut Player, mover: &Mover, stats: &mut QueryStats) {
    player.velocity.y = 0.0;
    let mut moved = mover.slide(player.feet, player.velocity, TICK_SECS, stats);
    if !moved.met.is_empty() {
        let other = climb(player, mover, &moved, stats);
        if let Some(other) = other.or_else(|| squeeze(player, mover, &moved, stats)) {
            lag_eye(player, other.at.y - player.feet.y);
            moved = other;
        }
    }
    player.feet = moved.at;
    player.velocity = DVec3 {
        y: 0.0,
        ..moved.velocity
    };
    let reach = DVec3::NEG_Y * (STEP_HEIGHT + mover.buffer);
    let floor = mover
        .sweep(player.feet, reach, stats)
        .filter(|contact| carries(mover.around.world, &contact.hit, stats));
    player.on_ground = floor.is_some();
    if let Some(contact) = floor {
        let drop = reach * contact.fraction;
        player.feet += drop;
        lag_eye(player, drop.y);
    }
}

/// The same stride from a step higher, and down again; None unless it ends on a floor and gets further.
fn climb(player: &Player, mover: &Mover, flat: &Slid, stats: &mut QueryStats) -> Option<Slid> {
    let way = player.velocity * TICK_SECS;
    let length = way.length();
    if length < 1e-6 {
        return None;
    }
    let up = DVec3::Y * (STEP_HEIGHT + mover.buffer);
    let rise = up
        * mover
            .sweep(player.feet, up, stats)
            .map_or(1.0, |contact| contact.fraction);
    let velocity = player.velocity * (STEP_FORWARD / length).max(1.0);
    let mut high = mover.slide(player.feet + rise, velocity, TICK_SECS, stats);
    let landing = mover.sweep(high.at, -rise, stats)?;
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
        || !carries(mover.around.world, &landing.hit, stats)
    {
        return None;
    }
    high.at -= rise * landing.fraction;
    high.velocity = high.velocity.clamp_length_max(player.velocity.length());
    Some(high)
}

/// The same stride with the soles on the floor and hardly any gap kept: a hole that is wide and high enough for the body
/// alone lets it through. None unless the way ahead is barred with the gap and open without.
fn squeeze(player: &Player, mover: &Mover, flat: &Slid, stats: &mut QueryStats) -> Option<Slid> {
    let way = player.velocity * TICK_SECS;
    let length = way.length();
    let gone = |at: DVec3| {
        DVec3 {
            y: 0.0,
            ..at - player.feet
        }
        .length()
    };
    if length < 1e-6 || gone(flat.at) > length * 0.5 || mover.buffer <= TIGHT_GAP {
        return None;
    }
    let tight = Mover {
        buffer: TIGHT_GAP,
        ..*mover
    };
    let down = DVec3::NEG_Y * (mover.buffer * 2.0);
    let drop = tight
        .sweep(player.feet, down, stats)
        .map_or(0.0, |contact| contact.fraction);
    let low = player.feet + down * drop;
    // More than what the gap alone makes of a way that ends at a wall.
    let ahead = mover.buffer * 2.0 + 0.01;
    let far = player.velocity * (ahead * 3.0 / length).max(1.0);
    let barred = mover.slide(player.feet, far, TICK_SECS, stats);
    let open = tight.slide(low, far, TICK_SECS, stats);
    (gone(open.at) > gone(barred.at) + ahead)
        .then(|| tight.slide(low, player.velocity, TICK_SECS, stats))
}

/// A tick in the air: x = v t + a t²/2, so the height of a jump does not depend on the tick.
fn fall(player: &mut Player, mover: &Mover, gravity: f64, stats: &mut QueryStats) {
    let half = DVec3::NEG_Y * (0.5 * gravity * TICK_SECS);
    let slid = mover.slide(player.feet, player.velocity + half, TICK_SECS, stats);
    let moved = slid.at.distance(player.feet);
    player.feet = slid.at;
    let rising = player.velocity.y.max(0.0);
    player.velocity = slid.velocity;
    // A slope too steep to stand on turns no run into a climb.
    player.velocity.y = player.velocity.y.min(rising);
    if slid.met.is_empty() {
        player.velocity += half;
    }
    player.velocity = player.velocity.clamp_length_max(FALL_LIMIT);
    // Held by two slopes, each too steep to stand on, one can still push off.
    let rising_slopes = slid.met.iter().filter(|hit| hit.normal.y > 0.1).count();
    let wedged = rising_slopes >= 2 && moved < WEDGED_MOVE;
    let carried = wedged
        || slid
            .met
            .iter()
            .any(|hit| carries(mover.around.world, hit, stats));
    if player.velocity.y <= LANDING_SPEED && carried {
        player.on_ground = true;
        player.velocity.y = 0.0;
    }
}

/// Whether one can stand on what was met: a floor that is not too steep, or the edge of one.
fn carries(world: &World, hit: &SweepHit, stats: &mut QueryStats) -> bool {
    if hit.normal.y >= WALKABLE {
        return true;
    }
    if hit.normal.y < EDGE_CARRIES {
        return false;
    }
    // The body is round and meets the edge of a step at a slant: look at the floor just behind the edge.
    let inwards = DVec3 {
        y: 0.0,
        ..-hit.normal
    }
    .normalize_or_zero();
    let from = hit.point + inwards * 0.02 + DVec3::Y * 0.05;
    world.locate(from).is_some()
        && world
            .cast_ray(from, from - DVec3::Y * 0.1, stats)
            .is_some_and(|floor| floor.normal.y >= WALKABLE)
}

/// The feet went up or down at once; the eye follows.
fn lag_eye(player: &mut Player, rise: f64) {
    player.eye_lag = (player.eye_lag - rise).clamp(LAG_RANGE[0], LAG_RANGE[1]);
}
