//! Swept spheres and their hits, shared by all `sweep_` queries.
use crate::geom::tolerance::{DEPTH, FLAT_EDGE, ROUNDING, SEAM};
use glam::DVec3;

/// A moving sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereSweep {
    /// Centre at the start, metres.
    pub from: DVec3,
    /// From the start to the end; neither zero nor infinite.
    pub displacement: DVec3,
    /// Metres, not negative.
    pub radius: f64,
    /// Length of the displacement, metres.
    pub length: f64,
}

impl SphereSweep {
    /// None for zero length, for numbers that are not finite or too large for f64, and for a negative radius.
    #[inline]
    pub fn new(from: DVec3, to: DVec3, radius: f64) -> Option<Self> {
        let displacement = to - from;
        let length = displacement.length();
        // Finite if and only if all of them are.
        let sum = from.abs().element_sum() + length + radius;
        let usable = sum.is_finite() && radius >= 0.0;
        (usable && length > 0.0).then_some(Self {
            from,
            displacement,
            radius,
            length,
        })
    }

    /// The centre at `fraction`.
    pub fn at(&self, fraction: f64) -> DVec3 {
        self.from + self.displacement * fraction
    }

    /// How far, metres, a contact may lie beside its feature and still count, for a motion that closes in at the sine
    /// `closing` over distances of `scale` metres. A shallow approach smears the contact point along the surface;
    /// without this slack, two neighbouring features could leave the contact to each other. The error in depth is
    /// second order, and capped.
    pub(super) fn slack(&self, scale: f64, closing: f64) -> f64 {
        let smear = 16.0 * ROUNDING * (scale + self.radius) * (1.0 + 1.0 / closing);
        (2.0 * FLAT_EDGE * self.radius + SEAM.min(self.radius) + smear)
            .min((2.0 * self.radius * DEPTH).sqrt())
    }
}

/// The first contact of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepHit {
    /// Part of the displacement travelled, 0..=1.
    pub fraction: f64,
    /// Point of contact.
    pub point: DVec3,
    /// From the contact to the moving centre. Unit.
    pub normal: DVec3,
}
