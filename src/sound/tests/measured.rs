//! Samples: delay, level, clicks, clipping, silence, and the same bits.
use super::*;

/// Mixes ticks of what an ear hears from one place.
fn mixed(sim: &Sim, sounds: Replacements, sources: &[SoundEvent], ticks: usize) -> Vec<[f32; 2]> {
    let mut ear = Ear::new(sounds.clone());
    let mut mixer = Mixer::new(Bank::new(sounds), Levels::default());
    ear.hear(sim);
    ear.begin(sim, sources);
    let mut samples = Vec::new();
    for _ in 0..ticks {
        let heard = dry(ear.listen(sim));
        let mut block = [[0.0; 2]; FRAMES];
        mixer.mix(&heard, &mut block);
        samples.extend(block);
    }
    samples
}

fn rms(samples: &[[f32; 2]]) -> f64 {
    let squares: f64 = samples
        .iter()
        .flatten()
        .map(|&s| f64::from(s).powi(2))
        .sum();
    (squares / (2 * samples.len()).max(1) as f64).sqrt()
}

fn db(ratio: f64) -> f64 {
    20.0 * libm::log10(ratio)
}

#[test]
fn a_blast_is_heard_after_its_distance_by_the_speed_of_sound_to_the_sample() {
    let sim = open(&hall(&[]));
    let mut click = Replacements::default();
    let samples: Vec<f32> = std::iter::once(1.0).chain([0.0; 4000]).collect();
    click
        .add("blast_large.wav", &wav_of(&samples, RATE))
        .expect("a WAV file");
    for metres in [3.0, 10.0, 20.5, 34.3] {
        let blast = event(
            Sound::Blast(kind::Size::Large),
            sim.player.eye + DVec3::X * metres,
            1.0,
        );
        let heard = mixed(&sim, click.clone(), &[blast], 12);
        let loudest = |a: &(usize, &[f32; 2]), b: &(usize, &[f32; 2])| a.1[0].total_cmp(&b.1[0]);
        let at = heard
            .iter()
            .enumerate()
            .max_by(loudest)
            .map(|one| one.0)
            .expect("samples");
        let expected = metres / 343.0 * 48_000.0;
        assert!(
            (at as f64 - expected).abs() <= 1.0,
            "{metres} m: {at}, not {expected}"
        );
    }
}

#[test]
fn twice_as_far_is_6_db_less() {
    let sim = open(&hall(&[]));
    let level = |metres: f64| {
        let tone_at = event(Sound::Drill, sim.player.eye + DVec3::X * metres, 0.5);
        rms(&mixed(&sim, tone(440.0), &[tone_at], 30)[20 * FRAMES..])
    };
    for metres in [2.0, 5.0, 12.0] {
        let less = db(level(2.0 * metres) / level(metres));
        assert!((less + 6.0206).abs() < 0.01, "from {metres} m: {less} dB");
    }
}

#[test]
fn the_mix_of_a_shut_wall_and_of_a_hole_differ_as_their_paths_do() {
    let mut sim = two_rooms();
    let tone_at = event(Sound::Drill, DVec3::new(30.0, 1.4, 5.0), 1.0);
    let sound = |sim: &Sim| rms(&mixed(sim, tone(110.0), &[tone_at], 30)[20 * FRAMES..]);
    let (shut, shut_path) = (sound(&sim), way(&sim, tone_at.at));
    let eye = sim.player.eye;
    change(&mut sim, false, 1.0, eye, DVec3::X);
    let (through, path) = (sound(&sim), way(&sim, tone_at.at));
    // One-pole low-passes, at 110 Hz.
    let pole = |path: &Path| {
        let k = 1.0 - libm::exp(-TAU * path.cutoff_hz / 48_000.0);
        let w = TAU * 110.0 / 48_000.0;
        k / (1.0 + (1.0 - k).powi(2) - 2.0 * (1.0 - k) * libm::cos(w)).sqrt()
    };
    let expected = db(path.gain * pole(&path) / (shut_path.gain * pole(&shut_path)));
    let measured = db(through / shut);
    assert!(
        (measured - expected).abs() < 0.1,
        "{measured} dB, not {expected}"
    );
    assert!(38.0 < measured, "{measured} dB");
}

#[test]
fn nothing_clicks_when_a_hole_opens_or_the_listener_jumps() {
    let mut sim = two_rooms();
    let (hz, gain) = (220.0, 1.0);
    let sounds = tone(hz);
    let mut ear = Ear::new(sounds.clone());
    let mut mixer = Mixer::new(Bank::new(sounds), Levels::default());
    ear.hear(&sim);
    ear.begin(
        &sim,
        &[event(Sound::Drill, DVec3::new(30.0, 1.4, 5.0), gain)],
    );
    let mut samples: Vec<[f32; 2]> = Vec::new();
    for tick in 0..50 {
        let eye = sim.player.eye;
        match tick {
            20 => change(&mut sim, false, 1.0, eye, DVec3::X),
            35 => act(&mut sim, vec![Action::Teleport([25.0, 1.4, -6.0])]),
            _ => {}
        }
        let mut block = [[0.0; 2]; FRAMES];
        mixer.mix(&dry(ear.listen(&sim)), &mut block);
        samples.extend(block);
    }
    let most = samples.iter().flatten().fold(0.0f32, |m, s| m.max(s.abs()));
    // The steepest step of this tone at its loudest; half as much again while it grows within a tick, and crossfades.
    let limit = 1.5 * f64::from(most) * TAU * hz / f64::from(RATE);
    let step = samples
        .windows(2)
        .flat_map(|w| [0, 1].map(|side| (w[1][side] - w[0][side]).abs()));
    let step = f64::from(step.fold(0.0, f32::max));
    assert!(0.01 < most, "it is heard");
    assert!(step < limit, "a step of {step}, more than {limit}");
}

#[test]
fn two_hundred_blasts_do_not_clip() {
    let sim = open(&hall(&[]));
    let mut rng = crate::geom::rng::Rng::new(3);
    let blasts: Vec<SoundEvent> = (0..200)
        .map(|_| {
            let at = DVec3::new(
                rng.range(1.0, 39.0),
                rng.range(0.5, 7.0),
                rng.range(-7.0, 7.0),
            );
            event(Sound::Blast(kind::Size::Medium), at, 5.0)
        })
        .collect();
    let samples = mixed(&sim, Replacements::default(), &blasts, 60);
    let most = samples.iter().flatten().fold(0.0f32, |m, s| m.max(s.abs()));
    assert!(0.5 < most && most < 0.98, "{most}");
}

#[test]
fn more_sources_than_there_are_voices_leave_the_loudest() {
    let sim = open(&hall(&[]));
    let eye = sim.player.eye;
    let all: Vec<SoundEvent> = (0..400)
        .map(|i| {
            event(
                Sound::Drill,
                eye + DVec3::X * (1.0 + 0.08 * f64::from(i)),
                0.5,
            )
        })
        .collect();
    let mut ear = Ear::default();
    ear.hear(&sim);
    ear.begin(&sim, &all);
    ear.listen(&sim);
    assert_eq!(ear.sources().len(), MOST_SOURCES);
    let farthest = ear
        .sources()
        .iter()
        .map(|s| s.event.at.distance(eye))
        .fold(0.0, f64::max);
    assert!((farthest - (1.0 + 0.08 * 255.0)).abs() < 1e-9, "{farthest}");
}

#[test]
fn nothing_is_heard_of_nothing_but_the_tone_of_the_room() {
    let mut sim = open(&hall(&[]));
    let mut quiet = Levels::default();
    quiet.categories[Category::Room as usize] = 0.0;
    let mut silent = Soundtrack::new(Replacements::default(), quiet);
    let mut sound = Soundtrack::default();
    let mut most = 0.0f32;
    for _ in 0..60 {
        act(&mut sim, vec![]);
        let is_silent = silent.tick(&sim).iter().all(|s| *s == [0.0; 2]);
        assert!(is_silent, "{:?}", silent.ear().sources());
        most = sound
            .tick(&sim)
            .iter()
            .flatten()
            .fold(most, |m, s| m.max(s.abs()));
    }
    // Below -46 dB of full scale.
    assert!(0.0 < most && most < 0.005, "{most}");
}

/// Bits of everything that is heard in a run with shots, steps and debris.
fn bits_of_a_run() -> (u64, u32) {
    let mut sim = two_rooms();
    let mut sound = Soundtrack::default();
    let mut hash = crate::geom::hash::Hash64::new();
    let mut loud = 0;
    for tick in 0..240 {
        let mut command = sim.idle();
        command.walk = [0.2, 0.0, 0.6];
        match tick {
            10 => command.actions.push(Action::Fire),
            40 => command.actions.push(Action::Shoot(Shot::Ball)),
            70 => command.actions.push(Action::Shoot(Shot::Grenade)),
            90 => command.actions.push(Action::Shoot(Shot::Drill)),
            _ => {}
        }
        sim.step(&command, &mut Silent);
        let block = sound.tick(&sim);
        for sample in block.iter().flatten() {
            hash.u64(u64::from(sample.to_bits()));
        }
        loud += u32::from(rms(block) > 0.01);
    }
    (hash.finish(), loud)
}

#[test]
fn the_same_run_has_the_same_bits() {
    let (one, loud) = bits_of_a_run();
    assert!(60 < loud, "{loud} loud ticks");
    assert_eq!(one, bits_of_a_run().0);
}

#[test]
fn shots_blasts_steps_and_debris_are_heard_for_what_they_are() {
    let mut sim = open(&hall(&[]));
    let mut observer = events::Observer::default();
    observer.observe(&sim);
    let mut names = std::collections::BTreeMap::new();
    for tick in 0..300 {
        let mut command = sim.idle();
        command.walk[2] = if tick < 120 { 1.0 } else { 0.0 };
        if tick == 130 {
            command.actions.push(Action::Fire);
        }
        sim.step(&command, &mut Silent);
        for event in observer.observe(&sim).expect("no jump") {
            *names.entry(event.sound.name()).or_insert(0) += 1;
            assert!(event.gain.is_finite() && 0.0 < event.gain);
        }
    }
    // Two seconds of running.
    let steps = names.get("step_brick").copied().unwrap_or(0);
    assert!((3..=8).contains(&steps), "{names:?}");
    assert_eq!(names.get("shot_rocket"), Some(&1), "{names:?}");
    assert_eq!(names.get("blast_medium"), Some(&1), "{names:?}");
    assert!(
        names.get("debris_brick_small").is_some_and(|n| *n > 10),
        "{names:?}"
    );
}

#[test]
fn after_a_jump_to_another_tick_nothing_that_was_is_heard() {
    let mut sim = open(&hall(&[]));
    let mut quiet = Levels::default();
    quiet.categories[Category::Room as usize] = 0.0;
    let mut sound = Soundtrack::new(Replacements::default(), quiet);
    sound.tick(&sim);
    act(&mut sim, vec![Action::Fire]);
    sound.tick(&sim);
    assert!(!sound.ear().sources().is_empty());
    sim.tick += 1000;
    sound.tick(&sim);
    assert!(sound.ear().sources().is_empty());
}
