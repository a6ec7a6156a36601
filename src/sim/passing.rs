//! Bodies under the solvers that miss walls ([`Solver`]), so that people can watch them pass.
//!
//! Bodies are always stepped with their contacts seen ahead; nothing of that changes. Of a body that moves farther than
//! its radius in a tick the chosen solver is asked afterwards how far it would have let it go, in a straight line, and
//! that is where it is put: through a wall that only a sweep sees, or back where it came from. What is slower than that
//! rests and rolls the same under every solver.
use super::{Sim, TICK_SECS};
use crate::bvh::QueryStats;
use crate::debris::Ball;
use crate::world::Solver;
use glam::DVec3;

/// A fast body before the tick.
pub(super) struct Flight {
    body: usize,
    from: DVec3,
    balls: Vec<Ball>,
    velocity: DVec3,
    path: DVec3,
}

/// The bodies that the chosen solver will be asked about; none under [`Solver::Swept`].
pub(super) fn flights(sim: &Sim) -> Vec<Flight> {
    if sim.settings.solver == Solver::Swept {
        return Vec::new();
    }
    let fall = DVec3::NEG_Y * (sim.settings.gravity * TICK_SECS);
    let awake = sim.bodies.iter().enumerate().filter(|(_, b)| !b.asleep);
    let flights = awake.filter_map(|(index, body)| {
        let path = (body.velocity + fall * 0.5) * TICK_SECS;
        let least = body.balls().map(|ball| ball.radius);
        let is_fast = path.length() > least.fold(f64::INFINITY, f64::min);
        is_fast.then(|| Flight {
            body: index,
            from: body.position,
            balls: body.balls().collect(),
            velocity: body.velocity + fall,
            path,
        })
    });
    flights.collect()
}

/// Puts them where the solver would have; how many went through a wall.
pub(super) fn put(sim: &mut Sim, flights: &[Flight], stats: &mut QueryStats) -> u32 {
    let solver = sim.settings.solver;
    let mut passed = 0;
    let mut moves = Vec::new();
    for flight in flights {
        let mut fraction: f64 = 1.0;
        for ball in &flight.balls {
            let (from, to) = (ball.centre, ball.centre + flight.path);
            let moved = sim.world.move_sphere(from, to, ball.radius, solver, stats);
            if let Some(hit) = moved.hit {
                fraction = fraction.min(hit.fraction);
            }
        }
        let path = flight.path * fraction;
        let world = &sim.world;
        let in_rock = |ball: &Ball| world.locate(ball.centre + path).is_none();
        if flight.balls.iter().any(in_rock) {
            // One ball was stopped where another has no room: the sweep's answer stays.
            continue;
        }
        let through = |ball: &Ball| {
            let way = world.cast_ray(ball.centre, ball.centre + path, &mut QueryStats::default());
            way.is_some()
        };
        let tunnelled = flight.balls.iter().any(through);
        passed += u32::from(tunnelled);
        moves.push((flight, path, tunnelled));
    }
    if moves.is_empty() {
        return 0;
    }
    sim.bodies.change(|bodies| {
        for (flight, path, tunnelled) in moves {
            let body = &mut bodies[flight.body];
            body.position = flight.from + path;
            if tunnelled {
                // It met nothing that could have slowed it.
                body.velocity = flight.velocity;
            }
        }
    });
    passed
}
