//! The triangles that a tree is built over.
use glam::DVec3;

/// A room's surface as triangles, the shape that rays and spheres meet. Edited in place: a slot keeps its index as long
/// as its triangle lives, and is [`Triangle::DEAD`] between two lives.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Corner positions, metres; shared by index where triangles meet.
    pub positions: Vec<DVec3>,
    /// Triangles, counter-clockwise seen from the air.
    pub triangles: Vec<Triangle>,
}

/// One triangle of a [`Mesh`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle {
    /// Indices into [`Mesh::positions`].
    pub corners: [u32; 3],
    /// The room's face that this triangle is a part of.
    pub face: u32,
    /// Equal fractions are decided by the lowest. In a world it stands for the plane and what it shows, so that the answer
    /// does not depend on how the air is divided into rooms.
    pub key: u64,
}

impl Triangle {
    /// A slot of [`Mesh::triangles`] that holds no triangle.
    pub const DEAD: Self = Self {
        corners: [u32::MAX; 3],
        face: u32::MAX,
        key: u64::MAX,
    };

    /// Whether the slot holds a triangle.
    pub fn is_live(&self) -> bool {
        *self != Self::DEAD
    }
}

/// The corners of a triangle; None if it is dead, or points outside the list or at a number that is none.
pub(super) fn corners_of(mesh: &Mesh, triangle: &Triangle) -> Option<[DVec3; 3]> {
    let at = |k: usize| mesh.positions.get(triangle.corners[k] as usize).copied();
    let corners = [at(0)?, at(1)?, at(2)?];
    corners.iter().all(is_sane).then_some(corners)
}

/// Beyond this, squares of squares would not fit.
pub(super) const SANE: f64 = 1e30;

/// Whether a point can be calculated with; NaN is not below any limit either.
#[inline(always)]
pub(super) fn is_sane(p: &DVec3) -> bool {
    (p.x.abs() < SANE) & (p.y.abs() < SANE) & (p.z.abs() < SANE)
}

/// Whether a triangle names a point twice: its sides are never those of a pair.
#[inline(always)]
pub(super) fn repeats_index([a, b, c]: [u32; 3]) -> bool {
    (a == b) | (b == c) | (c == a)
}
