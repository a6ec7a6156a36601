//! A floor plan: the level cut at a height, seen from above; with the room and the nearest wall of a point.
//!
//! Both queries are those of Lander, Crashing into the New Year (2000): point in polygon, and the nearest point of each
//! wall.
use crate::collide::{closest_point_segment, point_in_polygon_convex};
use crate::geom::Segment;
use crate::world::{Portal, RoomId, World};
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;

/// A horizontal cut through the level. The axes of the plane are the world's x and z, metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Height of the cut, metres.
    pub height: f64,
    /// Rooms that are cut, ascending.
    pub rooms: Vec<PlanRoom>,
    /// Portals that are cut.
    pub doors: Vec<Door>,
    /// Portals in floors a little below the cut.
    pub hatches: Vec<Hatch>,
}

/// A vertical portal, cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Door {
    /// Its two ends.
    pub ends: [DVec2; 2],
    /// A carve opened it.
    pub is_hole: bool,
}

/// A portal in a floor.
#[derive(Clone, Debug, PartialEq)]
pub struct Hatch {
    /// Outlines, with holes, by the even-odd rule.
    pub loops: Vec<Vec<DVec2>>,
    /// A carve opened it.
    pub is_hole: bool,
}

/// Height of a cut above the floor of its storey, metres: a door handle's.
pub const ABOVE_FLOOR: f64 = 1.2;
/// Least distance between two storeys, metres.
const STOREY: f64 = 2.2;
/// Bin size of the histogram of floor heights, metres.
const STEP: f64 = 0.25;
/// A storey has at least this fraction of the whole floor area.
const PART: f64 = 0.02;
/// Greatest depth of a hatch below the cut, metres.
const HATCH_DEPTH: f64 = 2.5;

/// A room, cut.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanRoom {
    /// Which room.
    pub id: RoomId,
    /// Its cell's outline.
    pub corners: [DVec2; 4],
    /// Corners of the bounding rectangle of its walls and doors at the cut; None without any.
    pub air: Option<[DVec2; 4]>,
    /// Walls that are cut.
    pub walls: Vec<[DVec2; 2]>,
}

/// The room and the nearest wall of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanPoint {
    /// The room whose cell contains the point.
    pub room: RoomId,
    /// The nearest point of a wall of any room, and its distance; None without walls.
    pub wall: Option<(DVec2, f64)>,
}

/// Cuts the level at a height.
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
        let walls =
            live.filter_map(|t| cut_triangle(t.corners.map(|i| positions[i as usize]), height));
        let [low, high] = [low, high].map(|p| DVec2::new(p.x, p.z));
        let mut room = PlanRoom {
            id,
            corners: corners([low, high]),
            air: None,
            walls: walls.collect(),
        };
        room.air = bounding_rectangle(room.walls.iter());
        rooms.push(room);
    }
    let (mut doors, mut hatches) = (Vec::new(), Vec::new());
    for portal in world.portals().iter() {
        let is_hole = portal.born.is_some();
        if portal.axis != 1 {
            let cuts: Vec<[DVec2; 2]> = cut_portal(portal, height).collect();
            for room in rooms
                .iter_mut()
                .filter(|room| portal.rooms.contains(&room.id))
            {
                let known = room.air.map(|[low, _, high, _]| [low, high]);
                room.air = bounding_rectangle(cuts.iter().chain(&known));
            }
            doors.extend(cuts.into_iter().map(|ends| Door { ends, is_hole }));
            continue;
        }
        let level = portal.loops.iter().flatten().next().map(|p| p.y);
        if level.is_some_and(|y| height - HATCH_DEPTH <= y && y <= height) {
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

/// Corners of a rectangle, in order around it.
fn corners([low, high]: [DVec2; 2]) -> [DVec2; 4] {
    let at = DVec2::new;
    [low, at(high.x, low.y), high, at(low.x, high.y)]
}

/// Corners of the bounding rectangle of some lines.
fn bounding_rectangle<'a>(lines: impl Iterator<Item = &'a [DVec2; 2]>) -> Option<[DVec2; 4]> {
    let both = lines.flatten().map(|&p| [p, p]);
    both.reduce(|[a, b], [c, d]| [a.min(c), b.max(d)])
        .map(corners)
}

/// The segments of a vertical portal at the height of the cut, by the even-odd rule.
fn cut_portal(portal: &Portal, height: f64) -> impl Iterator<Item = [DVec2; 2]> {
    let mut crossings = Vec::new();
    for outline in &portal.loops {
        for (i, p) in outline.iter().enumerate() {
            let q = outline[(i + 1) % outline.len()];
            if (p.y >= height) != (q.y >= height) {
                let at = p.lerp(q, (height - p.y) / (q.y - p.y));
                crossings.push(DVec2::new(at.x, at.z));
            }
        }
    }
    crossings.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let ends: Vec<[DVec2; 2]> = crossings
        .chunks_exact(2)
        .map(|ends| [ends[0], ends[1]])
        .collect();
    ends.into_iter()
}

/// Heights of the storeys, metres, ascending: local maxima of the floor area by height.
pub fn storeys(world: &World) -> Vec<f64> {
    let mut floor: BTreeMap<i64, f64> = BTreeMap::new();
    for id in 0..world.room_count() as RoomId {
        let mesh = &world.room(id).mesh;
        for triangle in mesh.triangles.iter().filter(|t| t.is_live()) {
            let [a, b, c] = triangle.corners.map(|i| mesh.positions[i as usize]);
            let twice = (b - a).cross(c - a);
            // Faces up, flatter than 45 degrees.
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

/// The segment of a triangle at the height of the cut. Corners at that height count as above, so that neighbours share
/// their ends.
fn cut_triangle(corners: [DVec3; 3], height: f64) -> Option<[DVec2; 2]> {
    let mut ends = [DVec2::ZERO; 2];
    let mut count = 0;
    for i in 0..3 {
        let (p, q) = (corners[i], corners[(i + 1) % 3]);
        if (p.y >= height) == (q.y >= height) {
            continue;
        }
        // Interpolated from the lower end, so that both triangles of an edge get the same point.
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
    /// The room and the nearest wall of a point; the lowest room on a border, None outside all rooms.
    pub fn at(&self, p: DVec2) -> Option<PlanPoint> {
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
        Some(PlanPoint {
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
        let found = plan.at(DVec2::new(eye.x, eye.z)).expect("a room");
        assert_eq!(Some(found.room), world.cell_at(eye));
        let (_, distance) = found.wall.expect("walls");
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
}
