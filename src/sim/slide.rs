//! Sweeping a player's body, a stack of spheres, and sliding it along the surfaces that it hits.
//!
//! This is Quake's `PM_SlideMove`: move as far as the sweep allows, clip the velocity to the surface, go on for the rest of
//! the time; slide along the crease where clipping to one surface points into another; stop where three meet. It differs
//! in the distance kept: a buffer measured from the contact plane (Schroeder 2001), instead of a constant back-off along
//! the path.
use super::moving_sphere::MovingSphere;
use super::player::SphereStack;
use crate::bvh::QueryStats;
use crate::collide::{SphereSweep, SweepHit, sweep_sphere_sphere};
use crate::debris::{Kinematic, buffered};
use crate::geom::Aabb;
use crate::world::World;
use glam::DVec3;
use smallvec::SmallVec;

/// The first contact of a swept body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StackHit {
    /// Part of the displacement that keeps the buffer, 0..=1.
    pub fraction: f64,
    /// The contact itself, without the buffer.
    pub hit: SweepHit,
}

/// The end of a slide.
#[derive(Clone, Debug, PartialEq)]
pub struct SlideResult {
    /// Position of the body's origin, metres.
    pub at: DVec3,
    /// Velocity after clipping, metres a second.
    pub velocity: DVec3,
    /// Contacts, in order.
    pub hits: SmallVec<[SweepHit; 4]>,
}

/// Walls, movers and spheres that a body can hit.
#[derive(Clone, Copy, Debug)]
pub struct Obstacles<'a> {
    /// Walls.
    pub world: &'a World,
    /// Movers, taken as standing where they are when the tick ends.
    pub solids: &'a [Kinematic],
    /// Spheres of bodies, taken as standing still. The player can leave those that it overlaps.
    pub spheres: &'a [MovingSphere],
}

/// A body, and how it moves in a tick.
#[derive(Clone, Copy, Debug)]
pub struct SlidingBody<'a> {
    /// What it can hit.
    pub obstacles: Obstacles<'a>,
    /// The body.
    pub stack: SphereStack,
    /// Gap to keep, metres.
    pub buffer: f64,
    /// Surfaces whose normal has a smaller y count as vertical walls, so that walking into a steep slope does not lift.
    pub walls_below: f64,
}

/// Contacts after which a slide gives up the rest of the tick.
const BUMPS: usize = 5;
/// Spheres that overlap the body by more than this, metres, do not block it.
const INSIDE: f64 = 0.02;
/// Shorter moves, metres, are not made.
const SHORTEST_MOVE: f64 = 1e-7;
/// Part of the speed added along the normal after a clip: rounding must not point the velocity inwards again.
const LEAVE: f64 = 1e-9;

impl SlidingBody<'_> {
    /// First contact of the body moving from `at` by `delta`; on equal fractions the lowest sphere, walls before movers, movers
    /// before bodies.
    pub fn sweep(&self, at: DVec3, delta: DVec3, stats: &mut QueryStats) -> Option<StackHit> {
        let Obstacles {
            world,
            solids,
            spheres,
        } = self.obstacles;
        let near = solids_near(solids, at, self.stack, delta);
        let mut first: Option<SweepHit> = None;
        let mut offer = |hit: SweepHit| {
            if first.is_none_or(|first| hit.fraction < first.fraction) {
                first = Some(hit);
            }
        };
        for &height in self.stack.heights {
            let from = at + DVec3::Y * height;
            let to = from + delta;
            if let Some(wall) = world.sweep_sphere(from, to, self.stack.radius, stats) {
                offer(SweepHit {
                    fraction: wall.fraction,
                    point: wall.point,
                    normal: wall.normal,
                });
            }
            for solid in &near {
                let hit = solid.sweep_sphere(1.0, from, to, self.stack.radius, stats);
                if let Some(hit) = hit {
                    offer(SweepHit {
                        fraction: hit.fraction,
                        point: hit.point,
                        normal: hit.normal,
                    });
                }
            }
            let Some(sweep) = SphereSweep::new(from, to, self.stack.radius) else {
                continue;
            };
            let hit_sphere = |sphere: &MovingSphere| {
                let apart = from.distance(sphere.centre) - self.stack.radius - sphere.radius;
                if apart < -INSIDE {
                    return None;
                }
                sweep_sphere_sphere(&sweep, sphere.centre, DVec3::ZERO, sphere.radius)
            };
            spheres.iter().filter_map(hit_sphere).for_each(&mut offer);
        }
        first.map(|hit| StackHit {
            fraction: buffered(hit.fraction, delta, hit.normal, self.buffer),
            hit,
        })
    }

    /// Moves for `secs`, sliding along every surface hit.
    pub fn slide(
        &self,
        at: DVec3,
        velocity: DVec3,
        secs: f64,
        stats: &mut QueryStats,
    ) -> SlideResult {
        let mut slid = SlideResult {
            at,
            velocity,
            hits: SmallVec::new(),
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
            // Planes that were left behind no longer clip (as in Quake's `PM_FlyMove`).
            if delta.length() * contact.fraction > SHORTEST_MOVE {
                planes.clear();
            }
            slid.at += delta * contact.fraction;
            left *= 1.0 - contact.fraction;
            slid.hits.push(contact.hit);
            planes.push(self.wall_normal(contact.hit.normal));
            slid.velocity = clip(slid.velocity, &planes);
        }
        slid
    }

    /// The normal to slide along.
    fn wall_normal(&self, normal: DVec3) -> DVec3 {
        if normal.y >= self.walls_below {
            return normal;
        }
        DVec3::new(normal.x, 0.0, normal.z)
            .try_normalize()
            .unwrap_or(normal)
    }
}

impl Obstacles<'_> {
    /// The normal of the first wall or mover on a ray.
    pub fn first_normal(&self, from: DVec3, to: DVec3, stats: &mut QueryStats) -> Option<DVec3> {
        let wall = self.world.cast_ray(from, to, stats);
        let mut first = wall.map(|hit| (hit.fraction, hit.normal));
        for solid in self.solids {
            if let Some(hit) = solid.sweep_sphere(1.0, from, to, 0.0, stats)
                && first.is_none_or(|first| hit.fraction < first.0)
            {
                first = Some((hit.fraction, hit.normal));
            }
        }
        first.map(|(_, normal)| normal)
    }
}

/// The solids whose boxes a body comes near on its way.
fn solids_near(
    solids: &[Kinematic],
    at: DVec3,
    stack: SphereStack,
    delta: DVec3,
) -> SmallVec<[&Kinematic; 4]> {
    if solids.is_empty() {
        return SmallVec::new();
    }
    let centres = stack.heights.iter().map(|height| at + DVec3::Y * *height);
    let ends = centres.flat_map(|centre| [centre, centre + delta]);
    let way = Aabb::from_points(ends)
        .unwrap_or(Aabb::EMPTY)
        .grow(stack.radius);
    let near = solids.iter().filter(|solid| solid.bounds().overlaps(&way));
    near.collect()
}

/// The velocity nearest to `velocity` that points into none of the planes: clipped to one (Quake's `PM_ClipVelocity`),
/// along the crease of two, or zero. The newest plane comes last.
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
    // The direction of the crease is rounded: a third plane counts only beyond that error.
    let slack = velocity.length() * LEAVE;
    let third = planes.iter().any(|&normal| along.dot(normal) < -slack);
    if third {
        DVec3::ZERO
    } else {
        along + (newest + blocking) * slack
    }
}

/// Removes the part along the normal, and a trace more.
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
