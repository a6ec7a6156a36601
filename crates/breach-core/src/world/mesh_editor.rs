//! Edits a room's mesh in place: triangles and positions keep their numbers, and a change leaves the rest untouched.
//!
//! A cut face is a new face, but most of its outline and triangles are those of the old one. So a new face is traced
//! along the outlines that its surface had before. A large one takes over the triangles that the change does not touch.
//! Of the others, a triangle with the same corners as an old one gets the old one's slot. The box tree is told of
//! changed slots only.
use super::GRID;
use crate::bvh::{Mesh, Rebuild, Triangle};
use crate::carve::MaterialId;
use crate::carve::face::Face;
use crate::carve::triangulate::{OutlineChange, Projection, mend, triangulate};
use crate::exact::{Facing, Planes};
use crate::geom::Aabb;
use crate::geom::hash::Hash64;
use glam::DVec3;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The state behind a room's mesh: free slots, and the vertices and triangles of each face.
#[derive(Clone, Debug, Default)]
pub(super) struct MeshEditor {
    /// Index of each position, by the position's bits.
    vertex_ids: FxHashMap<[u64; 3], u32>,
    /// By index of the position.
    vertices: Vec<Vertex>,
    free_vertices: Vec<u32>,
    free_triangles: Vec<u32>,
    /// By face id.
    drawn: Vec<DrawnFace>,
    /// Counter that marks which vertices the current pass has visited.
    pass: u32,
    /// The rebuild of the room's box tree, while one is in progress.
    pub rebuild: Option<Box<Rebuild>>,
}

/// The state of a position.
#[derive(Clone, Copy, Debug, Default)]
struct Vertex {
    /// Corners of faces at this position.
    uses: u32,
    /// Pass in which a new face had a corner here, and the corner's index.
    new_corner: (u32, u32),
    /// The same for the old outlines.
    old_corner: (u32, u32),
}

/// A face's part of the mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct DrawnFace {
    /// See [`surface_key`].
    surface_key: u64,
    triangles: SmallVec<[u32; 6]>,
    /// Positions of the corners of all loops, and the end of each loop.
    corners: SmallVec<[u32; 8]>,
    ends: SmallVec<[u32; 2]>,
    /// Another face has taken over some of its triangles.
    has_lost_triangles: bool,
}

pub(super) fn bits(at: DVec3) -> [u64; 3] {
    at.to_array().map(|x| (x + 0.0).to_bits())
}

/// Key of a plane and a material. Faces come and go, but triangles with equal keys look the same, so a new face can
/// keep those of an old one.
fn surface_key(planes: &Planes, plane: Facing, material: MaterialId) -> u64 {
    let mut h = Hash64::new();
    let p = &planes[plane.plane];
    p.n.iter().for_each(|&n| h.u64(n as u64));
    h.u64(p.d as u64);
    h.u64(u64::from(plane.flip) << 32 | u64::from(material));
    h.finish()
}

/// The outlines of removed faces.
#[derive(Default)]
struct OldOutlines {
    /// Positions of the corners of all loops.
    corners: Vec<u32>,
    /// The corner after each along its loop.
    next: Vec<u32>,
    /// Whether the new face still has the edge that starts at each.
    is_left: Vec<bool>,
}

impl OldOutlines {
    /// The edges that the new face no longer has.
    fn gone(&self) -> Vec<[u32; 2]> {
        let all = (0..self.corners.len()).filter(|&k| !self.is_left[k]);
        all.map(|k| [self.corners[k], self.corners[self.next[k] as usize]])
            .collect()
    }
}

/// A triangle to be inserted.
pub(super) struct NewTriangle {
    corners: [u32; 3],
    face: u32,
    /// Its index in the face's list of triangles, where its slot goes.
    index: u32,
    key: u64,
}

/// Triangles that moved from one room to another.
#[derive(Debug)]
pub(super) struct TransferredTriangles {
    /// Slots freed in the old room.
    pub gone: Vec<u32>,
    /// Slots filled in the new room.
    pub come: Vec<u32>,
    /// Metres.
    pub bounds: Aabb,
}

impl MeshEditor {
    /// Number of live triangles.
    pub fn count(&self, mesh: &Mesh) -> usize {
        mesh.triangles.len() - self.free_triangles.len()
    }

    /// Corners of a face as drawn.
    pub fn corners(&self, face: u32) -> usize {
        let drawn = self.drawn.get(face as usize);
        drawn.map_or(0, |drawn| drawn.corners.len())
    }

    /// Moves the triangles of some faces to another room that has not drawn them. `faces` pairs each face's id here
    /// with its id there; those not drawn here are dropped from the list. `corners` reserves space if the other mesh is
    /// empty.
    pub fn transfer_faces(
        &mut self,
        mesh: &mut Mesh,
        (there, new): (&mut MeshEditor, &mut Mesh),
        faces: &mut Vec<(u32, u32)>,
        corners: usize,
    ) -> TransferredTriangles {
        faces.retain(|&(here, _)| self.corners(here) > 0);
        if new.triangles.is_empty() {
            there.expect(new, corners);
        }
        let last = faces.iter().map(|&(_, id)| id as usize + 1).max();
        there
            .drawn
            .resize_with(there.drawn.len().max(last.unwrap_or(0)), DrawnFace::default);
        let mut transferred = TransferredTriangles {
            gone: Vec::new(),
            come: Vec::new(),
            bounds: Aabb::EMPTY,
        };
        let mut new_vertices = vec![NO_VERTEX; mesh.positions.len()];
        for &(here, id) in faces.iter() {
            let mut drawn = std::mem::take(&mut self.drawn[here as usize]);
            for vertex in &mut drawn.corners {
                let now = &mut new_vertices[*vertex as usize];
                if *now == NO_VERTEX {
                    *now = there.vertex_at(new, mesh.positions[*vertex as usize] * GRID);
                }
                there.vertices[*now as usize].uses += 1;
                self.release_vertex(mesh, *vertex);
                *vertex = *now;
            }
            for slot in &mut drawn.triangles {
                let old = std::mem::replace(&mut mesh.triangles[*slot as usize], Triangle::DEAD);
                for corner in old.corners {
                    transferred.bounds = transferred
                        .bounds
                        .with_point(mesh.positions[corner as usize]);
                }
                self.free_triangles.push(*slot);
                transferred.gone.push(*slot);
                *slot = there.free_triangles.pop().unwrap_or_else(|| {
                    new.triangles.push(Triangle::DEAD);
                    new.triangles.len() as u32 - 1
                });
                transferred.come.push(*slot);
                new.triangles[*slot as usize] = Triangle {
                    corners: old.corners.map(|corner| new_vertices[corner as usize]),
                    face: id,
                    key: old.key,
                };
            }
            there.drawn[id as usize] = drawn;
        }
        transferred
    }

    /// Reserves space in an empty mesh for faces with this many corners.
    pub fn expect(&mut self, mesh: &mut Mesh, corners: usize) {
        // In a closed surface at least three faces meet at a point.
        let count = corners / 3;
        self.vertex_ids.reserve(count);
        self.vertices.reserve(count);
        mesh.positions.reserve(count);
        mesh.triangles.reserve(corners);
    }

    /// The index of a position, steps.
    fn vertex_at(&mut self, mesh: &mut Mesh, at: DVec3) -> u32 {
        let (free, vertices) = (&mut self.free_vertices, &mut self.vertices);
        *self.vertex_ids.entry(bits(at)).or_insert_with(|| {
            let vertex = free.pop().unwrap_or_else(|| {
                mesh.positions.push(DVec3::ZERO);
                vertices.push(Vertex::default());
                mesh.positions.len() as u32 - 1
            });
            mesh.positions[vertex as usize] = at / GRID;
            vertex
        })
    }

    /// Drops one corner's use of a position.
    fn release_vertex(&mut self, mesh: &Mesh, vertex: u32) {
        let state = &mut self.vertices[vertex as usize];
        state.uses -= 1;
        if state.uses == 0 {
            let at = mesh.positions[vertex as usize] * GRID;
            self.vertex_ids.remove(&bits(at));
            self.free_vertices.push(vertex);
        }
    }

    /// Takes out the drawn parts of these faces. [`Self::replace_triangles`] must follow.
    pub fn take(&mut self, faces: &[u32]) -> Vec<DrawnFace> {
        let mut old: Vec<DrawnFace> = Vec::with_capacity(faces.len());
        for &id in faces {
            if let Some(drawn) = self.drawn.get_mut(id as usize)
                && !drawn.corners.is_empty()
            {
                old.push(std::mem::take(drawn));
            }
        }
        old.sort_unstable_by_key(|drawn| drawn.surface_key);
        old
    }

    /// Draws a face. It may take over triangles of `old`, the parts taken out.
    pub fn draw(
        &mut self,
        planes: &Planes,
        mesh: &mut Mesh,
        (id, face): (u32, &mut Face),
        material: MaterialId,
        old: &mut [DrawnFace],
        fresh: &mut Vec<NewTriangle>,
    ) {
        let surface_key = surface_key(planes, face.plane, material);
        let first = old.partition_point(|drawn| drawn.surface_key < surface_key);
        let old = &mut old[first..];
        let same = old.partition_point(|drawn| drawn.surface_key == surface_key);
        let old = &mut old[..same];
        let corners = face.loops.iter().map(Vec::len).sum();
        let mut drawn = DrawnFace {
            surface_key,
            corners: SmallVec::with_capacity(corners),
            ..DrawnFace::default()
        };
        let mut before = self.old_outlines(old);
        let come = self.trace(mesh, face, &mut before, &mut drawn);
        let mended = self.mend(
            planes,
            mesh,
            (id, &mut *face),
            (old, &before, &come),
            &mut drawn,
        );
        let kept = mended.unwrap_or_else(|| {
            if face.triangles.is_empty() {
                face.triangles = triangulate(planes, face);
                let place = |c: u32| mesh.positions[drawn.corners[c as usize] as usize];
                (face.triangles.iter_mut()).for_each(|t| *t = widest_first(*t, place));
            }
            drawn.triangles.reserve_exact(face.triangles.len());
            0
        });
        for t in &face.triangles[kept..] {
            let corners @ [a, b, c] = t.map(|c| drawn.corners[c as usize]);
            // Triangles whose corners coincide in f64 are left out.
            if a != b && b != c && c != a {
                fresh.push(NewTriangle {
                    corners,
                    face: id,
                    index: drawn.triangles.len() as u32,
                    key: surface_key,
                });
                drawn.triangles.push(NO_SLOT);
            }
        }
        if self.drawn.len() <= id as usize {
            self.drawn.resize_with(id as usize + 1, DrawnFace::default);
        }
        self.drawn[id as usize] = drawn;
    }

    /// The outlines of removed faces; marks their vertices.
    fn old_outlines(&mut self, old: &[DrawnFace]) -> OldOutlines {
        self.pass += 1;
        let mut before = OldOutlines::default();
        let count = old.iter().map(|drawn| drawn.corners.len()).sum();
        before.corners.reserve_exact(count);
        before.next.reserve_exact(count);
        for drawn in old {
            let base = before.corners.len() as u32;
            let mut first = 0;
            for &end in &drawn.ends {
                let next = |k| if k + 1 == end { first } else { k + 1 };
                before.next.extend((first..end).map(|k| base + next(k)));
                first = end;
            }
            for (&vertex, k) in drawn.corners.iter().zip(base..) {
                self.vertices[vertex as usize].old_corner = (self.pass, k);
            }
            before.corners.extend_from_slice(&drawn.corners);
        }
        before.is_left.resize(before.corners.len(), false);
        before
    }

    /// Finds the positions of a face's corners, following the old outlines where possible; returns the edges that are
    /// new.
    fn trace(
        &mut self,
        mesh: &mut Mesh,
        face: &Face,
        before: &mut OldOutlines,
        drawn: &mut DrawnFace,
    ) -> Vec<[u32; 2]> {
        let mut come = Vec::new();
        let is_new = before.corners.is_empty();
        for l in &face.loops {
            let first = drawn.corners.len();
            // The old corner at the last corner's position, and that position.
            let (mut old, mut last): (Option<u32>, Option<u32>) = (None, None);
            for corner in l {
                let at = corner.point.at;
                let guess = old.map(|k| (k, before.next[k as usize]));
                let known = guess.map(|(k, next)| (k, next, before.corners[next as usize]));
                let vertex = match known {
                    Some((k, next, vertex)) if mesh.positions[vertex as usize] * GRID == at => {
                        before.is_left[k as usize] = true;
                        old = Some(next);
                        vertex
                    }
                    _ => {
                        let vertex = self.vertex_at(mesh, at);
                        if let (Some(last), false) = (last, is_new) {
                            come.push([last, vertex]);
                        }
                        let (pass, k) = self.vertices[vertex as usize].old_corner;
                        old = (pass == self.pass).then_some(k);
                        vertex
                    }
                };
                let state = &mut self.vertices[vertex as usize];
                state.uses += 1;
                state.new_corner = (self.pass, drawn.corners.len() as u32);
                drawn.corners.push(vertex);
                last = Some(vertex);
            }
            let (Some(&start), Some(last)) = (drawn.corners.get(first), last) else {
                continue;
            };
            drawn.ends.push(drawn.corners.len() as u32);
            match old {
                Some(k) if before.corners[before.next[k as usize] as usize] == start => {
                    before.is_left[k as usize] = true;
                }
                _ if is_new => {}
                _ => come.push([last, start]),
            }
        }
        come
    }

    /// Gives an untriangulated face the old triangles that its change leaves alone, then triangulates the gap. Returns
    /// how many it kept; None if the face must be triangulated as a whole.
    fn mend(
        &self,
        planes: &Planes,
        mesh: &mut Mesh,
        (id, face): (u32, &mut Face),
        (old, before, come): (&mut [DrawnFace], &OldOutlines, &[[u32; 2]]),
        drawn: &mut DrawnFace,
    ) -> Option<usize> {
        let count = old.iter().map(|old| old.triangles.len()).sum::<usize>();
        // The old triangles must fill the old outlines.
        let is_whole = !old.iter().any(|old| old.has_lost_triangles);
        let is_fit = face.triangles.is_empty() && is_whole;
        if !is_fit || count < MANY || 2 * come.len() > drawn.corners.len() {
            return None;
        }
        let slots = old.iter().flat_map(|old| &old.triangles);
        let mut triangles = Vec::with_capacity(count);
        triangles.extend(slots.map(|&t| mesh.triangles[t as usize].corners));
        let projection = Projection::from_normal(planes.normal(face.plane));
        let (pass, vertices) = (self.pass, &self.vertices);
        let mut stays = Vec::with_capacity(count);
        let change = OutlineChange {
            old: &triangles,
            removed: &before.gone(),
            added: come,
        };
        let new = mend(
            &change,
            |c| projection.project(mesh.positions[c as usize] * GRID),
            |c| vertices[c as usize].new_corner.0 == pass,
            |c| vertices[c as usize].old_corner.0 == pass,
            &mut stays,
        )?;
        face.triangles.reserve_exact(count + new.len());
        drawn.triangles.reserve_exact(count + new.len());
        let corner = |c: u32| vertices[c as usize].new_corner.1;
        let mut each = triangles.iter().zip(stays);
        for old in old {
            old.has_lost_triangles = true;
            old.triangles.retain(|slot| {
                let Some((t, true)) = each.next() else {
                    return true;
                };
                face.triangles.push(t.map(corner));
                mesh.triangles[*slot as usize].face = id;
                drawn.triangles.push(*slot);
                false
            });
        }
        let kept = face.triangles.len();
        let place = |c: u32| mesh.positions[c as usize];
        let new = new.iter().map(|&t| widest_first(t, place).map(corner));
        face.triangles.extend(new);
        face.triangles.shrink_to_fit();
        Some(kept)
    }

    /// Puts new triangles into the slots of old ones; one that equals an old one keeps its slot. Returns the changed
    /// slots, and the box of the triangles removed and added, metres.
    pub fn replace_triangles(
        &mut self,
        mesh: &mut Mesh,
        old: &[DrawnFace],
        mut fresh: Vec<NewTriangle>,
    ) -> (Vec<u32>, Aabb) {
        for &vertex in old.iter().flat_map(|drawn| &drawn.corners) {
            self.release_vertex(mesh, vertex);
        }
        let count = old.iter().map(|drawn| drawn.triangles.len()).sum();
        let mut loose: Vec<u32> = Vec::with_capacity(count);
        old.iter()
            .for_each(|d| loose.extend_from_slice(&d.triangles));
        if !loose.is_empty() && !fresh.is_empty() {
            let corners = |slot: &u32| mesh.triangles[*slot as usize].corners;
            let numbered = (0..).zip(&loose);
            let same: FxHashMap<[u32; 3], usize> = numbered.map(|(i, s)| (corners(s), i)).collect();
            fresh.retain(|new| {
                let slot = same.get(&new.corners);
                let slot = slot.map(|&i| &mut loose[i]).filter(|slot| {
                    let old = mesh.triangles.get(**slot as usize);
                    old.is_some_and(|old| old.key == new.key)
                });
                let Some(slot) = slot else { return true };
                mesh.triangles[*slot as usize].face = new.face;
                self.drawn[new.face as usize].triangles[new.index as usize] = *slot;
                *slot = NO_SLOT;
                false
            });
            loose.retain(|&slot| slot != NO_SLOT);
        }
        let gone = loose
            .iter()
            .map(|&slot| mesh.triangles[slot as usize].corners);
        let corners = gone.chain(fresh.iter().map(|new| new.corners)).flatten();
        let bounds = corners.fold(Aabb::EMPTY, |bounds, corner| {
            bounds.with_point(mesh.positions[corner as usize])
        });
        let mut changed = Vec::with_capacity(loose.len().max(fresh.len()));
        changed.extend_from_slice(&loose);
        for new in fresh {
            let slot = loose.pop().or_else(|| {
                let slot = self.free_triangles.pop();
                changed.extend(slot);
                slot
            });
            let slot = slot.unwrap_or_else(|| {
                mesh.triangles.push(Triangle::DEAD);
                changed.push(mesh.triangles.len() as u32 - 1);
                mesh.triangles.len() as u32 - 1
            });
            let NewTriangle {
                corners,
                face,
                index,
                key,
            } = new;
            mesh.triangles[slot as usize] = Triangle { corners, face, key };
            self.drawn[face as usize].triangles[index as usize] = slot;
        }
        for slot in loose {
            mesh.triangles[slot as usize] = Triangle::DEAD;
            self.free_triangles.push(slot);
        }
        (changed, bounds)
    }
}

/// The triangle rotated so that the corner opposite its longest side is first; of equal sides the one whose corner is lowest in
/// x, then y, then z. Contacts round differently for each rotation, so a triangle that an undo brings back must have its old
/// one. Planes are measured from the first corner, which should be near all of a thin triangle.
fn widest_first(t: [u32; 3], place: impl Fn(u32) -> DVec3) -> [u32; 3] {
    let [p, q, r] = t.map(place);
    let sides = [
        (q.distance_squared(r), p),
        (r.distance_squared(p), q),
        (p.distance_squared(q), r),
    ];
    let is_first = |(a, p): (f64, DVec3), (b, q): (f64, DVec3)| {
        a > b || (a == b && p.to_array() <= q.to_array())
    };
    let [a, b, c] = t;
    if is_first(sides[0], sides[1]) && is_first(sides[0], sides[2]) {
        [a, b, c]
    } else if is_first(sides[1], sides[2]) {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

/// Faces with fewer triangles are triangulated as a whole.
const MANY: usize = 16;

/// No slot yet, or none any more.
const NO_SLOT: u32 = u32::MAX;

/// Marks a vertex that the other room does not have yet.
const NO_VERTEX: u32 = u32::MAX;
