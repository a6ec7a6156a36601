//! Blasts and shots: a pressure wave, noise whose high frequencies die away first, and a low body.
use super::RATE;
use super::noise::{Band, Decay, LowPass, pole, white};
use crate::geom::rng::Rng;
use crate::sound::kind::Size;
use std::f64::consts::TAU;

/// A blast. The pressure wave is Friedlander's (1946): p(t) = (1 - t/t₀) exp(-t/t₀). Behind it comes noise whose cut-off
/// falls, as the fireball grows and the far parts of the sound arrive, and the body: a low tone that sinks.
pub fn blast(samples: &mut [f32], size: Size, rng: &mut Rng) {
    // Length of the positive phase; decay of the noise; frequency of the body.
    let (positive_secs, decay_secs, body_hz) = match size {
        Size::Small => (0.004, 0.16, 82.0),
        Size::Medium => (0.008, 0.30, 55.0),
        Size::Large => (0.014, 0.48, 38.0),
    };
    let body_hz = body_hz * rng.range(0.92, 1.08);
    let mut hiss = Decay::new(decay_secs * 0.22);
    let mut roar = Decay::new(decay_secs);
    let mut body = Decay::new(decay_secs * 0.9);
    let mut sink = Decay::new(0.12);
    let (mut hiss_low, mut roar_low) = (LowPass::default(), [LowPass::default(); 2]);
    let (mut wobble, mut phase) = (LowPass::default(), 0.0);
    let slow = pole(9.0);
    for (i, sample) in samples.iter_mut().enumerate() {
        let t = i as f64 / f64::from(RATE);
        let rise = (t / 0.0004).min(1.0);
        let wave = (1.0 - t / positive_secs) * libm::exp(-t / positive_secs);
        let x = white(rng);
        // Turbulence: the roar swells and sinks.
        let swell = 1.0 + 9.0 * wobble.next(white(rng), slow);
        let (hiss, roar) = (hiss.next(), roar.next());
        let k = pole(140.0 + 2600.0 * roar * roar);
        let roaring = roar_low[0].next(x, k);
        let roaring = roar_low[1].next(roaring, k);
        phase += TAU * body_hz * (1.0 + 0.9 * sink.next()) / f64::from(RATE);
        let low = libm::sin(phase) * body.next();
        let sum = 0.9 * wave
            + 0.55 * hiss * hiss_low.next(x, pole(6500.0))
            + 2.2 * roar * swell * roaring
            + 0.7 * low;
        // Overdriven, as air is where it is loudest.
        *sample = (rise * libm::tanh(1.3 * sum)) as f32;
    }
}

/// A rocket leaves: a thump, then a jet of air that goes away.
pub fn rocket(samples: &mut [f32], rng: &mut Rng) {
    let (mut jet, mut thump) = (Decay::new(0.22), Decay::new(0.05));
    let (mut band, mut phase) = (Band::default(), 0.0);
    for (i, sample) in samples.iter_mut().enumerate() {
        let t = i as f64 / f64::from(RATE);
        let rise = (t / 0.004).min(1.0);
        let jet = jet.next();
        let upper = pole(700.0 + 5200.0 * jet);
        let blown = band.next(white(rng), pole(180.0), upper) * jet;
        phase += TAU * (60.0 + 60.0 * jet) / f64::from(RATE);
        let thump = libm::sin(phase) * thump.next();
        *sample = (rise * (1.6 * blown + 0.8 * thump)) as f32;
    }
}

/// An arm that throws: a soft gust.
pub fn throw(samples: &mut [f32], rng: &mut Rng) {
    let mut band = Band::default();
    let whole = samples.len().max(1) as f64;
    for (i, sample) in samples.iter_mut().enumerate() {
        let part = i as f64 / whole;
        let swell = libm::sin(std::f64::consts::PI * part);
        let k = pole(500.0 + 1300.0 * swell);
        *sample = (band.next(white(rng), pole(250.0), k) * swell * swell) as f32;
    }
}

/// A drill: a rough tone under load, with grit.
pub fn drill(samples: &mut [f32], rng: &mut Rng) {
    let secs = samples.len() as f64 / f64::from(RATE);
    let (mut band, mut smooth) = (Band::default(), LowPass::default());
    let (mut phase, wander) = (0.0, rng.range(0.95, 1.05));
    for (i, sample) in samples.iter_mut().enumerate() {
        let t = i as f64 / f64::from(RATE);
        let ends = (t / 0.03).min((secs - t) / 0.2).clamp(0.0, 1.0);
        let hz = wander * (88.0 + 14.0 * libm::sin(TAU * 6.0 * t) + 30.0 * ends);
        phase += TAU * hz / f64::from(RATE);
        let tone = libm::sin(phase) + 0.5 * libm::sin(2.0 * phase) + 0.33 * libm::sin(5.0 * phase);
        let grit = band.next(white(rng), pole(900.0), pole(4200.0));
        let rough = 0.6 + 0.4 * libm::sin(phase * 0.5);
        *sample = (ends * smooth.next(0.5 * tone + 1.8 * grit * rough, pole(5000.0))) as f32;
    }
}
