//! A world without what is large in it, to be filled again from a later one of the same run: what lies between the two is
//! kept anyway, as what takes each change back ([`Delta`]). So a keyframe costs no faces, and going back costs the changes.
use super::undo::{self, Delta};
use super::{Revision, World, mesh, portals};
use crate::exact::Planes;
use crate::stage::{Marker, Stage};

impl World {
    /// Only what is small: nothing can be asked of it until it is filled. An operation that has begun is left out.
    pub fn hollow(&self) -> World {
        World {
            materials: self.materials.clone(),
            sealed: self.sealed,
            slits: Vec::new(),
            leak: Vec::new(),
            planes: Planes::default(),
            bounds: self.bounds,
            bedrock: self.bedrock,
            cells: Vec::new(),
            nodes: Vec::new(),
            rooms: Vec::new(),
            portals: Vec::new(),
            links: Vec::new(),
            slots: Vec::new(),
            worn: Vec::new(),
            edges: Default::default(),
            params: self.params,
            revision: self.revision,
            face_hash: self.face_hash,
            material_hashes: self.material_hashes.clone(),
            pieces: self.pieces,
            fallen: self.fallen,
            rests: self.rests.clone(),
            budget_bytes: self.budget_bytes,
            changes: Default::default(),
            unbreakable: Vec::new(),
            work: None,
        }
    }

    /// Whether it is one of those.
    pub fn is_hollow(&self) -> bool {
        self.cells.is_empty()
    }

    /// Makes a hollow world whole: `later` is one of the same run, and `changes` takes back what was done in between,
    /// the last change first. False where that is not the world that it
    /// was: then it is hollow as before.
    pub fn fill(
        &mut self,
        mut later: World,
        changes: impl Iterator<Item = Delta>,
        marker: &mut dyn Marker,
    ) -> bool {
        later.abandon();
        marker.begin(Stage::Clip);
        let mut entries = Vec::new();
        for change in changes {
            let (never, _) = undo::restore(&mut later, change);
            undo::forget(&mut later, &never);
            entries.extend(never.entries);
        }
        marker.end(Stage::Clip);
        if (later.face_hash, later.fallen) != (self.face_hash, self.fallen) {
            return false;
        }
        later.revision = Revision::next();
        let rooms = undo::rooms(&entries, later.cells.len());
        marker.begin(Stage::Portals);
        let near = portals::of_rooms(&later, &rooms);
        portals::update(&mut later, &near);
        marker.end(Stage::Portals);
        marker.begin(Stage::Bins);
        mesh::update(&mut later, &entries);
        marker.end(Stage::Bins);
        let params = self.params;
        later.materials = self.materials.clone();
        later.material_hashes = std::mem::take(&mut self.material_hashes);
        later.rests = std::mem::take(&mut self.rests);
        later.pieces = self.pieces;
        later.budget_bytes = self.budget_bytes;
        *self = later;
        if self.params != params {
            self.rebuild_trees(&params, marker);
        }
        true
    }
}
