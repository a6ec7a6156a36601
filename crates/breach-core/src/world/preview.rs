//! Previews: an operation is applied to the faces alone, examined, and reverted. Meshes, box trees and revisions are
//! not touched, so a preview costs less than the operation.
use super::delta::Entry;
use super::description::{GRID, Operation};
use super::edges::FaceRef;
use super::error::WorldError;
use super::geometry::Geometry;
use super::pending_operation::PendingOperation;
use super::phases::Step;
use super::portals;
use super::report::Island;
use super::touched::Touched;
use super::visible::Visible;
use super::work_budget::WorkBudget;
use super::world::World;
use crate::bvh::Mesh;
use crate::exact::Facing;
use crate::stage::Silent;
use glam::DVec3;
use rustc_hash::{FxHashMap, FxHashSet};

/// The effects of an operation that is not made.
#[derive(Clone, Debug, Default)]
pub struct Preview {
    /// Where new faces would meet old ones: segments, metres.
    pub outline: Vec<[DVec3; 2]>,
    /// Faces that would be cut or taken away.
    pub faces: u32,
    /// Outlines of the portals that would open, metres.
    pub portals: Vec<Vec<Vec<DVec3>>>,
    /// Pieces that would fall: cubic metres, and their edges.
    pub islands: Vec<(f64, Vec<[DVec3; 2]>)>,
    /// Cubic metres of solid that would become air (negative: filled), without the pieces that would fall.
    pub volume_m3: f64,
    /// Units of work that the preview took; see [`WorkBudget`].
    pub units: u64,
}

impl World {
    /// Previews an operation. Nothing visible changes, the revision included.
    pub fn preview(&mut self, operation: &Operation) -> Result<Preview, WorldError> {
        if self.pending.is_some() {
            return Err(WorldError::Busy);
        }
        let known = self.geometry.edge_contacts.len();
        let preview = self.try_operation(operation);
        self.geometry.edge_contacts.truncate(known);
        preview
    }

    fn try_operation(&mut self, operation: &Operation) -> Result<Preview, WorldError> {
        let mut work = PendingOperation::new(self, operation)?;
        let (geometry, visible) = (&mut self.geometry, &self.visible);
        let mut units = WorkBudget::new(u64::MAX);
        let mut step = Step {
            geometry,
            visible,
            units: &mut units,
            marker: &mut Silent,
        };
        while !work.advance_faces(&mut step) {}
        let mut preview = summary(geometry, visible, &work);
        units.spend(work.take_back(geometry));
        preview.units = u64::MAX - units.left();
        Ok(preview)
    }
}

fn summary(geometry: &Geometry, visible: &Visible, work: &PendingOperation) -> Preview {
    let touched = &work.change.touched;
    let mut cut: FxHashSet<Facing> = FxHashSet::default();
    let mut faces = 0;
    for entry in &touched.log {
        if let Entry::Removed(_, face) = entry {
            cut.insert(face.plane);
            faces += 1;
        }
    }
    let is_new = |id: &FaceRef| touched.added.contains(id);
    let face = |id: &FaceRef| geometry.find_face(*id);
    // A new face in the plane of a cut one is its remainder; the others are the brush's own.
    let is_own = |id| is_new(&id) && face(&id).is_some_and(|f| !cut.contains(&f.plane));
    let mut added: Vec<_> = touched.added.iter().copied().collect();
    added.sort_unstable();
    let mut outline = Vec::new();
    for id in added.into_iter().filter(|&id| is_own(id)) {
        for (a, b) in face(&id).into_iter().flat_map(super::cell::edges) {
            if geometry.edges.at(a, b).iter().any(|u| !is_own(u.face())) {
                outline.push([a / GRID, b / GRID]);
            }
        }
    }
    Preview {
        outline,
        faces,
        portals: opening_portals(geometry, visible, touched),
        islands: work
            .fallen()
            .iter()
            .map(|i| (i.volume_m3, edges_of(i)))
            .collect(),
        volume_m3: work.change.volume_m3,
        units: 0,
    }
}

/// Loops of closed portals that would open.
fn opening_portals(
    geometry: &Geometry,
    visible: &Visible,
    touched: &Touched,
) -> Vec<Vec<Vec<DVec3>>> {
    let near = touched
        .cells
        .iter()
        .flat_map(|&c| visible.rooms[c as usize].portals.iter());
    let mut near: Vec<u32> = near.copied().collect();
    near.sort_unstable();
    near.dedup();
    near.retain(|&i| visible.portals[i as usize].loops.is_empty());
    let loops = near.into_iter().map(|i| {
        let link = &visible.links[i as usize];
        let low = &geometry.cells[link.rooms[0] as usize];
        portals::region(low, 2 * link.axis + 1, link).0
    });
    loops.filter(|l| !l.is_empty()).collect()
}

/// Edges where two faces of a piece meet.
fn edges_of(island: &Island) -> Vec<[DVec3; 2]> {
    let Mesh {
        positions,
        triangles,
    } = &island.mesh;
    let mut first: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut edges = Vec::new();
    for t in triangles {
        for k in 0..3 {
            let (a, b) = (t.corners[k], t.corners[(k + 1) % 3]);
            if *first.entry((a.min(b), a.max(b))).or_insert(t.face) != t.face {
                edges.push([positions[a as usize], positions[b as usize]]);
            }
        }
    }
    edges
}
