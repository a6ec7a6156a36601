//! Where a level begins.
use super::player;
use super::state::Player;
use crate::bvh::QueryStats;
use crate::debris::clearance::nearest_surface;
use crate::geom::rng::Rng;
use crate::level::{LevelDesc, Warning};
use crate::world::{RoomId, World};
use glam::DVec3;

/// Points tried in each room for the roomiest one.
const TRIES: usize = 400;
/// Triangles looked at in all: bounds the search in a room of many.
const WORK: usize = 4_000_000;

/// The player at the first start whose eye is in the air, walking; without one it hovers at the roomiest point of the
/// largest room; a level without air is looked at from its middle, through walls.
pub(super) fn place_player(world: &World, level: &mut LevelDesc, buffer: f64) -> Player {
    let mut solid = Vec::new();
    let start = level.starts.iter().find(|(eye, _)| {
        let air = world.locate(*eye).is_some();
        if !air {
            solid.push(*eye);
        }
        air
    });
    let start = start.copied();
    for eye in solid {
        let text = format!(
            "a player start inside solid is skipped: {:.2} {:.2} {:.2} m",
            eye.x, eye.y, eye.z
        );
        level.warnings.push(Warning { line: 0, text });
    }
    let roomiest = || roomiest_point(world).map(|eye| (eye, 0.0));
    let bounds = world.bounds();
    let (eye, yaw) = start
        .or_else(roomiest)
        .unwrap_or(((bounds.min + bounds.max) * 0.5, 0.0));
    let mut player = Player {
        eye,
        previous_eye: eye,
        velocity: DVec3::ZERO,
        yaw,
        pitch: 0.0,
        walking: start.is_some(),
        no_clip: false,
        on_ground: false,
        crouched: false,
        feet: eye - DVec3::Y * player::EYE_HEIGHT,
        eye_lag: 0.0,
        last_air: eye,
    };
    if world.locate(eye).is_some() {
        player::place(&mut player, world, buffer, &mut QueryStats::default());
    } else {
        player.no_clip = true;
    }
    player.previous_eye = player.eye;
    player
}

/// Of seeded points in the largest room, the one furthest from any surface; the next room if no point met its air.
fn roomiest_point(world: &World) -> Option<DVec3> {
    let mut rooms: Vec<RoomId> = (0..world.room_count() as RoomId).collect();
    rooms.sort_by(|a, b| {
        world
            .room(*b)
            .air_volume_m3
            .total_cmp(&world.room(*a).air_volume_m3)
            .then(a.cmp(b))
    });
    rooms
        .into_iter()
        .filter(|&id| world.room(id).air_volume_m3 > 0.0)
        .find_map(|id| roomiest_in(world, id))
}

fn roomiest_in(world: &World, id: RoomId) -> Option<DVec3> {
    let room = world.room(id);
    let triangles = (room.triangle_count as usize).max(1);
    let tries = TRIES.min(WORK / triangles).max(16);
    let limit = (room.cell.max - room.cell.min).length();
    let mut rng = Rng::new(u64::from(id));
    let mut stats = QueryStats::default();
    let points = (0..tries)
        .map(|_| rng.in_box(&room.cell))
        .filter(|&p| world.locate(p) == Some(id));
    let mut best: Option<(f64, DVec3)> = None;
    for point in points {
        let free =
            nearest_surface(world, point, limit, &mut stats).map_or(limit, |near| near.distance);
        if best.is_none_or(|(most, _)| free > most) {
            best = Some((free, point));
        }
    }
    // Air so thin that no point fell into it: before the middle of a face.
    best.map(|(_, point)| point).or_else(|| {
        let mut live = room.mesh.triangles.iter().filter(|t| t.is_live());
        live.find_map(|triangle| {
            let [a, b, c] = triangle.corners.map(|i| room.mesh.positions[i as usize]);
            let normal = (b - a).cross(c - a).try_normalize()?;
            [0.1, 0.001]
                .map(|gap| (a + b + c) / 3.0 + normal * gap)
                .into_iter()
                .find(|&p| world.locate(p).is_some())
        })
    })
}
