//! Values of keys: numbers, points, angles, colours.
use super::error::{LevelError, Pos};
use super::parsed::{Key, ParsedEntity, REACH};
use glam::DVec3;

/// `.map` units in a metre.
pub(super) const UNITS: f64 = 32.0;
/// Height of the eye above a player's origin, units: Quake's view height.
pub(super) const VIEW_HEIGHT: f64 = 22.0;

/// `N` finite numbers and nothing else.
pub(super) fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let mut words = text.split_ascii_whitespace();
    let mut out = [0.0; N];
    for x in &mut out {
        *x = words.next()?.parse().ok().filter(|x: &f64| x.is_finite())?;
    }
    words.next().is_none().then_some(out)
}

/// Refuses the file because of a key's value.
pub(super) fn refuse<T>(key: &Key, why: &str) -> Result<T, LevelError> {
    let value: String = key.value.chars().take(40).collect();
    Err(key.pos.error(format!("`{}` is {why}: {value:?}", key.name)))
}

/// The `origin`, units; an error text where it is missing or no point of the grid.
pub(super) fn origin(entity: &ParsedEntity) -> Result<DVec3, (Pos, String)> {
    let Some(key) = entity.key("origin") else {
        return Err((entity.pos, format!("{} has no origin", entity.class_name())));
    };
    let Some(p) = numbers::<3>(&key.value).map(DVec3::from_array) else {
        return Err((key.pos, "`origin` is not three finite numbers".into()));
    };
    if p.abs().max_element() > REACH {
        return Err((
            key.pos,
            "`origin` lies beyond the grid of 1024 m (32768 units)".into(),
        ));
    }
    Ok(p)
}

/// Quake's angle turns counter-clockwise from east (+X); −1 and −2 are up and down.
pub(super) fn yaw(entity: &ParsedEntity) -> f64 {
    let one = entity.get("angle").and_then(numbers::<1>).map(|[a]| a);
    let three = || {
        let text = entity.get("angles").or_else(|| entity.get("mangle"));
        text.and_then(numbers::<3>).map(|[_, yaw, _]| yaw)
    };
    let degrees = match one.or_else(three).unwrap_or(0.0) {
        -1.0 | -2.0 => 0.0,
        a => a,
    };
    ((degrees - 90.0) % 360.0).to_radians()
}

/// A point of the file in metres, Y up.
pub(super) fn metres(p: DVec3) -> DVec3 {
    DVec3::new(p.x, p.z, -p.y) / UNITS
}

/// A colour whose components are 0..=1, or 0..=255 where one exceeds 1.
pub(super) fn rgb(colour: [f64; 3]) -> [f32; 3] {
    let scale = if colour.iter().any(|&c| c > 1.0) {
        255.0
    } else {
        1.0
    };
    colour.map(|c| (c / scale).clamp(0.0, 1.0) as f32)
}
