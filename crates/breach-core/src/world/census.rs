//! Counting, hashing, validating.
use super::portals::Link;
use super::{Census, Material, MaterialId, RoomId, World, portals};
use crate::carve::face::{Corner, Face};
use crate::geom::hash::Hash64;

/// What a face adds to the hash: its place, and what it shows by content.
pub(super) fn face_hash(world: &World, face: &Face, material: MaterialId) -> u64 {
    let mut h = Hash64::new();
    h.u64(face.key);
    h.u64(world.material_hashes[material as usize]);
    h.finish()
}

pub(super) fn material_hash(m: &Material) -> u64 {
    let mut h = Hash64::new();
    h.str(&m.texture);
    // Equal materials are one, and hash alike: a zero of either sign is the same.
    let numbers = [m.u.to_array(), m.v.to_array()].concat();
    let numbers = numbers.iter().chain(&m.offset);
    numbers.for_each(|&x| h.f64(x + 0.0));
    h.u64(m.inner as u64);
    if m.hardness != 1.0 {
        h.f64(m.hardness);
    }
    h.finish()
}

/// Faces bound all air; with the cells, they say where the portals are too.
pub(super) fn hash(world: &World) -> u64 {
    let work = world.work.as_ref();
    let mut sum = work.map_or(world.face_hash, |work| work.face_hash_before());
    for cell in &world.cells {
        let mut h = Hash64::new();
        cell.lo
            .iter()
            .chain(&cell.hi)
            .for_each(|&x| h.u64(x as u64));
        sum = sum.wrapping_add(h.finish());
    }
    sum
}

pub(super) fn census(world: &World) -> Census {
    let is_open = |p: &&super::Portal| !p.loops.is_empty();
    Census {
        rooms: world.cells.iter().filter(|c| c.volume() > 1e-6).count(),
        portals: world.portals.iter().filter(is_open).count(),
        faces: world.cells.iter().map(|c| c.stuff().count()).sum(),
        triangles: world.rooms.iter().map(|r| r.triangle_count as usize).sum(),
        air_volume_m3: world.cells.iter().map(|cell| cell.volume()).sum(),
        unmatched_edges: world.edges.unmatched,
        t_junctions: t_junctions(world),
        portal_mismatches: mismatches(world).len(),
        islands: world.fallen,
    }
}

/// An edge without an opposite that others cover in pieces: one T-junction for each piece's inner end.
fn t_junctions(world: &World) -> usize {
    if world.edges.unmatched == 0 {
        // A corner inside an edge would leave that edge without its opposite.
        return 0;
    }
    let open = world.edges.open_edges(&world.cells);
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

/// Portals whose two sides do not have the same area open.
fn mismatches(world: &World) -> Vec<String> {
    mismatches_of(world, &world.links)
}

fn mismatches_of<'a>(world: &World, links: impl IntoIterator<Item = &'a Link>) -> Vec<String> {
    let mut list = Vec::new();
    for link in links {
        let [a, b] = link.rooms.map(|r| &world.cells[r as usize]);
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

pub(super) fn validate(world: &World) -> Result<(), Vec<String>> {
    let mut faults = mismatches(world);
    for (a, b, face) in world.edges.open_edges(&world.cells).into_iter().take(8) {
        let (a, b) = (a / super::GRID, b / super::GRID);
        faults.push(format!(
            "room {}: the edge {a} to {b} has no opposite",
            face.0
        ));
    }
    for i in 0..world.cells.len() {
        faults_of_room(world, i, &mut faults);
    }
    faults.truncate(16);
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

/// What is wrong with rooms that a change has touched, and with their portals; [`validate`] for a few.
pub(super) fn faults_of(world: &World, rooms: &[RoomId]) -> Vec<String> {
    let portals = rooms.iter().flat_map(|&r| &world.rooms[r as usize].portals);
    let mut faults = mismatches_of(world, portals.map(|&i| &world.links[i as usize]));
    for &room in rooms {
        faults_of_room(world, room as usize, &mut faults);
    }
    faults
}

fn faults_of_room(world: &World, i: usize, faults: &mut Vec<String>) {
    let cell = &world.cells[i];
    if cell.volume() < -1e-6 {
        let volume = cell.volume();
        faults.push(format!("room {i} has less than no air: {volume} m3"));
    }
    for (_, f) in cell.all() {
        let mut corners = f.loops.iter().flatten();
        let is_off = |c: &Corner| crate::exact::side(&world.planes, &c.point, f.plane.plane) != 0;
        if f.loops.is_empty() || f.loops.iter().any(|l| l.len() < 3) {
            faults.push(format!("room {i} has a face without an outline"));
        } else if corners.any(is_off) {
            faults.push(format!("room {i} has a face with a corner off its plane"));
        }
    }
}
