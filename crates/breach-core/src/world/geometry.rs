//! The exact half of a world: the faces of all cells, and the tables that follow from them. Operations change it step
//! by step. Nobody sees a change before its commit: queries and drawing read [`super::visible::Visible`].
use super::GRID;
use super::cell::{Cell, Measure};
use super::description::Material;
use super::dropped_planes::DroppedPlanes;
use super::edges::{EdgeKey, EdgeTable, FaceRef};
use super::kd_tree::KdTree;
use super::room::RoomId;
use crate::carve::MaterialId;
use crate::carve::face::Face;
use crate::carve::polytope::{Polytope, Surface};
use crate::carve::winding;
use crate::exact::{PlaneId, Planes};
use crate::geom::Aabb;
use crate::geom::hash::Hash64;
use crate::geom::shared::Shared;
use crate::geom::shared_vec::SharedVec;
use glam::{DVec3, I64Vec3};

/// Bytes for each corner of a face, with its share of edges, triangles, planes and box trees. Measured: the peak of
/// resident memory of `breach soak levels/bunker.map --no-debris` grows by 79 MB with 500 rockets (106,000 corners
/// more: 750 bytes each) and by 292 MB with 2,000 (413,000: 710).
pub(super) const CORNER_BYTES: usize = 768;

/// The faces of all cells, and the tables that follow from them.
#[derive(Clone, Debug)]
pub(super) struct Geometry {
    pub planes: Planes,
    /// Grid steps.
    pub bounds: [I64Vec3; 2],
    /// The materials on the bounds, for planes across x, y and z.
    pub bedrock: [MaterialId; 3],
    /// Copy on write, like all large data: a keyframe costs only the changes after it.
    pub cells: SharedVec<Shared<Cell>>,
    /// Sum of the hashes of the cells' boxes.
    box_hash: u64,
    pub edges: EdgeTable,
    /// Sum over all faces of stuff.
    pub face_hash: u64,
    /// Hash of each material's contents, since ids differ from run to run.
    pub material_hashes: Vec<u64>,
    /// The highest number given to a floating piece.
    pub pieces: u32,
    /// Pieces that have fallen so far.
    pub fallen: u64,
    /// Boxes, steps, where a piece was found to rest on an edge that lies within a face.
    pub edge_contacts: Vec<(DVec3, DVec3)>,
    /// Solids that no carve removes; see [`super::unbreakable`].
    pub unbreakable: Vec<Volume>,
    /// Planes of dropped deltas; the next change releases them.
    pub dropped_planes: DroppedPlanes,
}

/// An unbreakable brush.
#[derive(Clone, Debug)]
pub(super) struct Volume {
    pub solid: Polytope,
    /// Its box, steps.
    pub bounds: (DVec3, DVec3),
}

impl Volume {
    /// Every plane that it refers to, with repetitions.
    pub fn planes(&self) -> impl Iterator<Item = PlaneId> + '_ {
        self.solid.planes()
    }
}

impl Geometry {
    /// The same without faces and planes: the part that a keyframe keeps until it is filled from a later state.
    pub fn hollow(&self) -> Geometry {
        Geometry {
            planes: Planes::default(),
            bounds: self.bounds,
            bedrock: self.bedrock,
            cells: SharedVec::default(),
            box_hash: 0,
            edges: EdgeTable::default(),
            face_hash: self.face_hash,
            material_hashes: self.material_hashes.clone(),
            pieces: self.pieces,
            fallen: self.fallen,
            edge_contacts: self.edge_contacts.clone(),
            unbreakable: Vec::new(),
            dropped_planes: DroppedPlanes::default(),
        }
    }

    /// One cell in bounds, without faces; materials are yet to be hashed.
    pub fn one_cell(
        planes: Planes,
        bounds: [I64Vec3; 2],
        bedrock: [MaterialId; 3],
        cell: Cell,
    ) -> Geometry {
        let mut geometry = Geometry {
            planes,
            bounds,
            bedrock,
            cells: SharedVec::default(),
            box_hash: 0,
            edges: EdgeTable::default(),
            face_hash: 0,
            material_hashes: vec![],
            pieces: 0,
            fallen: 0,
            edge_contacts: vec![],
            unbreakable: vec![],
            dropped_planes: DroppedPlanes::default(),
        };
        geometry.push_cell(cell);
        geometry
    }

    /// Sum of the hashes of the boxes of all cells.
    pub fn box_hash(&self) -> u64 {
        self.box_hash
    }

    /// Adds a cell, the last one.
    pub fn push_cell(&mut self, cell: Cell) {
        self.box_hash = self.box_hash.wrapping_add(cell.box_hash());
        self.cells.push(Shared::new(cell));
    }

    /// Removes the last cell.
    pub fn pop_cell(&mut self) -> Option<Cell> {
        let cell = self.cells.pop()?.take();
        self.box_hash = self.box_hash.wrapping_sub(cell.box_hash());
        Some(cell)
    }

    /// Moves the low or the high side of a cell across an axis.
    pub fn set_side(&mut self, id: RoomId, side: (usize, bool), at: i64, shared: bool) {
        let cell: &mut Cell = &mut self.cells[id as usize];
        self.box_hash = self.box_hash.wrapping_sub(cell.box_hash());
        cell.set_side(&mut self.planes, side, at, shared);
        self.box_hash = self.box_hash.wrapping_add(cell.box_hash());
    }

    /// A face that exists.
    pub fn face(&self, id: FaceRef) -> &Face {
        self.cells[id.0 as usize].face(id.1)
    }

    /// The face with this id, if it exists.
    pub fn find_face(&self, id: FaceRef) -> Option<&Face> {
        self.cells
            .get(id.0 as usize)?
            .faces
            .get(id.1 as usize)?
            .as_ref()
    }

    /// Whether the faces, all of one connected surface, enclose solid rather than air.
    pub fn encloses_solid(&self, faces: &[FaceRef]) -> bool {
        let list = faces.iter().map(|&f| self.face(f));
        winding::encloses_solid(&self.planes, list)
    }

    /// Air of all cells; see [`super::cell::cubic_metres`].
    pub fn air(&self) -> i128 {
        self.cells.iter().map(|cell| cell.air()).sum()
    }

    /// Bytes of the level, estimated from the corners of its faces.
    pub fn bytes(&self) -> usize {
        self.cells.iter().map(|cell| cell.corners).sum::<usize>() * CORNER_BYTES
    }

    /// Bytes of this level that it does not share with another, estimated from the corners of the cells that differ.
    pub fn bytes_beside(&self, other: &Geometry) -> usize {
        let shared = |i: usize| {
            other
                .cells
                .get(i)
                .is_some_and(|cell| cell.is(&self.cells[i]))
        };
        let own = (0..self.cells.len()).filter(|&i| !shared(i));
        own.map(|i| self.cells[i].corners).sum::<usize>() * CORNER_BYTES
    }

    /// The cells whose closed boxes touch a box, steps.
    pub fn cells_at(&self, tree: &KdTree, lo: DVec3, hi: DVec3) -> Vec<RoomId> {
        let bounds = Aabb {
            min: lo / GRID,
            max: hi / GRID,
        };
        let mut near = Vec::new();
        tree.each_cell_in_box(&bounds.grow(1e-6), &mut |c| near.push(c));
        near.retain(|&c| self.cells[c as usize].touches(lo, hi));
        near
    }

    /// The faces of stuff of these cells whose boxes touch a box, steps.
    pub fn stuff_at(&self, cells: &[RoomId], lo: DVec3, hi: DVec3) -> (Vec<FaceRef>, Vec<&Face>) {
        let mut ids: Vec<FaceRef> = Vec::new();
        let mut faces: Vec<&Face> = Vec::new();
        for &c in cells {
            for (f, face) in self.cells[c as usize].near(lo, hi) {
                if face.surface != Surface::Wall {
                    ids.push((c, f));
                    faces.push(face);
                }
            }
        }
        (ids, faces)
    }

    /// Removes a face from its cell, the edge table and the hash. It still holds its planes. `stays` is called for
    /// those of its edges that other faces still use.
    pub fn remove_face(&mut self, id: FaceRef, stays: impl FnMut(EdgeKey)) -> (Face, Measure) {
        let (face, measure) = self.cells[id.0 as usize].remove(id.1);
        if let Surface::Stuff(material) = face.surface {
            self.edges.remove(&face, id, stays);
            let hash = self.hash_of(&face, material);
            self.face_hash = self.face_hash.wrapping_sub(hash);
        }
        (face, measure)
    }

    /// Inserts a face into its cell, the edge table and the hash.
    pub fn insert_face(&mut self, cell: RoomId, face: Face) -> FaceRef {
        if let Surface::Stuff(material) = face.surface {
            let hash = self.hash_of(&face, material);
            self.face_hash = self.face_hash.wrapping_add(hash);
        }
        let home: &mut Cell = &mut self.cells[cell as usize];
        let id = (cell, home.insert(face));
        let face = home.face(id.1);
        if face.surface != Surface::Wall {
            self.edges.add(face, id);
        }
        id
    }

    /// Inserts a face of a level in the making, of which nothing is logged. Its planes are held.
    pub fn build_face(&mut self, cell: RoomId, face: Face) {
        face.planes().for_each(|plane| self.planes.hold(plane));
        self.insert_face(cell, face);
    }

    /// Moves a face to another cell; only its id changes.
    pub fn move_face(&mut self, id: FaceRef, cell: RoomId) -> FaceRef {
        let (face, measure) = self.cells[id.0 as usize].remove(id.1);
        let home: &mut Cell = &mut self.cells[cell as usize];
        let now = (cell, home.insert_measured(face, measure));
        let face = home.face(now.1);
        if face.surface != Surface::Wall {
            self.edges.rename(face, id, now);
        }
        now
    }

    /// Rebuilds the edge table and the hash from all faces.
    pub fn rebuild_edges_and_hash(&mut self) {
        self.edges = EdgeTable::default();
        self.face_hash = 0;
        for c in 0..self.cells.len() {
            let cell = &self.cells[c];
            for (f, face) in cell.stuff() {
                self.edges.add(face, (c as RoomId, f));
                if let Surface::Stuff(m) = face.surface {
                    self.face_hash = self.face_hash.wrapping_add(self.hash_of(face, m));
                }
            }
        }
    }

    /// Recounts the users of each plane, and drops the unused planes that building left over.
    pub fn recount_planes(&mut self) {
        let planes = &mut self.planes;
        planes.release_all();
        for cell in self.cells.iter() {
            cell.sides.iter().for_each(|s| planes.hold(s.plane));
            for (_, face) in cell.all() {
                face.planes().for_each(|p| planes.hold(p));
            }
        }
        for volume in &self.unbreakable {
            volume.planes().for_each(|p| planes.hold(p));
        }
        planes.remove_unused();
    }

    /// Releases the planes of dropped deltas.
    pub fn release_dropped(&mut self) {
        self.dropped_planes.release(&mut self.planes);
    }

    /// Hashes the contents of new materials.
    pub fn hash_materials(&mut self, materials: &[Material]) {
        let known = self.material_hashes.len().min(materials.len());
        let new = materials[known..].iter().map(material_hash);
        self.material_hashes.extend(new);
    }

    /// A face's share of the hash: its key, and the contents of its material.
    pub fn hash_of(&self, face: &Face, material: MaterialId) -> u64 {
        let mut h = Hash64::new();
        h.u64(face.key);
        h.u64(self.material_hashes[material as usize]);
        h.finish()
    }
}

fn material_hash(m: &Material) -> u64 {
    let mut h = Hash64::new();
    h.str(&m.texture);
    // Equal materials hash alike: the sign of a zero does not matter.
    let numbers = [m.u.to_array(), m.v.to_array()].concat();
    let numbers = numbers.iter().chain(&m.offset);
    numbers.for_each(|&x| h.f64(x + 0.0));
    h.u64(m.inner as u64);
    if m.hardness != 1.0 {
        h.f64(m.hardness);
    }
    h.finish()
}
