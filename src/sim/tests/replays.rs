//! Recordings repeat the run.
use super::*;

/// A recording of a simulation with its level inside.
fn recorded(map: &str, sim: &Sim, out: &mut Vec<u8>) -> recording::Recorder {
    let source = recording::LevelSource::embed(map.as_bytes());
    recording::Recorder::start(out, &source, 1, &sim.settings).expect("a Vec takes all")
}

#[test]
fn a_replay_repeats_the_run_and_names_the_first_tick_that_differs() {
    let map = hall(&[[[512, -128, 0], [576, 128, 192]]]);
    let mut sim = open(&map);
    let mut out = Vec::new();
    let mut recorder = recorded(&map, &sim, &mut out);
    let mut rng = Rng::new(4);
    for tick in 0..150 {
        let actions = if tick % 20 == 5 {
            vec![Action::Fire]
        } else {
            Vec::new()
        };
        let command = Command {
            walk: [0.0, 0.0, if tick > 60 { 1.0 } else { 0.0 }],
            yaw: if tick % 7 == 0 {
                rng.range(-3.0, 3.0)
            } else {
                sim.player.yaw
            },
            actions,
            ..sim.idle()
        };
        recorder
            .command(&mut out, sim.tick, &command)
            .expect("a Vec takes all");
        sim.step(&command, &mut Silent);
        recorder.stepped(&mut out, &sim).expect("a Vec takes all");
    }
    recorder.end(&mut out, &sim).expect("a Vec takes all");
    let mut recording = recording::Recording::read(&out).expect("just written");
    assert_eq!((recording.ticks, recording.hashes.len()), (150, 3));
    assert!((1..=150).eq(recording.tick_hashes.iter().map(|(tick, _)| *tick)));
    assert!(recording.warnings.is_empty(), "{:?}", recording.warnings);
    let play = |recording: &recording::Recording| {
        let mut again = open(&map);
        let difference = replay::play(recording, &mut again, &mut Silent, &mut |_, _| true);
        (difference, again.state_hash())
    };
    assert_eq!(play(&recording), (None, sim.state_hash()));
    recording.commands.retain(|(tick, _)| *tick != 65);
    // The rocket of tick 65 is missing: after 66 ticks it shows.
    let (difference, _) = play(&recording);
    assert_eq!(difference.map(|d| (d.tick, d.same)), Some((66, 65)));
    // Older recordings have a hash a second.
    recording.tick_hashes.clear();
    let (difference, _) = play(&recording);
    let difference = difference.expect("the second is known");
    assert_eq!((difference.tick, difference.same), (120, 60));
    assert!(
        difference.to_string().contains("tick 60 is the same"),
        "{difference}"
    );
}

#[test]
fn the_hash_of_a_tick_tells_what_the_hash_of_the_state_tells() {
    let map = hall(&[[[512, -128, 0], [576, 128, 192]]]);
    let mut sim = open(&map);
    let mut rng = Rng::new(6);
    let mut seen = std::collections::BTreeMap::new();
    for tick in 0..600 {
        let command = match tick < 200 {
            true => soak_command(&sim, &mut rng),
            false => sim.idle(),
        };
        run(&mut sim, 1, &command);
        seen.insert(sim.tick_hash(), tick);
    }
    assert_eq!(seen.len(), 600);
    let asleep = sim.bodies.iter().position(|body| body.asleep);
    let asleep = asleep.expect("something rests");
    assert!(sim.bodies.awake() < sim.bodies.len());
    // A grain that rests elsewhere, a view that is turned, another throw of the dice.
    let mut other = sim.clone();
    other
        .bodies
        .change(|bodies| bodies[asleep].position.x += 1e-9);
    assert_ne!(other.tick_hash(), sim.tick_hash());
    let mut other = sim.clone();
    other.player.yaw += 1e-9;
    assert_ne!(other.tick_hash(), sim.tick_hash());
    let mut other = sim.clone();
    run(&mut other, 1, &soak_command(&sim, &mut rng));
    let idle = sim.idle();
    run(&mut sim, 1, &idle);
    assert_ne!(other.tick_hash(), sim.tick_hash());
}

#[test]
fn a_replay_holds_with_undo_and_redo_in_it() {
    let map = hall(&[[[512, -128, 0], [576, 128, 192]]]);
    let mut sim = open(&map);
    let mut out = Vec::new();
    let mut recorder = recorded(&map, &sim, &mut out);
    let mut rng = Rng::new(8);
    for _ in 0..400 {
        let mut actions = soak_command(&sim, &mut rng).actions;
        match rng.below(8) {
            0 | 1 => actions.push(Action::Undo),
            2 => actions.insert(0, Action::Undo),
            3 => actions = vec![Action::Redo, Action::Fire],
            4 => actions = vec![Action::Undo, Action::Undo, Action::Redo],
            5 => actions.clear(),
            _ => {}
        }
        let command = Command {
            walk: [0.0, 0.0, 1.0],
            yaw: rng.range(-3.0, 3.0),
            actions,
            ..sim.idle()
        };
        recorder
            .command(&mut out, sim.tick, &command)
            .expect("a Vec takes all");
        run(&mut sim, 1, &command);
        recorder.stepped(&mut out, &sim).expect("a Vec takes all");
    }
    recorder.end(&mut out, &sim).expect("a Vec takes all");
    let recording = recording::Recording::read(&out).expect("just written");
    let mut again = open(&map);
    let difference = replay::play(&recording, &mut again, &mut Silent, &mut |_, _| true);
    assert_eq!((difference, again.state_hash()), (None, sim.state_hash()));
    assert!(sim.history.undo_steps() > 20);
}
