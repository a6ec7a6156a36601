//! Reads the sun of a level, in the keys of several games.
//!
//! - `light_environment` (Half-Life): colour and intensity in `_light`, direction of the light in `angles` or `pitch`.
//! - A light with `_sun` (Quake's newer compilers): direction from it to the entity that its `target` names, or `mangle`.
//! - worldspawn with `_sunlight` (the same), `_sun_mangle` or `_sunlight_mangle`, `_sunlight_color`.
//!
//! The first in the file counts. Angles are degrees. A direction that leads up is mirrored down, since the signs differ
//! between games; without a direction it is straight down.
use super::keys::{numbers, rgb};
use super::light::Sun;
use super::parsed::ParsedEntity;
use glam::DVec3;

/// Default intensity: that of a light.
const DEFAULT_INTENSITY: f64 = 300.0;

/// Whether the entity is the sun instead of a point light.
pub(super) fn is_sun(entity: &ParsedEntity) -> bool {
    let name = entity.class_name();
    name == "light_environment" || (name.starts_with("light") && is_set(entity, "_sun"))
}

/// The level's sun, if it has one.
pub(super) fn sun(entities: &[&ParsedEntity]) -> Option<Sun> {
    entities.iter().find_map(|entity| {
        if is_sun(entity) {
            return sun_of_light(entity, entities);
        }
        if entity.class_name() == "worldspawn" {
            return sun_of_worldspawn(entity);
        }
        None
    })
}

fn sun_of_light(entity: &ParsedEntity, entities: &[&ParsedEntity]) -> Option<Sun> {
    let value = first_of(entity, &["_light", "light"]).unwrap_or("");
    let (colour, intensity) = match (numbers::<4>(value), numbers::<3>(value)) {
        (Some([r, g, b, i]), _) => (Some([r, g, b]), i),
        (None, Some(colour)) => (Some(colour), DEFAULT_INTENSITY),
        _ => (None, numbers::<1>(value).map_or(DEFAULT_INTENSITY, |[i]| i)),
    };
    let named = first_of(entity, &["_color", "color", "_colour"]).and_then(numbers::<3>);
    let at = |entity: &ParsedEntity| {
        let origin = entity.get("origin").and_then(numbers::<3>);
        origin.map(DVec3::from_array)
    };
    let target = entity.get("target").and_then(|name| {
        let mut others = entities.iter().copied();
        others.find(|other| other.get("targetname") == Some(name))
    });
    let to_target = target
        .and_then(at)
        .zip(at(entity))
        .map(|(to, from)| to - from);
    let direction = to_target.or_else(|| {
        // Half-Life writes pitch first, and once more in a key of its own.
        let angles = entity.get("angles").and_then(numbers::<3>);
        let pitch = entity.get("pitch").and_then(numbers::<1>);
        match (mangle(entity, &["mangle"]), angles, pitch) {
            (Some(direction), ..) => Some(direction),
            (None, None, None) => None,
            (None, angles, pitch) => {
                let [a, yaw, _] = angles.unwrap_or([-90.0, 0.0, 0.0]);
                Some(from_angles(yaw, pitch.map_or(a, |[p]| p)))
            }
        }
    });
    sun_along(direction, intensity, named.or(colour))
}

fn sun_of_worldspawn(entity: &ParsedEntity) -> Option<Sun> {
    let [intensity] = first_of(entity, &["_sunlight", "_sun_light"]).and_then(numbers::<1>)?;
    let direction = mangle(entity, &["_sun_mangle", "_sunlight_mangle", "_sun_angle"]);
    let colour = first_of(entity, &["_sunlight_color", "_sun_color"]).and_then(numbers::<3>);
    sun_along(direction, intensity, colour)
}

fn sun_along(direction: Option<DVec3>, intensity: f64, colour: Option<[f64; 3]>) -> Option<Sun> {
    let direction = direction.unwrap_or(DVec3::NEG_Z).try_normalize();
    let direction = direction.unwrap_or(DVec3::NEG_Z);
    // In the axes of the world, against the light.
    let toward = DVec3::new(-direction.x, direction.z.abs(), direction.y);
    (intensity > 0.0 && intensity.is_finite()).then_some(Sun {
        toward,
        intensity,
        colour: rgb(colour.unwrap_or([1.0; 3])),
    })
}

/// The direction of a key with yaw, pitch and roll.
fn mangle(entity: &ParsedEntity, names: &[&str]) -> Option<DVec3> {
    let [yaw, pitch, _] = first_of(entity, names).and_then(numbers::<3>)?;
    Some(from_angles(yaw, pitch))
}

fn from_angles(yaw: f64, pitch: f64) -> DVec3 {
    let (sin_yaw, cos_yaw) = libm::sincos((yaw % 360.0).to_radians());
    let (sin, cos) = libm::sincos((pitch % 360.0).to_radians());
    DVec3::new(cos * cos_yaw, cos * sin_yaw, sin)
}

fn first_of<'a>(entity: &'a ParsedEntity, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| entity.get(name))
}

fn is_set(entity: &ParsedEntity, name: &str) -> bool {
    entity
        .get(name)
        .and_then(numbers::<1>)
        .is_some_and(|[x]| x != 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::read_map;

    fn sun_of(world: &str, rest: &str) -> Option<Sun> {
        let text = format!(
            "{{\n\"classname\" \"worldspawn\"\n{world}\n{{\n( 0 0 0 ) ( 0 1 0 ) ( 0 0 1 ) a 0 0 0 1 1\n( 64 0 0 ) ( 64 0 1 ) ( 64 1 0 ) a 0 0 0 1 1\n\
             ( 0 0 0 ) ( 0 0 1 ) ( 1 0 0 ) a 0 0 0 1 1\n( 0 64 0 ) ( 1 64 0 ) ( 0 64 1 ) a 0 0 0 1 1\n\
             ( 0 0 0 ) ( 1 0 0 ) ( 0 1 0 ) a 0 0 0 1 1\n( 0 0 64 ) ( 0 1 64 ) ( 1 0 64 ) a 0 0 0 1 1\n}}\n}}\n{rest}"
        );
        let level = read_map(text.as_bytes()).expect("a level");
        assert!(level.lights.is_empty(), "the sun is none of the lights");
        level.sun
    }

    #[track_caller]
    fn check(world: &str, rest: &str, toward: [f64; 3], intensity: f64, colour: [f32; 3]) {
        let sun = sun_of(world, rest).expect("a sun");
        let toward = DVec3::from_array(toward).normalize();
        assert!(sun.toward.distance(toward) < 1e-9, "{:?}", sun.toward);
        assert_eq!((sun.intensity, sun.colour), (intensity, colour));
    }

    #[test]
    fn each_game_says_the_sun_in_its_own_way() {
        // East and north of Z-up are +X and -Z of Y-up; the sun stands where the light comes from.
        let (half, up) = (0.5, 0.75f64.sqrt());
        check(
            "\"_sunlight\" \"200\"",
            "",
            [0.0, 1.0, 0.0],
            200.0,
            [1.0; 3],
        );
        check(
            "\"_sunlight\" \"200\"\n\"_sun_mangle\" \"90 -60 0\"\n\"_sunlight_color\" \"255 0 51\"",
            "",
            [0.0, up, half],
            200.0,
            [1.0, 0.0, 0.2],
        );
        check(
            "",
            "{\n\"classname\" \"light_environment\"\n\"origin\" \"0 0 8\"\n\"angles\" \"0 180 0\"\n\"pitch\" \"-60\"\n\
             \"_light\" \"255 255 255 150\"\n}\n",
            [half, up, 0.0],
            150.0,
            [1.0; 3],
        );
        check(
            "",
            "{\n\"classname\" \"light\"\n\"origin\" \"0 0 64\"\n\"_sun\" \"1\"\n\"target\" \"t\"\n}\n\
             {\n\"classname\" \"info_null\"\n\"origin\" \"64 0 0\"\n\"targetname\" \"t\"\n}\n",
            [-1.0, 1.0, 0.0],
            300.0,
            [1.0; 3],
        );
        // Up is turned down.
        check(
            "\"_sunlight\" \"1\"\n\"_sun_mangle\" \"0 90 0\"",
            "",
            [0.0, 1.0, 0.0],
            1.0,
            [1.0; 3],
        );
    }

    #[test]
    fn broken_suns_do_not_shine() {
        assert_eq!(sun_of("", ""), None);
        for value in ["0", "-5", "nan", "a lot", "inf"] {
            assert_eq!(sun_of(&format!("\"_sunlight\" \"{value}\""), ""), None);
        }
        let lost = "{\n\"classname\" \"light\"\n\"_sun\" \"1\"\n\"target\" \"nowhere\"\n}\n";
        assert_eq!(sun_of("", lost).map(|s| s.toward), Some(DVec3::Y));
    }
}
