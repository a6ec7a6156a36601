//! Rooms and open portals as a graph.
use crate::world::{RoomId, World};
use glam::{DVec2, DVec3};
use std::collections::BTreeSet;

/// The rooms and the portals between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoomGraph {
    /// Rooms with faces or open portals, each with the centre of their bounds, metres.
    pub rooms: Vec<(RoomId, DVec3)>,
    /// Open portals: indices into `rooms`, and whether a carve opened it.
    pub portals: Vec<([usize; 2], bool)>,
    /// Bounding rectangle of all rooms, seen from above, metres.
    pub extent: [DVec2; 2],
}

/// The graph of a world.
pub fn room_graph(world: &World) -> RoomGraph {
    let open = || {
        world
            .portals()
            .iter()
            .filter(|portal| !portal.loops.is_empty())
    };
    let mut used: BTreeSet<RoomId> = open().flat_map(|portal| portal.rooms).collect();
    let count = world.room_count() as RoomId;
    used.extend((0..count).filter(|&id| world.room(id).face_count > 0));
    used.retain(|&id| id < count);
    let bounds: Vec<(RoomId, [DVec3; 2])> = used
        .into_iter()
        .map(|id| (id, bounds_of(world, id)))
        .collect();
    let extent = bounds.iter().map(|room| room.1).reduce(union);
    let rooms = bounds
        .into_iter()
        .map(|(id, [low, high])| (id, (low + high) * 0.5));
    let rooms: Vec<(RoomId, DVec3)> = rooms.collect();
    let index_of = |id: RoomId| rooms.binary_search_by_key(&id, |room| room.0).ok();
    let portals = open().filter_map(|portal| {
        let [a, b] = portal.rooms.map(index_of);
        Some(([a?, b?], portal.born.is_some()))
    });
    RoomGraph {
        portals: portals.collect(),
        rooms,
        extent: extent.map_or([DVec2::ZERO; 2], |ends| ends.map(|p| DVec2::new(p.x, p.z))),
    }
}

/// Bounds of a room's faces and portals; its cell may reach far into the rock.
fn bounds_of(world: &World, id: RoomId) -> [DVec3; 2] {
    let room = world.room(id);
    let live = room.mesh.triangles.iter().filter(|t| t.is_live());
    let of_faces = live.flat_map(|t| t.corners.map(|i| room.mesh.positions[i as usize]));
    let portals = world.portals().iter();
    let of_portals = portals
        .filter(|portal| portal.rooms.contains(&id))
        .flat_map(|portal| portal.loops.iter().flatten().copied());
    let both = of_faces.chain(of_portals).map(|p| [p, p]);
    both.reduce(union).unwrap_or([room.cell.min, room.cell.max])
}

/// The box around two boxes.
fn union([a, b]: [DVec3; 2], [c, d]: [DVec3; 2]) -> [DVec3; 2] {
    [a.min(c), b.max(d)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bvh::BuildParams;
    use crate::timing::Silent;

    #[test]
    fn nodes_lie_in_the_cells_of_their_rooms() {
        let level = crate::level::read_map(include_bytes!("../../levels/tower.map"));
        let level = level.expect("our own level");
        let world = World::build(&level.world, &BuildParams::default(), &mut Silent);
        let world = world.expect("a world");
        for (id, middle) in room_graph(&world).rooms {
            let cell = world.room(id).cell;
            assert!(middle.cmpge(cell.min).all() && middle.cmple(cell.max).all());
        }
    }

    #[test]
    fn a_hole_between_two_rooms_is_a_new_edge_of_the_graph() {
        let level = crate::level::read_map(include_bytes!("../../levels/bunker.map"))
            .expect("our own level");
        let mut sim =
            crate::sim::Sim::new(level, 1, Default::default(), &mut Silent).expect("a world");
        let before = room_graph(&sim.world);
        assert!(before.portals.iter().all(|portal| !portal.1));
        let mut rng = crate::geom::rng::Rng::new(1);
        for _ in 0..60 {
            let command = crate::sim::soak_command(&sim, &mut rng);
            sim.step(&command, &mut Silent);
        }
        let after = room_graph(&sim.world);
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
