//! Contacts of a body with the world's surface, now or before the tick ends.
//!
//! A body asks the world once for the surface around it, and all its balls ask that patch, for as many ticks as it stays
//! there. A body whose clearance is known to be large enough does not ask at all.
use super::active_body::MovingBall;
use super::ball::Ball;
use super::body::Body;
use super::contact::{CONTACT_MARGIN, Contact, ContactConstraints};
use super::forces::Forces;
use super::manifold::{ManifoldPoint, reduce};
use super::surface_cache::SurfaceCache;
use crate::bvh::{Patch, QueryStats, Touch};
use crate::geom::Aabb;
use crate::world::World;
use glam::DVec3;
use smallvec::SmallVec;
use std::sync::Arc;

/// A ball that moves more than this part of its radius in a tick is swept.
const FAST: f64 = 0.25;
/// How much farther than a chunk can reach in a tick its patch goes, in radii.
const CHUNK_MARGIN: f64 = 0.25;
/// The same for a crumb, in radii and in ticks of its speed: the patch should last for some ticks.
const CRUMB_MARGIN: f64 = 1.0;
const CRUMB_TICKS: f64 = 2.0;
/// Most contacts of one ball with walls.
const MOST_PLANES: usize = 6;
/// A point this close to a face's plane lies on it, metres.
const ON_PLANE: f64 = 1e-6;
/// Contact normals with a greater cosine belong to one manifold.
const SAME_SIDE: f64 = 0.95;

/// If the surface is farther than this from a body's centre, none of its balls can touch it while it lies still, metres.
pub(super) fn least_clearance(body: &Body, forces: &Forces) -> f64 {
    body.radius + forces.buffer.min(body.radius * 0.1) + CONTACT_MARGIN
}

/// A distance from a body's centre that no surface is nearer than, by what was learnt when the world was last asked, metres.
/// `None` if it was not asked yet, or has changed there since.
pub(super) fn known_clearance(body: &Body, world: &World) -> Option<f64> {
    let known = &body.surface;
    let patch = known.patch.as_ref()?;
    let is_known = !world.has_changed_since(known.revision, &patch.0);
    is_known.then(|| known.clearance - known.centre.distance(body.position))
}

/// Adds the contacts of a body with walls, and to `clearances` how near the surface is at least to each of its balls. A
/// contact where one of `held`, by its arm, was in the last step counts as a little deeper. Returns the new surface cache, if the world was asked.
pub(super) fn add_wall_contacts(
    (index, body, balls): (u32, &Body, &[MovingBall]),
    held: impl Iterator<Item = DVec3>,
    world: &World,
    forces: &Forces,
    (contacts, clearances, stats): (&mut ContactConstraints, &mut Vec<f64>, &mut QueryStats),
) -> Option<SurfaceCache> {
    let revision = world.revision();
    let around = |reach: f64| Aabb::from_centre(body.position, DVec3::splat(reach));
    let known = &body.surface;
    let travel = balls
        .iter()
        .map(|b| b.path.length_squared())
        .fold(0.0, f64::max)
        .sqrt();
    let at_rest = least_clearance(body, forces);
    let needed = at_rest + travel;
    let known_clearance = known_clearance(body, world);
    if let Some(clearance) = known_clearance.filter(|&clearance| clearance >= needed) {
        let of_ball = |ball: &MovingBall| clearance - ball.offset.map_or(0.0, DVec3::length);
        clearances.extend(balls.iter().map(of_ball));
        return None;
    }
    // The patch of a fast body does not cover its whole way: sweeps do that.
    let travel = travel.min(body.radius);
    let needed = at_rest + travel;
    let mut learnt = None;
    let nearest = |patch: &Patch, reach: f64| {
        // A chunk's centre of mass may lie in rock, outside all its balls: faces count from behind as well.
        if body.chunk.is_some() {
            return patch.clearance(body.position, reach);
        }
        let mut clearance = reach;
        patch.each_touch(body.position, reach, |touch| {
            clearance = clearance.min(touch.distance)
        });
        clearance
    };
    let patch = known.patch.as_ref().zip(known_clearance);
    let patch = patch.filter(|(patch, _)| patch.0.contains_box(&around(needed)));
    let (patch, clearance) = match patch {
        // One query for the whole chunk may spare one for each of its balls.
        Some((patch, _)) if balls.len() > 1 => (patch.clone(), nearest(&patch.1, needed)),
        Some((patch, clearance)) => (patch.clone(), clearance),
        None => {
            let margin = if body.chunk.is_some() {
                body.radius * CHUNK_MARGIN
            } else {
                body.radius * CRUMB_MARGIN + travel * CRUMB_TICKS
            };
            let bounds = around(needed + margin);
            let patch = Arc::new((bounds, world.patch_in_box(&bounds, stats)));
            let clearance = nearest(&patch.1, needed + margin);
            learnt = Some(SurfaceCache {
                centre: body.position,
                clearance,
                revision,
                patch: Some(patch.clone()),
            });
            (patch, clearance)
        }
    };
    let each_touch = |centre: DVec3, reach: f64, visit: &mut dyn FnMut(Touch)| {
        patch.1.each_touch(centre, reach, visit);
    };
    let mut touches: SmallVec<[Touch; 16]> = SmallVec::new();
    let mut found: SmallVec<[ManifoldPoint; 32]> = SmallVec::new();
    for (position, ball) in (0u16..).zip(balls) {
        let clearance = clearance - ball.offset.map_or(0.0, DVec3::length);
        if clearance >= ball.ball.radius * 1.1 + ball.path.length() + CONTACT_MARGIN {
            clearances.push(clearance);
            continue;
        }
        touches.clear();
        let (nearest, must_sweep) = find_touches(ball, travel, forces, each_touch, &mut touches);
        clearances.push(nearest);
        if touches.is_empty() && !must_sweep {
            continue;
        }
        remove_duplicates(&mut touches);
        let swept = must_sweep.then(|| sweep(ball, world, forces, stats));
        add_points(
            (position, ball),
            buffer(ball, forces),
            &touches,
            swept.flatten(),
            &mut found,
        );
    }
    if found.len() > 1 {
        let held: SmallVec<[DVec3; 16]> = held.collect();
        found.iter_mut().for_each(|point| point.note_kept(&held));
    }
    reduce_by_side(found, |point| {
        let ball = &balls[usize::from(point.balls[0])];
        contacts.add(
            [index, Contact::WORLD],
            (point.normal, point.gap),
            [ball.ball.radius, 0.0],
            [ball.offset, None],
        );
    });
    learnt
}

/// The gap that a ball keeps, metres.
pub(super) fn buffer(ball: &MovingBall, forces: &Forces) -> f64 {
    forces.buffer.min(ball.ball.radius * 0.1)
}

/// Finds the walls that a ball touches, and looks `ahead` metres along its way. Returns a distance that no surface is
/// nearer than, and whether the ball is so fast that it must be swept.
pub(super) fn find_touches(
    ball: &MovingBall,
    ahead: f64,
    forces: &Forces,
    each_touch: impl FnOnce(DVec3, f64, &mut dyn FnMut(Touch)),
    touches: &mut SmallVec<[Touch; 16]>,
) -> (f64, bool) {
    let Ball { centre, radius } = ball.ball;
    let buffer = buffer(ball, forces);
    let travel = ball.path.length();
    let is_fast = travel > FAST * radius;
    let margin = if is_fast {
        CONTACT_MARGIN
    } else {
        travel + CONTACT_MARGIN
    };
    let needed = radius + buffer + margin;
    let reach = needed.max(radius + buffer + travel.min(ahead) + CONTACT_MARGIN);
    let mut clearance = reach;
    each_touch(centre, reach, &mut |touch| {
        clearance = clearance.min(touch.distance);
        if touch.distance <= needed {
            touches.push(touch);
        }
    });
    (clearance, is_fast && clearance < radius + buffer + travel)
}

/// Normal and gap of the first surface that a fast ball hits.
fn sweep(
    ball: &MovingBall,
    world: &World,
    forces: &Forces,
    stats: &mut QueryStats,
) -> Option<(DVec3, f64)> {
    let Ball { centre, radius } = ball.ball;
    let buffer = buffer(ball, forces);
    let hit = world.sweep_sphere(centre, centre + ball.path, radius + buffer, stats)?;
    Some((hit.normal, -ball.path.dot(hit.normal) * hit.fraction))
}

/// Adds the contacts of a ball with walls, and the one of its sweep unless it has the normal of one of them.
pub(super) fn add_points(
    (position, ball): (u16, &MovingBall),
    buffer: f64,
    walls: &[Touch],
    swept: Option<(DVec3, f64)>,
    found: &mut SmallVec<[ManifoldPoint; 32]>,
) {
    let radius = ball.ball.radius;
    let near = walls.iter();
    let near = near.map(|wall| (wall.normal, wall.distance - radius - buffer));
    let is_same = |wall: &Touch, normal: DVec3| wall.normal.dot(normal) > 1.0 - 1e-6;
    let swept = swept.filter(|&(normal, _)| !walls.iter().any(|w| is_same(w, normal)));
    let all = near.chain(swept);
    let path = ball.path;
    found.extend(
        all.map(|(normal, gap)| ManifoldPoint::new(ball, [position, 0], normal, gap, path)),
    );
}

/// Groups points by their normals, in the order in which the normals were met, and reduces each group to a manifold.
pub(super) fn reduce_by_side(
    mut all: SmallVec<[ManifoldPoint; 32]>,
    mut keep: impl FnMut(&ManifoldPoint),
) {
    let mut side: SmallVec<[ManifoldPoint; 32]> = SmallVec::new();
    while let Some(first) = all.first() {
        let normal = first.normal;
        side.clear();
        all.retain(|point| {
            let is_other = point.normal.dot(normal) <= SAME_SIDE;
            if !is_other {
                side.push(*point);
            }
            is_other
        });
        reduce(&side).for_each(&mut keep);
    }
}

/// Keeps one touch for each plane, the nearest, and ridges only where no plane is as near. The order does not depend on
/// the tree.
pub(super) fn remove_duplicates(touches: &mut SmallVec<[Touch; 16]>) {
    let bits = |v: DVec3| v.to_array().map(f64::to_bits);
    // The normals of one face's triangles may differ in their last bits, so they decide too.
    let rank = |t: &Touch| {
        (
            !t.is_face,
            t.distance.to_bits(),
            bits(t.point),
            bits(t.normal),
        )
    };
    touches.sort_unstable_by_key(rank);
    let mut kept = 0;
    for i in 0..touches.len() {
        let touch = touches[i];
        let is_known = touches[..kept].iter().any(|wall| {
            let on_plane =
                wall.is_face && (touch.point - wall.point).dot(wall.normal).abs() <= ON_PLANE;
            on_plane && (!touch.is_face || wall.normal.dot(touch.normal) > 0.999)
                || wall.normal.dot(touch.normal) > 1.0 - 1e-9
                    && wall.distance <= touch.distance + ON_PLANE
        });
        if !is_known && kept < MOST_PLANES {
            touches[kept] = touch;
            kept += 1;
        }
    }
    touches.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_triangles_of_one_face_the_same_one_is_touched_whatever_their_order() {
        let touch = |x: f64| Touch {
            point: DVec3::ZERO,
            normal: DVec3::new(x, 1.0, 0.0),
            distance: 0.25,
            is_face: true,
        };
        let kept = |list: [f64; 3]| {
            let mut touches: SmallVec<[Touch; 16]> = list.into_iter().map(touch).collect();
            remove_duplicates(&mut touches);
            assert_eq!(touches.len(), 1);
            touches[0].normal.x
        };
        let [a, b, c] = [1e-17, 2e-17, -3e-17];
        for order in [[a, b, c], [c, a, b], [b, c, a], [c, b, a]] {
            assert_eq!(kept(order), a);
        }
    }
}
