//! f64 vectors in one register each where the processor has AVX2, selected at run time. The scalar version does the
//! same operations in the same order, without fused multiply-add: the same bits.
use super::mesh::repeats_index;
use super::simd_dispatch::simd_dispatch;
use glam::{DVec3, Vec4};

/// A vector with a fourth number w, loaded in one instruction.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct DVec3A([f64; 4]);

impl DVec3A {
    pub const fn new(v: DVec3) -> Self {
        Self([v.x, v.y, v.z, 0.0])
    }
    #[inline(always)]
    pub fn get(&self) -> DVec3 {
        let [x, y, z, _] = self.0;
        DVec3::new(x, y, z)
    }
}

/// Operations on vectors.
pub(super) trait F64x4: Copy {
    type V: Copy;
    /// Four numbers, one per lane.
    type Q: Copy;
    fn load(self, v: &DVec3A) -> Self::V;
    fn store(self, v: Self::V) -> DVec3;
    /// Stores w as well.
    fn store_with_w(self, v: Self::V, behind: f64) -> DVec3A;
    /// The x, y and z of four vectors.
    fn transpose(self, four: [Self::V; 4]) -> [Self::Q; 3];
    fn splat(self, x: f64) -> Self::Q;
    fn q_add(self, a: Self::Q, b: Self::Q) -> Self::Q;
    fn q_sub(self, a: Self::Q, b: Self::Q) -> Self::Q;
    fn q_mul(self, a: Self::Q, b: Self::Q) -> Self::Q;
    /// a < b, one bit per lane.
    fn q_less(self, a: Self::Q, b: Self::Q) -> u32;
    /// Rounds to f32; w is undefined.
    fn to_f32(self, v: Self::V) -> Vec4;
    /// Rounds all four numbers to f32.
    fn to_f32x4(self, v: &DVec3A) -> Vec4;
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    fn cross(self, a: Self::V, b: Self::V) -> Self::V;
    fn dot(self, a: Self::V, b: Self::V) -> f64;
    /// Divides all four numbers.
    fn div_all(self, v: &DVec3A, by: f64) -> DVec3A;
    /// The largest absolute coordinate; no coordinate is NaN.
    fn max_abs(self, points: &[Self::V; 3]) -> f64;
    /// Whether all absolute coordinates are below a limit; false for NaN.
    fn all_below(self, points: &[Self::V; 3], limit: f64) -> bool;
    /// Lanes equal to `one`, one bit each.
    fn equal_mask(self, list: &[u32; 4], one: u32) -> u32;
    /// Lanes with their highest bit set, one bit each.
    fn high_bit_mask(self, list: &[u32; 4]) -> u32;
    /// Writes a lane of a list that may be loaded whole right after.
    fn set_lane(self, list: &mut [u32; 4], at: usize, one: u32);
    /// The edge that each of eight triangles shares with its counterpart, by the indices of their corners: bit 3 · i +
    /// j if side i of the first is side j of the second in the opposite direction; at most one bit, none if either uses
    /// a corner twice. Also the mask of the first triangles that use a corner twice.
    fn shared_edges(self, ones: &[[u32; 8]; 3], others: &[[u32; 8]; 3]) -> ([u32; 8], u32);
    /// For each key the number of smaller keys.
    fn ranks<const N: usize>(self, keys: &[[i32; 8]; N]) -> [[u32; 8]; N];
}

/// Without SIMD, as glam computes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scalar;

/// Unlike `f64::max` a single instruction; no operand is NaN.
#[inline(always)]
pub(super) fn upper(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

impl F64x4 for Scalar {
    type V = DVec3;
    type Q = [f64; 4];

    #[inline(always)]
    fn load(self, v: &DVec3A) -> DVec3 {
        v.get()
    }
    #[inline(always)]
    fn store(self, v: DVec3) -> DVec3 {
        v
    }
    #[inline(always)]
    fn store_with_w(self, v: DVec3, behind: f64) -> DVec3A {
        DVec3A([v.x, v.y, v.z, behind])
    }
    #[inline(always)]
    fn transpose(self, four: [DVec3; 4]) -> [[f64; 4]; 3] {
        std::array::from_fn(|axis| four.map(|v| v[axis]))
    }
    #[inline(always)]
    fn splat(self, x: f64) -> [f64; 4] {
        [x; 4]
    }
    #[inline(always)]
    fn q_add(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn q_sub(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| a[i] - b[i])
    }
    #[inline(always)]
    fn q_mul(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        std::array::from_fn(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn q_less(self, a: [f64; 4], b: [f64; 4]) -> u32 {
        (0..4).map(|i| u32::from(a[i] < b[i]) << i).sum()
    }
    #[inline(always)]
    fn to_f32(self, v: DVec3) -> Vec4 {
        v.as_vec3().extend(0.0)
    }
    #[inline(always)]
    fn to_f32x4(self, v: &DVec3A) -> Vec4 {
        Vec4::from_array(v.0.map(|x| x as f32))
    }
    #[inline(always)]
    fn sub(self, a: DVec3, b: DVec3) -> DVec3 {
        a - b
    }
    #[inline(always)]
    fn cross(self, a: DVec3, b: DVec3) -> DVec3 {
        a.cross(b)
    }
    #[inline(always)]
    fn dot(self, a: DVec3, b: DVec3) -> f64 {
        a.dot(b)
    }
    #[inline(always)]
    fn div_all(self, v: &DVec3A, by: f64) -> DVec3A {
        DVec3A(v.0.map(|x| x / by))
    }
    #[inline(always)]
    fn max_abs(self, points: &[DVec3; 3]) -> f64 {
        let furthest = |p: &DVec3| upper(upper(p.x.abs(), p.y.abs()), p.z.abs());
        points.iter().fold(0.0, |most, p| upper(furthest(p), most))
    }
    #[inline(always)]
    fn all_below(self, points: &[DVec3; 3], limit: f64) -> bool {
        let is_below = |p: &DVec3| (p.x.abs() < limit) & (p.y.abs() < limit) & (p.z.abs() < limit);
        points.iter().all(is_below)
    }
    #[inline(always)]
    fn equal_mask(self, list: &[u32; 4], one: u32) -> u32 {
        let bits = (0..4).zip(list).map(|(i, &x)| u32::from(x == one) << i);
        bits.sum()
    }
    #[inline(always)]
    fn high_bit_mask(self, list: &[u32; 4]) -> u32 {
        (0..4).zip(list).map(|(i, &x)| (x >> 31) << i).sum()
    }
    #[inline(always)]
    fn set_lane(self, list: &mut [u32; 4], at: usize, one: u32) {
        list[at] = one;
    }
    #[inline(always)]
    fn shared_edges(self, ones: &[[u32; 8]; 3], others: &[[u32; 8]; 3]) -> ([u32; 8], u32) {
        let mut alike = 0;
        let shared_edges = std::array::from_fn(|k| {
            let [one, other] = [ones, others].map(|all| all.map(|corner| corner[k]));
            alike |= u32::from(repeats_index(one)) << k;
            let meet = |bit: usize| {
                let (i, j) = (bit / 3, bit % 3);
                one[i] == other[(j + 1) % 3] && one[(i + 1) % 3] == other[j]
            };
            let bit = (0..9).find(|&bit| meet(bit));
            let bit = bit.filter(|_| !repeats_index(one) && !repeats_index(other));
            bit.map_or(0, |bit| 1 << bit)
        });
        (shared_edges, alike)
    }
    #[inline(always)]
    fn ranks<const N: usize>(self, keys: &[[i32; 8]; N]) -> [[u32; 8]; N] {
        let less = |key: i32| {
            keys.as_flattened()
                .iter()
                .filter(move |&&other| other < key)
        };
        keys.map(|eight| eight.map(|key| less(key).count() as u32))
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{DVec3, DVec3A, F64x4, Vec4, upper};
    use pulp::x86::V3;
    use std::arch::x86_64::{__m128i, __m256d, __m256i, _CMP_LT_OQ};

    /// (y, z, x, w).
    const TURNED: i32 = 0b11_00_10_01;

    #[inline(always)]
    fn size(v3: V3, v: __m256d) -> __m256d {
        v3.avx._mm256_andnot_pd(v3.avx._mm256_set1_pd(-0.0), v)
    }

    impl F64x4 for V3 {
        /// w is undefined.
        type V = __m256d;
        type Q = __m256d;

        #[inline(always)]
        fn load(self, v: &DVec3A) -> __m256d {
            pulp::cast(v.0)
        }
        #[inline(always)]
        fn store(self, v: __m256d) -> DVec3 {
            let [x, y, z, _]: [f64; 4] = pulp::cast(v);
            DVec3::new(x, y, z)
        }
        #[inline(always)]
        fn store_with_w(self, v: __m256d, behind: f64) -> DVec3A {
            let behind = self.avx._mm256_set1_pd(behind);
            DVec3A(pulp::cast(self.avx._mm256_blend_pd::<0b1000>(v, behind)))
        }
        #[inline(always)]
        fn transpose(self, [a, b, c, d]: [__m256d; 4]) -> [__m256d; 3] {
            let avx = self.avx;
            // (a.x, b.x, a.z, b.z), (a.y, b.y, a.w, b.w), and the same of c and d.
            let (ab, ab_odd) = (avx._mm256_unpacklo_pd(a, b), avx._mm256_unpackhi_pd(a, b));
            let (cd, cd_odd) = (avx._mm256_unpacklo_pd(c, d), avx._mm256_unpackhi_pd(c, d));
            [
                avx._mm256_permute2f128_pd::<0x20>(ab, cd),
                avx._mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd),
                avx._mm256_permute2f128_pd::<0x31>(ab, cd),
            ]
        }
        #[inline(always)]
        fn splat(self, x: f64) -> __m256d {
            self.avx._mm256_set1_pd(x)
        }
        #[inline(always)]
        fn q_add(self, a: __m256d, b: __m256d) -> __m256d {
            self.avx._mm256_add_pd(a, b)
        }
        #[inline(always)]
        fn q_sub(self, a: __m256d, b: __m256d) -> __m256d {
            self.avx._mm256_sub_pd(a, b)
        }
        #[inline(always)]
        fn q_mul(self, a: __m256d, b: __m256d) -> __m256d {
            self.avx._mm256_mul_pd(a, b)
        }
        #[inline(always)]
        fn q_less(self, a: __m256d, b: __m256d) -> u32 {
            let less = self.avx._mm256_cmp_pd::<_CMP_LT_OQ>(a, b);
            self.avx._mm256_movemask_pd(less) as u32
        }
        #[inline(always)]
        fn to_f32(self, v: __m256d) -> Vec4 {
            let all: [f32; 4] = pulp::cast(self.avx._mm256_cvtpd_ps(v));
            Vec4::from_array(all)
        }
        #[inline(always)]
        fn to_f32x4(self, v: &DVec3A) -> Vec4 {
            self.to_f32(self.load(v))
        }
        #[inline(always)]
        fn sub(self, a: __m256d, b: __m256d) -> __m256d {
            self.avx._mm256_sub_pd(a, b)
        }
        #[inline(always)]
        fn cross(self, a: __m256d, b: __m256d) -> __m256d {
            let turned = |v| self.avx2._mm256_permute4x64_pd::<TURNED>(v);
            let one = self.avx._mm256_mul_pd(a, turned(b));
            let two = self.avx._mm256_mul_pd(turned(a), b);
            turned(self.avx._mm256_sub_pd(one, two))
        }
        #[inline(always)]
        fn dot(self, a: __m256d, b: __m256d) -> f64 {
            let [x, y, z, _]: [f64; 4] = pulp::cast(self.avx._mm256_mul_pd(a, b));
            x + y + z
        }
        #[inline(always)]
        fn div_all(self, v: &DVec3A, by: f64) -> DVec3A {
            let by = self.avx._mm256_set1_pd(by);
            DVec3A(pulp::cast(self.avx._mm256_div_pd(pulp::cast(v.0), by)))
        }
        #[inline(always)]
        fn max_abs(self, &[a, b, c]: &[__m256d; 3]) -> f64 {
            let ab = self.avx._mm256_max_pd(size(self, a), size(self, b));
            let all = self.avx._mm256_max_pd(ab, size(self, c));
            let [x, y, z, _]: [f64; 4] = pulp::cast(all);
            upper(upper(x, y), z)
        }
        #[inline(always)]
        fn all_below(self, points: &[__m256d; 3], limit: f64) -> bool {
            let limit = self.avx._mm256_set1_pd(limit);
            let [a, b, c] =
                points.map(|p| self.avx._mm256_cmp_pd::<_CMP_LT_OQ>(size(self, p), limit));
            let all = self.avx._mm256_and_pd(self.avx._mm256_and_pd(a, b), c);
            self.avx._mm256_movemask_pd(all) & 0b111 == 0b111
        }
        #[inline(always)]
        fn equal_mask(self, list: &[u32; 4], one: u32) -> u32 {
            let one = self.sse2._mm_set1_epi32(one as i32);
            let equal = self.sse2._mm_cmpeq_epi32(pulp::cast(*list), one);
            self.sse._mm_movemask_ps(pulp::cast(equal)) as u32
        }
        #[inline(always)]
        fn high_bit_mask(self, list: &[u32; 4]) -> u32 {
            self.sse._mm_movemask_ps(pulp::cast(*list)) as u32
        }
        /// Stored whole: a partial store would stall the load of the whole list.
        #[inline(always)]
        fn set_lane(self, list: &mut [u32; 4], at: usize, one: u32) {
            let places: __m128i = pulp::cast([0, 1, 2, 3u32]);
            let is_at = self
                .sse2
                ._mm_cmpeq_epi32(places, self.sse2._mm_set1_epi32(at as i32));
            let one = self.sse2._mm_set1_epi32(one as i32);
            *list = pulp::cast(self.sse4_1._mm_blendv_epi8(pulp::cast(*list), one, is_at));
        }
        #[inline(always)]
        fn shared_edges(self, ones: &[[u32; 8]; 3], others: &[[u32; 8]; 3]) -> ([u32; 8], u32) {
            let (avx, avx2) = (self.avx, self.avx2);
            let same = |a: __m256i, b: __m256i| avx2._mm256_cmpeq_epi32(a, b);
            let either = |a: __m256i, b: __m256i| avx2._mm256_or_si256(a, b);
            let both = |a: __m256i, b: __m256i| avx2._mm256_and_si256(a, b);
            let load = |list: &[u32; 8]| -> __m256i { pulp::cast(*list) };
            let (a, b, c) = (load(&ones[0]), load(&ones[1]), load(&ones[2]));
            let (p, q, r) = (load(&others[0]), load(&others[1]), load(&others[2]));
            let (ap, aq, ar) = (same(a, p), same(a, q), same(a, r));
            let (bp, bq, br) = (same(b, p), same(b, q), same(b, r));
            let (cp, cq, cr) = (same(c, p), same(c, q), same(c, r));
            let bit = |one, two, bit: i32| both(both(one, two), avx._mm256_set1_epi32(1 << bit));
            let ab = either(either(bit(aq, bp, 0), bit(ar, bq, 1)), bit(ap, br, 2));
            let bc = either(either(bit(bq, cp, 3), bit(br, cq, 4)), bit(bp, cr, 5));
            let ca = either(either(bit(cq, ap, 6), bit(cr, aq, 7)), bit(cp, ar, 8));
            let all = either(either(ab, bc), ca);
            let lowest = both(all, avx2._mm256_sub_epi32(avx._mm256_setzero_si256(), all));
            let alike = either(either(same(a, b), same(b, c)), same(c, a));
            let others = either(either(same(p, q), same(q, r)), same(r, p));
            let shared_edges = avx2._mm256_andnot_si256(either(alike, others), lowest);
            let alike = avx._mm256_movemask_ps(pulp::cast(alike)) as u32;
            (pulp::cast(shared_edges), alike)
        }
        #[inline(always)]
        fn ranks<const N: usize>(self, keys: &[[i32; 8]; N]) -> [[u32; 8]; N] {
            let mut ranks = [[0; 8]; N];
            for (ranks, own) in ranks.iter_mut().zip(keys) {
                let mut sum = self.avx._mm256_setzero_si256();
                for &other in keys.as_flattened() {
                    let other = self.avx._mm256_set1_epi32(other);
                    // A true lane is all ones, that is, -1.
                    let is_less = self.avx2._mm256_cmpgt_epi32(pulp::cast(*own), other);
                    sum = self.avx2._mm256_sub_epi32(sum, is_less);
                }
                *ranks = pulp::cast(sum);
            }
            ranks
        }
    }
}

simd_dispatch!(F64x4Kernel, F64x4);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn wide_vectors_give_the_bits_of_plain_ones() {
        let Some(wide) = pulp::x86::V3::try_new() else {
            println!("NOT RUN: no AVX2 here");
            return;
        };
        let mut rng = Rng::new(5);
        let mut below = [0; 2];
        for _ in 0..20_000 {
            let mut number = || match rng.below(40) {
                i @ 0..4 => [0.0, -0.0, 1e150, 1e-160][i as usize],
                _ => rng.range(-50.0, 50.0),
            };
            let [a, b, c] = [(); 3].map(|()| DVec3::new(number(), number(), number()));
            let load = |v| wide.load(&DVec3A::new(v));
            let [x, y, z] = [a, b, c].map(load);
            let same = |plain: DVec3, v| {
                let bits = |v: DVec3| v.to_array().map(f64::to_bits);
                assert_eq!(bits(plain), bits(wide.store(v)));
                let bits = |v: Vec4| v.truncate().to_array().map(f32::to_bits);
                assert_eq!(bits(Scalar.to_f32(plain)), bits(wide.to_f32(v)));
                let bits = |v: Vec4| v.to_array().map(f32::to_bits);
                let [four, other] = [Scalar.store_with_w(plain, a.x), wide.store_with_w(v, a.x)];
                assert_eq!(four.0.map(f64::to_bits), other.0.map(f64::to_bits));
                assert_eq!(bits(Scalar.to_f32x4(&four)), bits(wide.to_f32x4(&four)));
                let [four, other] = [Scalar.div_all(&four, 0.3), wide.div_all(&four, 0.3)];
                assert_eq!(four.0.map(f64::to_bits), other.0.map(f64::to_bits));
            };
            same(a, x);
            same(Scalar.sub(a, b), wide.sub(x, y));
            same(Scalar.cross(a, b), wide.cross(x, y));
            let dots = [Scalar.dot(a, b), wide.dot(x, y)];
            assert_eq!(dots[0].to_bits(), dots[1].to_bits());
            assert_eq!(Scalar.max_abs(&[a, b, c]), wide.max_abs(&[x, y, z]));
            let is_below = Scalar.all_below(&[a, b, c], 49.0);
            assert_eq!(is_below, wide.all_below(&[x, y, z], 49.0));
            below[usize::from(is_below)] += 1;
            let list = [(); 4].map(|()| rng.below(4) as u32);
            assert_eq!(Scalar.equal_mask(&list, 2), wide.equal_mask(&list, 2));
            let some = list.map(|x| x << 30);
            assert_eq!(Scalar.high_bit_mask(&some), wide.high_bit_mask(&some));
            let at = rng.below(4) as usize;
            let mut lists = [list; 2];
            Scalar.set_lane(&mut lists[0], at, 7);
            wide.set_lane(&mut lists[1], at, 7);
            assert!(lists[0] == lists[1] && lists[0][at] == 7);
            let (four, fours) = ([a, b, c, b], [x, y, z, y]);
            let ([p, q, _], [u, v, _]) = (Scalar.transpose(four), wide.transpose(fours));
            let same = |plain: [f64; 4], wide: std::arch::x86_64::__m256d| {
                let wide: [f64; 4] = pulp::cast(wide);
                assert_eq!(plain.map(f64::to_bits), wide.map(f64::to_bits));
            };
            same(Scalar.q_add(p, q), wide.q_add(u, v));
            same(Scalar.q_sub(p, q), wide.q_sub(u, v));
            same(Scalar.q_mul(p, q), wide.q_mul(u, v));
            same(Scalar.splat(a.x), wide.splat(a.x));
            for (plain, wide) in Scalar
                .transpose(four)
                .into_iter()
                .zip(wide.transpose(fours))
            {
                same(plain, wide);
            }
            assert_eq!(Scalar.q_less(p, q), wide.q_less(u, v));
            let keys = [(); 2].map(|()| [(); 8].map(|()| rng.below(9) as i32 - 4));
            assert_eq!(Scalar.ranks(&keys), wide.ranks(&keys));
            let [ones, others] =
                [(); 2].map(|()| [(); 3].map(|()| [(); 8].map(|()| rng.below(5) as u32)));
            let plain = Scalar.shared_edges(&ones, &others);
            assert_eq!(plain, wide.shared_edges(&ones, &others));
        }
        let odd = [DVec3::NAN, DVec3::ZERO, DVec3::ZERO];
        let loaded = odd.map(|v| wide.load(&DVec3A::new(v)));
        assert!(!wide.all_below(&loaded, 1.0) && !Scalar.all_below(&odd, 1.0));
        assert!(below[0] > 100 && below[1] > 100);
    }
}
