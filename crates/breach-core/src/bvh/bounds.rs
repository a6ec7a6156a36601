//! Boxes in f32, rounded outwards, for culling.
use crate::geom::Aabb;
use glam::{DVec3, Vec3A};
use std::ops::{Add, Mul};

/// Larger than the error of rounding a coordinate of this size to f32.
#[inline(always)]
pub(super) fn rounding_step<V: Mul<f32, Output = V> + Add<f32, Output = V>>(size: V) -> V {
    size * f32::EPSILON + f32::MIN_POSITIVE
}

/// An f32 box in two SIMD vectors.
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

    /// The f32 box that contains an f64 box.
    #[inline(always)]
    pub fn containing(low: DVec3, high: DVec3) -> Self {
        Self::grown(low.as_vec3a(), high.as_vec3a())
    }

    /// The box of corners that were rounded to nearest, grown by one step. Rounding preserves order, so the minimum and
    /// maximum may be taken after rounding.
    #[inline(always)]
    pub fn grown(low: Vec3A, high: Vec3A) -> Self {
        Self {
            min: low - rounding_step(low.abs()),
            max: high + rounding_step(high.abs()),
        }
    }

    pub fn to_aabb(self) -> Aabb {
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
    pub fn extend(&mut self, other: &Self) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }
    #[inline(always)]
    pub fn extend_point(&mut self, p: Vec3A) {
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
    /// Half the surface area.
    #[inline(always)]
    pub fn area(&self) -> f32 {
        if self.is_empty() {
            0.0
        } else {
            self.area_unchecked()
        }
    }
    /// Half the surface area of a box that is not empty.
    #[inline(always)]
    pub fn area_unchecked(&self) -> f32 {
        let size = self.size();
        size.dot(Vec3A::new(size.y, size.z, size.x))
    }
    /// Volume of the intersection.
    pub fn overlap_volume(&self, other: &Self) -> f64 {
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
