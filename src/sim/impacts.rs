//! Impacts of bodies on the world: what a step of the bodies stops, and what comes to rest.
//!
//! The force of an impact is the impulse that stopped the body by [`IMPACT_SECS`], shared by the points in which the body
//! touches the world. Heavy ones raise dust.
use super::simulation::Sim;
use super::state::Dust;
use super::tick::TICK_SECS;
use crate::debris::{BodyId, Contact, DENSITY};
use crate::strength::PointLoad;
use glam::DVec3;

/// Bodies lighter than this break nothing by their impact, kilograms.
const LEAST_IMPACT_KG: f64 = 100.0;
/// An impact of less momentum for each kilogram is none, metres a second.
const LEAST_IMPACT: f64 = 1.0;
/// An impact of so much momentum for each kilogram raises dust, metres a second.
const DUSTY_IMPACT: f64 = 2.5;
/// Time in which an impact stops a body, seconds: between that of stone on stone, some 10 ms, and that of a fall onto what
/// gives way.
pub(super) const IMPACT_SECS: f64 = 0.03;
/// A body whose gap to the surface is no more than this touches it, metres.
const NEAR_M: f64 = 0.012;

/// What was in motion before a step of the bodies: index and velocity, of those that may hit something.
pub(super) struct Moving {
    awake: Vec<u32>,
    heavy: Vec<(u32, DVec3)>,
}

/// A heavy body that a step has stopped.
pub(super) struct Stopped {
    pub id: BodyId,
    /// After the step.
    pub index: u32,
    /// Before the step, m/s.
    velocity: DVec3,
    /// By the step, without gravity, m/s.
    pub change: DVec3,
}

/// Before a step of the bodies.
pub(super) fn moving(sim: &Sim) -> Moving {
    let awake = sim.bodies.awake_indices().to_vec();
    let heavy = awake.iter().filter_map(|&index| {
        let body = &sim.bodies[index as usize];
        (LEAST_IMPACT_KG <= body.mass()).then_some((index, body.velocity))
    });
    Moving {
        heavy: heavy.collect(),
        awake,
    }
}

/// After a step of the bodies: notes which came to rest, and what the world stopped; heavy ones raise dust. Returns the heavy
/// bodies that something stopped.
pub(super) fn note_step(sim: &mut Sim, before: &Moving) -> Vec<Stopped> {
    let is_on = sim.strength.is_some() && 0.0 < sim.settings.strength;
    let awake = before.awake.iter().filter(|_| is_on);
    for &index in awake {
        let body = &sim.bodies[index as usize];
        if body.asleep {
            sim.loads.note_settled(body);
        }
    }
    let fall = DVec3::NEG_Y * (sim.settings.gravity * TICK_SECS);
    let all = before.heavy.iter().map(|&(index, velocity)| {
        let body = &sim.bodies[index as usize];
        Stopped {
            id: body.id(),
            index,
            velocity,
            change: body.velocity - velocity - fall,
        }
    });
    let stopped: Vec<Stopped> = all
        .filter(|one| LEAST_IMPACT <= one.change.length())
        .collect();
    note_impacts(sim, &stopped, is_on);
    stopped
}

/// Notes where the world, or a solid that moves, has stopped bodies.
fn note_impacts(sim: &mut Sim, stopped: &[Stopped], is_on: bool) {
    if stopped.is_empty() {
        return;
    }
    let mut hits: Vec<(usize, Contact)> = Vec::new();
    for contact in sim.bodies.contacts() {
        if contact.is_of_two_bodies() {
            continue;
        }
        let known = stopped.binary_search_by_key(&contact.bodies[0], |one| one.index);
        let Ok(which) = known else { continue };
        let Stopped {
            velocity, change, ..
        } = stopped[which];
        // The normal points to the body. Some contacts are only near.
        let path = -velocity.dot(contact.normal) * TICK_SECS;
        let is_pushed = change.normalize_or_zero().dot(contact.normal) > 0.3;
        if is_pushed && contact.gap <= path.max(0.0) + NEAR_M {
            hits.push((which, contact));
        }
    }
    hits.sort_by_key(|hit| hit.0);
    for hits in hits.chunk_by(|a, b| a.0 == b.0) {
        let Stopped { index, change, .. } = stopped[hits[0].0];
        let body = &sim.bodies[index as usize];
        let (mass, material) = (body.mass(), body.material);
        let force = change * (-mass / (IMPACT_SECS * hits.len() as f64));
        let point = |hit: &Contact| hit.point - hit.normal * hit.gap;
        for (_, hit) in hits.iter().filter(|_| is_on) {
            sim.loads.note_impact(PointLoad {
                point: point(hit),
                inward: -hit.normal,
                force,
            });
        }
        if DUSTY_IMPACT <= change.length() {
            sim.dust.push(Dust {
                position: point(&hits[0].1),
                radius: libm::cbrt(mass / DENSITY) * 0.6,
                tick: sim.tick,
                material: Some(material),
            });
        }
    }
}
