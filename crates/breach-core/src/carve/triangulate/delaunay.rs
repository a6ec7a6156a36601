//! Constrained Delaunay triangulation, by spade.
use glam::DVec2;
use rustc_hash::FxHashMap;
use spade::handles::FixedVertexHandle;
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

/// The constrained Delaunay triangulation of the region left of the edges, which form closed loops. None where rounding
/// made edges overlap or cross.
pub(super) fn delaunay(points: &[DVec2], edges: &[[u32; 2]]) -> Option<Vec<[u32; 3]>> {
    // Loops that touch share a vertex.
    let mut vertices = Vec::with_capacity(points.len());
    let mut by_position: FxHashMap<[u64; 2], usize> = FxHashMap::default();
    let vertex_of: Vec<usize> = points
        .iter()
        .map(|p| {
            // Adding 0 turns -0 into 0.
            *by_position
                .entry([(p.x + 0.0).to_bits(), (p.y + 0.0).to_bits()])
                .or_insert_with(|| {
                    vertices.push(Point2::new(p.x, p.y));
                    vertices.len() - 1
                })
        })
        .collect();
    let count = vertices.len();
    let mut mesh =
        ConstrainedDelaunayTriangulation::<Point2<f64>>::bulk_load_cdt(vertices, Vec::new())
            .ok()?;
    if mesh.num_vertices() != count {
        return None;
    }
    let handle = |corner: u32| FixedVertexHandle::from_index(vertex_of[corner as usize]);
    for (number, &[a, b]) in edges.iter().enumerate() {
        let (from, to) = (handle(a), handle(b));
        if from == to || mesh.exists_constraint(from, to) {
            return None;
        }
        mesh.try_add_constraint(from, to);
        // A vertex on the edge would have split it in two.
        if !mesh.exists_constraint(from, to) || mesh.num_constraints() != number + 1 {
            return None;
        }
    }
    // Flood fill from the triangles left of the edges; constraints stop it.
    let mut is_inside = vec![false; mesh.num_all_faces()];
    let mut stack = Vec::new();
    // Where loops touch, one vertex has several corners: a triangle takes the corner whose edges enclose it.
    let mut corner_of: FxHashMap<(usize, usize), u32> = FxHashMap::default();
    let is_shared = count < points.len();
    for &[a, b] in edges {
        let edge = mesh.get_edge_from_neighbors(handle(a), handle(b))?;
        stack.push(edge.face().as_inner()?.fix());
        if is_shared {
            let mut turning = edge;
            loop {
                corner_of.insert((turning.face().index(), vertex_of[a as usize]), a);
                turning = turning.ccw();
                if turning.is_constraint_edge() {
                    break;
                }
            }
        }
    }
    let mut triangles = Vec::with_capacity(points.len() + 16);
    let mut first = vec![0; count];
    (0..points.len() as u32)
        .rev()
        .for_each(|k| first[vertex_of[k as usize]] = k);
    while let Some(face) = stack.pop() {
        if std::mem::replace(&mut is_inside[face.index()], true) {
            continue;
        }
        let face = mesh.face(face);
        triangles.push(face.vertices().map(|v| {
            let v = v.index();
            corner_of
                .get(&(face.index(), v))
                .copied()
                .unwrap_or(first[v])
        }));
        for edge in face
            .adjacent_edges()
            .into_iter()
            .filter(|e| !e.is_constraint_edge())
        {
            stack.push(edge.rev().face().as_inner()?.fix());
        }
    }
    let is_outside = |&[a, b]: &[u32; 2]| {
        mesh.get_edge_from_neighbors(handle(b), handle(a))
            .is_some_and(|edge| !is_inside[edge.face().index()])
    };
    edges.iter().all(is_outside).then_some(triangles)
}
