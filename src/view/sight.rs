//! Is one point in sight of another, and if not, what stands between: a face, a body, or a portal that is closed?
use crate::bvh::QueryStats;
use crate::collide::{Layer, intersect_ray_sphere, intersect_segment_aabb};
use crate::geom::{Aabb, Ray, Segment};
use crate::sim::{Sim, meet};
use crate::world::{GRID, MaterialId, RoomId};
use glam::DVec3;

/// How far a wall may lie from a cell's border and still be on it, metres.
const ON_BORDER: f64 = 1e-6;

/// What is between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sight {
    /// Nothing.
    Clear,
    /// One of them is in rock, or not a place.
    Nowhere,
    /// A face.
    Face {
        /// Where the line of sight ends, metres.
        point: DVec3,
        /// The face's room and material.
        room: RoomId,
        #[allow(missing_docs)]
        material: MaterialId,
        /// The wall stands in an opening that the author marked as a portal, or on the border of two rooms where a
        /// portal has been filled: the portal is closed.
        closed: Option<Closed>,
    },
    /// A body that probes meet.
    Body {
        /// Where, metres.
        point: DVec3,
        /// Index into the bodies.
        body: usize,
    },
}

/// A portal that lets no light through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// The author's opening, by its number in the level.
    Areaportal(usize),
    /// Between these rooms.
    Between(RoomId, RoomId),
}

/// What is between two points.
pub fn sight(sim: &Sim, from: DVec3, to: DVec3) -> Sight {
    let world = &sim.world;
    if world.locate(from).is_none() || world.locate(to).is_none() {
        return Sight::Nowhere;
    }
    let wall = world.cast_ray(from, to, &mut QueryStats::default());
    let limit = wall.map_or(1.0, |hit| hit.fraction);
    let ray = Ray {
        origin: from,
        dir: to - from,
    };
    let layers = &sim.settings.layers;
    let nearest = meet::bodies(&sim.bodies)
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
        return Sight::Body {
            point: ray.at(t),
            body,
        };
    }
    let Some(hit) = wall else { return Sight::Clear };
    let room = world.room(hit.room);
    let triangle = room.mesh.triangles.get(hit.triangle as usize);
    let face = triangle.and_then(|t| room.faces.get(t.face as usize));
    Sight::Face {
        point: hit.point,
        room: hit.room,
        material: face.map_or(0, |face| face.material),
        closed: closed_at(sim, from, to, hit.point),
    }
}

/// The closed portal whose place the wall at `point` takes.
fn closed_at(sim: &Sim, from: DVec3, to: DVec3, point: DVec3) -> Option<Closed> {
    let segment = Segment { from, to };
    let authored = sim.level.world.areaportals.iter().position(|[low, high]| {
        let bounds = Aabb::from_corners(low.as_dvec3() / GRID, high.as_dvec3() / GRID);
        let near = bounds.grow(ON_BORDER).contains(point);
        near && intersect_segment_aabb(&segment, &bounds).is_some()
    });
    if let Some(authored) = authored {
        return Some(Closed::Areaportal(authored));
    }
    let portals = sim
        .world
        .portals()
        .iter()
        .filter(|portal| portal.loops.is_empty());
    portals
        .filter(|portal| portal.rooms[0] != portal.rooms[1])
        .find_map(|portal| {
            let [a, b] = portal.rooms;
            let count = sim.world.room_count() as RoomId;
            if a >= count || b >= count {
                return None;
            }
            let [one, two] = [a, b].map(|id| sim.world.room(id).cell);
            let border = one.intersection(&two)?;
            let inside = border.grow(ON_BORDER).contains(point);
            inside.then_some(Closed::Between(a, b))
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
        assert_eq!(sight(&sim, eye, near), Sight::Clear);
        assert_eq!(sight(&sim, eye, DVec3::splat(1e4)), Sight::Nowhere);
        assert_eq!(sight(&sim, eye, DVec3::NAN), Sight::Nowhere);
        let body = Body::new(eye.lerp(near, 0.5), 0.1, 0);
        sim.bodies.change(|bodies| bodies.push(body));
        let Sight::Body { point, body: 0 } = sight(&sim, eye, near) else {
            panic!("the body is between")
        };
        assert!((point.distance(eye) - 0.4).abs() < 1e-9);
        sim.settings.layers.set(Layer::Probe, Layer::Debris, false);
        assert_eq!(sight(&sim, eye, near), Sight::Clear);
    }

    #[test]
    fn from_room_to_room_a_face_blocks_or_nothing_does() {
        let sim = bunker();
        let eye = sim.player.eye;
        let mut blocked = 0;
        for (light, _) in sim.level.lights.iter().map(|l| (l.position, 0)) {
            match sight(&sim, eye, light) {
                Sight::Face { point, .. } => {
                    blocked += 1;
                    assert!(point.distance(eye) < light.distance(eye));
                }
                Sight::Clear | Sight::Nowhere => {}
                other => panic!("{other:?}"),
            }
        }
        assert!(blocked > 0);
    }
}
