//! What an operation does to the faces of one cell, and everything that is kept about faces; [`super::work`] has the
//! order of the steps.
use super::cell::{Cell, Measure, steps};
use super::edges::{self, FaceRef};
use super::undo::Entry;
use super::{GRID, MaterialId, Operation, RoomId, World, WorldError, census, unbreakable};
use crate::carve::conform::{self as conformer, Place};
use crate::carve::face::Face;
use crate::carve::polytope::{Polytope, Surface};
use crate::carve::shape::{self, ShapeError};
use crate::carve::{BrushDesc, Op, boolean};
use crate::exact::GRID_MAX;
use glam::DVec3;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What an operation has touched so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    /// Cells with changed faces.
    pub cells: BTreeSet<RoomId>,
    /// New faces of stuff that are still there.
    pub added: FxHashSet<FaceRef>,
    /// Edges of faces that are gone at which others stayed: these may have come loose.
    pub rims: Vec<edges::Key>,
    /// Everything taken away and put in, in order.
    pub log: Vec<Entry>,
    /// Faces taken out or put in.
    pub faces: u32,
    /// The largest face that was cut, square steps.
    pub largest: Option<(f64, MaterialId)>,
    /// Faces of pieces that hang in the air went.
    pub numbered: bool,
    /// Something lay exactly on something.
    pub degenerate: bool,
}

/// The cells whose closed boxes touch a box, steps.
pub(super) fn cells_at(world: &World, lo: DVec3, hi: DVec3) -> Vec<RoomId> {
    if world.nodes.is_empty() {
        return vec![0];
    }
    let bounds = crate::geom::Aabb {
        min: lo / GRID,
        max: hi / GRID,
    };
    let mut near = Vec::new();
    super::cast::each_cell_in_box(world, &bounds.grow(1e-6), &mut |c| near.push(c));
    near.retain(|&c| world.cells[c as usize].touches(lo, hi));
    near
}

/// The planes on which some cells meet within a box: axis and coordinate.
pub(super) fn borders(world: &World, cells: &[RoomId], lo: DVec3, hi: DVec3) -> Vec<(usize, f64)> {
    let mut list: Vec<(usize, i64)> = Vec::new();
    for cell in cells.iter().map(|&c| &world.cells[c as usize]) {
        for side in (0..6).filter(|&s| cell.shared[s]) {
            let at = if side % 2 == 0 { cell.lo } else { cell.hi }[side / 2];
            if steps(at) >= lo[side / 2] && steps(at) <= hi[side / 2] {
                list.push((side / 2, at));
            }
        }
    }
    list.sort_unstable();
    list.dedup();
    list.into_iter()
        .map(|(axis, at)| (axis, steps(at)))
        .collect()
}

pub(super) fn air(world: &World) -> i128 {
    world.cells.iter().map(|cell| cell.air()).sum()
}

/// The brushes as exact solids; all are looked at before anything changes.
pub(super) fn polytopes(
    world: &mut World,
    operation: &Operation,
) -> Result<Vec<Polytope>, WorldError> {
    let mut list = Vec::with_capacity(operation.brushes.len());
    let (lo, hi) = (world.bounds[0].as_dvec3(), world.bounds[1].as_dvec3());
    for brush in &operation.brushes {
        let is_beyond = |p: glam::I64Vec3| {
            p.to_array()
                .iter()
                .any(|x| x.unsigned_abs() > GRID_MAX as u64)
        };
        if brush.sides.len() > shape::MOST_SIDES {
            return Err(ShapeError::TooManySides(brush.sides.len()).into());
        }
        if brush
            .sides
            .iter()
            .any(|s| s.points.iter().any(|&p| is_beyond(p)))
        {
            return Err(WorldError::BeyondGrid);
        }
        let p = Polytope::from_brush(&mut world.planes, brush).ok_or_else(|| why_empty(brush))?;
        let (a, b) = p.bounds();
        if a.cmplt(hi).all() && b.cmpgt(lo).all() {
            list.push(p);
        }
    }
    if list.is_empty() {
        return Err(if operation.brushes.is_empty() {
            WorldError::EmptyBrush
        } else {
            WorldError::OutsideBounds
        });
    }
    Ok(list)
}

/// What has no inside, in words.
fn why_empty(brush: &BrushDesc) -> WorldError {
    match shape::verify(brush) {
        Err(why) => WorldError::Shape(why),
        Ok(()) => WorldError::EmptyBrush,
    }
}

/// The solids of a carve without what is unbreakable; of a fill all.
pub(super) fn spared(
    world: &World,
    op: Op,
    polytopes: Vec<Polytope>,
) -> Result<Vec<Polytope>, WorldError> {
    match op {
        Op::Fill => Ok(polytopes),
        Op::Carve => unbreakable::spare(world, polytopes),
    }
}

/// One solid about to be clipped in a cell that its closed box touches.
pub(super) struct Stamp {
    cell: RoomId,
    /// The part within the cell; none where they only touch.
    part: Option<Polytope>,
    /// Faces that it may meet.
    near: Vec<u32>,
    /// Corners of these faces, and of the solid twice, as the cell cuts it first; where it has many sides, also for asking
    /// each face about all of them.
    pub corners: u64,
}

impl Stamp {
    pub fn new(world: &World, id: RoomId, polytope: &Polytope) -> Stamp {
        let cell = &world.cells[id as usize];
        let part = cell.clip(&world.planes, polytope, world.bedrock);
        let (mut near, mut corners) = (Vec::new(), 2 * polytope.corners.len());
        if let Some(part) = &part {
            let (lo, hi) = part.bounds();
            for (id, face) in cell.near(lo, hi) {
                near.push(id);
                corners += super::cell::points(face).count();
            }
            // A side or a corner is asked some 250 times faster than a corner is clipped.
            corners += near.len() * (part.corners.len() + part.facets.len()) / 256;
        }
        Stamp {
            cell: id,
            part,
            near,
            corners: corners as u64,
        }
    }

    pub fn apply(self, world: &mut World, op: Op, touched: &mut Touched) {
        let Some(part) = &self.part else { return };
        let (id, cell) = (self.cell, &world.cells[self.cell as usize]);
        let change = boolean::apply(
            &world.planes,
            &cell.sides,
            &cell.faces,
            &self.near,
            part,
            op,
        );
        touched.degenerate |= change.degenerate;
        if change.removed.is_empty() && change.added.is_empty() {
            return;
        }
        touched.cells.insert(id);
        // Faces are large: a list that grows one by one copies them again and again.
        touched
            .log
            .reserve(change.removed.len() + change.added.len());
        let mut pieces: Vec<(crate::exact::Facing, u32)> = Vec::new();
        for f in change.removed {
            let (plane, piece) = remove(world, (id, f), touched);
            if piece != 0 {
                pieces.push((plane, piece));
            }
        }
        for mut face in change.added {
            if face.piece == 0
                && let Some(p) = pieces.iter().find(|p| p.0 == face.plane)
            {
                face.piece = p.1;
            }
            insert(world, id, face, touched);
        }
    }
}

/// Takes a face out of its cell and all that is kept about it; tells its plane and the piece it belonged to.
pub(super) fn remove(
    world: &mut World,
    id: FaceRef,
    touched: &mut Touched,
) -> (crate::exact::Facing, u32) {
    let rims = &mut touched.rims;
    let (face, measure) = take(world, id, |edge| rims.push(edge));
    touched.cells.insert(id.0);
    if let Surface::Stuff(material) = face.surface {
        if !touched.added.remove(&id) && touched.largest.is_none_or(|l| measure.area > l.0) {
            touched.largest = Some((measure.area, material));
        }
        touched.faces += 1;
    }
    let told = (face.plane, face.piece);
    touched.numbered |= face.piece != 0;
    touched.log.push(Entry::Took(id, face));
    told
}

/// Puts a new face into a cell. Its planes are held from now on, also while it lies in a log or a [`super::Delta`], until
/// [`super::undo::forget`].
pub(super) fn insert(world: &mut World, cell: RoomId, face: Face, touched: &mut Touched) {
    touched.cells.insert(cell);
    let is_stuff = face.surface != Surface::Wall;
    face.planes().for_each(|p| world.planes.hold(p));
    let id = put(world, cell, face);
    if is_stuff {
        touched.added.insert(id);
        touched.faces += 1;
    }
    touched.log.push(Entry::Put(id));
}

/// Takes a face out of everything that is kept about faces; it still holds its planes. Told are its edges at which other
/// faces stay.
pub(super) fn take(
    world: &mut World,
    id: FaceRef,
    stays: impl FnMut(edges::Key),
) -> (Face, Measure) {
    let (face, measure) = world.cells[id.0 as usize].remove(id.1);
    if let Surface::Stuff(material) = face.surface {
        world.edges.remove(&face, id, stays);
        let hash = census::face_hash(world, &face, material);
        world.face_hash = world.face_hash.wrapping_sub(hash);
    }
    (face, measure)
}

/// Puts a face into everything that is kept about faces.
pub(super) fn put(world: &mut World, cell: RoomId, face: Face) -> FaceRef {
    if let Surface::Stuff(material) = face.surface {
        let hash = census::face_hash(world, &face, material);
        world.face_hash = world.face_hash.wrapping_add(hash);
    }
    let home: &mut Cell = &mut world.cells[cell as usize];
    let id = (cell, home.insert(face));
    let face = home.face(id.1);
    if face.surface != Surface::Wall {
        world.edges.add(face, id);
    }
    id
}

/// Gives a face to another cell; nothing but its place changes.
pub(super) fn shift(world: &mut World, id: FaceRef, cell: RoomId) -> FaceRef {
    let (face, measure) = world.cells[id.0 as usize].remove(id.1);
    let home: &mut Cell = &mut world.cells[cell as usize];
    let now = (cell, home.put(face, measure));
    let face = home.face(now.1);
    if face.surface != Surface::Wall {
        world.edges.rename(face, id, now);
    }
    now
}

/// Shares corners between the faces of stuff of these cells in a place.
pub(super) fn conform(world: &mut World, cells: &[RoomId], place: &Place, touched: &mut Touched) {
    let (ids, faces) = stuff_at(world, cells, place.lo, place.hi);
    let changed = conformer::conform(&world.planes, &faces, place);
    replace(world, &ids, changed, touched);
}

/// The faces of stuff of these cells whose boxes touch a box, steps.
pub(super) fn stuff_at<'a>(
    world: &'a World,
    cells: &[RoomId],
    lo: DVec3,
    hi: DVec3,
) -> (Vec<FaceRef>, Vec<&'a Face>) {
    let mut ids: Vec<FaceRef> = Vec::new();
    let mut faces: Vec<&Face> = Vec::new();
    for &c in cells {
        for (f, face) in world.cells[c as usize].near(lo, hi) {
            if face.surface != Surface::Wall {
                ids.push((c, f));
                faces.push(face);
            }
        }
    }
    (ids, faces)
}

/// Puts faces in the places of those with these ids: the same ones, but for corners along their edges.
pub(super) fn replace(
    world: &mut World,
    ids: &[FaceRef],
    faces: Vec<(usize, Face)>,
    touched: &mut Touched,
) {
    for (i, face) in faces {
        let (cell, id) = ids[i];
        let was_added = touched.added.contains(&(cell, id));
        let (rims, count, largest) = (touched.rims.len(), touched.faces, touched.largest);
        remove(world, (cell, id), touched);
        insert(world, cell, face, touched);
        // A corner more or less is no cut.
        touched.rims.truncate(rims);
        (touched.faces, touched.largest) = (count, largest);
        if !was_added {
            touched.added.remove(&(cell, id));
        }
    }
}

/// Hashes what materials say, as far as it has not been done.
pub(super) fn refresh_materials(world: &mut World) {
    while world.material_hashes.len() < world.materials.len() {
        let hash = census::material_hash(&world.materials[world.material_hashes.len()]);
        world.material_hashes.push(hash);
    }
}
