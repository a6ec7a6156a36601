//! Falling asleep and waking up.
//!
//! A body that has stayed within a centimetre for [`TICKS_TO_SLEEP`], and touches something, falls asleep. (Its speed
//! would not tell: in a pile it trembles, and at the top of a bounce it is zero.) It wakes when another hits it, when a
//! change of the world happens where it lies, and when somebody that it lies on moves off or is taken away: nothing
//! hangs in the air because its support left while it slept, and nothing else wakes.
use super::Body;
use super::find::NEAR;
use super::grid::{Grid, Reach};
use crate::geom::Aabb;
use glam::DVec3;

/// Ticks of stillness before sleep: a third of a second. A bounce stays within the range for 5 at most.
pub const TICKS_TO_SLEEP: u16 = 20;
/// Moved less than this from its anchor, metres, is still.
const STILL_RANGE: f64 = 0.01;
/// The surface turns slower than this, metres a second, is still.
const STILL_TURN: f64 = 0.25;
/// A contact whose normal rises more than this carries.
pub(super) const LEANS: f64 = 0.1;

/// Counts the stillness of a tick that has just been stepped, and puts the body to sleep when it has rested enough.
/// Whether it has moved on from where it was.
pub fn rest(body: &mut Body, touching: bool) -> bool {
    let moved = body.position.distance_squared(body.anchor) > STILL_RANGE * STILL_RANGE;
    let turns = body.spin.length() * body.radius > STILL_TURN;
    if moved || turns {
        body.anchor = body.position;
        body.still = 0;
        return true;
    }
    body.still = body.still.saturating_add(1);
    if body.still >= TICKS_TO_SLEEP && touching {
        body.asleep = true;
        body.velocity = DVec3::ZERO;
        body.spin = DVec3::ZERO;
        body.previous = body.position;
        body.previous_rotation = body.rotation;
    }
    false
}

/// Wakes every body of which a sphere touches `bounds`.
pub fn wake_in_box(bodies: &mut [Body], bounds: &Aabb) {
    for body in bodies.iter_mut().filter(|body| body.asleep) {
        let near = |centre: DVec3, radius: f64| {
            centre.clamp(bounds.min, bounds.max).distance(centre) <= radius + NEAR
        };
        if near(body.position, body.radius)
            && body.balls().any(|ball| near(ball.centre, ball.radius))
        {
            body.wake();
        }
    }
}

/// Wakes the sleepers that touch one of these spheres, which are gone.
pub fn wake_around(bodies: &mut [Body], gone: &[Reach]) {
    if gone.is_empty() {
        return;
    }
    let grid = Grid::new(gone.iter().copied());
    for body in bodies.iter_mut().filter(|body| body.asleep) {
        let mut touches = false;
        for ball in body.balls() {
            let reach = Reach {
                centre: ball.centre,
                radius: ball.radius + NEAR,
            };
            grid.each_overlapping(&reach, |_| touches = true);
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
    fn waking_a_place_wakes_who_touches_it_and_nobody_else() {
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
