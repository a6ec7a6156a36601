//! Sleeping and waking.
//!
//! A body falls asleep when it has stayed within a centimetre for [`TICKS_TO_SLEEP`] and touches something. (Its speed
//! says less: in a pile it jitters, and at the top of a bounce it is zero.) It wakes when another body hits it, when the
//! world changes where it lies, and when a body below it moves away or is removed. Bodies fall asleep one by one, not by
//! islands: what is woken wakes only what leans on it.
use super::active_body::{ActiveBody, INACTIVE};
use super::body::{Body, BodyId};
use super::contact::{CONTACT_MARGIN, ContactConstraints, is_body, solid_index};
use super::grid::{BoundingSphere, Grid};
use super::kinematic::Kinematic;
use super::state::Debris;
use super::surface_cache::SurfaceCache;
use crate::geom::Aabb;
use glam::DVec3;

/// Ticks at rest before sleep: a third of a second. A bounce stays within the range for at most 5.
pub const TICKS_TO_SLEEP: u16 = 20;
/// A body at rest has moved less than this from its anchor, metres.
const REST_DISTANCE: f64 = 0.01;
/// The surface of a body at rest turns slower than this, metres a second.
const REST_TURN: f64 = 0.25;
/// A contact whose normal rises more than this supports a body.
const SUPPORTS: f64 = 0.1;

impl Debris {
    /// Wakes a body, if it is there and sleeps.
    pub fn wake(&mut self, id: BodyId) {
        if let Some(index) = self.index_of(id) {
            self.change(|bodies| bodies[index].wake());
        }
    }

    /// Wakes the bodies that touch a box, as after a change of the world there.
    pub fn wake_in_box(&mut self, bounds: &Aabb) {
        self.change(|bodies| wake_in_box(bodies, bounds));
    }

    /// After a step: bodies at rest fall asleep, sleeping bodies that were hit wake, and so do bodies whose support moved
    /// away. `awake` are the bodies of `active`. What touches a solid that moves stays awake.
    pub(super) fn update_sleep(
        &mut self,
        mut awake: Vec<u32>,
        active: &[ActiveBody],
        contacts: &ContactConstraints,
        solids: &[Kinematic],
        allow_sleeping: bool,
    ) {
        // By solver body: those of `active`, then the solids and the world.
        let mut is_touching = vec![false; active.len() + solids.len() + 1];
        let mut is_carried = vec![false; if solids.is_empty() { 0 } else { active.len() }];
        // Contacts of two bodies, one of which supports the other: bodies, solver bodies, rise of the normal.
        let mut supports = Vec::with_capacity(contacts.list.len());
        for c in &contacts.list {
            if c.normal_impulse > 0.0 {
                let touch = |&i: &u32| is_touching[i as usize] = true;
                c.solver_bodies.iter().for_each(touch);
                let solid = solid_index(c.bodies[1]).and_then(|i| solids.get(i));
                if solid.is_some_and(Kinematic::is_moving) {
                    is_carried[c.solver_bodies[0] as usize] = true;
                }
            }
            if is_body(c.bodies[1]) && c.normal.y.abs() > SUPPORTS {
                supports.push((c.bodies, c.solver_bodies, c.normal.y));
            }
        }
        let mut has_left = vec![false; active.len() + solids.len() + 1];
        for &index in &awake {
            let body = &mut self.bodies[index as usize];
            if body.asleep {
                body.wake();
                body.anchor = body.previous;
            }
        }
        for (i, active) in active.iter().enumerate() {
            let body = &mut self.bodies[active.body as usize];
            let is_carried = is_carried.get(i).is_some_and(|&carried| carried);
            has_left[i] = update_rest(body, allow_sleeping && is_touching[i] && !is_carried);
            if body.asleep {
                body.surface = SurfaceCache::default();
                self.sleeping.add(active.body);
            }
            self.sleeping.active[active.body as usize] = INACTIVE;
        }
        for (bodies, solver_bodies, rise) in supports {
            // The normal points to the first body.
            let (below, above) = if rise > 0.0 { (1, 0) } else { (0, 1) };
            let body = &mut self.bodies[bodies[above] as usize];
            if has_left[solver_bodies[below] as usize] && body.asleep {
                body.wake();
                awake.push(bodies[above]);
            }
        }
        let bodies = &self.bodies;
        awake.retain(|&i| !bodies[i as usize].asleep);
        awake.sort_unstable();
        awake.dedup();
        debug_assert!(
            (0u32..)
                .zip(bodies)
                .all(|(i, body)| body.asleep != awake.binary_search(&i).is_ok()),
            "the list of bodies awake is complete"
        );
        self.awake = awake;
    }
}

/// Counts a tick at rest, after a step, and puts the body to sleep when it may and has rested long enough. Returns whether
/// it has moved away from its anchor.
fn update_rest(body: &mut Body, may_sleep: bool) -> bool {
    let has_moved = body.position.distance_squared(body.anchor) > REST_DISTANCE * REST_DISTANCE;
    let turns = body.spin.length() * body.radius > REST_TURN;
    if has_moved || turns {
        body.anchor = body.position;
        body.still = 0;
        return true;
    }
    body.still = body.still.saturating_add(1);
    if body.still >= TICKS_TO_SLEEP && may_sleep {
        body.asleep = true;
        body.velocity = DVec3::ZERO;
        body.spin = DVec3::ZERO;
        body.previous = body.position;
        body.previous_rotation = body.rotation;
    }
    false
}

/// Wakes the bodies that touch a box.
pub fn wake_in_box(bodies: &mut [Body], bounds: &Aabb) {
    for body in bodies.iter_mut().filter(|body| body.asleep) {
        let margin = body.hull_beyond_balls() + CONTACT_MARGIN;
        let is_near = |centre: DVec3, radius: f64| {
            centre.clamp(bounds.min, bounds.max).distance(centre) <= radius + margin
        };
        if is_near(body.position, body.radius)
            && body.balls().any(|ball| is_near(ball.centre, ball.radius))
        {
            body.wake();
        }
    }
}

/// Wakes the bodies that touch one of these spheres: the balls of bodies that were removed.
pub fn wake_around(bodies: &mut [Body], removed: &[BoundingSphere]) {
    if removed.is_empty() {
        return;
    }
    let grid = Grid::new(removed.iter().copied());
    for body in bodies.iter_mut().filter(|body| body.asleep) {
        let mut touches = false;
        let beyond = body.hull_beyond_balls();
        for ball in body.balls() {
            let around = BoundingSphere {
                centre: ball.centre,
                radius: ball.radius + beyond + CONTACT_MARGIN,
            };
            grid.each_overlapping(&around, |_| touches = true);
        }
        if touches {
            body.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sleeper(x: f64) -> Body {
        let mut body = Body::new(DVec3::X * x, 0.1, 0);
        body.asleep = true;
        body
    }

    #[test]
    fn waking_a_box_wakes_the_bodies_that_touch_it_and_no_others() {
        let mut bodies = vec![sleeper(0.0), sleeper(0.2), sleeper(0.4), sleeper(5.0)];
        wake_in_box(
            &mut bodies,
            &Aabb {
                min: DVec3::splat(-0.05),
                max: DVec3::splat(0.05),
            },
        );
        assert_eq!(
            bodies.iter().map(|b| b.asleep).collect::<Vec<_>>(),
            [false, true, true, true]
        );
    }

    #[test]
    fn a_body_sleeps_only_after_enough_still_ticks_in_touch() {
        let mut body = Body::new(DVec3::ZERO, 0.1, 0);
        for _ in 0..100 {
            update_rest(&mut body, false);
        }
        assert!(!body.asleep);
        body.position.x += 0.02;
        update_rest(&mut body, true);
        for tick in 1..=TICKS_TO_SLEEP {
            update_rest(&mut body, true);
            assert_eq!(body.asleep, tick == TICKS_TO_SLEEP);
        }
    }
}
