//! What rings when it is hit, as a sum of decaying sinusoids (modal synthesis: van den Doel and Pai, "The sounds of
//! physical shapes", Presence 7(4), 1998).
//!
//! The decay of a mode follows from the internal friction of the material, tan φ: τ = 1 / (π f tan φ) (Wildes and
//! Richards, "Recovering material properties from sound", 1988). The hammer's force is half a sine of the time of contact,
//! whose spectrum weighs the modes: soft contacts excite low modes only.
use super::RATE;
use crate::geom::rng::Rng;
use crate::sound::kind::Size;
use crate::structure::StructuralMaterial;
use std::f64::consts::{PI, TAU};

/// What rings.
#[derive(Clone, Copy, Debug)]
pub struct Modes {
    /// The lowest mode, hertz.
    pub lowest_hz: f64,
    /// Frequencies of the modes by that of the lowest.
    pub ratios: &'static [f64],
    /// Internal friction, tan φ.
    pub friction: f64,
    /// Time that a hit touches, seconds.
    pub contact_secs: f64,
}

/// A bar with free ends: (2n+1)² / 3.011² (Fletcher and Rossing, The Physics of Musical Instruments, 1998, 2.15).
const BAR: &[f64] = &[1.0, 2.757, 5.404, 8.933, 13.34, 18.64];
/// A square plate with free edges (Leissa, Vibration of Plates, NASA SP-160, 1969, table 4.75).
const PLATE: &[f64] = &[
    1.0, 1.47, 1.80, 2.58, 2.58, 4.55, 4.55, 4.74, 5.12, 5.76, 7.9, 9.3,
];
/// A compact block: its modes lie close.
const BLOCK: &[f64] = &[1.0, 1.41, 1.73, 2.09, 2.38, 2.9, 3.4, 4.1];

/// The modes of a piece of a material.
pub fn modes(material: StructuralMaterial, size: Size) -> Modes {
    // The lowest mode of a small piece, and what it is of a larger one: frequencies go as one over the length.
    let (lowest_hz, ratios, friction, contact_secs) = match material {
        StructuralMaterial::Concrete => (1150.0, BLOCK, 0.045, 0.00055),
        StructuralMaterial::Brick => (1500.0, BLOCK, 0.035, 0.0005),
        StructuralMaterial::Rock => (1700.0, BLOCK, 0.03, 0.0004),
        StructuralMaterial::Wood => (620.0, BAR, 0.028, 0.0009),
        StructuralMaterial::Metal => (720.0, PLATE, 0.0016, 0.00025),
        StructuralMaterial::Soil => (240.0, BLOCK, 0.5, 0.004),
        StructuralMaterial::Glass => (2100.0, PLATE, 0.0045, 0.0002),
    };
    let length = match size {
        Size::Small => 1.0,
        Size::Medium => 3.2,
        Size::Large => 9.0,
    };
    Modes {
        lowest_hz: lowest_hz / length,
        ratios,
        friction,
        contact_secs: contact_secs * length,
    }
}

impl Modes {
    /// The time in which a mode falls to 1/e, seconds.
    pub fn decay_secs(&self, hz: f64) -> f64 {
        1.0 / (PI * hz * self.friction)
    }

    /// Adds a hit at a sample. The seed moves the modes a little, as where it is hit does.
    pub fn add_hit(&self, samples: &mut [f32], at: usize, gain: f64, rng: &mut Rng) {
        let pitch = rng.range(0.92, 1.08);
        for &ratio in self.ratios {
            let hz = self.lowest_hz * ratio * pitch * rng.range(0.985, 1.015);
            let place = rng.range(0.35, 1.0);
            let phase = rng.range(-0.3, 0.3);
            if hz > 0.45 * f64::from(RATE) {
                continue;
            }
            let weight = gain * place * half_sine_spectrum(hz, self.contact_secs);
            add_mode(samples, at, hz, self.decay_secs(hz), (weight, phase));
        }
    }
}

/// The spectrum of half a sine of this length, by that at zero: cos(π f T) / (1 - (2 f T)²).
fn half_sine_spectrum(hz: f64, secs: f64) -> f64 {
    let x = 2.0 * hz * secs;
    let below = 1.0 - x * x;
    match below.abs() < 1e-3 {
        // The limit at the pole is π/4.
        true => PI / 4.0,
        false => (libm::cos(PI * hz * secs) / below).abs(),
    }
}

/// Adds a decaying sinusoid. Its first samples rise over a millisecond at most: a step would click.
pub fn add_mode(
    samples: &mut [f32],
    at: usize,
    hz: f64,
    decay_secs: f64,
    (gain, phase): (f64, f64),
) {
    // A two-pole resonator: a turn by `hz` and a shrinking, sample by sample.
    let shrink = libm::exp(-1.0 / (decay_secs * f64::from(RATE)));
    let (turn_sin, turn_cos) = libm::sincos(TAU * hz / f64::from(RATE));
    let (mut sin, mut cos) = libm::sincos(phase);
    let mut left = gain;
    let rise = (RATE / 1000) as usize;
    for (i, sample) in samples.iter_mut().skip(at).enumerate() {
        if left.abs() < 1e-5 {
            break;
        }
        let risen = if i < rise {
            i as f64 / rise as f64
        } else {
            1.0
        };
        *sample += (left * sin * risen) as f32;
        (sin, cos) = (
            sin * turn_cos + cos * turn_sin,
            cos * turn_cos - sin * turn_sin,
        );
        left *= shrink;
    }
}

/// How long a hit sounds, seconds.
pub fn secs(material: StructuralMaterial, size: Size) -> f64 {
    let modes = modes(material, size);
    // 60 dB are 6.9 times the time of 1/e.
    (6.9 * modes.decay_secs(modes.lowest_hz)).clamp(0.12, 2.4) + 0.05
}
