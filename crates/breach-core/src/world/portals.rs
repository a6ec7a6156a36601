//! Portals: the air on the sides that two cells share.
use super::GRID;
use super::cell::{Cell, steps};
use super::delta::Entry;
use super::geometry::Geometry;
use super::revision::Revision;
use super::room::{Portal, RoomId};
use super::visible::{Link, Visible};
use crate::carve::polytope::Surface;
use crate::exact::PlaneId;
use crate::geom::ring;
use crate::geom::shared::Shared;
use crate::geom::shared_vec::SharedVec;
use glam::DVec3;

/// Finds all pairs of touching cells, and their portals.
pub(super) fn build_all(geometry: &Geometry, visible: &mut Visible) {
    let n = geometry.cells.len() as RoomId;
    for a in 0..n {
        let mut beside = Vec::new();
        let bounds = geometry.cells[a as usize].bounds().grow(1e-6);
        visible
            .tree
            .each_cell_in_box(&bounds, &mut |b| beside.push(b));
        beside.sort_unstable();
        for b in beside {
            if let Some(link) = link(&geometry.cells, a, b) {
                add(visible, link, None);
            }
        }
    }
    let all: Vec<u32> = (0..visible.links.len() as u32).collect();
    update(geometry, visible, &all);
}

/// A new link with a closed portal.
pub(super) fn add(visible: &mut Visible, link: Link, born: Option<Revision>) {
    let id = visible.links.len() as u32;
    for r in link.rooms {
        visible.rooms[r as usize].portals.push(id);
    }
    visible.portals.push(Portal {
        rooms: link.rooms,
        axis: link.axis,
        loops: vec![],
        area_m2: 0.0,
        born,
    });
    visible.links.push(link);
}

/// Where `a` touches `b` on its high side.
pub(super) fn link(cells: &SharedVec<Shared<Cell>>, a: RoomId, b: RoomId) -> Option<Link> {
    let (p, q) = (&cells[a as usize], &cells[b as usize]);
    let axis = (0..3).find(|&k| p.hi[k] == q.lo[k])?;
    let (lo, hi) = overlap(p, q, axis)?;
    let rooms = [a, b];
    Some(Link {
        rooms,
        axis,
        lo,
        hi,
    })
}

/// The rectangle that two cells share across an axis, steps.
pub(super) fn overlap(p: &Cell, q: &Cell, axis: usize) -> Option<(DVec3, DVec3)> {
    let lo = [0, 1, 2].map(|k| p.lo[k].max(q.lo[k]));
    let hi = [0, 1, 2].map(|k| p.hi[k].min(q.hi[k]));
    let touches = p.hi[axis] == q.lo[axis] && (0..3).all(|k| k == axis || lo[k] < hi[k]);
    let vector = |v: [i64; 3]| DVec3::from_array(v.map(steps));
    touches.then(|| (vector(lo), vector(hi)))
}

/// All portals of some rooms, ascending.
pub(super) fn of_rooms(visible: &Visible, rooms: &[RoomId]) -> Vec<u32> {
    let all = rooms
        .iter()
        .flat_map(|&r| &visible.rooms[r as usize].portals);
    rising(all.copied().collect())
}

/// The portals in the walls that a change removed or inserted, ascending.
pub(super) fn of_walls(geometry: &Geometry, visible: &Visible, entries: &[Entry]) -> Vec<u32> {
    let mut walls: Vec<(RoomId, PlaneId)> = Vec::new();
    for entry in entries {
        // A face that moved between cells leaves a wall where it was.
        let (id, face) = match entry {
            Entry::Removed(id, face) => (*id, Some(face)),
            Entry::Inserted(id) => (
                *id,
                geometry.cells[id.0 as usize].faces[id.1 as usize].as_ref(),
            ),
            Entry::Moved(..) | Entry::CellSplit(..) | Entry::CellsJoined(..) => continue,
        };
        if let Some(face) = face.filter(|f| f.surface == Surface::Wall) {
            walls.push((id.0, face.plane.plane));
        }
    }
    walls.sort_unstable();
    walls.dedup();
    let mut near = Vec::new();
    for (room, plane) in walls {
        let sides = &geometry.cells[room as usize].sides;
        for &i in &visible.rooms[room as usize].portals {
            let link = &visible.links[i as usize];
            let side = 2 * link.axis + (link.rooms[0] == room) as usize;
            if sides[side].plane == plane {
                near.push(i);
            }
        }
    }
    rising(near)
}

fn rising(mut list: Vec<u32>) -> Vec<u32> {
    list.sort_unstable();
    list.dedup();
    list
}

/// Updates some portals; returns those that opened. `born` stays: a portal that an undo opens again is as it was.
pub(super) fn update(geometry: &Geometry, visible: &mut Visible, near: &[u32]) -> Vec<u32> {
    let mut opened = Vec::new();
    for &i in near {
        let link = &visible.links[i as usize];
        let low = &geometry.cells[link.rooms[0] as usize];
        let (loops, area) = region(low, 2 * link.axis + 1, link);
        let portal = &mut visible.portals[i as usize];
        if portal.loops.is_empty() && !loops.is_empty() {
            opened.push(i);
        }
        (portal.loops, portal.area_m2) = (loops, area);
    }
    opened
}

/// Records that these portals were opened by the change of the current revision.
pub(super) fn note_born(visible: &mut Visible, opened: &[u32]) {
    for &i in opened {
        visible.portals[i as usize].born = Some(visible.revision);
    }
}

/// The open part of one side of a cell within the link: loops in metres, and their area.
pub(super) fn region(cell: &Cell, side: usize, link: &Link) -> (Vec<Vec<DVec3>>, f64) {
    let mut loops = Vec::new();
    let mut sum = 0.0;
    if (0..3).any(|k| k != link.axis && link.lo[k] >= link.hi[k]) {
        return (loops, sum);
    }
    for (_, face) in cell.wall(side) {
        if !face.touches(link.lo, link.hi) {
            continue;
        }
        for l in &face.loops {
            let l = clip(l.iter().map(|c| c.point.at).collect(), link);
            let area = twice_area(&l, link.axis) * 0.5 / (GRID * GRID);
            if l.len() >= 3 && area.abs() > 1e-9 {
                sum += area;
                loops.push(l.into_iter().map(|p| p / GRID).collect());
            }
        }
    }
    if sum.abs() < 1e-9 {
        (vec![], 0.0)
    } else {
        (loops, sum.abs())
    }
}

fn twice_area(l: &[DVec3], axis: usize) -> f64 {
    let Some(&o) = l.first() else { return 0.0 };
    ring::pairs(l)
        .map(|(&a, &b)| (a - o).cross(b - o)[axis])
        .sum()
}

/// Clips to the link's rectangle, side after side (Sutherland and Hodgman, 1974).
fn clip(mut l: Vec<DVec3>, link: &Link) -> Vec<DVec3> {
    for k in (0..3).filter(|&k| k != link.axis) {
        for (at, sign) in [(link.lo[k], 1.0), (link.hi[k], -1.0)] {
            let depth = |p: DVec3| (p[k] - at) * sign;
            if l.iter().all(|&p| depth(p) >= 0.0) {
                continue;
            }
            let mut out = Vec::with_capacity(l.len() + 2);
            for (&a, &b) in ring::pairs(&l) {
                let (da, db) = (depth(a), depth(b));
                if da >= 0.0 {
                    out.push(a);
                }
                if (da < 0.0) != (db < 0.0) {
                    let mut p = a + (b - a) * (da / (da - db));
                    p[k] = at;
                    out.push(p);
                }
            }
            l = out;
        }
    }
    l
}
