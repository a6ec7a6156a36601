//! The lights of a picture: those that reach a visible room, nearest to the camera first.
use super::camera::Camera;
use super::snapshot::{LightView, MAX_LIGHTS};
use super::visible_set::VisibleSet;
use crate::geom::Aabb;
use crate::level::Light;
use crate::sim::{Sim, TICK_SECS};
use crate::world::{RoomId, World};
use glam::DVec3;

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
    casts: false,
};
/// The player's lamp in a level with lights: no place is quite black.
const FAINT_LAMP: LightView = LightView {
    position: DVec3::ZERO,
    radius: 11.0,
    colour: [0.30, 0.28, 0.25],
    casts: false,
};

/// Explosions and rockets come first, so that they always fit; then the level's lights.
pub(super) fn lights(
    sim: &Sim,
    camera: &Camera,
    visible_set: &VisibleSet,
    alpha: f64,
) -> Vec<LightView> {
    let now = sim.tick as f64 + alpha;
    let mut lights: Vec<LightView> = Vec::new();
    for explosion in sim.explosions.iter().rev() {
        let age = (now - explosion.tick as f64) * TICK_SECS;
        if let Some(colour) = flash_colour(age) {
            let radius = 4.0 + 6.0 * explosion.radius.max(0.1);
            lights.push(LightView {
                position: explosion.position,
                radius,
                colour,
                casts: true,
            });
        }
    }
    lights.truncate(MAX_LIGHTS / 4);
    for rocket in sim.rockets.iter().rev().take(MAX_LIGHTS / 4) {
        let position = rocket.previous.lerp(rocket.position, alpha);
        let (colour, radius) = flame(f64::from(rocket.age) + alpha);
        lights.push(LightView {
            position,
            radius,
            colour,
            // It moves: its shadow map would be redrawn every frame, for a light that reaches five metres.
            casts: false,
        });
    }
    if sim.level.lights.is_empty() {
        lights.push(LightView {
            position: camera.eye,
            ..LAMP
        });
        return lights;
    }
    lights.push(LightView {
        position: camera.eye,
        ..FAINT_LAMP
    });
    let mut placed: Vec<(f64, usize)> = Vec::new();
    for (index, light) in sim.level.lights.iter().enumerate() {
        let reach = reach_m(light);
        if reach > 0.0 && visible_set.reached_by(light.position, reach) {
            placed.push((
                (light.position.distance(camera.eye) - reach).max(0.0),
                index,
            ));
        }
    }
    placed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let room_left = MAX_LIGHTS - lights.len();
    lights.extend(placed.iter().take(room_left).map(|&(_, index)| {
        let light = &sim.level.lights[index];
        LightView {
            position: light.position,
            radius: reach_m(light),
            colour: light.colour.map(|c| c * STRENGTH),
            casts: true,
        }
    }));
    lights
}

/// Hidden rooms within reach of a light that casts shadows; ascending.
pub(super) fn casters(
    world: &World,
    lights: &[LightView],
    visible_set: &VisibleSet,
) -> Vec<RoomId> {
    let mut known = vec![false; world.room_count()];
    let mut around = Vec::new();
    for light in lights.iter().filter(|light| light.casts) {
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
