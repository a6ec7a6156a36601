//! Checks that a closed mesh bounds a solid: exact triangle against triangle tests, and the winding number of each part.
//!
//! Two triangles may meet only at corners and edges that both name. Candidates come from a box tree; a pair is decided by
//! signs of determinants in integers (Ericson, Real-Time Collision Detection, 5.3.4). Whether a part faces outwards is the
//! winding number at one of its triangles (Jacobson, Kavan and Sorkine-Hornung, "Robust Inside-Outside Segmentation using
//! Generalized Winding Numbers", 2013): on the surface of a solid it is one half.
use super::description::GRID;
use super::edit_error::EditError;
use crate::bvh::{BuildParams, Bvh, Mesh, QueryStats, Triangle};
use crate::geom::disjoint_sets::DisjointSets;
use crate::geom::{Aabb, solid_angle};
use glam::I64Vec3;
use rustc_hash::FxHashMap;

/// Boxes are grown by this much, metres, to cover rounding in the tree.
const SLACK_M: f64 = 1e-5;

/// Refuses a closed mesh of grid points that bounds no solid. Time: triangles times parts. Open meshes and flat triangles
/// are left to [`super::World::from_surface`], which refuses them.
pub(super) fn check(points: &[I64Vec3], triangles: &[[u32; 3]]) -> Result<(), EditError> {
    let mut known: FxHashMap<I64Vec3, u32> = FxHashMap::default();
    let weld = |p: &I64Vec3| {
        let next = known.len() as u32;
        *known.entry(*p).or_insert(next)
    };
    let welded: Vec<u32> = points.iter().map(weld).collect();
    let mut places = vec![I64Vec3::ZERO; known.len()];
    for (p, id) in points.iter().zip(&welded) {
        places[*id as usize] = *p;
    }
    // With the host's numbers, without triangles that use a point twice.
    let triangles: Vec<(usize, [u32; 3])> = triangles
        .iter()
        .map(|t| t.map(|corner| welded[corner as usize]))
        .enumerate()
        .filter(|(_, [a, b, c])| a != b && b != c && c != a)
        .collect();
    let Some(parts) = parts(&triangles) else {
        return Ok(());
    };
    let corners = |t: usize| triangles[t].1.map(|p| places[p as usize]);
    if (0..triangles.len()).any(|t| is_flat(corners(t))) {
        return Ok(());
    }
    let tree = Candidates::new(&places, &triangles);
    for (a, (number, ids)) in triangles.iter().enumerate() {
        for b in tree.near(a) {
            let shared = ids.map(|p| triangles[b].1.contains(&p));
            let others = triangles[b].1.map(|p| ids.contains(&p));
            if do_meet((corners(a), shared), (corners(b), others)) {
                return Err(EditError::TouchesItself {
                    triangles: [*number, triangles[b].0],
                    at: corners(a)[0].as_dvec3() / GRID,
                });
            }
        }
    }
    for t in parts {
        if !faces_out(&places, &triangles, t) {
            let triangle = triangles[t].0;
            return Err(EditError::InsideOut { triangle });
        }
    }
    Ok(())
}

/// A triangle of each part; None where the mesh is not closed.
fn parts(triangles: &[(usize, [u32; 3])]) -> Option<Vec<usize>> {
    let mut owners: FxHashMap<[u32; 2], u32> = FxHashMap::default();
    let edges = |t: [u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    for (i, (_, t)) in (0u32..).zip(triangles) {
        for edge in edges(*t) {
            if owners.insert(edge, i).is_some() {
                return None;
            }
        }
    }
    let mut sets = DisjointSets::new(triangles.len());
    for (i, (_, t)) in (0u32..).zip(triangles) {
        for [from, to] in edges(*t) {
            sets.join(i, *owners.get(&[to, from])?);
        }
    }
    let mut roots = Vec::new();
    for t in 0..triangles.len() {
        if sets.find(t as u32) as usize == t {
            roots.push(t);
        }
    }
    Some(roots)
}

fn is_flat([a, b, c]: [I64Vec3; 3]) -> bool {
    (b - a).cross(c - a) == I64Vec3::ZERO
}

/// The box tree over all triangles.
struct Candidates {
    mesh: Mesh,
    tree: Bvh,
}

impl Candidates {
    fn new(places: &[I64Vec3], triangles: &[(usize, [u32; 3])]) -> Candidates {
        let triangles = (0u32..).zip(triangles).map(|(i, (_, corners))| Triangle {
            corners: *corners,
            face: i,
            key: u64::from(i),
        });
        let mesh = Mesh {
            positions: places.iter().map(|p| p.as_dvec3() / GRID).collect(),
            triangles: triangles.collect(),
        };
        let tree = Bvh::build(&mesh, &BuildParams::default());
        Candidates { mesh, tree }
    }

    /// Later triangles whose boxes touch that of this one.
    fn near(&self, t: usize) -> Vec<usize> {
        let corners = self.mesh.triangles[t].corners;
        let corners = corners.map(|p| self.mesh.positions[p as usize]);
        let bounds = Aabb::from_points(corners).map(|bounds| bounds.grow(SLACK_M));
        let mut found = Vec::new();
        if let Some(bounds) = bounds {
            let mut visit = |other: u32| found.extend(Some(other as usize).filter(|&o| o > t));
            let stats = &mut QueryStats::default();
            self.tree
                .each_in_box(&self.mesh, &bounds, stats, &mut visit);
        }
        found
    }
}

/// A triangle, and which of its corners the other one has too.
type Half = ([I64Vec3; 3], [bool; 3]);

/// Whether two triangles meet outside of their shared corners. Two with a shared edge are neighbours; if one lies on the
/// other, the mesh is folded, which building it refuses.
fn do_meet(a: Half, b: Half) -> bool {
    match a.1.iter().filter(|is_shared| **is_shared).count() {
        0 | 1 => sides(a).any(|s| meets(s, b.0)) || sides(b).any(|s| meets(s, a.0)),
        _ => false,
    }
}

/// The sides without a shared corner. If triangles share one corner and meet elsewhere, one of these meets the other.
fn sides((t, shared): Half) -> impl Iterator<Item = [I64Vec3; 2]> {
    let next = |k: usize| (k + 1) % 3;
    (0..3)
        .filter(move |&k| !shared[k] && !shared[next(k)])
        .map(move |k| [t[k], t[next(k)]])
}

/// Whether a closed segment meets a closed triangle.
fn meets([p, q]: [I64Vec3; 2], t: [I64Vec3; 3]) -> bool {
    let [a, b, c] = t;
    let heights = [p, q].map(|x| det(b - a, c - a, x - a).signum());
    if heights == [0, 0] {
        return meets_in_plane([p, q], t);
    }
    let turns = [(a, b), (b, c), (c, a)].map(|(x, y)| det(q - p, x - p, y - p).signum());
    heights[0] * heights[1] <= 0 && is_one_way(turns)
}

/// Whether a closed segment meets a closed triangle in the same plane, projected along the largest axis of the normal.
fn meets_in_plane([p, q]: [I64Vec3; 2], t: [I64Vec3; 3]) -> bool {
    let normal = (t[1] - t[0]).cross(t[2] - t[0]).to_array();
    let axis = (0..3)
        .max_by_key(|&k| normal[k].unsigned_abs())
        .unwrap_or(0);
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let turn = |a: I64Vec3, b: I64Vec3, c: I64Vec3| {
        let (x, y) = (b - a, c - a);
        (i128::from(x[u]) * i128::from(y[v]) - i128::from(x[v]) * i128::from(y[u])).signum()
    };
    let edges = [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let is_inside = |x: I64Vec3| is_one_way(edges.map(|[a, b]| turn(a, b, x)));
    let crosses = |[a, b]: [I64Vec3; 2]| {
        turn(p, q, a) * turn(p, q, b) <= 0 && turn(a, b, p) * turn(a, b, q) <= 0
    };
    // All turns of collinear segments are zero: for them only an end inside counts.
    let is_on_line = |[a, b]: [I64Vec3; 2]| turn(p, q, a) == 0 && turn(p, q, b) == 0;
    is_inside(p) || is_inside(q) || edges.iter().any(|&e| crosses(e) && !is_on_line(e))
}

/// No two signs are opposite.
fn is_one_way(signs: [i128; 3]) -> bool {
    signs.iter().all(|s| *s >= 0) || signs.iter().all(|s| *s <= 0)
}

/// Determinant of differences of grid points: 26 bits each, 80 bits in all.
fn det(a: I64Vec3, b: I64Vec3, c: I64Vec3) -> i128 {
    let n = a.cross(b).to_array();
    let c = c.to_array();
    (0..3).map(|k| i128::from(n[k]) * i128::from(c[k])).sum()
}

/// Whether the solid lies behind this triangle: then the winding number of the others at its middle is one half.
fn faces_out(places: &[I64Vec3], triangles: &[(usize, [u32; 3])], own: usize) -> bool {
    let at = |t: usize| triangles[t].1.map(|p| places[p as usize].as_dvec3());
    let [a, b, c] = at(own);
    let middle = (a + b + c) / 3.0;
    let others = (0..triangles.len()).filter(|&t| t != own);
    let angle: f64 = others.map(|t| solid_angle(at(t).map(|p| p - middle))).sum();
    let winding = angle / (4.0 * std::f64::consts::PI);
    (winding - 0.5).abs() < 0.25
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(x: i64, y: i64, z: i64) -> I64Vec3 {
        I64Vec3::new(x, y, z)
    }

    #[test]
    fn a_segment_meets_a_triangle_at_its_inside_its_edges_and_its_corners() {
        let t = [p(0, 0, 0), p(8, 0, 0), p(0, 8, 0)];
        for (segment, expected) in [
            ([p(1, 1, -1), p(1, 1, 1)], true),
            ([p(1, 1, 1), p(1, 1, 2)], false),
            ([p(1, 1, 0), p(1, 1, 2)], true),
            ([p(4, 4, -1), p(4, 4, 1)], true),
            ([p(5, 4, -1), p(5, 4, 1)], false),
            ([p(0, 0, -3), p(0, 0, 3)], true),
            // In its plane: across, inside, beside, along an edge, behind the end of an edge.
            ([p(-1, 1, 0), p(9, 1, 0)], true),
            ([p(1, 1, 0), p(2, 2, 0)], true),
            ([p(9, 9, 0), p(20, 9, 0)], false),
            ([p(-5, 0, 0), p(20, 0, 0)], true),
            ([p(9, 0, 0), p(20, 0, 0)], false),
        ] {
            for t in [[t[0], t[1], t[2]], [t[1], t[2], t[0]], [t[2], t[1], t[0]]] {
                let back = [segment[1], segment[0]];
                assert_eq!(meets(segment, t), expected, "{segment:?}");
                assert_eq!(meets(back, t), expected, "{back:?}");
            }
        }
    }

    #[test]
    fn half_a_solid_winds_around_its_own_surface() {
        let places = [p(0, 0, 0), p(9, 0, 0), p(0, 9, 0), p(0, 0, 9)];
        let out: Vec<(usize, [u32; 3])> = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
            .into_iter()
            .enumerate()
            .collect();
        let inwards: Vec<_> = out.iter().map(|&(i, [a, b, c])| (i, [a, c, b])).collect();
        for t in 0..4 {
            assert!(faces_out(&places, &out, t));
            assert!(!faces_out(&places, &inwards, t));
        }
    }
}
