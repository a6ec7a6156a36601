//! The clearance of a point in the air, and the resolution of spheres and bodies that overlap walls.
use super::ball::Ball;
use super::body::Body;
use super::placement;
use crate::bvh::QueryStats;
use crate::collide::closest_point_triangle;
use crate::geom::Aabb;
use crate::world::World;
use glam::DVec3;
use std::cmp::Ordering::Equal;

/// The point of the surface nearest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// On the surface, metres.
    pub point: DVec3,
    /// Metres between the two points.
    pub distance: f64,
}

/// The nearest surface within `limit` metres that faces `p`; the far side of a thin wall does not count. Of equal
/// distances the point lower in x, then y, then z is taken, so that the answer does not depend on the tree.
pub fn nearest_surface(
    world: &World,
    p: DVec3,
    limit: f64,
    stats: &mut QueryStats,
) -> Option<Nearest> {
    let bounds = Aabb {
        min: p - DVec3::splat(limit),
        max: p + DVec3::splat(limit),
    };
    let mut best: Option<Nearest> = None;
    world.each_triangle_in_box(&bounds, stats, &mut |room, triangle| {
        let mesh = &world.room(room).mesh;
        let Some(triangle) = mesh.triangles.get(triangle as usize) else {
            return;
        };
        let corners @ [a, b, c] = triangle.corners.map(|i| mesh.positions[i as usize]);
        if (b - a).cross(c - a).dot(p - a) < 0.0 {
            return;
        }
        let point = closest_point_triangle(p, &corners);
        let distance = p.distance(point);
        let nearer = match best {
            None => distance <= limit,
            Some(old) => {
                distance < old.distance
                    || (distance == old.distance && point.to_array() < old.point.to_array())
            }
        };
        if nearer {
            best = Some(Nearest { point, distance });
        }
    });
    best
}

/// Moves a sphere, whose centre lies in the air, out of the surfaces that it overlaps; the centre never crosses a wall.
/// Without enough room it ends between the walls.
pub fn push_out(world: &World, centre: DVec3, radius: f64, stats: &mut QueryStats) -> DVec3 {
    let mut at = centre;
    for _ in 0..8 {
        let Some(near) = nearest_surface(world, at, radius, stats) else {
            break;
        };
        let overlap = radius - near.distance;
        if overlap <= radius * 1e-9 || near.distance <= 0.0 {
            break;
        }
        let to = at + (at - near.point) * (overlap / near.distance);
        // A ray, not a sweep: the sphere already touches, and only the centre must not cross anything.
        let free = world
            .cast_ray(at, to, stats)
            .map_or(1.0, |hit| hit.fraction * 0.5);
        at += (to - at) * free;
    }
    at
}

/// Moves a body out of rock that was added where it lies: to the nearest air within `reach` metres that it fits, or a little
/// aside if only its surface is in a wall. False if there is no such air.
pub fn free(body: &mut Body, world: &World, reach: f64, stats: &mut QueryStats) -> bool {
    let is_out = |ball: Ball| world.locate(ball.centre).is_some();
    if body.chunk.is_some() {
        // While the centres of all balls are in the air, contacts push the chunk out.
        return body.balls().all(is_out) || placement::place_in_air(body, world, reach);
    }
    if world.locate(body.position).is_some() {
        body.position = push_out(world, body.position, body.radius, stats);
        return true;
    }
    let found = air_near(world, body.position, body.radius, reach, 1, stats);
    let Some(&position) = found.first() else {
        return false;
    };
    body.teleport(position);
    body.wake();
    true
}

/// Positions in the air for a sphere whose centre `p` is in rock: within `reach` metres, touching a surface from the front
/// and overlapping none. At most `count`, nearest first; of equal distances lower in x, then y, then z.
pub fn air_near(
    world: &World,
    p: DVec3,
    radius: f64,
    reach: f64,
    count: usize,
    stats: &mut QueryStats,
) -> Vec<DVec3> {
    // In a corner of many triangles nothing fits: give up on a small box, and search a larger one.
    const TRIES: usize = 256;
    let mut limit = (radius * 4.0).min(reach);
    loop {
        let mut candidates = touching(world, p, radius, limit, stats);
        candidates.retain(|q| q.distance(p) <= limit);
        candidates.sort_by(|a, b| {
            let far = |q: &DVec3| q.distance_squared(p);
            far(a)
                .total_cmp(&far(b))
                .then_with(|| a.to_array().partial_cmp(&b.to_array()).unwrap_or(Equal))
        });
        candidates.dedup();
        let mut found = Vec::new();
        for candidate in candidates.into_iter().take(TRIES) {
            if world.locate(candidate).is_none() {
                continue;
            }
            let free = push_out(world, candidate, radius, stats);
            // A position in front of one wall may lie in the plane of another, and rounding may put it just behind that
            // plane, so both sides count.
            let is_clear = is_clear(world, free, radius * (1.0 - 1e-6), stats);
            if is_clear && world.locate(free).is_some() {
                found.push(free);
                if found.len() == count {
                    return found;
                }
            }
        }
        if limit >= reach {
            return found;
        }
        limit = (limit * 2.0).min(reach);
    }
}

/// Whether no surface is nearer to `p` than `radius` metres, from either side.
fn is_clear(world: &World, p: DVec3, radius: f64, stats: &mut QueryStats) -> bool {
    let around = Aabb::from_centre(p, DVec3::splat(radius));
    let mut is_clear = true;
    world.each_triangle_in_box(&around, stats, &mut |room, triangle| {
        let mesh = &world.room(room).mesh;
        if let Some(triangle) = mesh.triangles.get(triangle as usize) {
            let corners = triangle.corners.map(|i| mesh.positions[i as usize]);
            is_clear &= p.distance(closest_point_triangle(p, &corners)) >= radius;
        }
    });
    is_clear
}

/// For each triangle near `p`, the centre of a sphere that touches its front at the point nearest to `p`.
fn touching(
    world: &World,
    p: DVec3,
    radius: f64,
    limit: f64,
    stats: &mut QueryStats,
) -> Vec<DVec3> {
    let bounds = Aabb::from_centre(p, DVec3::splat(limit));
    let mut centres = Vec::new();
    world.each_triangle_in_box(&bounds, stats, &mut |room, triangle| {
        let mesh = &world.room(room).mesh;
        let Some(triangle) = mesh.triangles.get(triangle as usize) else {
            return;
        };
        let corners @ [a, b, c] = triangle.corners.map(|i| mesh.positions[i as usize]);
        if let Some(normal) = (b - a).cross(c - a).try_normalize() {
            centres.push(closest_point_triangle(p, &corners) + normal * (radius * (1.0 + 1e-6)));
        }
    });
    centres
}

#[cfg(test)]
mod tests {
    use super::super::tests::room;
    use super::*;
    use crate::geom::rng::Rng;

    #[test]
    fn a_place_found_for_what_is_buried_has_room_on_all_its_sides() {
        let mut rng = Rng::new(6);
        for round in 0..200 {
            let slope = rng.range(-0.9, 0.9);
            let world = room(slope);
            let radius = 0.02 * libm::exp(rng.range(0.0, 3.0));
            // In the floor beside a wall, whose faces end in the floor's plane.
            let x = rng.range(2.0, 38.0);
            let deep = DVec3::new(x, slope * x - rng.range(0.0, 1.5), rng.range(-0.5, 1.0));
            let stats = &mut QueryStats::default();
            for place in air_near(&world, deep, radius, 4.0, 9, stats) {
                let above = (place.y - slope * place.x) / (1.0 + slope * slope).sqrt();
                let least = above.min(place.z).min(place.x);
                // The floor's corners lie on the grid.
                let room = radius * (1.0 - 2e-6) - 1e-4;
                assert!(least >= room, "{round}: {least} m of {radius} at {place}");
                assert!(world.locate(place).is_some(), "{round}: {place}");
            }
        }
    }
}
