//! Where does a ray meet the front of a triangle?
//!
//! The triangle is translated to the ray's origin and sheared so that the ray runs along one axis; then the origin must
//! lie in the projected triangle: `u = c × b`, `v = a × c`, `w = b × a` (2-D cross products) all at least zero, and `t
//! = (u·a_z + v·b_z + w·c_z) / (u + v + w)`. Woop, Benthin and Wald, Watertight Ray/Triangle Intersection (JCGT 2013),
//! here in f64.
//!
//! Two triangles that share an edge compute the same number for it with opposite signs, bit for bit, from the same two
//! corners; so no ray can slip between them. No operation may be fused or reordered.
//!
//! Conventions. Front faces only (counter-clockwise). Edges and corners belong to the triangle. A start on it is t = 0;
//! the caller judges negative t. A triangle seen edge-on, or without area, is a miss.
use glam::DVec3;

/// A ray with its axes and shear, for many triangles.
#[derive(Clone, Copy, Debug)]
pub struct ShearedRay {
    /// In the order of `axes`.
    origin: [f64; 3],
    /// Permutation of the axes: the last is the direction's longest; the winding is preserved.
    axes: [usize; 3],
    /// Multiples of z by which x and y are sheared; z is scaled by the last.
    shear: DVec3,
}

/// A point of a triangle: `a + alpha·(b - a) + beta·(c - a)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// Ray parameter, in lengths of the direction; negative behind the origin.
    pub t: f64,
    /// Barycentric coordinate of the second corner.
    pub alpha: f64,
    /// Barycentric coordinate of the third corner.
    pub beta: f64,
}

impl ShearedRay {
    /// None for a direction that is zero or not finite.
    #[inline(always)]
    pub fn new(origin: DVec3, dir: DVec3) -> Option<Self> {
        let size = dir.abs();
        // Computed without branches: the direction is unpredictable.
        let is_x = (size.x >= size.y) & (size.x >= size.z);
        let z = usize::from(!is_x) * (2 - usize::from(size.y >= size.z));
        let (way, start) = (dir.to_array(), origin.to_array());
        let axes = AXES[usize::from(way[z] < 0.0)][z];
        let dir = axes.map(|axis| way[axis]);
        // Rounded, but identical for all triangles, which is all that matters.
        let shear = DVec3::new(dir[0], dir[1], 1.0) * (1.0 / dir[2]);
        (shear.is_finite() && origin.is_finite()).then_some(Self {
            origin: axes.map(|axis| start[axis]),
            axes,
            shear,
        })
    }

    /// The axes, and in their order the origin and the shear, rounded to f32 for culling.
    #[inline(always)]
    pub fn rounded(&self) -> ([usize; 3], [f32; 3], [f32; 2]) {
        let shear = [self.shear.x as f32, self.shear.y as f32];
        (self.axes, self.origin.map(|x| x as f32), shear)
    }

    /// A corner in the ray's frame: depends on the corner alone, whichever triangle it belongs to.
    #[inline(always)]
    fn project(&self, corner: &DVec3) -> DVec3 {
        let corner: &[f64; 3] = corner.as_ref();
        // `min(2)` changes nothing, but removes the bounds check.
        let along = |i: usize| corner[self.axes[i].min(2)] - self.origin[i];
        let z = along(2);
        DVec3::new(
            along(0) - self.shear.x * z,
            along(1) - self.shear.y * z,
            self.shear.z * z,
        )
    }
}

/// Permutations of the axes for a direction that rises along its longest axis, and for one that falls.
const AXES: [[[usize; 3]; 3]; 2] = [
    [[1, 2, 0], [2, 0, 1], [0, 1, 2]],
    [[2, 1, 0], [0, 2, 1], [1, 0, 2]],
];

/// Intersects the ray's line, in both directions, with the front of the triangle `a`, `b`, `c`.
#[inline(always)]
pub fn intersect_ray_triangle(ray: &ShearedRay, [a, b, c]: &[DVec3; 3]) -> Option<TriangleHit> {
    let (a, b, c) = (ray.project(a), ray.project(b), ray.project(c));
    // With the ray along +z a front face is clockwise in the x-y plane.
    let u = c.y * b.x - c.x * b.y;
    let v = a.y * c.x - a.x * c.y;
    let w = b.y * a.x - b.x * a.y;
    // A single branch: the side on which a ray passes is unpredictable.
    if (u > 0.0) | (v > 0.0) | (w > 0.0) {
        return None;
    }
    let sum = u + v + w;
    let t = (u * a.z + v * b.z + w * c.z) / sum;
    (sum != 0.0 && t.is_finite()).then(|| TriangleHit {
        t,
        alpha: v / sum,
        beta: w / sum,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::testing::random_triangle;
    use crate::geom::rng::Rng;

    fn cast(origin: DVec3, dir: DVec3, corners: [DVec3; 3]) -> Option<TriangleHit> {
        intersect_ray_triangle(&ShearedRay::new(origin, dir)?, &corners)
    }

    /// Möller and Trumbore (1997), front faces only: another formula for the same query.
    fn moller_trumbore(origin: DVec3, dir: DVec3, [a, b, c]: [DVec3; 3]) -> Option<TriangleHit> {
        let (ab, ac) = (b - a, c - a);
        let p = dir.cross(ac);
        let det = ab.dot(p);
        let s = origin - a;
        let (alpha, beta) = (s.dot(p) / det, dir.dot(s.cross(ab)) / det);
        let inside = alpha >= 0.0 && beta >= 0.0 && alpha + beta <= 1.0;
        (det > 0.0 && inside).then(|| TriangleHit {
            t: ac.dot(s.cross(ab)) / det,
            alpha,
            beta,
        })
    }

    #[test]
    fn conventions() {
        let floor = [DVec3::ZERO, DVec3::Z * 4.0, DVec3::X * 4.0];
        let at = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
        let hit = cast(at(1.0, 2.0, 2.0), -DVec3::Y, floor).unwrap();
        assert_eq!(
            hit,
            TriangleHit {
                t: 2.0,
                alpha: 0.5,
                beta: 0.25
            }
        );
        assert_eq!(
            cast(at(1.0, -2.0, 2.0), DVec3::Y, floor),
            None,
            "from behind"
        );
        assert_eq!(
            cast(at(1.0, 0.0, 2.0), -DVec3::Y, floor).map(|h| h.t),
            Some(0.0),
            "on it"
        );
        assert_eq!(
            cast(at(0.0, 1.0, 0.0), -DVec3::Y, floor).map(|h| h.t),
            Some(1.0),
            "a corner"
        );
        assert_eq!(
            cast(at(2.0, 1.0, 2.0), -DVec3::Y, floor).map(|h| h.t),
            Some(1.0),
            "an edge"
        );
        assert_eq!(cast(at(2.1, 1.0, 2.0), -DVec3::Y, floor), None, "beside");
        assert_eq!(cast(at(-1.0, 0.0, 1.0), DVec3::X, floor), None, "edge-on");
        assert_eq!(
            cast(at(1.0, 1.0, 1.0), DVec3::ZERO, floor),
            None,
            "no direction"
        );
        assert_eq!(
            cast(at(1.0, 1.0, 1.0), -DVec3::Y, [DVec3::ZERO; 3]),
            None,
            "no area"
        );
    }

    #[test]
    fn agrees_with_moller_and_trumbore() {
        let mut rng = Rng::new(2);
        let mut hits = 0;
        for _ in 0..20_000 {
            let corners = random_triangle(&mut rng);
            let origin = rng.unit_vector() * 2.0;
            let dir = rng.unit_vector() * 0.5 - origin;
            match (
                cast(origin, dir, corners),
                moller_trumbore(origin, dir, corners),
            ) {
                (Some(x), Some(y)) => {
                    hits += 1;
                    let scale = 1e-9 * (1.0 + x.t.abs());
                    assert!((x.t - y.t).abs() < scale && (x.alpha - y.alpha).abs() < 1e-9);
                    assert!((x.beta - y.beta).abs() < 1e-9);
                }
                (None, None) => {}
                other => panic!("{origin} {dir} {corners:?}: {other:?}"),
            }
        }
        assert!(hits > 200);
    }
}
