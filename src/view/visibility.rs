//! Potentially visible rooms by portal traversal: from the room of the eye through portals, each clipped to the window
//! that the portals before it leave on the screen (Luebke and Georges, "Portals and mirrors", 1995).
//!
//! A [`Window`] is the convex hull of the clipped portal. The window of a room behind several portals is the hull of
//! their windows. The result is conservative: it may contain a hidden room, but misses no visible one. A portal is first
//! tested by the rectangle around it: a separating axis test of two convex polygons, where the separating edge of the
//! picture before mostly still separates ([`VisibilityCache`]). Polygons are clipped in clip space, before the division
//! by w. So portals that reach behind the eye need no special case, and an eye inside a portal only `touches`.
//!
//! The world knows no movers. [`seen_windows`] asks which portals shut doors close ([`ClosedPortals`](crate::sim::ClosedPortals)), and does not
//! walk through them.
use super::camera::{Camera, clip_from_world};
use super::frustum::box_in_frustum;
use super::visibility_cache::VisibilityCache;
use super::window::{PAD, Window, on_screen};
use crate::collide::separation_convex_convex_2d;
use crate::geom::Aabb;
use crate::geom::shared_vec::SharedVec;
use crate::sim::Sim;
use crate::world::{Portal, RoomId, World};
use glam::{DMat4, DVec3, DVec4};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An eye this near to a portal sees both rooms fully, metres. Larger than the distance of the near plane's corners, so
/// nothing drawn lies between eye and portal.
const TOUCH_M: f64 = 0.1;
/// After this many returns to a room its window becomes the whole screen. Rays through the cells of a kd-tree never return
/// to a cell; only around an eye where several portals meet could a window grow in tiny steps.
const MOST_RETURNS: u8 = 64;

/// Potentially visible rooms, nearest first (ties: lowest id). With the eye in rock, or outside the level, all rooms
/// whose cell meets the view frustum.
pub fn visible_rooms(world: &World, camera: &Camera) -> Vec<RoomId> {
    let seen = visible_windows(world, camera, &mut VisibilityCache::default());
    seen.into_iter().map(|(id, _)| id).collect()
}

/// [`visible_windows`], without what shut doors hide. From within a door, as with no-clip, one sees out of it on both sides.
pub fn seen_windows(
    sim: &Sim,
    camera: &Camera,
    cache: &mut VisibilityCache,
) -> Vec<(RoomId, Window)> {
    let VisibilityCache { closed, fences, .. } = &mut *cache;
    closed.update(sim, &|solid| !fences.any_of(&solid.faces));
    let mut solids = sim.movers.kinematics().iter();
    match solids.any(|solid| solid.bounds().grow(TOUCH_M).contains(camera.eye)) {
        false => windows(&sim.world, camera, cache),
        true => visible_windows(&sim.world, camera, cache),
    }
}

/// [`visible_rooms`], each with its window. A visible fence ([`VisibilityCache::fences`]) may show any room: then all
/// rooms whose cell meets the view frustum.
pub fn visible_windows(
    world: &World,
    camera: &Camera,
    cache: &mut VisibilityCache,
) -> Vec<(RoomId, Window)> {
    let closed = std::mem::take(&mut cache.closed);
    let windows = windows(world, camera, cache);
    cache.closed = closed;
    windows
}

/// The windows onto what is seen through all portals but those that the cache has as closed.
fn windows(world: &World, camera: &Camera, cache: &mut VisibilityCache) -> Vec<(RoomId, Window)> {
    let clip = clip_from_world(camera);
    let eye = camera.eye;
    let count = world.room_count();
    let in_frustum = || {
        let rooms = (0..count as RoomId).filter(|&id| box_in_frustum(&world.room(id).cell, &clip));
        rooms.map(|id| (id, Window::ALL)).collect()
    };
    let seen: Vec<(RoomId, Window)> = match world.locate(eye) {
        Some(start) => {
            let portals_of = |id: RoomId| world.room(id).portals.as_slice();
            let rank = |id: RoomId| world.rank_from(eye, id);
            let from = (start, count);
            let portals = world.portals();
            let seen = traverse_portals(from, portals, portals_of, rank, &clip, eye, cache);
            match cache.fences.any_in(world, &seen) {
                false => seen,
                true => in_frustum(),
            }
        }
        None => in_frustum(),
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

/// A room that the traversal has reached.
struct Reached {
    room: RoomId,
    /// Hull of all windows onto the room.
    window: Window,
    /// Number of times that the window grew after the room was expanded.
    returns: u8,
    is_queued: bool,
}

/// Index into the reached rooms of a room that was not reached.
const UNREACHED: u32 = u32::MAX;

/// Rooms reached from the start room, in order of discovery. The queue is ordered by `rank`, front to back from the eye
/// ([`World::rank_from`]): along any ray ranks never decrease. So the whole window of a room is known when the room is
/// expanded; should it grow later, the room is expanded again.
fn traverse_portals<'a>(
    (start, room_count): (RoomId, usize),
    portals: &SharedVec<Portal>,
    portals_of: impl Fn(RoomId) -> &'a [u32],
    rank: impl Fn(RoomId) -> u128,
    clip: &DMat4,
    eye: DVec3,
    cache: &mut VisibilityCache,
) -> Vec<(RoomId, Window)> {
    // By room: index into `reached`. Four bytes a room, cheap for ten thousand rooms.
    let mut slots = vec![UNREACHED; room_count];
    let Some(first) = slots.get_mut(start as usize) else {
        return Vec::new();
    };
    *first = 0;
    let mut reached = vec![Reached {
        room: start,
        window: Window::ALL,
        returns: 0,
        is_queued: true,
    }];
    let mut queue = BinaryHeap::from([Reverse((rank(start), 0u32))]);
    (cache.separating_edges).resize_with(portals.len(), Default::default);
    let mut clipper = PortalClipper {
        clip,
        eye,
        cache,
        corners: Vec::new(),
    };
    while let Some(Reverse((_, slot))) = queue.pop() {
        let here = &mut reached[slot as usize];
        here.is_queued = false;
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
            let Some(slot) = slots.get_mut(other as usize) else {
                continue;
            };
            let known = reached.get_mut(*slot as usize);
            // A window that is the whole screen cannot grow.
            if known
                .as_ref()
                .is_some_and(|known| known.window == Window::ALL || known.window.contains(&window))
            {
                continue;
            }
            let Some(through) = clipper.window_through(portal, index, room, &window) else {
                continue;
            };
            match known {
                None => {
                    *slot = reached.len() as u32;
                    queue.push(Reverse((rank(other), *slot)));
                    reached.push(Reached {
                        room: other,
                        window: through,
                        returns: 0,
                        is_queued: true,
                    });
                }
                Some(known) if known.window.contains(&through) => {}
                Some(known) => {
                    known.window = if through == Window::ALL {
                        through
                    } else {
                        known.window.union(&through)
                    };
                    if !std::mem::replace(&mut known.is_queued, true) {
                        known.returns += 1;
                        if known.returns == MOST_RETURNS {
                            known.window = Window::ALL;
                        }
                        queue.push(Reverse((rank(other), *slot)));
                    }
                }
            }
        }
    }
    reached.into_iter().map(|r| (r.room, r.window)).collect()
}

/// Clips portals to windows, as seen from an eye.
struct PortalClipper<'a> {
    clip: &'a DMat4,
    eye: DVec3,
    cache: &'a mut VisibilityCache,
    /// Scratch: the outlines of a portal in clip space.
    corners: Vec<Vec<DVec4>>,
}

impl PortalClipper<'_> {
    /// The window onto the room beyond the portal, from a `room` seen through `window`.
    fn window_through(
        &mut self,
        portal: &Portal,
        index: u32,
        room: RoomId,
        window: &Window,
    ) -> Option<Window> {
        if self.cache.closed.is_closed(index) {
            return None;
        }
        let axis = portal.axis.min(2);
        let corners = portal.loops.iter().flatten();
        let around = corners.fold(Aabb::EMPTY, |around, &p| around.with_point(p));
        let plane = portal.loops.iter().flatten().next()?[axis];
        // Rooms that meet at the eye get the whole screen. Passed to and fro, their windows would grow each time.
        if touches(&around, self.eye) {
            return Some(Window::ALL);
        }
        // Back-face culling: a ray leaves the room only if the eye is on the room's side of the portal. A portal seen edge-on
        // shows nothing.
        let is_first = portal.rooms[0] == room;
        if (is_first && self.eye[axis] >= plane) || (!is_first && self.eye[axis] <= plane) {
            return None;
        }
        let clip = |p: DVec3| *self.clip * p.extend(1.0);
        if let Some(rectangle) = on_screen(rectangle(&around, axis).map(clip)) {
            let edge = self.cache.separating_edges.get_mut(index as usize);
            let apart = separation_convex_convex_2d(window.corners(), &rectangle, edge);
            if apart.is_some_and(|apart| apart.distance > PAD) {
                self.cache.culled += 1;
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

/// The corners of a flat box, in order around it.
fn rectangle(around: &Aabb, axis: usize) -> [DVec3; 4] {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    [(false, false), (true, false), (true, true), (false, true)].map(|(far_u, far_v)| {
        let mut p = around.min;
        p[u] = if far_u { around.max[u] } else { p[u] };
        p[v] = if far_v { around.max[v] } else { p[v] };
        p
    })
}

/// Whether the eye is in the portal, or so near that the portal's plane may cut the near plane's rectangle.
fn touches(around: &Aabb, eye: DVec3) -> bool {
    (eye.cmpge(around.min - TOUCH_M) & eye.cmple(around.max + TOUCH_M)).all()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator: a seed names a failing case.
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
        portals: SharedVec<Portal>,
        /// By room.
        portals_of: Vec<Vec<u32>>,
    }

    fn id(c: [usize; 3]) -> usize {
        (c[0] * N + c[1]) * N + c[2]
    }

    /// A cube of cells with random doors, some covering the whole side.
    fn cells(random: &mut Random) -> Cells {
        let mut cells = Cells {
            portals: SharedVec::default(),
            portals_of: vec![Vec::new(); N * N * N],
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
                cells.portals_of[id(here)].push(index);
                cells.portals_of[id(next)].push(index);
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
            for &index in &cells.portals_of[room] {
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
    fn a_shut_door_hides_the_room_behind_it_until_it_sets_out() {
        use crate::sim::tests::{DOOR, DOORWAY, brush_entity, hall, set_out};
        let door = brush_entity("func_door", "\"angle\" \"-1\"", DOOR);
        let level = crate::level::read_map((hall(&DOORWAY) + &door).as_bytes());
        let level = level.expect("a sound level");
        let sim = Sim::new(level, 1, Default::default(), &mut crate::timing::Silent);
        let mut sim = sim.expect("a world");
        let ahead = |eye: DVec3, yaw: f64| Camera {
            yaw,
            ..Camera::ahead(eye)
        };
        let camera = ahead(sim.player.eye, sim.player.yaw);
        let mut cache = VisibilityCache::default();
        let behind = sim.world.locate(DVec3::new(30.0, 1.5, 0.0));
        let behind = behind.expect("air behind the door");
        let sees = |windows: Vec<(RoomId, Window)>| windows.iter().any(|&(id, _)| id == behind);
        assert!(!sees(seen_windows(&sim, &camera, &mut cache)));
        assert!(sees(visible_windows(&sim.world, &camera, &mut cache)));
        let within = ahead(DVec3::new(19.3, 1.5, 0.0), sim.player.yaw);
        assert!(sees(seen_windows(&sim, &within, &mut cache)));
        assert!(!sees(seen_windows(&sim, &camera, &mut cache)));
        let mut open = VisibilityCache::default();
        open.fences
            .set_materials(&vec![true; sim.world.materials.len()].into());
        assert!(sees(seen_windows(&sim, &camera, &mut open)), "a grating");
        set_out(&mut sim);
        assert!(sees(seen_windows(&sim, &camera, &mut cache)));
    }

    #[test]
    fn no_room_that_a_ray_reaches_is_missed() {
        let mut random = Random(7);
        let (mut drawn, mut culled, mut hits) = (0, 0, 0);
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
            let portals_of = |room: RoomId| cells.portals_of[room as usize].as_slice();
            // In a grid the Manhattan distance is a front-to-back rank.
            let rank = |room: RoomId| {
                let axis = |room: usize| [room / N / N, room / N % N, room % N];
                let (a, b) = (axis(start), axis(room as usize));
                (0..3).map(|k| a[k].abs_diff(b[k]) as u128).sum()
            };
            let mut cache = VisibilityCache::default();
            let mut traverse = || {
                let from = (start as RoomId, N * N * N);
                let portals = &cells.portals;
                traverse_portals(from, portals, portals_of, rank, &clip, eye, &mut cache)
            };
            let rooms = traverse();
            assert_eq!(rooms, traverse(), "the cache changes nothing");
            culled += cache.culled;
            hits += cache.hits();
            drawn += rooms.len();
            let [right, up, back] = crate::view::camera::axes(&camera);
            let [half_x, half_y] = crate::view::camera::half_extent(&camera);
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
            "nearly every room is drawn: {drawn}"
        );
        // Of two traversals the second one hits the cache.
        assert!(culled > 500 && 2 * hits >= culled, "{hits} of {culled}");
    }
}
