//! Loads on structures: bodies that lie on them, and bodies that hit them.
//!
//! A body at rest weighs on the solid straight below it, through the bodies between; only what sleeps counts, so that a
//! load stays where it is for as long as a check takes. An impact (`impacts`) is a force as long as a check. Called by
//! `carves::check_strength`.
use crate::bvh::QueryStats;
use crate::debris::{Ball, Body};
use crate::geom::Aabb;
use crate::geom::hash::Hash64;
use crate::strength::{PointLoad, Strength};
use crate::world::World;
use glam::DVec3;

/// Bodies lighter than this are no load, kilograms.
const LEAST_KG: f64 = 5.0;
/// Most bodies that are loads in one check.
const MOST_LYING: usize = 1000;
/// Bodies lighter than this do not count as coming to rest, kilograms.
const SETTLING_KG: f64 = 20.0;
/// Bodies of so much mass have to come to rest, kilograms, before what they lie on is checked.
const SETTLED_KG: f64 = 1000.0;
/// Greatest number of points that impacts of one check act on.
const MOST_IMPACTS: usize = 256;
/// Loads farther than this from a change, horizontally, are not gathered, metres.
const REACH_M: f64 = 12.0;
/// A body lies on the balls whose gaps to the surface differ by no more than this from the least, metres.
const SAME_GAP_M: f64 = 0.05;
/// Greatest height of a heap through which weight is carried, metres.
const HEAP_M: f64 = 10.0;

/// What bodies have done to structures since the last check.
#[derive(Clone, Debug, Default)]
pub(super) struct Loads {
    /// The balls of each body that came to rest.
    settled: Vec<Vec<Ball>>,
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
        for ball in self.settled.iter().filter_map(|balls| balls.first()) {
            hash.vec3(ball.centre);
        }
        if 0.0 < self.settled_kg {
            hash.f64(self.settled_kg);
        }
    }

    /// Notes that a body has come to rest.
    pub fn note_settled(&mut self, body: &Body) {
        if SETTLING_KG <= body.mass() {
            self.settled.push(body.balls().collect());
            self.settled_kg += body.mass();
        }
    }

    /// Notes a force that stops a body.
    pub fn note_impact(&mut self, load: PointLoad) {
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
        for balls in settled {
            let force = DVec3::ZERO;
            for (_, point, inward) in supports(world, balls.into_iter()) {
                let load = PointLoad {
                    point,
                    inward,
                    force,
                };
                check.note_load(&load.bounds());
            }
        }
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
    let mut count = 0;
    for body in bodies.iter().filter(|body| body.asleep) {
        if count == MOST_LYING {
            break;
        }
        let reach = REACH_M + body.radius;
        let away = (near.min - body.position).max(body.position - near.max);
        if away.x > reach || away.z > reach || body.mass() < LEAST_KG {
            continue;
        }
        count += 1;
        let below = supports(world, body.balls());
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

/// Where a body of these balls lies: the surface straight below those with about the least gap.
fn supports(world: &World, balls: impl Iterator<Item = Ball>) -> Vec<(f64, DVec3, DVec3)> {
    let mut below: Vec<_> = balls
        .filter_map(|ball| straight_below(world, ball))
        .collect();
    let gaps = below.iter().map(|&(gap, ..)| gap);
    let least = gaps.fold(f64::INFINITY, f64::min);
    below.retain(|&(gap, ..)| gap <= least + SAME_GAP_M);
    below
}

/// The surface straight below a ball: the gap, the point, the way into the solid.
fn straight_below(world: &World, ball: Ball) -> Option<(f64, DVec3, DVec3)> {
    let reach = ball.radius + HEAP_M;
    let to = ball.centre - DVec3::Y * reach;
    let hit = world.cast_ray(ball.centre, to, &mut QueryStats::default())?;
    Some((hit.fraction * reach - ball.radius, hit.point, -hit.normal))
}
