//! Moves of spheres by three solvers: swept, and the two discrete tests that Schroeder (Collision Detection Using Ray
//! Casting, 2001) argues against, kept so that people can watch them fail.
//!
//! - Swept: the first contact on the way ([`World::sweep_sphere`]). Nothing is passed.
//! - Discrete: only the end is tested. If the sphere overlaps something there, or is in rock, the whole move is undone.
//! - Subdivided: the same, but the way back to the last free place is halved `steps` times.
//!
//! Conventions of the last two. Overlap counts only on the front of a face and if the motion closes in on it, so that a
//! sphere that starts in contact can leave. A centre in rock always counts: no solver leaves a centre there. The
//! contact is the nearest surface at the earliest overlapping place found, its normal from there to the centre; for a
//! centre in rock it is the first wall on the way. Nothing between the two ends is tested: a wall thinner than the step
//! is passed, and counted as tunnelled.
use super::queries::CastHit;
use super::world::World;
use crate::bvh::QueryStats;
use crate::collide::closest_point_triangle;
use crate::geom::Aabb;
use glam::DVec3;

/// The method by which moving spheres find contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Solver {
    /// The first contact on the way.
    #[default]
    Swept,
    /// Overlap at the end of the move.
    Discrete,
    /// Overlap at the end, then this many bisections of the way.
    Subdivided(u32),
}

impl Solver {
    /// Most bisections: f64 resolves no more.
    pub const MOST_STEPS: u32 = 32;
}

/// The result of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SphereMove {
    /// The contact that stopped it; None if it went all the way.
    pub hit: Option<CastHit>,
    /// The centre went through a wall.
    pub tunnelled: bool,
}

impl World {
    /// Moves a sphere by the chosen solver; only [`Solver::Swept`] never tunnels. A move of zero length, and values
    /// that are not finite, hit nothing.
    pub fn move_sphere(
        &self,
        from: DVec3,
        to: DVec3,
        radius: f64,
        solver: Solver,
        stats: &mut QueryStats,
    ) -> SphereMove {
        let steps = match solver {
            Solver::Swept => {
                return SphereMove {
                    hit: self.sweep_sphere(from, to, radius, stats),
                    tunnelled: false,
                };
            }
            Solver::Discrete => 0,
            Solver::Subdivided(steps) => steps.min(Solver::MOST_STEPS),
        };
        let sound = (to - from).is_finite() && from.is_finite() && radius.is_finite();
        if !sound || radius < 0.0 || from == to {
            return SphereMove::default();
        }
        let Some(mut hit) = self.overlap_at(from, to, 1.0, radius, stats) else {
            // Only for the count of tunnelling; its cost is no part of the solver's.
            let passed = self.cast_ray(from, to, &mut QueryStats::default());
            return SphereMove {
                hit: None,
                tunnelled: passed.is_some(),
            };
        };
        let (mut free, mut full) = (0.0, 1.0);
        for _ in 0..steps {
            let middle = 0.5 * (free + full);
            match self.overlap_at(from, to, middle, radius, stats) {
                Some(nearer) => (hit, full) = (nearer, middle),
                None => free = middle,
            }
        }
        hit.fraction = free;
        // The end overlaps, but the free place found before it may lie behind a wall.
        let at = from + (to - from) * free;
        let passed = self.cast_ray(from, at, &mut QueryStats::default());
        SphereMove {
            hit: Some(hit),
            tunnelled: passed.is_some(),
        }
    }

    /// The surface that the sphere overlaps at `fraction` of its way: the nearest, of equals the one with the lowest
    /// key.
    fn overlap_at(
        &self,
        from: DVec3,
        to: DVec3,
        fraction: f64,
        radius: f64,
        stats: &mut QueryStats,
    ) -> Option<CastHit> {
        let motion = to - from;
        let centre = from + motion * fraction;
        let mut nearest: Option<((f64, u64), CastHit)> = None;
        let around = Aabb::from_centre(centre, DVec3::splat(radius));
        self.each_triangle_in_box(&around, stats, &mut |room, triangle| {
            let mesh = &self.room(room).mesh;
            let Some(slot) = mesh.triangles.get(triangle as usize) else {
                return;
            };
            let corners = slot.corners.map(|i| mesh.positions[i as usize]);
            let [a, b, c] = corners;
            let point = closest_point_triangle(centre, &corners);
            let (away, distance) = (centre - point, centre.distance(point));
            let in_front = (b - a).cross(c - a).dot(centre - a) >= 0.0;
            let rank = (distance, slot.key);
            if distance >= radius
                || !in_front
                || away.dot(motion) >= 0.0
                || nearest.is_some_and(|(old, _)| rank >= old)
            {
                return;
            }
            let hit = CastHit {
                fraction,
                point,
                normal: away / distance,
                room,
                triangle,
            };
            nearest = Some((rank, hit));
        });
        if let Some((_, hit)) = nearest {
            return Some(hit);
        }
        if self.locate(centre).is_some() {
            return None;
        }
        let wall = self.cast_ray(from, centre, stats)?;
        Some(CastHit { fraction, ..wall })
    }
}
