//! Points as meets of three planes, and their predicates: f64 first with a proven bound, then 128 bits where they fit, then
//! 256.
use super::SUB_BITS;
use super::plane::{Plane, PlaneId, Planes};
use ethnum::I256;
use glam::DVec3;

/// The meet of three planes. The module's head explains `at`.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Three planes that meet here alone.
    pub planes: [PlaneId; 3],
    /// Coordinates in steps, rounded down to 2^-28: equal points have equal `at`.
    pub at: DVec3,
}

/// Homogeneous coordinates x, y, z and w > 0.
enum Homogeneous {
    Small([i128; 3], i128),
    Big([I256; 3], I256),
}

/// The exact cross product.
pub(super) fn cross(a: &[i64; 3], b: &[i64; 3]) -> [i128; 3] {
    let m = |x: i64, y: i64| x as i128 * y as i128;
    [
        m(a[1], b[2]) - m(a[2], b[1]),
        m(a[2], b[0]) - m(a[0], b[2]),
        m(a[0], b[1]) - m(a[1], b[0]),
    ]
}

/// [`cross`] for normals of at most 61 bits together.
fn cross_small(a: &[i64; 3], b: &[i64; 3]) -> [i64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// [`solve`] where normals and w fit in 64 bits, as for nearly every brush.
fn solve_small(p: &Plane, q: &Plane, r: &Plane) -> Option<Homogeneous> {
    let (qr, rp, pq) = (
        cross_small(&q.n, &r.n),
        cross_small(&r.n, &p.n),
        cross_small(&p.n, &q.n),
    );
    let w = p.n[0] * qr[0] + p.n[1] * qr[1] + p.n[2] * qr[2];
    if w == 0 {
        return None;
    }
    let [d, e, f] = [p.d, q.d, r.d].map(|d| d as i64);
    let m = |x: i64, y: i64| x as i128 * y as i128;
    let x = [0, 1, 2].map(|k| m(d, qr[k]) + m(e, rp[k]) + m(f, pq[k]));
    Some(if w < 0 {
        Homogeneous::Small(x.map(|v| -v), -(w as i128))
    } else {
        Homogeneous::Small(x, w as i128)
    })
}

/// x = (d_p q×r + d_q r×p + d_r p×q) / (p·q×r); None where the planes do not meet in one point.
fn solve(p: &Plane, q: &Plane, r: &Plane) -> Option<Homogeneous> {
    let n = p.n_bits + q.n_bits + r.n_bits;
    let x_bits = (p.d_bits + q.n_bits + r.n_bits)
        .max(q.d_bits + p.n_bits + r.n_bits)
        .max(r.d_bits + p.n_bits + q.n_bits);
    let is_small = n + 3 <= 126 && x_bits + 3 + SUB_BITS <= 126;
    // A cross product has at most one bit more than its factors together, a sum of three two more.
    if is_small && n + 3 <= 62 && p.d_bits.max(q.d_bits).max(r.d_bits) <= 62 {
        return solve_small(p, q, r);
    }
    let (qr, rp, pq) = (cross(&q.n, &r.n), cross(&r.n, &p.n), cross(&p.n, &q.n));
    if is_small {
        let w: i128 = (0..3).map(|k| p.n[k] as i128 * qr[k]).sum();
        if w == 0 {
            return None;
        }
        let x = [0, 1, 2].map(|k| p.d * qr[k] + q.d * rp[k] + r.d * pq[k]);
        return Some(if w < 0 {
            Homogeneous::Small(x.map(|v| -v), -w)
        } else {
            Homogeneous::Small(x, w)
        });
    }
    let big = |v: i128| I256::from(v);
    let w = (0..3).fold(I256::ZERO, |s, k| s + big(p.n[k] as i128) * big(qr[k]));
    if w == I256::ZERO {
        return None;
    }
    let x =
        [0, 1, 2].map(|k| big(p.d) * big(qr[k]) + big(q.d) * big(rp[k]) + big(r.d) * big(pq[k]));
    Some(if w < I256::ZERO {
        Homogeneous::Big(x.map(|v| -v), -w)
    } else {
        Homogeneous::Big(x, w)
    })
}

/// floor(x 2^28 / w), exact: an f64 estimate, corrected by the remainder.
fn floor_small(x: i128, w: i128) -> f64 {
    let mut q = (approximate(x) * (1u64 << SUB_BITS) as f64 / approximate(w)) as i64;
    let mut rest = (x << SUB_BITS) - q as i128 * w;
    while rest < 0 {
        q -= 1;
        rest += w;
    }
    while rest >= w {
        q += 1;
        rest -= w;
    }
    q as f64 / (1u64 << SUB_BITS) as f64
}

/// A number as f64, each half rounded on its own: much faster than `as`, which is no instruction for 128 bits.
fn approximate(x: i128) -> f64 {
    const UPPER: f64 = (1u128 << 64) as f64;
    // The lower half is signed, so that the upper half is 0 for small numbers.
    let low = x as i64;
    ((x - low as i128) >> 64) as i64 as f64 * UPPER + low as f64
}

fn floor_big(x: I256, w: I256) -> f64 {
    let q = (x << SUB_BITS).div_euclid(w);
    q.as_i128() as f64 / (1u64 << SUB_BITS) as f64
}

/// The point where three planes meet; None where their normals are not independent.
pub fn meet(planes: &Planes, ids: [PlaneId; 3]) -> Option<Point> {
    let [p, q, r] = ids.map(|i| &planes[i]);
    let at = match solve(p, q, r)? {
        Homogeneous::Small(x, w) => x.map(|x| floor_small(x, w)),
        Homogeneous::Big(x, w) => x.map(|x| floor_big(x, w)),
    };
    Some(Point {
        planes: ids,
        at: DVec3::from_array(at),
    })
}

/// The side of the stored plane on which the point lies: +1 along n, 0 on it, -1 behind.
#[inline]
pub fn side(planes: &Planes, point: &Point, id: PlaneId) -> i32 {
    let p = &planes[id];
    let t = p.nf[0] * point.at.x + p.nf[1] * point.at.y + p.nf[2] * point.at.z - p.df;
    if t > p.err {
        1
    } else if t < -p.err {
        -1
    } else {
        side_exact(planes, point, id)
    }
}

#[inline(never)]
fn side_exact(planes: &Planes, point: &Point, id: PlaneId) -> i32 {
    if point.planes.contains(&id) {
        return 0;
    }
    let plane = &planes[id];
    let [p, q, r] = point.planes.map(|i| &planes[i]);
    match solve(p, q, r) {
        None => unreachable!("a point's planes are independent"),
        Some(Homogeneous::Small(x, w)) => {
            let bits = |v: i128| 128 - v.unsigned_abs().leading_zeros();
            let xb = x.iter().fold(0, |most, &v| bits(v).max(most));
            if xb + plane.n_bits <= 124 && bits(w) + plane.d_bits <= 124 {
                let s: i128 = (0..3).map(|k| x[k] * plane.n[k] as i128).sum();
                (s - plane.d * w).signum() as i32
            } else {
                big_side(x.map(I256::from), I256::from(w), plane)
            }
        }
        Some(Homogeneous::Big(x, w)) => big_side(x, w, plane),
    }
}

fn big_side(x: [I256; 3], w: I256, plane: &Plane) -> i32 {
    let s = (0..3).fold(I256::ZERO, |s, k| s + x[k] * I256::from(plane.n[k]));
    (s - I256::from(plane.d) * w).signum().as_i32()
}

/// Whether two points are the same, whatever planes made them.
#[inline]
pub fn equal(planes: &Planes, a: &Point, b: &Point) -> bool {
    a.at == b.at && (a.planes == b.planes || b.planes.iter().all(|&p| side(planes, a, p) == 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::rng::Rng;
    use glam::I64Vec3;

    fn det(m: [[I256; 3]; 3]) -> I256 {
        let minor = |a: usize, b: usize| m[1][a] * m[2][b] - m[1][b] * m[2][a];
        m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1)
    }

    /// Cramer's rule in 256 bits: x and w > 0.
    fn by_cramers_rule(planes: &Planes, ids: [PlaneId; 3]) -> Option<([I256; 3], I256)> {
        let row = |i: PlaneId| planes[i].n.map(I256::from);
        let m = ids.map(row);
        let d = ids.map(|i| I256::from(planes[i].d));
        let w = det(m);
        let x = [0, 1, 2].map(|k| {
            let mut m = m;
            (0..3).for_each(|i| m[i][k] = d[i]);
            det(m)
        });
        match w.signum().as_i32() {
            0 => None,
            1 => Some((x, w)),
            _ => Some((x.map(|v| -v), -w)),
        }
    }

    #[test]
    fn meets_and_sides_equal_those_in_256_bits_for_numbers_of_all_sizes() {
        let mut rng = Rng::new(3);
        let mut small = 0;
        for round in 0..4000 {
            // From a blast's facets to planes across the whole grid: 64, 128 and 256 bits.
            let reach = [40.0, 3e3, 2e4, 3e5, 1.5e7][round % 5];
            let centre = [0.0, 1e6][round % 2];
            let mut near = || (rng.unit_vector() * reach + centre).round().as_i64vec3();
            let mut planes = Planes::default();
            let some: Vec<PlaneId> = (0..4)
                .filter_map(|_| planes.through(near(), near(), near()))
                .map(|f| f.plane)
                .collect();
            let &[a, b, c, d] = &some[..] else { continue };
            small += usize::from([a, b, c].iter().map(|&i| planes[i].n_bits).sum::<u32>() <= 59);
            let found = meet(&planes, [a, b, c]);
            let Some((x, w)) = by_cramers_rule(&planes, [a, b, c]) else {
                assert!(found.is_none());
                continue;
            };
            let far = I256::from(1i64 << 24) * w;
            if x.iter().any(|v| v.abs() > far) {
                continue;
            }
            let point = found.expect("planes that meet");
            let floors = x.map(|x| (x << SUB_BITS).div_euclid(w).as_i128() as f64);
            let scale = (1u64 << SUB_BITS) as f64;
            assert_eq!(point.at.to_array(), floors.map(|f| f / scale));
            let stored = &planes[d];
            let height = (0..3).fold(I256::ZERO, |s, k| s + x[k] * I256::from(stored.n[k]));
            let sign = (height - I256::from(stored.d) * w).signum().as_i32();
            assert_eq!(side(&planes, &point, d), sign);
            assert_eq!([a, b, c].map(|i| side(&planes, &point, i)), [0; 3]);
        }
        assert!(small > 500, "{small} of small numbers");
    }

    #[test]
    fn a_point_of_the_grid_is_found_whatever_planes_run_through_it() {
        let mut rng = Rng::new(4);
        for round in 0..2000 {
            let reach = [40.0, 3e3, 2e4, 3e5][round % 4];
            let at = (rng.unit_vector() * 1e6).round().as_i64vec3();
            let mut planes = Planes::default();
            let mut through = || {
                let mut near = || at + (rng.unit_vector() * reach).round().as_i64vec3();
                let (p, q): (I64Vec3, I64Vec3) = (near(), near());
                planes.through(at, p, q).map(|f| f.plane)
            };
            let (Some(a), Some(b), Some(c)) = (through(), through(), through()) else {
                continue;
            };
            if let Some(point) = meet(&planes, [a, b, c]) {
                assert_eq!(point.at, at.as_dvec3());
            }
        }
    }
}
