//! What something was made of, in 128 bits.

/// A hash of words in their order. Two lists of one key are the same list: that others meet in it is less likely than a fault
/// of the machine.
///
/// Each pair of words is a step of a congruential generator with a mix of the high half into the low one, which no two pairs
/// take to one state (M. O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms for random
/// number generation", 2014; its multiplier).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Key(u128);

impl Key {
    /// Two words more.
    #[inline]
    pub fn add(&mut self, low: u64, high: u64) {
        self.add_key(Key(u128::from(high) << 64 | u128::from(low)));
    }

    /// Another key more.
    #[inline]
    pub fn add_key(&mut self, key: Key) {
        const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;
        const INCREMENT: u128 = 0x5851_f42d_4c95_7f2d_1405_7b7e_f767_814f;
        let state = (self.0 ^ key.0)
            .wrapping_add(INCREMENT)
            .wrapping_mul(MULTIPLIER);
        self.0 = state ^ (state >> 64);
    }
}
