//! Whether a chunk's real faces intersect walls, and the nearest place where they do not.
//!
//! Balls lie inside the faces, so they do not tell whether a corner sticks in a wall. Here the chunk's triangles are tested
//! against those of the rooms: tree against tree finds the pairs that are near ([`leaf_pairs`]), and
//! [`overlap_triangle_triangle`] tests them. If no pair overlaps and the balls' centres are in the air, all of the chunk
//! is.
use super::body::Body;
use super::chunk::Chunk;
use crate::bvh::{BuildParams, Bvh, leaf_pairs};
use crate::collide::overlap_triangle_triangle;
use crate::geom::Aabb;
use crate::world::World;
use glam::{DAffine3, DVec3};

/// Number of distances tried in each direction.
const DISTANCES: u32 = 12;
/// Difference of two distances, as a part of the chunk's radius.
const STEP: f64 = 0.25;

/// Whether any real face of the body intersects one of the world; touching counts. A crumb has no faces.
pub fn intersects_walls(body: &Body, world: &World) -> bool {
    let chunk = body.chunk.as_ref();
    chunk.is_some_and(|chunk| {
        let world_from_mesh = world_from_mesh(body, chunk);
        intersects(chunk, &tree_of(chunk), &world_from_mesh, world)
    })
}

/// Moves a chunk out of rock to the nearest tried position within `reach` metres where it touches nothing; false if there
/// is none. Its rotation stays. Of equally near positions, the higher one comes first, then the order of the axes decides.
pub(super) fn place_in_air(body: &mut Body, world: &World, reach: f64) -> bool {
    let Some(chunk) = body.chunk.clone() else {
        return false;
    };
    let tree = tree_of(&chunk);
    let start = body.position;
    for step in 1..=DISTANCES {
        let distance = chunk.radius * STEP * f64::from(step);
        if distance > reach {
            break;
        }
        for direction in directions() {
            body.position = start + direction * distance;
            let is_in_air = body.balls().all(|b| world.locate(b.centre).is_some());
            if is_in_air && !intersects(&chunk, &tree, &world_from_mesh(body, &chunk), world) {
                body.teleport(body.position);
                body.wake();
                return true;
            }
        }
    }
    body.position = start;
    false
}

fn tree_of(chunk: &Chunk) -> Bvh {
    Bvh::build(&chunk.mesh, &BuildParams::default())
}

fn world_from_mesh(body: &Body, chunk: &Chunk) -> DAffine3 {
    let (origin, rotation) = chunk.world_from_home(body.pose());
    DAffine3::from_rotation_translation(rotation, origin)
}

fn intersects(chunk: &Chunk, tree: &Bvh, world_from_mesh: &DAffine3, world: &World) -> bool {
    let corners = chunk.mesh.positions.iter();
    let moved = corners.map(|&p| world_from_mesh.transform_point3(p));
    let Some(around) = Aabb::from_points(moved) else {
        return false;
    };
    let mut is_hit = false;
    world.each_room_in_box(&around, &mut |id| {
        let room = world.room(id);
        leaf_pairs(&room.tree, tree, world_from_mesh, &mut |wall, own| {
            if is_hit {
                return;
            }
            let corners_of = |mesh: &crate::bvh::Mesh, t: u32| {
                let corners = mesh.triangles[t as usize].corners;
                corners.map(|c| mesh.positions[c as usize])
            };
            let own = corners_of(&chunk.mesh, own).map(|p| world_from_mesh.transform_point3(p));
            is_hit = overlap_triangle_triangle(&corners_of(&room.mesh, wall), &own);
        });
    });
    is_hit
}

/// Directions to the 26 neighbours of a cube, unit.
fn directions() -> impl Iterator<Item = DVec3> {
    let steps = [1.0, 0.0, -1.0];
    let all = steps
        .iter()
        .flat_map(move |&y| steps.map(|x| (x, y)))
        .flat_map(move |(x, y)| steps.map(|z| DVec3::new(x, y, z)));
    let mut all: Vec<DVec3> = all.filter_map(DVec3::try_normalize).collect();
    all.sort_by(|a, b| b.y.total_cmp(&a.y));
    all.into_iter()
}

#[cfg(test)]
mod tests {
    use super::super::clearance;
    use super::super::tests::{block, room};
    use super::*;
    use crate::bvh::QueryStats;
    use glam::DQuat;

    fn brick(at: DVec3) -> Body {
        let mut body = Body::from_island(&block(at, DVec3::new(0.6, 0.2, 0.4))).unwrap();
        body.teleport(at);
        body
    }

    #[test]
    fn a_brick_meets_the_floor_where_a_corner_of_it_does() {
        let world = room(0.0);
        for (height, turned, meets) in [
            (5.0, false, false),
            (0.21, false, false),
            (0.2, false, true),
            (0.15, false, true),
            // Turned by half a right angle it reaches (0.2 + 0.4) / sqrt 2 down.
            (0.43, true, false),
            (0.42, true, true),
        ] {
            let mut body = brick(DVec3::new(20.0, height, 5.0));
            if turned {
                let turn = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
                body.rotation = turn * body.rotation;
            }
            assert_eq!(intersects_walls(&body, &world), meets, "{height} {turned}");
        }
        let crumb = Body::new(DVec3::new(20.0, 0.1, 5.0), 0.2, 0);
        assert!(!intersects_walls(&crumb, &world), "it has no faces");
    }

    #[test]
    fn a_brick_in_rock_is_placed_in_the_air_near_by_or_nowhere() {
        let world = room(0.0);
        let mut stats = QueryStats::default();
        let mut body = brick(DVec3::new(20.0, -0.3, 5.0));
        assert!(clearance::free(&mut body, &world, 3.0, &mut stats));
        assert!(!intersects_walls(&body, &world));
        let height = body.position.y;
        assert!((0.2..0.8).contains(&height), "{height}");
        let mut deep = brick(DVec3::new(20.0, -9.0, 5.0));
        assert!(!clearance::free(&mut deep, &world, 3.0, &mut stats));
        assert_eq!(deep.position.y, -9.0);
    }
}
