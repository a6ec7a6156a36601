//! Splashes: a sheet of spray, and bubbles that ring below it.
use super::RATE;
use super::noise::{Band, Decay, pole, white};
use crate::geom::rng::Rng;
use crate::sound::kind::Size;
use std::f64::consts::TAU;

/// A bubble of a radius rings at so many hertz times metres (Minnaert 1933, air in water).
const MINNAERT: f64 = 3.26;

/// A splash.
pub fn splash(samples: &mut [f32], size: Size, rng: &mut Rng) {
    // Decay of the spray; its lower cut-off; bubbles, and the radius of the largest, metres.
    let (spray_secs, lower_hz, bubbles, largest) = match size {
        Size::Small => (0.06, 900.0, 8, 0.004),
        Size::Medium => (0.16, 450.0, 22, 0.009),
        Size::Large => (0.35, 220.0, 48, 0.02),
    };
    let (mut spray, mut band) = (Decay::new(spray_secs), Band::default());
    for (i, sample) in samples.iter_mut().enumerate() {
        let t = i as f64 / f64::from(RATE);
        let rise = (t / (0.12 * spray_secs)).min(1.0);
        let left = spray.next();
        let upper = pole(1500.0 + 6000.0 * left);
        *sample = (rise * left * band.next(white(rng), pole(lower_hz), upper)) as f32;
    }
    let whole_secs = samples.len() as f64 / f64::from(RATE);
    for _ in 0..bubbles {
        // Many small and few large.
        let radius = largest * libm::pow(rng.range(0.02, 1.0), 1.5).max(0.08);
        let hz = MINNAERT / radius;
        let from_secs = rng.range(0.02, 0.55) * whole_secs;
        // Small ones die away sooner. A bubble that rises rings higher.
        let mut ring = Decay::new(0.012 + 1.6 * radius);
        let loud = 0.35 * libm::sqrt(radius / largest) * rng.range(0.3, 1.0);
        let mut phase = 0.0;
        let first = (from_secs * f64::from(RATE)) as usize;
        for (i, sample) in samples.iter_mut().skip(first).enumerate() {
            let t = i as f64 / f64::from(RATE);
            phase += TAU * hz * (1.0 + 1.5 * t) / f64::from(RATE);
            let attack = (t / 0.001).min(1.0);
            *sample += (attack * loud * ring.next() * libm::sin(phase)) as f32;
        }
    }
}
