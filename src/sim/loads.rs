//! Loads on structures: bodies that lie on them, and bodies that hit them.
//!
//! A body at rest weighs on the solid straight below it, through the bodies between; only what sleeps counts, so that a
//! load stays where it is for as long as a check takes. An impact is a force as long as a check: the impulse that stopped
//! the body by [`IMPACT_SECS`]. Called by `carves::check_strength` and once in a step.
use super::simulation::Sim;
use super::state::Dust;
use super::tick::TICK_SECS;
use crate::bvh::QueryStats;
use crate::debris::{Ball, Body, Contact, DENSITY};
use crate::geom::Aabb;
use crate::geom::hash::Hash64;
use crate::strength::{PointLoad, Strength};
use crate::world::World;
use glam::DVec3;

/// Bodies lighter than this are no load, kilograms.
const LEAST_KG: f64 = 1.0;
/// Bodies of so much mass have to come to rest, kilograms, before what they lie on is checked.
const SETTLED_KG: f64 = 1000.0;
/// Bodies lighter than this break nothing by their impact, kilograms.
const LEAST_IMPACT_KG: f64 = 100.0;
/// An impact of less momentum for each kilogram is none, metres a second.
const LEAST_IMPACT: f64 = 1.0;
/// An impact of so much momentum for each kilogram raises dust, metres a second.
const DUSTY_IMPACT: f64 = 2.5;
/// Time in which an impact stops a body, seconds: between that of stone on stone, some 10 ms, and that of a fall onto what
/// gives way.
const IMPACT_SECS: f64 = 0.03;
/// A body whose gap to the surface is no more than this touches it, metres.
const NEAR_M: f64 = 0.012;
/// Greatest number of points that impacts of one check act on.
const MOST_IMPACTS: usize = 256;
/// Loads farther than this from a change, horizontally, are not gathered, metres.
const REACH_M: f64 = 40.0;
/// A body lies on the balls whose gaps to the surface differ by no more than this from the least, metres.
const SAME_GAP_M: f64 = 0.05;
/// Greatest height of a heap through which weight is carried, metres.
const HEAP_M: f64 = 10.0;

/// What bodies have done to structures since the last check.
#[derive(Clone, Debug, Default)]
pub(super) struct Loads {
    /// Where bodies came to rest, metres.
    settled: Vec<Aabb>,
    settled_kg: f64,
    /// Impacts that no check knows yet.
    waiting: Vec<PointLoad>,
    /// Impacts that the check under way knows.
    checked: Vec<PointLoad>,
}

impl Loads {
    /// Whether the check under way knows of an impact.
    pub fn has_impact(&self) -> bool {
        !self.checked.is_empty()
    }

    /// Whether there is something to check.
    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty() || SETTLED_KG <= self.settled_kg
    }

    /// Forgets the impacts of a check that has ended.
    pub fn end_check(&mut self) {
        self.checked.clear();
    }

    pub fn hash(&self, hash: &mut Hash64) {
        for load in self.waiting.iter().chain(&self.checked) {
            hash.vec3(load.point);
            hash.vec3(load.force);
        }
        for settled in &self.settled {
            hash.vec3(settled.min);
        }
        if 0.0 < self.settled_kg {
            hash.f64(self.settled_kg);
        }
    }

    fn note_impact(&mut self, load: PointLoad) {
        self.waiting.push(load);
        if MOST_IMPACTS < self.waiting.len() {
            // The strongest stay, of equal ones the first.
            let by_force = |a: &PointLoad, b: &PointLoad| {
                b.force
                    .length_squared()
                    .total_cmp(&a.force.length_squared())
            };
            self.waiting.sort_by(by_force);
            self.waiting.truncate(MOST_IMPACTS / 2);
        }
    }
}

/// Before the first call of a check: tells it of what has come to rest and of impacts, and of all that lies around what
/// changed.
pub(super) fn begin_check(
    loads: &mut Loads,
    check: &mut Strength,
    world: &World,
    bodies: &[Body],
    gravity: DVec3,
) {
    if SETTLED_KG <= loads.settled_kg {
        loads.settled_kg = 0.0;
        let settled = std::mem::take(&mut loads.settled);
        settled.iter().for_each(|bounds| check.note_load(bounds));
    }
    for impact in loads.waiting.drain(..) {
        check.note_load(&impact.bounds());
        loads.checked.push(impact);
    }
    let changed = check.changed().iter();
    let Some(near) = changed.copied().reduce(|a, b| a.union(&b)) else {
        return;
    };
    let mut all = lying(world, bodies, gravity, &near);
    all.extend(&loads.checked);
    check.set_loads(all);
}

/// The weights of the bodies at rest around a box.
pub(super) fn lying(world: &World, bodies: &[Body], gravity: DVec3, near: &Aabb) -> Vec<PointLoad> {
    let mut loads = Vec::new();
    let mut below = Vec::new();
    for body in bodies.iter().filter(|body| body.asleep) {
        let reach = REACH_M + body.radius;
        let away = (near.min - body.position).max(body.position - near.max);
        if away.x > reach || away.z > reach || body.mass() < LEAST_KG {
            continue;
        }
        below.clear();
        below.extend(body.balls().filter_map(|ball| straight_below(world, ball)));
        let Some(least) = below.iter().map(|&(gap, ..)| gap).reduce(f64::min) else {
            continue;
        };
        below.retain(|&(gap, ..)| gap <= least + SAME_GAP_M);
        let force = gravity * (body.mass() / below.len() as f64);
        let load = |&(_, point, inward): &(f64, DVec3, DVec3)| PointLoad {
            point,
            inward,
            force,
        };
        loads.extend(below.iter().map(load));
    }
    loads
}

/// The surface straight below a ball: the gap, the point, the way into the solid.
fn straight_below(world: &World, ball: Ball) -> Option<(f64, DVec3, DVec3)> {
    let reach = ball.radius + HEAP_M;
    let to = ball.centre - DVec3::Y * reach;
    let hit = world.cast_ray(ball.centre, to, &mut QueryStats::default())?;
    Some((hit.fraction * reach - ball.radius, hit.point, -hit.normal))
}

/// What was in motion before a step of the bodies: index and velocity, of those that may hit something.
pub(super) struct Moving {
    awake: Vec<u32>,
    heavy: Vec<(u32, DVec3)>,
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

/// After a step of the bodies: notes which came to rest, and what the world stopped; heavy ones raise dust.
pub(super) fn note_step(sim: &mut Sim, before: &Moving) {
    let is_on = sim.strength.is_some() && 0.0 < sim.settings.strength;
    let awake = before.awake.iter().filter(|_| is_on);
    for &index in awake {
        let body = &sim.bodies[index as usize];
        if body.asleep && LEAST_KG <= body.mass() {
            let bounds = Aabb::from_centre(body.position, DVec3::splat(body.radius));
            sim.loads.settled.push(bounds);
            sim.loads.settled_kg += body.mass();
        }
    }
    let fall = DVec3::NEG_Y * (sim.settings.gravity * TICK_SECS);
    let change = |&(index, velocity): &(u32, DVec3)| {
        let change = sim.bodies[index as usize].velocity - velocity - fall;
        (index, velocity, change)
    };
    let changes = before.heavy.iter().map(change);
    let stopped: Vec<(u32, DVec3, DVec3)> = changes
        .filter(|(.., change)| LEAST_IMPACT <= change.length())
        .collect();
    if stopped.is_empty() {
        return;
    }
    let mut hits: Vec<(usize, Contact)> = Vec::new();
    for contact in sim.bodies.contacts() {
        if contact.bodies[1] != Contact::WORLD {
            continue;
        }
        let known = stopped.binary_search_by_key(&contact.bodies[0], |one| one.0);
        let Ok(which) = known else { continue };
        let (_, velocity, change) = stopped[which];
        // The normal points to the body. Some contacts are only near.
        let path = -velocity.dot(contact.normal) * TICK_SECS;
        let is_pushed = change.normalize_or_zero().dot(contact.normal) > 0.3;
        if is_pushed && contact.gap <= path.max(0.0) + NEAR_M {
            hits.push((which, contact));
        }
    }
    hits.sort_by_key(|hit| hit.0);
    for hits in hits.chunk_by(|a, b| a.0 == b.0) {
        let (index, _, change) = stopped[hits[0].0];
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
