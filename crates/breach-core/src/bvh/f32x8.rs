//! Eight boxes, planes or triangles against one query, in f32.
//!
//! Two implementations with the same bits: [`Scalar`] for any machine, and AVX2, selected at run time. Both do the same
//! operations in the same order, without fused multiply-add, so that not even the counters of a query depend on the
//! processor. Both are conservative.
use super::index::WIDTH;
use super::lanes::{Boxes, Corners, Lanes, Planes, lower, upper};
use super::simd_dispatch::simd_dispatch;

/// An axis-aligned box: the query's own, or the one around a short sweep.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxProbe {
    pub min: [f32; 3],
    pub max: [f32; 3],
}

/// A segment against boxes grown by a margin, by slabs; the margin is moved into the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SlabProbe {
    /// 1 if the segment runs down the axis and enters a box through its upper wall; else 0.
    pub falls: [u32; 3],
    /// Origin minus the margin, for the wall of entry.
    pub near: [f32; 3],
    /// Origin minus the margin, for the wall of exit.
    pub far: [f32; 3],
    /// 1 / displacement, never infinite.
    pub inv: [f32; 3],
}

/// A segment against planes.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneProbe {
    pub from: [f32; 3],
    pub displacement: [f32; 3],
    /// Distance to the plane that counts as a hit, metres.
    pub margin: f32,
}

/// A ray against triangles, sheared so that it runs along its longest axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShearProbe {
    /// The last is the ray's longest.
    pub axes: [usize; 3],
    /// In the order of `axes`.
    pub origin: [f32; 3],
    pub shear: [f32; 2],
    /// Error bound of an area: the first times the largest sheared coordinate, plus the second.
    pub slack: [f32; 2],
}

/// Tests on eight lanes; lane k answers in bit k.
pub(super) trait F32x8: Copy {
    /// The boxes of a block's faces, from their rounded corners.
    fn boxes(self, corners: &Corners) -> Boxes;
    /// The boxes that overlap or touch the probe.
    fn touching(self, boxes: &Boxes, probe: &BoxProbe) -> u32;
    /// The boxes that the segment enters before `limit`, with entry and exit.
    fn entered(self, boxes: &Boxes, probe: &SlabProbe, limit: f32, at: &mut [Lanes; 2]) -> u32;
    /// The faces whose planes the segment comes near to between entry and exit.
    fn reached(self, planes: &Planes, probe: &PlaneProbe, at: &[Lanes; 2]) -> u32;
    /// The faces that a ray may cross from the front, and from the back.
    fn crossed(self, corners: &Corners, probe: &ShearProbe) -> [u32; 2];
    /// Joins two numbers per lane, `high` in the upper half.
    fn paired(self, high: &Lanes, low: &[u32; WIDTH]) -> [u64; WIDTH];
    /// The boxes whose half surface area, now `areas`, grows least when extended by the probe; none if all areas
    /// overflow.
    fn growing_least(self, boxes: &Boxes, areas: &Lanes, probe: &BoxProbe) -> u32;
}

/// One lane after the other, for any processor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scalar;

#[inline(always)]
fn mask(lane: impl Fn(usize) -> bool) -> u32 {
    (0..WIDTH).fold(0, |mask, k| mask | u32::from(lane(k)) << k)
}

impl F32x8 for Scalar {
    #[inline(always)]
    fn boxes(self, corners: &Corners) -> Boxes {
        let [a, b, c] = &corners.lanes;
        let walls = [lower, upper].map(|pick: fn(f32, f32) -> f32| {
            [0, 1, 2]
                .map(|axis| std::array::from_fn(|k| pick(pick(a[axis][k], b[axis][k]), c[axis][k])))
        });
        Boxes { walls }
    }

    #[inline(always)]
    fn touching(self, boxes: &Boxes, probe: &BoxProbe) -> u32 {
        let [min, max] = &boxes.walls;
        mask(|k| {
            let along =
                |axis: usize| (min[axis][k] <= probe.max[axis]) & (max[axis][k] >= probe.min[axis]);
            along(0) & along(1) & along(2)
        })
    }

    #[inline(always)]
    fn entered(self, boxes: &Boxes, probe: &SlabProbe, limit: f32, at: &mut [Lanes; 2]) -> u32 {
        let [x, y, z] = [0, 1, 2].map(|axis| walls(boxes, probe, axis));
        for k in 0..WIDTH {
            let along = |wall: &Lanes, axis: usize, from: &[f32; 3]| {
                (wall[k] - from[axis]) * probe.inv[axis]
            };
            let enter = upper(along(x.0, 0, &probe.near), along(y.0, 1, &probe.near));
            at[0][k] = upper(enter, upper(along(z.0, 2, &probe.near), 0.0));
            let leave = lower(along(x.1, 0, &probe.far), along(y.1, 1, &probe.far));
            at[1][k] = lower(leave, lower(along(z.1, 2, &probe.far), limit));
        }
        mask(|k| at[0][k] <= at[1][k])
    }

    #[inline(always)]
    fn reached(self, planes: &Planes, probe: &PlaneProbe, at: &[Lanes; 2]) -> u32 {
        mask(|k| {
            let dot = |v: &[f32; 3]| {
                let (x, y) = (planes.normal[0][k] * v[0], planes.normal[1][k] * v[1]);
                x + y + planes.normal[2][k] * v[2]
            };
            let (origin, speed) = (
                dot(&probe.from) - planes.offset[k],
                dot(&probe.displacement),
            );
            let (start, end) = (origin + speed * at[0][k], origin + speed * at[1][k]);
            (lower(start, end) <= probe.margin) & (upper(start, end) >= -probe.margin)
        })
    }

    #[inline(always)]
    fn crossed(self, corners: &Corners, probe: &ShearProbe) -> [u32; 2] {
        let mut sides = [0; 2];
        for k in 0..WIDTH {
            let sheared = |corner: usize| {
                let lanes = &corners.lanes[corner];
                let [x, y, z] = [0, 1, 2].map(|i| lanes[probe.axes[i].min(2)][k] - probe.origin[i]);
                [x - probe.shear[0] * z, y - probe.shear[1] * z]
            };
            let [a, b, c] = [sheared(0), sheared(1), sheared(2)];
            let area = |p: [f32; 2], q: [f32; 2]| p[1] * q[0] - p[0] * q[1];
            let [u, v, w] = [area(c, b), area(a, c), area(b, a)];
            let most = |p: [f32; 2]| upper(p[0].abs(), p[1].abs());
            let most = upper(upper(most(a), most(b)), most(c));
            let slack = probe.slack[0] * most + probe.slack[1];
            sides[0] |= u32::from(upper(upper(u, v), w) <= slack) << k;
            sides[1] |= u32::from(lower(lower(u, v), w) >= -slack) << k;
        }
        sides
    }

    #[inline(always)]
    fn paired(self, high: &Lanes, low: &[u32; WIDTH]) -> [u64; WIDTH] {
        std::array::from_fn(|k| u64::from(high[k].to_bits()) << 32 | u64::from(low[k]))
    }

    #[inline(always)]
    fn growing_least(self, boxes: &Boxes, areas: &Lanes, probe: &BoxProbe) -> u32 {
        let growth: Lanes = std::array::from_fn(|k| {
            let side = |axis: usize| {
                upper(boxes.walls[1][axis][k], probe.max[axis])
                    - lower(boxes.walls[0][axis][k], probe.min[axis])
            };
            let [x, y, z] = [side(0), side(1), side(2)];
            x * y + y * z + z * x - areas[k]
        });
        let mut least = growth;
        for step in [4, 2, 1] {
            least = std::array::from_fn(|k| lower(least[k], least[k ^ step]));
        }
        mask(|k| growth[k] == least[k])
    }
}

/// The walls of eight boxes through which the segment enters and leaves, along an axis.
#[inline(always)]
fn walls<'a>(boxes: &'a Boxes, probe: &SlabProbe, axis: usize) -> (&'a Lanes, &'a Lanes) {
    let falls = probe.falls[axis] as usize & 1;
    (&boxes.walls[falls][axis], &boxes.walls[1 - falls][axis])
}

#[cfg(target_arch = "x86_64")]
impl F32x8 for pulp::x86::V3 {
    #[inline(always)]
    fn boxes(self, corners: &Corners) -> Boxes {
        let avx = self.avx;
        let along = |axis: usize| -> [Lanes; 2] {
            let [a, b, c] = &corners.lanes;
            let (a, b, c) = (
                pulp::cast(a[axis]),
                pulp::cast(b[axis]),
                pulp::cast(c[axis]),
            );
            let low = avx._mm256_min_ps(avx._mm256_min_ps(a, b), c);
            let high = avx._mm256_max_ps(avx._mm256_max_ps(a, b), c);
            [pulp::cast(low), pulp::cast(high)]
        };
        let [x, y, z] = [along(0), along(1), along(2)];
        Boxes {
            walls: [[x[0], y[0], z[0]], [x[1], y[1], z[1]]],
        }
    }

    #[inline(always)]
    fn touching(self, boxes: &Boxes, probe: &BoxProbe) -> u32 {
        use std::arch::x86_64::{_CMP_GE_OQ, _CMP_LE_OQ, _CMP_TRUE_UQ};
        let avx = self.avx;
        let zero = avx._mm256_setzero_ps();
        let mut all = avx._mm256_cmp_ps::<_CMP_TRUE_UQ>(zero, zero);
        for axis in 0..3 {
            let (min, max) = (
                pulp::cast(boxes.walls[0][axis]),
                pulp::cast(boxes.walls[1][axis]),
            );
            let (high, low) = (probe.max[axis], probe.min[axis]);
            let below = avx._mm256_cmp_ps::<_CMP_LE_OQ>(min, avx._mm256_set1_ps(high));
            let above = avx._mm256_cmp_ps::<_CMP_GE_OQ>(max, avx._mm256_set1_ps(low));
            all = avx._mm256_and_ps(all, avx._mm256_and_ps(below, above));
        }
        avx._mm256_movemask_ps(all) as u32
    }

    #[inline(always)]
    fn entered(self, boxes: &Boxes, probe: &SlabProbe, limit: f32, at: &mut [Lanes; 2]) -> u32 {
        use std::arch::x86_64::_CMP_LE_OQ;
        let avx = self.avx;
        let along = |wall: &Lanes, axis: usize, from: &[f32; 3]| {
            let ahead = avx._mm256_sub_ps(pulp::cast(*wall), avx._mm256_set1_ps(from[axis]));
            avx._mm256_mul_ps(ahead, avx._mm256_set1_ps(probe.inv[axis]))
        };
        let [x, y, z] = [
            walls(boxes, probe, 0),
            walls(boxes, probe, 1),
            walls(boxes, probe, 2),
        ];
        let enter = avx._mm256_max_ps(along(x.0, 0, &probe.near), along(y.0, 1, &probe.near));
        let start = avx._mm256_max_ps(along(z.0, 2, &probe.near), avx._mm256_setzero_ps());
        let enter = avx._mm256_max_ps(enter, start);
        let leave = avx._mm256_min_ps(along(x.1, 0, &probe.far), along(y.1, 1, &probe.far));
        let end = avx._mm256_min_ps(along(z.1, 2, &probe.far), avx._mm256_set1_ps(limit));
        let leave = avx._mm256_min_ps(leave, end);
        *at = [pulp::cast(enter), pulp::cast(leave)];
        avx._mm256_movemask_ps(avx._mm256_cmp_ps::<_CMP_LE_OQ>(enter, leave)) as u32
    }

    #[inline(always)]
    fn reached(self, planes: &Planes, probe: &PlaneProbe, at: &[Lanes; 2]) -> u32 {
        use std::arch::x86_64::{_CMP_GE_OQ, _CMP_LE_OQ};
        let avx = self.avx;
        let dot = |v: &[f32; 3]| {
            let part = |axis: usize| {
                avx._mm256_mul_ps(pulp::cast(planes.normal[axis]), avx._mm256_set1_ps(v[axis]))
            };
            avx._mm256_add_ps(avx._mm256_add_ps(part(0), part(1)), part(2))
        };
        let origin = avx._mm256_sub_ps(dot(&probe.from), pulp::cast(planes.offset));
        let speed = dot(&probe.displacement);
        let after = |at: Lanes| avx._mm256_add_ps(origin, avx._mm256_mul_ps(speed, pulp::cast(at)));
        let (start, end) = (after(at[0]), after(at[1]));
        let (low, high) = (avx._mm256_min_ps(start, end), avx._mm256_max_ps(start, end));
        let margin = avx._mm256_set1_ps(probe.margin);
        let minus = avx._mm256_set1_ps(-probe.margin);
        let near = avx._mm256_and_ps(
            avx._mm256_cmp_ps::<_CMP_LE_OQ>(low, margin),
            avx._mm256_cmp_ps::<_CMP_GE_OQ>(high, minus),
        );
        avx._mm256_movemask_ps(near) as u32
    }

    #[inline(always)]
    fn crossed(self, corners: &Corners, probe: &ShearProbe) -> [u32; 2] {
        use std::arch::x86_64::{_CMP_GE_OQ, _CMP_LE_OQ};
        let avx = self.avx;
        let all = |x: f32| avx._mm256_set1_ps(x);
        let along = |corner: usize, i: usize| {
            let lanes = &corners.lanes[corner][probe.axes[i].min(2)];
            avx._mm256_sub_ps(pulp::cast(*lanes), all(probe.origin[i]))
        };
        let sheared = |corner: usize, i: usize, z| {
            let aside = avx._mm256_mul_ps(all(probe.shear[i]), z);
            avx._mm256_sub_ps(along(corner, i), aside)
        };
        let (az, bz, cz) = (along(0, 2), along(1, 2), along(2, 2));
        let (ax, bx, cx) = (sheared(0, 0, az), sheared(1, 0, bz), sheared(2, 0, cz));
        let (ay, by, cy) = (sheared(0, 1, az), sheared(1, 1, bz), sheared(2, 1, cz));
        let area = |px, py, qx, qy| {
            avx._mm256_sub_ps(avx._mm256_mul_ps(py, qx), avx._mm256_mul_ps(px, qy))
        };
        let (u, v, w) = (
            area(cx, cy, bx, by),
            area(ax, ay, cx, cy),
            area(bx, by, ax, ay),
        );
        let sign = all(-0.0);
        let most =
            |x, y| avx._mm256_max_ps(avx._mm256_andnot_ps(sign, x), avx._mm256_andnot_ps(sign, y));
        let most = avx._mm256_max_ps(avx._mm256_max_ps(most(ax, ay), most(bx, by)), most(cx, cy));
        let slack = avx._mm256_mul_ps(all(probe.slack[0]), most);
        let slack = avx._mm256_add_ps(slack, all(probe.slack[1]));
        let high = avx._mm256_max_ps(avx._mm256_max_ps(u, v), w);
        let low = avx._mm256_min_ps(avx._mm256_min_ps(u, v), w);
        let minus = avx._mm256_xor_ps(slack, sign);
        [
            avx._mm256_movemask_ps(avx._mm256_cmp_ps::<_CMP_LE_OQ>(high, slack)) as u32,
            avx._mm256_movemask_ps(avx._mm256_cmp_ps::<_CMP_GE_OQ>(low, minus)) as u32,
        ]
    }

    #[inline(always)]
    fn paired(self, high: &Lanes, low: &[u32; WIDTH]) -> [u64; WIDTH] {
        let (avx, high, low) = (self.avx, pulp::cast(*high), pulp::cast(*low));
        // Lanes 0, 1, 4, 5 and 2, 3, 6, 7.
        let outer = avx._mm256_unpacklo_ps(low, high);
        let inner = avx._mm256_unpackhi_ps(low, high);
        pulp::cast([
            avx._mm256_permute2f128_ps::<0x20>(outer, inner),
            avx._mm256_permute2f128_ps::<0x31>(outer, inner),
        ])
    }

    #[inline(always)]
    fn growing_least(self, boxes: &Boxes, areas: &Lanes, probe: &BoxProbe) -> u32 {
        use std::arch::x86_64::_CMP_EQ_OQ;
        let avx = self.avx;
        let side = |axis: usize| {
            let (high, low) = (probe.max[axis], probe.min[axis]);
            let high =
                avx._mm256_max_ps(pulp::cast(boxes.walls[1][axis]), avx._mm256_set1_ps(high));
            let low = avx._mm256_min_ps(pulp::cast(boxes.walls[0][axis]), avx._mm256_set1_ps(low));
            avx._mm256_sub_ps(high, low)
        };
        let [x, y, z] = [side(0), side(1), side(2)];
        let two = avx._mm256_add_ps(avx._mm256_mul_ps(x, y), avx._mm256_mul_ps(y, z));
        let area = avx._mm256_add_ps(two, avx._mm256_mul_ps(z, x));
        let growth = avx._mm256_sub_ps(area, pulp::cast(*areas));
        // Compare lanes at distance 4, 2 and 1.
        let least = avx._mm256_min_ps(growth, avx._mm256_permute2f128_ps::<1>(growth, growth));
        let least = avx._mm256_min_ps(least, avx._mm256_permute_ps::<0b01_00_11_10>(least));
        let least = avx._mm256_min_ps(least, avx._mm256_permute_ps::<0b10_11_00_01>(least));
        avx._mm256_movemask_ps(avx._mm256_cmp_ps::<_CMP_EQ_OQ>(growth, least)) as u32
    }
}

simd_dispatch!(F32x8Kernel, F32x8);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;

    /// Ordinary numbers, now and then a special one.
    fn number(rng: &mut Rng) -> f32 {
        let odd = [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e37];
        match rng.below(40) {
            i @ 0..6 => odd[i as usize],
            _ => rng.range(-50.0, 50.0) as f32,
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn wide_lanes_answer_as_plain_ones_bit_for_bit() {
        let Some(wide) = pulp::x86::V3::try_new() else {
            println!("NOT RUN: no AVX2 here");
            return;
        };
        let mut rng = Rng::new(21);
        let (mut some, mut none) = (0, 0);
        for _ in 0..20_000 {
            let rng = &mut rng;
            let lanes = |rng: &mut Rng| -> [Lanes; 3] {
                std::array::from_fn(|_| std::array::from_fn(|_| number(rng)))
            };
            let (a, b) = (lanes(rng), lanes(rng));
            let pick = |f: fn(f32, f32) -> f32| {
                std::array::from_fn(|i| std::array::from_fn(|k| f(a[i][k], b[i][k])))
            };
            let mut boxes = Boxes {
                walls: [pick(f32::min), pick(f32::max)],
            };
            boxes.set(rng.below(8) as usize, &super::super::bounds::Bounds::EMPTY);
            let three = |rng: &mut Rng| -> [f32; 3] { std::array::from_fn(|_| number(rng)) };
            let around = BoxProbe {
                min: three(rng),
                max: three(rng),
            };
            let slabs = SlabProbe {
                falls: [0; 3].map(|_: u32| rng.below(2) as u32),
                near: three(rng),
                far: three(rng),
                inv: three(rng),
            };
            let planes = PlaneProbe {
                from: three(rng),
                displacement: three(rng),
                margin: number(rng).abs(),
            };
            let faces = Planes {
                normal: lanes(rng),
                offset: lanes(rng)[0],
            };
            let limit = rng.range(0.0, 1.0) as f32;
            let touching = Scalar.touching(&boxes, &around);
            assert_eq!(touching, wide.touching(&boxes, &around));
            let (mut at, mut at_wide) = ([[0.0; 8]; 2], [[0.0; 8]; 2]);
            let entered = Scalar.entered(&boxes, &slabs, limit, &mut at);
            assert_eq!(entered, wide.entered(&boxes, &slabs, limit, &mut at_wide));
            let bits = |at: [Lanes; 2]| at.map(|lanes| lanes.map(f32::to_bits));
            assert_eq!(bits(at), bits(at_wide));
            let reached = Scalar.reached(&faces, &planes, &at);
            assert_eq!(reached, wide.reached(&faces, &planes, &at));
            let shear = ShearProbe {
                axes: [[0, 1, 2], [1, 2, 0], [2, 1, 0]][rng.below(3) as usize],
                origin: three(rng),
                shear: [number(rng), number(rng)].map(|x| x / 50.0),
                slack: [number(rng).abs(), number(rng).abs()],
            };
            let corners = Corners {
                lanes: [lanes(rng), lanes(rng), lanes(rng)],
            };
            let walls = |boxes: Boxes| {
                boxes
                    .walls
                    .map(|side| side.map(|lanes| lanes.map(f32::to_bits)))
            };
            assert_eq!(walls(Scalar.boxes(&corners)), walls(wide.boxes(&corners)));
            let crossed = Scalar.crossed(&corners, &shear);
            assert_eq!(crossed, wide.crossed(&corners, &shear));
            let low = [0; WIDTH].map(|_: u32| rng.below(u64::from(u32::MAX)) as u32);
            assert_eq!(Scalar.paired(&at[0], &low), wide.paired(&at[0], &low));
            let areas = lanes(rng)[0];
            let least = Scalar.growing_least(&boxes, &areas, &around);
            assert_eq!(least, wide.growing_least(&boxes, &areas, &around));
            for mask in [touching, entered, reached, crossed[0], crossed[1], least] {
                if mask == 0 { none += 1 } else { some += 1 }
            }
        }
        assert!(some > 1000 && none > 1000, "{some} {none}");
    }
}
