//! String pulling: shortens a path through the air and keeps it off the walls.
//!
//! The path that comes in hugs the surface. Each of its points first moves away from the walls, in a narrow place to
//! the middle. Then points between two that see each other are dropped, and corners are cut. Visibility is that of a
//! moving sphere, half as wide as the clearance at its ends, so that a path through a hole keeps to its middle.
use super::world::World;
use crate::bvh::{QueryStats, Touch};
use glam::DVec3;

/// Distance that a path keeps from walls where there is space, metres.
const CLEARANCE: f64 = 0.25;
/// The fraction of a point's clearance that its legs keep.
const KEPT_PART: f64 = 0.5;
/// Most moves of a point away from walls.
const MOVES: usize = 8;
/// Rounds in which corners are cut, and the fractions of the legs that a cut may take.
const ROUNDS: usize = 4;
const CUTS: [f64; 3] = [0.5, 0.25, 0.125];
/// Cosine of a turn too small to cut.
const STRAIGHT: f64 = 0.995;

/// A point of a path.
#[derive(Clone, Copy, Debug)]
struct Waypoint {
    at: DVec3,
    /// Distance that legs from here keep from walls, metres.
    clearance: f64,
}

impl Waypoint {
    fn new(world: &World, at: DVec3, stats: &mut QueryStats) -> Waypoint {
        let clearance = nearest(world, at, stats).map_or(CLEARANCE, |touch| touch.distance);
        Waypoint {
            at,
            clearance: KEPT_PART * clearance,
        }
    }
}

/// A shorter path between the same ends. Every leg that comes in must be clear, and every leg that goes out is.
pub(super) fn pull_tight(world: &World, points: &[DVec3]) -> Vec<DVec3> {
    let mut stats = QueryStats::default();
    let mut waypoints = straightened(world, &lifted(world, points, &mut stats), &mut stats);
    for _ in 0..ROUNDS {
        let before = length(&waypoints);
        waypoints = straightened(world, &cut(world, &waypoints, &mut stats), &mut stats);
        if length(&waypoints) > before * 0.999 {
            break;
        }
    }
    waypoints.into_iter().map(|k| k.at).collect()
}

/// Whether nothing lies between two points in the air, seen from either end.
pub(super) fn is_clear(world: &World, a: DVec3, b: DVec3, stats: &mut QueryStats) -> bool {
    world.cast_ray(a, b, stats).is_none() && world.cast_ray(b, a, stats).is_none()
}

fn length(waypoints: &[Waypoint]) -> f64 {
    waypoints
        .windows(2)
        .map(|w| w[0].at.distance(w[1].at))
        .sum()
}

/// Whether a leg keeps the clearance that its ends ask for.
fn is_open(world: &World, a: &Waypoint, b: &Waypoint, stats: &mut QueryStats) -> bool {
    let radius = a.clearance.min(b.clearance);
    is_clear(world, a.at, b.at, stats) && world.sweep_sphere(a.at, b.at, radius, stats).is_none()
}

/// Moves every point but the first away from the walls, as far as legs stay clear.
fn lifted(world: &World, points: &[DVec3], stats: &mut QueryStats) -> Vec<Waypoint> {
    let mut waypoints: Vec<Waypoint> = Vec::with_capacity(points.len());
    let mut before: Option<Waypoint> = None;
    for &at in points {
        let low = Waypoint::new(world, at, stats);
        let Some(from) = before.replace(low) else {
            waypoints.push(low);
            continue;
        };
        let mut high = Waypoint::new(world, away(world, at, stats), stats);
        if !is_clear(world, at, high.at, stats) {
            high = low;
        }
        let last = waypoints[waypoints.len() - 1];
        if !is_clear(world, last.at, high.at, stats) {
            // Back down to the leg known to be clear, and up again after it.
            waypoints.extend([from, low]);
        }
        waypoints.push(high);
    }
    waypoints
}

/// The surface nearest to a point in the air, within the distance that matters.
fn nearest(world: &World, at: DVec3, stats: &mut QueryStats) -> Option<Touch> {
    let mut nearest: Option<Touch> = None;
    world.each_touch(at, CLEARANCE, stats, &mut |touch| {
        if nearest.is_none_or(|n| touch.distance < n.distance) {
            nearest = Some(touch);
        }
    });
    nearest
}

/// Moves a point away from the walls around it: to the distance that a path keeps, or to the middle between two walls.
fn away(world: &World, mut at: DVec3, stats: &mut QueryStats) -> DVec3 {
    for _ in 0..MOVES {
        let Some(Touch {
            normal, distance, ..
        }) = nearest(world, at, stats)
        else {
            break;
        };
        let reach = at + normal * (2.0 * CLEARANCE);
        let ahead = world.cast_ray(at, reach, stats);
        let free = ahead.map_or(2.0 * CLEARANCE, |hit| hit.fraction * 2.0 * CLEARANCE);
        let by = CLEARANCE.min((distance + free) / 2.0) - distance;
        if by <= distance * 0.01 {
            break;
        }
        at += normal * by;
    }
    at
}

/// Drops every point that the one before sees past.
fn straightened(world: &World, waypoints: &[Waypoint], stats: &mut QueryStats) -> Vec<Waypoint> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(waypoint) = waypoints.get(at) {
        out.push(*waypoint);
        let mut later = (at + 2..waypoints.len()).rev();
        let next = later.find(|&j| is_open(world, waypoint, &waypoints[j], stats));
        at = next.unwrap_or(at + 1);
    }
    out
}

/// Cuts every corner that can be cut.
fn cut(world: &World, waypoints: &[Waypoint], stats: &mut QueryStats) -> Vec<Waypoint> {
    let mut out: Vec<Waypoint> = waypoints.iter().take(1).copied().collect();
    for around in waypoints.windows(3) {
        let [a, b, c] = [around[0], around[1], around[2]];
        let turn = (b.at - a.at)
            .normalize_or_zero()
            .dot((c.at - b.at).normalize_or_zero());
        let on = |to: Waypoint, part: f64| Waypoint {
            at: b.at.lerp(to.at, part),
            clearance: b.clearance.min(to.clearance),
        };
        let mut cuts = CUTS.into_iter().map(|part| [on(a, part), on(c, part)]);
        let cut = cuts.find(|[from, to]| turn < STRAIGHT && is_open(world, from, to, stats));
        match cut {
            Some(cut) => out.extend(cut),
            None => out.push(b),
        }
    }
    out.extend(waypoints.iter().skip(1).last());
    out
}
