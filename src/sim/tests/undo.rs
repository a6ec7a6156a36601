//! Undo and redo of changes, and what they do to bodies and the player.
use super::*;
use crate::debris::Body;

#[test]
fn a_thousand_carves_undone_and_redone_give_the_same_hashes() {
    let mut sim = open(&hall(&[[[512, -128, 0], [576, 128, 192]]]));
    sim.settings.debris = false;
    sim.settings.blast_radius = 0.5;
    let mut rng = Rng::new(9);
    let mut hashes = vec![sim.world.hash()];
    let mut changed = 0;
    while sim.history.undo_steps() < 1000 {
        let shot = soak_command(&sim, &mut rng);
        let steps = sim.history.undo_steps();
        let report = sim.step(&shot, &mut Silent);
        if sim.history.undo_steps() == steps {
            continue;
        }
        hashes.push(sim.world.hash());
        let faces = report
            .carves
            .iter()
            .flat_map(|c| &c.result)
            .map(|r| r.faces);
        changed += faces.sum::<u32>() as usize;
    }
    // A step keeps the faces that went, not the level: on average a face's outline and triangles.
    let bytes = sim.history.bytes();
    assert!(bytes <= changed * 1024, "{bytes} bytes for {changed} faces");
    let (since, rooms) = (sim.level.since.len(), sim.world.room_count());
    assert_eq!(since, 1000);
    for i in (0..1000).rev() {
        let report = act(&mut sim, vec![Action::Undo]);
        assert_eq!(sim.world.hash(), hashes[i], "undo of carve {i}");
        assert!(report.reverted[0].report.watertight && !report.reverted[0].redo);
        assert_eq!((sim.level.since.len(), sim.history.undo_steps()), (i, i));
    }
    assert_eq!(sim.world.validate(), Ok(()));
    assert_eq!(
        act(&mut sim, vec![Action::Undo]).notices,
        ["there is nothing to undo"]
    );
    for (i, hash) in hashes.iter().enumerate().skip(1) {
        act(&mut sim, vec![Action::Redo]);
        assert_eq!(sim.world.hash(), *hash, "redo of carve {i}");
    }
    assert_eq!(sim.world.validate(), Ok(()));
    assert_eq!(
        (sim.level.since.len(), sim.world.room_count()),
        (since, rooms)
    );
    assert_eq!(
        act(&mut sim, vec![Action::Redo]).notices,
        ["there is nothing to redo"]
    );
    // What is saved is what stands.
    act(&mut sim, vec![Action::Undo; 400]);
    let again = open(&String::from_utf8(crate::level::write_map(&sim.level)).expect("ASCII"));
    assert_eq!(again.world.hash(), sim.world.hash());
}

#[test]
fn undo_takes_a_changes_crumbs_along_and_redo_brings_them_back() {
    let mut sim = open(&hall(&[]));
    let east = Action::FireAlong {
        from: [20.0, 2.0, 0.0],
        dir: [1.0, 0.0, 0.0],
    };
    let west = Action::FireAlong {
        from: [20.0, 2.0, 0.0],
        dir: [-1.0, 0.0, 0.0],
    };
    act(&mut sim, vec![east]);
    let first = sim.bodies.len();
    act(&mut sim, vec![west.clone()]);
    let both = sim.bodies.len();
    assert!(0 < first && first < both);
    let idle = sim.idle();
    run(&mut sim, 20, &idle);
    act(&mut sim, vec![Action::Undo]);
    assert_eq!(sim.bodies.len(), first);
    act(&mut sim, vec![Action::Undo]);
    assert_eq!(sim.bodies.len(), 0);
    act(&mut sim, vec![Action::Redo]);
    assert_eq!(sim.bodies.len(), first);
    run(&mut sim, 20, &idle);
    act(&mut sim, vec![Action::Redo]);
    assert_eq!(sim.bodies.len(), both);
    run(&mut sim, 20, &idle);
    // A new change and there is nothing to redo.
    act(&mut sim, vec![Action::Undo, west, Action::Redo]);
    assert_eq!((sim.history.undo_steps(), sim.history.redo_steps()), (2, 0));
    run(&mut sim, 20, &idle);
}

#[test]
fn what_is_in_rock_after_an_undo_moves_into_the_nearest_air() {
    let mut sim = open(&hall(&[]));
    let idle = sim.idle();
    run(&mut sim, 30, &idle);
    // A tunnel west of the start, dug in three steps; the player walks into it and crumbs lie about.
    let dig = |sim: &mut Sim| {
        let command = Command {
            yaw: std::f64::consts::FRAC_PI_2,
            actions: vec![Action::Tool {
                fill: false,
                tool: Tool {
                    size: 3.0,
                    depth: 1.5,
                    ..Tool::default()
                },
            }],
            ..sim.idle()
        };
        sim.step(&command, &mut Silent)
    };
    // Crumbs of the first two would be in the way.
    for has_debris in [false, false, true] {
        sim.settings.debris = has_debris;
        let report = dig(&mut sim);
        assert!(report.carves[0].result.is_ok());
    }
    for _ in 0..300 {
        let to = DVec3::new(-4.0, 0.0, 0.0) - sim.player.feet;
        let walk = Command {
            yaw: libm::atan2(-to.x, -to.z),
            walk: [0.0, 0.0, 1.0],
            ..sim.idle()
        };
        sim.step(&walk, &mut Silent);
    }
    let inside = sim.player.eye;
    assert!(inside.x < -2.0, "{inside}");
    for _ in 0..3 {
        act(&mut sim, vec![Action::Undo]);
        assert_eq!(sim.escaped(), 0);
        run(&mut sim, 1, &idle);
    }
    assert!(
        sim.player.walking && sim.player.eye.x > 0.3,
        "{}",
        sim.player.eye
    );
    assert!(
        sim.player.eye.x < 1.5,
        "not the nearest: {}",
        sim.player.eye
    );
    run(&mut sim, 60, &idle);
    for _ in 0..3 {
        act(&mut sim, vec![Action::Redo]);
    }
    run(&mut sim, 60, &idle);
}

/// A pit in the floor some 7 m before the player, `size` wide and 2 m deep; the middle of it.
fn dig_a_pit(sim: &mut Sim, size: f64) -> DVec3 {
    let tool = Tool {
        size,
        depth: 2.0,
        ..Tool::default()
    };
    let down = Command {
        pitch: -0.2,
        actions: vec![Action::Tool { fill: false, tool }],
        ..sim.idle()
    };
    let report = sim.step(&down, &mut Silent);
    let carved = report.carves[0]
        .result
        .as_ref()
        .expect("the floor is there");
    assert!(carved.volume_m3 > size * size);
    report.carves[0].position
}

#[test]
fn crumbs_in_rock_after_an_undo_or_a_fill_move_to_the_nearest_air_and_those_that_fit_nowhere_go() {
    let crumbs = |sim: &mut Sim, middle: DVec3| {
        sim.bodies.change(|bodies| {
            bodies.clear();
            bodies.push(Body::new(middle, 0.1, 0));
            // The hall is 8 m high.
            bodies.push(Body::new(middle, 4.5, 0));
        });
    };
    let check = |sim: &Sim, middle: DVec3| {
        assert_eq!(sim.bodies.len(), 1);
        let crumb = &sim.bodies[0];
        assert_eq!((crumb.radius, crumb.asleep), (0.1, false));
        assert!(sim.world.locate(crumb.position).is_some());
        let moved = crumb.position.distance(middle);
        assert!((0.1..4.0).contains(&moved), "{moved}");
    };
    let mut sim = open(&hall(&[]));
    sim.settings.debris = false;
    let idle = sim.idle();
    run(&mut sim, 30, &idle);
    let middle = dig_a_pit(&mut sim, 3.0);
    crumbs(&mut sim, middle);
    act(&mut sim, vec![Action::Undo]);
    check(&sim, middle);

    // A block on the floor.
    let ahead = Command {
        pitch: -0.2,
        actions: vec![Action::Tool {
            fill: true,
            tool: Tool {
                size: 1.5,
                depth: 1.5,
                ..Tool::default()
            },
        }],
        ..sim.idle()
    };
    let mut trial = sim.clone();
    let middle = trial.step(&ahead, &mut Silent).carves[0].position;
    assert!(sim.world.locate(middle).is_some());
    crumbs(&mut sim, middle);
    let report = sim.step(&ahead, &mut Silent);
    assert!(report.carves[0].result.is_ok());
    assert!(sim.world.locate(middle).is_none());
    check(&sim, middle);
}

/// A chunk that was shot before is kept as its recipe while it is broken: undo brings it back as it was, to the bit.
#[test]
fn a_chunk_shot_to_pieces_is_whole_again_after_each_undo() {
    for (seed, radius) in [(1, 0.5), (2, 0.8), (3, 0.35), (4, 0.25)] {
        let mut sim = open(&hall(&[]));
        sim.settings.gravity = 0.0;
        sim.settings.debris = false;
        sim.settings.blast_radius = radius;
        // It touches the wall, so that each blast changes the level and can be undone.
        let island = block_of(DVec3::new(1.2, 2.4, 2.0), 0).expect("a solid");
        let mut body = Body::from_island(&island).expect("a chunk");
        body.teleport(DVec3::new(39.3, 3.0, 0.0));
        sim.bodies.change(|bodies| bodies.push(body));
        let mut rng = Rng::new(seed);
        let largest = |sim: &Sim| {
            let chunks = sim.bodies.iter().filter_map(|body| {
                let chunk = body.chunk.as_ref()?;
                Some((
                    chunk.volume_m3,
                    (body.position, body.rotation),
                    chunk.clone(),
                ))
            });
            let largest = chunks.max_by(|a, b| a.0.total_cmp(&b.0)).expect("a chunk");
            let corners: Vec<[u64; 3]> = (largest.2.mesh.positions.iter())
                .map(|p| p.to_array().map(f64::to_bits))
                .collect();
            let balls: Vec<DVec3> = largest.2.balls.iter().map(|ball| ball.centre).collect();
            (largest.1, corners, balls, largest.2.mesh.triangles.clone())
        };
        let (mut before, mut broken) = (Vec::new(), 0);
        for _ in 0..14 {
            let (was, steps) = (largest(&sim), sim.history.undo_steps());
            let at = was.0.0;
            let shot = Action::FireAlong {
                from: [
                    36.0,
                    at.y + rng.range(-0.8, 0.8),
                    at.z + rng.range(-0.7, 0.7),
                ],
                dir: [1.0, 0.0, 0.0],
            };
            let report = act(&mut sim, vec![shot]);
            broken += report.carves.iter().map(|event| event.broken).sum::<u32>();
            // What is left stays at the wall: shots along a ray pass it and hit that.
            sim.bodies.change(|bodies| {
                for body in bodies {
                    (body.velocity, body.spin) = (DVec3::ZERO, DVec3::ZERO);
                    body.teleport(DVec3 {
                        x: 39.3,
                        ..body.position
                    });
                }
            });
            match sim.history.undo_steps() > steps {
                true => before.push(was),
                // It broke in the air, which no undo brings back.
                false => before.clear(),
            }
        }
        assert!(before.len() > 3, "seed {seed}: {}", before.len());
        assert!(broken > 3, "seed {seed}: {broken}");
        let after = largest(&sim);
        for round in 0..2 {
            for was in before.iter().rev() {
                act(&mut sim, vec![Action::Undo]);
                let now = largest(&sim);
                assert_eq!(now.1, was.1, "seed {seed}, round {round}");
                assert_eq!((&now.2, &now.3), (&was.2, &was.3));
            }
            act(&mut sim, vec![Action::Redo; before.len()]);
            let now = largest(&sim);
            assert_eq!((&now.1, &now.2), (&after.1, &after.2), "seed {seed}");
        }
    }
}
