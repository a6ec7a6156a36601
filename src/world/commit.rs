//! One operation: clip in every cell it touches, share corners, let loose pieces fall, bring rooms up to date.
use super::cell::{Cell, steps};
use super::edges::FaceRef;
use super::undo::{self, Delta, Entry};
use super::{
    CarveReport, GRID, MaterialId, Operation, RoomId, World, WorldError, census, crowd, islands,
    mesh, pieces, portals, unbreakable,
};
use crate::carve::face::Face;
use crate::carve::polytope::{Polytope, Surface};
use crate::carve::shape::{self, ShapeError};
use crate::carve::{BrushDesc, Op, boolean, conform as conformer};
use crate::exact::GRID_MAX;
use crate::timing::{Marker, Stage};
use glam::DVec3;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// What an operation has touched so far.
#[derive(Default)]
pub(super) struct Touched {
    /// Cells with changed faces.
    pub cells: BTreeSet<RoomId>,
    /// New faces of stuff that are still there.
    pub added: FxHashSet<FaceRef>,
    /// Edges of faces that are gone: what else meets there may have come loose.
    pub rims: Vec<(DVec3, DVec3)>,
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

pub(super) fn apply(
    world: &mut World,
    operation: &Operation,
    marker: &mut dyn Marker,
) -> Result<CarveReport, WorldError> {
    let polytopes = polytopes(world, operation)?;
    let polytopes = spared(world, operation.op, polytopes)?;
    let before = world.bytes();
    let (touched, mut report) = change(world, &polytopes, operation.op, marker);
    if touched.cells.is_empty() {
        return Ok(report);
    }
    let (needed, budget) = (world.bytes(), world.budget_bytes);
    if needed > budget && needed > before {
        undo::restore(world, Delta::new(touched.log, report.islands.len() as u64));
        return Err(WorldError::Budget { needed, budget });
    }
    world.revision += 1;
    marker.begin(Stage::Portals);
    let near = portals::of_walls(world, &touched.log);
    report.portals_opened = portals::update(world, &near, world.revision);
    let mut touched = touched;
    crowd::split(world, &mut touched);
    marker.end(Stage::Portals);
    marker.begin(Stage::Bins);
    report.rooms = touched.cells.iter().copied().collect();
    mesh::update(world, &touched.log);
    marker.end(Stage::Bins);
    report.delta = Delta::new(touched.log, report.islands.len() as u64);
    Ok(report)
}

/// What an operation does to the faces of all cells: rooms' meshes and portals do not know of it yet.
pub(super) fn change(
    world: &mut World,
    polytopes: &[Polytope],
    op: Op,
    marker: &mut dyn Marker,
) -> (Touched, CarveReport) {
    refresh_materials(world);
    let mut touched = Touched::default();
    let (mut lo, mut hi) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let before = air(world);
    marker.begin(Stage::Clip);
    for p in polytopes {
        let (a, b) = p.bounds();
        (lo, hi) = (lo.min(a), hi.max(b));
        stamp(world, p, op, &mut touched);
    }
    marker.end(Stage::Clip);
    if touched.cells.is_empty() {
        let report = CarveReport {
            watertight: world.edges.unmatched == 0,
            ..Default::default()
        };
        return (touched, report);
    }
    // Pieces of one plane and material have been merged by the clip itself.
    marker.begin(Stage::Merge);
    marker.end(Stage::Merge);
    let volume_m3 = super::cell::cubic_metres(air(world) - before);
    marker.begin(Stage::Conform);
    // All cells there, also such as no single solid touches: what turns at a corner, a face in any of them may tell.
    let near = cells_at(world, lo, hi);
    if touched.degenerate || world.edges.unmatched > 0 {
        conform(world, &near, lo, hi, &mut touched);
    } else {
        // Where nothing lay on anything, corners are missing only where cells meet.
        for (axis, at) in borders(world, &near, lo, hi) {
            let (mut from, mut to) = (lo, hi);
            (from[axis], to[axis]) = (at - 1.0, at + 1.0);
            conform(world, &near, from, to, &mut touched);
        }
    }
    marker.end(Stage::Conform);
    marker.begin(Stage::Islands);
    pieces::number(world, &touched, op);
    // What a fill leaves in the air stays there: it cuts nothing free.
    let islands = match op {
        Op::Carve => islands::take_out(world, &mut touched, lo, hi, polytopes),
        Op::Fill => vec![],
    };
    marker.end(Stage::Islands);
    let report = CarveReport {
        volume_m3,
        faces: touched.faces,
        islands,
        watertight: world.edges.unmatched == 0,
        material: touched.largest.map(|l| l.1),
        ..Default::default()
    };
    (touched, report)
}

/// The cells whose closed boxes touch a box, steps.
fn cells_at(world: &World, lo: DVec3, hi: DVec3) -> Vec<RoomId> {
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
fn borders(world: &World, cells: &[RoomId], lo: DVec3, hi: DVec3) -> Vec<(usize, f64)> {
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

fn air(world: &World) -> i128 {
    world.cells.iter().map(Cell::air).sum()
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
        if brush.sides.len() > shape::MOST_POINTS {
            return Err(ShapeError::TooManyPoints(brush.sides.len()).into());
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

/// Clips one solid in every cell that its closed box touches.
pub(super) fn stamp(world: &mut World, polytope: &Polytope, op: Op, touched: &mut Touched) {
    let (lo, hi) = polytope.bounds();
    let near = cells_at(world, lo, hi);
    for &id in &near {
        let cell = &world.cells[id as usize];
        let Some(part) = cell.clip(&world.planes, polytope, world.bedrock) else {
            continue;
        };
        let (lo, hi) = part.bounds();
        let near: Vec<u32> = cell.near(lo, hi).map(|f| f.0).collect();
        let change = boolean::apply(&world.planes, &cell.faces, &near, &part, op);
        touched.degenerate |= change.degenerate;
        if change.removed.is_empty() && change.added.is_empty() {
            continue;
        }
        touched.cells.insert(id);
        let mut pieces: Vec<(crate::exact::Facing, u32)> = Vec::new();
        for f in change.removed {
            if let Some((plane, piece)) = remove(world, (id, f), touched)
                && piece != 0
            {
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
) -> Option<(crate::exact::Facing, u32)> {
    let face = take(world, id)?;
    touched.cells.insert(id.0);
    if let Surface::Stuff(material) = face.surface {
        if !touched.added.remove(&id) {
            let area = face.area_vector().length();
            if touched.largest.is_none_or(|l| area > l.0) {
                touched.largest = Some((area, material));
            }
        }
        touched.rims.extend(super::cell::edges(&face));
        touched.faces += 1;
    }
    let told = (face.plane, face.piece);
    touched.numbered |= face.piece != 0;
    touched.log.push(Entry::Took(id, face));
    Some(told)
}

/// Puts a face into a cell.
pub(super) fn insert(world: &mut World, cell: RoomId, face: Face, touched: &mut Touched) {
    touched.cells.insert(cell);
    let is_stuff = face.surface != Surface::Wall;
    let id = put(world, cell, face);
    if is_stuff {
        touched.added.insert(id);
        touched.faces += 1;
    }
    touched.log.push(Entry::Put(id));
}

/// Takes a face out of everything that is kept about faces.
pub(super) fn take(world: &mut World, id: FaceRef) -> Option<Face> {
    let face = world.cells[id.0 as usize].remove(id.1)?;
    if let Surface::Stuff(material) = face.surface {
        world.edges.remove(&face, id);
        let hash = census::face_hash(world, &face, material);
        world.face_hash = world.face_hash.wrapping_sub(hash);
    }
    Some(face)
}

/// Puts a face into everything that is kept about faces.
pub(super) fn put(world: &mut World, cell: RoomId, face: Face) -> FaceRef {
    if let Surface::Stuff(material) = face.surface {
        let hash = census::face_hash(world, &face, material);
        world.face_hash = world.face_hash.wrapping_add(hash);
    }
    let home: &mut Cell = &mut world.cells[cell as usize];
    let id = (cell, home.insert(face));
    if let Some(face) = &home.faces[id.1 as usize]
        && face.surface != Surface::Wall
    {
        world.edges.add(face, id);
    }
    id
}

/// Gives a face to another cell; nothing but its place changes.
pub(super) fn shift(world: &mut World, id: FaceRef, cell: RoomId) -> Option<FaceRef> {
    let face = world.cells[id.0 as usize].remove(id.1)?;
    let home = &mut world.cells[cell as usize];
    let now = (cell, home.insert(face));
    if let Some(face) = &home.faces[now.1 as usize]
        && face.surface != Surface::Wall
    {
        world.edges.rename(face, id, now);
    }
    Some(now)
}

/// Shares corners between the faces of stuff of these cells near the box.
pub(super) fn conform(
    world: &mut World,
    cells: &[RoomId],
    lo: DVec3,
    hi: DVec3,
    touched: &mut Touched,
) {
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
    for (i, face) in conformer::conform(&world.planes, &faces, lo, hi) {
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
