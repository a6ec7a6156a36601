//! Grenades: small spheres that fly, bounce, roll out and explode when their fuses end.
//!
//! Between two bounces a grenade keeps its energy to the last bit that matters: its speed at a contact follows from how
//! deep it has fallen, v² = v₀² + 2 g h, so it comes up again to e² of the height that it fell from, whatever the tick.
use super::meet;
use super::state::{Grenade, StepReport};
use super::{Sim, TICK_SECS, carves};
use crate::bvh::QueryStats;
use crate::collide::Layer;
use crate::debris::buffered;
use crate::world::World;
use glam::DVec3;

/// Metres.
pub(super) const RADIUS: f64 = 0.06;
/// Gap that a sweep keeps, metres.
const GAP: f64 = 1e-5;
/// Contacts in a tick; what is left of the tick after them is not flown.
const CONTACTS: usize = 6;
/// Parting slower than this, metres a second, it stays on what it met.
const STAYS: f64 = 0.25;
/// Coulomb's μ of its slide.
const FRICTION: f64 = 0.35;

/// Moves every grenade; those whose fuses end become blasts, in the order in which they were thrown.
pub(super) fn advance(sim: &mut Sim, report: &mut StepReport) {
    let grenades = std::mem::take(&mut sim.grenades);
    let fuse_ticks = (sim.settings.shots.fuse_secs / TICK_SECS).round() as u32;
    for mut grenade in grenades {
        // A fill may have closed around it.
        if sim.world.locate(grenade.position).is_none() {
            continue;
        }
        if grenade.age >= fuse_ticks {
            let cut = carves::blast_at(sim, grenade.position, grenade.blast_radius, report);
            sim.cuts.push_back(cut);
            continue;
        }
        fly(sim, &mut grenade, &mut report.queries);
        grenade.age += 1;
        sim.grenades.push(grenade);
    }
}

/// A tick of flight, bounce by bounce.
fn fly(sim: &Sim, grenade: &mut Grenade, stats: &mut QueryStats) {
    let (gravity, bounce) = (sim.settings.gravity, sim.settings.shots.bounce);
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
        let way = path * fraction;
        grenade.position += way;
        grenade.path += way.length();
        let flown = flight_secs(grenade.velocity, gravity, way, left * fraction).min(left);
        grenade.velocity += down * flown;
        left -= flown;
        let relative = grenade.velocity - moving;
        let into = relative.dot(normal);
        if into < 0.0 {
            let leaves = if -into * bounce > STAYS {
                -into * bounce
            } else {
                0.0
            };
            let along = relative - normal * into;
            let drag = (FRICTION * (leaves - into)).min(along.length());
            let along = along - along.normalize_or_zero() * drag;
            grenade.velocity = moving + along + normal * leaves;
        }
    }
}

/// How long it flies to come `way` metres far: where it falls or rises, by its energy; else as long as the sweep says.
fn flight_secs(velocity: DVec3, gravity: f64, way: DVec3, guess: f64) -> f64 {
    let energy = velocity.y * velocity.y - 2.0 * gravity * way.y;
    if gravity <= 0.0 || energy < 0.0 || way.y >= 0.0 {
        return guess;
    }
    // g t²/2 - v t + y = 0 on the way down.
    (velocity.y + energy.sqrt()) / gravity
}

/// The first wall or body on the way: fraction, normal, and how fast it moves.
fn first_contact(
    sim: &Sim,
    from: DVec3,
    path: DVec3,
    stats: &mut QueryStats,
) -> Option<(f64, DVec3, DVec3)> {
    let wall = wall_contact(&sim.world, from, path, stats);
    let things = meet::bodies(&sim.bodies).chain(meet::player(&sim.player));
    let ends = [from, from + path];
    let met = meet::first_met(Layer::Rocket, ends, RADIUS, &sim.settings.layers, things);
    let met = met.map(|met| (met.fraction, met.normal, met.thing.velocity));
    match (wall, met) {
        (Some(wall), Some(met)) if met.0 < wall.0 => Some(met),
        (None, met) => met,
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
