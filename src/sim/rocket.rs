//! Rockets: a small sphere that flies straight until it meets something.
use super::carves;
use super::state::{Rocket, StepReport};
use super::{Sim, TICK_SECS};
use glam::DVec3;

/// Metres a second.
const SPEED: f64 = 40.0;
/// Metres.
const RADIUS: f64 = 0.05;
/// Ticks after which a rocket that met nothing is gone.
const LIFE_TICKS: u32 = 1200;

/// Launches a rocket from the eye along the look direction; not from within rock.
pub(super) fn fire(sim: &mut Sim, report: &mut StepReport) {
    if sim.world.locate(sim.player.eye).is_none() {
        report.notices.push("no rocket flies inside rock".into());
        return;
    }
    let position = sim.player.eye;
    let velocity = sim.look_dir() * SPEED;
    sim.rockets.push(Rocket {
        position,
        previous: position,
        velocity,
        age: 0,
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
        let cut = carves::blast(sim, &hit, before);
        sim.cuts.push_back(cut);
    }
}

/// Moves every rocket; those that meet something become blasts, in the order of their launch.
pub(super) fn advance(sim: &mut Sim, report: &mut StepReport) {
    let rockets = std::mem::take(&mut sim.rockets);
    for mut rocket in rockets {
        // A fill may have closed around it.
        if rocket.age >= LIFE_TICKS || sim.world.locate(rocket.position).is_none() {
            continue;
        }
        let to = rocket.position + rocket.velocity * TICK_SECS;
        let hit = sim
            .world
            .sweep_sphere(rocket.position, to, RADIUS, &mut report.queries);
        sim.remember(rocket.position, to, RADIUS, hit);
        rocket.previous = rocket.position;
        match hit {
            Some(hit) => {
                let centre = rocket.position + (to - rocket.position) * hit.fraction;
                let cut = carves::blast(sim, &hit, centre);
                sim.cuts.push_back(cut);
            }
            None => {
                rocket.position = to;
                rocket.age += 1;
                sim.rockets.push(rocket);
            }
        }
    }
}
