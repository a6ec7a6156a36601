//! Plats: the file has them raised; most rest lowered and rise under the player.
use super::classes::Engine;
use super::doors::Made;
use super::reader::Reader;
use super::shape::Shape;
use super::{Motion, MoverKind, Placement, StartedBy};
use crate::geom::Aabb;
use crate::level::keys::UNITS;
use glam::DVec3;

/// Height of a player, units.
const PLAYER: f64 = 56.0;

pub(super) fn plat(reader: &mut Reader, shape: &Shape) -> Made {
    /// Bits of `spawnflags`: Quake's and Quake 2's plats that rise only for who comes in below; Half-Life's that signals move.
    const LOW_TRIGGER: u32 = 1;
    const TOGGLE: u32 = 1;
    let engine = reader.engine;
    let speed = reader.speed(match engine {
        Engine::Quake | Engine::HalfLife => 150.0,
        Engine::Quake2 | Engine::Quake3 => 200.0,
    });
    let lip = match engine {
        Engine::Quake | Engine::HalfLife => None,
        Engine::Quake2 => reader.nonzero("lip"),
        Engine::Quake3 => reader.number("lip"),
    };
    let drop = reader.nonzero("height");
    let drop = drop.unwrap_or(shape.bounds.size().y * UNITS - lip.unwrap_or(8.0)) / UNITS;
    let drop = -reader.within_grid(&shape.bounds, DVec3::NEG_Y * drop).y;
    let wait = match engine {
        Engine::Quake3 => reader.wait(1.0, false),
        _ => Some(3.0),
    };
    let toggles = engine == Engine::HalfLife && reader.flag(TOGGLE);
    let is_named = reader.is_named();
    let [raised, lowered] = [0.0, -drop].map(|y| Placement {
        shift: DVec3::Y * y,
        angle: 0.0,
    });
    // Quake 3's rest lowered whether they have a name or not.
    let places = match is_named && engine != Engine::Quake3 {
        true => [raised, lowered],
        false => [lowered, raised],
    };
    let low = engine != Engine::HalfLife && reader.flag(LOW_TRIGGER);
    let near = near(engine, &shape.bounds, drop, low || engine == Engine::Quake3);
    let motion = Motion::Between {
        places,
        hinge: None,
        speed,
        wait: wait.filter(|_| !toggles),
        toggles,
        reverses: true,
    };
    let started_by = StartedBy {
        near: (!is_named && !toggles).then_some(near),
        ..StartedBy::default()
    };
    Made::new(MoverKind::Plat, motion, started_by)
}

/// Where the player raises a plat: over its plan without a rim, from its lowered top up to 8 units above the raised one (the
/// lowered one where it is low) and a player's height.
fn near(engine: Engine, bounds: &Aabb, drop: f64, low: bool) -> Aabb {
    let rim = match engine {
        Engine::Quake3 => 33.0,
        _ => 25.0,
    } / UNITS;
    let [top, other] = [bounds.max.y, bounds.max.y - drop];
    let ceiling = if low { other } else { top.max(other) };
    let mut near = Aabb {
        min: bounds.min.with_y(other.min(top)),
        max: bounds.max.with_y(ceiling + (8.0 + PLAYER) / UNITS),
    };
    for axis in [0, 2] {
        // A narrow one is felt in a strip of a unit.
        let middle = (bounds.min[axis] + bounds.max[axis]) * 0.5;
        let half = (bounds.size()[axis] * 0.5 - rim).max(0.5 / UNITS);
        (near.min[axis], near.max[axis]) = (middle - half, middle + half);
    }
    near
}
