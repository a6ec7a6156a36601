//! Synthesis: each sound as a pure function of its name and a seed. 48 kHz, mono, the greatest sample 1.
//!
//! - `noise`: white noise and the filters that shape it.
//! - `modal`: what rings, as a sum of decaying modes.
//! - `blast`: blasts and shots.
//! - `water`: splashes.
//! - `mover`: what moves as the level says.
//! - `rubble`: breaks, creaks and footsteps, as many grains.
mod blast;
mod modal;
mod mover;
mod noise;
mod rubble;
mod water;

use super::RATE;
use super::kind::Sound;
use crate::geom::hash::Hash64;
use crate::geom::rng::Rng;

/// The samples of a variant of a sound.
pub fn synthesize(sound: Sound, variant: u8) -> Vec<f32> {
    let mut seed = Hash64::new();
    seed.str(&sound.name());
    seed.u64(variant.into());
    let rng = &mut Rng::new(seed.finish());
    let mut samples = vec![0.0; (secs(sound) * f64::from(RATE)) as usize];
    match sound {
        Sound::Rocket => blast::rocket(&mut samples, rng),
        Sound::Throw => blast::throw(&mut samples, rng),
        Sound::Drill => blast::drill(&mut samples, rng),
        Sound::Blast(size) => blast::blast(&mut samples, size, rng),
        Sound::Debris(material, size) => rubble::hit(&mut samples, material, size, rng),
        Sound::Splash(size) => water::splash(&mut samples, size, rng),
        Sound::Mover(size) => mover::mover(&mut samples, size, rng),
        Sound::Break(material) => rubble::break_apart(&mut samples, material, rng),
        Sound::Creak(material) => rubble::creak(&mut samples, material, rng),
        Sound::Step(material) => rubble::step(&mut samples, material, rng),
    }
    finish(&mut samples);
    samples
}

/// How long a sound is, seconds.
pub fn secs(sound: Sound) -> f64 {
    use super::kind::{MOVER_SECS, Size};
    match sound {
        Sound::Rocket => 0.9,
        Sound::Throw => 0.25,
        Sound::Drill => 0.8,
        Sound::Blast(Size::Small) => 1.4,
        Sound::Blast(Size::Medium) => 2.2,
        Sound::Blast(Size::Large) => 3.2,
        Sound::Debris(material, size) => modal::secs(material, size),
        Sound::Splash(Size::Small) => 0.5,
        Sound::Splash(Size::Medium) => 0.9,
        Sound::Splash(Size::Large) => 1.6,
        // A tenth of a second in which two of them fade into each other.
        Sound::Mover(_) => MOVER_SECS + 0.1,
        Sound::Break(_) => 1.2,
        Sound::Creak(_) => 0.5,
        Sound::Step(_) => 0.3,
    }
}

/// Scales to a greatest sample of 1, and fades out the last hundredth of a second, so that no sound ends in a step.
fn finish(samples: &mut [f32]) {
    let most = samples.iter().fold(0.0f32, |most, s| most.max(s.abs()));
    let scale = if most > 0.0 { 1.0 / most } else { 0.0 };
    let fade = (RATE as usize / 100).min(samples.len());
    let from = samples.len() - fade;
    for (i, sample) in samples.iter_mut().enumerate() {
        let left = if i < from {
            1.0
        } else {
            (from + fade - 1 - i) as f32 / fade as f32
        };
        *sample *= scale * left;
    }
}

#[cfg(test)]
mod tests;
