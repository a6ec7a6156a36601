//! An operation's solids, and the clipping of each in a cell.
use super::cell::{points, steps};
use super::description::{Material, Operation};
use super::error::{SurfaceError, WorldError};
use super::geometry::Geometry;
use super::room::RoomId;
use super::touched::{Touched, insert, remove};
use super::unbreakable;
use crate::carve::polytope::Polytope;
use crate::carve::shape::{self, ShapeError};
use crate::carve::{BrushDesc, Op, SideDesc, boolean};
use crate::exact::GRID_MAX;
use glam::DVec3;

/// The planes on which cells meet within a box: axis and coordinate.
pub(super) fn borders(
    geometry: &Geometry,
    cells: &[RoomId],
    lo: DVec3,
    hi: DVec3,
) -> Vec<(usize, f64)> {
    let mut list: Vec<(usize, i64)> = Vec::new();
    for cell in cells.iter().map(|&c| &geometry.cells[c as usize]) {
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

/// Whether every side of the brushes shows a material that there is.
pub(super) fn check_materials(
    brushes: &[BrushDesc],
    materials: &[Material],
) -> Result<(), WorldError> {
    let mut sides = brushes.iter().flat_map(|brush| &brush.sides);
    match sides.find(|side| side.material as usize >= materials.len()) {
        None => Ok(()),
        Some(&SideDesc { material, .. }) => Err(SurfaceError::NoSuchMaterial { material }.into()),
    }
}

/// The brushes as exact solids; all are checked before anything changes.
pub(super) fn polytopes(
    geometry: &mut Geometry,
    operation: &Operation,
) -> Result<Vec<Polytope>, WorldError> {
    let mut list = Vec::with_capacity(operation.brushes.len());
    let (lo, hi) = (geometry.bounds[0].as_dvec3(), geometry.bounds[1].as_dvec3());
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
        let p =
            Polytope::from_brush(&mut geometry.planes, brush).ok_or_else(|| why_empty(brush))?;
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

/// The reason why a brush has no inside.
fn why_empty(brush: &BrushDesc) -> WorldError {
    match shape::verify(brush) {
        Err(why) => WorldError::Shape(why),
        Ok(()) => WorldError::EmptyBrush,
    }
}

/// The solids of a carve minus the unbreakable ones; those of a fill unchanged.
pub(super) fn without_unbreakable(
    geometry: &Geometry,
    op: Op,
    polytopes: Vec<Polytope>,
) -> Result<Vec<Polytope>, WorldError> {
    match op {
        Op::Fill => Ok(polytopes),
        Op::Carve => unbreakable::exclude(geometry, polytopes),
    }
}

/// One solid about to be clipped in a cell that its closed box touches.
pub(super) struct Stamp {
    cell: RoomId,
    /// The part within the cell; None where they only touch.
    part: Option<Polytope>,
    /// Faces that it may meet.
    near: Vec<u32>,
    /// The cost: corners of these faces, and twice the solid's, since the cell clips it first; for a solid of many
    /// sides also the tests of each face against all of them.
    pub corners: u64,
}

impl Stamp {
    pub fn new(geometry: &Geometry, id: RoomId, polytope: &Polytope) -> Stamp {
        let cell = &geometry.cells[id as usize];
        let part = cell.clip(&geometry.planes, polytope, geometry.bedrock);
        let (mut near, mut corners) = (Vec::new(), 2 * polytope.corners.len());
        if let Some(part) = &part {
            let (lo, hi) = part.bounds();
            for (id, face) in cell.near(lo, hi) {
                near.push(id);
                corners += points(face).count();
            }
            // Testing a side or a corner is some 250 times faster than clipping a corner.
            corners += near.len() * (part.corners.len() + part.facets.len()) / 256;
        }
        Stamp {
            cell: id,
            part,
            near,
            corners: corners as u64,
        }
    }

    pub fn apply(self, geometry: &mut Geometry, op: Op, touched: &mut Touched) {
        let Some(part) = &self.part else { return };
        let (id, cell) = (self.cell, &geometry.cells[self.cell as usize]);
        let change = boolean::apply(
            &geometry.planes,
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
        // Faces are large, and a list that grows one by one copies them again and again.
        touched
            .log
            .reserve(change.removed.len() + change.added.len());
        let mut pieces: Vec<(crate::exact::Facing, u32)> = Vec::new();
        for f in change.removed {
            let (plane, piece) = remove(geometry, (id, f), touched);
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
            insert(geometry, id, face, touched);
        }
    }
}
