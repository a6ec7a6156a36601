//! Chunks that break where they hit something.
use super::*;
use crate::debris::Body;

/// Without crumbs: all bodies are chunks.
fn strong(strength: f64) -> Settings {
    Settings {
        strength,
        debris: false,
        ..Settings::default()
    }
}

fn hall_with(settings: Settings) -> Sim {
    let level = read_map(hall(&[]).as_bytes()).expect("a level");
    Sim::new(level, 1, settings, &mut Silent).expect("a world")
}

/// A block of brick whose lowest point is so high over the floor.
fn block(size: DVec3, turn: f64, height: f64) -> Body {
    let island = block_of(size, 0).expect("a solid");
    let mut body = Body::from_island(&island).expect("a chunk");
    body.teleport(DVec3::new(18.0, height + size.length() / 2.0, 0.0));
    let (sin, cos) = libm::sincos(turn / 2.0);
    body.rotation = glam::DQuat::from_xyzw(0.0, sin, 0.0, cos) * body.rotation;
    body.previous_rotation = body.rotation;
    body
}

/// What crumbs weigh is left out.
fn chunk_mass(sim: &Sim) -> f64 {
    let chunks = sim.bodies.iter().filter(|body| body.chunk.is_some());
    chunks.map(Body::mass).sum()
}

/// Bodies, and their mass, after some ticks.
fn fallen(strength: f64, body: Body, ticks: u32) -> (usize, f64) {
    let mut sim = hall_with(strong(strength));
    sim.bodies.spawn(body);
    for _ in 0..ticks {
        act(&mut sim, vec![]);
    }
    (sim.bodies.len(), sim.bodies.iter().map(Body::mass).sum())
}

#[test]
fn a_long_chunk_breaks_where_it_falls_and_a_compact_one_does_not() {
    let (beam, cube) = (DVec3::new(4.0, 0.4, 0.5), DVec3::splat(0.9));
    for turn in [0.0, 0.4, 1.1] {
        for (size, height, strength, breaks) in [
            (beam, 3.0, 1.0, true),
            (DVec3::new(0.5, 0.4, 5.0), 2.0, 1.0, true),
            // From low down, of something stronger, compact, or with strength off.
            (beam, 3.0, 100.0, false),
            (cube, 3.0, 1.0, false),
            (beam, 3.0, 0.0, false),
        ] {
            let whole = block(size, turn, height);
            let mass = whole.mass();
            let (count, after) = fallen(strength, whole, 240);
            assert_eq!(
                count > 1,
                breaks,
                "{size} {turn} {height} {strength}: {count}"
            );
            // The cuts are thin.
            assert!(
                after <= mass * (1.0 + 1e-9),
                "{size} {turn}: {after} of {mass}"
            );
            assert!(mass * 0.8 <= after, "{size} {turn}: {after} of {mass}");
            assert!(breaks || after == mass);
        }
    }
}

#[test]
fn a_break_is_the_same_in_every_run_and_in_a_copy() {
    let run = |copy_at: u32| {
        let mut sim = hall_with(Settings {
            debris: true,
            ..strong(1.0)
        });
        sim.bodies.spawn(block(DVec3::new(4.5, 0.4, 0.6), 0.3, 2.5));
        for tick in 0..200 {
            if tick == copy_at {
                sim = sim.clone();
            }
            act(&mut sim, vec![]);
        }
        assert!(sim.bodies.len() > 2);
        sim.state_hash()
    };
    let once = run(u32::MAX);
    for copy_at in [0, 40, 47, 60, 120] {
        assert_eq!(run(copy_at), once, "{copy_at}");
    }
}

/// A beam of brick on two posts of which one is shot away: it comes down, and goes to pieces.
#[test]
fn undo_takes_the_parts_away_and_redo_brings_back_what_was_there() {
    let blocks = [
        [[512, -8, 0], [528, 8, 160]],
        [[512, -8, 160], [736, 8, 176]],
        [[720, -8, 0], [736, 8, 160]],
    ];
    for seed in 1..=3 {
        let level = read_map(hall(&blocks).as_bytes()).expect("a level");
        let settings = Settings {
            debris: true,
            creak: 0.0,
            blast_radius: 0.6,
            ..strong(1.0)
        };
        let mut sim = Sim::new(level, seed, settings, &mut Silent).expect("a world");
        let shoot = |sim: &mut Sim, x: f64| {
            let action = Action::FireAlong {
                from: [x, 1.0, -6.0],
                dir: [0.0, 0.0, 1.0],
            };
            act(sim, vec![action]);
            (0..200).for_each(|_| drop(act(sim, vec![])));
        };
        let authored = sim.world.hash();
        shoot(&mut sim, 16.25);
        shoot(&mut sim, 22.75);
        let fallen = chunk_mass(&sim);
        let count = sim.bodies.iter().filter(|b| b.chunk.is_some()).count();
        assert!(count > 3, "{seed}: {count}");
        let steps = sim.history.undo_steps();
        while sim.history.undo_steps() > 0 {
            act(&mut sim, vec![Action::Undo]);
            (0..100).for_each(|_| drop(act(&mut sim, vec![])));
        }
        assert_eq!(
            (sim.world.hash(), sim.bodies.len()),
            (authored, 0),
            "{seed}"
        );
        while sim.history.undo_steps() < steps {
            act(&mut sim, vec![Action::Redo]);
            (0..100).for_each(|_| drop(act(&mut sim, vec![])));
            // What broke in between, or breaks again, is there once.
            assert!(
                chunk_mass(&sim) <= fallen * (1.0 + 1e-9),
                "{seed}: {} {fallen}",
                chunk_mass(&sim)
            );
        }
        assert!(
            chunk_mass(&sim) > 0.9 * fallen,
            "{seed}: {} {fallen}",
            chunk_mass(&sim)
        );
    }
}

/// A chunk that a blast broke is whole again once that is undone; where it then breaks by its fall, redo takes the parts.
#[test]
fn redo_of_a_blast_takes_the_parts_of_what_it_broke() {
    let mut sim = hall_with(strong(1.0));
    // It hovers before a wall that a rocket hits.
    let mut whole = block(DVec3::new(4.0, 0.4, 0.5), 0.0, 2.4);
    whole.teleport(whole.position.with_z(7.6));
    let (mass, middle) = (whole.mass(), whole.position.y);
    sim.bodies.spawn(whole);
    sim.settings.gravity = 0.0;
    sim.settings.blast_radius = 1.4;
    let shoot = Action::FireAlong {
        from: [18.0, middle, 6.0],
        dir: [0.0, 0.0, 1.0],
    };
    act(&mut sim, vec![shoot]);
    let (count, steps) = (sim.bodies.len(), sim.history.undo_steps());
    assert!(count > 1 && steps == 1, "{count} {steps}");
    act(&mut sim, vec![Action::Undo]);
    sim.settings.gravity = 9.81;
    (0..240).for_each(|_| drop(act(&mut sim, vec![])));
    assert!(sim.bodies.len() > 1, "it broke by its fall");
    act(&mut sim, vec![Action::Redo]);
    let after: f64 = sim.bodies.iter().map(Body::mass).sum();
    assert!(after <= mass * (1.0 + 1e-9), "{after} of {mass}");
}
