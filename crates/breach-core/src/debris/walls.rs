//! What of the surface may a body touch before the tick ends?
//!
//! A body asks the world once for the surface around the whole of it, and then all its spheres ask that, for as many
//! ticks as it stays there. Who was found to be far from any surface does not ask again before it may have come near.
use super::contact::{Contact, Contacts};
use super::find::{NEAR, Part};
use super::pairs::{Meeting, thin};
use super::step::Forces;
use super::{Ball, Body};
use crate::bvh::{Patch, QueryStats, Touch};
use crate::geom::Aabb;
use crate::world::{Revision, World};
use glam::DVec3;
use smallvec::SmallVec;
use std::sync::Arc;

/// A sphere that moves more than this part of its radius in a tick is swept.
const FAST: f64 = 0.25;
/// How much more than what a chunk may touch in a tick is gathered, in radii.
const AROUND: f64 = 0.25;
/// The same of a crumb; and how much more, in ticks of its speed: it should stay there for some ticks.
const BEYOND: f64 = 1.0;
const AHEAD: f64 = 2.0;
/// Contacts of one sphere with walls.
const WALLS: usize = 6;
/// A point is on a face's plane, metres.
const ON_PLANE: f64 = 1e-6;
/// Normals with a greater cosine belong to one side of a chunk.
const ONE_SIDE: f64 = 0.95;

/// What a body has learnt of the surface around it.
#[derive(Clone, Debug, Default)]
pub(super) struct Surroundings {
    /// The surface is no nearer than `free` metres to `at`.
    at: DVec3,
    free: f64,
    /// Of the world when that was so.
    revision: Revision,
    /// The surface within a box around it.
    patch: Option<Arc<(Aabb, Patch)>>,
}

/// Adds the contacts of a body with walls, and of each of its spheres how near the surface may be. What it has learnt.
pub(super) fn walls(
    (index, body, parts): (u32, &Body, &[Part]),
    world: &World,
    forces: &Forces,
    (contacts, safe, stats): (&mut Contacts, &mut Vec<f64>, &mut QueryStats),
) -> Option<Surroundings> {
    let revision = world.revision();
    let around = |reach: f64| Aabb::from_centre(body.position, DVec3::splat(reach));
    let known = &body.surroundings;
    let far = parts
        .iter()
        .map(|p| p.path.length_squared())
        .fold(0.0, f64::max)
        .sqrt();
    // From the body's centre: nothing that any of its spheres may meet.
    let still = body.radius + forces.buffer.min(body.radius * 0.1) + NEAR;
    let needed = still + far;
    let has_changed = match &known.patch {
        Some(patch) => world.has_changed_since(known.revision, &patch.0),
        None => true,
    };
    let free = if has_changed {
        0.0
    } else {
        known.free - known.at.distance(body.position)
    };
    if free >= needed {
        let reach = |part: &Part| free - part.offset.map_or(0.0, DVec3::length);
        safe.extend(parts.iter().map(reach));
        return None;
    }
    // Nothing is gathered along the way of what flies like a shot: that is for the sweeps.
    let far = far.min(body.radius);
    let needed = still + far;
    let mut learnt = None;
    let nearest = |patch: &Patch, reach: f64| {
        // The middle of a chunk may lie in rock, where its spheres do not: a face counts from behind, too.
        if body.chunk.is_some() {
            return patch.clearance(body.position, reach);
        }
        let mut free = reach;
        patch.each_touch(body.position, reach, |touch| {
            free = free.min(touch.distance)
        });
        free
    };
    let patch = known.patch.as_ref();
    let patch = patch.filter(|patch| !has_changed && patch.0.contains_box(&around(needed)));
    let (patch, free) = match patch {
        // To ask for the whole of a chunk is less than to ask for each of its spheres.
        Some(patch) if parts.len() > 1 => (patch.clone(), nearest(&patch.1, needed)),
        Some(patch) => (patch.clone(), free),
        None => {
            let margin = if body.chunk.is_some() {
                body.radius * AROUND
            } else {
                body.radius * BEYOND + far * AHEAD
            };
            let bounds = around(needed + margin);
            let patch = Arc::new((bounds, world.patch_in_box(&bounds, stats)));
            let free = nearest(&patch.1, needed + margin);
            learnt = Some(Surroundings {
                at: body.position,
                free,
                revision,
                patch: Some(patch.clone()),
            });
            (patch, free)
        }
    };
    // All that any of its spheres will ask for.
    let reach = |part: &Part| {
        let moves = part.path.length();
        let reach = part.ball.radius + buffer(part, forces) + moves + NEAR;
        Aabb::from_centre(part.ball.centre, DVec3::splat(reach))
    };
    let asked = parts.iter().map(reach).reduce(|a, b| a.union(&b));
    let near = asked.filter(|_| parts.len() > 1);
    let near = near.map(|asked| patch.1.within(&asked));
    let ask = |centre: DVec3, reach: f64, visit: &mut dyn FnMut(Touch)| match &near {
        Some(near) => near.each_touch(centre, reach, visit),
        None => patch.1.each_touch(centre, reach, visit),
    };
    let mut touches: SmallVec<[Touch; 16]> = SmallVec::new();
    let mut found: SmallVec<[Meeting; 32]> = SmallVec::new();
    for (place, part) in (0u16..).zip(parts) {
        let free = free - part.offset.map_or(0.0, DVec3::length);
        if free >= part.ball.radius * 1.1 + part.path.length() + NEAR {
            safe.push(free);
            continue;
        }
        touches.clear();
        let (nearest, must_sweep) = touches_of(part, far, forces, ask, &mut touches);
        safe.push(nearest);
        if touches.is_empty() && !must_sweep {
            continue;
        }
        distinct(&mut touches);
        let sweep = must_sweep.then(|| sweep(part, world, forces, stats));
        add(
            (place, part),
            buffer(part, forces),
            &touches,
            sweep.flatten(),
            &mut found,
        );
    }
    by_side(found, |m| {
        let part = &parts[usize::from(m.parts[0])];
        contacts.add(
            [index, Contact::WORLD],
            [part.part, 0],
            (m.normal, m.gap),
            [part.ball.radius, 0.0],
            [part.offset, None],
        );
    });
    learnt
}

/// The gap that a sphere keeps, metres.
fn buffer(part: &Part, forces: &Forces) -> f64 {
    forces.buffer.min(part.ball.radius * 0.1)
}

/// Asks for the walls around one sphere, and for what is in its way up to `ahead` metres. No surface is nearer than the
/// distance that it answers; and whether it is fast, and something may be in its way that is not among the walls.
fn touches_of(
    part: &Part,
    ahead: f64,
    forces: &Forces,
    ask: impl FnOnce(DVec3, f64, &mut dyn FnMut(Touch)),
    touches: &mut SmallVec<[Touch; 16]>,
) -> (f64, bool) {
    let Ball { centre, radius } = part.ball;
    let buffer = buffer(part, forces);
    let moves = part.path.length();
    let is_fast = moves > FAST * radius;
    let needed = radius + buffer + if is_fast { NEAR } else { moves + NEAR };
    let reach = needed.max(radius + buffer + moves.min(ahead) + NEAR);
    let mut safe = reach;
    ask(centre, reach, &mut |touch| {
        safe = safe.min(touch.distance);
        if touch.distance <= needed {
            touches.push(touch);
        }
    });
    (safe, is_fast && safe < radius + buffer + moves)
}

/// Normal and gap of what a fast sphere meets first on its way.
fn sweep(
    part: &Part,
    world: &World,
    forces: &Forces,
    stats: &mut QueryStats,
) -> Option<(DVec3, f64)> {
    let Ball { centre, radius } = part.ball;
    let buffer = buffer(part, forces);
    let hit = world.sweep_sphere(centre, centre + part.path, radius + buffer, stats)?;
    Some((hit.normal, -part.path.dot(hit.normal) * hit.fraction))
}

/// Adds the contacts of a sphere with walls, and with what a sweep met unless it is one of them.
fn add(
    (place, part): (u16, &Part),
    buffer: f64,
    walls: &[Touch],
    sweep: Option<(DVec3, f64)>,
    found: &mut SmallVec<[Meeting; 32]>,
) {
    let radius = part.ball.radius;
    let near = walls.iter();
    let near = near.map(|wall| (wall.normal, wall.distance - radius - buffer));
    let is_known = |wall: &Touch, normal: DVec3| wall.normal.dot(normal) > 1.0 - 1e-6;
    let swept = sweep.filter(|&(normal, _)| !walls.iter().any(|w| is_known(w, normal)));
    let all = near.chain(swept);
    let path = part.path;
    found.extend(all.map(|(normal, gap)| Meeting::new(part, [place, 0], normal, gap, path)));
}

/// Keeps a few of a body's contacts with walls for each side from which they press, in the order in which the sides were
/// met.
fn by_side(mut all: SmallVec<[Meeting; 32]>, mut keep: impl FnMut(&Meeting)) {
    let mut side: SmallVec<[Meeting; 32]> = SmallVec::new();
    while let Some(first) = all.first() {
        let normal = first.normal;
        side.clear();
        all.retain(|m| {
            let is_other = m.normal.dot(normal) <= ONE_SIDE;
            if !is_other {
                side.push(*m);
            }
            is_other
        });
        thin(&side).for_each(&mut keep);
    }
}

/// Keeps one touch for each plane, and ridges only where no plane is as near: the nearest, in an order that no tree
/// decides.
fn distinct(touches: &mut SmallVec<[Touch; 16]>) {
    let bits = |v: DVec3| v.to_array().map(f64::to_bits);
    // The triangles of one face may differ in the last bits of their normals alone.
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
        if !is_known && kept < WALLS {
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
            distinct(&mut touches);
            assert_eq!(touches.len(), 1);
            touches[0].normal.x
        };
        let [a, b, c] = [1e-17, 2e-17, -3e-17];
        for order in [[a, b, c], [c, a, b], [b, c, a], [c, b, a]] {
            assert_eq!(kept(order), a);
        }
    }
}
