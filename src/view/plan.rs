//! The level from above, cut at a height: which room is where, and how far is it to the nearest wall?
//!
//! Lander, Crashing into the New Year (2000), asks both of his maps: point in polygon, and the nearest point of each wall.
use crate::collide::{closest_point_segment, point_in_polygon_convex};
use crate::geom::Segment;
use crate::world::{RoomId, World};
use glam::{DVec2, DVec3};

/// A cut through the level. The plane's axes are the world's x and z, metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Where it is cut, metres.
    pub height: f64,
    /// By number.
    pub rooms: Vec<PlanRoom>,
}

/// A room as the cut meets it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanRoom {
    /// Which room.
    pub id: RoomId,
    /// Its cell's outline.
    pub corners: [DVec2; 4],
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
        let at = DVec2::new;
        let positions = &room.mesh.positions;
        let live = room.mesh.triangles.iter().filter(|t| t.is_live());
        let walls = live.filter_map(|t| cut(t.corners.map(|i| positions[i as usize]), height));
        rooms.push(PlanRoom {
            id,
            corners: [
                at(low.x, low.z),
                at(high.x, low.z),
                at(high.x, high.z),
                at(low.x, high.z),
            ],
            walls: walls.collect(),
        });
    }
    Plan { height, rooms }
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
}
