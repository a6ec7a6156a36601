//! A triangle as the queries meet it: its corners and normal, and the bits that say which of its edges and vertices are
//! its own to test.
use super::f64x4::{DVec3A, F64x4};
use super::index::NONE;
use super::mesh::Triangle;
use crate::collide::{SphereSweep, is_near_border};
use crate::geom::tolerance::{ALONG, FLAT_EDGE, SEAM, SLIVER_HEIGHT};
use glam::{DVec3, Vec4};
use std::ops::Deref;

/// Set where the edge from corner `k` to the next is the face's to test.
pub(super) const fn edge_bit(k: usize) -> u16 {
    1 << k
}

/// Set where vertex `k` is the face's to test.
pub(super) const fn vertex_bit(k: usize) -> u16 {
    0x10 << k
}

/// Set where the edge from corner `k` to the next is a border: no other face of the mesh has it.
pub(super) const fn border_bit(k: usize) -> u16 {
    0x100 << k
}

/// Set where vertex `k` is this face's to test and lies on a border.
pub(super) const fn border_vertex_bit(k: usize) -> u16 {
    0x1000 << k
}

/// The bits of the first edge.
pub(super) const EDGE_BITS: u16 = edge_bit(0) | border_bit(0);

/// By corner: the bits of its vertex, and of the two edges there; of no corner none.
pub(super) const VERTEX_BITS: [u16; 4] = [0x1010, 0x2020, 0x4040, 0];

pub(super) const EDGES_AT_CORNER: [u16; 4] = [0b101, 0b011, 0b110, 0];

/// The bits of owning anything.
pub(super) const ANY_ACTIVE: u16 = 0x77;

/// A triangle as the tree keeps it; numbered as in the mesh. One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Face {
    /// Unit, towards the air; zero without area. Behind it, how far along it the first corner is, metres.
    plane: DVec3A,
    pub key: u64,
    /// Index into [`super::Mesh::triangles`]; [`NONE`] for a slot without a face.
    pub triangle: u32,
    /// Where its corners are; indices into [`super::Mesh::positions`].
    pub points: [u32; 3],
    /// What is this face's to test; see [`edge_bit`] and those after it.
    pub active: u16,
    /// Too flat for its normal to tell much.
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

    /// But for its plane, which has twice the area for a unit until it is divided by the root of what comes with it; see
    /// [`Self::make_unit`]. `reach` is no less than any coordinate of the corners.
    #[inline(always)]
    pub fn new<S: F64x4>(
        simd: S,
        triangle: u32,
        t: &Triangle,
        corners: &[S::V; 3],
        reach: f64,
    ) -> (Self, f64) {
        let &[a, b, c] = corners;
        // Twice the area, as a vector to the front.
        let area = simd.cross(simd.sub(b, a), simd.sub(c, a));
        let squared = simd.dot(area, area);
        // No side is longer than twice the reach along each axis; a bit more for rounding. Few triangles are so small
        // that they have to be looked at closely.
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

    /// The second step: `length` is from [`length_or_infinity`].
    #[inline(always)]
    pub fn make_unit<S: F64x4>(&mut self, simd: S, length: f64) {
        self.plane = simd.div_all(&self.plane, length);
    }

    /// Unit, towards the air; zero without area.
    #[inline(always)]
    pub fn normal(&self) -> DVec3 {
        self.plane.get()
    }

    /// Its plane as culling uses it, in f32: the unit normal, and how far along it any corner is. Zero, which culls
    /// nothing, where it cannot be trusted.
    #[inline(always)]
    pub fn plane<S: F64x4>(&self, simd: S) -> Vec4 {
        if self.is_sliver {
            return Vec4::ZERO;
        }
        simd.to_f32x4(&self.plane)
    }

    /// Whether the surface turns away from the air at the edge with another face, which runs as this face's side; or a
    /// normal tells too little.
    #[inline(always)]
    pub fn is_edge_active<S: F64x4>(&self, simd: S, other: &Self, edge: S::V) -> bool {
        let [one, two] = [self, other].map(|face| simd.load(&face.plane));
        let (dot, sine) = (simd.dot(one, two), simd.dot(simd.cross(one, two), edge));
        self.is_sliver | other.is_sliver | is_active_angle(dot, sine, simd.dot(edge, edge))
    }

    /// The same of four faces, each with one other and the edge between: a bit each.
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
        // As [`is_active_angle`].
        let beyond = |least: f64| {
            let limit = simd.q_mul(simd.splat(least * least), squared);
            simd.q_less(limit, simd.q_mul(sine, sine))
        };
        let is_out = simd.q_less(simd.splat(0.0), sine);
        let folded = simd.q_less(dot, simd.splat(0.0));
        let turned = is_out & beyond(FLAT_EDGE) | folded & (is_out | !beyond(FOLDED));
        let rough = |one: &Self, other: &Self| u32::from(one.is_sliver | other.is_sliver);
        turned | rough(a, e) | rough(b, f) << 1 | rough(c, g) << 2 | rough(d, h) << 3
    }

    /// Whether two faces with an edge in common are pieces of one: then that is flat, however thin they are.
    #[inline(always)]
    pub fn is_same_face_as<S: F64x4>(&self, simd: S, other: &Self) -> bool {
        self.key == other.key && {
            let [one, two] = [self, other].map(|face| simd.load(&face.plane));
            self.is_sliver || other.is_sliver || simd.dot(one, two) > 0.9
        }
    }
}

/// A face with its corners, as the queries meet it.
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
    /// Whether a contact with a face as good as without area is on it: then it is near one of its sides, and nothing
    /// else can tell.
    #[cold]
    pub fn sliver_contains(&self, point: DVec3) -> bool {
        let [a, b, c] = self.corners;
        let reach = a.abs().max(b.abs()).max(c.abs()).max_element();
        is_near_border(self.corners, point, SLIVER_HEIGHT * reach + SEAM)
    }

    /// Whether a sphere moves in against the face, as far as that can be told, and not from close behind it.
    pub fn stops(&self, sweep: &SphereSweep) -> bool {
        let is_inwards = self.normal().dot(sweep.displacement) < -ALONG * sweep.length;
        self.is_sliver || is_inwards && !self.is_close_behind(sweep)
    }

    /// Whether the sphere starts so near behind the face that it pokes through: through a thin wall.
    pub fn is_close_behind(&self, sweep: &SphereSweep) -> bool {
        let height = self.normal().dot(sweep.from - self.corners[0]);
        !self.is_sliver && -sweep.radius < height && height < 0.0
    }
}

/// The root of a square; what is without length has one without end, and becomes zero when it is divided by that.
#[inline(always)]
pub(super) fn length_or_infinity(squared: f64) -> f64 {
    if squared > 0.0 {
        squared.sqrt()
    } else {
        f64::INFINITY
    }
}

/// Sine below which a fold is one onto itself.
const FOLDED: f64 = 1e-3;

/// The corner after one, without dividing.
#[inline(always)]
pub(super) const fn next_corner(corner: usize) -> usize {
    if corner == 2 { 0 } else { corner + 1 }
}

/// The corner before one.
#[inline(always)]
pub(super) const fn previous_corner(corner: usize) -> usize {
    if corner == 0 { 2 } else { corner - 1 }
}

/// Whether a triangle with this area is too flat for its normal to tell much.
#[cold]
fn is_sliver(corners: [DVec3; 3], area: DVec3) -> bool {
    let reach = max_abs_coordinate(&corners);
    let least = (SLIVER_HEIGHT * reach) * (SLIVER_HEIGHT * reach);
    area.length_squared() <= least * longest_squared(corners)
}

/// The greatest coordinate of some points that are finite.
#[inline(always)]
pub(super) fn max_abs_coordinate(points: &[DVec3]) -> f64 {
    // Unlike f64::max one operation of the processor: nothing here is not a number.
    let upper = |a: f64, b: f64| if a > b { a } else { b };
    let furthest = |p: DVec3| upper(upper(p.x.abs(), p.y.abs()), p.z.abs());
    points.iter().fold(0.0, |most, &p| upper(furthest(p), most))
}

/// The square of the longest side.
fn longest_squared([a, b, c]: [DVec3; 3]) -> f64 {
    a.distance_squared(b)
        .max(b.distance_squared(c))
        .max(c.distance_squared(a))
}

/// Whether the surface turns away from the air at an edge, which runs as the side of the first of two faces: from their
/// normals, n · m and n × m · edge, and from edge · edge. Where it folds back onto itself, air and rock cannot be told apart by the angle, and
/// the answer is yes.
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

    /// A face through a side from the origin, its third corner somewhere around; some are thin.
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
                let turns = ones[i].is_edge_active(Scalar, &others[i], edge);
                assert_eq!(bits >> i & 1 != 0, turns, "{:?} {:?}", ones[i], others[i]);
                let is_sliver = ones[i].is_sliver || others[i].is_sliver;
                seen[usize::from(turns) + 2 * usize::from(is_sliver)] += 1;
            }
            assert_eq!(bits >> 4, 0);
            #[cfg(target_arch = "x86_64")]
            if let Some(wide) = pulp::x86::V3::try_new() {
                let edges = edges.map(|edge| wide.load(&DVec3A::new(edge)));
                assert_eq!(bits, Face::four_edges_active(wide, faces, edges));
            }
        }
        // What is rough always turns.
        assert!(
            seen[0] > 1000 && seen[1] > 1000 && seen[2] == 0 && seen[3] > 1000,
            "{seen:?}"
        );
    }
}
