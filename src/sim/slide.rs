//! Moving a player's body: a stack of spheres swept together, and the slide along what they meet.
//!
//! The slide is the one of Quake's `PM_SlideMove`: go as far as the sweep allows, take the part that points into the
//! surface out of the velocity, go on with what is left of the time; along the crease of two surfaces where taking
//! out one part points into the other; and stop where three meet. Ours differs in the distance that is kept: the
//! buffer, measured from the contact plane (Schroeder 2001), instead of a constant back-off along the path.
use super::meet::Thing;
use crate::bvh::QueryStats;
use crate::collide::{SphereSweep, SweepHit, sweep_sphere_sphere};
use crate::debris::buffered;
use crate::world::World;
use glam::DVec3;
use smallvec::SmallVec;

/// A body: spheres of one radius above each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Heights of the centres above the body's origin, metres.
    pub heights: &'static [f64],
    /// Metres.
    pub radius: f64,
}

/// How a sweep of a whole body ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Part of the displacement that may be gone, buffer kept, 0..=1.
    pub fraction: f64,
    /// The first contact itself.
    pub hit: SweepHit,
}

/// How a slide ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Slid {
    /// Where the body's origin is, metres.
    pub at: DVec3,
    /// What is left of the velocity, metres a second.
    pub velocity: DVec3,
    /// What it met, in order.
    pub met: SmallVec<[SweepHit; 4]>,
}

/// What stands in the way.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// The rooms.
    pub world: &'a World,
    /// Spheres of bodies that the player meets; they are taken as standing still. What the body is inside of it leaves.
    pub things: &'a [Thing],
}

/// How a body moves in a tick.
#[derive(Clone, Copy, Debug)]
pub struct Mover<'a> {
    /// What stands in the way.
    pub around: Around<'a>,
    /// The body.
    pub shape: Shape,
    /// Gap to keep, metres.
    pub buffer: f64,
    /// Treat every surface too steep to walk on as an upright wall, so that walking into it lifts nobody.
    pub upright_below: f64,
}

/// Surfaces that a slide may meet before it gives up the rest of the tick.
const BUMPS: usize = 5;
/// Overlapping more than this, metres, a thing is one to get out of.
const INSIDE: f64 = 0.02;
/// A move shorter than this, metres, is none.
const SHORTEST_MOVE: f64 = 1e-7;
/// After a clip the velocity leaves the plane by this part of itself: rounding must not point it inwards again.
const LEAVE: f64 = 1e-9;

impl Mover<'_> {
    /// First contact of the body on its way from `at` by `delta`; equal fractions: the lowest sphere, walls first.
    pub fn sweep(&self, at: DVec3, delta: DVec3, stats: &mut QueryStats) -> Option<Contact> {
        let Around { world, things } = self.around;
        let mut first: Option<SweepHit> = None;
        let mut offer = |hit: SweepHit| {
            if first.is_none_or(|first| hit.fraction < first.fraction) {
                first = Some(hit);
            }
        };
        for &height in self.shape.heights {
            let from = at + DVec3::Y * height;
            let to = from + delta;
            if let Some(wall) = world.sweep_sphere(from, to, self.shape.radius, stats) {
                offer(SweepHit {
                    fraction: wall.fraction,
                    point: wall.point,
                    normal: wall.normal,
                });
            }
            let Some(sweep) = SphereSweep::new(from, to, self.shape.radius) else {
                continue;
            };
            let meet = |thing: &Thing| {
                let apart = from.distance(thing.centre) - self.shape.radius - thing.radius;
                if apart < -INSIDE {
                    return None;
                }
                sweep_sphere_sphere(&sweep, thing.centre, DVec3::ZERO, thing.radius)
            };
            things.iter().filter_map(meet).for_each(&mut offer);
        }
        first.map(|hit| Contact {
            fraction: buffered(hit.fraction, delta, hit.normal, self.buffer),
            hit,
        })
    }

    /// Moves for `secs` along everything that is met.
    pub fn slide(&self, at: DVec3, velocity: DVec3, secs: f64, stats: &mut QueryStats) -> Slid {
        let mut slid = Slid {
            at,
            velocity,
            met: SmallVec::new(),
        };
        let mut planes: SmallVec<[DVec3; 4]> = SmallVec::new();
        let mut left = secs;
        for _ in 0..BUMPS {
            let delta = slid.velocity * left;
            if delta.length_squared() < SHORTEST_MOVE * SHORTEST_MOVE {
                break;
            }
            let Some(contact) = self.sweep(slid.at, delta, stats) else {
                slid.at += delta;
                break;
            };
            // What was left behind blocks no more (as in Quake's `PM_FlyMove`).
            if delta.length() * contact.fraction > SHORTEST_MOVE {
                planes.clear();
            }
            slid.at += delta * contact.fraction;
            left *= 1.0 - contact.fraction;
            slid.met.push(contact.hit);
            planes.push(self.wall_normal(contact.hit.normal));
            slid.velocity = clip(slid.velocity, &planes);
        }
        slid
    }

    /// The normal to slide along.
    fn wall_normal(&self, normal: DVec3) -> DVec3 {
        if normal.y >= self.upright_below {
            return normal;
        }
        DVec3::new(normal.x, 0.0, normal.z)
            .try_normalize()
            .unwrap_or(normal)
    }
}

/// The velocity nearest to `velocity` that points into none of the planes: clipped by one, along the crease of two, or
/// zero. The newest plane comes last.
pub fn clip(velocity: DVec3, planes: &[DVec3]) -> DVec3 {
    let into = |v: DVec3, normal: DVec3| v.dot(normal) < 0.0;
    let Some(&newest) = planes.last() else {
        return velocity;
    };
    let along = clip_by_one(velocity, newest);
    let Some(&blocking) = planes.iter().find(|&&normal| into(along, normal)) else {
        return along;
    };
    let Some(crease) = newest.cross(blocking).try_normalize() else {
        return DVec3::ZERO;
    };
    let along = crease * crease.dot(velocity);
    // The crease's direction carries rounding: only a real part against a third plane counts.
    let slack = velocity.length() * LEAVE;
    let third = planes.iter().any(|&normal| along.dot(normal) < -slack);
    if third {
        DVec3::ZERO
    } else {
        along + (newest + blocking) * slack
    }
}

/// Takes the part along the normal out, and a trace more.
fn clip_by_one(velocity: DVec3, normal: DVec3) -> DVec3 {
    let inwards = velocity.dot(normal);
    if inwards >= 0.0 {
        return velocity;
    }
    velocity + normal * (velocity.length() * LEAVE - inwards)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wall_takes_out_its_part() {
        let v = clip(DVec3::new(3.0, 0.0, -4.0), &[DVec3::Z]);
        assert!((v - DVec3::new(3.0, 0.0, 0.0)).length() < 1e-7);
        assert!(v.dot(DVec3::Z) > 0.0);
    }

    #[test]
    fn a_corner_of_less_than_a_right_angle_leaves_only_the_crease() {
        let walls = [DVec3::Z, DVec3::new(-1.0, 0.0, -0.5).normalize()];
        let v = clip(DVec3::new(2.0, 1.0, -2.0), &walls);
        assert!((v - DVec3::Y).length() < 1e-6, "{v}");
        assert!(walls.iter().all(|n| v.dot(*n) > 0.0));
    }

    #[test]
    fn three_walls_stop() {
        let walls = [DVec3::X, DVec3::Y, DVec3::Z];
        assert!(clip(DVec3::splat(-1.0), &walls).length() < 1e-6);
    }

    #[test]
    fn leaving_all_walls_changes_nothing() {
        let v = DVec3::new(1.0, 2.0, 3.0);
        assert_eq!(clip(v, &[DVec3::X, DVec3::Z]), v);
        assert_eq!(clip(v, &[]), v);
    }
}
