//! The tree over a mesh: boxes for culling, and the faces with their active edges for the exact tests.
use super::bounds::Bounds;
use super::build::build_tree;
use super::index::NONE;
use super::mesh::{Mesh, triangle_corners};
use super::params::BuildParams;
use super::scratch::Scratch;
use super::surface::Surface;
use super::tree::Tree;
use super::update::{TreeScratch, refit_and_insert, remove_face};
use crate::geom::Aabb;

/// A bounding volume hierarchy with its own copy of all that queries need of the mesh.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    pub(super) tree: Tree,
    pub(super) surface: Surface,
    /// Upper bound of all coordinates, metres. Queries within it share one culling margin.
    pub(super) reach: f64,
    pub(super) scratch: Scratch<TreeScratch>,
}

impl Bvh {
    /// Builds a tree over all live triangles of `mesh`; deterministic. Parameters are clamped to their ranges;
    /// triangles with an index out of range or a coordinate that is not finite are left out.
    pub fn build(mesh: &Mesh, params: &BuildParams) -> Self {
        let (surface, centres) = Surface::build(mesh);
        let mut tree = Tree::new(surface.count);
        let bounds = build_tree(&mut tree, &surface, &centres, params);
        Self {
            tree,
            surface,
            reach: query_reach(&bounds),
            scratch: Scratch::default(),
        }
    }

    /// Updates the tree to `mesh`, which differs from the last version seen in the slots `changed`: each is a triangle
    /// that died, was born or was replaced. Repeated slots and slots past the end are allowed. The cost is proportional
    /// to the change, not to the mesh. Queries answer as with a new tree; `params` apply only to subtrees that are
    /// rebuilt.
    pub fn update(&mut self, mesh: &Mesh, changed: &[u32], params: &BuildParams) {
        if self.tree.nodes.is_empty() {
            *self = Self::build(mesh, params);
            return;
        }
        let (tree, scratch) = (&mut self.tree, &mut self.scratch.0);
        let TreeScratch { new, left, .. } = scratch;
        self.surface.update(
            mesh,
            changed,
            |triangle| remove_face(tree, triangle, left),
            new,
        );
        let bounds = refit_and_insert(tree, &self.surface, params, scratch);
        self.reach = query_reach(&bounds);
        let faces = self.tree.nodes[0].count.iter().sum::<u32>();
        assert_eq!(faces as usize, self.surface.count, "no face is lost");
        debug_assert!(corners_are_in(
            mesh,
            &self.surface,
            &self.tree.face_lanes,
            changed
        ));
    }

    /// Whether updates have degraded the tree: the surface area of its boxes has grown by a quarter since the build.
    pub fn needs_rebuild(&self) -> bool {
        self.tree.cost > 1.25 * self.tree.built_cost
    }

    /// Every bin as (level, box, is a leaf), parents before children.
    pub fn bins(&self) -> Vec<(u32, Aabb, bool)> {
        let mut all = Vec::new();
        self.tree.each_binary_node(&mut |bin| {
            all.push((bin.level, bin.bounds.to_aabb(), bin.faces > 0));
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

fn corners_are_in(mesh: &Mesh, surface: &Surface, face_lanes: &[u32], changed: &[u32]) -> bool {
    changed.iter().all(|&slot| {
        let corners = mesh.triangles.get(slot as usize);
        let corners = corners.and_then(|t| triangle_corners(mesh, t));
        let face = surface.faces.get(slot as usize);
        let is_in = face_lanes
            .get(slot as usize)
            .is_some_and(|&place| place != NONE);
        face.filter(|_| is_in).map(|face| surface.corners(face)) == corners
    })
}

/// The [`Bvh::reach`] of a tree with these bounds, which may be empty: its largest coordinate times 1.5.
pub(super) fn query_reach(bounds: &Bounds) -> f64 {
    if bounds.is_empty() {
        return 0.0;
    }
    1.5 * f64::from(bounds.min.abs().max(bounds.max.abs()).max_element())
}
