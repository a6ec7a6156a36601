//! What did a change cut free? Floods over the faces around it run in lock-step, so that the cost follows the small
//! ones: a front that closes and encloses solid is a piece that nothing holds.
use super::cell::edges;
use super::commit::{self, Touched};
use super::edges::FaceRef;
use super::mesh::MeshBuilder;
use super::shells::Sets;
use super::{GRID, Island, World, cast, unbreakable, walls};
use crate::carve::face::Face;
use crate::carve::polytope::Surface;
use crate::geom::Aabb;
use glam::DVec3;
use rustc_hash::{FxHashMap, FxHashSet};
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
    for outer in loose {
        let faces = with_inner(world, outer);
        if let Some(island) = measure(world, &faces)
            && !unbreakable::holds(world, &island)
            && let Some(walls) = walls::opened(world, &faces)
        {
            for &f in &faces {
                commit::remove(world, f, touched);
            }
            for wall in walls.gone {
                commit::remove(world, wall, touched);
            }
            for (cell, face) in walls.new {
                commit::insert(world, cell, face, touched);
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

/// A piece with the shells within it: hollows, and what is in them. A flood that leaves the piece's box is none of them,
/// so that the cost follows the piece.
fn with_inner(world: &World, outer: Vec<FaceRef>) -> Vec<FaceRef> {
    let (mut lo, mut hi) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for f in outer.iter().filter_map(|&f| face(world, f)) {
        (lo, hi) = (lo.min(f.lo), hi.max(f.hi));
    }
    let is_inside = |f: &Face| f.lo.cmpge(lo).all() && f.hi.cmple(hi).all();
    let mut seen: FxHashSet<FaceRef> = outer.iter().copied().collect();
    let mut near = Vec::new();
    let bounds = Aabb {
        min: lo / GRID,
        max: hi / GRID,
    };
    cast::each_cell_in_box(world, &bounds, &mut |c| near.push(c));
    near.sort_unstable();
    let mut all = outer;
    let mut piece: Vec<[DVec3; 3]> = Vec::new();
    for c in near {
        for (id, first) in world.cells[c as usize].stuff() {
            if !is_inside(first) || !seen.insert((c, id)) {
                continue;
            }
            let mut shell = vec![(c, id)];
            let (mut at, mut leaves) = (0, false);
            while at < shell.len() {
                for (a, b) in face(world, shell[at]).into_iter().flat_map(edges) {
                    for u in world.edges.at(a, b) {
                        if !face(world, u.face).is_some_and(is_inside) {
                            leaves = true;
                        } else if seen.insert(u.face) {
                            shell.push(u.face);
                        }
                    }
                }
                at += 1;
            }
            if leaves {
                continue;
            }
            if piece.is_empty() {
                let faces = all.iter().filter_map(|&f| face(world, f));
                piece = faces.flat_map(|f| corners(world, f)).collect();
            }
            if corners(world, first)
                .first()
                .is_some_and(|t| holds(&piece, t))
            {
                all.extend(shell);
            }
        }
    }
    all
}

/// The corners of a face's triangles.
fn corners(world: &World, face: &Face) -> Vec<[DVec3; 3]> {
    let points: Vec<DVec3> = super::cell::points(face).collect();
    let triangles = crate::carve::triangulate::triangulate(&world.planes, face);
    let corners = triangles.iter().map(|t| t.map(|c| points[c as usize]));
    corners.collect()
}

/// Whether a closed surface holds a triangle that does not touch it: crossings of a line along x.
fn holds(surface: &[[DVec3; 3]], [a, b, c]: &[DVec3; 3]) -> bool {
    // A point of no symmetry: lines through it seldom meet an edge.
    let p = *a * 0.3127 + *b * 0.3391 + *c * 0.3482;
    let mut odd = false;
    for t in surface {
        let [a, b, c] = t.map(|q| q - p);
        let side = |p: DVec3, q: DVec3| p.y * q.z - p.z * q.y;
        let (u, v, w) = (side(b, c), side(c, a), side(a, b));
        if (u > 0.0) == (v > 0.0) && (v > 0.0) == (w > 0.0) {
            odd ^= (a.x * u + b.x * v + c.x * w) / (u + v + w) > 0.0;
        }
    }
    odd
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
