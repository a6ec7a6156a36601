//! Seeded random numbers: the same seed gives the same numbers on every machine.
//!
//! xoshiro256++ 1.0 (Blackman and Vigna, 2019), its state filled by SplitMix64 so that near seeds give far streams.
use glam::DVec3;

/// A stream of random numbers; its state is plain data that can be saved, compared and hashed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rng {
    /// The whole state; never all zero.
    pub state: [u64; 4],
}

impl Rng {
    /// The stream of `seed`.
    pub fn new(seed: u64) -> Self {
        let mut x = seed;
        let state = std::array::from_fn(|_| {
            x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        });
        Self { state }
    }

    /// Uniform over all 64-bit numbers.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let out = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        out
    }

    /// Uniform over `0..n`; 0 for `n == 0`. (Multiply and shift: the bias is below n / 2^64.)
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(n)) >> 64) as u64
    }

    /// Uniform over 0.0 (possible) to 1.0 (never), in steps of 2^-53.
    pub fn unit_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform from `lo` to `hi`.
    pub fn range(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit_f64()
    }

    /// Uniform over the directions of space (Archimedes: height and angle are independent).
    pub fn unit_vector(&mut self) -> DVec3 {
        let y = self.range(-1.0, 1.0);
        let (sin, cos) = libm::sincos(self.range(0.0, std::f64::consts::TAU));
        let r = (1.0 - y * y).max(0.0).sqrt();
        DVec3::new(r * cos, y, r * sin)
    }

    /// Uniform over a box.
    pub fn in_box(&mut self, bounds: &super::Aabb) -> DVec3 {
        let (x, y, z) = (self.unit_f64(), self.unit_f64(), self.unit_f64());
        bounds.min + (bounds.max - bounds.min) * DVec3::new(x, y, z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        // SplitMix64 of 0 starts with these four (Vigna's reference code).
        let expected = [
            0xE220A8397B1DCDAF,
            0x6E789E6AA1B965F4,
            0x06C45D188009454F,
            0xF88BB8A8724C81EC,
        ];
        assert_eq!(Rng::new(0).state, expected);
        let mut rng = Rng {
            state: [1, 2, 3, 4],
        };
        // First outputs of the reference xoshiro256++ from the state 1, 2, 3, 4.
        assert_eq!(
            [rng.next_u64(), rng.next_u64(), rng.next_u64()],
            [41943041, 58720359, 3588806011781223]
        );
    }

    #[test]
    fn numbers_stay_in_range_and_directions_are_unit_and_centred() {
        let mut rng = Rng::new(7);
        let mut sum = DVec3::ZERO;
        for _ in 0..20_000 {
            let u = rng.unit_f64();
            assert!((0.0..1.0).contains(&u));
            assert!(rng.below(10) < 10);
            let v = rng.unit_vector();
            assert!((v.length() - 1.0).abs() < 1e-12);
            sum += v;
        }
        assert!(sum.length() < 20_000f64.sqrt() * 4.0);
        assert_eq!(rng.below(0), 0);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_saved_stream_goes_on_where_it_was() {
        let mut rng = Rng::new(3);
        rng.next_u64();
        let text = serde_json::to_string(&rng).expect("plain numbers");
        let mut again: Rng = serde_json::from_str(&text).expect("just written");
        assert_eq!(rng.next_u64(), again.next_u64());
    }
}
