//! Every tick comes back as it was: with bodies, tools, balls and strength, by way of hollow keyframes.
use super::*;
use crate::sim::command::{Tool, ToolShape};
use crate::sim::recording::LevelSource;

/// A shot, or a tool used at the crosshair.
fn change(rng: &mut Rng) -> Action {
    match rng.below(8) {
        0 => Action::Undo,
        1 => Action::Shoot(Shot::Ball),
        2 | 3 => Action::Fire,
        kind => {
            let shapes = ToolShape::ALL;
            let shape = match rng.below(3) {
                0 => shapes[rng.below(shapes.len() as u64) as usize],
                _ => ToolShape::Box,
            };
            let tool = Tool {
                shape,
                ..Tool::default()
            };
            let fill = kind == 4;
            Action::Tool { fill, tool }
        }
    }
}

macro_rules! map {
    ($name:literal) => {
        include_bytes!(concat!("../../../levels/", $name, ".map")).as_slice()
    };
}

/// Plays 320 ticks, then goes to every eighth tick from the end. Returns the numbers of bodies and of hollow keyframes.
fn check(seed: u64, map: &[u8]) -> [usize; 2] {
    let settings = Settings {
        strength: 1.0,
        ..Settings::default()
    };
    let desc = read_map(map).expect("a level");
    let mut sim = Sim::new(desc, seed, settings.clone(), &mut Silent).expect("a world");
    let timeline = Timeline::new(LevelSource::embed(map), seed, &settings, &sim);
    let mut timeline = timeline.with_limits(40, usize::MAX);
    let mut rng = Rng::new(seed);
    let mut states = vec![sim.state_hash()];
    for tick in 0..320 {
        let mut command = sim.idle();
        if tick % 6 == 0 {
            command.yaw += rng.range(-1.5, 1.5);
            command.pitch = rng.range(-1.2, 1.2);
            command.actions = vec![change(&mut rng)];
        }
        sim.step(&command, &mut Silent);
        timeline.stepped(&command, &sim);
        states.push(sim.state_hash());
    }
    for tick in (0..=320).rev().step_by(8) {
        let (mut past, mut timeline) = (sim.clone(), timeline.clone());
        timeline.seek(&mut past, tick, &mut Silent);
        let was = states[tick as usize];
        assert_eq!(past.state_hash(), was, "seed {seed}, tick {tick}");
    }
    let [all, whole] = timeline.keyframes();
    [sim.bodies.len(), all - whole]
}

/// Each of these came back otherwise before rules 14.
#[test]
fn every_tick_comes_back_as_it_was_with_bodies_tools_and_strength() {
    let plays = [
        (31, map!("pillars")),
        (2, map!("scenes/stilts")),
        (7, map!("scenes/cards")),
    ];
    for (seed, map) in plays {
        let [bodies, hollow] = check(seed, map);
        assert!(bodies > 20 && hollow > 0, "seed {seed}");
    }
}

#[test]
#[ignore = "minutes"]
fn every_tick_of_two_hundred_and_forty_plays_comes_back_as_it_was() {
    let levels = [
        map!("range"),
        map!("pillars"),
        map!("scenes/stilts"),
        map!("scenes/cards"),
    ];
    for (seed, map) in (1..=60).flat_map(|seed| levels.map(|map| (seed, map))) {
        check(seed, map);
    }
}
