//! Edits of faces, with the log of what an operation has touched.
use super::delta::Entry;
use super::edges::{EdgeKey, FaceRef};
use super::geometry::Geometry;
use super::room::RoomId;
use crate::carve::MaterialId;
use crate::carve::conform::{self as conformer, ConformBox};
use crate::carve::face::Face;
use crate::carve::polytope::Surface;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Everything that an operation has touched so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    /// Cells with changed faces.
    pub cells: BTreeSet<RoomId>,
    /// New faces of stuff that still exist.
    pub added: FxHashSet<FaceRef>,
    /// Edges of removed faces that remaining faces still use: these faces may have come loose.
    pub rims: Vec<EdgeKey>,
    /// Every removal and insertion, in order.
    pub log: Vec<Entry>,
    /// Faces removed or inserted.
    pub faces: u32,
    /// The largest face that was cut, square steps.
    pub largest: Option<(f64, MaterialId)>,
    /// Faces of floating pieces were removed.
    pub numbered: bool,
    /// Some planes or points coincided exactly.
    pub degenerate: bool,
}

/// Removes a face; returns its plane and the piece that it belonged to.
pub(super) fn remove(
    geometry: &mut Geometry,
    id: FaceRef,
    touched: &mut Touched,
) -> (crate::exact::Facing, u32) {
    let rims = &mut touched.rims;
    let (face, measure) = geometry.remove_face(id, |edge| rims.push(edge));
    touched.cells.insert(id.0);
    if let Surface::Stuff(material) = face.surface {
        if !touched.added.remove(&id) && touched.largest.is_none_or(|l| measure.area > l.0) {
            touched.largest = Some((measure.area, material));
        }
        touched.faces += 1;
    }
    let result = (face.plane, face.piece);
    touched.numbered |= face.piece != 0;
    touched.log.push(Entry::Removed(id, face));
    result
}

/// Inserts a new face into a cell. Its planes are held from now on, also while the face is in a log or a
/// [`super::Delta`], until [`super::World::forget`].
pub(super) fn insert(geometry: &mut Geometry, cell: RoomId, face: Face, touched: &mut Touched) {
    touched.cells.insert(cell);
    let is_stuff = face.surface != Surface::Wall;
    face.planes().for_each(|p| geometry.planes.hold(p));
    let id = geometry.insert_face(cell, face);
    if is_stuff {
        touched.added.insert(id);
        touched.faces += 1;
    }
    touched.log.push(Entry::Inserted(id));
}

/// Makes the faces of stuff of these cells share their corners in a place.
pub(super) fn conform(
    geometry: &mut Geometry,
    cells: &[RoomId],
    place: &ConformBox,
    touched: &mut Touched,
) {
    let (ids, faces) = geometry.stuff_at(cells, place.lo, place.hi);
    let changed = conformer::conform(&geometry.planes, &faces, place);
    replace(geometry, &ids, changed, touched);
}

/// Replaces faces by the same ones with corners added or removed along their edges.
pub(super) fn replace(
    geometry: &mut Geometry,
    ids: &[FaceRef],
    faces: Vec<(usize, Face)>,
    touched: &mut Touched,
) {
    for (i, face) in faces {
        let (cell, id) = ids[i];
        let was_added = touched.added.contains(&(cell, id));
        let (rims, count, largest) = (touched.rims.len(), touched.faces, touched.largest);
        remove(geometry, (cell, id), touched);
        insert(geometry, cell, face, touched);
        // A corner more or less does not count as a cut.
        touched.rims.truncate(rims);
        (touched.faces, touched.largest) = (count, largest);
        if !was_added {
            touched.added.remove(&(cell, id));
        }
    }
}
