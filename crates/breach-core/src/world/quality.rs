//! The quality of the surface as it is drawn, in f32: defects are counted, but never repaired by moving anything, since
//! the exact faces stay.
use super::GRID;
use super::geometry::Geometry;
use super::room::RoomId;
use super::world::World;
use glam::DVec3;
use rustc_hash::FxHashMap;

/// Counts over the whole level, or over one room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quality {
    /// Triangles of the rooms' meshes.
    pub triangles: usize,
    /// Triangles with two equal corners in f32: not drawn.
    pub welded: usize,
    /// Other triangles without area in f32: drawn but invisible.
    pub flat: usize,
    /// Directed edges without an opposite in f32, without the welded triangles: must be none, or light comes through. 0
    /// for a single room, whose neighbours have the other edges.
    pub open_edges: usize,
    /// Faces smaller than a square millimetre.
    pub tiny_faces: usize,
    /// Triangles on faces without a single material: must be none.
    pub mixed: usize,
}

impl Quality {
    fn each(&mut self) -> [&mut usize; 6] {
        [
            &mut self.triangles,
            &mut self.welded,
            &mut self.flat,
            &mut self.open_edges,
            &mut self.tiny_faces,
            &mut self.mixed,
        ]
    }

    /// Replaces a room's old counts in the sum by its new ones.
    pub fn replace(&mut self, mut before: Quality, mut now: Quality) {
        for (sum, (old, new)) in
            (self.each().into_iter()).zip(before.each().into_iter().zip(now.each()))
        {
            *sum = (*sum + *new).saturating_sub(*old);
        }
    }
}

/// For each undirected edge, its uses from the lower to the higher end minus those the other way.
type EdgeCounts = FxHashMap<[[u32; 3]; 2], i32>;

impl World {
    /// Counts over the whole level; walks all of it.
    pub fn quality(&self) -> Quality {
        let geometry = self.committed();
        let mut sum = Quality::default();
        let mut edges = EdgeCounts::default();
        for room in 0..self.visible.rooms.len() as RoomId {
            let now = count(self, &geometry, room, Some(&mut edges));
            sum.replace(Quality::default(), now);
        }
        sum.open_edges = edges.values().map(|n| n.unsigned_abs() as usize).sum();
        sum
    }
    /// Counts for one room, without its edges: the part that a carve changes.
    pub fn room_quality(&self, room: RoomId) -> Quality {
        count(self, &self.geometry, room, None)
    }
}

fn count(
    world: &World,
    geometry: &Geometry,
    id: RoomId,
    mut edges: Option<&mut EdgeCounts>,
) -> Quality {
    let mut counts = Quality::default();
    let room = &world.visible.rooms[id as usize];
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
        // Differences and products of f32 values are exact in f64.
        let [a, b, c] = corners.map(|p| p.as_dvec3());
        counts.flat += usize::from((b - a).cross(c - a) == DVec3::ZERO);
        let Some(edges) = &mut edges else { continue };
        let bits = corners.map(|p| p.to_array().map(|x| (x + 0.0).to_bits()));
        for k in 0..3 {
            let (from, to) = (bits[k], bits[(k + 1) % 3]);
            match from < to {
                true => *edges.entry([from, to]).or_default() += 1,
                false => *edges.entry([to, from]).or_default() -= 1,
            }
        }
    }
    let small = 1e-6 * GRID * GRID;
    let faces = geometry.cells[id as usize].stuff();
    counts.tiny_faces = faces.filter(|f| f.1.area_vector().length() < small).count();
    counts
}
