//! Faces, triangles, mesh quality and portals of the rooms, counted again where a room has changed.
use crate::world::{Quality, Revision, RoomId, World};

/// The counts.
pub(super) struct RoomCounts {
    /// Faces and triangles of each room.
    sizes: Vec<(u32, u32)>,
    /// Revision of each room when it was last counted.
    revisions: Vec<Revision>,
    faces: u64,
    triangles: u64,
    /// Mesh quality of the drawn surface: of all rooms, and of each.
    surface: Quality,
    surfaces: Vec<Quality>,
    open_portals: usize,
}

impl RoomCounts {
    /// Of a world, whose rooms have these numbers of faces and triangles.
    pub fn new(world: &World, sizes: Vec<(u32, u32)>) -> Self {
        let sum = |pick: fn(&(u32, u32)) -> u32| sizes.iter().map(|s| u64::from(pick(s))).sum();
        let mut counts = Self {
            faces: sum(|s| s.0),
            triangles: sum(|s| s.1),
            sizes,
            revisions: Vec::new(),
            surface: Quality::default(),
            surfaces: Vec::new(),
            open_portals: 0,
        };
        counts.count_portals(world);
        for room in 0..world.room_count() as RoomId {
            counts.inspect(world, room);
        }
        counts
    }

    /// Counts all rooms that changed since they were last counted.
    pub fn count_again(&mut self, world: &World) {
        self.forget_gone(world);
        for room in 0..world.room_count() as RoomId {
            let known = self.revisions.get(room as usize);
            if known != Some(&world.room(room).revision) {
                self.recount(world, room);
            }
        }
        self.count_portals(world);
    }

    /// Forgets rooms that an undo has removed.
    pub fn forget_gone(&mut self, world: &World) {
        let rooms = world.room_count();
        for size in self.sizes.split_off(self.sizes.len().min(rooms)) {
            self.faces -= u64::from(size.0);
            self.triangles -= u64::from(size.1);
        }
        for gone in self.surfaces.split_off(self.surfaces.len().min(rooms)) {
            self.surface.replace(gone, Quality::default());
        }
        self.revisions.truncate(rooms);
    }

    /// Counts a room that has changed.
    pub fn recount(&mut self, world: &World, room: RoomId) {
        // An undo in the same tick may have removed it.
        if room as usize >= world.room_count() {
            return;
        }
        let now = world.room(room);
        let now = (now.face_count, now.triangle_count);
        if self.sizes.len() <= room as usize {
            self.sizes.resize(room as usize + 1, (0, 0));
        }
        let size = &mut self.sizes[room as usize];
        self.faces = self.faces + u64::from(now.0) - u64::from(size.0);
        self.triangles = self.triangles + u64::from(now.1) - u64::from(size.1);
        *size = now;
        self.inspect(world, room);
    }

    /// Updates a room's mesh quality.
    fn inspect(&mut self, world: &World, room: RoomId) {
        let at = room as usize;
        if self.surfaces.len() <= at {
            self.surfaces.resize(at + 1, Quality::default());
        }
        if self.revisions.len() <= at {
            self.revisions.resize(at + 1, Revision::default());
        }
        self.revisions[at] = world.room(room).revision;
        let now = world.room_quality(room);
        let before = std::mem::replace(&mut self.surfaces[at], now);
        self.surface.replace(before, now);
    }

    /// Counts the open portals.
    pub fn count_portals(&mut self, world: &World) {
        let portals = world.portals().iter();
        self.open_portals = portals.filter(|portal| !portal.loops.is_empty()).count();
    }

    /// Faces and triangles of all rooms.
    pub fn totals(&self) -> [usize; 2] {
        [self.faces as usize, self.triangles as usize]
    }

    /// Faces and triangles of some rooms.
    pub fn of(&self, rooms: impl Iterator<Item = RoomId>) -> [usize; 2] {
        let sizes = rooms.filter_map(|room| self.sizes.get(room as usize));
        sizes.fold([0; 2], |[faces, triangles], size| {
            [faces + size.0 as usize, triangles + size.1 as usize]
        })
    }

    /// Mesh quality of all rooms.
    pub fn surface(&self) -> Quality {
        self.surface
    }

    /// Number of portals through which air passes.
    pub fn open_portals(&self) -> usize {
        self.open_portals
    }
}
