//! Movers: the hum of what drives them, and the grinding of what slides.
//!
//! Made to be repeated while a mover moves, each time while the last one still fades. So the hum is whole periods long and
//! begins with the same phase, and the fades of two neighbours add up to one: of the hum, which is equal in both, by
//! amplitude, of the noise, which is not, by power.
use super::RATE;
use super::noise::{Band, LowPass, pole, white};
use crate::geom::rng::Rng;
use crate::sound::kind::{MOVER_SECS, Size};
use std::f64::consts::TAU;

/// Amplitudes of the hum's harmonics.
const HARMONICS: [f64; 4] = [1.0, 0.45, 0.25, 0.12];

/// A part of a mover's way.
pub fn mover(samples: &mut [f32], size: Size, rng: &mut Rng) {
    // The hum, a multiple of 1.25 Hz; what the noise lies between; how much of it.
    let (hum_hz, lower_hz, upper_hz, loud) = match size {
        Size::Small => (100.0, 220.0, 1800.0, 0.35),
        Size::Medium => (60.0, 90.0, 800.0, 0.55),
        Size::Large => (40.0, 45.0, 420.0, 0.7),
    };
    let whole_secs = samples.len() as f64 / f64::from(RATE);
    let fade_secs = whole_secs - MOVER_SECS;
    let (mut rumble, mut sway) = (Band::default(), LowPass::default());
    let (lower, upper, slow) = (pole(lower_hz), pole(upper_hz), pole(9.0));
    for (i, sample) in samples.iter_mut().enumerate() {
        let t = i as f64 / f64::from(RATE);
        let part = t.min(whole_secs - t) / fade_secs;
        let part = part.clamp(0.0, 1.0);
        let harmonics = HARMONICS.iter().zip(1..);
        let hum = harmonics.map(|(gain, n)| gain * libm::sin(TAU * hum_hz * f64::from(n) * t));
        let hum: f64 = hum.sum();
        let sways = 1.0 + 0.4 * sway.next(white(rng), slow) / noise_rms(slow);
        let noise = rumble.next(white(rng), lower, upper) / noise_rms(upper);
        // Bounded, so that no variant is quieter because of one peak.
        let grinding = libm::tanh(0.8 * sways * noise);
        *sample = (part.sqrt() * loud * grinding + part * (1.0 - loud) * hum) as f32;
    }
}

/// The root mean square of white noise behind a low-pass with this coefficient: a third of k / (2 - k), under the root.
fn noise_rms(k: f64) -> f64 {
    (k / (2.0 - k) / 3.0).sqrt()
}
