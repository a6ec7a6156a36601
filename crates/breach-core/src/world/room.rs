//! What is seen of a cell: its faces' triangles with their box tree, and the portals to its neighbours.
use super::revision::Revision;
use crate::bvh::{Bvh, Mesh};
use crate::carve::MaterialId;
use crate::geom::Aabb;
use glam::DVec3;
use std::sync::Arc;

/// Index of a room (and its cell); stable while the world lives.
pub type RoomId = u32;

/// A maximal planar piece of the boundary, for drawing and picking.
#[derive(Clone, Debug)]
pub struct FaceView {
    /// What it shows.
    pub material: MaterialId,
    /// Unit normal, into the air.
    pub normal: DVec3,
    /// Canonical key.
    pub key: u64,
}

impl FaceView {
    /// A place that no face has now.
    pub const DEAD: FaceView = FaceView {
        material: MaterialId::MAX,
        normal: DVec3::ZERO,
        key: 0,
    };

    /// Whether there is a face.
    pub fn is_live(&self) -> bool {
        self.normal != DVec3::ZERO
    }
}

/// A room: what one cell holds.
#[derive(Clone, Debug)]
pub struct Room {
    /// The cell, metres.
    pub cell: Aabb,
    /// Another one after each change of its faces.
    pub revision: Revision,
    /// Triangles of all faces, with places that are dead: numbers stay while a face lives.
    pub mesh: Arc<Mesh>,
    /// Faces, as [`crate::bvh::Triangle::face`] counts them; some places are dead.
    pub faces: Arc<Vec<FaceView>>,
    /// Faces that are there.
    pub face_count: u32,
    /// Triangles that are there.
    pub triangle_count: u32,
    /// The box tree over `mesh`.
    pub tree: Arc<Bvh>,
    /// Indices into [`World::portals`].
    pub portals: Vec<u32>,
    /// Cubic metres of air.
    pub air_volume_m3: f64,
}

impl Room {
    /// A cell all rock.
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
    /// The two rooms; the plane's `axis` grows from the first to the second.
    pub rooms: [RoomId; 2],
    /// 0, 1 or 2: the axis that the portal's plane cuts.
    pub axis: usize,
    /// Outlines, metres, several and with holes; empty when closed.
    pub loops: Vec<Vec<DVec3>>,
    /// Area, square metres.
    pub area_m2: f64,
    /// [`World::revision`] when a change opened it; None from the start.
    pub born: Option<Revision>,
}
