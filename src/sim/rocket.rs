//! Rockets: a small sphere that flies until it meets something, straight or, where the settings say so, as it falls.
use super::carves;
use super::meet::{self, Thing};
use super::state::{Rocket, StepReport};
use super::{Sim, TICK_SECS};
use crate::collide::Layer;
use glam::DVec3;

/// Metres a second.
const SPEED: f64 = 40.0;
/// Metres.
pub(super) const RADIUS: f64 = 0.05;
/// Ticks after which a rocket that met nothing is gone.
const LIFE_TICKS: u32 = 1200;

/// Launches a rocket from the eye, which is in the air, along the look direction.
pub(super) fn fire(sim: &mut Sim, blast_radius: Option<f64>) {
    let position = sim.player.eye;
    let velocity = sim.look_dir() * SPEED;
    sim.rockets.push(Rocket {
        position,
        previous: position,
        velocity,
        age: 0,
        blast_radius,
    });
}

/// A rocket that takes no time: the blast at the first surface along `dir`, within this tick.
pub(super) fn fire_along(sim: &mut Sim, from: DVec3, dir: DVec3, report: &mut StepReport) {
    let Some(dir) = dir
        .try_normalize()
        .filter(|_| sim.world.locate(from).is_some())
    else {
        return;
    };
    let bounds = sim.world.bounds();
    let to = from + dir * (bounds.max - bounds.min).length();
    let hit = sim.world.cast_ray(from, to, &mut report.queries);
    sim.remember(from, to, 0.0, hit);
    if let Some(hit) = hit {
        // Just short of the surface: the crumbs start there.
        let before = from + (to - from) * (hit.fraction * 0.999);
        let cut = carves::blast(sim, &hit, before, None);
        sim.cuts.push_back(cut);
    }
}

/// Moves every rocket; those that meet something become blasts, in the order of their launch.
pub(super) fn advance(sim: &mut Sim, report: &mut StepReport) {
    let rockets = std::mem::take(&mut sim.rockets);
    let falls = sim.settings.shots.rocket_falls;
    let gravity = if falls { sim.settings.gravity } else { 0.0 };
    let fall = DVec3::NEG_Y * (gravity * TICK_SECS);
    let mut gone = vec![false; rockets.len()];
    for (i, rocket) in rockets.iter().enumerate() {
        if gone[i] {
            continue;
        }
        if rocket.age >= LIFE_TICKS {
            report.misses.push("the rocket met nothing");
            continue;
        }
        // A fill may have closed around it.
        if sim.world.locate(rocket.position).is_none() {
            report.misses.push("the rocket was buried");
            continue;
        }
        let from = rocket.position;
        // x = v t + a t²/2
        let to = from + (rocket.velocity + fall * 0.5) * TICK_SECS;
        let solver = sim.settings.solver;
        let moved = sim
            .world
            .move_sphere(from, to, RADIUS, solver, &mut report.queries);
        report.tunnelled += u32::from(moved.tunnelled);
        sim.remember(from, to, RADIUS, moved.hit);
        // The earlier ones have had their turn.
        let later = rockets.iter().enumerate().skip(i + 1);
        let things = meet::bodies(&sim.bodies)
            .chain(meet::player(&sim.player))
            .chain(later.filter(|(j, _)| !gone[*j]).map(thing));
        let layers = &sim.settings.layers;
        let met = meet::first_met(Layer::Rocket, [from, to], RADIUS, layers, things);
        let met = met.filter(|met| moved.hit.is_none_or(|wall| met.fraction < wall.fraction));
        if let Some(met) = met {
            if met.thing.layer == Layer::Rocket {
                gone[met.thing.index] = true;
            }
            let centre = from + (to - from) * met.fraction;
            let cut = carves::blast_in_air(sim, &met, centre, rocket.blast_radius);
            sim.cuts.push_back(cut);
        } else if let Some(wall) = moved.hit {
            let centre = from + (to - from) * wall.fraction;
            let cut = carves::blast(sim, &wall, centre, rocket.blast_radius);
            sim.cuts.push_back(cut);
        } else {
            sim.rockets.push(Rocket {
                position: to,
                previous: from,
                velocity: rocket.velocity + fall,
                age: rocket.age + 1,
                blast_radius: rocket.blast_radius,
            });
        }
    }
}

fn thing((index, rocket): (usize, &Rocket)) -> Thing {
    Thing {
        layer: Layer::Rocket,
        index,
        centre: rocket.position,
        radius: RADIUS,
        velocity: rocket.velocity,
    }
}
