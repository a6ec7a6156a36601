//! Rays, swept spheres and boxes against the tree.
//!
//! Culling is conservative; the faces left are tested in f64 from the triangle and the query alone. So the answer does
//! not depend on the tree: a linear scan gives the same bits. Nor does it depend on the slots of the triangles, except
//! for the slot returned.
use super::cull_query::{LongSweep, OverlapQuery, Path, RayQuery, ShortSweep};
use super::f32x8::{F32x8, F32x8Kernel, dispatch};
use super::face::{
    ANY_ACTIVE, Face, FaceTriangle, border_bit, border_vertex_bit, edge_bit, vertex_bit,
};
use super::mesh::Mesh;
use super::mesh_bvh::Bvh;
use super::surface::Surface;
use super::traverse::{QueryStats, visit_all};
use crate::collide::{
    ShearedRay, SphereSweep, SweepHit, intersect_ray_triangle, sweep_sphere_edge,
    sweep_sphere_face, sweep_sphere_vertex,
};
use crate::geom::Aabb;
use crate::geom::tolerance::{ALONG, CULL_SLACK, DEPTH, ON_SURFACE};
use glam::DVec3;

/// A hit on a [`Mesh`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshHit {
    /// Part of the displacement travelled, 0..=1.
    pub fraction: f64,
    /// Point of contact.
    pub point: DVec3,
    /// From the surface to the sphere's centre; for a ray the normal of the face. Unit.
    pub normal: DVec3,
    /// Index into [`Mesh::triangles`].
    pub triangle: u32,
}

impl Bvh {
    /// First front-facing triangle on the segment; of equal fractions the lowest key wins. `from == to` is no hit. A
    /// ray cannot slip between triangles that share an edge. Numbers that are not finite hit nothing.
    pub fn cast_ray(
        &self,
        _mesh: &Mesh,
        from: DVec3,
        to: DVec3,
        stats: &mut QueryStats,
    ) -> Option<MeshHit> {
        self.first_on_ray(from, to, stats)
    }

    /// First contact of a moving sphere with a face (front only), edge or vertex. If it starts in contact and moves
    /// inwards against any of them, the fraction is 0; moving away or along is no hit; zero length is no hit; radius 0
    /// is a ray.
    ///
    /// Flat and concave edges are not tested: the faces beside them are. So sliding over the seams of a flat floor is
    /// moving along. Numbers that are not finite, or a negative radius, hit nothing.
    pub fn sweep_sphere(
        &self,
        _mesh: &Mesh,
        from: DVec3,
        to: DVec3,
        radius: f64,
        stats: &mut QueryStats,
    ) -> Option<MeshHit> {
        if radius == 0.0 {
            return self.first_on_ray(from, to, stats);
        }
        self.first_on_sweep(from, to, radius, stats)
    }

    /// Calls `visit(triangle index)` for each triangle whose box touches `bounds`, in rising order.
    pub fn each_in_box(
        &self,
        _mesh: &Mesh,
        bounds: &Aabb,
        stats: &mut QueryStats,
        visit: &mut dyn FnMut(u32),
    ) {
        self.triangles_in_box(bounds, stats)
            .into_iter()
            .for_each(visit);
    }

    /// The sweep for culling; `length` is an upper bound of the displacement's length. The exact tests allow grazing
    /// contacts a little depth, and so a little reach.
    #[inline(always)]
    fn path(&self, from: DVec3, displacement: DVec3, length: f64, radius: f64) -> Path {
        let farthest = from.abs().max_element() + length;
        let reach = if radius == 0.0 {
            // Rays often end far outside.
            farthest.max(self.reach)
        } else if farthest <= self.reach {
            // Usually predicted; the branch shortens the dependency chain.
            self.reach
        } else {
            cold_reach(farthest)
        };
        Path {
            from,
            displacement,
            margin: radius + 2.0 * DEPTH + CULL_SLACK * reach,
            reach,
        }
    }

    pub(super) fn first_on_ray(
        &self,
        from: DVec3,
        to: DVec3,
        stats: &mut QueryStats,
    ) -> Option<MeshHit> {
        dispatch(RayKernel {
            tree: self,
            from: &from,
            to: &to,
            stats,
        })
    }

    /// Where a segment first hits a front face, and where a back face. Infinity beyond `limit`, and for the side that
    /// is hit later. Zero length, or a number that is not finite, hits nothing.
    pub fn first_sides(
        &self,
        from: DVec3,
        to: DVec3,
        limit: f64,
        stats: &mut QueryStats,
    ) -> [f64; 2] {
        let dir = to - from;
        match ShearedRay::new(from, dir) {
            Some(ray) => dispatch(BothSidesKernel {
                tree: self,
                from,
                dir,
                ray,
                limit,
                stats,
            }),
            None => [f64::INFINITY; 2],
        }
    }

    pub(super) fn first_on_sweep(
        &self,
        from: DVec3,
        to: DVec3,
        radius: f64,
        stats: &mut QueryStats,
    ) -> Option<MeshHit> {
        dispatch(SweepKernel {
            tree: self,
            from: &from,
            to: &to,
            radius,
            stats,
        })
    }

    /// Ray and sweep without SIMD.
    #[cfg(test)]
    pub(super) fn scalar_answers(
        &self,
        from: DVec3,
        to: DVec3,
        radius: f64,
    ) -> ([Option<MeshHit>; 2], [QueryStats; 2]) {
        let mut stats = [QueryStats::default(); 2];
        let [of_ray, of_sweep] = &mut stats;
        let ray = RayKernel {
            tree: self,
            from: &from,
            to: &to,
            stats: of_ray,
        };
        let sweep = SweepKernel {
            tree: self,
            from: &from,
            to: &to,
            radius,
            stats: of_sweep,
        };
        let plain = super::f32x8::Scalar;
        let hits = [ray.run(plain), sweep.run(plain)];
        (hits, stats)
    }

    pub(super) fn triangles_in_box(&self, bounds: &Aabb, stats: &mut QueryStats) -> Vec<u32> {
        dispatch(BoxKernel {
            tree: self,
            bounds,
            stats,
        })
    }
}

/// The closest hit so far; of equal fractions the lowest key wins.
pub(super) struct ClosestHit {
    pub hit: Option<MeshHit>,
    /// Fraction of `hit`, or 1.
    limit: f64,
    key: u64,
}

impl ClosestHit {
    pub fn new() -> Self {
        Self {
            hit: None,
            limit: 1.0,
            key: u64::MAX,
        }
    }

    #[inline(always)]
    pub fn offer(&mut self, face: &Face, new: SweepHit) {
        let is_first = match &self.hit {
            None => new.fraction <= self.limit,
            Some(_) if new.fraction != self.limit => new.fraction < self.limit,
            Some(old) => self.wins_tie(old, face, &new),
        };
        if is_first {
            self.limit = new.fraction;
            self.key = face.key;
            self.hit = Some(MeshHit {
                fraction: new.fraction,
                point: new.point,
                normal: new.normal,
                triangle: face.triangle,
            });
        }
    }

    /// Tests a ray against a face. Returns the new limit if this hit is the closest.
    #[inline(always)]
    fn meet(
        &mut self,
        ray: &ShearedRay,
        from: DVec3,
        dir: DVec3,
        surface: &Surface,
        face: u32,
    ) -> Option<f64> {
        let face = &surface.faces[face as usize];
        let corners = &surface.corners(face);
        let hit = ray_on_face(ray, from, dir, &FaceTriangle { face, corners }, self.limit)?;
        self.offer(face, hit);
        Some(self.limit)
    }

    /// Decides ties by key, then by the hit's own bits for pieces of one face, so that only the returned slot depends
    /// on slots.
    #[cold]
    fn wins_tie(&self, old: &MeshHit, face: &Face, new: &SweepHit) -> bool {
        let answer = |normal: DVec3, point: DVec3| {
            let bits = |v: DVec3| v.to_array().map(f64::to_bits);
            (bits(normal), bits(point))
        };
        let new = (face.key, answer(new.normal, new.point), face.triangle);
        new < (self.key, answer(old.normal, old.point), old.triangle)
    }
}

/// A ray that hits front faces.
struct RayKernel<'a> {
    tree: &'a Bvh,
    from: &'a DVec3,
    to: &'a DVec3,
    stats: &'a mut QueryStats,
}

impl F32x8Kernel for RayKernel<'_> {
    type Output = Option<MeshHit>;

    #[inline(always)]
    fn run<S: F32x8>(self, simd: S) -> Option<MeshHit> {
        let Self { tree, stats, .. } = self;
        let (from, dir) = (*self.from, *self.to - *self.from);
        let ray = ShearedRay::new(from, dir)?;
        let path = tree.path(from, dir, dir.abs().element_sum(), 0.0);
        let mut closest = ClosestHit::new();
        if path.is_near() {
            let near = from.abs().max_element().max(tree.reach);
            let thin = RayQuery::<false>::new(&path, &ray, near);
            tree.tree.traverse(simd, thin, stats, |face| {
                closest.meet(&ray, from, dir, &tree.surface, face)
            });
        } else {
            visit_all(&tree.tree, stats, &mut |face| {
                closest.meet(&ray, from, dir, &tree.surface, face)
            });
        }
        closest.hit
    }
}

/// A ray that hits front and back faces.
struct BothSidesKernel<'a> {
    tree: &'a Bvh,
    from: DVec3,
    dir: DVec3,
    ray: ShearedRay,
    limit: f64,
    stats: &'a mut QueryStats,
}

impl F32x8Kernel for BothSidesKernel<'_> {
    type Output = [f64; 2];

    #[inline(always)]
    fn run<S: F32x8>(self, simd: S) -> [f64; 2] {
        let Self {
            tree,
            from,
            dir,
            ray,
            limit,
            stats,
        } = self;
        let length = dir.abs().element_sum();
        let path = tree.path(from, dir, length, 0.0);
        let mut sides = [f64::INFINITY; 2];
        let mut least = limit;
        let mut visit = |face| {
            let face = &tree.surface.faces[face as usize];
            let corners = tree.surface.corners(face);
            let [a, b, c] = corners;
            let corners = &corners;
            // One side is enough where the facing is certain.
            let facing = face.normal().dot(dir);
            let is_back = facing > length * ALONG && !face.is_sliver;
            let is_front = facing < -length * ALONG && !face.is_sliver;
            if !is_back
                && let Some(hit) =
                    ray_on_face(&ray, from, dir, &FaceTriangle { face, corners }, least)
            {
                sides[0] = hit.fraction;
            } else if !is_front
                && let Some(hit) = intersect_ray_triangle(&ray, &[a, c, b])
                && (0.0..=least).contains(&hit.t)
            {
                sides[1] = hit.t;
            } else {
                return None;
            }
            least = sides[0].min(sides[1]).min(least);
            Some(least)
        };
        if path.is_near() {
            let near = from.abs().max_element().max(tree.reach);
            let thin = RayQuery::<true>::new(&path, &ray, near);
            tree.tree.traverse(simd, thin, stats, visit);
        } else {
            visit_all(&tree.tree, stats, &mut visit);
        }
        sides
    }
}

/// A swept sphere. Its points are borrowed: copied here, they would be stored in pieces of another size than they are
/// loaded, which stalls store forwarding.
struct SweepKernel<'a> {
    tree: &'a Bvh,
    from: &'a DVec3,
    to: &'a DVec3,
    radius: f64,
    stats: &'a mut QueryStats,
}

impl F32x8Kernel for SweepKernel<'_> {
    type Output = Option<MeshHit>;

    #[inline(always)]
    fn run<S: F32x8>(self, simd: S) -> Option<MeshHit> {
        let Self { tree, stats, .. } = self;
        let sweep = &SphereSweep::new(*self.from, *self.to, self.radius)?;
        let path = tree.path(sweep.from, sweep.displacement, sweep.length, sweep.radius);
        let mut closest = ClosestHit::new();
        let mut visit = |face| {
            let before = closest.limit;
            sweep_on_face(&tree.surface, sweep, face, &mut closest);
            (closest.limit < before).then_some(closest.limit)
        };
        if !path.is_near() {
            visit_all(&tree.tree, stats, &mut visit);
        } else if sweep.length <= 2.0 * sweep.radius {
            let short = ShortSweep::new(path);
            let descent = tree.tree.descend_single(simd, &short);
            if descent.mask == 0 {
                stats.bins += descent.bins;
                return None;
            }
            tree.tree.traverse_from(simd, descent, short, stats, visit);
        } else {
            tree.tree
                .traverse(simd, LongSweep::new(&path), stats, visit);
        }
        closest.hit
    }
}

/// A box.
struct BoxKernel<'a> {
    tree: &'a Bvh,
    bounds: &'a Aabb,
    stats: &'a mut QueryStats,
}

impl F32x8Kernel for BoxKernel<'_> {
    type Output = Vec<u32>;

    #[inline(always)]
    fn run<S: F32x8>(self, simd: S) -> Vec<u32> {
        let mut found = Vec::new();
        let probe = OverlapQuery::new(self.bounds);
        self.tree.tree.traverse(simd, probe, self.stats, |face| {
            let surface = &self.tree.surface;
            let [a, b, c] = surface.corners(&surface.faces[face as usize]);
            let around = Aabb {
                min: a.min(b).min(c),
                max: a.max(b).max(c),
            };
            if around.overlaps(self.bounds) {
                found.push(face);
            }
            None
        });
        found.sort_unstable();
        found
    }
}

#[cold]
#[inline(never)]
fn cold_reach(reach: f64) -> f64 {
    reach
}

/// Tests one face: its interior and its active edges and vertices.
#[inline(always)]
pub(super) fn sweep_on_face(
    surface: &Surface,
    sweep: &SphereSweep,
    face: u32,
    closest: &mut ClosestHit,
) {
    let face = &surface.faces[face as usize];
    let corners = &surface.corners(face);
    let face = FaceTriangle { face, corners };
    if let Some(hit) = sweep_sphere_face(sweep, corners, face.normal(), closest.limit)
        && (!face.is_sliver || face.sliver_contains(hit.point))
    {
        closest.offer(&face, hit);
    }
    if face.active & ANY_ACTIVE == 0 {
        return;
    }
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        if face.active & edge_bit(k) != 0 {
            // Always in the same direction, whichever face the edge belongs to.
            let (low, high) = if a.to_array() < b.to_array() {
                (a, b)
            } else {
                (b, a)
            };
            if let Some(hit) = sweep_sphere_edge(sweep, low, high, closest.limit)
                && (face.active & border_bit(k) == 0 || face.stops(sweep))
            {
                closest.offer(&face, hit);
            }
        }
        if face.active & vertex_bit(k) != 0
            && let Some(hit) = sweep_sphere_vertex(sweep, a, closest.limit)
            && (face.active & border_vertex_bit(k) == 0 || surface.vertex_stops(&face, k, sweep))
        {
            closest.offer(&face, hit);
        }
    }
}

/// Tests the front of one face. A start on the face, or behind it by no more than rounding, is fraction 0.
#[inline(always)]
pub(super) fn ray_on_face(
    ray: &ShearedRay,
    from: DVec3,
    dir: DVec3,
    face: &FaceTriangle,
    limit: f64,
) -> Option<SweepHit> {
    let t = intersect_ray_triangle(ray, face.corners)?.t;
    if t > limit {
        return None;
    }
    if t < 0.0 {
        let behind = -face.normal().dot(from - face.corners[0]);
        let scale = from.abs().max(face.corners[0].abs()).max_element();
        if behind > ON_SURFACE * scale {
            return None;
        }
    }
    let fraction = t.max(0.0);
    Some(SweepHit {
        fraction,
        point: from + dir * fraction,
        normal: face.normal(),
    })
}
