//! What does something that moves meet besides walls? Bodies, by the matrix of layers.
//!
//! Broad phase by the sweep of boxes, then sphere against sphere, both moving. What contains the start is left out: what
//! a rocket starts in, it leaves.
use super::state::Player;
use super::{Body, TICK_SECS, player};
use crate::collide::{Layer, Layers, SphereSweep, SweepHit, sweep_aabb_aabb, sweep_sphere_sphere};
use crate::debris::{Ball, WAKING_SPEED};
use crate::geom::Aabb;
use glam::DVec3;

/// Something that can be met: a sphere, or one of those that a body is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thing {
    /// Its kind.
    pub layer: Layer,
    /// Where it is in the list that it comes from.
    pub index: usize,
    /// Metres.
    pub centre: DVec3,
    /// Metres.
    pub radius: f64,
    /// Metres a second.
    pub velocity: DVec3,
}

/// The first contact with something that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// Part of the tick's displacement, 0..=1.
    pub fraction: f64,
    /// Where they touch, metres.
    pub point: DVec3,
    /// From what was met to who asks. Unit.
    pub normal: DVec3,
    /// Who was met.
    pub thing: Thing,
}

/// The kind of a body.
pub fn layer_of(body: &Body) -> Layer {
    match body.chunk {
        Some(_) => Layer::Chunk,
        None => Layer::Debris,
    }
}

/// The box around a body.
pub fn bounds_of(body: &Body) -> Aabb {
    let around = |bounds: Aabb, ball: Ball| {
        bounds.union(&Aabb::from_centre(ball.centre, DVec3::splat(ball.radius)))
    };
    body.balls().fold(Aabb::EMPTY, around)
}

/// The spheres of bodies.
pub fn bodies(bodies: &[Body]) -> impl Iterator<Item = Thing> {
    let all = bodies.iter().enumerate();
    all.flat_map(|(index, body)| body.balls().map(move |ball| thing(index, body, ball)))
}

fn thing(index: usize, body: &Body, ball: Ball) -> Thing {
    Thing {
        layer: layer_of(body),
        index,
        centre: ball.centre,
        radius: ball.radius,
        velocity: body.velocity,
    }
}

/// The spheres of the player; none while it flies through walls.
pub fn player(player: &Player) -> impl Iterator<Item = Thing> {
    let (shape, origin) = player::body(player);
    let heights = shape.heights.iter().filter(|_| !player.no_clip);
    heights.map(move |height| Thing {
        layer: Layer::Player,
        index: 0,
        centre: origin + DVec3::Y * *height,
        radius: shape.radius,
        velocity: player.velocity,
    })
}

/// Crumbs up to this heavy are in nobody's way: the player pushes them aside in passing. Kilograms.
pub const LIGHT_KG: f64 = 40.0;

/// The spheres of bodies that the player can meet in a tick.
pub fn around_player(player: &Player, all: &[Body], layers: &Layers) -> Vec<Thing> {
    /// Farther than the player gets in a tick at any speed, with the body and the step, metres.
    const REACH: f64 = 5.0;
    let kinds = [Layer::Debris, Layer::Chunk].map(|kind| layers.meet(Layer::Player, kind));
    if kinds == [false, false] || player.no_clip {
        return Vec::new();
    }
    let near = |at: DVec3, radius: f64| at.distance(player.eye) < REACH + radius;
    let is_met = |body: &Body| kinds[usize::from(body.chunk.is_some())];
    let mut things = Vec::new();
    for (index, body) in all.iter().enumerate() {
        if near(body.position, body.radius) && is_met(body) {
            let balls = body.balls().filter(|b| near(b.centre, b.radius));
            things.extend(balls.map(|ball| thing(index, body, ball)));
        }
    }
    things
}

/// Those of them that stand in the way.
pub fn obstacles(things: &[Thing], bodies: &[Body]) -> Vec<Thing> {
    let is_light = |body: &Body| body.chunk.is_none() && body.mass() < LIGHT_KG;
    let stands = |thing: &&Thing| !bodies.get(thing.index).is_some_and(is_light);
    things.iter().filter(stands).copied().collect()
}

/// What the player does to a body that it leans on.
pub struct Shove {
    /// Its index.
    pub body: usize,
    /// Of its velocity, metres a second.
    pub change: DVec3,
    /// Hard enough to wake it, or to keep it awake.
    pub wakes: bool,
}

/// What the player does to the bodies that it leans on. It takes light ones along at the speed of its `effort` and out of its
/// body, heavy ones give way as its strength moves them. What sleeps beside a player who stands sleeps on.
pub fn shoves(player: &Player, effort: DVec3, things: &[Thing], bodies: &[Body]) -> Vec<Shove> {
    /// Newtons.
    const STRENGTH: f64 = 400.0;
    /// A body this near is touched, metres: more than the buffer that sweeps keep.
    const TOUCH: f64 = 0.03;
    /// What is this deep inside is pushed out within a second, metres a second for each metre.
    const EASE_OUT: f64 = 12.0;
    let shove = |thing: &Thing| {
        let gap = |own: &Thing| own.centre.distance(thing.centre) - own.radius - thing.radius;
        let own = self::player(player).min_by(|a, b| gap(a).total_cmp(&gap(b)))?;
        let away = (thing.centre - own.centre).try_normalize()?;
        let closing = (effort - thing.velocity).dot(away) + EASE_OUT * (-gap(&own)).max(0.0);
        if gap(&own) > TOUCH || closing <= 0.0 {
            return None;
        }
        let body = &bodies[thing.index];
        // What cannot get out sleeps where it is, until the player walks.
        let wakes = effort.dot(away) > WAKING_SPEED;
        (wakes || !body.asleep).then(|| Shove {
            body: thing.index,
            change: away * closing.min(STRENGTH * TICK_SECS / body.mass()),
            wakes,
        })
    };
    things.iter().filter_map(shove).collect()
}

/// What a sphere of kind `layer` meets first on its way in a tick, as far as the layers let them meet; of equal fractions
/// the first in the list. A sphere that goes nowhere, or whose numbers are not finite, meets nothing.
pub fn first_met(
    layer: Layer,
    [from, to]: [DVec3; 2],
    radius: f64,
    layers: &Layers,
    things: impl Iterator<Item = Thing>,
) -> Option<Meeting> {
    let sweep = SphereSweep::new(from, to, radius)?;
    let mut first: Option<Meeting> = None;
    for thing in things.filter(|thing| layers.meet(layer, thing.layer)) {
        let displacement = thing.velocity * TICK_SECS;
        let hit = meet(&sweep, thing.centre, thing.radius, displacement);
        if let Some(hit) = hit
            && first.is_none_or(|old| hit.fraction < old.fraction)
        {
            first = Some(Meeting {
                fraction: hit.fraction,
                point: hit.point,
                normal: hit.normal,
                thing,
            });
        }
    }
    first
}

fn meet(sweep: &SphereSweep, centre: DVec3, radius: f64, displacement: DVec3) -> Option<SweepHit> {
    let around = |centre: DVec3, radius: f64| Aabb::from_centre(centre, DVec3::splat(radius));
    let (own, other) = (around(sweep.from, sweep.radius), around(centre, radius));
    sweep_aabb_aabb(&own, sweep.displacement, &other, displacement)?;
    if sweep.from.distance(centre) < sweep.radius + radius {
        return None;
    }
    sweep_sphere_sphere(sweep, centre, displacement, radius)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    #[test]
    fn only_layers_that_meet_are_met_and_a_start_inside_leaves() {
        let one = [Body::new(DVec3::X * 3.0, 0.5, 0)];
        let mut layers = Layers::default();
        let ask = |layers: &Layers, from: DVec3, to: DVec3| {
            first_met(Layer::Rocket, [from, to], 0.05, layers, bodies(&one))
        };
        let (start, end) = (DVec3::ZERO, DVec3::X * 6.0);
        assert_eq!(ask(&layers, start, end), None, "through debris, at first");
        layers.set(Layer::Rocket, Layer::Debris, true);
        let met = ask(&layers, start, end).expect("the body");
        assert!((met.fraction - 2.45 / 6.0).abs() < 1e-12);
        assert_eq!(met.thing.index, 0);
        assert!(met.normal.distance(-DVec3::X) < 1e-12);
        assert_eq!(ask(&layers, DVec3::X * 2.8, end), None);
        assert_eq!(ask(&layers, start, start), None);
        assert_eq!(ask(&layers, start, DVec3::NAN), None);
    }

    /// Small steps of the tick, by distance.
    #[test]
    fn agrees_with_small_steps_where_everything_moves() {
        let mut rng = Rng::new(2);
        let mut layers = Layers::default();
        layers.set(Layer::Rocket, Layer::Debris, true);
        let mut hits = 0;
        for _ in 0..300 {
            let some: Vec<Body> = (0..20)
                .map(|_| {
                    let mut body = Body::new(rng.unit_vector() * 2.0, rng.range(0.05, 0.3), 0);
                    body.velocity = rng.unit_vector() * 20.0;
                    body
                })
                .collect();
            let from = rng.unit_vector() * 3.0;
            let to = -from;
            let gap = |f: f64| {
                let at = from.lerp(to, f);
                let reach = |b: &Body| {
                    (b.position + b.velocity * (TICK_SECS * f)).distance(at) - b.radius - 0.05
                };
                some.iter().map(reach).fold(f64::INFINITY, f64::min)
            };
            if gap(0.0) < 0.0 {
                continue;
            }
            let stepped = (0..=4000)
                .map(|i| f64::from(i) / 4000.0)
                .find(|f| gap(*f) < 0.0);
            let met = first_met(Layer::Rocket, [from, to], 0.05, &layers, bodies(&some));
            if let Some(stepped) = stepped {
                hits += 1;
                let fraction = met.expect("a step touches").fraction;
                assert!(
                    fraction <= stepped && stepped - fraction < 0.002,
                    "{fraction} {stepped}"
                );
            }
        }
        assert!(hits > 20, "{hits}");
    }
}
