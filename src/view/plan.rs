//! The level from above, cut at a height: which room is where, and how far is it to the nearest wall?
//!
//! Lander, Crashing into the New Year (2000), asks both of his maps: point in polygon, and the nearest point of each wall.
use crate::collide::{closest_point_segment, point_in_polygon_convex};
use crate::geom::Segment;
use crate::world::{Portal, RoomId, World};
use glam::{DVec2, DVec3};
use std::collections::{BTreeMap, BTreeSet};

/// A cut through the level. The plane's axes are the world's x and z, metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Where it is cut, metres.
    pub height: f64,
    /// By number.
    pub rooms: Vec<PlanRoom>,
    /// Where openings between rooms are cut.
    pub doors: Vec<Door>,
    /// Openings in floors not far below the cut.
    pub hatches: Vec<Hatch>,
}

/// An opening as the cut meets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Door {
    /// From side to side.
    pub ends: [DVec2; 2],
    /// It was opened in play.
    pub is_hole: bool,
}

/// An opening in a floor.
#[derive(Clone, Debug, PartialEq)]
pub struct Hatch {
    /// Outlines, several and with holes.
    pub loops: Vec<Vec<DVec2>>,
    /// It was opened in play.
    pub is_hole: bool,
}

/// Rooms and what joins them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// Each room that has faces or an opening, and the middle of the box around these, metres.
    pub rooms: Vec<(RoomId, DVec3)>,
    /// Open portals: places in `rooms`, and whether it was opened in play.
    pub portals: Vec<([usize; 2], bool)>,
    /// Two corners of the rectangle that all rooms take, seen from above, metres.
    pub extent: [DVec2; 2],
}

/// A cut lies so far above the floor of its storey, metres: at the height of a door's handle.
pub const ABOVE_FLOOR: f64 = 1.2;
/// Floors nearer to each other than this are one storey, metres.
const STOREY: f64 = 2.2;
/// Floors are counted in steps of this, metres.
const STEP: f64 = 0.25;
/// A storey has at least this part of all floor.
const PART: f64 = 0.02;
/// A hatch is drawn if it lies at most so far below the cut, metres.
const BELOW: f64 = 2.5;

/// A room as the cut meets it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanRoom {
    /// Which room.
    pub id: RoomId,
    /// Its cell's outline.
    pub corners: [DVec2; 4],
    /// Corners of the rectangle that its air spans at the cut, rock around left out; None without air.
    pub air: Option<[DVec2; 4]>,
    /// Where walls are cut.
    pub walls: Vec<[DVec2; 2]>,
}

/// What the plan knows of a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The room whose cell it is in.
    pub room: RoomId,
    /// The nearest point of a wall of any room, and how far it is; None without walls.
    pub wall: Option<(DVec2, f64)>,
}

/// Cuts the level.
pub fn plan(world: &World, height: f64) -> Plan {
    let mut rooms = Vec::new();
    for id in 0..world.room_count() as RoomId {
        let room = world.room(id);
        let (low, high) = (room.cell.min, room.cell.max);
        if !(low.y <= height && height < high.y) {
            continue;
        }
        let positions = &room.mesh.positions;
        let live = room.mesh.triangles.iter().filter(|t| t.is_live());
        let walls = live.filter_map(|t| cut(t.corners.map(|i| positions[i as usize]), height));
        let [low, high] = [low, high].map(|p| DVec2::new(p.x, p.z));
        let mut room = PlanRoom {
            id,
            corners: corners([low, high]),
            air: None,
            walls: walls.collect(),
        };
        room.air = spanned(room.walls.iter());
        rooms.push(room);
    }
    let (mut doors, mut hatches) = (Vec::new(), Vec::new());
    for portal in world.portals() {
        let is_hole = portal.born.is_some();
        if portal.axis != 1 {
            let cuts: Vec<[DVec2; 2]> = cut_portal(portal, height).collect();
            for room in rooms
                .iter_mut()
                .filter(|room| portal.rooms.contains(&room.id))
            {
                let known = room.air.map(|[low, _, high, _]| [low, high]);
                room.air = spanned(cuts.iter().chain(&known));
            }
            doors.extend(cuts.into_iter().map(|ends| Door { ends, is_hole }));
            continue;
        }
        let level = portal.loops.iter().flatten().next().map(|p| p.y);
        if level.is_some_and(|y| height - BELOW <= y && y <= height) {
            let flat = |points: &Vec<DVec3>| points.iter().map(|p| DVec2::new(p.x, p.z)).collect();
            hatches.push(Hatch {
                loops: portal.loops.iter().map(flat).collect(),
                is_hole,
            });
        }
    }
    Plan {
        height,
        rooms,
        doors,
        hatches,
    }
}

/// Corners of the rectangle from a lowest to a highest one, in turn.
fn corners([low, high]: [DVec2; 2]) -> [DVec2; 4] {
    let at = DVec2::new;
    [low, at(high.x, low.y), high, at(low.x, high.y)]
}

/// Corners of the rectangle around some lines.
fn spanned<'a>(lines: impl Iterator<Item = &'a [DVec2; 2]>) -> Option<[DVec2; 4]> {
    let both = lines.flatten().map(|&p| [p, p]);
    both.reduce(|[a, b], [c, d]| [a.min(c), b.max(d)])
        .map(corners)
}

/// Where an upright opening meets the level of the cut, piece by piece: by even and odd along its plane.
fn cut_portal(portal: &Portal, height: f64) -> impl Iterator<Item = [DVec2; 2]> {
    let mut met = Vec::new();
    for outline in &portal.loops {
        for (i, p) in outline.iter().enumerate() {
            let q = outline[(i + 1) % outline.len()];
            if (p.y >= height) != (q.y >= height) {
                let at = p.lerp(q, (height - p.y) / (q.y - p.y));
                met.push(DVec2::new(at.x, at.z));
            }
        }
    }
    met.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let ends: Vec<[DVec2; 2]> = met.chunks_exact(2).map(|ends| [ends[0], ends[1]]).collect();
    ends.into_iter()
}

/// Heights of the floors, metres, from below: where much floor lies at one height, and no more of it near by.
pub fn storeys(world: &World) -> Vec<f64> {
    let mut floor: BTreeMap<i64, f64> = BTreeMap::new();
    for id in 0..world.room_count() as RoomId {
        let mesh = &world.room(id).mesh;
        for triangle in mesh.triangles.iter().filter(|t| t.is_live()) {
            let [a, b, c] = triangle.corners.map(|i| mesh.positions[i as usize]);
            let twice = (b - a).cross(c - a);
            // Flatter than 45 degrees and looking up.
            if twice.y > 0.7 * twice.length() {
                let level = ((a.y + b.y + c.y) / 3.0 / STEP).round() as i64;
                *floor.entry(level).or_default() += twice.y * 0.5;
            }
        }
    }
    let all: f64 = floor.values().sum();
    let mut levels: Vec<(i64, f64)> = floor
        .into_iter()
        .filter(|level| level.1 >= PART * all)
        .collect();
    levels.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut storeys: Vec<f64> = Vec::new();
    for (level, _) in levels {
        let height = level as f64 * STEP;
        if storeys.iter().all(|other| (other - height).abs() >= STOREY) {
            storeys.push(height);
        }
    }
    storeys.sort_by(f64::total_cmp);
    storeys
}

/// The rooms as a graph.
pub fn graph(world: &World) -> Graph {
    let open = || {
        world
            .portals()
            .iter()
            .filter(|portal| !portal.loops.is_empty())
    };
    let mut has: BTreeSet<RoomId> = open().flat_map(|portal| portal.rooms).collect();
    let count = world.room_count() as RoomId;
    has.extend((0..count).filter(|&id| world.room(id).face_count > 0));
    has.retain(|&id| id < count);
    let spans: Vec<(RoomId, [DVec3; 2])> =
        has.into_iter().map(|id| (id, span(world, id))).collect();
    let extent = spans.iter().map(|room| room.1).reduce(around);
    let rooms = spans
        .into_iter()
        .map(|(id, [low, high])| (id, (low + high) * 0.5));
    let rooms: Vec<(RoomId, DVec3)> = rooms.collect();
    let place = |id: RoomId| rooms.binary_search_by_key(&id, |room| room.0).ok();
    let portals = open().filter_map(|portal| {
        let [a, b] = portal.rooms.map(place);
        Some(([a?, b?], portal.born.is_some()))
    });
    Graph {
        portals: portals.collect(),
        rooms,
        extent: extent.map_or([DVec2::ZERO; 2], |ends| ends.map(|p| DVec2::new(p.x, p.z))),
    }
}

/// The box around a room's faces and openings: its cell may reach far into the rock.
fn span(world: &World, id: RoomId) -> [DVec3; 2] {
    let room = world.room(id);
    let live = room.mesh.triangles.iter().filter(|t| t.is_live());
    let of_faces = live.flat_map(|t| t.corners.map(|i| room.mesh.positions[i as usize]));
    let portals = world.portals().iter();
    let of_portals = portals
        .filter(|portal| portal.rooms.contains(&id))
        .flat_map(|portal| portal.loops.iter().flatten().copied());
    let both = of_faces.chain(of_portals).map(|p| [p, p]);
    both.reduce(around)
        .unwrap_or([room.cell.min, room.cell.max])
}

/// The box around two boxes.
fn around([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> [DVec3; 2] {
    [a.min(c), b.max(d)]
}

/// Where a triangle meets the level of the cut; corners on it count as above, so that neighbours share their ends.
fn cut(corners: [DVec3; 3], height: f64) -> Option<[DVec2; 2]> {
    let mut ends = [DVec2::ZERO; 2];
    let mut count = 0;
    for i in 0..3 {
        let (p, q) = (corners[i], corners[(i + 1) % 3]);
        if (p.y >= height) == (q.y >= height) {
            continue;
        }
        // From the same end, whichever triangle asks.
        let (low, high) = if p.y < q.y { (p, q) } else { (q, p) };
        let at = low.lerp(high, (height - low.y) / (high.y - low.y));
        if let Some(end) = ends.get_mut(count) {
            *end = DVec2::new(at.x, at.z);
        }
        count += 1;
    }
    (count == 2 && ends[0] != ends[1]).then_some(ends)
}

impl Plan {
    /// The room at a place, the lowest number on a border; None outside all.
    pub fn at(&self, p: DVec2) -> Option<Place> {
        let mut rooms = self.rooms.iter();
        let room = rooms.find(|room| point_in_polygon_convex(&room.corners, p))?;
        let mut wall: Option<(DVec2, f64)> = None;
        for [from, to] in self.rooms.iter().flat_map(|room| &room.walls) {
            let segment = Segment {
                from: from.extend(0.0),
                to: to.extend(0.0),
            };
            let (near, _) = closest_point_segment(p.extend(0.0), &segment);
            let distance = near.truncate().distance(p);
            if wall.is_none_or(|(_, least)| distance < least) {
                wall = Some((near.truncate(), distance));
            }
        }
        Some(Place {
            room: room.id,
            wall,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::{BuildParams, QueryStats};
    use crate::timing::Silent;

    #[test]
    fn the_map_agrees_with_rays_in_all_directions() {
        let text = include_bytes!("../../levels/tower.map");
        let level = crate::level::read_map(text).expect("our own level");
        let world =
            World::build(&level.world, &BuildParams::default(), &mut Silent).expect("a world");
        let eye = level.starts.first().expect("a start").0;
        let plan = plan(&world, eye.y);
        assert!(!plan.rooms.is_empty());
        let place = plan.at(DVec2::new(eye.x, eye.z)).expect("a room");
        assert_eq!(Some(place.room), world.cell_at(eye));
        let (_, distance) = place.wall.expect("walls");
        let mut least = f64::INFINITY;
        for i in 0..3600 {
            let (sin, cos) = libm::sincos(f64::from(i) * std::f64::consts::TAU / 3600.0);
            let to = eye + DVec3::new(cos, 0.0, sin) * 500.0;
            if let Some(hit) = world.cast_ray(eye, to, &mut QueryStats::default()) {
                least = least.min(hit.point.distance(eye));
            }
        }
        assert!(
            (distance - least).abs() < 1e-3 * least,
            "{distance} {least}"
        );
        assert_eq!(plan.at(DVec2::splat(1e6)), None);
        assert_eq!(plan.at(DVec2::NAN), None);
        assert!(super::plan(&world, f64::NAN).rooms.is_empty());
    }

    #[test]
    fn the_air_of_each_room_reaches_its_walls_and_doors_and_no_farther() {
        let world = open(include_bytes!("../../levels/tower.map"));
        let eye = storeys(&world)[0] + ABOVE_FLOOR;
        let plan = plan(&world, eye);
        let mut smaller = 0;
        for room in &plan.rooms {
            let Some([low, _, high, _]) = room.air else {
                assert!(room.walls.is_empty());
                continue;
            };
            let [least, _, most, _] = room.corners;
            let slack = DVec2::splat(1e-6);
            assert!(low.cmpge(least - slack).all() && high.cmple(most + slack).all());
            let is_within = |p: &DVec2| p.cmpge(low - slack).all() && p.cmple(high + slack).all();
            assert!(room.walls.iter().flatten().all(is_within));
            smaller += u32::from((high - low).element_product() < (most - least).element_product());
        }
        assert!(smaller > 0, "cells reach into the rock");
        // The dots of the graph lie in their cells, too.
        for (id, middle) in graph(&world).rooms {
            let cell = world.room(id).cell;
            assert!(middle.cmpge(cell.min).all() && middle.cmple(cell.max).all());
        }
    }

    fn open(text: &[u8]) -> World {
        let level = crate::level::read_map(text).expect("our own level");
        World::build(&level.world, &BuildParams::default(), &mut Silent).expect("a world")
    }

    #[test]
    fn on_every_door_the_air_is_open_to_both_sides() {
        let world = open(include_bytes!("../../levels/tower.map"));
        let mut count = 0;
        for storey in storeys(&world) {
            let plan = plan(&world, storey + ABOVE_FLOOR);
            for door in &plan.doors {
                let [a, b] = door.ends;
                let middle = (a + b) * 0.5;
                let across = (b - a).perp().normalize_or_zero() * 0.01;
                let at = |p: DVec2| DVec3::new(p.x, plan.height, p.y);
                let hit = world.cast_ray(
                    at(middle - across),
                    at(middle + across),
                    &mut QueryStats::default(),
                );
                assert!(hit.is_none(), "{door:?}");
                assert!(world.locate(at(middle)).is_some());
                count += 1;
            }
        }
        assert!(count > 20, "{count} doors");
    }

    #[test]
    fn the_tower_has_storeys_and_each_has_floor_under_it() {
        let world = open(include_bytes!("../../levels/tower.map"));
        let storeys = storeys(&world);
        assert!(storeys.len() >= 3, "{storeys:?}");
        for pair in storeys.windows(2) {
            assert!(pair[1] - pair[0] >= STOREY);
        }
    }

    #[test]
    fn a_hole_between_two_rooms_is_a_new_edge_of_the_graph() {
        let level = crate::level::read_map(include_bytes!("../../levels/bunker.map"))
            .expect("our own level");
        let mut sim =
            crate::sim::Sim::new(level, 1, Default::default(), &mut Silent).expect("a world");
        let before = graph(&sim.world);
        assert!(before.portals.iter().all(|portal| !portal.1));
        let mut rng = crate::geom::rng::Rng::new(1);
        for _ in 0..60 {
            let command = crate::sim::soak_command(&sim, &mut rng);
            sim.step(&command, &mut Silent);
        }
        let after = graph(&sim.world);
        let holes = after.portals.iter().filter(|portal| portal.1).count();
        let open = sim
            .world
            .portals()
            .iter()
            .filter(|portal| !portal.loops.is_empty());
        assert_eq!(after.portals.len(), open.count());
        assert!(holes > 0, "sixty rockets open something");
        for ([a, b], _) in &after.portals {
            assert_ne!(after.rooms[*a].0, after.rooms[*b].0);
        }
    }
}
