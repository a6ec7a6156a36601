//! The air on the side that two cells share.
use super::cell::Cell;
use super::{GRID, Portal, RoomId, World};
use glam::DVec3;

/// Two cells that touch with an area; their portal once there was one.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// The axis grows from the first to the second.
    pub rooms: [RoomId; 2],
    pub axis: usize,
    /// What both share, steps.
    pub lo: DVec3,
    pub hi: DVec3,
    pub portal: Option<u32>,
}

/// Finds all pairs of touching cells, and their portals.
pub(super) fn build_all(world: &mut World) {
    let n = world.cells.len();
    for a in 0..n {
        for b in 0..n {
            world.links.extend(link(&world.cells, a, b));
        }
    }
    let all: Vec<RoomId> = (0..n as RoomId).collect();
    update(world, &all);
    world.portals.iter_mut().for_each(|p| p.born = 0);
}

fn link(cells: &[Cell], a: usize, b: usize) -> Option<Link> {
    let (p, q) = (&cells[a], &cells[b]);
    let axis = (0..3).find(|&k| p.hi[k] == q.lo[k])?;
    let lo = [0, 1, 2].map(|k| p.lo[k].max(q.lo[k]) as f64);
    let hi = [0, 1, 2].map(|k| p.hi[k].min(q.hi[k]) as f64);
    let touches = (0..3).all(|k| k == axis || lo[k] < hi[k]);
    let (lo, hi) = (DVec3::from_array(lo), DVec3::from_array(hi));
    touches.then_some(Link {
        rooms: [a as RoomId, b as RoomId],
        axis,
        lo,
        hi,
        portal: None,
    })
}

/// Brings the portals of some cells up to date; returns those that opened.
pub(super) fn update(world: &mut World, rooms: &[RoomId]) -> Vec<u32> {
    let mut opened = Vec::new();
    for i in 0..world.links.len() {
        let link = &world.links[i];
        if !link.rooms.iter().any(|r| rooms.binary_search(r).is_ok()) {
            continue;
        }
        let (loops, area) = region(
            &world.cells[link.rooms[0] as usize],
            2 * link.axis + 1,
            link,
        );
        let was_open = link
            .portal
            .is_some_and(|p| !world.portals[p as usize].loops.is_empty());
        let index = match link.portal {
            Some(p) => p,
            None if loops.is_empty() => continue,
            None => {
                let id = world.portals.len() as u32;
                let (rooms, axis) = (link.rooms, link.axis);
                world.portals.push(Portal {
                    rooms,
                    axis,
                    loops: vec![],
                    area_m2: 0.0,
                    born: 0,
                });
                for r in rooms {
                    world.rooms[r as usize].portals.push(id);
                }
                world.links[i].portal = Some(id);
                id
            }
        };
        let portal = &mut world.portals[index as usize];
        if !was_open && !loops.is_empty() {
            portal.born = world.revision;
            opened.push(index);
        }
        (portal.loops, portal.area_m2) = (loops, area);
    }
    opened
}

/// The open part of one side of a cell within the link: loops in metres, and their area.
pub(super) fn region(cell: &Cell, side: usize, link: &Link) -> (Vec<Vec<DVec3>>, f64) {
    let mut loops = Vec::new();
    let mut sum = 0.0;
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
    (0..l.len())
        .map(|k| (l[k] - o).cross(l[(k + 1) % l.len()] - o)[axis])
        .sum()
}

/// Sutherland and Hodgman, 1974: one border after another.
fn clip(mut l: Vec<DVec3>, link: &Link) -> Vec<DVec3> {
    for k in (0..3).filter(|&k| k != link.axis) {
        for (at, sign) in [(link.lo[k], 1.0), (link.hi[k], -1.0)] {
            let depth = |p: DVec3| (p[k] - at) * sign;
            if l.iter().all(|&p| depth(p) >= 0.0) {
                continue;
            }
            let mut out = Vec::with_capacity(l.len() + 2);
            for i in 0..l.len() {
                let (a, b) = (l[i], l[(i + 1) % l.len()]);
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
