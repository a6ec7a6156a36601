//! How good is the surface as it is drawn, in f32? Counted, never mended by moving anything: the exact faces stay.
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
    /// Triangles of which two corners are the same in f32: not drawn.
    pub welded: usize,
    /// Of the others, those without area in f32: drawn, though nothing of them is seen.
    pub flat: usize,
    /// Directed edges without an opposite in f32 once the welded triangles are gone: none, or light would come through.
    /// Of one room always 0: its neighbours have the others.
    pub open_edges: usize,
    /// Faces smaller than a square millimetre.
    pub tiny_faces: usize,
    /// Triangles on faces that have no single material: none.
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

    /// Puts a room's counts in the place of those that it had.
    pub fn replace(&mut self, mut before: Quality, mut now: Quality) {
        for (sum, (old, new)) in
            (self.each().into_iter()).zip(before.each().into_iter().zip(now.each()))
        {
            *sum = (*sum + *new).saturating_sub(*old);
        }
    }
}

/// How often each edge, once for both its directions, runs from its lower to its higher end, less how often the other way.
type EdgeCounts = FxHashMap<[[u32; 3]; 2], i32>;

impl World {
    /// How good the surface is as it is drawn; walks the whole level.
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
    /// The same for one room, without its edges: what changes with a carve.
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
        // Differences of f32 in f64 are exact, their products too.
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
