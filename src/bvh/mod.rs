//! The box tree of a room (the panel calls its boxes bins).
use crate::geom::Aabb;
use glam::DVec3;

/// A room's surface as triangles, the shape that rays and spheres meet.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Corner positions, metres; shared by index where triangles meet.
    pub positions: Vec<DVec3>,
    /// Triangles, counter-clockwise seen from the air.
    pub triangles: Vec<Triangle>,
}

/// One triangle of a [`Mesh`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle {
    /// Indices into [`Mesh::positions`].
    pub corners: [u32; 3],
    /// The room's face that this triangle is a part of.
    pub face: u32,
    /// Canonical key: equal fractions are decided by the lowest.
    pub key: u64,
}

/// How a node's triangles are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SplitRule {
    /// Middle of the longest axis (the 2001 article).
    Midpoint,
    /// Equal counts on both sides.
    Median,
    /// The mean of the centres.
    Mean,
    /// Surface area heuristic with bins.
    #[default]
    Sah,
}

/// What shapes a tree; live settings.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct BuildParams {
    /// How a node is split.
    pub split: SplitRule,
    /// Deepest level, 1..=32; the root is level 0.
    pub max_depth: u32,
    /// A bin with at most this many triangles is not split, 1..=64.
    pub faces_per_bin: u32,
    /// A bin smaller than this is not split, cubic metres.
    pub min_volume: f64,
}

impl Default for BuildParams {
    fn default() -> Self {
        Self { split: SplitRule::Sah, max_depth: 24, faces_per_bin: 4, min_volume: 0.0 }
    }
}

/// What a query cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryStats {
    /// Bins looked into.
    pub bins: u64,
    /// Triangles tested.
    pub faces: u64,
}

/// A hit on a [`Mesh`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshHit {
    /// Part of the displacement travelled, 0..=1.
    pub fraction: f64,
    /// Point of contact.
    pub point: DVec3,
    /// From the surface to the sphere's centre (ray: the face's normal, against the ray). Unit.
    pub normal: DVec3,
    /// Index into [`Mesh::triangles`].
    pub triangle: u32,
}

/// The tree. Holds no mesh: each call is handed the one it was built for.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    _private: (),
}

impl Bvh {
    /// Builds over all triangles of `mesh`; deterministic.
    pub fn build(_mesh: &Mesh, _params: &BuildParams) -> Self {
        Self::default()
    }
    /// First front-facing triangle on the segment; `from == to` is no hit; equal fractions: lowest key.
    pub fn cast_ray(&self, _mesh: &Mesh, _from: DVec3, _to: DVec3, _stats: &mut QueryStats) -> Option<MeshHit> {
        None
    }
    /// First contact of a moving sphere (face, edge, vertex; faces from the front only). A start in contact moving
    /// inwards gives fraction 0, moving away or along is no hit; zero length is no hit; radius 0 is a ray.
    pub fn sweep_sphere(&self, _mesh: &Mesh, _from: DVec3, _to: DVec3, _radius: f64, _stats: &mut QueryStats) -> Option<MeshHit> {
        None
    }
    /// Calls `visit(triangle index)` for each triangle whose box touches `bounds`, in a fixed order.
    pub fn each_in_box(&self, _mesh: &Mesh, _bounds: &Aabb, _stats: &mut QueryStats, _visit: &mut dyn FnMut(u32)) {}
    /// Every bin as (level, box, is a leaf), parents before children.
    pub fn bins(&self) -> Vec<(u32, Aabb, bool)> {
        Vec::new()
    }
    /// Deepest level in use.
    pub fn depth(&self) -> u32 {
        0
    }
}
