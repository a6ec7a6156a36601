//! How good is the surface as it is drawn, in f32? Counted, never mended by moving anything: the exact faces stay.
use super::{GRID, World};
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Counts over the whole level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quality {
    /// Triangles of the rooms' meshes.
    pub triangles: usize,
    /// Triangles of which two corners are the same in f32: not drawn.
    pub welded: usize,
    /// Of the others, those without area in f32: drawn, though nothing of them is seen.
    pub flat: usize,
    /// Directed edges without an opposite in f32 once the welded triangles are gone: none, or light would come through.
    pub open_edges: usize,
    /// Faces smaller than a square millimetre.
    pub tiny_faces: usize,
    /// Triangles on faces that have no single material: none.
    pub mixed: usize,
}

pub(super) fn quality(world: &World) -> Quality {
    let mut counts = Quality::default();
    // Each edge once: how often it runs from its lower to its higher end, less how often the other way.
    let mut edges: FxHashMap<[[u32; 3]; 2], i32> = FxHashMap::default();
    for room in &world.rooms {
        for t in room.mesh.triangles.iter().filter(|t| t.is_live()) {
            counts.triangles += 1;
            let view = room.faces.get(t.face as usize);
            let known = |m: u32| (m as usize) < world.materials.len();
            counts.mixed += usize::from(!view.is_some_and(|v| v.is_live() && known(v.material)));
            let corners = t.corners.map(|c| room.mesh.positions[c as usize].as_vec3());
            let [a, b, c] = corners;
            if a == b || b == c || c == a {
                counts.welded += 1;
                continue;
            }
            // Differences of f32 in f64 are exact, their products too.
            let [a, b, c] = corners.map(|p| p.as_dvec3());
            counts.flat += usize::from((b - a).cross(c - a) == DVec3::ZERO);
            let bits = corners.map(|p| p.to_array().map(|x| (x + 0.0).to_bits()));
            for k in 0..3 {
                let (from, to) = (bits[k], bits[(k + 1) % 3]);
                match from < to {
                    true => *edges.entry([from, to]).or_default() += 1,
                    false => *edges.entry([to, from]).or_default() -= 1,
                }
            }
        }
    }
    counts.open_edges = edges.values().map(|n| n.unsigned_abs() as usize).sum();
    let small = 1e-6 * GRID * GRID;
    for cell in &world.cells {
        let tiny = cell.stuff().filter(|f| f.1.area_vector().length() < small);
        counts.tiny_faces += tiny.count();
    }
    counts
}
