//! How finely a curve and a surface are cut for a chord error.
//!
//! A quadratic Bezier curve has the constant second derivative 2d, d = p0 − 2 p1 + p2, so n equal segments lie at most
//! |d| / (4 n²) off it. A surface, with the bounds D on that of its rows and columns and M on the mixed derivative's
//! differences, lies at most D_u / (4 n_u²) + M / (n_u n_v) + D_v / (4 n_v²) off its triangles (Filip, Magedson, Markot:
//! Surface algorithms using bounds on derivatives, 1986). q3map halves curves until the middle control point is near
//! enough instead; counts that are no powers of two reach the same error with fewer pieces.
use super::super::grid::{side, widest_triple};
use glam::I64Vec3;
use rustc_hash::FxHashMap;

/// Most segments of a curve.
pub(super) const MOST: usize = 256;

/// The fewest segments of a curve that reach the chord error.
pub(super) fn of_curve(curve: [I64Vec3; 3], error: f64) -> usize {
    let n = (bend(curve) / (4.0 * error)).sqrt().ceil();
    (n as usize).clamp(1, MOST)
}

/// |d|; zero for a straight curve.
fn bend(curve: [I64Vec3; 3]) -> f64 {
    if is_straight(curve) {
        return 0.0;
    }
    let [p0, p1, p2] = curve;
    (p0 - p1 * 2 + p2).as_dvec3().length()
}

/// Whether the curve is a line, however its middle control point divides it.
pub(super) fn is_straight([p0, p1, p2]: [I64Vec3; 3]) -> bool {
    let (u, v) = (p1 - p0, p2 - p1);
    u.cross(v) == I64Vec3::ZERO && u.dot(v) >= 0
}

/// The fewest segments along rows and columns of a surface that reach the chord error.
pub(super) fn of_surface(net: &[[I64Vec3; 3]; 3], error: f64) -> [usize; 2] {
    if is_plane(net) {
        return [1; 2];
    }
    let across = |j: usize| [net[0][j], net[1][j], net[2][j]];
    let most = |bends: [f64; 3]| bends.into_iter().fold(0.0, f64::max);
    let along_u = most([0, 1, 2].map(|j| bend(across(j))));
    let along_v = most([0, 1, 2].map(|i| bend(net[i])));
    let mut twist = 0.0f64;
    for i in 0..2 {
        for j in 0..2 {
            let t = net[i][j] - net[i + 1][j] - net[i][j + 1] + net[i + 1][j + 1];
            twist = twist.max(t.as_dvec3().length());
        }
    }
    let off = |u: usize, v: usize| {
        let (u, v) = (u as f64, v as f64);
        along_u / (4.0 * u * u) + twist / (u * v) + along_v / (4.0 * v * v)
    };
    let (mut u, mut v) = (1, 1);
    while off(u, v) > error && u < MOST && v < MOST {
        // The direction that gains more, the first on ties.
        if off(u + 1, v) <= off(u, v + 1) {
            u += 1;
        } else {
            v += 1;
        }
    }
    [u, v]
}

/// Whether all control points lie in one plane.
pub(super) fn is_plane(net: &[[I64Vec3; 3]; 3]) -> bool {
    let points: Vec<I64Vec3> = net.iter().flatten().copied().collect();
    let widest = widest_triple(&points);
    widest.is_none_or(|widest| points.iter().all(|&p| side(widest, p) == 0))
}

/// The segments of all edges between blocks, so that the blocks on both sides of an edge cut it alike, also those of
/// different patches.
#[derive(Default)]
pub(super) struct EdgeSegments(FxHashMap<[[i64; 3]; 3], usize>);

impl EdgeSegments {
    /// An edge has the most segments that one of its blocks needs or its author wants.
    pub fn note(&mut self, edge: [I64Vec3; 3], segments: usize) {
        let most = self.0.entry(key(edge)).or_default();
        *most = segments.clamp(1, MOST).max(*most);
    }

    pub fn of(&self, edge: [I64Vec3; 3]) -> usize {
        self.0.get(&key(edge)).copied().unwrap_or(1)
    }
}

/// The same from both ends.
fn key(edge: [I64Vec3; 3]) -> [[i64; 3]; 3] {
    let forward = edge.map(|p| p.to_array());
    let [a, b, c] = forward;
    forward.min([c, b, a])
}
