//! The triangulation of a whole face.
use super::delaunay::delaunay;
use super::ears::{bridge_holes, clip_ears, triangulate_loop};
use super::predicates::{FEW, Loop};
use super::projection::projected_corners;
use crate::carve::face::Face;
use crate::exact::Planes;
use crate::geom::ring;

/// Triangles of a face as indices into its corners counted through all loops, counter-clockwise seen from the air:
/// V + 2H - 2 of them for V corners in all and H holes that touch nothing (a hole that touches takes two fewer). Each
/// edge of a loop is in one triangle, in the loop's direction. Empty where the face has fewer than three corners.
///
/// ```
/// use breach_core::carve::polytope::{Polytope, Surface};
/// use breach_core::carve::triangulate::triangulate;
/// use breach_core::carve::{Op, boolean};
/// use breach_core::exact::Planes;
///
/// let mut planes = Planes::default();
/// let room = Polytope::from_box(&mut planes, [0; 3], [16; 3], Surface::Stuff(0)).expect("a box");
/// let faces = boolean::apply(&planes, &[], &[], &[], &room, Op::Carve).added;
/// assert_eq!(triangulate(&planes, &faces[0]).len(), 2);
/// ```
pub fn triangulate(planes: &Planes, face: &Face) -> Vec<[u32; 3]> {
    if let [corners] = &face.loops[..]
        && corners.len() == 3
    {
        return vec![[0, 1, 2]];
    }
    let points = projected_corners(planes, face);
    let count = points.len() as u32;
    if face.loops.len() == 1 && points.len() <= FEW {
        return triangulate_loop(&points, (0..count).collect());
    }
    let mut first = 0;
    let loops: Vec<Loop> = face
        .loops
        .iter()
        .map(|l| {
            let from = first;
            first += l.len() as u32;
            (from..first).collect()
        })
        .collect();
    let edges: Vec<[u32; 2]> = loops
        .iter()
        .flat_map(|l| ring::pairs(l).map(|(&a, &b)| [a, b]))
        .collect();
    delaunay(&points, &edges).unwrap_or_else(|| clip_ears(&points, bridge_holes(&points, loops)))
}
