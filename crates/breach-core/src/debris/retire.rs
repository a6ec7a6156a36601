//! Removal of bodies, and a limit on their number.
//!
//! Above the limit bodies are retired in this order: small sleeping crumbs, large sleeping crumbs, crumbs awake, sleeping
//! chunks, chunks awake; older ones first. A chunk that may be in view is never retired. A retired body fades for
//! [`FADE_TICKS`] and is then removed, and bodies that touch it wake.
use super::body::{Body, BodyId};
use super::grid::BoundingSphere;
use super::sleep;
use super::state::Debris;
use glam::DVec3;

/// Ticks that a retired body fades before it is removed.
pub const FADE_TICKS: u16 = 45;
/// Most bodies that fade at once; if there are more, the oldest are removed immediately.
pub const MOST_FADING: usize = 1000;
/// A crumb of a smaller radius is small, metres.
const SMALL: f64 = 0.1;
/// Cosine of half the angle of the view cone: wider than any picture.
const WITHIN_VIEW: f64 = 0.45;

/// The viewer from whose view no chunk is retired.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    /// Position of the eye, metres.
    pub eye: DVec3,
    /// Look direction, unit.
    pub look: DVec3,
}

impl Viewer {
    /// Whether any part of the body is in the view cone. Walls are ignored.
    pub fn may_see(&self, body: &Body) -> bool {
        let to = body.position - self.eye;
        to.dot(self.look) + body.radius > (to.length() - body.radius) * WITHIN_VIEW
    }
}

/// Retires bodies until at most `limit` stay. Bodies are in the order in which they were added.
pub fn retire(bodies: &mut Vec<Body>, limit: usize, viewer: &Viewer) {
    let mut fading = bodies.iter().filter(|body| body.fading > 0).count();
    let surplus = (bodies.len() - fading).saturating_sub(limit);
    if surplus > 0 {
        let rank = |body: &Body| match (&body.chunk, body.asleep) {
            (None, true) => u8::from(body.radius >= SMALL),
            (None, false) => 2,
            (Some(_), true) => 3,
            (Some(_), false) => 4,
        };
        let may_retire =
            |body: &Body| body.fading == 0 && (body.chunk.is_none() || !viewer.may_see(body));
        let indices = 0..bodies.len();
        let mut order: Vec<usize> = indices.filter(|&i| may_retire(&bodies[i])).collect();
        order.sort_by_key(|&i| rank(&bodies[i]));
        for &i in order.iter().take(surplus) {
            bodies[i].fading = FADE_TICKS;
            fading += 1;
        }
    }
    let mut excess = fading.saturating_sub(MOST_FADING);
    if excess == 0 {
        return;
    }
    remove(bodies, |body| {
        let is_removed = excess > 0 && body.fading > 0;
        excess -= usize::from(is_removed);
        is_removed
    });
}

impl Debris {
    /// Removes a body and wakes those that touch it; false if it is not there.
    pub fn remove(&mut self, id: BodyId) -> bool {
        if self.index_of(id).is_none() {
            return false;
        }
        self.change(|bodies| remove(bodies, |body| body.id() == id));
        true
    }

    /// Counts a tick of fading, and removes the bodies that have faded. Call it once a tick if bodies are retired.
    pub fn fade(&mut self) {
        if !self.is_fading {
            return;
        }
        let fading = self.bodies.iter().filter(|body| body.fading > 0);
        if fading.clone().any(|body| body.fading == 1) {
            self.change(|bodies| remove(bodies, |body| body.fading == 1));
        }
        for body in self.bodies.iter_mut().filter(|body| body.fading > 1) {
            body.fading -= 1;
        }
    }
}

/// Removes bodies and wakes those that touch them.
fn remove(bodies: &mut Vec<Body>, mut is_removed: impl FnMut(&Body) -> bool) {
    let mut removed = Vec::new();
    bodies.retain(|body| {
        let is_removed = is_removed(body);
        if is_removed {
            let beyond = body.hull_beyond_balls();
            removed.extend(body.balls().map(|ball| BoundingSphere {
                centre: ball.centre,
                radius: ball.radius + beyond,
            }));
        }
        !is_removed
    });
    sleep::wake_around(bodies, &removed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debris::Chunk;
    use crate::debris::chunk::bounds_of;
    use glam::DQuat;
    use std::sync::Arc;

    const VIEWER: Viewer = Viewer {
        eye: DVec3::ZERO,
        look: DVec3::X,
    };

    fn crumb(x: f64, radius: f64, asleep: bool) -> Body {
        let mut body = Body::new(DVec3::X * x, radius, 0);
        body.asleep = asleep;
        body
    }

    fn chunk(x: f64) -> Body {
        let ball = crate::debris::Ball {
            centre: DVec3::ZERO,
            radius: 0.3,
        };
        let chunk = Chunk {
            bounds: bounds_of(&[ball]),
            balls: vec![ball],
            hull: None,
            mass: 100.0,
            moments: DVec3::ONE,
            radius: 0.3,
            volume_m3: 0.1,
            uncovered: 0.0,
            mesh: Default::default(),
            faces: Default::default(),
            home: (DVec3::ZERO, DQuat::IDENTITY),
            exact: None,
        };
        Body::from_chunk(DVec3::X * x, DQuat::IDENTITY, Arc::new(chunk), 0)
    }

    fn fading(bodies: &[Body]) -> Vec<usize> {
        let fades = bodies.iter().enumerate().filter(|(_, b)| b.fading > 0);
        fades.map(|(i, _)| i).collect()
    }

    #[test]
    fn small_sleeping_crumbs_retire_first_then_large_ones_then_those_awake_then_chunks_behind() {
        let all = [
            chunk(-9.0),
            crumb(1.0, 0.05, false),
            crumb(3.0, 0.2, true),
            crumb(5.0, 0.05, true),
            chunk(7.0),
            crumb(9.0, 0.05, true),
        ];
        let expected = [3, 5, 2, 1, 0];
        for surplus in 0..=all.len() {
            let mut bodies = all.to_vec();
            retire(&mut bodies, all.len() - surplus, &VIEWER);
            // The chunk before the eye, number 4, stays whatever is asked for.
            let mut chosen = expected[..surplus.min(expected.len())].to_vec();
            chosen.sort_unstable();
            assert_eq!(fading(&bodies), chosen, "{surplus} too many");
            assert_eq!(bodies.len(), all.len(), "none is removed at once");
        }
    }

    #[test]
    fn a_retired_body_is_removed_when_it_has_faded_and_wakes_what_leaned_on_it() {
        let mut debris = Debris::default();
        let all = [
            crumb(0.0, 0.05, true),
            crumb(0.1, 0.05, true),
            crumb(5.0, 0.05, true),
        ];
        debris.change(|bodies| {
            bodies.extend(all);
            retire(bodies, 2, &VIEWER);
        });
        for tick in 1..FADE_TICKS {
            debris.fade();
            assert_eq!((debris.len(), debris.awake()), (3, 0), "tick {tick}");
        }
        debris.fade();
        assert_eq!(debris.len(), 2);
        let asleep: Vec<bool> = debris.iter().map(|body| body.asleep).collect();
        assert_eq!(asleep, [false, true]);
        debris.fade();
        assert_eq!(debris.len(), 2);
    }

    #[test]
    fn no_more_fade_than_may() {
        let mut bodies: Vec<Body> = (0..3000).map(|i| crumb(f64::from(i), 0.05, true)).collect();
        retire(&mut bodies, 10, &VIEWER);
        assert_eq!(bodies.len(), 10 + MOST_FADING);
        assert_eq!(fading(&bodies).len(), MOST_FADING);
        // The youngest stay.
        assert_eq!(bodies[bodies.len() - 1].position.x, 2999.0);
    }
}
