//! How the player meets bodies: which ones block it, and how it shoves them.
use super::moving_sphere::{self, MovingSphere};
use super::player::Player;
use super::tick::TICK_SECS;
use crate::collide::{Layer, Layers};
use crate::debris::{Body, WAKING_SPEED};
use glam::DVec3;

/// Crumbs up to this mass do not block the player, who pushes them aside in passing. Kilograms.
pub const LIGHT_KG: f64 = 40.0;

/// The spheres of bodies that the player can meet in a tick.
pub fn spheres_near_player(player: &Player, all: &[Body], layers: &Layers) -> Vec<MovingSphere> {
    /// Exceeds the way of a tick at any speed, plus the body and a step, metres.
    const REACH: f64 = 5.0;
    let kinds = [Layer::Debris, Layer::Chunk].map(|kind| layers.meet(Layer::Player, kind));
    if kinds == [false, false] || player.no_clip {
        return Vec::new();
    }
    let near = |at: DVec3, radius: f64| at.distance(player.eye) < REACH + radius;
    let is_met = |body: &Body| kinds[usize::from(body.chunk.is_some())];
    let mut spheres = Vec::new();
    for (index, body) in all.iter().enumerate() {
        if near(body.position, body.radius) && is_met(body) {
            let balls = body.balls().filter(|b| near(b.centre, b.radius));
            spheres.extend(balls.map(|ball| MovingSphere::from_ball(index, body, ball)));
        }
    }
    spheres
}

/// The spheres among `spheres` that block the player.
pub fn obstacles(spheres: &[MovingSphere], bodies: &[Body]) -> Vec<MovingSphere> {
    let is_light = |body: &Body| body.chunk.is_none() && body.mass() < LIGHT_KG;
    let blocks = |sphere: &&MovingSphere| !bodies.get(sphere.index).is_some_and(is_light);
    spheres.iter().filter(blocks).copied().collect()
}

/// The effect of the player on a body that it leans on.
pub struct Shove {
    /// Index of the body.
    pub body: usize,
    /// Added to its velocity, metres a second.
    pub delta_velocity: DVec3,
    /// Whether the push is strong enough to wake it, or to keep it awake.
    pub wakes: bool,
}

/// Shoves of the bodies that the player leans on. Light ones move along at the speed of `wish_velocity` and out of the
/// player's body; heavy ones move as its strength allows. A sleeping body beside a standing player stays asleep.
pub fn shoves(
    player: &Player,
    wish_velocity: DVec3,
    spheres: &[MovingSphere],
    bodies: &[Body],
) -> Vec<Shove> {
    /// Newtons.
    const STRENGTH: f64 = 400.0;
    /// Largest gap at which a body counts as touched, metres: more than the buffer that sweeps keep.
    const TOUCH: f64 = 0.03;
    /// Speed at which an overlapping body is pushed out, metres a second for each metre of depth.
    const EASE_OUT: f64 = 12.0;
    let shove = |other: &MovingSphere| {
        let gap =
            |own: &MovingSphere| own.centre.distance(other.centre) - own.radius - other.radius;
        let own = moving_sphere::of_player(player).min_by(|a, b| gap(a).total_cmp(&gap(b)))?;
        let away = (other.centre - own.centre).try_normalize()?;
        let closing = (wish_velocity - other.velocity).dot(away) + EASE_OUT * (-gap(&own)).max(0.0);
        if gap(&own) > TOUCH || closing <= 0.0 {
            return None;
        }
        let body = &bodies[other.index];
        // A body that cannot get out sleeps where it is, until the player walks.
        let wakes = wish_velocity.dot(away) > WAKING_SPEED;
        (wakes || !body.asleep).then(|| Shove {
            body: other.index,
            delta_velocity: away * closing.min(STRENGTH * TICK_SECS / body.mass()),
            wakes,
        })
    };
    spheres.iter().filter_map(shove).collect()
}
