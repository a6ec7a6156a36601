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
    assert!(recording.warnings.is_empty(), "{:?}", recording.warnings);
    let play = |recording: &recording::Recording| {
        let mut again = open(&map);
        let difference = replay::play(recording, &mut again, &mut Silent, &mut |_, _| true);
        (difference, again.state_hash())
    };
    assert_eq!(play(&recording), (None, sim.state_hash()));
    recording.commands.retain(|(tick, _)| *tick != 65);
    let (difference, _) = play(&recording);
    assert_eq!(difference.map(|d| d.tick), Some(120));
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
