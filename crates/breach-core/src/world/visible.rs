//! The half of a world that queries and drawing read: rooms, portals, trees and revisions. Only commits change it, in
//! one go.
use super::kd_tree::KdTree;
use super::mesh_editor::MeshEditor;
use super::recent_changes::RecentChanges;
use super::revision::Revision;
use super::room::{Portal, Room, RoomId};
use crate::bvh::BuildParams;
use crate::geom::Aabb;
use crate::geom::shared::Shared;
use crate::geom::shared_vec::SharedVec;
use glam::DVec3;

/// The data that queries and drawing read.
#[derive(Clone, Debug)]
pub(super) struct Visible {
    /// Bounds, metres.
    pub bounds: Aabb,
    pub tree: KdTree,
    pub rooms: SharedVec<Room>,
    /// One for each room.
    pub editors: SharedVec<Shared<MeshEditor>>,
    pub portals: SharedVec<Portal>,
    /// One for each portal.
    pub links: SharedVec<Link>,
    /// Rooms whose trees need a rebuild, in the order of their turn.
    pub worn: Vec<RoomId>,
    pub params: BuildParams,
    pub revision: Revision,
    /// Sum of the hashes of all faces of stuff, as of the last commit.
    pub face_hash: u64,
    /// Recent changes of the surface.
    pub changes: RecentChanges,
}

/// Two cells that share an area; the portal of the same index opens there.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// `axis` points from the first to the second.
    pub rooms: [RoomId; 2],
    pub axis: usize,
    /// The rectangle that they share, steps; empty where a split has separated them.
    pub lo: DVec3,
    pub hi: DVec3,
}

impl Visible {
    /// No rooms yet, within bounds in metres.
    pub fn new(bounds: Aabb, tree: KdTree, params: &BuildParams) -> Visible {
        Visible {
            bounds,
            tree,
            rooms: SharedVec::default(),
            editors: SharedVec::default(),
            portals: SharedVec::default(),
            links: SharedVec::default(),
            worn: Vec::new(),
            params: *params,
            revision: Revision::next(),
            face_hash: 0,
            changes: RecentChanges::default(),
        }
    }

    /// The same without rooms: the part that a keyframe keeps until it is filled from a later state.
    pub fn hollow(&self) -> Visible {
        Visible {
            revision: self.revision,
            face_hash: self.face_hash,
            ..Visible::new(self.bounds, KdTree::default(), &self.params)
        }
    }
}

/// Queues a room if its tree is worn.
pub(super) fn queue_if_worn(worn: &mut Vec<RoomId>, id: RoomId, room: &Room) {
    if room.tree.needs_rebuild() && !worn.contains(&id) {
        worn.push(id);
    }
}
