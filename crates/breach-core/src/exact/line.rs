//! Lines as meets of two planes, the order of points on them, and turns around them.
use super::plane::{PlaneId, Planes};
use super::point::{Point, cross, side};
use ethnum::I256;
use glam::DVec3;
use std::cmp::Ordering;

/// A line, the meet of two planes, with the direction n_p × n_q of their stored normals. It orders its points.
///
/// Along an axis on which the direction has a component, points of the line have the order of their coordinates. `at` is
/// rounded down, so where it differs it has that order too; where it does not, the side of one point against a plane of
/// the other decides, exactly.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    planes: (PlaneId, PlaneId),
    axis: usize,
    /// Whether the coordinate grows along the line.
    rises: bool,
    /// Whether the line runs against n_p × n_q.
    against: bool,
}

impl Line {
    /// The line of two planes that are not parallel.
    pub fn new(planes: &Planes, line: (PlaneId, PlaneId)) -> Line {
        let (p, q) = (&planes[line.0], &planes[line.1]);
        let part = |j: usize, k: usize| {
            let (u, v) = (p.nf[j] * q.nf[k], p.nf[k] * q.nf[j]);
            // The three roundings of each product are below 2^-51 of it.
            let error = (u.abs() + v.abs()) * (1.0 / (1u64 << 50) as f64);
            if (u - v).abs() > error { u - v } else { 0.0 }
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

    /// The same line in the opposite direction.
    pub fn reversed(self) -> Line {
        Line {
            rises: !self.rises,
            against: !self.against,
            ..self
        }
    }

    /// A coordinate that never decreases along the line: where it differs, it orders points.
    #[inline]
    pub fn along(&self, at: DVec3) -> f64 {
        let x = at[self.axis];
        if self.rises { x } else { -x }
    }

    /// The order of two of its points.
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

/// The sign of (n_a × n_b)·(n_p × n_q), exact: which way the normals of two planes turn, seen along a line.
pub fn turn(planes: &Planes, a: PlaneId, b: PlaneId, line: (PlaneId, PlaneId)) -> i32 {
    let (a, b) = (&planes[a], &planes[b]);
    let (u, v) = (
        cross(&a.n, &b.n),
        cross(&planes[line.0].n, &planes[line.1].n),
    );
    let s = (0..3).fold(I256::ZERO, |s, k| s + I256::from(u[k]) * I256::from(v[k]));
    s.signum().as_i32()
}

/// The sign of the determinant of three planes' stored normals.
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
