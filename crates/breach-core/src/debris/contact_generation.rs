//! Contact generation: all contacts of a tick, from the broad phase to the constraints.
//!
//! The broad phase pairs every active body with the bodies whose swept bounds overlap its own; the narrow phase finds the
//! contacts of each pair, wall contacts come from the surface around the body, and those with solids from the solids near
//! by. Fast balls are swept. A sleeping body
//! that is hit hard enough wakes up and is searched in the next round. Searching changes nothing, so it runs on all
//! threads; results are joined in the order of the bodies.
use super::active_body::{ActiveBody, INACTIVE, Motion, MovingBall, add_balls};
use super::body::Body;
use super::broad_phase::{CandidatePairs, SLEEPING, SleepingBodies, swept_bounds};
use super::contact::{CONTACT_MARGIN, ContactConstraint, ContactConstraints};
use super::contact_cache::LastStep;
use super::forces::Forces;
use super::integration::apply_gravity;
use super::kinematic::Kinematic;
use super::narrow_phase::{Shape, add_body_contacts};
use super::oriented_bounds::OrientedBounds;
use super::solid_contacts::add_solid_contacts;
use super::solver_body::SolverBodies;
use super::surface_cache::SurfaceCache;
use super::wall_contacts::{add_wall_contacts, known_clearance, least_clearance};
use crate::bvh::QueryStats;
use crate::geom::parallel;
use crate::world::World;
use smallvec::SmallVec;

/// A sleeping body wakes up if a hit would move it at this speed, metres a second.
pub const WAKING_SPEED: f64 = 0.25;
/// Rounds of waking in a tick. Bodies hit by those woken in the last round wait for the next tick.
const WAKING_ROUNDS: u8 = 4;
/// Least number of bodies that a thread searches at a time.
const BATCH: usize = 32;

/// All contacts of a tick.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub contacts: ContactConstraints,
    /// First the bodies that were awake, by index; then those woken, round by round.
    pub active: Vec<ActiveBody>,
    /// Of all active bodies.
    pub balls: Vec<MovingBall>,
    /// Of all active bodies, with the tick's gravity, of the solids, and the world.
    pub solver_bodies: SolverBodies,
    /// New surface caches, by body.
    pub surfaces: Vec<(u32, SurfaceCache)>,
}

/// Everything that a search reads.
struct Search<'a> {
    bodies: &'a [Body],
    sleeping: &'a SleepingBodies,
    pairs: &'a CandidatePairs,
    world: &'a World,
    solids: &'a [Kinematic],
    forces: &'a Forces,
    active: &'a [ActiveBody],
    balls: &'a [MovingBall],
    last: &'a LastStep<'a>,
}

/// The results of one thread.
#[derive(Default)]
struct Batch {
    contacts: ContactConstraints,
    clearances: Vec<f64>,
    surfaces: Vec<(u32, SurfaceCache)>,
    woken: Vec<u32>,
    stats: QueryStats,
}

/// Finds all contacts of the tick; their solver indices are not set yet. `awake` gains the bodies that are woken.
pub(super) fn generate_contacts(
    bodies: &[Body],
    awake: &mut Vec<u32>,
    sleeping: &mut SleepingBodies,
    (world, solids): (&World, &[Kinematic]),
    forces: &Forces,
    last: &LastStep,
    stats: &mut QueryStats,
) -> Found {
    let mut found = Found::default();
    let mut from = 0;
    sleeping.maintain(bodies);
    for _ in 0..WAKING_ROUNDS {
        let list = &awake[from..];
        if list.is_empty() {
            break;
        }
        let ball_counts = list.iter().map(|&i| bodies[i as usize].ball_count());
        found.balls.reserve(ball_counts.sum());
        found.active.reserve(list.len());
        let solver_bodies = &mut found.solver_bodies;
        solver_bodies.list.reserve(list.len() + solids.len() + 1);
        for &index in list {
            let body = &bodies[index as usize];
            let active_index = solver_bodies.list.len();
            let solver_body = solver_bodies.add(body);
            apply_gravity(solver_body, forces);
            let motion = Motion {
                path: solver_body.velocity * forces.secs,
                turn: solver_body.spin * forces.secs,
            };
            let bounds = OrientedBounds::from_body(body).map(Box::new);
            let turning = if bounds.is_some() {
                motion.turn.length() * body.radius
            } else {
                0.0
            };
            let first = found.balls.len() as u32;
            let mut clearance = 0.0;
            if solids.is_empty() && body.hull().is_some() {
                clearance = known_clearance(body, world).unwrap_or(0.0);
            }
            let travel = motion.path.length() + turning;
            if clearance < least_clearance(body, forces) + travel {
                clearance = 0.0;
                add_balls(&mut found.balls, body, bounds.as_deref(), motion, 0.0);
            }
            sleeping.active[index as usize] = active_index as u32;
            found.active.push(ActiveBody {
                body: index,
                balls: [first, found.balls.len() as u32],
                clearance,
                motion,
                turning,
                bounds,
            });
        }
        let pairs = CandidatePairs::find(bodies, &found.active, from as u32, sleeping);
        let search = Search {
            bodies,
            sleeping,
            pairs: &pairs,
            world,
            solids,
            forces,
            active: &found.active,
            balls: &found.balls,
            last,
        };
        // Enough batches to keep the threads busy. Results do not depend on where they are cut.
        let threads = parallel::threads();
        let share = if threads > 1 { threads * 4 } else { 1 };
        let size = list.len().div_ceil(share).max(BATCH);
        let batches: Vec<&[ActiveBody]> = found.active[from..].chunks(size).collect();
        let batches: Vec<Batch> = parallel::map(batches.len(), 1, |i| {
            search.search(batches[i], (from + i * size) as u32)
        });
        let mut woken = Vec::new();
        let mut ball = found.active[from].balls[0] as usize;
        for batch in batches {
            found.contacts.append(batch.contacts);
            for clearance in batch.clearances {
                found.balls[ball].clearance = clearance;
                ball += 1;
            }
            found.surfaces.extend(batch.surfaces);
            woken.extend(batch.woken);
            stats.bins += batch.stats.bins;
            stats.faces += batch.stats.faces;
        }
        from = awake.len();
        woken.sort_unstable();
        woken.dedup();
        woken.retain(|&body| sleeping.active[body as usize] == INACTIVE);
        awake.extend(woken);
    }
    found.solver_bodies.add_fixed(solids, forces.secs);
    found
}

impl Search<'_> {
    fn search(&self, active: &[ActiveBody], first: u32) -> Batch {
        let ball_counts = active.iter().map(|a| (a.balls[1] - a.balls[0]) as usize);
        let mut batch = Batch {
            contacts: ContactConstraints::with_room_for(
                self.last.cache.contacts.counts(),
                active.len(),
                self.active.len(),
            ),
            clearances: Vec::with_capacity(ball_counts.sum()),
            ..Batch::default()
        };
        for (active_index, active) in (first..).zip(active) {
            let body = &self.bodies[active.body as usize];
            let balls = active.balls(self.balls);
            if !balls.is_empty() {
                let held = self.last.arms_on_walls(active.body);
                let surface = add_wall_contacts(
                    (active.body, body, balls),
                    held,
                    self.world,
                    self.forces,
                    (&mut batch.contacts, &mut batch.clearances, &mut batch.stats),
                );
                let surface = surface.map(|surface| (active.body, surface));
                batch.surfaces.extend(surface);
            }
            add_solid_contacts(
                (active, body, balls),
                self.solids,
                self.forces,
                (&mut batch.contacts, &mut batch.stats),
            );
            self.add_body_contacts((active_index, active), body, balls, &mut batch);
        }
        batch
    }

    /// Adds the contacts with other bodies. Each pair is found once: by the lower active index, or by the body that is
    /// awake.
    fn add_body_contacts(
        &self,
        (active_index, active): (u32, &ActiveBody),
        body: &Body,
        balls: &[MovingBall],
        batch: &mut Batch,
    ) {
        // Body, and its active index.
        let mut near: SmallVec<[(u32, u32); 32]> = SmallVec::new();
        near.extend(self.pairs.of_active(active_index).iter().map(|&other| {
            if other & SLEEPING == 0 {
                (self.active[other as usize].body, other)
            } else {
                (other ^ SLEEPING, INACTIVE)
            }
        }));
        let around = swept_bounds(body, active.motion.path);
        self.sleeping.grid.each_overlapping(&around, |other| {
            if self.sleeping.active[other as usize] == INACTIVE {
                near.push((other, INACTIVE));
            }
        });
        near.sort_unstable();
        // A body that woke, moved and sleeps again may also be found where it slept first.
        near.dedup();
        let shape = Shape::new(
            active.body,
            body,
            active.bounds.as_deref(),
            balls,
            active.motion,
        );
        for (other, other_active) in near {
            // Most boxes are apart: that is seen before anything else of the body is fetched.
            if let Some(them) = self.active.get(other_active as usize)
                && let Some((mine, theirs)) = active.bounds.as_ref().zip(them.bounds.as_ref())
                && mine.is_separated(theirs, travel_of(active, them).max(CONTACT_MARGIN))
            {
                continue;
            }
            let other_body = &self.bodies[other as usize];
            let layers = [body, other_body].map(Body::layer);
            if !self.forces.layers.meet(layers[0], layers[1]) {
                continue;
            }
            let from = batch.contacts.list.len();
            let mut add = |other_shape: &Shape, travel: f64| {
                let last_normal = || self.last.normal_between([active.body, other]);
                let contacts = &mut batch.contacts;
                add_body_contacts(&shape, other_shape, travel, last_normal, contacts);
            };
            if let Some(them) = self.active.get(other_active as usize) {
                let (bounds, balls) = (them.bounds.as_deref(), them.balls(self.balls));
                let other_shape = Shape::new(other, other_body, bounds, balls, them.motion);
                add(&other_shape, travel_of(active, them));
                continue;
            }
            let bounds = OrientedBounds::from_body(other_body);
            let travel = active.motion.path.length() + active.turning;
            if bounds
                .as_ref()
                .is_some_and(|bounds| !shape.is_within(bounds, travel))
            {
                continue;
            }
            let mut balls: SmallVec<[MovingBall; 1]> = SmallVec::new();
            let still = Motion::default();
            if other_body.hull().is_none() {
                add_balls(&mut balls, other_body, bounds.as_ref(), still, 0.0);
            }
            let other_shape = Shape::new(other, other_body, bounds.as_ref(), &balls, still);
            add(&other_shape, travel);
            let [mine, theirs] = [body.mass(), other_body.mass()];
            let found = &batch.contacts;
            let wakes = |c: &ContactConstraint| {
                let path = active.motion.of_point(found.first_arm(c));
                let closing = -path.dot(c.normal);
                let is_hit = c.gap <= closing;
                is_hit && closing / self.forces.secs * mine > WAKING_SPEED * (mine + theirs)
            };
            if found.list[from..].iter().any(wakes) {
                batch.woken.push(other);
            }
        }
    }
}

/// How far two bodies may move relative to each other in the tick, metres.
fn travel_of(one: &ActiveBody, other: &ActiveBody) -> f64 {
    (one.motion.path - other.motion.path).length() + one.turning + other.turning
}
