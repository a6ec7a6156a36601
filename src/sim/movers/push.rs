//! Makes way for movers: they carry who stands on them, push who is in front of them, and crush crumbs that cannot leave. What
//! cannot be pushed blocks them (Quake's `SV_PushMove`).
//!
//! Bodies are carried and pushed by the step of the debris, which knows the movers' velocities; here only those count that it
//! could not get out of the way, as a wall is behind them.
use crate::bvh::QueryStats;
use crate::collide::closest_point_triangle;
use crate::debris::{Body, Kinematic};
use crate::geom::Aabb;
use crate::sim::player::{self, Player, SphereStack};
use crate::sim::report::StepReport;
use crate::sim::shove::LIGHT_KG;
use crate::sim::simulation::Sim;
use crate::sim::slide::{Obstacles, SlidingBody};
use crate::sim::state::Dust;
use crate::sim::tick::TICK_SECS;
use glam::DVec3;
use std::sync::Arc;

/// Pushes of the player in a tick by one mover.
const PUSHES: usize = 4;
/// A player deeper in a mover than this after all pushes blocks it, metres.
const DEPTH: f64 = 0.01;
/// A ball this much of its radius deep in a mover is pinned, by other bodies if not by a wall.
const PINNED: f64 = 0.4;
/// The part of a ball's radius that a wall behind it stops.
const CORE: f64 = 0.9;
/// Greatest cosine between the way of a mover and the normal of a wall that stops what it pushes.
const STOPS: f64 = -0.5;
/// A floor that carries is within this of the player's soles, metres, besides the buffer.
const ON: f64 = 0.03;
/// Least y of the normal of a floor that carries.
const CARRIES: f64 = 0.35;
/// Sleeping bodies this near to a moving mover wake, metres.
const WAKES: f64 = 0.05;

/// Whether a group of movers can make its moves. If so, who is in the way has left it.
pub(super) fn make_way(sim: &mut Sim, solids: &[Kinematic], report: &mut StepReport) -> bool {
    let Some(near) = bodies_in_the_way(sim, solids, &mut report.queries) else {
        return false;
    };
    let before = sim.player.clone();
    for solid in solids {
        if !push_player(sim, solid) {
            sim.player = before;
            return false;
        }
    }
    wake_and_crush(sim, &near);
    true
}

/// Bodies near moving movers, by index.
#[derive(Default)]
struct Near {
    asleep: Vec<usize>,
    crushed: Vec<usize>,
}

/// None where a body that cannot be crushed is pinned.
fn bodies_in_the_way(sim: &Sim, solids: &[Kinematic], stats: &mut QueryStats) -> Option<Near> {
    let mut near = Near::default();
    let all = solids.iter().map(|solid| *solid.bounds());
    let all = all.reduce(|a, b| a.union(&b))?;
    for (index, body) in sim.bodies.iter().enumerate() {
        let own = Aabb::from_centre(body.position, DVec3::splat(body.radius + WAKES));
        if !all.overlaps(&own) {
            continue;
        }
        for solid in solids.iter().filter(|solid| solid.bounds().overlaps(&own)) {
            if body.asleep {
                near.asleep.push(index);
            }
            if !is_pinned(sim, body, solid, stats) {
                continue;
            }
            if body.chunk.is_some() || body.mass() >= LIGHT_KG {
                return None;
            }
            near.crushed.push(index);
        }
    }
    Some(near)
}

/// Whether a mover moves on into a body that could not leave.
fn is_pinned(sim: &Sim, body: &Body, solid: &Kinematic, stats: &mut QueryStats) -> bool {
    body.balls().any(|ball| {
        let own = Aabb::from_centre(ball.centre, DVec3::splat(ball.radius));
        if !solid.bounds().overlaps(&own) {
            return false;
        }
        let ahead = solid.displacement(ball.centre);
        let (mut pinned, mut touches) = (false, false);
        let reach = ball.radius + ahead.length();
        solid.each_touch(0.0, ball.centre, reach, stats, &mut |touch| {
            let depth = ball.radius - touch.distance;
            let push = ahead.dot(touch.normal);
            pinned |= depth > ball.radius * PINNED && push > 0.0;
            touches |= push > -depth && push > 0.0;
        });
        if touches && !pinned {
            let to = ball.centre + ahead;
            let wall = (sim.world).sweep_sphere(ball.centre, to, ball.radius * CORE, stats);
            let stops = |normal: DVec3| normal.dot(ahead) < STOPS * ahead.length();
            pinned = wall.is_some_and(|wall| stops(wall.normal));
        }
        pinned || body.chunk.is_none() && solid.contains(0.0, ball.centre)
    })
}

fn wake_and_crush(sim: &mut Sim, near: &Near) {
    if near.asleep.is_empty() && near.crushed.is_empty() {
        return;
    }
    let tick = sim.tick;
    let dust = near.crushed.iter().map(|&index| {
        let body = &sim.bodies[index];
        Dust {
            position: body.position,
            radius: body.radius,
            tick,
            material: Some(body.material),
        }
    });
    let dust: Vec<Dust> = dust.collect();
    sim.dust.extend(dust);
    sim.bodies.change(|bodies| {
        for &index in &near.asleep {
            bodies[index].wake();
        }
        let mut index = 0;
        bodies.retain(|_| {
            index += 1;
            !near.crushed.contains(&(index - 1))
        });
    });
}

/// Carries the player along with a mover that it stands on, and pushes it out of the mover's way, by sweeps, never into a
/// wall. Returns whether the mover is free of the player then.
pub(super) fn push_player(sim: &mut Sim, solid: &Kinematic) -> bool {
    if sim.player.no_clip {
        return true;
    }
    let (stack, start) = player::body(&sim.player);
    let buffer = sim.settings.buffer_distance;
    let own = around(stack, start).grow(buffer * 2.0 + ON);
    if !solid.bounds().overlaps(&own) {
        return true;
    }
    let others = sim.movers.solids().map(|(_, other)| other);
    let others = others.filter(|other| !Arc::ptr_eq(&other.solid, &solid.solid));
    let others: Vec<Kinematic> = others.cloned().collect();
    let sliding = SlidingBody {
        obstacles: Obstacles {
            world: &sim.world,
            solids: &others,
            spheres: &[],
        },
        stack,
        buffer,
        walls_below: -1.0,
    };
    let mut stats = QueryStats::default();
    let stats = &mut stats;
    let mut at = start;
    if solid.is_moving() && rides(&sim.player, (stack, start), solid, buffer, stats) {
        let velocity = solid.displacement(start) / TICK_SECS;
        at = sliding.slide(at, velocity, TICK_SECS, stats).at;
    }
    for _ in 0..PUSHES {
        let Some((_, out)) = deepest(solid, (stack, at), stats) else {
            break;
        };
        let slid = sliding.slide(at, out / TICK_SECS, TICK_SECS, stats);
        if slid.at == at {
            break;
        }
        at = slid.at;
    }
    let is_free = deepest(solid, (stack, at), stats).is_none_or(|(depth, _)| depth < DEPTH);
    if sim.player.walking {
        sim.player.feet = at;
    }
    sim.player.eye += at - start;
    is_free
}

/// Whether the player stands on a mover before it moves.
fn rides(
    player: &Player,
    (stack, at): (SphereStack, DVec3),
    solid: &Kinematic,
    buffer: f64,
    stats: &mut QueryStats,
) -> bool {
    let Some(lowest) = stack.heights.first() else {
        return false;
    };
    let still = Kinematic::new(solid.solid.clone(), solid.before, solid.before);
    let from = at + DVec3::Y * *lowest;
    let to = from - DVec3::Y * (buffer * 2.0 + ON);
    let floor = still.sweep_sphere(1.0, from, to, stack.radius, stats);
    player.walking && player.on_ground && floor.is_some_and(|hit| hit.normal.y > CARRIES)
}

/// How deep a body is in a mover at the end of the tick, and the way out, metres.
fn deepest(
    solid: &Kinematic,
    (stack, at): (SphereStack, DVec3),
    stats: &mut QueryStats,
) -> Option<(f64, DVec3)> {
    let mut deepest: Option<(f64, DVec3)> = None;
    for height in stack.heights {
        let centre = at + DVec3::Y * *height;
        let out = match solid.contains(1.0, centre) {
            true => way_out(solid, centre, stack.radius),
            false => nearest_within(solid, 1.0, centre, stack.radius, stats)
                .map(|(distance, normal)| (stack.radius - distance, normal)),
        };
        if let Some((depth, normal)) = out
            && depth > 0.0
            && deepest.is_none_or(|(most, _)| depth > most)
        {
            deepest = Some((depth, normal * depth));
        }
    }
    deepest
}

/// The shortest way for a sphere whose centre is inside: its length and its direction.
fn way_out(solid: &Kinematic, centre: DVec3, radius: f64) -> Option<(f64, DVec3)> {
    let home = solid.after.to_home(centre);
    let mesh = &solid.solid.mesh;
    let live = mesh.triangles.iter().filter(|triangle| triangle.is_live());
    let points = live.map(|triangle| {
        let corners = triangle.corners.map(|i| mesh.positions[i as usize]);
        closest_point_triangle(home, &corners)
    });
    let gap = |p: &DVec3| p.distance_squared(home);
    let nearest = points.min_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    let out = solid.after.to_world(nearest) - centre;
    Some((out.length() + radius, out.normalize_or(DVec3::Y)))
}

/// Distance and normal of the nearest face within reach of a point outside, at a part of the tick.
pub(super) fn nearest(
    solid: &Kinematic,
    time: f64,
    centre: DVec3,
    reach: f64,
) -> Option<(f64, DVec3)> {
    nearest_within(solid, time, centre, reach, &mut QueryStats::default())
}

fn nearest_within(
    solid: &Kinematic,
    time: f64,
    centre: DVec3,
    reach: f64,
    stats: &mut QueryStats,
) -> Option<(f64, DVec3)> {
    let mut nearest: Option<(f64, DVec3)> = None;
    solid.each_touch(time, centre, reach, stats, &mut |touch| {
        if nearest.is_none_or(|(least, _)| touch.distance < least) {
            nearest = Some((touch.distance, touch.normal));
        }
    });
    nearest
}

fn around(stack: SphereStack, at: DVec3) -> Aabb {
    let centres = stack.heights.iter().map(|height| at + DVec3::Y * *height);
    let all = Aabb::from_points(centres).unwrap_or(Aabb::EMPTY);
    all.grow(stack.radius)
}
