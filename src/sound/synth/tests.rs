//! Synthesis against closed forms.
use super::modal::modes;
use super::*;
use crate::sound::kind::{MOVER_SECS, Size, VARIANTS};
use crate::structure::StructuralMaterial;
use std::f64::consts::TAU;

#[test]
fn every_sound_is_finite_full_scale_and_begins_and_ends_without_a_step() {
    for sound in Sound::all() {
        for variant in 0..VARIANTS {
            let samples = synthesize(sound, variant);
            let name = sound.name();
            let most = samples.iter().fold(0.0f32, |m, s| m.max(s.abs()));
            assert!((most - 1.0).abs() < 1e-5, "{name}: {most}");
            assert!(samples[0].abs() < 0.06, "{name} begins at {}", samples[0]);
            assert!(samples[samples.len() - 1].abs() < 1e-6, "{name}");
            assert_eq!(samples.len(), (secs(sound) * f64::from(RATE)) as usize);
        }
        assert_ne!(
            synthesize(sound, 0),
            synthesize(sound, 1),
            "{}",
            sound.name()
        );
        assert_eq!(
            synthesize(sound, 2),
            synthesize(sound, 2),
            "{}",
            sound.name()
        );
    }
}

/// Amplitude of a frequency in a part of a sound (Goertzel 1958).
fn amplitude(samples: &[f32], hz: f64) -> f64 {
    let step = TAU * hz / f64::from(RATE);
    let (mut real, mut imaginary) = (0.0, 0.0);
    for (i, &sample) in samples.iter().enumerate() {
        let (sin, cos) = libm::sincos(step * i as f64);
        real += f64::from(sample) * cos;
        imaginary += f64::from(sample) * sin;
    }
    (real * real + imaginary * imaginary).sqrt() * 2.0 / samples.len() as f64
}

#[test]
fn a_mode_decays_as_its_internal_friction_says() {
    for material in StructuralMaterial::ALL {
        let modes = modes(material, Size::Medium);
        let (hz, decay) = (modes.lowest_hz, modes.decay_secs(modes.lowest_hz));
        let by_hand = 1.0 / (std::f64::consts::PI * hz * modes.friction);
        assert!((decay - by_hand).abs() < 1e-12);
        let mut samples = vec![0.0; 4 * RATE as usize];
        modal::add_mode(&mut samples, 0, hz, decay, (1.0, 0.0));
        // Whole periods, one decay time apart.
        let periods = (decay * hz).max(1.0).floor();
        let span = (periods / hz * f64::from(RATE)) as usize;
        let ratio =
            amplitude(&samples[span..2 * span], hz) / amplitude(&samples[2 * span..3 * span], hz);
        let expected = libm::exp(periods / hz / decay);
        assert!(
            (ratio / expected - 1.0).abs() < 0.1,
            "{}: {ratio} and {expected}",
            material.name()
        );
    }
}

/// Time in which the energy still to come falls by 30 dB, seconds.
fn ring_secs(samples: &[f32]) -> f64 {
    let mut left = 0.0;
    let mut curve: Vec<f64> = samples
        .iter()
        .rev()
        .map(|&s| {
            left += f64::from(s).powi(2);
            left
        })
        .collect();
    curve.reverse();
    let at = curve
        .iter()
        .position(|e| *e < curve[0] * 1e-3)
        .unwrap_or(curve.len());
    at as f64 / f64::from(RATE)
}

#[test]
fn metal_rings_on_glass_less_and_stone_and_soil_not() {
    let ring = |material| ring_secs(&synthesize(Sound::Debris(material, Size::Medium), 0));
    let [metal, glass, wood, rock, soil] = [
        StructuralMaterial::Metal,
        StructuralMaterial::Glass,
        StructuralMaterial::Wood,
        StructuralMaterial::Rock,
        StructuralMaterial::Soil,
    ]
    .map(ring);
    assert!(
        glass < metal && rock < glass && wood < metal,
        "{metal} {glass} {wood} {rock}"
    );
    assert!(soil < 0.2, "{soil}");
}

/// Energy below and above a frequency, by low-passing.
fn dull_part(samples: &[f32], hz: f64) -> f64 {
    let (mut low, k) = (noise::LowPass::default(), noise::pole(hz));
    let energy = |x: f64| x * x;
    let (mut below, mut all) = (0.0, 0.0);
    for &sample in samples {
        below += energy(low.next(sample.into(), k));
        all += energy(sample.into());
    }
    below / all
}

#[test]
fn larger_blasts_are_lower_and_longer_and_their_high_part_dies_first() {
    let blasts =
        [Size::Small, Size::Medium, Size::Large].map(|size| synthesize(Sound::Blast(size), 0));
    let low = blasts.each_ref().map(|b| dull_part(b, 90.0));
    assert!(low[0] < low[1] && low[1] < low[2], "{low:?}");
    let long = blasts.each_ref().map(|b| ring_secs(b));
    assert!(long[0] < long[1] && long[1] < long[2], "{long:?}");
    let large = &blasts[2];
    let (early, late) = (&large[..4800], &large[24_000..48_000]);
    assert!(dull_part(early, 300.0) < dull_part(late, 300.0));
}

#[test]
fn a_mover_that_goes_on_is_heard_without_seams() {
    const WINDOW: usize = RATE as usize / 10;
    let step = (MOVER_SECS * f64::from(RATE)) as usize;
    for size in [Size::Small, Size::Medium, Size::Large] {
        let mut all = vec![0.0f32; 7 * step];
        for i in 0..6 {
            let part = synthesize(Sound::Mover(size), i as u8 % VARIANTS);
            let whole = all[i * step..].iter_mut().zip(&part);
            whole.for_each(|(sum, sample)| *sum += sample);
        }
        // Without the first and the last, which nothing fades into.
        let levels = all[step..5 * step].chunks_exact(WINDOW).map(|window| {
            let power: f64 = window.iter().map(|&s| f64::from(s) * f64::from(s)).sum();
            (power / WINDOW as f64).sqrt()
        });
        let levels: Vec<f64> = levels.collect();
        let mean = levels.iter().sum::<f64>() / levels.len() as f64;
        for level in levels {
            let part = level / mean;
            assert!((0.5..1.5).contains(&part), "{}: {part}", size.name());
        }
    }
}
