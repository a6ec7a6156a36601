//! What a rocket or a tool does to the level in a tick.
use super::*;
use crate::bvh::{BuildParams, SplitRule};

#[test]
fn a_rocket_becomes_a_blast_crumbs_and_an_operation_to_save() {
    let mut sim = open(&hall(&[]));
    let fire = Command {
        actions: vec![Action::Fire],
        ..sim.idle()
    };
    sim.step(&fire, &mut Silent);
    assert_eq!(sim.rockets.len(), 1);
    let mut carves = Vec::new();
    for _ in 0..120 {
        let idle = sim.idle();
        carves.extend(sim.step(&idle, &mut Silent).carves);
        assert_eq!(sim.escaped(), 0);
    }
    assert_eq!(
        (carves.len(), sim.rockets.len(), sim.level.since.len()),
        (1, 0, 1)
    );
    let carve = carves[0].result.as_ref().expect("the wall is there");
    assert!(carve.volume_m3 > 0.5 && carve.watertight);
    assert!(
        (carves[0].position.x - 40.0).abs() < 0.2,
        "{}",
        carves[0].position
    );
    assert!(!sim.bodies.is_empty());
    let idle = sim.idle();
    run(&mut sim, 900, &idle);
    let awake = sim.bodies.iter().filter(|body| !body.asleep).count();
    assert_eq!(
        awake,
        0,
        "{:?}",
        sim.bodies.iter().find(|body| !body.asleep)
    );
    let waking = sim.step(&idle, &mut Silent);
    assert_eq!(waking.awake, 0);
}

#[test]
fn no_fill_buries_the_player() {
    let mut sim = open(&hall(&[]));
    let idle = sim.idle();
    run(&mut sim, 30, &idle);
    let tool = Action::Tool {
        fill: true,
        tool: Tool {
            size: 2.0,
            depth: 2.0,
            ..Tool::default()
        },
    };
    let floor = Command {
        pitch: -1.5,
        actions: vec![tool.clone()],
        ..sim.idle()
    };
    let report = sim.step(&floor, &mut Silent);
    assert!(
        report.carves.is_empty() && report.misses.len() == 1,
        "{:?}",
        report.misses
    );
    let ahead = Command {
        actions: vec![tool],
        ..idle
    };
    let report = sim.step(&ahead, &mut Silent);
    assert_eq!(report.carves.len(), 1);
    assert_eq!(sim.level.since.len(), 1);
}

#[test]
fn what_a_fill_buries_is_in_the_air_or_gone_in_the_same_tick() {
    let shapes = [
        ToolShape::Box,
        ToolShape::Cylinder,
        ToolShape::Wedge,
        ToolShape::Slab,
        ToolShape::Rock,
    ];
    let mut rng = Rng::new(9);
    let mut buried = 0;
    for round in 0..30 {
        let mut sim = open(&hall(&[]));
        // Crumbs at the foot of a wall, and a fill over them that may end in the wall's middle.
        let (x, side) = (rng.range(10.0, 35.0), [1.0, -1.0][round % 2]);
        let shot = Action::FireAlong {
            from: [x, 2.0, 4.0 * side],
            dir: [0.0, -0.5, side],
        };
        act(&mut sim, vec![shot]);
        let idle = sim.idle();
        run(&mut sim, 30 + (round as u32 * 7) % 60, &idle);
        let places: Vec<DVec3> = sim.bodies.iter().map(|body| body.position).collect();
        let turn = [0; 3].map(|_| rng.range(-0.8, 0.8));
        let tool = Tool {
            shape: shapes[rng.below(5) as usize],
            size: rng.range(1.0, 8.0),
            depth: rng.range(0.5, 4.0),
            // Every other one is turned about one axis alone: its sides stand upright on some walls.
            rotation: if round % 4 < 2 {
                [turn[0], 0.0, 0.0]
            } else {
                turn
            },
            aimed: Some([[x, 2.0, 4.0 * side], [0.0, -0.4, side]]),
            ..Tool::default()
        };
        act(&mut sim, vec![Action::Tool { fill: true, tool }]);
        assert_eq!(sim.escaped(), 0, "{round}");
        let is_rock = |p: &&DVec3| sim.world.locate(**p).is_none();
        buried += places.iter().filter(is_rock).count();
        for tick in 0..40 {
            sim.step(&idle, &mut Silent);
            assert_eq!(sim.escaped(), 0, "{round}, tick {tick} after");
        }
    }
    assert!(buried > 50, "few crumbs were under fills: {buried}");
}

/// A room of 4 m in rock that ends 2 m farther on.
fn cellar() -> String {
    let mut text = String::from("{\n\"classname\" \"worldspawn\"\n\"breach_start\" \"solid\"\n");
    text +=
        "\"breach_bounds\" \"-128 -128 -128 128 128 128\"\n}\n{\n\"classname\" \"func_carve\"\n";
    text += &brush([-64.0; 3], [64.0; 3], "rock_wall");
    text + "}\n{\n\"classname\" \"info_player_start\"\n\"origin\" \"0 0 0\"\n}\n"
}

#[test]
fn a_fill_on_any_side_of_the_bedrock_is_saved_as_it_is() {
    let mut rng = Rng::new(10);
    let shapes = [ToolShape::Box, ToolShape::Ball, ToolShape::Wedge];
    for round in 0..12usize {
        let mut sim = open(&cellar());
        let mut way = [0.0; 3];
        way[round / 2 % 3] = [1.0, -1.0][round % 2];
        // Off the middle, where the player is.
        let from = way.map(|x| 1.8 * x);
        let aimed = Some([from, way]);
        let mut tool = |fill, size, depth| {
            let tool = Tool {
                shape: shapes[rng.below(3) as usize],
                size,
                depth,
                rotation: [rng.range(-1.0, 1.0), 0.0, 0.0],
                aimed,
                ..Tool::default()
            };
            Action::Tool { fill, tool }
        };
        let (hole, plug) = (tool(false, 3.0, 6.0), tool(true, 0.5, 0.5));
        for (name, action) in [("hole", hole), ("plug", plug)] {
            let carves = act(&mut sim, vec![action]).carves;
            assert!(
                carves.len() == 1 && carves[0].result.is_ok(),
                "{round} {name}"
            );
            let saved = crate::level::write_map(&sim.level);
            let again = open(&String::from_utf8(saved).expect("plain text"));
            assert_eq!(again.world.hash(), sim.world.hash(), "{round} {name}");
        }
    }
}

#[test]
fn a_cut_through_the_edge_on_which_a_wedge_stands_is_drawn_whole() {
    // Where the wedge meets the wall in a line alone the cut's face touches itself, a corner on an edge.
    let sim = nothing_escapes(include_bytes!(
        "../../../tests/faults/wedge_on_its_edge.breach"
    ));
    for room in (0..sim.world.room_count() as u32).map(|r| sim.world.room(r)) {
        for triangle in room.mesh.triangles.iter().filter(|t| t.is_live()) {
            let [a, b, c] = triangle.corners.map(|k| room.mesh.positions[k as usize]);
            let normal = room.faces[triangle.face as usize].normal;
            assert!((b - a).cross(c - a).dot(normal) > -1e-9, "{a} {b} {c}");
        }
    }
}

/// The state at the end of a recording in which nothing may get into rock.
fn nothing_escapes(bytes: &[u8]) -> Sim {
    let recording = recording::Recording::read(bytes).expect("a recording");
    let sim = played(&recording);
    assert_eq!(sim.world.validate(), Ok(()));
    sim
}

/// The same of one that was read.
fn played(recording: &recording::Recording) -> Sim {
    let map = recording.level.bytes().expect("a level inside");
    let level = crate::level::read_map(&map).expect("a level");
    let settings = recording.settings.clone();
    let mut sim = Sim::new(level, recording.seed, settings, &mut Silent).expect("a world");
    for command in replay::commands(recording, recording.ticks) {
        sim.step(&command, &mut Silent);
        assert_eq!(sim.escaped(), 0, "tick {}", sim.tick);
    }
    sim
}

#[test]
fn a_chunk_whose_middle_is_in_rock_stays_in_the_air() {
    // A sliver with two small spheres far from its middle, which dips into the floor and sees the floor's faces from behind.
    nothing_escapes(include_bytes!(
        "../../../tests/faults/middle_in_rock.breach"
    ));
}

#[test]
fn which_of_two_triangles_a_crumb_touches_does_not_depend_on_the_tree() {
    // A crumb whose foot falls on the line between two triangles, whose normals differ in the last bit.
    let bytes = include_bytes!("../../../tests/faults/two_triangles_touched.breach");
    let outcome = |max_depth: u32, faces_per_bin: u32, split: SplitRule| {
        let mut recording = recording::Recording::read(bytes).expect("a recording");
        recording.settings.tree = BuildParams {
            split,
            max_depth,
            faces_per_bin,
            ..BuildParams::default()
        };
        played(&recording).outcome_hash()
    };
    let one = outcome(24, 8, SplitRule::Sah);
    for (depth, faces, split) in [
        (7, 7, SplitRule::Midpoint),
        (20, 1, SplitRule::Median),
        (3, 4, SplitRule::BottomUp),
        (1, 9, SplitRule::Sah),
    ] {
        assert_eq!(
            outcome(depth, faces, split),
            one,
            "{depth} {faces} {split:?}"
        );
    }
}
