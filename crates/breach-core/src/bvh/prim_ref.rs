//! References to the primitives of a build, faces or blocks of faces, with their boxes; named as in Embree.
//!
//! Boxes are f32, rounded outwards.
use super::bounds::Bounds;
use super::index::NONE;
use glam::{DVec3, Vec3A, Vec4};

/// A face or a block of faces with its box. The fourth lane of `low` holds the bits of its id, the fourth lane of
/// `high` those of its face count, both XORed with [`ID_MASK`]. Half a cache line.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrimRef {
    pub low: Vec4,
    pub high: Vec4,
}

/// The bits of 1.0. XORed with it, a small integer is a normal float; denormals would slow arithmetic down.
pub(super) const ID_MASK: u32 = 0x3f80_0000;

impl PrimRef {
    /// An empty lane.
    pub const NONE: Self = Self {
        low: Vec4::from_array([
            f32::INFINITY,
            f32::INFINITY,
            f32::INFINITY,
            f32::from_bits(NONE ^ ID_MASK),
        ]),
        high: Vec4::from_array([f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY, 1.0]),
    };

    pub fn new(id: u32, bounds: &Bounds, faces: u32) -> Self {
        Self {
            low: bounds.min.extend(f32::from_bits(id ^ ID_MASK)),
            high: bounds.max.extend(f32::from_bits(faces ^ ID_MASK)),
        }
    }

    /// A triangle with these corners.
    pub fn around(triangle: u32, corners: &[DVec3; 3]) -> Self {
        let [a, b, c] = corners.map(|p| p.as_vec3a());
        Self::new(
            triangle,
            &Bounds::grown(a.min(b).min(c), a.max(b).max(c)),
            1,
        )
    }

    /// The same box with another id.
    #[inline(always)]
    pub fn with_id(mut self, id: u32) -> Self {
        self.low.w = f32::from_bits(id ^ ID_MASK);
        self
    }

    /// Index of the face or block.
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
    /// Twice the box's centre; only compared and averaged.
    #[inline(always)]
    pub fn centre2(&self) -> Vec3A {
        Vec3A::from_vec4(self.low) + Vec3A::from_vec4(self.high)
    }
    #[inline(always)]
    pub fn centre2_along(&self, axis: usize) -> f32 {
        self.low[axis] + self.high[axis]
    }
}

/// The box of a range of primitives, the box of their doubled centres, and their face count.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrimInfo {
    pub bounds: Bounds,
    pub centres: Bounds,
    pub faces: u32,
}

impl PrimInfo {
    #[inline(always)]
    pub fn new(prims: &[PrimRef]) -> Self {
        let mut info = Self {
            bounds: Bounds::EMPTY,
            centres: Bounds::EMPTY,
            faces: 0,
        };
        for prim in prims {
            info.bounds.extend(&prim.bounds());
            info.centres.extend_point(prim.centre2());
            info.faces += prim.faces();
        }
        info
    }

    pub fn merged(mut self, other: &Self) -> Self {
        self.bounds.extend(&other.bounds);
        self.centres.extend(&other.centres);
        self.faces += other.faces;
        self
    }
}
