//! Eye adaptation: the exposure follows the light near the camera.
use super::camera::{Camera, axes};
use super::lights::{STRENGTH, reach_m};
use crate::level::Light;
use glam::DVec3;

/// Weight of the sun: it lights from one side only.
const SUN_SHARE: f64 = 0.8;
/// Light on a point of a well lit room, by [`light_at`].
const WELL_LIT: f64 = 1.05;

/// Exposure from the level's lights at the camera and ahead of it. Explosions are left out, so that they dazzle. The
/// adaptation is partial: dark places stay darker than bright ones. `sunlit` is the mean sunlight in view.
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

/// Sum of the lights at a point, with the attenuation of shaders/frame.wgsl; walls are ignored.
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
