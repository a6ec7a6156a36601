//! Carrying and throwing bodies. Every tick's command repeats which body is carried where, so a recording holds it and the
//! simulation keeps no state for it.
use super::simulation::Sim;
use super::tick::TICK_SECS;
use glam::DVec3;

/// Greatest speed of a carried or thrown body, metres a second.
const SPEED_MAX: f64 = 20.0;
/// Greatest momentum, kilogram metres a second: heavy pieces move slowly.
const MOMENTUM_MAX: f64 = 2000.0;
/// Part of the remaining distance that a carried body moves in a tick; less than 1, so that it comes to rest without
/// shaking.
const APPROACH: f64 = 0.2;
/// Part of the spin left after a tick of carrying.
const SPIN_KEPT: f64 = 0.85;

/// Gives a body the velocity towards a position, metres. An index beyond the bodies is ignored.
pub(super) fn carry(sim: &mut Sim, body: u32, to: DVec3) {
    change(
        sim,
        body,
        |at| (to - at) * (APPROACH / TICK_SECS),
        SPIN_KEPT,
    );
}

/// Gives a body a velocity, metres a second.
pub(super) fn throw(sim: &mut Sim, body: u32, velocity: DVec3) {
    change(sim, body, |_| velocity, 1.0);
}

fn change(sim: &mut Sim, body: u32, velocity: impl Fn(DVec3) -> DVec3, spin: f64) {
    if body as usize >= sim.bodies.len() {
        return;
    }
    sim.bodies.change(|bodies| {
        let Some(body) = bodies.get_mut(body as usize) else {
            return;
        };
        let fastest = (MOMENTUM_MAX / body.mass().max(1e-3)).min(SPEED_MAX);
        body.wake();
        body.velocity = velocity(body.position).clamp_length_max(fastest);
        body.spin *= spin;
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Action, Body, Command, Settings};
    use crate::timing::Silent;

    fn bunker() -> Sim {
        let text = include_bytes!("../../levels/bunker.map");
        let level = crate::level::read_map(text).expect("our own level");
        let mut sim = Sim::new(level, 1, Settings::default(), &mut Silent).expect("a world");
        let at = sim.player.eye + sim.look_dir() * 2.0;
        sim.bodies
            .change(|bodies| bodies.push(Body::new(at, 0.1, 0)));
        sim
    }

    fn command(sim: &Sim, action: Action) -> Command {
        Command {
            yaw: sim.player.yaw,
            pitch: sim.player.pitch,
            actions: vec![action],
            ..Command::default()
        }
    }

    #[test]
    fn what_is_carried_stays_in_the_air_and_what_is_let_go_falls() {
        let mut sim = bunker();
        let to = sim.player.eye + sim.look_dir() * 1.5;
        for _ in 0..120 {
            let carry = Action::Carry {
                body: 0,
                to: to.into(),
            };
            sim.step(&command(&sim, carry), &mut Silent);
        }
        // Gravity pulls for a tick before the hand does.
        assert!(sim.bodies[0].position.distance(to) < 0.05);
        for _ in 0..30 {
            sim.step(&command(&sim, Action::Undo), &mut Silent);
        }
        assert!(sim.bodies[0].position.y < to.y - 0.5);
    }

    #[test]
    fn a_throw_gives_its_velocity_but_never_too_much() {
        let mut sim = bunker();
        let before = sim.bodies[0].position;
        let wild = DVec3::Y * 1e9;
        let throw = Action::Throw {
            body: 0,
            velocity: wild.into(),
        };
        sim.step(&command(&sim, throw), &mut Silent);
        let rise = sim.bodies[0].position.y - before.y;
        assert!(rise > 0.0 && rise <= SPEED_MAX * TICK_SECS, "{rise}");
        let nobody = Action::Throw {
            body: 99,
            velocity: [1.0; 3],
        };
        sim.step(&command(&sim, nobody), &mut Silent);
        assert_eq!(sim.bodies.len(), 1);
    }

    #[test]
    fn a_recording_with_a_carried_body_gives_the_same_state() {
        let run = || {
            let mut sim = bunker();
            for tick in 0..60 {
                let side = DVec3::X * (f64::from(tick) * 0.02);
                let to = sim.player.eye + sim.look_dir() * 2.0 + side;
                let action = match tick {
                    50 => Action::Throw {
                        body: 0,
                        velocity: [3.0, 1.0, 0.0],
                    },
                    _ => Action::Carry {
                        body: 0,
                        to: to.into(),
                    },
                };
                let command = command(&sim, action);
                let text = serde_json::to_string(&command).expect("finite");
                let read: Command = serde_json::from_str(&text).expect("just written");
                assert_eq!(read, command);
                sim.step(&read, &mut Silent);
            }
            sim.state_hash()
        };
        assert_eq!(run(), run());
    }
}
