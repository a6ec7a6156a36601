//! What a tree is built over: the boxes of faces or of blocks, and those around several.
//!
//! Boxes are f32, rounded outwards: they only cull.
use super::node::NONE;
use crate::geom::Aabb;
use glam::{DVec3, Vec3A, Vec4};
use std::ops::{Add, Mul};

/// A face, or a block of faces, on its way into a leaf: its box; in the fourth lane of the lower corner the bits of its
/// number, in that of the upper one those of how many faces it is, both turned by [`ONE`]. Half a cache line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub low: Vec4,
    pub high: Vec4,
}

/// The bits of 1.0: turns small numbers into floats that processors calculate with quickly.
pub(super) const ONE: u32 = 0x3f80_0000;

impl Item {
    /// Of nothing.
    pub const NONE: Self = Self {
        low: Vec4::from_array([
            f32::INFINITY,
            f32::INFINITY,
            f32::INFINITY,
            f32::from_bits(NONE ^ ONE),
        ]),
        high: Vec4::from_array([f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY, 1.0]),
    };

    pub fn new(number: u32, bounds: &Bounds, faces: u32) -> Self {
        Self {
            low: bounds.min.extend(f32::from_bits(number ^ ONE)),
            high: bounds.max.extend(f32::from_bits(faces ^ ONE)),
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
    pub fn numbered(mut self, number: u32) -> Self {
        self.low.w = f32::from_bits(number ^ ONE);
        self
    }

    /// Of the face or the block.
    pub fn number(&self) -> u32 {
        self.low.w.to_bits() ^ ONE
    }
    pub fn faces(&self) -> u32 {
        self.high.w.to_bits() ^ ONE
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
    pub fn middle(&self) -> Vec3A {
        Vec3A::from_vec4(self.low) + Vec3A::from_vec4(self.high)
    }
    #[inline(always)]
    pub fn middle_along(&self, axis: usize) -> f32 {
        self.low[axis] + self.high[axis]
    }
}

/// More than rounding to f32 moves coordinates of this size.
#[inline(always)]
pub(super) fn step<V: Mul<f32, Output = V> + Add<f32, Output = V>>(size: V) -> V {
    size * f32::EPSILON + f32::MIN_POSITIVE
}

/// A box that grows; four lanes wide for the sake of speed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub min: Vec3A,
    pub max: Vec3A,
}

impl Bounds {
    pub const EMPTY: Self = Self {
        min: Vec3A::INFINITY,
        max: Vec3A::NEG_INFINITY,
    };

    /// A box in f32 that holds one in f64.
    #[inline(always)]
    pub fn around(low: DVec3, high: DVec3) -> Self {
        Self::grown(low.as_vec3a(), high.as_vec3a())
    }

    /// A box grown by a step, for corners that were rounded, whichever way: rounding keeps the order, so that the least and
    /// the greatest may be found after it.
    #[inline(always)]
    pub fn grown(low: Vec3A, high: Vec3A) -> Self {
        Self {
            min: low - step(low.abs()),
            max: high + step(high.abs()),
        }
    }

    pub fn exact(&self) -> Aabb {
        let wide = |v: Vec3A| DVec3::from(v.to_array().map(f64::from));
        Aabb {
            min: wide(self.min),
            max: wide(self.max),
        }
    }
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }
    #[inline(always)]
    pub fn add_point(&mut self, p: Vec3A) {
        self.min = self.min.min(p);
        self.max = self.max.max(p);
    }
    #[inline(always)]
    pub fn size(&self) -> Vec3A {
        self.max - self.min
    }
    pub fn longest_axis(&self) -> usize {
        let size = self.size();
        if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        }
    }
    /// Half the surface.
    #[inline(always)]
    pub fn area(&self) -> f32 {
        if self.is_empty() {
            0.0
        } else {
            self.full_area()
        }
    }
    /// The same of a box that is not empty.
    #[inline(always)]
    pub fn full_area(&self) -> f32 {
        let size = self.size();
        size.dot(Vec3A::new(size.y, size.z, size.x))
    }
    /// Of what both hold.
    pub fn shared_volume(&self, other: &Self) -> f64 {
        let (min, max) = (self.min.max(other.min), self.max.min(other.max));
        (max - min)
            .max(Vec3A::ZERO)
            .to_array()
            .map(f64::from)
            .iter()
            .product()
    }
    pub fn volume(&self) -> f64 {
        self.size().to_array().map(f64::from).iter().product()
    }
}

/// The boxes of some items and of their (doubled) centres, and how many faces they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub bounds: Bounds,
    pub centres: Bounds,
    pub faces: u32,
}

impl Group {
    #[inline(always)]
    pub fn of(items: &[Item]) -> Self {
        let mut group = Self {
            bounds: Bounds::EMPTY,
            centres: Bounds::EMPTY,
            faces: 0,
        };
        for item in items {
            group.bounds.add(&item.bounds());
            group.centres.add_point(item.middle());
            group.faces += item.faces();
        }
        group
    }

    pub fn with(mut self, other: &Self) -> Self {
        self.bounds.add(&other.bounds);
        self.centres.add(&other.centres);
        self.faces += other.faces;
        self
    }
}
