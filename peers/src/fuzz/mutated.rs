//! Real levels with some things changed: coordinates a little off, brushes moved, copied and left out, sides lost, numbers
//! and bytes that are none, operations added.
use super::brushes;
use super::levels::{Levels, M, Made};
use super::map::{Brush, Entity, Map, side_line, side_points};
use super::recordings::wild;
use breach::geom::rng::Rng;
use glam::{DVec3, I64Vec3};

/// The bytes of a level: most still open.
pub fn case(levels: &Levels, rng: &mut Rng) -> Vec<u8> {
    let mut map = match levels.pick(rng) {
        Some((_, map)) => map,
        None => Made::built(rng).map,
    };
    map.head.clear();
    let is_gentle = rng.below(4) > 0;
    for _ in 0..1 + rng.below(8) {
        match is_gentle {
            true => gently(&mut map, rng),
            false => roughly(&mut map, rng),
        }
    }
    add_operations(&mut map, rng);
    let mut bytes = map.bytes();
    if !is_gentle && rng.below(4) == 0 && !bytes.is_empty() {
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(bytes.len() as u64) as usize;
            bytes[at] = match rng.below(2) {
                0 => b"{}()[]\" -19.e\n\\/"[rng.below(16) as usize],
                _ => rng.below(256) as u8,
            };
        }
    }
    bytes
}

/// A brush of the level, if it has one.
fn any_brush<'a>(map: &'a mut Map, rng: &mut Rng) -> Option<&'a mut Brush> {
    let count = map.brush_count() as u64;
    let mut all = map
        .entities
        .iter_mut()
        .flat_map(|entity| &mut entity.brushes);
    all.nth(rng.below(count) as usize)
}

/// A way that editors and their rounding move things by, units.
fn small(rng: &mut Rng) -> f64 {
    let size = [
        1e-6,
        1.0 / 1024.0,
        1.0 / 512.0,
        0.01,
        1.0 / 64.0,
        0.125,
        1.0,
        8.0,
    ];
    size[rng.below(8) as usize] * if rng.below(2) == 0 { 1.0 } else { -1.0 }
}

/// The level stays a level.
fn gently(map: &mut Map, rng: &mut Rng) {
    let by = small(rng);
    let axis = rng.below(3) as usize;
    let what = rng.below(5);
    let nth = rng.next_u64();
    let Some(brush) = any_brush(map, rng) else {
        return;
    };
    let mut shift = DVec3::ZERO;
    shift[axis] = by;
    match what {
        // One point of one side.
        0 => {
            let side = nth as usize % brush.len().max(1);
            change_side(brush, side, |points| points[nth as usize % 3] += shift);
        }
        // A whole side.
        1 => {
            let side = nth as usize % brush.len().max(1);
            change_side(brush, side, |points| {
                points.iter_mut().for_each(|p| *p += shift)
            });
        }
        // The whole brush.
        2 => {
            for side in 0..brush.len() {
                change_side(brush, side, |points| {
                    points.iter_mut().for_each(|p| *p += shift)
                });
            }
        }
        // A copy beside it.
        3 => {
            let mut copy = brush.clone();
            for side in 0..copy.len() {
                change_side(&mut copy, side, |points| {
                    points.iter_mut().for_each(|p| *p += shift)
                });
            }
            if let Some(world) = map.entities.first_mut() {
                world.brushes.push(copy);
            }
        }
        // It goes.
        _ => brush.clear(),
    }
    for entity in &mut map.entities {
        entity.brushes.retain(|brush| !brush.is_empty());
    }
}

fn change_side(brush: &mut Brush, side: usize, change: impl FnOnce(&mut [DVec3; 3])) {
    let Some(line) = brush.get_mut(side) else {
        return;
    };
    if let Some((mut points, rest)) = side_points(line) {
        change(&mut points);
        *line = side_line(points, rest, None);
    }
}

/// It may be no level any more.
fn roughly(map: &mut Map, rng: &mut Rng) {
    let (what, nth, number) = (rng.below(6), rng.next_u64() as usize, wild(rng));
    if what == 0 {
        let at = nth % map.entities.len().max(1);
        if let Some(entity) = map.entities.get_mut(at) {
            let names = [
                "origin",
                "breach_hardness",
                "breach_base",
                "breach_bounds",
                "angle",
                "light",
                "radius",
            ];
            let name = names[rng.below(7) as usize];
            let value = match rng.below(3) {
                0 => number.clone(),
                1 => format!("{number} {} {}", wild(rng), wild(rng)),
                _ => "unbreakable".into(),
            };
            entity.set(name, &value);
        }
        return;
    }
    let Some(brush) = any_brush(map, rng) else {
        return;
    };
    let side = nth % brush.len().max(1);
    match what {
        // A side is lost, or comes twice.
        1 if !brush.is_empty() => drop(brush.remove(side)),
        2 if !brush.is_empty() => brush.push(brush[side].clone()),
        // Inside out.
        3 => change_side(brush, side, |points| points.swap(0, 2)),
        // A number that is none, or is far.
        4 if !brush.is_empty() => {
            let words: Vec<&str> = brush[side].split(' ').collect();
            let at = nth / 7 % words.len();
            let mut words: Vec<String> = words.into_iter().map(String::from).collect();
            words[at] = number;
            brush[side] = words.join(" ");
        }
        // Flat or thin.
        _ => change_side(brush, side, |points| {
            points[0] = points[1] + (points[0] - points[1]) * 1e-3
        }),
    }
}

/// Blasts and copies of its own brushes as carves and fills, at its own corners.
fn add_operations(map: &mut Map, rng: &mut Rng) {
    if let Some(world) = map.entities.first_mut() {
        world.set("breach_base", "0");
    }
    for _ in 0..rng.below(4) {
        let Some(brush) = any_brush(map, rng) else {
            return;
        };
        let points = brush.first().and_then(|side| side_points(side));
        let Some((points, _)) = points else {
            continue;
        };
        let entity = match rng.below(3) {
            0 => {
                let op = ["func_carve", "func_fill"][rng.below(2) as usize];
                let mut entity = Entity::new(&[("classname", op)]);
                let mut brush = brush.clone();
                let by = rng.unit_vector() * 16.0;
                for side in 0..brush.len() {
                    change_side(&mut brush, side, |points| {
                        points.iter_mut().for_each(|p| *p += by.round())
                    });
                }
                entity.brushes.push(brush);
                entity
            }
            _ => {
                let p = points[0] / 32.0 * M as f64;
                let at = I64Vec3::new(p.x as i64, p.z as i64, -p.y as i64);
                let made = Made {
                    map: Map::default(),
                    planes: Default::default(),
                    corners: vec![at.clamp(I64Vec3::splat(-1000 * M), I64Vec3::splat(1000 * M))],
                    rooms: Vec::new(),
                };
                brushes::blast(&made, rng)
            }
        };
        map.entities.push(entity);
    }
}
