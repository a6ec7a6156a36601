//! How a room's mesh is edited in place: triangles and positions have stable numbers, and what a change leaves alone stays
//! where it is.
//!
//! A face that was cut is another face, but most of its outline and of its triangles are those of the old one. So a new
//! face is traced along what its sheet had before; a large one takes over the triangles that the change does not touch; and
//! of what is left, a triangle that comes back with the same corners gets the slot that it had. The box tree, which is told
//! of changed slots alone, never hears of the rest.
use super::GRID;
use crate::bvh::{Mesh, Rebuild, Triangle};
use crate::carve::MaterialId;
use crate::carve::face::Face;
use crate::carve::triangulate::{Change, View, mend, triangulate};
use crate::exact::{Facing, Planes};
use crate::geom::Aabb;
use crate::geom::hash::Hash64;
use glam::DVec3;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What a room's mesh keeps to be edited in place.
#[derive(Clone, Debug, Default)]
pub(super) struct MeshEditor {
    /// Number of a position.
    vertex_ids: FxHashMap<[u64; 3], u32>,
    /// By position.
    vertices: Vec<Vertex>,
    free_vertices: Vec<u32>,
    free_triangles: Vec<u32>,
    /// By face.
    drawn: Vec<DrawnFace>,
    /// Stamps vertices.
    pass: u32,
    /// The tree that is to take the room's tree's place.
    pub rebuild: Option<Box<Rebuild>>,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, Default)]
struct Vertex {
    /// Corners of faces that lie there.
    uses: u32,
    /// Pass and number of the corner that some face has there.
    is: (u32, u32),
    /// The same of what was there before.
    was: (u32, u32),
}

/// A face as it is drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct DrawnFace {
    /// See [`sheet`].
    surface_key: u64,
    triangles: SmallVec<[u32; 6]>,
    /// Positions of the corners of all loops, and where each loop ends.
    corners: SmallVec<[u32; 8]>,
    ends: SmallVec<[u32; 2]>,
    /// Another face has taken triangles over.
    has_lost_triangles: bool,
}

pub(super) fn bits(at: DVec3) -> [u64; 3] {
    at.to_array().map(|x| (x + 0.0).to_bits())
}

/// Key of a plane and what it shows: faces come and go, what they have in common stays, and so does a triangle that the
/// next face of the same sheet has too.
fn surface_key(planes: &Planes, plane: Facing, material: MaterialId) -> u64 {
    let mut h = Hash64::new();
    let p = &planes[plane.plane];
    p.n.iter().for_each(|&n| h.u64(n as u64));
    h.u64(p.d as u64);
    h.u64(u64::from(plane.flip) << 32 | u64::from(material));
    h.finish()
}

/// The outlines of faces that are no more.
#[derive(Default)]
struct OldOutlines {
    /// Positions of the corners of all loops.
    corners: Vec<u32>,
    /// The corner after each, along its loop.
    next: Vec<u32>,
    /// Whether the edge that leaves each is still there.
    is_left: Vec<bool>,
}

impl OldOutlines {
    /// The edges that are no longer there.
    fn gone(&self) -> Vec<[u32; 2]> {
        let all = (0..self.corners.len()).filter(|&k| !self.is_left[k]);
        all.map(|k| [self.corners[k], self.corners[self.next[k] as usize]])
            .collect()
    }
}

/// A triangle that is to be put in.
pub(super) struct NewTriangle {
    corners: [u32; 3],
    face: u32,
    key: u64,
}

/// Triangles that went from one room to another.
#[derive(Debug)]
pub(super) struct TransferredTriangles {
    /// MeshEditor in the one.
    pub gone: Vec<u32>,
    /// MeshEditor in the other.
    pub come: Vec<u32>,
    /// Metres.
    pub bounds: Aabb,
}

impl MeshEditor {
    /// Triangles that are drawn, of all that the mesh has room for.
    pub fn count(&self, mesh: &Mesh) -> usize {
        mesh.triangles.len() - self.free_triangles.len()
    }

    /// Corners of a face as it is drawn.
    pub fn corners(&self, face: u32) -> usize {
        let drawn = self.drawn.get(face as usize);
        drawn.map_or(0, |drawn| drawn.corners.len())
    }

    /// Gives what is drawn of some faces, each with its number here and there, to a room that has not drawn them: nothing
    /// is drawn anew. Those that are not drawn here are left out. An empty mesh there will have so many corners.
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
        let mut places = vec![NO_VERTEX; mesh.positions.len()];
        for &(here, id) in faces.iter() {
            let mut drawn = std::mem::take(&mut self.drawn[here as usize]);
            for place in &mut drawn.corners {
                let now = &mut places[*place as usize];
                if *now == NO_VERTEX {
                    *now = there.vertex_at(new, mesh.positions[*place as usize] * GRID);
                }
                there.vertices[*now as usize].uses += 1;
                self.release_vertex(mesh, *place);
                *place = *now;
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
                    corners: old.corners.map(|corner| places[corner as usize]),
                    face: id,
                    key: old.key,
                };
            }
            there.drawn[id as usize] = drawn;
        }
        transferred
    }

    /// Makes room in an empty mesh for faces of so many corners.
    pub fn expect(&mut self, mesh: &mut Mesh, corners: usize) {
        // In a closed surface three faces or more meet at a point.
        let places = corners / 3;
        self.vertex_ids.reserve(places);
        self.vertices.reserve(places);
        mesh.positions.reserve(places);
        mesh.triangles.reserve(corners);
    }

    /// The number of a place, steps.
    fn vertex_at(&mut self, mesh: &mut Mesh, at: DVec3) -> u32 {
        let (free, vertices) = (&mut self.free_vertices, &mut self.vertices);
        *self.vertex_ids.entry(bits(at)).or_insert_with(|| {
            let place = free.pop().unwrap_or_else(|| {
                mesh.positions.push(DVec3::ZERO);
                vertices.push(Vertex::default());
                mesh.positions.len() as u32 - 1
            });
            mesh.positions[place as usize] = at / GRID;
            place
        })
    }

    /// Takes a corner away from a place.
    fn release_vertex(&mut self, mesh: &Mesh, place: u32) {
        let vertex = &mut self.vertices[place as usize];
        vertex.uses -= 1;
        if vertex.uses == 0 {
            let at = mesh.positions[place as usize] * GRID;
            self.vertex_ids.remove(&bits(at));
            self.free_vertices.push(place);
        }
    }

    /// Takes out what is drawn of these faces. [`Self::replace_triangles`] ends what this begins.
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

    /// Draws a face. `old` is what was taken out; it loses the triangles that the face takes over.
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
            }
            drawn.triangles.reserve_exact(face.triangles.len());
            0
        });
        let place = |c: u32| drawn.corners.get(c as usize).copied();
        let new = face.triangles[kept..].iter().filter_map(|t| {
            let [Some(a), Some(b), Some(c)] = t.map(place) else {
                return None;
            };
            // Those whose corners weld in f64 are left out.
            let has_corners = a != b && b != c && c != a;
            has_corners.then_some(NewTriangle {
                corners: [a, b, c],
                face: id,
                key: surface_key,
            })
        });
        fresh.extend(new);
        if self.drawn.len() <= id as usize {
            self.drawn.resize_with(id as usize + 1, DrawnFace::default);
        }
        self.drawn[id as usize] = drawn;
    }

    /// What some faces were.
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
            for (&place, k) in drawn.corners.iter().zip(base..) {
                self.vertices[place as usize].was = (self.pass, k);
            }
            before.corners.extend_from_slice(&drawn.corners);
        }
        before.is_left.resize(before.corners.len(), false);
        before
    }

    /// Finds a face's corners, along its old outline where that goes on; the edges that it did not have.
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
            // The old corner where the last one lies, and that one.
            let (mut old, mut last): (Option<u32>, Option<u32>) = (None, None);
            for corner in l {
                let at = corner.point.at;
                let guess = old.map(|k| (k, before.next[k as usize]));
                let known = guess.map(|(k, next)| (k, next, before.corners[next as usize]));
                let place = match known {
                    Some((k, next, place)) if mesh.positions[place as usize] * GRID == at => {
                        before.is_left[k as usize] = true;
                        old = Some(next);
                        place
                    }
                    _ => {
                        let place = self.vertex_at(mesh, at);
                        if let (Some(last), false) = (last, is_new) {
                            come.push([last, place]);
                        }
                        let (pass, k) = self.vertices[place as usize].was;
                        old = (pass == self.pass).then_some(k);
                        place
                    }
                };
                let vertex = &mut self.vertices[place as usize];
                vertex.uses += 1;
                vertex.is = (self.pass, drawn.corners.len() as u32);
                drawn.corners.push(place);
                last = Some(place);
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

    /// Gives a face that is not triangulated yet the triangles of old ones that its change leaves alone, how many, and then
    /// those for the rest. None where it has to be triangulated as a whole.
    fn mend(
        &self,
        planes: &Planes,
        mesh: &mut Mesh,
        (id, face): (u32, &mut Face),
        (old, before, come): (&mut [DrawnFace], &OldOutlines, &[[u32; 2]]),
        drawn: &mut DrawnFace,
    ) -> Option<usize> {
        let count = old.iter().map(|old| old.triangles.len()).sum::<usize>();
        // The old triangles have to fill the old outline.
        let is_whole = !old.iter().any(|old| old.has_lost_triangles);
        let is_fit = face.triangles.is_empty() && is_whole;
        if !is_fit || count < MANY || 2 * come.len() > drawn.corners.len() {
            return None;
        }
        let slots = old.iter().flat_map(|old| &old.triangles);
        let mut triangles = Vec::with_capacity(count);
        triangles.extend(slots.map(|&t| mesh.triangles[t as usize].corners));
        let view = View::of(planes.normal(face.plane));
        let (pass, vertices) = (self.pass, &self.vertices);
        let mut stays = Vec::with_capacity(count);
        let change = Change {
            old: &triangles,
            gone: &before.gone(),
            come,
        };
        let new = mend(
            &change,
            |c| view.flat(mesh.positions[c as usize] * GRID),
            |c| vertices[c as usize].is.0 == pass,
            |c| vertices[c as usize].was.0 == pass,
            &mut stays,
        )?;
        face.triangles.reserve_exact(count + new.len());
        drawn.triangles.reserve_exact(count + new.len());
        let corner = |c: u32| vertices[c as usize].is.1;
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
        face.triangles.extend(new.iter().map(|t| t.map(corner)));
        face.triangles.shrink_to_fit();
        Some(kept)
    }

    /// Puts new triangles in the places of old ones; one that is as an old one was is that one. The slots that changed, and
    /// the box of the triangles that went and came, metres.
    pub fn replace_triangles(
        &mut self,
        mesh: &mut Mesh,
        old: &[DrawnFace],
        mut fresh: Vec<NewTriangle>,
    ) -> (Vec<u32>, Aabb) {
        for &place in old.iter().flat_map(|drawn| &drawn.corners) {
            self.release_vertex(mesh, place);
        }
        let count = old.iter().map(|drawn| drawn.triangles.len()).sum();
        let mut loose: Vec<u32> = Vec::with_capacity(count);
        old.iter()
            .for_each(|d| loose.extend_from_slice(&d.triangles));
        if !loose.is_empty() && !fresh.is_empty() {
            let corners = |slot: &u32| lowest_first(mesh.triangles[*slot as usize].corners);
            let numbered = (0..).zip(&loose);
            let same: FxHashMap<[u32; 3], usize> = numbered.map(|(i, s)| (corners(s), i)).collect();
            fresh.retain(|new| {
                let slot = same.get(&lowest_first(new.corners));
                let slot = slot.map(|&i| &mut loose[i]).filter(|slot| {
                    let old = mesh.triangles.get(**slot as usize);
                    old.is_some_and(|old| old.key == new.key)
                });
                let Some(slot) = slot else { return true };
                mesh.triangles[*slot as usize].face = new.face;
                self.drawn[new.face as usize].triangles.push(*slot);
                *slot = TAKEN;
                false
            });
            loose.retain(|&slot| slot != TAKEN);
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
        for NewTriangle { corners, face, key } in fresh {
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
            mesh.triangles[slot as usize] = Triangle { corners, face, key };
            self.drawn[face as usize].triangles.push(slot);
        }
        for slot in loose {
            mesh.triangles[slot as usize] = Triangle::DEAD;
            self.free_triangles.push(slot);
        }
        (changed, bounds)
    }
}

/// The same triangle with its corners turned.
fn lowest_first([a, b, c]: [u32; 3]) -> [u32; 3] {
    match a.min(b).min(c) {
        low if low == a => [a, b, c],
        low if low == b => [b, c, a],
        _ => [c, a, b],
    }
}

/// Faces of fewer triangles are triangulated as a whole.
const MANY: usize = 16;

/// A slot that is in use again.
const TAKEN: u32 = u32::MAX;

/// A place that the other room has not got.
const NO_VERTEX: u32 = u32::MAX;
