//! A new tree for a surface that keeps changing: built in slices beside the old one, which answers queries meanwhile.
//!
//! Work is counted in triangles visited, not in time: the same slices give the same tree at the same tick on any
//! machine. Changes during the rebuild are recorded and applied when the new tree replaces the old one.
use super::builder::{Builder, Growth};
use super::f64x4::Scalar;
use super::face::Face;
use super::index::NONE;
use super::mesh_bvh::{Bvh, query_reach};
use super::morton::Centroid;
use super::params::BuildParams;
use super::prim_ref::PrimRef;
use super::tree::Tree;
use super::update;
use glam::DVec3;

/// A tree under construction.
#[derive(Clone, Debug)]
pub struct Rebuild {
    tree: Tree,
    params: BuildParams,
    growth: Growth,
    prims: Vec<PrimRef>,
    /// Slots changed since the start.
    changed: Vec<u32>,
    /// Work granted so far.
    paid: u64,
}

impl Rebuild {
    /// Starts a rebuild of the current faces of `old`.
    pub fn begin(old: &Bvh, params: &BuildParams) -> Self {
        let mut rebuild = Self {
            tree: Tree::new(old.face_count()),
            params: *params,
            growth: Growth::new(params),
            prims: Vec::new(),
            changed: Vec::new(),
            paid: 0,
        };
        let live = old.surface.live();
        let centres: Vec<Centroid> = live.map(|(face, at)| centre(face, &at)).collect();
        if !centres.is_empty() {
            let mut builder = Builder::new(&mut rebuild.tree, &old.surface, &mut rebuild.growth);
            rebuild.prims = builder.fill_root(&centres).0;
        }
        rebuild
    }

    /// Continues for about `work` triangles and subtracts what was done from it. Returns whether the tree is finished.
    /// `old` is the tree it was started with, in its current state.
    pub fn advance(&mut self, old: &Bvh, work: &mut u64) -> bool {
        let builder = &mut Builder::new(&mut self.tree, &old.surface, &mut self.growth);
        // The cost of starting counts as well.
        let end = self.paid.saturating_add(*work);
        let left = end.saturating_sub(builder.tree.work);
        let is_ready = builder.grow(&mut self.prims, left);
        *work = end.saturating_sub(self.tree.work);
        self.paid = self.tree.work.min(end);
        is_ready
    }

    /// Records slots in which `old` was updated.
    pub fn note(&mut self, changed: &[u32]) {
        self.changed.extend_from_slice(changed);
    }

    /// Replaces the old tree, after finishing the build if necessary.
    pub fn replace(mut self, old: &mut Bvh) {
        let mut work = u64::MAX;
        self.advance(old, &mut work);
        let Self {
            mut tree,
            params,
            mut changed,
            ..
        } = self;
        tree.built_cost = tree.cost;
        changed.sort_unstable();
        changed.dedup();
        for &slot in &changed {
            update::remove_face(&mut tree, slot, &mut old.scratch.0.left);
        }
        let faces = &old.surface.faces;
        let new = changed.iter().filter_map(|&slot| faces.get(slot as usize));
        let new = new.filter(|face| face.triangle != NONE);
        let new = new.map(|face| centre(face, &old.surface.corners(face)));
        let scratch = &mut old.scratch.0;
        scratch.new.extend(new);
        let bounds = update::refit_and_insert(&mut tree, &old.surface, &params, scratch);
        old.tree = tree;
        old.reach = query_reach(&bounds);
    }
}

fn centre(face: &Face, corners: &[DVec3; 3]) -> Centroid {
    Centroid::of_triangle(Scalar, face.triangle, corners)
}
