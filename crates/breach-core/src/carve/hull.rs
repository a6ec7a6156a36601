//! The exact convex hull of grid points, as facets or as a brush.
//!
//! Integers only: a difference of grid points has 26 bits, a normal 53, a side test 80, so i128 holds every value and
//! nothing is rounded. Points are inserted one by one. A point on a facet's plane does not see it; that keeps the horizon
//! one simple loop and every triangle of positive area (a point on the line of a horizon edge would lie on the plane of
//! the facet that it sees).
use super::{BrushDesc, MaterialId, SideDesc};
use glam::I64Vec3;

/// Largest coordinate, grid steps (1024 m).
pub const GRID_LIMIT: i64 = 1 << 24;

/// A side of the hull: three of its vertices that span a large area, and its plane with the normal divided by its gcd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HullFacet {
    /// Hull vertices, counter-clockwise seen from outside.
    pub points: [I64Vec3; 3],
    /// Points out of the hull; its components have no common divisor.
    pub normal: I64Vec3,
    /// normal·x on the plane.
    pub offset: i128,
}

/// The hull of `points`, one facet per plane, in an order that does not depend on that of the points. None where they are
/// flat or one lies beyond the grid.
pub fn hull(points: &[I64Vec3]) -> Option<Vec<HullFacet>> {
    if points.iter().any(|p| !is_on_grid(*p)) {
        return None;
    }
    let mut points = points.to_vec();
    points.sort_unstable_by_key(|p| p.to_array());
    points.dedup();
    let mut hull = QuickHull::new(&points)?;
    while let Some(triangle) = hull.waiting.pop() {
        hull.add_farthest(triangle);
    }
    let mut triangles = hull.triangles;
    triangles.retain(|t| t.is_live);
    Some(merge_coplanar(&points, &triangles))
}

/// The hull as a brush whose sides all show `material`; None where it is flat or beyond the grid.
///
/// ```
/// use breach_core::carve::hull::hull_brush;
/// use glam::I64Vec3;
///
/// let corners = [I64Vec3::ZERO, I64Vec3::X, I64Vec3::Y, I64Vec3::Z];
/// assert_eq!(hull_brush(&corners, 0).map(|brush| brush.sides.len()), Some(4));
/// assert_eq!(hull_brush(&corners[..3], 0), None);
/// ```
pub fn hull_brush(points: &[I64Vec3], material: MaterialId) -> Option<BrushDesc> {
    let sides = hull(points)?
        .into_iter()
        .map(|facet| SideDesc {
            points: facet.points,
            material,
        })
        .collect();
    Some(BrushDesc { sides })
}

/// Every coordinate lies within the grid of ±1024 m.
pub fn is_on_grid(p: I64Vec3) -> bool {
    p.to_array()
        .iter()
        .all(|c| (-GRID_LIMIT..=GRID_LIMIT).contains(c))
}

/// (b-a)×(c-a); exact on the grid.
pub fn normal(a: I64Vec3, b: I64Vec3, c: I64Vec3) -> I64Vec3 {
    (b - a).cross(c - a)
}

/// a·b without overflow.
pub fn dot(a: I64Vec3, b: I64Vec3) -> i128 {
    a.x as i128 * b.x as i128 + a.y as i128 * b.y as i128 + a.z as i128 * b.z as i128
}

/// A triangle of the growing hull.
#[derive(Clone)]
struct Triangle {
    /// Indices of points.
    corners: [usize; 3],
    /// Outward, not reduced.
    normal: I64Vec3,
    /// The triangle across the edge from corner k to the next.
    across: [usize; 3],
    /// Points that see it; each point is in the list of one triangle only.
    outside: Vec<usize>,
    /// Whether it is part of the hull.
    is_live: bool,
    /// The point last tested against it.
    tested: usize,
    /// Whether that point sees it.
    is_seen: bool,
}

/// No point or triangle yet.
const NONE: usize = usize::MAX;

impl Triangle {
    fn new(points: &[I64Vec3], corners: [usize; 3]) -> Self {
        Self {
            corners,
            normal: normal(points[corners[0]], points[corners[1]], points[corners[2]]),
            across: [NONE; 3],
            outside: Vec::new(),
            is_live: true,
            tested: NONE,
            is_seen: false,
        }
    }

    /// `p` lies strictly outside the triangle's plane.
    fn is_seen_from(&self, points: &[I64Vec3], p: I64Vec3) -> bool {
        dot(self.normal, p - points[self.corners[0]]) > 0
    }
}

/// The hull of the points inserted so far: Quickhull (Barber, Dobkin and Huhdanpaa, "The Quickhull algorithm for convex
/// hulls", 1996), with exact tests. A point that sees a removed triangle and is still outside the hull sees one of the new
/// ones: each contains an edge between a removed triangle and one that stays, and lies between their planes.
struct QuickHull<'a> {
    points: &'a [I64Vec3],
    triangles: Vec<Triangle>,
    /// Triangles that may have points outside.
    waiting: Vec<usize>,
}

impl QuickHull<'_> {
    /// Four triangles around the first four points that span a volume.
    fn new(points: &[I64Vec3]) -> Option<QuickHull<'_>> {
        let (a, b) = (0, 1);
        if points.len() < 4 {
            return None;
        }
        let c = (2..points.len())
            .find(|c| normal(points[a], points[b], points[*c]) != I64Vec3::ZERO)?;
        let up = normal(points[a], points[b], points[c]);
        let d = (2..points.len()).find(|d| dot(up, points[*d] - points[a]) != 0)?;
        // d must lie behind abc.
        let (b, c) = if dot(up, points[d] - points[a]) > 0 {
            (c, b)
        } else {
            (b, c)
        };
        let corners = [[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
        let mut triangles = corners
            .map(|corners| Triangle::new(points, corners))
            .to_vec();
        let across = [[1, 2, 3], [3, 2, 0], [1, 3, 0], [2, 1, 0]];
        for (triangle, across) in triangles.iter_mut().zip(across) {
            triangle.across = across;
        }
        let mut hull = QuickHull {
            points,
            triangles,
            waiting: vec![],
        };
        hull.assign_outside((0..points.len()).collect(), 0);
        Some(hull)
    }

    /// Adds each point to the list of the first triangle from `base` on that it sees; points that see none are inside.
    fn assign_outside(&mut self, list: Vec<usize>, base: usize) {
        let new = &mut self.triangles[base..];
        for p in list {
            let at = self.points[p];
            if let Some(t) = new.iter_mut().find(|t| t.is_seen_from(self.points, at)) {
                t.outside.push(p);
            }
        }
        self.waiting.extend(base..self.triangles.len());
    }

    /// Whether `points[p]` sees a triangle.
    fn sees(&mut self, p: usize, triangle: usize) -> bool {
        let t = &mut self.triangles[triangle];
        if t.tested != p {
            t.tested = p;
            t.is_seen = t.is_live && t.is_seen_from(self.points, self.points[p]);
        }
        t.is_seen
    }

    /// Adds the point farthest outside a triangle to the hull: replaces the triangles that it sees by a fan from it to the
    /// horizon.
    fn add_farthest(&mut self, first: usize) {
        let Triangle {
            corners,
            normal,
            outside,
            ..
        } = &self.triangles[first];
        let height = |p: &&usize| dot(*normal, self.points[**p] - self.points[corners[0]]);
        let Some(&p) = outside.iter().max_by_key(height) else {
            return;
        };
        // Points outside removed triangles.
        let mut orphans = Vec::new();
        // The horizon: edges between a triangle that is seen and one that is not.
        let mut horizon: Vec<([usize; 2], usize)> = Vec::new();
        let mut seen = vec![first];
        self.sees(p, first);
        self.triangles[first].is_live = false;
        while let Some(t) = seen.pop() {
            let going = &mut self.triangles[t];
            orphans.append(&mut going.outside);
            let (corners, across) = (going.corners, going.across);
            for (k, other) in across.into_iter().enumerate() {
                if !self.sees(p, other) {
                    horizon.push(([corners[k], corners[(k + 1) % 3]], other));
                } else if std::mem::take(&mut self.triangles[other].is_live) {
                    seen.push(other);
                }
            }
        }
        horizon.sort_unstable();
        let base = self.triangles.len();
        for (i, &([a, b], beyond)) in horizon.iter().enumerate() {
            let beside = &mut self.triangles[beyond];
            for k in 0..3 {
                if beside.corners[k] == b && beside.corners[(k + 1) % 3] == a {
                    beside.across[k] = base + i;
                }
            }
            let mut fan = Triangle::new(self.points, [a, b, p]);
            fan.across[0] = beyond;
            self.triangles.push(fan);
        }
        // The horizon is one simple loop: one edge leaves each corner.
        for i in 0..horizon.len() {
            let b = horizon[i].0[1];
            let next = horizon.partition_point(|edge| edge.0[0] < b);
            self.triangles[base + i].across[1] = base + next;
            self.triangles[base + next].across[2] = base + i;
        }
        self.assign_outside(orphans, base);
    }
}

/// One facet for all triangles of a plane, sorted by plane.
fn merge_coplanar(points: &[I64Vec3], triangles: &[Triangle]) -> Vec<HullFacet> {
    let mut planes: Vec<(I64Vec3, [usize; 3])> = triangles
        .iter()
        .map(|t| (reduced(t.normal), t.corners))
        .collect();
    // A convex body has one plane per direction, so the normal identifies the plane.
    planes.sort_unstable_by_key(|(normal, corners)| (normal.to_array(), *corners));
    let facet_of = |same: &[(I64Vec3, [usize; 3])]| {
        let (normal, on_plane) = same[0];
        let offset = dot(normal, points[on_plane[0]]);
        // Corners of triangles only: points inside a facet, or covered later, are no vertices.
        let mut corners: Vec<usize> = same.iter().flat_map(|(_, corners)| *corners).collect();
        corners.sort_unstable();
        corners.dedup();
        let corners: Vec<I64Vec3> = corners.into_iter().map(|i| points[i]).collect();
        HullFacet {
            points: widest_three(&corners, normal),
            normal,
            offset,
        }
    };
    planes.chunk_by(|a, b| a.0 == b.0).map(facet_of).collect()
}

/// Three extreme points of a facet: the lexicographically first, the farthest from it, the farthest from their line.
/// Each is a vertex of the hull, because a linear or convex function is greatest at a vertex. Among equals the one farther
/// along the line wins, which is an end of the edge on which they lie.
fn widest_three(corners: &[I64Vec3], outward: I64Vec3) -> [I64Vec3; 3] {
    let a = corners[0];
    let b = *corners
        .iter()
        .max_by_key(|p| dot(**p - a, **p - a))
        .unwrap_or(&a);
    let height = |p: I64Vec3| dot(normal(a, b, p), outward);
    let c = *corners
        .iter()
        .max_by_key(|p| (height(**p).abs(), dot(b - a, **p - a)))
        .unwrap_or(&a);
    if height(c) > 0 { [a, b, c] } else { [a, c, b] }
}

/// The vector divided by the gcd of its components.
fn reduced(v: I64Vec3) -> I64Vec3 {
    let gcd = gcd(
        gcd(v.x.unsigned_abs(), v.y.unsigned_abs()),
        v.z.unsigned_abs(),
    );
    if gcd == 0 { v } else { v / gcd as i64 }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The slow answer: every triple that has all points on one side is a facet.
    fn planes_by_brute_force(points: &[I64Vec3]) -> BTreeSet<([i64; 3], i128)> {
        let mut planes = BTreeSet::new();
        for &a in points {
            for &b in points {
                for &c in points {
                    let n = reduced(normal(a, b, c));
                    if n != I64Vec3::ZERO && points.iter().all(|p| dot(n, *p - a) <= 0) {
                        planes.insert((n.to_array(), dot(n, a)));
                    }
                }
            }
        }
        planes
    }

    fn check(points: &[I64Vec3]) {
        let facets = hull(points).expect("not flat");
        let planes: BTreeSet<_> = facets
            .iter()
            .map(|f| (f.normal.to_array(), f.offset))
            .collect();
        assert_eq!(planes.len(), facets.len(), "a plane twice");
        assert_eq!(planes, planes_by_brute_force(points));
        for facet in &facets {
            let [a, b, c] = facet.points;
            assert_eq!(reduced(normal(a, b, c)), facet.normal);
            for p in facet.points {
                assert!(points.contains(&p));
                // At a vertex at least three planes meet that share no line.
                let through: Vec<_> = facets
                    .iter()
                    .filter(|f| dot(f.normal, p) == f.offset)
                    .collect();
                assert!(
                    through
                        .iter()
                        .any(|f| through.iter().any(|g| through.iter().any(|h| {
                            let across = f.normal.as_dvec3().cross(g.normal.as_dvec3());
                            across.dot(h.normal.as_dvec3()) != 0.0
                        })))
                );
            }
        }
    }

    #[test]
    fn the_hull_of_small_lattices_equals_brute_force() {
        let mut state = 7_u64;
        let mut next = |n: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            ((state >> 33) % n) as i64
        };
        // Few distinct coordinates make coplanar and collinear points the rule.
        for size in [2, 3, 4, 6, 1000] {
            for count in [5, 8, 14] {
                for _ in 0..20 {
                    let mut points: Vec<I64Vec3> = (0..count)
                        .map(|_| I64Vec3::new(next(size), next(size), next(size)))
                        .collect();
                    if hull(&points).is_some() {
                        check(&points);
                    } else {
                        assert!(
                            planes_by_brute_force(&points).len() <= 2,
                            "flat points have at most two sides"
                        );
                    }
                    let before = hull(&points);
                    points.reverse();
                    assert_eq!(
                        before,
                        hull(&points),
                        "the order of the points does not matter"
                    );
                }
            }
        }
    }

    #[test]
    fn a_cube_with_points_on_its_edges_and_faces_has_six_sides() {
        let mut points = Vec::new();
        for x in -2..=2 {
            for y in -2..=2 {
                for z in -2..=2 {
                    points.push(I64Vec3::new(x, y, z) * (GRID_LIMIT / 2));
                }
            }
        }
        let facets = hull(&points).expect("a cube");
        assert_eq!(facets.len(), 6);
        let corner = |p: I64Vec3| p.to_array().iter().all(|c| c.abs() == GRID_LIMIT);
        assert!(facets.iter().all(|f| f.points.iter().all(|p| corner(*p))));
    }

    #[test]
    fn flat_points_and_points_beyond_the_grid_have_no_hull() {
        let flat: Vec<I64Vec3> = (0..30)
            .map(|i| I64Vec3::new(i % 5, i / 5, i % 5 + i / 5))
            .collect();
        assert_eq!(hull(&flat), None);
        assert_eq!(hull(&[]), None);
        assert_eq!(hull(&[I64Vec3::ZERO; 9]), None);
        let far = [
            I64Vec3::ZERO,
            I64Vec3::X,
            I64Vec3::Y,
            I64Vec3::Z * (GRID_LIMIT + 1),
        ];
        assert_eq!(hull(&far), None);
        assert_eq!(
            hull(&[I64Vec3::MIN, I64Vec3::MAX, I64Vec3::X, I64Vec3::Y]),
            None
        );
    }
}
