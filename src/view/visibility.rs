//! Which rooms the camera sees: a flood from the eye's room through portals, each seen through the window that the
//! portals before it leave on the screen (Luebke and Georges, "Portals and mirrors", 1995).
//!
//! A window is the bounding rectangle of what is left of the portal, so a room may be drawn that hides behind a
//! frame, but no room that can be seen is missed. Polygons are clipped before the division by w, so portals that
//! reach behind the eye, and an eye that stands in a portal, need no special care but the one at `touches`.
use super::Camera;
use super::camera::clip_from_world;
use crate::geom::Aabb;
use crate::world::{Portal, RoomId, World};
use glam::{DMat4, DVec3, DVec4};
use std::collections::VecDeque;

/// An eye this near to a portal's opening looks into both rooms, metres. More than the near distance and the corners
/// of the near rectangle, so that nothing that is drawn can lie between.
const TOUCH_M: f64 = 0.1;
/// Windows are grown by this, in half screens, against rounding.
const PAD: f64 = 1e-7;
/// Parts of a polygon nearer to the eye's plane than this are cut off, metres. Far below any drawn distance.
const W_MIN: f64 = 1e-7;

/// Every room that may be seen, nearest first (ties: lowest id). With the eye in rock, or outside the level, all
/// rooms whose cell is in the picture.
pub fn visible_rooms(world: &World, camera: &Camera) -> Vec<RoomId> {
    let seen = visible_windows(world, camera);
    seen.into_iter().map(|(id, _)| id).collect()
}

/// [`visible_rooms`], each with the part of the screen that it is seen through.
pub fn visible_windows(world: &World, camera: &Camera) -> Vec<(RoomId, Window)> {
    let clip = clip_from_world(camera);
    let eye = camera.eye;
    let count = world.room_count();
    let seen: Vec<(RoomId, Window)> = match world.locate(eye) {
        Some(start) => {
            let portals_of = |id: RoomId| world.room(id).portals.as_slice();
            flood(start, count, world.portals(), portals_of, &clip, eye)
        }
        None => (0..count as RoomId)
            .filter(|&id| box_in_picture(&world.room(id).cell, &clip))
            .map(|id| (id, Window::ALL))
            .collect(),
    };
    let mut by_distance: Vec<(f64, (RoomId, Window))> = seen
        .into_iter()
        .map(|seen| (distance_to_box(&world.room(seen.0).cell, eye), seen))
        .collect();
    by_distance.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.0.cmp(&b.1.0)));
    by_distance.into_iter().map(|(_, seen)| seen).collect()
}

/// What can be seen, to be asked about things that stand in the rooms.
pub(super) struct Sight<'a> {
    world: &'a World,
    clip: DMat4,
    /// For each room whether it is visible.
    seen: Vec<bool>,
    /// Around all that is.
    bounds: Aabb,
}

impl<'a> Sight<'a> {
    /// From the rooms that are visible in this picture.
    pub fn new(world: &'a World, clip: DMat4, visible: &[RoomId]) -> Self {
        let mut seen = vec![false; world.room_count()];
        let mut bounds = Aabb::EMPTY;
        for &id in visible {
            seen[id as usize] = true;
            bounds = bounds.union(&world.room(id).cell);
        }
        Self {
            world,
            clip,
            seen,
            bounds,
        }
    }

    /// Whether the room is visible.
    pub fn is_seen(&self, id: RoomId) -> bool {
        self.seen.get(id as usize).is_some_and(|&seen| seen)
    }

    /// Whether any of a ball may be in the picture.
    pub fn shows(&self, centre: DVec3, radius: f64) -> bool {
        let around = Aabb::from_centre(centre, DVec3::splat(radius));
        box_in_picture(&around, &self.clip) && self.any_room_at(&around, |_| true)
    }

    /// Whether a ball touches a visible room.
    pub fn reaches(&self, centre: DVec3, radius: f64) -> bool {
        let around = Aabb::from_centre(centre, DVec3::splat(radius));
        let near = |cell: &Aabb| distance_to_box(cell, centre) < radius;
        self.bounds.overlaps(&around) && self.any_room_at(&around, near)
    }

    fn any_room_at(&self, bounds: &Aabb, holds: impl Fn(&Aabb) -> bool) -> bool {
        let mut any = false;
        self.world.each_room_in_box(bounds, &mut |id| {
            any |= self.is_seen(id) && holds(&self.world.room(id).cell);
        });
        any
    }
}

/// A rectangle on the screen, -1..=1 on both axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Left and bottom.
    pub min: [f64; 2],
    /// Right and top.
    pub max: [f64; 2],
}

impl Window {
    /// The whole screen.
    pub const ALL: Window = Window {
        min: [-1.0, -1.0],
        max: [1.0, 1.0],
    };

    fn contains(&self, other: &Window) -> bool {
        (0..2).all(|i| self.min[i] <= other.min[i] && other.max[i] <= self.max[i])
    }

    fn union(&self, other: &Window) -> Window {
        Window {
            min: [self.min[0].min(other.min[0]), self.min[1].min(other.min[1])],
            max: [self.max[0].max(other.max[0]), self.max[1].max(other.max[1])],
        }
    }
}

/// Rooms reached from `start`, ascending. Each room keeps the union of its windows; it is looked at again when that
/// grew. Windows only grow, and their sides come from a finite set of portal sides, so it ends.
fn flood<'a>(
    start: RoomId,
    room_count: usize,
    portals: &[Portal],
    portals_of: impl Fn(RoomId) -> &'a [u32],
    clip: &DMat4,
    eye: DVec3,
) -> Vec<(RoomId, Window)> {
    let mut windows: Vec<Option<Window>> = vec![None; room_count];
    let mut queue = VecDeque::new();
    let mut corners = Vec::new();
    let Some(first) = windows.get_mut(start as usize) else {
        return Vec::new();
    };
    *first = Some(Window::ALL);
    queue.push_back(start);
    while let Some(room) = queue.pop_front() {
        let Some(window) = windows[room as usize] else {
            continue;
        };
        for &index in portals_of(room) {
            let Some(portal) = portals.get(index as usize) else {
                continue;
            };
            let other = if portal.rooms[0] == room {
                portal.rooms[1]
            } else {
                portal.rooms[0]
            };
            let Some(known) = windows.get(other as usize).copied() else {
                continue;
            };
            if known.is_some_and(|known| known.contains(&window)) {
                continue;
            }
            let Some(through) = look_through(portal, room, &window, clip, eye, &mut corners) else {
                continue;
            };
            let grown = known.map_or(through, |known| known.union(&through));
            if known != Some(grown) {
                windows[other as usize] = Some(grown);
                queue.push_back(other);
            }
        }
    }
    let seen = (0..).zip(windows);
    seen.filter_map(|(id, window)| Some((id, window?)))
        .collect()
}

/// What is left of `window` when looking out of `room` through the portal.
fn look_through(
    portal: &Portal,
    room: RoomId,
    window: &Window,
    clip: &DMat4,
    eye: DVec3,
    corners: &mut Vec<DVec4>,
) -> Option<Window> {
    let axis = portal.axis.min(2);
    let plane = portal.loops.iter().flatten().next()?[axis];
    if touches(portal, axis, plane, eye) {
        return Some(*window);
    }
    // A straight line of sight leaves the room only if the eye is on the room's side of the portal.
    let is_first = portal.rooms[0] == room;
    if (is_first && eye[axis] > plane) || (!is_first && eye[axis] < plane) {
        return None;
    }
    let mut left: Option<Window> = None;
    for outline in &portal.loops {
        corners.clear();
        corners.extend(outline.iter().map(|&p| *clip * p.extend(1.0)));
        if let Some(part) = clip_to_window(corners, window) {
            left = Some(left.map_or(part, |left| left.union(&part)));
        }
    }
    left
}

/// The eye stands in the opening, or so near that its plane cuts through the near rectangle.
fn touches(portal: &Portal, axis: usize, plane: f64, eye: DVec3) -> bool {
    if (eye[axis] - plane).abs() > TOUCH_M {
        return false;
    }
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &p in portal.loops.iter().flatten() {
        min = min.min(p);
        max = max.max(p);
    }
    (eye.cmpge(min - TOUCH_M) & eye.cmple(max + TOUCH_M)).all()
}

/// Clips a polygon in clip space against the eye's plane and the window; the bounding rectangle of the rest.
/// Sutherland-Hodgman: bounds stay right for outlines that are not convex.
fn clip_to_window(corners: &mut Vec<DVec4>, window: &Window) -> Option<Window> {
    let planes = [
        DVec4::new(0.0, 0.0, 0.0, 1.0),
        DVec4::new(1.0, 0.0, 0.0, PAD - window.min[0]),
        DVec4::new(-1.0, 0.0, 0.0, PAD + window.max[0]),
        DVec4::new(0.0, 1.0, 0.0, PAD - window.min[1]),
        DVec4::new(0.0, -1.0, 0.0, PAD + window.max[1]),
    ];
    let mut clipped = Vec::with_capacity(corners.len() + planes.len());
    for (index, plane) in planes.iter().enumerate() {
        let offset = if index == 0 { W_MIN } else { 0.0 };
        clipped.clear();
        for i in 0..corners.len() {
            let (a, b) = (corners[i], corners[(i + 1) % corners.len()]);
            let (side_a, side_b) = (plane.dot(a) - offset, plane.dot(b) - offset);
            if side_a >= 0.0 {
                clipped.push(a);
            }
            if (side_a >= 0.0) != (side_b >= 0.0) {
                clipped.push(a + (b - a) * (side_a / (side_a - side_b)));
            }
        }
        std::mem::swap(corners, &mut clipped);
        if corners.is_empty() {
            return None;
        }
    }
    let mut left = Window {
        min: [f64::INFINITY; 2],
        max: [f64::NEG_INFINITY; 2],
    };
    for corner in corners.iter() {
        for (axis, value) in [corner.x / corner.w, corner.y / corner.w]
            .into_iter()
            .enumerate()
        {
            left.min[axis] = left.min[axis].min(value - PAD);
            left.max[axis] = left.max[axis].max(value + PAD);
        }
    }
    for axis in 0..2 {
        left.min[axis] = left.min[axis].max(window.min[axis]);
        left.max[axis] = left.max[axis].min(window.max[axis]);
    }
    (left.min[0] <= left.max[0] && left.min[1] <= left.max[1]).then_some(left)
}

/// Whether any of the box may be in the picture: it lies wholly outside no side of the view's pyramid.
pub(super) fn box_in_picture(bounds: &Aabb, clip: &DMat4) -> bool {
    let [x, y, w] = [clip.row(0), clip.row(1), clip.row(3)];
    [w, w + x, w - x, w + y, w - y].iter().all(|plane| {
        let normal = plane.truncate();
        let farthest = DVec3::select(normal.cmpge(DVec3::ZERO), bounds.max, bounds.min);
        normal.dot(farthest) + plane.w >= 0.0
    })
}

/// Metres from the point to the box; 0 inside.
pub(super) fn distance_to_box(bounds: &Aabb, p: DVec3) -> f64 {
    (p - p.max(bounds.min).min(bounds.max)).length()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator so that a failing case is a number.
    struct Random(u64);
    impl Random {
        fn next(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (self.0 >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    const N: usize = 4;
    const SIDE: f64 = 5.0;

    struct Cells {
        portals: Vec<Portal>,
        of: Vec<Vec<u32>>,
    }

    fn id(c: [usize; 3]) -> usize {
        (c[0] * N + c[1]) * N + c[2]
    }

    /// A cube of cells with random doors, some covering the whole side.
    fn cells(random: &mut Random) -> Cells {
        let mut cells = Cells {
            portals: Vec::new(),
            of: vec![Vec::new(); N * N * N],
        };
        for (x, y, z) in (0..N * N * N).map(|i| (i / N / N, i / N % N, i % N)) {
            for axis in 0..3 {
                let here = [x, y, z];
                let mut next = here;
                next[axis] += 1;
                if next[axis] == N || random.next() < 0.3 {
                    continue;
                }
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let whole = random.next() < 0.2;
                let mut span = |i: usize| {
                    let low = here[i] as f64 * SIDE;
                    let (a, b) = (random.next(), random.next());
                    if whole {
                        (low, low + SIDE)
                    } else {
                        (low + a.min(b) * SIDE, low + a.max(b) * SIDE)
                    }
                };
                let (u0, u1) = span(u);
                let (v0, v1) = span(v);
                let corner = |cu: f64, cv: f64| {
                    let mut p = DVec3::ZERO;
                    p[axis] = next[axis] as f64 * SIDE;
                    p[u] = cu;
                    p[v] = cv;
                    p
                };
                let index = cells.portals.len() as u32;
                cells.of[id(here)].push(index);
                cells.of[id(next)].push(index);
                cells.portals.push(Portal {
                    rooms: [id(here) as u32, id(next) as u32],
                    axis,
                    loops: vec![vec![
                        corner(u0, v0),
                        corner(u1, v0),
                        corner(u1, v1),
                        corner(u0, v1),
                    ]],
                    area_m2: (u1 - u0) * (v1 - v0),
                    born: 0,
                });
            }
        }
        cells
    }

    /// Walks a ray from room to room; calls `seen` for each room it enters.
    fn walk(cells: &Cells, start: usize, eye: DVec3, dir: DVec3, mut seen: impl FnMut(usize)) {
        let (mut room, mut at) = (start, 0.0);
        'rooms: loop {
            seen(room);
            for &index in &cells.of[room] {
                let portal = &cells.portals[index as usize];
                let plane = portal.loops[0][0][portal.axis];
                let t = (plane - eye[portal.axis]) / dir[portal.axis];
                if !(t.is_finite() && t > at) {
                    continue;
                }
                let hit = eye + dir * t;
                let (a, b) = (portal.loops[0][0], portal.loops[0][2]);
                let inside = (0..3).all(|i| i == portal.axis || (a[i] < hit[i] && hit[i] < b[i]));
                if inside {
                    room = if portal.rooms[0] as usize == room {
                        portal.rooms[1]
                    } else {
                        portal.rooms[0]
                    } as usize;
                    at = t;
                    continue 'rooms;
                }
            }
            return;
        }
    }

    #[test]
    fn no_room_that_a_ray_reaches_is_missed() {
        let mut random = Random(7);
        let mut drawn = 0;
        for _ in 0..150 {
            let cells = cells(&mut random);
            let mut eye = DVec3::new(random.next(), random.next(), random.next()) * SIDE * N as f64;
            if random.next() < 0.3 && !cells.portals.is_empty() {
                // Stand in a portal's plane, or a hair beside it.
                let portal = &cells.portals[(random.next() * cells.portals.len() as f64) as usize];
                eye = (portal.loops[0][0] + portal.loops[0][2]) * 0.5;
                eye[portal.axis] += [0.0, 1e-9, -1e-9, 0.03][(random.next() * 4.0) as usize];
            }
            let cell = |v: f64| ((v / SIDE) as usize).min(N - 1);
            let start = id([cell(eye.x), cell(eye.y), cell(eye.z)]);
            let camera = Camera {
                eye,
                yaw: random.next() * 6.3,
                pitch: (random.next() - 0.5) * 3.0,
                fov_y: 0.4 + random.next() * 1.4,
                aspect: 0.5 + random.next() * 2.0,
            };
            let clip = clip_from_world(&camera);
            let of = |room: RoomId| cells.of[room as usize].as_slice();
            let rooms = flood(start as RoomId, N * N * N, &cells.portals, of, &clip, eye);
            drawn += rooms.len();
            let [right, up, back] = super::super::camera::axes(&camera);
            let [half_x, half_y] = super::super::camera::half_extent(&camera);
            for _ in 0..400 {
                let (sx, sy) = (random.next() * 2.0 - 1.0, random.next() * 2.0 - 1.0);
                let dir = right * (sx * half_x) + up * (sy * half_y) - back;
                walk(&cells, start, eye, dir, |room| {
                    assert!(
                        rooms.iter().any(|&(id, _)| id as usize == room),
                        "room {room} is seen from {camera:?}"
                    );
                });
            }
        }
        assert!(
            drawn < 150 * N * N * N / 2,
            "the flood draws nearly everything: {drawn}"
        );
    }

    #[test]
    fn a_box_behind_the_camera_is_not_in_the_picture() {
        let camera = Camera {
            eye: DVec3::ZERO,
            yaw: 0.0,
            pitch: 0.0,
            fov_y: 1.2,
            aspect: 1.0,
        };
        let clip = clip_from_world(&camera);
        let at = |p: DVec3| Aabb {
            min: p - 1.0,
            max: p + 1.0,
        };
        assert!(box_in_picture(&at(DVec3::new(0.0, 0.0, -5.0)), &clip));
        assert!(box_in_picture(&at(DVec3::ZERO), &clip));
        assert!(!box_in_picture(&at(DVec3::new(0.0, 0.0, 5.0)), &clip));
        assert!(!box_in_picture(&at(DVec3::new(50.0, 0.0, -5.0)), &clip));
    }
}
