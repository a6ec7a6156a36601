//! The player's position when a level opens.
use super::fit_player;
use super::player::{self, Player};
use crate::bvh::QueryStats;
use crate::debris::clearance::nearest_surface;
use crate::geom::rng::Rng;
use crate::geom::tolerance::CULL_SLACK;
use crate::level::{CoarseFace, LevelDesc, Warning};
use crate::world::{RoomId, World};
use glam::DVec3;

/// Points tried in each room for the one with most room.
const TRIES: usize = 400;
/// Triangles visited in all: bounds the search in rooms with many.
const WORK: usize = 4_000_000;

/// The player at the first start whose eye is in the air, walking. Without one, which is a warning, it hovers at the
/// roomiest point of the largest room that has one; in a level without air it is at the middle, with no-clip.
pub(super) fn place_player(world: &World, level: &mut LevelDesc, buffer: f64) -> Player {
    if let Some(first) = world.slits.first() {
        let text = format!(
            "{} gaps thinner than 1/16 unit were closed, as the level leaked; the first is at {:.2} {:.2} {:.2} m",
            world.slits.len(),
            first.x,
            first.y,
            first.z
        );
        level.warnings.push(Warning { line: 0, text });
    }
    if world.sealed == Some(false)
        && let Some(coarsest) = level.coarsest.filter(|c| c.units > CoarseFace::NOISE)
    {
        let text = format!(
            "the points of this face have too few decimals, which may be why the level leaks: a corner may be off by {:.2} units",
            coarsest.units
        );
        let line = coarsest.line;
        level.warnings.push(Warning { line, text });
    }
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
    if start.is_none() {
        let text = "no player start is in air: the player starts where there is most room".into();
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
        fit_player::fit_around_eye(&mut player, world, buffer, &mut QueryStats::default());
    } else {
        player.no_clip = true;
    }
    player.previous_eye = player.eye;
    player
}

/// Of random points in the largest room, the one farthest from any surface; the next room if none was in its air. Points
/// inside the level come first: the air around a level is larger, but nothing is visible from there.
fn roomiest_point(world: &World) -> Option<DVec3> {
    let mut rooms: Vec<RoomId> = (0..world.room_count() as RoomId).collect();
    rooms.sort_by(|a, b| {
        world
            .room(*b)
            .air_volume_m3
            .total_cmp(&world.room(*a).air_volume_m3)
            .then(a.cmp(b))
    });
    rooms.retain(|&id| world.room(id).air_volume_m3 > 0.0);
    let inside = rooms.iter().find_map(|&id| roomiest_in(world, id, true));
    inside
        .or_else(|| rooms.iter().find_map(|&id| roomiest_in(world, id, false)))
        .or_else(|| rooms.iter().find_map(|&id| before_a_face(world, id)))
}

/// Whether walls hide the level's bounds from a point in all 26 directions along the axes and diagonals.
fn is_inside(world: &World, point: DVec3) -> bool {
    let bounds = world.bounds();
    let slack = CULL_SLACK * bounds.min.abs().max(bounds.max.abs()).max_element();
    let mut stats = QueryStats::default();
    let signs = [-1.0, 0.0, 1.0];
    let ways = signs.map(|x| signs.map(|y| signs.map(|z| DVec3::new(x, y, z))));
    let mut ways = ways.into_iter().flatten().flatten();
    ways.all(|way| {
        // The distance to the bounds along each axis; infinite along one that the direction does not follow.
        let far = DVec3::select(way.cmpgt(DVec3::ZERO), bounds.max, bounds.min);
        let lengths = DVec3::select(way.cmpeq(DVec3::ZERO), DVec3::INFINITY, (far - point) / way);
        let length = lengths.min_element() - slack;
        let is_way = way != DVec3::ZERO && length > 0.0;
        !is_way
            || world
                .cast_ray(point, point + way * length, &mut stats)
                .is_some()
    })
}

fn roomiest_in(world: &World, id: RoomId, inside: bool) -> Option<DVec3> {
    let room = world.room(id);
    let triangles = (room.triangle_count as usize).max(1);
    let tries = TRIES.min(WORK / triangles).max(16);
    let limit = (room.cell.max - room.cell.min).length();
    let mut rng = Rng::new(u64::from(id));
    let mut stats = QueryStats::default();
    let points = (0..tries)
        .map(|_| rng.in_box(&room.cell))
        .filter(|&p| world.locate(p) == Some(id))
        .filter(|&p| !inside || is_inside(world, p));
    let mut best: Option<(f64, DVec3)> = None;
    for point in points {
        let free =
            nearest_surface(world, point, limit, &mut stats).map_or(limit, |near| near.distance);
        if best.is_none_or(|(most, _)| free > most) {
            best = Some((free, point));
        }
    }
    best.map(|(_, point)| point)
}

/// A point in front of the middle of a face, for air so thin that no random point fell into it.
fn before_a_face(world: &World, id: RoomId) -> Option<DVec3> {
    let room = world.room(id);
    let mut live = room.mesh.triangles.iter().filter(|t| t.is_live());
    live.find_map(|triangle| {
        let [a, b, c] = triangle.corners.map(|i| room.mesh.positions[i as usize]);
        let normal = (b - a).cross(c - a).try_normalize()?;
        [0.1, 0.001]
            .map(|gap| (a + b + c) / 3.0 + normal * gap)
            .into_iter()
            .find(|&p| world.locate(p).is_some())
    })
}
