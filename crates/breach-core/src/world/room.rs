//! The visible part of a cell: its faces' triangles with their box tree, and the portals to its neighbours.
use super::revision::Revision;
use crate::bvh::{Bvh, Mesh};
use crate::carve::MaterialId;
use crate::geom::Aabb;
use glam::DVec3;
use std::sync::Arc;

/// Index of a room and its cell; stable while the world lives.
pub type RoomId = u32;

/// A maximal planar piece of the boundary, for drawing and picking.
#[derive(Clone, Debug)]
pub struct FaceView {
    /// Material.
    pub material: MaterialId,
    /// Unit normal, into the air.
    pub normal: DVec3,
    /// Canonical key.
    pub key: u64,
}

impl FaceView {
    /// A free slot.
    pub const DEAD: FaceView = FaceView {
        material: MaterialId::MAX,
        normal: DVec3::ZERO,
        key: 0,
    };

    /// Whether the slot holds a face.
    pub fn is_live(&self) -> bool {
        self.normal != DVec3::ZERO
    }
}

/// A room: the contents of one cell.
#[derive(Clone, Debug)]
pub struct Room {
    /// The cell, metres.
    pub cell: Aabb,
    /// Changes with its faces.
    pub revision: Revision,
    /// Triangles of all faces, with free slots between them: a face's triangles keep their numbers while it lives.
    pub mesh: Arc<Mesh>,
    /// Faces, indexed by [`crate::bvh::Triangle::face`]; some slots are free.
    pub faces: Arc<Vec<FaceView>>,
    /// Number of live faces.
    pub face_count: u32,
    /// Number of live triangles.
    pub triangle_count: u32,
    /// The box tree over `mesh`.
    pub tree: Arc<Bvh>,
    /// Indices into [`super::World::portals`].
    pub portals: Vec<u32>,
    /// Cubic metres of air.
    pub air_volume_m3: f64,
}

impl Room {
    /// The room of a cell that is all rock.
    pub(super) fn empty(cell: Aabb, revision: Revision) -> Room {
        Room {
            cell,
            revision,
            mesh: Arc::default(),
            faces: Arc::default(),
            face_count: 0,
            triangle_count: 0,
            tree: Arc::default(),
            portals: vec![],
            air_volume_m3: 0.0,
        }
    }
}

/// The air on the face that two cells share.
#[derive(Clone, Debug)]
pub struct Portal {
    /// The two rooms; `axis` points from the first to the second.
    pub rooms: [RoomId; 2],
    /// The axis across the portal's plane: 0, 1 or 2.
    pub axis: usize,
    /// Outlines, metres, several and with holes; empty when closed.
    pub loops: Vec<Vec<DVec3>>,
    /// Area, square metres.
    pub area_m2: f64,
    /// [`super::World::revision`] of the change that opened it; None if it was open from the start.
    pub born: Option<Revision>,
}
