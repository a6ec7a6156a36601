//! Triangles of a shell that lie in one plane become one polygon.
use super::shell::Shell;
use glam::DVec3;
use smallvec::SmallVec;

/// Cosine of the largest angle between two triangles of one polygon (1.8°).
const FLAT_COSINE: f64 = 0.9995;

/// Sine of the angle by which a corner of a convex polygon may bend inwards: rounding only.
const STRAIGHT: f64 = 1e-9;

/// The corners of a polygon.
type Loop = SmallVec<[u8; 16]>;

/// A convex polygon.
pub(super) struct Polygon {
    /// Indices of corners of the shell, counter-clockwise seen from outside.
    pub corners: Loop,
    /// Outward; its length is twice the area, m².
    pub area: DVec3,
}

/// The surface of the shell in as few polygons as it is flat in; the flattest edges go first.
pub(super) fn polygons(shell: &Shell) -> Vec<Polygon> {
    let triangles = shell.triangles.iter();
    let mut polygons: Vec<Option<Polygon>> = triangles
        .map(|triangle| {
            let [a, b, c] = triangle.corners.map(|i| shell.corners[usize::from(i)]);
            Some(Polygon {
                corners: Loop::from_slice(&triangle.corners),
                area: (b - a).cross(c - a),
            })
        })
        .collect();
    let flat_edges = flat_edges(shell);
    // Of each triangle.
    let mut polygon_of: Vec<usize> = (0..polygons.len()).collect();
    // An edge that had to stay may go when the polygons beside it have grown.
    let mut is_changed = true;
    while std::mem::take(&mut is_changed) {
        for &(_, [t, u]) in &flat_edges {
            let (i, j) = (polygon_of[t], polygon_of[u]);
            if i == j {
                continue;
            }
            if let (Some(a), Some(b)) = (&polygons[i], &polygons[j])
                && let Some(union) = united(a, b, shell)
            {
                polygons[i] = Some(union);
                polygons[j] = None;
                for polygon in &mut polygon_of {
                    if *polygon == j {
                        *polygon = i;
                    }
                }
                is_changed = true;
            }
        }
    }
    polygons.into_iter().flatten().collect()
}

/// The pairs of triangles that share an edge and are nearly flat there, with the cosine of their angle; flattest first.
fn flat_edges(shell: &Shell) -> Vec<(f64, [usize; 2])> {
    let mut edges = Vec::new();
    for (t, one) in shell.triangles.iter().enumerate() {
        for (u, other) in shell.triangles.iter().enumerate().skip(t + 1) {
            let cosine = one.normal.dot(other.normal);
            let are_neighbours =
                || sides(&one.corners).any(|[a, b]| is_side(&other.corners, [b, a]));
            if cosine > FLAT_COSINE && are_neighbours() {
                edges.push((cosine, [t, u]));
            }
        }
    }
    edges.sort_by(|a, b| b.0.total_cmp(&a.0));
    edges
}

/// The corners of a loop, each with the next one.
pub(super) fn sides(corners: &[u8]) -> impl Iterator<Item = [u8; 2]> {
    let next = corners.iter().skip(1).chain(corners.first());
    corners.iter().zip(next).map(|(a, b)| [*a, *b])
}

/// Whether the second of two corners follows the first in a loop.
fn is_side(corners: &[u8], side: [u8; 2]) -> bool {
    sides(corners).any(|other| other == side)
}

/// Two polygons as one. `None` if that is not convex or not flat within the shell's tolerance.
fn united(a: &Polygon, b: &Polygon, shell: &Shell) -> Option<Polygon> {
    let corners = united_loops(&a.corners, &b.corners)?;
    let area = a.area + b.area;
    let normal = area.try_normalize()?;
    let at = |k: usize| shell.corners[usize::from(corners[k % corners.len()])];
    let is_convex = (0..corners.len()).all(|k| {
        let (before, after) = (at(k + 1) - at(k), at(k + 2) - at(k + 1));
        let bend = before.cross(after).dot(normal);
        bend >= -STRAIGHT * before.length() * after.length()
    });
    let offset = top(&shell.corners, normal);
    let is_flat = (0..corners.len()).all(|k| normal.dot(at(k)) >= offset - shell.tolerance);
    (is_convex && is_flat).then_some(Polygon { corners, area })
}

/// normal·x of the plane that touches the points from outside, metres.
pub(super) fn top(points: &[DVec3], normal: DVec3) -> f64 {
    let heights = points.iter().map(|p| normal.dot(*p));
    heights.fold(f64::NEG_INFINITY, f64::max)
}

/// The loop around two loops that share one chain of edges. `None` if they do not, or touch elsewhere too.
fn united_loops(a: &[u8], b: &[u8]) -> Option<Loop> {
    let is_shared: SmallVec<[bool; 16]> =
        sides(a).map(|[from, to]| is_side(b, [to, from])).collect();
    let shared = is_shared.iter().filter(|is| **is).count();
    // Where the own edges of `a` begin.
    let is_start = |k: &usize| !is_shared[*k] && is_shared[(k + a.len() - 1) % a.len()];
    let mut starts = (0..a.len()).filter(is_start);
    let start = starts.next()?;
    if starts.next().is_some() {
        return None;
    }
    let own = a.len() - shared;
    let end = a[(start + own) % a.len()];
    let turn = b.iter().position(|corner| *corner == end)?;
    // From the start to the end along `a`, and back along `b`.
    let there = (0..=own).map(|k| a[(start + k) % a.len()]);
    let back = (1..b.len() - shared).map(|k| b[(turn + k) % b.len()]);
    let corners: Loop = there.chain(back).collect();
    let is_new = |(k, corner): (usize, &u8)| !corners[..k].contains(corner);
    let is_simple = corners.len() >= 3 && corners.iter().enumerate().all(is_new);
    is_simple.then_some(corners)
}
