//! Changed triangles of the surface for a host, as plain slices with stable ids.
use super::revision::Revision;
use super::room::{Room, RoomId};
use super::world::World;
use crate::bvh::Triangle;
use crate::carve::MaterialId;
use glam::DVec3;

/// Id of a triangle of the surface, stable while the triangle lives. A later triangle may reuse it; it is then reported as
/// changed and replaces the old one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TriangleId {
    /// The room that it lies in: [`crate::world::CastHit::room`].
    pub room: RoomId,
    /// Its slot among the room's triangles: [`crate::world::CastHit::triangle`].
    pub slot: u32,
}

/// A triangle of the surface, to be drawn and collided with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceTriangle {
    /// Its id.
    pub id: TriangleId,
    /// Corners, metres, counter-clockwise seen from the air.
    pub points: [DVec3; 3],
    /// Unit normal, into the air.
    pub normal: DVec3,
    /// Index into [`World::materials`].
    pub material: MaterialId,
}

/// The differences between two calls of [`SurfaceTracker::update`].
#[derive(Clone, Copy, Debug)]
pub struct SurfaceChanges<'a> {
    /// Triangles that are new, or may have changed under the same id: write these into the host's buffers.
    pub changed: &'a [SurfaceTriangle],
    /// Ids of triangles that are gone: remove these.
    pub removed: &'a [TriangleId],
    /// The rooms of these triangles, ascending, for hosts with a mesh or a collider for each room.
    pub rooms: &'a [RoomId],
}

/// Reports changes of a world's surface to a host. It keeps a copy of the surface (24 bytes a triangle and 24 a point), so
/// that the world can edit rooms in place. The cost of a call follows the size of the rooms that changed.
///
/// ```
/// use breach_core::world::{BrushDesc, EditError, SurfaceTracker, World};
/// use glam::DVec3;
/// let mut world = World::solid_box(DVec3::ZERO, DVec3::splat(2.0))?;
/// let mut surface = SurfaceTracker::default();
/// // All of it: twelve triangles of the block and twelve of the bounds.
/// assert_eq!(surface.update(&world).changed.len(), 24);
/// assert_eq!(surface.update(&world).changed.len(), 0);
/// world.carve(&BrushDesc::cuboid(DVec3::splat(1.0), DVec3::splat(3.0))?)?;
/// let changes = surface.update(&world);
/// assert!(changes.changed.len() > 6 && changes.changed.len() < 24);
/// # Ok::<(), EditError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SurfaceTracker {
    seen: Vec<Seen>,
    changed: Vec<SurfaceTriangle>,
    removed: Vec<TriangleId>,
    rooms: Vec<RoomId>,
}

/// A room as it was handed over.
#[derive(Clone, Debug, Default)]
struct Seen {
    revision: Revision,
    triangles: Vec<Triangle>,
    positions: Vec<DVec3>,
    /// By face.
    materials: Vec<MaterialId>,
}

impl SurfaceTracker {
    /// The differences from the last call, for this world or another. The first call reports everything.
    pub fn update(&mut self, world: &World) -> SurfaceChanges<'_> {
        self.changed.clear();
        self.removed.clear();
        self.rooms.clear();
        let count = world.room_count();
        self.seen
            .resize_with(self.seen.len().max(count), Seen::default);
        for (id, seen) in (0..).zip(&mut self.seen) {
            let room = ((id as usize) < count).then(|| world.room(id));
            if room.map_or(Revision::default(), |room| room.revision) == seen.revision {
                continue;
            }
            let before = self.changed.len() + self.removed.len();
            match room {
                Some(room) => seen.take_over(id, room, &mut self.changed, &mut self.removed),
                None => std::mem::take(seen).drop_all(id, &mut self.removed),
            }
            if self.changed.len() + self.removed.len() > before {
                self.rooms.push(id);
            }
        }
        self.seen.truncate(count);
        SurfaceChanges {
            changed: &self.changed,
            removed: &self.removed,
            rooms: &self.rooms,
        }
    }
}

impl Seen {
    /// Reports all triangles of a removed room.
    fn drop_all(self, room: RoomId, removed: &mut Vec<TriangleId>) {
        let live = (0..).zip(&self.triangles).filter(|(_, t)| t.is_live());
        removed.extend(live.map(|(slot, _)| TriangleId { room, slot }));
    }

    fn take_over(
        &mut self,
        id: RoomId,
        room: &Room,
        changed: &mut Vec<SurfaceTriangle>,
        removed: &mut Vec<TriangleId>,
    ) {
        let (mesh, faces) = (&*room.mesh, &*room.faces);
        // Numbers of points are reused too. Few points move, so their positions are compared first.
        let moved = moved(&mut self.positions, &mesh.positions);
        let repainted = repainted(&mut self.materials, faces.iter().map(|face| face.material));
        let slots = self.triangles.len().max(mesh.triangles.len());
        self.triangles.resize(slots, Triangle::DEAD);
        for (slot, old) in (0u32..).zip(&mut self.triangles) {
            let new = *mesh.triangles.get(slot as usize).unwrap_or(&Triangle::DEAD);
            let is_same = *old == new
                && (moved.is_empty()
                    || !new.corners.iter().any(|c| moved.binary_search(c).is_ok()))
                && (repainted.is_empty() || repainted.binary_search(&new.face).is_err());
            if is_same {
                continue;
            }
            let was_live = std::mem::replace(old, new).is_live();
            let id = TriangleId { room: id, slot };
            if new.is_live() {
                let face = &faces[new.face as usize];
                changed.push(SurfaceTriangle {
                    id,
                    points: new.corners.map(|corner| mesh.positions[corner as usize]),
                    normal: face.normal,
                    material: face.material,
                });
            } else if was_live {
                removed.push(id);
            }
        }
        self.triangles.truncate(mesh.triangles.len());
        self.revision = room.revision;
    }
}

/// Updates the copy of the positions. Returns the numbers of points that moved, ascending.
fn moved(old: &mut Vec<DVec3>, new: &[DVec3]) -> Vec<u32> {
    let both = (0..).zip(old.iter_mut()).zip(new);
    let mut moved = Vec::new();
    for ((number, old), new) in both {
        if old != new {
            *old = *new;
            moved.push(number);
        }
    }
    let known = old.len().min(new.len());
    old.truncate(known);
    old.extend_from_slice(&new[known..]);
    moved
}

/// Updates the copy of the faces' materials. Returns the faces with another material, ascending.
fn repainted(
    old: &mut Vec<MaterialId>,
    new: impl ExactSizeIterator<Item = MaterialId>,
) -> Vec<u32> {
    let mut changed = Vec::new();
    old.truncate(new.len());
    for (number, new) in new.enumerate() {
        match old.get_mut(number) {
            None => old.push(new),
            Some(old) if *old != new => {
                *old = new;
                changed.push(number as u32);
            }
            Some(_) => {}
        }
    }
    changed
}
