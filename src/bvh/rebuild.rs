//! A new tree for a surface that goes on changing: built in slices beside the old one, which answers meanwhile.
//!
//! Work is counted in triangles looked at, not in time: the same slices give the same tree at the same moment, on any
//! machine. What changes while it grows is noted, and made good when it takes the old one's place.
use super::build::{Builder, Growth, Item};
use super::node::{NONE, Tree};
use super::{BuildParams, Bvh, edit};

/// A tree that is growing.
#[derive(Clone, Debug)]
pub struct Rebuild {
    tree: Tree,
    params: BuildParams,
    growth: Growth,
    /// The triangles as they were at the beginning.
    items: Vec<Item>,
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
            items: edit::live(&old.surface.faces),
            changed: Vec::new(),
            paid: 0,
        };
        if !rebuild.items.is_empty() {
            let faces = &old.surface.faces;
            Builder::new(&mut rebuild.tree, faces, &mut rebuild.growth)
                .fill_root(&mut rebuild.items);
        }
        rebuild
    }

    /// Goes on until about `work` more triangles were looked at, and takes what was done from it; whether the tree is
    /// ready. `old` is the tree that it began with, as it is now.
    pub fn advance(&mut self, old: &Bvh, work: &mut u64) -> bool {
        let faces = &old.surface.faces;
        let builder = &mut Builder::new(&mut self.tree, faces, &mut self.growth);
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
            edit::take_out(&mut tree, slot, &mut old.spare.0.left);
        }
        let faces = &old.surface.faces;
        let new = changed.iter().filter_map(|&slot| faces.get(slot as usize));
        let new = new.filter(|face| face.triangle != NONE);
        let new = new.map(|face| Item::around(face.triangle, &face.corners));
        let scratch = &mut old.spare.0;
        scratch.items.extend(new);
        let bounds = edit::let_down(&mut tree, &old.surface.faces, &params, scratch);
        old.tree = tree;
        old.reach = super::reach_of(&bounds);
    }
}
