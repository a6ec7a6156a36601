//! Points of the grid, 1/16384 m, and exact arithmetic on them.
use glam::{DVec3, I64Vec3};

/// Grid steps in a `.map` unit.
pub(super) const STEPS: f64 = 512.0;

/// Rounds to the grid, Y up: (x, y, z) of the file is (x, z, −y). Points within noise of the middle between two steps all
/// round up, so that a corner computed from different planes rounds to one point.
pub(super) fn to_grid(p: DVec3) -> I64Vec3 {
    let round = |x: f64| (x * STEPS + (0.5 + 1.0 / 1024.0)).floor() as i64;
    I64Vec3::new(round(p.x), round(p.z), -round(p.y))
}

/// The outward unit normal in `.map` axes, Z up, of a plane on the grid.
pub(super) fn file_normal(points: &[I64Vec3; 3]) -> DVec3 {
    let [a, b, c] = points.map(|p| p.as_dvec3());
    let n = (b - a).cross(c - a).normalize_or_zero();
    DVec3::new(n.x, -n.z, n.y)
}

pub(super) fn to_y_up(v: DVec3) -> DVec3 {
    DVec3::new(v.x, v.z, -v.y)
}

/// A vector of wide integers: products of grid differences exceed 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide([i128; 3]);

impl Wide {
    pub fn as_dvec3(self) -> DVec3 {
        DVec3::from_array(self.0.map(|x| x as f64))
    }

    fn length_squared(self) -> i128 {
        self.0.iter().map(|x| x * x).sum()
    }
}

/// (b − a) × (c − a); at most 53 bits for points on the grid.
pub(super) fn cross_i128([a, b, c]: [I64Vec3; 3]) -> Wide {
    let (u, v) = (b - a, c - a);
    let part = |i: usize, j: usize| {
        i128::from(u[i]) * i128::from(v[j]) - i128::from(u[j]) * i128::from(v[i])
    };
    Wide([part(1, 2), part(2, 0), part(0, 1)])
}

/// Positive above the plane of `t`, zero on it.
pub(super) fn side(t: [I64Vec3; 3], p: I64Vec3) -> i128 {
    let n = cross_i128(t);
    let d = p - t[0];
    (0..3).map(|i| n.0[i] * i128::from(d[i])).sum()
}

/// The triangle of largest area, the first on ties, in the corners' order; None for collinear corners.
pub(super) fn widest_triple(corners: &[I64Vec3]) -> Option<[I64Vec3; 3]> {
    let n = corners.len();
    let mut best = None;
    let mut best_area = 0;
    let mut try_triple = |i: usize, j: usize, k: usize| {
        let triple = [corners[i], corners[j], corners[k]];
        let area = cross_i128(triple).length_squared();
        if area > best_area {
            best_area = area;
            best = Some(triple);
        }
        area
    };
    for i in 0..n {
        let mut k = i + 2;
        for j in i + 1..n {
            if n <= 32 {
                for k in j + 1..n {
                    try_triple(i, j, k);
                }
                continue;
            }
            // Rotating calipers: around a convex polygon the third corner only moves forward as the second does.
            k = k.max(j + 1);
            if k >= n {
                break;
            }
            let mut area = try_triple(i, j, k);
            while k + 1 < n {
                let next = try_triple(i, j, k + 1);
                if next < area {
                    break;
                }
                area = next;
                k += 1;
            }
        }
    }
    best
}
