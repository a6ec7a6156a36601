//! What a tree is built over: the boxes of faces or of blocks, and those around several.
//!
//! Boxes are f32, rounded outwards: they only cull.
use super::bounds::Bounds;
use super::index::NONE;
use glam::{DVec3, Vec3A, Vec4};

/// A face, or a block of faces, on its way into a leaf: its box; in the fourth lane of the lower corner the bits of its
/// number, in that of the upper one those of how many faces it is, both turned by [`ONE`]. Half a cache line.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrimRef {
    pub low: Vec4,
    pub high: Vec4,
}

/// The bits of 1.0: turns small numbers into floats that processors calculate with quickly.
pub(super) const ID_MASK: u32 = 0x3f80_0000;

impl PrimRef {
    /// Of nothing.
    pub const NONE: Self = Self {
        low: Vec4::from_array([
            f32::INFINITY,
            f32::INFINITY,
            f32::INFINITY,
            f32::from_bits(NONE ^ ID_MASK),
        ]),
        high: Vec4::from_array([f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY, 1.0]),
    };

    pub fn new(number: u32, bounds: &Bounds, faces: u32) -> Self {
        Self {
            low: bounds.min.extend(f32::from_bits(number ^ ID_MASK)),
            high: bounds.max.extend(f32::from_bits(faces ^ ID_MASK)),
        }
    }

    /// Around a triangle's corners.
    pub fn around(triangle: u32, corners: &[DVec3; 3]) -> Self {
        let [a, b, c] = corners.map(|p| p.as_vec3a());
        Self::new(
            triangle,
            &Bounds::grown(a.min(b).min(c), a.max(b).max(c)),
            1,
        )
    }

    /// With another number.
    #[inline(always)]
    pub fn with_id(mut self, number: u32) -> Self {
        self.low.w = f32::from_bits(number ^ ID_MASK);
        self
    }

    /// Of the face or the block.
    pub fn id(&self) -> u32 {
        self.low.w.to_bits() ^ ID_MASK
    }
    pub fn faces(&self) -> u32 {
        self.high.w.to_bits() ^ ID_MASK
    }
    #[inline(always)]
    pub fn bounds(&self) -> Bounds {
        Bounds {
            min: Vec3A::from_vec4(self.low),
            max: Vec3A::from_vec4(self.high),
        }
    }
    /// Twice the box's centre: only compared and averaged.
    #[inline(always)]
    pub fn centre2(&self) -> Vec3A {
        Vec3A::from_vec4(self.low) + Vec3A::from_vec4(self.high)
    }
    #[inline(always)]
    pub fn centre2_along(&self, axis: usize) -> f32 {
        self.low[axis] + self.high[axis]
    }
}

/// The boxes of some items and of their (doubled) centres, and how many faces they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrimInfo {
    pub bounds: Bounds,
    pub centres: Bounds,
    pub faces: u32,
}

impl PrimInfo {
    #[inline(always)]
    pub fn new(items: &[PrimRef]) -> Self {
        let mut group = Self {
            bounds: Bounds::EMPTY,
            centres: Bounds::EMPTY,
            faces: 0,
        };
        for item in items {
            group.bounds.extend(&item.bounds());
            group.centres.extend_point(item.centre2());
            group.faces += item.faces();
        }
        group
    }

    pub fn merged(mut self, other: &Self) -> Self {
        self.bounds.extend(&other.bounds);
        self.centres.extend(&other.centres);
        self.faces += other.faces;
        self
    }
}
