//! Hits, breaks, creaks and footsteps: modes of the material, struck once or by many grains.
use super::RATE;
use super::modal::{Modes, add_mode, modes};
use super::noise::{Band, Decay, LowPass, pole, white};
use crate::geom::rng::Rng;
use crate::sound::kind::Size;
use crate::structure::StructuralMaterial;

/// A piece that hits something: its modes, and the thud and the grit of the surfaces.
pub fn hit(samples: &mut [f32], material: StructuralMaterial, size: Size, rng: &mut Rng) {
    let own = modes(material, size);
    own.add_hit(samples, 0, 1.0, rng);
    let (thud_hz, grit) = match material {
        StructuralMaterial::Metal | StructuralMaterial::Glass => (900.0, 0.15),
        StructuralMaterial::Wood => (420.0, 0.25),
        StructuralMaterial::Soil => (300.0, 1.2),
        _ => (600.0, 0.8),
    };
    let (scale, grains) = match size {
        Size::Small => (1.0, 0),
        Size::Medium => (0.5, 3),
        Size::Large => (0.22, 14),
    };
    add_thud(samples, 0, thud_hz * scale, grit, rng);
    // What breaks off a larger piece where it hits.
    let small = modes(material, Size::Small);
    for _ in 0..grains {
        let at = (rng.unit_f64() * rng.unit_f64() * 0.25 * f64::from(RATE)) as usize;
        small.add_hit(samples, at, rng.range(0.03, 0.2), rng);
    }
}

/// A section breaks: a crack, then pieces, dense at first.
pub fn break_apart(samples: &mut [f32], material: StructuralMaterial, rng: &mut Rng) {
    add_crack(samples, 0, 1.6, rng);
    modes(material, Size::Large).add_hit(samples, 0, 1.2, rng);
    modes(material, Size::Medium).add_hit(samples, 60, 0.9, rng);
    let small = modes(material, Size::Small);
    for _ in 0..70 {
        // Exponential times: most pieces come at once.
        let after = -0.16 * libm::log(1.0 - rng.unit_f64());
        let gain = rng.range(0.04, 0.4) * libm::exp(-after / 0.4);
        small.add_hit(samples, (after * f64::from(RATE)) as usize, gain, rng);
    }
    add_thud(samples, 0, 160.0, 1.0, rng);
}

/// A section under its load: it sticks and slips, more often towards the end, and each slip strikes its modes.
pub fn creak(samples: &mut [f32], material: StructuralMaterial, rng: &mut Rng) {
    let medium = modes(material, Size::Medium);
    let body = Modes {
        // Clamped by what is around it: more friction than a free piece has.
        friction: medium.friction.max(0.02),
        ..medium
    };
    let whole = samples.len() as f64 / f64::from(RATE);
    let is_brittle = matches!(
        material,
        StructuralMaterial::Concrete
            | StructuralMaterial::Brick
            | StructuralMaterial::Rock
            | StructuralMaterial::Glass
    );
    let rate_hz = rng.range(18.0, 34.0);
    let mut t = 0.01;
    while t < whole - 0.08 {
        let part = t / whole;
        let swell = libm::sin(std::f64::consts::PI * part);
        let at = (t * f64::from(RATE)) as usize;
        match is_brittle {
            // Grains that crush.
            true => {
                add_crack(samples, at, rng.range(0.05, 0.5) * swell, rng);
                body.add_hit(samples, at, rng.range(0.1, 0.5) * swell, rng);
                t += -0.045 * libm::log(1.0 - rng.unit_f64()) + 0.004;
            }
            false => {
                body.add_hit(samples, at, swell * rng.range(0.7, 1.0), rng);
                t += 1.0 / (rate_hz * (0.7 + 1.5 * part) * rng.range(0.85, 1.18));
            }
        }
    }
}

/// A footstep: the heel, then the ball of the foot.
pub fn step(samples: &mut [f32], material: StructuralMaterial, rng: &mut Rng) {
    let toe = (rng.range(0.055, 0.085) * f64::from(RATE)) as usize;
    for (at, gain) in [(0, 1.0), (toe, rng.range(0.45, 0.65))] {
        add_thud(samples, at, 170.0, 0.1, rng);
        match material {
            StructuralMaterial::Metal => {
                let plate = Modes {
                    lowest_hz: 190.0,
                    friction: 0.012,
                    contact_secs: 0.0011,
                    ..modes(material, Size::Large)
                };
                plate.add_hit(samples, at, 0.9 * gain, rng);
            }
            StructuralMaterial::Wood => {
                // Boards over a hollow.
                for hz in [115.0, 190.0, 330.0, 520.0] {
                    let hz = hz * rng.range(0.94, 1.06);
                    add_mode(samples, at, hz, 0.035, (0.55 * gain, 0.0));
                }
            }
            StructuralMaterial::Soil => {
                for _ in 0..34 {
                    let after = (rng.range(0.0, 0.075) * f64::from(RATE)) as usize;
                    add_click(
                        samples,
                        at + after,
                        rng.range(0.05, 0.3) * gain,
                        2400.0,
                        rng,
                    );
                }
            }
            _ => {
                add_click(samples, at, 0.8 * gain, 3200.0, rng);
                add_click(samples, at + 300, 0.3 * gain, 1800.0, rng);
            }
        }
    }
}

/// A dull blow: low noise that dies within hundredths of a second.
fn add_thud(samples: &mut [f32], at: usize, hz: f64, gain: f64, rng: &mut Rng) {
    let mut decay = Decay::new(3.5 / hz);
    let mut low = [LowPass::default(); 2];
    let k = pole(hz);
    for (i, sample) in samples.iter_mut().skip(at).enumerate() {
        let left = decay.next();
        if left < 1e-4 {
            break;
        }
        let rise = (i as f64 / 40.0).min(1.0);
        let x = low[0].next(white(rng), k);
        *sample += (6.0 * gain * rise * left * low[1].next(x, k)) as f32;
    }
}

/// A crack: a burst of bright noise of some milliseconds.
fn add_crack(samples: &mut [f32], at: usize, gain: f64, rng: &mut Rng) {
    let mut decay = Decay::new(rng.range(0.003, 0.009));
    let mut band = Band::default();
    let (lower, upper) = (pole(350.0), pole(rng.range(3500.0, 7000.0)));
    for (i, sample) in samples.iter_mut().skip(at).enumerate() {
        let left = decay.next();
        if left < 1e-4 {
            break;
        }
        let rise = (i as f64 / 20.0).min(1.0);
        *sample += (gain * rise * left * band.next(white(rng), lower, upper)) as f32;
    }
}

/// A click: a short burst around a frequency.
fn add_click(samples: &mut [f32], at: usize, gain: f64, hz: f64, rng: &mut Rng) {
    let mut decay = Decay::new(0.004);
    let mut band = Band::default();
    let (lower, upper) = (pole(hz * 0.5), pole(hz));
    for (i, sample) in samples.iter_mut().skip(at).enumerate() {
        let left = decay.next();
        if left < 1e-4 {
            break;
        }
        let rise = (i as f64 / 24.0).min(1.0);
        *sample += (2.0 * gain * rise * left * band.next(white(rng), lower, upper)) as f32;
    }
}
