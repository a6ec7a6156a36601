//! State that visibility keeps between pictures.
use super::fences::Fences;
use super::resting::Grounds;
use crate::collide::SeparatingEdgeCache;
use crate::sim::ClosedPortals;
use crate::world::RoomId;

/// Frame-to-frame coherence: the separating edge between each portal and its window, the room of each body, the ground
/// below it, and the portals that doors close. A cache of another world, or of an older one, costs time but gives the same
/// result.
#[derive(Clone, Debug, Default)]
pub struct VisibilityCache {
    /// By portal.
    pub(super) separating_edges: Vec<SeparatingEdgeCache>,
    /// Portals that are not walked through, of the simulation of the last picture.
    pub(super) closed: ClosedPortals,
    /// By body.
    pub(super) body_rooms: Vec<RoomId>,
    /// Below crumbs at rest.
    pub(super) grounds: Grounds,
    /// Portals culled because a separating edge was found.
    pub culled: u64,
    /// Solid surfaces that one can see through.
    pub fences: Fences,
}

impl VisibilityCache {
    /// Portals culled by the separating edge of the picture before.
    pub fn hits(&self) -> u64 {
        self.separating_edges.iter().map(|edge| edge.kept).sum()
    }
}
