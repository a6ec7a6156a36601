//! Queries: the room around a point, the first surface on a ray or in the way of a moving sphere, the surface near a
//! point. They see the state of the last commit, also while an operation is in progress.
use super::kd_tree::SLACK;
use super::revision::Revision;
use super::room::RoomId;
use super::visible::Visible;
use super::world::World;
use crate::bvh::{Bvh, Patch, QueryStats, Touch};
use crate::geom::Aabb;
use glam::DVec3;
use smallvec::SmallVec;

/// Where a ray or a sphere met the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// Fraction of the displacement, 0..=1. No buffer applied.
    pub fraction: f64,
    /// Point of contact.
    pub point: DVec3,
    /// From the surface to the centre; unit.
    pub normal: DVec3,
    /// Room of the face.
    pub room: RoomId,
    /// Triangle of the room's mesh.
    pub triangle: u32,
}

impl World {
    /// The cell around `p` (air or rock); None outside the bounds.
    pub fn cell_at(&self, p: DVec3) -> Option<RoomId> {
        self.visible.cell_at(p)
    }
    /// The room whose air contains `p`; None in rock or outside.
    pub fn locate(&self, p: DVec3) -> Option<RoomId> {
        self.visible.locate(p)
    }
    /// First surface on the segment, through rooms and portals.
    pub fn cast_ray(&self, from: DVec3, to: DVec3, stats: &mut QueryStats) -> Option<CastHit> {
        self.visible.cast(from, to, 0.0, stats)
    }
    /// First contact of a moving sphere, through rooms and portals; see [`crate::bvh::Bvh::sweep_sphere`].
    ///
    /// How the air is divided into rooms changes no answer, but for a sphere that starts so deep in a wall that it reaches out of
    /// the wall's other side: there it may be stopped by the border of a face that goes on in the next room.
    pub fn sweep_sphere(
        &self,
        from: DVec3,
        to: DVec3,
        radius: f64,
        stats: &mut QueryStats,
    ) -> Option<CastHit> {
        self.visible.cast(from, to, radius, stats)
    }
    /// Every triangle whose box touches `bounds`: (room, triangle), in a fixed order.
    pub fn each_triangle_in_box(
        &self,
        bounds: &Aabb,
        stats: &mut QueryStats,
        visit: &mut dyn FnMut(RoomId, u32),
    ) {
        self.visible.each_triangle_in_box(bounds, stats, visit)
    }
    /// Visits the surface within `reach` metres of a point in the air; see [`crate::bvh::Bvh::each_touch`].
    pub fn each_touch(
        &self,
        centre: DVec3,
        reach: f64,
        stats: &mut QueryStats,
        visit: &mut dyn FnMut(Touch),
    ) {
        self.visible.each_touch(centre, reach, stats, visit)
    }
    /// Whether the surface within a box may have changed since `revision`, triangulation included.
    pub fn has_changed_since(&self, revision: Revision, bounds: &Aabb) -> bool {
        self.visible.changes.has_changed_since(revision, bounds)
    }
    /// A copy of the surface within a box, valid while the surface does not change; see [`Patch`].
    pub fn patch_in_box(&self, bounds: &Aabb, stats: &mut QueryStats) -> Patch {
        self.visible.patch_in_box(bounds, stats)
    }
    /// Every room whose cell touches `bounds`, in a fixed order. The cost follows the rooms found, not the level's
    /// size.
    pub fn each_room_in_box(&self, bounds: &Aabb, visit: &mut dyn FnMut(RoomId)) {
        self.visible.tree.each_cell_in_box(bounds, visit)
    }
    /// A room's rank in front-to-back order from `eye`: ranks never decrease along a ray from there, except for rays
    /// within a wall between cells. The cost follows the depth of the kd-tree.
    pub fn rank_from(&self, eye: DVec3, room: RoomId) -> u128 {
        self.visible.rank_from(eye, room)
    }
}

impl Visible {
    fn cell_at(&self, p: DVec3) -> Option<RoomId> {
        self.bounds.contains(p).then(|| self.tree.cell_at(p))?
    }

    fn rank_from(&self, eye: DVec3, room: RoomId) -> u128 {
        let room = self.rooms.get(room as usize);
        room.map_or(u128::MAX, |room| {
            self.tree.rank_from(eye, room.cell.centre())
        })
    }

    /// A majority of three rays decides, since one may graze an edge.
    pub fn locate(&self, p: DVec3) -> Option<RoomId> {
        let cell = self.cell_at(p)?;
        let far = self.bounds.diagonal() + 1.0;
        const DIRECTIONS: [DVec3; 3] = [
            DVec3::new(0.1037, -0.9761, 0.1907),
            DVec3::new(0.9213, 0.2579, -0.2911),
            DVec3::new(-0.3319, 0.1873, 0.9245),
        ];
        let mut votes = 0;
        for (i, direction) in DIRECTIONS.into_iter().enumerate() {
            votes += if self.sees_air(p, p + direction * far) {
                1
            } else {
                -1
            };
            if i == 1 && votes != 0 {
                break;
            }
        }
        (votes > 0).then_some(cell)
    }

    /// Whether a ray from `p` starts in air: then it meets a face's front before any back; from rock it meets a back
    /// first.
    fn sees_air(&self, p: DVec3, to: DVec3) -> bool {
        let mut stats = QueryStats::default();
        let [mut front, mut back] = [f64::INFINITY; 2];
        self.tree.each_cell_on_segment(p, to, SLACK, |id| {
            let room = &self.rooms[id as usize];
            let limit = front.min(back).min(1.0);
            if room.triangle_count > 0 {
                let sides = room.tree.first_sides(p, to, limit, &mut stats);
                (front, back) = (front.min(sides[0]), back.min(sides[1]));
            }
            front.min(back).min(1.0)
        });
        front < back
    }

    pub fn cast(
        &self,
        from: DVec3,
        to: DVec3,
        radius: f64,
        stats: &mut QueryStats,
    ) -> Option<CastHit> {
        let is_sound = from.is_finite() && to.is_finite() && radius.is_finite() && radius >= 0.0;
        if !is_sound {
            return None;
        }
        let mut best: Option<(u64, CastHit)> = None;
        self.tree
            .each_cell_on_segment(from, to, radius + SLACK, |id| {
                let room = &self.rooms[id as usize];
                if room.triangle_count > 0
                    && let Some(hit) = room.tree.sweep_sphere(&room.mesh, from, to, radius, stats)
                {
                    let key = room.mesh.triangles[hit.triangle as usize].key;
                    if best.is_none_or(|(k, b)| (hit.fraction, key) < (b.fraction, k)) {
                        let (fraction, point, normal, triangle) =
                            (hit.fraction, hit.point, hit.normal, hit.triangle);
                        best = Some((
                            key,
                            CastHit {
                                fraction,
                                point,
                                normal,
                                room: id,
                                triangle,
                            },
                        ));
                    }
                }
                best.map_or(1.0, |(_, hit)| hit.fraction)
            });
        best.map(|(_, hit)| hit)
    }

    pub fn each_triangle_in_box(
        &self,
        bounds: &Aabb,
        stats: &mut QueryStats,
        visit: &mut dyn FnMut(RoomId, u32),
    ) {
        self.tree
            .each_cell_in_box(&bounds.grow(SLACK), &mut |cell| {
                let room = &self.rooms[cell as usize];
                room.tree
                    .each_in_box(&room.mesh, bounds, stats, &mut |t| visit(cell, t));
            });
    }

    pub fn patch_in_box(&self, bounds: &Aabb, stats: &mut QueryStats) -> Patch {
        let mut trees: SmallVec<[&Bvh; 8]> = SmallVec::new();
        self.tree
            .each_cell_in_box(&bounds.grow(SLACK), &mut |cell| {
                let room = &self.rooms[cell as usize];
                if room.triangle_count > 0 {
                    trees.push(&room.tree);
                }
            });
        Patch::gather(&trees, bounds, stats)
    }

    pub fn each_touch(
        &self,
        centre: DVec3,
        reach: f64,
        stats: &mut QueryStats,
        visit: &mut dyn FnMut(Touch),
    ) {
        let around = Aabb::from_centre(centre, DVec3::splat(reach + SLACK));
        self.tree.each_cell_in_box(&around, &mut |cell| {
            let room = &self.rooms[cell as usize];
            if room.triangle_count > 0 {
                room.tree.each_touch(centre, reach, stats, &mut *visit);
            }
        });
    }
}
