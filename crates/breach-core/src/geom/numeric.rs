//! Numeric helpers that differ from those of glam and std.

/// The direction of `v`, or zero. Divides, so that a vector along an axis gives that axis exactly (glam multiplies by
/// the rounded inverse).
pub fn unit_or_zero(v: glam::DVec3) -> glam::DVec3 {
    let length = v.length();
    if length > 0.0 && length.is_finite() {
        v / length
    } else {
        glam::DVec3::ZERO
    }
}

/// The greatest integer not above `x`. `x.floor() as i64` calls a function on processors without SSE 4.1.
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
