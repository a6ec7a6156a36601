//! Too many bodies: who goes, and how. Sleeping crumbs first, the small before the large and the old before the young;
//! then crumbs that are awake, then chunks; never a chunk that may be in view. Who goes fades away: so many ticks later
//! it is gone, and what leaned on it wakes.
use super::grid::Reach;
use super::{Body, sleep};
use glam::DVec3;

/// Ticks from being chosen to being gone.
pub const FADE_TICKS: u16 = 45;
/// At most so many bodies fade at once; of more, the oldest are gone at once.
pub const MOST_FADING: usize = 1000;
/// A crumb smaller than this is small, metres.
const SMALL: f64 = 0.1;
/// Cosine of the angle from the look direction within which something may be in view: more than any picture shows.
const WITHIN_VIEW: f64 = 0.45;

/// Whose view chunks do not vanish from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewer {
    /// The eye, metres.
    pub eye: DVec3,
    /// Where it looks, unit.
    pub look: DVec3,
}

impl Viewer {
    /// Whether any of the body may be in view; walls are not asked.
    pub fn may_see(&self, body: &Body) -> bool {
        let to = body.position - self.eye;
        to.dot(self.look) + body.radius > (to.length() - body.radius) * WITHIN_VIEW
    }
}

/// Chooses who goes until at most `limit` stay. Bodies stand in the order of their birth.
pub fn retire(bodies: &mut Vec<Body>, limit: usize, viewer: &Viewer) {
    let staying = bodies.iter().filter(|body| body.fading == 0).count();
    let surplus = staying.saturating_sub(limit);
    if surplus > 0 {
        let rank = |body: &Body| match (&body.chunk, body.asleep) {
            (None, true) => u8::from(body.radius >= SMALL),
            (None, false) => 2,
            (Some(_), true) => 3,
            (Some(_), false) => 4,
        };
        let may_go =
            |body: &Body| body.fading == 0 && (body.chunk.is_none() || !viewer.may_see(body));
        let mut order: Vec<usize> = (0..bodies.len()).filter(|&i| may_go(&bodies[i])).collect();
        order.sort_by_key(|&i| rank(&bodies[i]));
        for &i in order.iter().take(surplus) {
            bodies[i].fading = FADE_TICKS;
        }
    }
    let fading = bodies.iter().filter(|body| body.fading > 0).count();
    let mut left = fading.saturating_sub(MOST_FADING);
    remove(bodies, |body| {
        let goes = left > 0 && body.fading > 0;
        left -= usize::from(goes);
        goes
    });
}

/// Takes away those whose time is over.
pub(super) fn bury(bodies: &mut Vec<Body>) {
    remove(bodies, |body| body.fading == 1);
}

fn remove(bodies: &mut Vec<Body>, mut goes: impl FnMut(&Body) -> bool) {
    let mut gone = Vec::new();
    bodies.retain(|body| {
        let goes = goes(body);
        if goes {
            gone.extend(body.balls().map(|ball| Reach {
                centre: ball.centre,
                radius: ball.radius,
            }));
        }
        !goes
    });
    sleep::wake_around(bodies, &gone);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debris::chunk::bounds_of;
    use crate::debris::{Chunk, Debris};
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
            mass: 100.0,
            moments: DVec3::ONE,
            radius: 0.3,
            volume_m3: 0.1,
            uncovered: 0.0,
            mesh: Default::default(),
            faces: Default::default(),
            home: (DVec3::ZERO, DQuat::IDENTITY),
        };
        Body::of_chunk(DVec3::X * x, DQuat::IDENTITY, Arc::new(chunk), 0)
    }

    fn fading(bodies: &[Body]) -> Vec<usize> {
        let fades = bodies.iter().enumerate().filter(|(_, b)| b.fading > 0);
        fades.map(|(i, _)| i).collect()
    }

    #[test]
    fn small_sleeping_crumbs_go_first_then_large_ones_then_who_is_awake_then_chunks_behind() {
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
            assert_eq!(bodies.len(), all.len(), "nobody is gone at once");
        }
    }

    #[test]
    fn who_is_chosen_is_gone_when_it_has_faded_and_wakes_who_leaned_on_it() {
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
        // The youngest are who stays.
        assert_eq!(bodies[bodies.len() - 1].position.x, 2999.0);
    }
}
