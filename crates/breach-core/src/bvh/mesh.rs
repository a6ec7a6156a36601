//! The triangles that a tree is built over.
use glam::DVec3;

/// A room's surface as triangles. Edited in place: a slot keeps its index while its triangle lives and is
/// [`Triangle::DEAD`] when it is free.
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
    /// Of hits at equal fractions the lowest key wins. In a world the key encodes plane and material, so that the
    /// answer does not depend on how the air is divided into rooms.
    pub key: u64,
}

impl Mesh {
    /// Memory in use, bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.positions) + size_of_val(&*self.triangles)
    }
}

impl Triangle {
    /// A free slot of [`Mesh::triangles`].
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

/// The corners of a triangle; None if it is dead, an index is out of range or a coordinate is out of [`SANE`].
pub(super) fn triangle_corners(mesh: &Mesh, triangle: &Triangle) -> Option<[DVec3; 3]> {
    let at = |k: usize| mesh.positions.get(triangle.corners[k] as usize).copied();
    let corners = [at(0)?, at(1)?, at(2)?];
    corners.iter().all(is_sane).then_some(corners)
}

/// Largest coordinate, metres: fourth powers of it still fit into f64.
pub(super) const SANE: f64 = 1e30;

/// Whether all coordinates are below [`SANE`]; false for NaN.
#[inline(always)]
pub(super) fn is_sane(p: &DVec3) -> bool {
    (p.x.abs() < SANE) & (p.y.abs() < SANE) & (p.z.abs() < SANE)
}

/// Whether a triangle uses a point twice. Its half-edges are never matched.
#[inline(always)]
pub(super) fn repeats_index([a, b, c]: [u32; 3]) -> bool {
    (a == b) | (b == c) | (c == a)
}
