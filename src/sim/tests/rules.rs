//! Layers, solvers and the kill plane in a whole tick.
use super::*;
use crate::collide::Layer;
use crate::sim::player::EYE_HEIGHT;
use crate::world::Solver;

/// A sheet 1/32 m thick, 16.3 m from the hall's western end: between two ticks of a rocket's flight. There is a way
/// around it, or the far side would be rock.
const SHEET: Block = [[523, -200, 0], [524, 256, 256]];

fn with(sim: &mut Sim, change: impl FnOnce(&mut Settings)) -> StepReport {
    let mut settings = sim.settings.clone();
    change(&mut settings);
    let command = Command {
        actions: vec![Action::Set(Box::new(settings))],
        ..sim.idle()
    };
    let text = serde_json::to_string(&command).expect("settings are written");
    assert_eq!(
        serde_json::from_str::<Command>(&text).expect(&text),
        command
    );
    sim.step(&command, &mut Silent)
}

/// Fires a rocket to the east; where it explodes, and how many moves tunnelled.
fn fire(sim: &mut Sim) -> (Option<f64>, u32) {
    let mut command = Command {
        actions: vec![Action::Fire],
        ..sim.idle()
    };
    let mut tunnelled = 0;
    for _ in 0..120 {
        let report = sim.step(&command, &mut Silent);
        command.actions.clear();
        tunnelled += report.tunnelled;
        if let Some(event) = report.carves.first() {
            return (Some(event.position.x), tunnelled);
        }
    }
    (None, tunnelled)
}

#[test]
fn a_rocket_passes_a_thin_wall_unless_it_is_swept() {
    for (solver, at) in [
        (Solver::Swept, 16.3),
        (Solver::Discrete, 40.0),
        (Solver::Subdivided(16), 40.0),
    ] {
        let mut sim = open(&hall(&[SHEET]));
        with(&mut sim, |settings| settings.solver = solver);
        let (hit, tunnelled) = fire(&mut sim);
        let hit = hit.expect("an explosion");
        assert!((hit - at).abs() < 1.0, "{solver:?}: {hit}");
        assert_eq!(tunnelled, u32::from(solver != Solver::Swept), "{solver:?}");
    }
}

#[test]
fn a_fast_crumb_passes_a_thin_wall_unless_it_is_swept_and_a_slow_one_never() {
    for (solver, speed) in [
        (Solver::Swept, 60.0),
        (Solver::Discrete, 60.0),
        (Solver::Subdivided(16), 60.0),
        (Solver::Discrete, 4.0),
    ] {
        let mut sim = open(&hall(&[SHEET]));
        with(&mut sim, |settings| {
            settings.solver = solver;
            settings.gravity = 0.0;
        });
        let mut body = Body::new(DVec3::new(15.6, 4.0, 0.0), 0.1, 0);
        body.velocity = DVec3::X * speed;
        sim.bodies.change(|bodies| bodies.push(body));
        let mut tunnelled = 0;
        let idle = sim.idle();
        let mut farthest: f64 = 0.0;
        for _ in 0..30 {
            tunnelled += sim.step(&idle, &mut Silent).tunnelled;
            let at = sim.bodies[0].position;
            farthest = farthest.max(at.x);
            assert!(
                sim.world.locate(at).is_some(),
                "{solver:?}: in rock at {at}"
            );
        }
        let passes = solver != Solver::Swept && speed > 50.0;
        assert_eq!(tunnelled, u32::from(passes), "{solver:?} {speed}");
        assert_eq!(farthest > 16.5, passes, "{solver:?} {speed}: {farthest}");
    }
}

#[test]
fn a_rocket_meets_debris_and_rockets_only_where_the_layers_say_so() {
    for meets in [false, true] {
        let mut sim = open(&hall(&[]));
        with(&mut sim, |settings| {
            settings.gravity = 0.0;
            settings.layers.set(Layer::Rocket, Layer::Debris, meets);
            // On: what a rocket starts in it leaves, so that nobody is hit by their own.
            settings.layers.set(Layer::Rocket, Layer::Player, true);
        });
        let body = Body::new(sim.player.eye + DVec3::X * 8.0, 0.2, 0);
        let at = body.position.x;
        sim.bodies.change(|bodies| bodies.push(body));
        let (hit, _) = fire(&mut sim);
        let expected = if meets { at - 0.2 } else { 40.0 };
        assert!(
            (hit.expect("an explosion") - expected).abs() < 0.2,
            "{hit:?}"
        );
    }
    let mut sim = open(&hall(&[]));
    with(&mut sim, |settings| {
        settings.layers.set(Layer::Rocket, Layer::Rocket, true)
    });
    let at = |x: f64| DVec3::new(x, 4.0, 0.0);
    for (x, way) in [(10.0, 1.0), (14.0, -1.0)] {
        sim.rockets.push(Rocket {
            position: at(x),
            previous: at(x),
            velocity: DVec3::X * (40.0 * way),
            age: 0,
            blast_radius: None,
        });
    }
    let idle = sim.idle();
    for _ in 0..20 {
        sim.step(&idle, &mut Silent);
    }
    assert!(sim.rockets.is_empty());
    assert_eq!(sim.explosions.len(), 1, "both in one");
    assert!((sim.explosions[0].position.x - 12.0).abs() < 0.2);
}

#[test]
fn a_player_kicks_debris_only_where_the_layers_say_so() {
    for meets in [false, true] {
        let mut sim = open(&hall(&[]));
        with(&mut sim, |settings| {
            settings.layers.set(Layer::Player, Layer::Debris, meets)
        });
        let start = sim.player.feet;
        let body = Body::new(start + DVec3::new(2.0, 0.08, 0.0), 0.06, 0);
        sim.bodies.change(|bodies| bodies.push(body));
        let command = east(&sim);
        let mut nearest = f64::INFINITY;
        for _ in 0..40 {
            run(&mut sim, 1, &command);
            let reach = STANDING.heights.iter().map(|h| {
                let centre = sim.player.feet + DVec3::Y * *h;
                centre.distance(sim.bodies[0].position) - STANDING.radius - 0.06
            });
            nearest = nearest.min(reach.fold(f64::INFINITY, f64::min));
        }
        assert!(
            sim.player.feet.x > start.x + 1.5,
            "the player is not held up"
        );
        let pushed = sim.bodies[0].position.x > start.x + 2.3;
        assert_eq!(pushed, meets, "{}", sim.bodies[0].position);
        assert_eq!(nearest > -0.05, meets, "{nearest}");
    }
}

#[test]
fn crumbs_fly_through_each_other_where_the_layers_say_so() {
    for meets in [true, false] {
        let mut sim = open(&hall(&[]));
        with(&mut sim, |settings| {
            settings.gravity = 0.0;
            settings.layers.set(Layer::Debris, Layer::Debris, meets);
        });
        let at = DVec3::new(10.0, 4.0, 0.0);
        let mut first = Body::new(at, 0.2, 0);
        first.velocity = DVec3::X * 4.0;
        let second = Body::new(at + DVec3::X * 2.0, 0.2, 0);
        sim.bodies.change(|bodies| bodies.extend([first, second]));
        let idle = sim.idle();
        run(&mut sim, 60, &idle);
        let passed = sim.bodies[0].position.x > sim.bodies[1].position.x;
        assert_eq!(passed, !meets);
        assert_eq!(sim.bodies[1].velocity.length() > 0.5, meets);
    }
}

#[test]
fn a_blast_pushes_what_its_sphere_reaches_and_nothing_else() {
    let mut sim = open(&hall(&[]));
    with(&mut sim, |settings| {
        settings.gravity = 0.0;
        settings.debris = false;
    });
    let wall = sim.player.eye.with_x(40.0);
    // The reach is 2.5 m; a body's box decides.
    let beside = [DVec3::Z * 2.3, DVec3::Z * -2.6, DVec3::Y * 2.9];
    for (i, beside) in beside.into_iter().enumerate() {
        let mut body = Body::new(wall + beside - DVec3::X * 0.3, 0.2, 0);
        body.operation = i as u64;
        sim.bodies.change(|bodies| bodies.push(body));
    }
    fire(&mut sim);
    let pushed: Vec<bool> = sim
        .bodies
        .iter()
        .map(|b| b.velocity.length() > 0.0)
        .collect();
    assert_eq!(pushed, [true, true, false]);
}

#[test]
fn what_is_under_the_level_is_gone_and_the_player_is_back_at_the_start() {
    let mut sim = open(&hall(&[]));
    let home = sim.player.eye;
    let plane = kill_plane::kill_plane(&sim);
    assert!(sim.world.bounds().min.y > plane.offset);
    let under = DVec3::new(5.0, plane.offset - 1.0, 0.0);
    let bodies = [
        Body::new(under, 0.1, 0),
        Body::new(home + DVec3::X * 4.0, 0.1, 0),
    ];
    sim.bodies.change(|all| all.extend(bodies));
    sim.player.eye = under;
    sim.player.feet = under - DVec3::Y * EYE_HEIGHT;
    sim.player.walking = false;
    let report = sim.step(&sim.idle(), &mut Silent);
    assert_eq!(sim.bodies.len(), 1);
    assert!(sim.player.eye.distance(home) < 1.0, "{}", sim.player.eye);
    assert_eq!(report.notices, ["fell out of the level"]);
}
