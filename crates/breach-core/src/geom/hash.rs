//! A state hash with a fixed definition: the same input gives the same 64 bits on every machine, in every version.
//!
//! Neither for hash tables nor cryptographic: it tells whether two states are equal.

/// Hashes words in order. Each is XORed in, multiplied by an odd constant and folded; [`Hash64::finish`] ends with the
/// finaliser of MurmurHash3 (Appleby), so that every input bit affects every output bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hash64 {
    state: u64,
    words: u64,
}

impl Hash64 {
    /// The hash of no words.
    pub const fn new() -> Self {
        Self {
            state: 0x243F_6A88_85A3_08D3,
            words: 0,
        }
    }

    /// Adds a word.
    pub fn u64(&mut self, value: u64) {
        let x = (self.state ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.state = (x ^ (x >> 32))
            .wrapping_mul(0xD6E8_FEB8_6659_FD93)
            .rotate_left(29);
        self.words += 1;
    }

    /// Adds the bits of a number: 0.0 and -0.0 differ.
    pub fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    /// Adds x, y and z.
    pub fn vec3(&mut self, value: glam::DVec3) {
        self.f64(value.x);
        self.f64(value.y);
        self.f64(value.z);
    }

    /// Adds the length, then the bytes as little-endian words, the last one padded with zeros.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.u64(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.u64(u64::from_le_bytes(word));
        }
    }

    /// Adds a text as [`Hash64::bytes`] does.
    pub fn str(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// The hash of all words so far; more may follow.
    pub const fn finish(&self) -> u64 {
        let mut x = self.state ^ self.words;
        x = (x ^ (x >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        x = (x ^ (x >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        x ^ (x >> 33)
    }
}

impl Default for Hash64 {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[u64]) -> u64 {
        let mut hash = Hash64::new();
        words.iter().for_each(|&w| hash.u64(w));
        hash.finish()
    }

    #[test]
    fn order_length_and_every_bit_count() {
        assert_ne!(of(&[1, 2]), of(&[2, 1]));
        assert_ne!(of(&[]), of(&[0]));
        assert_ne!(of(&[0]), of(&[0, 0]));
        for bit in 0..64 {
            let flipped = (of(&[5]) ^ of(&[5 ^ (1 << bit)])).count_ones();
            assert!(
                (12..=52).contains(&flipped),
                "bit {bit} flips only {flipped}"
            );
        }
    }

    #[test]
    fn bytes_know_their_length() {
        let hash = |parts: &[&str]| {
            let mut hash = Hash64::new();
            parts.iter().for_each(|p| hash.str(p));
            hash.finish()
        };
        assert_ne!(hash(&["ab", "c"]), hash(&["a", "bc"]));
        assert_ne!(hash(&["a"]), hash(&["a\0"]));
    }
}
