//! Sorting along a Z-order curve: neighbours on the curve are near in space (Morton, 1966).
use super::f64x4::F64x4;
use super::index::NONE;
use super::prim_ref::ID_MASK;
use glam::Vec4;

/// Bits of a Morton code per axis.
const BITS: u32 = 8;

/// Cells along each axis.
const CELLS: usize = 1 << BITS;

/// A float of this size has no fraction: its lowest bits are the integer added to it.
const WHOLE: f32 = ((1 << 23) + CELLS) as f32;

/// From this count on two passes with many buckets are faster than three with few.
const MANY: usize = 8000;

/// Morton code in the upper half, index of the primitive in the lower.
pub(super) type MortonKey = u64;

/// Index of the primitive.
pub(super) fn index(key: MortonKey) -> usize {
    key as u32 as usize
}

/// The Morton code.
pub(super) fn code(key: MortonKey) -> u32 {
    (key >> 32) as u32
}

/// A point inside a primitive, with the primitive's index in w.
#[derive(Clone, Copy, Debug)]
pub(super) struct Centroid(Vec4);

impl Centroid {
    /// An empty slot.
    pub const NONE: Self = Self(Vec4::new(0.0, 0.0, 0.0, f32::from_bits(NONE ^ ID_MASK)));

    pub fn new(mut at: Vec4, index: u32) -> Self {
        at.w = f32::from_bits(index ^ ID_MASK);
        Self(at)
    }
    /// Index of the primitive.
    #[inline(always)]
    pub fn index(&self) -> u32 {
        self.0.w.to_bits() ^ ID_MASK
    }
    /// Twice the centre of a triangle's box, so that the two halves of a rectangle stay together.
    #[inline(always)]
    pub fn of_triangle<S: F64x4>(simd: S, triangle: u32, corners: &[S::V; 3]) -> Self {
        let [a, b, c] = corners.map(|p| simd.to_f32(p));
        Self::new(a.min(b).min(c) + a.max(b).max(c), triangle)
    }
}

/// Sorts by Morton code; stable. Cells are cubes, so that the highest bits follow the longest axis.
pub(super) fn sort(centres: &[Centroid]) -> Vec<MortonKey> {
    let mut low = Vec4::INFINITY;
    let mut high = Vec4::NEG_INFINITY;
    for centre in centres {
        low = low.min(centre.0);
        high = high.max(centre.0);
    }
    let size = (high - low).truncate().max_element();
    let scale = if size > 0.0 && size.is_finite() {
        CELLS as f32 * (1.0 - 1e-6) / size
    } else {
        0.0
    };
    let key = |centre: &Centroid| {
        // Minus a half, to round down.
        let at = (centre.0 - low) * scale - 0.5 + WHOLE;
        let [x, y, z] = [at.x, at.y, at.z].map(|c| SPREAD[c.to_bits() as usize % CELLS]);
        u64::from(x | y << 1 | z << 2) << 32 | u64::from(centre.index())
    };
    if centres.len() < MANY {
        sorted::<3, { 1 << BITS }>(centres, key)
    } else {
        sorted::<2, { 1 << (3 * BITS / 2) }>(centres, key)
    }
}

/// Integers with two zero bits between their bits.
static SPREAD: [u32; CELLS] = {
    let mut table = [0; CELLS];
    let mut i = 0;
    while i < CELLS {
        let mut bit = 0;
        while bit < BITS {
            table[i] |= (i as u32 >> bit & 1) << (3 * bit);
            bit += 1;
        }
        i += 1;
    }
    table
};

/// Least significant digit radix sort by Morton code; stable.
#[inline(always)]
fn sorted<const PASSES: usize, const BUCKETS: usize>(
    centres: &[Centroid],
    key: impl Fn(&Centroid) -> MortonKey,
) -> Vec<MortonKey> {
    let digit =
        |key: MortonKey, pass: u32| (code(key) >> (pass * BUCKETS.ilog2())) as usize % BUCKETS;
    let mut counts = [[0u32; BUCKETS]; PASSES];
    let counted = |centre| {
        let key = key(centre);
        for (pass, counts) in (0..).zip(&mut counts) {
            counts[digit(key, pass)] += 1;
        }
        key
    };
    let mut keys: Vec<MortonKey> = centres.iter().map(counted).collect();
    let mut other = vec![0; keys.len()];
    for (pass, starts) in (0..).zip(&mut counts) {
        let mut next = 0;
        for start in starts.iter_mut() {
            next += std::mem::replace(start, next);
        }
        for &key in &keys {
            let start = &mut starts[digit(key, pass)];
            other[*start as usize] = key;
            *start += 1;
        }
        std::mem::swap(&mut keys, &mut other);
    }
    keys
}

/// Largest number of faces in a run.
pub(super) const MAX_RUN: usize = 8;

/// Cuts sorted keys into runs of at most `most` and adds their ends. Ranges longer than two runs are cut at the highest
/// differing bit. Shorter ones are cut in two where neighbours differ most: that makes fewer and fuller runs than
/// cutting at the highest bit, hence faster builds, for a twentieth more boxes visited.
pub(super) fn cut_into_runs(keys: &[MortonKey], most: usize, start: usize, ends: &mut Vec<u32>) {
    let count = keys.len();
    if count <= most {
        ends.push((start + count) as u32);
        return;
    }
    let centre2 = if count <= 2 * most {
        let step = |&at: &usize| code(keys[at - 1]) ^ code(keys[at]);
        // The first of equals.
        (count - most..=most).rev().max_by_key(step).unwrap_or(most)
    } else {
        let (first, last) = (code(keys[0]), code(keys[count - 1]));
        match (first ^ last).checked_ilog2() {
            Some(bit) => keys.partition_point(|&p| code(p) >> bit & 1 == 0),
            None => count / 2,
        }
    };
    cut_into_runs(&keys[..centre2], most, start, ends);
    cut_into_runs(&keys[centre2..], most, start + centre2, ends);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::f64x4::Scalar;
    use crate::geom::rng::Rng;
    use glam::DVec3;

    #[test]
    fn places_are_sorted() {
        let mut rng = Rng::new(2);
        let centres: Vec<Centroid> = (0..3000)
            .map(|i| {
                let p = rng.unit_vector() * [1.0, 0.1][i as usize % 2];
                Centroid::of_triangle(Scalar, i, &[p; 3])
            })
            .collect();
        let keys = sort(&centres);
        let mut sorted = keys.clone();
        sorted.sort_unstable();
        assert_eq!(keys, sorted);
        assert!(
            keys.iter().any(|&p| code(p) >> (3 * BITS - 1) == 1),
            "all bits used"
        );
        let mut numbers: Vec<usize> = keys.into_iter().map(index).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..3000), "none lost");
        // Both numbers of passes.
        for count in [100, MANY - 1, MANY + 1] {
            let many: Vec<Centroid> = centres.iter().copied().cycle().take(count).collect();
            let keys = sort(&many);
            assert!(keys.len() == count && keys.is_sorted_by_key(|&key| code(key)));
        }
        assert_eq!(
            sort(&[Centroid::of_triangle(Scalar, 0, &[DVec3::ONE; 3])]),
            [0]
        );
    }
}
