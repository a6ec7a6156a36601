//! The lights of a picture: those that reach a visible room, nearest to the camera first.
use super::camera::Camera;
use super::snapshot::{LightSource, LightView, MAX_LIGHTS};
use super::visible_set::VisibleSet;
use crate::geom::Aabb;
use crate::level::Light;
use crate::sim::{Sim, TICK_SECS};
use crate::world::{RoomId, World};
use glam::DVec3;
use strum::VariantArray;

/// 32 units are a metre. A light of intensity 300 (Quake's default) reaches about 300 units.
const UNITS_PER_M: f64 = 32.0;
/// Factor of the nominal reach: the attenuation ends softly.
const REACH: f64 = 1.25;
/// Brightness of a level's light.
pub(super) const STRENGTH: f32 = 2.2;
/// Brightness of an explosion's flash.
const FLASH: f64 = 8.0;
/// Duration of an explosion's flash, seconds.
const FLASH_SECS: f64 = 0.4;
/// A rocket's flame.
const ROCKET_COLOUR: [f32; 3] = [3.0, 1.5, 0.5];
const ROCKET_REACH_M: f64 = 5.0;
/// At the muzzle the flame is brighter and reaches farther: factors of both, and the duration in ticks.
const MUZZLE: [f64; 3] = [4.0, 1.8, 7.0];
/// The player's lamp in a level without lights.
const LAMP: LightView = LightView {
    position: DVec3::ZERO,
    radius: 24.0,
    colour: [1.5, 1.4, 1.25],
    source: LightSource::Lamp,
};
/// The player's lamp in a level with lights: no place is quite black.
const FAINT_LAMP: LightView = LightView {
    position: DVec3::ZERO,
    radius: 11.0,
    colour: [0.30, 0.28, 0.25],
    source: LightSource::Lamp,
};

/// The lights of each source, in the order of [`LightSource`]: explosions and rockets come first, so that they always fit.
pub(super) fn lights(
    sim: &Sim,
    camera: &Camera,
    visible_set: &VisibleSet,
    alpha: f64,
) -> Vec<LightView> {
    let mut lights = Vec::new();
    for &source in LightSource::VARIANTS {
        match source {
            LightSource::Explosion => lights.extend(flashes(sim, alpha).take(MAX_LIGHTS / 4)),
            LightSource::Rocket => lights.extend(flames(sim, alpha).take(MAX_LIGHTS / 4)),
            LightSource::Lamp => lights.push(lamp(sim, camera)),
            LightSource::Level => {
                let room_left = MAX_LIGHTS - lights.len();
                lights.extend(placed(sim, camera, visible_set).take(room_left));
            }
        }
    }
    lights
}

/// The latest explosions first.
fn flashes(sim: &Sim, alpha: f64) -> impl Iterator<Item = LightView> {
    let now = sim.tick as f64 + alpha;
    sim.explosions.iter().rev().filter_map(move |explosion| {
        let age = (now - explosion.tick as f64) * TICK_SECS;
        Some(LightView {
            position: explosion.position,
            radius: 4.0 + 6.0 * explosion.radius.max(0.1),
            colour: flash_colour(age)?,
            source: LightSource::Explosion,
        })
    })
}

/// The latest rockets first.
fn flames(sim: &Sim, alpha: f64) -> impl Iterator<Item = LightView> {
    sim.rockets.iter().rev().map(move |rocket| {
        let (colour, radius) = flame(f64::from(rocket.age) + alpha);
        LightView {
            position: rocket.previous.lerp(rocket.position, alpha),
            radius,
            colour,
            source: LightSource::Rocket,
        }
    })
}

fn lamp(sim: &Sim, camera: &Camera) -> LightView {
    let lamp = match sim.level.lights.is_empty() {
        true => LAMP,
        false => FAINT_LAMP,
    };
    LightView {
        position: camera.eye,
        ..lamp
    }
}

/// Lights of the level that reach a visible room, the nearest first.
fn placed(sim: &Sim, camera: &Camera, visible_set: &VisibleSet) -> impl Iterator<Item = LightView> {
    let mut placed: Vec<(f64, &Light)> = Vec::new();
    for light in &sim.level.lights {
        let reach = reach_m(light);
        if reach > 0.0 && visible_set.reached_by(light.position, reach) {
            let distance = light.position.distance(camera.eye) - reach;
            placed.push((distance.max(0.0), light));
        }
    }
    // Stable: of two at the same distance the earlier one of the level comes first.
    placed.sort_by(|a, b| a.0.total_cmp(&b.0));
    placed.into_iter().map(|(_, light)| LightView {
        position: light.position,
        radius: reach_m(light),
        colour: light.colour.map(|c| c * STRENGTH),
        source: LightSource::Level,
    })
}

/// Hidden rooms within reach of a light that casts shadows; ascending.
pub(super) fn casters(
    world: &World,
    lights: &[LightView],
    visible_set: &VisibleSet,
) -> Vec<RoomId> {
    let mut known = vec![false; world.room_count()];
    let mut around = Vec::new();
    for light in lights.iter().filter(|light| light.source.casts_shadows()) {
        let reach = Aabb {
            min: light.position - light.radius,
            max: light.position + light.radius,
        };
        world.each_room_in_box(&reach, &mut |id| {
            let room = world.room(id);
            let nearest = room.cell.closest_point(light.position);
            if !known[id as usize]
                && !visible_set.contains(id)
                && room.triangle_count > 0
                && nearest.distance(light.position) < light.radius
            {
                known[id as usize] = true;
                around.push(id);
            }
        });
    }
    around.sort_unstable();
    around
}

/// Reach of a light, metres; 0 if its intensity is negative or not a number.
pub(super) fn reach_m(light: &Light) -> f64 {
    let reach = light.intensity / UNITS_PER_M * REACH;
    if reach.is_finite() && light.position.is_finite() {
        reach.clamp(0.0, 200.0)
    } else {
        0.0
    }
}

/// Colour and reach in metres of a rocket's flame, by ticks since launch.
fn flame(age_ticks: f64) -> ([f32; 3], f64) {
    let [brighter, farther, ticks] = MUZZLE;
    let part = (1.0 - age_ticks / ticks).clamp(0.0, 1.0);
    let grown = |most: f64| 1.0 + (most - 1.0) * part * part;
    let colour = ROCKET_COLOUR.map(|c| c * grown(brighter) as f32);
    (colour, ROCKET_REACH_M * grown(farther))
}

/// Colour of an explosion's flash: white, then orange; None after its end.
fn flash_colour(age_secs: f64) -> Option<[f32; 3]> {
    let left = 1.0 - age_secs / FLASH_SECS;
    if !(0.0 < left && left <= 1.0) {
        return None;
    }
    let strength = FLASH * left * left;
    Some(
        [
            strength,
            strength * (0.35 + 0.45 * left),
            strength * (0.1 + 0.5 * left * left),
        ]
        .map(|c| c as f32),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flash_fades_and_ends() {
        let sum = |age| flash_colour(age).map_or(0.0, |c| c.iter().sum::<f32>());
        assert!(sum(0.0) > sum(0.1) && sum(0.1) > sum(0.3) && sum(0.3) > 0.0);
        assert_eq!(flash_colour(0.41), None);
        assert_eq!(flash_colour(-0.1), None, "not before the blast");
        assert_eq!(flash_colour(f64::NAN), None);
    }

    #[test]
    fn a_rocket_lights_the_muzzle_and_then_burns_as_ever() {
        let bright = |age| flame(age).0[0];
        assert!((bright(0.0) / ROCKET_COLOUR[0] - 4.0).abs() < 1e-6);
        assert!(bright(0.0) > bright(2.0) && bright(2.0) > bright(6.0));
        assert!(flame(0.0).1 > flame(3.0).1);
        for later in [7.0, 8.5, 1e9] {
            assert_eq!(flame(later), (ROCKET_COLOUR, ROCKET_REACH_M));
        }
    }

    #[test]
    fn a_broken_intensity_gives_no_light() {
        let light = |intensity| Light {
            position: DVec3::ZERO,
            intensity,
            colour: [1.0; 3],
        };
        assert_eq!(reach_m(&light(f64::NAN)), 0.0);
        assert_eq!(reach_m(&light(-300.0)), 0.0);
        assert_eq!(reach_m(&light(1e300)), 200.0);
        assert!((reach_m(&light(300.0)) - 300.0 / 32.0 * REACH).abs() < 1e-12);
    }
}
