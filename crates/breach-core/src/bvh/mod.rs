//! The box tree of a room (the panel calls its boxes bins): what does a ray or a moving sphere meet first?
//!
//! A binary tree of axis-aligned boxes over a room's triangles, after Schroeder, Collision Detection Using Ray Casting
//! (2001), with more ways to split and a surface that knows its neighbours: edges that lie flat or in a corner are never
//! met on their own (`surface`, `settle`). `build` grows trees out of `item`s (`divide` says where, `fill` writes), `edit`
//! and `graft` a part, `rebuild` a whole one in slices; `traverse` walks, `query` asks, `stats` tells what a tree is worth;
//! the kernels are [`crate::collide`]'s. Metres; `fraction` is a part of the
//! displacement.
//!
//! ```
//! use breach_core::bvh::{BuildParams, Bvh, Mesh, QueryStats, Triangle};
//! use glam::DVec3;
//! let floor = Mesh {
//!     positions: vec![DVec3::ZERO, DVec3::Z * 4.0, DVec3::X * 4.0],
//!     triangles: vec![Triangle { corners: [0, 1, 2], face: 0, key: 0 }],
//! };
//! let tree = Bvh::build(&floor, &BuildParams::default());
//! let (from, to) = (DVec3::new(1.0, 3.0, 1.0), DVec3::new(1.0, -1.0, 1.0));
//! let hit = tree.sweep_sphere(&floor, from, to, 1.0, &mut QueryStats::default()).unwrap();
//! assert_eq!((hit.fraction, hit.normal), (0.5, DVec3::Y));
//! ```
use crate::geom::Aabb;
use glam::DVec3;

mod bin;
mod build;
pub mod culling;
mod curve;
mod divide;
mod edit;
mod face;
mod fill;
mod four;
mod graft;
mod item;
mod lanes;
mod merge;
mod node;
mod pairs;
mod query;
mod rebuild;
mod settle;
pub mod stats;
mod surface;
#[cfg(test)]
mod tests;
mod touch;
mod traverse;

pub use bin::BinAt;
pub use pairs::leaf_pairs;
pub use rebuild::Rebuild;
pub use touch::{Patch, Touch, Within};

/// A room's surface as triangles, the shape that rays and spheres meet. Edited in place: a slot keeps its index as long
/// as its triangle lives, and is [`Triangle::DEAD`] between two lives.
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
    /// Equal fractions are decided by the lowest. In a world it stands for the plane and what it shows, so that the answer
    /// does not depend on how the air is divided into rooms.
    pub key: u64,
}

impl Triangle {
    /// A slot of [`Mesh::triangles`] that holds no triangle.
    pub const DEAD: Self = Self {
        corners: [u32::MAX; 3],
        face: u32::MAX,
        key: u64::MAX,
    };

    /// Whether the slot holds a triangle.
    pub fn is_live(&self) -> bool {
        *self != Self::DEAD
    }
}

/// How a node's triangles are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum SplitRule {
    /// Middle of the longest axis (the 2001 article).
    Midpoint,
    /// Equal counts on both sides.
    Median,
    /// The mean of the centres.
    Mean,
    /// Surface area heuristic, top down.
    #[default]
    Sah,
    /// Not divided but merged: neighbours that fill the least box together, from the bottom up.
    BottomUp,
}

/// What shapes a tree; live settings.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
        Self {
            split: SplitRule::Sah,
            max_depth: 24,
            faces_per_bin: 8,
            min_volume: 0.0,
        }
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

/// The tree: all that queries need of the mesh it was built for, and no more than that mesh.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    tree: node::Tree,
    surface: surface::Surface,
    /// No less than the greatest coordinate, metres; what lies within it needs no slack of its own.
    reach: f64,
    spare: Spare<edit::Scratch>,
}

/// Room to calculate in, kept from one update to the next; a clone begins without.
#[derive(Debug, Default)]
struct Spare<T>(T);

impl<T: Default> Clone for Spare<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Bvh {
    /// Builds over all live triangles of `mesh`; deterministic. Parameters out of range are moved into it; triangles
    /// that name no point, or one that is not finite, are left out.
    pub fn build(mesh: &Mesh, params: &BuildParams) -> Self {
        let (surface, centres) = surface::Surface::of(mesh);
        let mut tree = node::Tree::new(surface.count);
        let bounds = edit::build_whole(&mut tree, &surface, &centres, params);
        Self {
            tree,
            surface,
            reach: reach_of(&bounds),
            spare: Spare::default(),
        }
    }

    /// Brings the tree up to date with `mesh`, which differs from what the tree last saw in the slots `changed`: each
    /// names a triangle that died, was born or was replaced; repeats and slots beyond the end are allowed. Only what is
    /// around these is touched: the cost follows the change, not the mesh. Answers are those of a tree built anew;
    /// `params` shape only what grows.
    pub fn update(&mut self, mesh: &Mesh, changed: &[u32], params: &BuildParams) {
        self.edit(mesh, changed, params);
    }

    /// Whether updates have made the boxes so large that a new tree is due: their surface has grown by a quarter since
    /// the tree was built.
    pub fn needs_rebuild(&self) -> bool {
        self.tree.cost > 1.25 * self.tree.built_cost
    }

    /// First front-facing triangle on the segment; `from == to` is no hit; equal fractions: lowest key. A ray cannot
    /// slip between triangles that share an edge. Numbers that are not finite hit nothing.
    pub fn cast_ray(
        &self,
        _mesh: &Mesh,
        from: DVec3,
        to: DVec3,
        stats: &mut QueryStats,
    ) -> Option<MeshHit> {
        self.first_on_ray(from, to, stats)
    }

    /// First contact of a moving sphere (face, edge, vertex; faces from the front only). A start in contact moving
    /// inwards against any of them gives fraction 0, moving away or along is no hit; zero length is no hit; radius 0 is
    /// a ray.
    ///
    /// Edges that are flat or lie in a corner are not met: the faces beside them are. So sliding over the seams of a
    /// flat floor is moving along. Numbers that are not finite, or a negative radius, hit nothing.
    pub fn sweep_sphere(
        &self,
        _mesh: &Mesh,
        from: DVec3,
        to: DVec3,
        radius: f64,
        stats: &mut QueryStats,
    ) -> Option<MeshHit> {
        if radius == 0.0 {
            return self.first_on_ray(from, to, stats);
        }
        self.first_on_sweep(from, to, radius, stats)
    }

    /// Calls `visit(triangle index)` for each triangle whose box touches `bounds`, in rising order.
    pub fn each_in_box(
        &self,
        _mesh: &Mesh,
        bounds: &Aabb,
        stats: &mut QueryStats,
        visit: &mut dyn FnMut(u32),
    ) {
        self.triangles_in_box(bounds, stats)
            .into_iter()
            .for_each(visit);
    }

    /// Every bin as (level, box, is a leaf), parents before children.
    pub fn bins(&self) -> Vec<(u32, Aabb, bool)> {
        let mut all = Vec::new();
        self.tree.each_bin(&mut |bin| {
            all.push((bin.level, bin.bounds.exact(), bin.faces > 0));
        });
        all
    }

    /// Deepest level in use.
    pub fn depth(&self) -> u32 {
        self.tree.depth()
    }

    /// Triangles in the tree.
    pub fn face_count(&self) -> usize {
        self.surface.count
    }
}

/// What queries start from: the greatest coordinate of a box that may be empty, and half as much again.
fn reach_of(bounds: &item::Bounds) -> f64 {
    if bounds.is_empty() {
        return 0.0;
    }
    1.5 * f64::from(bounds.min.abs().max(bounds.max.abs()).max_element())
}
