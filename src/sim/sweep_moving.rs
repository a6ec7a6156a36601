//! Sweeping a sphere against spheres that move as well, filtered by the layer matrix.
//!
//! Broad phase by the sweep of boxes, then sphere against sphere. Spheres that overlap the start are left out, so a
//! projectile can leave the body that it starts in.
use super::moving_sphere::MovingSphere;
use super::tick::TICK_SECS;
use crate::collide::{Layer, Layers, SphereSweep, SweepHit, sweep_aabb_aabb, sweep_sphere_sphere};
use crate::geom::Aabb;
use glam::DVec3;

/// The first contact with a moving sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingHit {
    /// Part of the tick's displacement, 0..=1.
    pub fraction: f64,
    /// Contact point, metres.
    pub point: DVec3,
    /// From the sphere that was hit to the swept one. Unit.
    pub normal: DVec3,
    /// The sphere that was hit.
    pub sphere: MovingSphere,
}

/// The first hit of a sphere of `layer` on its way in a tick, among those that the layer matrix lets it meet; the first in
/// the list on equal fractions. None without a displacement, and where a number is not finite.
pub fn first_hit(
    layer: Layer,
    [from, to]: [DVec3; 2],
    radius: f64,
    layers: &Layers,
    spheres: impl Iterator<Item = MovingSphere>,
) -> Option<MovingHit> {
    let sweep = SphereSweep::new(from, to, radius)?;
    let mut first: Option<MovingHit> = None;
    for sphere in spheres.filter(|sphere| layers.meet(layer, sphere.layer)) {
        let displacement = sphere.velocity * TICK_SECS;
        let hit = sweep_one(&sweep, sphere.centre, sphere.radius, displacement);
        if let Some(hit) = hit
            && first.is_none_or(|old| hit.fraction < old.fraction)
        {
            first = Some(MovingHit {
                fraction: hit.fraction,
                point: hit.point,
                normal: hit.normal,
                sphere,
            });
        }
    }
    first
}

fn sweep_one(
    sweep: &SphereSweep,
    centre: DVec3,
    radius: f64,
    displacement: DVec3,
) -> Option<SweepHit> {
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
    use super::super::moving_sphere::of_bodies;
    use super::*;
    use crate::debris::Body;
    use crate::geom::rng::Rng;

    #[test]
    fn only_layers_that_meet_are_met_and_a_start_inside_leaves() {
        let one = [Body::new(DVec3::X * 3.0, 0.5, 0)];
        let mut layers = Layers::default();
        let ask = |layers: &Layers, from: DVec3, to: DVec3| {
            first_hit(Layer::Rocket, [from, to], 0.05, layers, of_bodies(&one))
        };
        let (start, end) = (DVec3::ZERO, DVec3::X * 6.0);
        assert_eq!(ask(&layers, start, end), None, "through debris, at first");
        layers.set(Layer::Rocket, Layer::Debris, true);
        let met = ask(&layers, start, end).expect("the body");
        assert!((met.fraction - 2.45 / 6.0).abs() < 1e-12);
        assert_eq!(met.sphere.index, 0);
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
            let met = first_hit(Layer::Rocket, [from, to], 0.05, &layers, of_bodies(&some));
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
