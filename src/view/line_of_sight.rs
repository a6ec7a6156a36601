//! Line of sight between two points: clear, or blocked by a face, a closed portal or a body.
use crate::bvh::QueryStats;
use crate::collide::{Layer, intersect_ray_sphere, intersect_segment_aabb};
use crate::geom::{Aabb, Ray, Segment};
use crate::sim::{Sim, moving_sphere};
use crate::world::{GRID, MaterialId, RoomId};
use glam::DVec3;

/// Tolerance for points on the border of a cell, metres.
const ON_BORDER: f64 = 1e-6;

/// The line of sight between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LineOfSight {
    /// Nothing blocks it.
    Clear,
    /// An end is in rock or outside the level.
    InRock,
    /// A face blocks it.
    Face {
        /// The point on the face, metres.
        point: DVec3,
        /// The face's room and material.
        room: RoomId,
        #[allow(missing_docs)]
        material: MaterialId,
        /// The portal that the wall closes: an opening that the author marked, or a filled portal between two rooms.
        closed: Option<ClosedPortal>,
    },
    /// A body blocks it, in a layer that collides with probes.
    Body {
        /// The point on the body, metres.
        point: DVec3,
        /// Index into the bodies.
        body: usize,
    },
}

/// A closed portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosedPortal {
    /// An areaportal of the author, by index in the level.
    Areaportal(usize),
    /// A portal between these rooms.
    Between(RoomId, RoomId),
}

/// The line of sight from one point to another.
pub fn line_of_sight(sim: &Sim, from: DVec3, to: DVec3) -> LineOfSight {
    let world = &sim.world;
    if world.locate(from).is_none() || world.locate(to).is_none() {
        return LineOfSight::InRock;
    }
    let wall = world.cast_ray(from, to, &mut QueryStats::default());
    let limit = wall.map_or(1.0, |hit| hit.fraction);
    let ray = Ray {
        origin: from,
        dir: to - from,
    };
    let layers = &sim.settings.layers;
    let nearest = moving_sphere::of_bodies(&sim.bodies)
        .filter(|thing| layers.meet(Layer::Probe, thing.layer))
        .filter_map(|thing| {
            Some((
                intersect_ray_sphere(&ray, thing.centre, thing.radius)?,
                thing.index,
            ))
        })
        .filter(|(t, _)| *t < limit)
        .min_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((t, body)) = nearest {
        return LineOfSight::Body {
            point: ray.at(t),
            body,
        };
    }
    let Some(hit) = wall else {
        return LineOfSight::Clear;
    };
    let room = world.room(hit.room);
    let triangle = &room.mesh.triangles[hit.triangle as usize];
    let face = &room.faces[triangle.face as usize];
    LineOfSight::Face {
        point: hit.point,
        room: hit.room,
        material: face.material,
        closed: closed_at(sim, from, to, hit.point),
    }
}

/// The portal that is closed by the wall at `point`.
fn closed_at(sim: &Sim, from: DVec3, to: DVec3, point: DVec3) -> Option<ClosedPortal> {
    let segment = Segment { from, to };
    let authored = sim.level.world.areaportals.iter().position(|[low, high]| {
        let bounds = Aabb::from_corners(low.as_dvec3() / GRID, high.as_dvec3() / GRID);
        let near = bounds.grow(ON_BORDER).contains(point);
        near && intersect_segment_aabb(&segment, &bounds).is_some()
    });
    if let Some(authored) = authored {
        return Some(ClosedPortal::Areaportal(authored));
    }
    let world = &sim.world;
    let count = world.room_count() as RoomId;
    let closed = world
        .portals()
        .iter()
        .filter(|portal| portal.loops.is_empty() && portal.rooms[0] != portal.rooms[1])
        .filter(|portal| portal.rooms.iter().all(|&room| room < count))
        .filter_map(|portal| {
            let [a, b] = portal.rooms;
            let border = world.room(a).cell.intersection(&world.room(b).cell)?;
            let axis = portal.axis.min(2);
            let way = to - from;
            let at = (border.min[axis] - from[axis]) / way[axis];
            let crossing = from + way * at;
            let is_on = (0.0..=1.0).contains(&at) && border.grow(ON_BORDER).contains(crossing);
            let is_closed = is_on && is_solid_between(sim, point, crossing);
            is_closed.then_some((at, ClosedPortal::Between(a, b)))
        });
    closed
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|found| found.1)
}

/// Whether there is only rock between the hit and the former portal, by samples: then the wall fills the portal.
fn is_solid_between(sim: &Sim, point: DVec3, crossing: DVec3) -> bool {
    const SAMPLES: u32 = 16;
    (1..=SAMPLES).all(|i| {
        let p = point.lerp(crossing, f64::from(i) / f64::from(SAMPLES));
        p.distance(point) < ON_BORDER || sim.world.locate(p).is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Body, Settings};
    use crate::timing::Silent;

    fn bunker() -> Sim {
        let text = include_bytes!("../../levels/bunker.map");
        let level = crate::level::read_map(text).expect("our own level");
        Sim::new(level, 1, Settings::default(), &mut Silent).expect("a world")
    }

    #[test]
    fn what_blocks_is_named() {
        let mut sim = bunker();
        let eye = sim.player.eye;
        let near = eye + sim.look_dir();
        assert_eq!(line_of_sight(&sim, eye, near), LineOfSight::Clear);
        assert_eq!(
            line_of_sight(&sim, eye, DVec3::splat(1e4)),
            LineOfSight::InRock
        );
        assert_eq!(line_of_sight(&sim, eye, DVec3::NAN), LineOfSight::InRock);
        let body = Body::new(eye.lerp(near, 0.5), 0.1, 0);
        sim.bodies.change(|bodies| bodies.push(body));
        let LineOfSight::Body { point, body: 0 } = line_of_sight(&sim, eye, near) else {
            panic!("the body is between")
        };
        assert!((point.distance(eye) - 0.4).abs() < 1e-9);
        sim.settings.layers.set(Layer::Probe, Layer::Debris, false);
        assert_eq!(line_of_sight(&sim, eye, near), LineOfSight::Clear);
    }

    #[test]
    fn from_room_to_room_a_face_blocks_or_nothing_does() {
        let sim = bunker();
        let eye = sim.player.eye;
        let mut blocked = 0;
        for (light, _) in sim.level.lights.iter().map(|l| (l.position, 0)) {
            match line_of_sight(&sim, eye, light) {
                LineOfSight::Face { point, .. } => {
                    blocked += 1;
                    assert!(point.distance(eye) < light.distance(eye));
                }
                LineOfSight::Clear | LineOfSight::InRock => {}
                other => panic!("{other:?}"),
            }
        }
        assert!(blocked > 0);
    }

    /// Two rooms four metres wide in rock, joined along x by a passage two metres long; with or without an areaportal
    /// half a metre thick in its middle.
    fn two_rooms(with_portal: bool) -> Sim {
        let cuboid = |low: [i32; 3], high: [i32; 3]| {
            let mut text = String::from("{\n");
            for axis in 0..3 {
                for side in 0..2 {
                    let base = if side == 0 { low } else { high };
                    let (mut u, mut v) = (base, base);
                    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                    if side == 0 {
                        u[i] += 8;
                        v[j] += 8;
                    } else {
                        u[j] += 8;
                        v[i] += 8;
                    }
                    for p in [base, u, v] {
                        text += &format!("( {} {} {} ) ", p[0], p[1], p[2]);
                    }
                    text += "concrete_wall 0 0 0 1 1\n";
                }
            }
            text + "}\n"
        };
        let mut text =
            String::from("{\n\"classname\" \"worldspawn\"\n\"breach_start\" \"solid\"\n}\n");
        for (low, high) in [
            ([0, 0, 0], [128, 128, 128]),
            ([192, 0, 0], [320, 128, 128]),
            ([128, 48, 0], [192, 80, 72]),
        ] {
            text += "{\n\"classname\" \"func_carve\"\n";
            text += &cuboid(low, high);
            text += "}\n";
        }
        if with_portal {
            text += "{\n\"classname\" \"func_areaportal\"\n";
            text += &cuboid([152, 48, 0], [168, 80, 72]);
            text += "}\n";
        }
        text += "{\n\"classname\" \"info_player_start\"\n\"origin\" \"64 64 32\"\n}\n";
        let level = crate::level::read_map(text.as_bytes()).expect("a level");
        Sim::new(level, 1, Settings::default(), &mut Silent).expect("a world")
    }

    /// Fills the passage from one x to another, metres.
    fn fill(sim: &mut Sim, from: f64, to: f64) {
        let mut corners = Vec::new();
        for x in [from, to] {
            for y in [0.0, 2.25] {
                for z in [-2.5, -1.5] {
                    corners.push((DVec3::new(x, y, z) * GRID).round().as_i64vec3());
                }
            }
        }
        let brush = crate::carve::shape::hull(&corners, 0).expect("a box");
        let operation = crate::world::Operation {
            op: crate::world::Op::Fill,
            brushes: vec![brush],
        };
        sim.world.apply(&operation, &mut Silent).expect("filled");
    }

    const HERE: DVec3 = DVec3::new(2.0, 1.0, -2.0);
    const THERE: DVec3 = DVec3::new(8.0, 1.0, -2.0);

    fn closed(sim: &Sim) -> Option<ClosedPortal> {
        match line_of_sight(sim, HERE, THERE) {
            LineOfSight::Face { closed, .. } => closed,
            other => panic!("a face blocks, not {other:?}"),
        }
    }

    #[test]
    fn a_closed_portal_of_the_author_is_named() {
        let mut sim = two_rooms(true);
        assert_eq!(line_of_sight(&sim, HERE, THERE), LineOfSight::Clear);
        fill(&mut sim, 4.75, 5.25);
        assert_eq!(closed(&sim), Some(ClosedPortal::Areaportal(0)));
    }

    #[test]
    fn a_portal_that_was_filled_is_named_by_its_rooms() {
        let mut sim = two_rooms(false);
        assert_eq!(line_of_sight(&sim, HERE, THERE), LineOfSight::Clear);
        let open: Vec<_> = sim
            .world
            .portals()
            .iter()
            .filter(|p| !p.loops.is_empty())
            .collect();
        assert_eq!(open.len(), 1, "the passage holds the only portal");
        let (rooms, x) = (open[0].rooms, open[0].loops[0][0].x);
        // A wall that begins before the portal and ends behind it.
        fill(&mut sim, x - 0.3, x + 0.2);
        let [a, b] = rooms;
        assert_eq!(closed(&sim), Some(ClosedPortal::Between(a, b)));
    }

    #[test]
    fn a_wall_beside_a_portal_does_not_close_it() {
        let mut sim = two_rooms(false);
        let open = sim.world.portals().iter().find(|p| !p.loops.is_empty());
        let x = open.expect("a portal").loops[0][0].x;
        // Between the wall and the portal there is air.
        fill(&mut sim, 4.0, x - 0.25);
        assert_eq!(closed(&sim), None);
    }
}
