//! The part of the world's surface around a body, kept from tick to tick.
use crate::bvh::Patch;
use crate::geom::Aabb;
use crate::world::Revision;
use glam::DVec3;
use std::sync::Arc;

/// The surface around a body when it last asked the world. It changes the cost of a step, not its result.
#[derive(Clone, Debug, Default)]
pub(super) struct SurfaceCache {
    /// The surface is no nearer than `clearance` metres to this point.
    pub centre: DVec3,
    pub clearance: f64,
    /// Of the world at that time.
    pub revision: Revision,
    /// The faces within a box around the body.
    pub patch: Option<Arc<(Aabb, Patch)>>,
}
