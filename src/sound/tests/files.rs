//! Files in the place of sounds, good and broken.
use super::*;
use crate::sound::bank::SoundFileError;

#[test]
fn a_file_takes_the_place_of_the_sound_it_is_named_as_at_any_rate() {
    let mut sounds = Replacements::default();
    let tone = |rate: u32| -> Vec<f32> {
        let sample = |i: u32| libm::sin(TAU * 1000.0 * f64::from(i) / f64::from(rate)) as f32;
        (0..rate / 2).map(sample).collect()
    };
    sounds
        .add("Step_Metal.WAV", &wav_of(&tone(22_050), 22_050))
        .expect("a WAV file");
    sounds
        .add("step_metal_2.wav", &wav_of(&[0.25; 480], 48_000))
        .expect("a WAV file");
    let mut bank = Bank::new(sounds);
    let metal = Sound::Step(crate::structure::StructuralMaterial::Metal);
    let heard = bank.samples(metal, 0);
    assert_eq!(heard.len(), 24_000);
    let wrong = heard
        .iter()
        .zip(tone(48_000))
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f32::max);
    assert!(wrong < 0.03, "{wrong}");
    assert_eq!(bank.samples(metal, 1)[..], [0.25; 480]);
    let wood = Sound::Step(crate::structure::StructuralMaterial::Wood);
    assert_ne!(bank.samples(wood, 0).len(), 24_000);
}

#[test]
fn broken_files_are_refused_with_the_reason() {
    let good = wav_of(&[0.5; 4800], 48_000);
    let add = |name: &str, bytes: &[u8]| Replacements::default().add(name, bytes);
    assert_eq!(add("shot_drill.wav", &good), Ok(()));
    assert_eq!(add("banana.wav", &good), Err(SoundFileError::UnknownName));
    assert_eq!(
        add("shot_drill_5.wav", &good),
        Err(SoundFileError::UnknownName)
    );
    assert_eq!(
        add("room.wav", &wav_of(&[], 48_000)),
        Err(SoundFileError::Empty)
    );
    assert_eq!(
        add("room.wav", &wav_of(&[0.1; 1000], 8)),
        Err(SoundFileError::TooLong)
    );
    for bytes in [&b""[..], b"RIFF", &good[..30], b"OggS\0\0\0\0"] {
        for name in ["room.wav", "room.ogg"] {
            let broken = add(name, bytes).expect_err("broken");
            assert!(
                matches!(broken, SoundFileError::Broken(..)),
                "{name}: {broken}"
            );
        }
    }
    // Every length, and every byte wrong: an error or sound, but no panic.
    for end in 0..good.len().min(120) {
        let _ = add("room.wav", &good[..end]);
        let mut wrong = good.clone();
        wrong[end] ^= 0xff;
        let _ = add("room.wav", &wrong);
    }
}

#[test]
fn no_sample_that_is_no_number_gets_through() {
    let mut sounds = Replacements::default();
    let samples = [f32::NAN, f32::INFINITY, -1e30, 0.5];
    sounds
        .add("shot_throw.wav", &wav_of(&samples, 48_000))
        .expect("a WAV file");
    let heard = Bank::new(sounds).samples(Sound::Throw, 0);
    assert_eq!(heard[..], [0.0, 0.0, -1.0, 0.5]);
}
