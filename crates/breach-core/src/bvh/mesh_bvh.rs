//! The tree over a mesh: nodes for culling, and the surface that they stand for.
use super::bounds::Bounds;
use super::build::build_tree;
use super::index::NONE;
use super::mesh::{Mesh, corners_of};
use super::params::BuildParams;
use super::scratch::Scratch;
use super::surface::Surface;
use super::tree::Tree;
use super::update::{TreeScratch, refit_and_insert, remove_face};
use crate::geom::Aabb;

/// The tree: all that queries need of the mesh it was built for, and no more than that mesh.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    pub(super) tree: Tree,
    pub(super) surface: Surface,
    /// No less than the greatest coordinate, metres; what lies within it needs no slack of its own.
    pub(super) reach: f64,
    pub(super) scratch: Scratch<TreeScratch>,
}

impl Bvh {
    /// Builds over all live triangles of `mesh`; deterministic. Parameters out of range are moved into it; triangles
    /// that name no point, or one that is not finite, are left out.
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

    /// Brings the tree up to date with `mesh`, which differs from what the tree last saw in the slots `changed`: each
    /// names a triangle that died, was born or was replaced; repeats and slots beyond the end are allowed. Only what is
    /// around these is touched: the cost follows the change, not the mesh. Answers are those of a tree built anew;
    /// `params` shape only what grows.
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

    /// Whether updates have made the boxes so large that a new tree is due: their surface has grown by a quarter since
    /// the tree was built.
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
        let corners = corners.and_then(|t| corners_of(mesh, t));
        let face = surface.faces.get(slot as usize);
        let is_in = face_lanes
            .get(slot as usize)
            .is_some_and(|&place| place != NONE);
        face.filter(|_| is_in).map(|face| surface.corners(face)) == corners
    })
}

/// What queries start from: the greatest coordinate of a box that may be empty, and half as much again.
pub(super) fn query_reach(bounds: &Bounds) -> f64 {
    if bounds.is_empty() {
        return 0.0;
    }
    1.5 * f64::from(bounds.min.abs().max(bounds.max.abs()).max_element())
}
