//! Rockets: small spheres that fly to their first hit, straight or, with the setting, under gravity.
use super::moving_sphere::{self, MovingSphere};
use super::report::StepReport;
use super::simulation::Sim;
use super::state::Rocket;
use super::tick::TICK_SECS;
use super::{carves, liquids, movers, sweep_moving};
use crate::collide::Layer;
use glam::DVec3;

/// Metres a second.
const SPEED: f64 = 40.0;
/// Metres.
pub(super) const RADIUS: f64 = 0.05;
/// Ticks after which a rocket without a hit is removed.
const LIFE_TICKS: u32 = 1200;

/// Fires a rocket along the look direction from the eye, which is in the air.
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

/// Fires a rocket without flight time: the blast is at the first surface along `dir`, within this tick.
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
    let mover = movers::first_hit(sim, [from, to], 0.0, &mut report.queries);
    let mover = mover.filter(|mover| hit.is_none_or(|hit| mover.fraction < hit.fraction));
    if let Some(mover) = mover {
        let before = from + (to - from) * (mover.fraction * 0.999);
        let blast = carves::blast_mover(sim, &mover, before, None, &mut report.queries);
        sim.queue.push_back(blast);
    } else if let Some(hit) = hit {
        // Just short of the surface: the crumbs start there.
        let before = from + (to - from) * (hit.fraction * 0.999);
        let blast = carves::blast_wall(sim, &hit, before, None);
        sim.queue.push_back(blast);
    }
}

/// Moves every rocket; those that hit become blasts, in the order of their launch.
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
        // Earlier rockets have had their turn.
        let later = rockets.iter().enumerate().skip(i + 1);
        let spheres = moving_sphere::of_bodies(&sim.bodies)
            .chain(moving_sphere::of_player(&sim.player))
            .chain(later.filter(|(j, _)| !gone[*j]).map(sphere));
        let layers = &sim.settings.layers;
        let hit = sweep_moving::first_hit(Layer::Rocket, [from, to], RADIUS, layers, spheres);
        let hit = hit.filter(|hit| moved.hit.is_none_or(|wall| hit.fraction < wall.fraction));
        let mut first = hit.map(|hit| hit.fraction);
        first = first.or(moved.hit.map(|wall| wall.fraction));
        let mover = movers::first_hit(sim, [from, to], RADIUS, &mut report.queries);
        let mover = mover.filter(|mover| first.is_none_or(|first| mover.fraction < first));
        if let Some(mover) = mover {
            let centre = from + (to - from) * mover.fraction;
            let (radius, stats) = (rocket.blast_radius, &mut report.queries);
            let blast = carves::blast_mover(sim, &mover, centre, radius, stats);
            sim.queue.push_back(blast);
        } else if let Some(hit) = hit {
            if hit.sphere.layer == Layer::Rocket {
                gone[hit.sphere.index] = true;
            }
            let centre = from + (to - from) * hit.fraction;
            let (radius, stats) = (rocket.blast_radius, &mut report.queries);
            let blast = carves::blast_body(sim, &hit, centre, radius, stats);
            sim.queue.push_back(blast);
        } else if let Some(wall) = moved.hit {
            let centre = from + (to - from) * wall.fraction;
            let blast = carves::blast_wall(sim, &wall, centre, rocket.blast_radius);
            sim.queue.push_back(blast);
        } else {
            let velocity = liquids::slow_rocket(sim, rocket);
            liquids::note_crossing(sim, [from, to]);
            sim.rockets.push(Rocket {
                position: to,
                previous: from,
                velocity: velocity + fall,
                age: rocket.age + 1,
                blast_radius: rocket.blast_radius,
            });
        }
    }
}

fn sphere((index, rocket): (usize, &Rocket)) -> MovingSphere {
    MovingSphere {
        layer: Layer::Rocket,
        index,
        centre: rocket.position,
        radius: RADIUS,
        velocity: rocket.velocity,
    }
}
