//! Falling asleep and waking up.
//!
//! A crumb that has stayed within a centimetre for [`TICKS_TO_SLEEP`], and touches something, falls asleep. (Its speed
//! would not tell: in a pile it trembles, and at the top of a bounce it is zero.) It wakes when another hits
//! it, when a carve happens within reach, and when a crumb that it touches is woken or taken away: nothing hangs in the
//! air because its support left while it slept.
use super::Body;
use super::pairs::each_pair;
use crate::geom::Aabb;
use glam::DVec3;

/// Ticks of stillness before sleep: half a second. A bounce stays within the range for 5 at most.
pub const TICKS_TO_SLEEP: u16 = 30;
/// Moved less than this from its anchor, metres, is still.
const STILL_RANGE: f64 = 0.01;
/// The surface turns slower than this, metres a second, is still.
const STILL_TURN: f64 = 0.25;
/// Gap across which two crumbs count as touching when one is woken, metres.
const TOUCH_GAP: f64 = 0.01;

/// Counts the stillness of a tick that has just been stepped, and puts the body to sleep when it has rested enough.
pub fn rest(body: &mut Body, touching: bool) {
    let moved = body.position.distance_squared(body.anchor) > STILL_RANGE * STILL_RANGE;
    let turns = body.spin.length() * body.radius > STILL_TURN;
    if moved || turns {
        body.anchor = body.position;
        body.still = 0;
        return;
    }
    body.still = body.still.saturating_add(1);
    if body.still >= TICKS_TO_SLEEP && touching {
        body.asleep = true;
        body.velocity = DVec3::ZERO;
        body.spin = DVec3::ZERO;
    }
}

/// Wakes every body whose sphere touches `bounds`, and the sleepers that touch them, and so on.
pub fn wake_in_box(bodies: &mut [Body], bounds: &Aabb) {
    let touches = |body: &Body| {
        body.position
            .clamp(bounds.min, bounds.max)
            .distance(body.position)
            <= body.radius
    };
    let mut woken = false;
    for body in bodies
        .iter_mut()
        .filter(|body| body.asleep && touches(body))
    {
        body.wake();
        woken = true;
    }
    while std::mem::take(&mut woken) {
        // One of a pair is awake, so a sleeper in it leans on somebody awake.
        let mut leaning = Vec::new();
        each_pair(bodies, TOUCH_GAP, &mut |i, j| {
            leaning.extend([i, j].into_iter().filter(|&k| bodies[k].asleep));
        });
        for i in leaning {
            woken |= bodies[i].asleep;
            bodies[i].wake();
        }
    }
}

/// Takes bodies away until at most `limit` are left: the oldest sleepers first, then the oldest. What leaned on them
/// wakes. Bodies stand in the order of their birth.
pub fn retire(bodies: &mut Vec<Body>, limit: usize) {
    let surplus = bodies.len().saturating_sub(limit);
    if surplus == 0 {
        return;
    }
    let mut order: Vec<usize> = (0..bodies.len()).collect();
    order.sort_by_key(|&i| !bodies[i].asleep);
    let mut gone = vec![false; bodies.len()];
    order[..surplus].iter().for_each(|&i| gone[i] = true);
    let mut index = 0;
    let mut places = Vec::new();
    bodies.retain(|body| {
        let keep = !gone[index];
        index += 1;
        if !keep {
            places.push((body.position, body.radius + TOUCH_GAP));
        }
        keep
    });
    for (centre, reach) in places {
        let near =
            |body: &Body| body.asleep && body.position.distance(centre) < body.radius + reach;
        if bodies.iter().any(near) {
            wake_in_box(
                bodies,
                &Aabb {
                    min: centre - DVec3::splat(reach),
                    max: centre + DVec3::splat(reach),
                },
            );
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
    fn waking_one_wakes_the_pile_but_not_a_stranger() {
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
            [false, false, false, true]
        );
    }

    #[test]
    fn the_oldest_sleepers_retire_first_and_their_neighbours_wake() {
        let mut bodies = vec![
            Body::new(DVec3::Y * 9.0, 0.1, 7),
            sleeper(0.0),
            sleeper(0.2),
            sleeper(9.0),
        ];
        retire(&mut bodies, 3);
        assert_eq!(bodies.len(), 3);
        assert_eq!(bodies[0].material, 7);
        assert!(!bodies[1].asleep && bodies[2].asleep);
        retire(&mut bodies, 0);
        assert!(bodies.is_empty());
    }

    #[test]
    fn a_body_sleeps_only_after_enough_still_ticks_in_touch() {
        let mut body = Body::new(DVec3::ZERO, 0.1, 0);
        for _ in 0..100 {
            rest(&mut body, false);
        }
        assert!(!body.asleep);
        body.position.x += 0.02;
        rest(&mut body, true);
        for tick in 1..=TICKS_TO_SLEEP {
            rest(&mut body, true);
            assert_eq!(body.asleep, tick == TICKS_TO_SLEEP);
        }
    }
}
