//! Triangles as the tree stores them: plane, corner indices, and flags for their active edges and vertices.
use super::f64x4::{DVec3A, F64x4};
use super::index::NONE;
use super::mesh::Triangle;
use crate::collide::{SphereSweep, is_near_border};
use crate::geom::tolerance::{ALONG, FLAT_EDGE, SEAM, SLIVER_HEIGHT};
use glam::{DVec3, Vec4};
use std::ops::Deref;

/// Set if this face tests the edge from corner `k` to the next.
pub(super) const fn edge_bit(k: usize) -> u16 {
    1 << k
}

/// Set if this face tests vertex `k`.
pub(super) const fn vertex_bit(k: usize) -> u16 {
    0x10 << k
}

/// Set if the edge from corner `k` to the next is a border: no other face of the mesh has it.
pub(super) const fn border_bit(k: usize) -> u16 {
    0x100 << k
}

/// Set if this face tests vertex `k` and the vertex lies on a border.
pub(super) const fn border_vertex_bit(k: usize) -> u16 {
    0x1000 << k
}

/// All flags of the first edge.
pub(super) const EDGE_BITS: u16 = edge_bit(0) | border_bit(0);

/// By corner: the flags of its vertex. The fourth entry is padding.
pub(super) const VERTEX_BITS: [u16; 4] = [0x1010, 0x2020, 0x4040, 0];

pub(super) const EDGES_AT_CORNER: [u16; 4] = [0b101, 0b011, 0b110, 0];

/// Flags of all active edges and vertices.
pub(super) const ANY_ACTIVE: u16 = 0x77;

/// A triangle with the index it has in the mesh. One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Face {
    /// Unit normal towards the air, zero for a triangle without area; w is normal · first corner, metres.
    plane: DVec3A,
    pub key: u64,
    /// Index into [`super::Mesh::triangles`]; [`NONE`] for an empty slot.
    pub triangle: u32,
    /// Corners; indices into [`super::Mesh::positions`].
    pub points: [u32; 3],
    /// Flags of the edges and vertices that this face tests; see [`edge_bit`] and the functions after it.
    pub active: u16,
    /// Too thin for its normal to be trusted.
    pub is_sliver: bool,
}

impl Face {
    pub const NONE: Self = Self {
        plane: DVec3A::new(DVec3::ZERO),
        key: u64::MAX,
        triangle: NONE,
        points: [NONE; 3],
        active: 0,
        is_sliver: true,
    };

    /// First step: the plane's normal is twice the area vector until [`Self::make_unit`] divides it by the root of the
    /// square returned here. `reach` is an upper bound of all coordinates.
    #[inline(always)]
    pub fn new<S: F64x4>(
        simd: S,
        triangle: u32,
        t: &Triangle,
        corners: &[S::V; 3],
        reach: f64,
    ) -> (Self, f64) {
        let &[a, b, c] = corners;
        // Twice the area, as a vector towards the air.
        let area = simd.cross(simd.sub(b, a), simd.sub(c, a));
        let squared = simd.dot(area, area);
        // No side is longer than twice the reach along each axis, plus rounding. Few triangles are small enough to need
        // the exact test.
        let least = SLIVER_HEIGHT * reach * reach;
        let is_small = squared <= (12.1 * least * least).max(1e-200);
        let face = Self {
            plane: simd.store_with_w(area, simd.dot(area, a)),
            key: t.key,
            triangle,
            points: t.corners,
            active: 0,
            is_sliver: is_small && is_sliver(corners.map(|p| simd.store(p)), simd.store(area)),
        };
        (face, squared)
    }

    /// Second step; `length` comes from [`length_or_infinity`].
    #[inline(always)]
    pub fn make_unit<S: F64x4>(&mut self, simd: S, length: f64) {
        self.plane = simd.div_all(&self.plane, length);
    }

    /// Unit normal towards the air; zero for a triangle without area.
    #[inline(always)]
    pub fn normal(&self) -> DVec3 {
        self.plane.get()
    }

    /// The plane in f32 for culling: unit normal and offset. Zero, which culls nothing, for a sliver.
    #[inline(always)]
    pub fn plane<S: F64x4>(&self, simd: S) -> Vec4 {
        if self.is_sliver {
            return Vec4::ZERO;
        }
        simd.to_f32x4(&self.plane)
    }

    /// Whether the edge shared with `other` is active: convex, or next to a sliver. `edge` runs as this face's side.
    #[inline(always)]
    pub fn is_edge_active<S: F64x4>(&self, simd: S, other: &Self, edge: S::V) -> bool {
        let [one, two] = [self, other].map(|face| simd.load(&face.plane));
        let (dot, sine) = (simd.dot(one, two), simd.dot(simd.cross(one, two), edge));
        self.is_sliver | other.is_sliver | is_active_angle(dot, sine, simd.dot(edge, edge))
    }

    /// [`Self::is_edge_active`] for four pairs of faces, one bit each.
    #[inline(always)]
    pub fn four_edges_active<S: F64x4>(
        simd: S,
        [ones, others]: [[&Self; 4]; 2],
        edges: [S::V; 4],
    ) -> u32 {
        let [a, b, c, d] = ones;
        let one = simd.transpose([a, b, c, d].map(|face| simd.load(&face.plane)));
        let [e, f, g, h] = others;
        let two = simd.transpose([e, f, g, h].map(|face| simd.load(&face.plane)));
        let edge = simd.transpose(edges);
        let dots = |a: [S::Q; 3], b: [S::Q; 3]| {
            let (x, y) = (simd.q_mul(a[0], b[0]), simd.q_mul(a[1], b[1]));
            simd.q_add(simd.q_add(x, y), simd.q_mul(a[2], b[2]))
        };
        let part =
            |y: usize, z: usize| simd.q_sub(simd.q_mul(one[y], two[z]), simd.q_mul(one[z], two[y]));
        let cross = [part(1, 2), part(2, 0), part(0, 1)];
        let (dot, sine, squared) = (dots(one, two), dots(cross, edge), dots(edge, edge));
        // Same as [`is_active_angle`].
        let beyond = |least: f64| {
            let limit = simd.q_mul(simd.splat(least * least), squared);
            simd.q_less(limit, simd.q_mul(sine, sine))
        };
        let is_convex = simd.q_less(simd.splat(0.0), sine);
        let folded = simd.q_less(dot, simd.splat(0.0));
        let active = is_convex & beyond(FLAT_EDGE) | folded & (is_convex | !beyond(FOLDED));
        let sliver = |one: &Self, other: &Self| u32::from(one.is_sliver | other.is_sliver);
        active | sliver(a, e) | sliver(b, f) << 1 | sliver(c, g) << 2 | sliver(d, h) << 3
    }

    /// Whether two adjacent triangles are pieces of one face. Their common edge is flat, however thin they are.
    #[inline(always)]
    pub fn is_same_face_as<S: F64x4>(&self, simd: S, other: &Self) -> bool {
        self.key == other.key && {
            let [one, two] = [self, other].map(|face| simd.load(&face.plane));
            self.is_sliver || other.is_sliver || simd.dot(one, two) > 0.9
        }
    }
}

/// A face with its corner positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaceTriangle<'a> {
    pub face: &'a Face,
    pub corners: &'a [DVec3; 3],
}

impl Deref for FaceTriangle<'_> {
    type Target = Face;
    #[inline(always)]
    fn deref(&self) -> &Face {
        self.face
    }
}

impl FaceTriangle<'_> {
    /// Whether a contact with a sliver lies on it, that is, near one of its sides; its normal cannot tell.
    #[cold]
    pub fn sliver_contains(&self, point: DVec3) -> bool {
        let [a, b, c] = self.corners;
        let reach = a.abs().max(b.abs()).max(c.abs()).max_element();
        is_near_border(self.corners, point, SLIVER_HEIGHT * reach + SEAM)
    }

    /// Whether a sphere moves against the face and does not start close behind it. Always true for a sliver.
    pub fn stops(&self, sweep: &SphereSweep) -> bool {
        let is_inwards = self.normal().dot(sweep.displacement) < -ALONG * sweep.length;
        self.is_sliver || is_inwards && !self.is_close_behind(sweep)
    }

    /// Whether the sphere starts close behind the face and pokes through it, as through a thin wall.
    pub fn is_close_behind(&self, sweep: &SphereSweep) -> bool {
        let height = self.normal().dot(sweep.from - self.corners[0]);
        !self.is_sliver && -sweep.radius < height && height < 0.0
    }
}

/// The square root; infinity for zero, so that a zero vector divided by it stays zero.
#[inline(always)]
pub(super) fn length_or_infinity(squared: f64) -> f64 {
    if squared > 0.0 {
        squared.sqrt()
    } else {
        f64::INFINITY
    }
}

/// Sine below which two faces fold back onto each other.
const FOLDED: f64 = 1e-3;

/// The next corner of a triangle, without a division.
#[inline(always)]
pub(super) const fn next_corner(corner: usize) -> usize {
    if corner == 2 { 0 } else { corner + 1 }
}

/// The previous corner of a triangle.
#[inline(always)]
pub(super) const fn previous_corner(corner: usize) -> usize {
    if corner == 0 { 2 } else { corner - 1 }
}

/// Whether a triangle with this area vector is a sliver.
#[cold]
fn is_sliver(corners: [DVec3; 3], area: DVec3) -> bool {
    let reach = max_abs_coordinate(&corners);
    let least = (SLIVER_HEIGHT * reach) * (SLIVER_HEIGHT * reach);
    area.length_squared() <= least * longest_squared(corners)
}

/// The largest absolute coordinate of some finite points.
#[inline(always)]
pub(super) fn max_abs_coordinate(points: &[DVec3]) -> f64 {
    // Unlike `f64::max` a single instruction; no operand is NaN.
    let upper = |a: f64, b: f64| if a > b { a } else { b };
    let furthest = |p: DVec3| upper(upper(p.x.abs(), p.y.abs()), p.z.abs());
    points.iter().fold(0.0, |most, &p| upper(furthest(p), most))
}

/// Square of the longest side.
fn longest_squared([a, b, c]: [DVec3; 3]) -> f64 {
    a.distance_squared(b)
        .max(b.distance_squared(c))
        .max(c.distance_squared(a))
}

/// Whether an edge is active, from the normals n and m of its faces and the edge vector along the side of the first: n
/// · m, n × m · edge and edge · edge. True if the edge is convex. Where the faces fold back onto each other, angles
/// cannot tell air from rock, and the answer is true.
#[inline(always)]
fn is_active_angle(dot: f64, sine: f64, squared: f64) -> bool {
    let beyond = |least: f64| sine * sine > least * least * squared;
    let folded = dot < 0.0;
    (sine > 0.0) & beyond(FLAT_EDGE) | folded & ((sine > 0.0) | !beyond(FOLDED))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::f64x4::Scalar;
    use crate::geom::rng::Rng;

    /// A random face with a given side from the origin; some are thin.
    fn face(rng: &mut Rng, side: DVec3, runs_back: bool) -> Face {
        let around = match rng.below(5) {
            0 => side * rng.range(0.1, 0.9) + rng.unit_vector() * 1e-9,
            1 => DVec3::new(side.y, -side.x, 0.0),
            2 => DVec3::new(-side.y, side.x, 0.0),
            _ => rng.unit_vector(),
        };
        let [from, to] = if runs_back {
            [side, DVec3::ZERO]
        } else {
            [DVec3::ZERO, side]
        };
        let t = Triangle {
            corners: [0, 1, 2],
            face: 0,
            key: 0,
        };
        let (mut face, squared) = Face::new(Scalar, 0, &t, &[from, to, around], 1.0);
        face.make_unit(Scalar, length_or_infinity(squared));
        face
    }

    #[test]
    fn four_edges_turn_as_each_of_them_does() {
        let mut rng = Rng::new(8);
        let mut seen = [0; 4];
        for _ in 0..5000 {
            let edges =
                [(); 4].map(|()| DVec3::new(rng.range(-1.0, 1.0), rng.range(0.1, 1.0), 0.0));
            let ones = edges.map(|edge| face(&mut rng, edge, false));
            let others = edges.map(|edge| face(&mut rng, edge, true));
            let faces = [ones.each_ref(), others.each_ref()];
            let bits = Face::four_edges_active(Scalar, faces, edges);
            for (i, edge) in edges.into_iter().enumerate() {
                let is_active = ones[i].is_edge_active(Scalar, &others[i], edge);
                assert_eq!(
                    bits >> i & 1 != 0,
                    is_active,
                    "{:?} {:?}",
                    ones[i],
                    others[i]
                );
                let is_sliver = ones[i].is_sliver || others[i].is_sliver;
                seen[usize::from(is_active) + 2 * usize::from(is_sliver)] += 1;
            }
            assert_eq!(bits >> 4, 0);
            #[cfg(target_arch = "x86_64")]
            if let Some(wide) = pulp::x86::V3::try_new() {
                let edges = edges.map(|edge| wide.load(&DVec3A::new(edge)));
                assert_eq!(bits, Face::four_edges_active(wide, faces, edges));
            }
        }
        // Edges of slivers are always active.
        assert!(
            seen[0] > 1000 && seen[1] > 1000 && seen[2] == 0 && seen[3] > 1000,
            "{seen:?}"
        );
    }
}
