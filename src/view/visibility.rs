//! Which rooms the camera sees: a flood from the eye's room through portals, each seen through the window that the
//! portals before it leave on the screen (Luebke and Georges, "Portals and mirrors", 1995).
//!
//! A [`Window`] is the convex hull of what is left of the portal, and a room that is seen through several portals has
//! the hull of all their windows: so a room may be drawn that hides behind a frame, but no room that can be seen is
//! missed. Whether a portal meets the window at all is asked first of the rectangle around it: two convex polygons,
//! and mostly the side that parted them in the last picture parts them still ([`Edges`]). Polygons are clipped before
//! the division by w, so portals that reach behind the eye, and an eye that stands in a portal, need no special care
//! but the one at `touches`.
use super::Camera;
use super::camera::clip_from_world;
use super::fences::Fences;
pub use super::window::Window;
use super::window::{PAD, on_screen};
use crate::collide::{SeparatingEdgeCache, separation_convex_convex_2d};
use crate::geom::Aabb;
use crate::world::{Portal, RoomId, World};
use glam::{DMat4, DVec3, DVec4};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An eye this near to a portal's opening looks into both rooms, metres. More than the near distance and the corners
/// of the near rectangle, so that nothing that is drawn can lie between.
const TOUCH_M: f64 = 0.1;
/// A room to which the flood has come back so often is seen through the whole screen from then on. Lines of sight through
/// cells of a kd-tree never come back; only round an eye that stands where several portals meet could a window creep.
const MOST_RETURNS: u8 = 64;

/// For each portal the side that parted it from the window in the last picture, and for each body the room that it was
/// in. Another world's, or an older one's, cost time and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    of: Vec<SeparatingEdgeCache>,
    /// By the body's number.
    rooms: Vec<RoomId>,
    /// How often a portal was parted from its window, by whichever side.
    pub parted: u64,
    /// What one sees through though it is solid.
    pub fences: Fences,
}

impl Edges {
    /// How often the side of before was enough.
    pub fn kept(&self) -> u64 {
        self.of.iter().map(|edge| edge.kept).sum()
    }
}

/// Every room that may be seen, nearest first (ties: lowest id). With the eye in rock, or outside the level, all
/// rooms whose cell is in the picture.
pub fn visible_rooms(world: &World, camera: &Camera) -> Vec<RoomId> {
    let seen = visible_windows(world, camera, &mut Edges::default());
    seen.into_iter().map(|(id, _)| id).collect()
}

/// [`visible_rooms`], each with the part of the screen that it is seen through. Where a fence is in sight
/// ([`Edges::fences`]) it may show any room: all whose cell is in the picture.
pub fn visible_windows(world: &World, camera: &Camera, edges: &mut Edges) -> Vec<(RoomId, Window)> {
    let clip = clip_from_world(camera);
    let eye = camera.eye;
    let count = world.room_count();
    let in_picture = || {
        let rooms = (0..count as RoomId).filter(|&id| box_in_picture(&world.room(id).cell, &clip));
        rooms.map(|id| (id, Window::ALL)).collect()
    };
    let seen: Vec<(RoomId, Window)> = match world.locate(eye) {
        Some(start) => {
            let portals_of = |id: RoomId| world.room(id).portals.as_slice();
            let place = |id: RoomId| world.rank_from(eye, id);
            let from = (start, count);
            let seen = flood(from, world.portals(), portals_of, place, &clip, eye, edges);
            match edges.fences.are_in(world, &seen) {
                false => seen,
                true => in_picture(),
            }
        }
        None => in_picture(),
    };
    let mut by_distance: Vec<(f64, (RoomId, Window))> = seen
        .into_iter()
        .map(|seen| {
            (
                world.room(seen.0).cell.closest_point(eye).distance(eye),
                seen,
            )
        })
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
        box_in_picture(&around, &self.clip) && self.any_room_at(&around, |_, _| true)
    }

    /// [`Sight::shows`] of the body of this number, which mostly is in the room that it was in before.
    pub fn shows_body(&self, number: usize, edges: &mut Edges, centre: DVec3, radius: f64) -> bool {
        let around = Aabb::from_centre(centre, DVec3::splat(radius));
        if !self.bounds.overlaps(&around) {
            return false;
        }
        if edges.rooms.len() <= number {
            edges.rooms.resize(number + 1, RoomId::MAX);
        }
        let known = edges.rooms[number];
        let is_within =
            (known as usize) < self.seen.len() && self.world.room(known).cell.contains_box(&around);
        if is_within {
            return self.is_seen(known) && box_in_picture(&around, &self.clip);
        }
        if !box_in_picture(&around, &self.clip) {
            return false;
        }
        self.any_room_at(&around, |id, _| {
            edges.rooms[number] = id;
            true
        })
    }

    /// Whether a ball touches a visible room.
    pub fn reaches(&self, centre: DVec3, radius: f64) -> bool {
        let around = Aabb::from_centre(centre, DVec3::splat(radius));
        let near = |_, cell: &Aabb| cell.closest_point(centre).distance(centre) < radius;
        self.bounds.overlaps(&around) && self.any_room_at(&around, near)
    }

    /// Whether any of the rooms there is visible and `holds`, which is asked of all.
    fn any_room_at(&self, bounds: &Aabb, mut holds: impl FnMut(RoomId, &Aabb) -> bool) -> bool {
        let mut any = false;
        self.world.each_room_in_box(bounds, &mut |id| {
            any |= holds(id, &self.world.room(id).cell) && self.is_seen(id);
        });
        any
    }
}

/// A room that was reached.
struct Reached {
    room: RoomId,
    /// Around all that it is seen through.
    window: Window,
    /// How often that grew after the room was looked out of.
    returns: u8,
    /// It waits to be looked out of.
    waits: bool,
}

/// [`Reached`] of a room that was not.
const NOWHERE: u32 = u32::MAX;

/// Rooms reached from the first of so many, in the order in which they were. Those of a lower `order` are looked out of
/// first ([`World::rank_from`]): so all that a room is seen through is known when its turn comes. It is looked out of again
/// should its window grow after that.
fn flood<'a>(
    (start, room_count): (RoomId, usize),
    portals: &[Portal],
    portals_of: impl Fn(RoomId) -> &'a [u32],
    order: impl Fn(RoomId) -> u128,
    clip: &DMat4,
    eye: DVec3,
    edges: &mut Edges,
) -> Vec<(RoomId, Window)> {
    // By room, so small that a level of ten thousand costs nothing.
    let mut places = vec![NOWHERE; room_count];
    let Some(first) = places.get_mut(start as usize) else {
        return Vec::new();
    };
    *first = 0;
    let mut reached = vec![Reached {
        room: start,
        window: Window::ALL,
        returns: 0,
        waits: true,
    }];
    let mut queue = BinaryHeap::from([Reverse((order(start), 0u32))]);
    edges.of.resize_with(portals.len(), Default::default);
    let mut look = Look {
        clip,
        eye,
        edges,
        corners: Vec::new(),
    };
    while let Some(Reverse((_, place))) = queue.pop() {
        let here = &mut reached[place as usize];
        here.waits = false;
        let (room, window) = (here.room, here.window);
        for &index in portals_of(room) {
            let Some(portal) = portals.get(index as usize) else {
                continue;
            };
            let other = if portal.rooms[0] == room {
                portal.rooms[1]
            } else {
                portal.rooms[0]
            };
            let Some(place) = places.get_mut(other as usize) else {
                continue;
            };
            let known = reached.get_mut(*place as usize);
            // What lies beyond the screen adds nothing to the whole of it.
            if known
                .as_ref()
                .is_some_and(|known| known.window == Window::ALL || known.window.contains(&window))
            {
                continue;
            }
            let Some(through) = look.through(portal, index, room, &window) else {
                continue;
            };
            match known {
                None => {
                    *place = reached.len() as u32;
                    queue.push(Reverse((order(other), *place)));
                    reached.push(Reached {
                        room: other,
                        window: through,
                        returns: 0,
                        waits: true,
                    });
                }
                Some(known) if known.window.contains(&through) => {}
                Some(known) => {
                    known.window = if through == Window::ALL {
                        through
                    } else {
                        known.window.union(&through)
                    };
                    if !std::mem::replace(&mut known.waits, true) {
                        known.returns += 1;
                        if known.returns == MOST_RETURNS {
                            known.window = Window::ALL;
                        }
                        queue.push(Reverse((order(other), *place)));
                    }
                }
            }
        }
    }
    reached.into_iter().map(|r| (r.room, r.window)).collect()
}

/// An eye that looks through portals.
struct Look<'a> {
    clip: &'a DMat4,
    eye: DVec3,
    edges: &'a mut Edges,
    /// Room for the outlines of a portal in clip space.
    corners: Vec<Vec<DVec4>>,
}

impl Look<'_> {
    /// What is left of `window` when looking out of `room` through the portal.
    fn through(
        &mut self,
        portal: &Portal,
        index: u32,
        room: RoomId,
        window: &Window,
    ) -> Option<Window> {
        let axis = portal.axis.min(2);
        let corners = portal.loops.iter().flatten();
        let around = corners.fold(Aabb::EMPTY, |around, &p| around.with_point(p));
        let plane = portal.loops.iter().flatten().next()?[axis];
        // Of the rooms that meet around the eye each is seen through the whole screen: were their windows passed to and fro,
        // each time would make them a little larger.
        if touches(&around, self.eye) {
            return Some(Window::ALL);
        }
        // A straight line of sight leaves the room only if the eye is on the room's side of the portal; a portal seen along
        // its edge shows nothing.
        let is_first = portal.rooms[0] == room;
        if (is_first && self.eye[axis] >= plane) || (!is_first && self.eye[axis] <= plane) {
            return None;
        }
        let clip = |p: DVec3| *self.clip * p.extend(1.0);
        if let Some(rectangle) = on_screen(rectangle(&around, axis).map(clip)) {
            let edge = self.edges.of.get_mut(index as usize);
            let apart = separation_convex_convex_2d(window.corners(), &rectangle, edge);
            if apart.is_some_and(|apart| apart.distance > PAD) {
                self.edges.parted += 1;
                return None;
            }
        }
        let outlines = portal.loops.len();
        if self.corners.len() < outlines {
            self.corners.resize_with(outlines, Vec::new);
        }
        for (corners, outline) in self.corners.iter_mut().zip(&portal.loops) {
            corners.clear();
            corners.extend(outline.iter().map(|&p| clip(p)));
        }
        window.clipped(self.corners[..outlines].iter_mut())
    }
}

/// The corners of a flat box, in a row.
fn rectangle(around: &Aabb, axis: usize) -> [DVec3; 4] {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    [(false, false), (true, false), (true, true), (false, true)].map(|(far_u, far_v)| {
        let mut p = around.min;
        p[u] = if far_u { around.max[u] } else { p[u] };
        p[v] = if far_v { around.max[v] } else { p[v] };
        p
    })
}

/// The eye stands in the opening, or so near that its plane cuts through the near rectangle.
fn touches(around: &Aabb, eye: DVec3) -> bool {
    (eye.cmpge(around.min - TOUCH_M) & eye.cmple(around.max + TOUCH_M)).all()
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
                    born: None,
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
        let (mut drawn, mut parted, mut kept) = (0, 0, 0);
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
            // Cells of a grid: by the walls between.
            let steps = |room: RoomId| {
                let axis = |room: usize| [room / N / N, room / N % N, room % N];
                let (a, b) = (axis(start), axis(room as usize));
                (0..3).map(|k| a[k].abs_diff(b[k]) as u128).sum()
            };
            let mut edges = Edges::default();
            let mut look = || {
                let from = (start as RoomId, N * N * N);
                flood(from, &cells.portals, of, steps, &clip, eye, &mut edges)
            };
            let rooms = look();
            assert_eq!(rooms, look(), "the sides of before change nothing");
            parted += edges.parted;
            kept += edges.kept();
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
        // Looked at twice: in the second picture the side of the first is enough.
        assert!(parted > 500 && 2 * kept >= parted, "{kept} of {parted}");
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
