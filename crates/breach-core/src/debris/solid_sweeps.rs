//! Cores among solids that move: no core gets into one, unless walls hold it there.
//!
//! A core goes on a straight line in the home frame of each solid, from its place when the tick begins to its place when the
//! tick ends. Where it would meet the solid on the way, the end is moved out of it, along the surface that it meets: it
//! slides, as along a wall, or is taken along.
use super::body::Body;
use super::kinematic::Kinematic;
use crate::bvh::QueryStats;
use crate::geom::Aabb;
use glam::DVec3;
use smallvec::SmallVec;

/// Most times that solids push a body in a tick.
const PUSHES: usize = 8;
/// How much farther than it must a solid takes a core along, metres: far above rounding, so that the next sweep is along
/// the surface or away from it.
const AWAY: f64 = 1e-9;
/// Distance at which solids count as near, beyond what a body reaches, metres.
const MARGIN: f64 = 0.01;

/// The solids that a body may meet in the tick.
pub(super) type NearSolids<'a> = SmallVec<[&'a Kinematic; 2]>;

/// The solids that a body may meet on its path, which they may change.
pub(super) fn near_solids<'a>(solids: &'a [Kinematic], body: &Body, path: DVec3) -> NearSolids<'a> {
    if solids.is_empty() {
        return NearSolids::new();
    }
    let swept = Aabb::from_corners(body.position, body.position + path);
    let swept = swept.grow(body.radius + MARGIN);
    let within = |bounds: Aabb| -> NearSolids {
        let all = solids.iter();
        all.filter(|s| s.bounds().overlaps(&bounds)).collect()
    };
    let near = within(swept);
    // What pushes the body may push it to others.
    let farthest = near.iter().map(|s| s.travel()).fold(0.0, f64::max);
    if farthest > 0.0 && near.len() < solids.len() {
        return within(swept.grow(farthest));
    }
    near
}

/// The straight path of a ball's core in the tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct CorePath {
    pub from: DVec3,
    pub to: DVec3,
    /// Of the core, metres.
    pub radius: f64,
}

impl CorePath {
    /// What must be added to its end, so that it slides along the solid that it meets. `None` if it meets none.
    fn correction(&self, solid: &Kinematic, stats: &mut QueryStats) -> Option<DVec3> {
        let (from, to) = (
            solid.before.to_home(self.from),
            solid.after.to_home(self.to),
        );
        let hit = solid.solid.sweep_sphere(from, to, self.radius, stats)?;
        let deep = (from - to).dot(hit.normal) * (1.0 - hit.fraction);
        Some(solid.after.turn * hit.normal * (deep.max(0.0) + AWAY))
    }

    /// Whether it meets none of the solids.
    pub fn is_free_of(&self, near: &[&Kinematic], stats: &mut QueryStats) -> bool {
        let mut all = near.iter();
        all.all(|solid| self.correction(solid, stats).is_none())
    }
}

/// How solids push a body whose cores would go on these paths: what must be added to all their ends, so that none gets into
/// a solid. Between solids that leave no room, the last push counts.
pub(super) fn pushed(near: &[&Kinematic], paths: &[CorePath], stats: &mut QueryStats) -> DVec3 {
    let mut all = DVec3::ZERO;
    for _ in 0..PUSHES {
        let mut most = DVec3::ZERO;
        for path in paths {
            let path = CorePath {
                to: path.to + all,
                ..*path
            };
            for solid in near {
                let push = path.correction(solid, stats).unwrap_or_default();
                if push.length_squared() > most.length_squared() {
                    most = push;
                }
            }
        }
        if most == DVec3::ZERO {
            break;
        }
        all += most;
    }
    all
}
