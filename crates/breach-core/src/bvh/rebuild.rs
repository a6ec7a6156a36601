//! A new tree for a surface that goes on changing: built in slices beside the old one, which answers meanwhile.
//!
//! Work is counted in triangles looked at, not in time: the same slices give the same tree at the same moment, on any
//! machine. What changes while it grows is noted, and made good when it takes the old one's place.
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

/// A tree that is growing.
#[derive(Clone, Debug)]
pub struct Rebuild {
    tree: Tree,
    params: BuildParams,
    growth: Growth,
    items: Vec<PrimRef>,
    /// Slots that have changed since.
    changed: Vec<u32>,
    /// Work that was asked for so far.
    paid: u64,
}

impl Rebuild {
    /// Begins with what `old` holds now.
    pub fn begin(old: &Bvh, params: &BuildParams) -> Self {
        let mut rebuild = Self {
            tree: Tree::new(old.face_count()),
            params: *params,
            growth: Growth::new(params),
            items: Vec::new(),
            changed: Vec::new(),
            paid: 0,
        };
        let live = old.surface.live();
        let centres: Vec<Centroid> = live.map(|(face, at)| centre(face, &at)).collect();
        if !centres.is_empty() {
            let mut builder = Builder::new(&mut rebuild.tree, &old.surface, &mut rebuild.growth);
            rebuild.items = builder.fill_root(&centres).0;
        }
        rebuild
    }

    /// Goes on until about `work` more triangles were looked at, and takes what was done from it; whether the tree is
    /// ready. `old` is the tree that it began with, as it is now.
    pub fn advance(&mut self, old: &Bvh, work: &mut u64) -> bool {
        let builder = &mut Builder::new(&mut self.tree, &old.surface, &mut self.growth);
        // What beginning has cost counts too.
        let end = self.paid.saturating_add(*work);
        let left = end.saturating_sub(builder.tree.work);
        let is_ready = builder.grow(&mut self.items, left);
        *work = end.saturating_sub(self.tree.work);
        self.paid = self.tree.work.min(end);
        is_ready
    }

    /// Takes note of slots that `old` was updated in.
    pub fn note(&mut self, changed: &[u32]) {
        self.changed.extend_from_slice(changed);
    }

    /// Takes the place of the old tree, as it is now. What is not ready yet is done first.
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
