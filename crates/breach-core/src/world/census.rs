//! Counts, hash and validation of a world.
use super::geometry::Geometry;
use super::portals;
use super::room::{Portal, RoomId};
use super::visible::{Link, Visible};
use super::world::World;
use crate::carve::face::Corner;
use std::borrow::Cow;

/// Counts over the whole world, for reports.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Census {
    pub rooms: usize,
    pub portals: usize,
    pub faces: usize,
    pub triangles: usize,
    pub air_volume_m3: f64,
    pub unmatched_edges: usize,
    pub t_junctions: usize,
    pub portal_mismatches: usize,
    pub islands: u64,
}

impl World {
    /// 64-bit hash over faces, portals and materials (incremental, cheap). Faces bound all air, and together with the
    /// cells they determine the portals.
    pub fn hash(&self) -> u64 {
        let (faces, cells) = (self.visible.face_hash, self.geometry.box_hash());
        faces.wrapping_add(cells)
    }
    /// Counts; walks the whole level.
    pub fn census(&self) -> Census {
        census(&self.committed(), &self.visible)
    }
    /// Checks everything; returns descriptions of the first faults.
    pub fn validate(&self) -> Result<(), Vec<String>> {
        validate(&self.committed(), &self.visible)
    }
    /// The geometry as of the last commit, without the operation in progress.
    pub(super) fn committed(&self) -> Cow<'_, Geometry> {
        match &self.pending {
            None => Cow::Borrowed(&self.geometry),
            Some(work) => {
                let mut geometry = self.geometry.clone();
                work.as_ref().clone().take_back(&mut geometry);
                Cow::Owned(geometry)
            }
        }
    }
}

fn census(geometry: &Geometry, visible: &Visible) -> Census {
    let is_open = |p: &&Portal| !p.loops.is_empty();
    Census {
        rooms: geometry.cells.iter().filter(|c| c.volume() > 1e-6).count(),
        portals: visible.portals.iter().filter(is_open).count(),
        faces: geometry.cells.iter().map(|c| c.stuff().count()).sum(),
        triangles: visible
            .rooms
            .iter()
            .map(|r| r.triangle_count as usize)
            .sum(),
        air_volume_m3: geometry.cells.iter().map(|cell| cell.volume()).sum(),
        unmatched_edges: geometry.edges.unmatched,
        t_junctions: t_junctions(geometry),
        portal_mismatches: mismatches(geometry, visible).len(),
        islands: geometry.fallen,
    }
}

/// T-junctions: each inner corner of the pieces that cover an edge without an opposite counts as one.
fn t_junctions(geometry: &Geometry) -> usize {
    if geometry.edges.unmatched == 0 {
        // A corner inside an edge would leave that edge without its opposite.
        return 0;
    }
    let open = geometry.edges.open_edges(&geometry.cells);
    let mut ends: Vec<glam::DVec3> = open.iter().flat_map(|e| [e.0, e.1]).collect();
    ends.sort_by(|a, b| {
        a.x.total_cmp(&b.x)
            .then(a.y.total_cmp(&b.y))
            .then(a.z.total_cmp(&b.z))
    });
    ends.dedup();
    let mut count = 0;
    for (a, b, _) in &open {
        let (lo, hi) = (a.x.min(b.x) - 1e-4, a.x.max(b.x) + 1e-4);
        let from = ends.partition_point(|p| p.x < lo);
        count += ends[from..]
            .iter()
            .take_while(|p| p.x <= hi)
            .filter(|p| {
                let (d, e) = (*b - *a, **p - *a);
                let t = e.dot(d) / d.length_squared();
                t > 0.0 && t < 1.0 && (e - d * t).length() < 1e-4 && **p != *a && **p != *b
            })
            .count();
    }
    count
}

/// Portals whose open areas differ between their two sides.
fn mismatches(geometry: &Geometry, visible: &Visible) -> Vec<String> {
    mismatches_of(geometry, visible.links.iter())
}

fn mismatches_of<'a>(
    geometry: &Geometry,
    links: impl IntoIterator<Item = &'a Link>,
) -> Vec<String> {
    let mut list = Vec::new();
    for link in links {
        let [a, b] = link.rooms.map(|r| &geometry.cells[r as usize]);
        let low = portals::region(a, 2 * link.axis + 1, link).1;
        let high = portals::region(b, 2 * link.axis, link).1;
        if (low - high).abs() > 1e-6 * (1.0 + low.max(high)) {
            list.push(format!(
                "rooms {} and {} share {low} m2 from one side, {high} from the other",
                link.rooms[0], link.rooms[1]
            ));
        }
    }
    list
}

fn validate(geometry: &Geometry, visible: &Visible) -> Result<(), Vec<String>> {
    let mut faults = mismatches(geometry, visible);
    for (a, b, face) in geometry
        .edges
        .open_edges(&geometry.cells)
        .into_iter()
        .take(8)
    {
        let (a, b) = (a / super::GRID, b / super::GRID);
        faults.push(format!(
            "room {}: the edge {a} to {b} has no opposite",
            face.0
        ));
    }
    for i in 0..geometry.cells.len() {
        faults_of_room(geometry, i, &mut faults);
    }
    faults.truncate(16);
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

/// Faults of the rooms that a change touched and of their portals: [`validate`] for a few rooms.
pub(super) fn faults_of(geometry: &Geometry, visible: &Visible, rooms: &[RoomId]) -> Vec<String> {
    let portals = rooms
        .iter()
        .flat_map(|&r| &visible.rooms[r as usize].portals);
    let mut faults = mismatches_of(geometry, portals.map(|&i| &visible.links[i as usize]));
    for &room in rooms {
        faults_of_room(geometry, room as usize, &mut faults);
    }
    faults
}

fn faults_of_room(geometry: &Geometry, i: usize, faults: &mut Vec<String>) {
    let cell = &geometry.cells[i];
    if cell.volume() < -1e-6 {
        let volume = cell.volume();
        faults.push(format!("room {i} has less than no air: {volume} m3"));
    }
    for (_, f) in cell.all() {
        let mut corners = f.loops.iter().flatten();
        let is_off =
            |c: &Corner| crate::exact::side(&geometry.planes, &c.point, f.plane.plane) != 0;
        if f.loops.is_empty() || f.loops.iter().any(|l| l.len() < 3) {
            faults.push(format!("room {i} has a face without an outline"));
        } else if corners.any(is_off) {
            faults.push(format!("room {i} has a face with a corner off its plane"));
        }
    }
}
