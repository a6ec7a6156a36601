//! The visible rooms of a picture, with visibility tests for balls, bodies and lights.
use super::frustum::box_in_frustum;
use super::visibility_cache::VisibilityCache;
use crate::geom::Aabb;
use crate::world::{RoomId, World};
use glam::{DMat4, DVec3};

/// The visible rooms and the view frustum.
pub(super) struct VisibleSet<'a> {
    world: &'a World,
    clip: DMat4,
    /// By room.
    visible: Vec<bool>,
    /// Bounds of the visible rooms.
    bounds: Aabb,
}

impl<'a> VisibleSet<'a> {
    /// From the list of visible rooms.
    pub fn new(world: &'a World, clip: DMat4, visible: &[RoomId]) -> Self {
        let mut is_visible = vec![false; world.room_count()];
        let mut bounds = Aabb::EMPTY;
        for &id in visible {
            is_visible[id as usize] = true;
            bounds = bounds.union(&world.room(id).cell);
        }
        Self {
            world,
            clip,
            visible: is_visible,
            bounds,
        }
    }

    /// Whether the room is visible.
    pub fn contains(&self, id: RoomId) -> bool {
        self.visible
            .get(id as usize)
            .is_some_and(|&visible| visible)
    }

    /// Whether a ball may be visible: in the frustum and in a visible room.
    pub fn sees_ball(&self, centre: DVec3, radius: f64) -> bool {
        self.sees_box(&Aabb::from_centre(centre, DVec3::splat(radius)))
    }

    /// Whether a box is in the frustum and touches a visible room.
    pub fn sees_box(&self, around: &Aabb) -> bool {
        box_in_frustum(around, &self.clip) && self.any_room_in_box(around, |_, _| true)
    }

    /// [`VisibleSet::sees_ball`] of a body; its room of the picture before, which it seldom leaves, is tried first.
    pub fn sees_body(
        &self,
        number: usize,
        cache: &mut VisibilityCache,
        centre: DVec3,
        radius: f64,
    ) -> bool {
        let around = Aabb::from_centre(centre, DVec3::splat(radius));
        if !self.bounds.overlaps(&around) {
            return false;
        }
        if cache.body_rooms.len() <= number {
            cache.body_rooms.resize(number + 1, RoomId::MAX);
        }
        let known = cache.body_rooms[number];
        let is_within = (known as usize) < self.visible.len()
            && self.world.room(known).cell.contains_box(&around);
        if is_within {
            return self.contains(known) && box_in_frustum(&around, &self.clip);
        }
        if !box_in_frustum(&around, &self.clip) {
            return false;
        }
        self.any_room_in_box(&around, |id, _| {
            cache.body_rooms[number] = id;
            true
        })
    }

    /// Whether a light of this radius reaches a visible room.
    pub fn reached_by(&self, centre: DVec3, radius: f64) -> bool {
        let around = Aabb::from_centre(centre, DVec3::splat(radius));
        let near = |_, cell: &Aabb| cell.closest_point(centre).distance(centre) < radius;
        self.bounds.overlaps(&around) && self.any_room_in_box(&around, near)
    }

    /// Whether a visible room overlaps the box and satisfies `holds`; `holds` is called for every room there.
    fn any_room_in_box(&self, bounds: &Aabb, mut holds: impl FnMut(RoomId, &Aabb) -> bool) -> bool {
        let mut any = false;
        self.world.each_room_in_box(bounds, &mut |id| {
            any |= holds(id, &self.world.room(id).cell) && self.contains(id);
        });
        any
    }
}
