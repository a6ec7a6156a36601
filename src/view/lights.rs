//! The lights that matter in a picture: those that reach a visible room, nearest to the eye first.
use super::camera::axes;
use super::visibility::Sight;
use super::{Camera, LightView, MAX_LIGHTS};
use crate::geom::Aabb;
use crate::level::Light;
use crate::sim::{Sim, TICK_SECS};
use crate::world::{RoomId, World};
use glam::DVec3;

/// A light of intensity 300 (Quake's default) reaches about 300 units; 32 units are a metre.
const UNITS_PER_M: f64 = 32.0;
/// Reach beyond the nominal one: the fall-off is soft at its end.
const REACH: f64 = 1.25;
/// Brightness of a level's light; explosions are this many times brighter.
const STRENGTH: f32 = 2.2;
const FLASH: f64 = 8.0;
/// How long an explosion's flash takes to fade, seconds.
const FLASH_SECS: f64 = 0.4;
/// A rocket's flame.
const ROCKET_COLOUR: [f32; 3] = [3.0, 1.5, 0.5];
const ROCKET_REACH_M: f64 = 5.0;
/// As it leaves the muzzle it is so many times brighter and reaches so many times farther, and is as ever after so many ticks.
const MUZZLE: [f64; 3] = [4.0, 1.8, 7.0];
/// Carried by the player: strong where a level has no light at all, else just enough that no place is black.
const LAMP: LightView = LightView {
    position: DVec3::ZERO,
    radius: 24.0,
    colour: [1.5, 1.4, 1.25],
    casts: false,
};
const FAINT_LAMP: LightView = LightView {
    position: DVec3::ZERO,
    radius: 11.0,
    colour: [0.30, 0.28, 0.25],
    casts: false,
};
/// What of the sun's strength counts: it comes from one side.
const SUN_SHARE: f64 = 0.8;
/// Light that falls on a point of a well lit room, by [`light_at`].
const WELL_LIT: f64 = 1.05;

/// Explosions and rockets come first, so that they are never left out; then the level's lights.
pub(super) fn lights(sim: &Sim, camera: &Camera, sight: &Sight, alpha: f64) -> Vec<LightView> {
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
            // It moves: its shadows would have to be drawn in every frame, for a light that reaches five metres.
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
        if reach > 0.0 && sight.reaches(light.position, reach) {
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

/// Rooms within reach of a light that casts shadows, without those that are visible; ascending.
pub(super) fn rooms_around(world: &World, lights: &[LightView], sight: &Sight) -> Vec<RoomId> {
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
                && !sight.is_seen(id)
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

/// How wide the eye opens, from the level's lights near the eye and before it: explosions dazzle. Not all the way, so
/// that dark places stay darker than bright ones. `sunlit` is the sun's strength on what is seen.
pub(super) fn exposure(lights: &[Light], camera: &Camera, sunlit: f64) -> f32 {
    if lights.is_empty() && sunlit == 0.0 {
        return 1.0;
    }
    let ahead = -axes(camera)[2];
    let light: f64 = [0.0, 3.0, 7.0]
        .iter()
        .map(|&far| light_at(lights, camera.eye + ahead * far))
        .sum();
    (WELL_LIT / (light / 3.0 + SUN_SHARE * sunlit + 0.12))
        .powi(7)
        .sqrt()
        .sqrt()
        .sqrt()
        .clamp(0.25, 1.9) as f32
}

/// The strength of all lights at a point, as shaders/frame.wgsl lets it fall off; walls are not asked.
fn light_at(lights: &[Light], at: DVec3) -> f64 {
    let reaching = lights.iter().filter(|light| {
        let reach = reach_m(light);
        light.position.distance_squared(at) < reach * reach
    });
    let strength = |light: &Light| {
        let part = light.position.distance(at) / reach_m(light).max(1e-6);
        let window = (1.0 - part.powi(4)).max(0.0);
        let mean = light.colour.iter().sum::<f32>() / 3.0;
        f64::from(mean * STRENGTH) * window * window / (1.0 + (part * 5.0).powi(2))
    };
    reaching.map(strength).filter(|s| s.is_finite()).sum()
}

/// Metres; 0 for a light that gives none (a broken or negative intensity).
fn reach_m(light: &Light) -> f64 {
    let reach = light.intensity / UNITS_PER_M * REACH;
    if reach.is_finite() && light.position.is_finite() {
        reach.clamp(0.0, 200.0)
    } else {
        0.0
    }
}

/// A rocket's flame so many ticks after launch, and how far it reaches, metres.
fn flame(age_ticks: f64) -> ([f32; 3], f64) {
    let [brighter, farther, ticks] = MUZZLE;
    let part = (1.0 - age_ticks / ticks).clamp(0.0, 1.0);
    let grown = |most: f64| 1.0 + (most - 1.0) * part * part;
    let colour = ROCKET_COLOUR.map(|c| c * grown(brighter) as f32);
    (colour, ROCKET_REACH_M * grown(farther))
}

/// White hot, then orange, then gone.
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
    fn the_eye_opens_in_the_dark_and_closes_in_the_light() {
        let camera = Camera::ahead(DVec3::ZERO);
        let light = |y: f64| Light {
            position: DVec3::Y * y,
            intensity: 300.0,
            colour: [1.0; 3],
        };
        let far = exposure(&[light(500.0)], &camera, 0.0);
        let one = exposure(&[light(2.0)], &camera, 0.0);
        let many = exposure(&vec![light(2.0); 20], &camera, 0.0);
        assert!(many < one && one < far, "{many} {one} {far}");
        assert!(exposure(&[light(f64::NAN)], &camera, 0.0).is_finite());
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
