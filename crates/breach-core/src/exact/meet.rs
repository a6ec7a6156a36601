//! Points as meets of three planes, and the questions asked of them: f64 first with a proven bound, then 128 bits
//! where they fit, then 256.
use super::SUB_BITS;
use super::plane::{Plane, PlaneId, Planes};
use ethnum::I256;
use glam::DVec3;
use std::cmp::Ordering;

/// The meet of three planes. See the module's head for `at`.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Three planes that meet here alone.
    pub planes: [PlaneId; 3],
    /// Coordinates in steps, rounded down to 2^-28: equal points have equal `at`.
    pub at: DVec3,
}

/// Homogeneous coordinates, w > 0.
enum Meet {
    Small([i128; 3], i128),
    Big([I256; 3], I256),
}

fn cross(a: &[i64; 3], b: &[i64; 3]) -> [i128; 3] {
    let m = |x: i64, y: i64| x as i128 * y as i128;
    [
        m(a[1], b[2]) - m(a[2], b[1]),
        m(a[2], b[0]) - m(a[0], b[2]),
        m(a[0], b[1]) - m(a[1], b[0]),
    ]
}

/// As [`cross`], of normals whose bits together are 61 at most.
fn cross_small(a: &[i64; 3], b: &[i64; 3]) -> [i64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// [`solve`] where normals and w fit into 64 bits, as for nearly every brush.
fn solve_small(p: &Plane, q: &Plane, r: &Plane) -> Option<Meet> {
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
        Meet::Small(x.map(|v| -v), -(w as i128))
    } else {
        Meet::Small(x, w as i128)
    })
}

/// x = (d_p q×r + d_q r×p + d_r p×q) / (p·q×r); None where the planes do not meet in one point.
fn solve(p: &Plane, q: &Plane, r: &Plane) -> Option<Meet> {
    let n = p.n_bits + q.n_bits + r.n_bits;
    let x_bits = (p.d_bits + q.n_bits + r.n_bits)
        .max(q.d_bits + p.n_bits + r.n_bits)
        .max(r.d_bits + p.n_bits + q.n_bits);
    let is_small = n + 3 <= 126 && x_bits + 3 + SUB_BITS <= 126;
    // A cross has at most a bit more than its factors together, a sum of three two more.
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
            Meet::Small(x.map(|v| -v), -w)
        } else {
            Meet::Small(x, w)
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
        Meet::Big(x.map(|v| -v), -w)
    } else {
        Meet::Big(x, w)
    })
}

/// floor(x 2^28 / w), exactly: an f64 guess, put right by the remainder.
fn floor_small(x: i128, w: i128) -> f64 {
    let mut q = (roughly(x) * (1u64 << SUB_BITS) as f64 / roughly(w)) as i64;
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

/// A number as f64, each half rounded by itself: a fraction of the time of `as`, which no processor has for 128 bits.
fn roughly(x: i128) -> f64 {
    const UPPER: f64 = (1u128 << 64) as f64;
    // With a sign of its own, so that little is left of the upper half where the number is small.
    let low = x as i64;
    ((x - low as i128) >> 64) as i64 as f64 * UPPER + low as f64
}

fn floor_big(x: I256, w: I256) -> f64 {
    let q = (x << SUB_BITS).div_euclid(w);
    q.as_i128() as f64 / (1u64 << SUB_BITS) as f64
}

/// The point where three planes meet; None where they are not independent.
pub fn meet(planes: &Planes, ids: [PlaneId; 3]) -> Option<Point> {
    let [p, q, r] = ids.map(|i| &planes[i]);
    let at = match solve(p, q, r)? {
        Meet::Small(x, w) => x.map(|x| floor_small(x, w)),
        Meet::Big(x, w) => x.map(|x| floor_big(x, w)),
    };
    Some(Point {
        planes: ids,
        at: DVec3::from_array(at),
    })
}

/// On which side of the stored plane the point lies: +1 along n, 0 on it, -1 behind.
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
        Some(Meet::Small(x, w)) => {
            let bits = |v: i128| 128 - v.unsigned_abs().leading_zeros();
            let xb = x.iter().fold(0, |most, &v| bits(v).max(most));
            if xb + plane.n_bits <= 124 && bits(w) + plane.d_bits <= 124 {
                let s: i128 = (0..3).map(|k| x[k] * plane.n[k] as i128).sum();
                (s - plane.d * w).signum() as i32
            } else {
                big_side(x.map(I256::from), I256::from(w), plane)
            }
        }
        Some(Meet::Big(x, w)) => big_side(x, w, plane),
    }
}

fn big_side(x: [I256; 3], w: I256, plane: &Plane) -> i32 {
    let s = (0..3).fold(I256::ZERO, |s, k| s + x[k] * I256::from(plane.n[k]));
    (s - I256::from(plane.d) * w).signum().as_i32()
}

/// The same place, whatever planes made it.
#[inline]
pub fn equal(planes: &Planes, a: &Point, b: &Point) -> bool {
    a.at == b.at && (a.planes == b.planes || b.planes.iter().all(|&p| side(planes, a, p) == 0))
}

/// Sign of the determinant of three planes' stored normals.
pub fn det_sign(planes: &Planes, a: PlaneId, b: PlaneId, c: PlaneId) -> i32 {
    if a == b || b == c || a == c {
        return 0;
    }
    let (a, b, c) = (&planes[a], &planes[b], &planes[c]);
    let x = cross(&b.n, &c.n);
    if a.n_bits + b.n_bits + c.n_bits + 3 <= 126 {
        let w: i128 = (0..3).map(|k| a.n[k] as i128 * x[k]).sum();
        w.signum() as i32
    } else {
        let w = (0..3).fold(I256::ZERO, |s, k| s + I256::from(a.n[k]) * I256::from(x[k]));
        w.signum().as_i32()
    }
}

/// A line, the meet of two planes, with the direction n_p × n_q of their stored normals: what orders its points.
///
/// Along an axis on which the direction has a part, points of the line are ordered as their coordinates. `at` is
/// rounded down, so where it differs it has the order of the coordinates themselves; only where it does not, a plane of
/// one of the points that the line crosses is asked, exactly.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    planes: (PlaneId, PlaneId),
    axis: usize,
    /// The coordinate grows along the line.
    rises: bool,
    /// Run against n_p × n_q.
    against: bool,
}

impl Line {
    /// The line of two planes that are not parallel.
    pub fn new(planes: &Planes, line: (PlaneId, PlaneId)) -> Line {
        let (p, q) = (&planes[line.0], &planes[line.1]);
        let part = |j: usize, k: usize| {
            let (u, v) = (p.nf[j] * q.nf[k], p.nf[k] * q.nf[j]);
            // The three roundings of each product are below 2^-51 of it.
            let doubt = (u.abs() + v.abs()) * (1.0 / (1u64 << 50) as f64);
            if (u - v).abs() > doubt { u - v } else { 0.0 }
        };
        let parts = [part(1, 2), part(2, 0), part(0, 1)];
        let mut axis = if parts[0].abs() >= parts[1].abs() {
            0
        } else {
            1
        };
        if parts[2].abs() > parts[axis].abs() {
            axis = 2;
        }
        let mut rises = parts[axis] > 0.0;
        if parts[axis] == 0.0 {
            let exact = cross(&p.n, &q.n);
            axis = (0..3)
                .find(|&k| exact[k] != 0)
                .expect("the planes of a line are not parallel");
            rises = exact[axis] > 0;
        }
        Line {
            planes: line,
            axis,
            rises,
            against: false,
        }
    }

    /// The same line, run the other way.
    pub fn reversed(self) -> Line {
        Line {
            rises: !self.rises,
            against: !self.against,
            ..self
        }
    }

    /// A number that never falls along the line: of two points those that have different numbers have their order.
    #[inline]
    pub fn along(&self, at: DVec3) -> f64 {
        let x = at[self.axis];
        if self.rises { x } else { -x }
    }

    /// Order of two of its points along it.
    #[inline]
    pub fn cmp(&self, planes: &Planes, a: &Point, b: &Point) -> Ordering {
        let (x, y) = (a.at[self.axis], b.at[self.axis]);
        if x != y {
            return if (x < y) == self.rises {
                Ordering::Less
            } else {
                Ordering::Greater
            };
        }
        self.cmp_exact(planes, a, b)
    }

    #[inline(never)]
    fn cmp_exact(&self, planes: &Planes, a: &Point, b: &Point) -> Ordering {
        if a.planes == b.planes {
            return Ordering::Equal;
        }
        // a = b + t (n_p × n_q): the side of `a` against a plane of `b` that the line crosses gives the sign of t.
        for &e in &b.planes {
            let w = det_sign(planes, self.planes.0, self.planes.1, e);
            if w != 0 {
                let order = (side(planes, a, e) * w).cmp(&0);
                return if self.against { order.reverse() } else { order };
            }
        }
        unreachable!("one of three independent planes crosses the line")
    }
}

/// For two planes that share a line with a third's normal as up: sign of (n_a × n_b)·(n_p × n_q), exact.
pub fn turn(planes: &Planes, a: PlaneId, b: PlaneId, line: (PlaneId, PlaneId)) -> i32 {
    let (a, b) = (&planes[a], &planes[b]);
    let (u, v) = (
        cross(&a.n, &b.n),
        cross(&planes[line.0].n, &planes[line.1].n),
    );
    let s = (0..3).fold(I256::ZERO, |s, k| s + I256::from(u[k]) * I256::from(v[k]));
    s.signum().as_i32()
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

    /// Cramer's rule in 256 bits: x and w, w above zero.
    fn by_the_book(planes: &Planes, ids: [PlaneId; 3]) -> Option<([I256; 3], I256)> {
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
    fn meets_and_sides_are_those_of_long_numbers_whatever_their_size() {
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
            let told = meet(&planes, [a, b, c]);
            let Some((x, w)) = by_the_book(&planes, [a, b, c]) else {
                assert!(told.is_none());
                continue;
            };
            let far = I256::from(1i64 << 24) * w;
            if x.iter().any(|v| v.abs() > far) {
                continue;
            }
            let point = told.expect("planes that meet");
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
