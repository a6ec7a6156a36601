//! Many shots and wild commands.
use super::*;
use crate::debris::retire::FADE_TICKS;

/// Soaks a sim for so many shots, then lets it run.
fn soaked(map: &str, shots: u32, ticks: u32) -> Sim {
    let mut sim = open(map);
    let mut rng = Rng::new(5);
    for _ in 0..shots {
        let command = soak_command(&sim, &mut rng);
        sim.step(&command, &mut Silent);
        assert_eq!(sim.escaped(), 0);
    }
    let idle = sim.idle();
    run(&mut sim, ticks, &idle);
    sim
}

#[test]
fn two_soaks_of_one_seed_end_in_the_same_state() {
    let map = hall(&[[[512, -128, 0], [576, 128, 192]]]);
    let (a, b) = (soaked(&map, 25, 120), soaked(&map, 25, 120));
    assert!(a.bodies.len() > 50);
    assert_eq!(a.state_hash(), b.state_hash());
    assert_eq!(a.bodies, b.bodies);
}

#[test]
fn a_limit_on_bodies_is_kept() {
    let mut sim = open(&hall(&[]));
    let few = Settings {
        max_bodies: 30,
        ..Settings::default()
    };
    sim.step(
        &Command {
            actions: vec![Action::Set(Box::new(few))],
            ..sim.idle()
        },
        &mut Silent,
    );
    let mut rng = Rng::new(9);
    for _ in 0..20 {
        let command = soak_command(&sim, &mut rng);
        sim.step(&command, &mut Silent);
        let staying = sim.bodies.iter().filter(|body| body.fading == 0);
        assert!(staying.count() <= 30);
    }
    let idle = sim.idle();
    run(&mut sim, u32::from(FADE_TICKS), &idle);
    assert_eq!(sim.bodies.len(), 30);
    sim.step(
        &Command {
            actions: vec![Action::ClearDebris],
            ..sim.idle()
        },
        &mut Silent,
    );
    assert!(sim.bodies.is_empty());
}

#[test]
fn wild_commands_break_nothing() {
    let mut sim = open(&hall(&[[[512, -128, 0], [576, 128, 192]]]));
    let mut rng = Rng::new(77);
    for tick in 0..600 {
        let pick = rng.below(12);
        let action = match pick {
            0 => Action::Fire,
            1 => Action::Walk(rng.below(2) == 0),
            2 => Action::NoClip(rng.below(4) == 0),
            3 => Action::Teleport([
                rng.range(-5.0, 45.0),
                rng.range(-3.0, 10.0),
                rng.range(-10.0, 10.0),
            ]),
            4 => Action::Tool {
                fill: tick % 2 == 0,
                tool: Tool {
                    shape: ToolShape::ALL[tick as usize % ToolShape::ALL.len()],
                    size: rng.range(0.0, 3.0),
                    depth: 1.0,
                    rotation: [rng.range(-9.0, 9.0), rng.range(-9.0, 9.0), 0.0],
                    points: vec![[1.0; 3]; tick as usize % 6],
                    aimed: None,
                },
            },
            5 => Action::Tool {
                fill: tick % 2 == 0,
                tool: Tool {
                    shape: ToolShape::Ball,
                    size: rng.range(0.0, 3.0),
                    depth: f64::MAX,
                    ..Tool::default()
                },
            },
            6 => Action::FireAlong {
                from: [1.0, 1.0, f64::NAN],
                dir: [0.0; 3],
            },
            7 => Action::FireAlong {
                from: [2.0, 1.0, 0.0],
                dir: rng.unit_vector().to_array(),
            },
            _ => Action::Walk(sim.player.walking),
        };
        let command = Command {
            walk: [
                rng.range(-1.0, 1.0) as f32,
                rng.range(-1.0, 1.0) as f32,
                f32::INFINITY,
            ],
            yaw: rng.range(-9.0, 9.0),
            pitch: rng.range(-2.0, 2.0),
            jump: rng.below(3) == 0,
            fast: rng.below(2) == 0,
            crouch: rng.below(3) == 0,
            actions: vec![action],
        };
        let report = sim.step(&command, &mut Silent);
        assert!(
            sim.player.no_clip || sim.eye_room.is_some(),
            "tick {tick}: {:?} {}",
            report.notices,
            sim.player.eye
        );
        assert!(sim.player.eye.is_finite());
        assert_eq!(sim.escaped(), 0);
    }
}
