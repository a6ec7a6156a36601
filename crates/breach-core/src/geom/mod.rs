//! Shapes and numbers that everything else stands on: metres, seconds, radians, Y up, f64.
//!
//! Plain values with public fields. Who asks "where do they meet" wants [`crate::collide`]; who asks "on which side,
//! exactly" wants [`crate::exact`]. What is not a shape: [`rng`] (the only source of chance), [`hash`] (the
//! only fingerprint of a state), [`tolerance`] (every epsilon, by role), [`ring`] (loops of corners), [`shards`] (a table that
//! grows in small steps) and [`shared`] (what clones share until it changes).
pub mod hash;
pub mod mass;
pub mod parallel;
pub mod polygon;
pub mod ring;
pub mod rng;
pub mod shards;
pub mod shared;
pub mod tolerance;

mod aabb;
mod enum_with_all;
mod line;
mod obb;
mod plane;

pub use aabb::Aabb;
pub(crate) use enum_with_all::enum_with_all;
pub use line::{Ray, Segment};
pub use obb::Obb;
pub use plane::Plane;

/// The direction of `v`; zero when `v` has none. Divides, so that a vector along an axis gives that axis exactly
/// (glam multiplies by the rounded inverse).
pub fn unit_or_zero(v: glam::DVec3) -> glam::DVec3 {
    let length = v.length();
    if length > 0.0 && length.is_finite() {
        v / length
    } else {
        glam::DVec3::ZERO
    }
}

/// The greatest whole number that is not above `x`, as `x.floor() as i64`, which calls a function on processors without
/// SSE 4.1.
#[inline]
pub fn floor(x: f64) -> i64 {
    let towards_zero = x as i64;
    towards_zero.saturating_sub(i64::from(x < towards_zero as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn floor_is_the_floor_of_the_standard_library(x in proptest::num::f64::ANY) {
            prop_assert_eq!(floor(x), x.floor() as i64);
        }

        #[test]
        fn floor_near_whole_numbers(whole in -1000i64..1000, off in -1i64..=1) {
            let bits = (whole as f64).to_bits() as i64 + off;
            let x = if whole == 0 { 0.0 } else { f64::from_bits(bits as u64) };
            prop_assert_eq!(floor(x), x.floor() as i64);
        }
    }
}
