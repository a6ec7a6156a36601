//! What did a change cut free? Floods over the faces around it run in lock-step, so that the cost follows the small
//! ones: a front that closes and encloses solid is a piece that nothing holds.
use super::cell::edges;
use super::commit::{self, Touched};
use super::edges::FaceRef;
use super::mesh::MeshBuilder;
use super::shells::Sets;
use super::{Island, RoomId, World, unbreakable};
use crate::carve::face::Face;
use crate::carve::polytope::Surface;
use crate::geom::Aabb;
use glam::DVec3;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

struct Front {
    faces: Vec<FaceRef>,
    queue: VecDeque<FaceRef>,
    piece: u32,
}

/// Finds what came loose and takes it out of the world.
pub(super) fn take_out(world: &mut World, touched: &mut Touched) -> Vec<Island> {
    let mut seeds: Vec<FaceRef> = touched.added.iter().copied().collect();
    for &(a, b) in &touched.rims {
        seeds.extend(world.edges.at(a, b).iter().map(|u| u.face));
    }
    seeds.sort_unstable();
    seeds.dedup();
    let loose = loose(world, &seeds);
    let mut list = Vec::new();
    for faces in loose {
        if let Some(island) = measure(world, &faces)
            && !unbreakable::holds(world, &island)
            && let Some(walls) = repaired_walls(world, &faces)
        {
            for &f in &faces {
                commit::remove(world, f, touched);
            }
            for ((cell, id), face) in walls {
                commit::remove(world, (cell, id), touched);
                if let Some(face) = face {
                    commit::insert(world, cell, face, touched);
                }
            }
            world.fallen += 1;
            list.push(island);
        }
    }
    list
}

/// The floods. Each round every front takes one face; fronts that meet become one; the last one open is what holds.
fn loose(world: &World, seeds: &[FaceRef]) -> Vec<Vec<FaceRef>> {
    let mut owner: FxHashMap<FaceRef, u32> = FxHashMap::default();
    let mut sets = Sets::new(seeds.len());
    let mut fronts: Vec<Front> = Vec::with_capacity(seeds.len());
    for (i, &s) in seeds.iter().enumerate() {
        owner.insert(s, i as u32);
        fronts.push(Front {
            faces: vec![s],
            queue: [s].into(),
            piece: piece(world, s),
        });
    }
    let mut open: Vec<u32> = (0..seeds.len() as u32).collect();
    let mut closed: Vec<u32> = Vec::new();
    let mut must_finish = false;
    while open.len() > 1 || (must_finish && !open.is_empty()) {
        let mut next = Vec::with_capacity(open.len());
        for &front in &open {
            if sets.find(front) != front {
                continue;
            }
            let Some(face) = fronts[front as usize].queue.pop_front() else {
                // Closed: whether the others can be left depends on what it encloses.
                must_finish |= fronts[front as usize].piece != 0
                    || volume(world, &fronts[front as usize].faces) <= 0.0;
                closed.push(front);
                continue;
            };
            next.push(front);
            let Some(f) = world.cells[face.0 as usize].faces[face.1 as usize].as_ref() else {
                continue;
            };
            let mut me = front;
            for (a, b) in edges(f) {
                for u in world.edges.at(a, b) {
                    match owner.get(&u.face) {
                        None => {
                            owner.insert(u.face, me);
                            let p = piece(world, u.face);
                            let mine = &mut fronts[me as usize];
                            mine.faces.push(u.face);
                            mine.queue.push_back(u.face);
                            mine.piece = mine.piece.max(p);
                        }
                        Some(&o) if sets.find(o) != me => {
                            let other = sets.find(o);
                            let (keep, gone) = (me.min(other), me.max(other));
                            sets.join(keep, gone);
                            let lost = std::mem::take(&mut fronts[gone as usize].faces);
                            let waiting = std::mem::take(&mut fronts[gone as usize].queue);
                            let p = fronts[gone as usize].piece;
                            let kept = &mut fronts[keep as usize];
                            kept.faces.extend(lost);
                            kept.queue.extend(waiting);
                            kept.piece = kept.piece.max(p);
                            me = keep;
                        }
                        Some(_) => {}
                    }
                }
            }
            if me != front {
                next.push(me);
            }
        }
        let mut roots: Vec<u32> = next.into_iter().filter(|&f| sets.find(f) == f).collect();
        roots.sort_unstable();
        roots.dedup();
        open = roots;
    }
    closed.sort_unstable();
    closed.dedup();
    closed.retain(|&f| sets.find(f) == f);
    // Of a piece that hung in the air from the start the largest part stays.
    let mut largest: FxHashMap<u32, (f64, u32)> = FxHashMap::default();
    let mut found = Vec::new();
    for &f in &closed {
        let front = &fronts[f as usize];
        let v = volume(world, &front.faces);
        if v <= 0.0 {
            continue;
        }
        found.push(f);
        if front.piece != 0 {
            let best = largest.entry(front.piece).or_insert((v, f));
            if v > best.0 {
                *best = (v, f);
            }
        }
    }
    found.retain(|f| {
        largest
            .get(&fronts[*f as usize].piece)
            .is_none_or(|b| b.1 != *f)
    });
    found
        .into_iter()
        .map(|f| std::mem::take(&mut fronts[f as usize].faces))
        .collect()
}

fn face(world: &World, id: FaceRef) -> Option<&Face> {
    world.cells[id.0 as usize]
        .faces
        .get(id.1 as usize)?
        .as_ref()
}

fn piece(world: &World, id: FaceRef) -> u32 {
    face(world, id).map_or(0, |f| f.piece)
}

/// Cubic steps of solid that the faces enclose; below zero where they enclose air.
fn volume(world: &World, faces: &[FaceRef]) -> f64 {
    let mut list = faces.iter().filter_map(|&f| face(world, f)).peekable();
    let Some(o) = list.peek().map(|f| f.loops[0][0].point.at) else {
        return 0.0;
    };
    list.map(|f| f.area_vector().dot(f.loops[0][0].point.at - o))
        .sum::<f64>()
        / 3.0
}

/// As a body: seen from outside, the faces' normals are the same.
fn measure(world: &World, faces: &[FaceRef]) -> Option<Island> {
    let mut ids = faces.to_vec();
    ids.sort_unstable();
    let mut builder = MeshBuilder::default();
    let mut materials = Vec::new();
    for &id in &ids {
        let face = face(world, id)?;
        let Surface::Stuff(material) = face.surface else {
            continue;
        };
        let triangles = crate::carve::triangulate::triangulate(&world.planes, face);
        builder.add(face, &triangles, materials.len() as u32);
        materials.push(material);
    }
    let mesh = builder.mesh;
    let bounds = Aabb::from_points(mesh.positions.iter().copied())?;
    let o = bounds.centre();
    let (mut six, mut moment) = (0.0, DVec3::ZERO);
    for t in &mesh.triangles {
        let [a, b, c] = t.corners.map(|i| mesh.positions[i as usize] - o);
        let v = a.dot(b.cross(c));
        six += v;
        moment += (a + b + c) * v;
    }
    let centre = if six > 0.0 {
        o + moment / (4.0 * six)
    } else {
        o
    };
    Some(Island {
        volume_m3: (six / 6.0).max(0.0),
        centre,
        bounds,
        mesh,
        materials,
    })
}

type Wall = ((RoomId, u32), Option<Face>);

/// Where a piece runs through walls between cells, its cross-sections are holes in them that close. None where that
/// cannot be told: then the piece stays where it is.
fn repaired_walls(world: &World, faces: &[FaceRef]) -> Option<Vec<Wall>> {
    let mut list: Vec<Wall> = Vec::new();
    let mut cells: Vec<RoomId> = faces.iter().map(|f| f.0).collect();
    cells.sort_unstable();
    cells.dedup();
    for &c in &cells {
        let cell = &world.cells[c as usize];
        for side in (0..6).filter(|&s| cell.shared[s]) {
            let axis = side / 2;
            let at = if side % 2 == 0 {
                cell.lo[axis]
            } else {
                cell.hi[axis]
            } as f64;
            let mine = faces
                .iter()
                .filter(|f| f.0 == c)
                .filter_map(|&f| face(world, f));
            let cuts: Vec<(DVec3, DVec3)> = mine
                .flat_map(edges)
                .filter(|(a, b)| a[axis] == at && b[axis] == at)
                .collect();
            if cuts.is_empty() {
                continue;
            }
            let mut length: f64 = cuts.iter().map(|(a, b)| a.distance(*b)).sum();
            let is_on = |p: DVec3| cuts.iter().any(|&(a, b)| off(p, a, b) < 1e-3);
            for (id, wall) in cell.wall(side) {
                let loose: Vec<bool> = wall
                    .loops
                    .iter()
                    .map(|l| l.iter().all(|c| is_on(c.point.at)))
                    .collect();
                if !loose.contains(&true) {
                    continue;
                }
                for l in wall.loops.iter().zip(&loose).filter(|x| *x.1).map(|x| x.0) {
                    length -= (0..l.len())
                        .map(|k| l[k].point.at.distance(l[(k + 1) % l.len()].point.at))
                        .sum::<f64>();
                }
                if loose[0] && loose.contains(&false) {
                    return None;
                }
                let loops: Vec<_> = wall
                    .loops
                    .iter()
                    .zip(&loose)
                    .filter(|x| !x.1)
                    .map(|x| x.0.clone())
                    .collect();
                let left = (!loops.is_empty())
                    .then(|| Face::new(&world.planes, wall.plane, wall.surface, loops));
                list.push(((c, id), left));
            }
            if length.abs() > 1.0 {
                return None;
            }
        }
    }
    Some(list)
}

/// Distance of a point from a segment.
fn off(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    let d = b - a;
    let t = ((p - a).dot(d) / d.length_squared()).clamp(0.0, 1.0);
    (p - a - d * t).length()
}
