//! Rays, swept spheres and boxes against the tree.
//!
//! Bins are only culled, with slack; what is in them is solved in f64 from the triangle and the query alone. So the
//! answer does not depend on the tree: a linear scan gives the same bits.
use super::surface::Face;
use super::traverse::Bin;
use super::{Bvh, Mesh, MeshHit, QueryStats};
use crate::collide::{
    InvDir, ShearedRay, SphereSweep, SweepHit, intersect_ray_triangle, sweep_sphere_edge,
    sweep_sphere_face, sweep_sphere_vertex,
};
use crate::geom::Aabb;
use crate::geom::tolerance::{CULL_SLACK, ON_SURFACE};
use glam::DVec3;

/// The first contact so far; equal fractions go to the lowest key.
struct First {
    hit: Option<MeshHit>,
    /// Fraction of `hit`, or 1.
    limit: f64,
    key: (u64, u32),
}

impl First {
    fn new() -> Self {
        Self {
            hit: None,
            limit: 1.0,
            key: (u64::MAX, u32::MAX),
        }
    }

    #[inline]
    fn offer(&mut self, face: &Face, hit: SweepHit) {
        let key = (face.key, face.triangle);
        if hit.fraction < self.limit
            || hit.fraction == self.limit && (self.hit.is_none() || key < self.key)
        {
            let SweepHit {
                fraction,
                point,
                normal,
            } = hit;
            self.limit = fraction;
            self.key = key;
            self.hit = Some(MeshHit {
                fraction,
                point,
                normal,
                triangle: face.triangle,
            });
        }
    }
}

impl Bvh {
    /// How much bins are grown for a query that moves within `bounds`, metres.
    fn slack(&self, bounds: &Aabb) -> f64 {
        CULL_SLACK * (bounds.reach().max(self.reach))
    }

    pub(super) fn first_on_ray(
        &self,
        from: DVec3,
        to: DVec3,
        stats: &mut QueryStats,
    ) -> Option<MeshHit> {
        let dir = to - from;
        let ray = ShearedRay::new(from, dir)?;
        let inv = InvDir::new(from, dir);
        let slack = self.slack(&Aabb::from_corners(from, to));
        let mut first = First::new();
        self.tree.walk(
            1.0,
            stats,
            |bin| enter_slabs(&inv, bin, slack),
            |faces| {
                for face in &self.faces[faces] {
                    if let Some(hit) = ray_on_face(&ray, from, dir, face, first.limit) {
                        first.offer(face, hit);
                    }
                }
                first.limit
            },
        );
        first.hit
    }

    pub(super) fn first_on_sweep(
        &self,
        mesh: &Mesh,
        sweep: &SphereSweep,
        stats: &mut QueryStats,
    ) -> Option<MeshHit> {
        let path = Aabb::from_corners(sweep.from, sweep.from + sweep.displacement);
        let margin = sweep.radius + self.slack(&path.grow(sweep.radius));
        let mut first = First::new();
        let leaf = |faces: std::ops::Range<usize>| {
            for face in &self.faces[faces] {
                self.sweep_on_face(mesh, sweep, face, margin, &mut first);
            }
            first.limit
        };
        if sweep.length <= 2.0 * sweep.radius {
            // A short path's box is hardly larger than the path: comparing boxes is cheaper than slabs.
            let around = path.grow(margin);
            let (min, max) = (around.min.to_array(), around.max.to_array());
            self.tree.walk(
                1.0,
                stats,
                |bin| touches(bin, &min, &max).then_some(0.0),
                leaf,
            );
        } else {
            let inv = InvDir::new(sweep.from, sweep.displacement);
            self.tree
                .walk(1.0, stats, |bin| enter_slabs(&inv, bin, margin), leaf);
        }
        first.hit
    }

    /// All that belongs to one face: its inside, the edges and the vertices it owns.
    #[inline]
    fn sweep_on_face(
        &self,
        mesh: &Mesh,
        sweep: &SphereSweep,
        face: &Face,
        margin: f64,
        first: &mut First,
    ) {
        // Whatever is in the plane is met only while the centre is within the radius of the plane.
        let start = face.normal.dot(sweep.from - face.corners[0]);
        let end = start + face.normal.dot(sweep.displacement) * first.limit;
        let (low, high) = if start < end {
            (start, end)
        } else {
            (end, start)
        };
        if low > margin || high < -margin {
            return;
        }
        if let Some(hit) = sweep_sphere_face(sweep, &face.corners, face.normal, first.limit) {
            first.offer(face, hit);
        }
        if face.owns == 0 {
            return;
        }
        for k in 0..3 {
            let (a, b) = (face.corners[k], face.corners[(k + 1) % 3]);
            if face.owns & (1 << k) != 0
                && let Some(hit) = sweep_sphere_edge(sweep, a, b, first.limit)
                && (hit.fraction > 0.0 || self.surface.edge_faces(mesh, face, k, hit.normal))
            {
                first.offer(face, hit);
            }
            if face.owns & (0x10 << k) != 0
                && let Some(hit) = sweep_sphere_vertex(sweep, a, first.limit)
                && (hit.fraction > 0.0 || self.surface.vertex_faces(mesh, face, k, hit.normal))
            {
                first.offer(face, hit);
            }
        }
    }

    pub(super) fn triangles_in_box(&self, bounds: &Aabb, stats: &mut QueryStats) -> Vec<u32> {
        let (min, max) = (bounds.min.to_array(), bounds.max.to_array());
        let mut found = Vec::new();
        let touching = |bin: &Bin| touches(bin, &min, &max).then_some(0.0);
        self.tree.walk(1.0, stats, touching, |faces| {
            for face in &self.faces[faces] {
                let [a, b, c] = face.corners;
                let around = Aabb {
                    min: a.min(b).min(c),
                    max: a.max(b).max(c),
                };
                if around.overlaps(bounds) {
                    found.push(face.triangle);
                }
            }
            1.0
        });
        found.sort_unstable();
        found
    }
}

/// Where the segment enters the bin grown by `margin`; None beside it.
#[inline]
fn enter_slabs(inv: &InvDir, bin: &Bin, margin: f64) -> Option<f64> {
    let (enter, leave) = inv.span(bin.min() - margin, bin.max() + margin);
    (enter <= leave).then_some(enter)
}

/// Whether the boxes share a point.
#[inline]
fn touches(bin: &Bin, min: &[f64; 3], max: &[f64; 3]) -> bool {
    let apart = |axis: usize| {
        (f64::from(bin.min[axis]) > max[axis]) | (f64::from(bin.max[axis]) < min[axis])
    };
    !(apart(0) | apart(1) | apart(2))
}

/// The front of one face; a start on it, rounded to behind it, is fraction 0.
#[inline]
fn ray_on_face(
    ray: &ShearedRay,
    from: DVec3,
    dir: DVec3,
    face: &Face,
    limit: f64,
) -> Option<SweepHit> {
    let t = intersect_ray_triangle(ray, face.corners)?.t;
    if t > limit {
        return None;
    }
    if t < 0.0 {
        let behind = -face.normal.dot(from - face.corners[0]);
        let scale = from.abs().max(face.corners[0].abs()).max_element();
        if behind > ON_SURFACE * scale {
            return None;
        }
    }
    let fraction = t.max(0.0);
    Some(SweepHit {
        fraction,
        point: from + dir * fraction,
        normal: face.normal,
    })
}
