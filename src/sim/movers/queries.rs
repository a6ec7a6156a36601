//! What meets movers on its way, and the player inside one.
use super::push;
use crate::bvh::QueryStats;
use crate::geom::Aabb;
use crate::sim::simulation::Sim;
use crate::sim::tick::TICK_SECS;
use glam::DVec3;

/// Where something met a mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::sim) struct SolidHit {
    /// Part of the way.
    pub fraction: f64,
    /// Metres.
    pub point: DVec3,
    /// From the mover, unit.
    pub normal: DVec3,
    /// Velocity of the mover there, metres a second.
    pub velocity: DVec3,
    /// The mover.
    pub mover: usize,
    /// Triangle of its mesh.
    pub triangle: u32,
}

/// The first mover in the way of a sphere that moves for a tick, while the movers move too. Radius 0 is a ray.
pub(in crate::sim) fn first_hit(
    sim: &Sim,
    [from, to]: [DVec3; 2],
    radius: f64,
    stats: &mut QueryStats,
) -> Option<SolidHit> {
    first_hit_at(sim, 0.0, [from, to], radius, stats)
}

/// The same, from a part of the tick on: at 1 movers stand where they are at its end.
pub(in crate::sim) fn first_hit_at(
    sim: &Sim,
    start: f64,
    [from, to]: [DVec3; 2],
    radius: f64,
    stats: &mut QueryStats,
) -> Option<SolidHit> {
    let way = Aabb::from_points([from, to])?.grow(radius);
    let mut first: Option<SolidHit> = None;
    for (mover, solid) in sim.movers.solids() {
        if !solid.bounds().overlaps(&way) {
            continue;
        }
        let Some(hit) = solid.sweep_sphere(start, from, to, radius, stats) else {
            continue;
        };
        if first.is_none_or(|first| hit.fraction < first.fraction) {
            first = Some(SolidHit {
                fraction: hit.fraction,
                point: hit.point,
                normal: hit.normal,
                velocity: solid.displacement(hit.point) / TICK_SECS,
                mover,
                triangle: hit.triangle,
            });
        }
    }
    first
}

/// Moves a player who is inside a mover out of it, as after a teleport or an undo, if there is a way.
pub(in crate::sim) fn push_player_out(sim: &mut Sim) {
    let near: Vec<_> = sim
        .movers
        .solids()
        .map(|(_, solid)| solid.clone())
        .collect();
    for solid in near {
        push::push_player(sim, &solid);
    }
}
