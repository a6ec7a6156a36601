//! Grenades: small spheres that fly, bounce, roll out and explode when their fuses end.
//!
//! Between bounces a grenade conserves its energy exactly: its speed at a contact follows from the height of the fall,
//! v² = v₀² + 2 g h, so it bounces to e² of that height whatever the tick (e is the restitution).
use super::report::StepReport;
use super::simulation::Sim;
use super::state::Grenade;
use super::tick::TICK_SECS;
use super::{carves, liquids, movers, moving_sphere, sweep_moving};
use crate::bvh::QueryStats;
use crate::collide::Layer;
use crate::debris::buffered;
use crate::world::World;
use glam::DVec3;

/// Metres.
pub(super) const RADIUS: f64 = 0.06;
/// Gap that a sweep keeps, metres.
const GAP: f64 = 1e-5;
/// Greatest number of contacts in a tick; the grenade waits out the rest of the tick.
const CONTACTS: usize = 6;
/// A bounce slower than this, metres a second, becomes 0.
const LEAST_BOUNCE: f64 = 0.25;
/// Coulomb friction coefficient.
const FRICTION: f64 = 0.35;

/// Moves every grenade; those whose fuses end become blasts, in the order of their throws.
pub(super) fn advance(sim: &mut Sim, report: &mut StepReport) {
    let grenades = std::mem::take(&mut sim.grenades);
    let fuse_ticks = (sim.settings.shots.fuse_secs / TICK_SECS).round() as u32;
    for mut grenade in grenades {
        // A fill may have closed around it.
        if sim.world.locate(grenade.position).is_none() {
            continue;
        }
        if grenade.age >= fuse_ticks {
            let blast = carves::blast_at(sim, grenade.position, grenade.blast_radius, report);
            sim.queue.push_back(blast);
            continue;
        }
        fly(sim, &mut grenade, &mut report.queries);
        grenade.age += 1;
        liquids::note_crossing(sim, [grenade.previous, grenade.position]);
        sim.grenades.push(grenade);
    }
}

/// A tick of flight, bounce by bounce.
fn fly(sim: &Sim, grenade: &mut Grenade, stats: &mut QueryStats) {
    let gravity = sim.settings.gravity * liquids::slow_grenade(sim, grenade);
    let bounce = sim.settings.shots.bounce;
    let down = DVec3::NEG_Y * gravity;
    grenade.previous = grenade.position;
    let mut left = TICK_SECS;
    for _ in 0..CONTACTS {
        if left <= 0.0 {
            break;
        }
        // x = v t + a t²/2
        let path = grenade.velocity * left + down * (0.5 * left * left);
        let Some((fraction, normal, moving)) = first_contact(sim, grenade.position, path, stats)
        else {
            grenade.position += path;
            grenade.path += path.length();
            grenade.velocity += down * left;
            break;
        };
        let flown = path * fraction;
        grenade.position += flown;
        grenade.path += flown.length();
        let secs = flight_secs(grenade.velocity, gravity, flown, left * fraction).min(left);
        grenade.velocity += down * secs;
        left -= secs;
        let relative = grenade.velocity - moving;
        let into = relative.dot(normal);
        if into < 0.0 {
            let bounced = if -into * bounce > LEAST_BOUNCE {
                -into * bounce
            } else {
                0.0
            };
            let along = relative - normal * into;
            let drag = (FRICTION * (bounced - into)).min(along.length());
            let along = along - along.normalize_or_zero() * drag;
            grenade.velocity = moving + along + normal * bounced;
        }
    }
}

/// Duration of a flight by `path`: from the energy where the path leads down, otherwise `guess`, that of the sweep.
fn flight_secs(velocity: DVec3, gravity: f64, path: DVec3, guess: f64) -> f64 {
    let energy = velocity.y * velocity.y - 2.0 * gravity * path.y;
    if gravity <= 0.0 || energy < 0.0 || path.y >= 0.0 {
        return guess;
    }
    // g t²/2 - v t + y = 0 on the way down.
    (velocity.y + energy.sqrt()) / gravity
}

/// The first wall or body hit: fraction, normal, and its velocity.
fn first_contact(
    sim: &Sim,
    from: DVec3,
    path: DVec3,
    stats: &mut QueryStats,
) -> Option<(f64, DVec3, DVec3)> {
    let wall = wall_contact(&sim.world, from, path, stats);
    let bodies = moving_sphere::of_bodies(&sim.bodies);
    let spheres = bodies.chain(moving_sphere::of_player(&sim.player));
    let ends = [from, from + path];
    let layers = &sim.settings.layers;
    let hit = sweep_moving::first_hit(Layer::Rocket, ends, RADIUS, layers, spheres);
    let hit = hit.map(|hit| (hit.fraction, hit.normal, hit.sphere.velocity));
    let mover = movers::first_hit(sim, ends, RADIUS, stats).map(|hit| {
        let fraction = buffered(hit.fraction, path, hit.normal, GAP);
        (fraction, hit.normal, hit.velocity)
    });
    let hit = match (hit, mover) {
        (Some(hit), Some(mover)) if mover.0 < hit.0 => Some(mover),
        (hit, mover) => hit.or(mover),
    };
    match (wall, hit) {
        (Some(wall), Some(hit)) if hit.0 < wall.0 => Some(hit),
        (None, hit) => hit,
        (wall, _) => wall,
    }
}

fn wall_contact(
    world: &World,
    from: DVec3,
    path: DVec3,
    stats: &mut QueryStats,
) -> Option<(f64, DVec3, DVec3)> {
    let hit = world.sweep_sphere(from, from + path, RADIUS, stats)?;
    let fraction = buffered(hit.fraction, path, hit.normal, GAP);
    Some((fraction, hit.normal, DVec3::ZERO))
}
