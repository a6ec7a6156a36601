//! Opens walls between cells where a falling piece ran through them.
//!
//! A wall's open part is a region of its plane, and the piece's section is added to it. The section's rim consists of
//! the edges that the piece's faces have on the plane, and of stretches of the cell's own edges where the piece
//! continues into the next wall. The stretches follow from the rest: a rim is closed, so it runs along the cell's edges
//! between the points where the faces' edges end there. If none end there, the rim contains either all of the cell's
//! edges on this wall or none; a point at the rim, inside the piece or outside, decides which.
use super::cell::{Cell, bounds_of, steps};
use super::edges::FaceRef;
use super::geometry::Geometry;
use super::portals;
use super::room::RoomId;
use super::touched::{Touched, insert, remove};
use super::visible::Visible;
use crate::carve::face::Face;
use crate::carve::loops::{self, Edge, cancel_opposite_edges, position_key};
use crate::carve::polytope::Surface;
use crate::carve::winding::{PerturbedPoint, winding_number};
use crate::exact::{Line, Planes, Point, meet, side};
use glam::DVec3;

/// The new open part of one wall.
pub(super) struct Opening {
    cell: RoomId,
    /// Wall faces to remove.
    old: Vec<u32>,
    new: Vec<Face>,
}

/// The openings that the removal of a piece makes. `faces` are all faces of the piece and its contents, sorted by cell.
/// None if the sections do not close, which means that faces are missing.
pub(super) fn find(geometry: &Geometry, faces: &[FaceRef]) -> Option<Vec<Opening>> {
    let piece: Vec<&Face> = faces.iter().map(|&f| geometry.face(f)).collect();
    let (lo, hi) = bounds_of(&piece);
    let is_within = |place: &PerturbedPoint| {
        let at = place.point.at;
        let is_near = at.cmpge(lo).all() && at.cmple(hi).all();
        is_near && winding_number(&geometry.planes, piece.iter().copied(), place) > 0
    };
    let mut openings = Vec::new();
    for group in faces.chunk_by(|a, b| a.0 == b.0) {
        let id = group[0].0;
        let cell = &geometry.cells[id as usize];
        let gone: Vec<&Face> = group.iter().map(|&f| geometry.face(f)).collect();
        openings.extend(in_cell(&geometry.planes, id, cell, &gone, &is_within)?);
    }
    Some(openings)
}

/// Applies the openings. Cells wholly inside the piece open too.
pub(super) fn apply(
    geometry: &mut Geometry,
    visible: &Visible,
    openings: Vec<Opening>,
    touched: &mut Touched,
) {
    let mut cells: Vec<RoomId> = Vec::new();
    for opening in openings {
        cells.push(opening.cell);
        replace(geometry, opening, touched);
    }
    cells.dedup();
    while let Some(cell) = cells.pop() {
        for next in swallowed(geometry, visible, cell) {
            let empty = &geometry.cells[next as usize];
            let all = in_cell(&geometry.planes, next, empty, &[], &|_| true);
            all.into_iter()
                .flatten()
                .for_each(|opening| replace(geometry, opening, touched));
            cells.push(next);
        }
    }
}

fn replace(geometry: &mut Geometry, opening: Opening, touched: &mut Touched) {
    for id in opening.old {
        remove(geometry, (opening.cell, id), touched);
    }
    for face in opening.new {
        insert(geometry, opening.cell, face, touched);
    }
}

/// Cells without a face behind an open part of this one's walls: they were all solid, part of the piece.
fn swallowed(geometry: &Geometry, visible: &Visible, cell: RoomId) -> Vec<RoomId> {
    let is_empty = |c: RoomId| geometry.cells[c as usize].all().next().is_none();
    let mut list = Vec::new();
    for &link in &visible.rooms[cell as usize].portals {
        let link = &visible.links[link as usize];
        let high = link.rooms[0] == cell;
        let other = link.rooms[high as usize];
        let side = 2 * link.axis + high as usize;
        let open = || portals::region(&geometry.cells[cell as usize], side, link).1 > 0.0;
        if is_empty(other) && open() {
            list.push(other);
        }
    }
    list
}

/// The piece's section on one side of a cell.
struct Section {
    side: usize,
    /// The piece's edges on the plane, except those along the cell's own edges.
    edges: Vec<Edge>,
    /// Points where the rim turns onto a cell edge (1) or leaves it (-1), for each cell edge, sorted.
    turns: [Vec<(Point, i32)>; 4],
    /// Whether the section's rim contains the cell edge at its first corner.
    starts: bool,
}

/// The openings of one cell when the faces `gone` are removed. `is_within` tells whether a place is inside the piece.
fn in_cell(
    planes: &Planes,
    id: RoomId,
    cell: &Cell,
    gone: &[&Face],
    is_within: &dyn Fn(&PerturbedPoint) -> bool,
) -> Option<Vec<Opening>> {
    let mut openings = Vec::new();
    for side in (0..6).filter(|&s| cell.shared[s]) {
        let section = Section::new(planes, cell, side, gone, is_within)?;
        let rim = section.rim(planes, cell)?;
        if section.edges.is_empty() && rim.is_empty() {
            continue;
        }
        let (mut old, mut edges) = (Vec::new(), section.edges);
        edges.extend(rim);
        let fresh = edges.len();
        let ends = || edges.iter().flat_map(|e| [e.from.at, e.to.at]);
        let (lo, hi) = (ends().reduce(DVec3::min)?, ends().reduce(DVec3::max)?);
        // Open parts elsewhere stay as they are.
        for (id, wall) in cell.wall(side).filter(|w| w.1.touches(lo, hi)) {
            edges.extend(loops::face_edges(wall));
            old.push(id);
        }
        let facing = cell.sides[side].opposite();
        let edges = cancel_opposite_edges(planes, facing.plane, &edges, fresh);
        let new = loops::faces_from_edges(planes, facing, Surface::Wall, &edges, true);
        openings.push(Opening { cell: id, old, new });
    }
    Some(openings)
}

/// Corners of a side, counter-clockwise seen from inside the cell. Bit k of a corner is set at the high end of axis k.
fn corners(side: usize) -> [usize; 4] {
    let (k, high) = (side / 2, side % 2);
    let (u, v) = (1 << ((k + 1) % 3), 1 << ((k + 2) % 3));
    let base = high << k;
    match high {
        0 => [base, base | u, base | u | v, base | v],
        _ => [base, base | v, base | u | v, base | u],
    }
}

/// The side that shares the edge between two neighbouring corners of this side.
fn beside(side: usize, from: usize, to: usize) -> usize {
    let along = from ^ to;
    let axis = (0..3)
        .find(|&n| n != side / 2 && along != 1 << n)
        .expect("three axes, two of them taken");
    2 * axis + (from >> axis & 1)
}

impl Section {
    fn new(
        planes: &Planes,
        cell: &Cell,
        side_of: usize,
        gone: &[&Face],
        is_within: &dyn Fn(&PerturbedPoint) -> bool,
    ) -> Option<Section> {
        let plane = cell.sides[side_of].plane;
        let corners = corners(side_of);
        let others: [usize; 4] =
            [0, 1, 2, 3].map(|i| beside(side_of, corners[i], corners[(i + 1) % 4]));
        let (axis, at) = (
            side_of / 2,
            steps([cell.lo, cell.hi][side_of % 2][side_of / 2]),
        );
        let is_near = |x: f64| (x - at).abs() < 1.0;
        let on = |p: &Point, side_of: usize| side(planes, p, cell.sides[side_of].plane) == 0;
        let mut edges: Vec<Edge> = Vec::new();
        for face in gone
            .iter()
            .filter(|f| is_near(f.lo[axis]) || is_near(f.hi[axis]))
        {
            for mut e in loops::face_edges(face) {
                let is_here = is_near(e.from.at[axis])
                    && is_near(e.to.at[axis])
                    && on(&e.from, side_of)
                    && on(&e.to, side_of);
                // The rim along the cell's own edges follows from the rest.
                if !is_here || others.iter().any(|&t| on(&e.from, t) && on(&e.to, t)) {
                    continue;
                }
                if face.plane.plane != plane {
                    e.line = face.plane.plane;
                }
                edges.push(e);
            }
        }
        let turns = turns(planes, cell, side_of, &edges)?;
        let starts = match only_start(&turns)? {
            Some(starts) => starts,
            None => is_within(&at_rim(planes, cell, side_of)?),
        };
        Some(Section {
            side: side_of,
            edges,
            turns,
            starts,
        })
    }

    /// The stretches of the cell's edges that belong to the section's rim.
    fn rim(&self, planes: &Planes, cell: &Cell) -> Option<Vec<Edge>> {
        let corners = corners(self.side);
        let mut rim = Vec::new();
        let mut now = self.starts as i32;
        for i in 0..4 {
            let next = corners[(i + 1) % 4];
            let line = cell.sides[beside(self.side, corners[i], next)].plane;
            let mut from = corner_point(planes, cell, corners[i])?;
            let end = (corner_point(planes, cell, next)?, 0);
            let ends = self.turns[i].iter().copied().chain([end]);
            for (to, turn) in ends {
                if now == 1 && from.at != to.at {
                    rim.push(Edge { from, to, line });
                }
                (from, now) = (to, now + turn);
            }
        }
        Some(rim)
    }
}

/// Ends of the edges that no other edge continues; all of them lie on cell edges, along which the rim goes on.
fn turns(
    planes: &Planes,
    cell: &Cell,
    side_of: usize,
    edges: &[Edge],
) -> Option<[Vec<(Point, i32)>; 4]> {
    let mut ends: Vec<(Point, i32)> = edges
        .iter()
        .flat_map(|e| [(e.from, -1), (e.to, 1)])
        .collect();
    ends.sort_by_key(|e| position_key(&e.0));
    let mut turns = [const { Vec::new() }; 4];
    let corners = corners(side_of);
    for group in ends.chunk_by(|a, b| position_key(&a.0) == position_key(&b.0)) {
        let (point, turn) = (group[0].0, group.iter().map(|e| e.1).sum::<i32>());
        if turn == 0 {
            continue;
        }
        let i = (0..4).find(|&i| {
            let t = beside(side_of, corners[i], corners[(i + 1) % 4]);
            side(planes, &point, cell.sides[t].plane) == 0
        })?;
        turns[i].push((point, turn));
    }
    for (i, list) in turns.iter_mut().enumerate() {
        let (from, to) = (corners[i], corners[(i + 1) % 4]);
        let other = cell.sides[beside(side_of, from, to)].plane;
        let line = (cell.sides[side_of].plane, other);
        // Both planes are across an axis, so their normals' cross product runs along the third axis, one way or the
        // other.
        let axis = (from ^ to).trailing_zeros() as usize;
        let (p, q) = (planes[line.0].nf, planes[line.1].nf);
        let along = DVec3::from_array(p).cross(DVec3::from_array(q))[axis] > 0.0;
        let rises = along == (to > from);
        let run = Line::new(planes, line);
        list.sort_by(|a, b| {
            let order = run.cmp(planes, &a.0, &b.0);
            if rises { order } else { order.reverse() }
        });
    }
    Some(turns)
}

/// The only start value that keeps the rim's count between 0 and 1. Some(None) if both do, None if neither does.
fn only_start(turns: &[Vec<(Point, i32)>; 4]) -> Option<Option<bool>> {
    let (mut now, mut least, mut most) = (0, 0, 0);
    for t in turns.iter().flatten() {
        now += t.1;
        (least, most) = (least.min(now), most.max(now));
    }
    match (now, least, most) {
        (0, 0, 0) => Some(None),
        (0, 0, 1) => Some(Some(false)),
        (0, -1, 0) => Some(Some(true)),
        _ => None,
    }
}

/// A place within the cell, on its edge at the first corner of a side, nearer to that side than to the other one there.
fn at_rim(planes: &Planes, cell: &Cell, side: usize) -> Option<PerturbedPoint> {
    let [first, next, ..] = corners(side);
    let before = [side, beside(side, first, next)].map(|s| cell.sides[s].opposite());
    let (a, b) = (
        corner_point(planes, cell, first)?,
        corner_point(planes, cell, next)?,
    );
    let line = Line::new(planes, (before[0].plane, before[1].plane));
    let beside = if line.cmp(planes, &a, &b).is_lt() {
        a
    } else {
        b
    };
    Some(PerturbedPoint {
        point: beside,
        before,
    })
}

/// A corner of a cell. Bit k of its number is set at the high end of axis k.
fn corner_point(planes: &Planes, cell: &Cell, corner: usize) -> Option<Point> {
    let plane = |k: usize| cell.sides[2 * k + (corner >> k & 1)].plane;
    meet(planes, [plane(0), plane(1), plane(2)])
}
