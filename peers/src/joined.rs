//! How many triangles a world would have if its rooms were one: corners that only a room's border makes left out.
//!
//! Works on the triangles as they are drawn: neighbours of one normal and material are one face, whatever rooms they
//! are in, and a corner on a border that lies within a straight edge of all its faces is none.
use breach::world::World;
use glam::DVec3;
use std::collections::HashMap;

struct Flat {
    corners: [u32; 3],
    /// Normal and material: neighbours with the same are of one plane.
    look: ([u64; 3], u32),
}

/// Triangles of the whole surface without the borders' corners.
pub fn triangles(world: &World) -> usize {
    let mut ids: HashMap<[u64; 3], u32> = HashMap::new();
    let mut flats = Vec::new();
    let mut is_on_border = Vec::new();
    let bounds = world.bounds();
    for r in 0..world.room_count() as u32 {
        let room = world.room(r);
        let on_border = |p: DVec3| {
            (0..3).any(|k| {
                (p[k] == room.cell.min[k] && p[k] != bounds.min[k])
                    || (p[k] == room.cell.max[k] && p[k] != bounds.max[k])
            })
        };
        for t in room.mesh.triangles.iter().filter(|t| t.is_live()) {
            let corners = t.corners.map(|c| {
                let p = room.mesh.positions[c as usize];
                let key = p.to_array().map(|x| (x + 0.0).to_bits());
                *ids.entry(key).or_insert_with(|| {
                    is_on_border.push(on_border(p));
                    is_on_border.len() as u32 - 1
                })
            });
            let face = &room.faces[t.face as usize];
            let normal = face.normal.to_array().map(|x| (x + 0.0).to_bits());
            flats.push(Flat {
                corners,
                look: (normal, face.material),
            });
        }
    }
    count(&flats, &is_on_border)
}

fn find(root: &mut [u32], mut i: u32) -> u32 {
    while root[i as usize] != i {
        root[i as usize] = root[root[i as usize] as usize];
        i = root[i as usize];
    }
    i
}

/// A face of V corners in L outlines has V + 2L - 4 triangles.
fn count(flats: &[Flat], is_on_border: &[bool]) -> usize {
    let mut by_ends: HashMap<[u32; 2], Vec<u32>> = HashMap::new();
    for (i, t) in flats.iter().enumerate() {
        for k in 0..3 {
            let ends = [t.corners[k], t.corners[(k + 1) % 3]];
            by_ends.entry(ends).or_default().push(i as u32);
        }
    }
    // Who lies on the other side of an edge of a triangle, in the same plane.
    let across = |i: u32, ends: [u32; 2]| {
        let others = by_ends.get(&[ends[1], ends[0]])?;
        let alike = |&&o: &&u32| flats[o as usize].look == flats[i as usize].look;
        others.iter().find(alike).copied()
    };
    let mut root: Vec<u32> = (0..flats.len() as u32).collect();
    let mut rims: Vec<(u32, [u32; 2])> = Vec::new();
    for (i, t) in (0u32..).zip(flats) {
        for k in 0..3 {
            let ends = [t.corners[k], t.corners[(k + 1) % 3]];
            match across(i, ends) {
                Some(o) => {
                    let (a, b) = (find(&mut root, i), find(&mut root, o));
                    root[a.max(b) as usize] = a.min(b);
                }
                None => rims.push((i, ends)),
            }
        }
    }
    // The looks of the faces around each corner on a border: two planes or fewer make no corner there.
    let mut around: HashMap<u32, Vec<DVec3>> = HashMap::new();
    for t in flats {
        for c in t.corners.into_iter().filter(|&c| is_on_border[c as usize]) {
            let n = DVec3::from_array(t.look.0.map(f64::from_bits));
            let list = around.entry(c).or_default();
            if !list.iter().any(|m| m.cross(n).length() < 1e-12) {
                list.push(n);
            }
        }
    }
    let is_corner = |c: u32| match around.get(&c).map(Vec::as_slice) {
        None => true,
        Some([a, b, rest @ ..]) => {
            let line = a.cross(*b).normalize();
            rest.iter().any(|n| n.dot(line).abs() > 1e-9)
        }
        Some(_) => false,
    };
    // Outlines: rims of one face joined at their ends.
    let mut faces: HashMap<u32, Vec<[u32; 2]>> = HashMap::new();
    for (i, ends) in rims {
        faces.entry(find(&mut root, i)).or_default().push(ends);
    }
    let mut sum = 0i64;
    for rim in faces.values() {
        let starts: Vec<u32> = rim.iter().map(|e| e[0]).collect();
        let place: HashMap<u32, u32> = starts.iter().copied().zip(0u32..).collect();
        let mut group: Vec<u32> = (0..rim.len() as u32).collect();
        for (k, e) in (0u32..).zip(rim) {
            if let Some(&next) = place.get(&e[1]) {
                let (a, b) = (find(&mut group, k), find(&mut group, next));
                group[a.max(b) as usize] = a.min(b);
            }
        }
        // A place where an outline touches itself is left twice: its second edge starts an outline of its own here,
        // which joins at its end.
        let outlines = (0..rim.len() as u32)
            .filter(|&k| find(&mut group, k) == k)
            .count();
        let corners = starts.iter().filter(|&&c| is_corner(c)).count();
        sum += (corners as i64 + 2 * outlines as i64 - 4).max(1);
    }
    sum as usize
}
