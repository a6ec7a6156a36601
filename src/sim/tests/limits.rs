//! Numbers that nobody should ask for: bounded, with a warning, or refused in words.
use super::*;
use crate::carve::shape;
use crate::debris::retire::{FADE_TICKS, MOST_FADING};
use crate::debris::{Forces, Law};
use crate::geom::Aabb;
use crate::world::Island;

fn set(sim: &mut Sim, settings: Settings) -> StepReport {
    let command = Command {
        actions: vec![Action::Set(Box::new(settings))],
        ..sim.idle()
    };
    sim.step(&command, &mut Silent)
}

#[test]
fn a_hundred_thousand_crumbs_and_masses_of_nothing_or_of_worlds_are_bounded_with_a_warning() {
    let mut sim = open(&hall(&[]));
    for (mass, used) in [(0.0, 1.0), (-5.0, 1.0), (1e300, 20_000.0)] {
        let mut settings = Settings {
            max_bodies: 100_000,
            ..Settings::default()
        };
        settings.shots.ball_mass = mass;
        let report = set(&mut sim, settings);
        assert_eq!(report.notices.len(), 2, "{:?}", report.notices);
        assert!(report.notices[0].contains("100000 is out of range: using 20000"));
        assert!(report.notices[1].starts_with("a ball mass of"));
        assert_eq!(sim.settings.max_bodies, 20_000);
        assert_eq!(sim.settings.shots.ball_mass, used);
        let throw = Command {
            actions: vec![Action::Shoot(Shot::Ball)],
            ..sim.idle()
        };
        sim.step(&throw, &mut Silent);
        let idle = sim.idle();
        run(&mut sim, 60, &idle);
        assert_eq!(sim.escaped(), 0);
    }
    assert_eq!(set(&mut sim, Settings::default()).notices, [""; 0]);
}

#[test]
fn a_hundred_thousand_crumbs_put_in_by_hand_fade_to_the_limit() {
    let mut sim = open(&hall(&[]));
    let mut rng = Rng::new(2);
    let crumbs: Vec<Body> = (0..100_000)
        .map(|_| {
            let at = DVec3::new(
                rng.range(1.0, 39.0),
                rng.range(0.5, 7.5),
                rng.range(-7.0, 7.0),
            );
            let mut body = Body::new(at, 0.03, 0);
            body.asleep = true;
            body
        })
        .collect();
    sim.bodies.change(|bodies| *bodies = crumbs);
    set(&mut sim, Settings::default());
    // Those that fade at once, and the limit.
    let most = 2000 + MOST_FADING;
    assert!(sim.bodies.len() <= most, "{}", sim.bodies.len());
    let idle = sim.idle();
    run(&mut sim, u32::from(FADE_TICKS), &idle);
    assert_eq!(sim.bodies.len(), 2000);
}

/// A plate of this thickness, metres, as a piece that was cut free.
fn plate(thick: f64) -> Option<Island> {
    block_of(DVec3::new(1.0, thick, 1.0), 0)
}

#[test]
fn a_sliver_thinner_than_a_grid_step_is_no_chunk_and_one_that_is_thick_enough_is() {
    for (thick, is_chunk) in [
        (0.0, false),
        (1e-9, false),
        (1.0 / 20_000.0, false),
        (0.05, true),
    ] {
        let body = plate(thick).and_then(|island| Body::from_island(&island));
        assert_eq!(body.is_some(), is_chunk, "{thick}");
        if let Some(body) = body {
            assert!((body.mass() - thick * 2500.0).abs() < 1e-6);
            assert!(body.moments().min_element() > 0.0);
        }
    }
}

#[test]
fn a_hull_thinner_than_a_grid_step_is_refused_in_words() {
    let mut sim = open(&hall(&[]));
    let thin = 1.0 / 65_536.0;
    let [x, y, z] = [10.0, 2.0, 1.0];
    let points = vec![
        [x, y, z],
        [x + 1.0, y, z],
        [x, y + 1.0, z],
        [x + 0.3, y + 0.3, z + thin],
    ];
    let tool = Tool {
        shape: ToolShape::Hull,
        points,
        ..Tool::default()
    };
    let command = Command {
        actions: vec![Action::Tool { fill: true, tool }],
        ..sim.idle()
    };
    let report = sim.step(&command, &mut Silent);
    let why = report.carves[0].result.as_ref().expect_err("flat");
    assert!(why.to_string().contains("flat"), "{why}");
    assert!(sim.level.since.is_empty());
}

#[test]
fn a_hull_of_as_many_sides_as_its_points_can_give_is_carved() {
    let mut sim = open(&hall(&[]));
    let mut rng = Rng::new(3);
    let middle = sim.player.eye;
    let points = (0..shape::MOST_POINTS).map(|_| middle + rng.unit_vector() * 10.0);
    let points: Vec<DVec3> = points.collect();
    let rounded: Result<Vec<_>, _> = points.iter().map(|&p| shape::point(p)).collect();
    let hull = shape::hull(&rounded.expect("on the grid"), 0).expect("a hull");
    assert!(hull.sides.len() > 3 * shape::MOST_POINTS / 2);
    let tool = Tool {
        shape: ToolShape::Hull,
        points: points.iter().map(|p| p.to_array()).collect(),
        ..Tool::default()
    };
    let command = Command {
        actions: vec![Action::Tool { fill: false, tool }],
        ..sim.idle()
    };
    let mut carves = sim.step(&command, &mut Silent).carves;
    while sim.carving().is_some() {
        let idle = sim.idle();
        carves.extend(sim.step(&idle, &mut Silent).carves);
    }
    let results: Vec<_> = carves.iter().map(|carve| &carve.result).collect();
    assert!(matches!(results[..], [Ok(carve)] if carve.volume_m3 > 100.0 && carve.watertight));
}

#[test]
fn bodies_without_mass_and_with_that_of_a_mountain_break_nothing() {
    let mut sim = open(&hall(&[]));
    let at = |i: u32| {
        DVec3::new(
            10.0 + f64::from(i % 4) * 0.5,
            0.5 + f64::from(i / 4) * 0.5,
            0.0,
        )
    };
    let bodies: Vec<Body> = (0..24u32)
        .map(|i| Body::iron(at(i), 0.2, [1e-9, 1e12, 1.0][i as usize % 3]))
        .collect();
    sim.bodies.change(|list| *list = bodies);
    let forces = Forces {
        secs: TICK_SECS,
        gravity: 9.81,
        buffer: 0.0,
        law: Law::default(),
        layers: sim.settings.layers,
        allow_sleeping: true,
    };
    let room = Aabb {
        min: DVec3::new(0.0, 0.0, -8.0),
        max: DVec3::new(40.0, 8.0, 8.0),
    };
    for _ in 0..600 {
        sim.bodies
            .step(&sim.world, &forces, &mut QueryStats::default());
        for body in sim.bodies.iter() {
            assert!(body.velocity.is_finite() && body.spin.is_finite());
            assert!(room.contains(body.position), "{}", body.position);
        }
    }
}

#[test]
fn recordings_of_older_settings_load_and_newer_ones_say_why_not() {
    // As a program wrote it that knew no layers, no shots and no crouching.
    let level = r#"{"text":"{}"}"#;
    let old = format!(
        "{{\"breach\":1,\"level\":{level},\"seed\":3,\"settings\":{{\"blast_radius\":1.5,\"gravity\":9.81}}}}\n\
         {{\"tick\":0,\"command\":{{\"walk\":[0.0,0.0,1.0],\"yaw\":0.0,\"pitch\":0.0,\"jump\":false,\"fast\":true,\"actions\":[\"fire\"]}}}}\n\
         {{\"tick\":9,\"end\":true}}\n"
    );
    let read = recording::Recording::read(old.as_bytes()).expect("an older recording");
    assert_eq!(read.settings.blast_radius, 1.5);
    assert_eq!(read.settings.shots, ShotSettings::default());
    assert!(!read.commands[0].1.crouch);
    // That it is of the first rules, and nothing else.
    let note = crate::level::rules::note(1).expect("other rules");
    assert_eq!(read.warnings, [note]);
    assert_eq!(read.commands[0].1.actions, [Action::Fire]);

    let newer = old.replace("\"gravity\":9.81", "\"gravity\":9.81,\"wind\":3.0");
    let why = recording::Recording::read(newer.as_bytes()).expect_err("unknown");
    assert!(why.text.contains("wind"), "{why}");
    assert_eq!(why.line, 1);

    let wild = old.replace("\"gravity\":9.81", "\"gravity\":1e9,\"max_bodies\":100000");
    let read = recording::Recording::read(wild.as_bytes()).expect("bounded");
    assert_eq!(read.warnings.len(), 3, "{:?}", read.warnings);
    let unknown = old.replace("\"fire\"", "{\"shoot\":\"cannon\"}");
    let why = recording::Recording::read(unknown.as_bytes()).expect_err("unknown");
    assert!(why.text.contains("cannon"), "{why}");
}
