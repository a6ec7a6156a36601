//! Carves that take more than a tick, and several in one.
use super::*;
use crate::level::write_map;
use crate::sim::recording::{LevelSource, Recorder, Recording};
use crate::world::WorldError;

/// With so many units of carving work in a tick; with 1 a step a tick. Rockets are large: three brushes over the pillars
/// at the northern wall.
fn with_units(carve_units: u64) -> Sim {
    let mut sim = open(&pillars());
    sim.carve_units = carve_units;
    sim.settings.blast_radius = 6.0;
    sim
}

/// A hall with a row of pillars.
fn pillars() -> String {
    let pillar = |x: i32| [[x, 120, 0], [x + 32, 152, 256]];
    hall(&[128, 256, 384, 512, 640, 768, 896, 1024, 1152].map(pillar))
}

/// A rocket at the northern wall, so far along the hall.
fn shot(along: f64) -> Action {
    Action::FireAlong {
        from: [along, 4.0, 2.0],
        dir: [0.0, 0.0, -1.0],
    }
}

/// Ticks until nothing is under way, and all that happened in them.
fn wait(sim: &mut Sim) -> (u32, Vec<CarveEvent>) {
    let (mut ticks, mut events) = (0, Vec::new());
    while sim.carving().is_some() {
        events.extend(act(sim, vec![]).carves);
        ticks += 1;
        assert!(ticks < 10_000);
    }
    (ticks, events)
}

#[test]
fn a_carve_over_many_ticks_is_seen_and_saved_when_it_is_done() {
    let (mut sliced, mut at_once) = (with_units(1), with_units(u64::MAX));
    let before = sliced.world.hash();
    let report = act(&mut at_once, vec![shot(20.2)]);
    assert_eq!((report.carves.len(), at_once.carving()), (1, None));
    let report = act(&mut sliced, vec![shot(20.2)]);
    assert!(report.carves.is_empty() && sliced.carving().is_some());
    let mut states = vec![sliced.state_hash()];
    for _ in 0..3 {
        act(&mut sliced, vec![]);
        states.push(sliced.state_hash());
        assert_eq!((sliced.world.hash(), sliced.level.since.len()), (before, 0));
        assert_eq!(
            sliced.preview(false, &Tool::default()).map(|p| p.err()),
            Some(Some(WorldError::Busy))
        );
        assert_eq!(open(&saved(&sliced)).world.hash(), before);
    }
    states.sort_unstable();
    states.dedup();
    assert_eq!(states.len(), 4, "each tick is a state of its own");
    let (ticks, events) = wait(&mut sliced);
    assert!(ticks > 1 && events.len() == 1 && events[0].result.is_ok());
    assert_eq!(sliced.world.hash(), at_once.world.hash());
    assert_eq!(sliced.history.undo_steps(), 1);
    assert_eq!(open(&saved(&sliced)).world.hash(), sliced.world.hash());
    act(&mut sliced, vec![Action::Undo]);
    assert_eq!(sliced.world.hash(), before);
    act(&mut sliced, vec![Action::Redo]);
    assert_eq!(sliced.world.hash(), at_once.world.hash());
}

fn saved(sim: &Sim) -> String {
    String::from_utf8(write_map(&sim.level)).expect("ASCII")
}

#[test]
fn rockets_that_hit_in_one_tick_carve_in_the_order_of_their_launch() {
    // The second and the third overlap.
    let shots: Vec<Action> = [6.0, 20.2, 20.9, 34.0].map(shot).to_vec();
    let places =
        |events: &[CarveEvent]| -> Vec<DVec3> { events.iter().map(|e| e.position).collect() };
    let mut at_once = with_units(u64::MAX);
    let expected = act(&mut at_once, shots.clone()).carves;
    assert_eq!(expected.len(), 4);
    let along: Vec<f64> = expected.iter().map(|e| e.position.x.round()).collect();
    assert_eq!(along, [6.0, 20.0, 21.0, 34.0]);
    for units in [1, 1_000, 3_000] {
        let mut sliced = with_units(units);
        let mut events = act(&mut sliced, shots.clone()).carves;
        assert!(events.len() < 4);
        events.extend(wait(&mut sliced).1);
        assert_eq!(places(&events), places(&expected));
        assert_eq!(sliced.world.hash(), at_once.world.hash());
        assert_eq!(sliced.world.validate(), Ok(()));
        assert_eq!(sliced.level.since.len(), 4);
    }
    // By what a tick may do, ordinary rockets are done in the tick in which they hit.
    let mut usual = with_units(crate::sim::tick::CARVE_UNITS);
    usual.settings.blast_radius = 1.0;
    assert_eq!(act(&mut usual, shots).carves.len(), 4);
}

#[test]
fn undo_drops_the_newest_that_is_not_done_and_redo_has_nothing() {
    let mut sim = with_units(u64::MAX);
    act(&mut sim, vec![shot(30.0)]);
    let (one, since) = (sim.world.hash(), sim.level.since.len());
    sim.carve_units = 1;
    let report = act(
        &mut sim,
        vec![shot(20.2), shot(20.9), shot(10.0), Action::Redo],
    );
    assert_eq!(report.notices, ["there is nothing to redo"]);
    for left in [2, 1, 0] {
        let report = act(&mut sim, vec![Action::Undo]);
        let why: Vec<_> = report
            .carves
            .iter()
            .map(|c| c.result.as_ref().err())
            .collect();
        assert_eq!(
            (why, sim.queue.len()),
            (vec![Some(&WorldError::Dropped)], left)
        );
        assert_eq!((sim.world.hash(), sim.level.since.len()), (one, since));
    }
    assert_eq!((sim.carving(), sim.world.validate()), (None, Ok(())));
    act(&mut sim, vec![Action::Undo]);
    assert_eq!((sim.history.undo_steps(), sim.level.since.len()), (0, 0));
    assert_eq!(
        act(&mut sim, vec![Action::Undo]).notices,
        ["there is nothing to undo"]
    );
    act(&mut sim, vec![Action::Redo]);
    assert_eq!(sim.world.hash(), one);
}

#[test]
fn a_fill_under_way_is_dropped_when_the_player_walks_into_it() {
    let mut sim = with_units(1);
    let fill = Action::Tool {
        fill: true,
        tool: Tool {
            size: 6.0,
            depth: 6.0,
            ..Tool::default()
        },
    };
    let before = sim.world.hash();
    act(&mut sim, vec![fill]);
    assert!(sim.carving().is_some());
    let at = sim.queue[0].centre;
    let report = act(
        &mut sim,
        vec![Action::Walk(false), Action::Teleport(at.to_array())],
    );
    assert_eq!(report.misses, ["the player stands where the fill would be"]);
    assert_eq!((sim.carving(), sim.world.hash()), (None, before));
    assert!(sim.eye_room.is_some() && sim.world.validate().is_ok());
}

#[test]
fn a_recording_with_carves_over_many_ticks_plays_the_same_on_one_thread_and_on_two() {
    let mut sim = with_units(1);
    let mut file = Vec::new();
    let level = LevelSource::embed(pillars().as_bytes());
    let mut recorder =
        Recorder::start(&mut file, &level, 1, &sim.settings).expect("a Vec takes all");
    for tick in 0..200 {
        let actions = match tick {
            // A hash is written after 60 and 120 ticks, in the middle of both.
            56 => vec![shot(20.2)],
            57 => vec![shot(10.0), shot(11.0)],
            118 => vec![shot(30.0), Action::Undo, shot(31.0)],
            _ => vec![],
        };
        let command = Command {
            actions,
            ..sim.idle()
        };
        recorder
            .command(&mut file, sim.tick, &command)
            .expect("a Vec takes all");
        sim.step(&command, &mut Silent);
        recorder.stepped(&mut file, &sim).expect("a Vec takes all");
        assert!(![60, 120].contains(&sim.tick) || sim.carving().is_some());
    }
    recorder.end(&mut file, &sim).expect("a Vec takes all");
    let recording = Recording::read(&file).expect("just written");
    assert!(recording.hashes.len() >= 4);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        pool.install(|| {
            let mut again = with_units(1);
            let parted = replay::play(&recording, &mut again, &mut Silent, &mut |_, _| true);
            assert_eq!((parted, again.state_hash()), (None, sim.state_hash()));
        });
    }
}
