//! Levels turned, scaled and moved, as an editor's rotate and scale do: plane points and origins move, texture axes stay.
//! What is kept is the level as it was and how it is turned, so that both can be judged side by side.
use super::brushes::Coin;
use super::levels::{Levels, Made};
use super::map::{Map, Task, side_line, side_points};
use breach::geom::rng::Rng;
use glam::{DMat3, DQuat, DVec3};

/// A level and how it is to be turned.
pub fn case(levels: &Levels, rng: &mut Rng) -> Map {
    let real = (rng.below(3) == 0).then(|| levels.pick(rng)).flatten();
    let mut map = match real {
        Some((_, map)) => map,
        None => Made::built(rng).map,
    };
    let is_round = rng.below_half();
    let values = [
        (
            "degrees",
            if is_round {
                (5 * (1 + rng.below(71))) as f64
            } else {
                rng.range(0.0, 360.0)
            },
        ),
        (
            "tilt",
            if rng.below_half() {
                0.0
            } else {
                rng.range(0.0, 180.0)
            },
        ),
        ("way", rng.range(0.0, 360.0)),
        (
            "scale",
            if rng.below_half() {
                1.0
            } else {
                rng.range(0.5, 3.0)
            },
        ),
        ("decimals", if rng.below(3) == 0 { 3.0 } else { 6.0 }),
        ("x", rng.range(-50.0, 50.0)),
        ("y", rng.range(-50.0, 50.0)),
        ("z", rng.range(-50.0, 50.0)),
    ];
    map.set_task("turned", &values);
    map
}

/// The level turned by `degrees` about an axis that leans from z by `tilt` towards `way` (degrees), scaled, moved by
/// x, y, z units, written with so many decimals.
pub fn turn(map: &Map, task: &Task) -> Map {
    let [angle, tilt, way] = ["degrees", "tilt", "way"].map(|name| task.get(name).to_radians());
    let (sin_tilt, cos_tilt) = libm::sincos(tilt);
    let (sin_way, cos_way) = libm::sincos(way);
    let axis = DVec3::new(sin_tilt * cos_way, sin_tilt * sin_way, cos_tilt);
    let (sin, cos) = libm::sincos(angle / 2.0);
    let turn = DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos);
    let matrix = DMat3::from_quat(turn) * task.get("scale");
    let by = DVec3::from(["x", "y", "z"].map(|name| task.get(name)));
    let decimals = task.get("decimals") as usize;
    let place = |p: DVec3| matrix * p + by;
    let mut map = map.clone();
    map.head.clear();
    for entity in &mut map.entities {
        entity
            .keys
            .retain(|key| !key.starts_with("\"breach_bounds\""));
        if let Some([x, y, z]) = entity.get("origin").and_then(three) {
            let p = place(DVec3::new(x, y, z));
            let text = [p.x, p.y, p.z].map(|x| format!("{x:.decimals$}"));
            entity.set("origin", &text.join(" "));
        }
        for side in entity.brushes.iter_mut().flatten() {
            if let Some((points, rest)) = side_points(side) {
                *side = side_line(points.map(place), rest, Some(decimals));
            }
        }
    }
    map
}

fn three(text: &str) -> Option<[f64; 3]> {
    let mut words = text.split_whitespace().map(str::parse::<f64>);
    let mut next = || words.next()?.ok();
    Some([next()?, next()?, next()?])
}
